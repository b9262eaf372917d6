/* SPDX-License-Identifier: Apache-2.0
 *
 * libraries.c: zlib, Expat, libcurl and OpenSSL: streams with allocators of their own, handlers and
 * what they are given, options that come back, stacks, and a handshake in memory with callbacks.
 */
#include <curl/curl.h>
#include <expat.h>
#include <openssl/bio.h>
#include <openssl/buffer.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/safestack.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "expect.h"

static int tag, other_tag;

/* ---- zlib ---- */

static void *seen_opaque, *seen_freed;

static void *allocate(void *opaque, unsigned n, unsigned size) {
    seen_opaque = opaque;
    return calloc(n, size);
}

static void release(void *opaque, void *block) {
    seen_opaque = opaque;
    seen_freed = block;
    free(block);
}

static unsigned char packed[200], unpacked[100], window[32768];
static size_t packed_size;
static void *seen_description;
static unsigned char *seen_window;

static unsigned give_input(void *description, unsigned char **buffer) {
    seen_description = description;
    *buffer = packed;
    return (unsigned)packed_size;
}

static int take_output(void *description, unsigned char *buffer, unsigned size) {
    (void)size;
    seen_description = description;
    seen_window = buffer;
    return 0;
}

static void streams_of_bytes(void) {
    z_stream one = {.zalloc = allocate, .zfree = release, .opaque = &tag}, two;
    if (deflateInit2(&one, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
    void *a = seen_opaque;
    POINTS_TO(a, tag);
    if (deflateCopy(&two, &one) != Z_OK) return;
    void *b = two.opaque;
    POINTS_TO(b, tag);
    two.next_in = unpacked;
    two.avail_in = sizeof unpacked;
    two.next_out = packed;
    two.avail_out = sizeof packed;
    deflate(&two, Z_FINISH);
    packed_size = two.total_out;
    unsigned char *c = two.next_in, *d = two.next_out;
    POINTS_TO(c, unpacked);
    POINTS_TO(d, packed);
    deflateEnd(&one);
    deflateEnd(&two);
    void *e = seen_freed;
    KNOWN(e);
    const char *version = zlibVersion(), *mistake = zError(Z_DATA_ERROR);
    KNOWN(version);
    KNOWN(mistake);
}

static void streams_backwards(void) {
    z_stream back = {.zalloc = allocate, .zfree = release, .opaque = &other_tag};
    if (inflateBackInit(&back, 15, window) != Z_OK) return;
    if (inflateBack(&back, give_input, &tag, take_output, &tag) == Z_STREAM_END) {
        void *a = seen_description;
        unsigned char *b = seen_window, *c = back.next_in;
        POINTS_TO(a, tag);
        POINTS_TO(b, window);
        POINTS_TO(c, packed);
    }
    inflateBackEnd(&back);
    unsigned char junk[] = "no stream";
    z_stream broken = {.next_in = junk, .avail_in = sizeof junk};
    if (inflateInit(&broken) != Z_OK) return;
    broken.next_out = unpacked;
    broken.avail_out = sizeof unpacked;
    inflate(&broken, Z_FINISH);
    const char *message = broken.msg;
    KNOWN(message);
    inflateEnd(&broken);
}

static void packed_files(void) {
    char path[] = "/tmp/cflr-libraries-XXXXXX", line[20];
    int descriptor = mkstemp(path);
    if (descriptor < 0) return;
    gzFile out = gzdopen(descriptor, "wb");
    FRESH(out);
    gzputs(out, "one line\n");
    gzclose(out);
    gzFile in = gzopen(path, "rb");
    char *a = gzgets(in, line, sizeof line);
    POINTS_TO(a, line);
    int number;
    const char *b = gzerror(in, &number);
    KNOWN(b);
    gzclose(in);
    unlink(path);
}

/* ---- Expat ---- */

static void *seen_user;
static const XML_Char *seen_name, *seen_attribute, *seen_text;

static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **attributes) {
    seen_user = user;
    seen_name = name;
    seen_attribute = attributes[0];
}

static void XMLCALL end(void *user, const XML_Char *name) {
    seen_user = user;
    seen_name = name;
}

static void XMLCALL characters(void *user, const XML_Char *text, int length) {
    (void)length;
    seen_user = user;
    seen_text = text;
}

static void *seen_parser;

static void XMLCALL remark(void *user, const XML_Char *text) {
    seen_parser = user;
    seen_text = text;
}

static void *last_block;

static void *xml_allocate(size_t size) {
    return last_block = malloc(size);
}

static void documents(void) {
    static const char text[] = "<a b='c'>text<!-- remark --></a>";
    XML_Parser parser = XML_ParserCreate(NULL);
    FRESH(parser);
    XML_SetUserData(parser, &tag);
    XML_SetElementHandler(parser, begin, end);
    XML_SetCharacterDataHandler(parser, characters);
    if (XML_Parse(parser, text, sizeof text - 1, 1) != XML_STATUS_OK) return;
    void *a = seen_user, *b = XML_GetUserData(parser);
    POINTS_TO(a, tag);
    POINTS_TO(b, tag);
    const XML_Char *c = seen_name, *d = seen_attribute, *e = seen_text;
    KNOWN(c);
    KNOWN(d);
    KNOWN(e);
    XML_ParserFree(parser);

    const XML_Memory_Handling_Suite suite = {xml_allocate, realloc, free};
    XML_Parser other = XML_ParserCreate_MM(NULL, &suite, NULL);
    FRESH(other);
    void *f = last_block;
    FRESH(f);
    XML_UseParserAsHandlerArg(other);
    XML_SetCommentHandler(other, remark);
    if (XML_Parse(other, text, sizeof text - 1, 1) != XML_STATUS_OK) return;
    void *g = seen_parser;
    SAME(g, other);
    XML_ParserFree(other);
    const XML_LChar *h = XML_ErrorString(XML_ERROR_SYNTAX);
    KNOWN(h);
}

/* ---- libcurl ---- */

static void *seen_target;
static char *seen_bytes;

static size_t receive(char *bytes, size_t size, size_t n, void *target) {
    seen_bytes = bytes;
    seen_target = target;
    return size * n;
}

static void transfers(void) {
    char *private = NULL;
    CURL *easy = curl_easy_init();
    FRESH(easy);
    curl_easy_setopt(easy, CURLOPT_URL, "file://" __FILE__);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &tag);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &other_tag);
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &private);
    POINTS_TO(private, other_tag);
    CURL *copy = curl_easy_duphandle(easy);
    FRESH(copy);
    if (curl_easy_perform(copy) == CURLE_OK) {
        void *a = seen_target;
        char *b = seen_bytes;
        POINTS_TO(a, tag);
        KNOWN(b);
    }
    CURLM *multi = curl_multi_init();
    FRESH(multi);
    curl_multi_add_handle(multi, easy);
    int running = 1, left;
    while (running && curl_multi_perform(multi, &running) == CURLM_OK) {
    }
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message) {
        CURL *done = message->easy_handle;
        SAME(done, easy);
    }
    curl_multi_remove_handle(multi, easy);
    curl_multi_cleanup(multi);
    curl_easy_cleanup(copy);
    curl_easy_cleanup(easy);
}

static void lists_and_addresses(void) {
    struct curl_slist *a = curl_slist_append(NULL, "one");
    struct curl_slist *b = curl_slist_append(a, "two");
    struct curl_slist *c = b->next;
    b = curl_slist_append(b, "three");
    struct curl_slist *d = c->next;
    char *e = d->data;
    SAME(a, b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    b = curl_slist_append(b, "four");
    struct curl_slist *f = d->next;
    FRESH(f);
    curl_slist_free_all(a);
    char *g = curl_easy_escape(NULL, "a b", 0);
    FRESH(g);
    curl_free(g);
    CURLU *address = curl_url();
    FRESH(address);
    curl_url_set(address, CURLUPART_URL, "http://a.b/c", 0);
    char *h = NULL;
    curl_url_get(address, CURLUPART_HOST, &h, 0);
    FRESH(h);
    curl_free(h);
    curl_url_cleanup(address);
    const char *i = curl_easy_strerror(CURLE_OK);
    KNOWN(i);
}

/* ---- libcrypto ---- */

static char text_of_bio[] = "text";
static BIO *seen_bio;
static const char *seen_written;

static int bio_write(BIO *bio, const char *bytes, int n) {
    seen_bio = bio;
    seen_written = bytes;
    return n;
}

static int bio_create(BIO *bio) {
    BIO_set_data(bio, &tag);
    BIO_set_init(bio, 1);
    return 1;
}

static void streams_of_crypto(void) {
    char *data;
    BUF_MEM *memory;
    BIO *fixed = BIO_new_mem_buf(text_of_bio, -1), *growing = BIO_new(BIO_s_mem());
    FRESH(fixed);
    BIO_get_mem_data(fixed, &data);
    POINTS_TO(data, text_of_bio);
    BIO_puts(growing, "more");
    BIO_get_mem_ptr(growing, &memory);
    char *a = memory->data;
    KNOWN(a);
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "own");
    BIO_meth_set_create(method, bio_create);
    BIO_meth_set_write(method, bio_write);
    BIO *own = BIO_new(method);
    void *b = BIO_get_data(own);
    POINTS_TO(b, tag);
    BIO_write(own, text_of_bio, 4);
    BIO *c = seen_bio;
    const char *d = seen_written;
    SAME(c, own);
    POINTS_TO(d, text_of_bio);
    BIO *chain = BIO_push(BIO_new(BIO_f_base64()), growing);
    BIO *e = BIO_next(chain);
    SAME(e, growing);
    BIO_free_all(chain);
    BIO_free(own);
    BIO_free(fixed);
    BIO_meth_free(method);
}

static char first_name[] = "b", second_name[] = "a";
static const char *seen_compared;
static char *seen_element;

static int compare(const char *const *a, const char *const *b) {
    seen_compared = *b;
    return strcmp(*a, *b);
}

static void drop(char *element) {
    seen_element = element;
}

static void stacks(void) {
    STACK_OF(OPENSSL_STRING) *stack = sk_OPENSSL_STRING_new(compare);
    sk_OPENSSL_STRING_push(stack, first_name);
    sk_OPENSSL_STRING_push(stack, second_name);
    sk_OPENSSL_STRING_sort(stack);
    char *a = sk_OPENSSL_STRING_value(stack, 0);
    POINTS_TO(a, second_name);
    const char *b = seen_compared;
    KNOWN(b);
    sk_OPENSSL_STRING_pop_free(stack, drop);
    char *c = seen_element;
    POINTS_TO(c, first_name);
}

static void digests(void) {
    unsigned char hash[64], *a, *b;
    unsigned size;
    a = HMAC(EVP_sha256(), "key", 3, hash, 8, hash, &size);
    POINTS_TO(a, hash);
    b = SHA256(hash, 8, hash);
    POINTS_TO(b, hash);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    FRESH(context);
    const EVP_MD *c = EVP_sha1();
    EVP_DigestInit_ex(context, c, NULL);
    const EVP_MD *d = EVP_MD_CTX_get0_md(context);
    KNOWN(c);
    KNOWN(d);
    EVP_MD_CTX_free(context);
}

/* ---- libssl: two ends in memory that share a key ---- */

static SSL *seen_client, *seen_server, *seen_info, *seen_message, *seen_named;
static void *seen_named_argument, *seen_message_argument, *seen_selection;
static const char *seen_identity;

static unsigned client_key(SSL *ssl, const char *hint, char *identity, unsigned most_identity,
                           unsigned char *key, unsigned most_key) {
    (void)hint;
    (void)most_key;
    seen_client = ssl;
    snprintf(identity, most_identity, "me");
    memset(key, 7, 16);
    return 16;
}

static unsigned server_key(SSL *ssl, const char *identity, unsigned char *key, unsigned most_key) {
    (void)most_key;
    seen_server = ssl;
    seen_identity = identity;
    memset(key, 7, 16);
    return 16;
}

static void inform(const SSL *ssl, int where, int result) {
    (void)where;
    (void)result;
    seen_info = (SSL *)ssl;
}

static void watch(int written, int version, int type, const void *bytes, size_t size, SSL *ssl,
                  void *argument) {
    (void)written, (void)version, (void)type, (void)bytes, (void)size;
    seen_message = ssl;
    seen_message_argument = argument;
}

static int by_name(SSL *ssl, int *alert, void *argument) {
    (void)alert;
    seen_named = ssl;
    seen_named_argument = argument;
    return SSL_TLSEXT_ERR_OK;
}

static int select_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_size,
                           const unsigned char *in, unsigned size, void *argument) {
    (void)ssl, (void)size;
    seen_selection = argument;
    *out = in + 1;
    *out_size = in[0];
    return SSL_TLSEXT_ERR_OK;
}

static SSL_CTX *make_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(context, "PSK:@SECLEVEL=0");
    return context;
}

static void handshake(SSL *client, SSL *server) {
    for (int i = 0; i < 10; i++) {
        SSL_connect(client);
        SSL_accept(server);
    }
    SSL *a = seen_client, *b = seen_server, *c = seen_info, *d = seen_message, *e = seen_named;
    SAME(a, client);
    SAME(b, server);
    SAME(c, client);
    SAME(d, server);
    SAME(e, server);
    void *f = seen_named_argument, *g = seen_message_argument, *h = seen_selection;
    POINTS_TO(f, tag);
    POINTS_TO(g, other_tag);
    POINTS_TO(h, tag);
    const char *i = seen_identity;
    KNOWN(i);
    const unsigned char *protocol;
    unsigned size;
    SSL_get0_alpn_selected(client, &protocol, &size);
    KNOWN(protocol);
    SSL_SESSION *session = SSL_get_session(client), *again = SSL_get1_session(client);
    SAME(session, again);
    SSL_SESSION_free(again);
    const char *j = SSL_CIPHER_get_name(SSL_get_current_cipher(client));
    KNOWN(j);
}

static void connections(void) {
    BIO *near, *far;
    SSL_CTX *of_client = make_context(), *of_server = make_context();
    SSL_CTX_set_psk_client_callback(of_client, client_key);
    SSL_CTX_set_psk_server_callback(of_server, server_key);
    SSL_CTX_set_info_callback(of_client, inform);
    SSL_CTX_set_msg_callback(of_server, watch);
    SSL_CTX_set_msg_callback_arg(of_server, &other_tag);
    SSL_CTX_set_tlsext_servername_callback(of_server, by_name);
    SSL_CTX_set_tlsext_servername_arg(of_server, &tag);
    SSL_CTX_set_alpn_select_cb(of_server, select_protocol, &tag);
    SSL_CTX_set_alpn_protos(of_client, (const unsigned char *)"\1x", 2);
    SSL *client = SSL_new(of_client), *server = SSL_new(of_server);
    SSL_CTX *back = SSL_get_SSL_CTX(server);
    SAME(back, of_server);
    SSL_set_tlsext_host_name(client, "a.b");
    BIO_new_bio_pair(&near, 0, &far, 0);
    FRESH(near);
    FRESH(far);
    SSL_set_bio(client, near, near);
    SSL_set_bio(server, far, far);
    BIO *read_from = SSL_get_rbio(client);
    SAME(read_from, near);
    int index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    SSL_set_ex_data(client, index, &tag);
    void *data = SSL_get_ex_data(client, index);
    POINTS_TO(data, tag);
    handshake(client, server);
    SSL_free(client);
    SSL_free(server);
    SSL_CTX_free(of_client);
    SSL_CTX_free(of_server);
}

void run_libraries(void);
void run_libraries(void) {
    streams_of_bytes();
    streams_backwards();
    packed_files();
    documents();
    transfers();
    lists_and_addresses();
    streams_of_crypto();
    stacks();
    digests();
    connections();
}
