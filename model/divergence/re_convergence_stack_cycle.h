/* re_convergence_stack_cycle: re-convergence stacks with the ports and flip-flops of their Verilog, one
 * operation in each cycle, for twins (block_twins.h).
 *
 * If it exists, each function of the stack is a cycle: it sets the inputs, then calls `eval`, `evaluated` and
 * the edge. A start, a jump, a call, an exit and a move take one cycle each, a divergence one less than its
 * number of groups. Warps have at most 64 threads. */
#ifndef MODEL_DIVERGENCE_RE_CONVERGENCE_STACK_CYCLE_H
#define MODEL_DIVERGENCE_RE_CONVERGENCE_STACK_CYCLE_H

#include "generated/re_convergence_stack_ports.h"
#include "model/control/block_twins.h"
#include "model/divergence/re_convergence_stack.h"

#define RE_CONVERGENCE_STACK_CYCLE_MAX_WARP_SIZE 64
#define RE_CONVERGENCE_STACK_CYCLE_MAX_ENTRIES                                                               \
    (2 * RE_CONVERGENCE_STACK_CYCLE_MAX_WARP_SIZE + RE_CONVERGENCE_STACK_MAX_CALLS)

struct re_convergence_stack_cycle {
    struct re_convergence_stack *stack;
    struct re_convergence_stack_in in; /* ports and flip-flops: rtl/re_convergence_stack.sv */
    struct re_convergence_stack_out out;
    struct re_convergence_stack_state q; /* points to `depth` */
    uint32_t depth[SM_MAX_WARPS];
    struct re_convergence_stack_row {
        uint64_t mask[RE_CONVERGENCE_STACK_CYCLE_MAX_ENTRIES];
        uint32_t pc[RE_CONVERGENCE_STACK_CYCLE_MAX_ENTRIES], rpc[RE_CONVERGENCE_STACK_CYCLE_MAX_ENTRIES];
        uint8_t call[RE_CONVERGENCE_STACK_CYCLE_MAX_ENTRIES];
    } row[SM_MAX_WARPS];              /* entries from the depth on are 0 */
    block_rows written;               /* rows written in this cycle */
    void (*evaluated)(void *context); /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of empty stacks, with their sizes; they work through it from now
 * on. */
void re_convergence_stack_cycle_init(struct re_convergence_stack_cycle *c, struct re_convergence_stack *s);
/* Allocates such a form. `evaluated` and `context`: as in the struct. */
struct re_convergence_stack_cycle *re_convergence_stack_cycle_create(struct re_convergence_stack *s,
                                                                     void (*evaluated)(void *context),
                                                                     void *context);
void re_convergence_stack_cycle_reset(struct re_convergence_stack_cycle *c);

/* in, stacks → out, stacks and their rows; q is unchanged. */
void re_convergence_stack_cycle_eval(struct re_convergence_stack_cycle *c);
/* Does the edge: q becomes the stacks' state; clears the inputs. */
void re_convergence_stack_cycle_clock(struct re_convergence_stack_cycle *c);

/* Does a cycle with the present inputs. Returns the outputs. */
struct re_convergence_stack_out re_convergence_stack_cycle_step(struct re_convergence_stack_cycle *c);

#endif
