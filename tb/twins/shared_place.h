/*
 * shared_place: the blocks with twins of superscalar cores, and the blocks that a machine's clusters, or its
 * SMs, share. A cycle of such a block is a request: it has no clock known to the machine.
 */
#ifndef TB_SHARED_PLACE_H
#define TB_SHARED_PLACE_H

#include "model/control/block_twins.h"
#include "model/machine/machine.h"
#include "tb/ports/verilog_module.h"

struct shared_place {
    enum cluster_block block; /* CLUSTER_BLOCK_COUNT: none */
    unsigned number;          /* number among several equal blocks */
    void *model;
    struct block_requests *requests;
    struct machine *machine;
};

unsigned shared_place_count(struct machine *m);
struct shared_place shared_place_of(struct machine *m, unsigned n);

/* Writes the parameters of its block; returns their number. */
unsigned shared_place_settings(const struct shared_place *p,
                               struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
/* Returns the error of the running launch; NULL if none runs. */
struct error *shared_place_error(const struct shared_place *p);
/* Returns whether the machine's cycle is traced. */
bool shared_place_traced(const struct shared_place *p);

/* Returns the time of a request in a trace: the machine's cycle; if SMs run ahead of each other, the end of
 * their step, after all that has been traced. */
sim_time shared_place_time(const struct shared_place *p);

/* Writes shared, or bank3. */
#define SHARED_PLACE_NAME 40
void shared_place_name(const struct shared_place *p, char name[SHARED_PLACE_NAME]);
/* Writes a text for diagnoses: the block, the kernel. */
void shared_place_text(const struct shared_place *p, char *text, size_t size);

#endif
