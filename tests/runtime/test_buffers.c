/* buffers: addresses and contents of memory objects, and diagnoses of released ones; call sites as text. */
#include "runtime/buffers.h"
#include "runtime/call_site.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct memory *memory;
static struct buffers *buffers;

static int set_up(void **state) {
    (void)state;
    memory = calloc(1, sizeof *memory);
    buffers = calloc(1, sizeof *buffers);
    memory_init(memory);
    buffers_begin(buffers, memory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    buffers_end(buffers);
    assert_null(memory->history);
    assert_int_equal(memory->used, 0);
    free(buffers);
    free(memory);
    return 0;
}

static uint32_t create(unsigned client, uint32_t size, bool writable) {
    int fd;
    const uint32_t id = buffers_create(buffers, client, size, writable, &fd);
    assert_true(id != 0 && fd >= 0);
    close(fd);
    return id;
}

static void buffers_belong_to_their_client(void **state) {
    (void)state;
    const uint32_t one = create(1, 100, true), two = create(2, 64, false);
    assert_int_equal(buffers_find(buffers, 1, one)->address, MEMORY_BUFFER_BASE);
    assert_null(buffers_find(buffers, 2, one));
    assert_null(buffers_find(buffers, 1, 0));
    assert_null(buffers_find(buffers, 1, 3));
    const struct memory_region *r = &memory->region[buffers_find(buffers, 2, two)->region];
    assert_string_equal(r->name, "buffer 2 (CL_MEM_READ_ONLY)");
    assert_int_equal(r->size_bytes, 64);
    assert_false(r->writable);
    assert_false(buffers_drop(buffers, 2, one, ""));
    buffers_drop_client(buffers, 1);
    assert_null(buffers_find(buffers, 1, one));
    assert_non_null(buffers_find(buffers, 2, two));
}

static void released_ones_are_told_of(void **state) {
    (void)state;
    uint32_t address, size;
    char text[300];
    const uint32_t one = create(1, 100, true);
    assert_false(memory->history(buffers, MEMORY_BUFFER_BASE, text, sizeof text));
    assert_true(buffers_drop(buffers, 1, one, ""));
    assert_true(buffers_place(buffers, 1, one, &address, &size));
    assert_int_equal(address, MEMORY_BUFFER_BASE);
    assert_int_equal(size, 100);
    assert_false(buffers_place(buffers, 2, one, &address, &size));
    assert_false(buffers_place(buffers, 1, 0, &address, &size));
    assert_true(memory->history(buffers, MEMORY_BUFFER_BASE + 99, text, sizeof text));
    assert_string_equal(text,
                        "in buffer 1 (100 bytes at 0x60000000), which the program released at an unknown "
                        "place");
    assert_false(memory->history(buffers, MEMORY_BUFFER_BASE + 100, text, sizeof text));
    assert_false(memory->history(buffers, MEMORY_BUFFER_BASE - 1, text, sizeof text));
    /* A released buffer is forgotten after many others. */
    for (unsigned i = 0; i < BUFFERS_REMEMBERED; i++)
        assert_true(buffers_drop(buffers, 1, create(1, 1, true), ""));
    assert_false(buffers_place(buffers, 1, one, &address, &size));
    assert_false(memory->history(buffers, MEMORY_BUFFER_BASE, text, sizeof text));
}

__attribute__((noinline)) static void *return_address(void) {
    return __builtin_return_address(0);
}

/* The start of this program in memory, as defined by the linker script. */
extern const char __executable_start[];

static void a_call_site_has_a_line(void **state) {
    (void)state;
    char path[PATH_MAX], site[PATH_MAX + 32], text[200], expected[100];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(n > 0);
    path[n] = 0;
    const uintptr_t here = (uintptr_t)return_address();
    const int line = __LINE__ - 1;
    snprintf(site, sizeof site, "%s+0x%zx", path, (size_t)(here - (uintptr_t)__executable_start));
    call_site_describe(site, text, sizeof text);
    snprintf(expected, sizeof expected, "test_buffers.c:%d (%s)", line, __func__);
    assert_string_equal(text, expected);
}

static void what_is_no_call_site_is_said_as_it_is(void **state) {
    (void)state;
    static const struct {
        const char *site, *text;
    } rows[] = {{NULL, "an unknown place"},
                {"", "an unknown place"},
                {"/no/such/program+0x1234", "program+0x1234"},
                {"/etc/passwd+0x10", "passwd+0x10"},
                {"+", "+"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        call_site_describe(rows[i].site, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(buffers_belong_to_their_client, set_up, tear_down),
        cmocka_unit_test_setup_teardown(released_ones_are_told_of, set_up, tear_down),
        cmocka_unit_test(a_call_site_has_a_line),
        cmocka_unit_test(what_is_no_call_site_is_said_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
