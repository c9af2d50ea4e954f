/*
 * gpu_place: the places of a GPU-like machine that have blocks with twins: each scheduler of an SM with its
 * load-store unit and, of lane groups, with what they share; each unit of an SM that skips rounds; each
 * channel of DRAM; and each scalar unit of an SM (scalar.mode own).
 */
#ifndef TB_GPU_PLACE_H
#define TB_GPU_PLACE_H

#include "model/machine/machine.h"
#include "model/machine/sms.h"
#include "model/memory/dram_channel.h"
#include "tb/ports/verilog_module.h"

struct gpu_place {
    struct sms *sms;
    struct sm *sm;   /* NULL: a channel */
    unsigned number; /* of the scheduler, of the unit, of the channel, or of the scalar unit */
    struct sm_unit *unit;
    struct dram_channel *channel;
    struct scalar_unit *scalar; /* NULL: a scheduler or a channel */
};

unsigned gpu_place_count(struct machine *m);
struct gpu_place gpu_place_of(struct machine *m, unsigned n);

/* What runs beside its models; NULL: nothing any more. */
void gpu_place_attach(const struct gpu_place *p, const struct cluster_twins *twins);
/* The model of a block; NULL: there is none in this place. */
void *gpu_place_model(const struct gpu_place *p, enum cluster_block b);
/* The parameters of a block; returns how many. */
unsigned gpu_place_settings(const struct gpu_place *p, enum cluster_block b,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
/* Cycles in which a block existed beside twins. */
uint64_t gpu_place_cycles(const struct gpu_place *p, enum cluster_block b);

/* When a cycle of a channel's clock begins, and the cycle of the SMs in which it does. */
sim_time gpu_place_time(const struct gpu_place *p, uint64_t t);
uint64_t gpu_place_cycle(const struct gpu_place *p, uint64_t t);

/* sm3_scheduler0, sm3_ldst7, sm3_scalar1, or channel2. */
#define GPU_PLACE_NAME 40
void gpu_place_name(const struct gpu_place *p, char name[GPU_PLACE_NAME]);
/* For diagnoses: SM and scheduler, kernel, and the warp and instruction that the block is about. */
void gpu_place_text(const struct gpu_place *p, enum cluster_block b, char *text, size_t size);

#endif
