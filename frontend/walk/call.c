/* SPDX-License-Identifier: Apache-2.0
 *
 * call.c: calls.
 *
 *     f(a, b)      argument k to parameter k of f, result of f to a temporary, all tagged with the
 *                  call, so that linking can drop them and cloning can redirect them
 *     (*fp)(a, b)  a to the content of slot 0 of the value of fp, the result from its slot `ret`:
 *                  whatever functions reach fp are found by the closure
 *
 * A record is passed field by field into the record that the slot points to, and returned the same
 * way. Arguments beyond the declared parameters of a variadic function all flow to its one
 * parameter for them; in a call through a value they are numbered, because the function need not be
 * of the type of the value (varargs.c).
 *
 * A callee without a body in the unit gets both readings (facts.h): the flows above in case another
 * unit has the body, and the effects of its summary in case none has. How a summary copies memory
 * depends on what the arguments point to before they became void *: the more telling of the two
 * types is taken. Between two different records, or none at all, any member of one may become any
 * member of the other; and so where more is copied than the member whose address is given:
 *
 *     memcpy(&e.p, &v.p, 2 * sizeof e.p)       the members after p too
 */
#include "frontend/summaries/rules.h"
#include "frontend/walk/names/signature.h"
#include "frontend/walk/walk.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 }; /* of a call to a function with a summary; the rest is ignored */

static const char *text_of(const cflri_walk *w, uint32_t string) {
    return cflri_string(&w->facts->strings, string);
}

/* The function that is called by its name, however it is dressed: f, (*f), (&f), (cast)f. */
static uint32_t called_function(cflri_walk *w, uint32_t callee) {
    for (;;) {
        callee = cflri_expr_bare(w, callee);
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, callee);
        CXCursor cursor = cflri_tree_cursor(&w->tree, callee);
        if (kind == CXCursor_DeclRefExpr) {
            uint32_t number = cflri_referenced_decl(w, callee);
            bool function =
                number != CFLRI_NO_NUMBER && w->names.decls.at[number].kind == CFLRI_DECL_FUNCTION;
            return function ? number : CFLRI_NO_NUMBER;
        }
        if (kind != CXCursor_UnaryOperator) return CFLRI_NO_NUMBER;
        enum CXUnaryOperatorKind operator= cflri_clang_getCursorUnaryOperatorKind(cursor);
        if (operator!= CXUnaryOperator_Deref && operator!= CXUnaryOperator_AddrOf)
            return CFLRI_NO_NUMBER;
        callee = cflri_tree_first(&w->tree, callee);
        if (callee == CFLRI_NO_CHILD) return CFLRI_NO_NUMBER;
    }
}

/* ---- copies of summaries ---- */

typedef struct external {
    cflri_walk *w;
    cflri_tag tag;
    uint32_t n;
    uint32_t e[MOST_ARGUMENTS + 2]; /* behind the last: the call and its result, then a twin */
    cflri_value given[MOST_ARGUMENTS + 2];  /* the arguments */
    cflri_value values[MOST_ARGUMENTS + 2]; /* they, one node each */
} external;

typedef enum telling {
    ANYTHING,   /* void, a record that is not completed, no pointer before it was cast */
    CHARACTERS, /* bytes: as likely text as memory of any kind */
    NO_POINTER, /* numbers */
    POINTERS,   /* pointers, or integers that may be some */
    RECORDS,
} telling;

static telling tells(cflri_walk *w, CXType type) {
    switch (type.kind) {
        case CXType_Void:
        case CXType_Invalid:
            return ANYTHING;
        case CXType_Char_U:
        case CXType_Char_S:
        case CXType_UChar:
        case CXType_SChar:
            return CHARACTERS;
        case CXType_Record:
            if (cflri_type_is_opaque(type)) return ANYTHING;
            return cflri_type_may_point(&w->types, type) ? RECORDS : NO_POINTER;
        default:
            return cflri_type_may_point(&w->types, type) ? POINTERS : NO_POINTER;
    }
}

/* Does the source cast the argument to `void *`, so that it is memory of any type? */
static bool is_cast_to_void(const external *x, uint32_t k) {
    const cflri_walk *w = x->w;
    uint32_t e = cflri_expr_unwrapped(w, x->e[k]);
    while (cflri_tree_kind(&w->tree, e) == CXCursor_UnexposedExpr &&
           cflri_tree_first(&w->tree, e) != CFLRI_NO_CHILD)
        e = cflri_expr_unwrapped(w, cflri_tree_first(&w->tree, e));
    CXType type = cflri_expr_plain(w, e);
    return cflri_tree_kind(&w->tree, e) == CXCursor_CStyleCastExpr && type.kind == CXType_Pointer &&
           cflri_type_plain(cflri_clang_getPointeeType(type)).kind == CXType_Void;
}

/* The content at any offset of what these point to (facts.h: smeared). */
static cflri_value any_content(const external *x, uint32_t k, const char *name,
                               const cflri_value *pointers, bool text) {
    const cflri_value roots =
        cflri_one_value(cflri_smeared(x->w, x->e[k], name, &x->tag, pointers, text));
    if (text && roots.n) x->w->facts->nodes.at[roots.at[0]].sure = true;
    if (roots.n) x->w->facts->nodes.at[roots.at[0]].anything |= is_cast_to_void(x, k);
    return cflri_content_of(x->w, &roots, CFLRI_CARRIES_POINTER);
}

/* Any member to any member; of what may turn out to be text (pieces.c), when `text`. */
static void copy_any(const external *x, uint32_t to, uint32_t from, const cflri_value *target,
                     const cflri_value *source, bool text, bool letters) {
    cflri_tag tag = x->tag;
    tag.letters = letters;
    if (target->n == 0 || source->n == 0) return;
    const cflri_value into = any_content(x, to, "copy", target, text);
    const cflri_value out = any_content(x, from, "copied", source, text);
    for (uint32_t i = 0; i < into.n; i++) cflri_flow_value(x->w, &tag, &out, into.at[i]);
}

/* Memory of which no type is known, or more than what is known. */
static void copy_all(const external *x, uint32_t to, uint32_t from, bool outside, bool letters) {
    cflri_value target = x->values[to], source = x->values[from];
    if (outside) { /* to the records around members */
        target = cflri_before_steps(x->w, &x->given[to], UINT32_MAX);
        source = cflri_before_steps(x->w, &x->given[from], UINT32_MAX);
    }
    if (target.n == 0 || source.n == 0) return;
    cflri_assumed(x->w, x->e[to], "memory copied without its type: any member to any member");
    copy_any(x, to, from, &target, &source, false, letters);
}

/* How much is copied: the arguments after the two that are copied are sizes. */
static bool fits(const external *x, long long size, bool *known) {
    bool all_fit = true;
    *known = true;
    for (uint32_t k = 2; k < x->n; k++) {
        long long length = 0;
        if (!cflri_expr_constant(x->w, x->e[k], &length))
            *known = false;
        else
            all_fit &= length <= size;
    }
    return all_fit;
}

/* Is the argument the address of a member? One that is an array decays to it. */
static bool is_member(const external *x, uint32_t k) {
    const cflri_walk *w = x->w;
    uint32_t e = cflri_expr_bare(w, x->e[k]);
    bool decays = cflri_expr_plain(w, e).kind != CXType_Pointer;
    const cflri_value *value = &x->given[k];
    if (value->n > 0 && w->facts->nodes.at[value->at[0]].how == CFLRI_FIELD) return true;
    if (cflri_tree_kind(&w->tree, e) == CXCursor_UnaryOperator) {
        CXCursor cursor = cflri_tree_cursor(&w->tree, e);
        if (cflri_clang_getCursorUnaryOperatorKind(cursor) != CXUnaryOperator_AddrOf) return false;
        e = cflri_expr_unwrapped(w, cflri_tree_first(&w->tree, e));
        decays = true;
    }
    return decays && cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr;
}

typedef enum reach {
    INSIDE,         /* of the member, or no member */
    PERHAPS_BEYOND, /* the length is not known */
    BEYOND,
} reach;

/* Does the copy reach beyond the member that the argument is? */
static reach reach_of(const external *x, uint32_t k) {
    if (!is_member(x, k)) return INSIDE;
    CXType type = cflri_expr_plain(x->w, cflri_expr_bare(x->w, x->e[k]));
    bool pointer = type.kind == CXType_Pointer;
    long long size = cflri_clang_Type_getSizeOf(pointer ? cflri_clang_getPointeeType(type) : type);
    bool known;
    if (!fits(x, size, &known)) return BEYOND;
    return known || !pointer ? INSIDE : PERHAPS_BEYOND;
}

static bool reaches_beyond(const external *x, uint32_t to, uint32_t from, telling more) {
    reach one = reach_of(x, to), other = reach_of(x, from);
    reach most = one > other ? one : other;
    return most == BEYOND || (most == PERHAPS_BEYOND && more >= POINTERS);
}

/* One content node to the other: all there is without fields, or in an array of pointers. */
static void copy_one_content(const external *x, uint32_t to, uint32_t from, bool letters) {
    cflri_tag tag = x->tag;
    tag.letters = letters;
    const cflri_value sources = cflri_content_of(x->w, &x->values[from], CFLRI_CARRIES_POINTER);
    const cflri_value targets = cflri_content_of(x->w, &x->values[to], CFLRI_CARRIES_POINTER);
    for (uint32_t i = 0; i < targets.n; i++) cflri_flow_value(x->w, &tag, &sources, targets.at[i]);
}

typedef enum copying {
    NO_COPY,
    BYTES, /* text, or memory of any kind */
    ONE_CONTENT,
    AS_TARGET, /* by the members of the target's type */
    AS_SOURCE,
    ANY_MEMBER,
} copying;

static copying how_to_copy(telling to, telling from, bool same_type, bool fields) {
    telling more = to > from ? to : from;
    telling less = to > from ? from : to;
    if (more == NO_POINTER) return NO_COPY;
    if (!fields) return ONE_CONTENT;
    if (more == RECORDS) {
        if (less == POINTERS || (less == RECORDS && !same_type)) return ANY_MEMBER;
        return to == RECORDS ? AS_TARGET : AS_SOURCE;
    }
    if (more == POINTERS) return ONE_CONTENT;
    return less == CHARACTERS ? BYTES : ANY_MEMBER;
}

/* Memory that holds no pointer: by the record that one side is, or as one number. */
static void copy_numbers(const external *x, uint32_t to, uint32_t from, CXType to_type,
                         CXType from_type) {
    cflri_walk *w = x->w;
    const cflri_tag data = cflri_data_flow(&x->tag);
    bool to_record = to_type.kind == CXType_Record, from_record = from_type.kind == CXType_Record;
    if (!w->facts->chosen.data_flow) return;
    if (to_record || from_record) {
        cflri_copy_content(w, &data, &x->values[from], &x->values[to],
                           to_record ? to_type : from_type);
        return;
    }
    const cflri_value sources = cflri_content_of(w, &x->values[from], CFLRI_CARRIES_NUMBER);
    const cflri_value targets = cflri_content_of(w, &x->values[to], CFLRI_CARRIES_NUMBER);
    for (uint32_t i = 0; i < targets.n; i++) cflri_flow_value(w, &data, &sources, targets.at[i]);
}

/* The argument once more, as another pointer to the same: what is copied from the one to the other
 * comes to other elements of it. */
static uint32_t twin(external *x, uint32_t k) {
    uint32_t other = x->n + 1;
    cflri_node node = cflri_temporary(x->w, x->e[k], "!twin", CFLRI_CARRIES_POINTER);
    x->e[other] = x->e[k];
    x->values[other] = x->given[other] = cflri_one_value(node);
    cflri_flow_value(x->w, &x->tag, &x->values[k], node);
    return other;
}

/* Bytes that hold pointers after the copy, or before it (untyped.c). */
static void note_bytes(const external *x, uint32_t k, telling one, telling other) {
    const cflri_value *value = &x->values[k];
    if (one > CHARACTERS || other < POINTERS) return;
    for (uint32_t i = 0; i < value->n; i++) {
        x->w->facts->nodes.at[value->at[i]].untyped = true;
        x->w->facts->nodes.at[value->at[i]].stripped = true;
        x->w->facts->nodes.at[value->at[i]].sure = true;
    }
}

/* The callback of summaries: `copy argN argM`, `copy ret argM`. */
static void copy_argument(void *user, uint32_t to, uint32_t from) {
    external *x = user;
    cflri_walk *w = x->w;
    bool inside = to == from;
    if (to == CFLRI_COPY_RESULT) to = x->n;
    if (to > x->n || from >= x->n || x->values[to].n == 0) return;
    if (inside) from = twin(x, to);
    CXType to_type = cflri_expr_pointee(w, cflri_expr_bare(w, x->e[to]));
    CXType from_type = cflri_expr_pointee(w, cflri_expr_bare(w, x->e[from]));
    bool same = cflri_types_equal(to_type, from_type);
    note_bytes(x, to, tells(w, to_type), tells(w, from_type));
    note_bytes(x, from, tells(w, from_type), tells(w, to_type));
    bool fields = w->facts->chosen.fields == CFLR_FIELDS_SENSITIVE;
    telling to_tells = tells(w, to_type), from_tells = tells(w, from_type);
    if (fields && !inside &&
        reaches_beyond(x, to, from, to_tells > from_tells ? to_tells : from_tells)) {
        copy_all(x, to, from, true, false);
        return;
    }
    switch (how_to_copy(to_tells, from_tells, same, fields)) {
        case NO_COPY:
            copy_numbers(x, to, from, to_type, from_type);
            break;
        case BYTES:
            copy_any(x, to, from, &x->values[to], &x->values[from], true, true);
            copy_one_content(x, to, from, !is_cast_to_void(x, to) && !is_cast_to_void(x, from));
            break;
        case ONE_CONTENT:
            copy_one_content(x, to, from, false);
            break;
        case AS_TARGET:
            cflri_copy_content(w, &x->tag, &x->values[from], &x->values[to], to_type);
            break;
        case AS_SOURCE:
            cflri_copy_content(w, &x->tag, &x->values[from], &x->values[to], from_type);
            break;
        case ANY_MEMBER:
            copy_all(x, to, from, false, to_tells == CHARACTERS || from_tells == CHARACTERS);
            break;
    }
}

/* ---- bytes that come in and go out ---- */

/* The bytes that have gone out through any file, pipe or socket of the program. */
static cflri_node bytes_outside(const external *x) {
    static const char key[] = "cell:bytes";
    cflri_facts *facts = x->w->facts;
    const cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(facts, key)};
    return cflri_facts_root(facts, key, &record, false);
}

static void flow_between(const external *x, const cflri_value *outside, const cflri_value *memory,
                         bool in) {
    const cflri_value *from = in ? outside : memory, *to = in ? memory : outside;
    for (uint32_t i = 0; i < to->n; i++) cflri_flow_value(x->w, &x->tag, from, to->at[i]);
}

/* Characters are text, unless their memory was seen to hold pointers before it became characters,
 * or is copied to memory that does: then at any offset (pieces.c). */
static void exchange_text(const external *x, uint32_t k, bool in) {
    bool fields = x->w->facts->chosen.fields == CFLR_FIELDS_SENSITIVE;
    const cflri_value others = cflri_one_value(bytes_outside(x));
    const cflri_value contents =
        fields ? any_content(x, k, in ? "received" : "sent", &x->values[k], true)
               : cflri_content_of(x->w, &x->values[k], CFLRI_CARRIES_POINTER);
    flow_between(x, &others, &contents, in);
}

/* The callback of summaries: `copy argN outside`, `copy outside argN`. By the type that the program
 * has for the memory: a pointer, or those of a record. Where the type is not known pointers may
 * come in at any offset, and go out from the first. */
static void exchange(void *user, uint32_t k, bool in) {
    external *x = user;
    cflri_walk *w = x->w;
    if (k == CFLRI_COPY_RESULT) k = x->n;
    if (k > x->n || x->values[k].n == 0) return;
    CXType type = cflri_expr_pointee(w, cflri_expr_bare(w, x->e[k]));
    telling told = tells(w, type);
    bool record = told == RECORDS && !cflri_type_leaves(&w->types, type).too_many;
    if (told == CHARACTERS) exchange_text(x, k, in);
    if (told == CHARACTERS || told == NO_POINTER) return;
    if (told == POINTERS && type.kind != CXType_Pointer) return; /* far more often a length */
    cflri_value others = cflri_one_value(bytes_outside(x));
    if (in) {
        const cflri_value any = cflri_lost_value(w, x->e[k], "pointers come in as bytes");
        others = cflri_join(w, x->e[k], &others, &any);
    }
    if (w->facts->status != CFLR_OK) return;
    if (record) {
        cflri_flow_leaves(w, &x->tag, &others, &x->values[k], type, in);
        return;
    }
    const cflri_value contents = in && told != POINTERS
                                     ? any_content(x, k, "received", &x->values[k], false)
                                     : cflri_content_of(w, &x->values[k], CFLRI_CARRIES_POINTER);
    flow_between(x, &others, &contents, in);
}

/* ---- arguments ---- */

/* One argument of a direct or indirect call, into the slot that `pointer` is. */
static void pass(cflri_walk *w, const cflri_tag *tag, uint32_t e, const cflri_value *value,
                 cflri_node pointer) {
    cflri_lvalue slot = {.class = cflri_expr_class(w, e),
                         .addressed = true,
                         .nodes = cflri_one_value(pointer),
                         .type = cflri_expr_plain(w, e)};
    cflri_flow_into(w, tag, value, &slot);
}

static cflri_value argument_value(cflri_walk *w, uint32_t e) {
    if (cflri_expr_class(w, e) != CFLRI_TYPE_NONE) return cflri_expr_value(w, e);
    cflri_expr_effects(w, e);
    return cflri_no_value();
}

/* A null among the values of a tagged flow goes through a temporary: the edge out of a null is a
 * null edge, and the edge into a parameter is the call's. */
static cflri_value without_nulls(cflri_walk *w, uint32_t e, const cflri_value *value) {
    for (uint32_t i = 0; i < value->n; i++) {
        if (!cflri_is_null(w, value->at[i])) continue;
        cflri_node carried = cflri_temporary(w, e, "!argument", CFLRI_CARRIES_POINTER);
        cflri_flow_value(w, &cflri_plain_flow, value, carried);
        return cflri_one_value(carried);
    }
    return *value;
}

static uint32_t slot_of(uint32_t k, bool variadic, uint32_t n_parameters) {
    return variadic && k >= n_parameters ? CFLRI_SLOT_VARARGS : k;
}

/* ---- results ---- */

/* The temporary that takes the result, and its value; nothing when the result holds no pointer. */
static cflri_value result_of_call(cflri_walk *w, uint32_t e, uint32_t function,
                                  const cflri_tag *tag, cflri_node *taken) {
    cflri_facts *facts = w->facts;
    cflri_type_class class = cflri_expr_class(w, e);
    *taken = CFLRI_NO_NODE;
    if (class == CFLRI_TYPE_NONE) return cflri_no_value();
    CXType type = cflri_expr_plain(w, e);
    cflri_carrier carrier =
        class == CFLRI_TYPE_POINTER ? CFLRI_CARRIES_POINTER : cflri_type_carrier(&w->types, type);
    cflri_node result = cflri_temporary(w, e, "!call", carrier);
    if (class == CFLRI_TYPE_RECORD) {
        const cflri_value to = cflri_one_value(cflri_facts_address(facts, result));
        cflri_node object = facts->functions.at[function].object;
        const cflri_value from = cflri_one_value(
            cflri_facts_slot(facts, cflri_facts_address(facts, object), CFLRI_SLOT_RETURN));
        cflri_copy_content(w, tag, &from, &to, type);
        return to;
    }
    const cflri_value from = cflri_one_value(cflri_facts_return(facts, function));
    const cflri_tag data = cflri_data_flow(tag);
    cflri_flow_value(w, class == CFLRI_TYPE_NUMBER ? &data : tag, &from, result);
    *taken = result;
    return cflri_one_value(result);
}

/* ---- direct calls ---- */

/* One node for each argument, which stands for its value. */
static void single_arguments(external *x, cflri_node arguments[MOST_ARGUMENTS]) {
    for (uint32_t k = 0; k < x->n; k++) {
        x->values[k] = cflri_single(x->w, x->e[k], &x->values[k]);
        arguments[k] = x->values[k].n ? x->values[k].at[0] : CFLRI_NO_NODE;
    }
}

static void apply_rules(const char *name, uint32_t call, external *x, cflri_node result,
                        uint32_t format) {
    cflri_walk *w = x->w;
    cflri_node arguments[MOST_ARGUMENTS];
    single_arguments(x, arguments);
    const cflri_marked_call marked = {.function = name,
                                      .caller = w->facts->calls.at[call].caller,
                                      .place = w->facts->calls.at[call].place,
                                      .call = CFLRI_NO_CALL,
                                      .arguments = arguments,
                                      .n_arguments = x->n,
                                      .result = result,
                                      .format = format,
                                      .passed = x->n ? cflri_format_passed(w, x->e[0]) : 0};
    if (w->facts->status == CFLR_OK) cflri_rules_mark(w->summaries, w->facts, &marked);
}

/* The result is a node that takes it, or the address of the record that does. */
static void apply_summary(cflri_walk *w, const char *name, uint32_t call, external *x,
                          cflri_node result, bool record) {
    cflri_node arguments[MOST_ARGUMENTS];
    single_arguments(x, arguments);
    const cflri_external_call external_call = {.call = call,
                                               .function = name,
                                               .arguments = arguments,
                                               .n_arguments = x->n,
                                               .result = result,
                                               .record = record,
                                               .copy = copy_argument,
                                               .exchange = exchange,
                                               .user = x};
    x->tag = (cflri_tag){.call = call, .flow = CFLRI_FLOW_ASSIGN, .summary = true};
    cflri_summary_apply(w->summaries, w->facts, &external_call);
}

/* Evaluates the arguments and passes them; remembers them in *x when it is not NULL. */
static void pass_all(cflri_walk *w, uint32_t first, uint32_t function, const cflri_decl *decl,
                     uint32_t call, external *x) {
    const cflri_tag tag = {.call = call, .flow = CFLRI_FLOW_ARGUMENT};
    cflri_facts *facts = w->facts;
    uint32_t n_parameters = facts->functions.at[function].n_parameters;
    cflri_node address = cflri_facts_address(facts, facts->functions.at[function].object);
    uint32_t k = 0;
    for (uint32_t e = first; e != CFLRI_NO_CHILD; e = cflri_tree_next(&w->tree, e), k++) {
        cflri_value value = argument_value(w, e);
        if (value.n > 0) value = without_nulls(w, e, &value);
        if (x && k < MOST_ARGUMENTS) {
            x->e[k] = e;
            x->given[k] = x->values[k] = value;
            x->n = k + 1;
        }
        if (value.n == 0) continue;
        uint32_t slot = slot_of(k, decl->variadic, n_parameters);
        pass(w, &tag, e, &value, cflri_facts_slot(facts, address, slot));
    }
}

static cflri_value direct_call(cflri_walk *w, uint32_t e, uint32_t number, bool used) {
    const cflri_decl decl = w->names.decls.at[number];
    uint32_t function = cflri_decl_function(&w->names, number);
    cflri_place place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e));
    const cflri_call call = {w->names.function, function, place};
    uint32_t at = cflri_facts_call(w->facts, &call);
    if (w->facts->status != CFLR_OK) return cflri_no_value();
    w->tree.nodes.at[e].decl = at + 1;
    cflri_function_used(w, number);

    const char *name = cflri_has_own_body(w, number)
                           ? NULL
                           : cflri_summarised_name(w->summaries, w->facts, function);
    const char *marked = cflri_marked_name(w->summaries, w->facts, function);
    uint32_t format = cflri_format_argument(w, number);
    if (format && !marked) marked = text_of(w, w->facts->functions.at[function].name);
    external *x = NULL;
    if (name || marked) {
        x = cflri_alloc(w->context, sizeof *x); /* of which few calls need more than a small part */
        if (!x) {
            w->facts->status = cflri_fail_memory(w->context, NULL);
            return cflri_no_value();
        }
        x->w = w;
        x->n = 0;
    }
    uint32_t first = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, e));
    pass_all(w, first, function, &decl, at, x);
    const cflri_tag tag = {.call = at, .flow = CFLRI_FLOW_RESULT};
    cflri_node taken = CFLRI_NO_NODE;
    cflri_value result = cflri_no_value();
    if (used) result = result_of_call(w, e, function, &tag, &taken);
    if (x) {
        x->e[x->n] = e;
        x->given[x->n] = taken == CFLRI_NO_NODE ? cflri_no_value() : cflri_one_value(taken);
        x->values[x->n] = x->given[x->n];
    }
    bool record = used && result.n == 1 && cflri_expr_class(w, e) == CFLRI_TYPE_RECORD;
    if (name && w->facts->status == CFLR_OK)
        apply_summary(w, name, at, x, record ? result.at[0] : taken, record);
    if (marked && w->facts->status == CFLR_OK) apply_rules(marked, at, x, taken, format);
    cflri_free(w->context, x);
    return result;
}

/* ---- calls through a value ---- */

static CXType function_type(cflri_walk *w, uint32_t callee) {
    CXType type = cflri_expr_plain(w, callee);
    if (type.kind == CXType_Pointer || type.kind == CXType_BlockPointer)
        type = cflri_type_plain(cflri_clang_getPointeeType(type));
    return type;
}

/* The values that are called, and by which signature (signature.h). */
typedef struct called {
    cflri_value functions;
    uint32_t signature;
} called;

static cflri_node slot_through(cflri_walk *w, const called *c, uint32_t i, uint32_t slot) {
    if (cflri_is_null(w, c->functions.at[i])) return CFLRI_NO_NODE;
    return cflri_facts_called_slot(w->facts, c->functions.at[i], slot, c->signature);
}

static void pass_through(cflri_walk *w, uint32_t e, const cflri_value *value, const called *c,
                         uint32_t slot) {
    for (uint32_t i = 0; i < c->functions.n; i++) {
        cflri_node pointer = slot_through(w, c, i, slot);
        if (pointer != CFLRI_NO_NODE) pass(w, &cflri_plain_flow, e, value, pointer);
    }
}

static cflri_value result_through(cflri_walk *w, uint32_t e, const called *c) {
    cflri_lvalue slot = {
        .class = cflri_expr_class(w, e), .addressed = true, .type = cflri_expr_plain(w, e)};
    if (slot.class == CFLRI_TYPE_NONE) return cflri_no_value();
    for (uint32_t i = 0; i < c->functions.n; i++) {
        cflri_node pointer = slot_through(w, c, i, CFLRI_SLOT_RETURN);
        if (pointer != CFLRI_NO_NODE) slot.nodes.at[slot.nodes.n++] = pointer;
    }
    cflri_value value = cflri_place_value(w, &slot);
    if (slot.class != CFLRI_TYPE_RECORD) cflri_describe(w, e, "", &value);
    return value;
}

/* States what is called, for the question which calls find no function. */
static void state_called(cflri_walk *w, uint32_t call, uint32_t callee, const called *c) {
    const cflri_value *values = &c->functions;
    char text[CFLRI_SPELLING_SIZE];
    cflri_spell(w, callee, text);
    cflri_called row = {call, CFLRI_NO_NODE, cflri_facts_string(w->facts, text), c->signature};
    if (call == CFLRI_NO_CALL) return;
    for (uint32_t i = 0; i < values->n; i++) {
        row.value = values->at[i];
        cflri_facts_called_at(w->facts, &row);
    }
    if (values->n == 0) cflri_facts_called_at(w->facts, &row);
}

static cflri_value indirect_call(cflri_walk *w, uint32_t e, bool used) {
    uint32_t pointer = cflri_tree_first(&w->tree, e);
    CXType type = function_type(w, pointer);
    bool variadic = type.kind == CXType_FunctionProto && cflri_clang_isFunctionTypeVariadic(type);
    const cflri_call call = {.caller = w->names.function,
                             .place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e))};
    uint32_t at = cflri_facts_call(w->facts, &call);
    const called c = {cflri_expr_value(w, pointer), cflri_signature_of(w->facts, &w->types, type)};
    state_called(w, at, pointer, &c);
    cflri_followed(w, e, &c.functions);
    uint32_t k = 0;
    for (uint32_t a = cflri_tree_next(&w->tree, pointer); a != CFLRI_NO_CHILD;
         a = cflri_tree_next(&w->tree, a), k++) {
        const cflri_value value = argument_value(w, a);
        if (value.n > 0)
            pass_through(w, a, &value, &c, slot_of(k, variadic, CFLRI_NUMBERED_ARGUMENTS));
    }
    return used ? result_through(w, e, &c) : cflri_no_value();
}

static cflri_value called_value(cflri_walk *w, uint32_t e, uint32_t callee, bool used) {
    uint32_t number = called_function(w, callee);
    if (number == CFLRI_NO_NUMBER) return indirect_call(w, e, used);
    cflri_value value;
    if (cflri_is_check(w, number)) return cflri_check_value(w, e, number);
    const char *name = text_of(w, w->names.decls.at[number].name);
    if (cflri_builtin_value(w, name, e, used, &value)) return value;
    return direct_call(w, e, number, used);
}

cflri_value cflri_call_value(cflri_walk *w, uint32_t e, bool used) {
    uint32_t callee = cflri_tree_first(&w->tree, e);
    if (callee == CFLRI_NO_CHILD) return cflri_no_value();
    const cflri_value value = called_value(w, e, callee, used);
    if (!used || cflri_expr_class(w, e) != CFLRI_TYPE_POINTER) return value;
    cflri_mention(w, e, &value);
    cflri_mention_begin(w, e, &value);
    return value;
}

/* ---- functions as values ---- */

static bool is_scalar(cflri_walk *w, CXType type) {
    cflri_type_class class = cflri_type_classify(&w->types, type);
    return class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_INTEGER || class == CFLRI_TYPE_NUMBER;
}

static bool is_record(cflri_walk *w, CXType type) {
    return cflri_type_classify(&w->types, type) == CFLRI_TYPE_RECORD;
}

/* The address of a parameter or result that is a record. */
static cflri_node own_slot(cflri_facts *facts, uint32_t function, uint32_t slot) {
    cflri_node object = facts->functions.at[function].object;
    return cflri_facts_slot(facts, cflri_facts_address(facts, object), slot);
}

/* Its own parameters, as the arguments of a call: how many. Variable arguments are one parameter,
 * whatever their numbers (varargs.c). */
static uint32_t own_arguments(cflri_walk *w, const cflri_decl *decl, uint32_t function,
                              cflri_node arguments[MOST_ARGUMENTS]) {
    cflri_facts *facts = w->facts;
    uint32_t n = facts->functions.at[function].n_parameters;
    if (n > MOST_ARGUMENTS) n = MOST_ARGUMENTS;
    for (uint32_t k = 0; k < n; k++) {
        CXType type = cflri_clang_getArgType(decl->type, k);
        arguments[k] = is_record(w, type)   ? own_slot(facts, function, k)
                       : is_scalar(w, type) ? cflri_facts_parameter(facts, function, k)
                                            : CFLRI_NO_NODE;
    }
    if (!decl->variadic) return n;
    for (; n < MOST_ARGUMENTS; n++)
        arguments[n] = cflri_facts_parameter(facts, function, CFLRI_SLOT_VARARGS);
    return n;
}

/* Calls that reach a library function through a pointer find its summary stated once, on its own
 * parameters and result. */
static void state_summary(cflri_walk *w, const cflri_decl *decl, uint32_t function) {
    cflri_facts *facts = w->facts;
    const char *name = cflri_summarised_name(w->summaries, facts, function);
    const char *marked = cflri_marked_name(w->summaries, facts, function);
    if (!name && !marked) return;
    cflri_node arguments[MOST_ARGUMENTS];
    uint32_t n = own_arguments(w, decl, function, arguments);
    CXType result = cflri_clang_getResultType(decl->type);
    bool record = is_record(w, result);
    const cflri_call self = {function, function, facts->functions.at[function].place};
    const cflri_external_call call = {
        .call = cflri_facts_call(facts, &self),
        .function = name,
        .arguments = arguments,
        .n_arguments = n,
        .result = record                 ? own_slot(facts, function, CFLRI_SLOT_RETURN)
                  : is_scalar(w, result) ? cflri_facts_return(facts, function)
                                         : CFLRI_NO_NODE,
        .record = record};
    if (name && facts->status == CFLR_OK) cflri_summary_apply(w->summaries, facts, &call);
    const cflri_marked_call own = {.function = marked,
                                   .caller = function,
                                   .place = self.place,
                                   .call = call.call,
                                   .arguments = arguments,
                                   .n_arguments = n,
                                   .result = call.result};
    if (marked && facts->status == CFLR_OK) cflri_rules_mark(w->summaries, facts, &own);
}

cflri_value cflri_function_value(cflri_walk *w, uint32_t decl) {
    cflri_decl d = w->names.decls.at[decl];
    if (cflri_is_check(w, decl)) return cflri_no_value();
    uint32_t function = cflri_decl_function(&w->names, decl);
    if (w->facts->status != CFLR_OK) return cflri_no_value();
    cflri_function_used(w, decl);
    w->facts->functions.at[function].invoked = true;
    if (!d.address_stated && !cflri_has_own_body(w, decl)) state_summary(w, &d, function);
    w->names.decls.at[decl].address_stated = true;
    cflri_value value =
        cflri_one_value(cflri_facts_address(w->facts, w->facts->functions.at[function].object));
    const cflri_alias *alias = cflri_alias_of(&w->names, decl);
    if (!alias || alias->kind != CFLRI_ALIAS_CHOSEN) return value;
    const cflri_value chosen = cflri_chosen_value(w, alias); /* its address may be that */
    if (chosen.n) value.at[value.n++] = chosen.at[0];
    return value;
}
