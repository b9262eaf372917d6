/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary.c: the language of summaries, and what applying one states.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summary_support.h"

/* ---- every effect of the language ---- */

static const struct {
    const char *text;   /* the summary of `f` */
    const char *expect; /* the facts, as summary_support.h writes them */
} effects[] = {
    {"f: none", "none"},
    {"f: ret = arg0", "ret = arg0"},
    {"f: ret = arg0; ret = arg3", "ret = arg0; ret = arg3"},
    {"f: ret = *arg0", "ret = *arg0"},
    {"f: ret = **arg1", "ret = **arg1"},
    {"f: *arg1 = arg0", "*arg1 = arg0"},
    {"f: **arg1 = *arg0", "**arg1 = *arg0"},
    {"f: *ret = arg0", "*ret = arg0"},
    {"f: ret = new", "ret = &f()#0"},
    {"f: ret = new; *ret = new", "ret = &f()#0; *ret = &f()#1"},
    {"f: *arg0 = new; **arg0 = arg1; ret = *arg0", "*arg0 = &f()#0; **arg0 = arg1; ret = *arg0"},
    {"f: *new = arg0", "f()#0 = arg0"},
    {"f: ret = new:a; *ret = new; *new:a = arg0; ret = new:b; cell:x = new : b",
     "ret = &f()#0; *ret = &f()#1; f()#0 = arg0; ret = &f()#2; cell:x = &f()#2"},
    {"g: ret = new:a\nf: ret = new; ret = new:a", "ret = &f()#0; ret = &f()#1"},
    {"f: ret = static", "ret = &static:f"},
    {"f: ret = static:tm", "ret = &static:tm"},
    {"f: *static = static:text; ret = static", "static:f = &static:text; ret = &static:f"},
    {"f: ret = *static", "ret = static:f"},
    {"f: cell:x = arg0; ret = cell:x", "cell:x = arg0; ret = cell:x"},
    {"f: *cell:x = arg0", "*cell:x = arg0"},
    {"f: ret = cell:x; ret = cell:y", "ret = cell:x; ret = cell:y"},
    {"f: global:environ = arg0; ret = *global:environ", "environ = arg0; ret = *environ"},
    {"member m 8\nf: arg0->m = arg1; ret = arg2->m", "*(arg0+8) = arg1; ret = *(arg2+8)"},
    {"member z 0\nf: arg0->z = arg1", "*arg0 = arg1"},
    {"member m 8\nf: ret = *arg0->m", "ret = **(arg0+8)"},
    {"member m 8\nf: ret = (*arg0)->m", "ret = *(*arg0+8)"},
    {"member m 8\nmember n 4\nf: ret = arg0->m->n", "ret = *(*(arg0+8)+4)"},
    {"member m 8\nf: static->m = arg0", "*(&static:f+8) = arg0"},
    {"f: ret = ((arg0))", "ret = arg0"},
    {"member m 8\nf: ret = &arg0->m", "ret = (arg0+8)"},
    {"member m 8\nmember n 4\nf: ret = &(*arg0)->m->n", "ret = (*(*arg0+8)+4)"},
    {"member m 8\nf: call arg0(&arg1->m)", "*arg0:0 = (arg1+8)"},
    {"member z 0\nf: ret = &arg0->z", "ret = arg0"},
    {"member m 16.8\nf: ret = arg0->m; ret = &arg0->m",
     "ret = *((arg0+16)+8); ret = ((arg0+16)+8)"},
    {"member m 16.0.4\nf: arg0->m = arg1", "*((arg0+16)+4) = arg1"},
    {"f: call arg0()", "none"},
    {"f: call arg1(arg0)", "*arg1:0 = arg0"},
    {"f: call arg0(_, arg1, *arg2)", "*arg0:1 = arg1; *arg0:2 = *arg2"},
    {"f: ret = call arg0(arg1)", "*arg0:0 = arg1; ret = *arg0:ret"},
    {"f: cell:t = call arg2(arg3)", "*arg2:0 = arg3; cell:t = *arg2:ret"},
    {"member h 0\nf: call arg1->h(static:info)", "**arg1:0 = &static:info"},
    {"f: ret = call *arg0(new)", "**arg0:0 = &f()#0; ret = **arg0:ret"},
    {"f: copy arg0 arg1", "copy arg0 arg1"},
    {"f: copy arg0 arg1; ret = arg0", "copy arg0 arg1; ret = arg0"},
    {"f: copy ret arg0", "copy ret arg0"},
    {"f: copy arg1 outside", "copy arg1 outside"},
    {"f: copy outside arg0", "copy outside arg0"},
    {"f: ret = &global:v", "ret = &v"},
    {"member m 8\nf: (&global:v)->m = arg0", "*(&v+8) = arg0"},
    {"f: ret = function:g\ng: *arg1 = arg0; ret = new",
     "ret = &g; **&g:1 = *&g:0; *&g:ret = &g()#0"},
    {"f: ret = function:g; *arg0 = function:g\ng: none", "ret = &g; *arg0 = &g"},
    {"f: ret = call function:g(arg1)\ng: ret = arg0",
     "*&g:0 = arg1; ret = *&g:ret; *&g:ret = *&g:0"},
    {"f: ret = function:g\ng: ret = function:h\nh: ret = function:g",
     "ret = &g; *&g:ret = &h; *&h:ret = &g"},
    {"f: cell:c[arg0] = arg1", "cell:c = cell:c[]; cell:c[] = arg1"},
    {"f: ret = cell:c[arg0]", "ret = cell:c"},
    {"f: *cell:c[arg0] = arg1", "*cell:c = arg1"},
    {"f: *arg9... = new", "*arg9 = &f()#0; *arg10 = &f()#0; *arg11 = &f()#0"},
    {"f: ret = arg10...; ret = arg0", "ret = arg10; ret = arg11; ret = arg0"},
    {"f: call arg0(arg10...)", "*arg0:0 = arg10; *arg0:0 = arg11"},
    {"f: *arg10... = *arg10...", "none"},
    {"f: ret = arg12", "none"}, /* there is no such argument */
    {"f: *arg12 = arg0; ret = arg1", "ret = arg1"},
    /* how entries may be written */
    {"f g: ret = arg0", "ret = arg0"},
    {"g f:ret=arg0;ret=arg1", "ret = arg0; ret = arg1"},
    {"# a\n\n   # b\nf: ret = arg0 # c: d; e", "ret = arg0"},
    {"f:\n  ret = arg0; # first\n\tret = arg1\n", "ret = arg0; ret = arg1"},
    {"e\n  f\n  g: ret = arg0", "ret = arg0"},
    {"f: ret = arg0\r\ng: none\r\n", "ret = arg0"},
    {"f: ret = arg0->m\nmember m 16 # below its use", "ret = *(arg0+16)"},
    {"f*: ret = arg1", "ret = arg1"},
    {"f: ret = arg0\nf_*: none\ng*: none", "ret = arg0"},
    {"f*: none\nf: ret = arg0", "ret = arg0"},
    {NULL, NULL},
};

Test(summary, every_effect) {
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    for (size_t i = 0; effects[i].expect; i++) {
        char text[1024];
        cflri_summaries *summaries = read_text(context, effects[i].text);
        write_effects(summaries, "f", text, sizeof text);
        cr_expect_str_eq(text, effects[i].expect, "%s: got %s", effects[i].text, text);
        cflri_summaries_free(summaries);
    }
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

Test(summary, field_insensitive_members_are_their_object) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_INSENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "member m 8\nf: arg0->m = arg1->m");
    cflri_external_call call = fixture_external(&f, "f");
    char text[256];
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_str_eq(write_assigns(&f.facts, 0, text, sizeof text), "*arg0 = *arg1");
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

Test(summary, facts_are_tagged_with_call_and_summary) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(
        f.context, "f: ret = new; *arg0 = static; cell:x = call arg1(arg2); copy arg3 arg4");
    fixture_call(&f, 3);
    cflri_external_call call = fixture_external(&f, "f");
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_eq(f.facts.assigns.n, 7);
    for (size_t i = 0; i < f.facts.assigns.n; i++) {
        cr_expect_eq(f.facts.assigns.at[i].call, 1);
        cr_expect_eq(f.facts.assigns.at[i].flow, CFLRI_FLOW_ASSIGN);
        cr_expect(f.facts.assigns.at[i].summary);
    }
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

/* ---- what is missing at a call ---- */

Test(summary, missing_arguments_and_results_end_their_effects_only) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries =
        read_text(f.context,
                  "f: ret = new; *ret = arg0; *arg0 = arg1; cell:x = arg0; call arg1(arg0, arg2)\n"
                  "g: ret = call arg0(arg2); copy arg0 arg1; copy arg2 arg0");
    cflri_external_call call = fixture_external(&f, "f");
    char text[256];
    size_t nodes = f.facts.nodes.n;

    call.result = CFLRI_NO_NODE;
    call.n_arguments = 0;
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_str_eq(write_assigns(&f.facts, 0, text, sizeof text), "none");
    cr_expect_eq(f.facts.nodes.n, nodes + 1, "only the cell, and no object without a reader");

    f.argument[1] = CFLRI_NO_NODE;
    call.n_arguments = 3;
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_str_eq(write_assigns(&f.facts, 0, text, sizeof text), "cell:x = arg0");

    size_t first = f.facts.assigns.n;
    call.function = "g";
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_str_eq(write_assigns(&f.facts, first, text, sizeof text),
                     "*arg0:0 = arg2; copied = arg0; copy = arg2; *copy = *copied");
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

Test(summary, without_a_summary_nothing_happens) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "f: cell:g = arg0\nmember h 0\nabc_*: none");
    size_t nodes = f.facts.nodes.n;
    /* g names a cell and h a member; neither is a function. */
    const char *unknown[] = {"g", "h", "ff", "", "abc", "F"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        cflri_external_call call = fixture_external(&f, unknown[i]);
        cr_expect_not(cflri_summaries_have(summaries, unknown[i]), "%s", unknown[i]);
        cr_expect_not(cflri_summary_apply(summaries, &f.facts, &call), "%s", unknown[i]);
    }
    cr_expect_eq(f.facts.nodes.n, nodes);
    cr_expect_eq(f.facts.assigns.n, 0);
    cr_expect(cflri_summaries_have(summaries, "f"));
    cr_expect(cflri_summaries_have(summaries, "abc_"));
    cr_expect(cflri_summaries_have(summaries, "abc_def"));
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

Test(summary, copies_without_types_go_by_any_offset) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "f: copy arg0 arg2");
    cflri_external_call call = fixture_external(&f, "f");
    char text[256];
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_str_eq(write_assigns(&f.facts, 0, text, sizeof text),
                     "copied = arg2; copy = arg0; *copy = *copied");
    unsigned smeared = 0;
    for (size_t i = 0; i < f.facts.nodes.n; i++) {
        const cflri_node_record *node = &f.facts.nodes.at[i];
        smeared += node->kind == CFLR_VERTEX_UNKNOWN && node->smeared;
    }
    cr_expect_eq(smeared, 2);
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

/* ---- objects ---- */

/* The key of the object that `malloc` at this line of this caller gives. */
static const char *object_key(fixture *f, const cflri_summaries *summaries, const char *function,
                              const char *caller, uint32_t line) {
    f->caller = cflri_facts_function(&f->facts, caller, caller, NULL);
    cflri_external_call call = {
        .call = fixture_call(f, line), .function = function, .result = f->result};
    size_t first = f->facts.assigns.n;
    cr_assert(cflri_summary_apply(summaries, &f->facts, &call));
    cr_assert_eq(f->facts.assigns.n, first + 1);
    const cflri_node_record *value = &f->facts.nodes.at[f->facts.assigns.at[first].from];
    const cflri_node_record *object = &f->facts.nodes.at[value->base];
    cr_expect_eq(object->kind, CFLR_VERTEX_ALLOCATION);
    cr_expect_eq(object->function, f->caller, "the object belongs to its caller");
    cr_expect_eq(object->place.line, line);
    char name[64];
    snprintf(name, sizeof name, "%s()", function);
    cr_expect_str_eq(cflri_string(&f->facts.strings, object->name), name);
    return cflri_string(&f->facts.strings, object->key);
}

Test(summary, new_objects_differ_by_place_caller_function_and_ordinal) {
    fixture f, other;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    fixture_open(&other, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "malloc calloc: ret = new");
    const char *key = object_key(&f, summaries, "malloc", "a", 7);
    cr_expect_str_neq(object_key(&f, summaries, "malloc", "a", 8), key, "another place");
    cr_expect_str_neq(object_key(&f, summaries, "malloc", "b", 7), key, "another caller");
    cr_expect_str_neq(object_key(&f, summaries, "calloc", "a", 7), key, "another function");
    const char *first = object_key(&f, summaries, "malloc", "a", 9);
    const char *second = object_key(&f, summaries, "malloc", "a", 9);
    cr_expect_str_neq(first, second, "a macro calls it twice");

    /* Another unit that has numbered its strings, functions and calls differently. */
    for (uint32_t i = 0; i < 5; i++) fixture_call(&other, i);
    object_key(&other, summaries, "calloc", "z", 99);
    cr_expect_str_eq(object_key(&other, summaries, "malloc", "a", 7), key, "the same in each unit");
    object_key(&other, summaries, "calloc", "z", 99);
    cr_expect_str_eq(object_key(&other, summaries, "malloc", "a", 9), first);
    cr_expect_str_eq(object_key(&other, summaries, "malloc", "a", 9), second);
    cflri_summaries_free(summaries);
    fixture_close(&other);
    fixture_close(&f);
}

Test(summary, one_call_has_one_object_however_often_it_is_applied) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "malloc: ret = new");
    cflri_external_call call = fixture_external(&f, "malloc");
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_eq(f.facts.assigns.at[0].from, f.facts.assigns.at[1].from);
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

Test(summary, static_objects_belong_to_their_function_or_name) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_summaries *summaries = read_text(f.context, "f g: ret = static; ret = static:shared");
    const char *functions[] = {"f", "g", "f"};
    char text[256];
    for (size_t i = 0; i < 3; i++) {
        cflri_external_call call = fixture_external(&f, functions[i]);
        cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    }
    cr_expect_str_eq(write_assigns(&f.facts, 0, text, sizeof text),
                     "ret = &static:f; ret = &static:shared; ret = &static:g; "
                     "ret = &static:shared; ret = &static:f; ret = &static:shared");
    cr_expect_eq(f.facts.assigns.at[0].from, f.facts.assigns.at[4].from);
    cr_expect_eq(f.facts.assigns.at[1].from, f.facts.assigns.at[3].from);
    cr_expect_neq(f.facts.assigns.at[0].from, f.facts.assigns.at[2].from);
    uint32_t object = f.facts.nodes.at[f.facts.assigns.at[0].from].base;
    cr_expect_eq(f.facts.nodes.at[object].kind, CFLR_VERTEX_VARIABLE);
    cr_expect_eq(f.facts.nodes.at[object].function, 0, "no caller owns it, so clones share it");
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

Test(summary, globals_are_the_variables_of_the_program) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE, .carrier = CFLRI_CARRIES_POINTER};
    cflri_node optarg_node = cflri_facts_root(&f.facts, "optarg", &record, false);
    cflri_summaries *summaries = read_text(f.context, "getopt: global:optarg = *arg1");
    cflri_external_call call = fixture_external(&f, "getopt");
    cr_assert(cflri_summary_apply(summaries, &f.facts, &call));
    cr_expect_eq(f.facts.assigns.at[0].to, optarg_node);
    cflri_summaries_free(summaries);
    fixture_close(&f);
}

/* ---- mistakes in texts ---- */

static const struct {
    const char *text;
    uint32_t line, column;
    const char *message; /* a part of it */
} mistakes[] = {
    {"f", 1, 2, "name of a function before the end of the entry"},
    {"f ret = arg0", 1, 7, "name of a function, found '='"},
    {": none", 1, 1, "name of a function, found ':'"},
    {"f:", 1, 3, "expected a value"},
    {"f: nothing", 1, 4, "expected a value"},
    {"f: none; ret = arg0", 1, 8, "';' or the end of the entry, found ';'"},
    {"f: ret = arg0 arg1", 1, 15, "';' or the end of the entry, found 'arg1'"},
    {"f: ret = arg0;", 1, 15, "expected a value"},
    {"f: ret", 1, 7, "expected '='"},
    {"f: ret = ", 1, 10, "expected a value"},
    {"f: arg0 = arg1", 1, 4, "nothing can be stored here"},
    {"f: new = arg1", 1, 4, "nothing can be stored here"},
    {"f: static:x = arg1", 1, 4, "nothing can be stored here"},
    {"f: ret = arg", 1, 10, "found 'arg'"},
    {"f: ret = argument", 1, 10, "'argument': an argument is arg0 to arg63"},
    {"f: ret = arg64", 1, 10, "'arg64': an argument is arg0 to arg63"},
    {"f: ret = arg99999999999", 1, 10, "an argument is arg0"},
    {"variable v: ret = arg0", 1, 19, "'arg0': a variable has no arguments"},
    {"variable v: cell:x = new; ret = cell:y[arg1]", 1, 40, "'arg1': a variable has no arguments"},
    {"f: ret = cell", 1, 14, "':' and a name"},
    {"f: ret = cell:", 1, 15, "a name before the end"},
    {"f: ret = global:=", 1, 17, "a name, found '='"},
    {"f: ret = static:", 1, 17, "a name before the end"},
    {"f: ret = arg0->m", 1, 16, "no entry 'member m OFFSET'"},
    {"f: ret = arg0->", 1, 16, "a member before the end"},
    {"f: ret = *********arg0", 1, 23, "more than 8 steps"},
    {"f: ret = (((((((((arg0)))))))))", 1, 19, "too many parentheses"},
    {"f: ret = (arg0", 1, 15, "')' before the end"},
    {"f: call arg0", 1, 13, "'(' and the arguments"},
    {"f: call arg0(", 1, 14, "expected a value"},
    {"f: call arg0(arg1", 1, 18, "',' or ')'"},
    {"f: call arg0(arg1,)", 1, 19, "expected a value"},
    {"f: call _(arg1)", 1, 9, "found '_'"},
    {"f: ret = &arg0", 1, 15, "'->' and a member after '&'"},
    {"member m 8\nf: &arg0->m = arg1", 2, 4, "nothing can be stored here"},
    {"f: ret = &*arg0", 1, 11, "expected a value"},
    {"f: copy arg0", 1, 13, "expected a value"},
    {"f: copy outside outside", 1, 17, "expected a value"},
    {"f: noreturn unless", 1, 19, "expected an argument, from arg0 to arg31"},
    {"f: noreturn unless arg32", 1, 20, "expected an argument, from arg0 to arg31"},
    {"f: noreturn unless arg0 x", 1, 25, "expected an argument, from arg0 to arg31"},
    {"f: noreturn ret = arg0", 1, 13, "expected ';' or the end of the entry"},
    {"variable v: noreturn", 1, 21, "expected what a variable holds"},
    {"f: copy outside ret", 1, 17, "copy takes two arguments"},
    {"f: copy arg0 ret", 1, 14, "copy takes two arguments"},
    {"f: copy *ret arg0", 1, 9, "copy takes two arguments"},
    {"f: ret = function", 1, 18, "expected ':' and a name"},
    {"f: ret = &cell:x", 1, 17, "expected '->' and a member after '&'"},
    {"f: ret = cell:x[ret]", 1, 17, "the key of a cell is an argument"},
    {"f: ret = cell:x[arg1...]", 1, 17, "the key of a cell is an argument"},
    {"f: ret = cell:x[arg1", 1, 21, "expected ']'"},
    {"f: &global:x = arg0", 1, 4, "nothing can be stored here"},
    {"f: function:g = arg0", 1, 4, "nothing can be stored here"},
    {"f: copy arg0 *arg1", 1, 14, "copy takes two arguments"},
    {"f: copy arg0... arg1", 1, 9, "copy takes two arguments"},
    {"f: data arg0 = arg1", 1, 9, "nothing can be stored here"},
    {"f: data ret arg1", 1, 13, "expected '='"},
    {"f: data ret = null", 1, 15, "expected a value"},
    {"f: data ret = nonnull arg0", 1, 15, "expected a value"},
    {"f: ret = nonnull", 1, 17, "expected a value"},
    {"f: ret = nonnull null", 1, 18, "expected a value"},
    {"f: nonnull ret = arg0", 1, 4, "expected a value"},
    {"f: data copy arg0 arg1", 1, 9, "expected a value"},
    {"f: ret = *null", 1, 11, "expected a value"},
    {"f: null = arg0", 1, 4, "expected a value"},
    {"f: *arg1... = arg2...", 1, 15, "repeats for one 'argN...' only"},
    {"f: none\nf: none", 2, 1, "'f' has a summary already"},
    {"f g f: none", 1, 5, "'f' has a summary already"},
    {"f: none\n\n# x\ng h f: none", 4, 5, "'f' has a summary already"},
    {"f*: none\nf: none\nf*: none", 3, 1, "'f*' has a summary already"},
    {"f\n  g\n  = none", 3, 3, "name of a function, found '='"},
    {"f: ret = arg0;\n   ret = # nothing\n   ;", 3, 4, "expected a value"},
    {"member", 1, 7, "the name of a member before the end"},
    {"member m", 1, 9, "an offset in bytes before the end"},
    {"member m x", 1, 10, "an offset in bytes, found 'x'"},
    {"member m -8", 1, 10, "an offset in bytes, found '-'"},
    {"member m 9999999999", 1, 10, "an offset in bytes"},
    {"member m 8.", 1, 12, "an offset in bytes before the end"},
    {"f: ret = new:", 1, 14, "expected a name"},
    {"f: *new:a = new:b; *new:c = new:d; *new:e = new:f; *new:g = new:h; *new:i = arg0", 1, 74,
     "more than 8 names of objects"},
    {"member m 8.1.2.3", 1, 16, "more than 3 offsets"},
    {"member m 8 9", 1, 12, "the end of the entry, found '9'"},
    {"member m 8\nmember m 8", 2, 8, "'m' is there already"},
    {"f: ret = $", 1, 10, "found '$'"},
    {NULL, 0, 0, NULL},
};

Test(summary, mistakes_are_told_with_their_place) {
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    for (size_t i = 0; mistakes[i].text; i++) {
        const cflri_embedded texts[] = {{"test", mistakes[i].text}, {NULL, NULL}};
        void *something = context; /* must not be left in place */
        cflri_summaries *summaries = something;
        cflr_error error = {0};
        cflr_status st = cflri_summaries_read(context, texts, NULL, 0, &summaries, &error);
        cr_expect_eq(st, CFLR_SYNTAX, "%s", mistakes[i].text);
        cr_expect_null(summaries);
        cr_expect_str_eq(error.subject, "test.txt");
        cr_expect(error.line == mistakes[i].line && error.column == mistakes[i].column,
                  "%s: place %u:%u, expected %u:%u", mistakes[i].text, error.line, error.column,
                  mistakes[i].line, mistakes[i].column);
        cr_expect(strstr(error.message, mistakes[i].message), "%s: message: %s", mistakes[i].text,
                  error.message);
    }
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

/* Any byte at any place of a good text: an error or not, but no crash and nothing lost. */
Test(summary, damaged_texts_do_no_harm) {
    const char *good =
        "member m 8 # x\nf g*: ret = arg0->m; *arg1... = new;\n  copy arg0 arg1\n"
        "h: cell:t = call *arg2(_, (static:s)); global:e = static\n";
    const char bytes[] = "\n \t:;=*()-#_.0am\x01\xff";
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    size_t refused = 0, length = strlen(good);
    for (size_t at = 0; at < length; at++) {
        for (size_t b = 0; b < sizeof bytes; b++) {
            char text[512];
            memcpy(text, good, length + 1);
            text[at] = bytes[b]; /* the last one cuts the text off */
            const cflri_embedded texts[] = {{"test", text}, {NULL, NULL}};
            cflri_summaries *summaries;
            cflr_error error = {0};
            cflr_status st = cflri_summaries_read(context, texts, NULL, 0, &summaries, &error);
            cr_assert(st == CFLR_OK || (st == CFLR_SYNTAX && error.line > 0 && error.column > 0));
            refused += st != CFLR_OK;
            cflri_summaries_free(summaries);
            cr_assert_eq(cflr_context_memory(context), 0);
        }
    }
    cr_expect_gt(refused, length);
    cflr_context_free(context);
}

/* ---- memory ---- */

typedef struct failing {
    long left; /* allocations that still succeed */
    long blocks;
} failing;

static void *failing_allocate(void *user, size_t size) {
    failing *f = user;
    if (f->left-- <= 0) return NULL;
    f->blocks++;
    return malloc(size);
}

static void *failing_reallocate(void *user, void *block, size_t size) {
    failing *f = user;
    if (f->left-- <= 0) return NULL;
    f->blocks += block == NULL;
    return realloc(block, size);
}

static void failing_release(void *user, void *block) {
    failing *f = user;
    f->blocks -= block != NULL;
    free(block);
}

static const char swept_text[] =
    "member m 8\nf g h: ret = new; arg0->m = static; *arg1... = cell:x\n"
    "k: global:e = call arg0(arg1, new); copy arg2 arg3\n"
    "l: ret = function:m; cell:c[arg0] = &global:e; ret = cell:c[arg1]\nm: ret = arg1";

/* Reads summaries and applies them; CFLR_OK when nothing was refused. */
static cflr_status read_and_apply(cflr_context *context) {
    cflr_status st = CFLR_OK;
    const cflri_embedded texts[] = {{"test", swept_text}, {NULL, NULL}};
    cflri_summaries *summaries = NULL;
    cflri_facts facts = {0};
    cflr_error error = {0};
    CFLR_TRY(cflri_summaries_read(context, texts, NULL, 0, &summaries, &error));
    CFLR_TRY(cflri_facts_init(&facts, context, CFLR_FIELDS_SENSITIVE, &error));
    cflri_call place = {.place = {.line = 1, .offset = 1}};
    cflri_node nodes[5];
    for (uint32_t k = 0; k < 5; k++) {
        char name[8];
        snprintf(name, sizeof name, "v%u", k);
        nodes[k] = cflri_facts_root(&facts, name, &(cflri_node_record){0}, true);
    }
    cflri_external_call call = {.call = cflri_facts_call(&facts, &place),
                                .arguments = nodes,
                                .n_arguments = 4,
                                .result = nodes[4]};
    const char *functions[] = {"f", "g", "h", "k", "l"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        call.function = functions[i];
        cr_assert(cflri_summary_apply(summaries, &facts, &call), "there is one, memory or not");
    }
    st = facts.status;
out:
    cflri_facts_free(&facts);
    cflri_summaries_free(summaries);
    return st;
}

Test(summary, every_failing_allocation_is_survived) {
    long failures = 0;
    for (long allowed = 0;; allowed++) {
        failing f = {.left = 1000000};
        cflr_allocator allocator = {&f, failing_allocate, failing_reallocate, failing_release};
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.allocator = &allocator;
        cflr_context *context;
        cr_assert_eq(cflr_context_new(&opts, &context, NULL), CFLR_OK);
        f.left = allowed;
        cflr_status st = read_and_apply(context);
        cr_assert(st == CFLR_OK || st == CFLR_NO_MEMORY, "%d after %ld", (int)st, allowed);
        cr_assert_eq(cflr_context_memory(context), 0);
        cflr_context_free(context);
        cr_assert_eq(f.blocks, 0, "lost a block after %ld", allowed);
        if (st == CFLR_OK) break;
        failures++;
    }
    cr_expect_gt(failures, 20);
}

/* ---- threads ---- */

Test(summary, threads_share_the_summaries) {
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    cflri_summaries *summaries = read_text(context, "f: ret = new; *arg1 = static; call arg0(ret)");
    int same = 0;
#pragma omp parallel for num_threads(8) reduction(+ : same)
    for (int i = 0; i < 64; i++) {
        char text[256];
        write_effects(summaries, "f", text, sizeof text);
        same += strcmp(text, "ret = &f()#0; *arg1 = &static:f; *arg0:0 = ret") == 0;
    }
    cr_expect_eq(same, 64);
    cflri_summaries_free(summaries);
    cflr_context_free(context);
}
