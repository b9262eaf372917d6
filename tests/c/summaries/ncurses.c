/* SPDX-License-Identifier: Apache-2.0
 *
 * ncurses.c: screens, windows, panels, menus and forms: what they were made of, hooks and data.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

typedef struct window WINDOW;
typedef struct screen SCREEN;
typedef struct panel PANEL;
typedef struct item ITEM;
typedef struct menu MENU;
typedef struct field FIELD;
typedef struct fieldtype FIELDTYPE;
typedef struct form FORM;

extern WINDOW *stdscr;
SCREEN *newterm(const char *, FILE *, FILE *), *set_term(SCREEN *);
int endwin(void), delwin(WINDOW *);
WINDOW *newwin(int, int, int, int), *subwin(WINDOW *, int, int, int, int);
WINDOW *wgetparent(const WINDOW *);
int use_window(WINDOW *, int (*)(WINDOW *, void *), void *);
int tputs(const char *, int, int (*)(int));
char *tigetstr(const char *);
PANEL *new_panel(WINDOW *), *panel_below(const PANEL *);
WINDOW *panel_window(const PANEL *);
int set_panel_userptr(PANEL *, const void *), replace_panel(PANEL *, WINDOW *);
const void *panel_userptr(const PANEL *);
ITEM *new_item(const char *, const char *), **menu_items(const MENU *);
ITEM *current_item(const MENU *);
const char *item_name(const ITEM *), *item_description(const ITEM *);
MENU *new_menu(ITEM **);
int set_item_userptr(ITEM *, void *), set_menu_userptr(MENU *, void *);
void *item_userptr(const ITEM *), *menu_userptr(const MENU *);
int set_menu_init(MENU *, void (*)(MENU *)), set_menu_win(MENU *, WINDOW *);
WINDOW *menu_win(const MENU *);
int post_menu(MENU *), unpost_menu(MENU *), free_menu(MENU *), free_item(ITEM *);
FIELD *new_field(int, int, int, int, int, int), **form_fields(const FORM *);
FIELD *current_field(const FORM *);
char *field_buffer(const FIELD *, int);
int set_field_userptr(FIELD *, void *), set_field_type(FIELD *, FIELDTYPE *, ...);
void *field_userptr(const FIELD *), *field_arg(const FIELD *);
FIELDTYPE *new_fieldtype(_Bool (*)(FIELD *, const void *), _Bool (*)(int, const void *));
FIELDTYPE *field_type(const FIELD *);
int set_fieldtype_arg(FIELDTYPE *, void *(*)(va_list *), void *(*)(const void *),
                      void (*)(void *));
FORM *new_form(FIELD **);
int set_form_init(FORM *, void (*)(FORM *)), post_form(FORM *), unpost_form(FORM *);
int form_driver(FORM *, int), free_form(FORM *), free_field(FIELD *);

static int tag, other_tag, third_tag;
static WINDOW *seen_window;
static void *seen_data;
static const void *seen_checked, *seen_freed;
static MENU *seen_menu;
static FORM *seen_form;
static FIELD *seen_field;

static int on_window(WINDOW *window, void *data) {
    seen_window = window;
    seen_data = data;
    return 0;
}

static void windows(void) {
    SCREEN *screen = newterm("vt100", fopen("/dev/null", "w"), fopen("/dev/null", "r"));
    if (!screen) return;
    FRESH(screen);
    SCREEN *before = set_term(screen);
    SAME(before, screen);
    WINDOW *standard = stdscr, *window = newwin(5, 10, 0, 0);
    KNOWN(standard);
    FRESH(window);
    APART(standard, window);
    WINDOW *inner = subwin(window, 2, 2, 1, 1), *outer = wgetparent(inner);
    FRESH(inner);
    SAME(outer, window);
    use_window(window, on_window, &tag);
    WINDOW *a = seen_window;
    SAME(a, window);
    void *b = seen_data;
    POINTS_TO(b, tag);
    char *c = tigetstr("cup");
    KNOWN(c);
    PANEL *panel = new_panel(window), *other = new_panel(standard);
    FRESH(panel);
    WINDOW *d = panel_window(panel);
    SAME(d, window);
    set_panel_userptr(panel, &other_tag);
    const void *e = panel_userptr(panel);
    POINTS_TO(e, other_tag);
    PANEL *below = panel_below(other);
    SAME(below, panel);
    replace_panel(panel, inner);
    WINDOW *f = panel_window(panel);
    SAME(f, inner);
}

static void on_menu(MENU *menu) {
    seen_menu = menu;
}

static void menus(void) {
    static char name[] = "name", text[] = "text";
    ITEM *items[] = {new_item(name, text), NULL}, *item = items[0];
    FRESH(item);
    const char *a = item_name(item), *b = item_description(item);
    POINTS_TO(a, name);
    POINTS_TO(b, text);
    MENU *menu = new_menu(items);
    FRESH(menu);
    ITEM **vector = menu_items(menu), *current = current_item(menu);
    POINTS_TO(vector, items);
    SAME(current, item);
    set_item_userptr(item, &tag);
    set_menu_userptr(menu, &other_tag);
    void *c = item_userptr(item), *d = menu_userptr(menu);
    POINTS_TO(c, tag);
    POINTS_TO(d, other_tag);
    APART(c, d);
    WINDOW *window = newwin(5, 20, 0, 0);
    set_menu_win(menu, window);
    WINDOW *e = menu_win(menu);
    SAME(e, window);
    set_menu_init(menu, on_menu);
    post_menu(menu);
    MENU *f = seen_menu;
    SAME(f, menu);
    unpost_menu(menu);
    free_menu(menu);
    free_item(item);
}

static _Bool check_field(FIELD *field, const void *argument) {
    seen_field = field;
    seen_checked = argument;
    return 1;
}

static _Bool check_char(int c, const void *argument) {
    (void)c, (void)argument;
    return 1;
}

static void *make_argument(va_list *arguments) {
    return va_arg(*arguments, int *);
}

static void *copy_argument(const void *argument) {
    return (void *)argument;
}

static void free_argument(void *argument) {
    seen_freed = argument;
}

static void on_form(FORM *form) {
    seen_form = form;
}

static void forms(void) {
    FIELD *fields[] = {new_field(1, 10, 0, 0, 0, 0), NULL}, *field = fields[0];
    FRESH(field);
    FIELDTYPE *type = new_fieldtype(check_field, check_char);
    FRESH(type);
    set_fieldtype_arg(type, make_argument, copy_argument, free_argument);
    set_field_type(field, type, &third_tag);
    FIELDTYPE *a = field_type(field);
    SAME(a, type);
    void *b = field_arg(field);
    POINTS_TO(b, third_tag);
    set_field_userptr(field, &tag);
    void *c = field_userptr(field);
    POINTS_TO(c, tag);
    char *d = field_buffer(field, 0);
    KNOWN(d);
    FORM *form = new_form(fields);
    FRESH(form);
    FIELD **e = form_fields(form);
    POINTS_TO(e, fields);
    set_form_init(form, on_form);
    post_form(form);
    FIELD *f = current_field(form);
    SAME(f, field);
    FORM *g = seen_form;
    SAME(g, form);
    form_driver(form, 'x');
    form_driver(form, 0x218 + 1); /* REQ_VALIDATION is near here in all versions */
    unpost_form(form);
    free_form(form);
    free_field(field);
    const void *h = seen_freed;
    POINTS_TO(h, third_tag);
    const void *i = seen_checked;
    WILL_POINT_TO(i, third_tag);
}

void run_ncurses(void);
void run_ncurses(void) {
    windows();
    menus();
    forms();
    endwin();
}
