/* scoreboard: hazards from the issue to the release, cycle by cycle. */
#include "model/control/scoreboard.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct scoreboard board;

static warp_set cycle(void) {
    scoreboard_eval(&board);
    const warp_set clear = board.out.clear;
    scoreboard_clock(&board);
    return clear;
}

static int start(void **state) {
    (void)state;
    scoreboard_init(&board, 4, 51);
    return 0;
}

static void issue(unsigned warp, uint64_t writes) {
    board.in.issued = true;
    board.in.warp = warp;
    board.in.writes = writes;
}

/* ADD r2,r0,r1 of warp 1, then one that reads r2: it waits from the next cycle on, up to the release. */
static void a_reader_waits_for_the_writer(void **state) {
    (void)state;
    board.needs[1] = 1 << 2;
    board.needs[2] = 1 << 2; /* hazard of another warp */
    assert_int_equal(cycle(), 15);
    issue(1, 1 << 2);
    assert_int_equal(cycle(), 15 & ~2);
    assert_int_equal(cycle(), 15 & ~2);
    board.release[1] = 1 << 2;
    assert_int_equal(cycle(), 15);
    assert_int_equal(cycle(), 15);
}

static void other_registers_are_free(void **state) {
    (void)state;
    issue(3, 1ull << 48 | 1 << 5);
    board.needs[3] = 1 << 4;
    assert_int_equal(cycle(), 15);
    board.needs[3] = 1ull << 48;
    assert_int_equal(cycle(), 7);
    board.release[3] = 1 << 5; /* releases the register, but not the flags */
    assert_int_equal(cycle(), 7);
    board.release[3] = 1ull << 48;
    assert_int_equal(cycle(), 15);
}

/* A register that is still to be read may be read, but not written. */
static void a_writer_waits_for_the_readers(void **state) {
    (void)state;
    board.unread[0] = 1 << 7;
    board.needs[0] = 1 << 7;
    assert_int_equal(cycle(), 15);
    board.destinations[0] = 1 << 7;
    assert_int_equal(cycle(), 14);
    board.unread[0] = 0;
    assert_int_equal(cycle(), 15);
}

static void init(void *context) {
    const unsigned *size = context;
    scoreboard_init(&board, size[0], size[1]);
}

static void what_it_cannot_have_is_refused(void **state) {
    (void)state;
    assert_true(panics(init, (unsigned[]){0, 51}));
    assert_true(panics(init, (unsigned[]){129, 51}));
    assert_true(panics(init, (unsigned[]){1, 65}));
    assert_false(panics(init, (unsigned[]){64, 64}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_reader_waits_for_the_writer, start),
        cmocka_unit_test_setup(other_registers_are_free, start),
        cmocka_unit_test_setup(a_writer_waits_for_the_readers, start),
        cmocka_unit_test(what_it_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
