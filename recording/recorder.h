/*
 * recorder: receives records of the work of a unit (a cluster or a streaming multiprocessor), one at the
 * end of each activity. It is the only interface between pipelines and recordings: a pipeline fills
 * records, and the receiver knows no pipeline.
 *
 * A record costs a few stores. When the buffer is full, `full` takes the records. A unit's recorder is used
 * by one thread at a time.
 */
#ifndef RECORDING_RECORDER_H
#define RECORDING_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

enum record_kind {
    RECORD_FLIGHT, /* a warp instruction, written when it commits */
    RECORD_STALL,  /* cycles in which a stage stalled */
    RECORD_RUN,    /* consecutive instructions of a core */
    /* The structure of the run, read from its beginning for any window. `cycle` is the first cycle in which
     * the registers show the change. */
    RECORD_MODE,      /* the mode of the unit changes */
    RECORD_GROUP,     /* a work-group begins in slot `place` */
    RECORD_GROUP_END, /* the work-group in slot `place` has ended */
    RECORD_START,     /* threads of a warp have started */
    RECORD_ARRIVE,    /* threads of a warp wait at a barrier */
    RECORD_EXIT,      /* threads of a warp have ended */
    RECORD_RELEASE,   /* threads of a warp have left a barrier */
    RECORD_ACCESS,    /* an access of a lane, core or load-store unit */
    RECORD_COMMAND,   /* a command of a DRAM channel, among the records of unit 0 */
    RECORD_KIND_COUNT
};

static inline bool record_is_structure(unsigned kind) {
    return kind >= RECORD_MODE && kind < RECORD_ACCESS;
}

/* Stamps of a flight, in cycles after its selection. The names are those of docs/timing.md. */
enum record_stamp {
    RECORD_F,         /* first cycle in F */
    RECORD_FETCHED,   /* the instruction arrives at the end of this cycle */
    RECORD_LEFT,      /* last cycle in F */
    RECORD_O,         /* first cycle of O */
    RECORD_COLLECTED, /* last cycle of O */
    RECORD_X,         /* its first round starts */
    RECORD_LAST,      /* its last round starts */
    RECORD_RESULT,    /* the last result arrives, or is written, at the end of this cycle */
    RECORD_COMMIT,    /* the instruction commits at the end of this cycle */
    RECORD_STAMPS
};

enum record_stage { RECORD_STAGE_OPERANDS, RECORD_STAGE_TPM, RECORD_STAGE_MSHR };

/* Place that an access reaches. */
#define RECORD_HITS(X)                                                                                       \
    X(NONE, "none")                                                                                          \
    X(TPM, "TPM")                 /* a stack object in the lane's TPM */                                     \
    X(TRANSLATION, "translation") /* waits for its translation, and is made later */                         \
    X(L1, "L1")                                                                                              \
    X(L2, "L2")                                                                                              \
    X(FLIGHT, "in flight") /* joins a miss that is pending */                                                \
    X(UPGRADE, "upgrade")  /* the L2 has the line, and asks for the right to write it */                     \
    X(MEMORY, "memory")    /* misses: another L2 or memory has the line */                                   \
    X(BEYOND, "beyond L1") /* the shared L2 of SMs or memory has the line */                                 \
    X(STORED, "passed on") /* a store that goes past the L1 */                                               \
    X(LOCAL, "local memory")                                                                                 \
    X(CONSTANT, "constant") /* hits the cache of constants */
#define X(id, name) RECORD_HIT_##id,
enum record_hit { RECORD_HITS(X) RECORD_HIT_COUNT };
#undef X

/* Commands of a DRAM channel. */
#define RECORD_COMMANDS(X)                                                                                   \
    X(NONE, "none") X(ACTIVATE, "activate") X(PRECHARGE, "precharge") X(READ, "read") X(WRITE, "write")
#define X(id, name) RECORD_COMMAND_##id,
enum record_command { RECORD_COMMANDS(X) RECORD_COMMAND_COUNT };
#undef X

/* Flags of a flight. */
enum { RECORD_ACCESSES = 1 }; /* the flight is a load or a store */

struct record {
    uint64_t cycle;   /* cycle of the event; of a flight, of its selection; of a run and a stall, the first
                         one */
    uint64_t threads; /* positions of the warp; of a flight, its participating threads; of a run, the number
                         of instructions; of an access, the value */
    uint64_t passed;  /* threads of a flight whose condition held */
    uint32_t pc;      /* PC of the instruction; of a run, of the first one; of an access, the address; of a
                         command, the row */
    uint16_t place;   /* number of the warp, core or slot; of an access, of the core or load-store unit; of a
                         command, of the channel */
    uint8_t kind;     /* enum record_kind */
    /* Form of a flight; mode, stage or command of other kinds; place that an access reaches; of a run, the
     * cause of the wait before it, plus 1. */
    uint8_t form;
    uint8_t flags;
    uint32_t after[RECORD_STAMPS]; /* stamps of a flight; numbers of other records, in the order of
                                      docs/recording.md */
};

/* Returns the last cycle of a record. */
static inline uint64_t record_last(const struct record *r) {
    if (r->kind == RECORD_FLIGHT) return r->cycle + r->after[RECORD_COMMIT];
    return r->cycle + (r->kind == RECORD_STALL || r->kind == RECORD_RUN ? r->after[0] : 0);
}

struct recorder {
    struct record *first, *next, *end; /* the buffer; `next` is the place of the next record */
    void (*full)(struct recorder *r);  /* takes all records from `first` to `next`, and sets `next` back */
    uint64_t accesses_first, accesses_end; /* first cycle whose accesses are recorded; first one after them */
};

/* Returns a record to be filled; `after` must be set for kinds that use it. */
static inline struct record *recorder_add(struct recorder *r) {
    if (__builtin_expect(r->next == r->end, 0)) r->full(r);
    return r->next++;
}

/* Sets the stamps of a flight, given as cycles. They are no array: a vector read of an array, right after its
 * elements were stored one by one, waits for these stores. */
static inline void record_stamps(struct record *r, uint64_t f, uint64_t fetched, uint64_t left, uint64_t o,
                                 uint64_t collected, uint64_t x, uint64_t last, uint64_t result,
                                 uint64_t commit) {
    const uint32_t s = (uint32_t)r->cycle;
    r->after[RECORD_F] = (uint32_t)f - s;
    r->after[RECORD_FETCHED] = (uint32_t)fetched - s;
    r->after[RECORD_LEFT] = (uint32_t)left - s;
    r->after[RECORD_O] = (uint32_t)o - s;
    r->after[RECORD_COLLECTED] = (uint32_t)collected - s;
    r->after[RECORD_X] = (uint32_t)x - s;
    r->after[RECORD_LAST] = (uint32_t)last - s;
    r->after[RECORD_RESULT] = (uint32_t)result - s;
    r->after[RECORD_COMMIT] = (uint32_t)commit - s;
}

/* Adds a record of threads, or of a place alone. */
static inline void recorder_event(struct recorder *r, enum record_kind kind, uint64_t cycle, unsigned place,
                                  uint64_t threads, uint32_t pc) {
    *recorder_add(r) = (struct record){
        .cycle = cycle, .threads = threads, .pc = pc, .place = (uint16_t)place, .kind = (uint8_t)kind};
}

/* Returns whether accesses are recorded at all; those of a cycle; those of any cycle from `first` to `last`.
 * The recorder may be NULL. */
static inline bool recorder_wants_accesses(const struct recorder *r) {
    return r && r->accesses_first < r->accesses_end;
}
static inline bool recorder_wants_access(const struct recorder *r, uint64_t t) {
    return r && t >= r->accesses_first && t < r->accesses_end;
}
static inline bool recorder_wants_any(const struct recorder *r, uint64_t first, uint64_t last) {
    return r && last >= r->accesses_first && first < r->accesses_end;
}

/* Adds an access, after which `mshrs` miss registers of its cache are in use. */
static inline void recorder_access(struct recorder *r, uint64_t cycle, unsigned place, enum record_hit hit,
                                   uint32_t address, uint64_t value, unsigned bytes, bool store,
                                   unsigned mshrs) {
    *recorder_add(r) = (struct record){.cycle = cycle,
                                       .threads = value,
                                       .pc = address,
                                       .place = (uint16_t)place,
                                       .kind = RECORD_ACCESS,
                                       .form = (uint8_t)hit,
                                       .after = {2 * bytes + store, mshrs}};
}

/* Adds a command of a DRAM channel for a row, which is opened, closed, read or written. */
static inline void recorder_command(struct recorder *r, uint64_t cycle, unsigned channel,
                                    enum record_command command, unsigned bank, uint32_t row) {
    *recorder_add(r) = (struct record){.cycle = cycle,
                                       .pc = row,
                                       .place = (uint16_t)channel,
                                       .kind = RECORD_COMMAND,
                                       .form = (uint8_t)command,
                                       .after = {bank}};
}

static inline void recorder_mode(struct recorder *r, uint64_t cycle, unsigned mode) {
    *recorder_add(r) = (struct record){.cycle = cycle, .kind = RECORD_MODE, .form = (uint8_t)mode};
}

static inline void recorder_group(struct recorder *r, uint64_t cycle, unsigned place, const uint32_t id[3]) {
    *recorder_add(r) = (struct record){
        .cycle = cycle, .kind = RECORD_GROUP, .place = (uint16_t)place, .after = {id[0], id[1], id[2]}};
}

static inline void recorder_stall(struct recorder *r, enum record_stage stage, uint64_t first,
                                  uint64_t cycles, unsigned place) {
    *recorder_add(r) = (struct record){.cycle = first,
                                       .place = (uint16_t)place,
                                       .kind = RECORD_STALL,
                                       .form = (uint8_t)stage,
                                       .after = {(uint32_t)cycles}};
}

#endif
