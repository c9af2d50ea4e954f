/* Random inputs of the blocks, with their C models alone: they reach each corner of each block in the number
 * of cycles of rtl-test. */
#include "tb/stimulus/blocks.h"
#include "tests/spawn.h"
#include "tests/tb/rtl_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_CORNERS 16

static struct rtl_size sizes[RTL_SIZES];
static unsigned size_count;

static int read_sizes(void **state) {
    (void)state;
    size_count = rtl_sizes_of_source(sizes);
    return size_count < 3;
}

/* Counts the cycles in which a block is at each corner. exists: corners of this size. */
static void count_corners(const struct stimulus_block *b, uint64_t reached[MOST_CORNERS],
                          bool exists[MOST_CORNERS]) {
    for (unsigned n = 0; n < size_count; ++n) {
        struct seed seed = seed_of(1);
        struct rtl_size size;
        uint64_t corners;
        assert_true(rtl_size_read(&size, sizes[n].text));
        rtl_size_for(&size, b->name);
        b->start(&seed, &size);
        for (unsigned cycle = 0; cycle < (n ? 20000 : 100000); ++cycle) {
            stimulus_cycle(b, &seed, NULL, cycle, &corners);
            for (; corners; corners &= corners - 1) ++reached[__builtin_ctzll(corners)];
        }
        for (unsigned k = 0; b->corner[k].name; ++k)
            exists[k] |= !b->corner[k].when || stimulus_exceeds(&size, b->corner[k].when);
    }
}

static void each_corner_is_reached(void **state) {
    (void)state;
    unsigned missed = 0;
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n) {
        const struct stimulus_block *b = stimulus_blocks[n];
        uint64_t reached[MOST_CORNERS] = {0};
        bool exists[MOST_CORNERS] = {false};
        count_corners(b, reached, exists);
        for (unsigned k = 0; b->corner[k].name; ++k) {
            assert_true(k < MOST_CORNERS);
            if (!exists[k]) fail_msg("%s: no size has the corner: %s", b->name, b->corner[k].name);
            if (reached[k]) continue;
            print_error("%s: never reached: %s\n", b->name, b->corner[k].name);
            ++missed;
        }
    }
    assert_int_equal(missed, 0);
}

/* Random inputs alone never add 4 to a PC with a carry into bit 12: that a corner is counted means something.
 */
static void random_inputs_alone_do_not(void **state) {
    (void)state;
    const struct stimulus_block *b = stimulus_find("harp_scheduler");
    uint64_t reached[MOST_CORNERS] = {0};
    bool exists[MOST_CORNERS] = {false};
    stimulus_plain = true;
    count_corners(b, reached, exists);
    stimulus_plain = false;
    assert_string_equal(b->corner[0].name, "PC + 4 carries into bit 12 and threads fall through");
    assert_int_equal(reached[0], 0);
    assert_true(reached[4]); /* the First-Level fills up nevertheless */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_corner_is_reached),
        cmocka_unit_test(random_inputs_alone_do_not),
    };
    return cmocka_run_group_tests(tests, read_sizes, NULL);
}
