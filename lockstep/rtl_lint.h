/*
 * rtl_lint: what is to be said of a user's Verilog in a slot, without a program: Verilator's errors and
 * warnings, what tb/ports/verilog_review.h finds, and what depends on values that no reset sets.
 */
#ifndef LOCKSTEP_RTL_LINT_H
#define LOCKSTEP_RTL_LINT_H

#include "tb/random_lockstep.h"

/* Prints it to standard output. `block` and `size` give the inputs. False and *e (EXIT_USER) if the design
 * cannot run. */
bool rtl_lint(const struct verilated_request *r, const struct stimulus_block *block,
              const struct rtl_size *size, struct error *e);

/* To standard error, before a run with a design that has just been built: an on_notices(). */
void rtl_lint_tell(const char *block, const char *top, const struct verilog_notices *n);

#endif
