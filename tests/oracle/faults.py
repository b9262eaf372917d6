#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every handler of the front end under watch?

    faults.py --build DIR [NAME...]
    faults.py --places              only looks whether the places of all faults are still in the
                                    source

Takes the handlers of C constructs out, one by one: a copy of the sources is changed in one place,
the command is built again, and analyses the oracle's programs until one of them notices, those of
the dials that are about the construct first. A row says which program it was. A fault whose place
is no longer in the source, that does not compile, or that no program notices is an error.

Each program is instrumented and run once, whatever the number of faults that it is for. The copy is
built once, and of it only what a fault changes again, so faults of one file follow each other; it
is built to compile fast.
"""
import argparse
import contextlib
import dataclasses
import glob
import os
import shutil
import sys
import tempfile

import generate
import run

ROOT = os.path.dirname(os.path.dirname(run.HERE))
SEEDS = 12  # programs of a dial
LIBRARIES, SUITES = "libraries", "suites"  # instead of dials: what is in these folders
FAST = "-O1 -DNDEBUG"  # of what compiles and runs in the least time
BUILD_LIMIT = 600  # seconds


@dataclasses.dataclass
class Fault:
    """`old` in frontend/FILE becomes `new`; `dials` are about it, or LIBRARIES or SUITES, and it
    matters at these levels."""
    name: str
    file: str
    old: str
    new: str
    dials: str
    levels: tuple = ("fields", "flat")


FAULTS = [
    Fault("assignment", "walk/operator.c",
          "    cflri_flow_into(w, changes(w, left, right, &value, &place) ? &in_place : "
          "&cflri_plain_flow,\n                    &stored, &place);\n",
          "    (void)changes;\n    (void)stored;\n", "assignment"),
    Fault("initialiser of a variable", "walk/stmt.c",
          "    cflri_init_place(w, &place, initialiser);",
          "    cflri_expr_effects(w, initialiser);\n    (void)place;", "assignment"),
    Fault("designators", "walk/memory/init.c", "    frame->index = field->position;\n", "",
          "designators"),
    Fault("braces left out", "walk/memory/init.c",
          "            advance(top(w));\n            return;\n",
          "            return;\n", "elided_braces"),
    Fault("members", "walk/memory/member.c", "field->anonymous ? 0 : field->offset",
          "0 * field->offset", "members"),
    Fault("members of anonymous records", "walk/names/types.c",
          "types->records.at[l->record].start + cflri_layout_next(", "cflri_layout_next(",
          "nested_members"),
    Fault("members of anonymous records with bit-fields", "walk/names/types.c",
          "    if (cflri_clang_equalCursors(record, named)) {", "    if (true) {",
          "nested_members"),
    Fault("dereference as a place", "walk/operator.c",
          "if (operand != CFLRI_NO_CHILD) place.nodes = cflri_expr_value(w, operand);", "",
          "deref_store"),
    Fault("subscripts", "walk/memory/element.c",
          "    place.nodes = address_in_array(w, e, taken || row);\n",
          "    cflri_expr_effects_within(w, e);\n", "pointer_array"),
    Fault("index before the brackets", "walk/memory/element.c", "swapped ? right : left;", "left;",
          "pointer_array,pointer_arithmetic"),
    Fault("address-of", "walk/operator.c",
          "    cflri_value value = cflri_place_address(w, &place);\n",
          "    cflri_value value = cflri_no_value();\n    (void)place;\n", "address_of"),
    Fault("conditional, second arm", "walk/operator.c",
          "            return cflri_join(w, e, &value, &last);", "            return value;",
          "conditional,selections"),
    Fault("conditional, first arm", "walk/operator.c",
          "            value = cflri_join(w, e, &value, &arm);\n", "", "conditional,selections"),
    Fault("a ?: b", "walk/unnamed.c", "    return cflri_join(w, e, &kept, &other);",
          "    (void)other;\n    return kept;", "conditional"),
    Fault("a ?: b as a test", "walk/unnamed.c", "    cflri_flow_value(w, &shown, value, kept);\n",
          "    (void)shown;\n", "conditional", ("data",)),
    Fault("a ?: b as a condition", "walk/order/conditions.c",
          "return parts_of(CFLRI_CONDITION_OR, cflri_tree_first(&w->tree, e),",
          "return parts_of(CFLRI_CONDITION_AND, cflri_tree_first(&w->tree, e),", "conditional",
          ("data",)),
    Fault("functions that return at their end", "walk/order/control.c",
          "    c->blocks.at[c->current].returns = true;\n", "", "endings", ("data",)),
    Fault("functions that return before their end", "walk/order/control.c",
          "            control_of(w)->blocks.at[control_of(w)->current].returns = true;\n", "",
          "endings", ("data",)),
    Fault("records that come in as bytes", "walk/call.c",
          "        cflri_flow_leaves(w, &x->tag, &others, &x->values[k], type, in);\n", "",
          "through_bytes"),
    Fault("pointers that come in as bytes", "walk/call.c",
          "    flow_between(x, &others, &contents, in);\n}\n\n/* ---- arguments ---- */",
          "    (void)contents;\n}\n", "through_bytes"),
    Fault("comma", "walk/operator.c", "if (kind == CXBinaryOperator_Comma) return RIGHT;",
          "if (kind == CXBinaryOperator_Comma) return NEITHER;", "comma_and_block"),
    Fault("statement expressions", "walk/expr.c",
          "return compound == CFLRI_NO_CHILD ? cflri_no_value() : cflri_stmt_value(w, compound, "
          "used);",
          "if (compound != CFLRI_NO_CHILD) cflri_stmt_value(w, compound, used);\n"
          "    return cflri_no_value();",
          "comma_and_block"),
    Fault("pointer arithmetic", "walk/operator.c", "class == CFLRI_TYPE_POINTER ? POINTER : BOTH",
          "class == CFLRI_TYPE_POINTER ? NEITHER : BOTH", "pointer_arithmetic"),
    Fault("increments", "walk/operator.c",
          "    if (!back || class != CFLRI_TYPE_POINTER) return cflri_expr_value(w, operand);\n",
          "    if (!back || class != CFLRI_TYPE_POINTER) return cflri_no_value();\n",
          "side_effects"),
    Fault("pointers in integers", "walk/memory/cast.c",
          "        default:\n            turn(w, e, operand);\n"
          "            return converted_integer(w, operand);",
          "        default:\n            (void)converted_integer;\n"
          "            cflri_expr_effects(w, operand);\n            return cflri_no_value();",
          "integers"),
    Fault("sums of integers", "walk/operator.c",
          "        case CXBinaryOperator_Xor:\n            return BOTH;",
          "        case CXBinaryOperator_Xor:\n            return NEITHER;",
          "xor_pointers,tagged_pointer"),
    Fault("shifts", "walk/operator.c",
          "            return w->facts->chosen.data_flow ? BOTH : LEFT;",
          "            return NEITHER;", "shifted"),
    Fault("casts of pointers", "walk/memory/cast.c",
          "                                          : converted_pointer(w, e, operand);",
          "                                          : (cflri_expr_effects(w, operand), "
          "cflri_no_value());",
          "casts"),
    Fault("_Generic", "walk/expr.c",
          "        value = cflri_join(w, e, &value, &part);\n    }\n    return value;\n}\n\n"
          "static cflri_value value_of_kind",
          "        (void)part;\n    }\n    return value;\n}\n\nstatic cflri_value value_of_kind",
          "selections"),
    Fault("compound literals", "walk/expr.c",
          "            return cflri_compound_literal_place(w, e);",
          "            cflri_expr_effects_within(w, e);\n            break;", "compound_literal"),
    Fault("arguments", "walk/call.c",
          "        pass(w, &tag, e, &value, cflri_facts_slot(facts, address, slot));\n",
          "        (void)cflri_facts_slot(facts, address, slot);\n", "parameters"),
    Fault("results", "walk/call.c",
          "    cflri_flow_value(w, class == CFLRI_TYPE_NUMBER ? &data : tag, &from, result);\n",
          "    (void)from;\n    (void)data;\n", "returns"),
    Fault("return", "walk/stmt.c", "    cflri_flow_into(w, &cflri_plain_flow, &value, &result);\n",
          "    (void)value;\n    (void)result;\n", "returns"),
    Fault("records as results", "walk/call.c",
          "        cflri_copy_content(w, tag, &from, &to, type);\n", "        (void)from;\n",
          "struct_value"),
    Fault("copies of records", "walk/memory/assign.c",
          "        flow(w, number ? &data : tag, follow(w, from, &leaf), follow(w, to, &leaf));",
          "        if (leaf.n_steps == 0) flow(w, number ? &data : tag, follow(w, from, &leaf), "
          "follow(w, to, &leaf));",
          "struct_assignment"),
    Fault("indirect calls, arguments", "walk/call.c",
          "            pass_through(w, a, &value, &c, slot_of(k, variadic, "
          "CFLRI_NUMBERED_ARGUMENTS));",
          "            ;", "function_variable"),
    Fault("calls by types that do not say", "graph/emit.c",
          "    CFLR_TRY(slot_edge(e, n, CFLRI_NO_SIGNATURE, from, to));\n    for", "    for",
          "old_style,varargs", ("types",)),
    Fault("functions of types that do not say", "program/callees.c",
          "if (function == CFLRI_ANY_SIGNATURE || has_type(m, function, call)) return true;",
          "if (has_type(m, function, call)) return true;", SUITES, ("types",)),
    Fault("indirect calls, results", "walk/call.c",
          "used ? result_through(w, e, &c) : cflri_no_value()",
          "cflri_no_value()", "function_variable"),
    Fault("functions as values", "walk/call.c",
          "        cflri_one_value(cflri_facts_address(w->facts, "
          "w->facts->functions.at[function].object));\n    const cflri_alias",
          "        cflri_no_value();\n    const cflri_alias", "function_table"),
    Fault("variable arguments", "walk/call.c",
          "        if (value.n == 0) continue;\n        uint32_t slot",
          "        if (value.n == 0 || (decl->variadic && k >= n_parameters)) continue;\n"
          "        uint32_t slot", "varargs"),
    Fault("va_arg", "walk/unnamed.c",
          "            return cflri_va_arg_value(w, e, cflri_tree_last(&w->tree, e));",
          "            cflri_expr_effects(w, cflri_tree_last(&w->tree, e));\n"
          "            return cflri_no_value();", "varargs"),
    Fault("atomic stores", "walk/unnamed.c", "        store(w, &value, place);\n        return;",
          "        return;", "atomics"),
    Fault("offsetof, forward", "walk/memory/container.c", ": forward(w, offset, pointer, &p)",
          ": *pointer", "container_of"),
    Fault("container_of", "walk/memory/container.c", "? back(w, offset, pointer, &p)\n",
          "? *pointer\n", "container_of,intrusive_list"),
    Fault("way back before way forward", "walk/operator.c",
          "        if (w->spine.n > base + 1) take_back_first(w);\n",
          "        (void)take_back_first;\n", "container_of"),
    Fault("copies in pieces", "walk/memory/bytes.c",
          "    if (w->accesses.n == base || w->facts->status != CFLR_OK) return;\n    left",
          "    if (w->accesses.n >= base) return;\n    left", "copy_loop,generic_swap"),
    Fault("pieces in variables", "walk/memory/bytes.c",
          "            if (stopping) value = named_variable(w, e);",
          "            break;", "generic_swap"),
    Fault("arrays in unions", "walk/memory/view.c",
          "field->type) || !steps_from_union(w, e, &steps))",
          "field->type) || steps_from_union(w, e, &steps))", "unions"),
    Fault("initialisers of arrays in unions", "walk/memory/init.c",
          "    o.shared = frame->shared;\n", "", "unions"),
    Fault("elements: what means any of them", "walk/memory/element.c",
          "        all = cflri_join(w, e, &all, &at);\n    }\n    return all;",
          "        (void)at;\n    }\n    return all;", "constant_index", ("arrays",)),
    Fault("elements: index that is not constant", "walk/memory/element.c",
          "cflri_type_count(element) : CFLRI_ANY_ELEMENT;",
          "cflri_type_count(element) : 0;", "constant_index", ("arrays",)),
    Fault("elements: address of one", "walk/memory/element.c",
          "address_in_array(w, e, taken || row);", "address_in_array(w, e, taken && row);",
          "constant_index", ("arrays",)),
    Fault("elements: address of a member of one", "walk/memory/member.c",
          "    if (kind == CXCursor_ArraySubscriptExpr) return cflri_subscript_taken(w, inner);\n",
          "", "element_address", ("arrays",)),
    Fault("elements: pointers in them are no rows", "walk/memory/element.c",
          "    } while (is_row(w, e));",
          "    } while (is_row(w, e) || cflri_tree_kind(&w->tree, e) == "
          "CXCursor_ArraySubscriptExpr);", "constant_index", ("arrays",)),
    Fault("elements: rows", "walk/memory/element.c",
          "(uint64_t)constant * cflri_type_count(element)",
          "(uint64_t)constant * (cflri_type_count(element) > 0)",
          "constant_index,constant_table", ("arrays",)),
    Fault("elements: in copies of records", "walk/names/types.c",
          "    for (uint32_t k = 0; k < elements.n; k++)\n        add",
          "    for (uint32_t k = 0; k < 1; k++)\n        add", "constant_index", ("arrays",)),
    Fault("elements: in what is behind an offsetof", "walk/memory/container.c",
          "at = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);",
          "at = cflri_element_address(w, e, &array, 0);", "constant_index", ("arrays",)),
    Fault("elements: of records that begin with them", "walk/memory/cast.c",
          "    return hides ? cflri_view_hidden(w, e, bare, &value) : value;",
          "    return value;", "element_address", ("arrays",)),
    Fault("elements: that change places", "walk/call.c", "    if (inside) from = twin(x, to);",
          "    if (inside) return;\n    (void)twin;", "element_address", ("arrays",)),
    Fault("elements: copies beyond a member", "walk/call.c", "    if (outside) { /*",
          "    if (outside && x->n == 0) { /*", "constant_index", ("arrays",)),
    Fault("elements: initialisers", "walk/memory/init.c",
          "o.first = frame->first + frame->index * cflri_type_count(type);",
          "o.first = frame->first;", "constant_table", ("arrays",)),
    Fault("elements: initialisers of rows", "walk/memory/init.c",
          "frame->index * cflri_type_count(type);", "frame->index;", "constant_table", ("arrays",)),
    Fault("elements: initialisers of ranges", "walk/memory/init.c",
          "    if (!frame->is_range && frame->first",
          "    if (frame->first", "constant_table", ("arrays",)),
    Fault("elements: arrays completed later", "walk/names/types.c",
          "        rows = MOST_ELEMENTS;\n", "        rows = 1;\n", "constant_table", ("arrays",)),
    Fault("what lies behind a record", "walk/memory/view.c",
          "    if (distance == 0) return *value;", "    if (distance < UINT32_MAX) return *value;",
          "flexible_array"),
    Fault("cleanup", "walk/names/attribute.c",
          "    if (w->names.function != 0 && cflri_attribute_in(text, \"cleanup\", argument))",
          "    if (!w && cflri_attribute_in(text, \"cleanup\", argument))", "attributes"),
    Fault("section", "walk/names/attribute.c",
          "    if (cflri_attribute_in(text, \"section\", argument)) put_in_section",
          "    if (!w && cflri_attribute_in(text, \"section\", argument)) put_in_section",
          "linker_sets"),
    Fault("ends of sections", "program/sections.c",
          "        cflri_facts_assign(facts, cflri_facts_address(facts, variable),\n"
          "                           cflri_facts_address(facts, end));\n",
          "        (void)variable;\n", "linker_sets"),
    Fault("elements of sections", "walk/memory/element.c",
          "    if (is_end_of_section(w, records)) array.elements.n = 1;\n",
          "    (void)is_end_of_section;\n", "linker_sets", ("arrays",)),
    Fault("alias", "walk/names/alias.c", "        else if (alias.kind == CFLRI_ALIAS_NAME ||",
          "        else if (alias.kind == CFLRI_ALIAS_LABEL ||", "second_names"),
    Fault("aliases by a pragma", "walk/names/alias.c", "    } else if (named && *text == '=') {",
          "    } else if (named && *text == ';') {", "second_names"),
    Fault("aliases in assembly", "walk/names/alias.c",
          "    add(w, cursor, CFLRI_ALIAS_NAME, cflri_facts_string(w->facts, name), target);\n",
          "    (void)w, (void)cursor, (void)name, (void)target;\n", "second_names"),
    Fault("weakref", "walk/names/names.c",
          "                         alias->kind == CFLRI_ALIAS_REFERENCE);",
          "                         alias->kind == CFLRI_ALIAS_PERHAPS);", "second_names"),
    Fault("asm label of a static function", "walk/names/alias.c",
          "        add(w, cursor, CFLRI_ALIAS_LABEL, name,",
          "        add(w, cursor, CFLRI_ALIAS_PERHAPS, 0 * name,", "second_names"),
    Fault("ifunc, arguments", "walk/names/alias.c",
          "        forward(w, cflri_clang_getArgType(type, k),",
          "        if (!w) forward(w, cflri_clang_getArgType(type, k),", "second_names"),
    Fault("ifunc, result", "walk/names/alias.c", "    forward(w, cflri_clang_getResultType(type),",
          "    if (!w) forward(w, cflri_clang_getResultType(type),", "second_names"),
    Fault("parameters as objects", "close.c",
          "    program->taken[node] = program->kept[node] = program->kept[parameter] = true;",
          "    program->kept[node] = program->kept[parameter] = true;", "parameter_objects"),
    Fault("library functions through pointers", "walk/call.c",
          "    if (!d.address_stated && !cflri_has_own_body(w, decl)) state_summary(",
          "    if (!w) state_summary(", "library_function_values"),
    Fault("functions that summaries call", "summaries/summary.c",
          "            flow_value(a, &arguments[k], value, content_of_slot(a, function, k));",
          "            (void)flow_value;", "search_tables,threads"),
    Fault("variables of the library", "summaries/summary.c",
          "            return value->key ? keyed_cell(a, value, stored)\n"
          "                              : shared_root(a, \"cell:\", value->number);",
          "            (void)keyed_cell;\n            (void)stored;\n"
          "            return CFLRI_NO_NODE;", "threads,strings"),
    Fault("results and stores of summaries", "summaries/summary.c",
          "            flow_value(a, &effect->source, evaluate(a, &effect->source), target);",
          "            (void)target;", "strings,heap"),
    Fault("allocations by summaries", "summaries/summary.c",
          "            return cflri_facts_address(a->facts, new_object(a, value->number));",
          "            return CFLRI_NO_NODE;", "heap"),
    Fault("copies by summaries", "summaries/summary.c",
          "        a->call->copy(a->call->user, result ? CFLRI_COPY_RESULT : "
          "effect->target.number,\n                      effect->source.number);", "        ;",
          "memory_copy"),
    Fault("versions: where branches meet", "walk/order/versions.c",
          "        if (w->facts->status != CFLR_OK) return;\n    }\n    v->all",
          "        if (w->facts->status != CFLR_OK) return;\n        break;\n    }\n    v->all",
          "control_flow,conditional_store"),
    Fault("versions: what a loop brings back", "walk/order/control.c",
          "    connect(w, control_of(w)->current, loop.head);\n", "", "control_flow,linked_list"),
    Fault("versions: what break takes along", "walk/order/control.c",
          "            jump(w, target_of(w, true));",
          "            jump(w, CFLRI_NO_BLOCK);", "control_flow"),
    Fault("versions: goto", "walk/order/control.c",
          "    jump(w, block_of_label(w, "
          "cflri_clang_getCursorReferenced(cflri_tree_cursor(&w->tree, e))));",
          "    jump(w, CFLRI_NO_BLOCK);\n    (void)e;", "control_flow"),
    Fault("versions: computed goto", "walk/order/control.c",
          "            later(w, ANYWHERE, e);\n            visit_children",
          "            visit_children", "control_flow"),
    Fault("versions: labels of switch", "walk/order/control.c",
          "            connect_case(w, cases, e, block);\n        break;",
          "            (void)connect_case;\n        break;", "control_flow"),
    Fault("versions: operands that are not always evaluated", "walk/order/control.c",
          "    connect(w, top(w)->head, block);\n    control_of(w)->frames.n--;",
          "    control_of(w)->frames.n--;", "compare_swap,conditional_store,assigned_condition"),
    Fault("locals whose address is taken", "walk/order/locals.c",
          "    if (local) local->whole = true;", "    (void)local;",
          "deep_pointer,address_of,out_parameters"),
    Fault("versions: what a test has shown", "walk/order/versions.c",
          "    cflri_facts_flow(w->facts, &shown);", "    (void)shown;",
          "conditional,linked_list,conditional_store", ("data",)),
    Fault("contexts: functions that are values", "close.c",
          "        role->entered |= role->valued;\n", "",
          "callbacks,function_variable,library_function_values", ("fields+contexts",)),
    Fault("contexts by types: what wrappers return", "contexts/clone.c",
          "        *(argument ? &to_in : &from_in) = target;",
          "        uint32_t based = contexts->base[contexts->instances.at[target].function];\n"
          "        if (argument || based == CFLRI_NO_INSTANCE) *(argument ? &to_in : &from_in) = "
          "target;",
          "wrappers", ("fields+types",)),
    Fault("contexts by types: what is given to functions that give it back", "contexts/clone.c",
          "        *(argument ? &to_in : &from_in) = target;",
          "        uint32_t based = contexts->base[contexts->instances.at[target].function];\n"
          "        if (!argument || based == CFLRI_NO_INSTANCE) *(argument ? &to_in : &from_in) = "
          "target;",
          "wrappers", ("fields+types",)),
    Fault("outside: calls functions with external names", "program/outside.c",
          "            cflri_facts_assign(facts, result ? v : program->outside, result ? "
          "program->outside : v);",
          "            if (result) cflri_facts_assign(facts, v, program->outside);", LIBRARIES,
          ("open",)),
    Fault("outside: gets their results", "program/outside.c",
          "            cflri_facts_assign(facts, result ? v : program->outside, result ? "
          "program->outside : v);",
          "            if (!result) cflri_facts_assign(facts, program->outside, v);", LIBRARIES,
          ("open",)),
    Fault("outside: variables with external names", "program/outside.c",
          "            cflri_outside_knows(program, v);\n            if", "            if",
          LIBRARIES, ("open",)),
    # types of functions
    Fault("calls by the types of functions", "graph/emit.c",
          "    for (size_t k = 0; k < by.n; k++) CFLR_TRY(slot_edge(e, n, by.signature[k], from, "
          "to));\n", "",
          "function_variable", ("types",)),
    Fault("types of functions by other names", "walk/names/signature.c",
          "    CXType type = cflri_type_plain(any);",
          "    CXType type = any;", "typedefs,function_variable", ("types",)),
    Fault("types of functions that are turned into others", "program/callees.c",
          "    return function == call || is_turned(m, function, call) ||",
          "    return function == call ||", "loose_calls", ("types",)),
    Fault("bodies of one name and different types", "program/link.c",
          "to->signature = CFLRI_ANY_SIGNATURE;", "(void)signature;", SUITES, ("types",)),
    # several programs, units linked
    Fault("scopes: names that several programs define", "program/scope.c",
          "seen = join(r, seen, r->defined[program]);",
          "seen = seen == CFLRI_NO_DEFINITION ? r->defined[program] : seen;", SUITES),
    Fault("scopes: what refers to a name", "program/scope.c",
          "        r->seen.at[r->seen.n++] = look(r, &sayings[s], false);",
          "        r->seen.at[r->seen.n++] = sayings[s].definition;", SUITES),
    Fault("scopes: libraries that nothing names", "program/scope.c",
          "        if (scopes->linked[t] && !needed[t]) reach(w, t);",
          "        (void)needed;", SUITES),
    Fault("scopes: units of several targets", "program/scope.c",
          "    m->n = unit->n_targets ? unit->n_targets : 1;", "    m->n = 1;", SUITES),
    Fault("scopes: keys of what a unit defines", "program/link.c",
          "    if (!m->scopes) return m->string[key];",
          "    if (!m->scopes || m->number % 2) return m->string[key];", SUITES),
    Fault("linking: targets of a unit", "store/parts.c",
          "    for (uint32_t k = 0; k < from->n_targets; k++) {",
          "    for (uint32_t k = 0; k < 1; k++) {", SUITES, ("linked",)),
    Fault("linking: units of all files", "store/parts.c",
          "    for (size_t i = 0; i < parts->n; i++)\n        if (!add_units",
          "    for (size_t i = 1; i < parts->n; i++)\n        if (!add_units", SUITES, ("linked",)),
    Fault("linking: members of units", "store/linkable.c", "    unit.n_targets = row.targets;\n",
          "    unit.n_targets = row.targets > 0;\n", SUITES, ("linked",)),
    Fault("linking: pointers that hide what they point to", "facts/facts_io.c",
          "                              .untyped = flags & UNTYPED,\n",
          "", "copy_loop,generic_swap", ("linked",)),
    Fault("linking: variable arguments", "facts/facts_io.c",
          "    function.variadic = flags & VARIADIC;\n", "",
          "varargs,va_list_passed,old_style", ("linked",)),
    Fault("linking: pointers that are untyped in one unit", "program/link.c",
          "    to->untyped |= from->untyped;\n", "", "copy_loop,generic_swap"),
    Fault("linking: types of what is called", "program/link.c",
          "                                           "
          "m->signature[cflri_step_signature(from->step)]);",
          "                                           cflri_step_signature(from->step));", SUITES,
          ("types",)),
    # assembly
    Fault("assembly: outputs", "walk/asm.c",
          "            cflri_flow_value(w, &cflri_plain_flow, &sources, contents.at[k]);",
          "            (void)sources;", "assembly"),
    Fault("assembly: what operands point to", "walk/asm.c",
          "        all = cflri_join(w, statement, &all, &content);\n    }\n"
          "    if (o->is_place && o->in_memory)",
          "        (void)content;\n    }\n    if (o->is_place && o->in_memory)", "assembly"),
    Fault("assembly: memory that is clobbered", "walk/asm.c", "    bool plain = !text->clobbers;",
          "    bool plain = true;", "assembly"),
    Fault("assembly: jumps", "walk/order/control.c",
          "    if (cflri_asm_may_jump(w, e)) later(w, ANYWHERE, e);\n", "", "assembly"),
    # expressions
    Fault("pointers that are only looked through", "walk/expr.c",
          "            const cflri_value pointers = cflri_expr_value(w, c);\n"
          "            cflri_bytes_accessed(w, e, &pointers);\n"
          "            cflri_followed(w, e, &pointers);",
          "            cflri_expr_effects_within(w, c);", "assignment,members"),
    Fault("offsets added in place", "walk/operator.c",
          "        const cflri_value moved = moved_by(w, e, &value, right, back);\n",
          "        const cflri_value moved = value;\n"
          "        moved_by(w, e, &value, right, back);\n", "container_of"),
    Fault("pointers less a null pointer", "walk/operator.c",
          "return from_null(w, e) ? LEFT : NEITHER;", "return from_null(w, e) ? NEITHER : NEITHER;",
          "integers"),
    Fault("integers added to pointers from them", "walk/operator.c",
          "    if (only_nulls(w, left) && !cflri_is_offsetof(w, right)) return cflri_expr_value(w, "
          "right);\n",
          "", "integers"),
    Fault("casts to unions", "walk/memory/cast.c",
          "    cflri_flow_into(w, &cflri_plain_flow, &value, &place);\n"
          "    return cflri_one_value(cflri_facts_address",
          "    (void)value;\n    (void)place;\n    return cflri_one_value(cflri_facts_address",
          "unions"),
    Fault("results through values that are records", "walk/call.c",
          "    cflri_value value = cflri_place_value(w, &slot);\n"
          "    if (slot.class != CFLRI_TYPE_RECORD)",
          "    if (slot.class == CFLRI_TYPE_RECORD) slot.nodes = cflri_no_value();\n"
          "    cflri_value value = cflri_place_value(w, &slot);\n"
          "    if (slot.class != CFLRI_TYPE_RECORD)",
          "struct_value"),
    Fault("copies by summaries: any member to any", "walk/call.c",
          "    for (uint32_t i = 0; i < into.n; i++) cflri_flow_value(x->w, &tag, &out, "
          "into.at[i]);",
          "    (void)out;", "memory_copy"),
    Fault("copies by summaries: beyond a member", "walk/call.c",
          "    return most == BEYOND || (most == PERHAPS_BEYOND && more >= POINTERS);",
          "    return most > BEYOND || (most == PERHAPS_BEYOND && more > RECORDS);", "memory_copy"),
    Fault("copies by summaries: of one content", "walk/call.c",
          "        case ONE_CONTENT:\n            copy_one_content(x, to, from, false);",
          "        case ONE_CONTENT:\n            (void)copy_one_content;", "memory_copy"),
    Fault("copies by summaries: as the source is", "walk/call.c",
          "            cflri_copy_content(w, &x->tag, &x->values[from], &x->values[to], "
          "from_type);",
          "            ;", "memory_copy"),
    Fault("records too large for their members", "walk/memory/assign.c",
          "                alias(w, tag, from->at[i], to->at[j]);", "                (void)alias;",
          "large_struct"),
    Fault("variables of files", "walk/walk.c", "        cflri_variable(w, 0);",
          "        (void)cflri_variable;", "static_initialiser"),
    Fault("braces in unions", "walk/memory/init.c", "    o.shared = frame->shared;\n",
          "    o.shared = cflri_no_value();\n", "unions", ("fields",)),
    Fault("arrays in unions, initialised", "walk/memory/init.c",
          "        frame.shared = frame.address;\n", "        (void)cflri_view_shares;\n", "unions",
          ("fields",)),
    Fault("braces around one value", "walk/memory/init.c", "            init_object(w, o, only);",
          "            cflri_expr_effects(w, only);", "local_initialiser"),
    Fault("designated members of unions", "walk/memory/init.c",
          "    if (frame->is_union) frame->n = field->position + 1;",
          "    if (frame->is_union) frame->n = 1;", "unions,designators"),
    Fault("variable arguments begin", "walk/builtin.c",
          "    flow_to_all(w, &area, &places);\n    return cflri_no_value();\n}\n\n"
          "static cflri_value copy_arguments",
          "    (void)area;\n    (void)places;\n    return cflri_no_value();\n}\n\n"
          "static cflri_value copy_arguments", "varargs"),
    Fault("variable arguments copied", "walk/builtin.c",
          "    const cflri_value area = pointer_places(w, from);\n"
          "    flow_to_all(w, &area, &places);",
          "    const cflri_value area = pointer_places(w, from);\n    (void)area;\n"
          "    (void)places;", "varargs"),
    Fault("builtins that return their argument", "walk/builtin.c",
          "    {\"expect\", first_argument},", "    {\"expect\", effects_only},", "selections"),
    Fault("numbered arguments of variable ones", "program/varargs.c",
          "        if (direct || (role->valued && found->used[k])) join(program, f, k);",
          "        (void)join;", "loose_calls"),
    Fault("variable arguments of numbered ones", "program/varargs.c",
          "        if (has_slot(program, f, k)) join(program, f, k);", "        (void)program;",
          SUITES),
    # memory
    Fault("pieces: initialisers", "walk/memory/bytes.c",
          "    const cflri_value target = variable_content(w, number);\n"
          "    state(w, &found.from, &target);",
          "    (void)number;", "copy_loop,generic_swap"),
    Fault("pieces: pointers that hide what they point to", "walk/memory/cast.c",
          "        w->facts->nodes.at[value->at[i]].untyped = true;\n", "", "copy_loop"),
    Fault("pieces: where hidden pointers go", "typing/untyped.c",
          "    cflri_flows_reach(&u->flows, n, u->closed, u->marked, u->stack);", "", "copy_loop"),
    Fault("pieces: arguments of calls through values", "typing/untyped.c",
          "if (untyped || is_open(u, n)) mark_untyped(u, n);",
          "if (untyped || (is_open && false)) mark_untyped(u, n);", "copy_loop"),
    Fault("buffers: arrays that copies fill", "typing/untyped.c",
          "    if (array)\n        mark_untyped(u, n);\n", "    if (array)\n        (void)0;\n",
          "byte_buffers"),
    Fault("moves: by types", "walk/memory/moved.c",
          "    return move_by_types(w, &s, &to) ? to : moved(w, &s);",
          "    return move_by_types && (to = *pointers, true) ? to : moved(w, &s);",
          "moved_by_numbers", ("fields",)),
    Fault("moves: by numbers that are known", "typing/moves.c",
          "            take_ways(m, &assign, (int32_t)root.step, root.strided || many);\n",
          "            (void)take_ways;\n", "moved_by_numbers,block_header", ("fields",)),
    Fault("moves: back from what is behind", "graph/emit.c",
          "    for (size_t i = 0; !e->strict && back && i < e->around.n; i++)\n"
          "        CFLR_TRY(edge(e, unknown, unknown, e->around.at[i]));\n", "",
          "moved_by_numbers", ("fields",)),
    Fault("records that are not completed", "walk/call.c",
          "            if (cflri_type_is_opaque(type)) return ANYTHING;\n", "", "opaque_records",
          ("fields",)),
    Fault("arrays seen as records", "walk/memory/view.c",
          "    if (is_spread(w, to) && is_cell(w, from)) return elements_as_record(w, e, value);\n",
          "", "array_views", ("fields",)),
    Fault("records seen as arrays", "walk/memory/view.c",
          "    if (is_spread(w, from) && is_cell(w, to)) return cflri_view_elements(w, e, value, "
          "value);\n", "", "array_views", ("fields",)),
    Fault("records seen as flatter ones", "walk/memory/view.c",
          "                unite(w, value, &one, &other);", "                (void)unite;",
          "array_views", ("fields",)),
    Fault("integers that pointers pass through", "program/integers.c",
          "        bool pointer = !s->weak[seed] || s->memory[seed];",
          "        bool pointer = false;", "integers"),
    Fault("integers in memory", "program/integers.c",
          "            s->memory[n] = owner == 0 || program->role[owner].entered;",
          "            s->memory[n] = false && owner;", "integers,xor_pointers,unions"),
    Fault("integers whose address is taken", "program/integers.c",
          "            s->memory[node->base] = true;", "            (void)node;",
          "integers,memory_copy"),
    Fault("temporaries that are read", "program/temporaries.c",
          "    for (size_t i = 0; i < facts->assigns.n; i++) read[facts->assigns.at[i].from] = "
          "true;\n", "", "container_of"),
    Fault("temporaries of copies in pieces", "program/temporaries.c",
          "    if (root != CFLRI_NO_NODE) read[root] = true;", "    (void)read;",
          "copy_loop,generic_swap"),
    Fault("cells that are filled", "program/cells.c",
          "    for (size_t i = 0; i < facts->assigns.n; i++) empty[facts->assigns.at[i].to] = "
          "false;\n", "", "strings"),
    Fault("what lies at any offset", "graph/emit.c",
          "    for (size_t i = 0; !e->strict && !back && i < e->fields.n; i++)\n"
          "        CFLR_TRY(edge(e, unknown, unknown, e->fields.at[i]));\n", "",
          "copy_loop,memory_copy,unions", ("fields",)),
    Fault("members of members as members", "graph/emit.c", "steps < MOST_STEPS && record",
          "steps < 1 && record", "array_views", ("fields",)),
    Fault("parameters that are objects", "graph/emit.c",
          "    if (e->program->taken[node->base]) CFLR_TRY(edge(e, to, from, e->alloc));\n", "",
          "parameter_objects"),
    # text
    Fault("text: pointers that callers hand over", "typing/made.c",
          "        if (is_hidden(m, n)) spread(m, n, hands);\n", "", "memory_copy,copy_loop",
          ("text",)),
    # places in memory, and types
    Fault("types: casts between records", "graph/locations.c",
          "    if (!cflri_vec_push(x->context, &x->casts, cflri_pair(to, from))) return "
          "no_memory(x);\n", "", "casts,inheritance", ("strict",)),
    Fault("places: slots of functions", "graph/locations.c",
          "    CFLR_TRY(slot_edge(x, slot, CFLRI_NO_SIGNATURE, from, to));\n", "",
          "function_variable,callbacks", ("strict",)),
    Fault("places: parameters that are objects", "graph/locations.c",
          "    if (is_own_slot(x, n)) return emit_slot_object(x, i, n);\n", "", "parameter_objects",
          ("strict",)),
    Fault("places: parts that are not told apart", "graph/locations.c",
          "    CFLR_TRY(edge(x, location, location, x->whole));\n", "",
          "arena,varargs,va_list_passed", ("strict",)),
    Fault("places: any of an object", "graph/emit.c",
          "    if (e->strict) CFLR_TRY(edge(e, unknown, unknown, e->any));\n", "",
          "copy_loop,memory_copy", ("strict",)),
    Fault("places: functions of the outside", "graph/locations.c",
          "    return st == CFLR_OK ? edge(x, begins, begins, foreign) : st;\n", "    return st;\n",
          LIBRARIES, ("strict",)),
    Fault("types: memory of a header and what is behind it", "typing/uses.c",
          "    find_shifted(x);\n    return make_flows",
          "    (void)find_shifted;\n    return make_flows", "block_header", ("strict",)),
    Fault("types: members that hold raw pointers", "typing/text.c",
          "        CFLR_TRY(reach_cell(s, place, how));\n", "        (void)reach_cell;\n",
          "bytes_in_memory", ("strict",)),
    Fault("types: raw pointers that a char ** leads to", "typing/kept.c",
          "    if (shared) *found = (cflri_cell){CFLRI_CLASS_POINTER, 0, n};\n", "",
          "bytes_in_memory", ("strict",)),
    Fault("types: characters followed as something else", "typing/text.c",
          "        if (is_followed_as_other(s, n)) CFLR_TRY(reach(s, record(s, n)->base, BACK | "
          "NEAR));\n", "        (void)is_followed_as_other;\n", "bytes_in_memory", ("strict",)),
    Fault("types: casts at a member", "graph/locations.c",
          "n < x->facts->nodes.n; n++) CFLR_TRY(add_member_casts(x, n));\n",
          "n < x->facts->nodes.n; n++) (void)add_member_casts;\n", "casts", ("strict",)),
    Fault("types: members of several records", "facts/facts.c",
          "record == any ? any : cflri_told_join(facts, known, record);",
          "record == any ? any : known;", "casts", ("strict",)),
    Fault("types: contents of members and of others", "facts/facts.c",
          "    if (made != CFLRI_NO_NODE && !is_of_any_record(facts, made))\n",
          "    if (made == CFLRI_NO_NODE && !is_of_any_record(facts, made))\n", "casts",
          ("strict",)),
    Fault("types: pointers that a void ** leads to", "graph/locations.c",
          "        CFLR_TRY(edge(x, x->type.at[CFLRI_CLASS_POINTER], x->type.at[class], "
          "x->fits));\n", "", "casts", ("strict",)),
    Fault("places: arguments through values", "graph/emit.c",
          "    st = edge(e, from, to, is_only_stored(e, n) ? e->store : e->d);\n",
          "    st = is_only_stored(e, n) ? CFLR_OK : edge(e, from, to, e->d);\n",
          "function_variable,callbacks", ("strict",)),
    Fault("types: arrays of characters that are arenas", "typing/text.c",
          "    st = list_arrays(&s, cells);\n", "    (void)list_arrays;\n", "arena", ("strict",)),
    Fault("types: words that memory is copied by", "facts/classes.c",
          "    if (is_one_of(bare((type_text){t.at, t.n - 1}), words)) return CFLR_OK;\n",
          "    (void)words;\n", "generic_swap", ("strict",)),
    Fault("types: pointers that are moved", "typing/moves.c",
          "    if (m->program->strict) return is_kept_strictly(m, root);\n",
          "    (void)is_kept_strictly;\n", "moved_by_numbers", ("strict",)),
    # order
    Fault("versions: parameters", "walk/order/versions.c",
          "    w->versions.histories.at[local].argument = version;\n", "",
          "parameters,free_list,linked_list,recursion"),
    Fault("versions: what continue takes along", "walk/order/control.c",
          "            jump(w, target_of(w, false));", "            jump(w, CFLRI_NO_BLOCK);",
          "control_flow"),
    Fault("versions: the other branch", "walk/order/control.c", "    branch_off(w, head);\n",
          "    start(w, head < CFLRI_NO_BLOCK ? make_block(w) : head);\n",
          "control_flow,conditional_store"),
    Fault("versions: for without a condition", "walk/for_parts.c",
          "        uint32_t part = (at > h.semicolon[0]) + (at > h.semicolon[1]);",
          "        uint32_t part = at > h.semicolon[0];", "control_flow"),
    Fault("versions: locals with attributes", "walk/order/locals.c",
          "    if (!has_attribute(w, e)) add(", "    if (has_attribute || e) add(", "attributes"),
    Fault("versions: static locals", "walk/order/locals.c",
          "                  cflri_clang_Cursor_getStorageClass(decl->cursor) != CX_SC_Static);",
          "                  true);", "state"),
    # contexts
    Fault("contexts: static variables", "contexts/clone.c",
          "            contexts->owner[n] = one_for_all ? 0 : node->function;",
          "            contexts->owner[n] = one_for_all ? node->function : node->function;",
          "state", ("fields+contexts",)),
    # open programs
    Fault("outside: knows the functions that it can name", "program/outside.c",
          "        cflri_outside_knows(program, facts->functions.at[f].object);\n"
          "        program->functions_entered++;", "        program->functions_entered++;",
          LIBRARIES, ("open",)),
    Fault("outside: functions that it defines", "close.c",
          "    return unknown ? unknown_of(program, f) : end;",
          "    return unknown && !program->open ? unknown_of(program, f) : end;", LIBRARIES,
          ("open",)),
    Fault("outside: variables that it defines", "close.c",
          "        if (outside && !is_described(program, node)) make_foreign(program, v);",
          "        if (outside && !is_described(program, node) && !program->open) "
          "make_foreign(program, v);", LIBRARIES, ("open",)),
    Fault("outside: functions whose address it gets", "close.c",
          "            cflri_outside_knows(program, program->facts.functions.at[f].object);\n"
          "        else", "            ;\n        else", LIBRARIES, ("open",)),
]


def build_copy(source, copy):
    """COPY/source, and COPY/build for its command."""
    shutil.copytree(source, f"{copy}/source", ignore=shutil.ignore_patterns("build", ".git"))
    run.command(["cmake", "-S", f"{copy}/source", "-B", f"{copy}/build", "-G", "Ninja",
                 "-DCFLR_TESTS=OFF",
                 "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS_RELEASE={FAST}"], "configuring",
                limit=BUILD_LIMIT)


def make(build, jobs):
    run.command(["cmake", "--build", build, "--target", "cflr_command", "-j", str(jobs)],
                "building", limit=BUILD_LIMIT)


def names_of(dials):
    """The programs to try: those of the fault's dials first, then one of each dial."""
    if dials in (LIBRARIES, SUITES):
        return sorted(glob.glob(f"{run.HERE}/{dials}/*"))
    first = dials.split(",")
    others = [dial for dial in generate.DIALS if dial not in first and dial not in generate.GAPS]
    return [f"{dial} {seed}" for dial in first for seed in range(SEEDS)] + [f"{dial} {SEEDS}"
                                                                            for dial in others]


class Programs:
    """Programs that have run, each in a folder of its own."""

    def __init__(self, tools, folder):
        self.tools, self.folder, self.known = tools, folder, {}

    def get(self, name):
        """The Run of a dial and seed, or of a folder."""
        if name not in self.known:
            work, path = f"{self.folder}/{len(self.known)}", name
            os.makedirs(work)
            if not os.path.isdir(name):
                dial, seed = name.split()
                path = f"{self.folder}/program.c"
                with open(path, "w", encoding="ascii") as out:
                    out.write(generate.generate(dial, int(seed)))
            self.known[name] = run.observe_all(self.tools, path, [], work)
            os.remove(f"{work}/program")
        return self.known[name]


def notice(programs, fault):
    """The first program that notices, and at which levels. One that can no longer be analysed does
    not count."""
    for name in names_of(fault.dials):
        seen = programs.get(name)
        with contextlib.suppress(run.Failure):
            missed = [level for level, counts,
                      _ in run.examine(programs.tools, seen, fault.levels) if counts[2]]
            if missed:
                return f"{os.path.basename(name)} ({', '.join(missed)})"
    return None


@contextlib.contextmanager
def injected(fault, copy, jobs):
    """The command is built with the fault while the body runs."""
    path = f"{copy}/source/frontend/{fault.file}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(fault.old) != 1:
        raise run.Failure(f"{fault.file}: the place is not there")
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(fault.old, fault.new))
        make(f"{copy}/build", jobs)
        yield
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def try_fault(programs, fault, copy, jobs):
    """Prints a row; was it noticed?"""
    try:
        with injected(fault, copy, jobs):
            found = notice(programs, fault)
    except run.Failure as failure:
        print(failure)
        found = None
    print(f"| {fault.name} | {fault.file} | {found or 'NO PROGRAM'} |", flush=True)
    return found is not None


def places():
    """Prints the faults whose place is not there; are there none?"""
    gone = []
    for fault in FAULTS:
        with open(f"{ROOT}/frontend/{fault.file}", encoding="utf-8") as file:
            if file.read().count(fault.old) != 1:
                gone.append(fault)
                print(f"{fault.name}: {fault.file}: the place is not there")
    return not gone


def chosen(names):
    """The faults of these names, all when there are none; a name of nothing is an error, and so is
    a dial's."""
    unknown = set(names) - {fault.name for fault in FAULTS}
    unknown |= {dial for fault in FAULTS
                for dial in fault.dials.split(",")} - set(generate.DIALS) - {LIBRARIES, SUITES}
    if unknown:
        raise SystemExit(f"faults.py: there is no {', no '.join(sorted(unknown))}")
    return sorted((fault for fault in FAULTS if not names or fault.name in names),
                  key=lambda fault: fault.file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    run.add_tools(parser)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="of what builds")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of faults; all")
    arguments = parser.parse_args()
    faults = chosen(arguments.names)
    if arguments.places:
        sys.exit(0 if places() else 1)
    tools = run.tools_of(arguments)
    with tempfile.TemporaryDirectory(prefix="faults-") as copy:
        build_copy(ROOT, copy)
        tools.cflr = f"{copy}/build/cli/cflr"
        programs = Programs(tools, f"{copy}/programs")
        noticed = [try_fault(programs, fault, copy, arguments.jobs) for fault in faults]
    sys.exit(0 if all(noticed) else 1)


if __name__ == "__main__":
    main()
