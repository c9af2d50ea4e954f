/*
 * recording: reads a recording. The file of a killed run is read up to its last whole chunk.
 */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "recording/recorder.h"
#include "sim/error.h"
#include "sim/time.h"

#include <jansson.h>
#include <stddef.h>

/* Form of a flight that copies a scalar register to all threads, and executes no instruction. */
#define RECORDING_COPIES 3

/* A cluster or a streaming multiprocessor. */
struct recording_unit {
    const char *name;                 /* name, for example "cluster0" */
    bool sm;                          /* unit is a streaming multiprocessor, not a cluster */
    unsigned warps, warp_size, cores; /* cores is 0 for a streaming multiprocessor */
    /* number of schedulers of a streaming multiprocessor, else 0; warp w has scheduler w mod schedulers */
    unsigned schedulers;
    bool issues_one;           /* each issues at most one instruction in a cycle */
    bool barrel;               /* simt.issue is barrel */
    bool regroups;             /* a cluster whose flights have threads of several warps */
    unsigned load_store_units; /* units of a streaming multiprocessor, else 0 */
};

/* Registers that an instruction reads and writes, as bits (docs/recording.md), and the letter of its kind. */
struct recording_operands {
    uint64_t reads, writes;
    uint32_t latency, occupancy; /* cycles of its class; 0: an older recording */
    char kind;
};

/* Code that a launch ran. */
struct recording_code {
    uint32_t base, count;                /* address of the first instruction; number of instructions */
    uint32_t *line;                      /* source line of each instruction; 0: unknown */
    const char **text;                   /* text of each instruction */
    struct recording_operands *operands; /* those of each instruction; NULL: an older recording */
    const char *file;                    /* source file of most lines; "": unknown */
};

struct recording_launch {
    const char *kernel, *mode;
    uint32_t global[3], local[3], groups[3], offset[3]; /* offset: first global id */
    uint64_t first, end; /* cycles; `end` is the first one after the launch, or the last one known */
    bool ended;
    const char *error; /* reason of a failure; NULL: none, or not known */
    const struct recording_code *code;
};

struct recording {
    const char *path;
    json_t *head, *notes; /* JSON about the machine, and about launches */
    bool whole;           /* the file has an index: the run came to its end */
    bool accesses;        /* accesses of some cycles are recorded */
    uint64_t accesses_first, accesses_last;
    unsigned channels;       /* DRAM channels with recorded commands */
    uint64_t clock_mhz, end; /* end: first cycle after all that is known */
    uint64_t records, bytes; /* number of records; bytes of the file */
    struct recording_unit *units;
    struct recording_launch *launches;
    struct recording_code *codes;
    const char **modes; /* modes of clusters: names, by number */
    size_t unit_count, launch_count, code_count, mode_count;
    struct recording_entry *chunks; /* chunks of records, in the order of the file */
    size_t chunk_count;
    int fd;
};

/* Opens a recording. Returns false with *e (EXIT_USER) if the file is no recording, or one of another
 * version. */
bool recording_open(struct recording *r, const char *path, struct error *e);
void recording_close(struct recording *r);

/* Returns whether a file begins as a recording does. */
bool recording_is(const char *path);

/* When a cycle begins. */
sim_time recording_time(const struct recording *r, uint64_t cycle);
/* Returns the launch that runs in a cycle, or NULL. */
const struct recording_launch *recording_launch_at(const struct recording *r, uint64_t cycle);
/* Returns the source line of the instruction at pc, and its text; 0 and "": unknown. */
unsigned recording_line(const struct recording_code *code, uint32_t pc);
const char *recording_text(const struct recording_code *code, uint32_t pc);
/* Returns the operands of the instruction at pc; NULL: unknown. */
const struct recording_operands *recording_operands_of(const struct recording_code *code, uint32_t pc);

/* Visits records unit by unit, in the order in which they were written: all records of the structure up to
 * cycle `last`, and all others that overlap the cycles from `first` to `last`. Some earlier ones are
 * visited, too, so that the last state of each warp is known. Returns false with *e (EXIT_USER) if a chunk
 * is damaged. */
typedef void recording_visit(void *context, unsigned unit, const struct record *record);
bool recording_records(const struct recording *r, uint64_t first, uint64_t last, recording_visit *visit,
                       void *context, struct error *e);
/* Visits all records of a unit in the order of the file, without those of its first chunks. */
bool recording_unit_records(const struct recording *r, unsigned unit, size_t chunks, recording_visit *visit,
                            void *context, struct error *e);

#endif
