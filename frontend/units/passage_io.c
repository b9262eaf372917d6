/* SPDX-License-Identifier: Apache-2.0
 *
 * passage_io.c: what reading a unit has given, from a worker to the process that links.
 *
 *     head | facts (facts_io.c) | packed facts | texts of files, each ended by NUL | their digests
 *
 * Both ends are the same program, so that the head goes as it lies in memory. Facts are not packed
 * on the way, which would take a tenth of the time of reading: only where they have to wait in few
 * bytes, or are kept, they are there in that form too. The worker may have crashed over its own
 * memory before it answered, so the sizes are compared with what is there, and the facts are
 * checked as those of a file are.
 */
#include <string.h>

#include "frontend/facts/facts_io.h"
#include "frontend/units/passages.h"

typedef struct head {
    cflri_unit_outcome outcome;
    cflri_store_news news;
    cflri_digest state;
    bool known, cached;
    cflri_digest says;
    cflri_section packed;
    uint64_t facts_bytes, text_bytes;
    uint64_t n_files;
} head;

_Static_assert(sizeof(head) % sizeof(uint32_t) == 0, "numbers follow the head");

/* Right into the answer: it may be large. */
static bool put_facts(const cflri_facts *facts, cflri_buffer *answer) {
    enum { SIZE = sizeof(uint32_t) };
    cflri_numbers words = {(uint32_t *)(void *)answer->at, answer->n / SIZE,
                           answer->capacity / SIZE};
    bool good = cflri_facts_write(facts, &words);
    *answer = (cflri_buffer){(char *)words.at, words.n * SIZE, words.capacity * SIZE};
    return good;
}

static bool put_files(cflr_context *context, const cflri_inclusions *files, cflri_buffer *answer,
                      head *h) {
    size_t n = files->content.n, before = answer->n;
    for (uint32_t i = 1; i < n; i++)
        if (!cflri_buffer_text(context, answer, cflri_string(&files->paths, i))) return false;
    h->text_bytes = answer->n - before;
    h->n_files = n ? n - 1 : 0;
    return cflri_buffer_add(context, answer, files->content.at + 1,
                            h->n_files * sizeof *files->content.at);
}

cflr_status cflri_passage_write(const cflri_passages *x, const cflri_passage *p,
                                cflri_buffer *answer, cflr_error *error) {
    cflr_context *context = x->context;
    head h = {.outcome = p->outcome,
              .state = p->kept.state,
              .known = p->known,
              .cached = p->cached,
              .says = p->reading.says,
              .packed = p->reading.facts};
    if (x->store) cflri_store_tell(x->store, &h.news);
    bool good = cflri_buffer_add(context, answer, &h, sizeof h) && put_facts(&p->facts, answer);
    h.facts_bytes = answer->n - sizeof h;
    good = good && (!h.packed.packed || cflri_buffer_add(context, answer, h.packed.packed,
                                                         (size_t)h.packed.packed_size));
    good = good && (!x->files || put_files(context, &p->files, answer, &h));
    if (!good) return cflri_fail_memory(context, error);
    memcpy(answer->at, &h, sizeof h);
    return CFLR_OK;
}

/* Do the parts fill the answer? */
static bool fits(const head *h, size_t size) {
    uint64_t left = size - sizeof *h;
    const uint64_t parts[] = {h->facts_bytes, h->packed.packed ? h->packed.packed_size : 0,
                              h->text_bytes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i] > left) return false;
        left -= parts[i];
    }
    return left % sizeof(cflri_digest) == 0 && h->n_files == left / sizeof(cflri_digest);
}

static cflr_status take_files(const cflri_passages *x, cflri_passage *p, const head *h,
                              const char *texts, cflr_error *error) {
    const char *digests = texts + h->text_bytes;
    for (uint64_t i = 0; i < h->n_files; i++) {
        cflri_digest content;
        const char *end = memchr(texts, '\0', (size_t)(digests - texts));
        if (!end) return cflri_fail(error, CFLR_FORMAT, NULL, "a path does not end");
        memcpy(&content, digests + i * sizeof content, sizeof content);
        cflr_status st = cflri_inclusions_add(&p->files, x->context, texts, content, error);
        if (st != CFLR_OK) return st;
        texts = end + 1;
    }
    return CFLR_OK;
}

static cflr_status take_packed(const cflri_passages *x, cflri_passage *p, const head *h,
                               const char *packed, cflr_error *error) {
    cflri_section section = h->packed;
    if (!section.packed) return CFLR_OK;
    section.packed = packed;
    p->reading = (cflri_reading){.outcome = h->outcome, .says = h->says};
    return cflri_container_copy(x->context, &section, &p->reading.facts, error);
}

static cflr_status take_parts(const cflri_passages *x, cflri_passage *p, const head *h,
                              const char *parts, cflr_error *error) {
    cflr_status st = cflri_facts_read(&p->facts, x->context, x->chosen.fields, parts,
                                      (size_t)h->facts_bytes, error);
    if (st == CFLR_OK) st = take_packed(x, p, h, parts + h->facts_bytes, error);
    if (st != CFLR_OK) return st;
    parts += h->facts_bytes + (h->packed.packed ? h->packed.packed_size : 0);
    return take_files(x, p, h, parts, error);
}

cflr_status cflri_passage_take(const cflri_passages *x, cflri_passage *p, const char *answer,
                               size_t size, cflr_error *error) {
    head h;
    if (size < sizeof h) return cflri_fail(error, CFLR_FORMAT, NULL, "no answer");
    memcpy(&h, answer, sizeof h);
    if (!fits(&h, size)) return cflri_fail(error, CFLR_FORMAT, NULL, "an answer of another size");
    cflr_status st = take_parts(x, p, &h, answer + sizeof h, error);
    p->begun = st == CFLR_OK;
    if (st != CFLR_OK) {
        cflri_facts_free(&p->facts);
        cflri_inclusions_free(&p->files, x->context);
        return st;
    }
    if (x->store) cflri_store_hear(x->store, &h.news);
    h.outcome.first_error[sizeof h.outcome.first_error - 1] = '\0';
    h.outcome.error_file[sizeof h.outcome.error_file - 1] = '\0';
    p->outcome = h.outcome;
    p->cached = h.cached;
    p->known = h.known;
    p->kept.state = h.state;
    return CFLR_OK;
}
