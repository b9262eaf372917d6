/* SPDX-License-Identifier: Apache-2.0
 *
 * control.c: from the tree of a function to blocks of reads and writes.
 *
 * The tree is walked in the order of execution by a stack of tasks, so that neither deep nesting
 * nor long chains recurse. A construct leaves tasks for the places between its parts:
 *
 *     if (c) a; else b;        visit c, split, visit a, otherwise, visit b, join
 *
 *           c     a frame remembers the block that was split, so that `otherwise` can start from it
 *          / \    again
 *         a   b
 *          \ /
 *
 * Conditionals, && and || are the same. Loops and switches put their frames on the same stack;
 * break and continue look for the nearest that has what they go to. A case is a block after the
 * head of its switch and after what stands before it, wherever it is nested. A computed goto goes
 * to a hub, and from there to every label; so may assembly.
 *
 * The code after a jump is a block without predecessors.
 *
 * With data flow a condition is taken apart down to what it tests, each test going to where it
 * decides, and a test that shows a local not to be null is an event on the way from there (e-SSA:
 * Bodik, Gupta and Sarkar, "ABCD", PLDI 2000):
 *
 *     if (!p || *p == 0) a; else b;
 *
 *           p                  p is null:  a
 *          / \                 it is not:  tested p, then
 *         |   *p == 0              true:   a
 *         |  /   \                 false:  b
 *         a       b
 *
 * A choice, c ? a : b, goes to either part, which decides; a number decides at once. A call of a
 * function that never returns is a jump, so that `if (!p) abort();` is a test as well. Without data
 * flow none of this is done: the graphs of pointers alone stay what they are.
 *
 * A function may return twice, setjmp, the second time by a longjmp that is called anywhere behind
 * it: in any function that is called there, or by a signal. So in a function that calls one, blocks
 * end behind each call and each write, and lead to where setjmp returns again, which is where it is
 * other than 0 when that is asked at once (functions of the library that are given no function call
 * none; what a signal may see there it sees behind the last write):
 *
 *     if (setjmp(env)) a; else { b(); p = c(); d(); }    a comes behind b, c, the write to p, and d
 *
 * The values of locals at the second return are then right for those that were not changed since
 * the first; others have either value, which is more than the standard promises.
 *
 * Trap: where it is not known which parts a `for` has (for_parts.c), each part is taken as
 * something that may run at any time, again and again:
 *
 *     for (p = a; p;) ...   entry -> S; S -> (p = a) -> S; S -> (p) -> S; S -> body -> S; S -> exit
 *
 * O(tree).
 */
#include "frontend/walk/order/conditions.h"
#include "frontend/walk/walk.h"

typedef enum task {
    VISIT,
    WRITE,
    FORGET,
    CONDITION, /* goes to one of two blocks */
    DECIDE,    /* the same when it is evaluated */
    BEGIN,     /* a block that was made before */
    SPLIT,     /* the current block branches, or a condition did */
    OTHERWISE, /* the other branch */
    JOIN,      /* both branches meet */
    LOOP,      /* the head of a loop; what comes is in it */
    TEST,      /* the loop may end here */
    NEXT,      /* what `continue` goes to */
    AGAIN,     /* back to the head; the loop ends */
    PART,      /* a part of a loop of unknown order begins */
    PART_END,
    CASES, /* the head of a switch */
    CASES_END,
    ANYWHERE, /* a jump to some label, or none */
    LEAVE,    /* a jump has been made */
    RETURN,   /* the function ends */
    STEP,     /* of the kind `yes`, from `no` */
    GATE,     /* a call has been made of a function that another unit may have */
    THROW,    /* a call has been made, and longjmp may have been called there */
} task;

typedef enum frame_kind { BRANCH, REPETITION, SELECTION } frame_kind;

static cflri_control *control_of(cflri_walk *w) {
    return &w->versions.control;
}

/* ---- blocks ---- */

static uint32_t make_block(cflri_walk *w) {
    cflri_control *c = control_of(w);
    const cflri_block block = {.before = CFLRI_NO_BLOCK, .after = CFLRI_NO_BLOCK};
    if (!cflri_vec_push(w->context, &c->blocks, block)) cflri_walk_refuse(w);
    return (uint32_t)c->blocks.n - 1;
}

static void connect(cflri_walk *w, uint32_t from, uint32_t to) {
    cflri_control *c = control_of(w);
    const cflri_edge edge = {from, c->blocks.at[to].before, to, c->blocks.at[from].after, false};
    if (!cflri_vec_push(w->context, &c->edges, edge)) {
        cflri_walk_refuse(w);
        return;
    }
    c->blocks.at[to].before = c->blocks.at[from].after = (uint32_t)c->edges.n - 1;
}

static void end_block(cflri_control *c) {
    c->blocks.at[c->current].end = (uint32_t)c->events.n;
    c->blocks.at[c->current].end_step = (uint32_t)c->steps.n;
}

/* The block's events are those from now on. */
static void start(cflri_walk *w, uint32_t block) {
    cflri_control *c = control_of(w);
    end_block(c);
    c->current = block;
    c->blocks.at[block].first = c->blocks.at[block].end = (uint32_t)c->events.n;
    c->blocks.at[block].first_step = c->blocks.at[block].end_step = (uint32_t)c->steps.n;
}

/* A block that runs after the current one. */
static void go_on(cflri_walk *w, uint32_t block) {
    connect(w, control_of(w)->current, block);
    start(w, block);
}

/* A new block that runs after `from`. */
static void branch_off(cflri_walk *w, uint32_t from) {
    uint32_t block = make_block(w);
    connect(w, from, block);
    start(w, block);
}

static void jump(cflri_walk *w, uint32_t to) {
    if (to != CFLRI_NO_BLOCK) connect(w, control_of(w)->current, to);
    start(w, make_block(w));
}

static void push_event(cflri_walk *w, const cflri_event *event) {
    cflri_control *c = control_of(w);
    if (cflri_vec_push(w->context, &c->events, *event))
        c->n_tests += event->kind == CFLRI_TESTED;
    else
        cflri_walk_refuse(w);
}

static void add_event(cflri_walk *w, uint32_t e, cflri_event_kind kind) {
    bool changes = cflri_tree_kind(&w->tree, e) == CXCursor_CompoundAssignOperator;
    uint32_t local = cflri_local_at(w, changes ? cflri_local_changed(w, e) : e);
    const cflri_event event = {.e = e, .local = local, .kind = kind};
    if (local == CFLRI_NO_LOCAL) return;
    push_event(w, &event);
}

/* Arguments of a call may be tested by a function of another unit. */
static void add_tested_by(cflri_walk *w, uint32_t test, bool yes) {
    uint32_t call = cflri_expr_bare(w, test), k = 0;
    if (cflri_tree_kind(&w->tree, call) != CXCursor_CallExpr || !cflri_call_leaves_unit(w, call) ||
        (!yes && cflri_condition_is_narrowed(w, test)))
        return;
    for (uint32_t a = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, call));
         k < 32 && a != CFLRI_NO_CHILD; k++, a = cflri_tree_next(&w->tree, a)) {
        uint32_t name = cflri_expr_bare(w, a), local = cflri_local_at(w, name);
        if (local == CFLRI_NO_LOCAL || cflri_expr_class(w, name) != CFLRI_TYPE_POINTER) continue;
        const cflri_event event = {.e = name,
                                   .local = local,
                                   .kind = CFLRI_TESTED,
                                   .call = call,
                                   .argument = k,
                                   .yes = yes};
        push_event(w, &event);
    }
}

static void add_step(cflri_walk *w, cflri_step_kind kind, uint32_t e, uint32_t from, bool yes) {
    const cflri_step step = {e, from, kind, yes};
    if (w->facts->chosen.data_flow && !cflri_vec_push(w->context, &control_of(w)->steps, step))
        cflri_walk_refuse(w);
}

static bool returns_twice(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    return number != CFLRI_NO_NUMBER && w->names.decls.at[number].returns_twice;
}

/* The block ends here, because a longjmp may. */
static void may_throw(cflri_walk *w) {
    cflri_control *c = control_of(w);
    if (!c->twice) return;
    if (!cflri_vec_push(w->context, &c->throws, c->current)) cflri_walk_refuse(w);
    go_on(w, make_block(w));
}

/* A function of the library that returns, and calls no function that it is given. */
static bool stays_in_library(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER || cflri_call_never_returns(w, call)) return false;
    CXCursor cursor = w->names.decls.at[number].cursor;
    CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(cursor));
    if (!cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor))) return false;
    for (int k = 0; k < cflri_clang_getNumArgTypes(type); k++) {
        CXType pointee = cflri_clang_getArgType(type, (unsigned)k);
        if (pointee.kind == CXType_Pointer) pointee = cflri_clang_getPointeeType(pointee);
        if (pointee.kind == CXType_FunctionProto || pointee.kind == CXType_FunctionNoProto)
            return false;
    }
    return true;
}

static void call_made(cflri_walk *w, uint32_t call) {
    cflri_control *c = control_of(w);
    if (!returns_twice(w, call)) {
        if (!stays_in_library(w, call)) may_throw(w);
        return;
    }
    go_on(w, make_block(w));
    const cflri_landing landing = {call, c->current, c->current};
    if (!cflri_vec_push(w->context, &c->landings, landing)) cflri_walk_refuse(w);
}

/* The current block is where what setjmp has returned is not 0. */
static void land_here(cflri_walk *w, uint32_t test) {
    cflri_control *c = control_of(w);
    if (c->landings.n > 0 && c->landings.at[c->landings.n - 1].call == cflri_expr_bare(w, test))
        c->landings.at[c->landings.n - 1].again = c->current;
}

static void see_constant(cflri_walk *w, uint32_t e) {
    cflri_control *c = control_of(w);
    const cflri_constant constant = {e, c->current};
    if (w->facts->chosen.data_flow && !cflri_vec_push(w->context, &c->constants, constant))
        cflri_walk_refuse(w);
}

/* ---- tasks and frames ---- */

static void decide_later(cflri_walk *w, task what, uint32_t e, uint32_t yes, uint32_t no) {
    const cflri_task made = {what, e, yes, no};
    if (!cflri_vec_push(w->context, &control_of(w)->tasks, made)) cflri_walk_refuse(w);
}

static void later(cflri_walk *w, task what, uint32_t e) {
    decide_later(w, what, e, CFLRI_NO_BLOCK, CFLRI_NO_BLOCK);
}

static void step_later(cflri_walk *w, cflri_step_kind kind, uint32_t e, uint32_t from) {
    if (w->facts->chosen.data_flow) decide_later(w, STEP, e, kind, from);
}

/* The children so that the first is done first. */
static void visit_children(cflri_walk *w, uint32_t e) {
    cflri_control *c = control_of(w);
    uint32_t n = cflri_tree_count(&w->tree, e);
    if (!cflri_vec_reserve(w->context, &c->tasks, n)) {
        cflri_walk_refuse(w);
        return;
    }
    size_t end = c->tasks.n + n;
    uint32_t child = cflri_tree_first(&w->tree, e);
    for (uint32_t i = 1; i <= n; i++, child = cflri_tree_next(&w->tree, child))
        c->tasks.at[end - i] = (cflri_task){.what = VISIT, .e = child};
    c->tasks.n = end;
}

static void open_frame(cflri_walk *w, frame_kind kind, uint32_t head, uint32_t next,
                       uint32_t exit) {
    const cflri_frame frame = {
        .kind = kind, .head = head, .next = next, .exit = exit, .zero = CFLRI_NO_BLOCK};
    if (!cflri_vec_push(w->context, &control_of(w)->frames, frame)) cflri_walk_refuse(w);
}

static cflri_frame *top(cflri_walk *w) {
    cflri_control *c = control_of(w);
    return &c->frames.at[c->frames.n - 1];
}

/* Where break, or continue, goes. */
static uint32_t target_of(cflri_walk *w, bool leaving) {
    const cflri_control *c = control_of(w);
    for (size_t i = c->frames.n; i-- > 0;) {
        uint32_t to = leaving ? c->frames.at[i].exit : c->frames.at[i].next;
        if (to != CFLRI_NO_BLOCK) return to;
    }
    return CFLRI_NO_BLOCK;
}

/* ---- conditions ---- */

/* The condition, and then SPLIT or TEST, which goes on where it holds, or with `negated` where it
 * does not. */
static void on_condition(cflri_walk *w, task what, uint32_t condition, bool negated) {
    if (!w->facts->chosen.data_flow) {
        later(w, what, 0);
        later(w, VISIT, condition);
        return;
    }
    uint32_t on = make_block(w), off = make_block(w);
    decide_later(w, what, 0, on, off);
    decide_later(w, CONDITION, condition, negated ? off : on, negated ? on : off);
}

/* One of the parts that a condition has is evaluated first, and may decide alone. */
static void condition(cflri_walk *w, cflri_task at) {
    cflri_condition parts = cflri_condition_parts(w, at.e);
    uint32_t between, otherwise;
    if (cflri_tree_kind(&w->tree, at.e) == CXCursor_CStyleCastExpr &&
        cflri_condition_shows(w, at.e))
        parts.kind = CFLRI_CONDITION_TEST; /* where that is 0, the number may be another */
    switch (parts.kind) {
        case CFLRI_CONDITION_OF_PART:
            decide_later(w, CONDITION, parts.last, at.yes, at.no);
            break;
        case CFLRI_CONDITION_NOT:
            decide_later(w, CONDITION, parts.last, at.no, at.yes);
            break;
        case CFLRI_CONDITION_COMMA:
            decide_later(w, CONDITION, parts.last, at.yes, at.no);
            later(w, VISIT, parts.first);
            break;
        case CFLRI_CONDITION_AND:
        case CFLRI_CONDITION_OR:
            between = make_block(w);
            decide_later(w, CONDITION, parts.last, at.yes, at.no);
            decide_later(w, BEGIN, 0, between, CFLRI_NO_BLOCK);
            if (parts.kind == CFLRI_CONDITION_AND)
                decide_later(w, CONDITION, parts.first, between, at.no);
            else
                decide_later(w, CONDITION, parts.first, at.yes, between);
            break;
        case CFLRI_CONDITION_CHOICE:
            between = make_block(w);
            otherwise = make_block(w);
            decide_later(w, CONDITION, parts.last, at.yes, at.no);
            decide_later(w, BEGIN, 0, otherwise, CFLRI_NO_BLOCK);
            decide_later(w, CONDITION, parts.first, at.yes, at.no);
            decide_later(w, BEGIN, 0, between, CFLRI_NO_BLOCK);
            decide_later(w, CONDITION, parts.chooser, between, otherwise);
            break;
        case CFLRI_CONDITION_TEST:
            decide_later(w, DECIDE, at.e, at.yes, at.no);
            later(w, VISIT, at.e);
            break;
    }
}

/* All locals that have the value of this pointer. */
static void add_tested(cflri_walk *w, uint32_t pointer) {
    while (pointer != CFLRI_NO_CHILD) {
        uint32_t right = cflri_condition_assigned(w, pointer);
        uint32_t name = right == CFLRI_NO_CHILD ? pointer : cflri_tree_first(&w->tree, pointer);
        add_event(w, cflri_expr_unwrapped(w, name), CFLRI_TESTED);
        pointer = right;
    }
}

/* Either outcome may tell of a pointer (tested.c). */
static void decide_number(cflri_walk *w, cflri_task at) {
    uint32_t from = control_of(w)->current;
    for (int yes = 0; yes < 2; yes++) {
        branch_off(w, from);
        if (yes) land_here(w, at.e);
        add_tested_by(w, at.e, yes);
        add_step(w, CFLRI_STEP_TEST, at.e, CFLRI_NO_CHILD, yes);
        connect(w, control_of(w)->current, yes ? at.yes : at.no);
    }
}

/* From the current block to both; on one of the ways the pointer that is tested is not null. A
 * number has one way. */
static void decide(cflri_walk *w, cflri_task at) {
    uint32_t from = control_of(w)->current;
    bool when, always;
    uint32_t pointer = cflri_condition_pointer(w, at.e, &when);
    if (pointer == CFLRI_NO_CHILD && cflri_condition_is_constant(w, at.e, &always)) {
        connect(w, from, always ? at.yes : at.no);
        return;
    }
    if (pointer == CFLRI_NO_CHILD && cflri_condition_shows(w, at.e)) {
        decide_number(w, at);
        return;
    }
    if (pointer == CFLRI_NO_CHILD) {
        connect(w, from, at.no);
        connect(w, from, at.yes);
        return;
    }
    for (int null = 1; null >= 0; null--) {
        bool yes = null ? !when : when;
        branch_off(w, from);
        if (!null) add_tested(w, pointer);
        add_tested_by(w, pointer, !null);
        add_step(w, CFLRI_STEP_TEST, at.e, CFLRI_NO_CHILD, yes);
        connect(w, control_of(w)->current, yes ? at.yes : at.no);
    }
}

/* ---- branches ---- */

/* `condition`, then perhaps `first`, otherwise perhaps `second` (CFLRI_NO_CHILD: nothing).
 * `negated`: `first` when it does not hold. */
static void branch(cflri_walk *w, uint32_t condition, bool negated, uint32_t first,
                   uint32_t second) {
    later(w, JOIN, 0);
    if (second != CFLRI_NO_CHILD) {
        later(w, VISIT, second);
        later(w, OTHERWISE, 0);
    }
    later(w, VISIT, first);
    on_condition(w, SPLIT, condition, negated);
}

static void split(cflri_walk *w, cflri_task at) {
    bool decided = at.yes != CFLRI_NO_BLOCK;
    uint32_t head = decided ? at.no : control_of(w)->current;
    open_frame(w, BRANCH, head, CFLRI_NO_BLOCK, CFLRI_NO_BLOCK);
    if (w->facts->status != CFLR_OK) return;
    if (decided)
        start(w, at.yes);
    else
        go_on(w, make_block(w));
}

/* From the head again; the end of the first branch takes the head's place in the frame. */
static void otherwise(cflri_walk *w) {
    uint32_t head = top(w)->head;
    top(w)->head = control_of(w)->current;
    branch_off(w, head);
}

static void join(cflri_walk *w) {
    uint32_t block = make_block(w);
    connect(w, top(w)->head, block);
    control_of(w)->frames.n--;
    go_on(w, block);
}

/* ---- loops ---- */

static void while_stmt(cflri_walk *w, uint32_t e) {
    uint32_t condition = cflri_tree_first(&w->tree, e);
    later(w, AGAIN, 0);
    later(w, VISIT, cflri_tree_next(&w->tree, condition));
    on_condition(w, TEST, condition, false);
    later(w, NEXT, 0);
    later(w, LOOP, 0);
}

static void do_stmt(cflri_walk *w, uint32_t e) {
    uint32_t body = cflri_tree_first(&w->tree, e);
    later(w, AGAIN, 0);
    on_condition(w, TEST, cflri_tree_next(&w->tree, body), false);
    later(w, NEXT, 0);
    later(w, VISIT, body);
    later(w, LOOP, 0);
}

/* A part that is missing is CFLRI_NO_CHILD; without a condition only a jump ends the loop. */
static void for_in_order(cflri_walk *w, const uint32_t parts[3], uint32_t body) {
    later(w, AGAIN, 0);
    later(w, VISIT, parts[2]);
    later(w, NEXT, 0);
    later(w, VISIT, body);
    if (parts[1] != CFLRI_NO_CHILD) on_condition(w, TEST, parts[1], false);
    later(w, LOOP, 0);
    later(w, VISIT, parts[0]);
}

/* Any of the parts at any time; a declaration at the start is that. */
static void loop_of_parts(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    bool declares = cflri_tree_kind(&w->tree, first) == CXCursor_DeclStmt;
    later(w, AGAIN, 0);
    later(w, TEST, 0);
    for (uint32_t c = declares ? cflri_tree_next(&w->tree, first) : first; c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        later(w, PART_END, 0);
        later(w, VISIT, c);
        later(w, PART, 0);
    }
    later(w, NEXT, 0);
    later(w, LOOP, 0);
    if (declares) later(w, VISIT, first);
}

static void for_stmt(cflri_walk *w, uint32_t e) {
    uint32_t n = cflri_tree_count(&w->tree, e), parts[3] = {0};
    if (n == 0) return;
    for (uint32_t i = 0; n == 4 && i < 3; i++) parts[i] = cflri_tree_child(&w->tree, e, i);
    if (n == 1 || n == 4 || cflri_for_parts(w, e, parts))
        for_in_order(w, parts, cflri_tree_last(&w->tree, e));
    else
        loop_of_parts(w, e);
}

static void begin_loop(cflri_walk *w) {
    uint32_t head = make_block(w), next = make_block(w), exit = make_block(w);
    open_frame(w, REPETITION, head, next, exit);
    if (w->facts->status != CFLR_OK) return;
    control_of(w)->blocks.at[head].head = true;
    go_on(w, head);
}

static void test(cflri_walk *w, cflri_task at) {
    bool decided = at.yes != CFLRI_NO_BLOCK;
    connect(w, decided ? at.no : control_of(w)->current, top(w)->exit);
    if (decided)
        start(w, at.yes);
    else
        go_on(w, make_block(w));
}

static void end_loop(cflri_walk *w) {
    const cflri_frame loop = *top(w);
    control_of(w)->frames.n--;
    connect(w, control_of(w)->current, loop.head);
    start(w, loop.exit);
}

/* The loop's `next` is where all parts begin and end. */
static void begin_part(cflri_walk *w) {
    branch_off(w, top(w)->next);
}

static void end_part(cflri_walk *w) {
    uint32_t next = top(w)->next;
    connect(w, control_of(w)->current, next);
    branch_off(w, next);
}

/* ---- switches and labels ---- */

/* Does it tell of a pointer whether it is null? */
static bool is_test(cflri_walk *w, uint32_t e) {
    cflri_condition parts = cflri_condition_parts(w, e);
    while (parts.kind == CFLRI_CONDITION_OF_PART || parts.kind == CFLRI_CONDITION_NOT)
        parts = cflri_condition_parts(w, e = parts.last);
    bool when;
    return parts.kind == CFLRI_CONDITION_TEST &&
           cflri_condition_pointer(w, e, &when) != CFLRI_NO_CHILD;
}

static void switch_stmt(cflri_walk *w, uint32_t e) {
    uint32_t condition = cflri_tree_first(&w->tree, e);
    later(w, CASES_END, 0);
    later(w, VISIT, cflri_tree_next(&w->tree, condition));
    if (w->facts->chosen.data_flow && is_test(w, condition)) {
        on_condition(w, CASES, condition, false);
        return;
    }
    later(w, CASES, 0);
    later(w, VISIT, condition);
}

static void begin_cases(cflri_walk *w, cflri_task at) {
    uint32_t exit = make_block(w);
    bool test = at.yes != CFLRI_NO_BLOCK;
    open_frame(w, SELECTION, test ? at.yes : control_of(w)->current, CFLRI_NO_BLOCK, exit);
    if (w->facts->status != CFLR_OK) return;
    top(w)->zero = at.no;
    jump(w, CFLRI_NO_BLOCK);
}

/* From the head, and of a test from where it is 0, unless a case was seen that takes that. */
static void connect_rest(cflri_walk *w, const cflri_frame *cases, uint32_t to) {
    connect(w, cases->head, to);
    if (cases->zero != CFLRI_NO_BLOCK && !cases->zero_taken) connect(w, cases->zero, to);
}

static void end_cases(cflri_walk *w) {
    const cflri_frame cases = *top(w);
    control_of(w)->frames.n--;
    if (!cases.complete) connect_rest(w, &cases, cases.exit);
    go_on(w, cases.exit);
}

static void connect_case(cflri_walk *w, cflri_frame *cases, uint32_t e, uint32_t block) {
    long long value = 1;
    bool one = cflri_tree_count(&w->tree, e) == 2 &&
               cflri_expr_constant(w, cflri_tree_first(&w->tree, e), &value);
    if (cases->zero == CFLRI_NO_BLOCK || !one || value != 0) connect(w, cases->head, block);
    if (cases->zero != CFLRI_NO_BLOCK && (!one || value == 0)) connect(w, cases->zero, block);
    cases->zero_taken |= one && value == 0;
}

static void case_stmt(cflri_walk *w, uint32_t e, bool is_default) {
    cflri_control *c = control_of(w);
    uint32_t block = make_block(w);
    for (size_t i = c->frames.n; i-- > 0;) {
        cflri_frame *cases = &c->frames.at[i];
        if (cases->kind != SELECTION) continue;
        cases->complete |= is_default;
        if (is_default)
            connect_rest(w, cases, block);
        else
            connect_case(w, cases, e, block);
        break;
    }
    go_on(w, block);
    later(w, VISIT, cflri_tree_last(&w->tree, e));
}

/* CFLRI_NO_BLOCK for a label that is not there (an error in the source). */
static uint32_t block_of_label(cflri_walk *w, CXCursor label) {
    cflri_control *c = control_of(w);
    if (label.kind != CXCursor_LabelStmt) return CFLRI_NO_BLOCK;
    label.data[0] = NULL; /* its parent, which libclang sees in two ways behind a declaration */
    uint32_t block = cflri_cursors_find(&c->labels, label);
    if (block != CFLRI_NO_NUMBER) return block;
    block = make_block(w);
    if (!cflri_cursors_add(w->context, &c->labels, label, block) ||
        !cflri_vec_push(w->context, &c->targets, block))
        cflri_walk_refuse(w);
    return block;
}

static void label_stmt(cflri_walk *w, uint32_t e) {
    uint32_t block = block_of_label(w, cflri_tree_cursor(&w->tree, e));
    if (w->facts->status == CFLR_OK) go_on(w, block);
    later(w, VISIT, cflri_tree_last(&w->tree, e));
}

static void goto_stmt(cflri_walk *w, uint32_t e) {
    jump(w, block_of_label(w, cflri_clang_getCursorReferenced(cflri_tree_cursor(&w->tree, e))));
}

static uint32_t hub(cflri_walk *w) {
    cflri_control *c = control_of(w);
    if (c->hub == CFLRI_NO_BLOCK) c->hub = make_block(w);
    return c->hub;
}

/* To any label, or on. */
static void jump_anywhere(cflri_walk *w) {
    uint32_t from = control_of(w)->current;
    connect(w, from, hub(w));
    branch_off(w, from);
}

static void asm_stmt(cflri_walk *w, uint32_t e) {
    if (cflri_asm_may_jump(w, e)) later(w, ANYWHERE, e);
    step_later(w, CFLRI_STEP_UNKNOWN, e, CFLRI_NO_CHILD);
    visit_children(w, e);
}

/* ---- expressions ---- */

static bool is_null(const cflri_walk *w, uint32_t e) {
    bool always = true;
    return cflri_condition_is_constant(w, e, &always) && !always;
}

/* Is the written value a null constant, may it be one, or is it the result of a call? */
static cflri_nulled how_nulled(const cflri_walk *w, uint32_t e) {
    if (!w->facts->chosen.data_flow || e == CFLRI_NO_CHILD) return CFLRI_NULLED_NOT;
    for (uint32_t right = cflri_expr_bare(w, e); right != CFLRI_NO_CHILD;
         right = cflri_condition_assigned(w, right))
        e = right; /* p = q = NULL */
    if (is_null(w, e)) return CFLRI_NULLED_ALONE;
    if (cflri_tree_kind(&w->tree, e) == CXCursor_CallExpr) return CFLRI_NULLED_RESULT;
    bool choice = cflri_tree_kind(&w->tree, e) == CXCursor_ConditionalOperator &&
                  cflri_tree_count(&w->tree, e) == 3;
    return choice && (is_null(w, cflri_tree_child(&w->tree, e, 1)) ||
                      is_null(w, cflri_tree_child(&w->tree, e, 2)))
               ? CFLRI_NULLED_CHOICE
               : CFLRI_NULLED_NOT;
}

static void binary(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = cflri_tree_next(&w->tree, left);
    switch (cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e))) {
        case CXBinaryOperator_LAnd:
            branch(w, left, false, right, CFLRI_NO_CHILD);
            break;
        case CXBinaryOperator_LOr:
            branch(w, left, true, right, CFLRI_NO_CHILD);
            break;
        case CXBinaryOperator_Assign: {
            uint32_t name = cflri_expr_unwrapped(w, left);
            bool written = cflri_local_at(w, name) != CFLRI_NO_LOCAL;
            step_later(w, CFLRI_STEP_WRITE, left, right);
            if (written) w->tree.nodes.at[name].nulled = (uint8_t)how_nulled(w, right);
            if (written) later(w, WRITE, name);
            later(w, VISIT, right);
            if (!written) later(w, VISIT, left);
            break;
        }
        default:
            visit_children(w, e);
            break;
    }
}

static void variable(cflri_walk *w, uint32_t e) {
    uint32_t initialiser = cflri_initialiser_of(w, e);
    w->tree.nodes.at[e].nulled = (uint8_t)how_nulled(w, initialiser);
    step_later(w, CFLRI_STEP_WRITE, e, initialiser);
    later(w, initialiser != CFLRI_NO_CHILD ? WRITE : FORGET, e);
    visit_children(w, e);
}

/* ---- all kinds ---- */

static void visit_branching(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    uint32_t second = cflri_tree_next(&w->tree, first);
    branch(w, first, false, second, cflri_tree_next(&w->tree, second));
}

static void visit_structured(cflri_walk *w, uint32_t e, enum CXCursorKind kind) {
    switch (kind) {
        case CXCursor_IfStmt:
        case CXCursor_ConditionalOperator:
            visit_branching(w, e);
            break;
        case CXCursor_BinaryOperator:
            binary(w, e);
            break;
        case CXCursor_WhileStmt:
            while_stmt(w, e);
            break;
        case CXCursor_DoStmt:
            do_stmt(w, e);
            break;
        default:
            switch_stmt(w, e);
            break;
    }
}

static void visit_jump(cflri_walk *w, uint32_t e, enum CXCursorKind kind) {
    switch (kind) {
        case CXCursor_BreakStmt:
            jump(w, target_of(w, true));
            break;
        case CXCursor_ContinueStmt:
            jump(w, target_of(w, false));
            break;
        case CXCursor_GotoStmt:
            goto_stmt(w, e);
            break;
        case CXCursor_IndirectGotoStmt:
            later(w, LEAVE, e);
            later(w, ANYWHERE, e);
            visit_children(w, e);
            break;
        default: /* return */
            later(w, RETURN, e);
            visit_children(w, e);
            break;
    }
}

static void access(cflri_walk *w, uint32_t e) {
    add_step(w, CFLRI_STEP_READ, e, CFLRI_NO_CHILD, false);
    visit_children(w, e);
}

static void unary(cflri_walk *w, uint32_t e) {
    switch (cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e))) {
        case CXUnaryOperator_Deref:
            access(w, e);
            break;
        case CXUnaryOperator_PostInc:
        case CXUnaryOperator_PostDec:
        case CXUnaryOperator_PreInc:
        case CXUnaryOperator_PreDec:
            step_later(w, CFLRI_STEP_MOVE, cflri_tree_first(&w->tree, e), CFLRI_NO_CHILD);
            visit_children(w, e);
            break;
        default:
            visit_children(w, e);
            break;
    }
}

static void unnamed(cflri_walk *w, uint32_t e) {
    if (cflri_is_elvis(w, e)) {
        branch(w, cflri_tree_first(&w->tree, e), true, cflri_tree_last(&w->tree, e),
               CFLRI_NO_CHILD);
        return;
    }
    if (cflri_tree_count(&w->tree, e) > 1) /* perhaps atomic */
        step_later(w, CFLRI_STEP_UNKNOWN, e, CFLRI_NO_CHILD);
    visit_children(w, e);
}

static void call(cflri_walk *w, uint32_t e) {
    if (w->facts->chosen.data_flow && cflri_call_never_returns(w, e))
        later(w, LEAVE, e);
    else if (w->facts->chosen.data_flow && cflri_call_leaves_unit(w, e))
        later(w, GATE, e);
    if (control_of(w)->twice) later(w, THROW, e);
    step_later(w, CFLRI_STEP_CALL, e, CFLRI_NO_CHILD);
    visit_children(w, e);
}

static void visit(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    switch (kind) {
        case CXCursor_DeclRefExpr:
            add_event(w, e, CFLRI_READS);
            access(w, e);
            break;
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            access(w, e);
            break;
        case CXCursor_UnaryOperator:
            unary(w, e);
            break;
        case CXCursor_VarDecl:
            variable(w, e);
            break;
        case CXCursor_IfStmt:
        case CXCursor_BinaryOperator:
        case CXCursor_WhileStmt:
        case CXCursor_DoStmt:
        case CXCursor_SwitchStmt:
        case CXCursor_ConditionalOperator:
            if (cflri_tree_count(&w->tree, e) >= 2) /* all of it did parse */
                visit_structured(w, e, kind);
            else
                visit_children(w, e);
            break;
        case CXCursor_UnexposedExpr:
            unnamed(w, e);
            break;
        case CXCursor_ForStmt:
            for_stmt(w, e);
            break;
        case CXCursor_CompoundAssignOperator:
            if (cflri_local_changed(w, e) != CFLRI_NO_CHILD) later(w, WRITE, e);
            step_later(w, CFLRI_STEP_MOVE, cflri_tree_first(&w->tree, e), CFLRI_NO_CHILD);
            visit_children(w, e);
            break;
        case CXCursor_CallExpr:
            call(w, e);
            break;
        case CXCursor_IntegerLiteral:
        case CXCursor_CharacterLiteral:
        case CXCursor_CXXNullPtrLiteralExpr:
        case CXCursor_GNUNullExpr:
            see_constant(w, e);
            break;
        case CXCursor_CaseStmt:
        case CXCursor_DefaultStmt:
            case_stmt(w, e, kind == CXCursor_DefaultStmt);
            break;
        case CXCursor_LabelStmt:
            label_stmt(w, e);
            break;
        case CXCursor_BreakStmt:
        case CXCursor_ContinueStmt:
        case CXCursor_GotoStmt:
        case CXCursor_IndirectGotoStmt:
        case CXCursor_ReturnStmt:
            visit_jump(w, e, kind);
            break;
        case CXCursor_GCCAsmStmt:
        case CXCursor_MSAsmStmt:
            asm_stmt(w, e);
            break;
        default:
            visit_children(w, e);
            break;
    }
}

static void perform(cflri_walk *w, cflri_task at) {
    switch ((task)at.what) {
        case VISIT:
            if (at.e != CFLRI_NO_CHILD) visit(w, at.e);
            break;
        case WRITE:
            add_event(w, at.e, CFLRI_WRITES);
            may_throw(w);
            break;
        case FORGET:
            add_event(w, at.e, CFLRI_FORGETS);
            break;
        case CONDITION:
            condition(w, at);
            break;
        case DECIDE:
            decide(w, at);
            break;
        case BEGIN:
            start(w, at.yes);
            break;
        case SPLIT:
            split(w, at);
            break;
        case OTHERWISE:
            otherwise(w);
            break;
        case JOIN:
            join(w);
            break;
        case LOOP:
            begin_loop(w);
            break;
        case TEST:
            test(w, at);
            break;
        case NEXT:
            go_on(w, top(w)->next);
            break;
        case AGAIN:
            end_loop(w);
            break;
        case PART:
            begin_part(w);
            break;
        case PART_END:
            end_part(w);
            break;
        case CASES:
            begin_cases(w, at);
            break;
        case CASES_END:
            end_cases(w);
            break;
        case ANYWHERE:
            jump_anywhere(w);
            break;
        case STEP:
            add_step(w, (cflri_step_kind)at.yes, at.e, at.no, false);
            if (at.yes != CFLRI_STEP_CALL) may_throw(w);
            break;
        case RETURN:
            add_step(w, CFLRI_STEP_RETURN, cflri_tree_first(&w->tree, at.e), CFLRI_NO_CHILD, false);
            control_of(w)->blocks.at[control_of(w)->current].returns = true;
            jump(w, CFLRI_NO_BLOCK);
            break;
        case GATE:
            control_of(w)->blocks.at[control_of(w)->current].gate = at.e;
            break;
        case THROW:
            call_made(w, at.e);
            break;
        case LEAVE:
            jump(w, CFLRI_NO_BLOCK);
            break;
    }
}

static void reset(cflri_control *c) {
    c->blocks.n = c->edges.n = c->events.n = c->steps.n = 0;
    c->tasks.n = c->frames.n = c->targets.n = c->constants.n = 0;
    c->landings.n = c->throws.n = 0;
    c->current = c->n_tests = 0;
    c->hub = CFLRI_NO_BLOCK;
    c->returns = c->lost = false;
}

/* ---- longjmp ---- */

/* Marks what may run behind a block as reached; nothing else is. */
static void mark_behind(cflri_walk *w, uint32_t block) {
    cflri_control *c = control_of(w);
    for (uint32_t b = 0; b < c->blocks.n; b++) c->blocks.at[b].reached = false;
    c->blocks.at[block].reached = true;
    c->targets.n = 0;
    for (; block != CFLRI_NO_BLOCK && w->facts->status == CFLR_OK;
         block = c->targets.n > 0 ? c->targets.at[--c->targets.n] : CFLRI_NO_BLOCK)
        for (uint32_t e = c->blocks.at[block].after; e != CFLRI_NO_BLOCK; e = c->edges.at[e].also) {
            uint32_t to = c->edges.at[e].to;
            if (c->blocks.at[to].reached) continue;
            c->blocks.at[to].reached = true;
            if (!cflri_vec_push(w->context, &c->targets, to)) cflri_walk_refuse(w);
        }
}

/* From all places behind a setjmp to where it returns again. */
static void connect_throws(cflri_walk *w) {
    enum { MOST_THROWN = 1 << 14 };
    cflri_control *c = control_of(w);
    c->lost = c->landings.n * c->throws.n > MOST_THROWN;
    for (size_t l = 0; l < c->landings.n && !c->lost; l++) {
        mark_behind(w, c->landings.at[l].behind);
        for (size_t i = 0; i < c->throws.n && w->facts->status == CFLR_OK; i++) {
            if (!c->blocks.at[c->throws.at[i]].reached) continue;
            connect(w, c->throws.at[i], c->landings.at[l].again);
            if (w->facts->status == CFLR_OK) c->edges.at[c->edges.n - 1].thrown = true;
        }
    }
}

/* Finds the blocks that can be reached from the first one. */
static void find_reached(cflri_walk *w) {
    cflri_control *c = control_of(w);
    mark_behind(w, 0);
    for (uint32_t b = 0; b < c->blocks.n; b++)
        c->returns |= c->blocks.at[b].reached && c->blocks.at[b].returns;
}

/* ---- null constants ---- */

/* The pointer that a test finds to be null; CFLRI_NO_CHILD: there is none. */
static uint32_t found_null(cflri_walk *w, const cflri_step *step) {
    bool when;
    if (step->kind != CFLRI_STEP_TEST) return CFLRI_NO_CHILD;
    uint32_t pointer = cflri_condition_pointer(w, step->e, &when);
    return step->yes == when ? CFLRI_NO_CHILD : pointer;
}

/* Is it an argument that the function never writes to? */
static bool is_unwritten(const cflri_walk *w, uint32_t local) {
    const cflri_local *argument = &w->locals.all.at[local];
    return argument->writes == 1 && w->names.decls.at[argument->decl].kind == CFLRI_DECL_PARAMETER;
}

/* Does the test find that an argument is 0 which is a size, by its type? A request for no memory
 * gets none. Other numbers are flags and codes as often. */
static bool finds_no_size(cflri_walk *w, const cflri_step *step) {
    cflri_shown_list list = {0};
    if (step->kind == CFLRI_STEP_TEST) cflri_outcome_shows(w, step->e, step->yes, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        const cflri_truth *truth = &list.at[i];
        const cflri_decl *decl = &w->names.decls.at[truth->path.root];
        bool size = decl->type.kind == CXType_ULong || decl->type.kind == CXType_ULongLong;
        if (!truth->yes && truth->path.n == 0 && size && decl->local != CFLRI_NO_LOCAL &&
            is_unwritten(w, decl->local))
            return true;
    }
    return false;
}

/* Is the block reached only where an argument, which the function never writes to, is null; or with
 * `sizes`, is a size of 0? */
static bool is_of_null_argument(cflri_walk *w, uint32_t block, bool sizes, int depth) {
    enum { MOST_DEPTH = 6 };
    const cflri_control *c = control_of(w);
    const cflri_block *b = &c->blocks.at[block];
    for (uint32_t i = b->first_step; i < b->end_step; i++) {
        uint32_t pointer = found_null(w, &c->steps.at[i]);
        uint32_t local = pointer == CFLRI_NO_CHILD ? CFLRI_NO_LOCAL : cflri_local_at(w, pointer);
        if (local != CFLRI_NO_LOCAL && is_unwritten(w, local)) return true;
        if (sizes && finds_no_size(w, &c->steps.at[i])) return true;
    }
    if (depth == MOST_DEPTH || b->before == CFLRI_NO_BLOCK) return false;
    for (uint32_t e = b->before; e != CFLRI_NO_BLOCK; e = c->edges.at[e].next)
        if (!is_of_null_argument(w, c->edges.at[e].from, sizes, depth + 1)) return false;
    return true;
}

static bool is_call(const cflri_walk *w, uint32_t e) {
    return e != CFLRI_NO_CHILD &&
           cflri_tree_kind(&w->tree, cflri_expr_bare(w, e)) == CXCursor_CallExpr;
}

/* Do two expressions name one variable, or one member of some record? */
static bool is_same_name(cflri_walk *w, uint32_t a, uint32_t b) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, b);
    uint32_t number = cflri_tree_kind(&w->tree, a) == CXCursor_VarDecl
                          ? cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, a))
                          : CFLRI_NO_NUMBER;
    if (kind == CXCursor_MemberRefExpr)
        return cflri_tree_kind(&w->tree, a) == kind &&
               cflri_member_field(w, a) == cflri_member_field(w, b);
    if (kind != CXCursor_DeclRefExpr) return false;
    if (cflri_tree_kind(&w->tree, a) == kind) number = cflri_referenced_decl(w, a);
    return number != CFLRI_NO_NUMBER && number == cflri_referenced_decl(w, b);
}

/* Blocks that a search has been to, going backwards. */
typedef struct been {
    uint32_t block[64];
    uint32_t n;
} been;

enum { MOST_BEEN = sizeof((been *)0)->block / sizeof(uint32_t) };

/* False: the search has been there. `*lost`: it would go too far. */
static bool go_back(been *b, uint32_t block, bool *lost) {
    for (uint32_t i = 0; i < b->n; i++)
        if (b->block[i] == block) return false;
    *lost = b->n == MOST_BEEN;
    if (!*lost) b->block[b->n++] = block;
    return !*lost;
}

/* Is the pointer what a call has given, or was it written so last on one of the ways to the end of
 * the block? Where that takes too many steps, too. */
static bool is_given_by_call(cflri_walk *w, uint32_t pointer, uint32_t block, been *known) {
    bool lost = false;
    const cflri_control *c = control_of(w);
    const cflri_block *b = &c->blocks.at[block];
    uint32_t assigned = cflri_condition_assigned(w, pointer);
    if (is_call(w, pointer)) return true;
    if (assigned != CFLRI_NO_CHILD) return is_call(w, assigned);
    if (!go_back(known, block, &lost)) return lost;
    for (uint32_t i = b->end_step; i-- > b->first_step;) {
        const cflri_step *step = &c->steps.at[i];
        if (step->kind != CFLRI_STEP_WRITE) continue;
        uint32_t to = cflri_tree_kind(&w->tree, step->e) == CXCursor_VarDecl
                          ? step->e
                          : cflri_expr_bare(w, step->e);
        if (is_same_name(w, to, pointer)) return is_call(w, step->from);
    }
    for (uint32_t e = b->before; e != CFLRI_NO_BLOCK; e = c->edges.at[e].next)
        if (is_given_by_call(w, pointer, c->edges.at[e].from, known)) return true;
    return false;
}

/* Is a way to the block one on which the result of a call was null, by the last test of a pointer
 * before it? Then a null pointer here means that something failed, and a condition about anything
 * else does not show that. Also where it takes too many steps to know. */
static bool is_of_failure(cflri_walk *w, uint32_t block, been *known) {
    const cflri_control *c = control_of(w);
    const cflri_block *b = &c->blocks.at[block];
    been before = {.n = 0};
    bool lost = false;
    if (!go_back(known, block, &lost)) return lost;
    for (uint32_t i = b->first_step; i < b->end_step; i++) {
        const cflri_step *step = &c->steps.at[i];
        bool when;
        uint32_t pointer = step->kind == CFLRI_STEP_TEST
                               ? cflri_condition_pointer(w, step->e, &when)
                               : CFLRI_NO_CHILD;
        if (pointer == CFLRI_NO_CHILD) continue;
        return step->yes != when && is_given_by_call(w, pointer, block, &before);
    }
    for (uint32_t e = b->before; e != CFLRI_NO_BLOCK; e = c->edges.at[e].next)
        if (is_of_failure(w, c->edges.at[e].from, known)) return true;
    return false;
}

cflri_null_where cflri_null_is_where(cflri_walk *w, uint32_t block) {
    been known = {.n = 0};
    if (is_of_null_argument(w, block, false, 0)) return CFLRI_NULL_ECHO;
    if (is_of_null_argument(w, block, true, 0)) return CFLRI_NULL_NO_SIZE;
    return is_of_failure(w, block, &known) ? CFLRI_NULL_FAILURE : CFLRI_NULL_ANYWHERE;
}

/* A null pointer behind a call that never returns goes nowhere: `(abort(), NULL)`. */
static void mark_constants(cflri_walk *w) {
    const cflri_control *c = control_of(w);
    for (size_t i = 0; i < c->constants.n; i++) {
        cflri_tree_node *node = &w->tree.nodes.at[c->constants.at[i].e];
        node->dead = !c->blocks.at[c->constants.at[i].block].reached;
        node->block = c->constants.at[i].block + 1;
    }
}

void cflri_control_unmark(cflri_walk *w) {
    const cflri_control *c = control_of(w);
    for (size_t i = 0; i < c->constants.n; i++) {
        cflri_tree_node *node = &w->tree.nodes.at[c->constants.at[i].e];
        node->dead = false;
        node->block = 0;
    }
}

void cflri_control_make(cflri_walk *w, uint32_t body) {
    cflri_control *c = control_of(w);
    reset(c);
    c->twice = w->locals.twice;
    make_block(w);
    cflri_cursors_free(w->context, &c->labels);
    later(w, VISIT, body);
    while (c->tasks.n > 0 && w->facts->status == CFLR_OK) perform(w, c->tasks.at[--c->tasks.n]);
    if (w->facts->status != CFLR_OK) return;
    end_block(c);
    c->blocks.at[c->current].returns = true;
    for (size_t i = 0; c->hub != CFLRI_NO_BLOCK && i < c->targets.n; i++)
        connect(w, c->hub, c->targets.at[i]);
    connect_throws(w);
    find_reached(w);
    mark_constants(w);
}

void cflri_control_free(cflr_context *context, cflri_control *control) {
    cflri_vec_free(context, &control->blocks);
    cflri_vec_free(context, &control->edges);
    cflri_vec_free(context, &control->events);
    cflri_vec_free(context, &control->steps);
    cflri_vec_free(context, &control->tasks);
    cflri_vec_free(context, &control->frames);
    cflri_vec_free(context, &control->constants);
    cflri_vec_free(context, &control->targets);
    cflri_vec_free(context, &control->landings);
    cflri_vec_free(context, &control->throws);
    cflri_cursors_free(context, &control->labels);
}
