/*
 * causes_core: what a core in MIMD mode waits for in a cycle of a recording.
 *
 * A record of a core is a run of instructions. On cores of the kind `single`, the cycle of each of them is
 * computed again: an instruction issues when the one before it has issued and its operands are usable,
 * whichever is later. The end of each run is compared with the
 * record. On superscalar cores a step is a whole run, and the record says what the core waited for before it.
 */
#ifndef RECORDING_CAUSES_CORE_H
#define RECORDING_CAUSES_CORE_H

#include "recording/causes.h"

enum core_cause {
    CORE_CAUSE_UNKNOWN,
    CORE_CAUSE_LAUNCH,      /* the launch begins */
    CORE_CAUSE_BEFORE,      /* the step before it issues */
    CORE_CAUSE_OCCUPIED,    /* the instruction before it takes several cycles */
    CORE_CAUSE_BRANCH,      /* the branch before it is taken */
    CORE_CAUSE_OPERAND,     /* another instruction writes a register that it reads */
    CORE_CAUSE_MEMORY,      /* the load or store before it waits for memory */
    CORE_CAUSE_FETCH,       /* the L1I or the ITLB has missed */
    CORE_CAUSE_COPROCESSOR, /* the co-processor instruction before it takes several cycles */
    CORE_CAUSE_RECORDED     /* the record says it: `recorded` */
};

/* An instruction of a core, or a run of a superscalar one. */
struct core_step {
    uint64_t cycle;  /* its issue; of a run, of its first instruction */
    uint64_t waited; /* cycles since the step before it, or since the cause */
    size_t before;   /* the step that caused it; SIZE_MAX: none is known */
    uint32_t pc, count;
    uint8_t cause;    /* enum core_cause */
    uint8_t recorded; /* number of the recorded cause */
    uint8_t register_number;
};

struct causes_core {
    const struct recording *r;
    unsigned unit, core;
    bool single;            /* steps are instructions */
    struct core_step *step; /* instructions or runs, in the order of issue */
    size_t count, room;
    size_t runs, exact;    /* repetitions of runs; those whose computed end is the recorded one */
    struct record *access; /* recorded accesses of all cores of the recording, by cycle; may be none */
    unsigned *access_unit; /* cluster of each */
    size_t accesses, access_room;
};

/* Reads the records of a core around a cycle. False and *e (EXIT_USER): the unit has no cores, or the
 * recording has no cycles of instructions. */
bool causes_core_read(struct causes_core *c, const struct recording *r, unsigned unit, unsigned core,
                      uint64_t cycle, struct error *e);
void causes_core_free(struct causes_core *c);

/* Finds the first step of a core that issues in a cycle or later; false: there is none. */
bool causes_core_awaited(const struct causes_core *c, uint64_t cycle, size_t *step);
/* Writes why a step is not earlier. Returns whether *before, which it has waited for, is known. */
bool causes_core_of(const struct causes_core *c, size_t step, char text[CAUSES_TEXT], size_t *before);

#endif
