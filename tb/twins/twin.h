/*
 * twin: one block in Verilog, run in step with its C model, compared in every cycle: outputs and flip-flops.
 *
 * A twin that rests is not evaluated in a cycle in which the model's inputs, outputs and flip-flops have not
 * changed and the Verilog's still equal them: the next ones are then also unchanged. Such a cycle counts as
 * compared.
 *
 * The last TWIN_HISTORY cycles that differ are kept: inputs, and both sides' outputs and flip-flops. In
 * memories, the rows that the model has written are compared; all rows are compared every TWIN_WHOLE
 * evaluated cycles, and on request (twin_rows(), every bit of `written`). */
#ifndef TB_TWIN_H
#define TB_TWIN_H

#include "tb/twins/contract.h"
#include "tb/twins/twin_insides.h"
#include "tb/verilated/verilated_library.h"

#define TWIN_HISTORY 32
#define TWIN_WHOLE   64

/* --- values --- */

/* Value of a signal, or of an element of it. */
typedef unsigned __int128 twin_value;

/* A signal of this twin: its place on both sides and in a record. */
struct twin_port {
    void *verilog;
    unsigned offset;        /* offset in the model's ports or flip-flops */
    size_t kept;            /* offset in the kept part of a record */
    unsigned slot;          /* index of its first element in a record's values */
    uint8_t bytes, storage; /* size of an element in the model; of all in the Verilog, if ≤ 64 bits */
    bool array, output;
    unsigned bits, elements, element_bits; /* for a memory: of a row */
    unsigned row_bytes;                    /* distance of rows in the Verilog, in bytes */
    const struct twin_signal *signal;
};

/* The first element that differs; in a memory, with its row. */
struct twin_difference {
    unsigned row, element;
    twin_value model, verilog;
};

/* A cycle, and the following equal ones. The model's data are kept unchanged, and converted to values on
 * demand. */
struct twin_record {
    uint64_t cycle, last;
    bool equal; /* the Verilog had the same values */
    char *kept;
    twin_value *model;   /* inputs, outputs, flip-flops of the C model; the Verilog has the same inputs */
    twin_value *verilog; /* outputs, flip-flops of the Verilog, in the same slots; input slots are unused */
};

/* Fields used in every cycle come first. */
struct twin {
    void *instance;
    struct twin_record *latest;         /* latest record of a pure twin with equal values; else NULL */
    uint64_t records;                   /* number of records so far */
    const struct contract *contract;    /* contract to be checked; NULL: none */
    const struct contract_rule *broken; /* rule broken in the latest cycle; NULL: none */
    uint64_t comparisons;
    bool steps;        /* library.step() does a cycle in which all is equal */
    bool pure;         /* no state other than the compared flip-flops and memories: the twin can rest */
    bool settled;      /* the last edge changed nothing, nor will the next */
    bool written;      /* rows of memories were written at the last edge, or reset */
    bool quiet;        /* the Verilog prints nothing */
    unsigned memories; /* number of memories, after the ports */
    struct verilated_library library;
    uint64_t mismatches;
    struct twin_insides insides;
    const struct twin_block *block;
    uint8_t *clock, *reset;           /* NULL: none */
    unsigned ports, inputs;           /* inputs come first, then outputs */
    unsigned compared;                /* differences count in the first `compared` ports */
    unsigned rows;                    /* rows of each memory */
    unsigned slots, input_slots;      /* values of a record; those of inputs */
    struct twin_difference in_memory; /* latest difference in a memory */
    const char *model_row;            /* row of the difference in the model */
    const char *stopped;              /* reason why the Verilog has stopped; NULL: it has not */
    twin_value *values;               /* values of the records */
    struct twin_record record[TWIN_HISTORY];
    struct twin_port port[VERILOG_MAX_SIGNALS];
    struct contract_state state;
};

/* --- life --- */

/* Opens a twin. Returns false with *e (EXIT_USER) if the Verilog cannot be built or loaded. `seed`, at least
 * 1: for flip-flops without a value at reset. */
bool twin_open(struct twin *t, const struct verilated_request *r, int seed, struct error *e);
/* Opens a twin of our Verilog, or of a file with the same ports and flip-flops whose module has the block's
 * name. */
bool twin_init(struct twin *t, const struct twin_block *block, const char *file,
               const struct verilog_setting *settings, unsigned count, struct error *e);
void twin_free(struct twin *t);
/* Returns to the state after twin_open() and twin_hold(); with `quiet` the Verilog prints nothing from now
 * on. */
void twin_renew(struct twin *t, int seed, bool quiet);
void twin_reset(struct twin *t);

/* Called before the first cycle: also checks the slot's contract; with `freely` nothing else, so that
 * flip-flops, and outputs if the contract has rules, may differ from the model's. */
void twin_hold(struct twin *t, bool freely);

/* Checks the contract with the model's outputs, which equal the Verilog's. */
static inline void twin_judge(struct twin *t, const void *in, const void *out) {
    t->broken = t->contract->check(&t->state, in, out);
    t->mismatches += t->broken != NULL;
}

/* --- cycles --- */

/* Does one cycle, with the model's ports and flip-flops between its evaluation and its edge, if both sides
 * are equal. Returns false with nothing done otherwise: twin_cycle() is then needed. After true, a rule of
 * the contract may be broken. */
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

/* Does any cycle. Returns NULL, or the first signal that differs. `drive`: the Verilog's outputs replace the
 * model's, unless they break a rule of the contract or the Verilog has stopped. */
const struct twin_port *twin_cycle(struct twin *t, uint64_t cycle, const void *in, void *out, const void *q,
                                   bool drive);

/* Applies the known inputs of a cycle before it: the Verilog's outputs follow them. */
void twin_settle(struct twin *t, const void *in);
/* Replaces the model's outputs before a cycle with unknown inputs by the Verilog's. Valid for outputs that
 * depend only on flip-flops (or, after twin_settle(), on known inputs). */
void twin_outputs(const struct twin *t, void *out);

/* The choose() of a policy, with the twin of a whole co-processor as context: S and A follow its Verilog. If
 * that breaks its contract, nothing is done, and twin_cycle() reports it. */
void twin_choose(void *twin, struct simt_coprocessor *s);

/* Returns whether the Verilog's edge changes nothing, if it equals the model, whose values are those of the
 * cycle before. */
bool twin_settles(struct twin *t, const void *in, const void *out, const void *q);

/* Notes that the cycle differs from the one before. */
static inline void twin_wakes(struct twin *t) {
    t->settled = false;
}

/* Replaces twin_cycle() and returns true if the cycle equals the one before; it then counts as compared. */
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

/* Compares the memories after the cycle and the model's edge: row n of the model is `stride` · n bytes after
 * `rows`; bit n of `written`: written in this cycle. Returns NULL, or the first memory that differs. A block
 * that runs freely may differ; else the rows are equal, whichever side drives. */
const struct twin_port *twin_rows(struct twin *t, const void *rows, size_t stride, block_rows written);

/* Returns whether twin_rows() has something to compare. */
static inline bool twin_has_rows(const struct twin *t, block_rows written) {
    return t->memories && (t->written || written || t->records % TWIN_WHOLE == 0);
}

/* --- values by force --- */

/* Writes a signal of our Verilog, or a row of a memory: `elements` as in the model, one behind the other. */
void twin_put(const struct twin_port *p, unsigned row, const void *elements);
/* Reads it. */
void twin_get(const struct twin_port *p, unsigned row, void *elements);
/* Evaluates the Verilog with values that have been put; with `edge`, also makes the edge of its clock.
 * Returns false if it has stopped. */
bool twin_force(struct twin *t, bool edge);

/* --- differences and the cycles kept --- */

/* Returns the first element that differs of an output or flip-flop in a record; the number of elements if
 * none does. */
unsigned twin_different_element(const struct twin_record *r, const struct twin_port *p);
/* Returns the difference of a signal of any kind in the latest cycle. */
struct twin_difference twin_difference(const struct twin *t, const struct twin_port *p);
/* Writes pc_q, priority_o[3] or pc_q[1][3]. */
#define TWIN_MAX_NAME (VERILOG_MAX_NAME + 32)
void twin_name(const struct twin_port *p, struct twin_difference d, char name[TWIN_MAX_NAME]);

/* Returns the record before `age` later ones (0: the latest), with its values; NULL if there is none. */
const struct twin_record *twin_history(const struct twin *t, unsigned age);

/* For twin_insides.c: return the model's inputs of that record; write the Verilog's present outputs and
 * flip-flops to the slots of a record. */
const void *twin_inputs(const struct twin *t, unsigned age);
void twin_read(const struct twin *t, twin_value *values);

/* Returns an element of the row that differs in a memory. */
twin_value twin_row_value(const struct twin *t, const struct twin_port *p, unsigned element, bool verilog);

/* Traces a variable of any width. */
static inline void twin_trace(struct trace *trace, trace_variable v, sim_time at, twin_value value) {
    trace_wide(trace, v, at, (uint64_t[]){(uint64_t)value, (uint64_t)(value >> 64)});
}

static inline twin_value twin_verilog_value(const struct twin_record *r, const struct twin_port *p) {
    return p->signal->kind == VERILOG_INPUT ? r->model[p->slot] : r->verilog[p->slot];
}

#endif
