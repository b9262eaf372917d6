/* SPDX-License-Identifier: Apache-2.0
 *
 * crypto.c: OpenSSL's libcrypto (certificates and what lies in them, keys, engines, user interfaces, tables,
 * configuration) and Zstandard.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stddef.h>
#include <string.h>

#include "expect.h"

typedef struct bignum_st BIGNUM;
typedef struct bn_gencb_st BN_GENCB;
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct X509_st X509;
typedef struct X509_crl_st X509_CRL;
typedef struct X509_name_st X509_NAME;
typedef struct X509_extension_st X509_EXTENSION;
typedef struct X509_pubkey_st X509_PUBKEY;
typedef struct stack_st OPENSSL_STACK;
typedef struct PKCS12_st PKCS12;
typedef struct engine_st ENGINE;
typedef struct ui_st UI;
typedef struct ui_method_st UI_METHOD;
typedef struct ui_string_st UI_STRING;
typedef struct lhash_st OPENSSL_LHASH;
typedef struct conf_st CONF;
typedef struct asn1_string_st {
    int length, type;
    unsigned char *data;
    long flags;
} ASN1_STRING;
typedef struct {
    int type;
    ASN1_STRING *d;
} GENERAL_NAME;
typedef struct {
    X509 *x509;
    X509_CRL *crl;
    void *x_pkey;
} X509_INFO;
typedef struct {
    const char *key;
    unsigned int type;
    void *data;
    size_t size, return_size;
} OSSL_PARAM;

BIGNUM *BN_new(void), *BN_copy(BIGNUM *, const BIGNUM *);
int BN_dec2bn(BIGNUM **, const char *), BN_generate_prime_ex(BIGNUM *, int, int, const BIGNUM *, const BIGNUM *, BN_GENCB *);
void BN_free(BIGNUM *), *BN_GENCB_get_arg(BN_GENCB *), BN_GENCB_free(BN_GENCB *);
BN_GENCB *BN_GENCB_new(void);
void BN_GENCB_set(BN_GENCB *, int (*)(int, int, BN_GENCB *), void *);
EVP_PKEY_CTX *EVP_PKEY_CTX_new_id(int, ENGINE *);
int EVP_PKEY_keygen_init(EVP_PKEY_CTX *), EVP_PKEY_keygen(EVP_PKEY_CTX *, EVP_PKEY **);
void EVP_PKEY_CTX_free(EVP_PKEY_CTX *), EVP_PKEY_free(EVP_PKEY *);
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *);
int EVP_DigestSignInit(EVP_MD_CTX *, EVP_PKEY_CTX **, const EVP_MD *, ENGINE *, EVP_PKEY *);
EVP_PKEY_CTX *EVP_MD_CTX_get_pkey_ctx(const EVP_MD_CTX *);
EVP_PKEY *EVP_PKEY_CTX_get0_pkey(EVP_PKEY_CTX *);
X509 *X509_new(void);
int X509_set_pubkey(X509 *, EVP_PKEY *), X509_sign(X509 *, EVP_PKEY *, const EVP_MD *);
EVP_PKEY *X509_get0_pubkey(const X509 *), *X509_PUBKEY_get0(const X509_PUBKEY *);
X509_PUBKEY *X509_get_X509_PUBKEY(const X509 *);
X509_NAME *X509_get_subject_name(const X509 *);
ASN1_STRING *X509_getm_notBefore(const X509 *), *X509_getm_notAfter(const X509 *), *X509_gmtime_adj(ASN1_STRING *, long);
int X509_NAME_add_entry_by_txt(X509_NAME *, const char *, int, const unsigned char *, int, int, int);
X509_EXTENSION *X509V3_EXT_conf_nid(void *, void *, int, const char *);
int X509_add_ext(X509 *, X509_EXTENSION *, int), X509_set_version(X509 *, long);
X509_EXTENSION *X509_get_ext(const X509 *, int);
ASN1_STRING *X509_EXTENSION_get_data(X509_EXTENSION *);
void *X509_get_ext_d2i(const X509 *, int, int *, int *), X509_EXTENSION_free(X509_EXTENSION *), X509_free(X509 *);
const OPENSSL_STACK *X509_get0_extensions(const X509 *);
void GENERAL_NAMES_free(void *);
void *OPENSSL_sk_value(const OPENSSL_STACK *, int);
void OPENSSL_sk_pop_free(OPENSSL_STACK *, void (*)(void *)), X509_INFO_free(X509_INFO *);
BIO *BIO_new(const void *), *BIO_new_mem_buf(const void *, int), *BIO_next(BIO *);
const void *BIO_s_mem(void);
void BIO_set_next(BIO *, BIO *), BIO_set_callback_arg(BIO *, char *);
char *BIO_get_callback_arg(const BIO *);
int BIO_free(BIO *), PEM_write_bio_X509(BIO *, const X509 *), PEM_write_bio_PUBKEY(BIO *, const EVP_PKEY *);
OPENSSL_STACK *PEM_X509_INFO_read_bio(BIO *, OPENSSL_STACK *, int (*)(char *, int, int, void *), void *);
EVP_PKEY *PEM_read_bio_PUBKEY(BIO *, EVP_PKEY **, int (*)(char *, int, int, void *), void *);
PKCS12 *PKCS12_create(const char *, const char *, EVP_PKEY *, X509 *, OPENSSL_STACK *, int, int, int, int, int);
int PKCS12_parse(PKCS12 *, const char *, EVP_PKEY **, X509 **, OPENSSL_STACK **);
void PKCS12_free(PKCS12 *);
UI_METHOD *UI_create_method(const char *), *UI_OpenSSL(void);
void UI_destroy_method(UI_METHOD *), UI_free(UI *);
int UI_method_set_reader(UI_METHOD *, int (*)(UI *, UI_STRING *));
int (*UI_method_get_reader(const UI_METHOD *))(UI *, UI_STRING *);
UI *UI_new_method(const UI_METHOD *);
void *UI_add_user_data(UI *, void *), *UI_get0_user_data(UI *);
int UI_add_input_string(UI *, const char *, int, char *, int, int), UI_process(UI *);
int UI_set_result(UI *, UI_STRING *, const char *);
const char *UI_get0_output_string(UI_STRING *);
OPENSSL_LHASH *OPENSSL_LH_new(unsigned long (*)(const void *), int (*)(const void *, const void *));
void *OPENSSL_LH_insert(OPENSSL_LHASH *, void *), *OPENSSL_LH_retrieve(OPENSSL_LHASH *, const void *);
void OPENSSL_LH_doall_arg(OPENSSL_LHASH *, void (*)(void *, void *), void *), OPENSSL_LH_free(OPENSSL_LHASH *);
CONF *NCONF_new(void *);
int NCONF_load_bio(CONF *, BIO *, long *);
char *NCONF_get_string(const CONF *, const char *, const char *);
void NCONF_free(CONF *);
OSSL_PARAM OSSL_PARAM_construct_utf8_string(const char *, char *, size_t);
OSSL_PARAM *OSSL_PARAM_locate(OSSL_PARAM *, const char *);
int CRYPTO_THREAD_run_once(int *, void (*)(void));
void EVP_MD_do_all(void (*)(const EVP_MD *, const char *, const char *, void *), void *);
const EVP_MD *EVP_sha256(void);

typedef struct ZSTD_DCtx_s ZSTD_DCtx;
ZSTD_DCtx *ZSTD_createDCtx(void), *ZSTD_createDStream(void);
size_t ZSTD_freeDCtx(ZSTD_DCtx *);
const char *ZSTD_versionString(void);

enum { ED25519 = 1087, SUBJECT_ALT_NAME = 85 };

static void *seen_argument, *seen_data, *seen_key, *seen_item, *seen_call;
static const char *seen_prompt;
static int ran_once;

static int on_prime(int step, int count, BN_GENCB *state) {
    (void)step, (void)count;
    seen_argument = BN_GENCB_get_arg(state);
    return 1;
}

static void on_digest(const EVP_MD *digest, const char *from, const char *to, void *argument) {
    (void)digest, (void)from, (void)to;
    seen_call = argument;
}

static int read_answer(UI *ui, UI_STRING *string) {
    seen_data = UI_get0_user_data(ui);
    seen_prompt = UI_get0_output_string(string);
    UI_set_result(ui, string, "secret");
    return 1;
}

static unsigned long hash(const void *item) {
    seen_key = (void *)item;
    return 1;
}

static int compare(const void *a, const void *b) { return a == b ? 0 : *(const int *)a - *(const int *)b; }

static void visit(void *item, void *argument) {
    seen_item = item;
    seen_call = argument;
}

static void once(void) { ran_once = 1; }

static void numbers(void) {
    int argument = 0;
    BIGNUM *made = NULL, *number = BN_new();
    BN_dec2bn(&made, "13");
    FRESH(number);
    FRESH(made);
    BIGNUM *copied = BN_copy(number, made);
    SAME(copied, number);
    BN_GENCB *state = BN_GENCB_new();
    BN_GENCB_set(state, on_prime, &argument);
    BN_generate_prime_ex(number, 32, 0, NULL, NULL, state);
    POINTS_TO(seen_argument, argument);
    BN_GENCB_free(state);
    BN_free(made);
    BN_free(number);
    EVP_MD_do_all(on_digest, &argument);
    POINTS_TO(seen_call, argument);
}

static EVP_PKEY *key_of(void) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(ED25519, NULL);
    EVP_PKEY_keygen_init(context);
    EVP_PKEY_keygen(context, &key);
    EVP_PKEY_CTX_free(context);
    FRESH(key);
    return key;
}

static X509 *certificate_of(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    X509_set_pubkey(certificate, key);
    EVP_PKEY *kept = X509_get0_pubkey(certificate);
    SAME(kept, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", 0x1001, (const unsigned char *)"here", -1, -1, 0);
    X509_NAME *again = X509_get_subject_name(certificate);
    SAME(name, again);
    ASN1_STRING *before = X509_getm_notBefore(certificate), *adjusted = X509_gmtime_adj(before, 0);
    SAME(before, adjusted);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 1000);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, SUBJECT_ALT_NAME, "DNS:example.org");
    FRESH(extension);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION *found = X509_get_ext(certificate, 0);
    FRESH(found);
    APART(found, extension);
    ASN1_STRING *data = X509_EXTENSION_get_data(found), *same = X509_EXTENSION_get_data(found);
    KNOWN(data);
    SAME(data, same);
    unsigned char *bytes = data->data;
    KNOWN(bytes);
    const OPENSSL_STACK *extensions = X509_get0_extensions(certificate);
    X509_EXTENSION *first = OPENSSL_sk_value(extensions, 0);
    KNOWN(first);
    X509_EXTENSION_free(extension);
    X509_sign(certificate, key, NULL);
    return certificate;
}

static void extensions(X509 *certificate) {
    OPENSSL_STACK *names = X509_get_ext_d2i(certificate, SUBJECT_ALT_NAME, NULL, NULL);
    FRESH(names);
    GENERAL_NAME *name = OPENSSL_sk_value(names, 0);
    KNOWN(name);
    ASN1_STRING *text = name->d;
    KNOWN(text);
    unsigned char *host = text->data;
    KNOWN(host);
    GENERAL_NAMES_free(names);
}

static void files(EVP_PKEY *key, X509 *certificate) {
    char argument[4] = "abc";
    BIO *memory = BIO_new(BIO_s_mem()), *second = BIO_new(BIO_s_mem());
    BIO_set_callback_arg(memory, argument);
    char *kept = BIO_get_callback_arg(memory);
    POINTS_TO(kept, argument);
    BIO_set_next(memory, second);
    BIO *next = BIO_next(memory);
    SAME(next, second);
    PEM_write_bio_X509(memory, certificate);
    PEM_write_bio_PUBKEY(second, key);
    EVP_PKEY *read = PEM_read_bio_PUBKEY(second, NULL, NULL, NULL);
    FRESH(read);
    OPENSSL_STACK *all = PEM_X509_INFO_read_bio(memory, NULL, NULL, NULL);
    FRESH(all);
    X509_INFO *info = OPENSSL_sk_value(all, 0);
    KNOWN(info);
    X509 *of_info = info->x509;
    KNOWN(of_info);
    APART(of_info, certificate);
    OPENSSL_sk_pop_free(all, (void (*)(void *))X509_INFO_free);
    EVP_PKEY_free(read);
    BIO_free(second);
    BIO_free(memory);

    PKCS12 *packed = PKCS12_create("word", "name", key, certificate, NULL, 0, 0, 0, 0, 0);
    FRESH(packed);
    EVP_PKEY *its_key = NULL;
    X509 *its_certificate = NULL;
    PKCS12_parse(packed, "word", &its_key, &its_certificate, NULL);
    FRESH(its_key);
    FRESH(its_certificate);
    APART(its_certificate, certificate);
    EVP_PKEY_free(its_key);
    X509_free(its_certificate);
    PKCS12_free(packed);
}

static void signing(EVP_PKEY *key) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *of_key = NULL;
    EVP_DigestSignInit(context, &of_key, NULL, NULL, key);
    EVP_PKEY_CTX *again = EVP_MD_CTX_get_pkey_ctx(context);
    SAME(of_key, again);
    EVP_PKEY *its_key = EVP_PKEY_CTX_get0_pkey(of_key);
    SAME(its_key, key);
    EVP_MD_CTX_free(context);
}

static void interfaces(void) {
    int data = 0;
    char answer[16], prompt[8] = "word:";
    UI_METHOD *method = UI_create_method("test");
    FRESH(method);
    UI_method_set_reader(method, read_answer);
    int (*reader)(UI *, UI_STRING *) = UI_method_get_reader(method);
    KNOWN(reader);
    int (*shipped)(UI *, UI_STRING *) = UI_method_get_reader(UI_OpenSSL());
    KNOWN(shipped);
    UI *ui = UI_new_method(method);
    UI_add_user_data(ui, &data);
    UI_add_input_string(ui, prompt, 0, answer, 1, 15);
    UI_process(ui);
    POINTS_TO(seen_data, data);
    POINTS_TO(seen_prompt, prompt);
    UI_free(ui);
    UI_destroy_method(method);
}

static void tables(void) {
    int item = 1, key = 1, argument = 0;
    OPENSSL_LHASH *table = OPENSSL_LH_new(hash, compare);
    OPENSSL_LH_insert(table, &item);
    int *found = OPENSSL_LH_retrieve(table, &key);
    POINTS_TO(found, item);
    POINTS_TO(seen_key, key);
    OPENSSL_LH_doall_arg(table, visit, &argument);
    POINTS_TO(seen_item, item);
    POINTS_TO(seen_call, argument);
    OPENSSL_LH_free(table);

    BIO *text = BIO_new_mem_buf("[a]\nb = c\n", -1);
    CONF *configuration = NCONF_new(NULL);
    NCONF_load_bio(configuration, text, NULL);
    char *value = NCONF_get_string(configuration, "a", "b");
    KNOWN(value);
    NCONF_free(configuration);
    BIO_free(text);

    char name[4] = "abc", content[4] = "def";
    OSSL_PARAM parameter = OSSL_PARAM_construct_utf8_string(name, content, 3);
    OSSL_PARAM *located = OSSL_PARAM_locate(&parameter, "abc");
    POINTS_TO(located, parameter);
    const char *its_key = located->key;
    void *its_data = located->data;
    POINTS_TO(its_key, name);
    POINTS_TO(its_data, content);
    int gate = 0;
    CRYPTO_THREAD_run_once(&gate, once);
}

static void streams(void) {
    ZSTD_DCtx *context = ZSTD_createDCtx(), *second = ZSTD_createDStream();
    FRESH(context);
    APART(context, second);
    const char *version = ZSTD_versionString();
    KNOWN(version);
    ZSTD_freeDCtx(context);
    ZSTD_freeDCtx(second);
}

void run_crypto(void);
void run_crypto(void) {
    EVP_PKEY *key = key_of();
    X509 *certificate = certificate_of(key);
    numbers();
    extensions(certificate);
    files(key, certificate);
    signing(key);
    interfaces();
    tables();
    streams();
    X509_free(certificate);
    EVP_PKEY_free(key);
}
