/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.c: the store.
 *
 * A unit is known by its key, the digest of everything that decides what it says but for the files
 * that it reads: the builds of the front end and of libclang, options, directory, path,
 * flags, and what the environment adds to the search for headers. The files can only be known after
 * reading them; so under one key there may be entries for several states of the files, in a few
 * slots, and each lists its files with their digests (sources.h):
 *
 *     DIR/3f/<30 digits>.0      main.c 81..  a.h 03..  /usr/include/stdio.h 5e..  | facts
 *     DIR/3f/<30 digits>.1      main.c 81..  a.h 77..  /usr/include/stdio.h 5e..  | facts
 *
 * The first whose list agrees with the files as they are now is taken, if summaries and rules say
 * of the unit's names what they said then (summary_digest.h). Headers are shared by units, and so
 * is the work: a digest is made once a run. A unit is saved in a free slot, or in place of the
 * entry that was not used for longest; a used entry gets the time of its use, by which old ones
 * are removed as well.
 *
 * Entries arrive by renaming, so no process sees half of one. If anything is wrong with an entry,
 * it is removed and the unit is read.
 *
 * When every unit is there, so may be what they gave together: the graph of a program and its
 * report, known by the states of all units and the choices that are made after reading. Reading a
 * graph takes a third of the time of linking.
 *
 * Finding costs O(files of the unit) lookups and the size of its facts.
 */
#include "frontend/store/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/kept.h"
#include "frontend/store/cache_entry.h"
#include "frontend/summaries/rules.h"

enum { SLOTS = 4 };

struct cflri_store {
    cflr_context *context;
    char *directory;
    cflr_fields fields;
    const cflri_summaries *summaries;
    cflri_digest identity; /* what all keys have in common */
    cflri_sources *sources;
    pthread_mutex_t lock; /* of what follows */
    /* Troubled: nothing more is saved, the disk is full, or not ours; damaged entries were removed,
     * the first by name. */
    cflri_store_news news;
};

/* A new option goes into identify when reading a unit looks at it, and else into
 * cflri_store_program_key; `parsing` changes nothing. */
_Static_assert(sizeof(void *) != 8 || sizeof(cflr_extract_opts) == 216,
               "one of the two knows each option");

/* ---- life ---- */

static void add_list(cflri_digester *state, const char *const *texts, size_t n) {
    cflri_digest_number(state, n);
    for (size_t i = 0; i < n; i++) cflri_digest_text(state, texts[i]);
}

/* Every option that reading a unit looks at must be here. */
static cflr_status identify(cflri_store *store, const cflr_extract_opts *opts, cflr_error *error) {
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH"};
    cflri_digester state;
    char clang[256];
    cflr_status st = cflri_clang_identity(clang, sizeof clang, error);
    if (st != CFLR_OK) return st;
    cflri_digest_begin(&state);
    cflri_digest_text(&state, cflri_frontend_identity);
    /* counts are kept as they lie in memory: their size, and by its own bytes their order */
    cflri_digest_number(&state, sizeof(cflr_extract_counts));
    cflri_digest_text(&state, clang);
    const cflri_choices choices = cflri_choices_of(opts);
    uint32_t numbers[CFLRI_N_CHOICES];
    cflri_choices_write(&choices, numbers);
    cflri_digest_add(&state, numbers, sizeof numbers);
    cflri_digest_number(&state, cflri_rules_there(store->summaries)); /* then places are kept */
    add_list(&state, opts->may_alias, opts->n_may_alias);
    add_list(&state, opts->must_alias, opts->n_must_alias);
    add_list(&state, opts->no_alias, opts->n_no_alias);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        cflri_digest_text(&state, value ? value : "");
    }
    store->identity = cflri_digest_end(&state);
    return CFLR_OK;
}

cflr_status cflri_store_open(cflr_context *context, const cflr_extract_opts *opts,
                             const cflri_summaries *summaries, cflri_store **store,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    *store = NULL;
    cflri_store *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->fields = opts->fields;
    made->summaries = summaries;
    pthread_mutex_init(&made->lock, NULL);
    made->directory = cflri_copy_text(context, opts->cache, strlen(opts->cache));
    if (!made->directory) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_sources_new(context, &made->sources, error));
    CFLR_TRY(identify(made, opts, error));
    *store = made;
    made = NULL;
out:
    if (made) cflri_store_close(made, CFLRI_STORE_LIMIT);
    return st;
}

cflr_status cflri_store_report(const cflri_store *store, cflr_extract_report *report,
                               cflr_error *error) {
    const cflr_note damage = {.kind = CFLR_NOTE_CACHE,
                              .count = store->news.damaged,
                              .file = store->news.first_damaged,
                              .text = "a damaged entry was removed"};
    const cflr_note trouble = {.kind = CFLR_NOTE_CACHE,
                               .count = 1,
                               .file = store->news.trouble.subject,
                               .text = store->news.trouble.message};
    cflr_status st = store->news.damaged ? cflri_report_note(report, &damage, error) : CFLR_OK;
    return st == CFLR_OK && store->news.troubled ? cflri_report_note(report, &trouble, error) : st;
}

/* ---- names ---- */

/* A flag that asks for the processor at hand says something else on each machine. */
static bool is_portable(const cflri_unit *unit) {
    for (int i = 0; i < unit->n_arguments; i++) {
        const char *value = strchr(unit->arguments[i], '=');
        if (unit->arguments[i][0] == '-' && value && strcmp(value, "=native") == 0) return false;
    }
    return true;
}

/* False when the unit cannot be kept. */
static bool key_of(cflri_store *store, const cflri_unit *unit, uint32_t *search,
                   cflri_digest *key) {
    cflri_digester state;
    cflri_digest named;
    if (!is_portable(unit) || !cflri_sources_search(store->sources, unit, search, &named))
        return false;
    cflri_digest_begin(&state);
    cflri_digest_add(&state, &store->identity, sizeof store->identity);
    cflri_digest_add(&state, &named, sizeof named);
    cflri_digest_text(&state, unit->path);
    cflri_digest_text(&state, unit->directory);
    for (int i = 0; i < unit->n_arguments; i++) cflri_digest_text(&state, unit->arguments[i]);
    *key = cflri_digest_end(&state);
    return true;
}

/* The file of a slot. False when no file system takes the name. */
static bool name_slot(const cflri_store *store, cflri_digest key, int slot, char path[PATH_MAX]) {
    return cflri_kept_path(store->directory, key, slot, path);
}

/* ---- finding ---- */

/* Do summaries and rules say the same of its names? */
static bool is_said_still(const cflri_store *store, const cflri_entry *entry) {
    cflri_digest now;
    return cflri_entry_said(store->context, entry, store->summaries, &now, NULL) == CFLR_OK &&
           cflri_digests_equal(now, entry->said);
}

/* Are the files as they were? */
static bool agrees(cflri_store *store, uint32_t search, const cflri_entry *entry) {
    for (uint32_t i = 1; i < entry->paths.text.n; i++) {
        cflri_digest content, whole;
        if (!cflri_sources_file(store->sources, search, cflri_string(&entry->paths, i), &content,
                                &whole) ||
            !cflri_digests_equal(whole, entry->digests[i]))
            return false;
    }
    return entry->paths.text.n > 1 && is_said_still(store, entry);
}

/* The digest of all that the unit says, its files included. */
static cflri_digest state_of(const cflri_entry *entry, uint32_t n_files) {
    cflri_digester state;
    cflri_digest_begin(&state);
    cflri_digest_add(&state, &entry->key, sizeof entry->key);
    cflri_digest_add(&state, &entry->said, sizeof entry->said);
    for (uint32_t i = 1; i <= n_files; i++)
        cflri_digest_text(&state, cflri_string(&entry->paths, i));
    cflri_digest_add(&state, entry->digests + 1, n_files * sizeof *entry->digests);
    return cflri_digest_end(&state);
}

/* A file that is no entry, or another's, is of no use. */
static void drop_damaged(cflri_store *store, const char *path, cflr_status st) {
    if (st != CFLR_FORMAT && st != CFLR_UNSUPPORTED) return;
    unlink(path);
    pthread_mutex_lock(&store->lock);
    if (store->news.damaged++ == 0 || strcmp(path, store->news.first_damaged) < 0)
        snprintf(store->news.first_damaged, sizeof store->news.first_damaged, "%s", path);
    pthread_mutex_unlock(&store->lock);
}

/* Opens the entry in a slot; CFLR_IO when there is none. Close both also when this fails. */
static cflr_status open_entry(cflri_store *store, const char *path, cflri_digest key,
                              cflri_input *input, cflri_entry *entry) {
    cflr_status st = CFLR_OK;
    memset(entry, 0, sizeof *entry);
    CFLR_TRY(cflri_kept_open(store->context, path, input));
    CFLR_TRY(cflri_entry_read(store->context, input->data, input->size, entry, NULL));
    if (!cflri_digests_equal(entry->key, key)) st = CFLR_FORMAT;
out:
    if (st != CFLR_OK) drop_damaged(store, path, st);
    return st;
}

static bool look_in_slot(cflri_store *store, uint32_t search, int slot, cflri_kept *kept) {
    char path[PATH_MAX];
    cflri_input input = {0};
    cflri_entry entry = {0};
    bool found = name_slot(store, kept->key, slot, path) &&
                 open_entry(store, path, kept->key, &input, &entry) == CFLR_OK &&
                 agrees(store, search, &entry);
    if (found) {
        kept->slot = slot;
        kept->state = state_of(&entry, (uint32_t)entry.paths.text.n - 1);
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* of another owner: it then looks unused */
    }
    cflri_entry_free(store->context, &entry);
    cflri_input_close(&input);
    return found;
}

bool cflri_store_look(cflri_store *store, const cflri_unit *unit, cflri_kept *kept) {
    *kept = (cflri_kept){.slot = -1};
    if (!key_of(store, unit, &kept->search, &kept->key)) return false;
    for (int slot = 0; slot < SLOTS; slot++)
        if (look_in_slot(store, kept->search, slot, kept)) return true;
    return false;
}

/* The files of an entry, by what they were when it was looked at. */
static cflr_status list_files(cflri_store *store, uint32_t search, const cflri_entry *entry,
                              cflri_inclusions *files) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 1; i < entry->paths.text.n && st == CFLR_OK; i++) {
        const char *path = cflri_string(&entry->paths, i);
        cflri_digest content, whole;
        st = cflri_sources_file(store->sources, search, path, &content, &whole)
                 ? cflri_inclusions_add(files, store->context, path, content, NULL)
                 : CFLR_IO;
    }
    return st;
}

bool cflri_store_facts(cflri_store *store, const cflri_kept *kept, cflri_facts *facts,
                       cflri_section *packed, cflri_inclusions *files,
                       cflri_unit_outcome *outcome) {
    char path[PATH_MAX];
    cflri_input input = {0};
    cflri_entry entry = {0};
    cflr_status st = CFLR_OK;
    if (!name_slot(store, kept->key, kept->slot, path)) return false;
    CFLR_TRY(open_entry(store, path, kept->key, &input, &entry));
    cflri_digest state = state_of(&entry, (uint32_t)entry.paths.text.n - 1);
    if (!cflri_digests_equal(state, kept->state)) CFLR_TRY(CFLR_IO); /* another run replaced it */
    CFLR_TRY(cflri_entry_facts(store->context, &entry, store->fields, facts, NULL));
    *outcome = entry.outcome;
    if (files) CFLR_TRY(list_files(store, kept->search, &entry, files));
    if (packed) st = cflri_container_copy(store->context, &entry.facts, packed, NULL);
out:
    drop_damaged(store, path, st);
    if (st != CFLR_OK) cflri_facts_free(facts);
    if (st != CFLR_OK && files) cflri_inclusions_free(files, store->context);
    cflri_entry_free(store->context, &entry);
    cflri_input_close(&input);
    return st == CFLR_OK;
}

/* ---- saving ---- */

/* A slot that is free, or else the one that was not used for longest. */
static bool choose_slot(const cflri_store *store, cflri_digest key, char path[PATH_MAX]) {
    struct stat about;
    struct timespec oldest = {0, 0};
    int chosen = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        if (!name_slot(store, key, slot, path)) return false;
        if (stat(path, &about) != 0) return true;
        bool older =
            about.st_mtim.tv_sec < oldest.tv_sec ||
            (about.st_mtim.tv_sec == oldest.tv_sec && about.st_mtim.tv_nsec < oldest.tv_nsec);
        if (slot == 0 || older) {
            chosen = slot;
            oldest = about.st_mtim;
        }
    }
    return name_slot(store, key, chosen, path);
}

/* The content to write into a file of the store: one of the two. */
typedef struct written {
    const cflri_entry *entry;
    const cflri_buffer *names;
    const cflri_facts *facts;
    const cflri_extracted *extracted;
    cflri_digest key;
} written;

static cflr_status write_content(cflri_store *store, char *path, const written *what,
                                 cflr_error *error) {
    cflr_context *context = store->context;
    cflri_output *output;
    cflr_status st = cflri_kept_create(context, path, &output, error);
    if (st != CFLR_OK) return st;
    st = what->entry
             ? cflri_entry_write(context, output, what->entry, what->names, what->facts, error)
             : cflri_extracted_write(context, output, what->key, what->extracted, error);
    if (st == CFLR_OK) return cflri_output_close(output, error);
    cflri_output_abandon(output);
    return st;
}

static bool is_troubled(cflri_store *store) {
    pthread_mutex_lock(&store->lock);
    bool troubled = store->news.troubled;
    pthread_mutex_unlock(&store->lock);
    return troubled;
}

/* Writes a file, or notes why it cannot be. */
static void write_or_note(cflri_store *store, char *path, const written *what) {
    cflr_error error;
    if (is_troubled(store)) return;
    cflr_status st = write_content(store, path, what, &error);
    pthread_mutex_lock(&store->lock);
    store->news.saved |= st == CFLR_OK;
    if (st != CFLR_OK && !store->news.troubled) store->news.trouble = error;
    store->news.troubled |= st != CFLR_OK;
    pthread_mutex_unlock(&store->lock);
}

/* The digests of the files, if they still are what was parsed. */
static bool digest_files(cflri_store *store, uint32_t search, const cflri_inclusions *files,
                         cflri_digest *digests) {
    for (uint32_t i = 1; i < files->content.n; i++) {
        cflri_digest content;
        if (!cflri_sources_file(store->sources, search, cflri_string(&files->paths, i), &content,
                                &digests[i]) ||
            !cflri_digests_equal(content, files->content.at[i]))
            return false;
    }
    return files->content.n > 1;
}

/* Fills all that an entry holds but the facts; false when it cannot be kept. */
static bool describe(cflri_store *store, const cflri_unit *unit, const cflri_inclusions *files,
                     const cflri_facts *facts, cflri_entry *entry, cflri_buffer *names) {
    uint32_t search;
    if (entry->outcome.state == CFLRI_UNIT_LOST || !key_of(store, unit, &search, &entry->key))
        return false;
    entry->digests = cflri_alloc_array(store->context, files->content.n, sizeof *entry->digests);
    return entry->digests && digest_files(store, search, files, entry->digests) &&
           cflri_summary_names(facts, names) &&
           cflri_summaries_digest_names(store->summaries, names->at, names->n, &entry->said);
}

bool cflri_store_save(cflri_store *store, const cflri_unit *unit, const cflri_inclusions *files,
                      const cflri_facts *facts, const cflri_unit_outcome *outcome,
                      cflri_kept *kept) {
    char path[PATH_MAX];
    cflri_buffer names = {0};
    cflri_entry entry = {.outcome = *outcome, .paths = files->paths};
    bool good = describe(store, unit, files, facts, &entry, &names);
    if (good) kept->state = state_of(&entry, (uint32_t)files->content.n - 1);
    if (good && choose_slot(store, entry.key, path))
        write_or_note(store, path, &(written){.entry = &entry, .names = &names, .facts = facts});
    cflri_free(store->context, entry.digests);
    cflri_vec_free(store->context, &names);
    return good;
}

void cflri_store_tell(cflri_store *store, cflri_store_news *news) {
    pthread_mutex_lock(&store->lock);
    *news = store->news;
    store->news.damaged = 0;
    pthread_mutex_unlock(&store->lock);
}

void cflri_store_hear(cflri_store *store, const cflri_store_news *news) {
    cflri_store_news *all = &store->news;
    pthread_mutex_lock(&store->lock);
    all->saved |= news->saved;
    if (news->troubled && !all->troubled) all->trouble = news->trouble;
    all->troubled |= news->troubled;
    if (news->damaged && (!all->damaged || strcmp(news->first_damaged, all->first_damaged) < 0))
        memcpy(all->first_damaged, news->first_damaged, sizeof all->first_damaged);
    all->damaged += news->damaged;
    pthread_mutex_unlock(&store->lock);
}

/* ---- programs ---- */

/* Which units go together, and which are wanted. */
static void add_targets(cflri_digester *digester, const cflri_units *units) {
    for (size_t t = 0; t < units->targets.n; t++) {
        cflri_digest_text(digester, units->targets.at[t].name);
        cflri_digest_number(digester, units->targets.at[t].wanted);
    }
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_unit *unit = &units->list.at[i];
        cflri_digest_number(digester, unit->n_targets);
        cflri_digest_number(digester, unit->wanted);
        for (uint32_t k = 0; k < unit->n_targets; k++)
            cflri_digest_number(digester, units->members.at[unit->first_target + k]);
    }
}

/* Every option that linking and what follows look at must be here. */
cflri_digest cflri_store_program_key(const cflri_store *store, const cflri_digest *states,
                                     const cflri_units *units, const cflr_extract_opts *opts) {
    size_t n = units->list.n;
    const uint64_t choices[] = {opts->calls,    opts->context,    opts->clone_limit,
                                opts->programs, opts->world,      opts->aliasing,
                                opts->callees,  units->targets.n, n};
    const cflri_digest summaries = cflri_summaries_digest(store->summaries);
    cflri_digester state;
    cflri_digest_begin(&state);
    cflri_digest_add(&state, &store->identity, sizeof store->identity);
    cflri_digest_add(&state, &summaries, sizeof summaries);
    cflri_digest_add(&state, choices, sizeof choices);
    cflri_digest_add(&state, states, n * sizeof *states);
    add_targets(&state, units);
    cflri_digest_number(&state, units->foreign.n);
    for (size_t i = 0; i < units->foreign.n; i++) {
        cflri_digest_text(&state, units->foreign.at[i].path);
        cflri_digest_text(&state, units->foreign.at[i].language);
    }
    return cflri_digest_end(&state);
}

bool cflri_store_program(cflri_store *store, cflri_digest key, cflri_extracted *extracted) {
    char path[PATH_MAX];
    cflri_input input = {0};
    cflr_status st = CFLR_IO;
    if (name_slot(store, key, 0, path)) st = cflri_kept_open(store->context, path, &input);
    if (st == CFLR_OK)
        st = cflri_extracted_read(store->context, input.data, input.size, key, extracted, NULL);
    cflri_input_close(&input);
    drop_damaged(store, path, st);
    if (st == CFLR_OK) (void)utimensat(AT_FDCWD, path, NULL, 0);
    return st == CFLR_OK;
}

void cflri_store_save_program(cflri_store *store, cflri_digest key,
                              const cflri_extracted *extracted) {
    char path[PATH_MAX];
    if (name_slot(store, key, 0, path))
        write_or_note(store, path, &(written){.key = key, .extracted = extracted});
}

/* ---- removing ---- */

typedef struct kept_file {
    char name[CFLRI_KEPT_FOLDER + 1 + CFLRI_KEPT_DIGITS + 32]; /* folder and file */
    uint64_t size;
    struct timespec used;
} kept_file;

typedef CFLRI_VEC(kept_file) kept_files;

/* Oldest first. */
static int compare_use(const void *a, const void *b) {
    const kept_file *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Is this the name of an entry, or of one that is or was being written? */
static bool is_ours(const char *name) {
    enum { DIGITS = CFLRI_KEPT_DIGITS - CFLRI_KEPT_FOLDER };
    return strspn(name, "0123456789abcdef") == DIGITS && name[DIGITS] == '.';
}

static void list_folder(const cflri_store *store, const char *folder, kept_files *list) {
    char path[PATH_MAX];
    struct dirent *one;
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", store->directory, folder);
    DIR *stream = opendir(path);
    while (stream && (one = readdir(stream))) {
        kept_file file;
        int length = snprintf(file.name, sizeof file.name, "%s/%s", folder, one->d_name);
        if (!is_ours(one->d_name) || length >= (int)sizeof file.name ||
            fstatat(dirfd(stream), one->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        file.size = (uint64_t)about.st_blocks * 512;
        file.used = about.st_mtim;
        if (!cflri_vec_push(store->context, list, file)) break; /* the rest another time */
    }
    if (stream) closedir(stream);
}

/* Entries and left-overs of killed runs alike: what is being written now is the newest. */
static void remove_unused(const cflri_store *store, uint64_t limit) {
    kept_files list = {0};
    uint64_t size = 0;
    char path[PATH_MAX];
    for (unsigned folder = 0; folder < 256; folder++) {
        char name[CFLRI_KEPT_FOLDER + 1];
        snprintf(name, sizeof name, "%02x", folder);
        list_folder(store, name, &list);
    }
    for (size_t i = 0; i < list.n; i++) size += list.at[i].size;
    if (size > limit) qsort(list.at, list.n, sizeof *list.at, compare_use);
    for (size_t i = 0; i < list.n && size > limit; i++) {
        snprintf(path, sizeof path, "%s/%s", store->directory, list.at[i].name);
        if (unlink(path) == 0) size -= list.at[i].size;
    }
    cflri_vec_free(store->context, &list);
}

void cflri_store_close(cflri_store *store, uint64_t limit) {
    if (!store) return;
    cflr_context *context = store->context;
    if (store->news.saved) remove_unused(store, limit);
    cflri_sources_free(store->sources);
    cflri_free(context, store->directory);
    pthread_mutex_destroy(&store->lock);
    cflri_free(context, store);
}
