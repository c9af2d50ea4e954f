/* The memories of the four GPU-like machines (gpu-like.md §1), and a cluster that has an L1D only. */
#ifndef TESTS_MEMORY_GPU_FIXTURE_H
#define TESTS_MEMORY_GPU_FIXTURE_H

#include "model/memory/non_blocking_cache.h"
#include "model/memory/partitioned_memory.h"
#include "tests/seed.h"

#include <string.h>

#define GPU_CLUSTERS 64

static const char *const gtx285_like[] = {
    "cluster.clock_mhz=1300", "cluster.count=30",   "l1d.size=49152",     "l1d.ways=8",
    "l1d.latency=4",          "l2.size=262144",     "l2.ways=8",          "l2.latency=170",
    "icnt.share=1",           "icnt.clock_mhz=650", "dram.channels=16",   "dram.clock_mhz=800",
    "dram.pipe=60",           "dram.burst=32",      "dram.policy=frfcfs", NULL};
static const char *const fermi_like[] = {"cluster.clock_mhz=1150",
                                         "cluster.count=16",
                                         "l1d.size=49152",
                                         "l1d.ways=12",
                                         "l1d.latency=1",
                                         "l2.size=131072",
                                         "l2.ways=16",
                                         "l2.latency=68",
                                         "icnt.share=4",
                                         "icnt.clock_mhz=650",
                                         "dram.channels=6",
                                         "dram.clock_mhz=1500",
                                         "dram.pipe=57",
                                         "dram.burst=64",
                                         "dram.policy=fcfs",
                                         "dram.queue=32",
                                         "dram.burst_cycles=4",
                                         "dram.rcd=12",
                                         "dram.rp=12",
                                         "dram.cl=10",
                                         "dram.ras=28",
                                         "dram.rrd=5",
                                         "dram.rc=35",
                                         "dram.ccd=4",
                                         "dram.wl=4",
                                         "dram.cdlr=5",
                                         "dram.wr=12",
                                         NULL};
static const char *const gt640_like[] = {"cluster.clock_mhz=950",
                                         "cluster.count=2",
                                         "l1d.size=49152",
                                         "l1d.ways=6",
                                         "l1d.latency=1",
                                         "l1d.line=256",
                                         "l2.line=256",
                                         "l2.size=131072",
                                         "l2.ways=8",
                                         "l2.latency=120",
                                         "icnt.share=1",
                                         "icnt.clock_mhz=950",
                                         "dram.channels=4",
                                         "dram.clock_mhz=1250",
                                         "dram.pipe=121",
                                         "dram.burst=32",
                                         "dram.policy=frfcfs",
                                         "dram.banks=16",
                                         "dram.rcd=16",
                                         "dram.rp=16",
                                         "dram.cl=16",
                                         "dram.ras=37",
                                         "dram.rrd=8",
                                         "dram.rc=52",
                                         "dram.ccd=2",
                                         "dram.wl=6",
                                         "dram.cdlr=7",
                                         "dram.wr=16",
                                         NULL};

static struct machine_config gpu_config;
static struct partitioned_memory *gpu_memory;
static struct non_blocking_cache gpu_l1d[GPU_CLUSTERS];

static inline void gpu_set(const char *const settings[]) {
    struct error e = {0};
    config_defaults(&machine_config_table, &gpu_config);
    for (unsigned n = 0; settings[n]; ++n)
        if (!config_set(&machine_config_table, &gpu_config, settings[n], &e)) fail_msg("%s", e.message);
}

/* Creates a memory of gpu_config. */
static inline void gpu_create(void) {
    gpu_memory = partitioned_memory_create(&gpu_config);
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
        non_blocking_cache_init(&gpu_l1d[n], &gpu_config.l1d, &gpu_config.l1d_misses,
                                partitioned_memory_port(gpu_memory, n), 0, gpu_config.mem.replacement_seed);
}

static inline void gpu_destroy(void) {
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n) non_blocking_cache_free(&gpu_l1d[n]);
    partitioned_memory_destroy(gpu_memory);
}

static inline enum cache_result gpu_request(unsigned cluster, unsigned kind, uint32_t address, unsigned bytes,
                                            uint32_t tag, uint64_t cycle, uint64_t *done) {
    const struct cache_request r = {
        .address = address, .bytes = (uint16_t)bytes, .kind = (uint8_t)kind, .tag = tag};
    return non_blocking_cache_request(&gpu_l1d[cluster], &r, cycle, done);
}

/* Returns the next answer to a cluster, however long it takes; there are no requests meanwhile. */
static inline struct memory_answer gpu_answer(unsigned cluster) {
    struct cluster_port *p = partitioned_memory_port(gpu_memory, cluster);
    struct memory_answer a;
    while (cluster_port_next(p) == UINT64_MAX) partitioned_memory_idle(gpu_memory, 1u << 30);
    assert_true(cluster_port_answer(p, UINT64_MAX - 1, &a));
    return a;
}

#endif
