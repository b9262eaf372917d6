/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed_file.c: files of packed rows, which may be damaged, or lie.
 *
 *     header      its checksum; sizes against the size of the file; numbers against each other
 *     sums        their checksum
 *     start, at   their blocks; each row's edges and words in order, and words enough for the edges
 *     words       their blocks; each row in its own words, with targets that ascend and are
 *                 vertices, equal ones by weight, weights that are numbers
 *     all rows    does the header tell truly that targets are parallel, that the graph is
 *                 symmetric?
 *
 * A graph is symmetric when the edges are the edges turned around. That would need a look at both
 * ends of each edge at once, and parts of a file come one after the other. So a number is made of
 * each edge, and of each one turned around, and the sums are compared. The numbers depend on the
 * checksum of the sums, so that edges cannot be chosen for sums that agree.
 *
 * O(n + m), all of it by all threads; nothing is allocated but the graph that is loaded.
 */
#include <math.h>

#include "base/context.h"
#include "base/files/version.h"
#include "base/plain/csr_packed_layout.h"

/* A part is some thousands of rows or as many words as a few blocks. */
enum { PART_WORDS = 1 << 23, PART_ROWS = 1 << 22 };

/* ---- checksums ---- */

static cflr_status fail_bytes(const cflri_packed_view *view, uint64_t begin, uint64_t end,
                              cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, view->subject,
                      "bytes %llu to %llu are damaged: their checksum is wrong",
                      (unsigned long long)begin, (unsigned long long)end - 1);
}

static uint64_t block_begin(const cflri_packed_layout *l, int section, uint64_t block) {
    return l->begin[section] + (block - l->block[section]) * CFLRI_PACKED_FILE_BLOCK;
}

static uint64_t block_end(const cflri_packed_layout *l, int section, uint64_t block) {
    uint64_t end = block_begin(l, section, block) + CFLRI_PACKED_FILE_BLOCK;
    return end < l->begin[section + 1] ? end : l->begin[section + 1];
}

/* Blocks first to end - 1 of all, which are of the section. */
static cflr_status check_blocks(const cflri_packed_view *view, int section, uint64_t first,
                                uint64_t end, cflr_error *error) {
    cflri_packed_layout l = cflri_packed_layout_of(view->n, view->n_words);
    uint64_t wrong = end;
#pragma omp parallel for num_threads(cflr_context_threads(view->context)) reduction(min : wrong)
    for (uint64_t b = first; b < end; b++) {
        uint64_t begin = block_begin(&l, section, b);
        uint64_t sum = XXH3_64bits(view->data + begin, block_end(&l, section, b) - begin);
        if (sum != view->sums[b] && b < wrong) wrong = b;
    }
    if (wrong == end) return CFLR_OK;
    return fail_bytes(view, block_begin(&l, section, wrong), block_end(&l, section, wrong), error);
}

/* ---- the header ---- */

bool cflri_packed_file_is(const char *data, size_t size) {
    return size >= sizeof cflri_packed_magic &&
           memcmp(data, cflri_packed_magic, sizeof cflri_packed_magic) == 0;
}

static cflr_status fail_header(const char *subject, const char *what, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, subject, "its header is damaged: %s", what);
}

static cflr_status read_header(const char *data, size_t size, const char *subject,
                               cflri_packed_header *h, cflr_error *error) {
    static const cflri_read_versions read = {CFLRI_PACKED_FILE_VERSION, CFLRI_PACKED_FILE_VERSION,
                                             "packed rows of format", "`cflr convert`"};
    uint64_t sum;
    const size_t summed = CFLRI_PACKED_PAGE - sizeof sum;
    if (!size) return cflri_fail(error, CFLR_FORMAT, subject, "the file is empty");
    if (!cflri_packed_file_is(data, size))
        return cflri_fail(error, CFLR_FORMAT, subject, "not a file of packed rows");
    if (size < CFLRI_PACKED_PAGE)
        return cflri_fail(error, CFLR_FORMAT, subject, "the file ends early, in its header");
    memcpy(h, data, sizeof *h);
    cflr_status st = cflri_check_version(&read, h->version, subject, error);
    if (st != CFLR_OK) return st;
    memcpy(&sum, data + summed, sizeof sum);
    if (XXH3_64bits(data, summed) != sum)
        return fail_header(subject, "its checksum is wrong", error);
    return CFLR_OK;
}

static bool counts_are_right(const cflri_packed_header *h, size_t size) {
    if (h->n_vertices > CFLR_MAX_VERTICES) return false;
    if (h->n_words < CFLRI_PACKED_PAD || h->n_words > size / sizeof(uint32_t)) return false;
    return h->n_edges / CFLRI_PACKED_GROUP <= h->n_words;
}

/* Is it the code that cflri_row_code_of chooses, as far as that can be told without weights? */
static bool code_is_right(const cflri_packed_header *h) {
    const cflri_row_code code = cflri_row_code_without(h->n_vertices);
    if (h->first_bits != code.first_bits || h->step != code.step) return false;
    if (h->weights == CFLR_WEIGHTS_INT32) return h->weight_bits <= 32;
    bool full = h->weights == CFLR_WEIGHTS_FLOAT32 && h->n_edges;
    return h->weight_bits == (full ? 32 : 0) && h->least_weight == 0;
}

static cflr_status check_header(const cflri_packed_header *h, size_t size, const char *subject,
                                cflr_error *error) {
    const uint32_t known = CFLRI_PACKED_SYMMETRIC | CFLRI_PACKED_PARALLEL;
    if (!counts_are_right(h, size)) return fail_header(subject, "its counts are wrong", error);
    if (h->weights > CFLR_WEIGHTS_FLOAT32 || h->flags & ~known || h->zero)
        return fail_header(subject, "its flags are wrong", error);
    if (!code_is_right(h)) return fail_header(subject, "the code of its rows is wrong", error);
    uint64_t expected = cflri_packed_layout_of(h->n_vertices, h->n_words).size;
    if (size == expected) return CFLR_OK;
    return cflri_fail(error, CFLR_FORMAT, subject, "%llu bytes, not %llu: the file %s",
                      (unsigned long long)size, (unsigned long long)expected,
                      size < expected ? "was cut short" : "has more behind its end");
}

static cflri_packed_view view_of(cflr_context *context, const char *data, const char *subject,
                                 const cflri_packed_header *h) {
    cflri_packed_layout l = cflri_packed_layout_of(h->n_vertices, h->n_words);
    const void *start = data + l.begin[CFLRI_PACKED_START], *at = data + l.begin[CFLRI_PACKED_AT],
               *words = data + l.begin[CFLRI_PACKED_WORDS],
               *sums = data + l.begin[CFLRI_PACKED_SECTIONS];
    return (cflri_packed_view){.context = context,
                               .subject = subject,
                               .n = h->n_vertices,
                               .m = h->n_edges,
                               .symmetric = h->flags & CFLRI_PACKED_SYMMETRIC,
                               .has_parallel = h->flags & CFLRI_PACKED_PARALLEL,
                               .weights = (cflr_weights)h->weights,
                               .code = {h->first_bits, h->step, h->weight_bits, h->least_weight},
                               .start = start,
                               .at = at,
                               .words = words,
                               .n_words = h->n_words,
                               .data = data,
                               .sums = sums};
}

/* ---- sums, start and at ---- */

static cflr_status check_sums(const cflri_packed_view *view, const cflri_packed_layout *l,
                              cflr_error *error) {
    uint64_t n = l->block[CFLRI_PACKED_SECTIONS];
    if (XXH3_64bits(view->sums, n * sizeof *view->sums) == view->sums[n]) return CFLR_OK;
    return fail_bytes(view, l->begin[CFLRI_PACKED_SECTIONS], l->size, error);
}

/* Are the edges and words of row v between those of its neighbours, and are words enough there? */
static bool bounds_are_right(const cflri_packed_view *view, uint32_t v) {
    uint64_t words = view->n_words - CFLRI_PACKED_PAD;
    uint64_t begin = view->start[v], end = view->start[v + 1];
    uint64_t from = view->at[v], to = view->at[v + 1];
    if (begin > end || end > view->m || from > to || to > words) return false;
    return to - from >= cflri_packed_least(&view->code, end - begin);
}

static cflr_status fail_row(const cflri_packed_view *view, uint64_t row, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, view->subject, "row %llu is damaged",
                      (unsigned long long)row);
}

static cflr_status check_bounds(const cflri_packed_view *view, cflr_error *error) {
    uint64_t wrong = view->n;
    if (view->start[0] != 0 || view->at[0] != 0) return fail_row(view, 0, error);
#pragma omp parallel for num_threads(cflr_context_threads(view->context)) reduction(min : wrong)
    for (uint32_t v = 0; v < view->n; v++)
        if (!bounds_are_right(view, v) && v < wrong) wrong = v;
    if (wrong < view->n) return fail_row(view, wrong, error);
    bool whole =
        view->start[view->n] == view->m && view->at[view->n] + CFLRI_PACKED_PAD == view->n_words;
    return whole ? CFLR_OK : fail_row(view, view->n, error);
}

cflr_status cflri_packed_view_of(cflr_context *context, const char *data, size_t size,
                                 const char *subject, cflri_packed_view *view, cflr_error *error) {
    cflri_packed_header h;
    cflr_status st = CFLR_OK;
    *view = (cflri_packed_view){0};
    CFLR_TRY(read_header(data, size, subject, &h, error));
    CFLR_TRY(check_header(&h, size, subject, error));
    *view = view_of(context, data, subject, &h);
    cflri_packed_layout l = cflri_packed_layout_of(view->n, view->n_words);
    CFLR_TRY(check_sums(view, &l, error));
    for (int i = CFLRI_PACKED_START; i <= CFLRI_PACKED_AT; i++)
        CFLR_TRY(check_blocks(view, i, l.block[i], l.block[i + 1], error));
    CFLR_TRY(check_bounds(view, error));
out:
    return st;
}

/* ---- words ---- */

/* The number that stands for an edge. */
static uint64_t number_of(uint64_t salt, uint32_t from, uint32_t to, uint32_t weight) {
    return cflri_csr_mix(cflri_csr_mix(((uint64_t)from << 32 | to) + salt) + weight);
}

/* A row that is looked at, and its last edge. */
typedef struct looking {
    const cflri_packed_view *view;
    uint64_t salt;
    uint32_t v;
    bool first;
    uint32_t target, weight;
    cflri_packed_facts facts;
} looking;

static bool is_number(cflr_weights kind, uint32_t weight) {
    const uint32_t exponent = UINT32_C(0x7f800000);
    return kind != CFLR_WEIGHTS_FLOAT32 || (weight & exponent) != exponent;
}

static double weight_of_bits(cflr_weights kind, uint32_t bits) {
    float real;
    memcpy(&real, &bits, sizeof real);
    return kind == CFLR_WEIGHTS_FLOAT32 ? (double)real : (double)(int32_t)bits;
}

/* False when the edge does not stand where it is to stand. */
static bool look_at(looking *l, uint32_t target, uint32_t weight) {
    cflr_weights kind = l->view->weights;
    bool again = !l->first && target == l->target;
    if (!is_number(kind, weight)) return false;
    if (again && cflri_weight_order(kind, weight) < cflri_weight_order(kind, l->weight))
        return false;
    l->facts.parallel = l->facts.parallel || again;
    l->facts.equal = l->facts.equal || (again && weight == l->weight);
    l->facts.loops = l->facts.loops || target == l->v;
    double number = weight_of_bits(kind, weight);
    l->facts.negative = l->facts.negative || number < 0;
    l->facts.weight += fabs(number);
    l->facts.there += number_of(l->salt, l->v, target, weight);
    l->facts.back += number_of(l->salt, target, l->v, weight);
    l->first = false;
    l->target = target;
    l->weight = weight;
    return true;
}

/* `target` and `weight`: of the row, or NULL. */
static bool look_at_row(looking *l, uint32_t *target, uint32_t *weight) {
    const cflri_packed_view *view = l->view;
    uint32_t own_target[CFLRI_PACKED_GROUP], own_weight[CFLRI_PACKED_GROUP] = {0}, n;
    uint64_t from = view->at[l->v], degree = view->start[l->v + 1] - view->start[l->v];
    cflri_packed_row row =
        cflri_packed_row_of(view->words + from, view->at[l->v + 1] - from, degree, view->n);
    l->first = true;
    for (uint64_t done = 0;; done += n) {
        uint32_t *to = target ? target + done : own_target,
                 *bits = weight ? weight + done : own_weight;
        n = cflri_packed_next(&view->code, &row, to, view->weights ? bits : NULL);
        if (!n) break;
        for (uint32_t i = 0; i < n; i++)
            if (!look_at(l, to[i], bits[i])) return false;
    }
    return cflri_packed_is_done(&row);
}

static cflr_status check_rows(const cflri_packed_view *view, uint32_t first, uint32_t end,
                              uint32_t *target, uint32_t *weight, cflri_packed_facts *facts,
                              cflr_error *error) {
    cflri_packed_layout layout = cflri_packed_layout_of(view->n, view->n_words);
    uint64_t wrong = end, salt = view->sums[layout.block[CFLRI_PACKED_SECTIONS]];
    uint64_t there = 0, back = 0;
    double weights = 0;
    bool parallel = false, equal = false, loops = false, negative = false;
#pragma omp parallel for num_threads(cflr_context_threads(view->context)) schedule(dynamic, 256) \
    reduction(min : wrong) reduction(+ : there, back, weights)                                   \
    reduction(|| : parallel, equal, loops, negative)
    for (uint32_t v = first; v < end; v++) {
        looking l = {.view = view, .salt = salt, .v = v};
        bool good = look_at_row(&l, target ? target + view->start[v] : NULL,
                                weight ? weight + view->start[v] : NULL);
        if (!good && v < wrong) wrong = v;
        there += l.facts.there;
        back += l.facts.back;
        parallel = parallel || l.facts.parallel;
        equal = equal || l.facts.equal;
        loops = loops || l.facts.loops;
        negative = negative || l.facts.negative;
        weights += l.facts.weight;
    }
    if (wrong < end) return fail_row(view, wrong, error);
    facts->there += there;
    facts->back += back;
    facts->parallel = facts->parallel || parallel;
    facts->equal = facts->equal || equal;
    facts->loops = facts->loops || loops;
    facts->negative = facts->negative || negative;
    facts->weight += weights;
    return CFLR_OK;
}

/* ---- parts ---- */

cflr_status cflri_packed_check(const cflri_packed_view *view, uint32_t first, uint32_t end,
                               uint32_t *target, uint32_t *weight, cflri_packed_facts *facts,
                               cflr_error *error) {
    const uint64_t words = CFLRI_PACKED_FILE_BLOCK / sizeof *view->words;
    cflri_packed_layout l = cflri_packed_layout_of(view->n, view->n_words);
    uint64_t before = l.block[CFLRI_PACKED_WORDS];
    uint64_t begin = before + view->at[first] / words,
             behind = before + (view->at[end] + words - 1) / words;
    if (end == view->n) behind = l.block[CFLRI_PACKED_SECTIONS];
    cflr_status st = check_blocks(view, CFLRI_PACKED_WORDS, begin, behind, error);
    return st == CFLR_OK ? check_rows(view, first, end, target, weight, facts, error) : st;
}

uint32_t cflri_packed_part(const cflri_packed_view *view, uint32_t first) {
    uint32_t least = first < view->n ? first + 1 : first;
    uint32_t most = view->n - first < PART_ROWS ? view->n : first + PART_ROWS;
    while (least < most) {
        uint32_t middle = least + (most - least + 1) / 2;
        if (view->at[middle] - view->at[first] <= PART_WORDS)
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

static cflr_status confirm(const cflri_packed_view *view, const cflri_packed_facts *facts,
                           cflr_error *error) {
    if (facts->parallel != view->has_parallel)
        return fail_header(view->subject, "it is wrong about parallel edges", error);
    if (view->symmetric && facts->there != facts->back)
        return fail_header(view->subject, "the graph is not symmetric", error);
    return CFLR_OK;
}

cflr_status cflri_packed_read_all(const cflri_packed_view *view, uint32_t *target, uint32_t *weight,
                                  cflri_packed_facts *facts, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t first = 0;
    do { /* without vertices, too: there is a pad */
        uint32_t end = cflri_packed_part(view, first);
        CFLR_TRY(cflri_packed_check(view, first, end, target, weight, facts, error));
        first = end;
        st = cflri_tick(view->context, "load", view->at[end], view->at[view->n]);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(view->context, st, error));
    } while (first < view->n);
    CFLR_TRY(confirm(view, facts, error));
out:
    return st;
}

/* ---- into memory ---- */

static cflr_status make_csr(const cflri_packed_view *view, cflr_csr *csr, cflri_packed_facts *facts,
                            cflr_error *error) {
    uint64_t n = view->n + UINT64_C(1);
    csr->n_vertices = view->n;
    csr->n_edges = view->m;
    csr->weights = view->weights;
    csr->symmetric = view->symmetric;
    csr->has_parallel = view->has_parallel;
    csr->start = cflri_alloc_array(view->context, n, sizeof *csr->start);
    csr->target = cflri_alloc_array(view->context, view->m, sizeof *csr->target);
    if (csr->weights) csr->weight = cflri_alloc_array(view->context, view->m, sizeof(uint32_t));
    if (!csr->start || !csr->target || (csr->weights && !csr->weight))
        return cflri_fail_memory(view->context, error);
    memcpy(csr->start, view->start, n * sizeof *csr->start);
    return cflri_packed_read_all(view, csr->target, csr->weight, facts, error);
}

/* Is something to be added to the rows, or left out? */
static bool must_change(const cflr_csr *csr, const cflri_packed_facts *facts,
                        const cflr_csr_opts *opts) {
    return (opts->symmetric && !csr->symmetric) || (opts->drop_loops && facts->loops) ||
           (!opts->keep_parallel && facts->equal) || (opts->drop_weights && csr->weights);
}

cflr_status cflri_csr_of_packed(cflr_context *context, const char *data, size_t size,
                                const char *subject, const cflr_csr_opts *opts, cflr_csr **csr,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_packed_view view;
    cflri_packed_facts facts = {0};
    cflr_csr_opts chosen;
    cflr_csr *made = NULL;
    *csr = NULL;
    CFLR_TRY(cflri_csr_opts_take(&chosen, opts, error));
    CFLR_TRY(cflri_packed_view_of(context, data, size, subject, &view, error));
    made = cflri_alloc_zero(context, sizeof *made);
    if (!made) CFLR_TRY(cflri_fail_memory(context, error));
    made->context = context;
    CFLR_TRY(make_csr(&view, made, &facts, error));
    if (must_change(made, &facts, &chosen)) {
        CFLR_TRY(cflri_csr_change(made, &chosen, csr, error));
    } else {
        made->keeps_parallel = chosen.keep_parallel;
        *csr = made;
        made = NULL;
    }
out:
    cflr_csr_free(made);
    return st;
}
