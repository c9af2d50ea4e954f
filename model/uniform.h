/*
 * uniform: which registers of a warp hold the same value in all its threads, and which of its instructions
 * therefore need be executed for one thread only (uniform §3.1; machine.md §9).
 *
 * Every register of a warp, its NZCV, the flags of FPSCR and its modes carry a token: all live threads hold
 * the same value. An instruction is uniform when all it reads has its token and its mask is full: all live
 * threads of the warp participate, and its condition has the same outcome for them. What it writes gets the
 * token; a broadcast load (all addresses equal, full mask) gives it to what is loaded; every other write
 * takes it away. A uniform instruction is executed for one thread, in one round, in lane 0; its result stays
 * with one thread (uniform_position()), from where later instructions get it.
 *
 * A partial write (mask not full, or a condition whose flags have no token) to a register with its token
 * would leave the other threads without their value: first a copy instruction is executed in the place of the
 * one that writes, one for each such register. It writes the value to all threads, takes the token away and
 * leaves the PC; then the warp is selected anew. Flags need no copy: a commit writes them for all threads at
 * once (timing.md, C).
 *
 * Decided here: loads and stores whose operands are uniform are uniform (one access), but for exclusives;
 * branches and hints are; so are the co-processor's operations (Rt is ignored) and identity registers, but
 * for local ids, global ids and the lane's number. What reads Q, GE, or FPSCR as a whole is not: they have no
 * tokens. r0, the flags and FPSCR have theirs when a context starts.
 *
 * Registers may live anywhere: struct uniform_registers says what reading and writing one costs there.
 *
 * docs/uniform.md has the decisions, examples and known inaccuracies.
 */
#ifndef MODEL_UNIFORM_H
#define MODEL_UNIFORM_H

#include "model/machine_config.h"
#include "model/register_liveness.h"
#include "model/thread_descriptor_table.h"
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
    bool uniform;          /* detected, whatever its form */
    bool full;             /* all live threads participate */
    uniform_tokens tokens; /* of the warp, when it was decoded */
    unsigned read_lines;   /* accesses of each lane to collect its operands */
    unsigned broadcast;    /* cycles that bringing scalars to the lanes takes on top */
};

#define UNIFORM_COUNTS(X)                                                                                    \
    X(UNIFORM, "uniform", "instructions", "warp instructions found uniform")                                 \
    X(SCALAR, "scalar", "instructions", "warp instructions executed for one thread, which stands for all")   \
    X(BROADCAST_LOADS, "broadcast_loads", "instructions",                                                    \
      "loads not uniform by their operands, but with equal addresses under a full mask")                     \
    X(COPIES, "copies", "instructions",                                                                      \
      "copy instructions inserted before partial writes (not part of warp_instructions)")                    \
    X(READ_LINES, "read_lines", "lines", "lines of registers read to collect operands, in all lanes")        \
    X(READ_LINES_SAVED, "read_lines_saved", "lines", "that vectors would have been read in on top of these") \
    X(READ_WORDS_SAVED, "read_words_saved", "words", "of registers that were not read, but for one thread")  \
    X(WRITE_LINES, "write_lines", "lines", "lines of registers written with results, in all lanes")          \
    X(WRITE_LINES_SAVED, "write_lines_saved", "lines",                                                       \
      "that vectors would have been written in on top of these")                                             \
    X(WRITE_WORDS_SAVED, "write_words_saved", "words",                                                       \
      "of registers that were not written, but for one thread")                                              \
    X(BROADCAST_CYCLES, "broadcast_cycles", "cycles",                                                        \
      "of collecting operands, for scalars on their way to the lanes (uniform.broadcast_cycles)")            \
    X(ALU_OPERATIONS, "alu_operations", "operations",                                                        \
      "ALU and VFP operations of threads as the program has them: no loads, stores, branches, hints, "       \
      "co-processor instructions")                                                                           \
    X(ALU_EXECUTED, "alu_executed", "operations", "of these, carried out")                                   \
    X(ALU_PROTECTED, "alu_protected", "operations",                                                          \
      "of these, of instructions executed for one thread: a second lane can check them for nothing")
enum uniform_count {
#define X(id, name, unit, what) UNIFORM_COUNT_##id,
    UNIFORM_COUNTS(X)
#undef X
        UNIFORM_COUNT_COUNT
};

struct uniform {
    const struct machine_config *config;
    bool on; /* uniform.storage is not none; if it is, none of the rest is used */
    struct uniform_registers registers;
    uniform_tokens tokens[TDT_MAX_WARPS];
    struct arm_instruction copy[ARM_REGISTERS]; /* the copy instruction of each register */
    struct register_liveness *liveness;         /* of each warp */
    struct register_cycles register_cycles;
    uint64_t count[UNIFORM_COUNT_COUNT];
};

/* The warp as an instruction finds it. */
struct uniform_warp {
    unsigned number;
    uint64_t participating, live;
    const struct arm_threads *threads;
};

void uniform_init(struct uniform *u, const struct machine_config *config, struct uniform_registers registers);
void uniform_free(struct uniform *u);
void uniform_register_counters(struct uniform *u, const char *cluster, struct counter_registry *r);

/* The thread that keeps a scalar: of the last round, in lane 0, so that a vector instruction that overwrites
 * the register does so after it was read for the last time (uniform §3.1.1). */
unsigned uniform_position(const struct machine_config *config);

/* All the threads of a warp have been started, in cycle t. */
void uniform_start(struct uniform *u, unsigned warp, uint64_t t);

/* D: fills *f; *i is replaced by a copy instruction where one must come first. */
void uniform_decode(struct uniform *u, const struct uniform_warp *w, struct arm_instruction **i,
                    struct uniform_flight *f);

/* Lines, of each lane, that the result of an instruction that has been executed is written in. */
unsigned uniform_write_lines(const struct uniform *u, const struct arm_instruction *i,
                             const struct uniform_flight *f);

/* The instruction has been executed, its first round in cycle t: tokens change, and it is counted. */
void uniform_executed(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      const struct arm_execution *x, const struct uniform_flight *f, uint64_t t);

/* Every register and state with a token must be equal in all threads of `live`: a panic if one is not. */
void uniform_check(const struct uniform *u, const struct uniform_warp *w, uint32_t pc);

#endif
