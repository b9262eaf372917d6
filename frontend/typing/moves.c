/* SPDX-License-Identifier: Apache-2.0
 *
 * moves.c: what pointers that are moved by numbers come to.
 *
 * A pointer flows into a moved root, and what the root flows to is the pointer moved (moved.c).
 * That is dropped where nothing but text is moved: where the memory is not untyped (untyped.c). A
 * pointer that is moved back is kept as well where it may be the address of a member and comes to
 * be followed as something else, a header in front of an array of characters:
 *
 *     s = h->buf;      ((struct header *)(s - 16))->length
 *
 * By a number c that is known, the pointer comes to the member that lies c bytes further, if it is
 * one to the start of a record; if it is one to a member at m, to the member at m + c. The offsets
 * of the program are known now, so each of them is a way back and one forth, for the grammar to
 * match (emit.c):
 *
 *     p -f[c]-> q              p -b[m]-> -f[m + c]-> q     for each m where m + c is an offset, too
 *                              p -b[m]-> q                 for m + c = 0
 *
 * (A pointer to a record goes back to a header only, and not to another member of what it is a
 * member of.) So moves add up however they are taken one after the other. Where there are too many
 * ways, one that leads back is taken to lead to a header. By an unknown number, and where too many
 * ways lead forth, the root has an edge to itself under the labels of all steps forth (it is
 * smeared), or back (emit.c).
 */
#include "frontend/typing/moves.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WAYS = 16 }; /* of one move */

typedef enum pointing {
    NOT_READ,
    TO_NUMBERS, /* or unknown */
    TO_RECORDS,
    TO_MEMBERS, /* pointers, and records that lie in others */
} pointing;

typedef struct moves {
    const cflri_untyped *untyped;
    cflri_program *program;
    cflri_facts *facts;
    bool *member;   /* by node: may be the address of a member */
    bool *typed;    /* by node: comes to be a pointer to a record or pointer */
    bool *inside;   /* by node: the same of what lies in records */
    bool *embedded; /* by string: the type of a record in another */
    uint8_t *to;    /* by string, when it was read as a type: a `pointing` */
    size_t n_strings;
    bool *dead;                 /* by node: a root that is dropped, or derived from one */
    CFLRI_VEC(int32_t) offsets; /* sorted, from 1 on */
    size_t n_nodes;             /* before any was added */
} moves;

static const cflri_node_record *record(const moves *m, cflri_node n) {
    return &m->facts->nodes.at[n];
}

static bool is_back(const cflri_node_record *root) {
    return root->moved && (int32_t)root->step < 0;
}

static bool is_forth(const cflri_node_record *root) {
    return root->moved && (int32_t)root->step > 0;
}

/* ---- which are kept ---- */

/* Is what flows into the root untyped memory? */
static bool is_untyped(const moves *m, cflri_node root) {
    const cflri_groups *into = &m->untyped->into;
    bool untyped = false;
    for (uint32_t i = into->start[root]; i < into->start[root + 1] && !untyped; i++)
        untyped = m->untyped->stripped[m->facts->assigns.at[into->item[i]].from];
    return untyped && !record(m, root)->strided;
}

static void mark_members(moves *m) {
    for (cflri_node n = 0; n < m->n_nodes; n++) {
        bool moved = is_forth(record(m, n)) && is_untyped(m, n);
        if (m->member[n] || (record(m, n)->how != CFLRI_FIELD && !moved)) continue;
        m->member[n] = true;
        cflri_flows_reach(&m->untyped->flows, n, NULL, m->member, m->untyped->stack);
    }
}

/* Against the assignments, and through memory from one node of a place to the others. */
static void mark_back(const moves *m, cflri_node n, bool *marks) {
    const cflri_groups *into = &m->untyped->into;
    cflri_node *stack = m->untyped->stack;
    size_t depth = 0;
    if (marks[n]) return;
    marks[n] = true;
    for (stack[depth++] = n; depth > 0;) {
        cflri_node at = stack[--depth], other = m->untyped->place[at];
        bool content = record(m, at)->how != CFLRI_FIELD && !marks[other];
        if (content) marks[stack[depth++] = other] = true;
        for (uint32_t i = into->start[at]; i < into->start[at + 1]; i++) {
            cflri_node from = m->facts->assigns.at[into->item[i]].from;
            if (marks[from]) continue;
            marks[from] = true;
            stack[depth++] = from;
        }
    }
}

/* Records that lie in others: FIELD nodes tell the type of what they point to. */
static cflr_status find_embedded(moves *m, cflr_error *error) {
    cflr_context *context = m->program->context;
    m->embedded = cflri_alloc_array_zero(context, m->n_strings, sizeof *m->embedded);
    m->to = cflri_alloc_array_zero(context, m->n_strings, sizeof *m->to);
    if (!m->embedded || !m->to) return cflri_fail_memory(context, error);
    for (cflri_node n = 0; n < m->n_nodes; n++)
        if (record(m, n)->how == CFLRI_FIELD) m->embedded[record(m, n)->type] = true;
    m->embedded[0] = false;
    return CFLR_OK;
}

/* Is something read, written or called through it that is no number? */
static bool is_step(const cflri_node_record *node) {
    bool number = node->carrier == CFLRI_CARRIES_NUMBER;
    return node->how == CFLRI_FIELD || node->how == CFLRI_SLOT ||
           (node->how == CFLRI_DEREF && !number);
}

static bool is_number(const char *text, size_t length) {
    static const char *const words[] = {"void", "char",     "signed", "unsigned", "short",
                                        "int",  "long",     "float",  "double",   "_Bool",
                                        "bool", "__int128", "_Float", "enum"};
    bool number = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        bool begins = n <= length && strncmp(text, words[i], n) == 0;
        number |= begins && (n == length || text[n] == ' ' || isdigit((unsigned char)text[n]));
    }
    return number;
}

/* A pointer to what is meant by the text of a type. */
static pointing read_type(const moves *m, uint32_t type) {
    const char *text = cflri_unqualified(cflri_string(&m->facts->strings, type));
    const char *end = strrchr(text, '*');
    if (!end || end == text) return TO_NUMBERS;
    while (end > text && (end[-1] == ' ' || end[-1] == '*'))
        if (*--end == '*') return TO_MEMBERS;
    uint32_t of = cflri_strings_find(&m->facts->strings, text, (size_t)(end - text));
    if (of < m->n_strings && m->embedded[of]) return TO_MEMBERS;
    return is_number(text, (size_t)(end - text)) ? TO_NUMBERS : TO_RECORDS;
}

/* Programs have few types. */
static pointing points_to(const moves *m, uint32_t type) {
    if (m->to[type] == NOT_READ) m->to[type] = (uint8_t)read_type(m, type);
    return (pointing)m->to[type];
}

/* A pointer that is read or written through one to bytes: `*(T **)(char *)p`. A cast that is
 * followed at once has no node to tell the type. */
static bool is_cell(const moves *m, const cflri_node_record *node) {
    if (node->how != CFLRI_DEREF || node->carrier != CFLRI_CARRIES_POINTER) return false;
    uint32_t type = record(m, node->base)->type;
    return strchr(cflri_string(&m->facts->strings, node->type), '*') != NULL && type != 0 &&
           points_to(m, type) == TO_NUMBERS;
}

static void mark_typed(moves *m) {
    for (cflri_node n = 0; n < m->n_nodes; n++) {
        const cflri_node_record *node = record(m, n);
        bool pointer = node->how != CFLRI_FIELD && node->carrier == CFLRI_CARRIES_POINTER;
        bool copied = node->sure && !node->piecewise;
        const pointing to = pointer ? points_to(m, node->type) : TO_NUMBERS;
        if (copied || to == TO_MEMBERS) mark_back(m, n, m->inside);
        if (copied || to != TO_NUMBERS) mark_back(m, n, m->typed);
        if (is_step(node)) mark_back(m, node->base, m->typed);
        if (is_cell(m, node)) mark_back(m, node->base, m->inside);
    }
}

/* With locations a pointer may be moved to any place of its object, and what it is taken for tells
 * which: all moves count but those of pointers to numbers that never become anything else. */
static bool is_kept_strictly(const moves *m, cflri_node root) {
    const cflri_groups *into = &m->untyped->into;
    bool kept = m->typed[root] || m->inside[root];
    for (uint32_t i = into->start[root]; i < into->start[root + 1] && !kept; i++) {
        const cflri_node_record *from = record(m, m->facts->assigns.at[into->item[i]].from);
        kept = from->how == CFLRI_FIELD || points_to(m, from->type) != TO_NUMBERS;
    }
    return kept;
}

static bool is_kept(const moves *m, cflri_node root) {
    if (m->program->strict) return is_kept_strictly(m, root);
    const cflri_groups *into = &m->untyped->into;
    bool kept = is_untyped(m, root) && m->inside[root];
    bool back = is_back(record(m, root)) && (m->typed[root] || record(m, root)->strided);
    for (uint32_t i = into->start[root]; back && i < into->start[root + 1] && !kept; i++)
        kept = m->member[m->facts->assigns.at[into->item[i]].from];
    return kept;
}

static void drop(moves *m) {
    cflri_facts *facts = m->facts;
    size_t kept = 0;
    for (cflri_node n = 0; n < m->n_nodes; n++) {
        const cflri_node_record *node = record(m, n);
        m->dead[n] = node->how == CFLRI_ROOT ? node->moved && !is_kept(m, n) : m->dead[node->base];
    }
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        if (!m->dead[assign.from] && !m->dead[assign.to]) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
    kept = 0;
    for (size_t i = 0; i < facts->mentions.n; i++) {
        const cflri_facts_mention mention = facts->mentions.at[i];
        if (!m->dead[mention.node]) facts->mentions.at[kept++] = mention;
    }
    facts->mentions.n = kept;
}

/* ---- by numbers that are known ---- */

static int by_size(const void *a, const void *b) {
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

/* Of members, and of members of members from the whole. */
static cflr_status list_offsets(moves *m, cflr_error *error) {
    cflr_context *context = m->program->context;
    for (cflri_node n = 0; n < m->n_nodes; n++) {
        int64_t offset = 0;
        for (cflri_node at = n; record(m, at)->how == CFLRI_FIELD; at = record(m, at)->base) {
            offset += (int32_t)record(m, at)->step;
            bool good = offset > 0 && offset <= INT32_MAX;
            if (good && !cflri_vec_push(context, &m->offsets, (int32_t)offset))
                return cflri_fail_memory(context, error);
        }
    }
    if (m->offsets.n) qsort(m->offsets.at, m->offsets.n, sizeof *m->offsets.at, by_size);
    size_t kept = 0;
    for (size_t i = 0; i < m->offsets.n; i++)
        if (kept == 0 || m->offsets.at[kept - 1] != m->offsets.at[i])
            m->offsets.at[kept++] = m->offsets.at[i];
    m->offsets.n = kept;
    return CFLR_OK;
}

static bool is_offset(const moves *m, int64_t offset) {
    if (offset <= 0 || offset > INT32_MAX || m->offsets.n == 0) return false;
    int32_t key = (int32_t)offset;
    return bsearch(&key, m->offsets.at, m->offsets.n, sizeof key, by_size) != NULL;
}

static size_t count_ways(const moves *m, int32_t by) {
    size_t n = 0;
    for (size_t i = 0; i < m->offsets.n; i++) n += is_offset(m, (int64_t)m->offsets.at[i] + by);
    return n;
}

/* The same flow, from where the pointer is moved to. */
static void flow_from(const moves *m, const cflri_assign *assign, cflri_node from) {
    cflri_assign moved = *assign;
    moved.from = from;
    cflri_facts_flow(m->facts, &moved);
}

static void take_ways(const moves *m, const cflri_assign *assign, int32_t by, bool strided) {
    flow_from(m, assign, cflri_facts_field(m->facts, assign->from, by));
    for (size_t i = 0; i < m->offsets.n && !strided; i++) {
        int32_t at = m->offsets.at[i];
        if (!is_offset(m, (int64_t)at + by)) continue;
        cflri_node start = cflri_facts_field(m->facts, assign->from, -at);
        flow_from(m, assign, cflri_facts_field(m->facts, start, at + by));
    }
}

static void lose_distance(cflri_node_record *root) {
    root->far = root->smeared = true;
    root->kind = CFLR_VERTEX_UNKNOWN;
}

static void lose_distances(const moves *m) {
    for (cflri_node n = 0; n < m->n_nodes; n++)
        if (record(m, n)->moved && !m->dead[n]) lose_distance(&m->facts->nodes.at[n]);
}

/* Replaces what flows into moved roots by what that is moved to. */
static void take_steps(moves *m) {
    cflri_facts *facts = m->facts;
    size_t n = facts->assigns.n, kept = 0;
    for (size_t i = 0; i < n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        if (!record(m, assign.to)->moved) {
            facts->assigns.at[kept++] = assign;
            continue;
        }
        const cflri_node_record root = *record(m, assign.to); /* nodes are added */
        bool known = !root.far;
        bool many = known && !root.strided && count_ways(m, (int32_t)root.step) > MOST_WAYS;
        if (many && is_forth(&root)) {
            lose_distance(&facts->nodes.at[assign.to]);
            known = false;
        }
        if (known)
            take_ways(m, &assign, (int32_t)root.step, root.strided || many);
        else
            facts->assigns.at[kept++] = assign;
    }
    if (kept == n) return;
    memmove(facts->assigns.at + kept, facts->assigns.at + n,
            (facts->assigns.n - n) * sizeof *facts->assigns.at);
    facts->assigns.n -= n - kept;
}

cflr_status cflri_settle_moves(const cflri_untyped *untyped, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_program *program = untyped->program;
    cflr_context *context = program->context;
    moves m = {.untyped = untyped, .program = program, .facts = &program->facts};
    m.n_nodes = m.facts->nodes.n;
    m.n_strings = m.facts->strings.text.n;
    m.member = cflri_alloc_array_zero(context, m.n_nodes, sizeof *m.member);
    m.typed = cflri_alloc_array_zero(context, m.n_nodes, sizeof *m.typed);
    m.inside = cflri_alloc_array_zero(context, m.n_nodes, sizeof *m.inside);
    m.dead = cflri_alloc_array_zero(context, m.n_nodes, sizeof *m.dead);
    if (!m.member || !m.typed || !m.inside || !m.dead) CFLR_TRY(cflri_fail_memory(context, error));
    mark_members(&m);
    CFLR_TRY(find_embedded(&m, error));
    mark_typed(&m);
    drop(&m);
    CFLR_TRY(list_offsets(&m, error));
    if (program->strict)
        lose_distances(&m);
    else
        take_steps(&m);
    if (m.facts->status != CFLR_OK) CFLR_TRY(cflri_fail_memory(context, error));
out:
    cflri_free(context, m.member);
    cflri_free(context, m.typed);
    cflri_free(context, m.inside);
    cflri_free(context, m.embedded);
    cflri_free(context, m.to);
    cflri_free(context, m.dead);
    cflri_vec_free(context, &m.offsets);
    return st;
}
