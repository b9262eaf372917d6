/* SPDX-License-Identifier: Apache-2.0
 *
 * names.c: declarations and sites as keyed nodes.
 *
 * Idea: libclang hands out cursors; two cursors of one variable (a declaration and its definition)
 * are found to be one thing by their key. The table of cursors only saves the work of making the
 * key again.
 *
 * Traps: a parameter that is written as an array or function is a pointer, but neither it nor its
 * references say so; a static function is keyed by its definition, because a header may declare one
 * for each file that includes it; the type of a variadic-looking `f()` says that it is variadic.
 */
#include "frontend/walk/names/names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "frontend/walk/names/signature.h"

void cflri_names_init(cflri_names *names, cflr_context *context, CXTranslationUnit unit,
                      cflri_facts *facts, cflri_types *types) {
    memset(names, 0, sizeof *names);
    names->context = context;
    names->unit = unit;
    names->facts = facts;
    names->types = types;
    names->placed = cflri_clang_getNullCursor();
}

void cflri_names_free(cflri_names *names) {
    if (!names->context) return;
    cflri_cursors_free(names->context, &names->known);
    cflri_vec_free(names->context, &names->decls);
    for (size_t i = 0; i < names->files.n; i++)
        cflri_lines_free(names->context, &names->files.at[i].lines);
    cflri_vec_free(names->context, &names->files);
    cflri_vec_free(names->context, &names->aliases);
    cflri_vec_free(names->context, &names->uses);
    cflri_vec_free(names->context, &names->text);
}

static void refuse(cflri_names *names) {
    if (names->facts->status == CFLR_OK)
        names->facts->status = cflri_fail_memory(names->context, NULL);
}

static const char *string(const cflri_names *names, uint32_t id) {
    return cflri_string(&names->facts->strings, id);
}

uint32_t cflri_take_string(cflri_names *names, CXString text) {
    uint32_t id = cflri_facts_string(names->facts, cflri_clang_getCString(text));
    cflri_clang_disposeString(text);
    return id;
}

uint32_t cflri_type_text(cflri_names *names, CXType type) {
    CXType canonical = cflri_clang_getCanonicalType(type);
    size_t hash = (uintptr_t)canonical.data[0] >> 4; /* any number will do */
    cflri_type_spelling *recent = &names->recent[hash % CFLRI_RECENT_TYPES];
    if (recent->text == 0 || !cflri_clang_equalTypes(recent->type, canonical)) {
        recent->type = canonical;
        recent->text = cflri_take_string(names, cflri_clang_getTypeSpelling(canonical));
    }
    return recent->text;
}

/* ---- places ---- */

static cflri_file *add_file(cflri_names *names, CXFile file) {
    size_t size = 0;
    const char *text = cflri_clang_getFileContents(names->unit, file, &size);
    const cflri_file made = {.file = file,
                             .path = cflri_take_string(names, cflri_clang_path(file))};
    if (!cflri_vec_push(names->context, &names->files, made)) {
        refuse(names);
        return NULL;
    }
    cflri_file *added = &names->files.at[names->files.n - 1];
    if (!cflri_lines_make(names->context, &added->lines, text ? text : "", size)) refuse(names);
    return added;
}

/* NULL when memory is refused. */
static cflri_file *file_of(cflri_names *names, CXFile file) {
    for (size_t i = names->files.n; i-- > 0;) {
        if (names->files.at[i].file != file) continue;
        cflri_file *last = &names->files.at[names->files.n - 1];
        cflri_file found = names->files.at[i];
        names->files.at[i] = *last; /* the next question is most likely about the same file */
        *last = found;
        return last;
    }
    return add_file(names, file);
}

static cflri_place place_in(cflri_names *names, CXFile file, unsigned offset) {
    cflri_place place = {.offset = offset};
    cflri_file *in = file_of(names, file);
    if (!in || in->lines.start.n == 0) return place;
    place.file = in->path;
    cflri_lines_find(&in->lines, offset, &place.line, &place.column);
    return place;
}

/* The place of text that a macro makes is the use of the macro. */
static cflri_place expansion_place(cflri_names *names, CXSourceLocation location) {
    cflri_place place = {0};
    CXFile file = NULL;
    cflri_clang_getExpansionLocation(location, &file, NULL, NULL, &place.offset);
    if (file) return place_in(names, file, place.offset);
    /* what clang itself defines */
    cflri_clang_getExpansionLocation(location, NULL, &place.line, &place.column, NULL);
    return place;
}

/* The same, but that of a macro's argument is where the argument is written. */
static cflri_place written_place(cflri_names *names, CXSourceLocation location) {
    CXFile file = NULL;
    unsigned offset = 0;
    cflri_clang_getFileLocation(location, &file, NULL, NULL, &offset);
    return file ? place_in(names, file, offset) : expansion_place(names, location);
}

cflri_place cflri_place_of(cflri_names *names, CXCursor cursor) {
    if (cflri_cursors_same(&cursor, &names->placed)) return names->place;
    names->placed = cursor;
    names->place = expansion_place(names, cflri_clang_getCursorLocation(cursor));
    return names->place;
}

cflri_place cflri_token_place(cflri_names *names, CXCursor cursor) {
    return written_place(names, cflri_clang_getCursorLocation(cursor));
}

cflri_place cflri_last_token_place(cflri_names *names, CXCursor cursor) {
    CXSourceRange range = cflri_clang_getCursorExtent(cursor);
    cflri_place place = written_place(names, cflri_clang_getRangeEnd(range));
    const cflri_place begin = cflri_token_place(names, cursor);
    /* The end of what a macro in another one's argument makes is the use of that macro. */
    bool behind = place.file != begin.file || place.offset > begin.offset;
    if (behind && place.column > 1) place.column--, place.offset--;
    return place;
}

/* ---- keys ---- */

/* Makes room for `size` bytes in names->text; NULL when memory is refused. */
static char *scratch(cflri_names *names, size_t size) {
    names->text.n = 0;
    if (cflri_vec_reserve(names->context, &names->text, size)) return names->text.at;
    refuse(names);
    return NULL;
}

/* path@offset:owner:name, without an owner that is 0, in names->text too. 0 on failure, as all
 * keys. */
static uint32_t place_key(cflri_names *names, const cflri_place *place, uint32_t owner,
                          const char *name) {
    const char *path = string(names, place->file);
    const char *function = owner ? string(names, names->facts->functions.at[owner].name) : "";
    char *at = scratch(names, strlen(path) + strlen(function) + strlen(name) + 40);
    if (!at) return 0;
    at = stpcpy(at, path);
    *at++ = '@';
    at = cflri_put_decimal(at, place->offset);
    *at++ = ':';
    at = stpcpy(at, function);
    if (owner) *at++ = ':';
    stpcpy(at, name);
    return cflri_facts_string(names->facts, names->text.at);
}

/* How often the key was given out before. */
static uint32_t count_use(cflri_names *names, uint32_t key) {
    if (key >= names->uses.n) {
        size_t extra = key + 1 - names->uses.n;
        if (!cflri_vec_reserve(names->context, &names->uses, extra)) {
            refuse(names);
            return 0;
        }
        memset(names->uses.at + names->uses.n, 0, extra * sizeof *names->uses.at);
        names->uses.n = key + 1;
    }
    return names->uses.at[key]++;
}

/* The same key, or one that nothing else has. */
static uint32_t unique_key(cflri_names *names, const cflri_place *place, uint32_t owner,
                           const char *name) {
    uint32_t key = place_key(names, place, owner, name);
    uint32_t ordinal = key ? count_use(names, key) : 0;
    if (ordinal == 0) return key;
    size_t length = strlen(names->text.at);
    if (!cflri_vec_reserve(names->context, &names->text, length + 2 + CFLRI_DECIMAL_DIGITS)) {
        refuse(names);
        return 0;
    }
    names->text.at[length] = '#';
    *cflri_put_decimal(names->text.at + length + 1, ordinal) = '\0';
    return cflri_facts_string(names->facts, names->text.at);
}

/* The text of the linker's name: in one of the two strings, which are to be disposed of. */
static const char *linker_text(CXCursor cursor, CXString *mangled, CXString *spelled) {
    *mangled = cflri_clang_Cursor_getMangling(cursor);
    *spelled = cflri_clang_getCursorSpelling(cursor);
    const char *text = cflri_clang_getCString(*mangled);
    const char *name = cflri_clang_getCString(*spelled);
    if (!text || !*text) return name;
    if (*text == '\1') text++; /* marks an asm label */
    bool prefixed =
        *text == '_' && strcmp(text + 1, name) == 0; /* as some systems do to all names */
    return prefixed ? name : text;
}

uint32_t cflri_linker_name(cflri_names *names, CXCursor cursor) {
    CXString mangled, spelled;
    uint32_t key = cflri_facts_string(names->facts, linker_text(cursor, &mangled, &spelled));
    cflri_clang_disposeString(mangled);
    cflri_clang_disposeString(spelled);
    return key;
}

uint32_t cflri_linker_name_known(const cflri_names *names, CXCursor cursor) {
    CXString mangled, spelled;
    const char *text = linker_text(cursor, &mangled, &spelled);
    uint32_t key = cflri_strings_find(&names->facts->strings, text, strlen(text));
    cflri_clang_disposeString(mangled);
    cflri_clang_disposeString(spelled);
    return key == CFLRI_NO_STRING ? 0 : key;
}

/* ---- declarations ---- */

static bool is_variadic(CXType type) {
    return type.kind == CXType_FunctionProto && cflri_clang_isFunctionTypeVariadic(type);
}

static bool returns_twice(const char *name) {
    static const char *const names[] = {"setjmp",    "_setjmp",     "__setjmp",
                                        "sigsetjmp", "__sigsetjmp", "vfork",
                                        "savectx",   "getcontext",  "__builtin_setjmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool saves_context(const char *name) {
    return strcmp(name, "getcontext") == 0 || strcmp(name, "savectx") == 0;
}

static void describe_decl(cflri_names *names, cflri_decl *decl) {
    decl->written = cflri_clang_getCursorType(decl->cursor);
    decl->type = cflri_type_plain(decl->written);
    decl->class = cflri_type_classify_plain(names->types, decl->type);
    decl->name = cflri_take_string(names, cflri_clang_getCursorSpelling(decl->cursor));
    if (decl->cursor.kind == CXCursor_VarDecl) {
        decl->kind = CFLRI_DECL_VARIABLE;
    } else if (decl->cursor.kind == CXCursor_FunctionDecl) {
        decl->kind = CFLRI_DECL_FUNCTION;
        decl->class = CFLRI_TYPE_FUNCTION;
        decl->has_body = !cflri_clang_Cursor_isNull(cflri_clang_getCursorDefinition(decl->cursor));
        decl->variadic = is_variadic(decl->type);
        decl->returns_twice = returns_twice(string(names, decl->name));
        decl->saves_context = saves_context(string(names, decl->name));
    }
}

/* The alias that the declaration is and no other unit may see otherwise; NULL: none. */
static const cflri_alias *own_alias(const cflri_names *names, uint32_t decl) {
    const cflri_alias *alias = cflri_alias_of(names, decl);
    bool own = alias && (alias->kind == CFLRI_ALIAS_LOCAL || alias->kind == CFLRI_ALIAS_LABEL ||
                         alias->kind == CFLRI_ALIAS_REFERENCE);
    return own ? alias : NULL;
}

static uint32_t add_decl(cflri_names *names, const cflri_decl *decl) {
    uint32_t number = (uint32_t)names->decls.n;
    if (cflri_vec_push(names->context, &names->decls, *decl) &&
        cflri_cursors_add(names->context, &names->known, decl->cursor, number))
        return number;
    refuse(names);
    return CFLRI_NO_NUMBER;
}

uint32_t cflri_decl_of(cflri_names *names, CXCursor referenced) {
    uint32_t number = cflri_cursors_find(&names->known, referenced);
    if (number != CFLRI_NO_NUMBER) return number;
    if (cflri_clang_Cursor_isNull(referenced) || names->facts->status != CFLR_OK)
        return CFLRI_NO_NUMBER;
    cflri_decl decl = {.cursor = referenced, .local = CFLRI_NO_LOCAL, .content = CFLRI_NO_NODE};
    describe_decl(names, &decl);
    return add_decl(names, &decl);
}

static void add_parameter(cflri_names *names, uint32_t function, CXCursor cursor, uint32_t position,
                          CXType adjusted) {
    cflri_decl decl = {.cursor = cursor, .local = CFLRI_NO_LOCAL, .content = CFLRI_NO_NODE};
    describe_decl(names, &decl);
    decl.kind = CFLRI_DECL_PARAMETER;
    decl.function = function;
    decl.position = position;
    if (decl.class == CFLRI_TYPE_ARRAY || decl.class == CFLRI_TYPE_FUNCTION) {
        decl.class = CFLRI_TYPE_POINTER;
        if (adjusted.kind != CXType_Invalid) decl.type = cflri_type_plain(adjusted);
    }
    uint32_t number = cflri_cursors_find(&names->known, cursor);
    if (number == CFLRI_NO_NUMBER) add_decl(names, &decl);
}

void cflri_decl_parameters(cflri_names *names, uint32_t function, CXCursor definition) {
    CXType type = cflri_type_plain(cflri_clang_getCursorType(definition));
    int n = cflri_clang_Cursor_getNumArguments(definition);
    for (int k = 0; k < n; k++)
        add_parameter(names, function, cflri_clang_Cursor_getArgument(definition, (unsigned)k),
                      (uint32_t)k, cflri_clang_getArgType(type, (unsigned)k));
}

static cflri_carrier carrier_of(cflri_names *names, const cflri_decl *decl) {
    return decl->class == CFLRI_TYPE_POINTER ? CFLRI_CARRIES_POINTER
                                             : cflri_type_carrier(names->types, decl->type);
}

static cflri_node parameter_content(cflri_names *names, const cflri_decl *decl) {
    cflri_facts *facts = names->facts;
    cflri_node slot = cflri_facts_slot(
        facts, cflri_facts_address(facts, facts->functions.at[decl->function].object),
        decl->position);
    cflri_node content = cflri_facts_deref(facts, slot, carrier_of(names, decl));
    cflri_place place = cflri_place_of(names, decl->cursor);
    uint32_t type = cflri_type_text(names, decl->type);
    cflri_facts_describe(facts, content, decl->name, type, &place);
    return content;
}

/* Is this declaration where the variable is made? `int g;` at file scope is. */
static bool makes_variable(CXCursor cursor) {
    return cflri_clang_isCursorDefinition(cursor) ||
           cflri_clang_Cursor_getStorageClass(cursor) != CX_SC_Extern;
}

/* A variable that is seen only in its own unit, or only in its function. */
static uint32_t variable_key(cflri_names *names, uint32_t number, cflri_node_record *record) {
    const cflri_decl *decl = &names->decls.at[number];
    const cflri_alias *refers = own_alias(names, number); /* to what the unit does not declare */
    enum CXLinkageKind linkage = cflri_clang_getCursorLinkage(decl->cursor);
    record->external =
        refers || linkage == CXLinkage_External || linkage == CXLinkage_UniqueExternal;
    if (refers) return refers->target;
    if (record->external) return cflri_linker_name(names, decl->cursor);
    if (linkage == CXLinkage_Internal) {
        CXCursor first = cflri_clang_getCanonicalCursor(decl->cursor);
        cflri_place place = cflri_place_of(names, first);
        return place_key(names, &place, 0, string(names, decl->name));
    }
    record->function = names->function;
    record->single = cflri_clang_Cursor_getStorageClass(decl->cursor) == CX_SC_Static;
    return unique_key(names, &record->place, names->function, string(names, decl->name));
}

/* May a variable without definition bring in functions of the outside, and is it worth an unknown
 * object? The variables of libraries (stdin, environ) hold none, unless they say so. */
static bool is_foreign(const cflri_names *names, const cflri_decl *decl) {
    if (cflri_clang_getCursorLinkage(decl->cursor) != CXLinkage_External) return false;
    if (!cflri_type_may_point(names->types, decl->type)) return false;
    if (!cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(decl->cursor)))
        return true;
    if (decl->type.kind != CXType_Pointer) return false;
    CXType pointee = cflri_type_plain(cflri_clang_getPointeeType(decl->type));
    return pointee.kind == CXType_FunctionProto || pointee.kind == CXType_FunctionNoProto;
}

/* Does the unit say that others than its own library never see it? */
static bool is_hidden(CXCursor cursor) {
    return cflri_clang_getCursorVisibility(cursor) == CXVisibility_Hidden;
}

static bool is_exported(CXCursor cursor) {
    return cflri_clang_getCursorLinkage(cursor) == CXLinkage_External && !is_hidden(cursor);
}

static cflri_node variable_content(cflri_names *names, uint32_t number) {
    const cflri_decl *decl = &names->decls.at[number];
    cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE,
                                .carrier = carrier_of(names, decl),
                                .name = decl->name,
                                .type = cflri_type_text(names, decl->type),
                                .place = cflri_place_of(names, decl->cursor),
                                .foreign = is_foreign(names, decl),
                                .exported = is_exported(decl->cursor)};
    uint32_t key = variable_key(names, number, &record);
    bool made = makes_variable(decl->cursor) && !cflri_alias_of(names, number);
    return cflri_facts_root_of(names->facts, key, &record, made);
}

cflri_node cflri_decl_content(cflri_names *names, uint32_t decl) {
    const cflri_decl d = names->decls.at[decl];
    if (d.content != CFLRI_NO_NODE || names->facts->status != CFLR_OK) return d.content;
    assert(d.kind == CFLRI_DECL_VARIABLE || d.kind == CFLRI_DECL_PARAMETER);
    const cflri_alias *alias = d.kind == CFLRI_DECL_PARAMETER ? NULL : own_alias(names, decl);
    cflri_node content;
    if (alias && alias->decl != CFLRI_NO_NUMBER)
        content = cflri_decl_content(names, alias->decl);
    else if (d.kind == CFLRI_DECL_PARAMETER)
        content = parameter_content(names, &d);
    else
        content = variable_content(names, decl);
    names->decls.at[decl].content = content;
    return content;
}

cflri_node cflri_version_node(cflri_names *names, uint32_t decl) {
    const cflri_decl d = names->decls.at[decl];
    bool parameter = d.kind == CFLRI_DECL_PARAMETER;
    const cflri_node_record record = {
        .kind = parameter ? CFLR_VERTEX_PARAMETER : CFLR_VERTEX_VARIABLE,
        .carrier = carrier_of(names, &d),
        .name = d.name,
        .type = cflri_type_text(names, d.type)};
    return cflri_site_node(names, d.cursor, string(names, d.name), &record);
}

CXString cflri_declaration_text(CXCursor function, bool attributes) {
    CXPrintingPolicy policy = cflri_clang_getCursorPrintingPolicy(function);
    cflri_clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    cflri_clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_PolishForDeclaration,
                                           !attributes);
    CXString text = cflri_clang_getCursorPrettyPrinted(function, policy);
    cflri_clang_PrintingPolicy_dispose(policy);
    return text;
}

uint32_t cflri_decl_function(cflri_names *names, uint32_t decl) {
    cflri_facts *facts = names->facts;
    const cflri_decl d = names->decls.at[decl];
    assert(d.kind == CFLRI_DECL_FUNCTION);
    if (d.function != 0 || facts->status != CFLR_OK) return d.function;
    const cflri_alias *alias = own_alias(names, decl);
    if (alias && alias->decl != CFLRI_NO_NUMBER) {
        uint32_t target = cflri_decl_function(names, alias->decl);
        return names->decls.at[decl].function = target;
    }
    CXCursor definition = cflri_clang_getCursorDefinition(d.cursor);
    cflri_place place = cflri_place_of(names, d.has_body ? definition : d.cursor);
    bool external = alias || cflri_clang_getCursorLinkage(d.cursor) != CXLinkage_Internal;
    uint32_t key = 0;
    if (alias) /* of what the unit does not declare */
        key = alias->target;
    else if (external)
        key = cflri_linker_name(names, d.cursor);
    else
        key = place_key(names, &place, 0, string(names, d.name));
    uint32_t number = cflri_facts_function_of(facts, key, d.name, &place);
    if (number == 0) return 0;
    cflri_function *function = &facts->functions.at[number];
    function->external = external;
    function->hidden |= is_hidden(d.cursor);
    function->variadic |= d.variadic;
    int n = cflri_clang_Cursor_getNumArguments(d.has_body ? definition : d.cursor);
    if (n > 0 && function->n_parameters < (uint32_t)n) function->n_parameters = (uint32_t)n;
    CXType type = d.has_body ? cflri_clang_getCursorType(definition) : d.type;
    uint32_t signature = cflri_signature_of(facts, names->types, type);
    function = &facts->functions.at[number];
    if (function->signature == CFLRI_NO_SIGNATURE) function->signature = signature;
    if (!d.has_body && !function->prototype)
        function->prototype = cflri_take_string(names, cflri_declaration_text(d.cursor, false));
    names->decls.at[decl].function = number;
    return number;
}

/* ---- sites ---- */

static cflri_node_record placed(cflri_names *names, CXCursor cursor,
                                const cflri_node_record *record) {
    cflri_node_record made = *record;
    made.place = cflri_place_of(names, cursor);
    made.function = names->function;
    return made;
}

cflri_node cflri_site_node(cflri_names *names, CXCursor site, const char *what,
                           const cflri_node_record *record) {
    const cflri_node_record made = placed(names, site, record);
    uint32_t key = unique_key(names, &made.place, names->function, what);
    return cflri_facts_root_of(names->facts, key, &made, true);
}

cflri_node cflri_piece_node(cflri_names *names, CXCursor variable,
                            const cflri_node_record *record) {
    const cflri_node_record made = placed(names, variable, record);
    uint32_t key = place_key(names, &made.place, names->function, "!piece");
    return cflri_facts_root_of(names->facts, key, &made, true);
}
