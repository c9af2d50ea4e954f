/* scalar_pair: any one wrong bit of two copies and their parity bits is mended; two are noticed, if not in
 * one place. */
#include "model/uniform/scalar_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct scalar_pair pair;

static void wrote(uint32_t value) {
    assert_true(scalar_pair_write(&pair, value, value));
}

static void expect(enum scalar_pair_state state, uint32_t value) {
    uint32_t read;
    assert_int_equal(scalar_pair_read(&pair, &read), state);
    if (state != SCALAR_PAIR_LOST) assert_int_equal(read, value);
}

static void what_two_lanes_agree_on_is_kept(void **state) {
    (void)state;
    wrote(0x80000001);
    expect(SCALAR_PAIR_SOUND, 0x80000001);
    wrote(7);
    expect(SCALAR_PAIR_SOUND, 7);
}

static void what_they_do_not_agree_on_is_not_written(void **state) {
    (void)state;
    wrote(5);
    for (unsigned bit = 0; bit < 32; ++bit) assert_false(scalar_pair_write(&pair, 9, 9 ^ 1u << bit));
    expect(SCALAR_PAIR_SOUND, 5);
}

static void one_wrong_bit_of_either_copy_is_mended(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 1, 0xffffffff, 0x12345678};
    for (unsigned v = 0; v < 4; ++v)
        for (unsigned copy = 0; copy < 2; ++copy)
            for (unsigned bit = 0; bit < 32; ++bit) {
                wrote(values[v]);
                pair.value[copy] ^= 1u << bit;
                expect(SCALAR_PAIR_CORRECTED, values[v]);
                expect(SCALAR_PAIR_SOUND, values[v]); /* sound: both copies */
            }
}

static void a_wrong_parity_bit_alone_harms_nothing(void **state) {
    (void)state;
    wrote(3);
    pair.parity[0] = !pair.parity[0];
    expect(SCALAR_PAIR_SOUND, 3);
}

/* Two bits of a word, or a bit and its parity bit: the copies differ, and both look right. */
static void two_wrong_bits_of_a_copy_are_noticed(void **state) {
    (void)state;
    wrote(3);
    pair.value[1] ^= 0x11;
    expect(SCALAR_PAIR_LOST, 0);
    wrote(3);
    pair.value[0] ^= 4;
    pair.parity[0] = !pair.parity[0];
    expect(SCALAR_PAIR_LOST, 0);
    wrote(3);
    pair.value[0] ^= 4; /* one bit in each copy */
    pair.value[1] ^= 8;
    expect(SCALAR_PAIR_LOST, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_two_lanes_agree_on_is_kept),
        cmocka_unit_test(what_they_do_not_agree_on_is_not_written),
        cmocka_unit_test(one_wrong_bit_of_either_copy_is_mended),
        cmocka_unit_test(a_wrong_parity_bit_alone_harms_nothing),
        cmocka_unit_test(two_wrong_bits_of_a_copy_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
