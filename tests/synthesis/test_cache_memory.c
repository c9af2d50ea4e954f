/* Caches as memories: the state of replacement policies, compared with lru. */
#include "synthesis/cache_memory.h"

#include "model/replacement/replacement_kind.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct sram of(uint32_t kind, unsigned ways) {
    return cache_memory(&(struct machine_cache_config){
        .size_bytes = 262144, .ways = ways, .line_bytes = 64, .replacement = kind});
}

static void lru_is_in_cactis_cache(void **state) {
    (void)state;
    const struct sram expected = sram_cache(262144, 8, 64), is = of(REPLACEMENT_lru, 8);
    assert_memory_equal(&is, &expected, sizeof is);
}

/* 512 sets of 24, 7 and 3 bits, and 32 bits. */
static void the_difference_is_that_of_the_bits(void **state) {
    (void)state;
    const double lru = of(REPLACEMENT_lru, 8).mm2, plru = of(REPLACEMENT_plru, 8).mm2,
                 fifo = of(REPLACEMENT_fifo, 8).mm2, random = of(REPLACEMENT_random, 8).mm2;
    const double of_7 = sram_memory(512, 8, 1).mm2 * 7 / 8, of_24 = sram_memory(512, 24, 1).mm2;
    assert_true(fabs(lru - plru - (of_24 - of_7)) < 1e-12);
    assert_true(fabs(plru - fifo - sram_memory(512, 8, 1).mm2 * 4 / 8) < 1e-12);
    assert_true(fifo > random && random > lru - of_24);
    assert_true(of(REPLACEMENT_lru, 8).leakage_mw > of(REPLACEMENT_random, 8).leakage_mw);
}

/* A hit writes the state of lru and plru, and of no other. */
static void hits_of_fifo_and_random_write_nothing(void **state) {
    (void)state;
    const double lru = of(REPLACEMENT_lru, 8).read_pj, plru = of(REPLACEMENT_plru, 8).read_pj,
                 fifo = of(REPLACEMENT_fifo, 8).read_pj, random = of(REPLACEMENT_random, 8).read_pj;
    assert_true(lru > plru && plru > fifo);
    assert_true(fabs(fifo - random) < 1e-12);
    assert_true(fabs(lru - fifo - sram_memory(512, 24, 1).write_pj) < 1e-12);
    assert_true(of(REPLACEMENT_lru, 8).write_pj > of(REPLACEMENT_fifo, 8).write_pj);
}

static void one_way_has_no_state(void **state) {
    (void)state;
    assert_true(fabs(of(REPLACEMENT_lru, 1).mm2 - of(REPLACEMENT_fifo, 1).mm2) < 1e-12);
    assert_true(fabs(of(REPLACEMENT_lru, 1).mm2 - of(REPLACEMENT_plru, 1).mm2) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_is_in_cactis_cache),
        cmocka_unit_test(the_difference_is_that_of_the_bits),
        cmocka_unit_test(hits_of_fifo_and_random_write_nothing),
        cmocka_unit_test(one_way_has_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
