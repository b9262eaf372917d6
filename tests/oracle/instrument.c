/* SPDX-License-Identifier: Apache-2.0
 *
 * instrument.c: C source that tells, when it runs, what its pointers point to.
 *
 *     instrument SOURCE OUTPUT SITES [CLANG FLAGS...]
 *
 * SOURCE is preprocessed, so that each expression has a place of its own. OUTPUT is the same
 * program with calls of observe.c around what is looked at:
 *
 *     *E         *see(site, E, 0)               the value of E is an address in the object
 *     E->m       see(site, E, offset of m)->m   so is that plus the offset
 *     E[i]       see_at(site, E, i, size)[0]    the effective address; E itself may lie outside
 *     E(...)     called(site, E)(...)           a function
 *     malloc(n)  claim(site, malloc(n))         a call of a function that is not defined here: the
 *                                               block that it returns, if it is a new one, comes
 *                                               from this place
 *
 * and with statements that register variables where they come to be, functions and globals before
 * main. Only what is evaluated is touched: not operands of sizeof, not initialisers of static
 * variables.
 *
 * SITES names SOURCE in its first line and has a line for each number then:
 *
 *     site LINE:COLUMN ...     the expressions, one of which E's value comes from: E without
 *                              parentheses, casts, sums and conditionals around them; the column is
 *                              that of the expression's own token (include/cflr/graph.h)
 *     moved LINE:COLUMN ...    the same, but E lies so many bytes further, perhaps in another
 *                              member
 *     object KIND LINE:COLUMN NAME      KIND is variable, function, heap or literal
 *
 * OUTPUT is compiled with -include observe.h. This reads libclang on its own: nothing is shared
 * with frontend/, which is what is on trial.
 */
#include <clang-c/Index.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEAVES = 8, MOST_CHILDREN = 8 };

typedef struct range {
    unsigned begin, end;
} range;

/* text replaces [at.begin, at.end); an insertion is an empty range. */
typedef struct edit {
    range at;
    bool closes; /* what ends at a place comes before what begins there, the innermost first */
    unsigned order;
    char *text;
} edit;

typedef struct instrumenter {
    CXTranslationUnit unit;
    CXFile file;
    char *text;
    size_t size;
    edit *edits;
    unsigned n_edits, edits_capacity;
    FILE *sites;
    unsigned n_sites;
    char *registering; /* statements of the constructor */
    size_t registering_size;
    FILE *constructor;
    unsigned *taken; /* offsets of declarations whose address is taken */
    unsigned n_taken, taken_capacity;
    char **known; /* functions of the outside that are registered */
    unsigned n_known, known_capacity;
    CXCursor callee; /* of the call that was seen last */
} instrumenter;

static void fail(const char *what) {
    fprintf(stderr, "instrument: %s\n", what);
    exit(2);
}

static void *grown(void *at, unsigned n, unsigned *capacity, size_t size) {
    if (n < *capacity) return at;
    *capacity = 2 * *capacity + 64;
    at = realloc(at, *capacity * size);
    if (!at) fail("out of memory");
    return at;
}

__attribute__((format(printf, 1, 2))) static char *formatted(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) fail("out of memory");
    va_end(arguments);
    return text;
}

/* ---- cursors ---- */

typedef struct children {
    unsigned n; /* all; `at` has the first and the last of them */
    CXCursor at[MOST_CHILDREN];
    CXCursor last;
} children;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
    children *all = data;
    (void)parent;
    if (all->n < MOST_CHILDREN) all->at[all->n] = cursor;
    all->last = cursor;
    all->n++;
    return CXChildVisit_Continue;
}

static children children_of(CXCursor cursor) {
    children all = {0};
    clang_visitChildren(cursor, collect, &all);
    return all;
}

static unsigned offset_of(CXSourceLocation location) {
    unsigned offset;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

static range range_of(CXCursor cursor) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    return (range){offset_of(clang_getRangeStart(extent)), offset_of(clang_getRangeEnd(extent))};
}

static unsigned place_of(CXCursor cursor) {
    return offset_of(clang_getCursorLocation(cursor));
}

static CXType type_of(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

static bool is_pointer(CXCursor e) {
    return type_of(e).kind == CXType_Pointer;
}

static bool is_function_type(CXType type) {
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static bool is_array_type(CXType type) {
    return type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray ||
           type.kind == CXType_IncompleteArray;
}

static bool is_va_list(CXType type) {
    CXString name = clang_getTypeSpelling(clang_getCanonicalType(type));
    bool is = strstr(clang_getCString(name), "__va_list_tag") != NULL;
    clang_disposeString(name);
    return is;
}

/* Is it one of the parameters, which are pointers whatever their type is said to be? */
static bool is_parameter(CXCursor e) {
    return clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_ParmDecl;
}

/* Without parentheses and implicit conversions. */
static CXCursor bare(CXCursor e) {
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(e);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) return e;
        children inner = children_of(e);
        if (inner.n != 1 || !clang_isExpression(clang_getCursorKind(inner.at[0]))) return e;
        if (is_va_list(clang_getCursorType(inner.at[0])) && !is_va_list(clang_getCursorType(e)))
            return e; /* va_arg */
        e = inner.at[0];
    }
}

/* Does an array or a function become a pointer here? Its object needs no observation. */
static bool decays(CXCursor e) {
    CXCursor inner = bare(e);
    if (is_parameter(inner) && clang_getCursorKind(inner) == CXCursor_DeclRefExpr) return false;
    CXType type = type_of(inner);
    return is_array_type(type) || is_function_type(type);
}

/* `a ?: b` shows a three times. */
static bool is_elvis(const children *parts) {
    return parts->n == 4 && clang_equalCursors(parts->at[0], parts->at[1]);
}

/* ---- edits ---- */

/* These take the text over. */
static void replace(instrumenter *in, range at, bool closes, char *text) {
    in->edits = grown(in->edits, in->n_edits, &in->edits_capacity, sizeof *in->edits);
    in->edits[in->n_edits] = (edit){at, closes, in->n_edits, text};
    in->n_edits++;
}

static void insert(instrumenter *in, unsigned at, bool closes, char *text) {
    replace(in, (range){at, at}, closes, text);
}

static void surround(instrumenter *in, range at, char *open, char *close) {
    insert(in, at.begin, false, open);
    insert(in, at.end, true, close);
}

/* What the source says there. */
static char *source_text(const instrumenter *in, range at) {
    return formatted("%.*s", (int)(at.end - at.begin), in->text + at.begin);
}

static int compare_edits(const void *left, const void *right) {
    const edit *a = left, *b = right;
    if (a->at.begin != b->at.begin) return a->at.begin < b->at.begin ? -1 : 1;
    if (a->closes != b->closes) return a->closes ? -1 : 1;
    bool first = a->order < b->order;
    return (a->closes ? !first : first) ? -1 : 1;
}

static void write_edited(instrumenter *in, FILE *out) {
    unsigned at = 0;
    qsort(in->edits, in->n_edits, sizeof *in->edits, compare_edits);
    for (unsigned i = 0; i < in->n_edits; i++) {
        const edit *e = &in->edits[i];
        if (e->at.begin < at) fail("edits overlap");
        fwrite(in->text + at, 1, e->at.begin - at, out);
        fputs(e->text, out);
        at = e->at.end;
    }
    fwrite(in->text + at, 1, in->size - at, out);
}

/* ---- sites ---- */

static void write_place(instrumenter *in, unsigned offset) {
    unsigned line, column;
    CXSourceLocation location = clang_getLocationForOffset(in->unit, in->file, offset);
    clang_getFileLocation(location, NULL, &line, &column, NULL);
    fprintf(in->sites, " %u:%u", line, column);
}

static unsigned object_site(instrumenter *in, const char *kind, unsigned offset, const char *name) {
    fprintf(in->sites, "object %s", kind);
    write_place(in, offset);
    fprintf(in->sites, " %s\n", *name ? name : "?");
    return in->n_sites++;
}

typedef struct leaves {
    unsigned n;
    unsigned at[MOST_LEAVES];
    bool unknown; /* the value may come from what has no place of its own */
    bool moved;   /* by a number of bytes */
} leaves;

static void add_leaf(leaves *found, unsigned offset) {
    if (found->n == MOST_LEAVES)
        found->unknown = true;
    else
        found->at[found->n++] = offset;
}

/* Does it point to bytes, so that a sum with it may leave the member that it is in? (A difference
 * may lead to a header in front of what it points to.) */
static bool is_bytes(CXCursor pointer) {
    CXType pointee = clang_getPointeeType(type_of(pointer));
    return pointee.kind == CXType_Void || clang_Type_getSizeOf(pointee) == 1;
}

static void find_leaves(CXCursor e, leaves *found);

static void find_binary_leaves(CXCursor e, leaves *found) {
    children both = children_of(e);
    if (both.n != 2) {
        found->unknown = true;
        return;
    }
    switch (clang_getCursorBinaryOperatorKind(e)) {
        case CXBinaryOperator_Comma:
            find_leaves(both.at[1], found);
            break;
        case CXBinaryOperator_Add:
        case CXBinaryOperator_Sub:
            if (!is_pointer(both.at[0]) && !is_pointer(both.at[1])) {
                found->unknown = true;
                break;
            }
            found->moved |=
                is_bytes(e) || clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_Sub;
            find_leaves(is_pointer(both.at[0]) ? both.at[0] : both.at[1], found);
            break;
        default: /* assignments */
            find_leaves(both.at[0], found);
            break;
    }
}

static void find_unary_leaves(CXCursor e, leaves *found) {
    CXCursor operand = children_of(e).last;
    switch (clang_getCursorUnaryOperatorKind(e)) {
        case CXUnaryOperator_AddrOf:
            if (decays(operand)) /* a function, or a whole array */
                found->unknown = true;
            else
                add_leaf(found, place_of(e));
            break;
        case CXUnaryOperator_Deref:
            add_leaf(found, place_of(e));
            break;
        default:
            find_leaves(operand, found);
            break;
    }
}

static void find_unnamed_leaves(CXCursor e, leaves *found) {
    children parts = children_of(e);
    if (is_elvis(&parts)) {
        find_leaves(parts.at[0], found);
        find_leaves(parts.at[3], found);
    } else {
        found->unknown = true;
    }
}

/* The expressions that a pointer's value comes from, unchanged or moved within its object. */
static void find_leaves(CXCursor e, leaves *found) {
    e = bare(e);
    children parts;
    switch (clang_getCursorKind(e)) {
        case CXCursor_DeclRefExpr:
        case CXCursor_MemberRefExpr:
            add_leaf(found, place_of(e));
            break;
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_CallExpr:
            add_leaf(found, range_of(e).end - 1);
            break;
        case CXCursor_CStyleCastExpr:
            parts = children_of(e);
            if (parts.n && (is_pointer(parts.last) || decays(parts.last)))
                find_leaves(parts.last, found);
            else
                found->unknown = true;
            break;
        case CXCursor_UnaryOperator:
            find_unary_leaves(e, found);
            break;
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator:
            find_binary_leaves(e, found);
            break;
        case CXCursor_ConditionalOperator:
            parts = children_of(e);
            if (parts.n != 3) {
                found->unknown = true;
                break;
            }
            find_leaves(parts.at[1], found);
            find_leaves(parts.at[2], found);
            break;
        case CXCursor_StmtExpr:
            parts = children_of(children_of(e).last);
            if (parts.n && clang_isExpression(clang_getCursorKind(parts.last)))
                find_leaves(parts.last, found);
            else
                found->unknown = true;
            break;
        case CXCursor_UnexposedExpr:
            find_unnamed_leaves(e, found);
            break;
        default:
            found->unknown = true;
            break;
    }
}

/* The number of a site, or -1 where the value has no place. */
static int pointer_site(instrumenter *in, CXCursor e) {
    leaves found = {0};
    find_leaves(e, &found);
    if (found.unknown || found.n == 0) return -1;
    fputs(found.moved ? "moved" : "site", in->sites);
    for (unsigned i = 0; i < found.n; i++) write_place(in, found.at[i]);
    fputc('\n', in->sites);
    return (int)in->n_sites++;
}

/* ---- expressions ---- */

/* Puts FUNCTION(site, E, TAIL), of E's type, for E. */
static void wrap(instrumenter *in, CXCursor e, const char *function, unsigned site,
                 const char *tail) {
    char *text = source_text(in, range_of(e));
    surround(in, range_of(e),
             formatted("((__typeof__((0, (%s))))%s(cflr_base + %u, (", text, function, site),
             formatted(")%s))", tail));
    free(text);
}

static void see(instrumenter *in, CXCursor pointer, long long offset) {
    char tail[40];
    if (decays(pointer)) return;
    CXType pointee = clang_getCanonicalType(clang_getPointeeType(type_of(pointer)));
    int site = pointer_site(in, pointer);
    if (site < 0) return;
    snprintf(tail, sizeof tail, ", %lld", offset);
    bool function = is_function_type(pointee);
    wrap(in, pointer, function ? "cflr_called" : "cflr_see", (unsigned)site, function ? "" : tail);
}

static void see_subscript(instrumenter *in, CXCursor e) {
    children both = children_of(e);
    if (both.n != 2 || !is_pointer(both.at[0]) || decays(both.at[0])) return;
    int site = pointer_site(in, both.at[0]);
    if (site < 0) return;
    range whole = range_of(e), base = range_of(both.at[0]), index = range_of(both.at[1]);
    char *text = source_text(in, base);
    insert(in, whole.begin, false,
           formatted("(((__typeof__((0, (%s))))cflr_see_at(cflr_base + %u, (", text, site));
    replace(in, (range){base.end, index.begin}, true, formatted("), ("));
    replace(in, (range){index.end, whole.end}, true, formatted("), sizeof *(%s)))[0])", text));
    free(text);
}

static void see_member(instrumenter *in, CXCursor e) {
    children base = children_of(e);
    if (base.n == 0 || !is_pointer(base.at[0])) return;
    CXCursor field = clang_getCursorReferenced(e);
    long long bits = clang_Cursor_getOffsetOfField(field);
    bool near = bits >= 0 && !clang_Cursor_isBitField(field);
    see(in, base.at[0], near ? bits / 8 : 0);
}

static bool is_defined_here(CXCursor function) {
    return !clang_Cursor_isNull(clang_getCursorDefinition(function));
}

static void see_call(instrumenter *in, CXCursor e) {
    children parts = children_of(e);
    if (parts.n == 0) return;
    CXCursor callee = bare(parts.at[0]);
    CXCursor function = clang_getCursorReferenced(callee);
    bool direct = clang_getCursorKind(callee) == CXCursor_DeclRefExpr &&
                  clang_getCursorKind(function) == CXCursor_FunctionDecl;
    CXString name = clang_getCursorSpelling(function);
    bool builtin = direct && strncmp(clang_getCString(name), "__", 2) == 0;
    if (!builtin && is_pointer(e) && !(direct && is_defined_here(function))) {
        const char *called = direct ? clang_getCString(name) : "";
        wrap(in, e, "cflr_claim", object_site(in, "heap", place_of(e), called), "");
    }
    clang_disposeString(name);
    if (!direct) see(in, parts.at[0], 0); /* inside of what was put around the call */
}

/* An argument that becomes a transparent union looks like one, but is none in the text. */
static void see_literal(instrumenter *in, CXCursor e) {
    range at = range_of(e);
    if (at.end == at.begin || in->text[at.end - 1] != '}') return;
    char *text = source_text(in, at);
    unsigned site = object_site(in, "literal", place_of(e), "");
    surround(in, at, formatted("(*(__typeof__(%s) *)cflr_literal(cflr_base + %u, &", text, site),
             formatted(", sizeof(%s)))", text));
    free(text);
}

/* ---- variables ---- */

static int compare_numbers(const void *left, const void *right) {
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

static bool is_taken(const instrumenter *in, CXCursor variable) {
    unsigned offset = place_of(clang_getCanonicalCursor(variable));
    return bsearch(&offset, in->taken, in->n_taken, sizeof offset, compare_numbers) != NULL;
}

/* Can it be pointed to? */
static bool is_object(const instrumenter *in, CXCursor variable) {
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
    CXType type = type_of(variable);
    bool parameter = clang_getCursorKind(variable) == CXCursor_ParmDecl;
    if (storage == CX_SC_Extern || storage == CX_SC_Register) return false;
    if (clang_getCursorTLSKind(variable) != CXTLS_None) return false;
    if (type.kind == CXType_Record || (is_array_type(type) && !parameter)) return true;
    bool attributed = clang_Cursor_hasAttrs(variable); /* cleanup takes the address */
    return attributed || is_taken(in, variable);
}

/* A call that registers the variable; NULL when it cannot be pointed to. */
static char *registration(instrumenter *in, CXCursor variable, bool global) {
    CXString name = clang_getCursorSpelling(variable);
    const char *text = clang_getCString(name);
    char *call = NULL;
    bool fixed = global || clang_Cursor_getStorageClass(variable) == CX_SC_Static;
    if (*text && (global || is_object(in, variable))) {
        unsigned site = object_site(in, "variable", place_of(variable), text);
        call = formatted("cflr_%s(cflr_base + %u, (void *)&%s, sizeof %s)",
                         fixed ? "fixed" : "local", site, text, text);
    }
    clang_disposeString(name);
    return call;
}

typedef struct declared {
    instrumenter *in;
    enum CXCursorKind kind; /* of those to be registered */
    bool between;           /* also in front of initialisers */
    char *calls;            /* with commas between, or NULL */
} declared;

static enum CXChildVisitResult find_name(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr) return CXChildVisit_Recurse;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

/* A constant does not; behind a comma 0 would be no null pointer. */
static bool names_anything(CXCursor e) {
    bool found = clang_getCursorKind(e) == CXCursor_DeclRefExpr;
    if (!found) clang_visitChildren(e, find_name, &found);
    return found;
}

/* The initialiser of a later declarator may use the variables of those before it. */
static void register_between(declared *d, CXCursor variable) {
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(variable);
    bool expression = !clang_Cursor_isNull(initialiser) && !is_array_type(type_of(variable)) &&
                      clang_getCursorKind(initialiser) != CXCursor_InitListExpr &&
                      clang_Cursor_getStorageClass(variable) != CX_SC_Static &&
                      names_anything(initialiser);
    if (!d->between || !d->calls || !expression) return;
    surround(d->in, range_of(initialiser), formatted("(%s, ", d->calls), formatted(")"));
    free(d->calls);
    d->calls = NULL;
}

static enum CXChildVisitResult register_declared(CXCursor cursor, CXCursor parent,
                                                 CXClientData data) {
    declared *d = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != d->kind) return CXChildVisit_Continue;
    register_between(d, cursor);
    char *call = registration(d->in, cursor, false);
    if (!call) return CXChildVisit_Continue;
    char *all = formatted("%s%s%s", d->calls ? d->calls : "", d->calls ? ", " : "", call);
    free(call);
    free(d->calls);
    d->calls = all;
    return CXChildVisit_Continue;
}

/* A statement of these calls, which are freed. */
static char *statement_of(char *calls) {
    char *statement = formatted(" %s;", calls);
    free(calls);
    return statement;
}

/* Behind a declaration; in front of the body of the loop that it is in the head of, if that is a
 * block. */
static void register_statement(instrumenter *in, CXCursor statement, CXCursor parent) {
    bool head = clang_getCursorKind(parent) == CXCursor_ForStmt;
    CXCursor block = head ? children_of(parent).last : parent;
    if (clang_getCursorKind(block) != CXCursor_CompoundStmt) return;
    declared d = {in, CXCursor_VarDecl, !head, NULL};
    clang_visitChildren(statement, register_declared, &d);
    if (!d.calls) return;
    char *text = statement_of(d.calls);
    if (head) {
        surround(in, range_of(block), formatted("{%s", text), formatted("}"));
        free(text);
    } else {
        insert(in, range_of(statement).end, true, text);
    }
}

/* ---- the walk through a function ---- */

static bool is_offsetof(CXCursor e) {
    children parts = children_of(e);
    for (unsigned i = 0; i < parts.n && i < MOST_CHILDREN; i++)
        if (clang_getCursorKind(parts.at[i]) == CXCursor_MemberRef) return true;
    return false;
}

static void instrument_within(instrumenter *in, CXCursor cursor);

static void instrument(instrumenter *in, CXCursor e, CXCursor parent) {
    switch (clang_getCursorKind(e)) {
        case CXCursor_UnaryExpr: /* sizeof, alignof */
        case CXCursor_AsmStmt:
        case CXCursor_EnumDecl:
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
        case CXCursor_TypedefDecl:
        case CXCursor_FunctionDecl:
        case CXCursor_GenericSelectionExpr:
            return;
        case CXCursor_VarDecl:
            if (clang_Cursor_getStorageClass(e) == CX_SC_Static) return;
            break;
        case CXCursor_DeclStmt:
            register_statement(in, e, parent);
            break;
        case CXCursor_UnaryOperator:
            if (clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_Deref) {
                CXType type = type_of(e);
                if (type.kind != CXType_Void) see(in, children_of(e).last, 0);
            }
            break;
        case CXCursor_UnexposedExpr:
            if (is_offsetof(e) && clang_getCursorType(e).kind != CXType_Void) return;
            break;
        case CXCursor_MemberRefExpr:
            see_member(in, e);
            break;
        case CXCursor_ArraySubscriptExpr:
            see_subscript(in, e);
            break;
        case CXCursor_CallExpr:
            see_call(in, e);
            break;
        case CXCursor_CompoundLiteralExpr:
            see_literal(in, e);
            break;
        default:
            break;
    }
    instrument_within(in, e);
}

static enum CXChildVisitResult instrument_child(CXCursor cursor, CXCursor parent,
                                                CXClientData data) {
    instrument(data, cursor, parent);
    return CXChildVisit_Continue;
}

static void instrument_within(instrumenter *in, CXCursor cursor) {
    if (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr) {
        children parts = children_of(cursor);
        if (is_elvis(&parts)) {
            instrument(in, parts.at[0], cursor);
            instrument(in, parts.at[3], cursor);
            return;
        }
    }
    clang_visitChildren(cursor, instrument_child, in);
}

static void instrument_function(instrumenter *in, CXCursor function) {
    CXCursor body = children_of(function).last;
    if (clang_getCursorKind(body) != CXCursor_CompoundStmt) return;
    declared d = {in, CXCursor_ParmDecl, false,
                  formatted("__attribute__((cleanup(cflr_leave))) char cflr_frame;"
                            " cflr_enter(__builtin_frame_address(0), &cflr_frame)")};
    clang_visitChildren(function, register_declared, &d);
    insert(in, range_of(body).begin + 1, false, statement_of(d.calls));
    instrument_within(in, body);
}

/* ---- the unit ---- */

/* The variable that `&e` points into. */
static CXCursor taken_variable(CXCursor e) {
    for (;;) {
        e = bare(e);
        enum CXCursorKind kind = clang_getCursorKind(e);
        children parts = children_of(e);
        if (kind == CXCursor_DeclRefExpr) return clang_getCursorReferenced(e);
        bool inside = kind == CXCursor_ArraySubscriptExpr ||
                      (kind == CXCursor_MemberRefExpr && parts.n && !is_pointer(parts.at[0]));
        if (!inside || parts.n == 0) return clang_getNullCursor();
        e = parts.at[0];
    }
}

static void register_function(instrumenter *in, CXCursor function, const char *name) {
    unsigned site = object_site(in, "function", place_of(function), name);
    fprintf(in->constructor, " cflr_function(cflr_base + %u, (void *)%s);\n", site, name);
}

static void register_outside(instrumenter *in, CXCursor function, const char *name) {
    for (unsigned i = 0; i < in->n_known; i++)
        if (strcmp(in->known[i], name) == 0) return;
    in->known = grown(in->known, in->n_known, &in->known_capacity, sizeof *in->known);
    in->known[in->n_known++] = formatted("%s", name);
    register_function(in, function, name);
}

/* Functions of the outside that are used as values. */
static void find_function_value(instrumenter *in, CXCursor e) {
    CXCursor function = clang_getCursorReferenced(e);
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl || is_defined_here(function)) return;
    CXString name = clang_getCursorSpelling(function);
    if (strncmp(clang_getCString(name), "__", 2) != 0)
        register_outside(in, function, clang_getCString(name));
    clang_disposeString(name);
}

static enum CXChildVisitResult survey(CXCursor cursor, CXCursor parent, CXClientData data) {
    instrumenter *in = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf) {
        CXCursor variable = taken_variable(children_of(cursor).last);
        if (!clang_Cursor_isNull(variable)) {
            in->taken = grown(in->taken, in->n_taken, &in->taken_capacity, sizeof *in->taken);
            in->taken[in->n_taken++] = place_of(clang_getCanonicalCursor(variable));
        }
    }
    if (kind == CXCursor_CallExpr) {
        children parts = children_of(cursor);
        in->callee = parts.n ? bare(parts.at[0]) : cursor;
    }
    if (kind == CXCursor_DeclRefExpr && !clang_equalCursors(cursor, in->callee))
        find_function_value(in, cursor);
    return CXChildVisit_Recurse;
}

static bool is_complete(CXCursor variable) {
    return clang_Type_getSizeOf(clang_getCursorType(variable)) > 0;
}

static void register_global(instrumenter *in, CXCursor variable) {
    if (clang_Cursor_getStorageClass(variable) == CX_SC_Extern &&
        !clang_isCursorDefinition(variable))
        return;
    if (clang_getCursorTLSKind(variable) != CXTLS_None || !is_complete(variable)) return;
    char *call = registration(in, variable, true);
    if (call) fprintf(in->constructor, " %s;\n", call);
    free(call);
}

/* Inline functions may be nowhere. */
static void register_defined(instrumenter *in, CXCursor function) {
    bool is_static = clang_Cursor_getStorageClass(function) == CX_SC_Static;
    if (clang_Cursor_isFunctionInlined(function) && !is_static) return;
    CXString name = clang_getCursorSpelling(function);
    register_function(in, function, clang_getCString(name));
    clang_disposeString(name);
}

static enum CXChildVisitResult instrument_unit(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
    instrumenter *in = data;
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    switch (clang_getCursorKind(cursor)) {
        case CXCursor_VarDecl:
            register_global(in, cursor);
            break;
        case CXCursor_FunctionDecl:
            if (!clang_isCursorDefinition(cursor)) break;
            register_defined(in, cursor);
            instrument_function(in, cursor);
            break;
        default:
            break;
    }
    return CXChildVisit_Continue;
}

/* ---- files ---- */

static void read_source(instrumenter *in, const char *path) {
    size_t size = 0;
    in->file = clang_getFile(in->unit, path);
    const char *text = in->file ? clang_getFileContents(in->unit, in->file, &size) : NULL;
    if (!text) fail("the source cannot be read");
    in->text = strndup(text, size);
    in->size = size;
    if (!in->text) fail("out of memory");
}

static void write_output(instrumenter *in, const char *path, const char *sites_path) {
    FILE *out = fopen(path, "w");
    if (!out) fail("the output cannot be written");
    fputs("static unsigned cflr_base;\n", out);
    write_edited(in, out);
    fclose(in->constructor);
    fprintf(out,
            "\n__attribute__((constructor(101))) static void cflr_start(void) {\n"
            " cflr_base = cflr_unit(\"%s\", %u);\n%s}\n",
            sites_path, in->n_sites, in->registering);
    if (fclose(out) != 0) fail("the output cannot be written");
}

static bool has_errors(CXTranslationUnit unit) {
    bool errors = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString text =
                clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions());
            fprintf(stderr, "%s\n", clang_getCString(text));
            clang_disposeString(text);
            errors = true;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return errors;
}

int main(int argc, char **argv) {
    if (argc < 4) fail("usage: instrument SOURCE OUTPUT SITES [CLANG FLAGS...]");
    instrumenter in = {0};
    CXIndex index = clang_createIndex(0, 0);
    if (clang_parseTranslationUnit2(index, argv[1], (const char *const *)argv + 4, argc - 4, NULL,
                                    0, CXTranslationUnit_None, &in.unit) != CXError_Success)
        fail("the source cannot be parsed");
    if (has_errors(in.unit)) return 1;
    read_source(&in, argv[1]);
    in.sites = fopen(argv[3], "w");
    in.constructor = open_memstream(&in.registering, &in.registering_size);
    if (!in.sites || !in.constructor) fail("the sites cannot be written");
    fprintf(in.sites, "source %s\n", argv[1]);
    CXCursor root = clang_getTranslationUnitCursor(in.unit);
    clang_visitChildren(root, survey, &in);
    qsort(in.taken, in.n_taken, sizeof *in.taken, compare_numbers);
    clang_visitChildren(root, instrument_unit, &in);
    write_output(&in, argv[2], argv[3]);
    if (fclose(in.sites) != 0) fail("the sites cannot be written");
    clang_disposeTranslationUnit(in.unit);
    clang_disposeIndex(index);
    return 0;
}
