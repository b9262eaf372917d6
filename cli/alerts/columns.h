/* SPDX-License-Identifier: Apache-2.0
 *
 * columns.h: columns in characters.
 */
#ifndef CFLR_CLI_ALERTS_COLUMNS_H
#define CFLR_CLI_ALERTS_COLUMNS_H

#include <stdint.h>

/* The column, which counts bytes from 1, in code points of UTF-8. It stays what it is where the
 * file cannot be read or is in another encoding. */
uint32_t column_in_characters(const char *file, uint32_t line, uint32_t column);
void columns_free(void);

#endif
