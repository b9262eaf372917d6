/* Text through functions of the library: copied, joined, formatted, parsed. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "check.h"

static char secret_text[] = "123";
static wchar_t secret_wide[] = L"456";
static int secret = 7;
static int open_;

static void copied(void) {
    char a[16] = "", b[16] = "", c[16] = "", d[16] = "", e[16] = "", none[16] = "";
    strcpy(a, secret_text);
    char x = a[0];
    TAINTED(x);
    strcat(b, secret_text);
    x = *b;
    TAINTED(x);
    strncpy(c, a, sizeof c);
    x = c[0];
    TAINTED(x);
    memcpy(d, a, sizeof d);
    x = d[0];
    TAINTED(x);
    memmove(e, secret_text, 4);
    x = e[1];
    TAINTED(x);
    strcpy(none, "");
    x = none[0];
    CLEAN(x);
    char *copy = strdup(a);
    x = *copy;
    TAINTED(x);
    free(copy);
    copy = strdup(none);
    x = *copy;
    CLEAN(x);
    free(copy);
    char *(*through)(char *, const char *) = strcpy;
    char f[16] = "";
    through(f, secret_text);
    x = f[0];
    TAINTED(x);
    char filled[4] = "";
    memset(filled, secret, 3);
    x = filled[2];
    TAINTED(x);
}

static void join(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(to, 32, format, list);
    va_end(list);
}

static void formatted(void) {
    char a[32] = "", b[32] = "", c[32] = "", d[32] = "", *made;
    sprintf(a, "%s", secret_text);
    char x = a[0];
    TAINTED(x);
    snprintf(b, sizeof b, "%d", secret);
    x = b[0];
    TAINTED(x);
    snprintf(c, sizeof c, "%.*s", open_, "abc");
    x = c[0];
    CLEAN(x);
    join(d, "%s", secret_text);
    x = d[0];
    TAINTED(x);
    if (asprintf(&made, "%s", secret_text) < 0) return;
    x = made[0];
    TAINTED(x);
}

static void parsed(void) {
    int n = atoi(secret_text), m = atoi("0");
    TAINTED(n);
    CLEAN(m);
    char *end;
    long l = strtol(secret_text, &end, 10);
    TAINTED(l);
    double d = strtod(secret_text, NULL);
    TAINTED(d);
    int read = 0, nothing = 0;
    sscanf(secret_text, "%d", &read);
    TAINTED(read);
    sscanf("0", "%d", &nothing);
    CLEAN(nothing);
    char word[8] = "";
    sscanf(secret_text, "%3s", word);
    char x = word[0];
    TAINTED(x);
    char *found = strchr(secret_text, '2');
    x = found ? *found : secret;
    TAINTED(x);
    int order = strcmp(secret_text, secret_text);
    CLEAN(order);
}

static void wide(void) {
    wchar_t a[16] = L"", b[16] = L"";
    wcscpy(a, secret_wide);
    wchar_t x = a[0];
    TAINTED(x);
    swprintf(b, 16, L"%ls", a);
    x = b[0];
    TAINTED(x);
    char narrow[16] = "";
    wcstombs(narrow, a, sizeof narrow);
    char c = narrow[0];
    TAINTED(c);
    long n = wcstol(secret_wide, NULL, 10);
    TAINTED(n);
    wchar_t *copy = wcsdup(secret_wide);
    x = copy[0];
    TAINTED(x);
    free(copy);
}

int main(void) {
    copied();
    formatted();
    parsed();
    wide();
    return CHECKED;
}
