/* local_memory_arbiter: conflicts by hand; random words against the definition. */
#include "model/control/local_memory_arbiter.h"
#include "tests/seed.h"

#include <stdbool.h>

static struct local_memory_arbiter arbiter;
static uint32_t word[32];

static void begin(unsigned lanes, unsigned groups, unsigned banks) {
    local_memory_arbiter_init(&arbiter, &(struct local_memory_arbiter_config){lanes, groups, banks});
    arbiter.in.word = word;
}

static void expect(uint32_t active, uint32_t turn, uint32_t served, uint32_t done, uint32_t robbed) {
    arbiter.in.active = active;
    arbiter.in.turn = turn;
    local_memory_arbiter_eval(&arbiter);
    assert_int_equal(arbiter.out.served, served);
    assert_int_equal(arbiter.out.done, done);
    assert_int_equal(arbiter.out.robbed, robbed);
}

/* Eight lanes, words 0, 16, 32 … in bank 0: only the first group in turn is served; equal words are served
 * together. */
static void one_word_of_a_bank(void **state) {
    (void)state;
    begin(8, 8, 16);
    for (unsigned k = 0; k < 8; ++k) word[k] = 16 * k;
    expect(0xff, 0, 0x01, 0x01, 0xfe);
    expect(0xff, 5, 0x20, 0x20, 0xdf);
    expect(0x0f, 5, 0x01, 0x01, 0x0e); /* 5, 6 and 7 access nothing: 0 is next */
    word[3] = 0;
    expect(0x0f, 5, 0x09, 0x09, 0x06);
    for (unsigned k = 0; k < 8; ++k) word[k] = k;
    expect(0xff, 3, 0xff, 0xff, 0);
}

/* Two groups of four. Threads of one group conflict, too; a round ends when all have been served. */
static void threads_of_a_group(void **state) {
    (void)state;
    begin(8, 2, 4);
    const uint32_t words[] = {0, 4, 1, 2, 0, 3, 5, 2};
    for (unsigned k = 0; k < 8; ++k) word[k] = words[k];
    /* Turn 0: 0, 1, 2 of group 0 are served, its word 4 is not. Words 0, 3, 2 of group 1 are served; 5 is
     * not, since group 0 has taken bank 1. */
    expect(0xff, 0, 0x0d | 0xb0, 0, 0x2);
    /* Turn 1: all of group 1 are served. Words 0 and 2 of group 0 are served; the banks of 4 and 1 are taken
     * by group 1. */
    expect(0xff, 1, 0xf0 | 0x09, 0x2, 0x1);
    expect(0xf2, 1, 0xf0, 0x2, 0x1);
}

static void random_words(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 20000; ++n) {
        const unsigned groups = 1u << seed_below(&s, 4), group = 1u << seed_below(&s, 3);
        const unsigned lanes = groups * group > 32 ? 32 : groups * group, each = lanes / groups;
        const unsigned banks = 1u << seed_below(&s, 7), turn = seed_below(&s, groups);
        const uint32_t active = (uint32_t)seed_next(&s) & (uint32_t)((UINT64_C(1) << lanes) - 1);
        uint32_t served = 0, first[64];
        bool taken[64] = {false};
        begin(lanes, groups, banks);
        for (unsigned k = 0; k < lanes; ++k) word[k] = seed_below(&s, 2 * banks);
        for (unsigned k = 0; k < lanes; ++k) { /* threads in the order of their turn */
            const unsigned lane = (turn * each + k) % lanes, bank = word[lane] % banks;
            if (!(active >> lane & 1)) continue;
            if (!taken[bank]) first[bank] = word[lane];
            taken[bank] = true;
            if (first[bank] == word[lane]) served |= 1u << lane;
        }
        arbiter.in.active = active;
        arbiter.in.turn = turn;
        local_memory_arbiter_eval(&arbiter);
        assert_int_equal(arbiter.out.served, served);
        for (unsigned l = 0; l < groups; ++l) {
            const uint32_t mask = (uint32_t)(((UINT64_C(1) << each) - 1) << l * each);
            assert_int_equal(arbiter.out.done >> l & 1, active & mask && !(active & mask & ~served));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_of_a_bank),
        cmocka_unit_test(threads_of_a_group),
        cmocka_unit_test(random_words),
    };
    return cmocka_run_group_tests_name("local_memory_arbiter", tests, NULL, NULL);
}
