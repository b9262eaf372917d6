/* SPDX-License-Identifier: Apache-2.0
 *
 * version.c: the sentence for a file of another version.
 */
#include "base/files/version.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

cflr_status cflri_check_version(const cflri_read_versions *read, uint32_t version,
                                const char *subject, cflr_error *error) {
    char range[32];
    bool older = version < read->oldest;
    if (!older && version <= read->newest) return CFLR_OK;
    if (read->oldest == read->newest)
        snprintf(range, sizeof range, "%u", read->newest);
    else
        snprintf(range, sizeof range, "%u to %u", read->oldest, read->newest);
    return cflri_fail(error, CFLR_UNSUPPORTED, subject,
                      "%s %u, written by %s cflr, and this one reads %s: %smake it anew by %s",
                      read->what, version, older ? "an older" : "a newer", range,
                      older ? "" : "use that one, or ", read->anew);
}
