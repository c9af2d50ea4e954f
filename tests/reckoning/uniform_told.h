/*
 * uniform_told: what the blocks that keep tokens, or the map of scalar registers, and the reuse buffer are
 * told of an instruction (docs/uniform.md §3): the same on both kinds of machine, which differ in when.
 */
#ifndef TESTS_RECKONING_UNIFORM_TOLD_H
#define TESTS_RECKONING_UNIFORM_TOLD_H

#include "model/control/warp_set.h"
#include "model/uniform/uniform.h"
#include "tests/reckoning/place.h"

/* Reckoned inputs of a cycle; all 0: none. */
struct uniform_told {
    unsigned read_warp;
    uint64_t sources, destinations;
    bool full, conditional, fails;
    unsigned row[3];
    unsigned write_warp;
    uint64_t to, broadcast;
    bool write_full, write_uniform;
    bool starts, release;
    warp_set start_warps;
    unsigned release_warp;
};

/* What is asked of the reuse buffer, or given to it; `is` false: nothing. */
struct reuse_told {
    bool is;
    uint32_t pc;
    struct reuse_operands operands;
    struct reuse_result result;
    uint64_t age; /* of those of a cycle the oldest is inserted */
};

/* D, or I, of an instruction: `live` are the threads of its warp. */
void uniform_told_read(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, bool full,
                       uint64_t live, const struct arm_threads *threads);
/* Results are written: these, of an instruction that was found uniform. `full`: for all threads of the warp.
 */
void uniform_told_write(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, uint64_t to,
                        bool full, bool uniform, const struct arm_execution *x);
/* The resources that an instruction which does not load writes; the registers that one loads, the base apart.
 */
uint64_t uniform_told_results(const struct arm_instruction *i);
uint64_t uniform_told_loads(const struct arm_instruction *i);

/* What an instruction that has been found uniform asks the reuse buffer for; `is` false: it does not. */
struct reuse_told uniform_told_operands(const struct uniform *u, const struct arm_instruction *i, uint32_t pc,
                                        bool uniform, uint64_t live, const struct arm_threads *threads);

/* Compares the inputs of the block that keeps tokens, or of the reuse buffer. */
void uniform_told_compare(struct reckoning_place *p, const struct uniform *u, const struct uniform_told *said,
                          uint64_t t);
void uniform_told_compare_reuse(struct reckoning_place *p, const struct uniform *u,
                                const struct reuse_told *lookup, const struct reuse_told *insert, uint64_t t);

#endif
