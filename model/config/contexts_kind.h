/*
 * contexts_kind: the row of a kind of machine. The kind is decided by the place of the threads' registers
 * (contexts): the L1Ds of clusters of cores (tpm), or the vector register files of SMs (vrf). Facts in which
 * configurations differ by kind are members of this row. Those of a created machine are in struct fabric
 * (model/machine/machine_parts.h), those of a unit in struct simt_kind (model/simt/simt.h). Code elsewhere
 * never compares `contexts` (scripts/floors).
 */
#ifndef MODEL_CONFIG_CONTEXTS_KIND_H
#define MODEL_CONFIG_CONTEXTS_KIND_H

#include "model/config/machine_config.h"

struct contexts_kind {
    const struct fabric *fabric;
    bool scheduler_cycles; /* each cycle of a scheduler has a cause; else each of a cluster, or of a core
                              (MIMD) */
    bool host_threads;     /* several host threads can run a launch */
    bool all_stacks;       /* every context has a stack; else as many warps as there is room for */
    /* Returns the thread contexts of a cluster. */
    uint32_t (*threads)(const struct machine_config *c);
    /* Returns how many threads of a work-group have room, if each has `registers` registers; 0: unknown. */
    uint32_t (*room)(const struct machine_config *c, uint32_t registers);
    /* Enlarges the machine until it has room for work-groups of `items` work-items. Returns false if no
     * machine has it. */
    bool (*make_room)(struct machine_config *c, uint64_t items, uint32_t registers);
};

extern const struct fabric fabric_coherent, fabric_crossbar;

/* By enum contexts. */
extern const struct contexts_kind contexts_kinds[CONTEXTS_KINDS];

static inline const struct contexts_kind *contexts_kind(const struct machine_config *c) {
    return &contexts_kinds[c->contexts];
}
/* Returns the thread contexts of a cluster. */
static inline uint32_t machine_threads(const struct machine_config *c) {
    return contexts_kind(c)->threads(c);
}
/* Returns the schedulers of a cluster with causes of their own; 1 if there are none. */
static inline uint32_t machine_schedulers(const struct machine_config *c) {
    return contexts_kind(c)->scheduler_cycles ? c->cluster.schedulers : 1;
}

/* --- sizes of work-groups --- */

/* Returns the largest work-group of a launch: limited by contexts and n_tpo ≥ N_reg (machine.md §1). Equal in
 * both modes, so that programs do the same work in both. */
uint32_t machine_max_work_group(const struct machine_config *c);
/* Returns the largest work-group of a kernel with `registers` registers a thread; 0: unknown. */
uint32_t machine_kernel_work_group(const struct machine_config *c, uint32_t registers);

/* Writes the smallest changes of fields that allow work-groups of `items` work-items, of a kernel with
 * `registers` registers a thread (0: unknown): "cluster.threads_per_lane=256 l1d.size=65536". The text is
 * empty if the machine has room already. Returns false if no machine has room. */
bool machine_room_for(const struct machine_config *c, uint64_t items, uint32_t registers, char *text,
                      size_t size);

/* Returns the number of equal parts of a cluster, each with registers of its own. A work-group is in one
 * part. With barrel issue on spatial lanes each scheduler is a part; other clusters are one. */
uint32_t machine_group_parts(const struct machine_config *c);

#endif
