/* SPDX-License-Identifier: Apache-2.0
 *
 * assumption.c: what a `no` rests on, told to people and as JSON.
 */
#include "cli/answer/assumption.h"

const char *assumption_condition(cflr_assumption a) {
    if (a.text && a.callees)
        return ", if the program keeps to C's aliasing rules, copies no pointers as text, "
               "and calls functions by their types";
    if (a.text)
        return ", if the program keeps to C's aliasing rules and copies no pointers as text";
    if (a.aliasing && a.callees)
        return ", if the program keeps to C's aliasing rules and calls functions by their types";
    if (a.aliasing) return ", if the program keeps to C's aliasing rules";
    return a.callees ? ", if the program calls functions by their types" : "";
}

json_t *assumption_json(cflr_assumption a) {
    json_t *list = json_array();
    if (a.aliasing) json_array_append_new(list, json_string("aliasing"));
    if (a.text) json_array_append_new(list, json_string("text"));
    if (a.callees) json_array_append_new(list, json_string("callees"));
    return list;
}
