/* uniform_told: inputs of the token file, the map of scalar registers, and the reuse buffer for an
 * instruction (docs/uniform.md §3). They are the same on both kinds of machine, apart from the time. */
#ifndef TESTS_RECKONING_UNIFORM_TOLD_H
#define TESTS_RECKONING_UNIFORM_TOLD_H

#include "model/control/warp_set.h"
#include "model/uniform/uniform.h"
#include "tests/reckoning/place.h"

/* Computed inputs of a cycle; all 0: none. */
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

/* A look-up in the reuse buffer, or an insertion; `is` false: none. */
struct reuse_told {
    bool is;
    uint32_t pc;
    struct reuse_operands operands;
    struct reuse_result result;
    uint64_t age; /* age, which selects the oldest of several in a cycle for insertion */
};

/* Computes the read inputs for an instruction in D or I; `live`: threads of its warp. */
void uniform_told_read(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, bool full,
                       uint64_t live, const struct arm_threads *threads);
/* Computes the write inputs for the results of an instruction. `full`: for all threads of the warp. */
void uniform_told_write(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, uint64_t to,
                        bool full, bool uniform, const struct arm_execution *x);
/* Return the resources that an instruction other than a load writes; the registers that a load writes,
 * without the base. */
uint64_t uniform_told_results(const struct arm_instruction *i);
uint64_t uniform_told_loads(const struct arm_instruction *i);

/* Returns the look-up of a uniform instruction; `is` false: none. */
struct reuse_told uniform_told_operands(const struct uniform *u, const struct arm_instruction *i, uint32_t pc,
                                        bool uniform, uint64_t live, const struct arm_threads *threads);

/* Compare the inputs of the token file or the map; of the reuse buffer. */
void uniform_told_compare(struct reckoning_place *p, const struct uniform *u, const struct uniform_told *said,
                          uint64_t t);
void uniform_told_compare_reuse(struct reckoning_place *p, const struct uniform *u,
                                const struct reuse_told *lookup, const struct reuse_told *insert, uint64_t t);

#endif
