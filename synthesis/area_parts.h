/*
 * area_parts: how parts of a machine come into a struct area, for area_cluster.c and area_sms.c. Whatever
 * fills a slot (block_twins.h) of the machine is one, by itself.
 *
 * Parts of one group follow each other.
 */
#ifndef SYNTHESIS_AREA_PARTS_H
#define SYNTHESIS_AREA_PARTS_H

#include "model/machine/machine.h"
#include "synthesis/area.h"
#include "tb/twins/twin_block.h"

struct area_building {
    struct area *area;
    const struct area_options *options;
    const struct machine_config *config;
    struct machine *machine;
    struct netlist_jobs *jobs; /* NULL: blocks are synthesised; else they are added to this list */
    double bit_nand2;          /* area of a flip-flop, from the last netlist with flip-flops; 0: none yet */
};

/* A block of our Verilog, MODULE.sv, at those settings that it has. */
struct area_block {
    const char *module, *group, *name;
    unsigned count;             /* number in the whole machine */
    unsigned cycles, clock_mhz; /* as in struct area_part; 0: one cycle, clock of the clusters */
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    unsigned setting_count;
};

/* Adds a part without figures. The pointer is valid until the next part is added. */
struct area_part *area_add(struct area *a, enum area_kind kind, const char *group, const char *name,
                           unsigned count);
void area_say(struct area_part *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds parts with a published area; none if the count is 0. */
void area_add_published(struct area *a, const char *group, const char *name, unsigned count, double mm2,
                        const char *what);
void area_add_words(struct area *a, const char *group, const char *name, unsigned count, unsigned words,
                    unsigned bits, unsigned ports);
void area_add_cache(struct area *a, const char *group, const char *name, const struct machine_cache_config *c,
                    unsigned count);
/* Adds a memory of which some bits of each entry are searched, all entries at once. */
void area_add_searched(struct area_building *b, const char *group, const char *name, unsigned count,
                       unsigned entries, unsigned bits, unsigned searched);
/* Adds a part whose area is not known, and the reason. */
#define AREA_TOO_LARGE        "larger than its Verilog can be"
#define AREA_WITH_FULL_EFFORT "logic: with --effort full"
void area_add_unknown(struct area *a, const char *group, const char *name, unsigned count, const char *why);

/* Sets a parameter, new or existing. */
void area_set(struct area_block *block, const char *name, unsigned value);
/* Returns a parameter's value, or 0 without one. */
unsigned area_get(const struct area_block *block, const char *name);
/* Adds rows of bits: as memories of AREA_SLICE_BITS with two ports, and as flip-flops. */
void area_add_rows(struct area_building *b, const char *group, const char *name, unsigned count,
                   unsigned rows, unsigned bits);
/* Adds the tables of an engine that forms warps. */
struct area_engine {
    const char *group;
    unsigned count, threads; /* number of engines; threads of each */
    unsigned lanes, rows;    /* positions of a warp (lanes of an SM); rows of threads */
    unsigned groups;         /* work-groups at a time */
};
void area_add_engine(struct area_building *b, const struct area_engine *e);
/* Returns the threads of a warp with a stack. */
unsigned area_stack_threads(const struct machine_config *c);
/* Adds the rows of re-convergence stacks of warps. */
void area_add_stack_rows(struct area_building *b, const char *group, unsigned count, unsigned warps,
                         unsigned threads);
/* Synthesises a block and adds it. Returns false with *e (EXIT_USER) if a tool refuses. */
bool area_add_block(struct area_building *b, const struct area_block *block, struct error *e);
/* Does the same for a block with a row for each warp. Its logic is that of one warp without its flip-flops;
 * its rows of bits, called `contents`, are added apart. */
bool area_add_table(struct area_building *b, const struct area_block *block, const char *contents,
                    unsigned warps, struct error *e);
/* Synthesises a module; the co-processor by stages. */
bool area_synthesise(struct area_building *b, const struct area_block *block, bool large, bool stages,
                     struct netlist_result *result, struct error *e);

/* Add the parts of a machine by its kind (contexts), and the delays of the co-processor's stages, unless
 * options leave these out. */
bool area_add_tpm(struct area_building *b, struct error *e);
bool area_add_vrf(struct area_building *b, struct error *e);

#endif
