/* allocator: upwards and round, alignment, guard gaps, exact sizes; against a plain model at random. */
#include "runtime/allocator.h"
#include "tests/seed.h"

#define FIRST 0x60000000u

static void places_are_guarded_and_used_again_last(void **state) {
    (void)state;
    struct allocator a;
    allocator_init(&a, FIRST, FIRST + 0x4300);
    const uint32_t x = allocator_take(&a, 1), y = allocator_take(&a, 200), z = allocator_take(&a, 128);
    assert_int_equal(x, FIRST);
    assert_int_equal(y, FIRST + 0x1080);          /* 1 byte, 4096 of gap, up to 128 */
    assert_int_equal(z, FIRST + 0x1080 + 0x1100); /* 200 + 4096 = 0x10c8, up to 0x1100 */
    allocator_give_back(&a, y);
    assert_int_equal(allocator_take(&a, 256), FIRST + 0x3200); /* there is still room above */
    assert_int_equal(allocator_take(&a, 257), 0);              /* more than the hole, without its guard */
    assert_int_equal(allocator_take(&a, 256), y);              /* fits to the byte: 0x1080 + 256 + 4096 = z */
    allocator_give_back(&a, x);
    allocator_give_back(&a, FIRST + 0x3200);
    assert_int_equal(allocator_take(&a, 1), FIRST + 0x3200); /* continues after y, not from the start */
    allocator_release(&a);
}

static void the_end_is_to_the_byte(void **state) {
    (void)state;
    struct allocator a;
    allocator_init(&a, FIRST, FIRST + 0x2000);
    assert_int_equal(allocator_take(&a, 0x2001), 0);
    assert_int_equal(allocator_take(&a, 0x2000), FIRST);
    assert_int_equal(allocator_take(&a, 1), 0);
    allocator_give_back(&a, FIRST);
    assert_int_equal(allocator_take(&a, 0x1000), FIRST);
    assert_int_equal(allocator_take(&a, 1), 0); /* the guard takes the rest */
    assert_int_equal(allocator_take(&a, 0), 0);
    assert_int_equal(allocator_take(&a, UINT64_MAX), 0);
    allocator_release(&a);
}

static void random_blocks_never_come_close(void **state) {
    (void)state;
    enum { BLOCKS = 64, STEPS = 20000 };
    struct seed s = seed_start();
    struct allocator a;
    uint64_t base[BLOCKS] = {0}, size[BLOCKS] = {0};
    allocator_init(&a, FIRST, FIRST + 0x80000);
    for (int step = 0; step < STEPS; step++) {
        const unsigned n = seed_below(&s, BLOCKS);
        if (base[n] != 0) {
            allocator_give_back(&a, (uint32_t)base[n]);
            base[n] = 0;
            continue;
        }
        size[n] = 1 + seed_below(&s, 20000);
        base[n] = allocator_take(&a, size[n]);
        if (base[n] == 0) continue;
        assert_int_equal(base[n] % ALLOCATOR_ALIGNMENT, 0);
        assert_true(base[n] >= FIRST && base[n] + size[n] <= FIRST + 0x80000);
        for (unsigned i = 0; i < BLOCKS; i++) {
            if (i == n || base[i] == 0) continue;
            const uint64_t gap =
                base[i] < base[n] ? base[n] - base[i] - size[i] : base[i] - base[n] - size[n];
            assert_true(gap >= ALLOCATOR_GUARD_BYTES && gap < 0x80000);
        }
    }
    allocator_release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_guarded_and_used_again_last),
        cmocka_unit_test(the_end_is_to_the_byte),
        cmocka_unit_test(random_blocks_never_come_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
