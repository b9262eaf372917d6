/* SPDX-License-Identifier: Apache-2.0
 *
 * server.h: a language server: what its parts share.
 *
 *     standard input --> rpc --> server: a method of a table --> hover, calls, documents ...
 *                                  |                                     |
 *                                  +-- analysis: children of this program, their result and report
 */
#ifndef CFLR_CLI_SERVE_SERVER_H
#define CFLR_CLI_SERVE_SERVER_H

#include "cli/serve/analysis.h"
#include "cli/serve/documents.h"
#include "cli/serve/program.h"
#include "cli/serve/rpc.h"
#include "cli/serve/tokens.h"

/* What of the protocol the client has. */
typedef struct client {
    bool markdown;    /* in hovers */
    bool progress;    /* $/progress that the server begins */
    bool related;     /* places that belong to a diagnostic */
    bool description; /* an address that tells about its code */
} client;

typedef enum server_state { SERVER_NEW, SERVER_RUNS, SERVER_SHUT } server_state;

typedef struct server {
    rpc rpc;
    documents documents;
    program *program; /* NULL: there is none yet */
    analysis analysis;
    client client;
    server_state state;
    char root[PATH_MAX]; /* of the workspace: the working directory, too */
    json_t *published;   /* URIs that have diagnostics, as keys */
    bool over;
    int code; /* of the exit */
} server;

/* Why a request has no result. */
typedef struct refusal {
    int code; /* 0: nothing is wrong */
    const char *text;
} refusal;

/* The result of a request, to be freed; NULL after a refusal, and where `null` is the answer. */
typedef json_t *request_answered(server *s, const json_t *parameters, refusal *r);

request_answered answer_hover, answer_definition, answer_implementation, answer_prepare_calls,
    answer_incoming_calls, answer_outgoing_calls, answer_aliases;

/* ---- places (places.c) ---- */

/* What `textDocument` and `position` of a request mean. */
typedef struct asked_place {
    document *at;
    size_t line;      /* of the client's text */
    token token;      /* in it */
    piece name;       /* its text */
    bool changed;     /* the line is not as it was analysed, or that is not known */
    code_place place; /* of the expression that the token stands for; no file: it has none */
} asked_place;

/* False after a refusal, or where there is no token. */
bool read_asked_place(server *s, const json_t *parameters, asked_place *asked, refusal *r);

/* A range of the protocol from a place of the analysis to so many bytes behind it, in the client's
 * text where it has the file open. */
json_t *range_of(server *s, const char *real, uint32_t line, uint32_t column, size_t length);
/* The place with its file; the name of a file as the graph has it. */
json_t *location_of(server *s, const char *name, uint32_t line, uint32_t column, size_t length);
/* The URI by which the client knows the file; to be freed. */
char *uri_of(const server *s, const char *real);
json_t *position_json(size_t line, size_t character);

/* ---- diagnostics (diagnostics.c) ---- */

/* Publishes what a report of `cflr check` says. 0, or the exit code after a message. */
int publish_report(server *s, const char *path);

/* ---- messages ---- */

/* Kinds of messages to people. */
enum { MESSAGE_ERROR = 1, MESSAGE_WARNING = 2, MESSAGE_INFO = 3, MESSAGE_LOG = 4 };
void show_message(server *s, int kind, const char *text);
void log_message(server *s, int kind, const char *text);

/* Takes the result that was loaded, or is newer; documents are compared with it from here on. */
void server_take_program(server *s, program *loaded);

/* Runs until the client leaves; the exit code. `result`: the only one there is, or NULL: it is
 * made. */
int server_run(server *s, const char *result);

#endif
