/*
 * snoop_directory: the coherence protocol of one line with the ports of its Verilog: the effects of a request
 * on each L2 of the machine and on the directory (docs/coherence.md; dual-mode Table 2, §5.4.2). It reads the
 * tables of moesi.h and directory.h, as snoop_bus and directory do.
 *
 * Each request of an L2, and each eviction, is a cycle. While the block has a twin (block_twins.h), the
 * machine follows the block's outputs: the supplier and the next states.
 */
#ifndef MODEL_MEMORY_SNOOP_DIRECTORY_H
#define MODEL_MEMORY_SNOOP_DIRECTORY_H

#include "generated/snoop_directory_ports.h"
#include "model/config/limits.h"
#include "model/control/block_twins.h"

#define SNOOP_DIRECTORY_MAX_COPIES (MACHINE_MAX_CLUSTERS * MACHINE_MAX_LANES)

enum snoop_directory_request {
    SNOOP_DIRECTORY_NONE,
    SNOOP_DIRECTORY_READ,
    SNOOP_DIRECTORY_WRITE,
    SNOOP_DIRECTORY_UPGRADE,
    SNOOP_DIRECTORY_EVICT
};

struct snoop_directory {
    unsigned clusters, l2s;       /* 1 to 64; 1 to 32 in each cluster */
    struct snoop_directory_in in; /* ports: rtl/snoop_directory.sv */
    struct snoop_directory_out out;
    uint32_t state[SNOOP_DIRECTORY_MAX_COPIES], next[SNOOP_DIRECTORY_MAX_COPIES]; /* for in and out */
    struct block_requests requests;
};

/* Initialises in place: the structure points to itself and must not be copied. */
void snoop_directory_init(struct snoop_directory *d, unsigned clusters, unsigned l2s);
/* in → out. Inconsistent states, which wrong Verilog may produce, are accepted as they are. */
void snoop_directory_eval(struct snoop_directory *d);

/* Returns whether the machine follows the block. */
static inline bool snoop_directory_decides(const struct snoop_directory *d) {
    return __builtin_expect(d != NULL && d->requests.twins != NULL, 0);
}

/* Return the block's outputs for one L2. */
static inline unsigned snoop_directory_next(const struct snoop_directory *d, unsigned cluster, unsigned l2) {
    return d->next[cluster * d->l2s + l2];
}
static inline bool snoop_directory_supplies(const struct snoop_directory *d, unsigned cluster, unsigned l2) {
    return d->out.supplied && d->out.supplier_cluster == cluster && d->out.supplier_l2 == l2;
}
/* Returns the clusters that have copies after the request. */
uint64_t snoop_directory_sharers(const struct snoop_directory *d);

#endif
