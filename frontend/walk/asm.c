/* SPDX-License-Identifier: Apache-2.0
 *
 * asm.c: inline assembly.
 *
 * What the instructions do is unknown; what they may touch is written in constraints and clobbers:
 *
 *     asm("mov %1,%0" : "=r"(q) : "r"(p))              registers: q gets p, or what p points to
 *     asm("lea %1,%0" : "=r"(q) : "m"(y))              memory operand: its address may flow too
 *     asm("mov %0,(%1)" : : "r"(p), "r"(&q) : "memory")    all that operands point to may change
 *
 * libclang (before 21) shows the operands, outputs first, but not their constraints, so these are
 * read from the tokens. Where all is known and no memory but that of scalar operands is touched,
 * each output gets every operand and what it points to. In all other cases (a "memory" clobber, a
 * record as operand, tokens that come out of a macro) the statement is an unknown object, as a
 * function without body is: it gets all values, and the addresses of operands in memory that are no
 * integers; and it holds, reaches and returns what it got.
 *
 * libclang does not show labels either: `asm goto` is one that has the word behind asm, and where
 * the tokens come out of a macro any may be one (control.c).
 */
#include <string.h>

#include "frontend/walk/walk.h"

enum { MOST_OPERANDS = 32 }; /* compilers take 30 */

/* The strings of the statement. */
typedef struct asm_text {
    bool readable; /* all of the rest is known */
    bool clobbers; /* memory */
    uint32_t n_outputs;
    uint32_t n;
    bool in_memory[MOST_OPERANDS];
    bool read[MOST_OPERANDS];
} asm_text;

/* Where the reading of tokens is. */
typedef struct asm_reader {
    asm_text *text;
    uint32_t depth;   /* of parentheses */
    uint32_t section; /* 0 template, 1 outputs, 2 inputs, 3 clobbers, 4 labels */
    bool named;       /* inside [name] */
    bool memory;      /* the constraint of the next operand allows memory */
    bool write_only;  /* it begins with = */
} asm_reader;

typedef struct operand {
    bool read;
    bool written;
    bool in_memory;
    bool pointer;       /* its value is one */
    cflri_lvalue place; /* of what is an lvalue */
    cflri_value value;  /* of what is none */
    bool is_place;
} operand;

/* ---- constraints ---- */

static void open_parenthesis(asm_reader *r) {
    asm_text *text = r->text;
    bool is_operand = r->depth == 1 && (r->section == 1 || r->section == 2);
    r->depth++;
    if (!is_operand) return;
    if (text->n == MOST_OPERANDS) {
        text->readable = false;
        return;
    }
    text->read[text->n] = !r->write_only;
    text->in_memory[text->n++] = r->memory;
    text->n_outputs += r->section == 1;
    r->memory = r->write_only = false;
}

/* Letters that some target uses for memory; registers of another target among them do no harm. */
static void read_string(asm_reader *r, const char *spelling) {
    if (r->section == 3) {
        r->text->clobbers |= strcmp(spelling, "\"memory\"") == 0;
    } else if (r->section != 0) {
        r->memory |= strpbrk(spelling, "mogVXpQRTUYZ<>") != NULL;
        r->write_only |= spelling[1] == '=';
    }
}

static void read_token(asm_reader *r, const char *spelling) {
    if (strcmp(spelling, "(") == 0) {
        open_parenthesis(r);
    } else if (strcmp(spelling, ")") == 0) {
        r->depth -= r->depth > 0;
    } else if (r->depth != 1) {
        return;
    } else if (strcmp(spelling, "[") == 0 || strcmp(spelling, "]") == 0) {
        r->named = spelling[0] == '[';
    } else if (spelling[0] == ':') {
        r->section += spelling[1] == ':' ? 2 : 1;
    } else if (spelling[0] == '"') {
        read_string(r, spelling);
    } else if (spelling[0] != ',' && !r->named && r->section >= 1 && r->section <= 3) {
        r->text->readable = false; /* a macro among constraints or clobbers */
    }
}

static bool begins_assembly(const char *spelling) {
    return strcmp(spelling, "asm") == 0 || strcmp(spelling, "__asm") == 0 ||
           strcmp(spelling, "__asm__") == 0;
}

static asm_text read_constraints(cflri_walk *w, uint32_t statement) {
    CXCursor cursor = cflri_tree_cursor(&w->tree, statement);
    asm_text text = {.readable = cursor.kind == CXCursor_GCCAsmStmt};
    asm_reader reader = {.text = &text};
    CXToken *tokens = NULL;
    unsigned n = 0;
    cflri_clang_tokenize(w->unit, cflri_clang_getCursorExtent(cursor), &tokens, &n);
    for (unsigned i = 0; i < n && text.readable; i++) {
        CXString string = cflri_clang_getTokenSpelling(w->unit, tokens[i]);
        const char *spelling = cflri_clang_getCString(string);
        if (i == 0) text.readable = begins_assembly(spelling);
        if (cflri_clang_getTokenKind(tokens[i]) != CXToken_Comment) read_token(&reader, spelling);
        cflri_clang_disposeString(string);
    }
    if (n == 0) text.readable = false;
    cflri_clang_disposeTokens(w->unit, tokens, n);
    return text;
}

bool cflri_asm_may_jump(cflri_walk *w, uint32_t statement) {
    CXCursor cursor = cflri_tree_cursor(&w->tree, statement);
    bool jumps = false, head = true;
    CXToken *tokens = NULL;
    unsigned n = 0;
    cflri_clang_tokenize(w->unit, cflri_clang_getCursorExtent(cursor), &tokens, &n);
    for (unsigned i = 0; i < n && head && !jumps; i++) {
        CXString string = cflri_clang_getTokenSpelling(w->unit, tokens[i]);
        const char *spelling = cflri_clang_getCString(string);
        jumps = i == 0 ? !begins_assembly(spelling) : strcmp(spelling, "goto") == 0;
        head = strcmp(spelling, "(") != 0;
        cflri_clang_disposeString(string);
    }
    cflri_clang_disposeTokens(w->unit, tokens, n);
    return jumps || n == 0 || cursor.kind != CXCursor_GCCAsmStmt;
}

/* ---- operands ---- */

/* A read operand is under an implicit conversion; what is not has an address. */
static bool is_place(const cflri_walk *w, uint32_t e) {
    e = cflri_expr_unwrapped(w, e);
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            return true;
        case CXCursor_UnaryOperator:
            return cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                   CXUnaryOperator_Deref;
        default:
            return false;
    }
}

static bool is_operand(const cflri_walk *w, uint32_t child) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, child);
    return cflri_is_expression(kind) && kind != CXCursor_AddrLabelExpr;
}

/* The operand's value or place, asked for once. */
static operand ask(cflri_walk *w, uint32_t e) {
    operand made = {.is_place = is_place(w, e),
                    .read = true,
                    .written = true,
                    .in_memory = true,
                    .pointer = cflri_expr_class(w, e) == CFLRI_TYPE_POINTER};
    if (made.is_place)
        made.place = cflri_expr_place(w, e);
    else
        made.value = cflri_expr_value(w, e);
    return made;
}

static bool is_scalar(const cflri_lvalue *place) {
    return place->class == CFLRI_TYPE_POINTER || place->class == CFLRI_TYPE_INTEGER;
}

static bool is_split(const operand *o) {
    return o->is_place && !is_scalar(&o->place) && o->place.class != CFLRI_TYPE_NONE &&
           o->place.class != CFLRI_TYPE_NUMBER;
}

static uint32_t count_operands(cflri_walk *w, uint32_t statement, bool *carries) {
    uint32_t n = 0;
    *carries = false;
    for (uint32_t c = cflri_tree_first(&w->tree, statement); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (!is_operand(w, c)) continue;
        *carries |= cflri_type_may_point(&w->types, cflri_expr_plain(w, c)) ||
                    cflri_expr_class(w, c) == CFLRI_TYPE_POINTER;
        n++;
    }
    return n;
}

/* ---- flows ---- */

/* The values that one operand gives: its value, what that points to, and its address if it may be
 * in memory. */
static cflri_value given(cflri_walk *w, uint32_t statement, const operand *o) {
    cflri_value all = o->value;
    if (o->is_place && o->read && is_scalar(&o->place)) all = cflri_place_content(w, &o->place);
    if (o->pointer) {
        const cflri_value content = cflri_content_of(w, &all, CFLRI_CARRIES_POINTER);
        all = cflri_join(w, statement, &all, &content);
    }
    if (o->is_place && o->in_memory) {
        const cflri_value address = cflri_place_address(w, &o->place);
        all = cflri_join(w, statement, &all, &address);
    }
    return all;
}

static void flow_to_outputs(cflri_walk *w, uint32_t statement, const operand *operands,
                            uint32_t n) {
    cflri_value sources = cflri_no_value();
    for (uint32_t i = 0; i < n; i++) {
        const cflri_value part = given(w, statement, &operands[i]);
        sources = cflri_join(w, statement, &sources, &part);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!operands[i].written || !is_scalar(&operands[i].place)) continue;
        const cflri_value contents = cflri_place_content(w, &operands[i].place);
        for (uint32_t k = 0; k < contents.n; k++)
            cflri_flow_value(w, &cflri_plain_flow, &sources, contents.at[k]);
    }
}

/* An integer in memory is an operand as one in a register is: the atomic counter of a lock, of
 * which no instruction asks what lies beside it. */
static bool goes_by_value(const operand *o) {
    return is_scalar(&o->place) && (!o->in_memory || o->place.class == CFLRI_TYPE_INTEGER);
}

/* The unknown object holds addresses, so it reads and writes what they are the addresses of. */
static void meet(cflri_walk *w, const operand *o, cflri_node unknown) {
    cflri_value in = o->value;
    if (o->is_place && goes_by_value(o)) {
        in = cflri_place_content(w, &o->place);
        const cflri_value back = cflri_one_value(unknown);
        for (uint32_t i = 0; i < in.n && o->written; i++)
            cflri_flow_value(w, &cflri_plain_flow, &back, in.at[i]);
    } else if (o->is_place && (o->in_memory || is_split(o))) {
        in = cflri_place_address(w, &o->place);
    }
    cflri_flow_value(w, &cflri_plain_flow, &in, unknown);
}

static cflri_node unknown_object(cflri_walk *w, uint32_t statement) {
    const cflri_node_record record = {.kind = CFLR_VERTEX_UNKNOWN,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(w->facts, "asm")};
    return cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, statement), "!asm", &record);
}

/* ---- the statement ---- */

/* Asks for all operands of a text that could be read. True when they can be told one by one. */
static bool ask_all(cflri_walk *w, uint32_t statement, const asm_text *text, operand *operands) {
    uint32_t i = 0;
    bool plain = !text->clobbers;
    for (uint32_t c = cflri_tree_first(&w->tree, statement); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (!is_operand(w, c)) continue;
        operand *o = &operands[i];
        *o = ask(w, c);
        o->written = o->is_place && i < text->n_outputs;
        o->read = text->read[i];
        o->in_memory = text->in_memory[i++];
        plain &= !is_split(o);
    }
    return plain;
}

static void unreadable(cflri_walk *w, uint32_t statement) {
    cflri_node unknown = unknown_object(w, statement);
    for (uint32_t c = cflri_tree_first(&w->tree, statement); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (!is_operand(w, c)) continue;
        const operand o = ask(w, c);
        meet(w, &o, unknown);
    }
}

void cflri_asm_stmt(cflri_walk *w, uint32_t statement) {
    bool carries;
    uint32_t n = count_operands(w, statement, &carries);
    const asm_text text = read_constraints(w, statement);
    if (!carries) {
        cflri_assumed(w, statement, "inline assembly: does nothing to other memory");
        cflri_expr_effects_within(w, statement);
        return;
    }
    if (!text.readable || text.n != n) {
        cflri_assumed(w, statement, "inline assembly: its operands are one unknown object");
        unreadable(w, statement);
        return;
    }
    operand operands[MOST_OPERANDS];
    if (ask_all(w, statement, &text, operands)) {
        cflri_assumed(w, statement, "inline assembly: operands flow to all outputs");
        flow_to_outputs(w, statement, operands, n);
        return;
    }
    cflri_assumed(w, statement, "inline assembly: its operands are one unknown object");
    cflri_node unknown = unknown_object(w, statement);
    for (uint32_t i = 0; i < n; i++) meet(w, &operands[i], unknown);
}
