/* SPDX-License-Identifier: Apache-2.0
 *
 * decay.c: what the name of an array, record or function means where a pointer is asked for.
 *
 *     char buf[20], *list[4];    struct s rec, *p = &rec;
 *
 *     main::buf       its address, as in C           main::p        what p holds
 *     main::list      its address                    main::list[]   what its elements hold
 *     main            its address
 *     main::rec       its address                    main::rec[]    what lies at its start
 *     main::rec.in    the address of this member, if it is a record or an array
 *     main::rec.in[]  what lies at its start           main::p[]      what lies where p points
 *
 * A place in the source, `list.c:9:buf`, already means the value that the expression has there; but
 * that of a declaration is as the name. A name without place means the variable, which is a vertex
 * of its own: the content. Its address is another vertex, of the same place and called `&buf`;
 * there is none where no expression takes it, and then no pointer holds it.
 *
 * What lies at an address is a vertex only where some expression reads or writes it: brackets lead
 * to it along d, and to all elements that are apart (element.c of the front end) along f and d.
 * Where there is none the question is refused: no vertex does not mean that nothing lies there.
 *
 * Whether a variable is one of these its type tells. In the text of a type the declarator is inside
 * out:
 *
 *     int *[4]    struct s[2]    void (*[4])(int)     arrays: a bracket stands where the name would
 *     int (*)[4]    int *    int (*)(int (*[2])(void))    no arrays
 */
#include <stdlib.h>
#include <string.h>

#include "cli/names/names.h"

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* Behind white space and qualifiers. */
static const char *behind_qualifiers(const char *text) {
    static const char *const words[] = {"const", "volatile", "restrict", "_Atomic"};
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        bool whole = begins_with(text, words[i]) && strchr(" *[)", text[length]);
        if (whole) return behind_qualifiers(text + length);
    }
    return text;
}

/* Where the name would stand in a declaration of this type: in the innermost of the parentheses
 * that begin with a star. */
static const char *place_of_name(const char *type) {
    const char *at = strstr(type, "(*");
    if (!at) return type + strcspn(type, "[");
    while (begins_with(at, "(*")) {
        at++;
        while (*at == '*') at = behind_qualifiers(at + 1);
    }
    return at;
}

static bool is_array(const char *type) {
    return *place_of_name(type) == '[';
}

static bool holds_pointers(const char *array) {
    return memchr(array, '*', (size_t)(place_of_name(array) - array)) != NULL;
}

static bool is_tagged(const char *type) {
    const char *plain = behind_qualifiers(type);
    return begins_with(plain, "struct ") || begins_with(plain, "union ");
}

static bool is_record(const char *type) {
    return is_tagged(type) && !strchr(type, '*') && !is_array(type);
}

/* Is it &r.in of a member that is a record? */
static bool is_record_address(const cflr_vertex_info *info) {
    const char *star = strchr(info->type, '*');
    return info->kind == CFLR_VERTEX_FIELD && is_tagged(info->type) && star && !star[1];
}

/* The end of the name where that is the vertex's own; else NULL. */
static const char *own_name(const char *spec, const cflr_vertex_info *info) {
    size_t length = strlen(spec), own = strlen(info->name);
    const char *name = own <= length ? spec + length - own : NULL;
    bool whole = name && strcmp(name, info->name) == 0 && (name == spec || name[-1] == ':');
    return whole && own ? name : NULL;
}

static bool is_object(const cflr_vertex_info *info) {
    return is_variable(info) || info->kind == CFLR_VERTEX_FUNCTION;
}

/* The content of a member may be called as the member is, which is a record or an array: `r.in` of
 * the struct r. */
static bool is_place(const cflr_vertex_info *info) {
    return is_object(info) || info->kind == CFLR_VERTEX_DEREFERENCE;
}

static bool is_address_of(const cflr_vertex_info *address, const cflr_vertex_info *variable) {
    return address->kind == CFLR_VERTEX_ADDRESS && address->line == variable->line &&
           address->column == variable->column && strcmp(address->file, variable->file) == 0 &&
           strcmp(address->function, variable->function) == 0;
}

/* Leaves the addresses of the variable: one for each context. */
static void keep_addresses(const cflr_graph *graph, const cflr_vertex_info *variable,
                           place_set *set) {
    size_t kept = 0;
    for (size_t i = 0; i < set->n; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, set->vertex[i], &info);
        if (is_address_of(&info, variable)) set->vertex[kept++] = set->vertex[i];
    }
    set->n = kept;
}

/* What is called `name`, as the spec says, is the variable; NULL: by the place of its
 * declaration. */
static int find_addresses(const cflr_graph *graph, cflr_finder *finder, const char *spec,
                          const char *name, const cflr_vertex_info *variable, place_set *set) {
    char *address = NULL;
    int n = name ? asprintf(&address, "%.*s&%s", (int)(name - spec), spec, name)
                 : asprintf(&address, "%s:%u:%u:&%s", variable->file, variable->line,
                            variable->column, variable->name);
    if (n < 0) return fail_memory();
    cflr_error error;
    cflr_status st = look_up(graph, finder, address, set, &error);
    free(address);
    if (st == CFLR_NO_MEMORY) return fail(&error);
    keep_addresses(graph, variable, set);
    return 0;
}

/* Is the spec the place of its declaration, without the name? */
static bool is_declaration(const char *spec, const cflr_vertex_info *info) {
    if (!spec) return true;
    return is_object(info) && names_place(info->file, info->line, info->column, spec) &&
           place_length(spec) == strlen(spec);
}

/* From what lies in a member to the member's address, which is there: contents are found by it. */
static int go_to_addresses(const cflr_graph *graph, place_set *set) {
    size_t kept = 0;
    for (size_t i = 0; i < set->n; i++) {
        uint32_t address = first_edge(graph, "d", NULL, CFLR_IN, set->vertex[i]);
        if (address != CFLR_NO_VERTEX) set->vertex[kept++] = address;
    }
    set->n = kept;
    return 0;
}

static void tell(const char *spec, const cflr_vertex_info *info) {
    const char *type = info->type;
    if (info->kind == CFLR_VERTEX_FUNCTION)
        remark("'%s' is a function: its address is meant", spec);
    else if (is_record(type))
        remark("'%s' is a record: its address is meant", spec);
    else if (holds_pointers(type))
        remark("'%s' is an array: its address is meant, and '%s[]' is what it holds", spec, spec);
}

/* ---- a record that is a member ---- */

/* A record in a record is no vertex, but its address may be one. Finds nothing where the name does
 * not mean that. */
static int find_record_member(const cflr_graph *graph, cflr_finder *finder, const char *spec,
                              place_set *set) {
    const char *colon = strrchr(spec, ':');
    size_t before = colon ? (size_t)(colon + 1 - spec) : 0;
    char *address = NULL;
    *set = (place_set){0};
    if (asprintf(&address, "%.*s&%s", (int)before, spec, spec + before) < 0) return fail_memory();
    cflr_error error;
    cflr_vertex_info info;
    cflr_status st = look_up(graph, finder, address, set, &error);
    free(address);
    if (st == CFLR_NO_MEMORY) return fail(&error);
    if (st == CFLR_OK) cflr_graph_vertex(graph, set->vertex[0], &info);
    if (st != CFLR_OK || !is_record_address(&info)) set->n = 0;
    return 0;
}

/* find_places of a name that may be that of such a record: *member. */
static int find_named(const cflr_graph *graph, cflr_finder *finder, const char *spec,
                      place_set *set, bool *member) {
    cflr_error error;
    cflr_status st = look_up(graph, finder, spec, set, &error);
    *member = false;
    if (st == CFLR_OK) return 0;
    if (st == CFLR_NOT_FOUND) {
        free(set->vertex);
        int code = find_record_member(graph, finder, spec, set);
        *member = !code && set->n > 0;
        if (code || *member) return code;
    }
    free(set->vertex);
    return find_places(graph, finder, spec, (name_place){"", 0, 0}, set);
}

/* ---- what an array holds, or a pointer leads to ---- */

/* Does it hold an address, as the name of a member that is an array does? Else the vertex is itself
 * what lies in an array or record. */
static bool holds_address(const cflr_vertex_info *info) {
    switch (info->kind) {
        case CFLR_VERTEX_ADDRESS:
        case CFLR_VERTEX_FIELD:
        case CFLR_VERTEX_TEMPORARY:
            return true;
        case CFLR_VERTEX_FUNCTION:
            return false;
        default:
            return strchr(info->type, '*') && !is_array(info->type);
    }
}

static int add_vertices(place_set *set, const uint32_t *vertex, size_t n) {
    uint32_t *grown = realloc(set->vertex, (set->n + n + 1) * sizeof *grown);
    if (!grown) return fail_memory();
    set->vertex = grown;
    for (size_t i = 0; i < n; i++) set->vertex[set->n++] = vertex[i];
    return 0;
}

static bool is_array_of_pointers(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return is_object(&info) && is_array(info.type) && holds_pointers(info.type);
}

/* Elements that are apart, but for the first, of the array at this address. */
static int add_elements(const cflr_graph *graph, uint32_t address, place_set *contents) {
    int code = 0;
    for (uint32_t label = 0; label < cflr_graph_labels(graph) && !code; label++) {
        uint64_t n, n_contents;
        if (strcmp(cflr_graph_label_name(graph, label), "f") != 0) continue;
        const uint32_t *at = cflr_graph_row(graph, label, CFLR_OUT, address, &n);
        for (uint64_t i = 0; i < n && !code; i++) {
            const uint32_t *content = edges_of(graph, "d", NULL, CFLR_OUT, at[i], &n_contents);
            code = add_vertices(contents, content, n_contents);
        }
    }
    return code;
}

static int add_contents(const cflr_graph *graph, uint32_t address, place_set *contents) {
    uint64_t n;
    const uint32_t *content = edges_of(graph, "d", NULL, CFLR_OUT, address, &n);
    int code = add_vertices(contents, content, n);
    bool array = n > 0 && is_array_of_pointers(graph, content[0]);
    return array && !code ? add_elements(graph, address, contents) : code;
}

/* To the variable, which is the first element where they are apart. */
static int add_other_elements(const cflr_graph *graph, cflr_finder *finder, place_set *set) {
    place_set addresses = {0};
    cflr_vertex_info array;
    cflr_graph_vertex(graph, set->vertex[0], &array);
    int code = find_addresses(graph, finder, "", NULL, &array, &addresses);
    for (size_t i = 0; i < addresses.n && !code; i++)
        code = add_elements(graph, addresses.vertex[i], set);
    free(addresses.vertex);
    return code;
}

/* `spec` is what was asked for. Content that no expression reads or writes is no vertex, though
 * something may lie there: nothing can be said of it then. */
static int go_to_contents(const cflr_graph *graph, const char *spec, place_set *set) {
    place_set contents = {0};
    int code = 0;
    for (size_t i = 0; i < set->n && !code; i++) {
        size_t before = contents.n;
        code = add_contents(graph, set->vertex[i], &contents);
        if (code || contents.n > before) continue;
        complain(
            "no expression reads or writes a pointer as '%s', so it is not known what it "
            "holds; ask for an expression that does",
            shown(spec));
        code = cflr_status_exit_code(CFLR_NOT_FOUND);
    }
    free(set->vertex);
    *set = contents;
    return code;
}

/* `length` is that of the spec without its brackets. */
static int find_content(const cflr_graph *graph, cflr_finder *finder, const char *spec,
                        size_t length, place_set *set) {
    cflr_vertex_info info;
    bool member;
    char *name = strndup(spec, length);
    if (!name) return fail_memory();
    int code = find_named(graph, finder, name, set, &member);
    if (!code) cflr_graph_vertex(graph, set->vertex[0], &info);
    if (!code && holds_address(&info))
        code = go_to_contents(graph, spec, set);
    else if (!code && is_array_of_pointers(graph, set->vertex[0]))
        code = add_other_elements(graph, finder, set);
    free(name);
    return code;
}

/* ---- names of pointers ---- */

int find_addressed(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                   place_set *object) {
    cflr_vertex_info info;
    *object = (place_set){0};
    cflr_graph_vertex(graph, set->vertex[0], &info);
    bool declared = is_declaration(spec, &info);
    const char *name = is_place(&info) && !declared ? own_name(spec, &info) : NULL;
    bool addressed =
        info.kind == CFLR_VERTEX_FUNCTION || is_array(info.type) || is_record(info.type);
    if (!(name || declared) || !addressed) return 0;
    if (name) tell(spec, &info);
    if (!is_object(&info)) return go_to_addresses(graph, set);
    *object = *set;
    *set = (place_set){0};
    return find_addresses(graph, finder, spec, name, &info, set);
}

int find_pointers(const cflr_graph *graph, cflr_finder *finder, const char *spec, place_set *set,
                  place_set *object) {
    size_t length = strlen(spec);
    *object = (place_set){0};
    if (length > 2 && strcmp(spec + length - 2, "[]") == 0)
        return find_content(graph, finder, spec, length - 2, set);
    bool member;
    int code = find_named(graph, finder, spec, set, &member);
    if (member) remark("'%s' is a record: its address is meant", spec);
    return code || member ? code : find_addressed(graph, finder, spec, set, object);
}
