/* SPDX-License-Identifier: Apache-2.0
 *
 * sqlite.c: SQLite: callbacks of queries and connections, functions of the program and their data,
 * what is bound and what comes out.
 *
 * What is used of the header is said here, so that the program is analysed where it is not; it is
 * linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_str sqlite3_str;
typedef void destructor(void *);
typedef void function(sqlite3_context *, int, sqlite3_value **);
typedef void last_function(sqlite3_context *);
typedef long long number;
enum { ROW = 100, UTF8 = 1 };

int sqlite3_open(const char *, sqlite3 **), sqlite3_close(sqlite3 *);
int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
int sqlite3_get_table(sqlite3 *, const char *, char ***, int *, int *, char **);
void sqlite3_free_table(char **), sqlite3_free(void *);
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int sqlite3_step(sqlite3_stmt *), sqlite3_finalize(sqlite3_stmt *);
int sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, destructor *);
int sqlite3_bind_blob(sqlite3_stmt *, int, const void *, int, destructor *);
int sqlite3_bind_pointer(sqlite3_stmt *, int, void *, const char *, destructor *);
const unsigned char *sqlite3_column_text(sqlite3_stmt *, int);
const void *sqlite3_column_blob(sqlite3_stmt *, int);
const char *sqlite3_column_name(sqlite3_stmt *, int), *sqlite3_errmsg(sqlite3 *);
sqlite3 *sqlite3_db_handle(sqlite3_stmt *), *sqlite3_context_db_handle(sqlite3_context *);
sqlite3_stmt *sqlite3_next_stmt(sqlite3 *, sqlite3_stmt *);
int sqlite3_create_function(sqlite3 *, const char *, int, int, void *, function *, function *,
                            last_function *);
int sqlite3_create_function_v2(sqlite3 *, const char *, int, int, void *, function *, function *,
                               last_function *, destructor *);
int sqlite3_create_collation_v2(sqlite3 *, const char *, int, void *,
                                int (*)(void *, int, const void *, int, const void *),
                                destructor *);
void *sqlite3_user_data(sqlite3_context *), *sqlite3_aggregate_context(sqlite3_context *, int);
void *sqlite3_value_pointer(sqlite3_value *, const char *);
void sqlite3_result_int(sqlite3_context *, int);
void sqlite3_set_auxdata(sqlite3_context *, int, void *, destructor *);
void *sqlite3_get_auxdata(sqlite3_context *, int);
int sqlite3_busy_handler(sqlite3 *, int (*)(void *, int), void *);
void sqlite3_progress_handler(sqlite3 *, int, int (*)(void *), void *);
int sqlite3_set_authorizer(sqlite3 *,
                           int (*)(void *, int, const char *, const char *, const char *,
                                   const char *),
                           void *);
int sqlite3_trace_v2(sqlite3 *, unsigned, int (*)(unsigned, void *, void *, void *), void *);
void *sqlite3_commit_hook(sqlite3 *, int (*)(void *), void *);
void *sqlite3_update_hook(sqlite3 *, void (*)(void *, int, const char *, const char *, number),
                          void *);
void *sqlite3_malloc(int), *sqlite3_realloc(void *, int);
char *sqlite3_mprintf(const char *, ...), *sqlite3_snprintf(int, char *, const char *, ...);
sqlite3_str *sqlite3_str_new(sqlite3 *);
void sqlite3_str_appendf(sqlite3_str *, const char *, ...);
char *sqlite3_str_value(sqlite3_str *), *sqlite3_str_finish(sqlite3_str *);

static int one, two, three, tag, other_tag;

/* ---- queries ---- */

static void *seen_exec, *seen_freed, *seen_progress, *seen_authorizer, *seen_trace, *seen_commit;
static void *seen_update, *seen_busy;
static char *seen_text, *seen_column;

static int on_row(void *user, int n, char **texts, char **names) {
    (void)n;
    seen_exec = user;
    seen_text = texts[0];
    seen_column = names[0];
    return 0;
}

static int on_progress(void *user) {
    seen_progress = user;
    return 0;
}

static int on_commit(void *user) {
    seen_commit = user;
    return 0;
}

static int on_busy(void *user, int n) {
    (void)n;
    seen_busy = user;
    return 0;
}

static int authorize(void *user, int what, const char *a, const char *b, const char *c,
                     const char *d) {
    (void)what, (void)a, (void)b, (void)c, (void)d;
    seen_authorizer = user;
    return 0;
}

static void *seen_traced;

static int trace(unsigned what, void *user, void *object, void *more) {
    (void)what, (void)more;
    seen_trace = user;
    seen_traced = object;
    return 0;
}

static void on_update(void *user, int what, const char *database, const char *table, number row) {
    (void)what, (void)database, (void)table, (void)row;
    seen_update = user;
}

static void on_free(void *user) {
    seen_freed = user;
}

static void queries(sqlite3 *db) {
    char *message = NULL;
    sqlite3_set_authorizer(db, authorize, &one);
    sqlite3_trace_v2(db, 1, trace, &two);
    sqlite3_progress_handler(db, 1, on_progress, &three);
    sqlite3_commit_hook(db, on_commit, &tag);
    sqlite3_update_hook(db, on_update, &other_tag);
    sqlite3_busy_handler(db, on_busy, &one);
    sqlite3_exec(db, "create table t(x); insert into t values('a'); select x from t", on_row, &tag,
                 &message);
    void *a = seen_exec, *b = seen_authorizer, *c = seen_trace, *d = seen_progress;
    void *e = seen_commit, *f = seen_update, *g = seen_busy;
    POINTS_TO(a, tag);
    POINTS_TO(b, one);
    POINTS_TO(c, two);
    POINTS_TO(d, three);
    POINTS_TO(e, tag);
    POINTS_TO(f, other_tag);
    WILL_POINT_TO(g, one);
    APART(a, b);
    APART(c, d);
    APART(e, f);
    char *h = seen_text, *i = seen_column;
    KNOWN(h);
    KNOWN(i);
    void *j = sqlite3_commit_hook(db, NULL, NULL);
    POINTS_TO(j, tag);
    sqlite3_exec(db, "not sql", NULL, NULL, &message);
    FRESH(message);
    sqlite3_free(message);
    char **table = NULL;
    int rows, columns;
    sqlite3_get_table(db, "select x from t", &table, &rows, &columns, NULL);
    FRESH(table);
    char *cell = table[1];
    FRESH(cell);
    sqlite3_free_table(table);
}

/* ---- statements ---- */

static void statements(sqlite3 *db) {
    static const char sql[] = "select ?1, ?2, ?3; select 1";
    const char *rest = NULL;
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(db, sql, -1, &statement, &rest);
    FRESH(statement);
    POINTS_TO(rest, sql);
    sqlite3 *of_statement = sqlite3_db_handle(statement);
    SAME(of_statement, db);
    sqlite3_stmt *next = sqlite3_next_stmt(db, NULL);
    SAME(next, statement);
    static char text[] = "text", blob[] = "blob";
    sqlite3_bind_text(statement, 1, text, -1, NULL);
    sqlite3_bind_blob(statement, 2, blob, sizeof blob, on_free);
    sqlite3_bind_pointer(statement, 3, &tag, "t", on_free);
    sqlite3_step(statement);
    const unsigned char *a = sqlite3_column_text(statement, 0);
    const void *b = sqlite3_column_blob(statement, 1);
    KNOWN(a);
    POINTS_TO(b, blob);
    const char *c = sqlite3_column_name(statement, 0), *d = sqlite3_errmsg(db);
    KNOWN(c);
    KNOWN(d);
    void *object = seen_traced;
    SAME(object, statement);
    sqlite3_finalize(statement);
    void *e = seen_freed;
    POINTS_TO(e, tag);
}

/* ---- functions ---- */

static void *seen_user, *seen_other_user, *seen_aggregate_user, *seen_sum, *seen_last_sum;
static void *seen_pointer, *seen_collation, *seen_aux;
static sqlite3 *seen_db;

static void first_function(sqlite3_context *context, int n, sqlite3_value **values) {
    (void)n;
    seen_user = sqlite3_user_data(context);
    seen_db = sqlite3_context_db_handle(context);
    seen_pointer = sqlite3_value_pointer(values[0], "t");
    sqlite3_set_auxdata(context, 0, &three, NULL);
    sqlite3_result_int(context, 1);
}

static void second_function(sqlite3_context *context, int n, sqlite3_value **values) {
    (void)n, (void)values;
    seen_other_user = sqlite3_user_data(context);
    sqlite3_set_auxdata(context, 0, &one, NULL);
    seen_aux = sqlite3_get_auxdata(context, 0);
    sqlite3_result_int(context, 1);
}

static void step(sqlite3_context *context, int n, sqlite3_value **values) {
    (void)n, (void)values;
    seen_aggregate_user = sqlite3_user_data(context);
    seen_sum = sqlite3_aggregate_context(context, 8);
}

static void last(sqlite3_context *context) {
    seen_last_sum = sqlite3_aggregate_context(context, 8);
    sqlite3_result_int(context, 1);
}

static int collate(void *user, int n, const void *left, int m, const void *right) {
    seen_collation = user;
    return strncmp(left, right, (size_t)(n < m ? n : m));
}

static void functions(sqlite3 *db) {
    sqlite3_create_function(db, "first", 1, UTF8, &one, first_function, NULL, NULL);
    sqlite3_create_function_v2(db, "second", 1, UTF8, &two, second_function, NULL, NULL, on_free);
    sqlite3_create_function(db, "total", 1, UTF8, &three, NULL, step, last);
    sqlite3_create_collation_v2(db, "own", UTF8, &other_tag, collate, NULL);
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(db, "select first(?1), second('constant'), total(1)", -1, &statement, NULL);
    sqlite3_bind_pointer(statement, 1, &tag, "t", NULL);
    sqlite3_step(statement);
    void *a = seen_user, *b = seen_other_user, *c = seen_aggregate_user, *d = seen_pointer;
    POINTS_TO(a, one);
    POINTS_TO(b, two);
    POINTS_TO(c, three);
    POINTS_TO(d, tag);
    APART(a, b);
    APART(b, c);
    sqlite3 *e = seen_db;
    SAME(e, db);
    void *sum = seen_sum, *last_sum = seen_last_sum, *aux = seen_aux;
    KNOWN(sum);
    SAME(sum, last_sum);
    POINTS_TO(aux, one);
    sqlite3_finalize(statement);
    sqlite3_exec(db, "select 1 where 'a' < 'b' collate own", NULL, NULL, NULL);
    void *f = seen_collation;
    POINTS_TO(f, other_tag);
    APART(f, a);
    sqlite3_create_function_v2(db, "second", 1, UTF8, NULL, NULL, NULL, NULL, NULL);
    void *g = seen_freed;
    POINTS_TO(g, two);
}

static void memory(sqlite3 *db) {
    void *a = sqlite3_malloc(8), *b = sqlite3_realloc(a, 80);
    FRESH(a);
    FRESH(b);
    char buffer[20], *c = sqlite3_snprintf(20, buffer, "%d", 3), *d = sqlite3_mprintf("%d", 3);
    POINTS_TO(c, buffer);
    FRESH(d);
    sqlite3_str *string = sqlite3_str_new(db);
    FRESH(string);
    sqlite3_str_appendf(string, "%d", 3);
    char *e = sqlite3_str_value(string), *f = sqlite3_str_finish(string);
    FRESH(e);
    SAME(e, f);
    sqlite3_free(b);
    sqlite3_free(d);
    sqlite3_free(f);
}

void run_sqlite(void);
void run_sqlite(void) {
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != 0) return;
    FRESH(db);
    memory(db);
    queries(db);
    statements(db);
    functions(db);
    sqlite3_close(db);
}
