/* SPDX-License-Identifier: Apache-2.0
 *
 * server.c: a language server: what it can do, its methods, and its loop.
 *
 *     new  --initialize-->  runs  --shutdown-->  shut  --exit-->
 *
 * One thread does all of it, and waits only in poll: for the client, for what a child says, for the
 * moment when something is due. A message is answered at once, one each time around, so that what
 * comes meanwhile, a cancellation above all, is seen before the next one. Only a first question for
 * calls (program_make_calls) and the loading of a result take longer than a glance.
 */
#include "cli/serve/server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/alerts/columns.h"

static const double debounce = 0.3; /* seconds from a change to its analysis */

/* ---- messages to people ---- */

static void tell(server *s, const char *method, int kind, const char *text) {
    json_t *parameters = json_object();
    json_set(parameters, "type", json_integer(kind));
    json_set_text(parameters, "message", text);
    rpc_notify(&s->rpc, method, parameters);
}

void show_message(server *s, int kind, const char *text) {
    char named[4608];
    snprintf(named, sizeof named, "cflr: %s", text);
    complain("%s", text);
    tell(s, "window/showMessage", kind, named);
}

void log_message(server *s, int kind, const char *text) {
    tell(s, "window/logMessage", kind, text);
}

/* ---- initialize ---- */

static const json_t *at_path(const json_t *object, const char *const *key) {
    for (; *key && object; key++) object = json_object_get(object, *key);
    return object;
}
#define AT(object, ...) at_path((object), (const char *const[]){__VA_ARGS__, NULL})

static bool has_word(const json_t *list, const char *word) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text && strcmp(text, word) == 0) return true;
    }
    return false;
}

/* The first encoding of the client's list that is known here. */
static encoding choose_encoding(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (word && strcmp(word, "utf-8") == 0) return ENCODING_UTF8;
        if (word && strcmp(word, "utf-16") == 0) return ENCODING_UTF16;
        if (word && strcmp(word, "utf-32") == 0) return ENCODING_UTF32;
    }
    return ENCODING_UTF16;
}

static void read_client(server *s, const json_t *all) {
    const json_t *text = json_object_get(all, "textDocument");
    const json_t *published = json_object_get(text, "publishDiagnostics");
    s->documents.in = choose_encoding(AT(all, "general", "positionEncodings"));
    s->client.markdown = has_word(AT(text, "hover", "contentFormat"), "markdown");
    s->client.progress = json_is_true(AT(all, "window", "workDoneProgress"));
    s->client.related = json_is_true(json_object_get(published, "relatedInformation"));
    s->client.description = json_is_true(json_object_get(published, "codeDescriptionSupport"));
}

/* The first root of a workspace is served. */
static const char *root_uri(const json_t *parameters) {
    const json_t *folder = json_array_get(json_object_get(parameters, "workspaceFolders"), 0);
    const char *uri = json_string_value(json_object_get(folder, "uri"));
    return uri ? uri : json_string_value(json_object_get(parameters, "rootUri"));
}

/* The root becomes the working directory: paths are printed as they are below it, and children
 * look for its files there. */
static void enter_root(server *s, const json_t *parameters) {
    char path[PATH_MAX];
    const char *uri = root_uri(parameters);
    bool there = uri && path_of_uri(uri, path) && chdir(path) == 0;
    if (uri && !there) show_message(s, MESSAGE_ERROR, "the root of the workspace is not there");
    if (!getcwd(s->root, sizeof s->root)) strcpy(s->root, "/");
}

static json_t *text_sync(void) {
    enum { SYNC_INCREMENTAL = 2 };
    json_t *object = json_object();
    json_set(object, "openClose", json_true());
    json_set_count(object, "change", SYNC_INCREMENTAL);
    json_set(object, "save", json_true());
    return object;
}

static const char *const command_names[] = {"cflr.aliases", "cflr.analyze"};

static json_t *capabilities(const server *s) {
    static const char *const names[] = {"utf-16", "utf-8", "utf-32"};
    static const char *const offered[] = {"hoverProvider", "definitionProvider",
                                          "implementationProvider", "callHierarchyProvider"};
    json_t *object = json_object(), *commands_object = json_object(), *list = json_array();
    json_set_text(object, "positionEncoding", names[s->documents.in]);
    json_set(object, "textDocumentSync", text_sync());
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
        json_set(object, offered[i], json_true());
    for (size_t i = 0; i < sizeof command_names / sizeof *command_names; i++)
        json_array_append_new(list, json_string(command_names[i]));
    json_set(commands_object, "commands", list);
    json_set(object, "executeCommandProvider", commands_object);
    return object;
}

static json_t *answer_initialize(server *s, const json_t *parameters, refusal *r) {
    if (!json_is_object(parameters)) {
        *r = (refusal){RPC_NO_PARAMETERS, "no parameters"};
        return NULL;
    }
    read_client(s, json_object_get(parameters, "capabilities"));
    enter_root(s, parameters);
    s->state = SERVER_RUNS;
    json_t *answer = json_object(), *about = json_object();
    json_set(answer, "capabilities", capabilities(s));
    json_set_text(about, "name", "cflr");
    json_set_text(about, "version", cflr_version());
    json_set(answer, "serverInfo", about);
    return answer;
}

static json_t *answer_shutdown(server *s, const json_t *parameters, refusal *r) {
    (void)parameters;
    (void)r;
    s->state = SERVER_SHUT;
    return NULL;
}

/* ---- commands ---- */

static json_t *answer_command(server *s, const json_t *parameters, refusal *r) {
    const char *name = json_string_value(json_object_get(parameters, "command"));
    const json_t *given = json_array_get(json_object_get(parameters, "arguments"), 0);
    if (name && strcmp(name, "cflr.aliases") == 0) return answer_aliases(s, given, r);
    if (name && strcmp(name, "cflr.analyze") == 0) {
        analysis_want(s, 0);
        return NULL;
    }
    *r = (refusal){RPC_NO_PARAMETERS, "no such command"};
    return NULL;
}

/* ---- documents ---- */

static const char *uri_at(const json_t *parameters) {
    const char *uri = json_string_value(AT(parameters, "textDocument", "uri"));
    return uri ? uri : "";
}

static void remember(server *s, document *at) {
    if (s->program) document_remember(at, &s->program->made);
}

static void note_open(server *s, const json_t *parameters) {
    const json_t *text = AT(parameters, "textDocument", "text");
    if (!json_is_string(text)) return;
    document *at = document_open(&s->documents, uri_at(parameters), json_string_value(text),
                                 json_string_length(text));
    if (at) remember(s, at);
}

static bool take_position(const json_t *object, position *at) {
    json_int_t line = json_integer_value(json_object_get(object, "line"));
    json_int_t character = json_integer_value(json_object_get(object, "character"));
    *at = (position){(size_t)line, (size_t)character};
    return json_is_object(object) && line >= 0 && character >= 0;
}

static void note_change(server *s, const json_t *parameters) {
    document *at = document_find(&s->documents, uri_at(parameters));
    const json_t *list = json_object_get(parameters, "contentChanges");
    for (size_t i = 0; at && i < json_array_size(list); i++) {
        position begin, end;
        const json_t *change = json_array_get(list, i), *text = json_object_get(change, "text");
        const json_t *range = json_object_get(change, "range");
        bool placed = range && take_position(json_object_get(range, "start"), &begin) &&
                      take_position(json_object_get(range, "end"), &end);
        if (!json_is_string(text) || (range && !placed)) continue;
        document_change(at, s->documents.in, placed ? &begin : NULL, &end, json_string_value(text),
                        json_string_length(text));
    }
}

static void note_save(server *s, const json_t *parameters) {
    (void)parameters;
    analysis_want(s, debounce);
}

static void note_close(server *s, const json_t *parameters) {
    document_close(&s->documents, uri_at(parameters));
}

static void note_initialized(server *s, const json_t *parameters) {
    (void)parameters;
    analysis_begin(s);
}

static void note_nothing(server *s, const json_t *parameters) {
    (void)s;
    (void)parameters;
}

void server_take_program(server *s, program *loaded) {
    program_free(s->program);
    columns_free();
    s->program = loaded;
    for (size_t i = 0; i < s->documents.n; i++) remember(s, s->documents.at[i]);
}

/* ---- methods ---- */

typedef void notification_taken(server *s, const json_t *parameters);

static const struct request_method {
    const char *name;
    request_answered *answer;
} requests[] = {{"initialize", answer_initialize},
                {"shutdown", answer_shutdown},
                {"textDocument/hover", answer_hover},
                {"textDocument/definition", answer_definition},
                {"textDocument/implementation", answer_implementation},
                {"textDocument/prepareCallHierarchy", answer_prepare_calls},
                {"callHierarchy/incomingCalls", answer_incoming_calls},
                {"callHierarchy/outgoingCalls", answer_outgoing_calls},
                {"workspace/executeCommand", answer_command}};

static const struct notification_method {
    const char *name;
    notification_taken *take;
} notifications[] = {{"initialized", note_initialized},       {"textDocument/didOpen", note_open},
                     {"textDocument/didChange", note_change}, {"textDocument/didSave", note_save},
                     {"textDocument/didClose", note_close},   {"$/cancelRequest", note_nothing}};

/* Is the server in a state in which it answers the method? */
static bool may_answer(const server *s, const char *method, refusal *r) {
    bool first = strcmp(method, "initialize") == 0;
    if (s->state == SERVER_NEW && !first)
        *r = (refusal){RPC_NOT_INITIALIZED, "not initialized"};
    else if (s->state == SERVER_SHUT || (s->state == SERVER_RUNS && first))
        *r = (refusal){RPC_NO_REQUEST, first ? "initialized already" : "shut down"};
    return !r->code;
}

static void answer_request(server *s, const char *method, const json_t *message) {
    refusal r = {0};
    json_t *result = NULL;
    const json_t *id = json_object_get(message, "id");
    size_t i = 0, n = sizeof requests / sizeof *requests;
    while (i < n && strcmp(requests[i].name, method) != 0) i++;
    if (json_object_get(message, "cancelled")) {
        r = (refusal){RPC_CANCELLED, "cancelled"};
    } else if (may_answer(s, method, &r)) {
        if (i < n)
            result = requests[i].answer(s, json_object_get(message, "params"), &r);
        else
            r = (refusal){RPC_NO_METHOD, "no such method"};
    }
    if (!r.code) {
        rpc_answer(&s->rpc, id, result ? result : json_null());
        return;
    }
    json_decref(result);
    rpc_fail(&s->rpc, id, r.code, r.text);
}

static void take_notification(server *s, const char *method, const json_t *message) {
    if (strcmp(method, "exit") == 0) {
        s->code = s->state == SERVER_SHUT ? 0 : EXIT_NO;
        s->over = true;
    }
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (s->state == SERVER_RUNS && strcmp(notifications[i].name, method) == 0)
            notifications[i].take(s, json_object_get(message, "params"));
}

static void take_message(server *s, const json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!method)
        analysis_progress_answered(s, message);
    else if (json_object_get(message, "id"))
        answer_request(s, method, message);
    else
        take_notification(s, method, message);
}

/* ---- the loop ---- */

/* Reads and writes what goes without waiting, for at most so long. */
static void wait_for(server *s, int ms) {
    rpc *r = &s->rpc;
    struct pollfd ends[] = {{.fd = rpc_reads(r) ? r->in : -1, .events = POLLIN},
                            {.fd = rpc_writes(r) ? r->out : -1, .events = POLLOUT},
                            {.fd = s->analysis.messages, .events = POLLIN}};
    if (poll(ends, sizeof ends / sizeof *ends, ms) <= 0) return;
    if (ends[0].revents) rpc_read(r);
    if (ends[1].revents) rpc_write(r);
    if (ends[2].revents) analysis_read(s);
}

/* What is left to be written, while the client reads it. */
static void write_rest(server *s) {
    enum { MOST_MS = 1000 };
    rpc *r = &s->rpc;
    struct pollfd end = {.fd = r->out, .events = POLLOUT};
    while (rpc_writes(r) && poll(&end, 1, MOST_MS) > 0) rpc_write(r);
}

static void serve(server *s) {
    while (!s->over && !interrupted()) {
        int ms = analysis_step(s);
        bool waits = s->rpc.first < s->rpc.n;
        wait_for(s, waits ? 0 : ms);
        json_t *message = rpc_take(&s->rpc);
        if (message) take_message(s, message);
        bool left = s->rpc.ended && !message;
        s->over |= left || s->rpc.no_reader;
        json_decref(message);
    }
}

int server_run(server *s, const char *result) {
    s->code = EXIT_NO; /* a client that leaves without `exit` */
    s->published = json_object();
    s->analysis.given = result;
    s->analysis.messages = -1;
    serve(s);
    analysis_end(s);
    write_rest(s);
    program_free(s->program);
    documents_free(&s->documents);
    rpc_free(&s->rpc);
    json_decref(s->published);
    columns_free();
    return interrupted() ? EXIT_INTERRUPTED : s->code;
}
