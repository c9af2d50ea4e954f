/*
 * gpu_place: the places of a GPU-like machine with twins. In each SM: each scheduler with its load-store unit
 * and, with lane groups, their shared blocks; each unit that skips rounds; each scalar unit (scalar.mode
 * own). In the machine: each channel of DRAM. */
#ifndef TB_GPU_PLACE_H
#define TB_GPU_PLACE_H

#include "model/machine/machine.h"
#include "model/machine/sms.h"
#include "model/memory/dram_channel.h"
#include "tb/ports/verilog_module.h"

struct gpu_place {
    struct sms *sms;
    struct sm *sm;   /* NULL: a channel */
    unsigned number; /* number of the scheduler, unit, channel, or scalar unit */
    struct sm_unit *unit;
    struct dram_channel *channel;
    struct scalar_unit *scalar; /* NULL: a scheduler or a channel */
};

unsigned gpu_place_count(struct machine *m);
struct gpu_place gpu_place_of(struct machine *m, unsigned n);

/* Attaches twins to its models; NULL detaches them. */
void gpu_place_attach(const struct gpu_place *p, const struct cluster_twins *twins);
/* Returns the model of a block; NULL if it is not in this place. */
void *gpu_place_model(const struct gpu_place *p, enum cluster_block b);
/* Writes the parameters of a block; returns their number. */
unsigned gpu_place_settings(const struct gpu_place *p, enum cluster_block b,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
/* Returns the cycles in which a block was active while twins were attached. */
uint64_t gpu_place_cycles(const struct gpu_place *p, enum cluster_block b);

/* Return the time at which a cycle of a channel's clock begins, and the cycle of the SMs at that time. */
sim_time gpu_place_time(const struct gpu_place *p, uint64_t t);
uint64_t gpu_place_cycle(const struct gpu_place *p, uint64_t t);

/* Writes sm3_scheduler0, sm3_ldst7, sm3_scalar1, or channel2. */
#define GPU_PLACE_NAME 40
void gpu_place_name(const struct gpu_place *p, char name[GPU_PLACE_NAME]);
/* Writes a text for diagnoses: SM and scheduler, kernel, and the warp and instruction that concern the
 * block. */
void gpu_place_text(const struct gpu_place *p, enum cluster_block b, char *text, size_t size);

#endif
