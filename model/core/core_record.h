/*
 * core_record: the instructions of a core for a recorder (recorder.h), as runs: consecutive issues, with
 * waits for operands, until a branch is taken or the core waits for memory. Equal consecutive runs, as in a
 * loop, are one record.
 */
#ifndef MODEL_CORE_RECORD_H
#define MODEL_CORE_RECORD_H

#include "recording/recorder.h"

struct core_run {
    uint32_t pc, count; /* PC of the first instruction; number of instructions, 0: no run */
    uint32_t repetitions;
    uint8_t waited; /* cause of the cycles before it, plus 1 (enum machine_cause); 0: not known, or none */
    uint64_t first, end; /* first cycle, first cycle after it */
    uint64_t cycles;     /* cycles of one repetition */
};

struct core_record {
    struct recorder *recorder; /* NULL: no recording */
    unsigned place;
    struct core_run ended, open;   /* `open` may be a repetition of `ended` */
    uint64_t wait_first, wait_end; /* the last wait for operands, which belongs to the run behind it */
    uint8_t waits; /* cause of the last cycle without a run, plus 1; 0: the kind of core does not say it */
};

/* Records that `count` instructions have issued in the cycles [first, end). 0: the instruction at `pc` has
 * waited for its operands. Cycles in which an access waits for memory, or an instruction for its line, belong
 * to no run. */
void core_record_run(struct core_record *r, uint32_t pc, uint32_t count, uint64_t first, uint64_t end);
/* Passes all pending runs to the recorder. */
void core_record_flush(struct core_record *r);

#endif
