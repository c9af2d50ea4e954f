/*
 * area: what a machine of a configuration is made of, and how large and fast each part is.
 *
 * Blocks of Verilog are synthesised at the machine's parameters. Of tables with a row for each warp (thread
 * descriptors, re-convergence stacks) the logic is that of one warp without its flip-flops; what they keep is
 * rows × bits, as memories of at most 64 bits or as flip-flops. Caches and the TPM (which is the L1D),
 * register files and buffers are memories (sram.h); lanes and crossbars are published (area_lane,
 * area_crossbar). What has no source is a part without an area (AREA_UNKNOWN). Everything is told at 40 nm
 * (technology.h).
 *
 * The base machine's period comes from the co-processor, synthesised whole with at most two warps, since
 * sixteen take too long and too much memory: each doubling beyond that puts a multiplexer of
 * AREA_MULTIPLEXER_FO4 into the stages that read a row, or a memory's access takes its place. A GPU-like
 * machine's is that of its slowest block.
 *
 * Known inaccuracies: no wires, clock trees, buses between cores, directory or pads; a searched bit counts as
 * a flip-flop and AREA_MATCH_NAND2; a lane of a GPU-like machine is taken to be a core, which has a front end
 * of its own.
 */
#ifndef SYNTHESIS_AREA_H
#define SYNTHESIS_AREA_H

#include "model/config/machine_config.h"
#include "synthesis/netlist_jobs.h"
#include "synthesis/sram.h"

#define AREA_MULTIPLEXER_FO4 2.0 /* MUX2X1 with its load, of the three OSU libraries */
#define AREA_MATCH_NAND2     3.0 /* an exclusive NOR and its share of the AND */
#define AREA_SLICE_BITS      64

enum area_kind { AREA_BLOCK, AREA_TABLE, AREA_MEMORY, AREA_SEARCHED, AREA_PUBLISHED, AREA_UNKNOWN };

struct area_part {
    enum area_kind kind;
    char name[48], group[24];      /* "warp_pc_arbiter"; "co-processor", "lane" */
    char what[160];                /* parameters, or what it is */
    unsigned count;                /* in the whole machine */
    double mm2;                    /* of one, at 40 nm; of a table as memory */
    double flip_flops_mm2;         /* of one; a table as flip-flops, otherwise as mm2 */
    double ns;                     /* at 40 nm; 0: not known */
    double leakage_mw;             /* of a memory */
    struct netlist_result netlist; /* of AREA_BLOCK, as what follows: */
    unsigned cycles;               /* that the machine gives it for what it does */
    unsigned clock_mhz;            /* of a clock of its own; 0: the clusters' */
};

struct area {
    const struct technology *technology;
    struct area_part *parts;
    size_t part_count;
    double mm2, flip_flops_mm2; /* of all */
    unsigned stage_warps;       /* with which the co-processor was synthesised; 0: there is none */
    struct netlist_result coprocessor;
    double stage_fo4[STAGE_COUNT][2]; /* at all warps: tables as flip-flops, as memories */
    double period_ns;                 /* at 40 nm, of the slowest stage or block, tables as memories */
    char period_of[64];               /* which */
    double clock_ns;                  /* cluster.clock_mhz */
};

struct area_published {
    const char *name, *source;
    double mm2;
};
extern const struct area_published area_lane; /* at 40 nm, without caches */
/* A crossbar of 256 bits in and 256 out: others by the product of their bits. */
extern const struct area_published area_crossbar;

struct area_options {
    const char *rtl; /* the folder of our Verilog */
    enum synthesis_effort effort;
    bool prove;     /* netlists are proved equal to the Verilog */
    bool no_period; /* the co-processor is not synthesised whole, and there is no period */
    bool no_blocks; /* nothing is synthesised, and there is no period; the machine is at least so large */
    void (*on_run)(const char *top); /* before tools work on a module; NULL: nothing */
};

/* Finds the area. False and *e (EXIT_USER) if a tool or file is missing or refuses. Free it in either case.
 */
bool area_of(struct area *a, const struct machine_config *c, const struct technology *t,
             const struct area_options *o, struct error *e);

/* Adds what area_of() would synthesise. False and *e (EXIT_USER). */
bool area_list_jobs(struct netlist_jobs *jobs, const struct machine_config *c, const struct area_options *o,
                    struct error *e);
void area_free(struct area *a);

/* Blocks that --effort fast makes one netlist of only. */
bool area_block_is_large(const char *module);

/* How long a cycle of the clusters must be for a block, at 40 nm; 0: it is none. */
double area_part_cycle_ns(const struct area_part *p, const struct machine_config *c);

#endif
