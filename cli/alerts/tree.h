/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.h: paths below the root of the source tree, as pipelines name files.
 */
#ifndef CFLR_CLI_ALERTS_TREE_H
#define CFLR_CLI_ALERTS_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* The root is this directory; NULL: the nearest one upward that holds `.git`, or the working
 * directory where there is none. 0, or the exit code after a message. */
int tree_open(const char *root);
void tree_close(void);

/* The path below the root, which lives until tree_close, or as long as `path`; NULL: it is not
 * there, or tells no file. Ends the program when memory is refused. */
const char *tree_path(const char *path);
/* The same, or where it is not below the root the whole path. */
const char *tree_name(const char *path);

/* The path as a URI reference, relative to the root, or else with the scheme `file`; freed by the
 * caller. Ends the program when memory is refused. */
char *tree_uri(const char *path);
/* Likewise a whole path, with the scheme, whatever the root is. */
char *file_uri(const char *path);

/* The path that a URI of this tree stands for; false: it does not fit, or is of another kind. */
bool tree_of_uri(const char *uri, char *path, size_t size);

#endif
