/* SPDX-License-Identifier: Apache-2.0
 *
 * cflr.h: the whole engine in one include, in the order of the story: make a context, get a graph,
 * get a grammar, solve, ask. Extraction from C source is apart (cflr/extract.h and, all in one
 * call, cflr/analyze.h; library cflr_frontend), because it needs libclang, and so are findings of
 * rules and what a `no` rests on (cflr/findings.h), which use its types. What is kept from version
 * to version is in cflr/status.h.
 */
#ifndef CFLR_CFLR_H
#define CFLR_CFLR_H

#include "cflr/change.h"
#include "cflr/context.h"
#include "cflr/csr.h"
#include "cflr/device.h"
#include "cflr/explain.h"
#include "cflr/grammar.h"
#include "cflr/graph.h"
#include "cflr/output.h"
#include "cflr/ranks.h"
#include "cflr/result.h"
#include "cflr/solve.h"
#include "cflr/status.h"
#include "cflr/traverse.h"
#include "cflr/version.h"
#include "cflr/witness.h"

#endif
