/* sms_engines: what the blocks of lwm, dwf and HARP are told (divergence.md §4, §5). Which warps dwf and HARP
 * make of their threads, and in which order these are selected, is not reckoned: HARP's tables are parts of
 * one block, dwf's pool is a model of its own. tbc has no block. */
#ifndef TESTS_RECKONING_SMS_ENGINES_H
#define TESTS_RECKONING_SMS_ENGINES_H

#include "tests/reckoning/sms_threads.h"

/* The models with ports that exist only beside twins. */
void shadow_engines_attach(struct sm *s);
static inline bool shadow_is_engine(enum cluster_block block) {
    return block == CLUSTER_BLOCK_PACKER || block == CLUSTER_BLOCK_FORMATION || block == CLUSTER_BLOCK_HARP;
}
/* A block has its cycle, in which threads begin while the work-group's start is not known yet, */
bool shadow_engine_starts(struct sms_shadow *h, enum cluster_block block, unsigned scheduler, uint64_t t);
/* or another one. */
void shadow_engine(struct sms_shadow *h, enum cluster_block block, unsigned scheduler);

/* A warp of the register file begins. */
void shadow_engine_started(struct sms_shadow *h, unsigned warp);
/* All warps that can be have been selected in this cycle. */
void shadow_engines_called(struct sms_shadow *h);
/* Barriers have had their cycle, which releases these work-groups; the next cycle begins. */
void shadow_engines_after(struct sms_shadow *h, uint64_t released);
void shadow_engines_before(struct sms_shadow *h);

#endif
