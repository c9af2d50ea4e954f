/*
 * uniform: which registers of a warp hold the same value in all its threads, and which of its instructions
 * therefore need be executed for one thread only, or not at all (uniform §3; machine.md §9).
 *
 * Every register of a warp, its NZCV, the flags of FPSCR and its modes carry a token: all live threads hold
 * the same value. An instruction is uniform when all it reads has its token and its mask is full: all live
 * threads of the warp participate, and its condition has the same outcome for them. What it writes gets the
 * token; a broadcast load (all addresses equal, full mask) gives it to what is loaded; every other write
 * takes it away. With uniform.intra a uniform instruction is executed for one thread, in one round, in
 * lane 0. Where the values are is uniform.storage:
 *   token  with one thread (uniform_position()), from where later instructions get them (token_file);
 *   srf    in a scalar register file, as long as there are registers (srf_rename). If there is none when its
 *          first round starts, the instruction is executed as any other, and its results are not uniform.
 *
 * A partial write (mask not full, or a condition whose flags have no token) to a register with its token
 * would leave the other threads without their value: first a copy instruction is executed in the place of the
 * one that writes, one for each such register. It writes the value to all threads, takes the token away and
 * leaves the PC; then the warp is selected anew. Flags need no copy: a commit writes them for all threads at
 * once (timing.md §C).
 *
 * With uniform.inter uniform instructions look for their result in an instruction reuse buffer when their
 * operands are read. One that finds it there is not executed: it takes a cycle in the lanes, and its result
 * is there at the end of it, whatever its class. One that does not leaves its result for others, in the
 * cycle after its commit; of several that commit in a cycle the oldest.
 *
 * Decided here: loads and stores whose operands are uniform are uniform (one access), but for exclusives;
 * branches and hints are; so are the co-processor's operations (Rt is ignored) and identity registers, but
 * for local ids, global ids and the lane's number. What reads Q, GE, or FPSCR as a whole is not: they have no
 * tokens. r0, the flags and FPSCR have theirs when a work-group begins.
 *
 * Registers may live anywhere: struct uniform_registers says what reading and writing one costs there.
 *
 * A cycle: uniform_read(), _look_up() and _write() of what happens in it; evaluation of the blocks; then what
 * they say, uniform_decoded(), _collected(), _written(); the edge. What is committed or released is seen by
 * the blocks in the next cycle. docs/uniform.md has decisions, examples and known inaccuracies.
 */
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

/* Where the registers are: what an access takes of each port there. */
struct uniform_registers {
    unsigned lanes;        /* lanes, each with its ports */
    unsigned words;        /* of a vector register: threads of a warp */
    unsigned vector_lines; /* accesses of each lane to read or write a vector register */
    unsigned scalar_lines; /* accesses of one lane to read or write what one thread has of it */
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

/* A warp's instruction on its way. */
struct uniform_flight {
    enum uniform_form form;
    bool uniform;                   /* detected, whatever its form */
    bool copies_source;             /* a copy of a register that the instruction reads as well */
    bool inserts;                   /* its result is for the reuse buffer */
    uniform_tokens tokens;          /* of the warp, when it was decoded */
    unsigned read_lines;            /* accesses of each lane to collect its operands */
    unsigned broadcast;             /* cycles that bringing scalars to the lanes takes on top */
    unsigned write_lines;           /* accesses of each lane to write its results, so far */
    unsigned scalar_writes;         /* of the scalar register file, so far */
    uint64_t loads;                 /* registers of a multiple load that are still to come */
    uint64_t written;               /* registers written last, */
    uint64_t scalars;               /* and of all so far, those written as scalars */
    struct reuse_operands operands; /* if it inserts */
    struct reuse_result result;     /* if it is REUSED; if it inserts, and is executed, its own */
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
    bool on; /* uniform.storage is not none; if it is, none of the rest is used */
    struct uniform_registers registers;
    struct token_file tokens; /* storage token */
    struct srf_rename rename; /* storage srf */
    struct instruction_reuse_buffer reuse;
    bool writes, looks_up; /* in this cycle, up to the edge */
    uint64_t inserted_s;   /* selection of the instruction whose result is inserted next */
    struct arm_instruction copy[ARM_REGISTERS]; /* the copy instruction of each register */
    struct register_liveness *liveness;         /* of each warp */
    struct register_cycles register_cycles;
    uint64_t count[UNIFORM_COUNT_COUNT];
};

/* The warp as an instruction finds it. */
struct uniform_warp {
    unsigned number;
    uint64_t participating, live;
    struct arm_threads *threads;
};

/* --- life and launches --- */

/* In place: it must not be copied. */
void uniform_init(struct uniform *u, const struct machine_config *config, struct uniform_registers registers,
                  unsigned warps);
void uniform_free(struct uniform *u);
/* uniform_counters.c */
void uniform_register_counters(struct uniform *u, const char *cluster, struct counter_registry *r);

/* The thread that keeps a scalar in the token design: of the last round, in lane 0, so that a vector
 * instruction that overwrites the register does so after it was read for the last time (uniform §3.1.1). */
unsigned uniform_position(const struct machine_config *config);

uniform_tokens uniform_tokens_of(const struct uniform *u, unsigned warp);

void uniform_reset(struct uniform *u); /* a launch begins */
/* A work-group begins in cycle t, with threads in these warps. */
void uniform_start(struct uniform *u, warp_set warps, uint64_t t);

/* --- an instruction on its way: D, O, X, C --- */

/* D. Then *i is replaced by a copy instruction where one must come first, and *f filled. */
void uniform_read(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i);
void uniform_decoded(struct uniform *u, struct arm_instruction **i, struct uniform_flight *f);
/* Would it be replaced by a copy instruction? Of the registers as they are; the blocks are not asked. */
bool uniform_copies_first(const struct uniform *u, const struct uniform_warp *w,
                          const struct arm_instruction *i);

/* First cycle of O. Then f->form is the form in which it is executed, unless its result finds no register,
 * and f->broadcast known. */
void uniform_look_up(struct uniform *u, const struct uniform_warp *w, uint32_t pc,
                     const struct arm_instruction *i, struct uniform_flight *f);
/* Both parts of it, for machines that change registers before their first cycle of O: f->inserts, f->operands
 * while they are as i finds them; then the look-up. */
bool uniform_operands(const struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      struct uniform_flight *f);
void uniform_ask(struct uniform *u, uint32_t pc, const struct uniform_flight *f);
void uniform_collected(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f);

/* X: results of threads x->passed, of which there are some, are written: of a load one register for each
 * beat (`beat` of i->access_count) of its last round, else all at once (beat 0 of 1) when its first round
 * starts. Then f->write_lines and f->scalar_writes grow by what it takes, and f->form may be VECTOR. */
void uniform_write(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                   const struct arm_execution *x, struct uniform_flight *f, unsigned beat);
void uniform_written(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                     struct uniform_flight *f);
/* In how many writes its results come: of a multiple load whose registers all get scalar registers one each;
 * else all at once. */
unsigned uniform_writes(const struct uniform *u, const struct uniform_warp *w,
                        const struct arm_instruction *i, const struct arm_execution *x,
                        const struct uniform_flight *f);

/* Would writing change no token? Then, without twins, this instead of both. */
bool uniform_keeps_tokens(const struct uniform *u, unsigned warp, const struct arm_instruction *i,
                          const struct uniform_flight *f);
void uniform_written_plainly(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f);

/* Its last results have been written, or none were. t: of its first round. */
void uniform_executed(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      uint64_t passed, const struct uniform_flight *f, uint64_t t);

/* C, of an instruction selected in cycle s. */
void uniform_committed(struct uniform *u, const struct uniform_warp *w, uint32_t pc, uint64_t s,
                       const struct arm_instruction *i, const struct uniform_flight *f);
/* The same, with a result that was kept in *f. */
void uniform_insert(struct uniform *u, uint32_t pc, uint64_t s, const struct uniform_flight *f);
/* The last thread of a warp has exited. */
void uniform_released(struct uniform *u, unsigned warp);

/* --- the blocks that keep tokens and results --- */

/* A start or the release of a warp waits for an edge. */
bool uniform_waits(const struct uniform *u);
/* Inputs → outputs of the block that keeps tokens; the edge. Reading alone needs no edge. */
void uniform_eval_read(struct uniform *u);
void uniform_eval(struct uniform *u);
void uniform_clock(struct uniform *u);
/* Of the reuse buffer: in cycles in which it is looked up, or a result is inserted. */
void uniform_eval_reuse(struct uniform *u);
void uniform_clock_reuse(struct uniform *u);

/* Every register and state with a token must be equal in all threads of `live`: a panic if one is not. */
void uniform_check(const struct uniform *u, const struct uniform_warp *w, uint32_t pc);

#endif
