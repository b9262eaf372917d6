/* SPDX-License-Identifier: Apache-2.0
 *
 * kept.c: files that a directory keeps.
 */
#include "base/files/kept.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cflri_kept_path(const char *directory, cflri_digest key, int slot, char path[PATH_MAX]) {
    char digits[CFLRI_KEPT_DIGITS + 1];
    snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, key.high, key.low);
    int length = snprintf(path, PATH_MAX, "%s/%.*s/%s.%d", directory, CFLRI_KEPT_FOLDER, digits,
                          digits + CFLRI_KEPT_FOLDER, slot);
    return length > 0 && length < PATH_MAX;
}

cflr_status cflri_kept_open(cflr_context *context, const char *path, cflri_input *input) {
    struct stat about;
    *input = (cflri_input){.context = context};
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return CFLR_IO;
    return cflri_input_open(context, path, input, NULL);
}

/* Makes the directories above a file, as far as they are missing; 0, or errno of the last that
 * could not be made: it may be there all the same. */
static int make_directories(char *path) {
    int refusal = 0;
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) refusal = errno;
        *slash = '/';
    }
    return refusal;
}

cflr_status cflri_kept_create(cflr_context *context, char *path, cflri_output **output,
                              cflr_error *error) {
    int refusal = make_directories(path);
    cflr_status st = cflri_output_open(context, path, output, error);
    if (st == CFLR_IO && refusal)
        st = cflri_fail(error, st, path, "cannot make its directory: %s", strerror(refusal));
    if (st == CFLR_OK) cflri_output_unsynced(*output);
    return st;
}
