/* tpo_address: the equations of dual-mode §3.5, and that the machine's registers are those words. */
#include "model/cluster.h"
#include "model/tpo_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Worked by hand: N_it 8, n_tpo 128 (the paper's example of §3.5). */
static void the_papers_example(void **state) {
    (void)state;
    assert_int_equal(tpo_address(8, 128, 0, 0), 0);
    assert_int_equal(tpo_address(8, 128, 7, 0), 7);       /* v 7 of warp 0 */
    assert_int_equal(tpo_address(8, 128, 0, 1), 8);       /* the next vTPO */
    assert_int_equal(tpo_address(8, 128, 8, 0), 1024);    /* warp 1 begins after warp 0's 128 objects */
    assert_int_equal(tpo_address(8, 128, 13, 2), 1045);   /* (1 · 128 + 2) · 8 + 5 */
    assert_int_equal(tpo_address(8, 128, 63, 127), 8191); /* the last word of 32 KB */
}

/* Every (lane, context, object) has a word of its own, within the lane's cache and within the warp's rows. */
static void every_object_has_its_own_word(enum lane_map map, unsigned lanes, unsigned warp_size,
                                          unsigned group) {
    static struct cluster c;
    static struct machine_config config;
    static struct memory memory;
    static const struct machine_code code;
    struct error e = {0};
    config_defaults(&machine_config_table, &config);
    config.cluster.lanes = lanes;
    config.simt.warp_size = warp_size;
    config.simt.lane_map = map;
    memory_init(&memory);
    static struct uncore uncore;
    uncore_init(&uncore, &config);
    cluster_init(&c, 0, &config, &memory, &uncore);
    struct machine_launch launch = {
        .kernel = "k", .code = &code, .global_size = {group, 1, 1}, .local_size = {group, 1, 1}};
    struct machine_launch_block block = {.work_group_size = group};
    uncore_begin_launch(&uncore, &launch);
    cluster_launch(&c, &launch, 0, &block, &memory, 0, &e);
    const uint32_t words = lanes * config.l1d.size_bytes / 4;
    uint8_t *seen = calloc(words, 1);
    for (unsigned i = 0; i < lanes; ++i)
        for (unsigned j = 0; j < c.n_act; ++j)
            for (unsigned d = 0; d < c.n_tpo; ++d) {
                assert_in_range(tpo_address(c.rounds, c.n_tpo, j, d), 0, config.l1d.size_bytes / 4 - 1);
                const uint32_t *word = cluster_tpo(&c, i, j, d);
                const unsigned warp = j / c.rounds, position = cluster_position(&c, i, j % c.rounds);
                assert_in_range(word - c.tpm, 0, words - 1);
                assert_int_equal(seen[word - c.tpm]++, 0);
                assert_ptr_equal(word, &c.threads[warp].registers[d * warp_size + position]);
            }
    free(seen);
    cluster_free(&c);
    uncore_free(&uncore);
}

static void registers_are_the_tpos(void **state) {
    (void)state;
    every_object_has_its_own_word(LANE_MAP_BLOCK, 4, 32, 256);
    every_object_has_its_own_word(LANE_MAP_CYCLIC, 4, 32, 256);
    every_object_has_its_own_word(LANE_MAP_BLOCK, 2, 16, 84);
    every_object_has_its_own_word(LANE_MAP_BLOCK, 8, 16, 1);
    every_object_has_its_own_word(LANE_MAP_CYCLIC, 16, 64, 112);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_example),
        cmocka_unit_test(registers_are_the_tpos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
