/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.c: types of functions, as far as they decide which function is called.
 *
 * C lets a call through a value enter only functions of a compatible type (C11 6.3.2.3 paragraph 8,
 * 6.5.2.2 paragraph 9). A signature is what of a type counts for that, result and parameters:
 *
 *     int f(struct list *, long)       i4(pstruct_list,i8) pointers to a record by its name
 *     double g(void *, char *, int **) f8(p,p,pp)          to void or bytes: to anything
 *     void h(struct pair)              v(struct_pair)      to numbers pn, functions pf, pointers pp
 *     int k(const char *, ...)         i4(p,...)
 *     int l()                          *                   any call is right for it
 *
 * Integers count by their size, so that signs, enumerations and typedefs do not, and a pointer to
 * void is as one to bytes. Two signatures fit if all their parts do, and a pointer to anything fits
 * any pointer: what callbacks that are called with a `void *` and defined with a `struct list *`
 * differ in, which works everywhere. Which calls enter which functions is decided when all types
 * are known (callees.c), also by the conversions that the program makes:
 *
 *     qsort(..., (int (*)(const void *, const void *))by_number)     from i4(pn,pn) to i4(p,p)
 *     (B)(void (*)(void))f                                           from f's to B's, too
 *     void *table[] = {f};                                           from f's to none
 *
 * Source: types as Abadi et al., "Control-Flow Integrity" (CCS 2005), and Tice et al., "Enforcing
 * Forward-Edge Control-Flow Integrity in GCC & LLVM" (USENIX Security 2014), check them when a
 * program runs; more generous in what is converted.
 */
#include "frontend/walk/names/signature.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

/* The text so far; `good` until the buffer is full. */
typedef struct writing {
    cflri_types *types;
    char text[TEXT_SIZE];
    size_t length;
    bool good;
} writing;

/* ---- texts ---- */

/* As the index of a label can hold it. */
static void put(writing *w, const char *text) {
    size_t n = strlen(text);
    w->good = w->good && n < TEXT_SIZE - w->length;
    for (size_t i = 0; i <= n && w->good; i++) {
        bool plain = text[i] == '\0' || (text[i] > ' ' && !strchr("[](),", text[i]));
        w->text[w->length + i] = (char)(plain ? text[i] : '_');
    }
    if (w->good) w->length += n;
}

static void put_raw(writing *w, char c) {
    w->good = w->good && w->length + 1 < TEXT_SIZE;
    if (!w->good) return;
    w->text[w->length++] = c;
    w->text[w->length] = '\0';
}

static void put_sized(writing *w, char kind, CXType type) {
    char text[32];
    snprintf(text, sizeof text, "%c%lld", kind, cflri_clang_Type_getSizeOf(type));
    put(w, text);
}

/* A record by its name. One without name has its place there, by which units do not agree:
 * false. */
static bool put_record(writing *w, CXType record) {
    CXString spelling = cflri_clang_getTypeSpelling(cflri_clang_getUnqualifiedType(record));
    const char *text = cflri_clang_getCString(spelling);
    bool named = text && !strchr(text, '(');
    if (named) put(w, text);
    cflri_clang_disposeString(spelling);
    return named;
}

static bool is_number(CXType type) {
    return type.kind == CXType_Enum || type.kind == CXType_Bool || cflri_type_is_number(type);
}

/* A pointer to anything gets no text. */
static void put_pointee(writing *w, CXType to) {
    bool bytes = cflri_type_is_integer(to) && cflri_clang_Type_getSizeOf(to) == 1;
    if (to.kind == CXType_Record)
        put_record(w, to);
    else if (to.kind == CXType_Pointer || to.kind == CXType_BlockPointer)
        put(w, "p");
    else if (cflri_type_classify(w->types, to) == CFLRI_TYPE_FUNCTION)
        put(w, "f");
    else if (is_number(to) && !bytes)
        put(w, "n");
}

static bool is_integer(CXType type) {
    return type.kind == CXType_Enum || type.kind == CXType_Bool || cflri_type_is_integer(type);
}

/* A union that is passed as its members are (transparent_union). */
static bool is_word_union(const writing *w, CXType type) {
    return type.kind == CXType_Record &&
           cflri_clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl &&
           cflri_clang_Type_getSizeOf(type) == w->types->pointer_size;
}

static void put_type(writing *w, CXType any) {
    CXType type = cflri_type_plain(any);
    if (type.kind == CXType_Void)
        put(w, "v");
    else if (type.kind == CXType_Pointer || type.kind == CXType_BlockPointer) {
        put(w, "p");
        put_pointee(w, cflri_type_plain(cflri_clang_getPointeeType(type)));
    } else if (is_word_union(w, type))
        put(w, "p");
    else if (is_integer(type))
        put_sized(w, 'i', type);
    else if (cflri_type_is_number(type))
        put_sized(w, 'f', type);
    else if (type.kind != CXType_Record || !put_record(w, type))
        put_sized(w, 'r', type);
}

uint32_t cflri_signature_of(cflri_facts *facts, cflri_types *types, CXType function) {
    CXType type = cflri_type_plain(function);
    int n = cflri_clang_getNumArgTypes(type);
    writing w = {.types = types, .good = true};
    if (type.kind != CXType_FunctionProto || n < 0) return CFLRI_ANY_SIGNATURE;
    put_type(&w, cflri_clang_getResultType(type));
    put_raw(&w, '(');
    for (int k = 0; k < n && w.good; k++) {
        if (k > 0) put_raw(&w, ',');
        put_type(&w, cflri_clang_getArgType(type, (unsigned)k));
    }
    bool variadic = cflri_clang_isFunctionTypeVariadic(type);
    if (variadic && n > 0) put_raw(&w, ',');
    if (variadic) put(&w, "...");
    put_raw(&w, ')');
    return w.good ? cflri_facts_signature(facts, w.text) : CFLRI_ANY_SIGNATURE;
}
