/*
 * area: the parts of a configured machine, and the size and delay of each part.
 *
 * Blocks of Verilog are synthesised at the machine's parameters. For tables with a row for each warp
 * (thread descriptors, re-convergence stacks), the logic of one warp is synthesised without its flip-flops.
 * Their bits are added as rows, in memories of at most 64 bits or in flip-flops. Caches, the TPM (which is
 * the L1D), register files and buffers are memories (sram.h). Lanes and crossbars have published areas
 * (area_lane, area_crossbar). A part without a source has no area (AREA_UNKNOWN). All figures are at 40 nm
 * (technology.h).
 *
 * The base machine's period comes from the co-processor, which is synthesised whole with at most two warps:
 * sixteen warps take too much time and memory. Each doubling beyond two adds a multiplexer of
 * AREA_MULTIPLEXER_FO4 to the stages that read a row, or is replaced by a memory's access time. A GPU-like
 * machine's period is that of its slowest block.
 *
 * Known inaccuracies: no wires, clock trees, buses between cores, directory or pads. A searched bit counts
 * as a flip-flop and AREA_MATCH_NAND2. A lane of a GPU-like machine counts as a core, which has its own
 * front end.
 */
#ifndef SYNTHESIS_AREA_H
#define SYNTHESIS_AREA_H

#include "model/config/machine_config.h"
#include "synthesis/netlist_jobs.h"
#include "synthesis/sram.h"

#define AREA_MULTIPLEXER_FO4 2.0 /* delay of a MUX2X1 with its load, mean of the three OSU libraries */
#define AREA_MATCH_NAND2     3.0 /* exclusive NOR of a searched bit and its share of the AND */
#define AREA_SLICE_BITS      64

enum area_kind { AREA_BLOCK, AREA_TABLE, AREA_MEMORY, AREA_SEARCHED, AREA_PUBLISHED, AREA_UNKNOWN };

struct area_part {
    enum area_kind kind;
    char name[48], group[24];      /* name, for example "warp_pc_arbiter"; group: "co-processor", "lane" …
                                    */
    char what[160];                /* parameters, or a description */
    unsigned count;                /* number of such parts in the whole machine */
    double mm2;                    /* area of one part at 40 nm; of a table, with its rows as memory */
    double flip_flops_mm2;         /* area of one part, a table's rows as flip-flops; otherwise equal to mm2
                                    */
    double ns;                     /* access time or delay at 40 nm; 0: not known */
    double leakage_mw;             /* leakage of a memory */
    struct netlist_result netlist; /* synthesis result; set, as the next two fields, for AREA_BLOCK only */
    unsigned cycles;               /* cycles that the machine gives the block for its work */
    unsigned clock_mhz;            /* frequency of the block's own clock; 0: clock of the clusters */
};

struct area {
    const struct technology *technology;
    struct area_part *parts;
    size_t part_count;
    double mm2, flip_flops_mm2; /* sums of all parts */
    unsigned stage_warps;       /* number of warps with which the co-processor was synthesised; 0: no
                                   co-processor */
    struct netlist_result coprocessor;
    double stage_fo4[STAGE_COUNT][2]; /* delay of each stage at all warps: tables as flip-flops, and as
                                         memories */
    double period_ns;                 /* period at 40 nm, of the slowest stage or block, with tables as
                                         memories */
    char period_of[64];               /* name of that stage or block */
    double clock_ns;                  /* period of cluster.clock_mhz */
};

struct area_published {
    const char *name, *source;
    double mm2;
};
extern const struct area_published area_lane; /* a lane without caches, at 40 nm */
/* A crossbar of 256 bits in and 256 bits out. The area of others follows from the product of their bits. */
extern const struct area_published area_crossbar;

/* A second integer unit is taken to be part of the published core, which issues two instructions a cycle. */
#define AREA_CORE_INTEGER_UNITS 2
#define AREA_CORE_VFP_UNITS     1
extern const struct area_published area_integer_unit, area_vfp_unit;
/* The second half of the 64-bit datapath of Advanced SIMD; VFP's units are the first. */
extern const struct area_published area_simd_lane;

/* Execution units of a core besides those of the published core. */
struct area_units {
    unsigned integer, vfp, simd_lanes;
};
struct area_units area_units_of(const struct machine_config *c);
double area_units_mm2(const struct area_units *u);

struct area_options {
    const char *rtl; /* folder of the Verilog */
    enum synthesis_effort effort;
    bool prove;                      /* proves that netlists equal their Verilog */
    bool no_period;                  /* leaves the synthesis of the whole co-processor out; no period */
    bool no_blocks;                  /* synthesises nothing; no period, and the area is a lower bound */
    void (*on_run)(const char *top); /* called before tools work on a module; may be NULL */
};

/* Computes the area. Returns false with *e (EXIT_USER) if a tool or file is missing or refuses. Free *a in
 * either case. */
bool area_of(struct area *a, const struct machine_config *c, const struct technology *t,
             const struct area_options *o, struct error *e);

/* Adds the jobs that area_of() would synthesise. Returns false with *e (EXIT_USER). */
bool area_list_jobs(struct netlist_jobs *jobs, const struct machine_config *c, const struct area_options *o,
                    struct error *e);
void area_free(struct area *a);

/* Returns whether --effort fast makes only one netlist of a block. */
bool area_block_is_large(const char *module);

/* Returns the bits of an entry of a core's branch target buffer: the rest of the branch's address, and the
 * target. */
unsigned area_btb_bits(const struct machine_config *c);

/* Returns the length of a clusters' cycle that a block needs, in ns at 40 nm; 0 if the part is no block. */
double area_part_cycle_ns(const struct area_part *p, const struct machine_config *c);

#endif
