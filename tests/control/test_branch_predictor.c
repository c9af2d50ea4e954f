/* branch_predictor cycle by cycle: predictions for a fetch, and rows that branches write (superscalar.md §2).
 * test_rtl_shared.c shows the same for cores in whole programs. */
#include "model/control/branch_predictor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 0x1234, TAG = 22 }; /* 256 rows of targets; 1024 counters */

static struct branch_predictor p;

static uint32_t word(unsigned slot) {
    return BLOCK * 4 + slot;
}

/* Fetches block BLOCK. All its rows hold their branches, with target 100 + slot and this counter. */
static void fetch(uint32_t branch, uint32_t conditional, uint32_t counter) {
    branch_predictor_init(&p, 4, 3, 1024, TAG);
    p.in.fetch = true;
    p.in.block = BLOCK;
    p.in.branch = branch;
    p.in.conditional = conditional;
    p.in.valid = 0xf;
    for (unsigned n = 0; n < 4; ++n) {
        p.tag[n] = word(n) >> (30 - TAG);
        p.target[n] = 100 + n;
        p.counter[n] = counter;
    }
}

static void learn(uint32_t pc, bool conditional, bool taken, uint32_t target, uint32_t counter) {
    const unsigned n = (unsigned)__builtin_popcount(p.in.learn);
    p.in.learn |= 1u << n;
    p.in.counts |= (uint32_t)conditional << n;
    p.in.was_taken |= (uint32_t)taken << n;
    p.pc[n] = pc;
    p.new_target[n] = target;
    p.old_counter[n] = counter;
}

static void assert_taken(unsigned slot, uint32_t target) {
    branch_predictor_eval(&p);
    assert_true(p.out.taken);
    assert_int_equal(p.out.slot, slot);
    assert_int_equal(p.out.next, target);
}
static void assert_not_taken(void) {
    branch_predictor_eval(&p);
    assert_true(!p.out.taken && !p.out.slot && !p.out.next);
}

static void the_first_that_is_predicted_taken_ends_the_fetch(void **state) {
    (void)state;
    fetch(0xc, 0, 0);
    assert_taken(2, 102);
    fetch(0xc, 4, 1); /* the first is conditional */
    assert_taken(3, 103);
    fetch(0xc, 4, 2);
    assert_taken(2, 102);
    fetch(0xc, 0xc, 1);
    assert_not_taken();
    fetch(0xc, 0xc, 3);
    p.in.fetch = false;
    assert_not_taken();
}

static void the_table_must_have_the_branch(void **state) {
    (void)state;
    fetch(1, 0, 0);
    p.in.valid = 0xe;
    assert_not_taken();
    fetch(1, 0, 0);
    p.tag[0] ^= 1;
    assert_not_taken();
    fetch(1, 0, 0);
    p.tag[0] ^= 1u << (TAG - 1);
    assert_not_taken();
}

static void counters_stay_from_0_to_3(void **state) {
    (void)state;
    for (unsigned taken = 0; taken < 2; ++taken)
        for (unsigned counter = 0; counter < 4; ++counter) {
            fetch(0, 0, 0);
            learn(7, true, taken, 9, counter);
            branch_predictor_eval(&p);
            assert_int_equal(p.out.write_counter, 1);
            assert_int_equal(p.out.write_target, taken);
            assert_int_equal(p.new_counter[0], taken ? counter + (counter < 3) : counter - (counter > 0));
        }
    fetch(0, 0, 0);
    learn(7, false, true, 9, 2);
    branch_predictor_eval(&p);
    assert_int_equal(p.out.write_counter, 0);
    assert_int_equal(p.out.write_target, 1);
}

/* In one row, the counter changes from 1 to 2, to 1, to 2; the last target remains. */
static void branches_of_a_cycle_are_learned_in_order(void **state) {
    (void)state;
    fetch(0, 0, 0);
    learn(7, true, true, 20, 1);
    learn(7 + 1024, true, false, 21, 1);
    learn(7, true, true, 22, 1);
    branch_predictor_eval(&p);
    assert_int_equal(p.out.write_counter, 4);
    assert_int_equal(p.new_counter[2], 2);
    assert_int_equal(p.new_counter[0], 0);
    assert_int_equal(p.out.write_target, 4);

    fetch(0, 0, 0); /* another row of the counters, the same of the targets */
    learn(7, true, true, 20, 3);
    learn(7 + 256, true, true, 21, 0);
    branch_predictor_eval(&p);
    assert_int_equal(p.out.write_counter, 3);
    assert_int_equal(p.new_counter[0], 3);
    assert_int_equal(p.new_counter[1], 1);
    assert_int_equal(p.out.write_target, 2);
}

static void a_fetch_knows_what_is_learned_in_its_cycle(void **state) {
    (void)state;
    fetch(2, 2, 1);
    p.in.valid = 0;
    learn(word(1), true, true, 55, 1);
    assert_taken(1, 55);
    fetch(2, 2, 2);
    learn(word(1), true, false, 0, 2);
    assert_not_taken();
    fetch(2, 0, 0); /* another branch takes the row */
    learn(word(1) ^ 256, false, true, 55, 0);
    assert_not_taken();
    fetch(2, 0, 0); /* an untaken branch does not */
    learn(word(1) ^ 256, false, false, 55, 0);
    assert_taken(1, 101);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_is_predicted_taken_ends_the_fetch),
        cmocka_unit_test(the_table_must_have_the_branch),
        cmocka_unit_test(counters_stay_from_0_to_3),
        cmocka_unit_test(branches_of_a_cycle_are_learned_in_order),
        cmocka_unit_test(a_fetch_knows_what_is_learned_in_its_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
