/* SPDX-License-Identifier: Apache-2.0
 *
 * test_extract.c: the public entry: counts, notes, failures, the same bytes for any thread count.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "construct_support.h"
#include "extract_support.h"
#include "tests/support/fail_alloc.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(extract, .init = setup, .fini = teardown);

/* Units of different sizes that call each other, share a header and a few names. */
static void write_units(int n) {
    project_write(
        &p, "common.h",
        "struct item { int *value; struct item *next; int *(*get)(struct item *); };\n"
        "static inline int *first(struct item *i) { return i->next->value; }\n"
        "extern struct item *all; void add(struct item *); int *unknown_to_all(int *);\n");
    for (int u = 0; u < n; u++) {
        char name[40], text[6000];
        int at = snprintf(text, sizeof text,
                          "#include \"common.h\"\n"
                          "static int own; static struct item item;\n"
                          "static int *get(struct item *i) { return first(i); }\n"
                          "struct item *make_%d(struct item *from) {\n"
                          "  item.value = &own; item.get = get; item.next = from; add(&item);\n"
                          "  unknown_to_all(item.value); return &item; }\n",
                          u);
        for (int k = 0; k < u % 7 * 3; k++)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "int *f%d_%d(struct item *i) { struct item *make_%d(struct item *);\n"
                           "  return make_%d(i)->get(i); }\n",
                           u, k, (u + 1) % n, (u + 1) % n);
        snprintf(name, sizeof name, "u%d/unit.c", u);
        project_write(&p, name, text);
    }
    project_write(&p, "all.c",
                  "#include \"common.h\"\nstruct item *all;\n"
                  "void add(struct item *i) { i->next = all; all = i; }\n");
}

static void save(const char *path, cflr_graph_format format) {
    cflr_error error = {0};
    cr_assert_eq(cflr_graph_save(p.graph, path, format, &error), CFLR_OK, "%s", error.message);
}

static void append_notes(char *text, size_t size) {
    const cflr_note *note;
    size_t at = strlen(text);
    for (size_t i = 0; (note = cflr_extract_note(p.report, i)); i++)
        at += (size_t)snprintf(text + at, size - at, "%d %lu %s:%u %s\n", (int)note->kind,
                               (unsigned long)note->count, note->file, note->line, note->text);
}

/* Graph file and notes of one extraction with `threads`. */
static char *everything(const cflr_extract_opts *opts, int threads) {
    cflr_context_opts context_opts;
    cflr_context_opts_init(&context_opts);
    context_opts.threads = threads;
    cflr_context *context = p.context;
    cr_assert_eq(cflr_context_new(&context_opts, &p.context, NULL), CFLR_OK);
    project_extract(&p, opts);
    char path[PROJECT_PATH * 2], notes[4000] = "";
    save(project_path(&p, "graph.ndjson", path), CFLR_GRAPH_NDJSON);
    char *graph = construct_read(path);
    append_notes(notes, sizeof notes);
    size_t size = strlen(graph) + strlen(notes) + 1;
    graph = realloc(graph, size);
    strcat(graph, notes);
    cflr_context *used = p.context;
    project_try(&p, &(cflr_extract_opts){0}); /* frees what belongs to the context */
    cr_assert_eq(p.status, CFLR_ARGUMENT);
    p.context = context;
    cflr_context_free(used);
    return graph;
}

Test(extract, the_same_bytes_for_any_thread_count) {
    write_units(14);
    cflr_extract_opts opts;
    for (int mode = 0; mode < 4; mode++) {
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.context = mode & 1 ? CFLR_CONTEXT_CLONE : CFLR_CONTEXT_NONE;
        opts.calls = mode & 2 ? CFLR_CALLS_BRACKETS : CFLR_CALLS_ASSIGN;
        opts.clone_limit = 5000;
        opts.files = p.source;
        opts.n_files = p.n_sources;
        char *one = everything(&opts, 1);
        cr_assert_gt(strlen(one), 10000);
        for (int threads = 2; threads <= 8; threads *= 2) {
            char *more = everything(&opts, threads);
            cr_expect_eq(strcmp(one, more), 0, "mode %d, %d threads", mode, threads);
            free(more);
        }
        free(one);
    }
}

Test(extract, counts) {
    project_write(&p, "a.c",
                  "int *mystery(int *);\nint *(*held)(int *);\nint x;\n"
                  "static int *same(int *v) { return v; }\n"
                  "int *f(void) { held(&x); mystery(&x); return same(&x); }\n");
    project_write(&p, "b.c", "int *g(int *v) { return v; }\n");
    project_extract(&p, NULL);
    cr_expect_eq(p.counts.units, 2);
    cr_expect_eq(p.counts.units_lost, 0);
    cr_expect_eq(p.counts.units_degraded, 0);
    cr_expect_eq(p.counts.lines, 6);
    cr_expect_eq(p.counts.functions, 3);
    cr_expect_eq(p.counts.calls_direct, 2);
    cr_expect_eq(p.counts.calls_indirect, 1);
    cr_expect_eq(p.counts.calls_unmodelled, 1);
    cr_expect_gt(p.counts.pointers, 4);
    cr_expect_lt(p.counts.pointers, cflr_graph_vertices(p.graph));
}

Test(extract, vertices_say_where_they_come_from) {
    project_write(&p, "a.c",
                  "struct s { int *m; };\n"
                  "int *f(struct s *p) {\n"
                  "    int *q = p->m;\n"
                  "    return q;\n"
                  "}\n");
    project_extract(&p, NULL);
    static const char *const specs[] = {"a.c:3:q", "f::q",    "a.c:2:p",
                                        "f::p",    "a.c:4:q", "a.c:3:p->m"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        uint32_t v;
        size_t n;
        cflr_error error = {0};
        cflr_vertex_info info;
        cr_assert_eq(cflr_graph_find(p.graph, specs[i], &v, 1, &n, &error), CFLR_OK, "%s: %s",
                     specs[i], error.message);
        cflr_graph_vertex(p.graph, v, &info);
        cr_expect(strstr(info.file, "/a.c") != NULL);
        cr_expect_str_eq(info.function, "f");
        cr_expect_neq(info.line, 0);
        cr_expect_neq(info.column, 0);
    }
}

/* Commands of real builds, for a file that checks the target's types: what gcc takes and clang does
 * not is dropped, what decides about types is not. */
static const char *const real_commands[] = {
    /* Linux, x86-64 */
    "gcc -Wp,-MMD,init/.main.o.d -nostdinc -D__KERNEL__ -fmacro-prefix-map=./= -std=gnu11 "
    "-fshort-wchar -funsigned-char -fno-common -fno-PIE -fno-strict-aliasing -mno-sse -mno-mmx "
    "-mno-sse2 -mno-3dnow -mno-avx -fcf-protection=branch -fno-jump-tables -m64 -falign-jumps=1 "
    "-falign-loops=1 -mno-80387 -mno-fp-ret-in-387 -mpreferred-stack-boundary=3 -mskip-rax-setup "
    "-march=x86-64 -mtune=generic -mno-red-zone -mcmodel=kernel -mindirect-branch=thunk-extern "
    "-mindirect-branch-register -mindirect-branch-cs-prefix -mfunction-return=thunk-extern "
    "-fno-asynchronous-unwind-tables -mharden-sls=all -fpatchable-function-entry=16,16 "
    "-fno-delete-null-pointer-checks -O2 -fno-allow-store-data-races -fstack-protector-strong "
    "-ftrivial-auto-var-init=zero -fno-stack-clash-protection -pg -mrecord-mcount -mfentry "
    "-DCC_USING_FENTRY -falign-functions=16 -fstrict-flex-arrays=3 -fno-strict-overflow "
    "-fno-stack-check -fconserve-stack -Wall -Wextra -Wframe-larger-than=2048 "
    "-Wimplicit-fallthrough=5 -mstack-protector-guard=tls "
    "-mstack-protector-guard-reg=gs -mstack-protector-guard-symbol=__ref_stack_chk_guard "
    "-DKBUILD_MODNAME='\"main\"' -DPOINTER=8 -DUNSIGNED_CHAR=1 -c -o init/main.o a.c",
    /* Linux, x86, 32 bits */
    "gcc -nostdinc -std=gnu11 -m32 -msoft-float -mregparm=3 -freg-struct-return "
    "-mpreferred-stack-boundary=2 -march=i686 -mtune=pentium3 -ffreestanding "
    "-mstack-protector-guard-symbol=__stack_chk_guard -DPOINTER=4 -DUNSIGNED_CHAR=0 -c a.c",
    /* Linux, arm64, by a cross compiler */
    "aarch64-linux-gnu-gcc -nostdinc -mlittle-endian -D__KERNEL__ -std=gnu11 -mgeneral-regs-only "
    "-DCONFIG_CC_HAS_K_CONSTRAINT=1 -mabi=lp64 -mbranch-protection=pac-ret -Wa,-march=armv8.5-a "
    "-march=armv8-a+crc -mcpu=cortex-a72.cortex-a53 -mstack-protector-guard=sysreg "
    "-mstack-protector-guard-reg=sp_el0 -mstack-protector-guard-offset=1368 -fno-ipa-sra "
    "--param=allow-store-data-races=0 -DPOINTER=8 -DUNSIGNED_CHAR=1 -c a.c",
    /* Linux, ARM */
    "arm-linux-gnueabi-gcc -nostdinc -mlittle-endian -fno-dwarf2-cfi-asm -mno-unaligned-access "
    "-mabi=aapcs-linux -mfpu=vfp -funwind-tables -marm -Wa,-mno-warn-deprecated "
    "-D__LINUX_ARM_ARCH__=7 -march=armv7-a -msoft-float -Uarm -mtp=cp15 -mno-fdpic -DPOINTER=4 "
    "-DUNSIGNED_CHAR=1 -c a.c",
    /* Linux, RISC-V, POWER, S/390 */
    "riscv64-linux-gnu-gcc -mabi=lp64 -march=rv64imac_zicsr_zifencei -mno-save-restore "
    "-mcmodel=medany -mstrict-align -mno-riscv-attribute -DPOINTER=8 -DUNSIGNED_CHAR=1 -c a.c",
    "powerpc64le-linux-gnu-gcc -mlittle-endian -m64 -msoft-float -mtraceback=no -mabi=elfv2 "
    "-mcmodel=medium -mno-pointers-to-nested-functions -mcpu=power8 -mtune=power10 -mno-prefixed "
    "-mno-pcrel -mno-string -mprofile-kernel -DPOINTER=8 -DUNSIGNED_CHAR=1 -c a.c",
    "s390x-linux-gnu-gcc -m64 -mpacked-stack -mbackchain -msoft-float -march=z9-109 -mtune=z9-109 "
    "-mfunction-return=thunk-extern -mindirect-branch-table -mno-pic-data-is-text-relative "
    "-mwarn-dynamicstack -DPOINTER=8 -DUNSIGNED_CHAR=1 -c a.c",
    /* firmware */
    "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 "
    "-specs=nano.specs "
    "--specs=nosys.specs -ffunction-sections -fdata-sections -fshort-enums -DENUM=1 "
    "-fsingle-precision-constant -mslow-flash-data -Wl,-Map=a.map -T link.ld -nostartfiles "
    "-DPOINTER=4 -DUNSIGNED_CHAR=1 -c a.c",
    /* Debian's hardening */
    "x86_64-linux-gnu-gcc -g -O2 -Werror=implicit-function-declaration -ffile-prefix-map=/build=. "
    "-fstack-protector-strong -fstack-clash-protection -Wformat -Werror=format-security "
    "-fcf-protection -Wdate-time -D_FORTIFY_SOURCE=3 -Wl,-z,relro -fno-plt -flto=auto "
    "-ffat-lto-objects -fexceptions -fasynchronous-unwind-tables -grecord-gcc-switches "
    "-specs=/usr/lib/rpm/redhat/redhat-hardened-cc1 -fplugin=annobin -mno-omit-leaf-frame-pointer "
    "-DPOINTER=8 -DUNSIGNED_CHAR=0 -c a.c",
    /* PostgreSQL */
    "gcc -std=gnu11 -Wall -Wmissing-prototypes -Wpointer-arith -Wdeclaration-after-statement "
    "-Werror=vla -Wendif-labels -Wmissing-format-attribute -Wimplicit-fallthrough=3 "
    "-Wcast-function-type -Wshadow=compatible-local -Wformat-security -fno-strict-aliasing -fwrapv "
    "-fexcess-precision=standard -Wno-format-truncation -Wno-stringop-truncation -g -O2 "
    "-ftree-vectorize -funroll-loops -fvisibility=hidden -MMD -MP -MF .deps/a.Po -DPOINTER=8 "
    "-DUNSIGNED_CHAR=0 -c a.c",
    /* systemd */
    "ccache cc -Isrc/basic/a.p -fdiagnostics-color=always -D_FILE_OFFSET_BITS=64 -std=gnu17 -O0 -g "
    "-Wno-error=nonnull -Werror=shadow -fno-strict-aliasing -fstrict-flex-arrays=1 "
    "-fvisibility=hidden -fno-omit-frame-pointer -flto-partition=one -include stddef.h -fPIC "
    "-fno-semantic-interposition -ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr "
    "-MD -MQ a.o -MF a.d -DPOINTER=8 -DUNSIGNED_CHAR=0 -o a.o -c a.c",
    /* what else is seen */
    "gcc --std=c99 -pthread -mfpmath=387 -malign-double -mrtd -fgnu89-inline -fopenmp-simd "
    "-aux-info x "
    "-fdump-tree-all -save-temps=obj -fprofile-arcs -ftest-coverage --coverage "
    "-fsanitize=address,undefined -fno-sanitize-recover=all -fanalyzer -fipa-pta -Og "
    "-finput-charset="
    "latin1 -fno-unsigned-char -trigraphs -DPOINTER=8 -DUNSIGNED_CHAR=0 -c a.c",
};

static void write_json_text(char *out, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') *out++ = '\\';
        *out++ = *text;
    }
    *out = '\0';
}

Test(extract, commands_of_real_builds) {
    project_write(&p, "a.c",
                  "_Static_assert(sizeof(void *) == POINTER, \"the target's pointers\");\n"
                  "_Static_assert(((char)-1 > 0) == UNSIGNED_CHAR, \"the target's characters\");\n"
                  "enum small { ONE };\n"
                  "#ifdef ENUM\n_Static_assert(sizeof(enum small) == ENUM, \"\");\n#endif\n");
    size_t n = sizeof real_commands / sizeof *real_commands;
    for (size_t i = 0; i < n; i++) {
        char text[4000], escaped[3000];
        write_json_text(escaped, real_commands[i]);
        snprintf(text, sizeof text,
                 "[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"%s\"}]", p.folder,
                 escaped);
        project_write(&p, "compile_commands.json", text);
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.database = p.folder;
        project_extract(&p, &opts);
        const cflr_note *note = cflr_extract_note(p.report, 0);
        cr_expect(!note, "%.60s: %s", real_commands[i], note ? note->text : "");
        cr_expect_eq(p.counts.units, 1);
    }
}

/* What clang refuses is left out, the lightest flags first; macros and headers stay. */
Test(extract, refused_flags) {
    static const struct {
        const char *flag, *test;
        bool told;
    } rows[] = {{"-mcpu=no-such", "defined KEPT && !__STDC_VERSION__", false},
                {"-march=no-such", "defined KEPT && !__STDC_VERSION__", false},
                {"--target=no-such", "defined KEPT && __STDC_VERSION__", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "#if !(%s)\n#error flags\n#endif\nint x;\n", rows[i].test);
        project_write(&p, "a.c", text);
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        const char *const flags[] = {"-std=c90", rows[i].flag, "-DKEPT"};
        opts.flags = flags;
        opts.n_flags = 3;
        opts.files = p.source;
        opts.n_files = 1;
        project_extract(&p, &opts);
        const cflr_note *note = cflr_extract_note(p.report, 0);
        cr_expect_eq(note != NULL, rows[i].told, "%s: %s", rows[i].flag, note ? note->text : "");
        if (note) cr_expect(strstr(note->text, "refused"), "%s: %s", rows[i].flag, note->text);
        if (note) cr_expect_eq(note->count, 1, "%s", rows[i].flag);
    }
}

/* A unit that cannot be read is reported and stops nothing. */
Test(extract, a_lost_unit_stops_nothing) {
    project_write(&p, "a.c", "int x; int *f(void) { return &x; }\n");
    project_write(&p, "b.c", "#include \"nowhere.h\"\n");
    project_write(&p, "c.c", "int y;\n");
    char path[PROJECT_PATH * 2];
    remove(project_path(&p, "c.c", path));
    project_extract(&p, NULL);
    cr_expect_eq(p.counts.units, 3);
    cr_expect_eq(p.counts.units_lost, 1);
    cr_expect_eq(p.counts.units_degraded, 1);
    const cflr_note *first = cflr_extract_note(p.report, 0);
    const cflr_note *second = cflr_extract_note(p.report, 1);
    cr_assert(first && second);
    cr_expect_eq(first->kind, CFLR_NOTE_LOST);
    cr_expect_str_eq(first->file, path);
    cr_expect_eq(second->kind, CFLR_NOTE_DEGRADED);
    cr_expect_eq(second->line, 1);
    cr_expect(strstr(second->text, "nowhere.h") != NULL);
}

/* What a database has, told without reading it; files of other languages, one note each. */
Test(extract, listing) {
    static const char *const languages[] = {"C++", "C++", "assembler"};
    cflr_extract_opts opts;
    cflr_extract_report *report;
    cflr_extract_counts counts;
    cflr_error error = {0};
    project_write(&p, "compile_commands.json",
                  "[{\"directory\": \"/x\", \"file\": \"gone.c\", \"command\": \"cc gone.c\"},"
                  "{\"directory\": \"/x\", \"file\": \"gone.c\", \"command\": \"cc -fPIC gone.c\"},"
                  "{\"directory\": \"/x\", \"file\": \"b.cc\", \"command\": \"c++ b.cc\"},"
                  "{\"directory\": \"/x\", \"file\": \"s.S\", \"command\": \"cc s.S\"},"
                  "{\"directory\": \"/x\", \"file\": \"a.cc\", \"command\": \"c++ a.cc\"}]");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.database = p.folder;
    cr_assert_eq(cflr_extract_list(p.context, &opts, &report, &error), CFLR_OK, "%s",
                 error.message);
    cflr_extract_get_counts(report, &counts);
    cr_expect_eq(counts.units, 1);
    cr_expect_eq(counts.units_lost, 0, "nothing was read");
    cr_expect_eq(counts.duplicates, 1);
    cr_expect_eq(counts.other_languages, 3);
    const cflr_note *note;
    size_t n = 0;
    for (; (note = cflr_extract_note(report, n)); n++) {
        cr_assert_lt(n, 3);
        cr_expect_eq(note->kind, CFLR_NOTE_LANGUAGE);
        cr_expect_str_eq(note->text, languages[n]);
    }
    cr_expect_eq(n, 3);
    cflr_extract_report_free(report);
    project_write(&p, "compile_commands.json", "[]");
    cr_assert_eq(cflr_extract_list(p.context, &opts, &report, &error), CFLR_OK);
    cflr_extract_get_counts(report, &counts);
    cr_expect_eq(counts.units, 0);
    cflr_extract_report_free(report);
    opts.database = "/no/such/folder";
    cr_expect_eq(cflr_extract_list(p.context, &opts, NULL, &error), CFLR_IO);
}

Test(extract, nothing_read_is_an_error) {
    char path[PROJECT_PATH * 2];
    project_write(&p, "a.c", "");
    remove(project_path(&p, "a.c", path));
    project_try(&p, NULL);
    cr_expect_eq(p.status, CFLR_IO);
    cr_expect_str_eq(p.error.subject, path);
    cr_expect_eq(p.graph, NULL);
    cr_assert(p.report != NULL, "the report is there nevertheless");
    cr_expect_eq(p.counts.units_lost, 1);
}

Test(extract, an_empty_unit_is_a_graph) {
    project_write(&p, "a.c", "");
    project_extract(&p, NULL);
    cr_expect_eq(cflr_graph_vertices(p.graph), 0);
    cr_expect_eq(cflr_graph_edges(p.graph), 0);
}

Test(extract, arguments) {
    cflr_extract_opts opts;
    cflr_graph *graph;
    cflr_error error = {0};
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    cr_expect_eq(cflr_extract(p.context, &opts, &graph, NULL, &error), CFLR_ARGUMENT);
    cr_expect_eq(graph, NULL);
    opts.struct_size = 0;
    cr_expect_eq(cflr_extract(p.context, &opts, &graph, NULL, &error), CFLR_ARGUMENT);
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = (const char *const[]){"x.c"};
    opts.n_files = 1;
    opts.context = (cflr_contexts)7;
    cr_expect_eq(cflr_extract(p.context, &opts, &graph, NULL, &error), CFLR_ARGUMENT);
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = NULL;
    opts.n_files = 3;
    cr_expect_eq(cflr_extract(p.context, &opts, &graph, NULL, &error), CFLR_ARGUMENT);
    cr_expect_eq(cflr_extract(p.context, NULL, &graph, NULL, &error), CFLR_ARGUMENT);
}

/* gcc warns about it, and clang has no type for what such an integer points to. */
Test(extract, copies_through_integers) {
    project_write(&p, "a.c",
                  "void *memcpy(void *, const void *, unsigned long); int x;\n"
                  "void f(long n, int **q) { memcpy(n, q, 8); memcpy(q, n, 8); *q = &x; }\n");
    project_extract(&p, NULL);
    cr_expect(project_has_edge(&p, "&x -a-> f::*q"), "%s", p.edges);
}

Test(extract, from_a_database) {
    char text[1000];
    project_write(&p, "src/a.c", "#include \"h.h\"\nint *f(void) { return NAME; }\n");
    project_write(&p, "include/h.h", "extern int *first, *second;\n");
    snprintf(text, sizeof text,
             "[{\"directory\": \"%s/src\", \"file\": \"a.c\", \"command\": \"cc -DNAME=first "
             "-I../include a.c\"},"
             "{\"directory\": \"%s/src\", \"file\": \"a.c\", \"command\": \"cc -DNAME=second "
             "-I../include a.c\"},"
             "{\"directory\": \"%s/src\", \"file\": \"a.c\", \"command\": \"cc -O -g -DNAME=second "
             "-I../include a.c -fPIC\"}]",
             p.folder, p.folder, p.folder);
    project_write(&p, "compile_commands.json", text);
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.database = p.folder;
    project_extract(&p, &opts);
    cr_expect_eq(p.counts.units, 3, "-O is a difference that a program may see");
    cr_expect_eq(p.counts.units_degraded, 0);
    cr_expect_eq(p.counts.functions, 1, "one place, one function");
    cr_expect(project_has_edge(&p, "first -a-> f::return"));
    cr_expect(project_has_edge(&p, "second -a-> f::return"));
}

/* ---- stopping ---- */

static bool refuse(void *user, const cflr_progress *progress) {
    (*(int *)user)++;
    cr_assert_str_eq(progress->phase, "extract");
    cr_assert_leq(progress->done, progress->total);
    return false;
}

Test(extract, cancelled_by_progress) {
    int calls = 0;
    write_units(6);
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.user = &calls;
    opts.progress = refuse;
    opts.threads = 2;
    cflr_context *context = p.context;
    cr_assert_eq(cflr_context_new(&opts, &p.context, NULL), CFLR_OK);
    project_try(&p, NULL);
    cr_expect_eq(p.status, CFLR_CANCELLED, "%s", p.error.message);
    cr_expect_eq(p.graph, NULL);
    cr_expect_geq(calls, 1);
    cflr_extract_report_free(p.report);
    p.report = NULL;
    cr_expect_eq(cflr_context_memory(p.context), 0);
    cflr_context_free(p.context);
    p.context = context;
}

Test(extract, out_of_time) {
    write_units(6);
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.time_limit = 1e-6;
    cflr_context *context = p.context;
    cr_assert_eq(cflr_context_new(&opts, &p.context, NULL), CFLR_OK);
    project_try(&p, NULL);
    cr_expect_eq(p.status, CFLR_LIMIT, "%s", p.error.message);
    cflr_extract_report_free(p.report);
    p.report = NULL;
    cflr_context_free(p.context);
    p.context = context;
}

/* ---- no memory ---- */

static cflr_status extract_units(cflr_context *context, void *user, cflr_error *error) {
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_status st = cflr_extract(context, user, &graph, &report, error);
    cflr_graph_free(graph);
    cflr_extract_report_free(report);
    return st;
}

/* Every step-th allocation; parsing dominates, so not all. */
Test(extract, allocations_may_fail) {
    project_write(&p, "a.c",
                  "int *g(int *); int *mystery(int *); int x;\n"
                  "int *f(int *v) { int **w = &v; *w = mystery(&x); return g(*w); }\n"
                  "int *(*held)(int *) = g;\n");
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.context = CFLR_CONTEXT_CLONE;
    opts.calls = CFLR_CALLS_BRACKETS;
    cr_expect_gt(fail_alloc_sweep(extract_units, &opts), 100);
}

/* ---- documentation ---- */

/* The text between a line "```KIND" and the next "```", in place. */
static char *block(char *text, const char *kind) {
    char fence[32];
    snprintf(fence, sizeof fence, "\n```%s\n", kind);
    char *begin = strstr(text, fence);
    cr_assert(begin != NULL, "no block %s", kind);
    begin += strlen(fence);
    char *end = strstr(begin, "\n```");
    cr_assert(end != NULL);
    end[1] = '\0';
    return begin;
}

Test(extract, example_of_the_documentation) {
    char *code = construct_read(CFLR_SOURCE_DIR "/docs/reference/labels.md");
    char *edges = construct_read(CFLR_SOURCE_DIR "/docs/reference/labels.md");
    cr_assert(code && edges);
    project_write(&p, "list.c", block(code, "c"));
    project_extract(&p, NULL);
    cr_expect_str_eq(p.edges, block(edges, "edges"), "%s", p.edges);
    free(code);
    free(edges);
}
