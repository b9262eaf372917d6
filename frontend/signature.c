/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.c: types of functions, as far as they decide who is called.
 *
 * C allows a call through a value only if the function is of a compatible type. Programs take more
 * liberties: `(void (*)(void *))free_list` is called with a pointer of another type, an integer stands for
 * a pointer. All that works because arguments are passed in the same places. So there are two signatures:
 *
 *                                      types                      kinds
 *     int f(struct list *, int)        int_(struct_list_*,_int)   ii      pointers, integers: one kind
 *     void g(double, struct pair)      void_(double,_struct_pair) fr16    a record, 16 bytes
 *     int h(void)                      int_(void)                 void
 *     int k(char *, ...), l()          *                          *       any call is right for it
 *
 *     kinds    what decides about these places and no more: nothing is lost but calls that could not work,
 *              and calls with other numbers of arguments, which do work on most machines
 *     types    as compatible as C demands, typedefs resolved: what builds with control-flow integrity
 *              check when they run (clang -fsanitize=cfi-icall, Linux with CONFIG_CFI_CLANG)
 *
 * Source: the second is the rule of Abadi et al., "Control-Flow Integrity" (CCS 2005), as Tice et al.,
 * "Enforcing Forward-Edge Control-Flow Integrity in GCC & LLVM" (USENIX Security 2014), apply it.
 */
#include "frontend/signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512, MOST_OF_KIND = 16 };

static bool is_floating(CXType type) {
    return (type.kind >= CXType_Float && type.kind <= CXType_LongDouble) ||
           type.kind == CXType_Float128 || type.kind == CXType_Half || type.kind == CXType_Float16;
}

/* Does it travel as a pointer does? A small union may stand for its members (transparent_union). */
static bool is_word(cflri_types *types, CXType type, long long size) {
    switch (cflri_type_classify(types, type)) {
        case CFLRI_TYPE_POINTER:
        case CFLRI_TYPE_ARRAY:
        case CFLRI_TYPE_FUNCTION:
            return true;
        default:
            break;
    }
    bool is_union = type.kind == CXType_Record &&
                    cflri_clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl;
    bool number =
        type.kind == CXType_Enum || type.kind == CXType_Bool || cflri_type_is_integer(type);
    return (number || is_union) && size <= types->pointer_size;
}

/* Appends the kind of one parameter; returns how long it is. */
static int put_kind(cflri_types *types, CXType parameter, char *at, size_t room) {
    CXType type = cflri_type_plain(parameter);
    long long size = cflri_clang_Type_getSizeOf(type);
    if (is_floating(type)) return snprintf(at, room, "f");
    if (is_word(types, type, size)) return snprintf(at, room, "i");
    return snprintf(at, room, "r%lld", size < 0 ? 0 : size);
}

/* The kinds of all parameters; false when they are too many to be told apart. */
static bool write_kinds(cflri_types *types, CXType function, int n, char text[TEXT_SIZE]) {
    size_t length = 0;
    snprintf(text, TEXT_SIZE, "void");
    for (int k = 0; k < n; k++) {
        if (length + MOST_OF_KIND > TEXT_SIZE) return false;
        CXType parameter = cflri_clang_getArgType(function, (unsigned)k);
        length += (size_t)put_kind(types, parameter, text + length, TEXT_SIZE - length);
    }
    return true;
}

/* The type, as the index of a label can hold it; false when it is too long for that. */
static bool write_type(CXType function, char text[TEXT_SIZE]) {
    CXString spelling = cflri_clang_getTypeSpelling(function);
    const char *from = cflri_clang_getCString(spelling);
    size_t length = from ? strlen(from) : TEXT_SIZE;
    bool fits = length < TEXT_SIZE;
    for (size_t i = 0; fits && i <= length; i++) {
        bool space = from[i] == ' ', opens = from[i] == '[', closes = from[i] == ']';
        text[i] = (char)(space ? '_' : opens ? '<' : closes ? '>' : from[i]);
    }
    cflri_clang_disposeString(spelling);
    return fits;
}

uint32_t cflri_signature_of(cflri_facts *facts, cflri_types *types, CXType function) {
    char text[TEXT_SIZE];
    if (facts->callees == CFLR_CALLEES_ANY) return CFLRI_ANY_SIGNATURE;
    CXType type = cflri_type_plain(function);
    int n = cflri_clang_getNumArgTypes(type);
    bool says =
        type.kind == CXType_FunctionProto && n >= 0 && !cflri_clang_isFunctionTypeVariadic(type);
    if (!says) return CFLRI_ANY_SIGNATURE;
    bool fits = facts->callees == CFLR_CALLEES_TYPES ? write_type(type, text)
                                                     : write_kinds(types, type, n, text);
    return fits ? cflri_facts_signature(facts, text) : CFLRI_ANY_SIGNATURE;
}
