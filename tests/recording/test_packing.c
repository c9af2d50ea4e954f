/* Records as bytes, and back. */
#include "recording/packing.h"
#include "tests/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RECORDS 20000

static struct seed seed;

static uint64_t draw(uint64_t below) {
    return seed_next(&seed) % below;
}

/* Returns a record like those of a pipeline: most follow the previous one closely, some have
 * random values. */
static struct record a_record(uint64_t *cycle) {
    struct record r = {.kind = RECORD_FLIGHT, .place = (uint16_t)draw(draw(50) ? 16 : 65536)};
    const bool wild = draw(20) == 0;
    *cycle += draw(4);
    r.cycle = wild ? *cycle + (draw(3) << 40) : *cycle;
    r.pc = wild ? (uint32_t)draw(UINT32_MAX) : (uint32_t)(0x10000 + 4 * draw(60));
    r.threads = wild ? draw(UINT32_MAX) << 32 | draw(UINT32_MAX) : UINT32_MAX;
    r.passed = draw(5) ? r.threads : r.threads & draw(UINT32_MAX);
    r.form = draw(10) ? 0 : (uint8_t)draw(256);
    r.flags = (uint8_t)draw(2);
    for (unsigned n = 0; n < RECORD_STAMPS; ++n)
        r.after[n] = wild ? (uint32_t)draw(UINT32_MAX) : (n ? r.after[n - 1] : 0) + (uint32_t)draw(3);
    return r;
}

/* Returns a record of another kind, with the fields of that kind. */
static struct record another(uint64_t cycle) {
    static const struct record of[] = {
        {.kind = RECORD_STALL, .form = 2, .after = {7}},
        {.kind = RECORD_RUN, .pc = 65536, .threads = 12, .form = 1, .after = {99, 1}},
        {.kind = RECORD_MODE, .form = 3},
        {.kind = RECORD_GROUP, .after = {4, 5, 6}},
        {.kind = RECORD_GROUP_END},
        {.kind = RECORD_START, .pc = 8, .threads = UINT64_MAX},
        {.kind = RECORD_ARRIVE, .pc = 8, .threads = 1},
        {.kind = RECORD_EXIT, .pc = 8, .threads = 3},
        {.kind = RECORD_RELEASE, .pc = 8, .threads = 3},
        {.kind = RECORD_ACCESS, .pc = 64, .threads = 5, .form = 3, .after = {9, 2}},
        {.kind = RECORD_COMMAND, .pc = 77, .form = 1, .after = {6}}};
    struct record r = of[draw(sizeof of / sizeof *of)];
    r.cycle = cycle;
    r.place = (uint16_t)draw(300);
    return r;
}

static void assert_same(const struct record *a, const struct record *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->cycle, b->cycle);
    assert_int_equal(a->place, b->place);
    assert_int_equal(a->pc, b->pc);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->passed, b->passed);
    assert_int_equal(a->form, b->form);
    assert_int_equal(a->flags, b->flags);
    assert_memory_equal(a->after, b->after, sizeof a->after);
}

static size_t pack(struct record *records, uint8_t *bytes) {
    struct packing *p = malloc(sizeof *p);
    uint8_t *end = bytes;
    uint64_t cycle = 1000;
    assert_non_null(p);
    packing_reset(p);
    for (unsigned n = 0; n < RECORDS; ++n) {
        records[n] = draw(8) ? a_record(&cycle) : another(cycle);
        uint8_t *const next = packing_put(p, &records[n], end);
        assert_in_range(next - end, 1, PACKING_RECORD_BYTES);
        end = next;
    }
    free(p);
    return (size_t)(end - bytes);
}

static void test_records_come_back(void **unused) {
    (void)unused;
    struct record *records = calloc(RECORDS, sizeof *records), r;
    uint8_t *bytes = malloc((size_t)RECORDS * PACKING_RECORD_BYTES);
    struct packing *p = malloc(sizeof *p);
    seed = seed_start();
    const uint8_t *at = bytes, *const end = bytes + pack(records, bytes);
    packing_reset(p);
    for (unsigned n = 0; n < RECORDS; ++n) {
        at = packing_get(p, &r, at, end);
        assert_non_null(at);
        assert_same(&r, &records[n]);
    }
    assert_ptr_equal(at, end);
    free(p);
    free(bytes);
    free(records);
}

/* Damaged or truncated bytes are read up to an invalid record, and never beyond their end. */
static void test_damaged_bytes(void **unused) {
    (void)unused;
    struct record *records = calloc(RECORDS, sizeof *records), r;
    uint8_t *bytes = malloc((size_t)RECORDS * PACKING_RECORD_BYTES);
    struct packing *p = malloc(sizeof *p);
    seed = seed_start();
    const size_t size = pack(records, bytes);
    for (unsigned trial = 0; trial < 200; ++trial) {
        const size_t from = draw(size), count = 1 + draw(200 < size - from ? 200 : size - from);
        uint8_t *part = malloc(count); /* a buffer of its own, for the sanitizer */
        memcpy(part, bytes + from, count);
        part[draw(count)] = (uint8_t)draw(256);
        packing_reset(p);
        for (const uint8_t *at = part; at && at < part + count;) {
            at = packing_get(p, &r, at, part + count);
            assert_true(!at || (at > part && at <= part + count && r.kind < RECORD_KIND_COUNT));
        }
        free(part);
    }
    free(p);
    free(bytes);
    free(records);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_records_come_back),
                                       cmocka_unit_test(test_damaged_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
