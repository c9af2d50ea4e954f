/* Memories compared with papers and CACTI, and general properties. */
#include "synthesis/sram.h"
#include "tests/synthesis/sram_held_out.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double off(double ours, double theirs) {
    return fabs(ours / theirs - 1);
}

static void test_references(void **state) {
    (void)state;
    double sum = 0;
    for (size_t n = 0; n < sram_reference_count; n++) {
        const struct sram_reference *r = &sram_references[n];
        const struct sram s = sram_memory(r->words, r->bits, r->ports);
        sum += off(s.mm2, r->mm2);
        if (r->ns > 0) assert_true(off(s.ns, r->ns) < 0.15);
    }
    assert_true(sum / (double)sram_reference_count <= 0.12);
}

/* Mean errors with their limits, which sram.h describes. */
static void test_held_out(void **state) {
    (void)state;
    double area = 0, time = 0, read = 0, write = 0, leakage = 0;
    for (size_t n = 0; n < HELD_OUT; n++) {
        const struct held_out *h = &held_out[n];
        const struct sram s = sram_memory(h->words, h->bits, h->ports);
        area += off(s.mm2, h->sram.mm2) / (double)HELD_OUT;
        time += off(s.ns, h->sram.ns) / (double)HELD_OUT;
        read += off(s.read_pj, h->sram.read_pj) / (double)HELD_OUT;
        write += off(s.write_pj, h->sram.write_pj) / (double)HELD_OUT;
        leakage += off(s.leakage_mw, h->sram.leakage_mw) / (double)HELD_OUT;
        if (off(s.mm2, h->sram.mm2) > 0.31)
            fail_msg("%u words of %u bits, %u ports: %f mm2", h->words, h->bits, h->ports, s.mm2);
    }
    print_message("area %.3f, time %.3f, read %.3f, write %.3f, leakage %.3f\n", area, time, read, write,
                  leakage);
    assert_true(area <= 0.12 && time <= 0.03 && read <= 0.14 && write <= 0.07 && leakage <= 0.04);
}

/* A memory that is larger than the largest is several of those. */
static void test_beyond_the_largest(void **state) {
    (void)state;
    const struct sram one = sram_memory(4096, 512, 1), four = sram_memory(8192, 1024, 1);
    assert_true(off(four.mm2, 4 * one.mm2) < 1e-9 && off(four.leakage_mw, 4 * one.leakage_mw) < 1e-9);
    assert_true(off(four.read_pj, 2 * one.read_pj) < 1e-9 && off(four.ns, one.ns) < 1e-9);
    assert_true(off(sram_memory(4, 32, 1).mm2, sram_memory(32, 32, 1).mm2) < 1e-9);
}

static void test_more_is_larger(void **state) {
    (void)state;
    for (unsigned words = 32; words < 8192; words *= 2)
        for (unsigned bits = 8; bits < 1024; bits *= 2) {
            assert_true(sram_memory(2 * words, bits, 1).mm2 > sram_memory(words, bits, 1).mm2);
            assert_true(sram_memory(words, 2 * bits, 1).mm2 > sram_memory(words, bits, 1).mm2);
            assert_true(sram_memory(words, bits, 2).mm2 > sram_memory(words, bits, 1).mm2);
        }
    for (unsigned size = 1024; size <= 1u << 24; size *= 2)
        for (unsigned ways = 1; ways <= 16; ways *= 2)
            for (unsigned line = 32; line <= 64; line *= 2) {
                const struct sram s = sram_cache(size, ways, line);
                assert_true(s.mm2 > 0 && s.ns > 0 && s.read_pj > 0 && s.write_pj > 0 && s.leakage_mw > 0);
            }
}

/* A cache with figures printed by CACTI, and one that CACTI cannot compute. */
static void test_caches(void **state) {
    (void)state;
    const struct sram l1 = sram_cache(32768, 4, 64);
    assert_true(off(l1.mm2, 0.171) < 0.01 && off(l1.ns, 0.573) < 0.01 && off(l1.read_pj, 78.6) < 0.01);
    assert_true(off(sram_cache(1 << 24, 8, 64).mm2, 16 * sram_cache(1 << 20, 8, 64).mm2) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_held_out),
        cmocka_unit_test(test_beyond_the_largest),
        cmocka_unit_test(test_more_is_larger),
        cmocka_unit_test(test_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
