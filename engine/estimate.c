/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate.c: a quick estimate of points-to sets (cflr/estimate.h): inclusion of sets, wave by
 * wave.
 *
 * A pointer holds cells: a cell is an object and an offset in it, or any offset (of memory that is
 * copied without its type), or a slot of a function. Sets of cells grow along edges between nodes,
 * until nothing changes:
 *
 *     u -a-> w        what u holds, w holds
 *     p -f[n]-> m     for each cell of p, m holds the one that lies n bytes further
 *     p -d-> y        for each cell of p: what is assigned to y is in the cell, what is in the
 *                     cell y holds
 *
 *     assigned(y) --> stored(p) --> content of each cell of p --> loaded(p) --> y
 *
 * What is assigned to a content, and what it holds, are two nodes, or all cells that a pointer
 * reaches would be one. Any offset of an object is two nodes likewise: what is written there comes
 * to all its cells, and what is in any of these is read.
 *
 *     wave:   nodes in a cycle become one; sets go along the edges in the order of the cycles;
 *             then new cells make new edges (d) and new cells (f, b, s)
 *
 * The sets are kept once and united by number (base/sets.h), which is what makes it quick where
 * thousands of pointers share one set: that is where it is asked for. Only memory that can have
 * members has them here: no string, function, number or pointer; cells far out, and those behind
 * the first MOST_CELLS of an object, are its any-cell. After Pereira and Berlin, Wave Propagation
 * and Deep Propagation for Pointer Analysis (CGO 2009).
 */
#include "cflr/estimate.h"

#include <stdlib.h>
#include <string.h>

#include "base/components.h"
#include "base/context.h"
#include "base/graph.h"
#include "base/ids.h"
#include "base/sets.h"

enum {
    UNIVERSE = 1 << 22, /* cells */
    MOST_CELLS = 256,   /* of an object */
    MOST_OFFSET = 1 << 20,
    FIRST_TABLE = 1 << 12,
    MEMO_BITS = 16,
};

static const uint32_t none = UINT32_MAX;
/* Codes of cells: offsets are below MOST_OFFSET, slots from `slots` on. */
static const uint64_t anywhere = UINT64_C(1) << 40;
static const uint64_t slots = UINT64_C(1) << 41;
/* No move, but the number of objects. */
static const uint64_t object_count = UINT64_C(1) << 42;

typedef struct cell {
    uint32_t object;
    uint32_t next; /* of the same object */
    uint64_t code;
    uint32_t written, read; /* nodes */
} cell;

/* p -f[n]-> m and its like, of the node of p. */
typedef struct move {
    uint32_t target; /* node */
    uint32_t next;   /* of the same node */
    int64_t offset;  /* of members */
    uint64_t slot;   /* not 0: the code of a slot */
    bool anywhere;   /* an edge to itself */
} move;

typedef struct memory {
    uint32_t first; /* cell, or none */
    uint32_t any;   /* its any-cell, or none */
    uint32_t n_cells;
} memory;

/* What became of a set of cells by one kind of move; or how many objects they are in. */
typedef struct moved_set {
    cflri_set_number from;
    uint32_t to;
    uint64_t kind;
} moved_set;

/* The nodes between the contents of a set of cells and the pointers that hold these cells. */
typedef struct hub {
    cflri_set_number set;
    uint32_t read, written;
} hub;

typedef struct node {
    uint32_t parent; /* itself: it stands for its cycle */
    cflri_set_number set;
    cflri_set_number linked; /* cells that `loaded` and `stored` are linked with */
    cflri_set_number moved;  /* cells that went over all moves */
    uint32_t loaded, stored; /* nodes, or none */
    uint32_t move;           /* the first, or none */
} node;

struct cflr_estimate {
    cflr_context *context;
    const cflr_graph *graph;
    const uint8_t *change;
    bool refused; /* memory was */
    bool grown;   /* something new since the wave began */
    cflri_set_store store;
    bool has_store;
    cflri_sets *sets;
    CFLRI_VEC(node) node; /* of vertices first: what they hold */
    uint32_t *assigned;   /* vertex -> node of what is assigned to it */
    CFLRI_VEC(move) move;
    CFLRI_VEC(cell) cell;
    uint32_t *table; /* cells by object and code: 1 + cell; open addressing */
    size_t n_table;
    CFLRI_VEC(uint64_t) edge; /* packed pairs of nodes */
    CFLRI_VEC(memory) object; /* vertices, and then new ones */
    uint32_t n_objects;       /* below: those that are counted */
    uint32_t outside;         /* all code outside, or none */
    uint8_t *shape;           /* of vertices as objects: HAS_... */
    moved_set *memo;          /* what a set becomes by a move, by both */
    hub *hub;                 /* by set */
    cflri_numbers ids, many;  /* scratch */
    uint32_t *seen, turn;     /* object -> the turn of write_objects that met it last */
    uint32_t *count;          /* vertex -> objects */
    cflr_estimate_sums sums;
};

enum { HAS_MEMBERS = 1, HAS_SLOTS = 2 };

static bool refuse(cflr_estimate *e, bool made) {
    e->refused |= !made;
    return made;
}

/* ---- nodes, edges, sets ---- */

static uint32_t find(cflr_estimate *e, uint32_t v) {
    node *at = e->node.at;
    while (at[v].parent != v) v = at[v].parent = at[at[v].parent].parent;
    return v;
}

static uint32_t add_node(cflr_estimate *e) {
    uint32_t v = (uint32_t)e->node.n;
    refuse(e, cflri_vec_push(e->context, &e->node,
                             (node){.parent = v, .loaded = none, .stored = none, .move = none}));
    return e->refused ? 0 : v;
}

static void add_edge(cflr_estimate *e, uint32_t from, uint32_t to) {
    from = find(e, from);
    to = find(e, to);
    if (from == to) return;
    e->grown = true;
    refuse(e, cflri_vec_push(e->context, &e->edge, cflri_pair(from, to)));
}

static cflri_set_number unite(cflr_estimate *e, cflri_set_number a, cflri_set_number b) {
    if (a == b || !b) return a;
    cflri_set_number both = a ? cflri_sets_union(e->sets, a, b) : b;
    return refuse(e, both != CFLRI_NO_SET) ? both : CFLRI_EMPTY_SET;
}

static cflri_set_number minus(cflr_estimate *e, cflri_set_number a, cflri_set_number b) {
    if (a == b) return CFLRI_EMPTY_SET;
    cflri_set_number rest = b ? cflri_sets_minus(e->sets, a, b) : a;
    return refuse(e, rest != CFLRI_NO_SET) ? rest : CFLRI_EMPTY_SET;
}

static void add_set(cflr_estimate *e, uint32_t to, cflri_set_number set) {
    node *v = &e->node.at[find(e, to)];
    cflri_set_number both = unite(e, v->set, set);
    e->grown |= both != v->set;
    v->set = both;
}

/* Where something about a set is kept. */
static uint64_t place_of_set(cflri_set_number set, uint64_t kind) {
    return (kind * 31 + set) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MEMO_BITS);
}

/* The ids of a set, in e->ids. */
static void write_ids(cflr_estimate *e, cflri_set_number set) {
    cflri_row row = cflri_sets_row(e->sets, set);
    e->ids.n = 0;
    if (!refuse(e, cflri_vec_reserve(e->context, &e->ids, row.n + 1))) return;
    cflri_row_write(&row, e->ids.at);
    e->ids.n = row.n;
}

/* ---- cells ---- */

/* Where a cell is in the table, or would be. Sets are gone through by objects: one place of
 * neighbouring objects is in neighbouring slots. */
static uint32_t *slot_of(cflr_estimate *e, uint32_t object, uint64_t code) {
    uint64_t mixed = (code + 1) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mask = e->n_table - 1, at = ((mixed >> 24) + object) & mask;
    for (; e->table[at]; at = (at + (mixed >> 40 | 1)) & mask) {
        const cell *c = &e->cell.at[e->table[at] - 1];
        if (c->object == object && c->code == code) break;
    }
    return &e->table[at];
}

/* Room for one more. */
static bool widen_table(cflr_estimate *e) {
    if (e->n_table && 2 * (e->cell.n + 1) < e->n_table) return true;
    size_t n = e->n_table ? 2 * e->n_table : FIRST_TABLE;
    uint32_t *table = cflri_alloc_array_zero(e->context, n, sizeof *table);
    if (!refuse(e, table)) return false;
    cflri_free(e->context, e->table);
    e->table = table;
    e->n_table = n;
    for (uint32_t i = 0; i < e->cell.n; i++)
        *slot_of(e, e->cell.at[i].object, e->cell.at[i].code) = i + 1;
    return true;
}

/* What is written anywhere comes to the cell, and what is in the cell is read anywhere. */
static void link_anywhere(cflr_estimate *e, const cell *any, const cell *one) {
    add_edge(e, any->written, one->written);
    add_edge(e, one->read, any->read);
}

static void link_cells(cflr_estimate *e, uint32_t made) {
    cell c = e->cell.at[made];
    uint32_t *any = &e->object.at[c.object].any;
    if (c.code >= slots) return;
    if (c.code != anywhere) {
        if (*any != none) link_anywhere(e, &e->cell.at[*any], &c);
        return;
    }
    *any = made;
    add_edge(e, c.written, c.read);
    for (uint32_t i = c.next; i != none; i = e->cell.at[i].next)
        if (e->cell.at[i].code < slots) link_anywhere(e, &c, &e->cell.at[i]);
}

/* The number of a cell; `none` where memory is refused, or the object has no such place. */
static uint32_t cell_of(cflr_estimate *e, uint32_t object, uint64_t code) {
    if (!widen_table(e)) return none;
    bool known = object < e->graph->n_vertices;
    if (known && code >= slots && !(e->shape[object] & HAS_SLOTS)) return none;
    if (known && code < slots && !(e->shape[object] & HAS_MEMBERS)) code = 0;
    bool full = e->object.at[object].n_cells >= MOST_CELLS || e->cell.n >= UNIVERSE / 2;
    uint32_t *at = slot_of(e, object, code);
    if (!*at && full && code && code < slots) at = slot_of(e, object, code = anywhere);
    if (*at) return *at - 1;
    if (e->cell.n >= UNIVERSE) return none;
    uint32_t made = (uint32_t)e->cell.n;
    uint32_t written = add_node(e), read = code == anywhere ? add_node(e) : written;
    cell c = {object, e->object.at[object].first, code, written, read};
    if (e->refused || !refuse(e, cflri_vec_push(e->context, &e->cell, c))) return none;
    *at = made + 1;
    e->object.at[object].first = made;
    e->object.at[object].n_cells++;
    link_cells(e, made);
    return made;
}

static uint32_t add_object(cflr_estimate *e) {
    uint32_t made = (uint32_t)e->object.n;
    refuse(e, cflri_vec_push(e->context, &e->object, (memory){.first = none, .any = none}));
    return made;
}

static void hold_object(cflr_estimate *e, uint32_t holder, uint32_t object) {
    uint32_t c = cell_of(e, object, 0);
    cflri_set_number one = c == none ? CFLRI_EMPTY_SET : cflri_sets_single(e->sets, c);
    if (refuse(e, one != CFLRI_NO_SET)) add_set(e, holder, one);
}

/* ---- the graph as nodes ---- */

/* What the edges of a label do. */
typedef enum label_kind { OTHER, ASSIGNS, HOLDS, FOLLOWS, FORTH, BACK, AROUND, SLOT } label_kind;

static label_kind kind_of_label(const char *name) {
    static const struct {
        const char *name;
        label_kind kind;
    } known[] = {{"a", ASSIGNS},   {"nonnull", ASSIGNS}, {"call", ASSIGNS},  {"ret", ASSIGNS},
                 {"alloc", HOLDS}, {"caller", HOLDS},    {"unknown", HOLDS}, {"d", FOLLOWS},
                 {"f", FORTH},     {"b", BACK},          {"around", AROUND}, {"s", SLOT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) return known[i].kind;
    return OTHER;
}

static bool is_cut(const cflr_estimate *e, uint32_t v) {
    return e->change && e->change[v] == CFLR_CHANGE_CUT;
}

static bool is_fresh(const cflr_estimate *e, uint32_t v) {
    return e->change && e->change[v] == CFLR_CHANGE_FRESH;
}

/* Memory without type has an edge to itself under each offset: one of them says it. */
static bool has_move_anywhere(const cflr_estimate *e, uint32_t from) {
    for (uint32_t m = e->node.at[from].move; m != none; m = e->move.at[m].next)
        if (e->move.at[m].anywhere) return true;
    return false;
}

static void add_move(cflr_estimate *e, uint32_t from, move made) {
    if (made.anywhere && has_move_anywhere(e, from)) return;
    made.next = e->node.at[from].move;
    e->node.at[from].move = (uint32_t)e->move.n;
    refuse(e, cflri_vec_push(e->context, &e->move, made));
}

static void add_dereference(cflr_estimate *e, uint32_t pointer, uint32_t content) {
    node *p = &e->node.at[pointer];
    if (p->loaded == none) {
        uint32_t loaded = add_node(e), stored = add_node(e);
        if (e->refused) return;
        p = &e->node.at[pointer];
        p->loaded = loaded;
        p->stored = stored;
    }
    uint32_t loaded = p->loaded, stored = p->stored;
    add_edge(e, loaded, content);
    add_edge(e, e->assigned[content], stored);
}

/* An edge of this kind; `offset` and `slot` are of its label. */
static void add_one(cflr_estimate *e, label_kind kind, int64_t offset, uint64_t slot, uint32_t from,
                    uint32_t to) {
    if (is_cut(e, from) || is_cut(e, to)) return;
    switch (kind) {
        case ASSIGNS:
            if (!is_fresh(e, to)) add_edge(e, from, e->assigned[to]);
            break;
        case HOLDS:
            if (!is_fresh(e, to)) hold_object(e, e->assigned[to], from);
            break;
        case FOLLOWS:
            add_dereference(e, from, to);
            break;
        case FORTH:
            add_move(e, from, (move){.target = to, .offset = offset, .anywhere = from == to});
            break;
        case BACK:
            add_move(e, from, (move){.target = to, .offset = -offset, .anywhere = from == to});
            break;
        case AROUND:
            add_move(e, from, (move){.target = to, .offset = -offset});
            break;
        case SLOT:
            add_move(e, from, (move){.target = to, .slot = slot});
            break;
        case OTHER:
            break;
    }
}

static void add_label(cflr_estimate *e, uint32_t label) {
    label_kind kind = kind_of_label(cflr_graph_label_name(e->graph, label));
    int64_t offset = strtol(cflr_graph_label_index(e->graph, label), NULL, 10);
    uint64_t cursor = 0, count;
    uint32_t from;
    const uint32_t *row;
    while (kind != OTHER && !e->refused &&
           (row = cflr_graph_next_row(e->graph, label, CFLR_OUT, &cursor, &from, &count)))
        for (uint64_t k = 0; k < count; k++) add_one(e, kind, offset, slots + label, from, row[k]);
}

/* Numbers and pointers, and arrays of them, have no members. */
static bool is_plain(const char *type) {
    static const char *const plain[] = {"char",  "int",   "unsigned", "signed", "long",
                                        "short", "_Bool", "float",    "double"};
    size_t n = strlen(type);
    while (n && type[n - 1] == ']')
        while (n && type[--n] != '[') continue;
    while (n && type[n - 1] == ' ') n--;
    if (n && (type[n - 1] == '*' || type[n - 1] == ')')) return true;
    if (strncmp(type, "const ", 6) == 0) type += 6;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size_t length = strlen(plain[i]);
        if (strncmp(type, plain[i], length) == 0 &&
            !strchr("_abcdefghijklmnopqrstuvwxyz0123456789", type[length] ? type[length] : ' '))
            return true;
    }
    return false;
}

static void find_shapes(cflr_estimate *e) {
    for (uint32_t v = 0; v < e->graph->n_vertices; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(e->graph, v, &info);
        bool function = info.kind == CFLR_VERTEX_FUNCTION, text = info.kind == CFLR_VERTEX_STRING;
        bool heap = info.kind == CFLR_VERTEX_ALLOCATION;
        bool foreign =
            info.kind == CFLR_VERTEX_UNKNOWN || info.kind == CFLR_VERTEX_LOST || v == e->outside;
        bool plain = function || text || foreign || (!heap && is_plain(info.type));
        e->shape[v] = (plain ? 0 : HAS_MEMBERS) | (function ? HAS_SLOTS : 0);
    }
}

/* Whatever has an edge d to it is a content: what is assigned to it is a node of its own. */
static void split_contents(cflr_estimate *e) {
    for (uint32_t v = 0; v < e->graph->n_vertices; v++) e->assigned[v] = v;
    uint32_t label = cflr_graph_find_label(e->graph, "d", NULL), vertex;
    uint64_t cursor = 0, count;
    if (label == CFLR_NO_LABEL) return;
    while (!e->refused && cflr_graph_next_row(e->graph, label, CFLR_IN, &cursor, &vertex, &count)) {
        uint32_t made = add_node(e);
        e->assigned[vertex] = made;
        add_edge(e, made, vertex);
    }
}

static void hold_new_object(cflr_estimate *e, uint32_t holder) {
    uint32_t made = add_object(e);
    if (!e->refused) hold_object(e, holder, made);
}

static void add_fresh(cflr_estimate *e) {
    for (uint32_t v = 0; e->change && v < e->graph->n_vertices && !e->refused; v++)
        if (is_fresh(e, v)) hold_new_object(e, e->assigned[v]);
    e->n_objects = (uint32_t)e->object.n;
}

/* A pointer to which nothing came is followed all the same: what is stored through it is read
 * through its copies. It holds the address of an object that is none, and is not counted. */
static void add_ghosts(cflr_estimate *e) {
    uint32_t n = (uint32_t)e->node.n;
    for (uint32_t v = 0; v < n && !e->refused; v++) {
        const node *p = &e->node.at[v];
        bool followed = p->loaded != none || p->move != none;
        if (p->parent == v && !p->set && followed) hold_new_object(e, v);
    }
}

static void make_nodes(cflr_estimate *e) {
    uint32_t n = e->graph->n_vertices;
    e->assigned = cflri_alloc_array(e->context, (size_t)n + 1, sizeof *e->assigned);
    e->shape = cflri_alloc_array_zero(e->context, (size_t)n + 1, 1);
    e->count = cflri_alloc_array_zero(e->context, (size_t)n + 1, sizeof *e->count);
    e->memo = cflri_alloc_array_zero(e->context, (size_t)1 << MEMO_BITS, sizeof *e->memo);
    e->hub = cflri_alloc_array_zero(e->context, (size_t)1 << MEMO_BITS, sizeof *e->hub);
    if (!refuse(e, e->assigned && e->shape && e->count && e->memo && e->hub)) return;
    for (uint32_t v = 0; v < n && !e->refused; v++) {
        add_node(e);
        add_object(e);
    }
    if (e->refused) return;
    find_shapes(e);
    split_contents(e);
    for (uint32_t label = 0; label < e->graph->n_labels; label++) add_label(e, label);
    add_fresh(e);
}

/* ---- a wave ---- */

/* Nodes by their cycles, and the edges between nodes in compressed rows. */
typedef struct wave {
    uint64_t *start;
    uint32_t *target;
    uint32_t *component, *order; /* nodes by component, the components that reach others first */
    uint32_t *begin;             /* of each component in `order`; count + 1 */
    uint32_t count;
} wave;

static void wave_free(cflr_estimate *e, wave *w) {
    cflri_free(e->context, w->start);
    cflri_free(e->context, w->target);
    cflri_free(e->context, w->component);
    cflri_free(e->context, w->order);
    cflri_free(e->context, w->begin);
}

/* Edges between nodes that stand for cycles, each once, sorted. */
static cflr_status renew_edges(cflr_estimate *e, cflr_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < e->edge.n; i++) {
        uint32_t from = find(e, (uint32_t)(e->edge.at[i] >> 32));
        uint32_t to = find(e, (uint32_t)e->edge.at[i]);
        if (from != to) e->edge.at[n++] = cflri_pair(from, to);
    }
    cflr_status st = cflri_sort_pairs_in_time(e->context, e->edge.at, n, NULL, error);
    e->edge.n = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || e->edge.at[i] != e->edge.at[i - 1]) e->edge.at[e->edge.n++] = e->edge.at[i];
    return st;
}

static void fill_rows(const cflr_estimate *e, wave *w) {
    size_t n = e->node.n;
    for (size_t i = 0; i < e->edge.n; i++) {
        w->start[(e->edge.at[i] >> 32) + 1]++;
        w->target[i] = (uint32_t)e->edge.at[i];
    }
    for (size_t v = 0; v < n; v++) w->start[v + 1] += w->start[v];
}

/* A component's number is larger than those of all that it reaches; they are wanted the other
 * way round. */
static void order_nodes(const cflr_estimate *e, wave *w) {
    size_t n = e->node.n;
    for (size_t v = 0; v < n; v++) {
        w->component[v] = w->count - 1 - w->component[v];
        w->begin[w->component[v] + 1]++;
    }
    for (uint32_t c = 0; c < w->count; c++) w->begin[c + 1] += w->begin[c];
    for (size_t v = n; v-- > 0;) w->order[--w->begin[w->component[v] + 1]] = (uint32_t)v;
    /* now begin[c + 1] is where c begins */
    memmove(w->begin, w->begin + 1, w->count * sizeof *w->begin);
    w->begin[w->count] = (uint32_t)n;
}

static cflr_status wave_make(cflr_estimate *e, wave *w, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t n = e->node.n;
    CFLR_TRY(renew_edges(e, error));
    w->start = cflri_alloc_array_zero(e->context, n + 2, sizeof *w->start);
    w->target = cflri_alloc_array(e->context, e->edge.n + 1, sizeof *w->target);
    w->component = cflri_alloc_array(e->context, n + 1, sizeof *w->component);
    w->order = cflri_alloc_array(e->context, n + 1, sizeof *w->order);
    if (!w->start || !w->target || !w->component || !w->order)
        return cflri_fail_memory(e->context, error);
    fill_rows(e, w);
    cflri_successors rows = {(uint32_t)n, w->start, w->target, NULL};
    CFLR_TRY(cflri_components(e->context, &rows, w->component, &w->count, error));
    w->begin = cflri_alloc_array_zero(e->context, (size_t)w->count + 2, sizeof *w->begin);
    if (!w->begin) return cflri_fail_memory(e->context, error);
    order_nodes(e, w);
out:
    return st;
}

/* What one pointer loads and stores, the other does from now on, too. */
static void join_hubs(cflr_estimate *e, uint32_t *kept, uint32_t other) {
    if (other == none) return;
    if (*kept == none) {
        *kept = other;
        return;
    }
    add_edge(e, *kept, other);
    add_edge(e, other, *kept);
}

static void join_moves(cflr_estimate *e, node *kept, const node *other) {
    if (other->move == none) return;
    if (kept->move == none) {
        kept->moved = other->moved;
        kept->move = other->move;
        return;
    }
    uint32_t last = other->move;
    while (e->move.at[last].next != none) last = e->move.at[last].next;
    e->move.at[last].next = kept->move;
    kept->move = other->move;
    kept->moved = minus(e, kept->moved, minus(e, kept->moved, other->moved)); /* in both */
}

/* `linked` of a node without hubs is empty: what the other is linked with counts, and where both
 * have hubs the edges between these make up for what one of them lacks. */
static void join(cflr_estimate *e, uint32_t kept, uint32_t other) {
    node *k = &e->node.at[kept], *o = &e->node.at[other];
    o->parent = kept;
    k->set = unite(e, k->set, o->set);
    k->linked = unite(e, k->linked, o->linked);
    join_moves(e, k, o);
    uint32_t loaded = k->loaded, stored = k->stored;
    join_hubs(e, &loaded, o->loaded);
    join_hubs(e, &stored, o->stored);
    k->loaded = loaded;
    k->stored = stored;
}

/* Cycles become one node, and sets go along the edges. */
static void propagate(cflr_estimate *e, const wave *w) {
    for (uint32_t c = 0; c < w->count && !e->refused; c++)
        for (uint32_t i = w->begin[c] + 1; i < w->begin[c + 1]; i++)
            if (find(e, w->order[i]) != find(e, w->order[w->begin[c]]))
                join(e, w->order[w->begin[c]], w->order[i]);
    for (uint32_t c = 0; c < w->count && !e->refused; c++) {
        cflri_set_number set = e->node.at[find(e, w->order[w->begin[c]])].set;
        if (!set) continue;
        for (uint32_t i = w->begin[c]; i < w->begin[c + 1]; i++)
            for (uint64_t k = w->start[w->order[i]]; k < w->start[w->order[i] + 1]; k++) {
                node *to = &e->node.at[find(e, w->target[k])];
                if (to->set != set) to->set = unite(e, to->set, set);
            }
    }
}

/* ---- what new cells bring ---- */

/* Pointers that share a set share its hub, instead of an edge for each cell of each: the one
 * that was made last is known. */
static hub hub_of(cflr_estimate *e, cflri_set_number set) {
    hub *known = &e->hub[place_of_set(set, 0)];
    if (known->set == set) return *known;
    hub made = {set, add_node(e), add_node(e)};
    write_ids(e, set);
    for (size_t i = 0; i < e->ids.n && !e->refused; i++) {
        const cell *c = &e->cell.at[e->ids.at[i]];
        if (c->object == e->outside) continue;
        add_edge(e, c->read, made.read);
        add_edge(e, made.written, c->written);
    }
    if (!e->refused) *known = made;
    return made;
}

static void link_contents(cflr_estimate *e, uint32_t v) {
    node *p = &e->node.at[v];
    if (p->loaded == none || p->linked == p->set) return;
    uint32_t loaded = p->loaded, stored = p->stored;
    cflri_set_number fresh = minus(e, p->set, p->linked);
    p->linked = p->set;
    hub h = hub_of(e, fresh);
    add_edge(e, h.read, loaded);
    add_edge(e, stored, h.written);
}

/* The cell to which a move leads, or none. */
static uint32_t moved_cell(cflr_estimate *e, const move *m, uint32_t from) {
    cell c = e->cell.at[from];
    if (m->slot) return c.code ? none : cell_of(e, c.object, m->slot);
    if (c.code >= slots) return none;
    if (m->anywhere || c.code == anywhere) return cell_of(e, c.object, anywhere);
    if (c.object < e->graph->n_vertices && !(e->shape[c.object] & HAS_MEMBERS)) return from;
    int64_t to = (int64_t)c.code + m->offset;
    if (to < 0) return none;
    return cell_of(e, c.object, to < MOST_OFFSET ? (uint64_t)to : anywhere);
}

/* The cells of a set, moved. */
static cflri_set_number moved_set_of(cflr_estimate *e, const move *m, cflri_set_number from) {
    write_ids(e, from);
    for (size_t i = 0; i < e->ids.n && !e->refused; i++) {
        uint32_t c = moved_cell(e, m, e->ids.at[i]);
        if (c != none) cflri_row_sum_add_id(&e->sets->sum, c);
    }
    cflri_set_number set = cflri_sets_take(e->sets);
    return refuse(e, set != CFLRI_NO_SET) ? set : CFLRI_EMPTY_SET;
}

/* Pointers that share a set have moves in common: what was found last for a set and a kind of
 * move is kept. */
static void make_move(cflr_estimate *e, move m, cflri_set_number from) {
    uint64_t kind = m.slot ? m.slot : m.anywhere ? anywhere : (uint64_t)m.offset;
    uint64_t at = place_of_set(from, kind);
    if (!e->memo[at].from || e->memo[at].from != from || e->memo[at].kind != kind)
        e->memo[at] = (moved_set){from, moved_set_of(e, &m, from), kind};
    if (e->memo[at].to) add_set(e, m.target, e->memo[at].to);
}

static void make_moves(cflr_estimate *e, uint32_t v) {
    node *p = &e->node.at[v];
    if (p->move == none || p->moved == p->set) return;
    cflri_set_number fresh = minus(e, p->set, p->moved);
    p->moved = p->set;
    for (uint32_t m = p->move; m != none && !e->refused; m = e->move.at[m].next)
        make_move(e, e->move.at[m], fresh);
}

static cflr_status one_wave(cflr_estimate *e, cflr_error *error) {
    wave w = {0};
    cflr_status st = CFLR_OK;
    e->grown = false;
    CFLR_TRY(wave_make(e, &w, error));
    propagate(e, &w);
    uint32_t n = (uint32_t)e->node.n; /* those that are made now have nothing to do yet */
    for (uint32_t v = 0; v < n && !e->refused; v++) {
        if (e->node.at[v].parent != v || !e->node.at[v].set) continue;
        link_contents(e, v);
        make_moves(e, v);
        if (!(v & 1023)) CFLR_TRY(cflri_tick(e->context, "estimate", v, n));
    }
out:
    wave_free(e, &w);
    if (st == CFLR_LIMIT || st == CFLR_CANCELLED)
        st = cflri_fail_interrupted(e->context, st, error);
    return st;
}

/* ---- what was found ---- */

/* The objects of the cells of a set, each once, in e->many. */
static void write_objects(cflr_estimate *e, cflri_set_number set) {
    write_ids(e, set);
    e->many.n = 0;
    if (!refuse(e, cflri_vec_reserve(e->context, &e->many, e->ids.n))) return;
    e->turn++;
    for (size_t i = 0; i < e->ids.n; i++) {
        uint32_t object = e->cell.at[e->ids.at[i]].object;
        if (object >= e->n_objects || e->seen[object] == e->turn) continue;
        e->seen[object] = e->turn;
        e->many.at[e->many.n++] = object;
    }
}

/* What was counted last is known by its set. */
static uint32_t count_set(cflr_estimate *e, cflri_set_number set) {
    moved_set *known = &e->memo[place_of_set(set, 0)];
    if (known->from == set && known->kind == object_count) return known->to;
    write_objects(e, set);
    *known = (moved_set){set, (uint32_t)e->many.n, object_count};
    return known->to;
}

static void count_objects(cflr_estimate *e) {
    e->seen = cflri_alloc_array_zero(e->context, (size_t)e->n_objects + 1, sizeof *e->seen);
    if (!refuse(e, e->seen)) return;
    for (uint32_t v = 0; v < e->graph->n_vertices && !e->refused; v++) {
        cflri_set_number set = e->node.at[find(e, v)].set;
        if (set) e->count[v] = count_set(e, set);
        e->sums.pointers += e->count[v] > 0;
        e->sums.objects += e->count[v];
    }
}

cflr_estimate_sums cflr_estimate_get(const cflr_estimate *estimate) {
    return estimate->sums;
}

uint32_t cflr_estimate_objects(const cflr_estimate *estimate, uint32_t vertex) {
    return estimate->count[vertex];
}

uint32_t cflr_estimate_list(cflr_estimate *estimate, uint32_t vertex, uint32_t *objects,
                            uint32_t capacity) {
    write_objects(estimate, estimate->node.at[find(estimate, vertex)].set);
    if (estimate->many.n)
        qsort(estimate->many.at, estimate->many.n, sizeof *estimate->many.at, cflri_ids_compare);
    uint32_t n = estimate->many.n < capacity ? (uint32_t)estimate->many.n : capacity;
    if (n) memcpy(objects, estimate->many.at, n * sizeof *objects);
    return n;
}

static void run(cflr_estimate *e) {
    e->has_store = true;
    refuse(e, cflri_set_store_init(&e->store, e->context, UNIVERSE, CFLRI_KERNEL_BEST, 1));
    if (e->refused) return;
    e->sets = &e->store.hand[0];
    make_nodes(e);
}

cflr_status cflr_estimate_new(const cflr_graph *graph, const uint8_t *change,
                              cflr_estimate **estimate, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_estimate *e = cflri_alloc_zero(graph->context, sizeof *e);
    *estimate = NULL;
    if (!e) return cflri_fail_memory(graph->context, error);
    if (cflr_graph_find_label(graph, "address", NULL) != CFLR_NO_LABEL) {
        cflri_free(graph->context, e);
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                          "the estimate does not know the locations of --aliasing strict: it is of "
                          "graphs of --aliasing any");
    }
    e->context = graph->context;
    e->graph = graph;
    e->change = change;
    e->outside = cflr_graph_outside(graph);
    run(e);
    e->grown = true;
    while (e->grown && !e->refused) {
        CFLR_TRY(one_wave(e, error));
        if (!e->grown) add_ghosts(e);
    }
    if (!e->refused) count_objects(e);
    if (e->refused) st = cflri_fail_memory(e->context, error);
out:
    if (st == CFLR_OK) {
        *estimate = e;
    } else {
        cflr_estimate_free(e);
    }
    return st;
}

void cflr_estimate_free(cflr_estimate *e) {
    if (!e) return;
    cflr_context *context = e->context;
    if (e->has_store) cflri_set_store_free(&e->store);
    cflri_vec_free(context, &e->node);
    cflri_free(context, e->assigned);
    cflri_vec_free(context, &e->move);
    cflri_vec_free(context, &e->cell);
    cflri_free(context, e->table);
    cflri_vec_free(context, &e->edge);
    cflri_vec_free(context, &e->object);
    cflri_free(context, e->shape);
    cflri_free(context, e->memo);
    cflri_free(context, e->hub);
    cflri_vec_free(context, &e->ids);
    cflri_vec_free(context, &e->many);
    cflri_free(context, e->seen);
    cflri_free(context, e->count);
    cflri_free(context, e);
}
