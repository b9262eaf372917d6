/* SPDX-License-Identifier: Apache-2.0
 *
 * classes.c: types by their text.
 *
 * The texts are those of clang's canonical types: no typedefs, `struct` and `union` in front of a
 * tag, qualifiers where they belong. Each text is looked at once. Linear in the texts.
 */
#include "frontend/classes.h"

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

static cflr_status record_class(cflri_classes *x, type_text t, uint32_t *class, cflr_error *error) {
    uint32_t name;
    cflr_status st = cflri_intern(&x->records, t.at, t.n, &name, error);
    *class = CFLRI_FIRST_RECORD - 1 + name;
    return st;
}

static bool is_record(type_text t) {
    return begins_with(t, "struct ") || begins_with(t, "union ");
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
    *class = CFLRI_CLASS_POINTER;
    bool named = is_record(t) || begins_with(t, "enum ");
    if (t.at[t.n - 1] == '*' || find(t, "(*") < t.n) return CFLR_OK;
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
    size_t array = find(t, "(*)["), function = find(t, "(*)(");
    if (function < t.n) *class = CFLRI_CLASS_FUNCTION;
    if (function < t.n) return CFLR_OK;
    if (array < t.n) return content_class(x, (type_text){t.at, array}, class, error);
    if (!t.n || t.at[t.n - 1] != '*' || find(t, "(*") < t.n) return CFLR_OK;
    if (is_one_of(bare((type_text){t.at, t.n - 1}), words)) return CFLR_OK;
    return content_class(x, (type_text){t.at, t.n - 1}, class, error);
}

static type_text text_of(const cflri_classes *x, uint32_t text) {
    const char *at = cflri_string(x->texts, text);
    return (type_text){at, strlen(at)};
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
    return cflri_strings_init(&x->records, context, error);
}

void cflri_classes_free(cflri_classes *x) {
    if (x->records.context) cflri_strings_free(&x->records);
    cflri_free(x->context, x->content);
    cflri_free(x->context, x->value);
}

uint32_t cflri_classes_count(const cflri_classes *x) {
    return CFLRI_FIRST_RECORD - 1 + (uint32_t)x->records.text.n;
}

const char *cflri_class_name(const cflri_classes *x, uint32_t class) {
    static const char *const names[] = {"anything", "characters", "function", "pointer",
                                        "number",   "literal",    "text",     "all"};
    if (class < CFLRI_FIRST_RECORD) return names[class];
    return cflri_string(&x->records, class - CFLRI_FIRST_RECORD + 1);
}
