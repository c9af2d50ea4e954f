/* bank_conflict_resolver: passes counted by hand (gpu-like.md §4); random accesses
 * against the definition of `any`, and the bounds of `one`. */
#include "model/control/bank_conflict_resolver.h"
#include "tests/seed.h"

#include <stdbool.h>

static uint32_t address[64];

static const struct bank_conflict_resolver_config cc13 = {32, 16, LOCAL_BROADCAST_ONE},
                                                  cc20 = {32, 32, LOCAL_BROADCAST_ANY};

static void stride(uint32_t bytes) {
    for (unsigned k = 0; k < 64; ++k) address[k] = 0x400 + k * bytes;
}

static unsigned passes(const struct bank_conflict_resolver_config *c, unsigned bytes, uint64_t active) {
    return bank_conflict_resolver_passes(c, address, bytes, active);
}

static void strides_of_words(void **state) {
    (void)state;
    for (unsigned s = 1; s <= 16; s *= 2) {
        stride(4 * s);
        const unsigned of16 = passes(&cc13, 4, 0xffffffff), of32 = passes(&cc20, 4, 0xffffffff);
        print_message("32 threads, stride %u words: %u passes of 16 banks, %u of 32\n", s, of16, of32);
        assert_int_equal(of16, 2 * s);
        assert_int_equal(of32, s);
    }
    stride(4 * 3); /* odd strides never conflict */
    assert_int_equal(passes(&cc13, 4, 0xffffffff), 2);
    assert_int_equal(passes(&cc20, 4, 0xffffffff), 1);
}

static void one_word_for_all(void **state) {
    (void)state;
    stride(0);
    print_message("32 threads, one word: %u passes of 16 banks, %u of 32\n", passes(&cc13, 4, 0xffffffff),
                  passes(&cc20, 4, 0xffffffff));
    assert_int_equal(passes(&cc13, 4, 0xffffffff), 2);
    assert_int_equal(passes(&cc20, 4, 0xffffffff), 1);
    assert_int_equal(passes(&cc20, 4, 0), 0);
    assert_int_equal(passes(&cc13, 4, 0xff000000), 1); /* one half-warp only */
}

static void with_one_broadcast_other_equal_words_count_apart(void **state) {
    (void)state;
    for (unsigned k = 0; k < 16; ++k) address[k] = 4 * (k / 4); /* four words, four threads each */
    /* Pass 1: word 0 for all four threads, one thread for each of words 1, 2, 3. Pass 2: word 1 for three,
     * one for 2 and 3. Pass 3: word 2 for two, one for 3. Pass 4: the last. */
    assert_int_equal(passes(&cc13, 4, 0xffff), 4);
    assert_int_equal(passes(&cc20, 4, 0xffff), 1);
    for (unsigned k = 0; k < 16; ++k) address[k] = k < 2 ? 64 * k : 4; /* 0, 64 in bank 0; 14 want word 1 */
    assert_int_equal(passes(&cc20, 4, 0xffff), 1);                     /* bank 16 has the 64 */
    /* Pass 1: 0, and one thread with word 1. Pass 2: 64, and another thread with word 1. Pass 3: word 1
     * belongs to the lowest thread, so all its threads are served. */
    assert_int_equal(passes(&cc13, 4, 0xffff), 3);
}

static void bytes_of_a_word_are_one_word(void **state) {
    (void)state;
    stride(1);
    assert_int_equal(passes(&cc20, 1, 0xffffffff), 1);
    stride(2);
    assert_int_equal(passes(&cc20, 2, 0xffffffff), 1);
}

static void an_access_in_two_words(void **state) {
    (void)state;
    address[0] = 2; /* words 0 and 1: a pass each */
    assert_int_equal(passes(&cc20, 4, 0x1), 2);
    address[1] = 6; /* words 1 and 2 */
    assert_int_equal(passes(&cc20, 4, 0x3), 2);
    address[1] = 4 * 32 + 2; /* the same banks */
    assert_int_equal(passes(&cc20, 4, 0x3), 4);
    address[1] = 64; /* one word in another bank */
    assert_int_equal(passes(&cc20, 4, 0x3), 2);
}

/* A cycle of the block. */
static struct bank_conflict_resolver block;

static void cycle(bool valid, uint64_t active, const uint32_t *word, uint64_t threads, bool last) {
    block.in = (struct bank_conflict_resolver_in){.valid = valid, .active = active, .word = word};
    bank_conflict_resolver_eval(&block);
    bank_conflict_resolver_eval(&block);
    assert_int_equal(block.out.pass, threads != 0);
    assert_int_equal(block.out.threads, threads);
    assert_int_equal(block.out.last, last);
    bank_conflict_resolver_clock(&block);
}

static void the_block_makes_a_pass_a_cycle(void **state) {
    (void)state;
    static const uint32_t word[32] = {5, 6, 5, 22, 6, [16] = 0, 32};
    bank_conflict_resolver_init(&block, &cc13);
    cycle(false, 0x1f, word, 0, false);
    cycle(true, 0x3001f, word, 0x07, false); /* 5 for two, one of 6; 22 is in bank 6, too */
    cycle(true, 0x3001f, word, 0x08, false); /* 22 is the lowest thread's; 6 must wait */
    cycle(true, 0x3001f, word, 0x10, false);
    cycle(true, 0x3001f, word, 0x10000, false); /* the second half-warp: 0 and 32 in bank 0 */
    cycle(true, 0x3001f, word, 0x20000, true);
    cycle(true, 0, word, 0, true); /* no threads to serve: done in the same cycle */
    bank_conflict_resolver_init(&block, &cc20);
    cycle(true, 0x1f, word, 0x1f, true);
}

/* --- random --- */

/* Returns the largest number of different words in one bank, of threads [from, from + count) with their word
 * number `which`. */
static unsigned most_words(const struct bank_conflict_resolver_config *c, unsigned bytes, uint64_t active,
                           unsigned from, unsigned count, unsigned which, unsigned *wants) {
    uint32_t word[64][64];
    unsigned used[64] = {0}, most = 0, most_wants = 0, asked[64] = {0};
    for (unsigned k = from; k < from + count; ++k) {
        const uint32_t w = address[k] / 4 + which;
        if (!(active >> k & 1) || w > (address[k] + bytes - 1) / 4) continue;
        const unsigned bank = w % c->banks;
        unsigned n = 0;
        while (n < used[bank] && word[bank][n] != w) ++n;
        if (n == used[bank]) word[bank][used[bank]++] = w;
        if (used[bank] > most) most = used[bank];
        if (++asked[bank] > most_wants) most_wants = asked[bank];
    }
    *wants += most_wants;
    return most;
}

static void passes_are_the_most_words_in_one_bank(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 50000; ++n) {
        struct bank_conflict_resolver_config c = {4u << seed_below(&s, 5), 1u << seed_below(&s, 7),
                                                  LOCAL_BROADCAST_ANY};
        const unsigned bytes = 1u << seed_below(&s, 3), spread = 8u << seed_below(&s, 10);
        const bool aligned = seed_below(&s, 3) != 0;
        uint64_t active = seed_next(&s);
        if (c.warp_size < 64) active &= (1ull << c.warp_size) - 1;
        for (unsigned k = 0; k < 64; ++k)
            address[k] = seed_below(&s, spread) & (aligned ? ~(bytes - 1) : ~0u);
        unsigned expected = 0, wants = 0;
        const unsigned part = c.banks < c.warp_size ? c.banks : c.warp_size;
        for (unsigned from = 0; from < c.warp_size; from += part)
            for (unsigned which = 0; which < 2; ++which)
                expected += most_words(&c, bytes, active, from, part, which, &wants);
        assert_int_equal(passes(&c, bytes, active), expected);
        c.broadcast = LOCAL_BROADCAST_ONE;
        assert_in_range(passes(&c, bytes, active), expected, wants);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_of_words),
        cmocka_unit_test(one_word_for_all),
        cmocka_unit_test(with_one_broadcast_other_equal_words_count_apart),
        cmocka_unit_test(bytes_of_a_word_are_one_word),
        cmocka_unit_test(an_access_in_two_words),
        cmocka_unit_test(the_block_makes_a_pass_a_cycle),
        cmocka_unit_test(passes_are_the_most_words_in_one_bank),
    };
    return cmocka_run_group_tests_name("bank_conflict_resolver", tests, NULL, NULL);
}
