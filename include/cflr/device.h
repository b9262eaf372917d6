/* SPDX-License-Identifier: Apache-2.0
 *
 * device.h: where something runs.
 */
#ifndef CFLR_DEVICE_H
#define CFLR_DEVICE_H

typedef enum cflr_device {
    CFLR_DEVICE_AUTO =
        0, /* the GPU where there is one, for graphs that are worth it and fit into its memory */
    CFLR_DEVICE_CPU = 1,
    CFLR_DEVICE_GPU = 2, /* CFLR_UNAVAILABLE where there is none */
} cflr_device;

#endif
