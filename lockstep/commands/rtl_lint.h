/*
 * rtl_lint: findings about a user's Verilog in a slot, without a program: Verilator's errors and warnings,
 * results of tb/ports/verilog_review.h, and dependences on values that no reset sets.
 */
#ifndef LOCKSTEP_RTL_LINT_H
#define LOCKSTEP_RTL_LINT_H

#include "tb/stimulus/random_lockstep.h"

/* Prints the findings to standard output. `block` and `size` determine the inputs. Returns false with *e
 * (EXIT_USER) if the design cannot run. */
bool rtl_lint(const struct verilated_request *r, const struct stimulus_block *block,
              const struct rtl_size *size, struct error *e);

/* Prints the findings to standard error before a run with a design: an on_notices(). The same text is printed
 * once: every cluster, and every size of rtl-test, opens the design. */
void rtl_lint_tell(const char *block, const char *top, const struct verilog_notices *n);

#endif
