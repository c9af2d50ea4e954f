/*
 * page_walk: what a TLB miss costs (dual-mode Table 2): a fixed penalty, or, with mem.page_walk: memory, the
 * two descriptors of a 4 KB page read through the L2, one after the other.
 *
 * The translation table is where the architecture's short descriptors would be: word address >> 20 of the
 * first level, word address >> 12 of a second level that is contiguous. Translation itself is the identity.
 */
#ifndef MODEL_PAGE_WALK_H
#define MODEL_PAGE_WALK_H

#include "model/private_l2.h"

#define PAGE_WALK_LEVEL_1 0xff000000u /* behind every buffer */
#define PAGE_WALK_LEVEL_2 0xff800000u

/* Cycles of a walk for the address that begins in cycle t. */
uint64_t page_walk(struct private_l2 *l2, const struct machine_config *c, uint32_t address, uint64_t t);

#endif
