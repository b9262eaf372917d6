/* Text from outside: streams in memory, vectors of strings, walks of trees, system databases. */
#define _GNU_SOURCE
#include <argz.h>
#include <envz.h>
#include <fts.h>
#include <ftw.h>
#include <netdb.h>
#include <obstack.h>
#include <shadow.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void put(FILE *file, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(file, format, list);
    va_end(list);
}

static int memory(const char *text) {
    char *command = NULL, word[8] = "", *made = NULL;
    size_t n;
    FILE *file = open_memstream(&command, &n);
    put(file, "ls %s", text);
    fclose(file);
    int found = system(command); /* bug */
    file = fmemopen((char *)text, 8, "r");
    fscanf(file, "%7s", word);
    found += system(word); /* bug */
    sscanf(text, "%ms", &made);
    return found + system(made); /* bug */
}

static int vectors(const char *text) {
    char *vector = NULL, *named = NULL;
    size_t n = 0, m = 0;
    struct obstack stack;
    argz_create_sep(text, ':', &vector, &n);
    envz_add(&named, &m, "command", text);
    obstack_init(&stack);
    obstack_printf(&stack, "ls %s", text);
    obstack_1grow(&stack, 0);
    int found = system(argz_next(vector, n, NULL));        /* bug */
    found += system(envz_get(named, m, "command"));        /* bug */
    return found + system((char *)obstack_finish(&stack)); /* bug */
}

static int visit(const char *path, const struct stat *about, int type) {
    return type == FTW_F && about->st_size ? system(path) : 0; /* bug */
}

static int visit_base(const char *path, const struct stat *about, int type, struct FTW *walk) {
    return type == FTW_F && about->st_size ? system(path + walk->base) : 0; /* bug */
}

static int trees(void) {
    char *root[] = {".", NULL};
    FTS *tree = fts_open(root, FTS_PHYSICAL, NULL);
    FTSENT *child = fts_children(tree, 0);
    return ftw(".", visit, 3) + nftw(".", visit_base, 3, 0) + system(child->fts_name); /* bug */
}

static int bases(void) {
    struct servent *service = getservbyport(80, "tcp");
    struct protoent *protocol = getprotobynumber(6);
    struct netent *net = getnetbyname("loopback");
    struct spwd *shadow = getspent();
    int found = system(service->s_name);    /* bug */
    found += system(protocol->p_name);      /* bug */
    found += system(net->n_name);           /* bug */
    return found + system(shadow->sp_namp); /* bug */
}

static int harmless(const char *text) {
    char *command = NULL;
    size_t n;
    FILE *file = open_memstream(&command, &n);
    fprintf(stderr, "%s", text);
    fputs("ls", file);
    fclose(file);
    return system(command);
}

int main(void) {
    const char *text = getenv("TEXT");
    if (!text) return 1;
    return memory(text) + vectors(text) + trees() + bases() + harmless(text);
}
