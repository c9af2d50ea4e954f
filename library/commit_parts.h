/*
 * commit_parts: declarations shared by the files of the commit checker (lockstep.h): its state, and the
 * history for undoing a unit's instructions.
 *
 * A unit is a core (MIMD mode, one thread) or a warp (SIMT mode). The reference of each executes on copies of
 * all memory that kernels can write; the design has the machine's memory. Both have their own local memories,
 * stacks and launch block.
 */
#ifndef LIBRARY_COMMIT_PARTS_H
#define LIBRARY_COMMIT_PARTS_H

#include "library/lockstep.h"
#include "library/reference.h"

#define COMMIT_UNITS      256
#define COMMIT_HISTORY    64 /* instructions for each unit */
#define COMMIT_STACK_BASE MEMORY_STACK_BASE

/* Rows of a unit's state after the registers. */
enum {
    ROW_N = ARM_REGISTERS,
    ROW_Z,
    ROW_C,
    ROW_V,
    ROW_Q,
    ROW_GE,
    ROW_FPSCR,
    ROW_PC,
    ROW_NEXT_PC,
    ROW_TOP,
    ROWS
};
/* Number of rows that a record may need: all registers, flags and FPSCR of a skipped instruction. Stores need
 * fewer: the words of a VSTM, flags, base, addresses. */
#define RECORD_ROWS 52

/* A committed instruction, and the unit's state before it. */
struct commit_record {
    uint32_t pc;
    uint64_t mask, passed,
        ended;     /* threads at pc; threads whose condition held; threads that ended with it */
    uint64_t rows; /* registers (rows) that it may have changed, as bits; their old values are in ascending
                      order */
    unsigned stored_bytes; /* stores: bytes of each passed thread; kept after the rows, as are addresses */
    uint64_t group;        /* MIMD: number of the work-group before it, plus 1; 0: none */
    uint64_t taken;        /* number of the work-group that it took, plus 1; 0: none */
    uint32_t done;         /* work-items that ended with it */
    bool in_kernel;
    uint32_t crossing;
};

/* Local memory of a work-group in flight (SIMT), or of a core. */
struct commit_local {
    uint64_t group; /* number, plus 1; 0: free */
    uint32_t left;  /* work-items that have not ended */
    uint8_t *design, *reference;
};

struct commit_unit {
    struct arm_threads threads;
    uint32_t *rows;  /* ROWS rows, to which `threads` points */
    uint32_t *id;    /* three rows: local ids */
    uint64_t live;   /* threads that have not ended */
    uint64_t number; /* number of the work-group, plus 1; 0: none */
    uint32_t group[3];
    bool in_kernel;        /* MIMD: runs the twin */
    uint32_t crossing;     /* MIMD: PC at which it enters or leaves the twin */
    struct memory *memory; /* memory as the reference sees it */
    int local_region;      /* region in `memory`; −1: none */
    struct commit_local *local;
    struct {
        uint32_t address;
        uint64_t value;
        bool valid;
    } * reserved;                 /* exclusive load of each thread */
    struct commit_record *record; /* COMMIT_HISTORY records, and RECORD_ROWS rows for each */
    uint32_t *kept;
    uint64_t committed;
    unsigned undoable; /* number of the latest instructions that can be undone */
    uint16_t hint;     /* region of the latest access */
};

struct lockstep_checker {
    struct reference *reference;
    uint64_t lending; /* reference_lendings() while the launch is the checker's */
    const struct machine_launch *launch;
    struct machine_config config;
    bool mimd;
    unsigned units, threads;
    struct commit_unit *unit;
    struct memory *shadow;  /* memory of the reference, shared by all units */
    struct memory *nothing; /* a memory without regions: stores only compute their addresses */
    struct launch_block block;
    uint32_t stack_bytes; /* stack of a thread or a core, in bytes */
    uint8_t *design_stacks, *reference_stacks;
    struct commit_local *local; /* one for each unit */
    uint32_t groups[3];
    uint64_t group_count, group_items; /* work-groups; work-items of each */
    uint8_t *begun;                    /* a bit for each work-group taken by a core, or work-item started */
    uint8_t *handed;     /* MIMD: a bit for each work-group that the co-processor has handed out */
    uint64_t next_group; /* MIMD: all lower ones have been handed out */
    uint64_t items_left, commits;
    bool failed;
    struct lockstep_difference difference;
    uint32_t stray[ARM_MAX_POSITIONS]; /* addresses in the design of the instruction that differs, for each
                                          thread */
    uint64_t strayed;                  /* threads with such addresses */
    unsigned stray_bytes;
};

/* Returns whether the launch is still the checker's; if not, lockstep_error() says so. */
bool commit_is_open(const struct lockstep_checker *c);

static inline uint64_t commit_all(const struct lockstep_checker *c) {
    return c->threads == 64 ? UINT64_MAX : (UINT64_C(1) << c->threads) - 1;
}

static inline uint32_t *commit_row(const struct commit_unit *u, unsigned row) {
    return &u->rows[(size_t)row * u->threads.positions];
}

static inline uint64_t commit_group_number(const struct lockstep_checker *c, const uint32_t group[3]) {
    return group[0] + (uint64_t)c->groups[0] * (group[1] + (uint64_t)c->groups[1] * group[2]);
}

static inline bool commit_bit(const uint8_t *bits, uint64_t n) {
    return bits[n / 8] >> n % 8 & 1;
}

static inline void commit_set_bit(uint8_t *bits, uint64_t n, bool set) {
    bits[n / 8] = (uint8_t)((bits[n / 8] & ~(1u << n % 8)) | (unsigned)set << n % 8);
}

/* Returns memory as the reference of a unit sees it; NULL if there is none. */
static inline uint8_t *commit_at(struct commit_unit *u, uint32_t address, uint32_t bytes) {
    const struct memory_region *r = &u->memory->region[u->hint];
    if (r->size_bytes < bytes || address - r->base > r->size_bytes - bytes) {
        const int n = memory_find(u->memory, address, bytes);
        if (n < 0) return NULL;
        u->hint = (uint16_t)n;
        r = &u->memory->region[n];
    }
    return r->host + (address - r->base);
}

/* Returns the host place of address 0 if all these threads access the region of the latest access; else
 * NULL. */
static inline uint8_t *commit_all_at(const struct commit_unit *u, const uint32_t *address, uint64_t threads,
                                     uint32_t bytes) {
    const struct memory_region *r = &u->memory->region[u->hint];
    bool outside = r->size_bytes < bytes;
    for (uint64_t rest = threads; rest; rest &= rest - 1)
        outside |= address[__builtin_ctzll(rest)] - r->base > r->size_bytes - bytes;
    return outside ? NULL : (uint8_t *)((uintptr_t)r->host - r->base);
}

/* Returns the identity of a unit's threads, for answers of the co-processor. */
struct identity commit_identity(const struct lockstep_checker *c, const struct commit_unit *u);
/* Writes the ids of the work-group with this number. */
void commit_group_ids(const struct lockstep_checker *c, uint64_t number, uint32_t group[3]);

/* Keep the rows of a record; for a store, the memory at the addresses. Return the record. */
struct commit_record *commit_keep(struct commit_unit *u, uint32_t pc, uint64_t mask, uint64_t rows);
void commit_keep_memory(struct commit_unit *u, struct commit_record *r, const uint32_t *address,
                        unsigned bytes);
/* Returns the number of the next work-group for a core, or UINT32_MAX if all have been handed out. */
uint32_t commit_hand_out(struct lockstep_checker *c);
/* Takes a work-group back from a core. */
void commit_take_back(struct lockstep_checker *c, uint64_t number);
/* Undoes the latest instruction, which must be undoable. */
void commit_undo(struct lockstep_checker *c, struct commit_unit *u);

#endif
