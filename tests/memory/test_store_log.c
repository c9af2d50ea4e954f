/* store_log: threads of an SM see their own stores; memory has them after they are applied. Random stores and
 * reads compared with two plain arrays. */
#include "model/memory/store_log.h"
#include "tests/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

enum { BYTES = 1 << 15 };

static uint8_t memory[BYTES], before[BYTES], seen[BYTES];

static void store(struct store_log *l, struct seed *seed, size_t stores) {
    uint8_t *value[8];
    uint32_t at[8], bytes[8];
    store_log_reserve(l, stores, stores * STORE_LOG_READ);
    for (size_t n = 0; n < stores; n++) {
        bytes[n] = 1 + (uint32_t)seed_below(seed, STORE_LOG_READ / 4);
        at[n] = (uint32_t)seed_below(seed, BYTES - bytes[n]);
        value[n] = store_log_add(l, memory + at[n], bytes[n]);
    }
    for (size_t n = 0; n < stores; n++)
        for (uint32_t b = 0; b < bytes[n]; b++) seen[at[n] + b] = value[n][b] = (uint8_t)seed_next(seed);
}

static void read(const struct store_log *l, struct seed *seed) {
    uint8_t out[STORE_LOG_READ];
    const uint32_t bytes = 1 + (uint32_t)seed_below(seed, STORE_LOG_READ),
                   at = (uint32_t)seed_below(seed, BYTES - bytes);
    store_log_read(l, memory + at, bytes, out);
    assert_memory_equal(out, seen + at, bytes);
    if (!store_log_may_have(l, memory + at, bytes)) assert_memory_equal(seen + at, before + at, bytes);
}

static void reads_what_was_stored(void **state) {
    (void)state;
    struct seed seed = seed_start();
    struct store_log l;
    unsigned certain = 0;
    memset(memory, 0, sizeof memory);
    memset(seen, 0, sizeof seen);
    store_log_init(&l, 1);
    for (unsigned step = 0; step < 400; step++) {
        const unsigned instructions = (unsigned)seed_below(&seed, 12);
        memcpy(before, memory, BYTES);
        assert_false(store_log_may_have(&l, memory, STORE_LOG_READ));
        for (unsigned n = 0; n < instructions; n++) {
            store(&l, &seed, 1 + (size_t)seed_below(&seed, 8));
            for (unsigned r = 0; r < 10; r++) read(&l, &seed);
            certain += !store_log_may_have(&l, memory + seed_below(&seed, BYTES), 1);
        }
        assert_memory_equal(memory, before, BYTES);
        store_log_apply(&l);
        assert_memory_equal(memory, seen, BYTES);
    }
    assert_true(certain > 100); /* the filter excludes some reads */
    store_log_free(&l);
}

/* Exact to the byte: before the first, after the last, and the younger of two. */
static void reads_to_the_byte(void **state) {
    (void)state;
    struct store_log l;
    uint8_t out[4];
    memset(memory, 0, sizeof memory);
    store_log_init(&l, 1);
    store_log_reserve(&l, 2, 3);
    memcpy(store_log_add(&l, memory + 5, 2), (const uint8_t[]){1, 2}, 2);
    memcpy(store_log_add(&l, memory + 6, 1), (const uint8_t[]){3}, 1);
    store_log_read(&l, memory + 4, 4, out);
    assert_memory_equal(out, "\0\1\3\0", 4);
    store_log_read(&l, memory + 1, 4, out);
    assert_memory_equal(out, "\0\0\0\0", 4);
    store_log_read(&l, memory + 7, 4, out);
    assert_memory_equal(out, "\0\0\0\0", 4);
    store_log_apply(&l);
    assert_memory_equal(memory + 4, "\0\1\3\0", 4);
    store_log_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_to_the_byte),
                                       cmocka_unit_test(reads_what_was_stored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
