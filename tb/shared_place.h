/*
 * shared_place: the blocks with twins of what a machine's clusters, or its SMs, share. A cycle of such a
 * block is a request to it: it has no clock that the machine knows.
 */
#ifndef TB_SHARED_PLACE_H
#define TB_SHARED_PLACE_H

#include "model/control/block_twins.h"
#include "model/machine/machine.h"
#include "tb/ports/verilog_module.h"

struct shared_place {
    enum cluster_block block; /* CLUSTER_BLOCK_COUNT: none */
    unsigned number;          /* of several that have it */
    void *model;
    struct block_requests *requests;
    struct machine *machine;
};

unsigned shared_place_count(struct machine *m);
struct shared_place shared_place_of(struct machine *m, unsigned n);

/* The parameters of its block; returns how many. */
unsigned shared_place_settings(const struct shared_place *p,
                               struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
/* The error of the launch that runs; NULL: none does. */
struct error *shared_place_error(const struct shared_place *p);
/* Is the machine's cycle traced? */
bool shared_place_traced(const struct shared_place *p);

/* When a trace shows a request: in the machine's cycle; where SMs run ahead of each other at the end of their
 * step, behind all that has been shown. */
sim_time shared_place_time(const struct shared_place *p);

/* shared, or bank3. */
#define SHARED_PLACE_NAME 40
void shared_place_name(const struct shared_place *p, char name[SHARED_PLACE_NAME]);
/* For diagnoses: which it is, kernel. */
void shared_place_text(const struct shared_place *p, char *text, size_t size);

#endif
