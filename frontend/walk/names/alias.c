/* SPDX-License-Identifier: Apache-2.0
 *
 * alias.c: names that are second names of something.
 *
 *     int *api(void) __attribute__((alias("impl")));     api is impl: one function, one address
 *     #pragma weak api = impl                            the same
 *     asm(".set api, impl");                             the same; .equ, `api = impl`, .symver, too
 *     int *api(void) asm("impl");                        the same, where impl is static
 *     static int *api(void)
 *         __attribute__((weakref("impl")))               api is what the linker calls impl
 *     int *api(void) __attribute__((ifunc("choose")));   api calls what choose() returns
 *
 * All of this is said at the top of the unit, of names of the linker, and may be said behind the
 * first use. So it is gathered before anything is walked: `names` then gives one function, or one
 * variable, for all its names. Another unit knows only the name, which the facts keep as a link:
 * scope.c gives both names one key.
 *
 * libclang shows that there are attributes, and not which. Printing the declaration does, with
 * macros expanded and in one spelling:
 *
 *     weak_alias(impl, api);
 *     extern int *api(void) __attribute__((weak)) __attribute__((alias("impl")))
 *
 * A pragma makes a declaration whose attributes are not printed. That of a function lies in the
 * pragma, whose line is read; that of a variable lies where the target is declared, whose name
 * stands there.
 *
 * A function that a resolver chooses has a body of one call through the value that the resolver
 * returns.
 *
 * One look at each declaration; a second one, for the targets, where the unit has aliases. O(n log
 * n) in these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "frontend/walk/names/signature.h"
#include "frontend/walk/walk.h"

enum {
    NAME_SIZE = CFLRI_ATTRIBUTE_SIZE, /* longer names are not read */
    STATEMENT_SIZE = 3 * NAME_SIZE
};

static void note(cflri_walk *w, CXCursor cursor, const char *text) {
    const cflri_place place = cflri_place_of(&w->names, cursor);
    cflri_facts_note_at(w->facts, CFLR_NOTE_ASSUMED, &place, text);
}

/* ---- what is said ---- */

static void add(cflri_walk *w, CXCursor cursor, cflri_alias_kind kind, uint32_t name,
                const char *target) {
    const cflri_alias alias = {.name = name,
                               .target = cflri_facts_string(w->facts, target),
                               .decl = CFLRI_NO_NUMBER,
                               .kind = kind,
                               .cursor = cursor};
    if (!name || !alias.target) return;
    if (!cflri_vec_push(w->context, &w->names.aliases, alias)) cflri_walk_refuse(w);
}

static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_$.@", c));
}

/* The word at *text, which moves behind it and behind white space; empty where there is none, or a
 * longer one. */
static void take_word(const char **text, char word[NAME_SIZE]) {
    size_t n = 0;
    *text += strspn(*text, " \t");
    while (is_name_character((*text)[n])) n++;
    snprintf(word, NAME_SIZE, "%.*s", n < NAME_SIZE ? (int)n : 0, *text);
    *text += n + strspn(*text + n, " \t");
}

/* ".set api, impl", ".symver impl, api@@V2", "api = impl" */
static bool read_statement(cflri_walk *w, CXCursor cursor, const char *text) {
    char first[NAME_SIZE], second[NAME_SIZE], third[NAME_SIZE];
    take_word(&text, first);
    bool sets = strcmp(first, ".set") == 0 || strcmp(first, ".equ") == 0;
    bool version = strcmp(first, ".symver") == 0;
    bool says_linkage = strcmp(first, ".globl") == 0 || strcmp(first, ".global") == 0 ||
                        strcmp(first, ".weak") == 0 || strcmp(first, ".hidden") == 0 ||
                        strcmp(first, ".type") == 0;
    if (!*first || says_linkage) return true;
    take_word(&text, second);
    if (!sets && !version) {
        snprintf(second, sizeof second, "%s", first);
        if (*text != '=') return false;
    } else if (*text != ',') {
        return false;
    }
    text++;
    take_word(&text, third);
    if (*text || !*third) return false;
    const char *name = version ? third : second, *target = version ? second : third;
    char *at = strchr(third, '@');
    if (version && (!at || at[1] != '@')) return true; /* an old version, not linked with */
    if (version) *at = '\0';
    add(w, cursor, CFLRI_ALIAS_NAME, cflri_facts_string(w->facts, name), target);
    return true;
}

/* Is this the end of a statement? How many bytes it takes: in the printed text a new line is two
 * characters. */
static size_t end_of_statement(const char *text) {
    if (text[0] == ';') return 1;
    return text[0] == '\\' && text[1] == 'n' ? 2 : 0;
}

/* A copy without the tab, which is two characters as well. */
static bool copy_statement(const char **text, char statement[STATEMENT_SIZE]) {
    size_t n = 0;
    bool fits = true;
    for (; **text && **text != '"' && !end_of_statement(*text); ++*text) {
        bool tab = (*text)[0] == '\\' && (*text)[1] == 't';
        *text += tab;
        fits = n + 1 < STATEMENT_SIZE;
        if (fits) statement[n++] = tab ? ' ' : **text;
    }
    statement[n] = '\0';
    *text += end_of_statement(*text);
    return fits;
}

/* `text` is __asm ("...") with escapes. */
static void read_assembly(cflri_walk *w, CXCursor cursor, const char *text) {
    char statement[STATEMENT_SIZE];
    bool all = true;
    text = strchr(text, '"');
    for (text = text ? text + 1 : ""; *text && *text != '"';)
        all &= copy_statement(&text, statement) && read_statement(w, cursor, statement);
    if (!all) note(w, cursor, "assembly outside functions: not read");
}

/* Behind the place where the declaration seems to be: the line of a pragma, or the name of a
 * variable's target. */
static const char *source_at(cflri_walk *w, CXCursor cursor) {
    CXFile file = NULL;
    unsigned offset = 0;
    size_t size = 0;
    cflri_clang_getExpansionLocation(cflri_clang_getCursorLocation(cursor), &file, NULL, NULL,
                                     &offset);
    const char *text = file ? cflri_clang_getFileContents(w->unit, file, &size) : NULL;
    return text && offset < size ? text + offset : "";
}

/* A declaration that a pragma makes, if it is one. */
static void read_pragma(cflri_walk *w, CXCursor cursor, uint32_t name) {
    const char *text = source_at(w, cursor);
    const char *own = cflri_string(&w->facts->strings, name);
    char word[NAME_SIZE];
    take_word(&text, word);
    bool named = strcmp(word, own) == 0;
    if (cursor.kind == CXCursor_VarDecl) { /* a wrong name is no other variable's */
        if (!named) add(w, cursor, CFLRI_ALIAS_PERHAPS, name, word);
    } else if (named && *text == '=') {
        text++;
        take_word(&text, word);
        add(w, cursor, CFLRI_ALIAS_NAME, name, word);
    } else if (!named) {
        note(w, cursor, "a declaration out of a macro: if it is an alias, its target is not read");
    }
}

/* `__asm__("impl")`: of interest where that is a function or variable of this unit alone. */
static bool is_labelled(cflri_walk *w, CXCursor cursor, uint32_t name) {
    CXString spelling = cflri_clang_getCursorSpelling(cursor);
    bool differs =
        strcmp(cflri_clang_getCString(spelling), cflri_string(&w->facts->strings, name)) != 0;
    cflri_clang_disposeString(spelling);
    return differs;
}

static void read_attributes(cflri_walk *w, CXCursor cursor) {
    char target[CFLRI_ATTRIBUTE_SIZE];
    CXString printed = cflri_attributes_text(cursor);
    const char *text = cflri_clang_getCString(printed);
    uint32_t name = cflri_linker_name(&w->names, cursor);
    bool refers = strstr(text, "weakref(") != NULL;
    bool external = cflri_clang_getCursorLinkage(cursor) == CXLinkage_External;
    if (cflri_attribute_in(text, "alias", target))
        add(w, cursor,
            refers     ? CFLRI_ALIAS_REFERENCE
            : external ? CFLRI_ALIAS_NAME
                       : CFLRI_ALIAS_LOCAL,
            name, target);
    else if (cflri_attribute_in(text, "ifunc", target))
        add(w, cursor, CFLRI_ALIAS_CHOSEN, name, target);
    else if (is_labelled(w, cursor, name))
        add(w, cursor, CFLRI_ALIAS_LABEL, name, cflri_string(&w->facts->strings, name));
    else if (!strstr(text, "__attribute__") && !strstr(text, "[["))
        read_pragma(w, cursor, name);
    cflri_clang_disposeString(printed);
}

static enum CXChildVisitResult gather(CXCursor cursor, CXCursor parent, CXClientData user) {
    cflri_walk *w = user;
    (void)parent;
    if (cursor.kind == CXCursor_UnexposedDecl) {
        CXString printed = cflri_attributes_text(cursor);
        const char *text = cflri_clang_getCString(printed);
        if (strncmp(text, "__asm", strlen("__asm")) == 0) read_assembly(w, cursor, text);
        cflri_clang_disposeString(printed);
        return CXChildVisit_Continue;
    }
    bool function = cursor.kind == CXCursor_FunctionDecl;
    if (!function && cursor.kind != CXCursor_VarDecl) return CXChildVisit_Continue;
    if (!cflri_clang_Cursor_hasAttrs(cursor)) return CXChildVisit_Continue;
    if (function && cflri_clang_isCursorDefinition(cursor)) return CXChildVisit_Continue;
    bool system = cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor));
    if (!system) read_attributes(w, cursor);
    return CXChildVisit_Continue;
}

/* ---- what it is said of ---- */

/* By target; those of one target in the order of the source. */
static int compare_targets(const void *a, const void *b) {
    const cflri_alias *x = a, *y = b;
    return cflri_ids_compare(&x->target, &y->target);
}

static int compare_names(const void *a, const void *b) {
    const cflri_alias *x = a, *y = b;
    return cflri_ids_compare(&x->name, &y->name);
}

/* The declaration may be the target of these aliases. */
static enum CXChildVisitResult match(CXCursor cursor, CXCursor parent, CXClientData user) {
    cflri_walk *w = user;
    cflri_names *names = &w->names;
    (void)parent;
    if (cursor.kind != CXCursor_FunctionDecl && cursor.kind != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    const cflri_alias wanted = {.target = cflri_linker_name_known(names, cursor)};
    cflri_alias *found =
        bsearch(&wanted, names->aliases.at, names->aliases.n, sizeof wanted, compare_targets);
    if (!found) return CXChildVisit_Continue;
    bool internal = cflri_clang_getCursorLinkage(cursor) == CXLinkage_Internal;
    cflri_alias *end = names->aliases.at + names->aliases.n;
    while (found > names->aliases.at && found[-1].target == wanted.target) found--;
    for (; found < end && found->target == wanted.target; found++)
        if (found->decl == CFLRI_NO_NUMBER && (internal || found->kind != CFLRI_ALIAS_LABEL))
            found->decl = cflri_decl_of(names, cursor);
    return CXChildVisit_Continue;
}

/* The alias that a declaration with this name is, whose target the unit declares; NULL: it is
 * none. */
static const cflri_alias *further(cflri_names *names, const cflri_alias *alias) {
    if (alias->decl == CFLRI_NO_NUMBER) return NULL;
    const cflri_alias *next = cflri_alias_of(names, alias->decl);
    bool moves = next && next->kind != CFLRI_ALIAS_CHOSEN && next->decl != alias->decl;
    return moves ? next : NULL;
}

/* An alias of an alias becomes one of the last target; a ring of them, an error, has none. */
static void follow_chain(cflri_names *names, cflri_alias *alias) {
    size_t steps = 0;
    const cflri_alias *next = alias->kind == CFLRI_ALIAS_CHOSEN ? NULL : further(names, alias);
    for (; next && steps <= names->aliases.n; next = further(names, next), steps++) {
        alias->decl = next->decl;
        alias->target = next->target;
    }
    bool ring = alias->target == alias->name && alias->kind != CFLRI_ALIAS_LABEL;
    if (next || ring) alias->decl = CFLRI_NO_NUMBER;
}

static bool is_kept(cflri_walk *w, const cflri_alias *alias) {
    if (alias->decl != CFLRI_NO_NUMBER || alias->kind == CFLRI_ALIAS_REFERENCE) return true;
    if (alias->kind != CFLRI_ALIAS_PERHAPS && alias->kind != CFLRI_ALIAS_LABEL)
        note(w, alias->cursor, "alias of what the unit does not declare: without definition");
    return false;
}

static void drop_others(cflri_walk *w) {
    size_t kept = 0;
    cflri_names *names = &w->names;
    for (size_t i = 0; i < names->aliases.n; i++)
        if (is_kept(w, &names->aliases.at[i])) names->aliases.at[kept++] = names->aliases.at[i];
    names->aliases.n = kept;
}

static void resolve(cflri_walk *w) {
    cflri_names *names = &w->names;
    drop_others(w);
    if (names->aliases.n == 0) return;
    qsort(names->aliases.at, names->aliases.n, sizeof *names->aliases.at, compare_names);
    names->resolved = true;
    for (size_t i = 0; i < names->aliases.n; i++) follow_chain(names, &names->aliases.at[i]);
    drop_others(w); /* of rings */
}

const cflri_alias *cflri_alias_of(const cflri_names *names, uint32_t decl) {
    if (!names->resolved) return NULL;
    CXCursor cursor = names->decls.at[decl].cursor;
    enum CXLinkageKind linkage = cflri_clang_getCursorLinkage(cursor);
    if (linkage != CXLinkage_External && linkage != CXLinkage_Internal) return NULL;
    const cflri_alias wanted = {.name = cflri_linker_name_known(names, cursor)};
    const cflri_alias *found =
        bsearch(&wanted, names->aliases.at, names->aliases.n, sizeof wanted, compare_names);
    return found && found->decl != decl ? found : NULL;
}

/* ---- what follows from it ---- */

/* The function or variable of this name, which looks like its target. */
static cflri_node alias_root(cflri_walk *w, const cflri_alias *alias, cflri_node target) {
    cflri_facts *facts = w->facts;
    bool hidden = cflri_clang_getCursorVisibility(alias->cursor) == CXVisibility_Hidden;
    cflri_node_record record = facts->nodes.at[target];
    record.name = alias->name;
    record.place = cflri_place_of(&w->names, alias->cursor);
    record.external = true;
    record.exported = !hidden;
    if (record.kind != CFLR_VERTEX_FUNCTION)
        return cflri_facts_root_of(facts, alias->name, &record, false);
    uint32_t f = cflri_facts_function_of(facts, alias->name, alias->name, &record.place);
    cflri_function *function = &facts->functions.at[f];
    function->external = true;
    function->hidden |= hidden;
    function->n_parameters = facts->functions.at[facts->nodes.at[target].step].n_parameters;
    return function->object;
}

/* Other units may say this name. */
static void state_link(cflri_walk *w, const cflri_alias *alias) {
    bool function = w->names.decls.at[alias->decl].kind == CFLRI_DECL_FUNCTION;
    uint32_t number = function ? cflri_decl_function(&w->names, alias->decl) : 0;
    cflri_node target = function ? w->facts->functions.at[number].object
                                 : cflri_decl_content(&w->names, alias->decl);
    if (w->facts->status != CFLR_OK) return;
    const cflri_facts_link link = {CFLRI_LINK_ALIAS, alias->name, target,
                                   alias_root(w, alias, target)};
    cflri_facts_link_at(w->facts, &link);
}

/* Makes the target of one pointer flow to the target of the other. */
static void forward(cflri_walk *w, CXType type, cflri_node from, cflri_node to) {
    const CXType plain = cflri_type_plain(type);
    const cflri_type_class class = cflri_type_classify_plain(&w->types, plain);
    const cflri_lvalue source = {
        .class = class, .addressed = true, .nodes = cflri_one_value(from), .type = plain};
    cflri_lvalue target = source;
    target.nodes = cflri_one_value(to);
    const cflri_value value = cflri_place_value(w, &source);
    cflri_flow_into(w, &cflri_plain_flow, &value, &target);
}

cflri_value cflri_chosen_value(cflri_walk *w, const cflri_alias *alias) {
    uint32_t resolver = cflri_decl_function(&w->names, alias->decl);
    const cflri_place place = cflri_place_of(&w->names, alias->cursor);
    const cflri_call call = {w->names.function, resolver, place};
    const cflri_node_record record = {.kind = CFLR_VERTEX_TEMPORARY,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = w->facts->functions.at[resolver].name};
    const cflri_tag tag = {.call = cflri_facts_call(w->facts, &call), .flow = CFLRI_FLOW_RESULT};
    const cflri_value result = cflri_one_value(cflri_facts_return(w->facts, resolver));
    cflri_node chosen = cflri_site_node(&w->names, alias->cursor, "!chosen", &record);
    if (w->facts->status == CFLR_OK) cflri_flow_value(w, &tag, &result, chosen);
    return cflri_one_value(chosen);
}

/* The body of a function that a resolver chooses: one call of what the resolver returns. */
static void state_choice(cflri_walk *w, const cflri_alias *alias) {
    cflri_facts *facts = w->facts;
    uint32_t decl = cflri_decl_of(&w->names, alias->cursor);
    if (decl == CFLRI_NO_NUMBER || !cflri_tree_read(w->context, &w->tree, alias->cursor)) {
        cflri_walk_refuse(w);
        return;
    }
    const CXType type = w->names.decls.at[decl].type;
    uint32_t function = cflri_decl_function(&w->names, decl);
    uint32_t signature = cflri_signature_of(facts, &w->types, type);
    if (facts->status != CFLR_OK) return;
    const cflri_node own = cflri_facts_address(facts, facts->functions.at[function].object);
    const cflri_call call = {.caller = function, .place = facts->functions.at[function].place};
    facts->functions.at[function].defined = true;
    w->names.function = function;
    w->stated = 0;
    const cflri_value value = cflri_chosen_value(w, alias);
    const cflri_node chosen = value.n ? value.at[0] : CFLRI_NO_NODE;
    const cflri_called called = {cflri_facts_call(facts, &call), chosen,
                                 facts->functions.at[function].name, signature};
    if (called.call != CFLRI_NO_CALL) cflri_facts_called_at(facts, &called);
    for (uint32_t k = 0; k < facts->functions.at[function].n_parameters; k++)
        forward(w, cflri_clang_getArgType(type, k), cflri_facts_slot(facts, own, k),
                cflri_facts_called_slot(facts, chosen, k, signature));
    if (facts->functions.at[function].variadic)
        cflri_facts_assign(
            facts, cflri_facts_parameter(facts, function, CFLRI_SLOT_VARARGS),
            cflri_facts_deref(facts,
                              cflri_facts_called_slot(facts, chosen, CFLRI_SLOT_VARARGS, signature),
                              CFLRI_CARRIES_POINTER));
    forward(w, cflri_clang_getResultType(type),
            cflri_facts_called_slot(facts, chosen, CFLRI_SLOT_RETURN, signature),
            cflri_facts_slot(facts, own, CFLRI_SLOT_RETURN));
    w->names.function = 0;
}

void cflri_aliases_find(cflri_walk *w) {
    const CXCursor unit = cflri_clang_getTranslationUnitCursor(w->unit);
    cflri_names *names = &w->names;
    cflri_clang_visitChildren(unit, gather, w);
    if (names->aliases.n == 0) return;
    qsort(names->aliases.at, names->aliases.n, sizeof *names->aliases.at, compare_targets);
    cflri_clang_visitChildren(unit, match, w);
    resolve(w);
    for (size_t i = 0; i < names->aliases.n && w->facts->status == CFLR_OK; i++) {
        const cflri_alias alias = names->aliases.at[i];
        if (alias.kind == CFLRI_ALIAS_CHOSEN)
            state_choice(w, &alias);
        else if (alias.kind == CFLRI_ALIAS_NAME || alias.kind == CFLRI_ALIAS_PERHAPS)
            state_link(w, &alias);
    }
}
