/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_convert.c: `cflr convert IN OUT`, or `IN -o OUT`: one graph format to another.
 *
 * Formats of plain graphs get what `cflr graph` reads, with its weights, or what a rule makes. All
 * others get labelled graphs; Matrix Market and DIMACS, too, when a format of IN is named.
 */
#include <string.h>

#include "cli/run/plain_graph.h"

/* Those of plain graphs that are no format of labelled ones. */
#define PLAIN_FORMATS " cflp el32 wel32 list"

static char *from, *to;

static struct poptOption table[] = {
    OPTION_VALUE("graph-format", '\0', &from, "format of IN, " GRAPH_READ_HELP, "FORMAT"),
    OPTION_VALUE("to", '\0', &to,
                 "format of OUT (default: by its name), " GRAPH_WRITE_HELP PLAIN_FORMATS, "FORMAT"),
    PLAIN_GRAPH_OPTIONS, COMMON_OPTIONS};

/* ---- labelled graphs ---- */

static int print_report(const cflr_graph *graph, const char *in, const char *out) {
    json_t *object = json_object();
    json_set_text(object, "input", in);
    json_set_text(object, "output", out);
    json_set_count(object, "vertices", cflr_graph_vertices(graph));
    json_set_count(object, "edges", cflr_graph_edges(graph));
    json_set_count(object, "labels", cflr_graph_labels(graph));
    return print_json(object, 0);
}

static int convert_labelled(const char *source, const char *target) {
    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_graph_format in = CFLR_GRAPH_AUTO, out = CFLR_GRAPH_AUTO;
    const char *option = plain_graph_option();
    if (option) {
        return usage_error(
            "--%s is for plain graphs: OUT is .cflp, .mtx, .gr, .el32, .wel32 or "
            ".txt, or --to names one of" CFLR_CSR_FORMAT_LIST(OPTION_WORD),
            option);
    }
    if (from && cflr_graph_format_parse(from, &in, &error) != CFLR_OK) return fail(&error);
    if (to && cflr_graph_format_parse(to, &out, &error) != CFLR_OK) return fail(&error);
    int code = check_graph_target(target, out);
    if (!code) code = session_begin();
    if (code) return code;
    if (cflr_graph_load(session(), source, in, &graph, &error) != CFLR_OK)
        return fail_reading(&error, source, INPUT_GRAPH);
    if (strcmp(target, "-") == 0) clear_progress();
    if (cflr_graph_save(graph, target, out, &error) != CFLR_OK)
        code = fail(&error);
    else if (wants_json())
        code = print_report(graph, source, target);
    cflr_graph_free(graph);
    return code;
}

/* ---- plain graphs ---- */

/* CFLR_CSR_AUTO: OUT is for a labelled graph. */
static cflr_csr_format plain_format(const char *target) {
    cflr_csr_format format = CFLR_CSR_AUTO;
    cflr_error error;
    if (!to)
        format = cflr_csr_format_of(target);
    else if (cflr_csr_format_parse(to, &format, &error) != CFLR_OK)
        return CFLR_CSR_AUTO;
    bool is_both = format == CFLR_CSR_MTX || format == CFLR_CSR_DIMACS;
    return from && is_both ? CFLR_CSR_AUTO : format;
}

static int print_plain_report(const cflr_csr *csr, const plain_graph_choices *c, const char *out) {
    static const char *const weights[] = {[CFLR_WEIGHTS_NONE] = "none",
                                          [CFLR_WEIGHTS_INT32] = "int32",
                                          [CFLR_WEIGHTS_FLOAT32] = "float32"};
    json_t *object = json_object();
    json_set_text(object, c->rule ? "rule" : "input", c->rule ? c->rule : c->path);
    json_set_text(object, "output", out);
    json_set_count(object, "vertices", cflr_csr_vertices(csr));
    json_set_count(object, "edges", cflr_csr_edges(csr));
    json_set(object, "undirected", json_boolean(cflr_csr_symmetric(csr)));
    json_set_text(object, "weights", weights[cflr_csr_weights(csr)]);
    return print_json(object, 0);
}

static cflr_status save_plain(const plain_graph_choices *c, const char *target,
                              cflr_csr_format format, cflr_csr **csr, cflr_error *error) {
    cflr_status st = load_plain_graph(c, &c->opts, csr, error);
    if (st == CFLR_OK && c->draws_weights)
        st = cflr_csr_draw_weights(*csr, c->least_weight, c->most_weight, c->weight_seed, error);
    if (strcmp(target, "-") == 0) clear_progress();
    if (st == CFLR_OK) st = cflr_csr_save(*csr, target, format, error);
    if (st == CFLR_OK && cflr_csr_has_names(*csr) && format != CFLR_CSR_LIST)
        remark("%s: the names of the vertices are left out: vertex 0 is '%s'", target,
               cflr_csr_name(*csr, 0));
    return st;
}

static int convert_plain(const char *source, const char *target, cflr_csr_format format) {
    cflr_error error;
    cflr_csr *csr = NULL;
    plain_graph_choices c;
    if (from) return usage_error("--graph-format is for OUT of a format of labelled graphs");
    int code = read_plain_graph(source, &c);
    if (!code) code = check_writable(target);
    if (!code) code = session_begin();
    if (code) return code;
    if (save_plain(&c, target, format, &csr, &error) != CFLR_OK)
        code = fail(&error);
    else if (wants_json())
        code = print_plain_report(csr, &c, target);
    cflr_csr_free(csr);
    return code;
}

/* ---- the command ---- */

/* 0, or the exit code after a message. With --gen there is no input. */
static int read_operands(const cli_arguments *arguments, const char **source, const char **target) {
    int inputs = plain_graph_given.rule ? 0 : 1, n = arguments->n_operands;
    const char *needed = inputs ? "IN OUT, or IN -o OUT" : "OUT, or -o OUT, with --gen";
    if (n < inputs) return usage_error("convert needs %s", needed);
    if (n > inputs + 1) return usage_error("the graph is that of --gen, or IN, not both");
    *source = inputs ? arguments->operand[0] : NULL;
    *target = n > inputs ? arguments->operand[inputs] : common.output;
    if (n > inputs && common.output) {
        return usage_error("the output is the %s operand or that of -o, not both",
                           inputs ? "second" : "only");
    }
    return *target ? 0 : usage_error("convert needs %s", needed);
}

static int run(const cli_arguments *arguments) {
    const char *source = NULL, *target = NULL;
    int code = read_operands(arguments, &source, &target);
    if (code) return code;
    forget_output(); /* the report goes to standard output */
    if (wants_json() && strcmp(target, "-") == 0) {
        return usage_error("--format json: standard output is taken by the graph");
    }
    cflr_csr_format format = plain_format(target);
    return format ? convert_plain(source, target, format) : convert_labelled(source, target);
}

const command command_convert = {.name = "convert",
                                 .operands = "IN OUT, IN -o OUT, or --gen RULE OUT",
                                 .summary = "turn one graph format into another",
                                 .options = table,
                                 .min_operands = 0,
                                 .max_operands = 2,
                                 .run = run};
