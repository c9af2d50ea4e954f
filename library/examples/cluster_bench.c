/* A whole cluster as the reference of a bench in C: it runs a kernel, and an arbiter of one's own sees in
 * every cycle what the cluster's arbiter sees.
 *
 *   lockstep-cc -o powers.img powers.cl
 *   gcc cluster_bench.c $(pkg-config --cflags --libs lockstep) -o cluster_bench
 *   ./cluster_bench powers.img
 */
#include <lockstep.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, GROUP = 128 };

static void stop(const struct error *e) {
    fprintf(stderr, "cluster_bench: %s\n", e->message);
    exit(1);
}

/* The design under test: which threads may go on at which PC. Of the threads that are ready the first one on
 * the highest level gives the PC; all that are ready there take part. */
static uint64_t arbitrate(const struct warp_pc_arbiter_in *in, unsigned warp_size, unsigned levels,
                          uint32_t *pc) {
    uint64_t participating = 0;
    int chosen = -1;
    for (unsigned level = 0; level < levels; ++level)
        for (unsigned k = warp_size; k-- > 0;)
            if (in->ready & in->priority[level] & UINT64_C(1) << k) chosen = (int)k;
    *pc = chosen < 0 ? 0 : in->pc[chosen];
    for (unsigned k = 0; chosen >= 0 && k < warp_size; ++k)
        if (in->ready >> k & 1 && in->pc[k] == *pc) participating |= UINT64_C(1) << k;
    return participating;
}

static uint64_t differences(struct reference *r, uint64_t *cycles) {
    const struct warp_pc_arbiter *model = reference_block(r, CLUSTER_BLOCK_ARBITER);
    uint64_t cycle, different = 0;
    for (*cycles = 0; reference_step(r, CLUSTER_BLOCK_ARBITER, &cycle); ++*cycles) {
        uint32_t pc;
        const uint64_t participating = arbitrate(&model->in, model->cfg.warp_size, model->cfg.levels, &pc);
        if (participating == model->out.participating && pc == model->out.pc) continue;
        if (!different++)
            printf("cycle %" PRIu64 ": threads %" PRIx64 " at 0x%x, in the reference %" PRIx64 " at 0x%x\n",
                   cycle, participating, pc, model->out.participating, model->out.pc);
    }
    return different;
}

int main(int argc, char **argv) {
    struct error e = {0};
    struct machine_result result;
    struct reference *r = argc == 2 ? reference_create_from(NULL, "simt.warp_size=16", argv[1], &e) : NULL;
    if (argc != 2) error_set(&e, EXIT_USER, "usage: cluster_bench IMAGE");
    if (!r) stop(&e);

    float *x, *y, a = 2;
    const uint32_t at_x = reference_buffer(r, ITEMS * sizeof *x, (uint8_t **)&x, &e),
                   at_y = reference_buffer(r, ITEMS * sizeof *y, (uint8_t **)&y, &e);
    for (int i = 0; at_x && at_y && i < ITEMS; ++i) x[i] = (float)(i % 3), y[i] = (float)i;
    const struct reference_range range = {{ITEMS}, {GROUP}};
    if (!reference_kernel(r, "powers", &e) || !reference_value(r, &a, sizeof a, &e) ||
        !reference_pointer(r, at_x, &e) || !reference_pointer(r, at_y, &e) ||
        !reference_begin(r, &range, 0, &e))
        stop(&e);
    uint64_t cycles;
    const uint64_t different = differences(r, &cycles);
    if (!reference_end(r, &result, &e)) stop(&e);

    unsigned wrong = 0;
    for (int i = 0; i < ITEMS; ++i) wrong += y[i] != (float)(i + (i % 3) * (1 << i % 4));
    printf("%s: %" PRIu64 " cycles compared, %" PRIu64 " differ; %" PRIu64
           " cycles in all, %u results wrong\n",
           different || wrong || !cycles ? "FAIL" : "PASS", cycles, different, result.cycles, wrong);
    reference_destroy(r);
    return different || wrong || !cycles;
}
