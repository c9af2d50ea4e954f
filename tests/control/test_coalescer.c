/* coalescer: transactions counted by hand (gpu-like.md §4). For random accesses: every accessed byte is in
 * exactly one transaction of its part, and no transaction could be shorter. */
#include "model/control/coalescer.h"
#include "tests/seed.h"

#include <string.h>

static uint32_t address[64];
static struct coalescer_transaction got[COALESCER_MOST];

static const struct coalescer_config cc13 = {COALESCE_CC13, 32, 64}, cc20 = {COALESCE_CC20, 32, 64};

static void stride(uint32_t base, uint32_t bytes) {
    for (unsigned k = 0; k < 64; ++k) address[k] = base + k * bytes;
}

static unsigned all_load(const struct coalescer_config *c, unsigned bytes) {
    return coalescer_transactions(c, address, bytes, 0xffffffff, false, got);
}

static void expect(unsigned n, uint32_t at, unsigned length, unsigned bytes, unsigned pieces,
                   uint64_t threads) {
    assert_int_equal(got[n].address, at);
    assert_int_equal(got[n].length, length);
    assert_int_equal(got[n].bytes, bytes);
    assert_int_equal(got[n].pieces, pieces);
    assert_int_equal(got[n].threads, threads);
}

static void strides_of_words(void **state) {
    (void)state;
    static const struct {
        unsigned words, cc13, length, cc20;
    } rows[] = {{1, 2, 64, 2}, {2, 2, 128, 4}, {4, 4, 128, 8}, {32, 32, 32, 32}};
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; ++n) {
        stride(0x8000, 4 * rows[n].words);
        const unsigned count = all_load(&cc13, 4);
        print_message("32 threads, 4 bytes, stride %u: cc13 %u transactions of %u bytes, ", rows[n].words,
                      count, got[0].length);
        assert_int_equal(count, rows[n].cc13);
        for (unsigned t = 0; t < count; ++t) assert_int_equal(got[t].length, rows[n].length);
        const unsigned lines = all_load(&cc20, 4);
        print_message("cc20 %u\n", lines);
        assert_int_equal(lines, rows[n].cc20);
        for (unsigned t = 0; t < lines; ++t) assert_int_equal(got[t].length, 64);
    }
}

static void shifted_by_a_word(void **state) {
    (void)state;
    stride(0x8004, 4);
    print_message("shifted by 4 bytes: cc13 %u transactions, ", all_load(&cc13, 4));
    print_message("cc20 %u\n", all_load(&cc20, 4));
    assert_int_equal(all_load(&cc13, 4), 3);
    expect(0, 0x8000, 128, 128, 0x7, 0xffff);   /* 4 … 67 */
    expect(1, 0x8040, 64, 64, 0x3, 0x7fff0000); /* 68 … 127 of the same segment */
    expect(2, 0x8080, 32, 32, 0x1, 0x80000000); /* 128 … 131 */
    assert_int_equal(all_load(&cc20, 4), 3);
    expect(0, 0x8000, 64, 64, 0x3, 0x7fff);
    expect(1, 0x8040, 64, 64, 0x3, 0x7fff8000);
    expect(2, 0x8080, 64, 64, 0x1, 0x80000000);
    assert_int_equal(coalescer_transactions(&cc20, address, 4, 0xffffffff, true, got), 3);
    expect(0, 0x8000, 64, 64, 0x3, 0x7fff);
    expect(2, 0x8080, 64, 32, 0x1, 0x80000000); /* a store: the piece that it touches */
}

static void bytes_and_half_words_have_shorter_segments(void **state) {
    (void)state;
    stride(0x100, 1);
    assert_int_equal(all_load(&cc13, 1), 2);
    expect(0, 0x100, 32, 32, 0x1, 0xffff); /* each half-warp for itself, in one segment of 32 bytes */
    expect(1, 0x100, 32, 32, 0x1, 0xffff0000);
    stride(0x120, 2);
    assert_int_equal(all_load(&cc13, 2), 2);
    expect(0, 0x120, 32, 32, 0x1, 0xffff); /* the second half of a segment of 64 */
    expect(1, 0x140, 32, 32, 0x1, 0xffff0000);
    stride(0x100, 8);
    assert_int_equal(all_load(&cc13, 8), 2); /* 128 bytes each half-warp */
    expect(1, 0x180, 128, 128, 0xf, 0xffff0000);
}

static void in_the_order_of_the_lowest_thread(void **state) {
    (void)state;
    for (unsigned k = 0; k < 32; ++k) address[k] = 0x1000 - 128 * (k / 4);
    assert_int_equal(all_load(&cc20, 4), 8);
    for (unsigned n = 0; n < 8; ++n) expect(n, 0x1000 - 128 * n, 64, 64, 0x1, 0xfull << 4 * n);
    /* Inactive threads have no transactions. */
    assert_int_equal(coalescer_transactions(&cc20, address, 4, 0, false, got), 0);
    assert_int_equal(coalescer_transactions(&cc20, address, 4, 0x80000000, true, got), 1);
    expect(0, 0x1000 - 128 * 7, 64, 32, 0x1, 0x80000000);
}

static void bytes_in_two_segments(void **state) {
    (void)state;
    address[0] = 0x20be, address[1] = 0x203e, address[2] = 0x2041;
    assert_int_equal(coalescer_transactions(&cc20, address, 4, 0x7, true, got), 4);
    expect(0, 0x2080, 64, 32, 0x2, 0x1); /* thread 0, then its second line */
    expect(1, 0x20c0, 64, 32, 0x1, 0x1);
    expect(2, 0x2000, 64, 32, 0x2, 0x2);
    expect(3, 0x2040, 64, 32, 0x1, 0x6); /* the rest of thread 1 with thread 2 */
    uint64_t written[4];
    coalescer_bytes(&got[3], address, 4, written);
    assert_int_equal(written[0], 0x1f); /* 40, 41 of thread 1; 41 … 44 of thread 2 */
    coalescer_bytes(&got[0], address, 4, written);
    assert_int_equal(written[0], 3ull << 62);
    assert_int_equal(written[1] | written[2] | written[3], 0);
}

static void longest_lines(void **state) {
    (void)state;
    const struct coalescer_config c = {COALESCE_CC20, 32, 256};
    stride(0x300, 8);
    assert_int_equal(coalescer_transactions(&c, address, 4, 0xffffffff, true, got), 1);
    expect(0, 0x300, 256, 256, 0xff, 0xffffffff);
    uint64_t written[4];
    coalescer_bytes(&got[0], address, 4, written);
    for (unsigned n = 0; n < 4; ++n) assert_int_equal(written[n], 0x0f0f0f0f0f0f0f0full);
}

/* --- random --- */

struct access {
    struct coalescer_config c;
    unsigned bytes;
    uint64_t active;
    bool store;
};

static struct access random_access(struct seed *s) {
    static const unsigned sizes[] = {4, 16, 32, 64};
    struct access a = {.bytes = 1u << seed_below(s, 4), .active = seed_next(s), .store = seed_below(s, 2)};
    a.c = (struct coalescer_config){seed_below(s, 2) ? COALESCE_CC13 : COALESCE_CC20, sizes[seed_below(s, 4)],
                                    32u << seed_below(s, 4)};
    if (a.c.warp_size < 64) a.active &= (1ull << a.c.warp_size) - 1;
    const unsigned spread = 16u << seed_below(s, 12);
    const bool aligned = seed_below(s, 3) != 0;
    for (unsigned k = 0; k < 64; ++k) {
        address[k] = 0x10000 + seed_below(s, spread);
        if (aligned) address[k] &= ~(a.bytes - 1);
    }
    return a;
}

static unsigned part_of(const struct access *a, unsigned thread) {
    return a->c.rule == COALESCE_CC13 ? thread / COALESCER_PART : 0;
}

/* Returns the number of transactions of a thread's part that contain a byte. */
static unsigned holders(const struct access *a, unsigned count, unsigned thread, uint32_t byte,
                        unsigned *last) {
    unsigned n = 0;
    for (unsigned t = 0; t < count; ++t)
        if (byte - got[t].address < got[t].length &&
            part_of(a, (unsigned)__builtin_ctzll(got[t].threads)) == part_of(a, thread)) {
            *last = t;
            ++n;
        }
    return n;
}

static void check_bytes(const struct access *a, unsigned count, uint64_t expected[][4]) {
    for (unsigned k = 0; k < a->c.warp_size; ++k)
        for (uint32_t b = address[k]; a->active >> k & 1 && b < address[k] + a->bytes; ++b) {
            unsigned t = 0;
            assert_int_equal(holders(a, count, k, b, &t), 1);
            const uint32_t offset = b - got[t].address;
            assert_true(got[t].threads >> k & 1);
            assert_true(got[t].pieces >> offset / 32 & 1);
            expected[t][offset / 64] |= 1ull << offset % 64;
        }
}

static void check_transaction(const struct access *a, unsigned t, const uint64_t expected[4]) {
    uint64_t written[4];
    coalescer_bytes(&got[t], address, a->bytes, written);
    assert_memory_equal(written, expected, sizeof written);
    unsigned pieces = 0;
    for (unsigned n = 0; n < 8; ++n)
        if (expected[n / 2] >> (n % 2 * 32) & 0xffffffff) pieces |= 1u << n;
    assert_int_equal(got[t].pieces, pieces);
    assert_int_equal(got[t].address % got[t].length, 0);
    const unsigned half = got[t].length / 64; /* no shorter one would do */
    if (a->c.rule == COALESCE_CC13 && half) assert_true(pieces >> half && pieces & ((1u << half) - 1));
    assert_int_equal(got[t].bytes, a->store && a->c.rule == COALESCE_CC20 ? 32 * __builtin_popcount(pieces)
                                                                          : got[t].length);
    assert_true(!t || __builtin_ctzll(got[t].threads) >= __builtin_ctzll(got[t - 1].threads));
}

/* Checks that the block has the same transactions, one in each cycle. It is evaluated twice, since outputs
 * and next state depend only on inputs and state. */
static void check_block(const struct access *a, unsigned count) {
    struct coalescer b;
    coalescer_init(&b, &a->c);
    for (unsigned t = 0; t < count || t == 0; ++t) {
        b.in = (struct coalescer_in){
            .valid = true, .store = a->store, .bytes = a->bytes, .active = a->active, .address = address};
        coalescer_eval(&b);
        coalescer_eval(&b);
        assert_int_equal(b.out.valid, count > 0);
        assert_int_equal(b.out.last, t + 1 >= count);
        if (count) {
            assert_int_equal(b.out.address, got[t].address);
            assert_int_equal(b.out.length, got[t].length);
            assert_int_equal(b.out.bytes, got[t].bytes);
            assert_int_equal(b.out.pieces, got[t].pieces);
            assert_int_equal(b.out.threads, got[t].threads);
        }
        coalescer_clock(&b);
        assert_int_equal(b.q.begun, t + 1 < count);
    }
}

static void every_byte_is_in_one_transaction(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 20000; ++n) {
        const struct access a = random_access(&s);
        uint64_t expected[COALESCER_MOST][4] = {{0}};
        const unsigned count = coalescer_transactions(&a.c, address, a.bytes, a.active, a.store, got);
        check_bytes(&a, count, expected);
        check_block(&a, count);
        for (unsigned t = 0; t < count; ++t) check_transaction(&a, t, expected[t]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_of_words),
        cmocka_unit_test(shifted_by_a_word),
        cmocka_unit_test(bytes_and_half_words_have_shorter_segments),
        cmocka_unit_test(in_the_order_of_the_lowest_thread),
        cmocka_unit_test(bytes_in_two_segments),
        cmocka_unit_test(longest_lines),
        cmocka_unit_test(every_byte_is_in_one_transaction),
    };
    return cmocka_run_group_tests_name("coalescer", tests, NULL, NULL);
}
