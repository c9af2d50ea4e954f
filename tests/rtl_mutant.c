/* rtl_mutant STEM FILE CYCLES SEED WARPS WARP_SIZE LEVELS: runs the C model of a block beside the Verilog in
 * FILE (rtl/STEM.sv or a changed copy). Prints "caught CYCLES-UNTIL SIGNAL", or "survived CYCLES". Exit
 * status 0 either way, 2 if the Verilog cannot be built. scripts/mutants uses it, also linked with a changed
 * C model. */
#include "tests/rtl_stimulus.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static struct twin twin;
    static struct stimulus stimulus;
    if (argc != 8) return 2;
    const enum cluster_block block = twin_block_find(argv[1], strlen(argv[1]));
    const uint64_t cycles = strtoull(argv[3], NULL, 10), seed = strtoull(argv[4], NULL, 10);
    const unsigned warps = (unsigned)atoi(argv[5]), warp_size = (unsigned)atoi(argv[6]),
                   levels = (unsigned)atoi(argv[7]);
    const struct verilog_setting settings[] = {
        {"WARPS", warps}, {"WARP_SIZE", warp_size}, {"LEVELS", levels}};
    struct error e = {0};
    if (block == CLUSTER_BLOCK_COUNT) return 2;
    if (!twin_init(&twin, &twin_block[block], argv[2], settings, 3, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 2;
    }
    stimulus_init(&stimulus, (struct seed){seed}, warps, warp_size, levels);
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const struct twin_port *different = stimulus_cycle(&stimulus, &twin, cycle);
        if (!different) continue;
        printf("caught %" PRIu64 " %s%s\n", cycle + 1, different->signal->name,
               twin_suffix[different->signal->kind]);
        return 0;
    }
    twin_free(&twin);
    printf("survived %" PRIu64 "\n", cycles);
    return 0;
}
