/* Memories beside what papers and CACTI say of them, and what must hold of any. */
#include "synthesis/sram.h"

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

/* CACTI's results that the form was not fitted to: words, bits, ports; ns, pJ, pJ, mW, mm². */
static void test_held_out(void **state) {
    (void)state;
    static const double held[][8] = {
        {48, 48, 3, 0.159701, 0.937352, 1.29883, 0.259735, 0.00369981},
        {96, 48, 3, 0.168856, 1.75728, 1.8448, 0.568379, 0.00804714},
        {192, 48, 3, 0.192593, 2.55295, 2.69598, 1.00203, 0.015323},
        {384, 48, 3, 0.226025, 2.96852, 3.32405, 1.93637, 0.0239947},
        {768, 48, 3, 0.272462, 3.93062, 4.71114, 3.79805, 0.0412306},
        {1536, 48, 3, 0.323568, 7.36891, 6.42795, 7.08908, 0.0796358},
        {3072, 48, 3, 0.434013, 10.7224, 8.93956, 14.0489, 0.145208},
    };
    const size_t count = sizeof held / sizeof *held;
    double area = 0, time = 0, leakage = 0;
    for (size_t n = 0; n < count; n++) {
        const struct sram s = sram_memory((unsigned)held[n][0], (unsigned)held[n][1], (unsigned)held[n][2]);
        area += off(s.mm2, held[n][7]);
        time += off(s.ns, held[n][3]);
        leakage += off(s.leakage_mw, held[n][6]);
        assert_true(off(s.read_pj, held[n][4]) < 0.75 && off(s.write_pj, held[n][5]) < 0.5);
    }
    assert_true(area / (double)count < 0.15 && time / (double)count < 0.05 && leakage / (double)count < 0.06);
}

static void test_more_is_larger(void **state) {
    (void)state;
    for (unsigned words = 16; words < 4096; words *= 2)
        for (unsigned bits = 8; bits < 512; bits *= 2) {
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

/* toolchain.md's cache, and one that CACTI does not have. */
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
        cmocka_unit_test(test_more_is_larger),
        cmocka_unit_test(test_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
