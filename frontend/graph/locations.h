/* SPDX-License-Identifier: Apache-2.0
 *
 * locations.h: memory as vertices, and what a value may hold by its type.
 *
 *     value -address-> location         the value is the address of that place in an object
 *     location -member[n]-> location    n bytes further in the same object
 *     location -slot[k]-> location      of a function: where its parameter k lies
 *     location -in-> location           the first one of the same object; of itself, too
 *     location -object-> object         of a first one: the vertex that `alloc` leads from
 *     value -reads-> type               the value is a pointer to that type
 *     type -fits-> type                 a pointer to the first may lead to the second
 *     location -is-> type               something of the type begins there
 *
 *     value -of-> type                  the step that led to it is one to a member of that record
 *
 *     struct s { int *a; struct in { int *b; } in; } s;       with `struct s *p`, p->in
 *
 *     &s -address-> (s)             (s) -in-> (s)        (s) -is-> struct s, int *
 *     (s) -member[8]-> (s+8)        (s+8) -in-> (s)      (s+8) -is-> struct in, int *
 *     &p->in -reads-> struct in     p -reads-> struct s  &p->in -of-> struct s
 *
 * Built on the assumption that the program keeps to its types (C11 6.5 paragraph 7): a pointer to a
 * record leads to such records, to records that begin with one, to what the program makes such a
 * pointer of directly without a `void *` between, or nowhere; a pointer to a function to functions;
 * one to a pointer to such pointers and to `void *`. `void *`, pointers to characters, and integers
 * lead anywhere. Memory without a declared type, of the allocators, has the type by which it is
 * used: it is as many objects as there are types that some value reads, so what is stored as one
 * type is not read as another. An unknown function's memory, and that of a value which is not
 * followed, is one location for all.
 */
#ifndef CFLRI_LOCATIONS_H
#define CFLRI_LOCATIONS_H

#include "cflr/graph.h"
#include "frontend/contexts/clone.h"

/* Adds them to the graph of these contexts, which has its other vertices. O(vertices + assignments
 * + parts of objects). */
cflr_status cflri_emit_locations(const cflri_contexts *contexts, cflr_graph_builder *builder,
                                 cflr_error *error);

#endif
