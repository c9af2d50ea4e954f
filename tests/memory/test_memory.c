/* memory: regions are found to the byte, gaps are detected, slots are reused. */
#include "model/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

static struct memory *new_memory(void) {
    struct memory *m = malloc(sizeof *m);
    memory_init(m);
    return m;
}

static void finds_regions_to_the_byte(void **state) {
    (void)state;
    struct memory *m = new_memory();
    static uint8_t host[64];
    const int b = memory_add(m, MEMORY_BUFFER, 0x2000, 33, host, true, "b");
    const int a = memory_add(m, MEMORY_BUFFER, 0x1000, 16, host, true, "a");
    assert_int_equal(memory_find(m, 0x1000, 16), a);
    assert_int_equal(memory_find(m, 0x100f, 1), a);
    assert_int_equal(memory_find(m, 0x100f, 2), -1);
    assert_int_equal(memory_find(m, 0x0fff, 1), -1);
    assert_int_equal(memory_find(m, 0x2020, 1), b);
    assert_int_equal(memory_find(m, 0x2021, 1), -1);
    assert_int_equal(memory_find(m, 0xffffffff, 4), -1);
    free(m);
}

static void a_removed_region_is_gone_and_its_slot_serves_again(void **state) {
    (void)state;
    struct memory *m = new_memory();
    static uint8_t host[64];
    const int a = memory_add(m, MEMORY_BUFFER, 0x1000, 16, host, true, "a");
    memory_add(m, MEMORY_BUFFER, 0x3000, 16, host, true, "c");
    memory_remove(m, a);
    assert_int_equal(memory_find(m, 0x1000, 1), -1);
    assert_int_equal(memory_add(m, MEMORY_BUFFER, 0x2000, 16, host, true, "b"), a);
    assert_int_equal(memory_find(m, 0x2000, 1), a);
    assert_int_equal(m->used, 2);
    free(m);
}

static void the_gap_that_an_access_lies_in_becomes_a_region_where_that_is_tolerated(void **state) {
    (void)state;
    struct memory *m = new_memory();
    static uint8_t host[64];
    const int a = memory_add(m, MEMORY_BUFFER, 0x1000, 16, host, true, "a");
    memory_add(m, MEMORY_BUFFER, 0x3000, 16, host, true, "c");
    assert_int_equal(memory_find_outside(m, 0x100, false, 0x2000, 4), -1); /* not tolerated */
    uint8_t *space = calloc(1, 0x4000);
    struct memory_outside outside = {.host = space};
    m->outside = &outside;
    assert_int_equal(memory_find_outside(m, 0x100, false, 0x100e, 4), -1); /* begins in a region */
    assert_int_equal(memory_find_outside(m, 0x100, false, 0x2ffe, 4), -1); /* ends in one */
    assert_false(outside.accessed);
    const int gap = memory_find_outside(m, 0x104, true, 0x1010, 4);
    assert_int_equal(m->region[gap].base, 0x1010);
    assert_int_equal(m->region[gap].size_bytes, 0x1ff0);
    assert_ptr_equal(m->region[gap].host, space + 0x1010);
    assert_int_equal(memory_find(m, 0x2ffc, 4), gap);
    assert_int_not_equal(memory_find_outside(m, 0x200, false, 0, 1), -1); /* below all other regions */
    assert_true(outside.accessed && outside.first_is_store);
    assert_int_equal(outside.first_pc, 0x104);
    assert_int_equal(outside.first_address, 0x1010);
    memory_forget_outside(m);
    const int c = memory_add(m, MEMORY_CODE, 0x100, 16, host, false, "code");
    const int b = memory_add(m, MEMORY_BUFFER, 0x5000, 16, host, false, "buffer 9");
    assert_false(memory_write_passes(m, c, 0x108, 0x104, 4));
    assert_false(outside.accessed);
    assert_true(memory_write_passes(m, b, 0x10c, 0x5008, 2));
    assert_true(outside.accessed && outside.first_is_store);
    assert_int_equal(outside.first_bytes, 2);
    assert_string_equal(outside.first_place, "in buffer 9");
    m->outside = NULL;
    assert_false(memory_write_passes(m, b, 0x10c, 0x5008, 2));
    m->outside = &outside;
    memory_remove(m, b);
    memory_remove(m, c);
    memory_forget_outside(m);
    assert_int_equal(m->used, 2);
    assert_int_equal(memory_find(m, 0x1000, 16), a);
    assert_false(outside.accessed);
    free(space);
    free(m);
}

static void the_nearest_region_is_named_for_messages(void **state) {
    (void)state;
    struct memory *m = new_memory();
    static uint8_t host[64];
    assert_null(memory_nearest(m, 0));
    memory_add(m, MEMORY_BUFFER, 0x1000, 16, host, true, "a");
    memory_add(m, MEMORY_BUFFER, 0x2000, 16, host, true, "b");
    assert_string_equal(memory_nearest(m, 0x1010)->name, "a");
    assert_string_equal(memory_nearest(m, 0x1fff)->name, "b");
    assert_string_equal(memory_nearest(m, 0xffffffff)->name, "b");
    assert_string_equal(memory_nearest(m, 0)->name, "a");
    free(m);
}

static void all_slots_taken_is_reported(void **state) {
    (void)state;
    struct memory *m = new_memory();
    static uint8_t host[4];
    for (uint32_t i = 0; i < MEMORY_REGIONS; ++i)
        assert_true(memory_add(m, MEMORY_BUFFER, 0x10000 + i * 16, 4, host, true, "x") >= 0);
    assert_int_equal(memory_add(m, MEMORY_BUFFER, 0x1000, 4, host, true, "y"), -1);
    free(m);
}

/* A copy has the same regions in the same slots, whatever it had before. */
static void a_copy_forgets_what_it_had(void **state) {
    (void)state;
    struct memory *m = new_memory(), *copy = calloc(1, sizeof *copy);
    static uint8_t host[64];
    const int a = memory_add(m, MEMORY_BUFFER, 0x1000, 16, host, true, "a");
    const int b = memory_add(m, MEMORY_BUFFER, 0x2000, 16, host, true, "b");
    memory_copy(copy, m);
    assert_int_equal(memory_find(copy, 0x1000, 16), a);
    const int own = memory_add(copy, MEMORY_LOCAL, 0x3000, 16, host, true, "own");
    assert_int_equal(memory_find(m, 0x3000, 1), -1);
    memory_remove(m, a);
    memory_copy(copy, m);
    assert_int_equal(copy->used, 1);
    assert_int_equal(memory_find(copy, 0x1000, 1), -1);
    assert_int_equal(memory_find(copy, 0x2000, 16), b);
    assert_int_equal(memory_find(copy, 0x3000, 1), -1);
    assert_int_equal(copy->region[a].size_bytes, 0); /* so that no hint can select it */
    assert_int_equal(copy->region[own].size_bytes, 0);
    free(copy);
    free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_regions_to_the_byte),
        cmocka_unit_test(a_removed_region_is_gone_and_its_slot_serves_again),
        cmocka_unit_test(the_gap_that_an_access_lies_in_becomes_a_region_where_that_is_tolerated),
        cmocka_unit_test(the_nearest_region_is_named_for_messages),
        cmocka_unit_test(all_slots_taken_is_reported),
        cmocka_unit_test(a_copy_forgets_what_it_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
