/* load_store_queue cycle by cycle: from which store a load takes its data (superscalar.md §4). That the cores
 * do the same: test_core_run.c with random programs, test_rtl_shared.c with Verilog. */
#include "model/control/load_store_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { QUEUE = 3, AT = 0x1000 };
enum answer { MEMORY = -1, WAITS = -2 }; /* 0 and above: slot of the store that forwards */

static struct load_store_queue q;

static void edge(void) {
    load_store_queue_eval(&q);
    load_store_queue_clock(&q);
}

static void enter(unsigned loads, unsigned stores) {
    q.in.loads = loads;
    q.in.stores = stores;
    edge();
}

static void address(unsigned slot, uint32_t first, uint32_t bytes) {
    q.in.known = true;
    q.in.known_slot = slot;
    q.in.first = first;
    q.in.last = first + bytes - 1;
    edge();
}

static void write_oldest(void) {
    q.in.written = true;
    edge();
}

static void assert_room(unsigned room) {
    load_store_queue_eval(&q);
    assert_int_equal(q.out.room, room);
}

static void assert_load(unsigned position, uint32_t first, uint32_t bytes, int answer) {
    q.in.search = true;
    q.in.position = position;
    q.in.first = first;
    q.in.last = first + bytes - 1;
    load_store_queue_eval(&q);
    assert_int_equal(q.out.forward, answer >= 0);
    assert_int_equal(q.out.wait, answer == WAITS);
    assert_int_equal(q.out.slot, answer >= 0 ? answer : 0);
    load_store_queue_clock(&q);
}

static void the_youngest_older_store_decides(void **state) {
    (void)state;
    load_store_queue_init(&q, QUEUE);
    assert_load(0, AT, 4, MEMORY);
    enter(0, 2); /* stores in positions 0 and 1; the load behind them has position 2 */
    assert_load(2, AT, 4, WAITS);
    assert_load(0, AT, 4, MEMORY); /* older than both */
    address(1, AT, 4);
    assert_load(2, AT, 4, WAITS); /* the older one has no address yet */
    address(0, AT, 8);
    assert_load(2, AT, 4, 1);
    assert_load(1, AT, 4, 0); /* older than the second store */
    assert_load(2, AT + 1, 2, 1);
    assert_load(2, AT + 4, 4, 0); /* the younger one does not overlap */
    assert_load(2, AT, 8, WAITS); /* the younger one has a part, though the older one has all */
    assert_load(2, AT + 2, 4, WAITS);
    assert_load(2, AT + 7, 2, WAITS);
    assert_load(2, AT + 8, 4, MEMORY);
    assert_load(2, AT - 4, 4, MEMORY);
    assert_load(2, AT - 1, 1, MEMORY);
    assert_load(2, AT - 1, 2, WAITS);
}

/* Position 3 is slot 0 again; position 5 is the last one before 0. */
static void slots_and_positions_go_round(void **state) {
    (void)state;
    load_store_queue_init(&q, QUEUE);
    enter(0, 3);
    for (unsigned slot = 0; slot < 3; ++slot) address(slot, AT, 4);
    assert_load(3, AT, 4, 2);
    write_oldest();
    write_oldest();
    assert_load(2, AT, 4, MEMORY); /* older than the store in slot 2 */
    enter(0, 2);                   /* positions 3 and 4, slots 0 and 1 */
    assert_int_equal(q.now.end, 5);
    assert_load(3, AT, 4, 2);
    assert_load(5, AT, 4, WAITS); /* no address from before has stayed */
    address(0, AT, 4);
    assert_load(4, AT, 4, 0);
    address(1, AT + 64, 4);
    assert_load(5, AT, 4, 0);
    write_oldest();
    enter(0, 1);
    assert_int_equal(q.now.end, 0);
    address(2, AT, 2);
    assert_load(0, AT, 2, 2);
    assert_load(5, AT, 2, 0);
    assert_load(0, AT, 4, WAITS);
}

static void entries_are_of_loads_and_stores(void **state) {
    (void)state;
    load_store_queue_init(&q, QUEUE);
    assert_room(3);
    enter(1, 1);
    assert_room(1);
    enter(1, 0);
    assert_room(0);
    q.in.leave = 2;
    edge();
    assert_room(2);
    enter(0, 2);
    assert_room(0);
    assert_false(q.out.oldest);
    address(1, AT, 4);
    load_store_queue_eval(&q);
    assert_false(q.out.oldest); /* that of another store */
    address(0, AT + 8, 4);
    load_store_queue_eval(&q);
    assert_true(q.out.oldest);
    assert_int_equal(q.out.oldest_first, AT + 8);
    assert_int_equal(q.out.oldest_last, AT + 11);
    write_oldest();
    assert_room(1);
    assert_int_equal(q.out.oldest_first, AT);
}

/* The last bytes of the address space. */
static void addresses_do_not_go_round(void **state) {
    (void)state;
    load_store_queue_init(&q, QUEUE);
    enter(0, 1);
    address(0, UINT32_MAX - 3, 4);
    assert_load(1, UINT32_MAX - 3, 4, 0);
    assert_load(1, UINT32_MAX, 1, 0);
    assert_load(1, 0, 4, MEMORY);
    assert_load(1, UINT32_MAX - 5, 4, WAITS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_youngest_older_store_decides),
        cmocka_unit_test(slots_and_positions_go_round),
        cmocka_unit_test(entries_are_of_loads_and_stores),
        cmocka_unit_test(addresses_do_not_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
