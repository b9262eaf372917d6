/* SPDX-License-Identifier: Apache-2.0
 *
 * facts_io.c: facts as rows of numbers of 32 bits, little endian.
 *
 *     counts       one for each kind of row, then the bytes of the texts
 *     rows         all nodes, all functions, all calls, ...
 *     texts        back to back, each ended by NUL; zeros up to a whole number
 *
 * The counts fix the size, so that reading compares it once and then takes row after row. Then each
 * row is checked for what linking takes for granted: numbers of nodes, functions, calls and strings
 * exist, bases come before what is derived from them, a function and its object know each other,
 * kinds are kinds.
 *
 * The tables of facts are not written: linking reads rows by number, and building a table takes
 * longer than all the rest.
 *
 * Places of assignments, which are kept for rules only, are rows of their own, and so is the place
 * of each assignment: without rules there are none of both.
 *
 * O(facts) both ways.
 */
#include "frontend/facts/facts_io.h"

#include <string.h>

enum { KINDS = 15, TEXT_BYTES = KINDS, COUNTS };

/* In the order of the counts. */
enum {
    STRINGS,
    NODES,
    FUNCTIONS,
    CALLS,
    ASSIGNS,
    MENTIONS,
    NOTES,
    CHECKS,
    SIGNATURES,
    TURNED,
    LINKS,
    CALLED,
    MEMBERS,
    PLACES,
    ASSIGNED /* places of the assignments: as many as these, or none */
};

/* Numbers in a row. */
static const uint32_t width[KINDS] = {0, 11, 13, 6, 4, 5, 8, 12, 1, 2, 4, 4, 3, 4, 1};

/* A new member goes into the rows, also one that fits in between; a function's `stated` is only for
 * the time when its unit is read, `exported` for programs. */
_Static_assert(sizeof(cflri_node_record) == 48 && sizeof(cflri_function) == 56 &&
                   sizeof(cflri_call) == 24 && sizeof(cflri_assign) == 20 &&
                   sizeof(cflri_facts_mention) == 20 && sizeof(cflri_facts_note) == 32 &&
                   sizeof(cflri_facts_check) == 48 && sizeof(cflri_facts_link) == 16 &&
                   sizeof(cflri_called) == 16 && sizeof(cflri_facts_member) == 12 &&
                   sizeof(cflri_turned) == 8,
               "width and the functions below know all members");

enum {
    SINGLE = 1,
    SMEARED = 2,
    PIECEWISE = 4,
    UNTYPED = 8,
    FOREIGN = 16,
    DEFINED = 32,
    LINKER = 64,
    EXPORTED = 128,
    ANYTHING = 256,
    MOVED = 512,
    STRIDED = 1024,
    FAR = 2048,
    SURE = 4096,
    STRIPPED = 8192,
    UNREAD = 16384,
    WIDENED = 32768,
    ALL_FLAGS = 255 | ANYTHING | MOVED | STRIDED | FAR | SURE | STRIPPED | UNREAD | WIDENED
};
enum { BODY = 1, VARIADIC = 2, EXTERNAL = 4, HIDDEN = 8, ENDS = 16, INVOKED = 32 };

/* ---- writing ---- */

static void put(cflri_numbers *out, uint32_t number) {
    out->at[out->n++] = number;
}

static void put_u64(cflri_numbers *out, uint64_t number) {
    put(out, (uint32_t)number);
    put(out, (uint32_t)(number >> 32));
}

static void put_place(cflri_numbers *out, const cflri_place *place) {
    put(out, place->file);
    put(out, place->line);
    put(out, place->column);
    put(out, place->offset);
}

static void put_node(cflri_numbers *out, const cflri_node_record *node) {
    unsigned flags = (node->single ? SINGLE : 0) | (node->smeared ? SMEARED : 0) |
                     (node->piecewise ? PIECEWISE : 0) | (node->untyped ? UNTYPED : 0) |
                     (node->foreign ? FOREIGN : 0) | (node->defined ? DEFINED : 0) |
                     (node->external ? LINKER : 0) | (node->exported ? EXPORTED : 0) |
                     (node->moved ? MOVED : 0) | (node->strided ? STRIDED : 0) |
                     (node->far ? FAR : 0) | (node->sure ? SURE : 0) |
                     (node->stripped ? STRIPPED : 0) | (node->unread ? UNREAD : 0) |
                     (node->widened ? WIDENED : 0) | (node->anything ? ANYTHING : 0);
    put(out, (uint32_t)node->kind | (uint32_t)node->carrier << 8 | (uint32_t)node->how << 12 |
                 flags << 16);
    put(out, node->base);
    put(out, node->step);
    put(out, node->key);
    put(out, node->function);
    put(out, node->name);
    put(out, node->type);
    put_place(out, &node->place);
}

static void put_function(cflri_numbers *out, const cflri_function *function) {
    put(out, function->key);
    put(out, function->name);
    put(out, function->prototype);
    put(out, function->object);
    put(out, (function->defined ? BODY : 0) | (function->variadic ? VARIADIC : 0) |
                 (function->external ? EXTERNAL : 0) | (function->hidden ? HIDDEN : 0) |
                 (function->ends ? ENDS : 0) | (function->invoked ? INVOKED : 0));
    for (int yes = 0; yes < 2; yes++) put(out, function->shows[yes]);
    put(out, function->n_parameters);
    put(out, function->signature);
    put_place(out, &function->place);
}

static void put_check(cflri_numbers *out, const cflri_facts_check *check) {
    put(out, (uint32_t)check->kind);
    put(out, check->function);
    put(out, check->callee);
    put(out, check->problem);
    put_place(out, &check->place);
    for (int k = 0; k < 2; k++) {
        put(out, check->expression[k]);
        put(out, check->node[k]);
    }
}

static void put_rows(cflri_numbers *out, const cflri_facts *facts) {
    for (size_t i = 0; i < facts->nodes.n; i++) put_node(out, &facts->nodes.at[i]);
    for (size_t i = 0; i < facts->functions.n; i++) put_function(out, &facts->functions.at[i]);
    for (size_t i = 0; i < facts->calls.n; i++) {
        put(out, facts->calls.at[i].caller);
        put(out, facts->calls.at[i].callee);
        put_place(out, &facts->calls.at[i].place);
    }
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        put(out, assign->from);
        put(out, assign->to);
        put(out, assign->call);
        put(out, (uint32_t)assign->flow | (uint32_t)assign->summary << 8 |
                     (uint32_t)assign->data << 9 | (uint32_t)assign->returns << 10 |
                     (uint32_t)assign->unless << 12 | (uint32_t)assign->outcome << 13 |
                     (uint32_t)assign->argument << 14 | (uint32_t)assign->letters << 19 |
                     (uint32_t)assign->marked << 20);
    }
    for (size_t i = 0; i < facts->mentions.n; i++) {
        const cflri_facts_mention *mention = &facts->mentions.at[i];
        put(out, mention->node);
        put(out, mention->file);
        put(out, mention->line);
        put(out, mention->column);
        put(out, mention->name);
    }
    for (size_t i = 0; i < facts->notes.n; i++) {
        put(out, (uint32_t)facts->notes.at[i].kind);
        put(out, facts->notes.at[i].text);
        put_u64(out, facts->notes.at[i].count);
        put_place(out, &facts->notes.at[i].first);
    }
    for (size_t i = 0; i < facts->checks.n; i++) put_check(out, &facts->checks.at[i]);
    for (size_t i = 0; i < facts->signatures.n; i++) put(out, facts->signatures.at[i]);
    for (size_t i = 0; i < facts->turned.n; i++) {
        put(out, facts->turned.at[i].from);
        put(out, facts->turned.at[i].to);
    }
    for (size_t i = 0; i < facts->links.n; i++) {
        put(out, (uint32_t)facts->links.at[i].kind);
        put(out, facts->links.at[i].name);
        put(out, facts->links.at[i].node);
        put(out, facts->links.at[i].alias);
    }
    for (size_t i = 0; i < facts->called.n; i++) {
        put(out, facts->called.at[i].call);
        put(out, facts->called.at[i].value);
        put(out, facts->called.at[i].name);
        put(out, facts->called.at[i].signature);
    }
    for (size_t i = 0; i < facts->members.n; i++) {
        put(out, facts->members.at[i].record);
        put(out, facts->members.at[i].offset);
        put(out, facts->members.at[i].type);
    }
    if (!facts->keeps_places) return;
    for (size_t i = 0; i < facts->places.n; i++) put_place(out, &facts->places.at[i]);
    for (size_t i = 0; i < facts->assigns.n; i++) put(out, facts->assigns.at[i].place);
}

static void put_texts(cflri_numbers *out, const cflri_facts *facts, size_t bytes) {
    char *to = (char *)(out->at + out->n);
    size_t words = (bytes + 3) / 4;
    if (words) out->at[out->n + words - 1] = 0;
    for (size_t i = 0; i < facts->strings.text.n; i++) {
        size_t length = strlen(facts->strings.text.at[i]) + 1;
        memcpy(to, facts->strings.text.at[i], length);
        to += length;
    }
    out->n += words;
}

bool cflri_facts_write(const cflri_facts *facts, cflri_numbers *words) {
    const bool places = facts->keeps_places;
    const size_t count[KINDS] = {[STRINGS] = facts->strings.text.n,
                                 [NODES] = facts->nodes.n,
                                 [FUNCTIONS] = facts->functions.n,
                                 [CALLS] = facts->calls.n,
                                 [ASSIGNS] = facts->assigns.n,
                                 [MENTIONS] = facts->mentions.n,
                                 [NOTES] = facts->notes.n,
                                 [CHECKS] = facts->checks.n,
                                 [SIGNATURES] = facts->signatures.n,
                                 [TURNED] = facts->turned.n,
                                 [LINKS] = facts->links.n,
                                 [CALLED] = facts->called.n,
                                 [MEMBERS] = facts->members.n,
                                 [PLACES] = places ? facts->places.n : 0,
                                 [ASSIGNED] = places ? facts->assigns.n : 0};
    size_t bytes = 0, room = COUNTS;
    for (size_t i = 0; i < count[STRINGS]; i++) bytes += strlen(facts->strings.text.at[i]) + 1;
    for (int k = 0; k < KINDS; k++) {
        if (count[k] > UINT32_MAX) return false;
        room += count[k] * width[k];
    }
    if (bytes > UINT32_MAX || !cflri_vec_reserve(facts->context, words, room + (bytes + 3) / 4))
        return false;
    for (int k = 0; k < KINDS; k++) put(words, (uint32_t)count[k]);
    put(words, (uint32_t)bytes);
    put_rows(words, facts);
    put_texts(words, facts, bytes);
    return true;
}

/* ---- reading ---- */

typedef struct reader {
    cflri_facts *facts;
    const unsigned char *at; /* may lie at any address */
    uint32_t count[KINDS];
    bool good; /* all rows so far */
} reader;

static uint32_t get(reader *r) {
    uint32_t number;
    memcpy(&number, r->at, sizeof number);
    r->at += sizeof number;
    return number;
}

/* A number below the count of its kind. */
static uint32_t get_of(reader *r, int kind) {
    uint32_t number = get(r);
    r->good &= number < r->count[kind];
    return number;
}

static uint64_t get_u64(reader *r) {
    uint64_t low = get(r);
    return low | (uint64_t)get(r) << 32;
}

static cflri_place get_place(reader *r) {
    cflri_place place = {.file = get_of(r, STRINGS)};
    place.line = get(r);
    place.column = get(r);
    place.offset = get(r);
    return place;
}

static cflri_node_record get_node(reader *r, uint32_t number) {
    uint32_t kinds = get(r), flags = kinds >> 16;
    cflri_node_record node = {.kind = (cflr_vertex_kind)(kinds & 0xff),
                              .carrier = (cflri_carrier)(kinds >> 8 & 0xf),
                              .how = (cflri_how)(kinds >> 12 & 0xf),
                              .single = flags & SINGLE,
                              .smeared = flags & SMEARED,
                              .piecewise = flags & PIECEWISE,
                              .untyped = flags & UNTYPED,
                              .foreign = flags & FOREIGN,
                              .defined = flags & DEFINED,
                              .external = flags & LINKER,
                              .exported = flags & EXPORTED,
                              .moved = flags & MOVED,
                              .strided = flags & STRIDED,
                              .far = flags & FAR,
                              .sure = flags & SURE,
                              .stripped = flags & STRIPPED,
                              .unread = flags & UNREAD,
                              .widened = flags & WIDENED,
                              .anything = flags & ANYTHING};
    node.base = get(r);
    node.step = get(r);
    node.key = get_of(r, STRINGS);
    node.function = get_of(r, FUNCTIONS);
    node.name = get_of(r, STRINGS);
    node.type = get_of(r, STRINGS);
    node.place = get_place(r);
    bool root = node.how == CFLRI_ROOT;
    r->good &= cflr_vertex_kind_name(node.kind) != NULL && node.carrier <= CFLRI_CARRIES_OBJECT &&
               node.how <= CFLRI_SLOT && (flags & ~(unsigned)ALL_FLAGS) == 0 &&
               (root ? node.base == CFLRI_NO_NODE && node.key != 0 : node.base < number);
    if (root && node.kind == CFLR_VERTEX_FUNCTION)
        r->good &= node.step > 0 && node.step < r->count[FUNCTIONS];
    if (node.how == CFLRI_SLOT) r->good &= cflri_step_signature(node.step) < r->count[SIGNATURES];
    return node;
}

static cflri_function get_function(reader *r) {
    cflri_function function = {.key = get_of(r, STRINGS)};
    function.name = get_of(r, STRINGS);
    function.prototype = get_of(r, STRINGS);
    function.object = get(r);
    uint32_t flags = get(r);
    function.defined = flags & BODY;
    function.variadic = flags & VARIADIC;
    function.external = flags & EXTERNAL;
    function.hidden = flags & HIDDEN;
    function.ends = flags & ENDS;
    function.invoked = flags & INVOKED;
    for (int yes = 0; yes < 2; yes++) function.shows[yes] = get(r);
    function.n_parameters = get(r);
    function.signature = get(r);
    function.place = get_place(r);
    r->good &= flags < 2 * INVOKED && (function.signature == CFLRI_NO_SIGNATURE ||
                                       function.signature < r->count[SIGNATURES]);
    return function;
}

static cflri_call get_call(reader *r) {
    cflri_call call = {.caller = get_of(r, FUNCTIONS)};
    call.callee = get_of(r, FUNCTIONS);
    call.place = get_place(r);
    return call;
}

/* An assignment that passes an argument or a result of a call, or that a summary states about one,
 * has the call of a named function. */
static cflri_assign get_assign(reader *r) {
    cflri_assign assign = {.from = get_of(r, NODES)};
    assign.to = get_of(r, NODES);
    assign.call = get(r);
    uint32_t how = get(r);
    assign.flow = (cflri_flow)(how & 0xff);
    assign.summary = how >> 8 & 1;
    assign.data = how >> 9 & 1;
    assign.returns = how >> 10 & 1;
    assign.marked = (cflri_marked)(how >> 20 & 7);
    assign.unless = how >> 12 & 1;
    assign.outcome = how >> 13 & 1;
    assign.argument = how >> 14 & 31;
    assign.letters = how >> 19 & 1;
    bool gated = assign.returns || assign.unless;
    r->good &= assign.flow <= CFLRI_FLOW_NONNULL && how >> 23 == 0 && !(how >> 11 & 1) &&
               assign.marked <= CFLRI_MARKED_PASSED_ON;
    r->good &= !gated || (assign.flow == CFLRI_FLOW_ASSIGN && !assign.summary);
    if (assign.call == CFLRI_NO_CALL) {
        r->good &= !assign.summary && !gated;
    } else {
        r->good &= assign.call < r->count[CALLS];
        r->good &= r->good && r->facts->calls.at[assign.call].callee != 0;
    }
    return assign;
}

static cflri_facts_mention get_mention(reader *r) {
    cflri_facts_mention mention = {.node = get_of(r, NODES)};
    mention.file = get_of(r, STRINGS);
    mention.line = get(r);
    mention.column = get(r);
    mention.name = get_of(r, STRINGS);
    return mention;
}

static cflri_facts_note get_note(reader *r) {
    cflri_facts_note note = {.kind = (cflr_note_kind)get(r)};
    note.text = get_of(r, STRINGS);
    note.count = get_u64(r);
    note.first = get_place(r);
    r->good &= note.kind == CFLR_NOTE_ASSUMED && note.text != 0 && note.count > 0;
    return note;
}

static cflri_facts_check get_check(reader *r) {
    cflri_facts_check check = {.kind = (cflr_check_kind)get(r)};
    check.function = get_of(r, FUNCTIONS);
    check.callee = get_of(r, STRINGS);
    check.problem = get_of(r, STRINGS);
    check.place = get_place(r);
    for (int k = 0; k < 2; k++) {
        check.expression[k] = get_of(r, STRINGS);
        check.node[k] = get_of(r, NODES);
    }
    r->good &= check.kind <= CFLR_CHECK_NO_ALIAS;
    return check;
}

static bool is_root(const reader *r, cflri_node node) {
    return r->good && r->facts->nodes.at[node].how == CFLRI_ROOT;
}

/* An alias is of the kind of its target. */
static cflri_facts_link get_link(reader *r) {
    cflri_facts_link link = {.kind = (cflri_link_kind)get(r)};
    link.name = get_of(r, STRINGS);
    link.node = get_of(r, NODES);
    link.alias = get(r);
    bool alias = link.kind == CFLRI_LINK_ALIAS;
    r->good &= link.kind <= CFLRI_LINK_SECTION && link.name != 0;
    r->good &= alias ? link.alias < r->count[NODES] : link.alias == CFLRI_NO_NODE;
    r->good = is_root(r, link.node) && (!alias || is_root(r, link.alias));
    const cflri_node_record *node = r->facts->nodes.at;
    r->good = r->good && (!alias || node[link.alias].kind == node[link.node].kind);
    return link;
}

static cflri_called get_called(reader *r) {
    cflri_called called = {.call = get_of(r, CALLS)};
    called.value = get(r);
    called.name = get_of(r, STRINGS);
    called.signature = get_of(r, SIGNATURES);
    r->good &= called.value == CFLRI_NO_NODE || called.value < r->count[NODES];
    return called;
}

static cflri_turned get_turned(reader *r) {
    cflri_turned turned = {.from = get_of(r, SIGNATURES)};
    turned.to = get_of(r, SIGNATURES);
    return turned;
}

static cflri_facts_member get_member(reader *r) {
    cflri_facts_member member = {.record = get_of(r, STRINGS)};
    member.offset = get(r);
    member.type = get_of(r, STRINGS);
    return member;
}

/* Does every function own its object, and every object of a function belong to one? */
static bool functions_own_objects(const cflri_facts *facts) {
    for (size_t f = 0; f < facts->functions.n; f++) {
        const cflri_function *function = &facts->functions.at[f];
        if (f == 0 && function->object == CFLRI_NO_NODE && !function->defined) continue;
        if (f == 0 || function->object >= facts->nodes.n) return false;
        const cflri_node_record *object = &facts->nodes.at[function->object];
        bool own = object->how == CFLRI_ROOT && object->kind == CFLR_VERTEX_FUNCTION &&
                   object->step == f && object->key == function->key;
        if (!own) return false;
    }
    for (size_t i = 0; i < facts->nodes.n; i++) {
        const cflri_node_record *node = &facts->nodes.at[i];
        bool object = node->how == CFLRI_ROOT && node->kind == CFLR_VERTEX_FUNCTION;
        if (object && facts->functions.at[node->step].object != i) return false;
    }
    return true;
}

/* Fills a vector with the rows of one kind, for which there is room. */
#define GET_ROWS(vector, kind, ...) \
    for (uint32_t i = 0; r->good && i < r->count[kind]; i++) (vector).at[(vector).n++] = __VA_ARGS__

static void get_rows(reader *r) {
    cflri_facts *facts = r->facts;
    GET_ROWS(facts->nodes, NODES, get_node(r, i));
    GET_ROWS(facts->functions, FUNCTIONS, get_function(r));
    GET_ROWS(facts->calls, CALLS, get_call(r));
    GET_ROWS(facts->assigns, ASSIGNS, get_assign(r));
    GET_ROWS(facts->mentions, MENTIONS, get_mention(r));
    GET_ROWS(facts->notes, NOTES, get_note(r));
    GET_ROWS(facts->checks, CHECKS, get_check(r));
    GET_ROWS(facts->signatures, SIGNATURES, get_of(r, STRINGS));
    GET_ROWS(facts->turned, TURNED, get_turned(r));
    GET_ROWS(facts->links, LINKS, get_link(r));
    GET_ROWS(facts->called, CALLED, get_called(r));
    GET_ROWS(facts->members, MEMBERS, get_member(r));
    GET_ROWS(facts->places, PLACES, get_place(r));
    for (uint32_t i = 0; r->good && i < r->count[ASSIGNED]; i++)
        facts->assigns.at[i].place = get_of(r, PLACES);
    facts->keeps_places = r->count[PLACES] > 0;
    r->good = r->good && functions_own_objects(facts);
}

static bool make_room(const reader *r) {
    cflri_facts *facts = r->facts;
    cflr_context *context = facts->context;
    return cflri_vec_reserve(context, &facts->nodes, r->count[NODES]) &&
           cflri_vec_reserve(context, &facts->functions, r->count[FUNCTIONS]) &&
           cflri_vec_reserve(context, &facts->calls, r->count[CALLS]) &&
           cflri_vec_reserve(context, &facts->assigns, r->count[ASSIGNS]) &&
           cflri_vec_reserve(context, &facts->mentions, r->count[MENTIONS]) &&
           cflri_vec_reserve(context, &facts->notes, r->count[NOTES]) &&
           cflri_vec_reserve(context, &facts->checks, r->count[CHECKS]) &&
           cflri_vec_reserve(context, &facts->signatures, r->count[SIGNATURES]) &&
           cflri_vec_reserve(context, &facts->turned, r->count[TURNED]) &&
           cflri_vec_reserve(context, &facts->links, r->count[LINKS]) &&
           cflri_vec_reserve(context, &facts->called, r->count[CALLED]) &&
           cflri_vec_reserve(context, &facts->members, r->count[MEMBERS]) &&
           cflri_vec_reserve(context, &facts->places, r->count[PLACES]);
}

/* Reads the counts, and compares the size that follows from them with the one that is there. */
static bool get_counts(reader *r, size_t size, uint32_t *text_bytes) {
    uint64_t words = COUNTS;
    if (size < COUNTS * sizeof(uint32_t)) return false;
    for (int k = 0; k < KINDS; k++) {
        r->count[k] = get(r);
        words += (uint64_t)r->count[k] * width[k];
    }
    *text_bytes = get(r);
    words += ((uint64_t)*text_bytes + 3) / 4;
    uint32_t assigned = r->count[PLACES] > 0 ? r->count[ASSIGNS] : 0;
    return words * sizeof(uint32_t) == size && r->count[FUNCTIONS] > 0 &&
           r->count[SIGNATURES] > 0 && r->count[ASSIGNED] == assigned;
}

cflr_status cflri_facts_read(cflri_facts *facts, cflr_context *context, cflr_fields fields,
                             const void *data, size_t size, cflr_error *error) {
    cflr_status st = CFLR_OK;
    reader r = {.facts = facts, .at = data, .good = true};
    uint32_t text_bytes = 0;
    *facts = (cflri_facts){.context = context, .chosen.fields = fields};
    if (!get_counts(&r, size, &text_bytes))
        CFLR_TRY(cflri_fail(error, CFLR_FORMAT, NULL, "facts of another size"));
    if (!make_room(&r)) CFLR_TRY(cflri_fail_memory(context, error));
    get_rows(&r);
    if (!r.good) CFLR_TRY(cflri_fail(error, CFLR_FORMAT, NULL, "facts that contradict themselves"));
    st = cflri_strings_list(&facts->strings, context, (const char *)r.at, text_bytes,
                            r.count[STRINGS], error);
out:
    return st;
}
