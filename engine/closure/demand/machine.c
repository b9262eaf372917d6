/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.c: from the products of a set to its tree.
 *
 * The products of one reading are sorted, so those with a common beginning are neighbours, and a
 * node is a range of them and a depth. Making a node goes as deep as its products are long, which
 * the algebra keeps below some twenty factors.
 */
#include "engine/closure/demand/machine.h"

#include <stdlib.h>
#include <string.h>

#include "engine/closure/ports.h"

enum { DEEPEST_CLOSURES = 3, MOST_GUARDS = 16 };

/* ---- closures that are entered ---- */

/* Does the set read only closures that are entered already? */
static bool reads_entered(const cflri_machine *m, const cflri_set *set) {
    for (size_t p = 0; p < set->product.n; p++) {
        for (uint32_t i = 0; i < set->product.at[p].n; i++) {
            cflri_factor factor = set->product.at[p].factor[i];
            if (cflri_is_closure(cflri_machine_kind(m, factor)) &&
                !m->enters[cflri_factor_set(factor)]) {
                return false;
            }
        }
    }
    return true;
}

/* A closure that is entered has its steps walked with what stands behind it; where closures name
 * one another, that would never end. Those of small depth are entered, the others are called. */
static bool find_entered(cflri_machine *m) {
    size_t n = m->algebra->set.n;
    bool *next = cflri_alloc_array_zero(m->context, n + 1, sizeof *next);
    if (!next) return false;
    for (int depth = 0; depth < DEEPEST_CLOSURES; depth++) {
        for (size_t s = 0; s < n; s++) {
            const cflri_set *set = &m->algebra->set.at[s];
            next[s] = cflri_is_closure(set->kind) && reads_entered(m, set);
        }
        memcpy(m->enters, next, n * sizeof *next);
    }
    cflri_free(m->context, next);
    return true;
}

/* ---- readings ---- */

typedef struct reading {
    size_t n;
    cflri_product *product; /* ascending */
} reading;

/* The products of a factor's set, turned when it is read backwards. */
static bool read_products(cflri_machine *m, cflri_factor factor, reading *made) {
    const cflri_set *set = &m->algebra->set.at[cflri_factor_set(factor)];
    bool input = set->kind == CFLRI_SET_INPUT;
    *made = (reading){.n = input ? 1 : set->product.n};
    made->product = cflri_arena_alloc(&m->arena, (made->n + 1) * sizeof *made->product);
    if (!made->product) return false;
    for (size_t p = 0; p < made->n; p++) {
        cflri_product from = input ? (cflri_product){1, &factor} : set->product.at[p];
        bool back = !input && cflri_factor_back(factor);
        cflri_product to = {from.n, cflri_arena_alloc(&m->arena, (from.n + 1) * sizeof factor)};
        if (!to.factor) return false;
        for (uint32_t i = 0; i < from.n; i++) {
            to.factor[i] =
                back ? cflri_flip(m->algebra, from.factor[from.n - 1 - i]) : from.factor[i];
        }
        made->product[p] = to;
    }
    if (made->n) qsort(made->product, made->n, sizeof *made->product, cflri_product_compare);
    return true;
}

/* ---- where an edge goes on ---- */

/* What product p of the set begins with in that reading; CFLRI_NO_FACTOR: nothing. */
static cflri_factor beginning(const cflri_machine *m, cflri_factor factor, size_t p) {
    const cflri_product *product = &m->algebra->set.at[cflri_factor_set(factor)].product.at[p];
    if (!product->n) return CFLRI_NO_FACTOR;
    if (!cflri_factor_back(factor)) return product->factor[0];
    return cflri_flip(m->algebra, product->factor[product->n - 1]);
}

/* The inputs that an edge may begin with, MOST_GUARDS at most; 0 when it may begin otherwise. */
static uint32_t find_guards(const cflri_machine *m, cflri_factor by, cflri_factor *guards) {
    const cflri_set *set = &m->algebra->set.at[cflri_factor_set(by)];
    bool entered = m->enters[cflri_factor_set(by)];
    guards[0] = by;
    if (set->kind == CFLRI_SET_INPUT) return 1;
    if (set->kind == CFLRI_SET_STAR || entered || set->product.n > MOST_GUARDS) return 0;
    uint32_t n = 0;
    for (size_t p = 0; p < set->product.n; p++) {
        cflri_factor first = beginning(m, by, p);
        if (first == CFLRI_NO_FACTOR || cflri_machine_kind(m, first) != CFLRI_SET_INPUT) return 0;
        uint32_t at = 0;
        while (at < n && guards[at] != first) at++;
        guards[at] = first;
        n += at == n;
    }
    return n;
}

/* ---- nodes ---- */

/* A port while a node is made. */
typedef struct loose_port {
    bool in;
    cflri_machine_port port;
} loose_port;

static int compare_ports(const void *a, const void *b) {
    const loose_port *x = a, *y = b;
    if (x->in != y->in) return x->in - y->in;
    if (x->port.symbol != y->port.symbol) return x->port.symbol < y->port.symbol ? -1 : 1;
    return (x->port.edge > y->port.edge) - (x->port.edge < y->port.edge);
}

typedef CFLRI_VEC(loose_port) loose_ports;

static bool add_ports(cflri_machine *m, loose_ports *ports, uint32_t edge,
                      const cflri_factor *guards, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        bool in = cflri_factor_back(guards[i]);
        uint32_t symbol = m->algebra->set.at[cflri_factor_set(guards[i])].symbol;
        m->needed[in ? CFLRI_IN : CFLRI_OUT][symbol] = true;
        loose_port port = {in, {symbol, edge}};
        if (!cflri_vec_push(m->context, ports, port)) return false;
    }
    return true;
}

static bool keep_ports(cflri_machine *m, cflri_machine_node *node, const loose_ports *ports) {
    node->n_ports = (uint32_t)ports->n;
    node->port = cflri_arena_alloc(&m->arena, (ports->n + 1) * sizeof *node->port);
    if (!node->port) return false;
    if (ports->n) qsort(ports->at, ports->n, sizeof *ports->at, compare_ports);
    for (size_t i = 0; i < ports->n; i++) {
        node->port[i] = ports->at[i].port;
        node->n_out += !ports->at[i].in;
    }
    return true;
}

/* Puts edges that go on at every vertex first, and gives the others their ports. */
static bool sort_edges(cflri_machine *m, cflri_machine_node *node, uint32_t n) {
    cflri_factor guards[MOST_GUARDS];
    loose_ports ports = {0};
    bool done = true;
    for (uint32_t e = 0; e < n; e++) {
        if (find_guards(m, node->edge[e].by, guards)) continue;
        cflri_machine_edge other = node->edge[node->n_free];
        node->edge[node->n_free++] = node->edge[e];
        node->edge[e] = other;
    }
    for (uint32_t e = node->n_free; done && e < n; e++) {
        done = add_ports(m, &ports, e, guards, find_guards(m, node->edge[e].by, guards));
    }
    done = done && keep_ports(m, node, &ports);
    cflri_vec_free(m->context, &ports);
    return done;
}

/* The set's tree is needed. */
static bool need(cflri_machine *m, cflri_factor factor) {
    if (m->root[factor] != CFLRI_NO_NODE_YET) return true;
    m->root[factor] = CFLRI_MACHINE_END; /* for now */
    return cflri_vec_push(m->context, &m->todo, factor);
}

/* The node behind the first `depth` factors that these products have in common. */
static bool make_node(cflri_machine *m, const cflri_product *product, size_t n, uint32_t depth,
                      uint32_t *number) {
    cflri_machine_node node = {.ends = n && product[0].n == depth};
    uint32_t n_edges = 0;
    size_t first = 0;
    while (first < n && product[first].n == depth) first++;
    *number = CFLRI_MACHINE_END;
    if (first == n && node.ends) return true;
    for (size_t p = first; p < n; p++) {
        n_edges += p == first || product[p].factor[depth] != product[p - 1].factor[depth];
    }
    node.edge = cflri_arena_alloc(&m->arena, (n_edges + 1) * sizeof *node.edge);
    if (!node.edge) return false;
    uint32_t e = 0;
    for (size_t p = first, next; p < n; p = next, e++) {
        cflri_factor by = product[p].factor[depth];
        next = p + 1;
        while (next < n && product[next].factor[depth] == by) next++;
        node.edge[e].by = by;
        if (cflri_machine_kind(m, by) != CFLRI_SET_INPUT && !need(m, by)) return false;
        if (!make_node(m, product + p, next - p, depth + 1, &node.edge[e].to)) return false;
    }
    if (!sort_edges(m, &node, n_edges)) return false;
    *number = (uint32_t)m->node.n;
    return cflri_vec_push(m->context, &m->node, node);
}

static bool make_all(cflri_machine *m, const cflri_factor *wanted, size_t n) {
    cflri_machine_node end = {.ends = true};
    if (!cflri_vec_push(m->context, &m->node, end) || !find_entered(m)) return false;
    for (size_t i = 0; i < n; i++) {
        if (!need(m, wanted[i])) return false;
    }
    while (m->todo.n) {
        cflri_factor factor = m->todo.at[--m->todo.n];
        reading products;
        if (!read_products(m, factor, &products)) return false;
        if (!make_node(m, products.product, products.n, 0, &m->root[factor])) return false;
    }
    return true;
}

cflr_status cflri_machine_make(const cflri_algebra *algebra, const cflri_factor *wanted, size_t n,
                               cflri_machine *m, cflr_error *error) {
    cflr_context *context = algebra->context;
    size_t n_sets = algebra->set.n, n_symbols = algebra->n_symbols;
    *m = (cflri_machine){.context = context, .algebra = algebra};
    cflri_arena_init(&m->arena, context);
    m->root = cflri_alloc_array(context, 2 * n_sets + 1, sizeof *m->root);
    m->enters = cflri_alloc_array_zero(context, n_sets + 1, sizeof *m->enters);
    m->needed[0] = cflri_alloc_array_zero(context, n_symbols + 1, sizeof *m->needed[0]);
    m->needed[1] = cflri_alloc_array_zero(context, n_symbols + 1, sizeof *m->needed[1]);
    bool made = m->root && m->enters && m->needed[0] && m->needed[1];
    if (made) {
        memset(m->root, 0xff, (2 * n_sets + 1) * sizeof *m->root);
        made = make_all(m, wanted, n);
    }
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_machine_free(cflri_machine *m) {
    if (!m->context) return;
    cflri_arena_reset(&m->arena);
    cflri_vec_free(m->context, &m->node);
    cflri_vec_free(m->context, &m->todo);
    cflri_free(m->context, m->root);
    cflri_free(m->context, m->enters);
    cflri_free(m->context, m->needed[0]);
    cflri_free(m->context, m->needed[1]);
    *m = (cflri_machine){0};
}
