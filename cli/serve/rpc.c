/* SPDX-License-Identifier: Apache-2.0
 *
 * rpc.c: messages of JSON-RPC 2.0, framed as the language server protocol does.
 *
 *     Content-Length: 52\r\n
 *     \r\n
 *     {"jsonrpc": "2.0", "id": 1, "method": "shutdown"}
 *
 * Nothing here waits. Bytes that come are cut into messages, which are queued: so a request that is
 * cancelled is found before its turn comes. Bytes that go are queued too, and written in pieces
 * that a pipe takes at once when it says that it takes any; a client that asks much before it reads
 * anything does not stop the server.
 *
 * A message that is no JSON gets an error, and the next one is read. A head without a length, or
 * with one that is too large, leaves no place where the next message could begin: that is the end.
 */
#include "cli/serve/rpc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    MOST_HEAD = 8 << 10,      /* bytes before a message */
    MOST_MESSAGE = 256 << 20, /* bytes of one: the text of a document, at most */
    MOST_WAITING = 4096,      /* messages */
    MOST_UNREAD = 64 << 20, /* bytes that the client has not read, before no more are read of it */
    PIECE = 1 << 16,
};

/* ---- queues of bytes ---- */

static void push(byte_queue *q, const char *bytes, size_t n) {
    if (q->first == q->n) q->first = q->n = 0;
    if (q->first > q->n / 2) {
        memmove(q->at, q->at + q->first, q->n - q->first);
        q->n -= q->first;
        q->first = 0;
    }
    while (q->capacity - q->n < n) {
        size_t wanted = q->capacity ? 2 * q->capacity : PIECE;
        char *grown = realloc(q->at, wanted);
        if (!grown) exit(fail_memory());
        q->at = grown;
        q->capacity = wanted;
    }
    memcpy(q->at + q->n, bytes, n);
    q->n += n;
}

void rpc_free(rpc *r) {
    for (size_t i = r->first; i < r->n; i++) json_decref(r->message[i]);
    free(r->message);
    free(r->got.at);
    free(r->put.at);
}

/* ---- writing ---- */

static void send(rpc *r, json_t *message) {
    char head[64];
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text || r->no_reader) {
        free(text);
        return;
    }
    size_t n = strlen(text);
    int length = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", n);
    push(&r->put, head, (size_t)length);
    push(&r->put, text, n);
    free(text);
}

static json_t *message_of(const json_t *id) {
    json_t *message = json_object();
    json_set_text(message, "jsonrpc", "2.0");
    json_set(message, "id", id ? json_deep_copy(id) : json_null());
    return message;
}

void rpc_answer(rpc *r, const json_t *id, json_t *result) {
    json_t *message = message_of(id);
    json_set(message, "result", result);
    send(r, message);
}

void rpc_fail(rpc *r, const json_t *id, int code, const char *text) {
    json_t *message = message_of(id), *error = json_object();
    json_set(error, "code", json_integer(code));
    json_set_text(error, "message", text);
    json_set(message, "error", error);
    send(r, message);
}

void rpc_ask(rpc *r, const char *id, const char *method, json_t *parameters) {
    json_t *message = json_object();
    json_set_text(message, "jsonrpc", "2.0");
    if (id) json_set_text(message, "id", id);
    json_set_text(message, "method", method);
    json_set(message, "params", parameters);
    send(r, message);
}

void rpc_notify(rpc *r, const char *method, json_t *parameters) {
    rpc_ask(r, NULL, method, parameters);
}

bool rpc_writes(const rpc *r) {
    return !r->no_reader && r->put.first < r->put.n;
}

/* A pipe that takes something takes PIPE_BUF bytes without waiting. */
void rpc_write(rpc *r) {
    size_t n = r->put.n - r->put.first;
    ssize_t written = write(r->out, r->put.at + r->put.first, n < PIPE_BUF ? n : PIPE_BUF);
    if (written > 0) r->put.first += (size_t)written;
    r->no_reader = written < 0 && errno != EINTR && errno != EAGAIN;
}

/* ---- reading ---- */

bool rpc_reads(const rpc *r) {
    return !r->ended && r->n - r->first < MOST_WAITING && r->put.n - r->put.first < MOST_UNREAD;
}

static void queue(rpc *r, json_t *message) {
    if (r->first > r->n / 2) {
        memmove(r->message, r->message + r->first, (r->n - r->first) * sizeof *r->message);
        r->n -= r->first;
        r->first = 0;
    }
    if (!make_room(&r->message, &r->capacity, r->n, sizeof *r->message)) exit(fail_memory());
    r->message[r->n++] = message;
}

json_t *rpc_take(rpc *r) {
    return r->first < r->n ? r->message[r->first++] : NULL;
}

/* A request that came before and still waits. */
static void cancel(rpc *r, const json_t *id) {
    for (size_t i = r->first; i < r->n && id; i++) {
        bool meant = json_equal(json_object_get(r->message[i], "id"), id) &&
                     json_object_get(r->message[i], "method");
        if (meant) json_set(r->message[i], "cancelled", json_true());
    }
}

static void take_message(rpc *r, const char *text, size_t n) {
    json_error_t error;
    json_t *message = json_loadb(text, n, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    if (!message) {
        rpc_fail(r, NULL, RPC_NO_JSON, error.text);
        return;
    }
    const json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    bool named = !id || json_is_integer(id) || json_is_string(id);
    bool answer = id && (json_object_get(message, "result") || json_object_get(message, "error"));
    if (!json_is_object(message) || !named || (!method && !answer)) {
        rpc_fail(r, named ? id : NULL, RPC_NO_REQUEST, "no request: an object with a method");
        json_decref(message);
        return;
    }
    if (method && strcmp(method, "$/cancelRequest") == 0)
        cancel(r, json_object_get(json_object_get(message, "params"), "id"));
    queue(r, message);
}

/* The length that one line of a head gives; the same when it is of another kind. False: it makes no
 * sense. */
static bool read_field(const char *line, size_t n, uint64_t *length) {
    static const char name[] = "Content-Length:";
    char number[24];
    if (n < sizeof name - 1 || strncasecmp(line, name, sizeof name - 1) != 0) {
        return memchr(line, ':', n) != NULL;
    }
    line += sizeof name - 1;
    n -= sizeof name - 1;
    while (n && (*line == ' ' || *line == '\t')) line++, n--;
    while (n && (line[n - 1] == ' ' || line[n - 1] == '\t')) n--;
    if (n >= sizeof number) return false;
    memcpy(number, line, n);
    number[n] = '\0';
    return parse_count(number, MOST_MESSAGE, length);
}

/* The head is the `n` bytes before an empty line. */
static bool read_head(const char *head, size_t n, uint64_t *length) {
    *length = UINT64_MAX;
    while (n > 0) {
        const char *end = memmem(head, n, "\r\n", 2);
        size_t line = end ? (size_t)(end - head) : n, behind = end ? line + 2 : line;
        if (!read_field(head, line, length)) return false;
        head += behind;
        n -= behind;
    }
    return *length != UINT64_MAX;
}

static void give_up(rpc *r, const char *why) {
    complain("standard input: %s", why);
    rpc_fail(r, NULL, RPC_NO_JSON, why);
    r->ended = true;
}

/* One message from what has come; false: there is none yet. */
static bool cut_message(rpc *r) {
    const char *head = r->got.at + r->got.first;
    size_t n = r->got.n - r->got.first;
    uint64_t length;
    const char *end = n ? memmem(head, n < MOST_HEAD ? n : MOST_HEAD, "\r\n\r\n", 4) : NULL;
    if (!end && n >= MOST_HEAD) give_up(r, "no message: its head does not end");
    if (!end) return false;
    size_t behind = (size_t)(end - head) + 4;
    if (!read_head(head, (size_t)(end - head), &length)) {
        give_up(r, "no message: its head has no Content-Length, or one that is too large");
        return false;
    }
    if (n - behind < length) return false;
    take_message(r, head + behind, (size_t)length);
    r->got.first += behind + (size_t)length;
    return true;
}

void rpc_feed(rpc *r, const char *bytes, size_t n) {
    push(&r->got, bytes, n);
    while (!r->ended && cut_message(r)) continue;
}

void rpc_read(rpc *r) {
    char bytes[PIECE];
    ssize_t n = read(r->in, bytes, sizeof bytes);
    if (n > 0) rpc_feed(r, bytes, (size_t)n);
    r->ended |= n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}
