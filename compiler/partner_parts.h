/*
 * partner_parts: what those share that make scalar kernels out of kernels: questions about statements and
 * variables, and text.
 */
#ifndef COMPILER_PARTNER_PARTS_H
#define COMPILER_PARTNER_PARTS_H

#include "compiler/edits.h"
#include "compiler/kernel_slice.h"

/* Why something stays where it is; of a statement of the kernel. */
typedef void partner_note(void *context, CXCursor at, const char *why);

/* All false; the caller frees them. */
bool *partner_flags(size_t count);

bool partner_within(CXCursor cursor, CXCursor outer);

/* What a statement does beside computing: waits at barriers, jumps out, asks for ids, calls functions that
 * do. `in_loop`: its `break` and `continue` do not leave it. */
enum { PARTNER_WAITS = 1, PARTNER_LEAVES = 2, PARTNER_ASKS = 4, PARTNER_CALLS = 8 };
unsigned partner_what_it_does(const struct kernel_slice *s, CXCursor cursor, bool in_loop);

/* Which of the kernel's variables an expression or statement names. */
void partner_mark(const struct kernel_slice *s, CXCursor cursor, bool *seen);

bool partner_is_local(const struct slice_variable *v);
/* An array or a structure, which does not fit a slot; a pointer to an array. */
bool partner_is_whole(const struct slice_variable *v);
bool partner_changed_within(const struct slice_variable *v, CXCursor statement);

/* The scalar thread has its own: an unchanged parameter, or what follows from ids and arguments. */
bool partner_has_own(const struct kernel_slice *s, const struct slice_variable *v);

/* "float x", "__global int *x", without a const of its own; with a qualifier of it, such as "__local ":
 * "__local float x", "__global int *__local x". */
void partner_put_typed(const struct slice_variable *v, const char *qualifier, const char *name,
                       struct text *t);

/* What reqd_work_group_size says of a dimension; NULL: the kernel does not have it. To be freed. */
char *partner_group_size(const struct kernel_slice *s, unsigned dimension);

/* A kernel's parameters, as they are declared. */
void partner_put_parameters(const struct kernel_slice *s, struct text *t);

#endif
