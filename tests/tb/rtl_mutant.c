/* rtl_mutant [--plain] BLOCK FILE CYCLES SEED NAME=VALUE…: runs the C model of a block and the Verilog in
 * FILE (rtl/BLOCK.sv or a changed copy), with the given parameters. Prints "caught CYCLES-UNTIL SIGNAL", or
 * "survived CYCLES". With --plain, inputs are not directed to corners. Exit status 0 in both cases, 2 if the
 * Verilog cannot be built. scripts/mutants uses the program, also linked with a changed C model. Without
 * arguments it lists the blocks and the stems of their models. */
#include "tb/stimulus/blocks.h"

#include <inttypes.h>
#include <stdio.h>

static int list(void) {
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        printf("%s %s\n", stimulus_blocks[n]->name, stimulus_blocks[n]->model);
    return 0;
}

int main(int argc, char **argv) {
    static struct twin twin;
    struct rtl_size size;
    struct error e = {0};
    char text[sizeof size.text] = "";
    if (argc == 1) return list();
    if (strcmp(argv[1], "--plain") == 0) {
        stimulus_plain = true;
        --argc;
        ++argv;
    }
    if (argc < 6) return 2;
    const struct stimulus_block *b = stimulus_find(argv[1]);
    const uint64_t cycles = strtoull(argv[3], NULL, 10);
    struct seed seed = seed_of(strtoull(argv[4], NULL, 10));
    for (int n = 5; n < argc; ++n) {
        strncat(text, argv[n], sizeof text - strlen(text) - 1);
        strncat(text, " ", sizeof text - strlen(text) - 1);
    }
    if (!b || !rtl_size_read(&size, text)) return 2;
    rtl_size_for(&size, b->name);
    if (!twin_init(&twin, stimulus_row(b), argv[2], size.setting, size.count, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 2;
    }
    b->start(&seed, &size);
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const struct twin_port *different = stimulus_cycle(b, &seed, &twin, cycle, NULL);
        if (!different) continue;
        printf("caught %" PRIu64 " %s%s\n", cycle + 1, different->signal->name,
               twin_suffix[different->signal->kind]);
        return 0;
    }
    twin_free(&twin);
    printf("survived %" PRIu64 "\n", cycles);
    return 0;
}
