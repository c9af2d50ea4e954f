/* Memory that a core of a MIMD launch sees, and that other cores cannot change or evict. */
#include "model/machine/mimd_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define CODE    MEMORY_CODE_BASE
#define BUFFER  MEMORY_BUFFER_BASE
#define CONST   (MEMORY_BUFFER_BASE + 0x1000)
#define STACK_1 (MIMD_STACKS_BASE + 1024)

static struct memory all;
static struct mimd_memory m;
static uint8_t host[4096];

/* Two cores with stacks of 1,024 bytes and local memories of 100. */
static void map(struct memory_outside *outside) {
    struct machine_config config;
    struct error e = {0};
    const struct machine_launch launch = {
        .kernel = "k", .local_size = {1, 1, 1}, .twin_stack_bytes = 1024 - 128, .local_bytes = 100};
    config_defaults(&machine_config_table, &config);
    config.cluster.lanes = 2;
    memory_init(&all);
    memory_add(&all, MEMORY_BUFFER, CODE + 4, 4, host, true, "before the program");
    memory_add(&all, MEMORY_BUFFER, CODE + 1017, 4, host, true, "behind the program");
    memory_add(&all, MEMORY_CODE, CODE + 16, 1000, host, false, "program");
    memory_add(&all, MEMORY_BUFFER, BUFFER, 256, host, true, "buffer 1");
    memory_add(&all, MEMORY_BUFFER, CONST, 50, host, false, "buffer 2");
    all.outside = outside;
    mimd_memory_init(&m, &config);
    assert_true(mimd_memory_map(&m, &all, -1, &launch, &e));
}

static void a_core_sees_its_own_stack_only(void **state) {
    (void)state;
    map(NULL);
    assert_int_not_equal(memory_find(&m.view[1], STACK_1, 1024), -1);
    assert_int_equal(memory_find(&m.view[0], STACK_1, 4), -1);
    assert_int_not_equal(memory_find(&m.view[1], BUFFER, 256), -1);
    mimd_memory_free(&m);
}

static void stack_local_memory_and_what_nobody_writes_are_its_own(void **state) {
    (void)state;
    map(NULL);
    const struct memory *own = &m.own[1];
    assert_int_not_equal(memory_find(own, STACK_1, 1024), -1);
    assert_int_not_equal(memory_find(own, MEMORY_LOCAL_BASE, 100), -1);
    assert_int_equal(memory_find(own, BUFFER, 4), -1);
    assert_int_not_equal(memory_find(own, CONST, 50), -1);
    const int code = memory_find(own, CODE + 64, 14 * 64);
    assert_int_not_equal(code, -1); /* others write into its first and last line of 64 bytes */
    assert_int_equal(memory_find(own, CODE + 60, 4), -1);
    assert_int_equal(memory_find(own, CODE + 15 * 64, 1), -1);
    assert_ptr_equal(own->region[code].host, host + 48);
    assert_false(own->region[code].writable);
    assert_int_equal(memory_find(&m.view[1], CODE + 64, 4), code); /* the same slot */
    mimd_memory_free(&m);
}

static void nothing_is_its_own_where_everybody_may_access_everything(void **state) {
    (void)state;
    struct memory_outside outside = {0};
    map(&outside);
    assert_int_equal(m.own[0].used, 0);
    mimd_memory_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_sees_its_own_stack_only),
        cmocka_unit_test(stack_local_memory_and_what_nobody_writes_are_its_own),
        cmocka_unit_test(nothing_is_its_own_where_everybody_may_access_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
