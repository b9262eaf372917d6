/* SPDX-License-Identifier: Apache-2.0
 *
 * spell.c: expressions as text, so that users can ask for `file.c:42:p->next`.
 *
 * The text is a normal form, not the source: no casts, no macros, no needless parentheses, one way
 * to write each access:
 *
 *     (*p).m, ((T *)p)->m     p->m            (&s)->m      s.m
 *     malloc(n * 4)           malloc()        a[0x10]      a[16]
 *     ((T *)&z)[1]            ((T *)&z)[1]    sizeof (T)   sizeof (T)
 *
 * A cast stays where it says of how many bytes an element is. An expression without other form
 * (sizeof, offsetof and uses of builtins) is as it is written, if that is short. It is cut off
 * where it is long or deep. Written straight into the caller's buffer; O(length).
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontend/walk/walk.h"

enum { MOST_DEEP = 24, MOST_WRITTEN = 48 /* bytes of source */ };

typedef struct speller {
    cflri_walk *w;
    char *text;
    size_t n;
    bool full;
} speller;

static void spell(speller *s, uint32_t e, int depth);

static CXCursor cursor_of(const speller *s, uint32_t e) {
    return cflri_tree_cursor(&s->w->tree, e);
}

static void put(speller *s, const char *text) {
    static const char ellipsis[] = "...";
    size_t length = strlen(text);
    size_t room = CFLRI_SPELLING_SIZE - sizeof ellipsis - s->n;
    if (s->full) return;
    if (length > room) {
        s->full = true;
        memcpy(s->text + s->n, text, room);
        memcpy(s->text + s->n + room, ellipsis, sizeof ellipsis);
        return;
    }
    memcpy(s->text + s->n, text, length + 1);
    s->n += length;
}

static void put_string(speller *s, CXString string) {
    const char *text = cflri_clang_getCString(string);
    put(s, text && *text ? text : "...");
    cflri_clang_disposeString(string);
}

static void put_constant(speller *s, uint32_t e) {
    long long value = 0;
    char text[32] = "...";
    if (cflri_expr_constant(s->w, e, &value)) snprintf(text, sizeof text, "%lld", value);
    put(s, text);
}

/* Operands of operators get parentheses unless they are names or accesses. */
static void spell_operand(speller *s, uint32_t e, int depth) {
    enum CXCursorKind kind = cflri_tree_kind(&s->w->tree, cflri_expr_bare(s->w, e));
    bool compound = kind == CXCursor_BinaryOperator || kind == CXCursor_ConditionalOperator ||
                    kind == CXCursor_CompoundAssignOperator || kind == CXCursor_UnaryOperator;
    if (compound) put(s, "(");
    spell(s, e, depth);
    if (compound) put(s, ")");
}

static enum CXUnaryOperatorKind unary_of(const speller *s, uint32_t e) {
    if (cflri_tree_kind(&s->w->tree, e) != CXCursor_UnaryOperator) return CXUnaryOperator_Invalid;
    return cflri_clang_getCursorUnaryOperatorKind(cursor_of(s, e));
}

/* NULL when libclang does not know the member. */
static cflri_field *field_of(const speller *s, uint32_t e) {
    uint32_t field = cflri_member_field(s->w, e);
    return field == CFLRI_NO_NUMBER ? NULL : &s->w->types.fields.at[field];
}

/* Names of fields and declarations are fetched once. */
static uint32_t field_name(cflri_walk *w, cflri_field *field) {
    if (field->name == 0)
        field->name = cflri_take_string(&w->names, cflri_clang_getCursorSpelling(field->cursor));
    return field->name;
}

/* The step into an anonymous record, which the source does not write. */
static bool is_anonymous_step(speller *s, uint32_t e) {
    if (cflri_tree_kind(&s->w->tree, e) != CXCursor_MemberRefExpr) return false;
    cflri_field *field = field_of(s, e);
    return field && (field->anonymous || field_name(s->w, field) == 0);
}

static void put_member_name(speller *s, uint32_t e) {
    cflri_field *field = field_of(s, e);
    if (field)
        put(s, cflri_string(&s->w->facts->strings, field_name(s->w, field)));
    else
        put_string(s, cflri_clang_getCursorSpelling(cursor_of(s, e)));
}

static void put_name(speller *s, uint32_t e) {
    uint32_t decl = cflri_referenced_decl(s->w, e);
    if (decl == CFLRI_NO_NUMBER)
        put_string(s, cflri_clang_getCursorSpelling(cursor_of(s, e)));
    else
        put(s, cflri_string(&s->w->facts->strings, s->w->names.decls.at[decl].name));
}

static void spell_member(speller *s, uint32_t e, int depth) {
    uint32_t base = cflri_tree_first(&s->w->tree, e);
    if (base == CFLRI_NO_CHILD) {
        put_member_name(s, e);
        return;
    }
    while (is_anonymous_step(s, base)) base = cflri_tree_first(&s->w->tree, base);
    bool arrow = cflri_expr_class(s->w, base) != CFLRI_TYPE_RECORD;
    uint32_t bare = cflri_expr_bare(s->w, base);
    enum CXUnaryOperatorKind kind = unary_of(s, bare);
    if (kind == (arrow ? CXUnaryOperator_AddrOf : CXUnaryOperator_Deref)) {
        arrow = !arrow;
        bare = cflri_tree_first(&s->w->tree, bare);
    }
    spell_operand(s, bare, depth);
    put(s, arrow ? "->" : ".");
    put_member_name(s, e);
}

static void spell_unary(speller *s, uint32_t e, int depth) {
    enum CXUnaryOperatorKind kind = unary_of(s, e);
    uint32_t operand = cflri_tree_first(&s->w->tree, e);
    bool after = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    bool nested = kind == CXUnaryOperator_Deref &&
                  unary_of(s, cflri_expr_bare(s->w, operand)) == CXUnaryOperator_Deref;
    if (!after && kind != CXUnaryOperator_Extension)
        put_string(s, cflri_clang_getUnaryOperatorKindSpelling(kind));
    if (nested)
        spell(s, operand, depth);
    else
        spell_operand(s, operand, depth);
    if (after) put_string(s, cflri_clang_getUnaryOperatorKindSpelling(kind));
}

static void spell_binary(speller *s, uint32_t e, int depth) {
    uint32_t left = cflri_tree_first(&s->w->tree, e);
    spell(s, left, depth);
    put(s, " ");
    put_string(s, cflri_clang_getBinaryOperatorKindSpelling(
                      cflri_clang_getCursorBinaryOperatorKind(cursor_of(s, e))));
    put(s, " ");
    spell_operand(s, cflri_tree_next(&s->w->tree, left), depth);
}

static void spell_conditional(speller *s, uint32_t e, int depth) {
    uint32_t condition = cflri_tree_first(&s->w->tree, e);
    uint32_t then = cflri_tree_next(&s->w->tree, condition);
    spell(s, condition, depth);
    put(s, " ? ");
    spell(s, then, depth);
    put(s, " : ");
    spell(s, cflri_tree_next(&s->w->tree, then), depth);
}

static void spell_compound_literal(speller *s, uint32_t e) {
    put(s, "(");
    put_string(s, cflri_clang_getTypeSpelling(cflri_expr_type(s->w, e)));
    put(s, "){...}");
}

/* The cast that `e` is, under parentheses and implicit conversions; CFLRI_NO_CHILD: it is none. */
static uint32_t cast_of(const speller *s, uint32_t e) {
    const cflri_tree *tree = &s->w->tree;
    for (; cflri_tree_kind(tree, e) != CXCursor_CStyleCastExpr; e = cflri_tree_first(tree, e)) {
        enum CXCursorKind kind = cflri_tree_kind(tree, e);
        bool around = kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr;
        if (!around || cflri_tree_count(tree, e) != 1) return CFLRI_NO_CHILD;
    }
    return e;
}

/* `((T *)&z)[1]` is no element of what is called z. */
static void spell_base(speller *s, uint32_t e, int depth) {
    uint32_t cast = cast_of(s, e);
    if (cast == CFLRI_NO_CHILD || unary_of(s, cflri_expr_bare(s->w, e)) != CXUnaryOperator_AddrOf) {
        spell_operand(s, e, depth);
        return;
    }
    put(s, "((");
    put_string(s, cflri_clang_getTypeSpelling(cflri_expr_type(s->w, cast)));
    put(s, ")");
    spell(s, e, depth);
    put(s, ")");
}

static void spell_subscript(speller *s, uint32_t e, int depth) {
    uint32_t left = cflri_tree_first(&s->w->tree, e);
    uint32_t right = cflri_tree_next(&s->w->tree, left);
    bool swapped = cflri_expr_class(s->w, left) != CFLRI_TYPE_POINTER; /* 1[p] */
    spell_base(s, swapped ? right : left, depth);
    put(s, "[");
    spell(s, swapped ? left : right, depth);
    put(s, "]");
}

/* Where it begins and ends in a file; *end == *begin where the two are not in one. */
static void find_source(const speller *s, uint32_t e, const char **begin, const char **end) {
    CXSourceRange range = cflri_clang_getCursorExtent(cursor_of(s, e));
    CXFile first = NULL, last = NULL;
    unsigned from = 0, to = 0;
    size_t size = 0;
    cflri_clang_getFileLocation(cflri_clang_getRangeStart(range), &first, NULL, NULL, &from);
    cflri_clang_getFileLocation(cflri_clang_getRangeEnd(range), &last, NULL, NULL, &to);
    const char *text = first ? cflri_clang_getFileContents(s->w->unit, first, &size) : NULL;
    bool there = text && first == last && from < to && to <= size;
    *begin = there ? text + from : "";
    *end = there ? text + to : *begin;
}

/* Does the source say what the expression is, and not which macro makes it? */
static bool says_itself(const char *text) {
    static const char *const words[] = {"sizeof",   "_Alignof",   "alignof", "__alignof",
                                        "offsetof", "__builtin_", "_Generic"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0) return true;
    return (*text >= '0' && *text <= '9') || *text == '.';
}

/* As it is written, white space aside, if that is short; else as its number. */
static void spell_written(speller *s, uint32_t e) {
    const char *at, *end;
    char text[MOST_WRITTEN + 1];
    size_t n = 0;
    find_source(s, e, &at, &end);
    if (end - at > MOST_WRITTEN || !says_itself(at)) {
        put_constant(s, e);
        return;
    }
    for (; at < end; at++) {
        bool space = strchr(" \t\r\n", *at) != NULL;
        if (!space || text[n - 1] != ' ') text[n++] = space ? ' ' : *at;
    }
    text[n] = '\0';
    put(s, text);
}

static void spell_kind(speller *s, uint32_t e, int depth) {
    switch (cflri_tree_kind(&s->w->tree, e)) {
        case CXCursor_DeclRefExpr:
            put_name(s, e);
            break;
        case CXCursor_StringLiteral:
            put_string(s, cflri_clang_getCursorSpelling(cursor_of(s, e)));
            break;
        case CXCursor_MemberRefExpr:
            spell_member(s, e, depth);
            break;
        case CXCursor_ArraySubscriptExpr:
            spell_subscript(s, e, depth);
            break;
        case CXCursor_CallExpr:
            spell_operand(s, cflri_tree_first(&s->w->tree, e), depth);
            put(s, "()");
            break;
        case CXCursor_UnaryOperator:
            spell_unary(s, e, depth);
            break;
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator:
            spell_binary(s, e, depth);
            break;
        case CXCursor_ConditionalOperator:
            spell_conditional(s, e, depth);
            break;
        case CXCursor_CompoundLiteralExpr:
            spell_compound_literal(s, e);
            break;
        case CXCursor_StmtExpr:
            put(s, "({...})");
            break;
        case CXCursor_IntegerLiteral:
        case CXCursor_CharacterLiteral:
            put_constant(s, e);
            break;
        case CXCursor_UnaryExpr: /* sizeof and the like */
        case CXCursor_FloatingLiteral:
        case CXCursor_GenericSelectionExpr:
        case CXCursor_UnexposedExpr:
            spell_written(s, e);
            break;
        default:
            put(s, "...");
            break;
    }
}

/* Operators with the number of operands that they need; others did not parse. */
static bool is_whole(const speller *s, uint32_t e) {
    uint32_t n = cflri_tree_count(&s->w->tree, e);
    switch (cflri_tree_kind(&s->w->tree, e)) {
        case CXCursor_CallExpr:
        case CXCursor_UnaryOperator:
            return n >= 1;
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator:
        case CXCursor_ArraySubscriptExpr:
            return n == 2;
        case CXCursor_ConditionalOperator:
            return n == 3;
        default:
            return true;
    }
}

static void spell(speller *s, uint32_t e, int depth) {
    e = cflri_expr_bare(s->w, e);
    if (depth >= MOST_DEEP || !is_whole(s, e))
        put(s, "...");
    else if (!s->full)
        spell_kind(s, e, depth + 1);
}

void cflri_spell(cflri_walk *w, uint32_t e, char buffer[CFLRI_SPELLING_SIZE]) {
    speller s = {.w = w, .text = buffer};
    buffer[0] = '\0';
    spell(&s, e, 0);
}

/* ---- mentions ---- */

void cflri_mention_access(cflri_walk *w, uint32_t e, const cflri_lvalue *place,
                          const cflri_value *value) {
    cflri_type_class class = place->class;
    if (class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_ARRAY || cflri_is_number(w, class))
        cflri_mention(w, e, value);
    else if (class == CFLRI_TYPE_INTEGER)
        cflri_describe(w, e, "", value);
}

void cflri_describe(cflri_walk *w, uint32_t e, const char *prefix, const cflri_value *value) {
    char name[1 + CFLRI_SPELLING_SIZE];
    assert(strlen(prefix) <= 1);
    for (uint32_t i = 0; i < value->n; i++) {
        const cflri_node_record *record = &w->facts->nodes.at[value->at[i]];
        if (record->name || record->how == CFLRI_ROOT || record->how == CFLRI_ADDRESS) continue;
        cflri_place place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e));
        cflri_spell(w, e, stpcpy(name, prefix));
        uint32_t type = *prefix ? 0 : cflri_type_text(&w->names, cflri_expr_type(w, e));
        cflri_facts_describe(w->facts, value->at[i], cflri_facts_string(w->facts, name), type,
                             &place);
    }
}

/* Spells the text before a member of the record at this address: "s.", "p->"; "" when that has no
 * name. */
static void spell_record(const cflri_walk *w, cflri_node address, char text[CFLRI_SPELLING_SIZE]) {
    const cflri_facts *facts = w->facts;
    const cflri_node_record *record = &facts->nodes.at[address];
    bool of_root = record->how == CFLRI_ADDRESS;
    if (of_root) record = &facts->nodes.at[record->base];
    const char *name = cflri_string(&facts->strings, record->name);
    bool of_member = !of_root && *name == '&';
    bool compound = strchr("*(", *name) != NULL;
    const char *format = of_root || of_member ? "%s." : compound ? "(%s)->" : "%s->";
    text[0] = '\0';
    if (*name) snprintf(text, CFLRI_SPELLING_SIZE, format, name + of_member);
}

/* "[k]" at the end of a name, for the address of the k-th element of an array that lies at
 * `offset`; nothing for the first one, which is where the array is. */
static void put_index(const cflri_walk *w, cflri_elements elements, cflri_node address,
                      uint32_t offset, char *end) {
    enum { INDEX_BYTES = 16 };
    uint32_t within = w->facts->nodes.at[address].step - offset;
    if (elements.n > 1 && within > 0)
        snprintf(end, INDEX_BYTES, "[%" PRIu32 "]", within / elements.size);
}

void cflri_describe_field(cflri_walk *w, cflri_node record, uint32_t field, cflri_node address) {
    if (address == CFLRI_NO_NODE || w->facts->nodes.at[address].name) return;
    if (w->facts->nodes.at[address].how != CFLRI_FIELD) return;
    char base[CFLRI_SPELLING_SIZE];
    char name[2 * CFLRI_SPELLING_SIZE];
    spell_record(w, record, base);
    uint32_t member = field_name(w, &w->types.fields.at[field]);
    if (!*base || member == 0) return;
    int n =
        snprintf(name, sizeof name, "&%s%.100s", base, cflri_string(&w->facts->strings, member));
    const cflri_field array = w->types.fields.at[field];
    put_index(w, cflri_field_elements(&w->types, &array), address, array.offset, name + n);
    cflri_facts_describe(w->facts, address, cflri_facts_string(w->facts, name), 0, NULL);
}

void cflri_describe_element(cflri_walk *w, const cflri_array *array, cflri_node record,
                            cflri_node address) {
    char name[2 * CFLRI_SPELLING_SIZE];
    const cflri_node_record *variable = &w->facts->nodes.at[record];
    if (array->field != CFLRI_NO_NUMBER) {
        cflri_describe_field(w, record, array->field, address);
        return;
    }
    if (w->facts->nodes.at[address].name || variable->how != CFLRI_ADDRESS) return;
    uint32_t text = w->facts->nodes.at[variable->base].name;
    int n = snprintf(name, sizeof name, "&%.100s", cflri_string(&w->facts->strings, text));
    put_index(w, array->elements, address, 0, name + n);
    cflri_facts_describe(w->facts, address, cflri_facts_string(w->facts, name), 0, NULL);
}

/* Was it just mentioned? Remembers it. */
static bool repeated(cflri_walk *w, const cflri_mention_key *key) {
    uint32_t hash = ((key->node * 31 + key->line) * 31 + key->column) * 31 + key->name;
    cflri_mention_key *slot = &w->recent[hash % CFLRI_RECENT_MENTIONS];
    bool same = slot->node == key->node && slot->line == key->line && slot->column == key->column &&
                slot->name == key->name;
    *slot = *key;
    return same;
}

/* Most mentions are plain names, which the declaration knows. */
static uint32_t spelling_of(cflri_walk *w, uint32_t e) {
    char text[CFLRI_SPELLING_SIZE];
    if (cflri_tree_kind(&w->tree, e) == CXCursor_DeclRefExpr) {
        uint32_t decl = cflri_referenced_decl(w, e);
        if (decl != CFLRI_NO_NUMBER) return w->names.decls.at[decl].name;
    }
    cflri_spell(w, e, text);
    return cflri_facts_string(w->facts, text);
}

/* Where an expression's own token is: what it ends with, of those that begin with another one. */
static cflri_place token_place(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    bool behind = kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_CallExpr;
    CXCursor cursor = cflri_tree_cursor(&w->tree, e);
    return behind ? cflri_last_token_place(&w->names, cursor)
                  : cflri_token_place(&w->names, cursor);
}

/* The content of an element is named after it, whatever expression means it; 0: it is in none. */
static uint32_t element_name(cflri_walk *w, const cflri_node_record *content) {
    const cflri_node_record *address = &w->facts->nodes.at[content->base];
    const char *name = cflri_string(&w->facts->strings, address->name);
    bool element = address->how == CFLRI_FIELD && *name == '&' && name[strlen(name) - 1] == ']';
    return element ? cflri_facts_string(w->facts, name + 1) : 0;
}

/* Mentions a node at a place unless that was just done. */
static void mention_at(cflri_walk *w, cflri_node node, const cflri_place *at, uint32_t name) {
    const cflri_mention_key key = {node, at->line, at->column, name};
    if (!repeated(w, &key)) cflri_facts_mention_at(w->facts, node, at, name);
}

void cflri_mention(cflri_walk *w, uint32_t e, const cflri_value *value) {
    if (value->n == 0 || w->facts->status != CFLR_OK) return;
    cflri_facts *facts = w->facts;
    e = cflri_expr_unwrapped(w, e);
    uint32_t name = spelling_of(w, e);
    const cflri_place token = token_place(w, e);
    for (uint32_t i = 0; i < value->n; i++) {
        const cflri_node_record *record = &facts->nodes.at[value->at[i]];
        if (!record->name && record->how == CFLRI_DEREF) {
            uint32_t type = cflri_type_text(&w->names, cflri_expr_type(w, e));
            uint32_t own = element_name(w, record);
            const cflri_place place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e));
            cflri_facts_describe(facts, value->at[i], own ? own : name, type, &place);
        }
        mention_at(w, value->at[i], &token, name);
    }
}

void cflri_mention_begin(cflri_walk *w, uint32_t e, const cflri_value *value) {
    e = cflri_expr_unwrapped(w, e);
    const cflri_place begin = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e));
    for (uint32_t i = 0; i < value->n && w->facts->status == CFLR_OK; i++)
        if (w->facts->nodes.at[value->at[i]].how == CFLRI_DEREF)
            mention_at(w, value->at[i], &begin, spelling_of(w, e));
}
