/*
 * simt_fixture: a cluster in SIMT mode with a few instructions, stepped cycle by cycle, that notes when each
 * warp was selected (S) and committed (C), in cycles from T. L1I, ITLB and DTLB are warm.
 */
#ifndef TESTS_CLUSTER_SIMT_FIXTURE_H
#define TESTS_CLUSTER_SIMT_FIXTURE_H

#include "model/cluster/cluster.h"
#include "model/unit/unit.h"
#include "model/unit/view.h"

#include <stdlib.h>
#include <string.h>

#define T         1000u
#define TEXT_BASE MEMORY_CODE_BASE
#define DATA_BASE MEMORY_BUFFER_BASE
#define DATA_SIZE (1u << 20)
#define NOTES     4096 /* most selections and commits of a warp */

#define EXIT 0xee040711u /* mcr p7, 0, r0, c4, c1, 0 */

struct bench {
    struct machine_config config;
    struct memory memory;
    struct machine_code code;
    struct machine_launch launch;
    struct uncore uncore;
    struct cluster cluster;
    struct error error;
    uint8_t *data, *stacks;
    uint32_t stack_size;           /* stack of a thread, to be set before begin(); 0: none */
    uint64_t absent;               /* set before begin(): threads of the first warp that are not started */
    uint32_t entry[TDT_MAX_WARPS]; /* set before begin(): first instruction of each warp, from 0 on */
    uint64_t select[TDT_MAX_WARPS][NOTES], commit[TDT_MAX_WARPS][NOTES];
    unsigned selects[TDT_MAX_WARPS], commits[TDT_MAX_WARPS];
    uint64_t end;
};

static struct bench *bench_create(void) {
    struct bench *b = aligned_alloc(64, (sizeof *b + 63) / 64 * 64);
    memset(b, 0, sizeof *b);
    config_defaults(&machine_config_table, &b->config);
    memory_init(&b->memory);
    b->data = calloc(1, DATA_SIZE);
    memory_add(&b->memory, MEMORY_BUFFER, DATA_BASE, DATA_SIZE, b->data, true, "data");
    return b;
}

static void bench_free(struct bench *b) {
    cluster_free(&b->cluster);
    uncore_free(&b->uncore);
    machine_code_free(&b->code);
    free(b->data);
    free(b->stacks);
    free(b);
}

/* SP of a thread: as the start-up code sets it. */
static inline uint32_t stack_of(const struct bench *b, unsigned thread) {
    const struct cluster *c = &b->cluster;
    const unsigned k = thread % b->config.simt.warp_size, warp = thread / b->config.simt.warp_size;
    const unsigned lane = lane_map_lane(c->map, k), context = warp * c->rounds + lane_map_round(c->map, k);
    const uint32_t segment = b->config.cluster.threads_per_lane * b->stack_size;
    return b->stack_size ? MEMORY_STACK_BASE + (lane + 1) * segment - context * b->stack_size : 0;
}

/* Threads 0 … threads − 1 at the first instruction; r1 of all is DATA_BASE + stride · position. */
static void begin(struct bench *b, const uint32_t *text, unsigned words, unsigned threads, uint32_t stride) {
    static const struct launch_block none;
    struct launch_block block = none;
    struct cluster *c = &b->cluster;
    const unsigned size = b->config.simt.warp_size;
    b->code = (struct machine_code){
        .text_base = TEXT_BASE, .text_bytes = words * 4, .text = (const uint8_t *)text, .startup = TEXT_BASE};
    b->code.has_simd = true;
    machine_decode(&b->code);
    b->launch = (struct machine_launch){.kernel = "test",
                                        .code = &b->code,
                                        .thunk = TEXT_BASE,
                                        .work_dim = 1,
                                        .global_size = {threads, 1, 1},
                                        .local_size = {threads, 1, 1}};
    block.work_group_size = threads;
    block.stack_size = b->stack_size;
    block.stack_segment = b->config.cluster.threads_per_lane * b->stack_size;
    block.stack_top = MEMORY_STACK_BASE + block.stack_segment;
    if (b->stack_size) {
        const uint32_t bytes = b->config.cluster.lanes * b->config.cluster.threads_per_lane * b->stack_size;
        b->stacks = calloc(1, bytes);
        memory_add(&b->memory, MEMORY_STACK, MEMORY_STACK_BASE, bytes, b->stacks, true, "stacks");
    }
    uncore_init(&b->uncore, &b->config);
    uncore_begin_launch(&b->uncore, &b->launch);
    cluster_init(c, 0, &b->config, &b->memory, &b->uncore);
    cluster_launch(c, &b->launch, 0, &block, &b->memory, NULL, 0, &b->error);
    for (uint32_t at = 0; at < words * 4; at += 4) core_fetch(&c->core[0], TEXT_BASE + at, 0);
    tlb_end_walks(&c->core[0].itlb, T);
    for (unsigned n = 0; n < threads; ++n) {
        if (n < 64 && b->absent >> n & 1) continue;
        tdt_start(&c->descriptors, n / size, n % size, TEXT_BASE + 4 * b->entry[n / size], n, stack_of(b, n));
        c->threads[n / size].registers[13 * size + n % size] = stack_of(b, n);
        c->threads[n / size].registers[1 * size + n % size] = DATA_BASE + stride * n;
    }
    for (unsigned i = 0; i < c->lanes; ++i) tlb_fill(&c->core[i].dtlb, DATA_BASE);
    c->live = threads - (unsigned)__builtin_popcountll(b->absent);
    cluster_simt_begin(c, T);
}

/* Restarts SIMT mode before the first step, for an observer that was not attached at its beginning. */
static inline void look(struct bench *b) {
    unit_launch(b->cluster.unit);
    cluster_simt_begin(&b->cluster, T);
}

/* Every cycle is visited, and the blocks decide. */
static inline void set_exact(struct bench *b, bool exact) {
    b->cluster.exact = exact;
    look(b);
}

/* Steps every cycle to the end, noting selections and commits. */
static inline void run(struct bench *b) {
    struct cluster *c = &b->cluster;
    uint64_t t = T;
    while (c->mode == CLUSTER_SIMT && b->error.status == EXIT_SOUND && t < T + 100000) {
        uint64_t executing[TDT_MAX_WARPS] = {0};
        for (unsigned w = 0; w < c->warps; ++w) executing[w] = c->descriptors.warp[w].execution;
        c->until = t + 1;
        struct unit_view v;
        cluster_simt_step(c, t);
        unit_view(c, t, &v);
        if (v.grant) {
            const unsigned w = warp_set_first(v.grant);
            invariant(b->selects[w] < NOTES, "warp %u is selected more than %u times", w, NOTES);
            b->select[w][b->selects[w]++] = t - T;
        }
        for (unsigned w = 0; w < c->warps; ++w) {
            if (!(executing[w] & ~c->descriptors.warp[w].execution)) continue;
            invariant(b->commits[w] < NOTES, "warp %u commits more than %u times", w, NOTES);
            b->commit[w][b->commits[w]++] = t - T;
        }
        ++t;
    }
    b->end = t;
}

#endif
