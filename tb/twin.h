/*
 * twin: one block in Verilog, run in step with its C model, compared in every cycle: outputs and flip-flops.
 *
 * A twin that rests is not evaluated in a cycle in which the model's inputs, outputs and flip-flops are
 * those of the cycle before, and the Verilog's flip-flops and outputs are still the model's: its next ones
 * are what they were then. Such a cycle is compared like any other.
 *
 * The last TWIN_HISTORY cycles that differ are kept: inputs, and both sides' outputs and flip-flops. Of
 * memories the rows that the model says it has written are compared, and all of them every TWIN_WHOLE cycles
 * in which it is evaluated, and when the caller says so (twin_rows(), every bit of `written`).
 */
#ifndef TB_TWIN_H
#define TB_TWIN_H

#include "tb/contract.h"
#include "tb/twin_insides.h"
#include "tb/verilated_library.h"

#define TWIN_HISTORY 32
#define TWIN_WHOLE   64

/* --- values --- */

/* Of a signal, or of an element of it. */
typedef unsigned __int128 twin_value;

/* A signal of this twin: where it is on either side, and where a record has it. */
struct twin_port {
    void *verilog;
    unsigned offset;        /* in the model's ports or flip-flops */
    size_t kept;            /* in what a record keeps */
    unsigned slot;          /* of a record's values: where its first element is */
    uint8_t bytes, storage; /* of an element in the model; of all in the Verilog, if at most 64 bits */
    bool array, output;
    unsigned bits, elements, element_bits; /* of a memory: of a row, */
    unsigned row_bytes;                    /* and in the Verilog from one to the next */
    const struct twin_signal *signal;
};

/* The first element that differs: of a memory, in this row. */
struct twin_difference {
    unsigned row, element;
    twin_value model, verilog;
};

/* A cycle, and those after it that were the same: what the model had is kept as it was, and only turned into
 * values when they are wanted. */
struct twin_record {
    uint64_t cycle, last;
    bool equal; /* the Verilog had the same */
    char *kept;
    twin_value *model; /* inputs, outputs, flip-flops of the C model; the inputs are the Verilog's, too */
    twin_value
        *verilog; /* outputs, flip-flops of the Verilog, in the same slots; the inputs' are not there */
};

/* What every cycle needs stands first. */
struct twin {
    void *instance;
    struct twin_record *latest;         /* of a twin that is pure, if the Verilog had the same; else NULL */
    uint64_t records;                   /* that there have been */
    const struct contract *contract;    /* that it is held to; NULL: none */
    const struct contract_rule *broken; /* in the latest cycle; NULL: none */
    uint64_t comparisons;
    bool steps;        /* library.step() does a cycle in which all is the same */
    bool pure;         /* it has no state but the flip-flops and memories that are compared: it rests */
    bool settled;      /* the last edge has changed nothing, nor will the next */
    bool written;      /* at the last edge, rows of memories, or they were reset */
    bool quiet;        /* the Verilog prints nothing */
    unsigned memories; /* after the ports */
    struct verilated_library library;
    uint64_t mismatches;
    struct twin_insides insides;
    const struct twin_block *block;
    uint8_t *clock, *reset;           /* NULL: none */
    unsigned ports, inputs;           /* the inputs come first, then the outputs */
    unsigned compared;                /* a difference in the first so many counts */
    unsigned rows;                    /* of each of the memories */
    unsigned slots, input_slots;      /* values of a record; of these, of inputs */
    struct twin_difference in_memory; /* the latest */
    const char *model_row;            /* in which it is */
    const char *stopped;              /* why the Verilog runs no more; NULL: it does */
    twin_value *values;               /* of the records */
    struct twin_record record[TWIN_HISTORY];
    struct twin_port port[VERILOG_MAX_SIGNALS];
    struct contract_state state;
};

/* --- life --- */

/* False and *e (EXIT_USER) if the Verilog cannot be built or loaded. `seed`, 1 or more: of flip-flops that
 * have no value at reset. */
bool twin_open(struct twin *t, const struct verilated_request *r, int seed, struct error *e);
/* Of our Verilog, or one with the same ports and flip-flops: a file whose module is called as the block. */
bool twin_init(struct twin *t, const struct twin_block *block, const char *file,
               const struct verilog_setting *settings, unsigned count, struct error *e);
void twin_free(struct twin *t);
/* As twin_open() left it, and twin_hold() after it; with `quiet` the Verilog prints nothing from now on. */
void twin_renew(struct twin *t, int seed, bool quiet);
void twin_reset(struct twin *t);

/* Before the first cycle: it is held to the slot's contract, too; with `freely` to nothing else, so that its
 * flip-flops, and its outputs where the contract has rules, may be others than the model's. */
void twin_hold(struct twin *t, bool freely);

/* By the contract, the model's outputs, which are the Verilog's. */
static inline void twin_judge(struct twin *t, const void *in, const void *out) {
    t->broken = t->contract->check(&t->state, in, out);
    t->mismatches += t->broken != NULL;
}

/* --- cycles --- */

/* One cycle, with the model's ports and flip-flops after its evaluation and before its edge. False, with
 * nothing done, unless both sides have the same: then twin_cycle() does it. True: it is done; a rule of the
 * contract may be broken. */
static inline bool twin_steps(struct twin *t, uint64_t cycle, const void *in, const void *out,
                              const void *q) {
    struct twin_record *r = &t->record[t->records % TWIN_HISTORY];
    if (!t->steps || !t->library.step(t->instance, r->kept, in, out, q)) return false;
    ++t->records;
    ++t->comparisons;
    r->cycle = r->last = cycle;
    r->equal = true;
    t->latest = t->pure ? r : NULL;
    if (t->contract) twin_judge(t, in, out);
    return true;
}

/* Any cycle. NULL, or the first signal that differs. `drive`: the Verilog's outputs take the place of the
 * model's, unless they break a rule of the contract or the Verilog has stopped. */
const struct twin_port *twin_cycle(struct twin *t, uint64_t cycle, const void *in, void *out, const void *q,
                                   bool drive);

/* Before a cycle, with those of its inputs that are known: the Verilog's outputs follow them. */
void twin_settle(struct twin *t, const void *in);
/* Before a cycle whose inputs are not known yet: the Verilog's outputs as its flip-flops make them take the
 * place of the model's. Good for those that depend on nothing else (or, after twin_settle(), on known
 * inputs). */
void twin_outputs(const struct twin *t, void *out);

/* The choose() of a policy, with the twin of a whole co-processor as context: S and A do what its Verilog
 * says; nothing, if that breaks its contract, which twin_cycle() then tells. */
void twin_choose(void *twin, struct simt_coprocessor *s);

/* The Verilog has what the model has, which had the same in the cycle before: does
 * its edge change nothing? */
bool twin_settles(struct twin *t, const void *in, const void *out, const void *q);

/* The cycle is not as the one before. */
static inline void twin_wakes(struct twin *t) {
    t->settled = false;
}

/* Instead of twin_cycle(), where it says so: the cycle is as the one before, and has been compared. */
static inline bool twin_rests(struct twin *t, uint64_t cycle, const void *in, const void *out,
                              const void *q) {
    struct twin_record *r = t->latest;
    if (!r || !t->library.same(r->kept, in, out, q) || !(t->settled || twin_settles(t, in, out, q))) {
        twin_wakes(t);
        return false;
    }
    r->last = cycle;
    ++t->comparisons;
    return true;
}

/* After the cycle and the model's edge, the memories: row n of the model is `stride` · n bytes after `rows`,
 * bit n of `written` says that it was written in this cycle. NULL, or the first memory that differs. A block
 * that runs freely may have others; else the rows are the same, whoever drives. */
const struct twin_port *twin_rows(struct twin *t, const void *rows, size_t stride, block_rows written);

/* Is there something for twin_rows() to compare? */
static inline bool twin_has_rows(const struct twin *t, block_rows written) {
    return t->memories && (t->written || written || t->records % TWIN_WHOLE == 0);
}

/* --- differences and the cycles kept --- */

/* Of an output or flip-flop that differs in a record, the first element that does; else its elements. */
unsigned twin_different_element(const struct twin_record *r, const struct twin_port *p);
/* Of a signal that differs in the latest cycle, of whatever kind. */
struct twin_difference twin_difference(const struct twin *t, const struct twin_port *p);
/* pc_q, priority_o[3] or pc_q[1][3]. */
#define TWIN_MAX_NAME (VERILOG_MAX_NAME + 32)
void twin_name(const struct twin_port *p, struct twin_difference d, char name[TWIN_MAX_NAME]);

/* The record before `age` later ones (0: the latest), with its values; NULL if there is none. */
const struct twin_record *twin_history(const struct twin *t, unsigned age);

/* For twin_insides.c: the model's inputs of that record; the Verilog's outputs and flip-flops as they are
 * now, in the slots of a record. */
const void *twin_inputs(const struct twin *t, unsigned age);
void twin_read(const struct twin *t, twin_value *values);

/* Of a memory that differs: an element of the row in which it does. */
twin_value twin_row_value(const struct twin *t, const struct twin_port *p, unsigned element, bool verilog);

/* Into a variable of any width. */
static inline void twin_trace(struct trace *trace, trace_variable v, sim_time at, twin_value value) {
    trace_wide(trace, v, at, (uint64_t[]){(uint64_t)value, (uint64_t)(value >> 64)});
}

static inline twin_value twin_verilog_value(const struct twin_record *r, const struct twin_port *p) {
    return p->signal->kind == VERILOG_INPUT ? r->model[p->slot] : r->verilog[p->slot];
}

#endif
