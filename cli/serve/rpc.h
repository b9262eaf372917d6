/* SPDX-License-Identifier: Apache-2.0
 *
 * rpc.h: messages of JSON-RPC 2.0, framed as the language server protocol does.
 */
#ifndef CFLR_CLI_SERVE_RPC_H
#define CFLR_CLI_SERVE_RPC_H

#include "cli/run/run.h"

/* Codes of errors, of JSON-RPC and of the protocol. */
enum {
    RPC_NO_JSON = -32700,
    RPC_NO_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_NO_PARAMETERS = -32602,
    RPC_NOT_INITIALIZED = -32002,
    RPC_FAILED = -32803,
    RPC_CANCELLED = -32800,
};

/* Bytes from `first` to before `n`. */
typedef struct byte_queue {
    char *at;
    size_t first, n, capacity;
} byte_queue;

/* Both sides of a connection. Zero bytes and two descriptors are one without messages. */
typedef struct rpc {
    int in, out;
    byte_queue got, put; /* what is no whole message yet; what waits to be written */
    json_t **message;    /* from `first` to before `n`: read, and not taken */
    size_t first, n, capacity;
    bool ended;     /* nothing more comes */
    bool no_reader; /* nothing more can be written */
} rpc;

void rpc_free(rpc *r);

/* Is there room for more messages? */
bool rpc_reads(const rpc *r);
/* Reads once; what makes no sense is answered, and where the next message begins is then not known
 * the connection ends, after a message. A request that is cancelled while it waits gets a member
 * `cancelled`. */
void rpc_read(rpc *r);
/* The same of bytes that have come. */
void rpc_feed(rpc *r, const char *bytes, size_t n);
/* The oldest message, an object with a method or an id, to be freed; NULL: there is none. */
json_t *rpc_take(rpc *r);

/* Is something to be written? Writes once as much as goes without waiting. */
bool rpc_writes(const rpc *r);
void rpc_write(rpc *r);

/* Appends a message; results and parameters are taken over. */
void rpc_answer(rpc *r, const json_t *id, json_t *result);
void rpc_fail(rpc *r, const json_t *id, int code, const char *text);
void rpc_notify(rpc *r, const char *method, json_t *parameters);
void rpc_ask(rpc *r, const char *id, const char *method, json_t *parameters);

#endif
