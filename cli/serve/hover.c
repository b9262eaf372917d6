/* SPDX-License-Identifier: Apache-2.0
 *
 * hover.c: what the pointer under the cursor may point to.
 *
 *     `got` may point to:
 *
 *     - [list.c:17:17](file:///home/me/list.c#L17): text (variable, in main)
 *
 *     no others, if the program keeps to C's aliasing rules
 *
 * The question is that of `cflr query`, and so are the words (ask.c): only the first objects of a
 * long list are shown, but always what says that the list is not all, such as a value that is not
 * followed. What a macro makes several expressions of has an answer for each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/tree.h"
#include "cli/answer/assumption.h"
#include "cli/answer/lost.h"
#include "cli/answer/outside.h"
#include "cli/serve/server.h"

enum {
    MOST_SHOWN = 10,  /* objects */
    MOST_UNKNOWN = 3, /* of each kind that says that there are more */
    MOST_ANSWERS = 4  /* of one column */
};

/* The text of a hover that is written. */
typedef struct hover {
    server *s;
    FILE *file;
    bool markdown;
    uint32_t of;      /* what the answer is about */
    size_t n_objects; /* of the last answer */
} hover;

/* In Markdown, characters that would mean something there are escaped. */
static void print_plain(const hover *h, const char *text) {
    for (; *text; text++) {
        if (h->markdown && strchr("\\`*_[]<>#|~&", *text)) fputc('\\', h->file);
        fputc(*text, h->file);
    }
}

/* What `print` writes, as plain text. */
#define PRINT_PLAIN(h, stream, print)                             \
    do {                                                          \
        char *written = NULL;                                     \
        size_t size;                                              \
        FILE *(stream) = open_memstream(&written, &size);         \
        if (!(stream)) exit(fail_memory());                       \
        print;                                                    \
        if (fclose(stream) != 0 || !written) exit(fail_memory()); \
        print_plain(h, written);                                  \
        free(written);                                            \
    } while (0)

/* The words of print_vertex, in which the place is a link. */
static void print_linked(const hover *h, uint32_t v) {
    cflr_vertex_info info;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    print_vertex(file, h->s->program->graph, v);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    cflr_graph_vertex(h->s->program->graph, v, &info);
    char *behind = info.file[0] ? strstr(text, ": ") : NULL;
    if (behind && h->markdown) {
        const char *real = program_real(h->s->program, info.file);
        document *open = document_of_path(&h->s->documents, real);
        char *uri = uri_of(h->s, real);
        size_t now = open ? document_now(open, info.line - 1) : info.line - 1;
        *behind = '\0';
        fputc('[', h->file);
        print_plain(h, text);
        fprintf(h->file, "](%s#L%zu): ", uri, now == NO_LINE ? (size_t)info.line : now + 1);
        print_plain(h, behind + 2);
        free(uri);
    } else {
        print_plain(h, text);
    }
    free(text);
}

static bool is_kind(const asking *a, uint32_t v, cflr_vertex_kind kind) {
    cflr_vertex_info info;
    cflr_graph_vertex(a->graph, v, &info);
    return info.kind == kind;
}

static void begin_item(const hover *h) {
    fputs(h->markdown ? "- " : "  ", h->file);
}

static void print_object(const hover *h, const asking *a, const listing *l, uint32_t v) {
    begin_item(h);
    print_linked(h, v);
    PRINT_PLAIN(h, to, print_particulars(a, l, v, to));
    fputc('\n', h->file);
}

static void print_unknown(const hover *h, const asking *a, uint32_t lost) {
    begin_item(h);
    fputs("unknown: ", h->file);
    PRINT_PLAIN(h, to, print_lost(to, a->graph, lost));
    fputc('\n', h->file);
}

/* Each line of it is an item. */
static int print_outside_items(const hover *h, const asking *a, const listing *l) {
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    if (!to) return fail_memory();
    int code = print_outside(to, a->result, l->of);
    if (fclose(to) != 0 || !written) return fail_memory();
    for (char *line = strtok(written, "\n"); line; line = strtok(NULL, "\n")) {
        begin_item(h);
        print_plain(h, line);
        fputc('\n', h->file);
    }
    free(written);
    return code;
}

static void print_code(const hover *h, const char *name) {
    bool code = h->markdown && name[0] && !strchr(name, '`');
    if (code)
        fprintf(h->file, "`%s`", name);
    else
        print_plain(h, name[0] ? name : "it");
}

/* What is asked about. */
static void print_asked(const hover *h, const asking *a) {
    cflr_vertex_info info;
    look_at(a->graph, h->of, &info);
    bool returned = info.kind == CFLR_VERTEX_RETURN;
    if (returned) fputs("what ", h->file);
    print_code(h, returned ? info.function : info.name);
    if (returned) fputs(" returns", h->file);
}

/* What a list shows so far. */
typedef struct shown_list {
    size_t left, objects, unknown, lost;
    bool outside;
} shown_list;

/* What says that the list is not all is shown too, behind the first objects. */
static void tell_object(const hover *h, const asking *a, const listing *l, uint32_t v,
                        shown_list *so_far) {
    bool lost = is_kind(a, v, CFLR_VERTEX_LOST), unknown = is_kind(a, v, CFLR_VERTEX_UNKNOWN);
    if (v == a->outside)
        so_far->outside = true;
    else if (lost && so_far->lost++ < MOST_UNKNOWN)
        print_unknown(h, a, v);
    else if (!lost &&
             (so_far->objects++ < MOST_SHOWN || (unknown && so_far->unknown++ < MOST_UNKNOWN)))
        print_object(h, a, l, v);
    else
        so_far->left++;
}

/* Behind the objects: what the list rests on. */
static void tell_rest(const hover *h, asking *a, const listing *l, const cflr_vertex_list *list) {
    const char *condition = assumption_condition(list_rests_on(a, l, list));
    if (condition[0] && list->count) fputs("\nno others", h->file);
    print_plain(h, condition);
    if (condition[0] || !list->count) fputc('\n', h->file);
    if (!cflr_result_complete(a->result))
        fputs("\nthe analysis was stopped early: there may be more\n", h->file);
}

/* A list_told: `user` is the hover. */
static int tell_objects(asking *a, const listing *l, const cflr_vertex_list *list) {
    hover *h = a->user;
    shown_list so_far = {0};
    int code = 0;
    h->n_objects = list->count;
    print_asked(h, a);
    fputs(list->count ? " may point to:\n\n" : " points to nothing", h->file);
    for (size_t i = 0; i < list->count; i++) tell_object(h, a, l, list->vertices[i], &so_far);
    if (so_far.outside) code = print_outside_items(h, a, l);
    if (so_far.left) {
        begin_item(h);
        fprintf(h->file, "and %zu more\n", so_far.left);
    }
    tell_rest(h, a, l, list);
    return code;
}

/* Is it declared at the place that is asked about? */
static bool is_declared(const hover *h, const asked_place *asked, uint32_t v) {
    cflr_vertex_info info;
    cflr_graph_vertex(h->s->program->graph, v, &info);
    return is_variable(&info) && info.line == asked->place.line &&
           info.column == asked->place.column;
}

/* The name of an array or record, where it is declared, is its address. */
static int ask_one(hover *h, const asked_place *asked, const uint32_t *vertex, size_t n) {
    asking *a = &h->s->program->asking;
    pointers of = {{malloc(n * sizeof *vertex), n}, {0}};
    if (!of.places.vertex) exit(fail_memory());
    memcpy(of.places.vertex, vertex, n * sizeof *vertex);
    h->of = vertex[0];
    int code = 0;
    if (is_declared(h, asked, vertex[0]))
        code = find_addressed(a->graph, a->finder, NULL, &of.places, &of.object);
    a->tell = tell_objects;
    a->user = h;
    if (!code) code = ask_list(a, "", "points-to", &of);
    free(of.places.vertex);
    free(of.object.vertex);
    return code;
}

static int print_answers(hover *h, const asked_place *asked, const place_set *found) {
    int code = 0;
    size_t n = 0;
    for (size_t at = 0, end; at < found->n && !code; at = end, n++) {
        end = end_of_thing(h->s->program->graph, found, at);
        if (n >= MOST_ANSWERS) continue;
        if (n) fputc('\n', h->file);
        code = ask_one(h, asked, found->vertex + at, end - at);
    }
    if (n > MOST_ANSWERS)
        fprintf(h->file, "\nand %zu more expressions of this macro\n", n - MOST_ANSWERS);
    return code;
}

/* ---- calls ---- */

/* What a call enters, as far as it is printed. */
typedef struct entered_list {
    const hover *h;
    FILE *file; /* NULL: only counted */
    size_t n;
} entered_list;

static bool take_entered(void *user, uint32_t vertex) {
    entered_list *e = user;
    if (e->file && e->n < MOST_SHOWN) {
        begin_item(e->h);
        print_linked(e->h, vertex);
        fputc('\n', e->file);
    }
    e->n++;
    return true;
}

/* Where a call enters what its value points to, all is said. */
static void print_call(const hover *h, const asked_place *asked, const place_set *found) {
    entering e;
    entered_list counted = {.h = h}, list = {.h = h, .file = h->file};
    uint32_t call;
    if (!program_call(h->s->program, &asked->place, found, &call)) return;
    entering_begin(&e, h->s->program->result);
    entering_look_up(&e, call, take_entered, &counted);
    if (counted.n > 0 && counted.n == h->n_objects) return;
    fputs(counted.n ? "\nthe call may enter:\n\n" : "\nthe call enters no function that is known: ",
          h->file);
    entering_look_up(&e, call, take_entered, &list);
    if (list.n > MOST_SHOWN) fprintf(h->file, "- and %zu more\n", list.n - MOST_SHOWN);
    bool more = e.cause == CAUSE_OUTSIDE || e.cause == CAUSE_UNKNOWN;
    if (list.n && !more) return;
    if (list.n) {
        begin_item(h);
        fputs("or others: ", h->file);
    }
    PRINT_PLAIN(h, to, unresolved_print_cause(e.cause, e.object, e.graph, to));
    fputc('\n', h->file);
}

/* ---- the request ---- */

static json_t *hover_json(const hover *h, server *s, const asked_place *asked, char *text) {
    json_t *object = json_object(), *contents = json_object(), *range = json_object();
    piece line = text_line(&asked->at->now, asked->line);
    encoding in = s->documents.in;
    json_set_text(contents, "kind", h->markdown ? "markdown" : "plaintext");
    json_set_text(contents, "value", text);
    json_set(object, "contents", contents);
    json_set(range, "start",
             position_json(asked->line, bytes_to_units(line, asked->token.begin, in)));
    json_set(range, "end", position_json(asked->line, bytes_to_units(line, asked->token.end, in)));
    json_set(object, "range", range);
    return object;
}

/* A result that is given is not made anew by saving. */
static void print_changed(const hover *h, const asked_place *asked) {
    fprintf(h->file, "cflr: %s has changed since the analysis%s\n",
            asked->at->knows_then ? "this line" : "the file",
            h->s->analysis.given ? "" : ": save to update");
}

/* Of a function that is declared there and returns no pointer. */
static void print_function(const hover *h, const asked_place *asked) {
    cflr_function_info info;
    uint32_t function = program_function(h->s->program, &asked->place);
    if (!function) return;
    cflr_graph_function(h->s->program->graph, function, &info);
    print_code(h, shown(info.name));
    fputs(" is a function: no pointer that it returns is known\n", h->file);
}

/* 0, or the exit code after a message. Nothing is printed where there is nothing to tell. */
static int print_hover(hover *h, asked_place *asked) {
    place_set found = {0};
    if (asked->changed) {
        if (asked->token.is_name) print_changed(h, asked);
        return 0;
    }
    int code = program_find(h->s->program, &asked->place, asked->name, &found);
    if (!code) code = print_answers(h, asked, &found);
    if (!code && found.n) print_call(h, asked, &found);
    if (!code && !found.n) print_function(h, asked);
    if (!code && found.n && !document_is_analysed(asked->at))
        fputs("\nas it was when it was analysed: the text has changed elsewhere\n", h->file);
    free(found.vertex);
    return code;
}

json_t *answer_hover(server *s, const json_t *parameters, refusal *r) {
    asked_place asked;
    char *text = NULL;
    size_t size;
    if (!read_asked_place(s, parameters, &asked, r) || !s->program) return NULL;
    hover h = {.s = s, .file = open_memstream(&text, &size), .markdown = s->client.markdown};
    if (!h.file) exit(fail_memory());
    int code = print_hover(&h, &asked);
    if (fclose(h.file) != 0 || !text) exit(fail_memory());
    json_t *answer = !code && text[0] ? hover_json(&h, s, &asked, text) : NULL;
    if (code) *r = (refusal){RPC_FAILED, "the result cannot be read: see the log"};
    free(text);
    return answer;
}
