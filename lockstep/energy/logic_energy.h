/*
 * logic_energy: the energy of the logic of the co-processor's blocks in a run, from the port toggles counted
 * by `lockstep run --rtl … --events`, by OpenSTA (synthesis/power.h).
 *
 * Energy of logic differs between libraries: it is for comparing blocks with each other, unless the library
 * is that of the chip. thread_descriptor_table, simt_coprocessor and harp_scheduler are not synthesised at
 * the machine's number of warps: they have no row.
 */
#ifndef LOCKSTEP_LOGIC_ENERGY_H
#define LOCKSTEP_LOGIC_ENERGY_H

#include "lockstep/energy/energy.h"
#include "synthesis/technology.h"

#define LOGIC_ENERGY_MAX_ROWS 16

struct logic_energy_row {
    const char *block, *module;
    unsigned number;   /* number of such blocks in all clusters; the block of one lane represents those of all
                          lanes */
    double cycles;     /* cycles in which one block was compared, in SIMT mode, over all clusters */
    double activity;   /* changes of an input bit for each cycle */
    double dynamic_pj; /* energy of one block in one cycle */
    double leakage_mw; /* one block */
    double nj;         /* energy of all blocks in the run */
};

struct logic_energy {
    struct technology technology;
    struct logic_energy_row rows[LOGIC_ENERGY_MAX_ROWS];
    size_t row_count;
    double nj;
};

struct logic_energy_options {
    const char *rtl;           /* folder of our Verilog */
    const char *liberty, *lef; /* NULL: the default library */
    void (*on_run)(const char *top);
};

/* Returns whether the run has counted toggles. */
bool logic_energy_counted(const struct energy_counts *n);

/* Computes the energy of a run's logic. Returns false with *e (EXIT_USER) if a tool or file is missing or
 * fails. Free the result in either case. */
bool logic_energy_of(struct logic_energy *x, const struct energy_counts *n,
                     const struct logic_energy_options *o, struct error *e);
void logic_energy_free(struct logic_energy *x);

void logic_energy_print(const struct logic_energy *x, FILE *out);
json_t *logic_energy_json(const struct logic_energy *x);

#endif
