/* uniform: registers of a warp with the same value in all threads, and instructions that need to execute for
 * one thread only, or not at all (uniform §3; machine.md §9).
 *
 * Every register of a warp, its NZCV, the flags of FPSCR and its modes carry a token, which means that all
 * live threads hold the same value. An instruction is uniform if all that it reads has a token and its mask
 * is full: all live threads of the warp participate, and the condition has the same outcome for them. A
 * uniform instruction sets the tokens of its results. A broadcast load (all addresses equal, full mask) sets
 * the tokens of the loaded registers. Every other write clears the token. With uniform.intra, a uniform
 * instruction executes for one thread, in one round, in lane 0. uniform.storage determines the place of the
 * values:
 *   token  with one thread (uniform_position()), from which later instructions read them (token_file)
 *   srf    in a scalar register file, as long as there are registers (srf_rename). If none is free when the
 *          first round starts, every thread executes the instruction, and its results are not uniform.
 *
 * A partial write (mask not full, or a condition whose flags have no token) to a register with a token would
 * leave the other threads without their value. So a copy instruction executes first in the place of the
 * writing one, one for each such register. It writes the value for all threads, clears the token and keeps
 * the PC; then the warp is selected again. Flags need no copy: a commit writes them for all threads at once
 * (timing.md §C).
 *
 * With uniform.inter, a uniform instruction looks up its result in an instruction reuse buffer when its
 * operands are read. After a hit, it does not execute: it takes one cycle in the lanes, whatever its class,
 * and its result is ready at the end of that cycle. After a miss, it inserts its result in the cycle after
 * its commit; of several instructions that commit in a cycle, the oldest does.
 *
 * Decisions of this model: loads and stores with uniform operands are uniform (one access), except exclusive
 * ones. Branches and hints are uniform. So are the co-processor's operations (Rt is ignored) and identity
 * registers, except local ids, global ids and the lane's number. Instructions that read Q, GE, or the whole
 * FPSCR are not uniform: these have no tokens. r0, the flags and FPSCR have tokens when a work-group begins.
 *
 * Registers may be stored anywhere: struct uniform_registers has the cost of an access.
 *
 * A cycle: uniform_read(), _look_up() and _write() for its events; evaluation of the blocks;
 * uniform_decoded(), _collected(), _written() for their outputs; the edge. The blocks see commits and
 * releases in the next cycle. docs/uniform.md has decisions, examples and known inaccuracies. */
#ifndef MODEL_UNIFORM_UNIFORM_H
#define MODEL_UNIFORM_UNIFORM_H

#include "model/control/instruction_reuse_buffer.h"
#include "model/config/machine_config.h"
#include "model/arm/register_liveness.h"
#include "model/uniform/reuse_operands.h"
#include "model/control/srf_rename.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/token_file.h"
#include "sim/counter.h"

/* Bits of tokens: registers as in struct arm_instruction, ARM_STATE_NZCV, _FPSCR_FLAGS, _FPSCR_MODES. */
typedef uint64_t uniform_tokens;
#define UNIFORM_REGISTERS (((UINT64_C(1) << ARM_REGISTERS) - 1) & ~(UINT64_C(1) << 15))
#define UNIFORM_TOKENS    (UNIFORM_REGISTERS | ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES)

/* Cost of accesses to the registers' storage, for each port. */
struct uniform_registers {
    unsigned lanes;        /* lanes of a warp instruction, each with its ports */
    unsigned words;        /* words of a vector register: threads of a warp */
    unsigned vector_lines; /* accesses of each lane to read or write a vector register */
    unsigned scalar_lines; /* accesses of one lane to read or write one thread's value */
};

#define UNIFORM_FORMS(X)                                                                                     \
    X(VECTOR, "vector") /* executed by every thread */                                                       \
    X(SCALAR, "scalar") /* for one thread, which stands for all */                                           \
    X(REUSED, "reused") /* not at all: another warp has left its result */                                   \
    X(COPY, "copy")     /* a scalar's value to all threads, before a partial write */
enum uniform_form {
#define X(id, name) UNIFORM_##id,
    UNIFORM_FORMS(X)
#undef X
        UNIFORM_FORM_COUNT
};
extern const char *const uniform_form_name[UNIFORM_FORM_COUNT];

/* A warp's instruction in flight. */
struct uniform_flight {
    enum uniform_form form;
    bool uniform;                   /* found uniform, in any form */
    bool copies_source;             /* a copy of a register that the instruction also reads */
    bool inserts;                   /* its result is for the reuse buffer */
    uniform_tokens tokens;          /* tokens of the warp at decode */
    unsigned read_lines;            /* accesses of each lane to collect its operands */
    unsigned broadcast;             /* additional cycles to broadcast scalars to the lanes */
    unsigned write_lines;           /* accesses of each lane to write its results, so far */
    unsigned scalar_writes;         /* writes of the scalar register file so far */
    uint64_t loads;                 /* registers of a multiple load not written yet */
    uint64_t written;               /* registers written most recently */
    uint64_t scalars;               /* registers written as scalars so far */
    struct reuse_operands operands; /* valid if `inserts` */
    struct reuse_result result;     /* valid if REUSED; its own result if it inserts and has executed */
};

#define UNIFORM_COUNTS(X)                                                                                    \
    X(UNIFORM, "uniform", "instructions", "warp instructions found uniform")                                 \
    X(SCALAR, "scalar", "instructions", "warp instructions executed for one thread, which stands for all")   \
    X(BROADCAST_LOADS, "broadcast_loads", "instructions",                                                    \
      "loads not uniform by their operands, but with equal addresses under a full mask")                     \
    X(COPIES, "copies", "instructions",                                                                      \
      "copy instructions inserted before partial writes (not part of warp_instructions)")                    \
    X(COPIES_OF_SOURCES, "copies_of_sources", "instructions",                                                \
      "of these, of a register that the instruction reads as well: the paper's rule (uniform 3.1)")          \
    X(VECTOR_READS, "vector_reads", "registers", "vector registers read to collect operands")                \
    X(SCALAR_READS, "scalar_reads", "registers", "scalars read instead of vector registers")                 \
    X(VECTOR_WRITES, "vector_writes", "registers", "vector registers written with results")                  \
    X(SCALAR_WRITES, "scalar_writes", "registers", "scalars written instead of vector registers")            \
    X(BROADCAST_CYCLES, "broadcast_cycles", "cycles",                                                        \
      "of collecting operands, for scalars on their way to the lanes (uniform.broadcast_cycles)")            \
    X(ALU_OPERATIONS, "alu_operations", "operations",                                                        \
      "ALU and VFP operations of threads as the program has them: no loads, stores, branches, hints, "       \
      "co-processor instructions")                                                                           \
    X(ALU_EXECUTED, "alu_executed", "operations", "of these, carried out")                                   \
    X(ALU_PROTECTED, "alu_protected", "operations",                                                          \
      "of these, of instructions executed for one thread, which a second lane can check for nothing, or "    \
      "not executed at all")
/* With uniform.storage srf. */
#define UNIFORM_SRF_COUNTS(X)                                                                                \
    X(SRF_ALLOCATED, "allocated", "registers", "scalar registers taken from the free list")                  \
    X(SRF_HAZARDS, "hazards", "instructions",                                                                \
      "results that were uniform, but found no free scalar register, or needed more than two at once")
/* With uniform.inter. */
#define UNIFORM_IRB_COUNTS(X)                                                                                \
    X(IRB_LOOKUPS, "lookups", "instructions", "uniform instructions that looked for their result")           \
    X(IRB_HITS, "hits", "instructions", "of these, those that found it")                                     \
    X(IRB_OTHER, "other_operands", "instructions", "of these, those that found it for other operands")       \
    X(IRB_MISSES, "misses", "instructions", "of these, those that found nothing")                            \
    X(IRB_SKIPPED, "skipped", "instructions", "warp instructions not executed, since they hit")              \
    X(IRB_INSERTED, "inserted", "results", "written into the buffer")                                        \
    X(IRB_EVICTED, "evicted", "results", "of other instructions that had to go for these")                   \
    X(IRB_DROPPED, "dropped", "results", "not written, since an older instruction committed in the cycle")
#define UNIFORM_ALL_COUNTS(X) UNIFORM_COUNTS(X) UNIFORM_SRF_COUNTS(X) UNIFORM_IRB_COUNTS(X)
enum uniform_count {
#define X(id, name, unit, what) UNIFORM_COUNT_##id,
    UNIFORM_ALL_COUNTS(X)
#undef X
        UNIFORM_COUNT_COUNT
};

struct uniform {
    const struct machine_config *config;
    bool on; /* uniform.storage is not none; else no other field is used */
    struct uniform_registers registers;
    struct token_file tokens; /* storage token */
    struct srf_rename rename; /* storage srf */
    struct instruction_reuse_buffer reuse;
    bool writes, looks_up; /* events of this cycle, until the edge */
    uint64_t inserted_s;   /* cycle of selection of the instruction whose result is inserted next */
    struct arm_instruction copy[ARM_REGISTERS]; /* copy instruction of each register */
    struct register_liveness *liveness;         /* one for each warp */
    struct register_cycles register_cycles;
    uint64_t count[UNIFORM_COUNT_COUNT];
};

/* State of the warp before an instruction. */
struct uniform_warp {
    unsigned number;
    uint64_t participating, live;
    struct arm_threads *threads;
};

/* --- life and launches --- */

/* Initialises in place: the structure must not be copied. */
void uniform_init(struct uniform *u, const struct machine_config *config, struct uniform_registers registers,
                  unsigned warps);
void uniform_free(struct uniform *u);
/* uniform_counters.c */
void uniform_register_counters(struct uniform *u, const char *cluster, struct counter_registry *r);

/* Returns the thread that keeps a scalar with storage token:: the one of the last round in lane 0. A vector
 * instruction then overwrites the register after its last read (uniform §3.1.1). On lane groups it is the
 * thread of position 0, since the last round may have no registers. */
unsigned uniform_position(const struct machine_config *config);

uniform_tokens uniform_tokens_of(const struct uniform *u, unsigned warp);

void uniform_reset(struct uniform *u); /* clears u at the beginning of a launch */
/* Starts a work-group in cycle t, with threads in these warps. */
void uniform_start(struct uniform *u, warp_set warps, uint64_t t);

/* --- an instruction in flight: D, O, X, C --- */

/* D: read the tokens; then replace *i by a copy instruction if one must come first, and fill *f. */
void uniform_read(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i);
void uniform_decoded(struct uniform *u, struct arm_instruction **i, struct uniform_flight *f);
/* Returns the registers that must be copied before the instruction, from the present registers, without the
 * blocks; and whether there are any, so that a copy instruction would replace it. */
uint64_t uniform_copies(const struct uniform *u, const struct uniform_warp *w,
                        const struct arm_instruction *i);
bool uniform_copies_first(const struct uniform *u, const struct uniform_warp *w,
                          const struct arm_instruction *i);
/* Sets *i to the copy instruction of a register of a warp, and fills *f. `source`: the instruction that waits
 * for it reads the register. */
void uniform_copy(struct uniform *u, unsigned warp, unsigned reg, bool source,
                  const struct arm_instruction **i, struct uniform_flight *f);
/* Sets the write inputs: these tokens of a warp are cleared. */
void uniform_clear(struct uniform *u, unsigned warp, uniform_tokens tokens);
/* Returns likewise whether the instruction would be found uniform. */
bool uniform_would_be(const struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i);

/* Sets f->inserts and f->operands while the registers have the values before i. Returns f->inserts. */
bool uniform_operands(const struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      struct uniform_flight *f);
/* Does the first cycle of O, with the look-up. Afterwards f->form is the form of execution, unless its result
 * finds no register, and f->broadcast is known. */
void uniform_collected(struct uniform *u, uint32_t pc, const struct arm_instruction *i,
                       struct uniform_flight *f);

/* X: writes the results of the threads `passed`, at least one; `address`: addresses of a load. For a load one
 * register in each beat (`beat` of i->access_count) of its last round, else all at once (beat 0 of 1) when
 * its first round starts. Then f->write_lines and f->scalar_writes grow by its accesses, and f->form may
 * become VECTOR. */
void uniform_write(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                   uint64_t passed, const uint32_t *address, struct uniform_flight *f, unsigned beat);
void uniform_written(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                     struct uniform_flight *f);
/* Returns the number of writes of its results: one for each register of a multiple load if all get scalar
 * registers; else one. */
unsigned uniform_writes(const struct uniform *u, const struct uniform_warp *w,
                        const struct arm_instruction *i, uint64_t passed, const uint32_t *address,
                        const struct uniform_flight *f);

/* Returns whether writing would change no token; without twins, the second function then replaces the two
 * above. */
bool uniform_keeps_tokens(const struct uniform *u, unsigned warp, const struct arm_instruction *i,
                          const struct uniform_flight *f);
void uniform_written_plainly(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f);

/* Called when an instruction has written its last results, or has none. t: cycle of its first round. */
void uniform_executed(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      uint64_t passed, const struct uniform_flight *f, uint64_t t);

/* Handles C of an instruction that was selected in cycle s. */
void uniform_committed(struct uniform *u, const struct uniform_warp *w, uint32_t pc, uint64_t s,
                       const struct arm_instruction *i, const struct uniform_flight *f);
/* Does the same with the result kept in *f. */
void uniform_insert(struct uniform *u, uint32_t pc, uint64_t s, const struct uniform_flight *f);
/* Handles the exit of a warp's last thread. */
void uniform_released(struct uniform *u, unsigned warp);

/* --- the blocks that keep tokens and results --- */

/* Returns whether a start or a release of a warp waits for an edge. */
bool uniform_waits(const struct uniform *u);
/* Inputs → outputs of the block with tokens; the edge. Reading alone needs neither. */
void uniform_eval(struct uniform *u);
void uniform_clock(struct uniform *u);
/* The reuse buffer, in cycles with a look-up or an insertion. */
void uniform_eval_reuse(struct uniform *u);
void uniform_clock_reuse(struct uniform *u);

/* Checks that every register and state with a token is equal in all threads of `live`; panics if one is
 * not. */
void uniform_check(const struct uniform *u, const struct uniform_warp *w, uint32_t pc);

#endif
