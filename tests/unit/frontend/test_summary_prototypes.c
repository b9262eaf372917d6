/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_prototypes.c: summaries against the declarations in this system's headers.
 *
 * The headers are an oracle that knows nothing of the summaries. Every value of an effect is walked
 * through the types of the declaration:
 *
 *     an argument is one that the function has; only pointers are followed; members lie inside
 *     their record; a value goes where its type fits (same pointee, or void or char on one side);
 *     a called value is a function with so many parameters.
 *
 * And the other way round: a function that returns a pointer, takes a pointer to a pointer, or
 * takes a function must have an effect on it, or is named below with the reason why not; and every
 * declared function that has to do with pointers must have a summary. Of libraries that are larger
 * than what is described of them, and need not be installed, only what has a summary is checked.
 */
#include <clang-c/Index.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "summary_support.h"

static const char *const headers[] = {
    "aio.h",
    "aliases.h",
    "alloca.h",
    "argp.h",
    "argz.h",
    "arpa/inet.h",
    "arpa/nameser.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "envz.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "fenv.h",
    "fmtmsg.h",
    "fnmatch.h",
    "fstab.h",
    "fts.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "gshadow.h",
    "iconv.h",
    "ifaddrs.h",
    "inttypes.h",
    "langinfo.h",
    "libgen.h",
    "libintl.h",
    "link.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mcheck.h",
    "mntent.h",
    "monetary.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "netinet/ether.h",
    "netinet/in.h",
    "nl_types.h",
    "obstack.h",
    "poll.h",
    "printf.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "regex.h",
    "resolv.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "sgtty.h",
    "shadow.h",
    "signal.h",
    "spawn.h",
    "stdio_ext.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/acct.h",
    "sys/auxv.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/fanotify.h",
    "sys/file.h",
    "sys/fsuid.h",
    "sys/inotify.h",
    "sys/io.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/klog.h",
    "sys/mman.h",
    "sys/mount.h",
    "sys/msg.h",
    "sys/personality.h",
    "sys/prctl.h",
    "sys/ptrace.h",
    "sys/quota.h",
    "sys/random.h",
    "sys/reboot.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/sendfile.h",
    "sys/shm.h",
    "sys/signalfd.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statfs.h",
    "sys/statvfs.h",
    "sys/swap.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/times.h",
    "sys/timex.h",
    "sys/uio.h",
    "sys/utsname.h",
    "sys/vfs.h",
    "sys/wait.h",
    "sys/xattr.h",
    "syslog.h",
    "termios.h",
    "threads.h",
    "time.h",
    "ttyent.h",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "utime.h",
    "utmp.h",
    "utmpx.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
};

static const char *const libraries[] = {
    "brotli/decode.h",
    "brotli/encode.h",
    "jansson.h",
    "ldap.h",
    "crypt.h",
    "curl/curl.h",
    "expat.h",
    "omp.h",
    "openssl/bio.h",
    "openssl/dh.h",
    "openssl/err.h",
    "openssl/evp.h",
    "openssl/hmac.h",
    "openssl/md5.h",
    "openssl/pem.h",
    "openssl/rsa.h",
    "openssl/sha.h",
    "openssl/ssl.h",
    "openssl/x509.h",
    "openssl/x509v3.h",
    "openssl/ocsp.h",
    "openssl/ec.h",
    "openssl/conf.h",
    "pcre2.h",
    "zlib.h",
    "openssl/engine.h",
    "openssl/ui.h",
    "openssl/pkcs12.h",
    "openssl/pkcs7.h",
    "openssl/des.h",
    "openssl/lhash.h",
    "openssl/params.h",
    "openssl/param_build.h",
    "openssl/provider.h",
    "openssl/ct.h",
    "openssl/dsa.h",
    "openssl/aes.h",
    "openssl/rand.h",
    "openssl/md4.h",
    "openssl/bn.h",
    "zstd.h",
    "idn2.h",
};

static const char *const libxml[] = {
    "libxml/tree.h",       "libxml/parser.h",    "libxml/SAX2.h",     "libxml/xmlIO.h",
    "libxml/xmlmemory.h",  "libxml/xmlstring.h", "libxml/xmlerror.h", "libxml/hash.h",
    "libxml/list.h",       "libxml/dict.h",      "libxml/xpath.h",    "libxml/xmlreader.h",
    "libxml/xmlwriter.h",  "libxml/xmlsave.h",   "libxml/HTMLtree.h", "libxml/uri.h",
    "libxml/HTMLparser.h",
};

static const char *const xlib[] = {"X11/Xlib.h", "X11/Xutil.h", "X11/Xresource.h"};

/* All that these declare has a summary, but for what is named below. */
static const char *const callback_libraries[] = {
    "cjson/cJSON.h",
    "event2/buffer.h",
    "event2/buffer_compat.h",
    "event2/bufferevent.h",
    "event2/bufferevent_compat.h",
    "event2/bufferevent_ssl.h",
    "event2/dns.h",
    "event2/dns_compat.h",
    "event2/event.h",
    "event2/event_compat.h",
    "event2/http.h",
    "event2/http_compat.h",
    "event2/listener.h",
    "event2/tag.h",
    "event2/thread.h",
    "event2/util.h",
    "oniguruma.h",
    "pcap.h",
    "pcap-namedb.h",
};

/* It cannot be read with libevent's, and has functions with bodies besides. */
static const char *const libev[] = {"ev.h"};

/* The same as callback_libraries, each to be read alone, so that their names are apart. */
enum { MOST_HEADERS = 32 };
static const char *const other_libraries[][MOST_HEADERS] = {
    {"glib.h", "glib-unix.h", "glib/gprintf.h", "glib/gstdio.h"},
    {"sqlite3.h"},
    {"ncurses.h", "term.h", "panel.h", "menu.h", "form.h"},
    {"readline/readline.h", "readline/history.h"},
    {"uv.h"},
    {"dbus/dbus.h"},
    {"systemd/sd-bus.h", "systemd/sd-event.h", "systemd/sd-journal.h", "systemd/sd-daemon.h",
     "systemd/sd-id128.h", "systemd/sd-login.h"},
    {"SDL2/SDL.h"},
    {"uuid/uuid.h"},
};

/* Their directory is not one that compilers look in. */
static const char *const portable_runtime[] = {"apr.h",
                                               "apr_allocator.h",
                                               "apr_anylock.h",
                                               "apr_atomic.h",
                                               "apr_base64.h",
                                               "apr_buckets.h",
                                               "apr_crypto.h",
                                               "apr_cstr.h",
                                               "apr_date.h",
                                               "apr_dbd.h",
                                               "apr_dbm.h",
                                               "apr_dso.h",
                                               "apr_encode.h",
                                               "apr_env.h",
                                               "apr_errno.h",
                                               "apr_escape.h",
                                               "apr_file_info.h",
                                               "apr_file_io.h",
                                               "apr_fnmatch.h",
                                               "apr_general.h",
                                               "apr_getopt.h",
                                               "apr_global_mutex.h",
                                               "apr_hash.h",
                                               "apr_hooks.h",
                                               "apr_ldap_init.h",
                                               "apr_ldap_option.h",
                                               "apr_ldap_rebind.h",
                                               "apr_ldap_url.h",
                                               "apr_lib.h",
                                               "apr_md4.h",
                                               "apr_md5.h",
                                               "apr_memcache.h",
                                               "apr_mmap.h",
                                               "apr_network_io.h",
                                               "apr_optional.h",
                                               "apr_optional_hooks.h",
                                               "apr_poll.h",
                                               "apr_pools.h",
                                               "apr_portable.h",
                                               "apr_proc_mutex.h",
                                               "apr_queue.h",
                                               "apr_random.h",
                                               "apr_redis.h",
                                               "apr_reslist.h",
                                               "apr_ring.h",
                                               "apr_rmm.h",
                                               "apr_sdbm.h",
                                               "apr_sha1.h",
                                               "apr_shm.h",
                                               "apr_signal.h",
                                               "apr_siphash.h",
                                               "apr_skiplist.h",
                                               "apr_strings.h",
                                               "apr_strmatch.h",
                                               "apr_tables.h",
                                               "apr_thread_cond.h",
                                               "apr_thread_mutex.h",
                                               "apr_thread_pool.h",
                                               "apr_thread_proc.h",
                                               "apr_thread_rwlock.h",
                                               "apr_time.h",
                                               "apr_uri.h",
                                               "apr_user.h",
                                               "apr_uuid.h",
                                               "apr_version.h",
                                               "apr_xlate.h",
                                               "apr_xml.h",
                                               "apu_errno.h",
                                               "apu_version.h"};

/* What the shape of a declaration suggests and the function does not do. */
static const struct {
    const char *function;
    const char *why;
} innocent[] = {
    {"argz_delete", "the vector stays in its block"},
    {"__argz_delete", "the vector stays in its block"},
    {"envz_remove", "the vector stays in its block"},
    {"envz_strip", "the vector stays in its block"},
    {"iconv", "pointers move on inside their buffers"},
    {"OSSL_PARAM_construct_utf8_ptr", "the parameter is only made"},
    {"OSSL_PARAM_construct_octet_ptr", "the parameter is only made"},
    {"EVP_SealInit", "keys are written into buffers that are there"},
    {"EC_POINTs_make_affine", "the points stay in their vector"},
    {"PKCS7_stream", "the content's own place"},
    {"ldap_abandon_ext", "controls and attributes are only read"},
    {"ldap_sasl_bind_s", "controls and attributes are only read"},
    {"ldap_search", "controls and attributes are only read"},
    {"ldap_search_s", "controls and attributes are only read"},
    {"ldap_search_st", "controls and attributes are only read"},
    {"ldap_add_ext_s", "controls and attributes are only read"},
    {"ldap_sasl_bind", "controls and attributes are only read"},
    {"ldap_delete_ext_s", "controls and attributes are only read"},
    {"ldap_modify_ext_s", "controls and attributes are only read"},
    {"ldap_start_tls_s", "controls and attributes are only read"},
    {"ldap_search_ext", "controls and attributes are only read"},
    {"ldap_unbind_ext", "controls and attributes are only read"},
    {"ldap_unbind_ext_s", "controls and attributes are only read"},
    {"ber_bvecfree", "the vector is read or freed"},
    {"ldap_controls_free", "the vector is read or freed"},
    {"ldap_count_values_len", "the vector is read or freed"},
    {"ldap_value_free_len", "the vector is read or freed"},
    {"mbsrtowcs", "the source moves on inside its string"},
    {"mbsnrtowcs", "the source moves on inside its string"},
    {"wcsrtombs", "the source moves on inside its string"},
    {"wcsnrtombs", "the source moves on inside its string"},
    {"ns_name_skip", "the pointer moves on inside the message"},
    {"ns_name_rollback", "entries are only taken away"},
    {"ns_name_pack", "the last argument only ends the vector"},
    {"ns_name_compress", "the last argument only ends the vector"},
    {"dn_comp", "the last argument only ends the vector"},
    {"strsep", "the pointer moves on inside its string"},
    {"getsubopt", "the first pointer moves on inside its string"},
    {"argp_parse", "argv is put in another order"},
    {"__argp_parse", "argv is put in another order"},
    {"alphasort", "only compares"},
    {"alphasort64", "only compares"},
    {"versionsort", "only compares"},
    {"versionsort64", "only compares"},
    {"tdelete", "the new root is a node that was there"},
    {"BIO_meth_set_create", "the function is kept, and called by BIO_new"},
    {"BIO_meth_set_destroy", "the same"},
    {"BIO_meth_set_read", "the same"},
    {"BIO_meth_set_gets", "the same"},
    {"BIO_meth_set_write", "the same"},
    {"BIO_meth_set_puts", "the same"},
    {"BIO_meth_set_ctrl", "the same"},
    {"BIO_meth_set_read_ex", "the same"},
    {"BIO_meth_set_write_ex", "the same"},
    {"OPENSSL_sk_new", "the function is kept, and called when elements are looked for"},
    {"OPENSSL_sk_new_reserve", "the same"},
    {"OPENSSL_sk_set_cmp_func", "the same"},
    {"PEM_write_bio_PrivateKey", "only the last function is one"},
    {"d2i_X509", "the source moves on inside its bytes"},
    {"d2i_SSL_SESSION", "the same"},
    {"d2i_PUBKEY", "the same"},
    {"pcre2_general_context_create_8", "the freeing function is kept for what is made with it"},
    {"pcre2_substring_list_free_8", "only frees"},
    {"_obstack_begin", "the freeing function is kept, not called"},
    {"_obstack_begin_1", "the freeing function is kept, not called"},
    {"apr_app_initialize", "nothing is changed on Unix"},
    {"apr_bucket_copy_notimpl", "it only fails"},
    {"apr_cstr_tokenize", "the pointer moves on inside its string"},
    {"apr_filepath_root", "the second pointer moves on inside its string"},
    {"apr_dbd_pquery", "the last argument is a vector that is only read"},
    {"apr_dbd_pbquery", "the same"},
    {"apr_dbd_pselect", "the same"},
    {"apr_dbd_pbselect", "the same"},
    {"apr_dynamic_fn_register", "the function is kept, and found by its name"},
    {"apr_optional_hook_add", "the same"},
    {"apr_hash_make_custom", "the function is kept, and called for each key"},
    {"apr_hook_sort_register", "the vector in this place is sorted, no other is put there"},
    {"apr_os_exp_time_get", "numbers are stored in the record that is there"},
    {"apr_os_exp_time_put", "they are only read"},
    {"apr_os_imp_time_get", "numbers are stored in the record that is there"},
    {"apr_os_imp_time_put", "they are only read"},
    {"apr_pool_child_cleanup_set", "the first function only tells which one is meant"},
    {"apr_pool_cleanup_kill", "the function only tells which one is meant"},
    {"apr_procattr_child_errfn_set", "the function is kept, and called by apr_proc_create"},
    {"apr_proc_mutex_child_init", "the mutex stays the same on Unix"},
    {"apr_global_mutex_child_init", "the same"},
    {"BrotliEncoderCompressStream", "pointers move on inside their buffers"},
    {"BrotliDecoderDecompressStream", "the same"},
    {"ldap_search_ext_s", "vectors of attributes and controls are only read"},
    {"ldap_count_values", "the vector is only read"},
    {"ldap_value_free", "only frees"},
    {"evbuffer_remove_cb", "the function only tells which one is meant"},
    {"onig_initialize", "the vector is only read"},
    {"onig_regset_new", "the last argument is a vector that is only read"},
    {"onig_regset_search_with_param", "the parameters are a vector that is only read"},
    {"onig_set_callback_each_match", "the function is kept, and called by whatever searches"},
    {"onig_set_callout_of_name", "the same"},
    {"onig_set_progress_callout", "the same"},
    {"onig_set_progress_callout_of_match_param", "the same"},
    {"onig_set_retraction_callout", "the same"},
    {"onig_set_retraction_callout_of_match_param", "the same"},
    {"g_iconv", "pointers move on inside their buffers"},
    {"g_build_filenamev", "the vector is only read"},
    {"g_build_pathv", "the same"},
    {"g_bookmark_file_set_groups", "the same"},
    {"g_datalist_foreach", "the data are in what the place points to"},
    {"g_datalist_get_data", "the same"},
    {"g_datalist_get_flags", "the same"},
    {"g_datalist_id_dup_data", "the same"},
    {"g_datalist_id_get_data", "the same"},
    {"g_datalist_id_remove_multiple", "the same"},
    {"g_datalist_id_remove_no_notify", "the same"},
    {"g_datalist_set_flags", "the same"},
    {"g_datalist_unset_flags", "the same"},
    {"g_environ_getenv", "the vector is only read"},
    {"g_environ_setenv", "the vector grows or stays"},
    {"g_environ_unsetenv", "the same"},
    {"g_key_file_load_from_dirs", "the vector of directories is only read"},
    {"g_markup_collect_attributes", "the vectors are only read"},
    {"g_option_context_parse", "argv is put in another order"},
    {"g_option_context_parse_strv", "the same"},
    {"g_test_init", "the same"},
    {"g_spawn_async", "the vectors are only read"},
    {"g_spawn_async_with_fds", "the same"},
    {"g_spawn_async_with_pipes", "the same"},
    {"g_spawn_sync", "the same"},
    {"g_private_new", "the function is kept where g_private_set finds it"},
    {"g_strdupv", "the vector is only read"},
    {"g_strfreev", "only frees"},
    {"g_strjoinv", "the vector is only read"},
    {"g_strv_builder_addv", "the same"},
    {"g_strv_length", "the same"},
    {"g_trash_stack_height", "only counts"},
    {"sqlite3_auto_extension", "it is called with the arguments that it takes"},
    {"sqlite3_cancel_auto_extension", "the function only tells which one is meant"},
    {"sqlite3_create_filename", "the vector is only read"},
    {"sqlite3_drop_modules", "the same"},
    {"sqlite3_free_table", "only frees"},
    {"tgetstr", "the pointer moves on inside its buffer"},
    {"tgetstr_sp", "the same"},
    {"new_menu", "the vector is kept"},
    {"new_menu_sp", "the same"},
    {"set_menu_items", "the same"},
    {"new_form", "the same"},
    {"new_form_sp", "the same"},
    {"set_form_fields", "the same"},
    {"rl_completion_mode", "the function only tells which one is meant"},
    {"rl_unbind_function_in_map", "the same"},
    {"rl_invoking_keyseqs", "the same"},
    {"rl_invoking_keyseqs_in_map", "the same"},
    {"rl_display_match_list", "the vector is only read"},
    {"uv_setup_args", "the same"},
    {"dbus_address_entries_free", "only frees"},
    {"dbus_clear_address_entries", "the same"},
    {"dbus_free_string_array", "the same"},
    {"dbus_connection_remove_filter", "the function only tells which one is meant"},
    {"dbus_server_set_auth_mechanisms", "the vector is only read"},
    {"sd_bus_message_append_strv", "the same"},
    {"sd_bus_emit_properties_changed_strv", "the same"},
    {"sd_bus_emit_interfaces_added_strv", "the same"},
    {"sd_bus_emit_interfaces_removed_strv", "the same"},
    {"sd_journal_open_files", "the vector of paths is only read"},
    {"SDL_AtomicGetPtr", "the place is only read"},
    {"SDL_DelEventWatch", "the function only tells which one is meant"},
    {"SDL_DelHintCallback", "the same"},
    {"SDL_iconv", "pointers move on inside their buffers"},
    {"xmlSAX2StartElement", "the vector is only read"},
    {"xmlSAX2StartElementNs", "the same"},
    {"xmlTextReaderPreservePattern", "the same"},
    {"XInternAtoms", "the vector is only read"},
    {"XFindOnExtensionList", "the same"},
    {"XSetCommand", "the same"},
    {"XSetFontPath", "the same"},
    {"XSetStandardProperties", "the same"},
    {"XSetWMProperties", "the same"},
    {"XmbSetWMProperties", "the same"},
    {"Xutf8SetWMProperties", "the same"},
    {"XStringListToTextProperty", "the same"},
    {"XmbTextListToTextProperty", "the same"},
    {"XwcTextListToTextProperty", "the same"},
    {"Xutf8TextListToTextProperty", "the same"},
    {"XrmParseCommand", "what is left of the vector is moved"},
    {"XFreeStringList", "only frees"},
    {"XFreeExtensionList", "the same"},
    {"XFreeFontInfo", "the same"},
    {"XFreeFontNames", "the same"},
    {"XFreeFontPath", "the same"},
    {"XwcFreeStringList", "the same"},
    {"XRemoveConnectionWatch", "the function only tells which one is meant"},
    {"XUnregisterIMInstantiateCallback", "the same"},
    {"pcap_findalldevs_ex", "pcap_findalldevs is called to do it"},
    {NULL, NULL},
};

/* Declared in those headers, and nothing that programs call; dlsym and dlvsym find anything, and
 * encodings are unknown records of functions. */
static const char *const ignored_prefixes[] = {"la_",
                                               "ns_sprintrr",
                                               "__tg_",
                                               "__bswap",
                                               "__nss_",
                                               "__res_",
                                               "__fp_",
                                               "__p_",
                                               "__sym_",
                                               "__dn_",
                                               "__loc_",
                                               "__b64_",
                                               "__put",
                                               "__hostalias",
                                               "__frexp",
                                               "__lgamma",
                                               "__modf",
                                               "__nan",
                                               "__remquo",
                                               "__sincos",
                                               "__getpayload",
                                               "dlsym",
                                               "dlvsym",
                                               "uv_dlsym",
                                               "SDL_LoadFunction",
                                               "SDL_GL_GetProcAddress",
                                               "SDL_main",
                                               "rl_named_function",
                                               "rl_function_of_keyseq",
                                               "onigenc_get_default_encoding",
                                               "onigenc_set_default_encoding",
                                               NULL};

/* ---- types ---- */

/* kind CXType_Invalid: nothing is known, everything fits. */
static const CXType unknown_type = {.kind = CXType_Invalid};

static CXType canonical(CXType type) {
    return clang_getUnqualifiedType(clang_getCanonicalType(type));
}

static bool is_pointer(CXType type) {
    return type.kind == CXType_Pointer;
}

static bool is_function(CXType type) {
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

/* void, char and unknown types stand for anything. */
static bool is_loose(CXType type) {
    return type.kind == CXType_Invalid || type.kind == CXType_Void || type.kind == CXType_Char_S ||
           type.kind == CXType_UChar;
}

/* Can a value of this type be a pointer, or hold one? */
static bool may_carry(CXType type) {
    return is_pointer(type) || is_loose(type) || type.kind == CXType_Record ||
           (clang_Type_getSizeOf(type) == (long long)sizeof(void *) && type.kind != CXType_Double);
}

static bool fits(CXType to, CXType from) {
    if (is_loose(to) || is_loose(from)) return true;
    if (!may_carry(to) || !may_carry(from)) return false;
    if (!is_pointer(to) || !is_pointer(from)) return true;
    CXType a = canonical(clang_getPointeeType(to)), b = canonical(clang_getPointeeType(from));
    if (is_pointer(a) && is_pointer(b)) return fits(a, b);
    return is_loose(a) || is_loose(b) || clang_equalTypes(a, b);
}

static CXType argument_type(CXType function, uint32_t k) {
    int n = clang_getNumArgTypes(function);
    return (int)k < n ? canonical(clang_getArgType(function, k)) : unknown_type;
}

/* ---- one function ---- */

typedef struct checker {
    const cflri_summaries *summaries;
    bool all; /* must every function have a summary? */
    const char *name;
    CXType function;
    unsigned declared, modelled, problems;
    unsigned touched; /* bit k: argument k is stored through, called or copied into */
    unsigned called;  /* bit k: argument k, or what it points to, is called */
    bool returns;
} checker;

static void problem(checker *c, const char *what) {
    cr_expect(false, "%s: %s", c->name, what);
    c->problems++;
}

static CXType base_type(checker *c, const cflri_summary_value *value) {
    switch (value->base) {
        case CFLRI_SUMMARY_ARGUMENT:
            if ((int)value->number >= clang_getNumArgTypes(c->function) &&
                !clang_isFunctionTypeVariadic(c->function)) {
                problem(c, "names an argument that the function does not have");
            }
            return argument_type(c->function, value->number);
        case CFLRI_SUMMARY_REST:
            if (!clang_isFunctionTypeVariadic(c->function) ||
                clang_getNumArgTypes(c->function) != (int)value->number) {
                problem(c, "argN... is not where its variable arguments begin");
            }
            return unknown_type;
        case CFLRI_SUMMARY_RESULT:
            return canonical(clang_getResultType(c->function));
        default:
            return unknown_type;
    }
}

/* What a value of this type points to. The value of an argument or result that is a record is its
 * address. */
static CXType pointed_type(checker *c, CXType type, bool passed) {
    if (is_pointer(type)) return canonical(clang_getPointeeType(type));
    if (type.kind == CXType_Record && passed) return type; /* by value: its address */
    if (type.kind != CXType_Invalid) problem(c, "follows no pointer");
    return unknown_type;
}

/* Members that summaries add to a record lie behind all that it has. */
enum { FIRST_HIDDEN = 4096 };

static CXType value_type(checker *c, const cflri_summary_value *value) {
    CXType type = base_type(c, value);
    uint32_t offset = 0;
    for (uint32_t i = 0; i < value->n_steps; i++) {
        if (value->step[i] != CFLRI_SUMMARY_DEREF) {
            offset += value->step[i];
            continue;
        }
        CXType to =
            pointed_type(c, type, i == 0 || (i == 1 && value->step[0] != CFLRI_SUMMARY_DEREF));
        long long size = clang_Type_getSizeOf(to);
        bool member = i > 0 && value->step[i - 1] != CFLRI_SUMMARY_DEREF;
        bool hidden = offset >= FIRST_HIDDEN;
        if (member && offset > 0 && size > 1 && (long long)offset >= size && !hidden) {
            problem(c, "a member lies outside of its record");
        }
        /* The content of a record is one of its members. */
        offset = 0;
        bool whole = to.kind == CXType_Record || to.kind == CXType_ConstantArray; /* va_list */
        type = member || whole || is_loose(to) ? unknown_type : to;
    }
    bool address = value->n_steps > 0 && value->step[value->n_steps - 1] != CFLRI_SUMMARY_DEREF;
    return address ? unknown_type : type; /* of a member, whose type is not known here */
}

static void touch(checker *c, const cflri_summary_value *value) {
    if (value->base == CFLRI_SUMMARY_ARGUMENT && value->number < 32)
        c->touched |= 1u << value->number;
    if (value->base == CFLRI_SUMMARY_RESULT && value->n_steps == 0) c->returns = true;
}

static void check_call(checker *c, const cflri_summary_effect *effect) {
    CXType type = value_type(c, &effect->source);
    if (effect->source.base == CFLRI_SUMMARY_ARGUMENT && effect->source.number < 32) {
        c->called |= 1u << effect->source.number;
    }
    if (is_pointer(type)) type = canonical(clang_getPointeeType(type));
    if (type.kind == CXType_Invalid || type.kind == CXType_Void)
        type = unknown_type;
    else if (!is_function(type))
        problem(c, "calls what is no function");
    bool known = type.kind == CXType_FunctionProto;
    int n = known ? clang_getNumArgTypes(type) : 0;
    /* makecontext takes a function without arguments and calls it with some. */
    bool more = known && clang_isFunctionTypeVariadic(type) && n < (int)effect->n_arguments;
    if (n > 0 && n != (int)effect->n_arguments && !more) {
        problem(c, "calls with another number of arguments");
    }
    const cflri_summary_value *arguments = c->summaries->arguments.at + effect->first_argument;
    for (uint32_t k = 0; k < effect->n_arguments; k++) {
        CXType parameter = known ? argument_type(type, k) : unknown_type;
        if (arguments[k].base == CFLRI_SUMMARY_NOTHING) {
            if (is_pointer(parameter)) problem(c, "passes nothing where a pointer is expected");
        } else if (!fits(parameter, value_type(c, &arguments[k]))) {
            problem(c, "passes an argument of another type");
        }
    }
    if (effect->has_target) {
        touch(c, &effect->target);
        CXType result = known ? canonical(clang_getResultType(type)) : unknown_type;
        if (!fits(value_type(c, &effect->target), result)) problem(c, "result of another type");
    }
}

/* A function that an object of the library keeps is called by what is done with the object. */
static bool is_kept(const cflri_summary_effect *effect) {
    const cflri_summary_value *to = &effect->target, *from = &effect->source;
    bool argument = from->base == CFLRI_SUMMARY_ARGUMENT && from->n_steps == 0 && from->number < 32;
    bool member = to->n_steps > 1 && to->step[to->n_steps - 2] != CFLRI_SUMMARY_DEREF;
    return argument && member && to->step[to->n_steps - 2] >= FIRST_HIDDEN;
}

static void check_effect(checker *c, const cflri_summary_effect *effect) {
    if (effect->verb == CFLRI_SUMMARY_CALL) {
        check_call(c, effect);
        return;
    }
    if (!effect->data) touch(c, &effect->target);
    if (is_kept(effect)) c->called |= 1u << effect->source.number;
    CXType to = value_type(c, &effect->target), from = value_type(c, &effect->source);
    if (effect->data) {
        if (is_pointer(to) || is_pointer(from)) problem(c, "data is a number or text, no pointer");
    } else if (!fits(to, from))
        problem(c, "a value goes where its type does not fit");
}

static bool is_innocent(const char *name) {
    for (size_t i = 0; innocent[i].function; i++) {
        if (strcmp(innocent[i].function, name) == 0) return true;
    }
    return false;
}

/* What the declaration suggests must be in the summary. */
static void check_completeness(checker *c) {
    if (is_pointer(canonical(clang_getResultType(c->function))) && !c->returns) {
        problem(c, "returns a pointer from nowhere");
    }
    for (int k = 0; k < clang_getNumArgTypes(c->function) && k < 32; k++) {
        CXType type = argument_type(c->function, (uint32_t)k);
        if (!is_pointer(type)) continue;
        CXType pointee = clang_getCanonicalType(clang_getPointeeType(type));
        bool out = is_pointer(pointee) && !clang_isConstQualifiedType(pointee) &&
                   !is_function(canonical(clang_getPointeeType(pointee)));
        if (out && !(c->touched & 1u << k))
            problem(c, "stores nothing through a pointer to a pointer");
        if (is_function(canonical(pointee)) && !(c->called & 1u << k)) {
            problem(c, "does not call a function it is given");
        }
    }
}

/* ---- all functions ---- */

static bool has_pointers(CXType function) {
    if (is_pointer(canonical(clang_getResultType(function)))) return true;
    for (int k = 0; k < clang_getNumArgTypes(function); k++) {
        if (is_pointer(argument_type(function, (uint32_t)k))) return true;
    }
    return false;
}

static bool is_ignored(const char *name) {
    for (size_t i = 0; ignored_prefixes[i]; i++) {
        if (strncmp(name, ignored_prefixes[i], strlen(ignored_prefixes[i])) == 0) return true;
    }
    return strstr(name, "f32") || strstr(name, "f64"); /* lgammaf32_r and the like: numbers */
}

static void check_function(checker *c, CXCursor cursor) {
    c->function = canonical(clang_getCursorType(cursor));
    c->touched = c->called = 0;
    c->returns = false;
    c->declared++;
    uint32_t id = cflri_strings_find(&c->summaries->strings, c->name, strlen(c->name));
    if (id >= c->summaries->names.n || !c->summaries->names.at[id].function) {
        bool defined = !clang_Cursor_isNull(clang_getCursorDefinition(cursor));
        bool expected = c->all && !defined && has_pointers(c->function) && !is_ignored(c->name);
        if (expected) problem(c, "has no summary");
        return;
    }
    c->modelled++;
    uint32_t number = c->summaries->names.at[id].function;
    const cflri_summary_entry *entry = &c->summaries->entries.at[number];
    for (uint32_t i = 0; i < entry->n_effects; i++) {
        check_effect(c, &c->summaries->effects.at[entry->first_effect + i]);
    }
    if (!is_innocent(c->name)) check_completeness(c);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl) return CXChildVisit_Continue;
    /* once for each function: its first declaration */
    if (!clang_equalCursors(cursor, clang_getCanonicalCursor(cursor))) return CXChildVisit_Continue;
    checker *c = data;
    CXString spelling = clang_getCursorSpelling(cursor);
    c->name = clang_getCString(spelling);
    check_function(c, cursor);
    clang_disposeString(spelling);
    return CXChildVisit_Continue;
}

/* Where Debian has the Apache Portable Runtime. */
#define PORTABLE_RUNTIME "-I/usr/include/apr-1.0"

/* And other libraries whose headers have a directory of their own. */
#define INCLUDES                                                               \
    "-I/usr/include/glib-2.0", "-I/usr/lib/x86_64-linux-gnu/glib-2.0/include", \
        "-I/usr/include/libxml2", "-I/usr/include/dbus-1.0",                   \
        "-I/usr/lib/x86_64-linux-gnu/dbus-1.0/include"

static CXTranslationUnit parse_headers(CXIndex index, const char *const *names, size_t n) {
    static char source[16384];
    size_t used = (size_t)sprintf(
        source, "#define _GNU_SOURCE\n#define PCRE2_CODE_UNIT_WIDTH 8\n#include <stdio.h>\n");
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(source + used, sizeof source - used,
                                 "#if __has_include(<%s>)\n#include <%s>\n#endif\n", names[i],
                                 names[i]);
        cr_assert_lt(used, sizeof source);
    }
    struct CXUnsavedFile file = {"headers.c", source, used};
    const char *const arguments[] = {"-std=gnu11", "-w", PORTABLE_RUNTIME, INCLUDES};
    const int n_arguments = sizeof arguments / sizeof *arguments;
    CXTranslationUnit unit = clang_parseTranslationUnit(index, "headers.c", arguments, n_arguments,
                                                        &file, 1, CXTranslationUnit_None);
    cr_assert(unit, "libclang could not parse the headers");
    return unit;
}

/* Checks what these headers declare; how many functions of them have a summary. */
static unsigned check_headers(const char *const *names, size_t n, bool all) {
    cflr_context *context;
    cflri_summaries *summaries;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    cr_assert_eq(cflri_summaries_new(context, NULL, 0, &summaries, NULL), CFLR_OK);
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = parse_headers(index, names, n);
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        cr_expect_lt(clang_getDiagnosticSeverity(diagnostic), CXDiagnostic_Error,
                     "the headers do not parse");
        clang_disposeDiagnostic(diagnostic);
    }
    checker c = {.summaries = summaries, .all = all};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, &c);
    cr_expect_eq(c.problems, 0);
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    cflri_summaries_free(summaries);
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
    return c.modelled;
}

Test(summary_prototypes, agree_with_the_headers) {
    cr_expect_gt(check_headers(headers, sizeof headers / sizeof *headers, true), 1700);
}

Test(summary_prototypes, agree_with_libraries_that_are_there) {
    check_headers(libraries, sizeof libraries / sizeof *libraries, false);
    check_headers(libxml, sizeof libxml / sizeof *libxml, false);
    check_headers(xlib, sizeof xlib / sizeof *xlib, false);
    check_headers(portable_runtime, sizeof portable_runtime / sizeof *portable_runtime, false);
    check_headers(callback_libraries, sizeof callback_libraries / sizeof *callback_libraries, true);
    check_headers(libev, sizeof libev / sizeof *libev, false);
}

Test(summary_prototypes, agree_with_other_libraries_that_are_there) {
    for (size_t i = 0; i < sizeof other_libraries / sizeof *other_libraries; i++) {
        size_t n = 0;
        while (n < MOST_HEADERS && other_libraries[i][n]) n++;
        check_headers(other_libraries[i], n, true);
    }
}
