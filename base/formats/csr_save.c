/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_save.c: rows with weights to files, in formats that csr_read.c reads back.
 *
 *     cflp            packed rows (base/plain/csr_packed_save.c)
 *     mtx             %%MatrixMarket, `pattern`, `integer` or `real` as weights are; from 1
 *     dimacs          p sp, a weight of 1 where there are none; from 1
 *     el32, wel32     pairs of little-endian numbers, in the second with a weight behind
 *     list            source target [weight]; from 0, or names
 *
 * A line an edge, by source and target. What a format does not hold is refused, not left out: the
 * only things that are lost are names, and that both ways of an edge were asked for.
 */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/formats/io.h"
#include "base/plain/csr.h"
#include "base/words.h"

/* ---- names of formats ---- */

static const char *const words[] = {"auto",
#define WORD(name, number, word, endings) [number] = word,
                                    CFLR_CSR_FORMAT_LIST(WORD)
#undef WORD
};

/* Each with a blank behind. */
static const char *const endings[] = {"",
#define ENDINGS(name, number, word, endings) [number] = endings " ",
                                      CFLR_CSR_FORMAT_LIST(ENDINGS)
#undef ENDINGS
};

enum { FORMATS = sizeof words / sizeof *words };

cflr_status cflr_csr_format_parse(const char *word, cflr_csr_format *format, cflr_error *error) {
    uint32_t number = 0;
    cflr_status st =
        cflri_find_word(word, words, FORMATS, "format of plain graphs", &number, error);
    if (st == CFLR_OK) *format = (cflr_csr_format)number;
    return st;
}

cflr_csr_format cflr_csr_format_of(const char *path) {
    char ending[16];
    for (int i = 1; i < FORMATS; i++) {
        const char *at = endings[i];
        for (size_t n; (n = strcspn(at, " ")); at += n + 1) {
            snprintf(ending, sizeof ending, "%.*s", (int)n, at);
            if (cflri_path_ends(path, ending)) return (cflr_csr_format)i;
        }
    }
    return CFLR_CSR_AUTO;
}

/* ---- one line an edge ---- */

/* One file that is written. */
typedef struct saving {
    const cflr_csr *csr;
    cflri_output *output;
    cflr_error *error;
    uint32_t from;       /* the number of the first vertex in the file */
    const char *before;  /* the source, in each line */
    const char *missing; /* in place of a weight; NULL: nothing */
    bool named;          /* vertices are written by their names */
} saving;

static void put_vertex(const saving *s, uint32_t v) {
    if (s->named)
        cflri_output_text(s->output, cflr_csr_name(s->csr, v));
    else
        cflri_output_u64(s->output, (uint64_t)v + s->from);
}

static void put_weight(const saving *s, uint64_t edge) {
    if (s->csr->weights == CFLR_WEIGHTS_INT32)
        cflri_output_printf(s->output, " %d", ((const int32_t *)s->csr->weight)[edge]);
    else if (s->csr->weights == CFLR_WEIGHTS_FLOAT32)
        cflri_output_printf(s->output, " %.9g", (double)((const float *)s->csr->weight)[edge]);
    else if (s->missing)
        cflri_output_text(s->output, s->missing);
}

static void put_line(const saving *s, uint32_t source, uint64_t edge) {
    cflri_output_text(s->output, s->before);
    put_vertex(s, source);
    cflri_output_write(s->output, " ", 1);
    put_vertex(s, s->csr->target[edge]);
    put_weight(s, edge);
    cflri_output_write(s->output, "\n", 1);
}

/* Calls `put` for all edges. */
static cflr_status each_edge(const saving *s,
                             void (*put)(const saving *s, uint32_t source, uint64_t edge)) {
    enum { ROWS_A_LOOK = 1 << 12 };
    const cflr_csr *csr = s->csr;
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) put(s, v, e);
        if (v % ROWS_A_LOOK) continue;
        cflr_status st = cflri_tick(csr->context, "write", csr->start[v], csr->n_edges);
        if (st != CFLR_OK) return cflri_fail_interrupted(csr->context, st, s->error);
    }
    return CFLR_OK;
}

/* ---- formats ---- */

static cflr_status put_mtx(saving *s) {
    static const char *const fields[] = {[CFLR_WEIGHTS_NONE] = "pattern",
                                         [CFLR_WEIGHTS_INT32] = "integer",
                                         [CFLR_WEIGHTS_FLOAT32] = "real"};
    uint32_t n = s->csr->n_vertices;
    cflri_output_printf(s->output, "%%%%MatrixMarket matrix coordinate %s general\n%u %u %llu\n",
                        fields[s->csr->weights], n, n, (unsigned long long)s->csr->n_edges);
    s->from = 1;
    return each_edge(s, put_line);
}

static cflr_status put_dimacs(saving *s) {
    cflri_output_printf(s->output, "p sp %u %llu\n", s->csr->n_vertices,
                        (unsigned long long)s->csr->n_edges);
    s->from = 1;
    s->before = "a ";
    s->missing = " 1";
    return each_edge(s, put_line);
}

/* Vertices without edges have no line. */
static cflr_status put_list(saving *s) {
    const cflr_csr *csr = s->csr;
    s->named = csr->names.context;
    if (!s->named) cflri_output_printf(s->output, "# vertices %u\n", csr->n_vertices);
    for (uint32_t v = 0; s->named && v < csr->n_vertices; v++) {
        const char *name = cflr_csr_name(csr, v);
        if (strpbrk(name, " \t") || strchr("#%", *name))
            return cflri_fail(s->error, CFLR_UNSUPPORTED, NULL,
                              "the name '%.60s' is no word, as those of a list are", name);
        cflri_output_printf(s->output, "#@ %s\n", name);
    }
    return each_edge(s, put_line);
}

static void put_little(const saving *s, uint32_t number) {
    unsigned char byte[] = {(unsigned char)number, (unsigned char)(number >> 8),
                            (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
    cflri_output_write(s->output, byte, sizeof byte);
}

static void put_record(const saving *s, uint32_t source, uint64_t edge) {
    put_little(s, source);
    put_little(s, s->csr->target[edge]);
    if (s->csr->weights) put_little(s, ((const uint32_t *)s->csr->weight)[edge]);
}

/* Is the last vertex an end of an edge? Such files know of no others. */
static bool shows_last_vertex(const cflr_csr *csr) {
    uint32_t n = csr->n_vertices;
    bool shows = !n || csr->start[n] > csr->start[n - 1];
    for (uint64_t e = 0; !shows && e < csr->n_edges; e++) shows = csr->target[e] == n - 1;
    return shows;
}

static cflr_status put_binary(saving *s, cflr_weights weights) {
    if (s->csr->weights != weights && s->csr->n_edges)
        return cflri_fail(s->error, CFLR_UNSUPPORTED, NULL,
                          weights ? "format wel32 is for weights that are whole numbers"
                                  : "format el32 holds no weights");
    if (!shows_last_vertex(s->csr))
        return cflri_fail(s->error, CFLR_UNSUPPORTED, NULL,
                          "vertex %u has no edge, and only edges are written",
                          s->csr->n_vertices - 1);
    return each_edge(s, put_record);
}

static cflr_status put(saving *s, cflr_csr_format format) {
    switch (format) {
        case CFLR_CSR_MTX:
            return put_mtx(s);
        case CFLR_CSR_DIMACS:
            return put_dimacs(s);
        case CFLR_CSR_EL32:
            return put_binary(s, CFLR_WEIGHTS_NONE);
        case CFLR_CSR_WEL32:
            return put_binary(s, CFLR_WEIGHTS_INT32);
        default:
            return put_list(s);
    }
}

static cflr_status write_file(saving *s, const char *path, cflr_csr_format format) {
    cflr_status st = cflri_output_open(s->csr->context, path, &s->output, s->error);
    if (st != CFLR_OK) return st;
    st = put(s, format);
    if (st == CFLR_OK) return cflri_output_close(s->output, s->error);
    cflri_output_abandon(s->output);
    return st;
}

cflr_status cflr_csr_save(const cflr_csr *csr, const char *path, cflr_csr_format format,
                          cflr_error *error) {
    saving s = {.csr = csr, .error = error, .before = ""};
    if (format == CFLR_CSR_AUTO) format = cflr_csr_format_of(path);
    if (format == CFLR_CSR_AUTO || (unsigned)format >= FORMATS)
        return cflri_fail(error, CFLR_ARGUMENT, path,
                          "the name does not end like that of a format of plain graphs");
    if (format == CFLR_CSR_CFLP) return cflr_csr_save_packed(csr, path, error);
    cflr_status st = cflri_csr_need_rows(csr, error);
    if (st == CFLR_OK) st = write_file(&s, path, format);
    return cflri_name_subject(st, cflri_output_name(path), error);
}
