#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every handler of the front end under watch?

    faults.py --build DIR [NAME...]
    faults.py --places              only looks whether the places of all faults are still in the source

Takes the handlers of C constructs out, one by one: a copy of the sources is changed in one place, the command is built
again, and the oracle's programs run until one of them notices, the dials that are about the construct first. A row
says which program it was. A fault whose place is no longer in the source, that does not compile, or that nobody
notices is an error.
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
LIBRARIES = "libraries"  # instead of dials: open programs, libraries/
BUILD_LIMIT = 600  # seconds


@dataclasses.dataclass
class Fault:
    """`old` in frontend/FILE becomes `new`; `dials` are about it, or LIBRARIES, and it matters at these levels."""
    name: str
    file: str
    old: str
    new: str
    dials: str
    levels: tuple = ("fields", "flat")


FAULTS = [
    Fault("assignment", "operator.c", "    cflri_flow_into(w, &cflri_plain_flow, &value, &place);\n    return value;\n}\n\n/* A split",
          "    return value;\n}\n\n/* A split", "assignment"),
    Fault("initialiser of a variable", "stmt.c",
          "    cflri_init_place(w, &place, initialiser);", "    cflri_expr_effects(w, initialiser);\n    (void)place;", "assignment"),
    Fault("designators", "init.c", "    frame->index = field->position;\n", "", "designators"),
    Fault("braces left out", "init.c", "            advance(top(w));\n            return;\n",
          "            return;\n", "elided_braces"),
    Fault("members", "member.c", "field->anonymous ? 0 : field->offset", "0 * field->offset", "members"),
    Fault("members of anonymous records", "types.c", "    if (cflri_clang_equalCursors(record, named)) {", "    if (true) {",
          "nested_members"),
    Fault("dereference as a place", "operator.c",
          "if (operand != CFLRI_NO_CHILD) place.nodes = cflri_expr_value(w, operand);", "", "deref_store"),
    Fault("subscripts", "element.c", "    place.nodes = address_in_array(w, e, taken || row);\n",
          "    cflri_expr_effects_within(w, e);\n", "pointer_array"),
    Fault("index before the brackets", "element.c", "swapped ? right : left;", "left;", "pointer_array,pointer_arithmetic"),
    Fault("address-of", "operator.c", "    cflri_value value = cflri_place_address(w, &place);\n",
          "    cflri_value value = cflri_no_value();\n    (void)place;\n", "address_of"),
    Fault("conditional, second arm", "operator.c",
          "            const cflri_value last = cflri_expr_value(w, at);\n            return cflri_join(w, e, &value, &last);",
          "            cflri_expr_effects(w, at);\n            return value;", "conditional,selections"),
    Fault("conditional, first arm", "operator.c",
          "            const cflri_value arm = cflri_expr_value(w, then);\n            value = cflri_join(w, e, &value, &arm);",
          "            cflri_expr_effects(w, then);", "conditional,selections"),
    Fault("a ?: b", "unnamed.c", "    return cflri_join(w, e, &kept, &other);", "    (void)other;\n    return kept;",
          "conditional"),
    Fault("comma", "operator.c", "if (kind == CXBinaryOperator_Comma) return RIGHT;",
          "if (kind == CXBinaryOperator_Comma) return NEITHER;", "comma_and_block"),
    Fault("statement expressions", "expr.c",
          "return compound == CFLRI_NO_CHILD ? cflri_no_value() : cflri_stmt_value(w, compound, used);",
          "if (compound != CFLRI_NO_CHILD) cflri_stmt_value(w, compound, used);\n    return cflri_no_value();",
          "comma_and_block"),
    Fault("pointer arithmetic", "operator.c", "class == CFLRI_TYPE_POINTER ? POINTER : BOTH",
          "class == CFLRI_TYPE_POINTER ? NEITHER : BOTH", "pointer_arithmetic"),
    Fault("increments", "operator.c", "return cflri_expr_value(w, operand);\n    cflri_expr_effects(w, operand);",
          "cflri_expr_effects(w, operand);\n    else cflri_expr_effects(w, operand);", "side_effects"),
    Fault("pointers in integers", "cast.c", "        default:\n            return cflri_expr_value(w, operand);",
          "        default:\n            cflri_expr_effects(w, operand);\n            return cflri_no_value();",
          "integers"),
    Fault("sums of integers", "operator.c", "        case CXBinaryOperator_Xor:\n            return BOTH;",
          "        case CXBinaryOperator_Xor:\n            return NEITHER;", "xor_pointers,tagged_pointer"),
    Fault("shifts", "operator.c", "            return w->facts->data_flow ? BOTH : LEFT;", "            return NEITHER;", "shifted"),
    Fault("casts of pointers", "cast.c", "                                          : converted_pointer(w, e, operand);",
          "                                          : (cflri_expr_effects(w, operand), cflri_no_value());",
          "casts"),
    Fault("_Generic", "expr.c", "        value = cflri_join(w, e, &value, &part);\n    }\n    return value;\n}\n\nstatic cflri_value value_of_kind",
          "        (void)part;\n    }\n    return value;\n}\n\nstatic cflri_value value_of_kind", "selections"),
    Fault("compound literals", "expr.c", "            return cflri_compound_literal_place(w, e);",
          "            cflri_expr_effects_within(w, e);\n            break;", "compound_literal"),
    Fault("arguments", "call.c",
          "        pass(w, &tag, e, &value, cflri_facts_slot(facts, address, slot));\n",
          "        (void)cflri_facts_slot(facts, address, slot);\n", "parameters"),
    Fault("results", "call.c", "    cflri_flow_value(w, class == CFLRI_TYPE_NUMBER ? &data : tag, &from, result);\n",
          "    (void)from;\n    (void)data;\n", "returns"),
    Fault("return", "stmt.c", "    cflri_flow_into(w, &cflri_plain_flow, &value, &result);\n", "    (void)value;\n    (void)result;\n",
          "returns"),
    Fault("records as results", "call.c", "        cflri_copy_content(w, tag, &from, &to, type);\n", "        (void)from;\n",
          "struct_value"),
    Fault("copies of records", "assign.c", "        flow(w, number ? &data : tag, follow(w, from, &leaf), follow(w, to, &leaf));",
          "        if (leaf.n_steps == 0) flow(w, number ? &data : tag, follow(w, from, &leaf), follow(w, to, &leaf));",
          "struct_assignment"),
    Fault("indirect calls, arguments", "call.c",
          "            pass_through(w, a, &value, &c, slot_of(k, variadic, CFLRI_NUMBERED_ARGUMENTS));",
          "            ;", "function_variable"),
    Fault("calls by types that do not say", "emit.c",
          "if (owner || !told) CFLR_TRY(slot_edge(e, n, CFLRI_NO_SIGNATURE, from, to));", "", "varargs,old_style"),
    Fault("functions of types that do not say", "emit.c",
          "if (!owner && told) CFLR_TRY(slot_edge(e, n, CFLRI_ANY_SIGNATURE, from, to));", "", "varargs"),
    Fault("kinds of parameters", "signature.c", "    if (is_word(types, type, size)) return snprintf(at, room, \"i\");\n", "",
          "function_variable"),
    Fault("indirect calls, results", "call.c", "used ? result_through(w, e, &c) : cflri_no_value()",
          "cflri_no_value()", "function_variable"),
    Fault("functions as values", "call.c",
          "    return cflri_one_value(cflri_facts_address(w->facts, w->facts->functions.at[function].object));",
          "    return cflri_no_value();", "function_table"),
    Fault("variable arguments", "call.c", "        if (value.n == 0) continue;\n        uint32_t slot",
          "        if (value.n == 0 || (decl->variadic && k >= n_parameters)) continue;\n        uint32_t slot", "varargs"),
    Fault("va_arg", "unnamed.c", "            return cflri_va_arg_value(w, e, cflri_tree_last(&w->tree, e));",
          "            cflri_expr_effects(w, cflri_tree_last(&w->tree, e));\n            return cflri_no_value();", "varargs"),
    Fault("atomic stores", "unnamed.c", "        store(w, &value, place);\n        return;", "        return;",
          "atomics"),
    Fault("offsetof, forward", "container.c", ": forward(w, offset, pointer, &p)", ": *pointer", "container_of"),
    Fault("container_of", "container.c", "? back(w, pointer, &p) ", "? *pointer ", "container_of,intrusive_list"),
    Fault("way back before way forward", "operator.c",
          "        if (w->spine.n > base + 1) take_back_first(w);\n", "        (void)take_back_first;\n", "container_of"),
    Fault("copies in pieces", "bytes.c", "    if (w->accesses.n == base || w->facts->status != CFLR_OK) return;\n    left",
          "    if (w->accesses.n >= base) return;\n    left", "copy_loop,generic_swap"),
    Fault("pieces in variables", "bytes.c", "            if (stopping) value = named_variable(w, e);",
          "            break;", "generic_swap"),
    Fault("arrays in unions", "view.c", "field->type) || !steps_from_union(w, e, &steps))",
          "field->type) || steps_from_union(w, e, &steps))", "unions"),
    Fault("initialisers of arrays in unions", "init.c", "    o.shared = frame->shared;\n", "", "unions"),
    Fault("elements: what means any of them", "element.c",
          "        all = cflri_join(w, e, &all, &at);\n    }\n    return all;", "        (void)at;\n    }\n    return all;",
          "constant_index", ("arrays",)),
    Fault("elements: index that is not constant", "element.c", "cflri_type_count(element) : CFLRI_ANY_ELEMENT;",
          "cflri_type_count(element) : 0;", "constant_index", ("arrays",)),
    Fault("elements: address of one", "element.c", "address_in_array(w, e, taken || row);", "address_in_array(w, e, taken && row);",
          "constant_index", ("arrays",)),
    Fault("elements: address of a member of one", "member.c",
          "    if (kind == CXCursor_ArraySubscriptExpr) return cflri_subscript_taken(w, inner);\n", "", "element_address", ("arrays",)),
    Fault("elements: pointers in them are no rows", "element.c", "    } while (is_row(w, e));",
          "    } while (is_row(w, e) || cflri_tree_kind(&w->tree, e) == CXCursor_ArraySubscriptExpr);", "constant_index", ("arrays",)),
    Fault("elements: rows", "element.c", "(uint64_t)constant * cflri_type_count(element)", "(uint64_t)constant * (cflri_type_count(element) > 0)",
          "constant_index,constant_table", ("arrays",)),
    Fault("elements: in copies of records", "types.c", "    for (uint32_t k = 0; k < elements.n; k++)\n        add",
          "    for (uint32_t k = 0; k < 1; k++)\n        add", "constant_index", ("arrays",)),
    Fault("elements: in what is behind an offsetof", "container.c",
          "at = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);", "at = cflri_element_address(w, e, &array, 0);",
          "constant_index", ("arrays",)),
    Fault("elements: of records that begin with them", "cast.c", "    return cflri_view_hidden(w, e, bare, &value);",
          "    return value;", "element_address", ("arrays",)),
    Fault("elements: that change places", "call.c", "    if (inside) from = twin(x, to);", "    if (inside) return;\n    (void)twin;",
          "element_address", ("arrays",)),
    Fault("elements: copies beyond a member", "call.c", "    if (outside) { /*", "    if (outside && x->n == 0) { /*",
          "constant_index", ("arrays",)),
    Fault("elements: initialisers", "init.c", "o.first = frame->first + frame->index * cflri_type_count(type);",
          "o.first = frame->first;", "constant_table", ("arrays",)),
    Fault("elements: initialisers of rows", "init.c", "frame->index * cflri_type_count(type);", "frame->index;",
          "constant_table", ("arrays",)),
    Fault("elements: initialisers of ranges", "init.c", "    if (!frame->is_range && frame->first",
          "    if (frame->first", "constant_table", ("arrays",)),
    Fault("elements: arrays completed later", "types.c", "        rows = MOST_ELEMENTS;\n", "        rows = 1;\n",
          "constant_table", ("arrays",)),
    Fault("what lies behind a record", "view.c", "    if (distance == 0) return *value;", "    if (distance < UINT32_MAX) return *value;",
          "flexible_array"),
    Fault("cleanup", "attribute.c", "        call_cleanup(w, attribute, function,", "        if (!w) call_cleanup(w, attribute, function,",
          "attributes"),
    Fault("parameters as objects", "close.c", "    program->taken[node] = program->kept[node] = program->kept[parameter] = true;",
          "    program->kept[node] = program->kept[parameter] = true;", "parameter_objects"),
    Fault("library functions through pointers", "call.c", "    if (!d.address_stated && !d.has_body) state_summary(",
          "    if (!w) state_summary(", "library_function_values"),
    Fault("functions that summaries call", "summary.c", "        if (value != CFLRI_NO_NODE) flow(a, value, content_of_slot(",
          "        if (!a) flow(a, value, content_of_slot(", "search_tables,threads"),
    Fault("variables of the library", "summary.c", "            return shared_root(a, \"cell:\", value->number);",
          "            return CFLRI_NO_NODE;", "threads,strings"),
    Fault("results and stores of summaries", "summary.c",
          "        if (target != CFLRI_NO_NODE) flow(a, evaluate(a, &effect->source), target);",
          "        (void)target;", "strings,heap"),
    Fault("allocations by summaries", "summary.c",
          "            return cflri_facts_address(a->facts, new_object(a, value->number));",
          "            return CFLRI_NO_NODE;", "heap"),
    Fault("copies by summaries", "summary.c",
          "        a->call->copy(a->call->user, effect->target.number, effect->source.number);", "        ;", "memory_copy"),
    Fault("versions: where branches meet", "versions.c",
          "        if (w->facts->status != CFLR_OK) return;\n    }\n    v->all",
          "        if (w->facts->status != CFLR_OK) return;\n        break;\n    }\n    v->all", "control_flow,conditional_store"),
    Fault("versions: what a loop brings back", "control.c", "    connect(w, control_of(w)->current, loop.head);\n", "",
          "control_flow,linked_list"),
    Fault("versions: what break takes along", "control.c", "            jump(w, target_of(w, true));",
          "            jump(w, CFLRI_NO_BLOCK);", "control_flow"),
    Fault("versions: goto", "control.c",
          "    jump(w, block_of_label(w, cflri_clang_getCursorReferenced(cflri_tree_cursor(&w->tree, e))));",
          "    jump(w, CFLRI_NO_BLOCK);\n    (void)e;", "control_flow"),
    Fault("versions: computed goto", "control.c", "            connect(w, control_of(w)->current, hub(w));\n            later",
          "            (void)hub;\n            later", "control_flow"),
    Fault("versions: labels of switch", "control.c", "        connect(w, c->frames.at[i].head, block);\n        break;",
          "        break;", "control_flow"),
    Fault("versions: operands that are not always evaluated", "control.c",
          "    connect(w, top(w)->head, block);\n    control_of(w)->frames.n--;", "    control_of(w)->frames.n--;",
          "conditional_store,assigned_condition,control_flow"),
    Fault("locals whose address is taken", "locals.c", "    if (local) local->whole = true;", "    (void)local;",
          "address_of,out_parameters"),
    Fault("versions: what a test has shown", "versions.c", "    cflri_facts_flow(w->facts, &shown);", "    (void)shown;",
          "conditional,linked_list,conditional_store", ("data",)),
    Fault("contexts: functions that are values", "close.c", "        role->entered |= role->valued;\n", "",
          "callbacks,function_variable,library_function_values", ("fields+contexts",)),
    Fault("contexts by types: what wrappers return", "emit.c", "        *(argument ? &to_in : &from_in) = target;",
          "        uint32_t based = contexts->base[contexts->instances.at[target].function];\n"
          "        if (argument || based == CFLRI_NO_INSTANCE) *(argument ? &to_in : &from_in) = target;",
          "wrappers", ("fields+types",)),
    Fault("contexts by types: what is given to functions that give it back", "emit.c",
          "        *(argument ? &to_in : &from_in) = target;",
          "        uint32_t based = contexts->base[contexts->instances.at[target].function];\n"
          "        if (!argument || based == CFLRI_NO_INSTANCE) *(argument ? &to_in : &from_in) = target;",
          "wrappers", ("fields+types",)),
    Fault("outside: calls functions with external names", "outside.c",
          "            cflri_facts_assign(facts, result ? v : program->outside, result ? program->outside : v);",
          "            if (result) cflri_facts_assign(facts, v, program->outside);", LIBRARIES, ("open",)),
    Fault("outside: gets their results", "outside.c",
          "            cflri_facts_assign(facts, result ? v : program->outside, result ? program->outside : v);",
          "            if (!result) cflri_facts_assign(facts, program->outside, v);", LIBRARIES, ("open",)),
    Fault("outside: variables with external names", "outside.c",
          "            cflri_outside_knows(program, v);\n            if", "            if", LIBRARIES, ("open",)),
]


def build_copy(source, copy):
    """COPY/source, and COPY/build for its command."""
    shutil.copytree(source, f"{copy}/source", ignore=shutil.ignore_patterns("build", ".git"))
    run.command(["cmake", "-S", f"{copy}/source", "-B", f"{copy}/build", "-G", "Ninja",
                 "-DCFLR_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release"], "configuring",
                limit=BUILD_LIMIT)


def make(build):
    run.command(["cmake", "--build", build, "--target", "cflr_command"], "building", limit=BUILD_LIMIT)


def programs(dials, folder):
    """(name, source): those of the fault's dials first, then one of each dial."""
    if dials == LIBRARIES:
        yield from ((os.path.basename(path), path) for path in sorted(glob.glob(f"{run.HERE}/libraries/*")))
        return
    first = dials.split(",")
    others = [dial for dial in generate.DIALS if dial not in first and dial not in generate.GAPS]
    for dial, seed in [(dial, seed) for dial in first for seed in range(SEEDS)] + [(dial, SEEDS) for dial in others]:
        source = f"{folder}/{dial}-{seed}.c"
        with open(source, "w", encoding="ascii") as out:
            out.write(generate.generate(dial, seed))
        yield f"{dial} {seed}", source


def notice(tools, fault, folder):
    """The first program that notices, and at which levels."""
    for name, source in programs(fault.dials, folder):
        verdict = run.try_program(tools, name, source, [], fault.levels, None)
        levels = [level for level, counts in verdict.facts.items() if counts[2]]
        if levels:
            return f"{name} ({', '.join(levels)})"
    return None


@contextlib.contextmanager
def injected(fault, source, build):
    """The command is built with the fault while the body runs."""
    path = f"{source}/frontend/{fault.file}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(fault.old) != 1:
        raise run.Failure(f"{fault.file}: the place is not there")
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(fault.old, fault.new))
        make(build)
        yield
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def try_fault(tools, fault, copy):
    """Prints a row; was it noticed?"""
    try:
        with injected(fault, f"{copy}/source", f"{copy}/build"):
            found = notice(tools, fault, copy)
    except run.Failure as failure:
        print(failure)
        found = None
    print(f"| {fault.name} | {found or 'NOBODY'} |", flush=True)
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
    """The faults of these names, all when there are none; a name of nothing is an error, and so is a dial's."""
    unknown = set(names) - {fault.name for fault in FAULTS}
    unknown |= {dial for fault in FAULTS for dial in fault.dials.split(",")} - set(generate.DIALS) - {LIBRARIES}
    if unknown:
        raise SystemExit(f"faults.py: there is no {', no '.join(sorted(unknown))}")
    return [fault for fault in FAULTS if not names or fault.name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    run.add_tools(parser)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of faults; all")
    arguments = parser.parse_args()
    faults = chosen(arguments.names)
    if arguments.places:
        sys.exit(0 if places() else 1)
    tools = run.tools_of(arguments)
    with tempfile.TemporaryDirectory(prefix="faults-") as copy:
        build_copy(ROOT, copy)
        tools.cflr = f"{copy}/build/cli/cflr"
        noticed = [try_fault(tools, fault, copy) for fault in faults]
    sys.exit(0 if all(noticed) else 1)


if __name__ == "__main__":
    main()
