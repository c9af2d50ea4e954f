/* A whole cluster as the reference of a bench in C: the cluster runs a kernel, and in every cycle an arbiter
 * under test gets the inputs of the cluster's arbiter.
 *
 *   lockstep-cc -o powers.img powers.cl
 *   gcc cluster_bench.c $(pkg-config --cflags --libs lockstep) -o cluster_bench
 *   ./cluster_bench powers.img */
#include <lockstep.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 256, GROUP = 128, WARP_SIZE = 16, LEVELS = 8 };

static void stop(void) {
    fprintf(stderr, "cluster_bench: %s\n", lockstep_error());
    exit(1);
}

/* The design under test: returns the participating threads and their PC. The PC is that of the first ready
 * thread on the highest level; all ready threads with this PC on that level participate. */
static uint64_t arbitrate(const struct lockstep_warp_pc_arbiter_in *in, uint32_t *pc) {
    uint64_t participating = 0;
    int chosen = -1;
    for (unsigned level = 0; level < LEVELS; ++level)
        for (unsigned k = WARP_SIZE; k-- > 0;)
            if (in->ready & in->priority[level] & UINT64_C(1) << k) chosen = (int)k;
    *pc = chosen < 0 ? 0 : in->pc[chosen];
    for (unsigned k = 0; chosen >= 0 && k < WARP_SIZE; ++k)
        if (in->ready >> k & 1 && in->pc[k] == *pc) participating |= UINT64_C(1) << k;
    return participating;
}

static uint64_t differences(struct lockstep_machine *m, uint64_t *cycles) {
    const void *model = lockstep_block(m, "warp_pc_arbiter");
    uint64_t cycle, different = 0;
    for (*cycles = 0; lockstep_step(m, "warp_pc_arbiter", &cycle); ++*cycles) {
        struct lockstep_warp_pc_arbiter_in in;
        struct lockstep_warp_pc_arbiter_out out;
        uint32_t pc;
        lockstep_warp_pc_arbiter_read(model, &in, &out);
        const uint64_t participating = arbitrate(&in, &pc);
        if (participating == out.participating && pc == out.pc) continue;
        if (!different++)
            printf("cycle %" PRIu64 ": threads %" PRIx64 " at 0x%x, in the reference %" PRIx64 " at 0x%x\n",
                   cycle, participating, pc, out.participating, out.pc);
    }
    return different;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: cluster_bench IMAGE\n");
        return 1;
    }
    struct lockstep_machine *m = lockstep_create(NULL, "simt.warp_size=16", argv[1]);
    float *x, *y, a = 2;
    if (!m) stop();
    const uint32_t at_x = lockstep_buffer(m, ITEMS * sizeof *x, (uint8_t **)&x),
                   at_y = lockstep_buffer(m, ITEMS * sizeof *y, (uint8_t **)&y);
    for (int i = 0; at_x && at_y && i < ITEMS; ++i) x[i] = (float)(i % 3), y[i] = (float)i;
    const struct lockstep_range range = {{ITEMS}, {GROUP}};
    if (!at_x || !at_y || !lockstep_kernel(m, "powers") || !lockstep_value(m, &a, sizeof a) ||
        !lockstep_pointer(m, at_x) || !lockstep_pointer(m, at_y) || !lockstep_begin(m, &range, 0))
        stop();
    uint64_t cycles;
    const uint64_t different = differences(m, &cycles);
    if (!lockstep_end(m)) stop();

    unsigned wrong = 0;
    for (int i = 0; i < ITEMS; ++i) wrong += y[i] != (float)(i + (i % 3) * (1 << i % 4));
    printf("%s: %" PRIu64 " cycles compared, %" PRIu64 " differ; %" PRIu64
           " cycles in all, %u results wrong\n",
           different || wrong || !cycles ? "FAIL" : "PASS", cycles, different, lockstep_cycles(m), wrong);
    lockstep_destroy(m);
    return different || wrong || !cycles;
}
