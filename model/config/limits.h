/*
 * limits: the largest values of fields that size structures, used for the field's range and for the arrays.
 */
#ifndef MODEL_CONFIG_LIMITS_H
#define MODEL_CONFIG_LIMITS_H

#define MACHINE_MAX_CLUSTERS                 64   /* cluster.count */
#define SM_MAX_SCHEDULERS                    8    /* cluster.schedulers */
#define SM_MAX_SP_GROUPS                     8    /* cluster.sp_groups */
#define SM_MAX_LANE_GROUPS                   16   /* for each cluster: cluster.lanes / lanes.group */
#define SM_MAX_WARPS                         128  /* for each cluster with contexts: vrf */
#define SM_MAX_SCHEDULER_WARPS               64   /* for each scheduler of such a cluster */
#define TDT_MAX_WARPS                        128  /* for each cluster with contexts: tpm; for shared blocks */
#define TPM_MAX_CONTEXTS                     1024 /* cluster.threads_per_lane */
#define SM_MAX_THREADS                       4096 /* cluster.threads */
#define SM_MAX_ISSUE_WIDTH                   2    /* simt.issue_width with contexts vrf */
#define SCALAR_MAX_UNITS                     8    /* scalar.units */
#define MACHINE_MAX_WARP_SIZE                64   /* simt.warp_size */
#define LWM_MAX_THREADS                      128  /* lwm.threads, for each warp in sub-warps */
#define COMPACTION_MAX_WARPS                 64   /* warps with simt.divergence tbc */
#define BARRIER_TABLE_MAX_GROUPS             64   /* cluster.groups */
#define MACHINE_MAX_LANES                    32   /* cluster.lanes */
#define TDT_MAX_LEVELS                       16   /* simt.priority_levels */
#define MACHINE_MAX_QUEUE                    16   /* simt.queue_entries */
#define MACHINE_MAX_COLLECTORS               16   /* simt.collectors */
#define RE_CONVERGENCE_STACK_MAX_CALLS       128  /* simt.stack_calls */
#define HARP_MAX_FIRST_LEVEL                 64   /* harp.first_level */
#define HARP_MAX_STAGES                      4    /* harp.barrier_stages */
#define WARP_LOOKUP_MAX_ENTRIES              64   /* harp.ready_lookup, harp.waiting_lookup */
#define CACHE_MAX_LINE_BYTES                 256  /* l1d.line and so on */
#define CACHE_MAX_WAYS                       64   /* l1d.ways and so on */
#define L1D_MAX_WRITES                       64   /* l1d.write_buffer */
#define L2_MAX_BANKS                         16   /* l2.banks */
#define L2_MAX_BANK_PORTS                    4    /* l2.ports */
#define L2_MAX_MSHRS                         64   /* mem.mshrs */
#define CORE_MAX_FETCH_QUEUE                 128  /* core.fetch_queue */
#define CORE_MAX_ISSUE_WIDTH                 4    /* core.issue_width, core.commit_width */
#define CORE_MAX_WINDOW                      128  /* core.window */
#define CORE_MAX_FRONT_STAGES                64   /* core.front_stages */
#define CORE_MAX_LSQ                         64   /* core.lsq */
#define CORE_MAX_UNITS                       4    /* core.integer_units, core.vfp_units */
#define PAGE_WALK_WALKERS                    64   /* mem.walkers */
#define SRF_RENAME_MAX_PHYSICAL              4096 /* uniform.srf_registers */
#define INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES 256  /* uniform.irb_entries */
#define CACHE_MAX_MSHRS                      256  /* l1d.mshrs, l2.mshrs and so on */
#define CACHE_MAX_REQUESTS                   64   /* l1d.merges and so on */
#define DRAM_MAX_CHANNELS                    64   /* dram.channels */
#define DRAM_MAX_BANKS                       32   /* dram.banks */
#define DRAM_MAX_QUEUE                       64   /* dram.queue */
#define DRAM_MAX_DISTANCE                    64   /* dram.rcd and so on: sums of three are below 256 */

#endif
