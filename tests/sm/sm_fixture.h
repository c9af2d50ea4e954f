/*
 * sm_fixture: an SM with a few instructions in every warp's buffer, stepped cycle by cycle from cycle T on.
 * It notes when each instruction issued (I) and started its rounds (X), in cycles from T. The L1I is warm. */
#ifndef TESTS_SM_SM_FIXTURE_H
#define TESTS_SM_SM_FIXTURE_H

#include "model/config/divergence_kind.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <stdlib.h>
#include <string.h>

#define T         1000u
#define TEXT_BASE MEMORY_CODE_BASE
#define DATA_BASE MEMORY_BUFFER_BASE
#define DATA_SIZE (1u << 20)
#define NOTES     4096

#define EXIT 0xee040711u /* mcr p7, 0, r0, c4, c1, 0 */

struct sm_bench {
    struct machine_config config;
    struct memory memory;
    struct machine_code code;
    struct machine_launch launch;
    struct sm_shared shared;
    struct cluster_port port;
    struct sm sm;
    unsigned scalar_at; /* first word of the scalar threads' code; 0: none */
    struct error error;
    uint8_t *data;
    uint32_t base, local_bytes; /* r1 of the first thread; local memory of a work-group */
    /* Scalarized code: each instruction with its operands; numbers of vector and scalar registers. */
    const struct machine_scalarized *scalarized;
    const struct machine_operand *operands;
    unsigned operand_count, vectors, scalars;
    bool check_scalar, stepped;
    struct note {
        unsigned warp, n; /* the n-th instruction of its warp */
        uint64_t i, x, x_last;
    } note[NOTES];          /* notes in the order of issue */
    uint64_t passed[NOTES]; /* for each note, participating threads with a true condition */
    unsigned per_warp[SM_MAX_WARPS];
    uint64_t cycles;
};

static inline struct sm_bench *sm_bench_create(void) {
    struct sm_bench *b = aligned_alloc(64, (sizeof *b + 63) / 64 * 64);
    memset(b, 0, sizeof *b);
    config_defaults(&machine_config_table, &b->config);
    b->config.contexts = CONTEXTS_VRF;
    b->config.simt.divergence = DIVERGENCE_sbr;
    b->config.simt.lane_map = LANE_MAP_CYCLIC;
    b->config.cluster.lanes = 8;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) b->config.core.latency_cycles[n] = 11;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) b->config.core.occupancy_cycles[n] = 1;
    b->base = DATA_BASE;
    memory_init(&b->memory);
    b->data = calloc(1, DATA_SIZE);
    memory_add(&b->memory, MEMORY_BUFFER, DATA_BASE, DATA_SIZE, b->data, true, "data");
    return b;
}

/* Gives the machine barrel issue with these lanes, a pipeline of 8 stages and no banks. */
static inline void sm_bench_barrel(struct sm_bench *b, unsigned lanes) {
    b->config.simt.issue = ISSUE_BARREL;
    b->config.simt.pipeline_depth = 8;
    b->config.cluster.lanes = b->config.cluster.ldst_lanes = lanes;
    b->config.cluster.sfu_lanes = 0;
    b->config.vrf.banks = 0;
}

static inline void sm_bench_free(struct sm_bench *b) {
    sm_free(&b->sm);
    cluster_port_free(&b->port);
    exclusive_monitor_free(&b->shared.monitor);
    machine_code_free(&b->code);
    free(b->data);
    free(b);
}

/* Answers all that has been asked at the end of a cycle. */
static inline void answer_all(struct sm_bench *b, uint64_t cycle) {
    for (; b->port.count; --b->port.count, b->port.first = (b->port.first + 1) & b->port.mask) {
        const struct memory_packet *p = &b->port.packet[b->port.first];
        cluster_port_free_place(&b->port, cycle);
        const uint8_t kind = p->kind == PACKET_WRITE ? ANSWER_TAKEN : ANSWER_DATA;
        cluster_port_deliver(
            &b->port, (struct memory_answer){
                          .cycle = cycle, .order = cycle, .tag = p->tag, .kind = kind, .source = p->source});
    }
}

/* Starts as many work-groups of `threads` threads as there are warps for, at the first instruction. Two
 * instructions of each warp are in its buffer in cycle T. r1 is base + stride · thread in every thread. */
static inline void sm_begin(struct sm_bench *b, const uint32_t *text, unsigned words, unsigned threads,
                            unsigned groups, uint32_t stride) {
    struct sm *s = &b->sm;
    uint64_t done;
    b->code =
        (struct machine_code){.text_base = TEXT_BASE, .text_bytes = words * 4, .text = (const uint8_t *)text};
    machine_decode(&b->code);
    if (b->scalarized) {
        b->config.kernel.scalarize = SCALARIZE_WIDE;
        b->code.scalarized = malloc(words * sizeof *b->scalarized);
        b->code.operands = malloc((b->operand_count + 1) * sizeof *b->operands);
        memcpy(b->code.scalarized, b->scalarized, words * sizeof *b->scalarized);
        memcpy(b->code.operands, b->operands, b->operand_count * sizeof *b->operands);
    }
    b->launch = (struct machine_launch){.kernel = "test",
                                        .code = &b->code,
                                        .thunk = TEXT_BASE,
                                        .argument_block = DATA_BASE,
                                        .work_dim = 1,
                                        .global_size = {threads * groups, 1, 1},
                                        .local_size = {threads, 1, 1},
                                        .local_bytes = b->local_bytes,
                                        .vectors = b->vectors,
                                        .scalars = b->scalars,
                                        .registers = 16,
                                        .scalar_kernel = "scalar",
                                        .scalar_thunk = b->scalar_at ? TEXT_BASE + 4 * b->scalar_at : 0,
                                        .scalar_registers = 16};
    exclusive_monitor_init(&b->shared.monitor, b->config.cluster.threads + b->config.cluster.groups, 64,
                           1000000);
    uint32_t count[3];
    machine_launch_groups(&b->launch, count);
    work_group_dispatcher_begin(&b->shared.groups, count);
    cluster_port_init(&b->port, 0, 64, 64, 256);
    sm_init(s, 0, &b->config, &b->shared, &b->port);
    s->stepped = b->stepped;
    sm_set_check_scalar(s, b->check_scalar);
    sm_launch(s, &b->launch, &b->memory, 1024, T, &b->error);
    s->ldst->arguments_end = s->ldst->arguments; /* r1 points to data, not to constants */
    for (unsigned n = 0; n < words; n += 2) {    /* each line is fetched once, for a warp that is not live */
        const struct cache_request r = {.address = TEXT_BASE + 4 * n, .bytes = 8, .kind = CACHE_LOAD};
        if (n % 16 == 0) non_blocking_cache_request(&s->ldst->cache[SM_L1I], &r, n, &done);
        answer_all(b, n + 1);
        sm_drop_answers(s, n + 3);
    }
    for (unsigned g = 0; g < groups; ++g) {
        sm_take_group(s, &(struct work_group){g, {g, 0, 0}}, T);
        barrier_table_eval(&s->barriers);
        barrier_table_clock(&s->barriers);
    }
    sm_scalars_step(s);
    s->starting = 0;
    for (unsigned w = 0; w < s->warps; ++w) {
        struct sm_warp *p = &s->warp[w];
        if (!p->live) continue;
        for (unsigned k = 0; k < s->warp_size; ++k)
            p->threads.registers[s->warp_size + k] = b->base + stride * (w * s->warp_size + k);
        if (s->barrel) continue; /* fetches after its selection */
        p->buffer_pc = TEXT_BASE;
        p->buffered = SM_BUFFER;
        sm_decode_by(s, w, T);
    }
}

static inline void take_notes(struct sm_bench *b) {
    struct sm *s = &b->sm;
    for (unsigned n = 0; n < s->flight_room; ++n) {
        const struct sm_flight *f = &s->flight[n];
        if (f->age >= NOTES || !f->i || f->issue < T || f->x_round == 0) continue;
        struct note *note = &b->note[f->age];
        if (f->from_memory) continue;
        note->x = f->x_at[0] - T;
        note->x_last = f->x_at[f->x_round - 1] - T;
    }
}

/* Runs a number of cycles. Requests to memory are answered `latency` cycles later. */
static inline void sm_run(struct sm_bench *b, uint64_t cycles, uint64_t latency) {
    struct sm *s = &b->sm;
    for (uint64_t t = T + b->cycles; b->cycles < cycles && !b->error.status && s->groups_used;
         ++t, ++b->cycles) {
        const uint64_t before = s->issued;
        sm_step(s, t);
        for (unsigned n = 0; n < s->flight_room; ++n) {
            const struct sm_flight *f = &s->flight[n];
            if (!f->i || f->age < before || f->age >= NOTES || f->age >= s->issued) continue;
            b->note[f->age] = (struct note){.warp = f->warp, .n = b->per_warp[f->warp]++, .i = f->issue - T};
            b->passed[f->age] = f->passed;
        }
        take_notes(b);
        if (latency) answer_all(b, t + latency);
    }
}

#endif
