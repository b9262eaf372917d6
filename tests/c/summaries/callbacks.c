/* SPDX-License-Identifier: Apache-2.0
 *
 * callbacks.c: libpcap, libevent and cJSON: callbacks and what was registered with them, what
 * handles keep, memory that is referenced.
 */
#include <cjson/cJSON.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "expect.h"

static int tag, other_tag;

/* ---- libpcap: a file of two packets, written and read ---- */

static u_char *seen_user, *seen_other_user;
static const struct pcap_pkthdr *seen_header;
static const u_char *seen_bytes;

static void on_packet(u_char *user, const struct pcap_pkthdr *header, const u_char *bytes) {
    seen_user = user;
    seen_header = header;
    seen_bytes = bytes;
}

static void on_other_packet(u_char *user, const struct pcap_pkthdr *header, const u_char *bytes) {
    (void)header, (void)bytes;
    seen_other_user = user;
}

static void write_packets(pcap_t *dead, FILE *file) {
    const u_char packet[] = {1, 2, 3, 4};
    const struct pcap_pkthdr header = {.caplen = sizeof packet, .len = sizeof packet};
    pcap_dumper_t *dumper = pcap_dump_fopen(dead, file);
    FILE *back = pcap_dump_file(dumper);
    SAME(back, file);
    pcap_dump((u_char *)dumper, &header, packet);
    pcap_dump((u_char *)dumper, &header, packet);
    pcap_dump((u_char *)dumper, &header, packet);
    pcap_dump_flush(dumper);
    rewind(file);
}

static void packets(void) {
    char errors[PCAP_ERRBUF_SIZE];
    pcap_t *dead = pcap_open_dead(DLT_RAW, 100);
    FRESH(dead);
    FILE *file = tmpfile();
    if (!file) return;
    write_packets(dead, file);
    pcap_t *in = pcap_fopen_offline(file, errors);
    FRESH(in);
    FILE *of_handle = pcap_file(in);
    SAME(of_handle, file);
    if (pcap_loop(in, 1, on_packet, (u_char *)&tag) != 0) return;
    if (pcap_dispatch(in, 1, on_other_packet, (u_char *)&other_tag) != 1) return;
    u_char *a = seen_user, *b = seen_other_user;
    POINTS_TO(a, tag);
    POINTS_TO(b, other_tag);
    APART(a, b);
    const struct pcap_pkthdr *c = seen_header;
    const u_char *d = seen_bytes;
    KNOWN(c);
    KNOWN(d);
    struct pcap_pkthdr *e = NULL;
    const u_char *f = NULL;
    if (pcap_next_ex(in, &e, &f) != 1) return;
    KNOWN(e);
    KNOWN(f);
    struct bpf_program program;
    if (pcap_compile(in, &program, "ip", 1, 0) != 0) return;
    struct bpf_insn *g = program.bf_insns;
    FRESH(g);
    pcap_setfilter(in, &program);
    pcap_freecode(&program);
    int *links = NULL;
    if (pcap_list_datalinks(in, &links) < 1) return;
    FRESH(links);
    pcap_free_datalinks(links);
    const char *h = pcap_datalink_val_to_name(DLT_RAW), *i = pcap_geterr(in);
    KNOWN(h);
    KNOWN(i);
    pcap_close(in);
    pcap_close(dead);
}

static void devices(void) {
    char errors[PCAP_ERRBUF_SIZE];
    pcap_if_t *all = NULL;
    if (pcap_findalldevs(&all, errors) != 0) return;
    if (!all || !all->next) return;
    pcap_if_t *next = all->next;
    char *name = all->name;
    FRESH(all);
    FRESH(next);
    FRESH(name);
    pcap_freealldevs(all);
}

/* ---- libevent: events ---- */

static void *seen_argument, *seen_signal, *seen_once, *seen_self, *seen_of_set;
static struct event *seen_event;
static const struct event_base *seen_base;

static void on_time(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    seen_argument = argument;
}

static void on_signal(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    seen_signal = argument;
}

static void on_once(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    seen_once = argument;
}

static void on_itself(evutil_socket_t fd, short what, void *argument) {
    (void)fd, (void)what;
    seen_self = argument;
}

static int on_each(const struct event_base *base, const struct event *event, void *argument) {
    seen_base = base;
    seen_event = (struct event *)event;
    seen_of_set = argument;
    return 1;
}

static void events(void) {
    const struct timeval none = {0, 0};
    struct event_base *base = event_base_new(), *base_out;
    FRESH(base);
    struct event *timer = evtimer_new(base, on_time, &tag), of_signal;
    FRESH(timer);
    evtimer_add(timer, &none);
    evsignal_assign(&of_signal, base, SIGUSR1, on_signal, &other_tag);
    event_active(&of_signal, EV_SIGNAL, 1);
    struct event *itself = event_new(base, -1, 0, on_itself, event_self_cbarg());
    event_active(itself, EV_TIMEOUT, 1);
    event_base_once(base, -1, EV_TIMEOUT, on_once, &seen_once, &none);
    event_base_foreach_event(base, on_each, &base);
    event_base_loop(base, EVLOOP_ONCE);
    void *a = seen_argument, *b = seen_signal, *c = seen_once, *d = seen_self;
    POINTS_TO(a, tag);
    POINTS_TO(b, other_tag);
    APART(a, b);
    POINTS_TO(c, seen_once);
    SAME(d, itself);
    const struct event_base *e = seen_base;
    SAME(e, base);
    struct event *f = seen_event;
    KNOWN(f);
    void *g = seen_of_set;
    POINTS_TO(g, base);
    struct event_base *h = event_get_base(timer);
    SAME(h, base);
    void *i = event_get_callback_arg(timer), *j;
    POINTS_TO(i, tag);
    event_callback_fn k = event_get_callback(timer), l, on_time_itself = on_time;
    SAME(k, on_time_itself);
    evutil_socket_t fd;
    short what;
    event_get_assignment(&of_signal, &base_out, &fd, &what, &l, &j);
    SAME(base_out, base);
    POINTS_TO(j, other_tag);
    const char *m = event_base_get_method(base), **n = event_get_supported_methods();
    const char *o = n[0];
    KNOWN(m);
    KNOWN(n);
    KNOWN(o);
    event_free(timer);
    event_free(itself);
    event_base_free(base);
}

/* ---- libevent: buffers ---- */

static char referenced[] = "referenced\n", plain[] = "plain";
static const void *seen_data;
static void *seen_extra, *seen_watch;
static struct evbuffer *seen_buffer;

static void on_cleanup(const void *data, size_t size, void *extra) {
    (void)size;
    seen_data = data;
    seen_extra = extra;
}

static void on_change(struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *argument) {
    (void)info;
    seen_buffer = buffer;
    seen_watch = argument;
}

static void buffers(void) {
    struct evbuffer *buffer = evbuffer_new(), *other = evbuffer_new();
    FRESH(buffer);
    FRESH(other);
    evbuffer_add_cb(buffer, on_change, &other_tag);
    evbuffer_add_reference(other, referenced, sizeof referenced - 1, on_cleanup, &tag);
    evbuffer_add_buffer(buffer, other);
    unsigned char *a = evbuffer_pullup(buffer, 3);
    POINTS_TO(a, referenced);
    struct evbuffer *b = seen_buffer;
    SAME(b, buffer);
    void *c = seen_watch;
    POINTS_TO(c, other_tag);
    struct evbuffer_iovec part;
    evbuffer_peek(buffer, -1, NULL, &part, 1);
    void *d = part.iov_base;
    POINTS_TO(d, referenced);
    char *line = evbuffer_readln(buffer, NULL, EVBUFFER_EOL_LF);
    FRESH(line);
    free(line);
    const void *e = seen_data;
    void *f = seen_extra;
    POINTS_TO(e, referenced);
    POINTS_TO(f, tag);
    evbuffer_add(other, plain, sizeof plain);
    unsigned char *g = evbuffer_pullup(other, -1);
    KNOWN(g);
    void *moved = &tag, *back = NULL;
    evbuffer_add(buffer, &moved, sizeof moved);
    if (evbuffer_remove(buffer, &back, sizeof back) == sizeof back) {
        POINTS_TO(back, tag);
    }
    evbuffer_free(buffer);
    evbuffer_free(other);
}

/* ---- libevent: buffered streams ---- */

static struct bufferevent *seen_stream;
static void *seen_context, *seen_filter, *seen_freed;
static char read_text[20];

static void on_read(struct bufferevent *stream, void *context) {
    seen_stream = stream;
    seen_context = context;
    bufferevent_read(stream, read_text, sizeof read_text);
}

static void on_event(struct bufferevent *stream, short what, void *context) {
    (void)what;
    seen_stream = stream;
    seen_context = context;
}

static enum bufferevent_filter_result pass(struct evbuffer *from, struct evbuffer *to,
                                           ev_ssize_t most, enum bufferevent_flush_mode mode,
                                           void *context) {
    (void)most, (void)mode;
    seen_filter = context;
    evbuffer_add_buffer(to, from);
    return BEV_OK;
}

static void on_free(void *context) {
    seen_freed = context;
}

static void streams_of_events(void) {
    struct event_base *base = event_base_new();
    struct bufferevent *pair[2];
    if (bufferevent_pair_new(base, 0, pair) != 0) return;
    struct bufferevent *near = pair[0], *far = pair[1];
    FRESH(near);
    FRESH(far);
    struct bufferevent *partner = bufferevent_pair_get_partner(near);
    SAME(partner, far);
    struct bufferevent *filter =
        bufferevent_filter_new(near, NULL, pass, 0, on_free, &other_tag);
    FRESH(filter);
    struct bufferevent *under = bufferevent_get_underlying(filter);
    SAME(under, near);
    bufferevent_setcb(far, on_read, NULL, on_event, &tag);
    bufferevent_enable(far, EV_READ);
    bufferevent_write(filter, plain, sizeof plain);
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    struct bufferevent *a = seen_stream;
    SAME(a, far);
    void *b = seen_context, *c = seen_filter, *d;
    POINTS_TO(b, tag);
    POINTS_TO(c, other_tag);
    bufferevent_data_cb e, f, on_read_itself = on_read;
    bufferevent_event_cb g;
    bufferevent_getcb(far, &e, &f, &g, &d);
    SAME(e, on_read_itself);
    POINTS_TO(d, tag);
    struct evbuffer *h = bufferevent_get_input(far), *i = bufferevent_get_output(far);
    KNOWN(h);
    KNOWN(i);
    struct event_base *j = bufferevent_get_base(far);
    SAME(j, base);
    bufferevent_free(filter);
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    void *k = seen_freed;
    POINTS_TO(k, other_tag);
    bufferevent_free(near);
    bufferevent_free(far);
    event_base_free(base);
}

/* ---- libevent: a server and a client of HTTP in one process ---- */

static struct evhttp_request *seen_request, *seen_reply;
static struct evhttp_connection *seen_connection;
static struct evkeyvalq *seen_headers;
static struct evbuffer *seen_body;
static void *seen_handler, *seen_asker, *seen_closer;
static const char *seen_header_value, *seen_uri;
static char *seen_first_key;

static void on_request(struct evhttp_request *request, void *argument) {
    seen_request = request;
    seen_handler = argument;
    seen_connection = evhttp_request_get_connection(request);
    seen_headers = evhttp_request_get_input_headers(request);
    seen_header_value = evhttp_find_header(seen_headers, "Host");
    seen_first_key = seen_headers->tqh_first->key;
    seen_uri = request->uri;
    struct evbuffer *body = evbuffer_new();
    evbuffer_add_printf(body, "%s", "body");
    evhttp_send_reply(request, 200, "OK", body);
    evbuffer_free(body);
}

static void on_reply(struct evhttp_request *request, void *argument) {
    seen_reply = request;
    seen_asker = argument;
    if (request) seen_body = evhttp_request_get_input_buffer(request);
    event_base_loopbreak(argument);
}

static void on_close(struct evhttp_connection *connection, void *argument) {
    (void)connection;
    seen_closer = argument;
}

static ev_uint16_t port_of(struct evhttp_bound_socket *bound) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    getsockname(evhttp_bound_socket_get_fd(bound), (void *)&address, &size);
    return ntohs(address.sin_port);
}

static void check_request(struct event_base *base, struct evhttp *server) {
    struct evhttp_request *a = seen_request;
    struct evhttp_connection *b = seen_connection;
    struct evkeyvalq *c = seen_headers;
    const char *d = seen_header_value, *e = seen_uri;
    char *f = seen_first_key;
    void *g = seen_handler;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    FRESH(f);
    POINTS_TO(g, tag);
    struct event_base *h = seen_asker;
    SAME(h, base);
    struct evhttp *i = evhttp_connection_get_server(b);
    SAME(i, server);
}

static void http(void) {
    struct event_base *base = event_base_new();
    struct evhttp *server = evhttp_new(base);
    FRESH(server);
    evhttp_set_gencb(server, on_request, &tag);
    struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(server, "127.0.0.1", 0);
    if (!bound) return;
    struct evconnlistener *listener = evhttp_bound_socket_get_listener(bound);
    FRESH(listener);
    struct evhttp_connection *connection =
        evhttp_connection_base_new(base, NULL, "127.0.0.1", port_of(bound));
    evhttp_connection_set_closecb(connection, on_close, &other_tag);
    struct evhttp_request *request = evhttp_request_new(on_reply, base);
    FRESH(request);
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Host", "a.b");
    const char *host = evhttp_find_header(headers, "Host");
    FRESH(host);
    evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/x?y=z");
    struct evhttp_connection *c = evhttp_request_get_connection(request);
    SAME(c, connection);
    event_base_dispatch(base);
    if (!seen_request || !seen_body) return;
    check_request(base, server);
    struct evhttp_request *a = seen_reply;
    SAME(a, request);
    struct evbuffer *b = seen_body;
    FRESH(b);
    struct event_base *d = evhttp_connection_get_base(connection);
    SAME(d, base);
    evhttp_connection_free(connection);
    void *e = seen_closer;
    POINTS_TO(e, other_tag);
    evhttp_free(server);
    event_base_free(base);
}

static void addresses(void) {
    char text[40];
    struct evhttp_uri *address = evhttp_uri_parse("http://a.b/c");
    FRESH(address);
    const char *host = evhttp_uri_get_host(address);
    FRESH(host);
    char *joined = evhttp_uri_join(address, text, sizeof text);
    POINTS_TO(joined, text);
    evhttp_uri_free(address);
    struct evkeyvalq query;
    if (evhttp_parse_query_str("a=b&c=d", &query) != 0) return;
    struct evkeyval *first = query.tqh_first, *second = first->next.tqe_next;
    char *value = first->value;
    FRESH(first);
    KNOWN(second);
    KNOWN(value);
    evhttp_clear_headers(&query);
    char *decoded = evhttp_decode_uri("a%20b");
    FRESH(decoded);
    free(decoded);
    char *end, digits[] = "12x";
    evutil_strtoll(digits, &end, 10);
    POINTS_TO(end, digits);
    const unsigned char loopback[4] = {127, 0, 0, 1};
    const char *printed = evutil_inet_ntop(AF_INET, loopback, text, sizeof text);
    POINTS_TO(printed, text);
}

static void *seen_listener_argument;
static struct evconnlistener *seen_listener;
static struct sockaddr *seen_peer;

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *peer,
                      int size, void *argument) {
    (void)size;
    seen_listener = listener;
    seen_listener_argument = argument;
    seen_peer = peer;
    evutil_closesocket(fd);
}

static void listeners(void) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof here;
    struct event_base *base = event_base_new();
    struct evconnlistener *listener =
        evconnlistener_new_bind(base, on_accept, &tag, LEV_OPT_CLOSE_ON_FREE, -1,
                                (void *)&here, sizeof here);
    if (!listener) return;
    FRESH(listener);
    getsockname(evconnlistener_get_fd(listener), (void *)&here, &size);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client, (void *)&here, size) != 0) return;
    event_base_loop(base, EVLOOP_ONCE);
    close(client);
    struct evconnlistener *a = seen_listener;
    void *b = seen_listener_argument;
    struct sockaddr *c = seen_peer;
    SAME(a, listener);
    POINTS_TO(b, tag);
    KNOWN(c);
    struct event_base *d = evconnlistener_get_base(listener);
    SAME(d, base);
    evconnlistener_free(listener);
    event_base_free(base);
}

/* ---- cJSON ---- */

static char constant_name[] = "constant", constant_text[] = "text";

static void trees(void) {
    char source[] = "{\"a\": [1, {\"b\": \"text\"}]}";
    const char *end;
    cJSON *parsed = cJSON_ParseWithOpts(source, &end, 0);
    FRESH(parsed);
    POINTS_TO(end, source);
    cJSON *array = cJSON_GetObjectItem(parsed, "a"), *object = cJSON_GetArrayItem(array, 1);
    FRESH(array);
    FRESH(object);
    char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "b"));
    FRESH(text);
    char *name = array->string;
    FRESH(name);
    char *printed = cJSON_Print(parsed);
    FRESH(printed);
    cJSON_free(printed);
    cJSON *copy = cJSON_Duplicate(parsed, 1), *child = copy->child;
    FRESH(copy);
    FRESH(child);
    cJSON_Delete(copy);
    cJSON_Delete(parsed);
    char broken[] = "[1, x";
    cJSON *failed = cJSON_Parse(broken);
    const char *mistake = cJSON_GetErrorPtr();
    POINTS_TO(mistake, broken);
    cJSON_Delete(failed);
}

static void built_trees(void) {
    cJSON *list = cJSON_CreateArray(), *one = cJSON_CreateNull(), *two = cJSON_CreateNumber(2);
    cJSON *three = cJSON_CreateStringReference(constant_text), *four = cJSON_CreateTrue();
    cJSON_AddItemToArray(list, one);
    cJSON_AddItemToArray(list, two);
    cJSON_AddItemToArray(list, three);
    cJSON_InsertItemInArray(list, 0, four);
    cJSON *a = list->child, *b = a->next, *c = b->next, *d = three->prev;
    SAME(a, four);
    SAME(b, one);
    SAME(c, two);
    SAME(d, two);
    APART(list, one);
    char *e = three->valuestring;
    POINTS_TO(e, constant_text);
    cJSON *f = cJSON_DetachItemViaPointer(list, one), *g = list->child->next;
    SAME(f, one);
    SAME(g, two);
    cJSON_ReplaceItemViaPointer(list, two, one);
    cJSON *h = four->next, *i = three->prev;
    SAME(h, one);
    SAME(i, one);
    cJSON *object = cJSON_CreateObject(), *added = cJSON_AddStringToObject(object, "k", "v");
    cJSON *found = cJSON_GetObjectItem(object, "k");
    SAME(found, added);
    cJSON_AddItemToObjectCS(object, constant_name, list);
    char *j = list->string;
    POINTS_TO(j, constant_name);
    cJSON *copy = cJSON_Duplicate(object, 1);
    char *k = copy->child->next->string;
    POINTS_TO(k, constant_name);
    cJSON_Delete(copy);
    cJSON *reference = cJSON_CreateArrayReference(list->child), *l = cJSON_GetArrayItem(reference, 1);
    SAME(l, one);
    cJSON_AddItemReferenceToArray(reference, object);
    cJSON *m = three->next, *n = m->child;
    KNOWN(m);
    SAME(n, added);
    three->next = NULL;
    cJSON *strings = cJSON_CreateStringArray((const char *[]){"a", "b"}, 2);
    char *o = cJSON_GetStringValue(cJSON_GetArrayItem(strings, 1));
    FRESH(o);
    cJSON_Delete(strings);
    cJSON_Delete(object);
}

void run_callbacks(void);
void run_callbacks(void) {
    packets();
    devices();
    events();
    buffers();
    streams_of_events();
    http();
    addresses();
    listeners();
    trees();
    built_trees();
}
