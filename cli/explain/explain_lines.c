/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_lines.c: long explanations are shortened, so that a person can read them.
 *
 * A value that comes through memory has a reason for each place where it rests, and that reason has
 * reasons of its own: four thousand lines where seven tell the way. A short explanation is printed
 * in full. Of a long one as many levels of reasons are printed as fit, and a run of steps that only
 * copy a value becomes one line and its last step:
 *
 *     a.c:4:9: the address of x is taken
 *     ... 5 steps, through set(), put(), store() and 2 more
 *     a.c:9:5: passed to keep as v
 *     b.c:4:5: stored in *slot, read through *p
 *         because slot and p may hold one address: both may point to cell
 *     (6 of 812 lines; --all tells all)
 *
 * The teller is asked again for each number of levels, so that what it says is seen "above" is
 * there. O(lines) for each, and levels are tried only until they do not fit.
 */
#include "cli/explain/explain_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG = 40,         /* lines: more are shortened */
    FEWEST_COPIES = 3, /* that one line is worth */
    MOST_NAMES = 3,
};

/* ---- telling ---- */

bool tells_reason(const told_lines *to, int indent) {
    return (size_t)(indent / INDENT) <= to->deepest + 1;
}

static void add_line(told_lines *to, told_line line) {
    fputc('\n', to->file);
    to->failed |= fflush(to->file) != 0;
    line.end = to->size;
    to->failed |= !make_room(&to->line, &to->capacity, to->n, sizeof *to->line);
    if (!to->failed) to->line[to->n++] = line;
}

void end_line(told_lines *to, int indent) {
    add_line(to, (told_line){.indent = indent});
}

void end_copy(told_lines *to, int indent, const char *function) {
    add_line(to, (told_line){.indent = indent, .copies_in = function});
}

static void free_lines(told_lines *to) {
    free(to->text);
    free(to->line);
    *to = (told_lines){0};
}

/* 0, or the exit code after a message; to be freed in both cases. */
static int collect(told_lines *to, size_t deepest, tell_lines *tell, const void *of) {
    *to = (told_lines){.deepest = deepest};
    to->file = open_memstream(&to->text, &to->size);
    if (!to->file) return fail_memory();
    int code = tell(of, to);
    to->failed |= fclose(to->file) != 0;
    return code || !to->failed ? code : fail_memory();
}

/* ---- runs of copies ---- */

/* The end of the run of copies that begins with line `from`: `from` itself, where it is none. */
static size_t run_end(const told_lines *of, size_t from) {
    size_t end = from;
    while (end < of->n && of->line[end].copies_in && of->line[end].indent == of->line[from].indent)
        end++;
    return end;
}

/* The lines from `from` on that one line stands for: all of a run but its last one. */
static size_t folded(const told_lines *of, size_t from) {
    size_t n = run_end(of, from) - from;
    return n > FEWEST_COPIES ? n - 1 : 0;
}

static size_t count_folded(const told_lines *of) {
    size_t n = 0;
    for (size_t i = 0; i < of->n; n++) {
        size_t run = folded(of, i);
        i += run ? run : 1;
    }
    return n;
}

/* The functions of a run, each once where it follows itself. */
static void print_run(FILE *file, const told_lines *of, size_t from, size_t n) {
    const char *name[MOST_NAMES] = {NULL}, *last = "";
    size_t n_names = 0;
    for (size_t i = from; i < from + n; i++) {
        const char *function = of->line[i].copies_in;
        if (!function[0] || strcmp(function, last) == 0) continue;
        last = function;
        if (n_names < MOST_NAMES) name[n_names] = function;
        n_names++;
    }
    fprintf(file, "%*s... %zu steps", of->line[from].indent, "", n);
    for (size_t i = 0; i < n_names && i < MOST_NAMES; i++)
        fprintf(file, "%s%s()", i == 0 ? ", through " : ", ", shown(name[i]));
    if (n_names > MOST_NAMES) fprintf(file, " and %zu more", n_names - MOST_NAMES);
    fputc('\n', file);
}

static void print_folded(FILE *file, const told_lines *of) {
    for (size_t i = 0; i < of->n;) {
        size_t run = folded(of, i), begin = i ? of->line[i - 1].end : 0;
        if (run)
            print_run(file, of, i, run);
        else
            fwrite(of->text + begin, 1, of->line[i].end - begin, file);
        i += run ? run : 1;
    }
}

/* ---- how much fits ---- */

/* As many levels of reasons as fit, at least those of the way itself. */
static int shorten(told_lines *best, tell_lines *tell, const void *of) {
    int code = collect(best, 0, tell, of);
    for (size_t deepest = 1; !code; deepest++) {
        told_lines more;
        code = collect(&more, deepest, tell, of);
        bool fits = !code && count_folded(&more) <= LONG && more.n > best->n;
        if (!fits) {
            free_lines(&more);
            break;
        }
        free_lines(best);
        *best = more;
    }
    return code;
}

int print_lines(FILE *file, bool all, tell_lines *tell, const void *of) {
    told_lines whole, shortened = {0};
    int code = collect(&whole, SIZE_MAX - 1, tell, of);
    bool is_long = !code && !all && whole.n > LONG;
    if (is_long) code = shorten(&shortened, tell, of);
    if (!code && is_long && count_folded(&shortened) < whole.n) {
        print_folded(file, &shortened);
        fprintf(file, "%*s(%zu of %zu lines; --all tells all)\n", INDENT, "",
                count_folded(&shortened), whole.n);
    } else if (!code && whole.n) {
        fwrite(whole.text, 1, whole.size, file);
    }
    free_lines(&whole);
    free_lines(&shortened);
    return code;
}
