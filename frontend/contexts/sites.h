/* SPDX-License-Identifier: Apache-2.0
 *
 * sites.h: names of call sites and of the paths that they form.
 *
 * A site is "file.c:line:column", with "#2", "#3" when calls share a place (one macro may hold
 * several) or files a name. So each call has a name of its own that does not depend on the order of
 * analysis. A path is "main.c:10:5>util.c:33:9", from the outermost call inwards; a long one is cut
 * and ends in a hash of the whole: "main.c:10:5>util.c:33:9~8b1a9953c4611296".
 */
#ifndef CFLRI_SITES_H
#define CFLRI_SITES_H

#include "frontend/program/link.h"

/* Fills program->site. Nothing when it is there already. */
cflr_status cflri_program_name_sites(cflri_program *program, cflr_error *error);

typedef struct cflri_path {
    uint32_t text; /* in the program's strings; 0: the empty path */
    uint64_t hash; /* of all sites on it */
} cflri_path;

/* The path one call further; sticky failure in the program's facts. Needs the sites' names. */
cflri_path cflri_path_extend(cflri_program *program, cflri_path path, uint32_t call);

#endif
