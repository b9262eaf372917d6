/* SPDX-License-Identifier: Apache-2.0
 *
 * io_list.c: lists of edges as text.
 *
 *     # vertices 6            at least so many; `#` and `%` begin comments
 *     source,target,weight    titles
 *     0,1,4                   between fields: blanks, or one of , ; and tab
 *     "New York",Paris,5837   vertices are numbers when all are, otherwise names
 *
 * The separator. Blanks separate where every line has as many fields, two or more (or three or
 * four, as an index may follow a label), and no first field ends in a comma. Otherwise it is the
 * first of `,` `;` and tab that gives every line as many fields; otherwise, where a line is wrong,
 * the one that the first line needs. Names of functions may hold commas, and names of cities
 * blanks; both kinds of files are read as they are meant.
 *
 * Titles. The first line is one of titles when none of its fields is a number, and it says `source`
 * and `target` (or another pair of words that is usual), or the fields below are numbers: both
 * vertices, or the third one. So a graph whose vertices are all names needs such a pair, or a
 * caller that knows.
 *
 * Both are found in the head of the file, and the line that does not fit is an error when it comes.
 */
#include "base/formats/io_list.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/formats/io_edges.h"

enum { COLUMNS = 3 };

/* `#` is the scanner's. */
static bool is_comment(const cflri_scan *scan, cflri_line_kind kind) {
    return kind == CFLRI_LINE_COMMENT ||
           (scan->n && scan->field[0].size && scan->field[0].at[0] == '%');
}

static void begin(cflri_scan *scan, cflri_field text, char separator, const char *subject,
                  cflr_error *error) {
    cflri_scan_init(scan, text.at, text.size, subject, error);
    scan->comment = '#';
    scan->separator = separator;
}

/* The next line that is no comment; false at the end, and where the text is none. */
static bool next_line(cflri_scan *scan) {
    cflri_line_kind kind;
    while (cflri_scan_line(scan, &kind) == CFLR_OK && kind != CFLRI_LINE_END)
        if (!is_comment(scan, kind)) return true;
    return false;
}

/* ---- the separator ---- */

static bool ends_in_separator(cflri_field field) {
    return field.size && strchr(",;", field.at[field.size - 1]);
}

/* May lines of so many fields stand in one file? With labels, an index may follow. */
static bool go_together(unsigned a, unsigned b, bool labelled) {
    return a == b || (labelled && (a == 3 || a == 4) && (b == 3 || b == 4));
}

/* Does it give every line as many fields? */
static bool separates(cflri_field head, char separator, bool labelled) {
    cflri_scan scan;
    unsigned n = 0;
    begin(&scan, head, separator, NULL, NULL);
    while (next_line(&scan)) {
        if (n && !go_together(scan.n, n, labelled)) return false;
        if (!separator && ends_in_separator(scan.field[0])) return false;
        n = scan.n;
    }
    return n >= 2; /* a line that is broken will tell why */
}

/* Of the first line. */
static unsigned fields_of(cflri_field head, char separator) {
    cflri_scan scan;
    begin(&scan, head, separator, NULL, NULL);
    return next_line(&scan) ? scan.n : 0;
}

static char separator_of(cflri_field head, const char *name) {
    static const char separators[] = {',', ';', '\t'};
    bool by_name = name && cflri_path_ends(name, ".csv");
    if (!by_name && separates(head, '\0', !name)) return '\0';
    for (size_t i = 0; i < sizeof separators; i++)
        if (separates(head, separators[i], false)) return separators[i];
    for (size_t i = 0; i < sizeof separators && fields_of(head, '\0') == 1; i++)
        if (fields_of(head, separators[i]) > 1) return separators[i];
    return '\0';
}

/* ---- titles ---- */

static bool is_word(cflri_field field, const char *word) {
    return field.size == strlen(word) && strncasecmp(field.at, word, field.size) == 0;
}

/* What programs write above lists of edges. */
static bool says_ends(const cflri_scan *scan) {
    static const char *const ends[][2] = {
        {"source", "target"}, {"src", "dst"}, {"from", "to"}, {"source", "destination"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (is_word(scan->field[0], ends[i][0]) && is_word(scan->field[1], ends[i][1])) return true;
    return false;
}

static bool has_number(const cflri_scan *scan) {
    for (unsigned i = 0; i < scan->n && i < COLUMNS; i++)
        if (cflri_field_is_real(scan->field[i])) return true;
    return false;
}

static void keep_titles(cflri_list_shape *shape, const cflri_scan *scan) {
    for (unsigned i = 0; i < scan->n && i < COLUMNS; i++)
        snprintf(shape->title[i], sizeof shape->title[i], "%.*s", CFLRI_SHOW(scan->field[i]));
}

/* Of the lines behind the first one: are their fields in a column all numbers? */
typedef struct below {
    bool any, number[COLUMNS];
    bool middle; /* each is `number word number`: source, label, target */
} below;

static void look_at_line(below *found, const cflri_scan *scan) {
    found->any = true;
    for (unsigned i = 0; i < COLUMNS; i++)
        found->number[i] = found->number[i] && i < scan->n && cflri_field_is_real(scan->field[i]);
    found->middle = found->middle && scan->n >= COLUMNS && cflri_field_is_digits(scan->field[0]) &&
                    !cflri_field_is_digits(scan->field[1]) && cflri_field_is_digits(scan->field[2]);
}

static bool has_titles(const cflri_scan *first, const below *found) {
    if (first->n < 2 || has_number(first)) return false;
    if (says_ends(first)) return true;
    return found->any &&
           ((found->number[0] && found->number[1]) || (first->n == COLUMNS && found->number[2]));
}

/* Whole lines of the first bytes. */
static cflri_field head_of(cflri_field text) {
    enum { HEAD = 1 << 18 };
    if (text.size <= HEAD) return text;
    const char *end = memrchr(text.at, '\n', HEAD);
    return (cflri_field){text.at, end ? (size_t)(end - text.at) + 1 : HEAD};
}

cflri_list_shape cflri_list_look(cflri_field text, const char *name, bool titles) {
    cflri_field head = head_of(text);
    cflri_list_shape shape = {.separator = separator_of(head, name)};
    below found = {.number = {true, true, true}, .middle = true}, first_line = found;
    cflri_scan scan, first;
    begin(&scan, head, shape.separator, NULL, NULL);
    if (!next_line(&scan)) {
        shape.is_list = scan.at == scan.end;
        return shape;
    }
    first = scan;
    while (next_line(&scan)) look_at_line(&found, &scan);
    shape.columns = first.n;
    shape.titles = titles || has_titles(&first, &found);
    if (shape.titles)
        keep_titles(&shape, &first);
    else
        look_at_line(&first_line, &first);
    bool middle = first_line.middle && found.middle && (found.any || !shape.titles);
    bool weights = shape.titles ? found.number[2] : first_line.number[2];
    shape.is_list = first.n == 2 || (first.n == COLUMNS && weights && !middle);
    return shape;
}

/* ---- edges ---- */

/* One list that is read. */
typedef struct reading {
    cflr_context *context;
    cflri_scan scan;
    cflri_edge_sink *sink;
    cflri_strings *names;
    CFLRI_VEC(char) name; /* without quotes */
    uint64_t *name_at;
    uint64_t asked;     /* for vertices, by a comment */
    uint32_t asking[2]; /* where */
} reading;

static cflr_status add_name(reading *r, cflri_field field, uint32_t *vertex) {
    uint32_t id = 0;
    r->name.n = 0;
    if (!cflri_vec_reserve(r->context, &r->name, field.size + 1))
        return cflri_fail_memory(r->context, r->scan.error);
    if (r->scan.separator)
        field = (cflri_field){r->name.at, cflri_field_unquote(field, r->name.at)};
    cflr_status st = cflri_intern(r->names, field.at, field.size, &id, r->scan.error);
    *vertex = id - 1;
    if (st == CFLR_OK && id > CFLR_MAX_VERTICES)
        st = cflri_scan_fail(&r->scan, CFLR_SYNTAX, field.at, "more than %u names",
                             CFLR_MAX_VERTICES);
    if (st == CFLR_OK && id > r->sink->n_vertices) r->sink->n_vertices = id;
    return st;
}

/* What looks like a number that no vertex has is no name either. */
static cflr_status fail_vertex(const reading *r, unsigned i) {
    return cflri_scan_fail_field(&r->scan, i, "'%.*s': a vertex from 0 to %u, or a name, expected",
                                 CFLRI_SHOW(r->scan.field[i]), CFLR_MAX_VERTICES - 1);
}

static cflr_status read_vertex(reading *r, unsigned i, uint32_t *vertex) {
    cflri_field field = r->scan.field[i];
    uint64_t number = 0;
    if (!field.size) return cflri_scan_fail_field(&r->scan, i, "a vertex is missing");
    if (r->names->context) return add_name(r, field, vertex);
    if (cflri_field_number(field, CFLR_MAX_VERTICES - 1, &number) != CFLRI_NUMBER) {
        if (cflri_field_is_real(field)) return fail_vertex(r, i);
        *r->name_at = r->scan.line;
        return CFLR_SYNTAX;
    }
    *vertex = (uint32_t)number;
    if (number >= r->sink->n_vertices) r->sink->n_vertices = number + 1;
    return CFLR_OK;
}

/* "# vertices N", and "#@ name" for the next vertex. */
static cflr_status read_comment(reading *r) {
    const cflri_field *field = r->scan.field;
    uint64_t number;
    uint32_t vertex;
    if (r->scan.n != 2) return CFLR_OK;
    if (cflri_field_is(field[0], "@") && field[0].at[-1] == '#') {
        if (r->names->context) return add_name(r, field[1], &vertex);
        *r->name_at = r->scan.line;
        return CFLR_SYNTAX;
    }
    if (!cflri_field_is(field[0], "vertices") || !cflri_field_is_digits(field[1])) return CFLR_OK;
    if (cflri_field_number(field[1], CFLR_MAX_VERTICES, &number) != CFLRI_NUMBER)
        return cflri_scan_fail_field(&r->scan, 1, "there can be at most %u vertices",
                                     CFLR_MAX_VERTICES);
    if (number > r->asked) {
        r->asked = number;
        cflri_scan_place(&r->scan, field[1].at, r->asking);
    }
    return CFLR_OK;
}

static cflr_status read_edge(reading *r, unsigned columns) {
    uint32_t source = 0, target = 0;
    cflr_status st = CFLR_OK;
    if (r->scan.n != columns)
        return cflri_scan_fail_field(
            &r->scan, r->scan.n < columns ? r->scan.n : columns, "%s expected",
            columns == 2 ? "source and target" : "source, target and weight");
    CFLR_TRY(cflri_plain_tick(r->context, &r->scan));
    CFLR_TRY(read_vertex(r, 0, &source));
    CFLR_TRY(read_vertex(r, 1, &target));
    st = r->sink->edge(r->sink->user, &r->scan, source, target, columns == COLUMNS ? 2 : 0);
out:
    return st;
}

static cflr_status read_lines(reading *r, const cflri_list_shape *shape) {
    cflr_status st = CFLR_OK;
    cflri_line_kind kind;
    bool titles = shape->titles;
    for (;;) {
        CFLR_TRY(cflri_scan_line(&r->scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        if (kind == CFLRI_LINE_COMMENT) CFLR_TRY(read_comment(r));
        if (is_comment(&r->scan, kind)) continue;
        if (!titles) CFLR_TRY(read_edge(r, shape->columns));
        titles = false;
    }
    bool named = r->names->context;
    if (r->asked <= r->sink->n_vertices) return CFLR_OK;
    if (named)
        return cflri_fail_at(
            r->scan.error, CFLR_SYNTAX, r->scan.subject, r->asking[0], r->asking[1],
            "%llu vertices are asked for, but they have names and only %llu are named",
            (unsigned long long)r->asked, (unsigned long long)r->sink->n_vertices);
    r->sink->n_vertices = r->asked;
out:
    return st;
}

cflr_status cflri_list_read(cflr_context *context, cflri_field text, const cflri_list_shape *shape,
                            const char *subject, cflri_edge_sink *sink, cflri_strings *names,
                            uint64_t *name_at, cflr_error *error) {
    reading r = {.context = context, .sink = sink, .names = names, .name_at = name_at};
    *name_at = 0;
    begin(&r.scan, text, shape->separator, subject, error);
    cflr_status st = read_lines(&r, shape);
    cflri_vec_free(context, &r.name);
    return st;
}
