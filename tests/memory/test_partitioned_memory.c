/* partitioned_memory and its parts by cycles counted by hand (gpu-like.md §5), which an independent model
 * also prints. */
#include "tests/memory/gpu_fixture.h"

/* One load at the L1D in cycle 0, DRAM idle; the same line again from another cluster, which the L2 has; and
 * again, which the L1D has. */
static void one_load(const char *const machine[], uint64_t dram, uint64_t l2, uint64_t l1) {
    const uint32_t *waiting;
    uint64_t done = 0;
    gpu_set(machine);
    gpu_create();
    assert_int_equal(gpu_request(0, CACHE_LOAD, 0x12340, 4, 7, 0, &done), CACHE_MISS);
    struct memory_answer a = gpu_answer(0);
    assert_int_equal(a.kind, ANSWER_DATA);
    assert_int_equal(a.cycle, dram);
    assert_int_equal(non_blocking_cache_fill(&gpu_l1d[0], &a, &waiting), 1);
    assert_int_equal(waiting[0], 7);
    /* From a time on that is a multiple of all clocks' periods. */
    const uint64_t later = 1000 * gpu_config.clock_mhz;
    partitioned_memory_advance(gpu_memory, later);
    assert_int_equal(gpu_request(1, CACHE_LOAD, 0x12340, 4, 8, later, &done), CACHE_MISS);
    a = gpu_answer(1);
    assert_int_equal(a.cycle - later, l2);
    assert_int_equal(gpu_request(0, CACHE_LOAD, 0x12340, 4, 9, later, &done), CACHE_HIT);
    assert_int_equal(done - later, l1);
    gpu_destroy();
}

static void idle_misses(void **state) {
    (void)state;
    one_load(gtx285_like, 531, 367, 3);
    one_load(fermi_like, 265, 143, 0);
    one_load(gt640_like, 296, 138, 0);
}

/* Lines that the host has written, including one with a single byte, are dropped from the L2: both come from
 * the DRAM again. */
static void the_host_writes(void **state) {
    (void)state;
    static const uint32_t lines[] = {0x12300, 0x12340, 0x12380};
    static const uint64_t after[] = {531, 531, 367};
    uint64_t done;
    gpu_set(gtx285_like);
    for (unsigned n = 0; n < 3; ++n) {
        gpu_create();
        const uint64_t later = 1000 * gpu_config.clock_mhz;
        assert_int_equal(gpu_request(0, CACHE_LOAD, lines[n], 4, 7, 0, &done), CACHE_MISS);
        assert_int_equal(gpu_answer(0).cycle, 531);
        partitioned_memory_overwrite(gpu_memory, 0x1233f, 65);
        partitioned_memory_advance(gpu_memory, later);
        assert_int_equal(gpu_request(1, CACHE_LOAD, lines[n], 4, 8, later, &done), CACHE_MISS);
        const uint64_t more = gpu_answer(1).cycle - later;
        if (more > 367) /* the DRAM's row is open */
            assert_true(more < after[n]);
        assert_int_equal(more > 367, after[n] > 367);
        gpu_destroy();
    }
}

/* Example 3: lines at the L1D in 7 and 8; data at the ends of 272 and 277. */
static void example_3(void **state) {
    (void)state;
    uint64_t done;
    gpu_set(fermi_like);
    gpu_create();
    assert_int_equal(gpu_request(0, CACHE_LOAD, 0x12340, 64, 0, 7, &done), CACHE_MISS);
    assert_int_equal(gpu_request(0, CACHE_LOAD, 0x12380, 64, 1, 8, &done), CACHE_MISS);
    const uint64_t first = gpu_answer(0).cycle, second = gpu_answer(0).cycle;
    print_message("example 3: data at the ends of %u and %u\n", (unsigned)first, (unsigned)second);
    assert_int_equal(first, 272);
    assert_int_equal(second, 277);
    gpu_destroy();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_misses),
        cmocka_unit_test(the_host_writes),
        cmocka_unit_test(example_3),
    };
    return cmocka_run_group_tests_name("partitioned_memory", tests, NULL, NULL);
}
