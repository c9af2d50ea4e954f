/* sms_engines: inputs of the blocks of lwm, dwf and HARP (divergence.md §4, §5). The formation and order of
 * warps in dwf and HARP are not computed: HARP's tables are parts of one block, and dwf's pool is a model of
 * its own. tbc has no block. */
#ifndef TESTS_RECKONING_SMS_ENGINES_H
#define TESTS_RECKONING_SMS_ENGINES_H

#include "tests/reckoning/sms_threads.h"

/* Attaches to the models with ports, which exist only with twins. */
void shadow_engines_attach(struct sm *s);
static inline bool shadow_is_engine(enum cluster_block block) {
    return block == CLUSTER_BLOCK_PACKER || block == CLUSTER_BLOCK_FORMATION || block == CLUSTER_BLOCK_HARP;
}
/* Checks a warp that a block starts in this cycle. Returns false if it starts none. */
bool shadow_engine_starts(struct sms_shadow *h, enum cluster_block block, unsigned scheduler, uint64_t t);
/* Checks a block in any other cycle. */
void shadow_engine(struct sms_shadow *h, enum cluster_block block, unsigned scheduler);

/* Starts a warp of the register file. */
void shadow_engine_started(struct sms_shadow *h, unsigned warp);
/* Checks the selections of a cycle, after S of all schedulers. */
void shadow_engines_called(struct sms_shadow *h);
/* Ends a cycle after the barriers have released these work-groups. */
void shadow_engines_after(struct sms_shadow *h, uint64_t released);
void shadow_engines_before(struct sms_shadow *h);

#endif
