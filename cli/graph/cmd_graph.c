/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_graph.c: `cflr graph PRIMITIVE FILE`, or `PRIMITIVE --gen RULE`: runs a primitive of the
 * graph engine on a plain graph, tells how long it took, writes what it found for each vertex.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/graph/traverse.h"
#include "cli/run/plot.h"

static char *reorder, *source, *device, *schedule, *direction, *device_memory, *transfer,
    *device_rows, *gpus;
static char *damping, *tolerance, *most_iterations, *delta, *split, *hops, *circle, *trials, *top,
    *plot_path;
static int maps, idempotent, verify;

static struct poptOption gpu_table[] = {
    OPTION_VALUE("device", '\0', &device, "where to run, one of: auto cpu gpu", "DEVICE"),
    OPTION_VALUE("gpus", '\0', &gpus, "so many of them share the graph", "N"),
    OPTION_VALUE("device-memory", '\0', &device_memory, "take at most so much of its memory",
                 "SIZE"),
    OPTION_VALUE("device-rows", '\0', &device_rows, "at most so much of that for edges", "SIZE"),
    OPTION_FLAG("map", '\0', &maps, "leave the rows of a .cflp FILE there"),
    OPTION_VALUE("transfer", '\0', &transfer,
                 "how edges come to it, one of:" CFLR_TRANSFER_LIST(OPTION_WORD), "WORD"),
    OPTION_VALUE("schedule", '\0', &schedule,
                 "how edges are dealt out, one of:" CFLR_SCHEDULE_LIST(OPTION_WORD), "WORD"),
    OPTION_FLAG("idempotent", '\0', &idempotent,
                "bfs: let vertices be found more than once, instead of claiming each"),
    POPT_TABLEEND};

static struct poptOption table[] = {
    OPTION_VALUE("source", '\0', &source,
                 "where to begin, or random[:SEED] (default: the vertex of most edges)",
                 "V[,V...]"),
    OPTION_VALUE("top", '\0', &top, "show the vertices of greatest value", "N"),
    OPTION_FLAG("verify", '\0', &verify, "check each trial; exit 1 when it is wrong"),
    OPTION_VALUE("trials", '\0', &trials, "run so often; tell the median and the least time", "N"),
    PLAIN_GRAPH_OPTIONS,
    OPTION_VALUE("reorder", '\0', &reorder,
                 "number the vertices anew, one of:" CFLR_ORDER_LIST(OPTION_WORD), "ORDER"),
    OPTION_VALUE("hops", '\0', &hops, "bfs: vertices further away are not reached", "N"),
    OPTION_VALUE("damping", '\0', &damping, "ranks, nndr: the chance to follow an edge", "X"),
    OPTION_VALUE("tolerance", '\0', &tolerance,
                 "ranks, hubs, signals: done when a step changes less", "X"),
    OPTION_VALUE("most-iterations", '\0', &most_iterations, "of the same: no more steps than these",
                 "N"),
    OPTION_VALUE("circle", '\0', &circle, "wtf: vertices in the circle of trust", "N"),
    OPTION_VALUE("delta", '\0', &delta, "paths by weight: how much of the distance is near", "X"),
    OPTION_VALUE("split", '\0', &split,
                 "paths by weight, cc, reach: vertices of more edges become trees", "N"),
    OPTION_VALUE("direction", '\0', &direction, "which end of an edge acts, one of: auto push pull",
                 "DIRECTION"),
    OPTION_VALUE("plot", '\0', &plot_path,
                 "draw how many vertices have which value: .svg, or .vl.json for Vega-Lite",
                 "FILE"),
    OPTION_TABLE(common_table, "Common options:"),
    OPTION_TABLE(gpu_table, "On a GPU:"),
    POPT_TABLEEND};

#define PRIMITIVE_LINE(name, number, word, text) "  " word ": " text "\n"

static const option_word ways[] = {
    {"auto", CFLR_WAY_AUTO}, {"push", CFLR_WAY_PUSH}, {"pull", CFLR_WAY_PULL}, {NULL, 0}};

enum { MOST_TRIALS = 1000000 };

/* ---- options ---- */

/* What others call the primitives. */
static const char *const other_words[][2] = {{"betweenness", "bc"},
                                             {"breadth-first", "bfs"},
                                             {"color", "colour"},
                                             {"coloring", "colour"},
                                             {"components", "cc"},
                                             {"core", "kcore"},
                                             {"dijkstra", "sssp"},
                                             {"k-core", "kcore"},
                                             {"levels", "bfs"},
                                             {"maximal-independent-set", "mis"},
                                             {"mssp", "reach"},
                                             {"personalized-pagerank", "ppr"},
                                             {"pr", "pagerank"},
                                             {"shortest-paths", "sssp"},
                                             {"spanning-forest", "mst"},
                                             {"spanning-tree", "mst"},
                                             {"triangle-count", "tc"},
                                             {"triangles", "tc"},
                                             {"wcc", "cc"},
                                             {"who-to-follow", "wtf"}};

static const char *meant_by(const char *word) {
    static const char *const words[] = {CFLR_PRIMITIVE_LIST(OPTION_TEXT)};
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (strcmp(word, other_words[i][0]) == 0) return other_words[i][1];
    return nearest(word, words, sizeof words / sizeof *words);
}

static int read_primitive(const char *word, traverse_choices *c) {
    cflr_error error;
    if (cflr_primitive_parse(word, &c->primitive, &error) == CFLR_OK) {
        c->needs = cflr_primitive_asks(c->primitive);
        return 0;
    }
    int code = fail(&error);
    const char *meant = meant_by(word);
    if (meant)
        complain("did you mean '%s'?", meant);
    else
        complain("there are" CFLR_PRIMITIVE_LIST(OPTION_WORD));
    return code;
}

/* A graph whose rows stay in their file is as it is there. */
static int read_map(const char *path, traverse_choices *c) {
    const char *option = reorder ? "reorder" : plain_graph_option();
    c->maps = maps;
    if (!maps) return 0;
    if (!path || strcmp(path, "-") == 0) return usage_error("--map needs a FILE");
    if (!option) return 0;
    return usage_error("--map takes the graph as it is in its file: no --%s", option);
}

static int read_origin(const cli_arguments *arguments, traverse_choices *c) {
    int code = read_map(arguments->operand[1], c);
    if (!code) code = read_plain_graph(arguments->operand[1], &c->graph);
    if (code || c->graph.rule || c->graph.path) return code;
    return usage_error("graph needs a FILE, or --gen RULE");
}

static int read_order(traverse_choices *c) {
    cflr_error error;
    c->reorders = reorder;
    if (!reorder || cflr_order_parse(reorder, &c->order, &error) == CFLR_OK) return 0;
    return usage_error("--reorder: %s; one of:" CFLR_ORDER_LIST(OPTION_WORD), error.message);
}

/* random, random:SEED */
static bool read_random(traverse_choices *c) {
    size_t n = strlen("random");
    c->source_seed = 1;
    if (strncmp(source, "random", n) != 0) return false;
    c->random_source = !source[n] || (source[n] == ':' &&
                                      parse_count(source + n + 1, UINT64_MAX, &c->source_seed));
    return c->random_source;
}

bool read_vertices(const char *at, traverse_choices *c) {
    c->n_sources = 0;
    int64_t vertex;
    do {
        if (!take_number(&at, 0, CFLR_MAX_VERTICES - 1, &vertex)) return false;
        c->source[c->n_sources++] = (uint32_t)vertex;
    } while (*at++ == ',');
    return at[-1] == '\0';
}

int fail_sources(const char *text) {
    return usage_error("--source %s: vertices with commas between, or random[:SEED]", text);
}

int check_sources(const traverse_choices *c) {
    if (c->n_sources <= c->needs.most_sources && c->n_sources >= c->needs.least_sources) return 0;
    return usage_error("--source: %s takes %u to %u sources, not %u",
                       cflr_primitive_name(c->primitive), c->needs.least_sources,
                       c->needs.most_sources, c->n_sources);
}

static int read_sources(traverse_choices *c) {
    const char *name = cflr_primitive_name(c->primitive);
    size_t room = 1;
    bool may_be_names = c->graph.path && !c->maps;
    if (!source) return 0;
    if (!c->needs.most_sources) return usage_error("--source: %s has no sources", name);
    if (read_random(c)) return 0;
    for (const char *at = source; *at; at++) room += *at == ',';
    c->source = calloc(room, sizeof *c->source);
    if (!c->source) return fail_memory();
    c->sources = source;
    if (!may_be_names && !read_vertices(source, c)) return fail_sources(source);
    return c->n_sources ? check_sources(c) : 0;
}

static int read_reals(traverse_choices *c) {
    if (damping &&
        !(parse_real(damping, &c->opts.damping) && c->opts.damping >= 0 && c->opts.damping < 1)) {
        return usage_error("--damping %s: a number from 0 to less than 1", damping);
    }
    if (tolerance && !(parse_real(tolerance, &c->opts.tolerance) && c->opts.tolerance >= 0)) {
        return usage_error("--tolerance %s: a number that is not negative", tolerance);
    }
    if (delta && !(parse_real(delta, &c->opts.delta) && c->opts.delta > 0)) {
        return usage_error("--delta %s: a number greater than 0", delta);
    }
    return 0;
}

static int read_schedule(traverse_choices *c) {
    cflr_error error;
    if (!schedule || cflr_schedule_parse(schedule, &c->opts.schedule, &error) == CFLR_OK) return 0;
    return usage_error("--schedule: %s; one of:" CFLR_SCHEDULE_LIST(OPTION_WORD), error.message);
}

static int read_transfer(traverse_choices *c) {
    cflr_error error;
    if (!transfer || cflr_transfer_parse(transfer, &c->opts.transfer, &error) == CFLR_OK) return 0;
    return usage_error("--transfer: %s; one of:" CFLR_TRANSFER_LIST(OPTION_WORD), error.message);
}

static int read_traversal(traverse_choices *c) {
    int way = 0;
    int code = read_device(device, &c->opts.device);
    if (!code) code = read_word("direction", direction, ways, &way);
    if (!code) code = read_count("gpus", gpus, 1, UINT32_MAX, &c->opts.gpus);
    if (!code) code = read_size("device-memory", device_memory, &c->opts.device_memory);
    if (!code) code = read_size("device-rows", device_rows, &c->opts.device_rows);
    if (!code) code = read_schedule(c);
    if (!code) code = read_transfer(c);
    if (!code) code = read_reals(c);
    if (!code) {
        code =
            read_count("most-iterations", most_iterations, 1, UINT32_MAX, &c->opts.most_iterations);
    }
    if (!code) code = read_count("split", split, 2, UINT32_MAX, &c->opts.split);
    if (!code) code = read_count("hops", hops, 1, UINT32_MAX, &c->opts.hops);
    if (!code) code = read_count("circle", circle, 1, UINT32_MAX, &c->opts.circle);
    if (!code) code = read_count("trials", trials, 1, MOST_TRIALS, &c->trials);
    if (!code) code = read_count("top", top, 1, CFLR_MAX_VERTICES, &c->top);
    c->opts.way = (cflr_way)way;
    c->opts.idempotent = idempotent;
    c->verify = verify;
    c->plot = plot_path;
    return code;
}

/* The columns leave no room for the report. */
static bool standard_output_is_taken(void) {
    return common.output && output_is_standard();
}

static int read_choices(const cli_arguments *arguments, traverse_choices *c) {
    cflr_traverse_opts_init(&c->opts);
    int code = read_primitive(arguments->operand[0], c);
    if (!code) code = read_origin(arguments, c);
    if (!code) code = read_order(c);
    if (!code) code = read_sources(c);
    if (!code) code = read_traversal(c);
    if (!code) code = check_columns(c);
    if (code || !standard_output_is_taken() || !(wants_json() || top)) return code;
    return usage_error("%s: standard output is taken; name a file with -o",
                       top ? "--top" : "--format json");
}

/* ---- the command ---- */

/* A wrong result is written and reported all the same. */
static int work(traversing *t) {
    int verdict, code = traverse_load(t);
    if (code) return code;
    verdict = traverse_run(t);
    if (verdict && verdict != EXIT_NO) return verdict;
    code = common.output || t->choices->top || plot_path ? take_columns(t) : 0;
    if (!code && plot_path) code = traverse_plot(t);
    if (code) return code;
    if (common.output) {
        bool taken = standard_output_is_taken();
        code = traverse_write(t);
        if (code || taken) return code ? code : verdict;
        forget_output(); /* from here on: the report, on standard output */
    }
    return traverse_report(t, verdict);
}

/* Sources are an option, as there may be none and several. */
static int fail_operand(const char *word) {
    uint64_t number;
    bool is_number = parse_count(word, UINT64_MAX, &number);
    return usage_error("graph: unexpected '%s'%s%s", word,
                       is_number ? "; a source is --source " : "", is_number ? word : "");
}

static int run(const cli_arguments *arguments) {
    traverse_choices c = {.trials = 1};
    if (arguments->n_operands > 2) return fail_operand(arguments->operand[2]);
    traversing t = {.choices = &c};
    int code = read_choices(arguments, &c);
    if (!code) code = check_writable(output_path());
    if (!code && plot_path) code = plot_check(plot_path);
    if (!code) code = session_begin();
    if (!code) code = work(&t);
    traverse_free(&t);
    free(c.source);
    return code;
}

const command command_graph = {
    .name = "graph",
    .operands = "PRIMITIVE FILE, or PRIMITIVE --gen RULE",
    .summary = "run an algorithm on a plain graph: paths, ranks, components",
    .intro = "PRIMITIVE is one of these:\n" CFLR_PRIMITIVE_LIST(PRIMITIVE_LINE)  //
    "\nFILE is a list of edges, `source target [weight]` a line, with blanks, commas or\n"
    "tabs between; Matrix Market; DIMACS; or any other graph. For example\n\n"
    "  cflr graph pagerank web.txt --top 20\n"
    "  cflr graph sssp roads.csv --source Paris -o distances.csv\n",
    .words = CFLR_PRIMITIVE_LIST(OPTION_WORD),
    .options = table,
    .min_operands = 1,
    .max_operands = -1,
    .run = run};
