/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: what is true of values at a line of C, said once and checked twice, as in ../check.h.
 *
 *                    run: the value          analysis, with data flow
 *     NULLED(p)      is null                 must say that a null pointer may come here
 *     SOLID(p)       is not null             must know: none does
 *     UNSURE(p)      is not null             cannot know: an approximation, kept in view
 *     TAINTED(x)     is not 0                must say that what a variable `secret...` holds may come here
 *     CLEAN(x)       is 0                    must know: it does not
 *     STAINED(x)     is 0                    cannot know: an approximation, kept in view
 *     LOST(x)        is not 0                does not see it: a gap, kept in view
 *
 * So secrets are numbers other than 0, and all other numbers in these files are 0. Arguments are expressions as
 * cflr spells them. One check a line. tests/unit/frontend/test_data_flow.c reads the source for them.
 */
#ifndef CHECK_DATA_H
#define CHECK_DATA_H

#ifdef CHECK_RUN

#include "../check_run.h"

#define NULLED(p) check_that((p) == 0, "NULLED(" #p ")", __LINE__)
#define SOLID(p) check_that((p) != 0, "SOLID(" #p ")", __LINE__)
#define UNSURE(p) check_that((p) != 0, "UNSURE(" #p ")", __LINE__)
#define TAINTED(x) check_that((x) != 0, "TAINTED(" #x ")", __LINE__)
#define CLEAN(x) check_that((x) == 0, "CLEAN(" #x ")", __LINE__)
#define STAINED(x) check_that((x) == 0, "STAINED(" #x ")", __LINE__)
#define LOST(x) check_that((x) != 0, "LOST(" #x ")", __LINE__)

#else

#define NULLED(p) ((void)(p))
#define SOLID(p) ((void)(p))
#define UNSURE(p) ((void)(p))
#define TAINTED(x) ((void)(x))
#define CLEAN(x) ((void)(x))
#define STAINED(x) ((void)(x))
#define LOST(x) ((void)(x))
#define CHECKED 0

#endif
#endif
