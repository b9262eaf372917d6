/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: finding the library of a GPU.
 *
 * It is looked for by name: the system's loader looks first where this library, or the program that
 * has it inside, says in its run path, which is the folder of the libraries (cmake/library.cmake,
 * cli/CMakeLists.txt). That it loads does not mean that there is a GPU: it asks the driver when a
 * traversal is made.
 */
#include "engine/traverse/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "base/context.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const cflri_device *loaded;
static char reason[160];

static void load(void) {
    void *library = dlopen("libcflr_cuda.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(reason, sizeof reason, "libcflr_cuda.so is not there");
        return;
    }
    loaded = dlsym(library, CFLRI_DEVICE_SYMBOL);
    if (loaded && loaded->version == CFLRI_DEVICE_VERSION) return;
    loaded = NULL;
    snprintf(reason, sizeof reason, "libcflr_cuda.so is of another version");
}

const cflri_device *cflri_device_load(char *why, size_t size) {
    pthread_once(&once, load);
    if (!loaded) snprintf(why, size, "%s", reason);
    return loaded;
}

static cflr_status tick(cflr_context *context) {
    return cflri_tick(context, "traverse", 0, 0);
}

const cflri_services cflri_device_services = {tick, cflr_schedule_name};
