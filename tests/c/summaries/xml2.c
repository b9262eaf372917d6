/* SPDX-License-Identifier: Apache-2.0
 *
 * xml2.c: libxml2: trees that are made and parsed, handlers, hash tables and lists, XPath, errors.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef unsigned char xmlChar;
typedef struct xmlNs {
    struct xmlNs *next;
    int type;
    const xmlChar *href, *prefix;
} xmlNs;
typedef struct xmlNode {
    void *private;
    int type;
    const xmlChar *name;
    struct xmlNode *children, *last, *parent, *next, *prev;
    struct xmlDoc *doc;
    xmlNs *ns;
    xmlChar *content;
    struct xmlAttr *properties;
    xmlNs *ns_def;
} xmlNode;
typedef struct xmlAttr {
    void *private;
    int type;
    const xmlChar *name;
    xmlNode *children, *last, *parent;
    struct xmlAttr *next, *prev;
    struct xmlDoc *doc;
} xmlAttr;
typedef struct xmlDoc {
    void *private;
    int type;
    char *name;
    xmlNode *children, *last, *parent, *next, *prev;
    struct xmlDoc *doc;
} xmlDoc;
typedef struct xmlNodeSet {
    int n, most;
    xmlNode **nodes;
} xmlNodeSet;
typedef struct xmlXPathObject {
    int type;
    xmlNodeSet *set;
} xmlXPathObject;
typedef struct xmlXPathContext {
    xmlDoc *doc;
    xmlNode *node;
} xmlXPathContext;
typedef struct xmlSAXHandler {
    void (*before[14])(void);
    void (*start)(void *, const xmlChar *, const xmlChar **);
    void (*end)(void *, const xmlChar *);
    void (*between)(void);
    void (*characters)(void *, const xmlChar *, int);
    void (*after[9])(void);
    unsigned initialized;
    void *rest[4];
} xmlSAXHandler;
typedef struct xmlHashTable xmlHashTable;
typedef struct xmlList xmlList;
typedef struct xmlLink xmlLink;
typedef struct xmlParserCtxt xmlParserCtxt;
typedef struct xmlTextReader xmlTextReader;
typedef struct xmlError xmlError;

xmlDoc *xmlNewDoc(const xmlChar *), *xmlReadMemory(const char *, int, const char *, const char *, int);
xmlDoc *xmlReadIO(int (*)(void *, char *, int), int (*)(void *), void *, const char *, const char *,
                  int);
xmlNode *xmlNewNode(xmlNs *, const xmlChar *), *xmlDocSetRootElement(xmlDoc *, xmlNode *);
xmlNode *xmlDocGetRootElement(const xmlDoc *), *xmlAddChild(xmlNode *, xmlNode *);
xmlNode *xmlNewChild(xmlNode *, xmlNs *, const xmlChar *, const xmlChar *);
xmlNode *xmlAddNextSibling(xmlNode *, xmlNode *), *xmlFirstElementChild(xmlNode *);
xmlNode *xmlNextElementSibling(xmlNode *), *xmlGetLastChild(const xmlNode *);
xmlAttr *xmlNewProp(xmlNode *, const xmlChar *, const xmlChar *);
xmlChar *xmlGetProp(const xmlNode *, const xmlChar *), *xmlStrdup(const xmlChar *);
const xmlChar *xmlStrchr(const xmlChar *, xmlChar);
xmlNs *xmlNewNs(xmlNode *, const xmlChar *, const xmlChar *);
xmlNs *xmlSearchNs(xmlDoc *, xmlNode *, const xmlChar *);
void xmlDocDumpMemory(xmlDoc *, xmlChar **, int *), xmlFreeDoc(xmlDoc *);
extern void (*xmlFree)(void *);
int xmlSAXUserParseMemory(xmlSAXHandler *, void *, const char *, int);
xmlParserCtxt *xmlCreatePushParserCtxt(xmlSAXHandler *, void *, const char *, int, const char *);
int xmlParseChunk(xmlParserCtxt *, const char *, int, int);
void xmlFreeParserCtxt(xmlParserCtxt *);
xmlHashTable *xmlHashCreate(int);
int xmlHashAddEntry(xmlHashTable *, const xmlChar *, void *);
void *xmlHashLookup(xmlHashTable *, const xmlChar *);
void xmlHashScan(xmlHashTable *, void (*)(void *, void *, const xmlChar *), void *);
void xmlHashFree(xmlHashTable *, void (*)(void *, const xmlChar *));
xmlList *xmlListCreate(void (*)(xmlLink *), int (*)(const void *, const void *));
int xmlListAppend(xmlList *, void *);
xmlLink *xmlListFront(xmlList *);
void *xmlLinkGetData(xmlLink *), xmlListDelete(xmlList *);
void xmlListWalk(xmlList *, int (*)(const void *, void *), void *);
xmlXPathContext *xmlXPathNewContext(xmlDoc *);
xmlXPathObject *xmlXPathEvalExpression(const xmlChar *, xmlXPathContext *);
void xmlXPathFreeObject(xmlXPathObject *), xmlXPathFreeContext(xmlXPathContext *);
void xmlSetStructuredErrorFunc(void *, void (*)(void *, xmlError *));
xmlTextReader *xmlReaderForMemory(const char *, int, const char *, const char *, int);
int xmlTextReaderRead(xmlTextReader *);
xmlNode *xmlTextReaderCurrentNode(xmlTextReader *);
const xmlChar *xmlTextReaderConstName(xmlTextReader *);
void xmlFreeTextReader(xmlTextReader *);

static int one, two, three, tag, other_tag;
static const xmlChar name[] = "name";

/* ---- trees ---- */

static void trees(void) {
    xmlDoc *doc = xmlNewDoc(NULL);
    FRESH(doc);
    xmlNode *root = xmlNewNode(NULL, name);
    xmlDocSetRootElement(doc, root);
    xmlNode *a = xmlDocGetRootElement(doc);
    SAME(a, root);
    xmlDoc *of_root = root->doc;
    SAME(of_root, doc);
    xmlNode *first = xmlNewChild(root, NULL, name, (const xmlChar *)"text");
    xmlNode *second = xmlNewNode(NULL, name), *third = xmlNewNode(NULL, name);
    FRESH(first);
    xmlAddChild(root, second);
    xmlAddNextSibling(first, third);
    xmlNode *b = root->children, *c = first->next, *d = third->next, *e = xmlGetLastChild(root);
    SAME(b, first);
    SAME(c, third);
    SAME(d, second);
    SAME(e, second);
    xmlNode *up = third->parent, *f = xmlFirstElementChild(root), *g = xmlNextElementSibling(f);
    SAME(up, root);
    SAME(f, first);
    SAME(g, third);
    xmlAttr *attribute = xmlNewProp(root, name, (const xmlChar *)"v"), *h = root->properties;
    KNOWN(attribute);
    SAME(h, attribute);
    xmlChar *value = xmlGetProp(root, name);
    FRESH(value);
    xmlNs *space = xmlNewNs(root, (const xmlChar *)"urn:x", (const xmlChar *)"x");
    xmlNs *i = xmlSearchNs(doc, third, (const xmlChar *)"x");
    SAME(i, space);
    root->private = &tag;
    void *j = xmlDocGetRootElement(doc)->private;
    POINTS_TO(j, tag);
    xmlChar *dump = NULL;
    int size;
    xmlDocDumpMemory(doc, &dump, &size);
    FRESH(dump);
    xmlFree(dump);
    xmlFree(value);
    xmlDoc *other = xmlReadMemory("<a b='c'><d>text</d></a>", 24, NULL, NULL, 0);
    FRESH(other);
    APART(other, doc);
    xmlNode *k = xmlDocGetRootElement(other), *l = k->children, *m = l->children, *n = l->parent;
    KNOWN(k);
    KNOWN(m);
    SAME(n, k);
    APART(k, root);
    xmlChar *text = m->content;
    KNOWN(text);
    xmlXPathContext *context = xmlXPathNewContext(other);
    xmlXPathObject *object = xmlXPathEvalExpression((const xmlChar *)"//d", context);
    xmlNode *found = object->set->nodes[0];
    SAME(found, l);
    xmlXPathFreeObject(object);
    xmlXPathFreeContext(context);
    xmlFreeDoc(other);
    xmlFreeDoc(doc);
}

/* ---- handlers ---- */

static void *seen_start, *seen_push, *seen_stream, *seen_closed, *seen_error;
static const xmlChar *seen_name;

static void on_start(void *user, const xmlChar *element, const xmlChar **attributes) {
    (void)attributes;
    seen_start = user;
    seen_name = element;
}

static void on_push(void *user, const xmlChar *element, const xmlChar **attributes) {
    (void)element, (void)attributes;
    seen_push = user;
}

static int on_read(void *stream, char *bytes, int n) {
    (void)bytes, (void)n;
    seen_stream = stream;
    return 0;
}

static int on_close(void *stream) {
    seen_closed = stream;
    return 0;
}

static void on_error(void *user, xmlError *error) {
    (void)error;
    seen_error = user;
}

static void handlers(void) {
    static xmlSAXHandler handler, push;
    handler.start = on_start;
    push.start = on_push;
    xmlSAXUserParseMemory(&handler, &one, "<a/>", 4);
    void *a = seen_start;
    POINTS_TO(a, one);
    const xmlChar *b = seen_name;
    KNOWN(b);
    xmlParserCtxt *context = xmlCreatePushParserCtxt(&push, &two, NULL, 0, NULL);
    FRESH(context);
    xmlParseChunk(context, "<a/>", 4, 1);
    xmlFreeParserCtxt(context);
    void *c = seen_push;
    POINTS_TO(c, two);
    APART(a, c);
    xmlSetStructuredErrorFunc(&three, on_error);
    xmlReadIO(on_read, on_close, &tag, NULL, NULL, 0);
    xmlSetStructuredErrorFunc(NULL, NULL);
    void *d = seen_stream, *e = seen_closed, *f = seen_error;
    POINTS_TO(d, tag);
    POINTS_TO(e, tag);
    POINTS_TO(f, three);
    xmlTextReader *reader = xmlReaderForMemory("<a/>", 4, NULL, NULL, 0);
    FRESH(reader);
    xmlTextReaderRead(reader);
    xmlNode *node = xmlTextReaderCurrentNode(reader);
    KNOWN(node);
    const xmlChar *g = xmlTextReaderConstName(reader);
    KNOWN(g);
    xmlFreeTextReader(reader);
}

/* ---- tables and lists ---- */

static void *seen_value, *seen_user, *seen_freed, *seen_walk;

static void on_scan(void *value, void *user, const xmlChar *key) {
    (void)key;
    seen_value = value;
    seen_user = user;
}

static void on_free(void *value, const xmlChar *key) {
    (void)key;
    seen_freed = value;
}

static int on_walk(const void *value, void *user) {
    (void)value;
    seen_walk = user;
    return 1;
}

static int compare(const void *left, const void *right) {
    return left < right ? -1 : left > right;
}

static void tables(void) {
    xmlHashTable *table = xmlHashCreate(4);
    xmlHashAddEntry(table, name, &one);
    void *a = xmlHashLookup(table, name);
    POINTS_TO(a, one);
    xmlHashScan(table, on_scan, &other_tag);
    void *b = seen_value, *c = seen_user;
    POINTS_TO(b, one);
    POINTS_TO(c, other_tag);
    xmlHashFree(table, on_free);
    void *d = seen_freed;
    POINTS_TO(d, one);
    xmlList *list = xmlListCreate(NULL, compare);
    xmlListAppend(list, &two);
    void *e = xmlLinkGetData(xmlListFront(list));
    POINTS_TO(e, two);
    xmlListWalk(list, on_walk, &tag);
    void *f = seen_walk;
    POINTS_TO(f, tag);
    xmlListDelete(list);
    const xmlChar *g = xmlStrchr(name, 'm');
    POINTS_TO(g, name);
    xmlChar *h = xmlStrdup(name);
    FRESH(h);
    xmlFree(h);
}

void run_xml2(void);
void run_xml2(void) {
    trees();
    handlers();
    tables();
}
