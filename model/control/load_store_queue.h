/*
 * load_store_queue: the loads and stores of an out-of-order core between dispatch and their end, with the
 * ports of its Verilog: how many there are, and whether a load takes its data from an older store, from
 * memory, or waits.
 *
 * A core with nothing beside the block keeps its stores itself and decides in the same way
 * (model/core/out_of_order_kind.c). While something runs beside it (block_twins.h), the core's loads do as
 * the block says (model/core/load_search.h). A cycle of the block is then a load that searches, or a cycle of
 * the core in which the queue changes: something enters, leaves or gets its address.
 */
#ifndef MODEL_CONTROL_LOAD_STORE_QUEUE_H
#define MODEL_CONTROL_LOAD_STORE_QUEUE_H

#include "generated/load_store_queue_ports.h"
#include "model/config/limits.h"
#include "model/control/block_twins.h"

/* Flip-flops; arrays are indexed by slot. */
struct load_store_queue_values {
    uint32_t head, end, loads;
    uint64_t known; /* bit n: slot n */
    uint32_t first[CORE_MAX_LSQ], last[CORE_MAX_LSQ];
};

struct load_store_queue {
    unsigned queue;                /* entries, at most CORE_MAX_LSQ */
    struct load_store_queue_in in; /* ports and flip-flops: rtl/load_store_queue.sv */
    struct load_store_queue_out out;
    struct load_store_queue_state q; /* points to `now` */
    struct load_store_queue_values now;
    struct block_requests requests;
};

/* Initialises *s in place, empty: it points to itself and must not be copied. */
void load_store_queue_init(struct load_store_queue *s, unsigned queue);
/* Empties the queue. */
void load_store_queue_reset(struct load_store_queue *s);
/* Computes the outputs from the inputs and the flip-flops. Inputs must be such as a core may give. */
void load_store_queue_eval(struct load_store_queue *s);
/* Does the edge, and clears the inputs. */
void load_store_queue_clock(struct load_store_queue *s);

/* Returns the number of stores in the queue. */
unsigned load_store_queue_stores(const struct load_store_queue *s);
/* Returns the position of a store that is `stores` younger than the one in `position`. */
unsigned load_store_queue_later(const struct load_store_queue *s, unsigned position, unsigned stores);

#endif
