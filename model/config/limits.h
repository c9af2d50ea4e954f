/*
 * limits: the largest values of fields for which structures have room, said once for a field's range and for
 * the arrays of what it sizes.
 */
#ifndef MODEL_CONFIG_LIMITS_H
#define MODEL_CONFIG_LIMITS_H

#define MACHINE_MAX_CLUSTERS                 64   /* cluster.count */
#define MACHINE_MAX_LANES                    32   /* cluster.lanes */
#define PAGE_WALK_WALKERS                    64   /* mem.walkers */
#define SRF_RENAME_MAX_PHYSICAL              4096 /* uniform.srf_registers */
#define INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES 256  /* uniform.irb_entries */

#endif
