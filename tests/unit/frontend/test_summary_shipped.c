/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_shipped.c: the shipped summaries as a whole.
 *
 * Each function's flows are compared with tests/c/summaries/expected.txt, which is read by people:
 * after a change, run with CFLR_UPDATE=1 and look at the difference. Offsets of members are
 * compared with what the compiler says of this system's headers.
 */
#include <aio.h>
#include <aliases.h>
#include <argp.h>
#include <arpa/nameser.h>
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <fstab.h>
#include <fts.h>
#include <glob.h>
#include <grp.h>
#include <gshadow.h>
#include <ifaddrs.h>
#include <locale.h>
#include <mntent.h>
#include <net/if.h>
#include <netdb.h>
#include <obstack.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <shadow.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <ttyent.h>
#include <wordexp.h>

#include "summary_support.h"

#define EXPECTED CFLR_SOURCE_DIR "/tests/c/summaries/expected.txt"

typedef struct shipped {
    cflr_context *context;
    cflri_summaries *summaries;
} shipped;

static shipped open_shipped(void) {
    shipped s;
    cflr_error error = {0};
    cr_assert_eq(cflr_context_new(NULL, &s.context, NULL), CFLR_OK);
    cflr_status st = cflri_summaries_new(s.context, NULL, 0, &s.summaries, &error);
    cr_assert_eq(st, CFLR_OK, "%s:%u:%u: %s", error.subject, error.line, error.column,
                 error.message);
    return s;
}

static void close_shipped(shipped *s) {
    cflri_summaries_free(s->summaries);
    cr_expect_eq(cflr_context_memory(s->context), 0);
    cflr_context_free(s->context);
}

/* ---- the flows of every function ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of all functions, sorted; *n of them. Prefixes end in '*'. */
static char **all_names(const cflri_summaries *summaries, size_t *n) {
    char **names = calloc(summaries->entries.n, sizeof *names);
    cr_assert(names);
    *n = 0;
    for (size_t i = 1; i < summaries->entries.n; i++) {
        const cflri_summary_entry *entry = &summaries->entries.at[i];
        const char *text = cflri_string(&summaries->strings, entry->name);
        size_t size = strlen(text) + 2;
        names[*n] = malloc(size);
        cr_assert(names[*n]);
        snprintf(names[(*n)++], size, "%s%s", text, entry->is_prefix ? "*" : "");
    }
    qsort(names, *n, sizeof *names, by_text);
    return names;
}

static void free_names(char **names, size_t n) {
    for (size_t i = 0; i < n; i++) free(names[i]);
    free(names);
}

static void write_all(const cflri_summaries *summaries, FILE *out) {
    size_t n;
    char **names = all_names(summaries, &n);
    for (size_t i = 0; i < n; i++) {
        char effects[16384], function[128];
        snprintf(function, sizeof function, "%.*s", (int)strcspn(names[i], "*"), names[i]);
        write_effects(summaries, function, effects, sizeof effects);
        fprintf(out, "%s: %s\n", names[i], effects);
    }
    free_names(names, n);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return calloc(1, 1);
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0) text[0] = '\0';
    fclose(file);
    return text;
}

static void expect_same_lines(const char *got, const char *expected) {
    for (unsigned line = 1; *got || *expected; line++) {
        size_t a = strcspn(got, "\n"), b = strcspn(expected, "\n");
        cr_assert(a == b && memcmp(got, expected, a) == 0,
                  "expected.txt:%u:\n  expected: %.*s\n  got:      %.*s\n"
                  "(CFLR_UPDATE=1 writes the file anew; review the difference)",
                  line, (int)b, expected, (int)a, got);
        got += a + (got[a] == '\n');
        expected += b + (expected[b] == '\n');
    }
}

Test(summary_shipped, flows_of_every_function) {
    shipped s = open_shipped();
    char *got = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&got, &size);
    write_all(s.summaries, memory);
    fclose(memory);
    if (getenv("CFLR_UPDATE")) {
        FILE *file = fopen(EXPECTED, "w");
        cr_assert(file);
        fputs(got, file);
        fclose(file);
    }
    char *expected = read_file(EXPECTED);
    expect_same_lines(got, expected);
    free(expected);
    free(got);
    close_shipped(&s);
}

/* ---- the set of them ---- */

Test(summary_shipped, covers_the_c_library) {
    shipped s = open_shipped();
    size_t n;
    char **names = all_names(s.summaries, &n);
    free_names(names, n);
    cr_expect_geq(n, 2900);
    const char *samples[] = {"malloc",
                             "strtok_r",
                             "pthread_create",
                             "getaddrinfo",
                             "qsort",
                             "__memcpy_chk",
                             "__builtin_expect",
                             "__sync_fetch_and_add_8",
                             "__builtin_ia32_pshufd",
                             "printf",
                             "__isoc99_sscanf"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        cr_expect(cflri_summaries_have(s.summaries, samples[i]), "%s", samples[i]);
    }
    cr_expect_not(cflri_summaries_have(s.summaries, "main"));
    cr_expect_not(cflri_summaries_have(s.summaries, "my_function"));
    close_shipped(&s);
}

/* A prefix must not decide for a function that has its own entry, nor hide another prefix. */
Test(summary_shipped, prefixes_are_apart) {
    shipped s = open_shipped();
    for (size_t i = 0; i < s.summaries->prefixes.n; i++) {
        const char *a = cflri_string(&s.summaries->strings, s.summaries->prefixes.at[i]);
        cr_expect(strncmp(a, "__", 2) == 0, "%s*: only reserved names may match by prefix", a);
        for (size_t j = 0; j < s.summaries->prefixes.n; j++) {
            const char *b = cflri_string(&s.summaries->strings, s.summaries->prefixes.at[j]);
            cr_expect(i == j || strncmp(a, b, strlen(a)) != 0, "%s* hides %s*", a, b);
        }
    }
    close_shipped(&s);
}

/* ---- layouts ---- */

static const struct {
    const char *name;
    size_t offset;
    size_t inner; /* of a member that lies in a member */
} members[] = {
    {"aio_sigevent_notify_function", offsetof(struct aiocb, aio_sigevent),
     offsetof(struct sigevent, sigev_notify_function)},
    {"aio_sigevent_value", offsetof(struct aiocb, aio_sigevent), 0},
    {"ai_addr", offsetof(struct addrinfo, ai_addr), 0},
    {"ai_canonname", offsetof(struct addrinfo, ai_canonname), 0},
    {"ai_next", offsetof(struct addrinfo, ai_next), 0},
    {"alias_members", offsetof(struct aliasent, alias_members), 0},
    {"alias_name", offsetof(struct aliasent, alias_name), 0},
    {"ar_result", offsetof(struct gaicb, ar_result), 0},
    {"argp_input", offsetof(struct argp_state, input), 0},
    {"argp_parser", offsetof(struct argp, parser), 0},
    {"cookie_close", offsetof(cookie_io_functions_t, close), 0},
    {"cookie_read", offsetof(cookie_io_functions_t, read), 0},
    {"cookie_seek", offsetof(cookie_io_functions_t, seek), 0},
    {"cookie_write", offsetof(cookie_io_functions_t, write), 0},
    {"currency_symbol", offsetof(struct lconv, currency_symbol), 0},
    {"decimal_point", offsetof(struct lconv, decimal_point), 0},
    {"dli_fbase", offsetof(Dl_info, dli_fbase), 0},
    {"dli_fname", offsetof(Dl_info, dli_fname), 0},
    {"dli_saddr", offsetof(Dl_info, dli_saddr), 0},
    {"dli_sname", offsetof(Dl_info, dli_sname), 0},
    {"entry_data", offsetof(ENTRY, data), 0},
    {"entry_key", offsetof(ENTRY, key), 0},
    {"epoll_data", offsetof(struct epoll_event, data), 0},
    {"fs_file", offsetof(struct fstab, fs_file), 0},
    {"fs_mntops", offsetof(struct fstab, fs_mntops), 0},
    {"fs_spec", offsetof(struct fstab, fs_spec), 0},
    {"fs_type", offsetof(struct fstab, fs_type), 0},
    {"fs_vfstype", offsetof(struct fstab, fs_vfstype), 0},
    {"fts_accpath", offsetof(FTSENT, fts_accpath), 0},
    {"fts_link", offsetof(FTSENT, fts_link), 0},
    {"fts_parent", offsetof(FTSENT, fts_parent), 0},
    {"fts_path", offsetof(FTSENT, fts_path), 0},
    {"fts_statp", offsetof(FTSENT, fts_statp), 0},
    {"gl_pathv", offsetof(glob_t, gl_pathv), 0},
    {"gr_mem", offsetof(struct group, gr_mem), 0},
    {"gr_name", offsetof(struct group, gr_name), 0},
    {"gr_passwd", offsetof(struct group, gr_passwd), 0},
    {"grouping", offsetof(struct lconv, grouping), 0},
    {"h_addr_list", offsetof(struct hostent, h_addr_list), 0},
    {"h_aliases", offsetof(struct hostent, h_aliases), 0},
    {"h_name", offsetof(struct hostent, h_name), 0},
    {"if_name", offsetof(struct if_nameindex, if_name), 0},
    {"ifa_addr", offsetof(struct ifaddrs, ifa_addr), 0},
    {"ifa_data", offsetof(struct ifaddrs, ifa_data), 0},
    {"ifa_ifu", offsetof(struct ifaddrs, ifa_ifu), 0},
    {"ifa_name", offsetof(struct ifaddrs, ifa_name), 0},
    {"ifa_netmask", offsetof(struct ifaddrs, ifa_netmask), 0},
    {"ifa_next", offsetof(struct ifaddrs, ifa_next), 0},
    {"int_curr_symbol", offsetof(struct lconv, int_curr_symbol), 0},
    {"mnt_dir", offsetof(struct mntent, mnt_dir), 0},
    {"mnt_fsname", offsetof(struct mntent, mnt_fsname), 0},
    {"mnt_opts", offsetof(struct mntent, mnt_opts), 0},
    {"mnt_type", offsetof(struct mntent, mnt_type), 0},
    {"mon_decimal_point", offsetof(struct lconv, mon_decimal_point), 0},
    {"mon_grouping", offsetof(struct lconv, mon_grouping), 0},
    {"mon_thousands_sep", offsetof(struct lconv, mon_thousands_sep), 0},
    {"msg_control", offsetof(struct msghdr, msg_control), 0},
    {"n_aliases", offsetof(struct netent, n_aliases), 0},
    {"n_name", offsetof(struct netent, n_name), 0},
    {"negative_sign", offsetof(struct lconv, negative_sign), 0},
    {"ns_eom", offsetof(ns_msg, _eom), 0},
    {"ns_position", offsetof(ns_msg, _msg_ptr), 0},
    {"ns_rdata", offsetof(ns_rr, rdata), 0},
    {"ns_sections", offsetof(ns_msg, _sections), 0},
    {"ns_start", offsetof(ns_msg, _msg), 0},
    {"obstack_chunk", offsetof(struct obstack, chunk), 0},
    {"obstack_chunk_limit", offsetof(struct obstack, chunk_limit), 0},
    {"obstack_chunkfun", offsetof(struct obstack, chunkfun), 0},
    {"obstack_extra", offsetof(struct obstack, extra_arg), 0},
    {"obstack_freefun", offsetof(struct obstack, freefun), 0},
    {"obstack_next_free", offsetof(struct obstack, next_free), 0},
    {"obstack_object_base", offsetof(struct obstack, object_base), 0},
    {"p_aliases", offsetof(struct protoent, p_aliases), 0},
    {"p_name", offsetof(struct protoent, p_name), 0},
    {"positive_sign", offsetof(struct lconv, positive_sign), 0},
    {"pw_dir", offsetof(struct passwd, pw_dir), 0},
    {"pw_gecos", offsetof(struct passwd, pw_gecos), 0},
    {"pw_name", offsetof(struct passwd, pw_name), 0},
    {"pw_passwd", offsetof(struct passwd, pw_passwd), 0},
    {"pw_shell", offsetof(struct passwd, pw_shell), 0},
    {"q_back", offsetof(struct qelem, q_back), 0},
    {"q_forw", offsetof(struct qelem, q_forw), 0},
    {"r_aliases", offsetof(struct rpcent, r_aliases), 0},
    {"r_name", offsetof(struct rpcent, r_name), 0},
    {"re_end", offsetof(struct re_registers, end), 0},
    {"re_start", offsetof(struct re_registers, start), 0},
    {"s_aliases", offsetof(struct servent, s_aliases), 0},
    {"s_name", offsetof(struct servent, s_name), 0},
    {"s_proto", offsetof(struct servent, s_proto), 0},
    {"sa_handler", offsetof(struct sigaction, sa_handler), 0},
    {"sg_adm", offsetof(struct sgrp, sg_adm), 0},
    {"sg_mem", offsetof(struct sgrp, sg_mem), 0},
    {"sg_namp", offsetof(struct sgrp, sg_namp), 0},
    {"sg_passwd", offsetof(struct sgrp, sg_passwd), 0},
    {"si_ptr", offsetof(siginfo_t, si_ptr) - 8, 8},
    {"sigev_notify_function", offsetof(struct sigevent, sigev_notify_function), 0},
    {"sival_ptr", offsetof(union sigval, sival_ptr), 0},
    {"sigev_value", offsetof(struct sigevent, sigev_value), 0},
    {"sp_namp", offsetof(struct spwd, sp_namp), 0},
    {"sp_pwdp", offsetof(struct spwd, sp_pwdp), 0},
    {"ss_sp", offsetof(stack_t, ss_sp), 0},
    {"thousands_sep", offsetof(struct lconv, thousands_sep), 0},
    {"tm_zone", offsetof(struct tm, tm_zone), 0},
    {"ty_comment", offsetof(struct ttyent, ty_comment), 0},
    {"ty_getty", offsetof(struct ttyent, ty_getty), 0},
    {"ty_name", offsetof(struct ttyent, ty_name), 0},
    {"ty_type", offsetof(struct ttyent, ty_type), 0},
    {"ty_window", offsetof(struct ttyent, ty_window), 0},
    {"we_wordv", offsetof(wordexp_t, we_wordv), 0},
};

#define APR_MEMBER(name, offset, inner, record, member) {#name, offset, inner},
#define CALLBACK_MEMBER(name, offset, record, member) {#name, offset, 0},

/* Members of libraries that need not be installed. */
static const struct {
    const char *name;
    size_t offset;
    size_t inner;
} library_members[] = {
#include "apr_members.h"
#include "callback_members.h"
#define GLIB_MEMBER CALLBACK_MEMBER
#define X11_MEMBER CALLBACK_MEMBER
#define XML2_MEMBER CALLBACK_MEMBER
#define SDL_MEMBER CALLBACK_MEMBER
#define SYSTEMD_MEMBER CALLBACK_MEMBER
#define DBUS_MEMBER CALLBACK_MEMBER
#define READLINE_MEMBER CALLBACK_MEMBER
#define UV_MEMBER CALLBACK_MEMBER
#define SQLITE_MEMBER CALLBACK_MEMBER
#include "other_members.h"
    {"asn1_data", 8, 0},
    {"buf_mem_data", 8, 0},
    {"crypto_ex_stack", 8, 0},
    {"curl_message_easy", 8, 0},
    {"curl_slist_data", 0, 0},
    {"curl_slist_next", 8, 0},
    {"ev_cb", 24, 0},
    {"ev_reschedule_cb", 56, 0},
    {"ldap_berval_text", 8, 0},
    {"ldap_url_scheme", 8, 0},
    {"ldap_url_host", 16, 0},
    {"ldap_url_dn", 32, 0},
    {"ldap_url_attributes", 40, 0},
    {"ldap_url_filter", 56, 0},
    {"ldap_url_extensions", 64, 0},
    {"ossl_first", 0, 0},
    {"ossl_third", 16, 0},
    {"ossl_param_key", 0, 0},
    {"ossl_param_data", 16, 0},
    {"rand_add", 24, 0},
    {"v3_subject", 16, 0},
    {"v3_request", 24, 0},
    {"v3_crl", 32, 0},
    {"x509_info_crl", 8, 0},
    {"x509_info_key", 16, 0},
    {"x509_info_data", 56, 0},
    {"x509_pkey_key", 24, 0},
    {"ldap_control_oid", 0, 0},
    {"ldap_control_value", 8, 8},
    {"sd_vtable_get", 8, 16},
    {"sd_vtable_handler", 8, 24},
    {"xml_content_children", 24, 0},
    {"xml_content_name", 8, 0},
    {"xml_encoding_convert", 1032, 0},
    {"xml_encoding_data", 1024, 0},
    {"xml_encoding_release", 1040, 0},
    {"xml_feature_name", 8, 0},
    {"xml_free", 16, 0},
    {"xml_malloc", 0, 0},
    {"xml_realloc", 8, 0},
    {"xml_user", 0, 0},
    {"z_msg", 48, 0},
    {"z_next_in", 0, 0},
    {"z_opaque", 80, 0},
    {"z_state", 56, 0},
    {"z_zalloc", 64, 0},
    {"z_zfree", 72, 0},
};

#undef APR_MEMBER
#undef CALLBACK_MEMBER
#undef GLIB_MEMBER
#undef X11_MEMBER
#undef XML2_MEMBER
#undef SDL_MEMBER
#undef SYSTEMD_MEMBER
#undef DBUS_MEMBER
#undef READLINE_MEMBER
#undef UV_MEMBER
#undef SQLITE_MEMBER

#define LIES(record, member, offset) \
    _Static_assert(sizeof(void *) != 8 || offsetof(record, member) == (offset), #member)

#if __has_include(<openssl/asn1.h>)
#include <openssl/asn1.h>
#include <openssl/buffer.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
LIES(ASN1_STRING, data, 8);
LIES(BUF_MEM, data, 8);
LIES(GENERAL_NAME, d, 8);
LIES(DIST_POINT, distpoint, 0);
LIES(DIST_POINT, CRLissuer, 16);
LIES(CONF_VALUE, value, 16);
LIES(OSSL_PARAM, key, 0);
LIES(OSSL_PARAM, data, 16);
LIES(RAND_METHOD, add, 24);
LIES(struct v3_ext_ctx, issuer_cert, 8);
LIES(struct v3_ext_ctx, subject_cert, 16);
LIES(struct v3_ext_ctx, subject_req, 24);
LIES(struct v3_ext_ctx, crl, 32);
LIES(X509_INFO, crl, 8);
LIES(X509_INFO, x_pkey, 16);
LIES(X509_INFO, enc_data, 56);
LIES(X509_PKEY, dec_pkey, 24);
#endif
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
LIES(CURLMsg, easy_handle, 8);
LIES(struct curl_slist, data, 0);
LIES(struct curl_slist, next, 8);
#endif
#if __has_include(<expat.h>)
#include <expat.h>
LIES(XML_Content, children, 24);
LIES(XML_Content, name, 8);
LIES(XML_Encoding, convert, 1032);
LIES(XML_Encoding, data, 1024);
LIES(XML_Encoding, release, 1040);
LIES(XML_Feature, name, 8);
LIES(XML_Memory_Handling_Suite, malloc_fcn, 0);
LIES(XML_Memory_Handling_Suite, realloc_fcn, 8);
LIES(XML_Memory_Handling_Suite, free_fcn, 16);
#endif
#if __has_include(<zlib.h>)
#include <zlib.h>
LIES(z_stream, msg, 48);
LIES(z_stream, next_in, 0);
LIES(z_stream, opaque, 80);
LIES(z_stream, state, 56);
LIES(z_stream, zalloc, 64);
LIES(z_stream, zfree, 72);
#endif

#if __has_include(<apr-1.0/apu.h>) && __has_include(<ldap.h>)
#include <apr-1.0/apr_allocator.h>
#include <apr-1.0/apr_buckets.h>
#include <apr-1.0/apr_dbm.h>
#include <apr-1.0/apr_getopt.h>
#include <apr-1.0/apr_hooks.h>
#include <apr-1.0/apr_ldap.h>
#include <apr-1.0/apr_memcache.h>
#include <apr-1.0/apr_network_io.h>
#include <apr-1.0/apr_poll.h>
#include <apr-1.0/apr_portable.h>
#include <apr-1.0/apr_random.h>
#include <apr-1.0/apr_strmatch.h>
#include <apr-1.0/apr_tables.h>
#include <apr-1.0/apr_thread_proc.h>
#include <apr-1.0/apr_uri.h>
#include <apr-1.0/apr_xml.h>
#include <apr-1.0/apu_errno.h>
APR_DECLARE_EXTERNAL_HOOK(apr, APU, void, _optional, (void))
#define APR_MEMBER(name, offset, inner, record, member) LIES(record, member, (offset) + (inner));
#include "apr_members.h"
#endif

#if __has_include(<pcap.h>) && __has_include(<event2/event.h>) && \
    __has_include(<cjson/cJSON.h>) && __has_include(<oniguruma.h>)
#include <cjson/cJSON.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/dns.h>
#include <event2/dns_struct.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/thread.h>
#define ONIG_ESCAPE_REGEX_T_COLLISION /* with <regex.h>, and so here: */
#define re_registers onig_registers
#include <oniguruma.h>
#undef re_registers
#include <pcap.h>
#define CALLBACK_MEMBER(name, offset, record, member) LIES(record, member, offset);
#include "callback_members.h"
#endif

#if __has_include(<ldap.h>)
#include <ldap.h>
LIES(struct berval, bv_val, 8);
LIES(LDAPURLDesc, lud_scheme, 8);
LIES(LDAPURLDesc, lud_host, 16);
LIES(LDAPURLDesc, lud_dn, 32);
LIES(LDAPURLDesc, lud_attrs, 40);
LIES(LDAPURLDesc, lud_filter, 56);
LIES(LDAPURLDesc, lud_exts, 64);
LIES(LDAPControl, ldctl_oid, 0);
LIES(LDAPControl, ldctl_value.bv_val, 16);
#endif

/* Is it one of a record that its library keeps to itself? They lie where no public member does. */
static bool is_hidden(const shipped *s, size_t id) {
    return strncmp(cflri_string(&s->summaries->strings, (uint32_t)id), "hidden_", 7) == 0;
}

Test(summary_shipped, members_of_libraries_lie_where_their_headers_put_them) {
    shipped s = open_shipped();
    for (size_t i = 0; i < sizeof library_members / sizeof *library_members; i++) {
        const char *name = library_members[i].name;
        uint32_t id = cflri_strings_find(&s.summaries->strings, name, strlen(name));
        cr_assert(id < s.summaries->names.n, "no member %s", name);
        const cflri_summary_member *member = &s.summaries->names.at[id].member;
        size_t inner = library_members[i].inner;
        cr_expect_eq(member->offset[0], library_members[i].offset, "%s", name);
        cr_expect_eq(member->offset[1], inner, "%s", name);
        cr_expect_eq(member->n_offsets, inner ? 2 : 1, "%s", name);
    }
    close_shipped(&s);
}

Test(summary_shipped, members_lie_where_the_compiler_puts_them) {
    shipped s = open_shipped();
    const size_t n = sizeof members / sizeof *members;
    size_t declared = 0, hidden = 0;
    for (size_t id = 0; id < s.summaries->names.n; id++) {
        if (s.summaries->names.at[id].member.layer == CFLRI_SUMMARY_ABSENT) continue;
        declared++;
        hidden += is_hidden(&s, id);
    }
    declared -= hidden + sizeof library_members / sizeof *library_members;
    cr_expect_eq(declared, n, "%zu members are declared, %zu are checked here", declared, n);
    for (size_t i = 0; i < n && sizeof(void *) == 8; i++) {
        uint32_t id =
            cflri_strings_find(&s.summaries->strings, members[i].name, strlen(members[i].name));
        cr_assert(
            id != CFLRI_NO_STRING && s.summaries->names.at[id].member.layer != CFLRI_SUMMARY_ABSENT,
            "no member %s", members[i].name);
        const cflri_summary_member *member = &s.summaries->names.at[id].member;
        cr_expect_eq(member->offset[0], members[i].offset, "%s is at %zu", members[i].name,
                     members[i].offset);
        cr_expect_eq(member->offset[1], members[i].inner, "%s is at %zu inside", members[i].name,
                     members[i].inner);
        cr_expect_eq(member->n_offsets, members[i].inner ? 2 : 1);
    }
    close_shipped(&s);
}
