/* SPDX-License-Identifier: Apache-2.0
 *
 * glib.c: GLib: lists, tables, trees, arrays, text, threads, the main loop, errors, markup.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef int gboolean;
typedef struct GList {
    void *data;
    struct GList *next, *prev;
} GList;
typedef struct GSList {
    void *data;
    struct GSList *next;
} GSList;
typedef struct {
    GList *head, *tail;
    unsigned length;
} GQueue;
typedef struct {
    char *data;
    unsigned len;
} GArray;
typedef struct {
    void **pdata;
    unsigned len;
} GPtrArray;
typedef struct {
    char *str;
    size_t len, allocated_len;
} GString;
typedef struct {
    unsigned domain;
    int code;
    char *message;
} GError;
typedef struct {
    void *dummy[6];
} GHashTableIter;
typedef struct GNode {
    void *data;
    struct GNode *next, *prev, *parent, *children;
} GNode;
typedef struct {
    int status;
    void *retval;
} GOnce;
typedef struct {
    void *p;
    void (*notify)(void *);
    void *future[2];
} GPrivate;
typedef struct GHashTable GHashTable;
typedef struct GTree GTree;
typedef struct GSequence GSequence;
typedef struct GSequenceIter GSequenceIter;
typedef struct GThread GThread;
typedef struct GMainLoop GMainLoop;
typedef struct GMainContext GMainContext;
typedef struct GSource GSource;
typedef struct GAsyncQueue GAsyncQueue;
typedef struct GThreadPool GThreadPool;
typedef struct GMarkupParseContext GMarkupParseContext;
typedef struct GBytes GBytes;
typedef struct GVariant GVariant;
typedef int GCompareFunc(const void *, const void *);
typedef int GCompareDataFunc(const void *, const void *, void *);
typedef void GFunc(void *, void *);
typedef void GHFunc(void *, void *, void *);
typedef gboolean GHRFunc(void *, void *, void *);
typedef void GDestroyNotify(void *);
typedef void *GCopyFunc(const void *, void *);
typedef void *GThreadFunc(void *);
typedef gboolean GSourceFunc(void *);
typedef struct {
    gboolean (*prepare)(GSource *, int *);
    gboolean (*check)(GSource *);
    gboolean (*dispatch)(GSource *, GSourceFunc *, void *);
    void (*finalize)(GSource *);
    void *reserved[2];
} GSourceFuncs;
typedef struct {
    void (*start_element)(GMarkupParseContext *, const char *, const char **, const char **,
                          void *, GError **);
    void (*end_element)(GMarkupParseContext *, const char *, void *, GError **);
    void (*text)(GMarkupParseContext *, const char *, size_t, void *, GError **);
    void (*passthrough)(GMarkupParseContext *, const char *, size_t, void *, GError **);
    void (*error)(GMarkupParseContext *, GError *, void *);
} GMarkupParser;

void *g_malloc(size_t), *g_realloc(void *, size_t), *g_memdup2(const void *, size_t);
void g_free(void *);
char *g_strdup(const char *), *g_strdup_printf(const char *, ...), *g_strchomp(char *);
char *g_strconcat(const char *, ...), *g_strstr_len(const char *, long, const char *);
char **g_strsplit(const char *, const char *, int);
void g_strfreev(char **);
const char *g_intern_string(const char *);
unsigned long g_ascii_strtoull(const char *, char **, unsigned);
GList *g_list_append(GList *, void *), *g_list_prepend(GList *, void *), *g_list_last(GList *);
GList *g_list_nth(GList *, unsigned), *g_list_reverse(GList *), *g_list_copy(GList *);
GList *g_list_sort(GList *, GCompareFunc *), *g_list_find(GList *, const void *);
GList *g_list_find_custom(GList *, const void *, GCompareFunc *);
GList *g_list_concat(GList *, GList *), *g_list_remove(GList *, const void *);
GList *g_list_insert_sorted(GList *, void *, GCompareFunc *);
void *g_list_nth_data(GList *, unsigned);
void g_list_foreach(GList *, GFunc *, void *), g_list_free(GList *);
void g_list_free_full(GList *, GDestroyNotify *);
GList *g_list_copy_deep(GList *, GCopyFunc *, void *);
GSList *g_slist_append(GSList *, void *), *g_slist_prepend(GSList *, void *);
GSList *g_slist_last(GSList *), *g_slist_reverse(GSList *);
void *g_slist_nth_data(GSList *, unsigned);
void g_slist_foreach(GSList *, GFunc *, void *), g_slist_free(GSList *);
GQueue *g_queue_new(void);
void g_queue_push_head(GQueue *, void *), g_queue_push_tail(GQueue *, void *);
void *g_queue_pop_head(GQueue *), *g_queue_peek_tail(GQueue *);
void g_queue_foreach(GQueue *, GFunc *, void *), g_queue_free(GQueue *);
GHashTable *g_hash_table_new(unsigned (*)(const void *), gboolean (*)(const void *, const void *));
GHashTable *g_hash_table_new_full(unsigned (*)(const void *),
                                  gboolean (*)(const void *, const void *), GDestroyNotify *,
                                  GDestroyNotify *);
gboolean g_hash_table_insert(GHashTable *, void *, void *);
void *g_hash_table_lookup(GHashTable *, const void *);
gboolean g_hash_table_lookup_extended(GHashTable *, const void *, void **, void **);
void g_hash_table_foreach(GHashTable *, GHFunc *, void *);
void *g_hash_table_find(GHashTable *, GHRFunc *, void *);
GList *g_hash_table_get_values(GHashTable *), *g_hash_table_get_keys(GHashTable *);
void g_hash_table_iter_init(GHashTableIter *, GHashTable *), g_hash_table_unref(GHashTable *);
gboolean g_hash_table_iter_next(GHashTableIter *, void **, void **);
unsigned g_str_hash(const void *);
gboolean g_str_equal(const void *, const void *);
GArray *g_array_new(gboolean, gboolean, unsigned);
GArray *g_array_append_vals(GArray *, const void *, unsigned);
char *g_array_free(GArray *, gboolean);
void g_array_sort_with_data(GArray *, GCompareDataFunc *, void *);
GPtrArray *g_ptr_array_new(void), *g_ptr_array_new_with_free_func(GDestroyNotify *);
void g_ptr_array_add(GPtrArray *, void *), g_ptr_array_foreach(GPtrArray *, GFunc *, void *);
void **g_ptr_array_free(GPtrArray *, gboolean);
void *g_ptr_array_remove_index(GPtrArray *, unsigned);
GString *g_string_new(const char *), *g_string_append(GString *, const char *);
void g_string_append_printf(GString *, const char *, ...);
char *g_string_free(GString *, gboolean);
GTree *g_tree_new_full(GCompareDataFunc *, void *, GDestroyNotify *, GDestroyNotify *);
void g_tree_insert(GTree *, void *, void *), g_tree_destroy(GTree *);
void *g_tree_lookup(GTree *, const void *);
void g_tree_foreach(GTree *, GHRFunc *, void *);
GNode *g_node_new(void *), *g_node_insert_before(GNode *, GNode *, GNode *);
GNode *g_node_last_child(GNode *), *g_node_get_root(GNode *);
void g_node_children_foreach(GNode *, int, void (*)(GNode *, void *), void *);
void g_node_destroy(GNode *);
GSequence *g_sequence_new(GDestroyNotify *);
GSequenceIter *g_sequence_append(GSequence *, void *), *g_sequence_get_begin_iter(GSequence *);
void *g_sequence_get(GSequenceIter *);
void g_sequence_free(GSequence *);
GThread *g_thread_new(const char *, GThreadFunc *, void *);
void *g_thread_join(GThread *);
void *g_private_get(GPrivate *), *g_once_impl(GOnce *, GThreadFunc *, void *);
void g_private_set(GPrivate *, void *);
GAsyncQueue *g_async_queue_new(void);
void g_async_queue_push(GAsyncQueue *, void *), g_async_queue_unref(GAsyncQueue *);
void *g_async_queue_pop(GAsyncQueue *);
GThreadPool *g_thread_pool_new(GFunc *, void *, int, gboolean, GError **);
gboolean g_thread_pool_push(GThreadPool *, void *, GError **);
void g_thread_pool_free(GThreadPool *, gboolean, gboolean);
GMainLoop *g_main_loop_new(GMainContext *, gboolean);
void g_main_loop_run(GMainLoop *), g_main_loop_quit(GMainLoop *), g_main_loop_unref(GMainLoop *);
GMainContext *g_main_loop_get_context(GMainLoop *), *g_main_context_default(void);
unsigned g_idle_add(GSourceFunc *, void *);
unsigned g_timeout_add_full(int, unsigned, GSourceFunc *, void *, GDestroyNotify *);
GSource *g_idle_source_new(void), *g_source_new(GSourceFuncs *, unsigned);
GSource *g_main_context_find_source_by_id(GMainContext *, unsigned);
void g_source_set_callback(GSource *, GSourceFunc *, void *, GDestroyNotify *);
unsigned g_source_attach(GSource *, GMainContext *);
void g_source_unref(GSource *), g_source_destroy(GSource *);
void g_set_error(GError **, unsigned, int, const char *, ...), g_clear_error(GError **);
void g_propagate_error(GError **, GError *);
GError *g_error_copy(const GError *);
void g_error_free(GError *);
gboolean g_file_get_contents(const char *, char **, size_t *, GError **);
GMarkupParseContext *g_markup_parse_context_new(const GMarkupParser *, int, void *,
                                                GDestroyNotify *);
gboolean g_markup_parse_context_parse(GMarkupParseContext *, const char *, long, GError **);
void *g_markup_parse_context_get_user_data(GMarkupParseContext *);
void g_markup_parse_context_free(GMarkupParseContext *);
GBytes *g_bytes_new_with_free_func(const void *, size_t, GDestroyNotify *, void *);
const void *g_bytes_get_data(GBytes *, size_t *);
void g_bytes_unref(GBytes *);
GVariant *g_variant_new_string(const char *), *g_variant_new_variant(GVariant *);
GVariant *g_variant_get_variant(GVariant *);
const char *g_variant_get_string(GVariant *, size_t *);
void g_variant_unref(GVariant *);
void g_qsort_with_data(const void *, int, size_t, GCompareDataFunc *, void *);

static int one, two, three, tag, other_tag;
static void *seen_element, *seen_user, *seen_freed, *seen_key, *seen_value, *seen_data;
static const void *seen_left;

static void on_each(void *element, void *user) {
    seen_element = element;
    seen_user = user;
}

static void on_other(void *element, void *user) {
    (void)element;
    seen_data = user;
}

static void on_free(void *element) {
    seen_freed = element;
}

static int compare(const void *left, const void *right) {
    seen_left = left;
    return left < right ? -1 : left > right;
}

static void *copy(const void *element, void *user) {
    (void)element;
    return user;
}

/* ---- memory and text ---- */

static void memory(void) {
    struct pair {
        int *first;
    } pair = {&one};
    void *a = g_malloc(8);
    FRESH(a);
    void *grown = g_realloc(a, 80);
    FRESH(grown);
    g_free(grown);
    struct pair *b = g_memdup2(&pair, sizeof pair);
    FRESH(b);
    int *c = b->first;
    POINTS_TO(c, one);
    char text[] = "name=7";
    char *d = g_strstr_len(text, -1, "=");
    POINTS_TO(d, text);
    char *e = g_strdup(text);
    FRESH(e);
    APART(e, d);
    char *f = g_strchomp(e);
    SAME(f, e);
    char *end = NULL;
    g_ascii_strtoull(text + 5, &end, 10);
    POINTS_TO(end, text);
    char **words = g_strsplit(text, "=", 2);
    char *word = words[1];
    FRESH(words);
    FRESH(word);
    char *g = g_strconcat(text, "x", NULL);
    FRESH(g);
    const char *h = g_intern_string("interned"), *i = g_intern_string("interned");
    KNOWN(h);
    SAME(h, i);
    GString *string = g_string_new("a");
    FRESH(string);
    GString *again = g_string_append(string, "b");
    SAME(again, string);
    g_string_append_printf(string, "%d", 3);
    char *j = string->str, *k = g_string_free(string, 0);
    FRESH(j);
    SAME(j, k);
    g_free(k);
    g_strfreev(words);
}

/* ---- lists ---- */

static void lists(void) {
    GList *list = g_list_append(NULL, &one);
    g_list_append(list, &two); /* the first node stays */
    g_list_append(list, &three);
    FRESH(list);
    GList *second = list->next, *third = second->next, *last = g_list_last(list);
    KNOWN(second);
    SAME(third, last);
    void *a = list->data, *b = third->data, *c = g_list_nth_data(list, 1);
    POINTS_TO(a, one);
    POINTS_TO(b, three);
    POINTS_TO(c, two);
    GList *back = third->prev;
    SAME(back, second);
    list = g_list_prepend(list, &tag);
    void *d = g_list_nth_data(list, 3);
    POINTS_TO(d, three);
    g_list_foreach(list, on_each, &other_tag);
    void *e = seen_element, *f = seen_user;
    POINTS_TO(e, three);
    POINTS_TO(f, other_tag);
    GList *found = g_list_find(list, &two), *custom = g_list_find_custom(list, &two, compare);
    SAME(found, custom);
    const void *g = seen_left;
    KNOWN(g);
    GList *copied = g_list_copy(list);
    FRESH(copied);
    APART(copied, list);
    void *h = copied->next->data;
    POINTS_TO(h, one);
    GList *deep = g_list_copy_deep(list, copy, &one);
    void *i = deep->next->data;
    POINTS_TO(i, one);
    list = g_list_reverse(list);
    void *j = list->data, *k = list->next->next->next->data;
    POINTS_TO(j, three);
    POINTS_TO(k, tag);
    list = g_list_sort(list, compare);
    list = g_list_remove(list, &tag);
    list = g_list_concat(list, deep);
    GList *end = g_list_last(list);
    void *l = end->data;
    POINTS_TO(l, one);
    copied = g_list_insert_sorted(copied, &three, compare);
    g_list_free_full(list, on_free);
    void *m = seen_freed;
    POINTS_TO(m, one);
    g_list_free(copied);
}

/* Two prepended nodes from two places, and a third behind them: the chain is followed to its end. */
static void chains(void) {
    GSList *list = g_slist_prepend(NULL, &one);
    list = g_slist_prepend(list, &two);
    list = g_slist_prepend(list, &three);
    g_slist_append(list, &tag);
    GSList *first = list->next, *second = first->next, *third = second->next;
    void *a = first->data, *b = second->data, *c = third->data;
    POINTS_TO(a, two);
    POINTS_TO(b, one);
    POINTS_TO(c, tag);
    GSList *other = g_slist_append(NULL, &other_tag);
    void *d = other->data;
    POINTS_TO(d, other_tag);
    APART(d, a);
    APART(other, list);
    GSList *last = g_slist_last(list);
    SAME(last, third);
    list = g_slist_reverse(list);
    void *e = g_slist_nth_data(list, 3);
    POINTS_TO(e, three);
    g_slist_foreach(other, on_other, &tag);
    void *f = seen_data;
    POINTS_TO(f, tag);
    g_slist_free(list);
    g_slist_free(other);
    GQueue *queue = g_queue_new();
    FRESH(queue);
    g_queue_push_head(queue, &one);
    g_queue_push_tail(queue, &two);
    g_queue_push_tail(queue, &three);
    void *g = g_queue_peek_tail(queue), *h = queue->head->next->data, *i = g_queue_pop_head(queue);
    POINTS_TO(g, three);
    POINTS_TO(h, two);
    POINTS_TO(i, one);
    g_queue_foreach(queue, on_each, &tag);
    void *j = seen_user;
    POINTS_TO(j, tag);
    g_queue_free(queue);
}

/* ---- tables and trees ---- */

static void on_pair(void *key, void *value, void *user) {
    seen_key = key;
    seen_value = value;
    seen_user = user;
}

static gboolean is_pair(void *key, void *value, void *user) {
    (void)key, (void)value;
    seen_data = user;
    return 0;
}

static void tables(void) {
    char name[] = "name", second_name[] = "second";
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, on_free, NULL);
    FRESH(table);
    g_hash_table_insert(table, name, &one);
    void *a = g_hash_table_lookup(table, "name");
    POINTS_TO(a, one);
    void *b = NULL, *c = NULL;
    g_hash_table_lookup_extended(table, "name", &b, &c);
    POINTS_TO(b, name);
    POINTS_TO(c, one);
    g_hash_table_foreach(table, on_pair, &tag);
    void *d = seen_key, *e = seen_value, *f = seen_user;
    POINTS_TO(d, name);
    POINTS_TO(e, one);
    POINTS_TO(f, tag);
    GHashTableIter iter;
    void *g = NULL, *h = NULL;
    g_hash_table_iter_init(&iter, table);
    g_hash_table_iter_next(&iter, &g, &h);
    POINTS_TO(g, name);
    POINTS_TO(h, one);
    GList *values = g_hash_table_get_values(table), *keys = g_hash_table_get_keys(table);
    void *i = values->data, *j = keys->data;
    POINTS_TO(i, one);
    POINTS_TO(j, name);
    GHashTable *other = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(other, second_name, &two);
    void *k = g_hash_table_lookup(other, "second");
    POINTS_TO(k, two);
    APART(k, a);
    g_hash_table_find(other, is_pair, &other_tag);
    void *l = seen_data;
    POINTS_TO(l, other_tag);
    g_hash_table_unref(table);
    void *m = seen_freed;
    POINTS_TO(m, name);
    g_hash_table_unref(other);
    g_list_free(values);
    g_list_free(keys);
}

static int compare_data(const void *left, const void *right, void *user) {
    seen_left = left;
    seen_data = user;
    return left < right ? -1 : left > right;
}

static gboolean on_tree(void *key, void *value, void *user) {
    on_pair(key, value, user);
    return 0;
}

static void on_node(GNode *node, void *user) {
    seen_element = node->data;
    seen_user = user;
}

static void trees(void) {
    GTree *tree = g_tree_new_full(compare_data, &tag, NULL, on_free);
    g_tree_insert(tree, &one, &two);
    g_tree_insert(tree, &three, &two);
    void *a = g_tree_lookup(tree, &one), *b = seen_data;
    POINTS_TO(a, two);
    POINTS_TO(b, tag);
    g_tree_foreach(tree, on_tree, &other_tag);
    void *c = seen_key, *d = seen_value, *e = seen_user;
    KNOWN(c);
    POINTS_TO(d, two);
    POINTS_TO(e, other_tag);
    g_tree_destroy(tree);
    void *f = seen_freed;
    POINTS_TO(f, two);
    GNode *root = g_node_new(&one);
    g_node_insert_before(root, NULL, g_node_new(&two));
    g_node_insert_before(root, NULL, g_node_new(&three));
    GNode *child = root->children, *last = g_node_last_child(root), *next = child->next;
    void *g = child->data, *h = last->data;
    POINTS_TO(g, two);
    POINTS_TO(h, three);
    SAME(next, last);
    GNode *up = g_node_get_root(last);
    SAME(up, root);
    g_node_children_foreach(root, 3, on_node, &tag);
    void *i = seen_element, *j = seen_user;
    POINTS_TO(i, three);
    POINTS_TO(j, tag);
    g_node_destroy(root);
    GSequence *sequence = g_sequence_new(on_free);
    GSequenceIter *at = g_sequence_append(sequence, &three);
    GSequenceIter *begin = g_sequence_get_begin_iter(sequence);
    void *k = g_sequence_get(begin);
    SAME(at, begin);
    POINTS_TO(k, three);
    g_sequence_free(sequence);
    void *l = seen_freed;
    POINTS_TO(l, three);
}

/* ---- arrays ---- */

static void arrays(void) {
    GPtrArray *pointers = g_ptr_array_new_with_free_func(on_free), *others = g_ptr_array_new();
    g_ptr_array_add(pointers, &one);
    g_ptr_array_add(others, &two);
    void *a = pointers->pdata[0], *b = g_ptr_array_remove_index(others, 0);
    POINTS_TO(a, one);
    POINTS_TO(b, two);
    APART(a, b);
    g_ptr_array_foreach(pointers, on_each, &tag);
    void *c = seen_element, *d = seen_user;
    POINTS_TO(c, one);
    POINTS_TO(d, tag);
    g_ptr_array_free(pointers, 1);
    void *e = seen_freed;
    POINTS_TO(e, one);
    g_ptr_array_free(others, 1);
    struct entry {
        int number;
        int *place;
    } entry = {1, &three};
    GArray *array = g_array_new(0, 0, sizeof entry);
    FRESH(array);
    g_array_append_vals(array, &entry, 1);
    int *f = ((struct entry *)array->data)[0].place;
    POINTS_TO(f, three);
    g_array_append_vals(array, &entry, 1);
    g_array_sort_with_data(array, compare_data, &other_tag);
    void *g = seen_data;
    POINTS_TO(g, other_tag);
    char *memory = array->data, *kept = g_array_free(array, 0);
    SAME(memory, kept);
    g_free(kept);
    int *places[] = {&one, &two};
    g_qsort_with_data(places, 2, sizeof *places, compare_data, &tag);
    const void *h = seen_left;
    POINTS_TO(h, places);
    GBytes *bytes = g_bytes_new_with_free_func(places, sizeof places, on_free, &two);
    const void *i = g_bytes_get_data(bytes, NULL);
    POINTS_TO(i, places);
    g_bytes_unref(bytes);
    void *j = seen_freed;
    POINTS_TO(j, two);
}

/* ---- threads ---- */

static void *seen_thread, *seen_once;

static void *in_thread(void *user) {
    seen_thread = user;
    return &two;
}

static void *once(void *user) {
    seen_once = user;
    return &three;
}

static void threads(void) {
    GThread *thread = g_thread_new("t", in_thread, &one);
    FRESH(thread);
    void *a = g_thread_join(thread), *b = seen_thread;
    POINTS_TO(a, two);
    POINTS_TO(b, one);
    static GPrivate key;
    g_private_set(&key, &tag);
    void *c = g_private_get(&key);
    POINTS_TO(c, tag);
    static GOnce guard;
    void *d = g_once_impl(&guard, once, &other_tag), *e = seen_once;
    POINTS_TO(d, three);
    POINTS_TO(e, other_tag);
    GAsyncQueue *queue = g_async_queue_new();
    g_async_queue_push(queue, &one);
    void *f = g_async_queue_pop(queue);
    POINTS_TO(f, one);
    g_async_queue_unref(queue);
    GThreadPool *pool = g_thread_pool_new(on_each, &tag, 1, 0, NULL);
    g_thread_pool_push(pool, &three, NULL);
    g_thread_pool_free(pool, 0, 1);
    void *g = seen_element, *h = seen_user;
    POINTS_TO(g, three);
    POINTS_TO(h, tag);
}

/* ---- the main loop ---- */

static void *seen_idle, *seen_timeout, *seen_source_data;
static GSource *seen_source;
static GSourceFunc *seen_function;
static GMainLoop *loop;

static gboolean on_idle(void *user) {
    seen_idle = user;
    return 0;
}

static gboolean on_timeout(void *user) {
    seen_timeout = user;
    g_main_loop_quit(loop);
    return 0;
}

static gboolean on_source(void *user) {
    seen_source_data = user;
    return 0;
}

static gboolean prepare(GSource *source, int *timeout) {
    seen_source = source;
    *timeout = 0;
    return 1;
}

static gboolean check(GSource *source) {
    (void)source;
    return 1;
}

static gboolean dispatch(GSource *source, GSourceFunc *function, void *user) {
    (void)source;
    seen_function = function;
    seen_data = user;
    return function(user);
}

static void main_loop(void) {
    loop = g_main_loop_new(NULL, 0);
    FRESH(loop);
    GMainContext *context = g_main_loop_get_context(loop), *same = g_main_context_default();
    SAME(context, same);
    g_idle_add(on_idle, &one);
    g_timeout_add_full(0, 1, on_timeout, &two, on_free);
    GSource *source = g_idle_source_new();
    g_source_set_callback(source, on_source, &three, NULL);
    unsigned number = g_source_attach(source, NULL);
    GSource *found = g_main_context_find_source_by_id(NULL, number);
    SAME(found, source);
    static GSourceFuncs functions = {prepare, check, dispatch, NULL, {NULL, NULL}};
    GSource *own = g_source_new(&functions, 200);
    FRESH(own);
    g_source_set_callback(own, on_source, &tag, NULL);
    g_source_attach(own, context);
    g_main_loop_run(loop);
    void *a = seen_idle, *b = seen_timeout, *c = seen_source_data, *d = seen_data, *e = seen_freed;
    POINTS_TO(a, one);
    POINTS_TO(b, two);
    KNOWN(c);
    POINTS_TO(d, tag);
    POINTS_TO(e, two);
    APART(a, b);
    APART(a, c);
    GSource *f = seen_source;
    SAME(f, own);
    GSourceFunc *g = seen_function, *h = on_source;
    SAME(g, h);
    g_source_destroy(own);
    g_source_unref(own);
    g_source_unref(source);
    g_main_loop_unref(loop);
}

/* ---- errors and markup ---- */

static const char *seen_name;
static GMarkupParseContext *seen_context;
static void *seen_end;

static void on_start(GMarkupParseContext *context, const char *name, const char **names,
                     const char **values, void *user, GError **error) {
    (void)names, (void)values, (void)error;
    seen_context = context;
    seen_name = name;
    seen_user = user;
}

static void on_end(GMarkupParseContext *context, const char *name, void *user, GError **error) {
    (void)context, (void)name;
    seen_end = user;
    g_set_error(error, 1, 2, "an error %d", 3);
}

static void errors(void) {
    GError *error = NULL, *passed = NULL, *of_file = NULL, *of_markup = NULL;
    g_set_error(&error, 1, 2, "a message %d", 3);
    FRESH(error);
    char *a = error->message;
    FRESH(a);
    g_propagate_error(&passed, error);
    SAME(passed, error);
    GError *copied = g_error_copy(passed);
    FRESH(copied);
    APART(copied, passed);
    char *contents = NULL;
    g_file_get_contents("/nowhere/at/all", &contents, NULL, &of_file);
    FRESH(of_file);
    g_file_get_contents("/etc/passwd", &contents, NULL, NULL);
    FRESH(contents);
    static const GMarkupParser parser = {on_start, on_end, NULL, NULL, NULL};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, &tag, on_free);
    FRESH(context);
    g_markup_parse_context_parse(context, "<a b='c'></a>", 13, &of_markup);
    FRESH(of_markup);
    const char *b = seen_name;
    KNOWN(b);
    void *c = seen_user, *d = seen_end, *e = g_markup_parse_context_get_user_data(context);
    POINTS_TO(c, tag);
    POINTS_TO(d, tag);
    POINTS_TO(e, tag);
    GMarkupParseContext *f = seen_context;
    SAME(f, context);
    g_markup_parse_context_free(context);
    g_free(contents);
    g_clear_error(&passed);
    g_error_free(copied);
}

static void variants(void) {
    GVariant *inner = g_variant_new_string("text"), *outer = g_variant_new_variant(inner);
    FRESH(outer);
    GVariant *out = g_variant_get_variant(outer);
    KNOWN(out);
    const char *text = g_variant_get_string(out, NULL), *again = g_variant_get_string(inner, NULL);
    KNOWN(text);
    KNOWN(again);
    g_variant_unref(out);
    g_variant_unref(outer);
}

void run_glib(void);
void run_glib(void) {
    memory();
    lists();
    chains();
    tables();
    trees();
    arrays();
    threads();
    main_loop();
    errors();
    variants();
}
