/* instruction_reuse_buffer: hits, replacement, and the effect of particles. */
#include "model/control/instruction_reuse_buffer.h"
#include "tests/panic.h"
#include "tests/seed.h"

static struct instruction_reuse_buffer buffer;
static struct instruction_reuse_buffer_out out; /* outputs of the latest cycle */

static void start(unsigned entries) {
    instruction_reuse_buffer_init(&buffer, entries, 10, 13);
}

static void cycle(void) {
    instruction_reuse_buffer_eval(&buffer);
    out = buffer.out;
    instruction_reuse_buffer_clock(&buffer);
}

/* Instruction n has its number as tag, 100 + n as opcode; operands a, 2, 3 and flags 4. */
static void will_look_up(unsigned n, uint32_t a) {
    buffer.in.lookup = true;
    buffer.in.lookup_tag = n;
    buffer.in.lookup_opcode = 100 + n;
    buffer.in.lookup_source0 = a;
    buffer.in.lookup_source1 = 2;
    buffer.in.lookup_source2 = 3;
    buffer.in.lookup_flags = 4;
}

static void will_insert(unsigned n, uint32_t a, uint32_t result) {
    buffer.in.insert = true;
    buffer.in.insert_tag = n;
    buffer.in.insert_opcode = 100 + n;
    buffer.in.insert_source0 = a;
    buffer.in.insert_source1 = 2;
    buffer.in.insert_source2 = 3;
    buffer.in.insert_flags = 4;
    buffer.in.insert_result = result;
    buffer.in.insert_result_flags = result & 15;
}

static void look_up(unsigned n, uint32_t a) {
    will_look_up(n, a);
    cycle();
}

static void insert(unsigned n, uint32_t a, uint32_t result) {
    will_insert(n, a, result);
    cycle();
}

static void nothing_hits_after_a_reset(void **state) {
    (void)state;
    start(8);
    insert(0, 0, 7);
    instruction_reuse_buffer_reset(&buffer);
    look_up(0, 0);
    assert_false(out.hit || out.operands || out.parity || out.evicted);
    assert_int_equal(out.result, 0);
    assert_int_equal(buffer.rank[7], 7);
    assert_int_equal(buffer.rank[8], 0); /* there is no such entry */
}

static void equal_operands_hit(void **state) {
    (void)state;
    start(8);
    insert(1, 11, 0x12345679);
    assert_false(out.evicted);
    look_up(1, 11);
    assert_true(out.hit);
    assert_int_equal(out.result, 0x12345679);
    assert_int_equal(out.result_flags, 9);
    assert_false(out.operands);
    will_look_up(1, 11);
    buffer.in.lookup = false;
    cycle();
    assert_false(out.hit);
}

/* Each operand counts, flags too; and a tag or opcode that differs is another instruction. */
static void any_other_operand_is_told_apart(void **state) {
    (void)state;
    start(8);
    insert(1, 11, 5);
    uint32_t *const operands[] = {&buffer.in.lookup_source0, &buffer.in.lookup_source1,
                                  &buffer.in.lookup_source2, &buffer.in.lookup_flags};
    for (unsigned n = 0; n < 4; ++n) {
        will_look_up(1, 11);
        *operands[n] ^= 1;
        cycle();
        assert_false(out.hit);
        assert_true(out.operands);
    }
    uint32_t *const names[] = {&buffer.in.lookup_tag, &buffer.in.lookup_opcode};
    for (unsigned n = 0; n < 2; ++n) {
        will_look_up(1, 11);
        *names[n] ^= 1;
        cycle();
        assert_false(out.hit || out.operands);
    }
}

static void new_operands_take_the_entry_of_the_instruction(void **state) {
    (void)state;
    start(2);
    insert(1, 11, 5);
    insert(2, 11, 6);
    insert(1, 12, 7);
    assert_false(out.evicted);
    look_up(1, 12);
    assert_int_equal(out.result, 7);
    look_up(1, 11);
    assert_false(out.hit);
    look_up(2, 11);
    assert_true(out.hit);
}

static void the_one_used_least_recently_is_replaced(void **state) {
    (void)state;
    start(4);
    for (unsigned n = 1; n <= 4; ++n) insert(n, 0, n);
    look_up(1, 0); /* order of use: 2, 3, 4, 1 */
    look_up(3, 9); /* matches, but does not hit: no use */
    insert(5, 0, 5);
    assert_true(out.evicted);
    look_up(2, 0);
    assert_false(out.hit);
    insert(6, 0, 6); /* replaces 3 */
    look_up(3, 0);
    assert_false(out.hit);
    look_up(4, 0);
    assert_true(out.hit);
    look_up(1, 0);
    assert_true(out.hit);
    look_up(5, 0);
    assert_true(out.hit);
}

/* In one cycle, the look-up precedes the insertion: it does not find the inserted entry, and its hit counts
 * as an earlier use. */
static void the_look_up_is_before_the_insertion(void **state) {
    (void)state;
    start(2);
    will_look_up(1, 0);
    insert(1, 0, 1);
    assert_false(out.hit);
    insert(2, 0, 2);
    will_look_up(1, 0); /* thus 2 is the older one */
    insert(3, 0, 3);
    assert_true(out.hit);
    assert_true(out.evicted);
    look_up(2, 0);
    assert_false(out.hit);
    will_look_up(1, 0); /* the entry that is hit is overwritten: its result is the one before */
    insert(1, 0, 9);
    assert_int_equal(out.result, 1);
    look_up(1, 0);
    assert_int_equal(out.result, 9);
}

static void one_entry_is_enough(void **state) {
    (void)state;
    start(1);
    insert(1, 0, 1);
    look_up(1, 0);
    assert_true(out.hit);
    insert(2, 0, 2);
    assert_true(out.evicted);
    look_up(2, 0);
    assert_int_equal(out.result, 2);
}

static void bad_parity_does_not_hit(void **state) {
    (void)state;
    start(2);
    insert(1, 0, 1);
    buffer.in.insert_poison = true;
    insert(2, 0, 2);
    look_up(2, 0);
    assert_false(out.hit || out.operands);
    assert_true(out.parity);
    look_up(2, 0); /* has been replaced */
    assert_false(out.hit || out.parity);
    insert(3, 0, 3); /* takes its entry, although 1 is older */
    assert_false(out.evicted);
    look_up(1, 0);
    assert_true(out.hit);
}

static void an_insertion_sees_bad_parity(void **state) {
    (void)state;
    start(2);
    buffer.in.insert_poison = true;
    insert(2, 0, 2);
    insert(2, 1, 3);
    assert_true(out.parity);
    assert_false(out.evicted);
    look_up(2, 1);
    assert_true(out.hit);
    assert_int_equal(out.result, 3);
}

/* Strikes every bit of an entry except its rank: a look-up with the original operands never hits a wrong
 * entry. */
static void every_particle_is_seen_or_harmless(void **state) {
    (void)state;
    start(8);
    const unsigned bits = instruction_reuse_buffer_bits(&buffer);
    assert_int_equal(bits, 166);
    unsigned told = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
        start(8);
        insert(1, 11, 0xabc);
        instruction_reuse_buffer_flip(&buffer, 0, bit);
        look_up(1, 11);
        assert_false(out.hit);
        told += out.parity;
    }
    assert_int_equal(told, 166 - 1 - 10 - 13); /* invalid now, or another instruction's entry: not found */
}

/* An entry that a particle makes valid or changes to another instruction. */
static void what_a_particle_makes_of_an_entry_does_not_hit(void **state) {
    (void)state;
    start(8);
    instruction_reuse_buffer_flip(&buffer, 3, 0);
    buffer.in.lookup = true; /* all 0, as the entry */
    cycle();
    assert_false(out.hit);
    assert_true(out.parity);
    start(8);
    insert(1, 11, 5);
    instruction_reuse_buffer_flip(&buffer, 0, 2); /* tag 0 */
    will_look_up(1, 11);
    buffer.in.lookup_tag = 0;
    cycle();
    assert_false(out.hit);
    assert_true(out.parity);
}

static void an_entry_found_bad_stays_gone_when_a_particle_makes_it_valid(void **state) {
    (void)state;
    start(8);
    insert(1, 11, 5);
    instruction_reuse_buffer_flip(&buffer, 0, 40);
    look_up(1, 11);
    assert_true(out.parity);
    instruction_reuse_buffer_flip(&buffer, 0, 0);
    look_up(1, 11);
    assert_false(out.hit);
    assert_true(out.parity);
}

static void tags_are_the_low_bits_of_the_word_address(void **state) {
    (void)state;
    start(8);
    assert_int_equal(instruction_reuse_buffer_tag(&buffer, 0x8004), 1);
    assert_int_equal(instruction_reuse_buffer_tag(&buffer, 0x9ffc), 0x3ff);
    instruction_reuse_buffer_init(&buffer, 8, 30, 13);
    assert_int_equal(instruction_reuse_buffer_tag(&buffer, 0xfffffffc), 0x3fffffff);
}

/* Against a list in the order of use. */
static void the_order_of_use_is_kept(void **state) {
    (void)state;
    struct seed seed = seed_start();
    unsigned order[16] = {0}, used = 0;
    start(16);
    for (unsigned n = 0; n < 20000; ++n) {
        const unsigned i = seed_below(&seed, 24);
        unsigned at = 0;
        while (at < used && order[at] != i) ++at;
        if (seed_below(&seed, 2)) {
            look_up(i, 0);
            assert_int_equal(out.hit, at < used);
            if (!out.hit) continue;
        } else {
            insert(i, 0, i);
            assert_int_equal(out.evicted, at == 16);
            if (at == used && used < 16) ++used;
            if (at == 16) at = 15;
        }
        for (; at > 0; --at) order[at] = order[at - 1];
        order[0] = i;
    }
    unsigned seen = 0;
    for (unsigned e = 0; e < 16; ++e) seen |= 1u << buffer.rank[e];
    assert_int_equal(seen, 0xffff);
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    instruction_reuse_buffer_init(&buffer, n[0], n[1], n[2]);
}

static void flip(void *place) {
    const unsigned *n = place;
    instruction_reuse_buffer_flip(&buffer, n[0], n[1]);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][3] = {{0, 10, 13}, {257, 10, 13}, {8, 0, 13},
                                  {8, 31, 13}, {8, 10, 0},    {8, 10, 17}};
    for (unsigned n = 0; n < 6; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){256, 30, 16}));
    assert_false(panics(init_with, (unsigned[]){1, 1, 1}));
    start(8);
    assert_true(panics(flip, (unsigned[]){8, 0}));
    assert_true(panics(flip, (unsigned[]){0, 166}));
    assert_false(panics(flip, (unsigned[]){7, 165}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_hits_after_a_reset),
        cmocka_unit_test(equal_operands_hit),
        cmocka_unit_test(any_other_operand_is_told_apart),
        cmocka_unit_test(new_operands_take_the_entry_of_the_instruction),
        cmocka_unit_test(the_one_used_least_recently_is_replaced),
        cmocka_unit_test(the_look_up_is_before_the_insertion),
        cmocka_unit_test(one_entry_is_enough),
        cmocka_unit_test(bad_parity_does_not_hit),
        cmocka_unit_test(an_insertion_sees_bad_parity),
        cmocka_unit_test(every_particle_is_seen_or_harmless),
        cmocka_unit_test(what_a_particle_makes_of_an_entry_does_not_hit),
        cmocka_unit_test(an_entry_found_bad_stays_gone_when_a_particle_makes_it_valid),
        cmocka_unit_test(tags_are_the_low_bits_of_the_word_address),
        cmocka_unit_test(the_order_of_use_is_kept),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
