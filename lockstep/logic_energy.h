/*
 * logic_energy: what the logic of the co-processor's blocks took in a run, from the toggles of their ports
 * that `lockstep run --rtl … --events` counts, by OpenSTA (synthesis/power.h).
 *
 * Energy of logic does not carry over from one library to another: blocks are to be compared with each other,
 * unless the library is that of the chip. thread_descriptor_table, simt_coprocessor and harp_scheduler are
 * not synthesised at the machine's number of warps: they have no row.
 */
#ifndef LOCKSTEP_LOGIC_ENERGY_H
#define LOCKSTEP_LOGIC_ENERGY_H

#include "lockstep/energy.h"
#include "synthesis/technology.h"

#define LOGIC_ENERGY_MAX_ROWS 16

struct logic_energy_row {
    const char *block, *module;
    unsigned number;   /* in all clusters; a lane's stands for those of the others */
    double cycles;     /* in which one was compared: those of SIMT mode, of all clusters */
    double activity;   /* changes of an input bit in a cycle */
    double dynamic_pj; /* of one, in a cycle */
    double leakage_mw; /* of one */
    double nj;         /* of all in the run */
};

struct logic_energy {
    struct technology technology;
    struct logic_energy_row rows[LOGIC_ENERGY_MAX_ROWS];
    size_t row_count;
    double nj;
};

struct logic_energy_options {
    const char *rtl;           /* the folder of our Verilog */
    const char *liberty, *lef; /* NULL: the default library */
    void (*on_run)(const char *top);
};

/* Has the run counted toggles? */
bool logic_energy_counted(const struct energy_counts *n);

/* False and *e (EXIT_USER) if a tool or file is missing or refuses. Free it in either case. */
bool logic_energy_of(struct logic_energy *x, const struct energy_counts *n,
                     const struct logic_energy_options *o, struct error *e);
void logic_energy_free(struct logic_energy *x);

void logic_energy_print(const struct logic_energy *x, FILE *out);
json_t *logic_energy_json(const struct logic_energy *x);

#endif
