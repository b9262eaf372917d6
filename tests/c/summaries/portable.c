/* SPDX-License-Identifier: Apache-2.0
 *
 * portable.c: the Apache Portable Runtime: pools and what they run, containers and what comes out of
 * them, buckets in brigades, callbacks, and records that are filled.
 */
#include <apr-1.0/apr_atomic.h>
#include <apr-1.0/apr_buckets.h>
#include <apr-1.0/apr_file_io.h>
#include <apr-1.0/apr_general.h>
#include <apr-1.0/apr_getopt.h>
#include <apr-1.0/apr_hash.h>
#include <apr-1.0/apr_hooks.h>
#include <apr-1.0/apr_lib.h>
#include <apr-1.0/apr_network_io.h>
#include <apr-1.0/apr_optional.h>
#include <apr-1.0/apr_optional_hooks.h>
#include <apr-1.0/apr_poll.h>
#include <apr-1.0/apr_pools.h>
#include <apr-1.0/apr_queue.h>
#include <apr-1.0/apr_reslist.h>
#include <apr-1.0/apr_rmm.h>
#include <apr-1.0/apr_skiplist.h>
#include <apr-1.0/apr_strings.h>
#include <apr-1.0/apr_strmatch.h>
#include <apr-1.0/apr_tables.h>
#include <apr-1.0/apr_thread_proc.h>
#include <apr-1.0/apr_uri.h>
#include <apr-1.0/apr_xml.h>

#include "expect.h"

static int tag, other_tag, third_tag;

/* ---- pools ---- */

static void *seen_data, *seen_late;

static apr_status_t finish(void *data) {
    seen_data = data;
    return APR_SUCCESS;
}

static apr_status_t finish_late(void *data) {
    seen_late = data;
    return APR_SUCCESS;
}

static void pools(apr_pool_t *parent) {
    apr_pool_t *pool = NULL;
    apr_pool_create(&pool, parent);
    FRESH(pool);
    apr_pool_t *above = apr_pool_parent_get(pool);
    SAME(above, parent);
    void *a = apr_palloc(pool, 8), *b = apr_pcalloc(pool, 8);
    FRESH(a);
    FRESH(b);
    APART(a, b);
    void *c = NULL;
    apr_pool_userdata_setn(&tag, "tag", finish, pool);
    apr_pool_userdata_get(&c, "tag", pool);
    POINTS_TO(c, tag);
    apr_pool_cleanup_register(pool, &other_tag, finish_late, apr_pool_cleanup_null);
    apr_pool_destroy(pool);
    void *d = seen_data, *e = seen_late;
    POINTS_TO(d, tag);
    POINTS_TO(e, other_tag);
    APART(d, e);
}

struct pair {
    int *first;
    int *second;
};

static void strings(apr_pool_t *pool) {
    char text[] = "a,b", *rest = NULL;
    char *a = apr_pstrdup(pool, text), *b = apr_pstrcat(pool, a, text, NULL);
    FRESH(a);
    FRESH(b);
    char *c = apr_strtok(text, ",", &rest);
    POINTS_TO(c, text);
    c = apr_strtok(NULL, ",", &rest);
    POINTS_TO(c, text);
    const char *d = apr_filepath_name_get(text);
    POINTS_TO(d, text);
    struct pair pair = {&tag, &other_tag}, *copy = apr_pmemdup(pool, &pair, sizeof pair);
    FRESH(copy);
    int *e = copy->first, *f = copy->second;
    POINTS_TO(e, tag);
    POINTS_TO(f, other_tag);
    APART(e, f);
    const apr_strmatch_pattern *pattern = apr_strmatch_precompile(pool, "b", 1);
    const char *g = apr_strmatch(pattern, text + 2, 1);
    POINTS_TO(g, text);
}

/* ---- containers ---- */

static void arrays(apr_pool_t *pool) {
    apr_array_header_t *one = apr_array_make(pool, 1, sizeof(int *));
    apr_array_header_t *two = apr_array_make(pool, 1, sizeof(struct pair));
    *(int **)apr_array_push(one) = &tag;
    struct pair *made = apr_array_push(two);
    made->first = &other_tag;
    made->second = &third_tag;
    int *a = ((int **)one->elts)[0], *b = ((struct pair *)two->elts)[0].second;
    POINTS_TO(a, tag);
    POINTS_TO(b, third_tag);
    apr_array_header_t *copy = apr_array_copy(pool, two);
    int *c = APR_ARRAY_IDX(copy, 0, struct pair).first;
    POINTS_TO(c, other_tag);
    apr_array_header_t *three = apr_array_make(pool, 1, sizeof(int *));
    APR_ARRAY_PUSH(three, int *) = &third_tag;
    apr_array_header_t *both = apr_array_append(pool, one, three);
    int *d = APR_ARRAY_IDX(both, 0, int *), *e = APR_ARRAY_IDX(both, 1, int *);
    POINTS_TO(d, tag);
    POINTS_TO(e, third_tag);
    apr_array_cat(one, three);
    int *f = APR_ARRAY_IDX(one, 1, int *);
    POINTS_TO(f, third_tag);
    int *g = *(int **)apr_array_pop(three);
    POINTS_TO(g, third_tag);
    apr_pool_t *h = one->pool;
    SAME(h, pool);
}

static void *seen_record;
static const char *seen_key, *seen_value;

static int visit(void *record, const char *key, const char *value) {
    seen_record = record;
    seen_key = key;
    seen_value = value;
    return 1;
}

static char name[] = "name", value[] = "value", other_value[] = "other";

static void tables(apr_pool_t *pool) {
    apr_table_t *one = apr_table_make(pool, 1), *two = apr_table_make(pool, 1);
    apr_table_setn(one, name, value);
    apr_table_set(two, name, other_value);
    const char *a = apr_table_get(one, name), *b = apr_table_get(two, name);
    POINTS_TO(a, value);
    KNOWN(b);
    APART(a, b);
    apr_table_do(visit, &tag, one, NULL);
    void *c = seen_record;
    const char *d = seen_key, *e = seen_value;
    POINTS_TO(c, tag);
    POINTS_TO(d, name);
    POINTS_TO(e, value);
    const apr_array_header_t *elements = apr_table_elts(one);
    const char *f = ((const apr_table_entry_t *)elements->elts)[0].val;
    POINTS_TO(f, value);
    apr_table_t *both = apr_table_overlay(pool, one, two), *copy = apr_table_copy(pool, one);
    const char *g = apr_table_get(both, name), *h = apr_table_get(copy, name);
    POINTS_TO(g, value);
    POINTS_TO(h, value);
    apr_table_mergen(copy, name, other_value);
    const char *i = apr_table_get(copy, name);
    KNOWN(i);
}

static int each(void *record, const void *key, apr_ssize_t length, const void *item) {
    (void)length;
    seen_record = record;
    seen_key = key;
    seen_data = (void *)item;
    return 1;
}

static void *merge(apr_pool_t *pool, const void *key, apr_ssize_t length, const void *a,
                   const void *b, const void *data) {
    (void)pool, (void)key, (void)length, (void)a, (void)b;
    return (void *)data;
}

static void hashes(apr_pool_t *pool) {
    apr_hash_t *one = apr_hash_make(pool), *two = apr_hash_make(pool);
    apr_hash_set(one, name, APR_HASH_KEY_STRING, &tag);
    apr_hash_set(two, name, APR_HASH_KEY_STRING, &other_tag);
    void *a = apr_hash_get(one, "name", 4), *b = apr_hash_get(two, "name", 4);
    POINTS_TO(a, tag);
    POINTS_TO(b, other_tag);
    APART(a, b);
    apr_hash_index_t *index = apr_hash_first(pool, one);
    const void *key = NULL;
    void *c = NULL;
    apr_hash_this(index, &key, NULL, &c);
    POINTS_TO(key, name);
    POINTS_TO(c, tag);
    apr_hash_index_t *inside = apr_hash_first(NULL, one), *again = apr_hash_first(NULL, one);
    SAME(inside, again);
    void *d = apr_hash_this_val(inside);
    POINTS_TO(d, tag);
    apr_hash_t *both = apr_hash_merge(pool, one, two, merge, &third_tag);
    void *e = apr_hash_get(both, "name", 4);
    POINTS_TO(e, third_tag);
    apr_hash_do(each, &other_tag, one);
    void *f = seen_record, *g = seen_data;
    POINTS_TO(f, other_tag);
    POINTS_TO(g, tag);
    apr_pool_t *h = apr_hash_pool_get(one);
    SAME(h, pool);
}

static int compare(void *a, void *b) {
    return (a > b) - (a < b);
}

static void lists(apr_pool_t *pool) {
    apr_skiplist *list = NULL;
    apr_skiplist_init(&list, pool);
    apr_skiplist_set_compare(list, compare, compare);
    apr_skiplistnode *node = apr_skiplist_insert(list, &tag);
    void *a = apr_skiplist_element(node), *b = apr_skiplist_find(list, &tag, NULL);
    POINTS_TO(a, tag);
    POINTS_TO(b, tag);
    void *c = apr_skiplist_pop(list, NULL);
    POINTS_TO(c, tag);
    apr_queue_t *queue = NULL;
    apr_queue_create(&queue, 4, pool);
    apr_queue_push(queue, &other_tag);
    void *d = NULL;
    apr_queue_pop(queue, &d);
    POINTS_TO(d, other_tag);
    void *volatile place = &tag;
    void *e = apr_atomic_xchgptr((volatile void **)&place, &other_tag), *f = place;
    POINTS_TO(e, tag);
    POINTS_TO(f, other_tag);
}

static void *made_with;

static apr_status_t make(void **resource, void *parameter, apr_pool_t *pool) {
    (void)pool;
    made_with = parameter;
    *resource = &third_tag;
    return APR_SUCCESS;
}

static apr_status_t unmake(void *resource, void *parameter, apr_pool_t *pool) {
    (void)resource, (void)parameter, (void)pool;
    return APR_SUCCESS;
}

static void resources(apr_pool_t *pool) {
    apr_reslist_t *list = NULL;
    void *a = NULL;
    if (apr_reslist_create(&list, 1, 1, 1, 0, make, unmake, &tag, pool) != APR_SUCCESS) return;
    apr_reslist_acquire(list, &a);
    POINTS_TO(a, third_tag);
    void *b = made_with;
    POINTS_TO(b, tag);
    apr_reslist_release(list, a);
    static char memory[4096];
    apr_rmm_t *rmm = NULL;
    if (apr_rmm_init(&rmm, NULL, memory, sizeof memory, pool) != APR_SUCCESS) return;
    char *c = apr_rmm_addr_get(rmm, apr_rmm_malloc(rmm, 16));
    POINTS_TO(c, memory);
}

/* ---- buckets ---- */

static char bytes[] = "bytes", others[] = "others";

static void read_all(apr_bucket_brigade *brigade) {
    for (apr_bucket *b = APR_BRIGADE_FIRST(brigade); b != APR_BRIGADE_SENTINEL(brigade);
         b = APR_BUCKET_NEXT(b)) {
        const char *text = NULL;
        apr_size_t size;
        apr_bucket_read(b, &text, &size, APR_BLOCK_READ);
        if (text) seen_value = text;
    }
}

static void buckets(apr_pool_t *pool) {
    apr_bucket_alloc_t *allocator = apr_bucket_alloc_create(pool);
    apr_bucket_brigade *one = apr_brigade_create(pool, allocator);
    apr_bucket_brigade *two = apr_brigade_create(pool, allocator);
    apr_bucket *fixed = apr_bucket_immortal_create(bytes, 5, allocator);
    APR_BRIGADE_INSERT_TAIL(one, fixed);
    APR_BRIGADE_INSERT_TAIL(one, apr_bucket_eos_create(allocator));
    apr_bucket *first = APR_BRIGADE_FIRST(one), *last = APR_BRIGADE_LAST(one);
    SAME(first, fixed);
    const char *text = NULL;
    apr_size_t size;
    apr_bucket_read(first, &text, &size, APR_BLOCK_READ);
    POINTS_TO(text, bytes);
    const apr_bucket_type_t *type = first->type, *wanted = &apr_bucket_type_immortal;
    SAME(type, wanted);
    apr_bucket *copy = NULL;
    apr_bucket_copy(first, &copy);
    const char *same = NULL;
    apr_bucket_read(copy, &same, &size, APR_BLOCK_READ);
    POINTS_TO(same, bytes);
    apr_bucket *pooled = apr_bucket_pool_create(others, 6, pool, allocator);
    APR_BRIGADE_INSERT_HEAD(two, pooled);
    const char *other = NULL;
    apr_bucket_read(pooled, &other, &size, APR_BLOCK_READ);
    POINTS_TO(other, others);
    apr_bucket_split(pooled, 2);
    apr_bucket *rest = APR_BUCKET_NEXT(pooled);
    const char *tail = NULL;
    apr_bucket_read(rest, &tail, &size, APR_BLOCK_READ);
    POINTS_TO(tail, others);
    APR_BRIGADE_CONCAT(one, two);
    apr_bucket *moved = APR_BUCKET_NEXT(last);
    SAME(moved, pooled);
    seen_value = NULL;
    read_all(one);
    const char *a = seen_value;
    POINTS_TO(a, others);
    apr_bucket *kept = apr_bucket_heap_create(bytes, 5, NULL, allocator);
    const char *b = NULL;
    apr_bucket_read(kept, &b, &size, APR_BLOCK_READ);
    KNOWN(b);
    apr_bucket_brigade *later = apr_brigade_split(one, pooled);
    apr_bucket *c = APR_BRIGADE_FIRST(later);
    SAME(c, pooled);
    apr_bucket_brigade *written = apr_brigade_create(pool, allocator);
    apr_brigade_puts(written, NULL, NULL, bytes);
    apr_bucket *d = APR_BRIGADE_FIRST(written);
    KNOWN(d);
    char *flat = NULL;
    apr_brigade_pflatten(written, &flat, &size, pool);
    FRESH(flat);
    apr_brigade_destroy(later);
    apr_brigade_cleanup(one);
    apr_bucket_destroy(kept);
}

static apr_status_t release_bytes(void *data) {
    seen_late = data;
    return APR_SUCCESS;
}

static void free_bytes(void *data) {
    release_bytes(data);
}

static void buckets_of_others(apr_pool_t *pool) {
    apr_bucket_alloc_t *allocator = apr_bucket_alloc_create(pool);
    apr_bucket *given = apr_bucket_heap_create(bytes, 5, free_bytes, allocator);
    apr_bucket_destroy(given);
    void *a = seen_late;
    POINTS_TO(a, bytes);
    apr_bucket by_hand = {.type = &apr_bucket_type_transient, .length = 6, .data = others};
    const char *text = NULL;
    apr_size_t size;
    apr_bucket_read(&by_hand, &text, &size, APR_BLOCK_READ);
    POINTS_TO(text, others);
}

/* ---- names ---- */

APR_DECLARE_OPTIONAL_FN(int *, give_tag, (void));

APR_DECLARE_OPTIONAL_FN(int *, give_other, (void));

static int *give_tag(void) {
    return &tag;
}

static int *give_other(void) {
    return &other_tag;
}

static void named(void) {
    APR_REGISTER_OPTIONAL_FN(give_tag);
    APR_OPTIONAL_FN_TYPE(give_tag) *found = APR_RETRIEVE_OPTIONAL_FN(give_tag);
    APR_REGISTER_OPTIONAL_FN(give_other);
    APR_OPTIONAL_FN_TYPE(give_other) *other = APR_RETRIEVE_OPTIONAL_FN(give_other);
    int *a = found(), *b = other();
    POINTS_TO(a, tag);
    POINTS_TO(b, other_tag);
    APART(a, b);
}

static int *give_third(void) {
    return &third_tag;
}

struct hook {
    int *(*function)(void);
    const char *name;
    const char *const *before;
    const char *const *behind;
    int order;
};

/* A name that is not known. */
static void named_by_others(const char *unknown) {
    static const char asked[] = "asked";
    apr_optional_hook_add(unknown ? unknown : asked, (void (*)(void))give_third, NULL, NULL, 0);
    const apr_array_header_t *hooks = apr_optional_hook_get("asked");
    int *a = ((const struct hook *)hooks->elts)[0].function();
    POINTS_TO(a, third_tag);
}

/* ---- records that are filled ---- */

static void records(apr_pool_t *pool) {
    apr_uri_t uri;
    apr_uri_parse(pool, "http://a.b:80/c?d", &uri);
    char *a = uri.hostname, *b = uri.path, *c = apr_uri_unparse(pool, &uri, 0);
    FRESH(a);
    FRESH(b);
    FRESH(c);
    APART(a, b);
    apr_sockaddr_t *address = NULL;
    apr_sockaddr_info_get(&address, "127.0.0.1", APR_INET, 80, 0, pool);
    FRESH(address);
    void *d = address->ipaddr_ptr;
    KNOWN(d);
    char *e = NULL;
    apr_sockaddr_ip_get(&e, address);
    FRESH(e);
    static const char *const words[] = {"program", "-x", "value", NULL};
    apr_getopt_t *options = NULL;
    char letter;
    const char *argument = NULL;
    apr_getopt_init(&options, pool, 3, words);
    apr_getopt(options, "x:", &letter, &argument);
    KNOWN(argument);
    apr_finfo_t info;
    static const char here[] = ".";
    apr_stat(&info, here, APR_FINFO_TYPE, pool);
    const char *f = info.fname;
    POINTS_TO(f, here);
    apr_file_t *file = NULL;
    const char *g = NULL;
    if (apr_file_open(&file, __FILE__, APR_FOPEN_READ, APR_FPROT_OS_DEFAULT, pool) != APR_SUCCESS)
        return;
    apr_file_name_get(&g, file);
    FRESH(g);
    apr_pool_t *h = apr_file_pool_get(file);
    SAME(h, pool);
    apr_file_close(file);
}

static void documents(apr_pool_t *pool) {
    apr_xml_parser *parser = apr_xml_parser_create(pool);
    apr_xml_doc *document = NULL;
    apr_xml_parser_feed(parser, "<a b='c'>text<d/></a>", 21);
    if (apr_xml_parser_done(parser, &document) != APR_SUCCESS) return;
    FRESH(document);
    apr_xml_elem *root = document->root, *child = root->first_child, *parent = child->parent;
    FRESH(root);
    SAME(parent, root);
    const char *a = root->name, *b = root->attr->value, *c = root->first_cdata.first->text;
    KNOWN(a);
    KNOWN(b);
    KNOWN(c);
}

static void waiting(apr_pool_t *pool) {
    apr_file_t *in = NULL, *out = NULL;
    apr_pollset_t *set = NULL;
    const apr_pollfd_t *found = NULL;
    apr_int32_t n = 0;
    if (apr_file_pipe_create(&in, &out, pool) != APR_SUCCESS) return;
    FRESH(in);
    FRESH(out);
    APART(in, out);
    apr_pollfd_t descriptor = {.p = pool, .desc_type = APR_POLL_FILE, .reqevents = APR_POLLOUT};
    descriptor.desc.f = out;
    descriptor.client_data = &tag;
    apr_pollset_create(&set, 1, pool, 0);
    apr_pollset_add(set, &descriptor);
    if (apr_pollset_poll(set, 1000, &n, &found) != APR_SUCCESS) return;
    void *a = found->client_data;
    apr_file_t *b = found->desc.f;
    POINTS_TO(a, tag);
    SAME(b, out);
}

static apr_thread_t *seen_thread;
static void *seen_argument;

static void *APR_THREAD_FUNC run(apr_thread_t *thread, void *argument) {
    seen_thread = thread;
    seen_argument = argument;
    apr_thread_exit(thread, APR_SUCCESS);
    return NULL;
}

static void threads(apr_pool_t *pool) {
    apr_thread_t *thread = NULL;
    apr_status_t status;
    if (apr_thread_create(&thread, NULL, run, &other_tag, pool) != APR_SUCCESS) return;
    apr_thread_join(&status, thread);
    apr_thread_t *a = seen_thread;
    void *b = seen_argument;
    SAME(a, thread);
    POINTS_TO(b, other_tag);
}

void run_portable(void);
void run_portable(void) {
    apr_pool_t *pool = NULL;
    if (apr_initialize() != APR_SUCCESS) return;
    apr_pool_create(&pool, NULL);
    apr_hook_global_pool = pool;
    pools(pool);
    strings(pool);
    arrays(pool);
    tables(pool);
    hashes(pool);
    lists(pool);
    resources(pool);
    buckets(pool);
    buckets_of_others(pool);
    named();
    named_by_others(NULL);
    records(pool);
    documents(pool);
    waiting(pool);
    threads(pool);
    apr_pool_destroy(pool);
    apr_terminate();
}
