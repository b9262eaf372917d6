/* SPDX-License-Identifier: Apache-2.0
 *
 * Statuses and errors.
 */
#include <errno.h>

#include "base/error.h"
#include "cflr/version.h"
#include "tests/support/support.h"

Test(status, names_texts_and_exit_codes) {
    /* The numbers and exit codes that are promised for ever, written down a second time. */
    static const struct {
        int number;
        int exit_code;
        const char *name;
    } promised[] = {{0, 0, "OK"},         {1, 2, "ARGUMENT"},     {2, 2, "NOT_FOUND"},
                    {3, 2, "AMBIGUOUS"},  {10, 3, "IO"},          {11, 3, "SYNTAX"},
                    {12, 3, "FORMAT"},    {13, 3, "UNSUPPORTED"}, {20, 4, "LIMIT"},
                    {30, 5, "NO_MEMORY"}, {31, 5, "NO_SPACE"},    {40, 6, "UNAVAILABLE"},
                    {70, 70, "INTERNAL"}, {130, 130, "CANCELLED"}};
    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) {
        cflr_status st = (cflr_status)promised[i].number;
        cr_assert_str_eq(cflr_status_name(st), promised[i].name);
        cr_assert_eq(cflr_status_exit_code(st), promised[i].exit_code);
        cr_assert_neq(cflr_status_text(st)[0], '\0');
    }
    cr_assert_str_eq(cflr_status_name((cflr_status)99), "UNKNOWN");
    cr_assert_str_eq(cflr_status_text((cflr_status)99), "unknown status");
    cr_assert_eq(cflr_status_exit_code((cflr_status)99), 70);
    cr_assert_str_eq(cflr_version(), CFLR_VERSION);
}

Test(status, errors_are_filled) {
    cflr_error error;
    memset(&error, 0xff, sizeof error);
    cr_assert_eq(cflri_fail_at(&error, CFLR_SYNTAX, "a.cfg", 3, 7, "'%c' is odd", 'x'),
                 CFLR_SYNTAX);
    cr_assert_eq(error.code, CFLR_SYNTAX);
    cr_assert_eq(error.line, 3);
    cr_assert_eq(error.column, 7);
    cr_assert_eq(error.system_error, 0);
    cr_assert_str_eq(error.subject, "a.cfg");
    cr_assert_str_eq(error.message, "'x' is odd");
    cr_assert_eq(cflri_fail(&error, CFLR_IO, NULL, "no"), CFLR_IO);
    cr_assert_str_eq(error.subject, "");
    cr_assert_eq(error.line, 0);
    cr_assert_eq(cflri_fail(NULL, CFLR_IO, NULL, "no"), CFLR_IO);
}

Test(status, long_texts_are_cut) {
    cflr_error error;
    char text[2000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cflri_fail(&error, CFLR_IO, text, "%s", text);
    cr_assert_eq(strlen(error.subject), sizeof error.subject - 1);
    cr_assert_eq(strlen(error.message), sizeof error.message - 1);
}

/* Text from outside is one line that steers no terminal. */
Test(status, escapes) {
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"plain \\ \"text\" ~ ", "plain \\ \"text\" ~ "},
        {"\x1b[31m\a\b\x7f", "\\x1b[31m\\x07\\x08\\x7f"},
        {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
        {"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xb1 \xc2\xa0",
         "gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xb1 \xc2\xa0"},
        {"\xc2\x9b", "\\xc2\\x9b"}, /* CSI */
        {"a\xe2\x80\xae"
         "b",
         "a\\xe2\\x80\\xae"
         "b"},                               /* from right to left */
        {"\xff\xc3", "\\xff\\xc3"},          /* no UTF-8 */
        {"\xe0\x80\x9b", "\\xe0\\x80\\x9b"}, /* too long for what it is */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char to[64];
        cflr_error error;
        size_t length = strlen(rows[i].shown);
        cr_assert_eq(cflr_escape(NULL, 0, rows[i].text), length);
        cr_assert_eq(cflr_escape(to, sizeof to, rows[i].text), length);
        cr_assert_str_eq(to, rows[i].shown);
        /* cut anywhere, it is cut before an escape or behind */
        for (size_t room = 1; room <= length; room++) {
            memset(to, '#', sizeof to);
            cr_assert_eq(cflr_escape(to, room, rows[i].text), length);
            cr_assert_lt(strlen(to), room);
            cr_assert_eq(strncmp(to, rows[i].shown, strlen(to)), 0);
            cr_assert_eq(to[room], '#');
        }
        cflri_fail(&error, CFLR_IO, rows[i].text, "<%s>", rows[i].text);
        cr_assert_str_eq(error.subject, rows[i].text, "a path, to be opened");
        snprintf(to, sizeof to, "<%s>", rows[i].shown);
        cr_assert_str_eq(error.message, to);
    }
}

/* An error may be described anew in terms of itself. */
Test(status, an_error_may_quote_itself) {
    cflr_error error;
    cflri_fail(&error, CFLR_IO, "inner", "cause");
    cflri_fail(&error, CFLR_FORMAT, error.subject, "outer: %s", error.message);
    cr_assert_str_eq(error.subject, "inner");
    cr_assert_str_eq(error.message, "outer: cause");
}

Test(status, system_errors) {
    cflr_error error;
    static const struct {
        int system;
        cflr_status st;
    } kinds[] = {{ENOENT, CFLR_IO},      {ENOSPC, CFLR_NO_SPACE},  {EDQUOT, CFLR_NO_SPACE},
                 {EFBIG, CFLR_NO_SPACE}, {ENOMEM, CFLR_NO_MEMORY}, {EPIPE, CFLR_IO}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cr_assert_eq(cflri_fail_errno(&error, "f", kinds[i].system, "cannot open"), kinds[i].st);
        cr_assert_eq(error.system_error, kinds[i].system);
        cr_assert_eq(strncmp(error.message, "cannot open: ", 13), 0);
        cr_assert_not_null(strstr(error.message, strerror(kinds[i].system)));
    }
    cr_assert_eq(cflri_fail_errno(NULL, "f", ENOSPC, "cannot open"), CFLR_NO_SPACE);
}
