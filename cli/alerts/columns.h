/* SPDX-License-Identifier: Apache-2.0
 *
 * columns.h: columns in characters instead of bytes.
 */
#ifndef CFLR_CLI_ALERTS_COLUMNS_H
#define CFLR_CLI_ALERTS_COLUMNS_H

#include <stdint.h>

/* What columns count, from 1: bytes, units of UTF-16, or code points. */
typedef enum column_unit { COLUMN_BYTES, COLUMN_UTF16, COLUMN_CHARACTERS } column_unit;

/* The column in other units. It stays what it is where the file cannot be read or is not UTF-8. */
uint32_t column_in_units(const char *file, uint32_t line, uint32_t column, column_unit from,
                         column_unit to);
/* From bytes to code points. */
uint32_t column_in_characters(const char *file, uint32_t line, uint32_t column);
void columns_free(void);

#endif
