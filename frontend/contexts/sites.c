/* SPDX-License-Identifier: Apache-2.0
 *
 * sites.c: names of call sites and paths.
 */
#include "frontend/contexts/sites.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "frontend/facts/facts_table.h"

enum {
    NAME_MAX_BYTES = 160, /* of a file's base name in a site */
    PATH_FULL = 120,      /* longest path that is written out */
    PATH_CUT = 96,        /* what is left of a longer one */
};

/* "name" for its first call, "name#2" for the second, ... */
static uint32_t number_name(cflri_facts *facts, cflri_triples *used, const char *name) {
    uint32_t id = cflri_facts_string(facts, name);
    for (uint32_t n = 1; facts->status == CFLR_OK; n++) {
        if (n > 1) {
            char numbered[NAME_MAX_BYTES + 64];
            snprintf(numbered, sizeof numbered, "%s#%" PRIu32, name, n);
            id = cflri_facts_string(facts, numbered);
        }
        const cflri_triple key = {id, 0, 0};
        if (cflri_triples_find(used, key) != CFLRI_NO_VALUE) continue;
        if (!cflri_triples_add(used, key, 0))
            facts->status = cflri_fail_memory(facts->context, NULL);
        break;
    }
    return id;
}

static uint32_t name_site(cflri_facts *facts, cflri_triples *used, const cflri_place *place) {
    const char *file = cflri_string(&facts->strings, place->file);
    const char *slash = strrchr(file, '/');
    char name[NAME_MAX_BYTES + 32];
    snprintf(name, sizeof name, "%.*s:%" PRIu32 ":%" PRIu32, NAME_MAX_BYTES,
             slash ? slash + 1 : file, place->line, place->column);
    return number_name(facts, used, name);
}

cflr_status cflri_program_name_sites(cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_facts *facts = &program->facts;
    if (program->site) return CFLR_OK;
    cflri_triples *used = cflri_triples_new(program->context);
    program->site = cflri_alloc_array(program->context, facts->calls.n, sizeof *program->site);
    if (!used || !program->site) CFLR_TRY(cflri_fail_memory(program->context, error));
    for (size_t i = 0; i < facts->calls.n && facts->status == CFLR_OK; i++)
        program->site[i] = name_site(facts, used, &facts->calls.at[i].place);
    if (facts->status != CFLR_OK) st = cflri_fail_memory(program->context, error);
out:
    cflri_triples_free(used);
    return st;
}

/* How much of a path stands before its hash. */
static size_t readable(const char *path) {
    const char *hash = strrchr(path, '~');
    size_t length = hash ? (size_t)(hash - path) : strlen(path);
    if (length <= PATH_CUT) return length;
    length = PATH_CUT;
    while (length > 0 && path[length] != '>') length--;
    return length > 0 ? length : PATH_CUT;
}

cflri_path cflri_path_extend(cflri_program *program, cflri_path path, uint32_t call) {
    assert(program->site);
    cflri_facts *facts = &program->facts;
    const char *before = cflri_string(&facts->strings, path.text);
    const char *site = cflri_string(&facts->strings, program->site[call]);
    char text[PATH_FULL + 2 * NAME_MAX_BYTES];
    cflri_path longer = {.hash = XXH3_64bits_withSeed(site, strlen(site), path.hash)};
    bool cut = strchr(before, '~') || strlen(before) + 1 + strlen(site) > PATH_FULL;
    if (!cut)
        snprintf(text, sizeof text, "%s%s%s", before, *before ? ">" : "", site);
    else if (*before)
        snprintf(text, sizeof text, "%.*s~%016" PRIx64, (int)readable(before), before, longer.hash);
    else
        snprintf(text, sizeof text, "%.*s~%016" PRIx64, (int)readable(site), site, longer.hash);
    longer.text = cflri_facts_string(facts, text);
    return longer;
}
