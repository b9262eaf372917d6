/* SPDX-License-Identifier: Apache-2.0
 *
 * io_sqlite.c: a graph as an SQLite database; written only.
 *
 *     graph(vertices, labels, edges)                       one row
 *     label(id, name, "index")                             "" for a plain label
 *     edge(label, source, target)                          also by (label, target, source)
 *     vertex(id, kind, name, type, function, file, line, "column", context)
 *
 * Labels are numbered in the order of (name, index). A graph that knows its vertices has a row for
 * each; otherwise those with an edge have one, with nothing but their number. The database is
 * written under a temporary name and renamed when it is whole. The same graph gives the same bytes
 * with the same version of SQLite, whose memory is its own and not counted by the context.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/context.h"
#include "base/files/held.h"
#include "base/formats/io.h"

/* Steps of SQLite's machine between two looks at the clock. */
enum { STEPS_A_LOOK = 10000 };

static const char schema[] =
    "PRAGMA page_size = 4096;"
    "PRAGMA journal_mode = OFF;"
    "PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE;"
    "BEGIN;"
    "CREATE TABLE graph(vertices INTEGER NOT NULL, labels INTEGER NOT NULL,"
    " edges INTEGER NOT NULL);"
    "CREATE TABLE label(id INTEGER PRIMARY KEY, name TEXT NOT NULL, \"index\" TEXT NOT NULL,"
    " UNIQUE(name, \"index\"));"
    "CREATE TABLE vertex(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " type TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " \"column\" INTEGER NOT NULL, context TEXT NOT NULL);"
    "CREATE TABLE edge(label INTEGER NOT NULL REFERENCES label(id),"
    " source INTEGER NOT NULL REFERENCES vertex(id),"
    " target INTEGER NOT NULL REFERENCES vertex(id),"
    " PRIMARY KEY(label, source, target)) WITHOUT ROWID;";

/* Made last, when all rows are there: faster, and the pages are filled in order. */
static const char bare_vertices[] =
    "INSERT INTO vertex SELECT v, 'other', '', '', '', '', 0, 0, '' FROM"
    " (SELECT source AS v FROM edge UNION SELECT target FROM edge ORDER BY 1);";

static const char indexes[] =
    "CREATE INDEX edge_target ON edge(label, target, source);"
    "CREATE INDEX vertex_place ON vertex(file, line, name);"
    "CREATE INDEX vertex_name ON vertex(name);"
    "COMMIT;";

typedef struct writer {
    cflr_context *context;
    sqlite3 *db;
    sqlite3_stmt *statement;
    const cflr_graph *graph;
    cflr_status stopped; /* by the end of the time */
    cflr_error *error;
} writer;

/* SQLite asks between its steps. */
static int stops(void *user) {
    writer *w = user;
    if (w->stopped == CFLR_OK) w->stopped = cflri_write_on(w->graph, 0);
    return w->stopped != CFLR_OK;
}

/* SQLite forgets errno of a write that fails in a commit; the system does not. */
static cflr_status fail(const writer *w, const char *what) {
    int last = errno;
    if (w->stopped != CFLR_OK) return cflri_fail_interrupted(w->context, w->stopped, w->error);
    int code = w->db ? sqlite3_errcode(w->db) : SQLITE_NOMEM;
    int system_error = w->db ? sqlite3_system_errno(w->db) : 0;
    if (code == SQLITE_IOERR && !system_error) system_error = last;
    const char *reason = system_error ? strerror(system_error)
                         : w->db      ? sqlite3_errmsg(w->db)
                                      : "out of memory";
    cflr_status st = code == SQLITE_NOMEM  ? CFLR_NO_MEMORY
                     : code == SQLITE_FULL ? CFLR_NO_SPACE
                                           : CFLR_IO;
    if (cflri_is_no_space(system_error)) st = CFLR_NO_SPACE;
    cflri_fail(w->error, st, NULL, "%s: %s", what, reason);
    if (w->error) w->error->system_error = system_error;
    return st;
}

static cflr_status execute(writer *w, const char *sql) {
    return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? CFLR_OK
               : fail(w, "cannot write the database");
}

static cflr_status prepare(writer *w, const char *sql) {
    return sqlite3_prepare_v2(w->db, sql, -1, &w->statement, NULL) == SQLITE_OK
               ? CFLR_OK
               : fail(w, "cannot write the database");
}

/* Runs the prepared statement with what was bound. */
static cflr_status step(writer *w) {
    bool done = sqlite3_step(w->statement) == SQLITE_DONE;
    if (done && sqlite3_reset(w->statement) == SQLITE_OK) return CFLR_OK;
    return fail(w, "cannot write the database");
}

/* Texts stay where they are until the statement has run. */
static void bind_text(writer *w, int at, const char *text) {
    sqlite3_bind_text(w->statement, at, text, -1, SQLITE_STATIC);
}

static void finalize(writer *w) {
    sqlite3_finalize(w->statement);
    w->statement = NULL;
}

/* ---- tables ---- */

/* rank[label] becomes the label's number in the database. */
static cflr_status write_labels(writer *w, const cflr_graph *graph, const cflri_walk *walk,
                                uint32_t *rank) {
    cflr_status st = prepare(w, "INSERT INTO label VALUES(?, ?, ?)");
    for (uint32_t i = 0; i < graph->n_labels && st == CFLR_OK; i++) {
        uint32_t label = walk->order[i];
        rank[label] = i;
        sqlite3_bind_int64(w->statement, 1, i);
        bind_text(w, 2, cflri_label_name(graph, label));
        bind_text(w, 3, cflri_label_index(graph, label));
        st = step(w);
    }
    finalize(w);
    return st;
}

static cflr_status write_edges(writer *w, cflri_walk *walk, const uint32_t *rank) {
    cflr_status st = prepare(w, "INSERT INTO edge VALUES(?, ?, ?)");
    while (st == CFLR_OK && cflri_walk_next(walk)) {
        sqlite3_bind_int64(w->statement, 1, rank[walk->label]);
        sqlite3_bind_int64(w->statement, 2, walk->source);
        sqlite3_bind_int64(w->statement, 3, walk->target);
        st = step(w);
    }
    finalize(w);
    return st == CFLR_OK ? cflri_walk_stopped(walk, false, w->error) : st;
}

static cflr_status write_vertices(writer *w, const cflr_graph *graph) {
    if (!graph->source) return execute(w, bare_vertices);
    cflr_status st = prepare(w, "INSERT INTO vertex VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (uint32_t v = 0; v < graph->n_vertices && st == CFLR_OK; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(graph, v, &info);
        sqlite3_bind_int64(w->statement, 1, v);
        bind_text(w, 2, cflr_vertex_kind_name(info.kind));
        bind_text(w, 3, info.name);
        bind_text(w, 4, info.type);
        bind_text(w, 5, info.function);
        bind_text(w, 6, info.file);
        sqlite3_bind_int64(w->statement, 7, info.line);
        sqlite3_bind_int64(w->statement, 8, info.column);
        bind_text(w, 9, info.context);
        st = step(w);
    }
    finalize(w);
    return st;
}

static cflr_status write_counts(writer *w, const cflr_graph *graph) {
    char sql[160];
    snprintf(sql, sizeof sql, "INSERT INTO graph VALUES(%u, %u, %llu);", graph->n_vertices,
             graph->n_labels, (unsigned long long)graph->n_edges);
    return execute(w, sql);
}

static cflr_status write_tables(writer *w, const cflr_graph *graph) {
    cflri_walk walk = {0};
    uint32_t *rank = cflri_alloc_array(w->context, graph->n_labels, sizeof *rank);
    if (!rank) return cflri_fail_memory(w->context, w->error);
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_walk_begin(&walk, graph, w->error));
    CFLR_TRY(execute(w, schema));
    CFLR_TRY(write_counts(w, graph));
    CFLR_TRY(write_labels(w, graph, &walk, rank));
    CFLR_TRY(write_edges(w, &walk, rank));
    CFLR_TRY(write_vertices(w, graph));
    CFLR_TRY(execute(w, indexes));
out:
    cflri_walk_end(&walk);
    cflri_free(w->context, rank);
    return st;
}

/* ---- the file ---- */

static cflr_status write_database(writer *w, const cflr_graph *graph, const char *path) {
    cflr_status st = CFLR_OK;
    if (sqlite3_open_v2(path, &w->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        st = fail(w, "cannot create the database");
    }
    sqlite3_progress_handler(w->db, STEPS_A_LOOK, stops, w);
    if (st == CFLR_OK) st = write_tables(w, graph);
    if (sqlite3_close(w->db) != SQLITE_OK && st == CFLR_OK) {
        st = fail(w, "cannot close the database");
    }
    return st;
}

/* A file is made for the database, which opens it by its name, and is synced by the descriptor.
 * Signals of its writes are held back as those of other outputs. */
static cflr_status write_beside(writer *w, const cflr_graph *graph, const char *path, char **made) {
    int fd = -1;
    cflr_status st = cflri_make_beside(w->context, path, cflri_make_file, made, &fd, w->error);
    if (st != CFLR_OK) return st;
    cflri_held held = cflri_hold_write_signals();
    st = write_database(w, graph, *made);
    cflri_release_write_signals(&held);
    if (st == CFLR_OK && fsync(fd) != 0)
        st = cflri_fail_errno(w->error, path, errno, "cannot write");
    close(fd);
    return st;
}

/* A database lies in a file, and takes the place of nothing else. */
static cflr_status check_target(const char *path, cflr_error *error) {
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) return CFLR_OK;
    return cflri_fail(error, CFLR_IO, path, "there is something else than a file");
}

static cflr_status write_sqlite(const cflr_graph *graph, const char *path, cflr_error *error) {
    writer w = {.context = graph->context, .graph = graph, .error = error};
    char *made = NULL, *own = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(check_target(path, error));
    CFLR_TRY(cflri_own_name(w.context, path, &own, error));
    CFLR_TRY(write_beside(&w, graph, own, &made));
    if (rename(made, own) != 0) st = cflri_fail_errno(error, path, errno, "cannot replace");
out:
    if (made && st != CFLR_OK) unlink(made);
    if (made) cflri_settled_beside(w.context, made);
    cflri_free(w.context, made);
    cflri_free(w.context, own);
    return st;
}

const cflri_format cflri_format_SQLITE = {
    .format = CFLR_GRAPH_SQLITE,
    .endings = {".db", ".sqlite", ".sqlite3"},
    .any_name = true,
    .write_path = write_sqlite,
};
