/* SPDX-License-Identifier: Apache-2.0
 *
 * network.c: the data bases of the network, addresses, messages and their options (netdb.h,
 * arpa/inet.h, net/if.h, netinet/in.h,
 * netinet/ether.h, aliases.h, resolv.h).
 *
 * Only what is answered without a network is asked: numbers, and the machine's own files. What
 * they lack is not looked at.
 */
#include <aliases.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <netinet/ip6.h>
#include <resolv.h>
#include <rpc/netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "expect.h"

/* ---- hosts ---- */

static void hosts(void) {
    struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    struct hostent *a = gethostbyname("127.0.0.1");
    if (a) {
        char *name = a->h_name, **aliases = a->h_aliases, **list = a->h_addr_list;
        char *address = list[0];
        KNOWN(a);
        KNOWN(name);
        KNOWN(aliases);
        KNOWN(list);
        KNOWN(address);
    }
    struct hostent *b = gethostbyname2("127.0.0.1", AF_INET);
    struct hostent *c = gethostbyaddr(&loopback, sizeof loopback, AF_INET);
    struct hostent *d = gethostent();
    endhostent();
    if (b) KNOWN(b);
    if (c) KNOWN(c);
    if (d) KNOWN(d);
}

static void hosts_r(void) {
    int fault;
    struct hostent first, second, third, fourth, *a = NULL, *b = NULL, *c = NULL, *d = NULL;
    static char one[8192], two[8192], three[8192], four[8192];
    struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    gethostbyname_r("127.0.0.1", &first, one, sizeof one, &a, &fault);
    if (a) {
        char *name = a->h_name, **aliases = first.h_aliases, **list = a->h_addr_list;
        char *address = list[0];
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(aliases, one);
        POINTS_TO(list, one);
        POINTS_TO(address, one);
    }
    gethostbyname2_r("127.0.0.1", AF_INET, &second, two, sizeof two, &b, &fault);
    if (b) {
        char *name = b->h_name, **list = second.h_addr_list;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(list, two);
    }
    gethostbyaddr_r(&loopback, sizeof loopback, AF_INET, &third, three, sizeof three, &c, &fault);
    if (c) {
        char *name = c->h_name, **aliases = third.h_aliases, **list = third.h_addr_list;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(aliases, three);
        POINTS_TO(list, three);
    }
    gethostent_r(&fourth, four, sizeof four, &d, &fault);
    endhostent();
    if (d) {
        char *name = d->h_name, **aliases = fourth.h_aliases, **list = fourth.h_addr_list;
        POINTS_TO(d, fourth);
        POINTS_TO(name, four);
        POINTS_TO(aliases, four);
        POINTS_TO(list, four);
    }
}

/* ---- networks ---- */

static void networks(void) {
    struct netent *a = getnetbyname("loopback");
    struct netent *b = getnetbyaddr(0x7f000000, AF_INET);
    struct netent *c = getnetent();
    endnetent();
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    if (!c) return;
    char *name = c->n_name, **aliases = c->n_aliases;
    KNOWN(c);
    KNOWN(name);
    KNOWN(aliases);
}

static void networks_r(void) {
    int fault;
    struct netent first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    getnetbyname_r("loopback", &first, one, sizeof one, &a, &fault);
    if (a) {
        char *name = a->n_name, **aliases = first.n_aliases;
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(aliases, one);
    }
    getnetbyaddr_r(0x7f000000, AF_INET, &second, two, sizeof two, &b, &fault);
    if (b) {
        char *name = b->n_name, **aliases = second.n_aliases;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(aliases, two);
    }
    getnetent_r(&third, three, sizeof three, &c, &fault);
    endnetent();
    if (c) {
        char *name = c->n_name, **aliases = third.n_aliases;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(aliases, three);
    }
}

/* ---- protocols ---- */

static void protocols(void) {
    struct protoent *a = getprotobyname("tcp");
    struct protoent *b = getprotobynumber(6);
    struct protoent *c = getprotoent();
    endprotoent();
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    if (!c) return;
    char *name = c->p_name, **aliases = c->p_aliases, *alias = aliases[0];
    KNOWN(c);
    KNOWN(name);
    KNOWN(aliases);
    if (alias) KNOWN(alias);
}

static void protocols_r(void) {
    struct protoent first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    getprotobyname_r("tcp", &first, one, sizeof one, &a);
    if (a) {
        char *name = a->p_name, **aliases = first.p_aliases, *alias = aliases[0];
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(aliases, one);
        if (alias) POINTS_TO(alias, one);
    }
    getprotobynumber_r(6, &second, two, sizeof two, &b);
    if (b) {
        char *name = b->p_name, **aliases = second.p_aliases;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(aliases, two);
    }
    getprotoent_r(&third, three, sizeof three, &c);
    endprotoent();
    if (c) {
        char *name = c->p_name, **aliases = third.p_aliases;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(aliases, three);
    }
}

/* ---- services ---- */

static void services(void) {
    struct servent *a = getservbyname("http", "tcp");
    struct servent *b = getservbyport(htons(80), "tcp");
    struct servent *c = getservent();
    endservent();
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    if (!c) return;
    char *name = c->s_name, **aliases = c->s_aliases, *protocol = c->s_proto;
    KNOWN(c);
    KNOWN(name);
    KNOWN(aliases);
    KNOWN(protocol);
}

static void services_r(void) {
    struct servent first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    getservbyname_r("http", "tcp", &first, one, sizeof one, &a);
    if (a) {
        char *name = a->s_name, **aliases = first.s_aliases, *alias = aliases[0];
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(aliases, one);
        if (alias) POINTS_TO(alias, one);
    }
    getservbyport_r(htons(80), NULL, &second, two, sizeof two, &b);
    if (b) {
        char *name = b->s_name, **aliases = second.s_aliases, *protocol = second.s_proto;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(aliases, two);
        POINTS_TO(protocol, two);
    }
    getservent_r(&third, three, sizeof three, &c);
    endservent();
    if (c) {
        char *name = c->s_name, **aliases = third.s_aliases, *protocol = third.s_proto;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(aliases, three);
        POINTS_TO(protocol, three);
    }
}

/* ---- remote procedures ---- */

static void procedures(void) {
    struct rpcent *a = getrpcbyname("portmapper");
    struct rpcent *b = getrpcbynumber(100000);
    struct rpcent *c = getrpcent();
    endrpcent();
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    if (!c) return;
    char *name = c->r_name, **aliases = c->r_aliases;
    KNOWN(c);
    KNOWN(name);
    KNOWN(aliases);
}

static void procedures_r(void) {
    struct rpcent first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    getrpcbyname_r("portmapper", &first, one, sizeof one, &a);
    if (a) {
        char *name = a->r_name, **aliases = first.r_aliases, *alias = aliases[0];
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(aliases, one);
        if (alias) POINTS_TO(alias, one);
    }
    getrpcbynumber_r(100000, &second, two, sizeof two, &b);
    if (b) {
        char *name = b->r_name, **aliases = second.r_aliases;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(aliases, two);
    }
    getrpcent_r(&third, three, sizeof three, &c);
    endrpcent();
    if (c) {
        char *name = c->r_name, **aliases = third.r_aliases;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(aliases, three);
    }
}

/* ---- mail aliases ---- */

static void mail(void) {
    struct aliasent *a = getaliasent();
    endaliasent();
    struct aliasent *b = getaliasbyname("root");
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    struct aliasent first, second, *c = NULL, *d = NULL;
    char one[1024], two[1024];
    getaliasent_r(&first, one, sizeof one, &c);
    endaliasent();
    if (c) POINTS_TO(c, first);
    getaliasbyname_r("root", &second, two, sizeof two, &d);
    if (d) POINTS_TO(d, second);
}

/* ---- addresses and interfaces ---- */

static void addresses(void) {
    struct ether_addr *a = ether_aton("00:11:22:33:44:55"), *b = ether_aton("0:0:0:0:0:0");
    SAME(a, b);
    KNOWN(a);
    struct ether_addr address;
    struct ether_addr *c = ether_aton_r("00:11:22:33:44:55", &address);
    POINTS_TO(c, address);
    char *d = ether_ntoa(&address), *e = ether_ntoa(&address);
    SAME(d, e);
    KNOWN(d);
    char text[64];
    char *f = ether_ntoa_r(&address, text);
    POINTS_TO(f, text);
    unsigned char point[4] = {1, 2, 3, 4};
    char *g = inet_nsap_ntoa(sizeof point, point, text);
    POINTS_TO(g, text);
    char *h = inet_nsap_ntoa(sizeof point, point, NULL);
    KNOWN(h);
    const char *i = gai_strerror(EAI_FAIL);
    const char *j = hstrerror(HOST_NOT_FOUND);
    KNOWN(i);
    KNOWN(j);
}

static void interfaces(void) {
    struct if_nameindex *a = if_nameindex();
    if (!a) return;
    char *name = a[0].if_name;
    FRESH(a);
    if (name) FRESH(name);
    char space[IF_NAMESIZE];
    char *b = name ? if_indextoname(a[0].if_index, space) : NULL;
    if (b) POINTS_TO(b, space);
    if_freenameindex(a);
}

static void asynchronous_addresses(void) {
    struct gaicb request = {.ar_name = "127.0.0.1"}, *list[] = {&request};
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET};
    request.ar_request = &hints;
    if (getaddrinfo_a(GAI_WAIT, list, 1, NULL) || gai_error(&request)) return;
    struct addrinfo *a = request.ar_result;
    struct sockaddr *b = a->ai_addr;
    KNOWN(a);
    KNOWN(b);
    freeaddrinfo(a);
}

/* ---- messages ---- */

static void control(void) {
    union {
        struct cmsghdr first;
        char space[256];
    } buffer;
    memset(&buffer, 0, sizeof buffer);
    struct msghdr message = {.msg_control = &buffer, .msg_controllen = sizeof buffer};
    struct cmsghdr *a = CMSG_FIRSTHDR(&message);
    a->cmsg_len = CMSG_LEN(sizeof(int));
    struct cmsghdr *b = CMSG_NXTHDR(&message, a);
    POINTS_TO(a, buffer);
    POINTS_TO(b, buffer);
}

static void compression(void) {
    unsigned char message[256] = {0};
    const unsigned char *names[8] = {message, NULL};
    int n = dn_comp("example.org", message + 12, 200, (unsigned char **)names,
                    (unsigned char **)names + 8);
    const unsigned char *a = names[1];
    if (n > 0 && a) POINTS_TO(a, message);
    struct __res_state *b = &_res, *c = &_res;
    SAME(b, c);
    KNOWN(b);
}

static void packet_options(void) {
    char header[64] = "";
    int at = inet6_opt_init(header, sizeof header);
    void *a = NULL, *b = NULL, *c = NULL;
    unsigned char type;
    socklen_t size;
    at = inet6_opt_append(header, sizeof header, at, 17, 4, 4, &a);
    if (at < 0) return;
    char value[] = "text";
    inet6_opt_set_val(a, 0, value, 4);
    inet6_opt_finish(header, sizeof header, at);
    POINTS_TO(a, header);
    inet6_opt_next(header, sizeof header, 0, &type, &size, &b);
    POINTS_TO(b, header);
    inet6_opt_find(header, sizeof header, 0, 17, &size, &c);
    POINTS_TO(c, header);
    char route[128];
    void *d = inet6_rth_init(route, sizeof route, IPV6_RTHDR_TYPE_0, 2);
    POINTS_TO(d, route);
    inet6_rth_add(d, &in6addr_loopback);
    struct in6_addr *e = inet6_rth_getaddr(route, 0);
    POINTS_TO(e, route);
}

/* The options of RFC 2292, which the C library still has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void old_packet_options(void) {
    union {
        struct cmsghdr first;
        char space[256];
    } buffer;
    memset(&buffer, 0, sizeof buffer);
    struct cmsghdr *a = NULL;
    if (inet6_option_init(&buffer, &a, IPV6_HOPOPTS)) return;
    POINTS_TO(a, buffer);
    unsigned char *b = inet6_option_alloc(a, 8, 4, 0);
    if (!b) return;
    POINTS_TO(b, buffer);
    memset(b, 0, 8);
    b[0] = 17;
    b[1] = 6;
    unsigned char *c = NULL, *d = NULL;
    inet6_option_next(a, &c);
    inet6_option_find(a, &d, 17);
    if (c) POINTS_TO(c, buffer);
    if (d) POINTS_TO(d, buffer);
}

static void net_groups(void) {
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, space[1024];
    if (setnetgrent("trusted") && getnetgrent(&a, &b, &c)) {
        if (a) KNOWN(a);
        if (b) KNOWN(b);
        if (c) KNOWN(c);
    }
    if (setnetgrent("trusted") && getnetgrent_r(&d, &e, &f, space, sizeof space)) {
        if (d) POINTS_TO(d, space);
        if (e) POINTS_TO(e, space);
        if (f) POINTS_TO(f, space);
    }
    endnetgrent();
}

void run_network(void);
void run_network(void) {
    hosts();
    hosts_r();
    networks();
    networks_r();
    protocols();
    protocols_r();
    services();
    services_r();
    procedures();
    procedures_r();
    mail();
    addresses();
    interfaces();
    asynchronous_addresses();
    control();
    compression();
    packet_options();
    old_packet_options();
    net_groups();
}
