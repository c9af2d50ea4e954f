/*
 * partner_parts: declarations shared by the files that make scalar kernels: queries about statements and
 * variables, and text.
 */
#ifndef COMPILER_PARTNER_PARTS_H
#define COMPILER_PARTNER_PARTS_H

#include "compiler/driver/edits.h"
#include "compiler/partner/kernel_slice.h"

/* Receives why a statement of the kernel is not moved. */
typedef void partner_note(void *context, CXCursor at, const char *why);

/* Returns an array of false, to be freed by the caller. */
bool *partner_flags(size_t count);

bool partner_within(CXCursor cursor, CXCursor outer);

/* Effects of a statement other than computing: waits at barriers, jumps out, reads ids, calls other
 * functions. `in_loop`: its `break` and `continue` do not leave it. */
enum { PARTNER_WAITS = 1, PARTNER_LEAVES = 2, PARTNER_ASKS = 4, PARTNER_CALLS = 8 };
unsigned partner_what_it_does(const struct kernel_slice *s, CXCursor cursor, bool in_loop);

/* Marks the kernel's variables that an expression or statement names. */
void partner_mark(const struct kernel_slice *s, CXCursor cursor, bool *seen);

bool partner_is_local(const struct slice_variable *v);
/* Returns whether a variable is an array, a structure (which does not fit a slot) or a pointer to an
 * array. */
bool partner_is_whole(const struct slice_variable *v);
bool partner_changed_within(const struct slice_variable *v, CXCursor statement);

/* Returns whether the scalar thread has the variable's value: an unchanged parameter, or a value computed
 * from ids and arguments. */
bool partner_has_own(const struct kernel_slice *s, const struct slice_variable *v);

/* Appends "float x", "__global int *x", without its own const; with a qualifier, such as "__local ": "__local
 * float x", "__global int *__local x". */
void partner_put_typed(const struct slice_variable *v, const char *qualifier, const char *name,
                       struct text *t);

/* Returns a dimension's reqd_work_group_size; NULL if the kernel has none. To be freed. */
char *partner_group_size(const struct kernel_slice *s, unsigned dimension);

/* Appends a kernel's parameters as declared. */
void partner_put_parameters(const struct kernel_slice *s, struct text *t);

#endif
