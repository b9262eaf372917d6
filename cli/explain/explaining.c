/* SPDX-License-Identifier: Apache-2.0
 *
 * explaining.c: an answer, and the derivations that tell why, as text, JSON or for Graphviz.
 */
#include "cli/explain/explaining.h"

#include <string.h>

#include "cli/answer/outside.h"
#include "cli/answer/subject.h"

void say_subject(const explaining *e, const char *spec, const place_set *set,
                 const place_set *object) {
    const place_set *things = object->n ? object : set;
    if (e->as_dot || !names_subject(e->graph, spec)) return;
    if (e->answer)
        add_subject(e->answer, e->graph, spec, things);
    else
        print_subject(e->to.file, e->graph, spec, things);
}

void say_answer(explaining *e, bool yes, const char *how) {
    if (e->answer) {
        json_set(e->answer, "answer", json_boolean(yes));
        if (how[0]) json_set_text(e->answer, "how", how);
    } else if (!e->as_dot) {
        fprintf(e->to.file, "%s%s%s\n", yes ? "yes" : "no", how[0] ? ": " : "", how);
    }
}

void say_unknown(explaining *e) {
    const char *why = why_unanswered(e->result);
    if (e->answer) {
        json_set(e->answer, "answer", json_null());
        json_set_text(e->answer, "how", why);
    } else if (!e->as_dot) {
        fprintf(e->to.file, "unknown: %s\n", why);
    }
}

/* A derivation that was found: under a heading, or, where that is NULL, in symbols. */
static int tell(explaining *e, const explanation *x, const heading *h) {
    cflr_vertex_info a, b;
    if (e->answer) {
        json_t *part = json_object();
        json_set(part, "derivations", explanation_json(x));
        json_array_append_new(e->parts, part);
        return 0;
    }
    if (e->as_dot) {
        explanation_dot(x, e->to.file);
        return 0;
    }
    if (!h) return explanation_print_symbols(x, e->to.file, e->all);
    look_at(e->graph, h->first, &a);
    look_at(e->graph, h->second, &b);
    fprintf(e->to.file, "%s%s%s%s:\n", a.name, h->between, b.name, h->end);
    return explanation_print(x, e->to.file, e->all);
}

int explain_symbol(explaining *e, const char *symbol, const char *index, uint32_t source,
                   uint32_t target, const heading *h) {
    cflr_error error;
    explanation x = {.graph = e->graph, .explainer = e->explainer};
    if (cflr_explain(e->explainer, symbol, index, source, target, 0, &x.n, &error) != CFLR_OK)
        return fail(&error);
    int code = tell(e, &x, h);
    if (code || x.n > 0) return code;
    complain(
        "no derivation was found: the pair is nested too deep, or the result is not one of this "
        "grammar (-g)");
    return cflr_status_exit_code(CFLR_LIMIT);
}

int explain_pair(explaining *e, const char *symbol, uint32_t source, uint32_t target) {
    static const char and[] = " and ", one[] = " may hold one address";
    bool alias = strcmp(symbol, e->alias) == 0, steps = cflr_graph_has_sources(e->graph);
    const heading h = {source, alias ? and : " may point to ", target, alias ? one : ""};
    return explain_symbol(e, symbol, "", source, target, steps ? &h : NULL);
}

bool has_pair(const explaining *e, const char *symbol, uint32_t source, uint32_t target) {
    uint32_t label = symbol[0] ? cflr_result_find_label(e->result, symbol) : CFLR_NO_LABEL;
    return label != CFLR_NO_LABEL && cflr_result_has(e->result, label, source, target);
}
