/* SPDX-License-Identifier: Apache-2.0
 *
 * classes.c: types by their text.
 *
 * The texts are those of clang's canonical types: no typedefs, `struct` and `union` in front of a
 * tag, qualifiers where they belong. Each text is looked at once. Linear in the texts, and for
 * pointers to pointers in their depth.
 */
#include "frontend/facts/classes.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"

/* A part of a type's text. */
typedef struct type_text {
    const char *at;
    size_t n;
} type_text;

static bool begins_with(type_text t, const char *word) {
    size_t n = strlen(word);
    return t.n >= n && memcmp(t.at, word, n) == 0;
}

static bool ends_with(type_text t, const char *word) {
    size_t n = strlen(word);
    return t.n >= n && memcmp(t.at + t.n - n, word, n) == 0;
}

static const char *const qualifiers[] = {"const", "volatile", "restrict", "_Atomic"};
enum { QUALIFIERS = sizeof qualifiers / sizeof *qualifiers };

static bool is_letter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Without blanks and qualifiers at its ends. */
static type_text bare(type_text t) {
    bool more = true;
    while (more) {
        more = false;
        while (t.n && t.at[t.n - 1] == ' ') t.n--;
        while (t.n && *t.at == ' ') t.at++, t.n--;
        for (size_t q = 0; q < QUALIFIERS; q++) {
            size_t n = strlen(qualifiers[q]);
            if (begins_with(t, qualifiers[q]) && t.n > n && t.at[n] == ' ') {
                t.at += n;
                t.n -= n;
                more = true;
            }
            if (ends_with(t, qualifiers[q]) && t.n > n && !is_letter(t.at[t.n - n - 1])) {
                t.n -= n;
                more = true;
            }
        }
    }
    return t;
}

/* Where `word` begins; t.n when it does not occur. */
static size_t find(type_text t, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= t.n; i++) {
        if (memcmp(t.at + i, word, n) == 0) return i;
    }
    return t.n;
}

/* Of an array, what an element is. */
static type_text element(type_text t) {
    t = bare(t);
    if (find(t, "(*") < t.n) return t; /* the brackets are those of what it points to */
    while (t.n && t.at[t.n - 1] == ']') {
        while (t.n && t.at[t.n - 1] != '[') t.n--;
        if (t.n) t.n--;
        t = bare(t);
    }
    return t;
}

static bool is_one_of(type_text t, const char *const *words) {
    for (; *words; words++) {
        if (strlen(*words) == t.n && memcmp(t.at, *words, t.n) == 0) return true;
    }
    return false;
}

/* `_Atomic(T)` is T. */
static type_text without_atomic(type_text t) {
    static const char atomic[] = "_Atomic(";
    while (begins_with(t, atomic) && t.at[t.n - 1] == ')') {
        t.at += sizeof atomic - 1;
        t.n -= sizeof atomic;
        t = bare(t);
    }
    return t;
}

static cflr_status named_class(cflri_classes *x, type_text t, uint32_t pointee, uint32_t *class,
                               cflr_error *error) {
    uint32_t name;
    cflr_status st = cflri_intern(&x->named, t.at, t.n, &name, error);
    if (st != CFLR_OK) return st;
    *class = CFLRI_FIRST_NAMED - 1 + name;
    if (name > x->pointee.n && !cflri_vec_push(x->context, &x->pointee, pointee))
        return cflri_fail_memory(x->context, error);
    return CFLR_OK;
}

static cflr_status record_class(cflri_classes *x, type_text t, uint32_t *class, cflr_error *error) {
    return named_class(x, t, CFLRI_CLASS_ANYTHING, class, error);
}

/* A name that no record has: in brackets, unless it is a record's or another pointer's. */
static cflr_status pointer_class(cflri_classes *x, uint32_t pointee, uint32_t *class,
                                 cflr_error *error) {
    static const char *const forms[] = {"%s *", "(%s) *"};
    const char *form = forms[pointee < CFLRI_FIRST_NAMED];
    *class = CFLRI_CLASS_POINTER;
    if (pointee == CFLRI_CLASS_ANYTHING) return CFLR_OK;
    size_t size = strlen(cflri_class_name(x, pointee)) + strlen(form) + 1;
    char *name = cflri_alloc_array(x->context, size, 1);
    if (!name) return cflri_fail_memory(x->context, error);
    size_t n = (size_t)snprintf(name, size, form, cflri_class_name(x, pointee));
    cflr_status st = named_class(x, (type_text){name, n}, pointee, class, error);
    cflri_free(x->context, name);
    return st;
}

static bool is_record(type_text t) {
    return begins_with(t, "struct ") || begins_with(t, "union ");
}

static cflr_status value_class(cflri_classes *x, type_text t, uint32_t *class, cflr_error *error);

static cflr_status content_of_pointer(cflri_classes *x, type_text t, uint32_t *class,
                                      cflr_error *error) {
    uint32_t pointee;
    cflr_status st = value_class(x, t, &pointee, error);
    return st == CFLR_OK ? pointer_class(x, pointee, class, error) : st;
}

/* A name without blanks is that of a record that has no tag, only a typedef. */
static cflr_status content_class(cflri_classes *x, type_text t, uint32_t *class,
                                 cflr_error *error) {
    static const char *const unknown[] = {"void", "", NULL};
    static const char *const characters[] = {"char", "signed char", "unsigned char", NULL};
    static const char *const numbers[] = {"int",    "long",       "short",    "float",
                                          "double", "_Bool",      "__int128", "_Float16",
                                          "__bf16", "__float128", NULL};
    t = without_atomic(element(t));
    *class = CFLRI_CLASS_ANYTHING;
    if (is_one_of(t, unknown)) return CFLR_OK;
    *class = CFLRI_CLASS_CHARACTERS;
    if (is_one_of(t, characters)) return CFLR_OK;
    bool named = is_record(t) || begins_with(t, "enum ");
    if (t.at[t.n - 1] == '*' || find(t, "(*") < t.n) return content_of_pointer(x, t, class, error);
    if (is_record(t)) return record_class(x, t, class, error);
    *class = CFLRI_CLASS_FUNCTION;
    if (t.at[t.n - 1] == ')' && !named) return CFLR_OK;
    *class = CFLRI_CLASS_NUMBER;
    if (is_one_of(t, numbers) || find(t, " ") < t.n) return CFLR_OK;
    return record_class(x, t, class, error);
}

/* Words as wide as a pointer, by which memory of any type is copied: their types often have the
 * attribute `may_alias`, which the text does not tell. */
static cflr_status value_class(cflri_classes *x, type_text t, uint32_t *class, cflr_error *error) {
    static const char *const words[] = {
        "long",     "unsigned long",     "long long", "unsigned long long",
        "__int128", "unsigned __int128", NULL};
    t = without_atomic(element(t));
    *class = CFLRI_CLASS_ANYTHING;
    size_t array = find(t, "(*)["), function = find(t, "(*)("), inner = find(t, "(**)(");
    if (function < t.n) *class = CFLRI_CLASS_FUNCTION;
    if (function < t.n) return CFLR_OK;
    if (inner < t.n) return pointer_class(x, CFLRI_CLASS_FUNCTION, class, error);
    if (array < t.n) return content_class(x, (type_text){t.at, array}, class, error);
    if (!t.n || t.at[t.n - 1] != '*' || find(t, "(*") < t.n) return CFLR_OK;
    if (is_one_of(bare((type_text){t.at, t.n - 1}), words)) return CFLR_OK;
    return content_class(x, (type_text){t.at, t.n - 1}, class, error);
}

static type_text text_of(const cflri_classes *x, uint32_t text) {
    const char *at = cflri_string(x->texts, text);
    return (type_text){at, strlen(at)};
}

bool cflri_is_pointerless(const cflri_classes *x, uint32_t text) {
    static const char *const words[] = {
        "char",           "signed char", "unsigned char", "short",       "float",
        "unsigned short", "_Bool",       "double",        "long double", NULL};
    return is_one_of(bare(text_of(x, text)), words);
}

bool cflri_is_constant_text(const cflri_classes *x, uint32_t text) {
    type_text t = text_of(x, text);
    bool characters = x->content[text] == CFLRI_CLASS_CHARACTERS + 1;
    return characters && begins_with(t, "const ");
}

bool cflri_is_argument_list(const cflri_classes *x, uint32_t class) {
    const char *name = cflri_class_name(x, class);
    return strcmp(name, "struct __va_list_tag") == 0 || strcmp(name, "struct __va_list") == 0;
}

cflr_status cflri_class_of_content(cflri_classes *x, uint32_t text, uint32_t *class,
                                   cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (!x->content[text]) {
        st = content_class(x, text_of(x, text), class, error);
        x->content[text] = *class + 1;
    }
    *class = x->content[text] - 1;
    return st;
}

cflr_status cflri_class_of_value(cflri_classes *x, uint32_t text, uint32_t *class,
                                 cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (!x->value[text]) {
        st = value_class(x, text_of(x, text), class, error);
        x->value[text] = *class + 1;
    }
    *class = x->value[text] - 1;
    return st;
}

cflr_status cflri_classes_init(cflri_classes *x, cflr_context *context, const cflri_strings *texts,
                               cflr_error *error) {
    *x = (cflri_classes){.context = context, .texts = texts};
    x->content = cflri_alloc_array_zero(context, texts->text.n, sizeof *x->content);
    x->value = cflri_alloc_array_zero(context, texts->text.n, sizeof *x->value);
    if (!x->content || !x->value) return cflri_fail_memory(context, error);
    return cflri_strings_init(&x->named, context, error);
}

void cflri_classes_free(cflri_classes *x) {
    if (x->named.context) cflri_strings_free(&x->named);
    cflri_vec_free(x->context, &x->pointee);
    cflri_free(x->context, x->content);
    cflri_free(x->context, x->value);
}

uint32_t cflri_classes_count(const cflri_classes *x) {
    return CFLRI_FIRST_NAMED - 1 + (uint32_t)x->named.text.n;
}

bool cflri_is_record_class(const cflri_classes *x, uint32_t class) {
    return class >= CFLRI_FIRST_NAMED &&
           x->pointee.at[class - CFLRI_FIRST_NAMED] == CFLRI_CLASS_ANYTHING;
}

uint32_t cflri_class_pointed_to(const cflri_classes *x, uint32_t class) {
    return class < CFLRI_FIRST_NAMED ? CFLRI_CLASS_ANYTHING
                                     : x->pointee.at[class - CFLRI_FIRST_NAMED];
}

bool cflri_is_pointer_class(const cflri_classes *x, uint32_t class) {
    return class == CFLRI_CLASS_POINTER || cflri_class_pointed_to(x, class) != CFLRI_CLASS_ANYTHING;
}

const char *cflri_class_name(const cflri_classes *x, uint32_t class) {
    static const char *const names[] = {"anything", "characters", "function",  "pointer", "number",
                                        "literal",  "text",       "arguments", "data",    "all"};
    if (class < CFLRI_FIRST_NAMED) return names[class];
    return cflri_string(&x->named, class - CFLRI_FIRST_NAMED + 1);
}
