/* SPDX-License-Identifier: Apache-2.0
 *
 * parse_visit.c: what reading C costs before anything is done with it.
 *
 *     parse_visit visit DATABASE [FILE...]        parses each unit and looks at every cursor
 *     parse_visit bare DATABASE [FILE...]         the same, with the warnings of libclang
 *     parse_visit units DATABASE [FILE...]        says how each unit is compiled
 *     parse_visit functions DATABASE [FILE...]    names every function that is parsed with a body
 *
 * The floor that extraction is measured against. Units, their order and their flags are those that
 * extraction reads, because its own list (frontend/compdb/compdb.h) is asked, and libclang is its
 * own (frontend/clang/clang.h); nothing else of the front end is used. `visit` asks each cursor,
 * those of headers too, for its kind, its canonical type and what it refers to, which no front end
 * does without, and prints the sums, so that nothing is asked in vain. Extraction asks for no
 * warnings, -w, which spares libclang the control flow of every function. `visit` is given that for
 * free; `bare` is what a tool pays that hands its flags to libclang and knows of no such thing.
 *
 * Output of `units`: for each unit the number of its words, then the words, argv[0] first, all
 * ended by a zero byte. Of `functions`: a line each: "system " for those of system headers, of
 * which extraction reads the ones that are used only; then the external name, or file:offset:name,
 * as extraction tells functions apart.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/context.h"
#include "frontend/clang/clang.h"
#include "frontend/compdb/compdb.h"

/* visiting recurses as deep as the source nests; as in frontend/units/unit.c */
#define STACK_BYTES ((size_t)256 << 20)

typedef struct visit {
    cflri_units units;
    bool warnings;
    enum CXChildVisitResult (*visitor)(CXCursor cursor, CXCursor parent, CXClientData user);
    uint64_t cursors, typed, referring, errors, unparsed;
} visit;

/* ---- visitors ---- */

static enum CXChildVisitResult ask(CXCursor cursor, CXCursor parent, CXClientData user) {
    visit *v = user;
    (void)parent;
    CXType type = cflri_clang_getCanonicalType(cflri_clang_getCursorType(cursor));
    v->cursors++;
    v->typed += type.kind != CXType_Invalid;
    v->referring += !cflri_clang_Cursor_isNull(cflri_clang_getCursorReferenced(cursor));
    return CXChildVisit_Recurse;
}

static void print_function(CXCursor cursor) {
    CXSourceLocation location = cflri_clang_getCursorLocation(cursor);
    CXString name = cflri_clang_getCursorSpelling(cursor);
    if (cflri_clang_Location_isInSystemHeader(location)) printf("system ");
    if (cflri_clang_getCursorLinkage(cursor) != CXLinkage_External) {
        CXFile file;
        unsigned offset;
        cflri_clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
        CXString path = cflri_clang_File_tryGetRealPathName(file);
        printf("%s:%u:", cflri_clang_getCString(path), offset);
        cflri_clang_disposeString(path);
    }
    printf("%s\n", cflri_clang_getCString(name));
    cflri_clang_disposeString(name);
}

static enum CXChildVisitResult name_function(CXCursor cursor, CXCursor parent, CXClientData user) {
    (void)parent, (void)user;
    if (cursor.kind == CXCursor_FunctionDecl && cflri_clang_isCursorDefinition(cursor))
        print_function(cursor);
    return CXChildVisit_Continue;
}

/* ---- units ---- */

static uint64_t count_errors(CXTranslationUnit parsed) {
    uint64_t errors = 0;
    for (unsigned i = 0; i < cflri_clang_getNumDiagnostics(parsed); i++) {
        CXDiagnostic diagnostic = cflri_clang_getDiagnostic(parsed, i);
        errors += cflri_clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        cflri_clang_disposeDiagnostic(diagnostic);
    }
    return errors;
}

static CXTranslationUnit parse(const visit *v, CXIndex index, const cflri_unit *unit) {
    CXTranslationUnit parsed = NULL;
    const char **words = calloc((size_t)unit->n_arguments, sizeof *words);
    if (!words) return NULL;
    int n = 0;
    for (int i = 0; i < unit->n_arguments; i++)
        if (!v->warnings || strcmp(unit->arguments[i], "-w") != 0) words[n++] = unit->arguments[i];
    cflri_clang_parseTranslationUnit2FullArgv(index, NULL, words, n, NULL, 0,
                                              CXTranslationUnit_KeepGoing, &parsed);
    free(words);
    return parsed;
}

static void visit_unit(visit *v, const cflri_unit *unit) {
    CXIndex index = cflri_clang_createIndex(0, 0);
    CXTranslationUnit parsed = parse(v, index, unit);
    if (parsed) {
        v->errors += count_errors(parsed);
        cflri_clang_visitChildren(cflri_clang_getTranslationUnitCursor(parsed), v->visitor, v);
        cflri_clang_disposeTranslationUnit(parsed);
    } else {
        v->unparsed++;
    }
    cflri_clang_disposeIndex(index);
}

static void *visit_units(void *user) {
    visit *v = user;
    for (size_t i = 0; i < v->units.list.n; i++) visit_unit(v, &v->units.list.at[i]);
    return NULL;
}

static int visit_all(visit *v) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, STACK_BYTES) != 0 ||
        pthread_create(&thread, &attributes, visit_units, v) != 0) {
        fprintf(stderr, "parse_visit: no thread\n");
        return 1;
    }
    pthread_join(thread, NULL);
    return 0;
}

static void print_units(const cflri_units *units) {
    for (size_t i = 0; i < units->list.n; i++) {
        const cflri_unit *unit = &units->list.at[i];
        printf("%d%c", unit->n_arguments, 0);
        for (int k = 0; k < unit->n_arguments; k++) printf("%s%c", unit->arguments[k], 0);
    }
}

/* ---- the command ---- */

static const char *const modes[] = {"visit", "bare", "units", "functions"};

static int run(const char *what, visit *v) {
    if (strcmp(what, "units") == 0) {
        print_units(&v->units);
        return 0;
    }
    v->warnings = strcmp(what, "bare") == 0;
    bool asks = v->warnings || strcmp(what, "visit") == 0;
    v->visitor = asks ? ask : name_function;
    int code = visit_all(v);
    if (asks)
        printf("{\"units\": %zu, \"unparsed\": %" PRIu64 ", \"errors\": %" PRIu64
               ", \"cursors\": %" PRIu64 ", \"typed\": %" PRIu64 ", \"referring\": %" PRIu64 "}\n",
               v->units.list.n, v->unparsed, v->errors, v->cursors, v->typed, v->referring);
    return code;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    bool known = false;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        known = known || strcmp(what, modes[i]) == 0;
    if (!known) {
        fprintf(stderr, "usage: %s visit|bare|units|functions DATABASE [FILE...]\n", argv[0]);
        return 2;
    }
    cflr_error error;
    cflr_context *context = NULL;
    visit v = {0};
    cflri_units_request request = {
        .database = argv[2], .files = (const char *const *)argv + 3, .n_files = (size_t)argc - 3};
    int code = 1;
    if (cflr_context_new(NULL, &context, &error) == CFLR_OK &&
        cflri_clang_load(&error) == CFLR_OK &&
        cflri_units_list(context, &request, &v.units, &error) == CFLR_OK)
        code = run(what, &v);
    else
        fprintf(stderr, "parse_visit: %s\n", error.message);
    cflri_units_free(&v.units);
    cflr_context_free(context);
    return code;
}
