/*
 * branch_predictor: which branches of a fetch are predicted taken, and what executed branches teach, with the
 * ports of its Verilog. The tables are memories beside it (model/core/branch_tables.h).
 *
 * A cycle of it is a cycle of a core in which the core fetches or learns. While something runs beside the
 * block (block_twins.h), the core fetches as it says.
 */
#ifndef MODEL_CONTROL_BRANCH_PREDICTOR_H
#define MODEL_CONTROL_BRANCH_PREDICTOR_H

#include "generated/branch_predictor_ports.h"
#include "model/config/limits.h"
#include "model/control/block_twins.h"

#define BRANCH_PREDICTOR_MAX_FETCH_WIDTH 8

struct branch_predictor {
    struct {
        unsigned fetch_width, commits; /* 1, 2, 4 or 8; 1 to 4 */
        unsigned counters;             /* a power of two, at most 65536 */
        unsigned tag_bits;             /* 1 to 30 */
    } cfg;
    struct branch_predictor_in in; /* ports: rtl/branch_predictor.sv */
    struct branch_predictor_out out;
    /* Memory of the arrays in `in` and `out` */
    uint32_t tag[BRANCH_PREDICTOR_MAX_FETCH_WIDTH], target[BRANCH_PREDICTOR_MAX_FETCH_WIDTH],
        counter[BRANCH_PREDICTOR_MAX_FETCH_WIDTH];
    uint32_t pc[CORE_MAX_ISSUE_WIDTH], new_target[CORE_MAX_ISSUE_WIDTH], old_counter[CORE_MAX_ISSUE_WIDTH],
        new_counter[CORE_MAX_ISSUE_WIDTH];
    struct block_requests requests;
};

/* Initialises *p in place: it points to itself and must not be copied. */
void branch_predictor_init(struct branch_predictor *p, unsigned fetch_width, unsigned commits,
                           unsigned counters, unsigned tag_bits);
/* Computes the outputs from the inputs. */
void branch_predictor_eval(struct branch_predictor *p);

#endif
