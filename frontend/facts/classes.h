/* SPDX-License-Identifier: Apache-2.0
 *
 * classes.h: the part of a C type that decides whether memory may be read as another type.
 *
 * A type is known by its canonical text, as libclang spells it. Its class is a record by its name,
 * a pointer, a number, characters, a function, or anything. Units agree by name: two records of one
 * name are one class.
 *
 *     content                 class            value                     points to
 *     struct node             struct node      struct node *const        struct node
 *     struct node *[4]        struct node *    struct node **            struct node *
 *     unsigned long           number           int (*)(void *)           function
 *     char [16]               characters       const char *              characters
 *     char *                  (characters) *   unsigned char **          (characters) *
 *     void *, long *          pointer          void **                   pointer
 *     void                    anything         void *, unsigned long     anything
 */
#ifndef CFLRI_CLASSES_H
#define CFLRI_CLASSES_H

#include "base/intern.h"

typedef enum cflri_class {
    CFLRI_CLASS_ANYTHING, /* not known */
    CFLRI_CLASS_CHARACTERS,
    CFLRI_CLASS_FUNCTION,
    CFLRI_CLASS_POINTER, /* to anything */
    CFLRI_CLASS_NUMBER,
    CFLRI_CLASS_LITERAL, /* of a string: no pointer to anything but characters leads there */
    CFLRI_CLASS_TEXT,    /* memory without a type that is used as text */
    CFLRI_CLASS_PACK,    /* the variable arguments of a function */
    CFLRI_CLASS_DATA,    /* any object: what a pointer to characters may lead to */
    CFLRI_CLASS_ALL,     /* memory that may be read as anything */
    CFLRI_FIRST_NAMED,   /* records, and pointers by what they point to */
} cflri_class;

typedef struct cflri_classes {
    cflr_context *context;
    const cflri_strings *texts;  /* of the types; not owned, and not to grow */
    cflri_strings named;         /* string s is class FIRST_NAMED - 1 + s */
    CFLRI_VEC(uint32_t) pointee; /* by class from FIRST_NAMED on: of a record ANYTHING */
    uint32_t *content;           /* by text: class and one more of a place of that type */
    uint32_t *value;             /* the same of what a pointer of that type leads to */
} cflri_classes;

/* Free it also when this fails. */
cflr_status cflri_classes_init(cflri_classes *classes, cflr_context *context,
                               const cflri_strings *texts, cflr_error *error);
void cflri_classes_free(cflri_classes *classes);

/* Of what lies at a place of that type; of an array, in an element. Text 0: ANYTHING. */
cflr_status cflri_class_of_content(cflri_classes *classes, uint32_t text, uint32_t *class,
                                   cflr_error *error);
/* Of what a value of that type points to; ANYTHING where it is no pointer. */
cflr_status cflri_class_of_value(cflri_classes *classes, uint32_t text, uint32_t *class,
                                 cflr_error *error);

/* Is this the type of characters that never change: `const char [4]`? */
bool cflri_is_constant_text(const cflri_classes *classes, uint32_t text);

/* Is this the record that va_list is an array of, or is? Some targets have a `char *` instead. */
bool cflri_is_argument_list(const cflri_classes *classes, uint32_t class);

/* Is this the type of a single number that has no room for a pointer, or of floating point? Of an
 * int not: targets differ. */
bool cflri_is_pointerless(const cflri_classes *classes, uint32_t text);

bool cflri_is_record_class(const cflri_classes *classes, uint32_t class);
bool cflri_is_pointer_class(const cflri_classes *classes, uint32_t class);
/* Of the class of a pointer, that of what it points to. */
uint32_t cflri_class_pointed_to(const cflri_classes *classes, uint32_t class);

/* How many there are so far. */
uint32_t cflri_classes_count(const cflri_classes *classes);
const char *cflri_class_name(const cflri_classes *classes, uint32_t class);

#endif
