/*
 * place: the places of a machine whose blocks have twins.
 *
 * A cluster of cores is one place (cluster_place.c). An SM has a place for each scheduler with its load-store
 * unit and, with lane groups, their shared blocks. It has another one for each unit that skips rounds and,
 * with scalar.mode own, for each scalar unit. Each channel of DRAM is a place (gpu_place.c).
 *
 * A block whose cycles are single requests, without a clock known to the machine, is a place of its own
 * (shared_place.c): a block that clusters or SMs share, or a block of a superscalar core.
 */
#ifndef TB_PLACE_H
#define TB_PLACE_H

#include "model/machine/machine.h"
#include "model/report/text.h"
#include "model/simt/simt.h"
#include "tb/twins/twin_block.h"

#define TWIN_PLACE_NAME 40

struct twin_place {
    const struct twin_place_kind *kind;
    struct machine *machine;
    struct simt *unit;                  /* cluster or SM of the place; NULL: the place is in none */
    unsigned number;                    /* number among the equal parts of the cluster, SM or machine */
    const struct cluster_twins **twins; /* the place's pointer to its twins; NULL there: none */
    enum cluster_block block;           /* the only block; CLUSTER_BLOCK_COUNT: several */
    void *model;                        /* model of the only block */
    const uint64_t *cycles;             /* cycles in which the only block was active with twins */
    unsigned clock_mhz;                 /* clock of its cycles; 0: clock of the clusters, or requests */
    char name[TWIN_PLACE_NAME];         /* end of the name of its scope in a trace: _sm0_scheduler1 */
};

struct twin_place_kind {
    bool is_cluster;
    /* Return the model of one of several blocks, NULL if it is not in this place; and its cycles. */
    void *(*model)(const struct twin_place *p, enum cluster_block b);
    uint64_t (*cycles)(const struct twin_place *p, enum cluster_block b);
    /* Writes the parameters of a block; returns their number. */
    unsigned (*settings)(const struct twin_place *p, enum cluster_block b,
                         struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
    /* Appends a text for diagnoses: the place, the kernel, the instruction that a block processes. */
    void (*text)(const struct twin_place *p, enum cluster_block b, struct text *out);
};

static inline bool twin_place_has_requests(const struct twin_place *p) {
    return !p->unit && !p->clock_mhz;
}
static inline void *twin_place_model(const struct twin_place *p, enum cluster_block b) {
    return p->block == CLUSTER_BLOCK_COUNT ? p->kind->model(p, b) : p->block == b ? p->model : NULL;
}
static inline uint64_t twin_place_cycles(const struct twin_place *p, enum cluster_block b) {
    return p->cycles ? *p->cycles : p->kind->cycles(p, b);
}
/* Returns the time in a trace of cycle t; whether it is traced. */
sim_time twin_place_time(const struct twin_place *p, uint64_t t);
bool twin_place_is_traced(const struct twin_place *p, uint64_t t);

struct twin_places {
    struct twin_place *place;
    unsigned count;
};

/* Lists all places of a machine; the caller frees `place`. */
struct twin_places twin_places_of(struct machine *m);
/* Writes the parameters of a block of a machine. Returns their number, 0 if the machine does not have it. */
unsigned twin_places_settings(struct machine *m, enum cluster_block b,
                              struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);

/* --- between the files of the places --- */

/* The places of a kind of machine (contexts). */
struct twin_machine {
    void (*add)(struct twin_places *l, struct machine *m);
    /* Returns the field and value that a slot needs besides its own; NULL if the kind of machine has it.
     * CLUSTER_BLOCK_COUNT: modules without a slot. */
    const char *(*absent)(const struct machine_config *c, enum cluster_block slot);
};
extern const struct twin_machine twin_machine_tpm, twin_machine_vrf;
const struct twin_machine *twin_machine_of(const struct machine_config *c);

/* Adds a place; format and arguments make its name. */
void twin_places_add(struct twin_places *l, const struct twin_place *p, const char *name, ...)
    __attribute__((format(printf, 3, 4)));
/* Add the places of shared blocks, and of superscalar cores. */
void shared_places(struct twin_places *l, struct machine *m);
void core_places(struct twin_places *l, struct machine *m);

/* Writes own parameters, then the parameters of every cluster and SM; returns their number. Stored
 * results of synthesis are found by the parameters in this order. */
unsigned unit_place_settings(const struct simt *u, const struct verilog_setting *own, size_t count,
                             struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);
/* Appends the number of a warp, or of another owner, and the PC and source line of its instruction. */
void unit_place_text(struct text *out, const struct machine_code *code, const char *what, unsigned number,
                     uint32_t pc);

#endif
