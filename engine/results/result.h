/* SPDX-License-Identifier: Apache-2.0
 *
 * result.h (internal): a closure with the names that it needs once graph and grammar are apart.
 *
 *     label (by name)    "V"            "f"                     "%1" ...
 *     instances          [V]            [f[0], f[8], f[16]]     consecutive
 *     relation           one for each instance that holds a pair, rows by source
 *
 * A result is made in two steps: all that needs memory before solving, and then the relations of
 * the closure moved in, which cannot fail. So what a solver had at the memory limit is kept.
 */
#ifndef CFLRI_RESULT_H
#define CFLRI_RESULT_H

#include "base/allowance.h"
#include "base/graph/graph.h"
#include "base/vec.h"
#include "cflr/result.h"
#include "engine/closure/model.h"
#include "engine/closure/question.h"

typedef struct cflri_result_label {
    uint32_t name; /* string of the result's table */
    cflr_symbol_kind kind;
    uint32_t first_instance;
    uint32_t n_instances; /* those that hold a pair */
    uint64_t pairs;
    uint64_t rows;
} cflri_result_label;

typedef struct cflri_answer_name {
    uint32_t question; /* strings of the result's table */
    uint32_t symbol;   /* or "S ~S" */
} cflri_answer_name;

typedef struct cflri_result_file cflri_result_file;

struct cflr_result {
    cflr_context *context;
    const cflr_graph *graph;
    cflr_graph *owned_graph; /* when it came from a file, or cflr_result_own_graph said so */
    cflri_strings strings;
    uint32_t n_labels;
    cflri_result_label *label;
    uint32_t *label_of_name; /* string -> label, or CFLR_NO_LABEL; one for each string */
    uint32_t n_instances;
    uint32_t *instance_index;  /* string of the result's table, 0 for plain */
    uint32_t *instance_number; /* ascends; the same in all slices; NULL: not known */
    cflri_relation *instance;
    cflri_target_sets *sets; /* that instances share; NULL: none */
    cflri_result_file *file; /* that has them, and perhaps others; NULL: none */
    cflri_sliced sliced;     /* if it has one slice: then it is not complete */
    bool restricted;         /* to some symbols of the grammar: of the others it says nothing */
    cflri_question question; /* of other pairs it says nothing either */
    cflri_rule_tally *rule;
    size_t n_rules;
    cflri_account *account;
    size_t n_accounts;
    uint32_t start;   /* label of the start symbol, or CFLR_NO_LABEL */
    double time_kept; /* seconds, see cflr_solve_opts */
    char device_name[CFLRI_DEVICE_NAME];
    uint32_t n_answers;
    cflri_answer_name *answer;
    uint32_t *meeting; /* of an answer "S ~S" the label S; otherwise CFLR_NO_LABEL */
    cflr_result_stats stats;
};

/* The pairs of instance i of a label: none where it is not there, as of a symbol without pairs. */
const cflri_relation *cflri_result_instance(const cflr_result *result, uint32_t label, uint32_t i);

/* As cflr_result_has, which notes the failure. */
bool cflri_result_has(const cflr_result *result, uint32_t label, uint32_t source, uint32_t target,
                      cflri_failure *failure);

/* Keeps a failure of an answer that has no status, for cflr_result_failure (io.c). */
void cflri_result_note(const cflr_result *result, const cflri_failure *failure);

/* Closes the files of a result (io.c); NULL is a no-op. */
void cflri_result_file_close(cflr_context *context, cflri_result_file *file);
/* The first result has all files of the other one, too, which has none any more. */
void cflri_result_take_files(cflr_result *result, cflr_result *from);

/* The time there is for writing the result, which began now. */
cflri_allowance cflri_result_allowance(const cflr_result *result);

/* Describes that it was used up, so that `path` has a part of the result, or of its pairs
 * (`what`). */
cflr_status cflri_result_part(const cflri_allowance *allowance, const char *path, const char *what,
                              cflr_error *error);

/* The input relation of each ground symbol (NULL without edges): n_symbols pointers into `graph`.
 * *input is freed with cflri_free. */
cflr_status cflri_problem_inputs(const cflr_graph *graph, const cflri_ground *ground,
                                 const cflri_relation ***input, cflr_error *error);

extern const cflri_relation cflri_no_pairs;

/* The relation of the result for each ground symbol: NULL where the result does not hold the
 * symbol, cflri_no_pairs where it holds no pair of it. `relation` has n_symbols places. */
cflr_status cflri_result_match(const cflr_result *result, const cflri_ground *ground,
                               const cflri_relation **relation, cflr_error *error);

/* Names and room for a closure, of all symbols of the grammar or (`named`, else NULL) of some:
 * until it is filled, the result is only good for cflr_result_free. */
cflr_status cflri_result_new(const cflri_ground *ground, const bool *named, cflr_result **result,
                             cflr_error *error);

/* Moves the relations of the closure of that problem (none: all empty) into the result.
 * Statistics of the run are left to the caller, except what the closure knows. */
void cflri_result_fill(cflr_result *result, cflri_closure *closure);

/* For a reader that fills a result itself: makes label_of_name once names are in place. Of labels
 * with one name the first one has it, which cflri_result_validate then notices. CFLR_FORMAT when a
 * name is no string. */
cflr_status cflri_result_index_names(cflr_result *result, const char *subject, cflr_error *error);

/* The same once answers are in place, too: makes `meeting`. */
cflr_status cflri_result_index_answers(cflr_result *result, cflr_error *error);

/* The label S where `label` stands for an answer "S ~S"; otherwise CFLR_NO_LABEL. */
uint32_t cflri_result_meeting(const cflr_result *result, uint32_t label);

/* The sources of all rows that have a target in common with one of the rows of `source`: appended
 * to `found` (meet.c). O(pairs of different rows), n_vertices / 8 bytes. */
cflr_status cflri_meet_all(cflr_context *context, const cflri_relation *relation,
                           uint32_t n_vertices, const uint32_t *source, size_t n,
                           cflri_numbers *found, cflr_error *error);

/* Every invariant of the picture above but those of sets, which are checked as they are read
 * (paged_sets.h). O(rows), and O(pairs) for the answers to a question; 4 bytes a string of memory.
 * */
cflr_status cflri_result_validate(const cflr_result *result, const char *subject,
                                  cflr_error *error);

#endif
