/* SPDX-License-Identifier: Apache-2.0
 *
 * hooks.c: functions for memory that cJSON and libevent are given: what these libraries hand out is
 * what the functions gave, and what they free is that too.
 */
#include <cjson/cJSON.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdlib.h>

#include "expect.h"

/* ---- cJSON ---- */

static void *last_block, *last_freed;

static void *hook_malloc(size_t size) {
    return last_block = malloc(size);
}

static void hook_free(void *block) {
    last_freed = block;
    free(block);
}

static void trees(void) {
    cJSON_Hooks hooks = {hook_malloc, hook_free};
    cJSON_InitHooks(&hooks);
    cJSON *item = cJSON_CreateNull();
    void *a = last_block;
    SAME(a, item);
    cJSON *text = cJSON_CreateString("text");
    void *b = last_block;
    char *c = text->valuestring;
    SAME(b, c);
    char *printed = cJSON_PrintUnformatted(text);
    void *d = last_block;
    SAME(d, printed);
    cJSON_free(printed);
    void *e = last_freed;
    SAME(e, printed);
    cJSON_Delete(text);
    cJSON_Delete(item);
    void *f = last_freed;
    SAME(f, item);
    cJSON_InitHooks(NULL);
}

/* ---- libevent ---- */

static void *event_block, *event_freed;

static void *event_malloc(size_t size) {
    return event_block = malloc(size);
}

static void *event_realloc(void *block, size_t size) {
    return event_block = realloc(block, size);
}

static void event_release(void *block) {
    event_freed = block;
    free(block);
}

static void on_time(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what, (void)argument;
}

static void events(void) {
    event_set_mem_functions(event_malloc, event_realloc, event_release);
    struct event_base *base = event_base_new();
    struct event *timer = event_new(base, -1, 0, on_time, NULL);
    void *a = event_block;
    SAME(a, timer);
    event_free(timer);
    void *b = event_freed;
    SAME(b, timer);
    struct evbuffer *buffer = evbuffer_new();
    void *c = event_block;
    SAME(c, buffer);
    evbuffer_add(buffer, "a line\n", 7);
    char *line = evbuffer_readln(buffer, NULL, EVBUFFER_EOL_LF);
    void *d = event_block;
    SAME(d, line);
    event_release(line);
    evbuffer_free(buffer);
    struct evkeyvalq query = {NULL, &query.tqh_first};
    evhttp_add_header(&query, "key", "value");
    const char *value = evhttp_find_header(&query, "key");
    void *e = event_block;
    SAME(e, value);
    evhttp_clear_headers(&query);
    struct bufferevent *stream = bufferevent_socket_new(base, -1, 0);
    FRESH(stream);
    struct evbuffer *input = bufferevent_get_input(stream);
    KNOWN(input);
    bufferevent_free(stream);
    event_base_free(base);
    void *f = event_freed;
    SAME(f, base);
}

void run_hooks(void);
void run_hooks(void) {
    trees();
    events();
}
