/* printf text: text of records of a printf buffer, by hand; their order; wrong calls and damaged buffers. */
#include "runtime/printf_text.h"

#include "abi/printf_buffer.h"
#include "tests/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CODE_BASE = 0x10000, CODE_BYTES = 0x4000 };

static uint8_t code[CODE_BYTES], buffer[PRINTF_MAPPED_BYTES];
static struct image image = {.code_base = CODE_BASE, .code_bytes = CODE_BYTES, .code = code};
static uint32_t constants, used;

struct argument {
    unsigned size;
    const void *bytes;
};
#define VALUE(T, ...)                                                                                        \
    {                                                                                                        \
        sizeof((T){__VA_ARGS__}), &(T) {                                                                     \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define INT(v)    VALUE(int32_t, v)
#define LONG(v)   VALUE(int64_t, v)
#define DOUBLE(v) VALUE(double, v)
typedef float float4[4];
typedef double double2[2];
typedef int8_t char4[4];

static int clear(void **state) {
    (void)state;
    memset(code, 'x', sizeof code);
    memset(buffer, 0, sizeof buffer);
    constants = used = 0;
    return 0;
}

static uint32_t constant(const void *bytes, size_t size) {
    const uint32_t at = constants;
    assert_true(at + size <= CODE_BYTES);
    memcpy(code + at, bytes, size);
    constants += (uint32_t)size;
    return CODE_BASE + at;
}

static uint32_t text(const char *s) {
    return constant(s, strlen(s) + 1);
}

static void put_word(uint32_t word) {
    memcpy(buffer + PRINTF_RECORDS + used, &word, sizeof word);
    used += 4;
}

static void call_of(const uint32_t id[3], const char *format, const struct argument *arguments,
                    unsigned count) {
    uint8_t sizes[64] = {0};
    for (unsigned i = 0; i < count; i++) sizes[i] = (uint8_t)arguments[i].size;
    put_word(constant(sizes, count + 1));
    put_word(text(format));
    for (unsigned d = 0; d < 3; d++) put_word(id[d]);
    for (unsigned i = 0; i < count; i++) {
        memcpy(buffer + PRINTF_RECORDS + used, arguments[i].bytes, arguments[i].size);
        used += (arguments[i].size + 3) & ~3u;
    }
    memcpy(buffer, &used, sizeof used);
}
#define CALL(format, ...)                                                                                    \
    do {                                                                                                     \
        const struct argument a_[] = {{0, NULL}, ##__VA_ARGS__};                                             \
        call_of((const uint32_t[]){0, 0, 0}, format, a_ + 1, sizeof a_ / sizeof *a_ - 1);                    \
    } while (0)

static void expect(const char *wanted) {
    struct printf_text t;
    assert_true(printf_text_read(&t, &image, buffer));
    if (t.size != strlen(wanted) || memcmp(t.bytes, wanted, t.size))
        fail_msg("\"%.*s\" instead of \"%s\"", (int)t.size, t.bytes, wanted);
    assert_false(t.lost || t.damaged);
    printf_text_free(&t);
    clear(NULL);
}
#define EXPECT(wanted, format, ...)                                                                          \
    do {                                                                                                     \
        CALL(format, ##__VA_ARGS__);                                                                         \
        expect(wanted);                                                                                      \
    } while (0)

static void test_scalars(void **state) {
    (void)state;
    EXPECT("plain, 100 %\n", "plain, 100 %%\n");
    EXPECT("-1 4294967295 ffffffff FF 17 -1", "%d %u %x %X %o %i", INT(-1), INT(-1), INT(-1), INT(255),
           INT(15), INT(-1));
    EXPECT("[   42|42   |+42|00042| 42|0x2a]", "[%5d|%-5d|%+d|%05d|% d|%#x]", INT(42), INT(42), INT(42),
           INT(42), INT(42), INT(42));
    EXPECT("[0042|  0042]", "[%.4d|%6.4d]", INT(42), INT(42));
    EXPECT("-9223372036854775808 ffffffffffffffff", "%ld %lx", LONG(INT64_MIN), LONG(-1));
    EXPECT("-1 255 -2 65534", "%hhd %hhu %hd %hu", INT(-1), INT(-1), INT(-2), INT(-2));
    EXPECT("1.500000 1.50 1.5e+00 1.5 0x1.8p+0 0X1.8P+0", "%f %.2f %.1e %g %a %A", DOUBLE(1.5), DOUBLE(1.5),
           DOUBLE(1.5), DOUBLE(1.5), DOUBLE(1.5), DOUBLE(1.5));
    EXPECT("-inf nan INF 2", "%f %f %F %.0f", DOUBLE(-__builtin_inf()), DOUBLE(__builtin_nan("")),
           DOUBLE(__builtin_inf()), DOUBLE(2.4));
    EXPECT("<A|  B|0x60000010>", "<%c|%3c|%p>", INT('A'), INT('B'), INT(0x60000010));
}

static void test_vectors(void **state) {
    (void)state;
    EXPECT("1,2,3,4", "%v4d", VALUE(struct { int32_t v[4]; }, {1, 2, 3, 4}));
    EXPECT("1.00,-2.50,0.00,4.00", "%.2v4hlf", VALUE(float4, 1, -2.5f, 0, 4));
    EXPECT(" 1.0| 2.0, 3.0", "%4.1f|%4.1v2lf", DOUBLE(1), VALUE(double2, 2, 3));
    EXPECT("-1,2,-3,4 0xff,0x2,0xfd,0x4", "%v4hhd %#v4hhx", VALUE(char4, -1, 2, -3, 4),
           VALUE(char4, -1, 2, -3, 4));
    EXPECT("-1,2", "%v2hhd", VALUE(char4, -1, 2));                           /* clang fills up to a word */
    EXPECT("5,6,7", "%v3d", VALUE(struct { int32_t v[4]; }, {5, 6, 7, 99})); /* a vector with space for four
                                                                              * elements */
    EXPECT("5,6,7", "%v3ld", VALUE(struct { int64_t v[3]; }, {5, 6, 7}));    /* a vector with space
                                                                              * for three */
    EXPECT("0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f|7", "%v16hx|%d",
           VALUE(struct { int16_t v[16]; }, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), INT(7));
    /* Without a length, or with a wrong one: the type of the vector decides. */
    EXPECT("1,2,0.5,4", "%v4g", VALUE(float4, 1, 2, 0.5f, 4));
    EXPECT("1,2,0.5,4", "%v4lg", VALUE(float4, 1, 2, 0.5f, 4));
}

static void test_strings(void **state) {
    (void)state;
    const uint32_t abc = text("abc");
    EXPECT("abc|  abc|ab", "%s|%5s|%.2s", INT((int32_t)abc), INT((int32_t)abc), INT((int32_t)abc));
    EXPECT("%s %s %s", "%s %s %s", INT(0), INT(0x60000000), INT(CODE_BASE + CODE_BYTES - 1));
}

static void test_mistakes_are_printed_as_they_stand(void **state) {
    (void)state;
    EXPECT("%n %y %", "%n %y %", INT(1));
    EXPECT("1 %d", "%d %d", INT(1));
    EXPECT("1", "%d", INT(1), INT(2));
    EXPECT("%f %v5d %v4c %ls %4096d %.9999f 1", "%f %v5d %v4c %ls %4096d %.9999f %d", INT(3), INT(1));
    EXPECT("%v4f %f", "%v4f %f", INT(1), VALUE(char4, 0, 0, 0, 0));
    EXPECT("%999999999999999999999d", "%999999999999999999999d", INT(1));
    EXPECT("%*d1", "%*d%d", INT(1));
}

static void test_order_is_that_of_the_ids(void **state) {
    (void)state;
    static const uint32_t ids[][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    for (unsigned i = 0; i < 6; i++) call_of(ids[i], "%d ", &(struct argument)INT((int32_t)i), 1);
    expect("3 5 0 4 2 1 ");
}

static void test_lost_and_damaged(void **state) {
    (void)state;
    struct printf_text t;
    CALL("first ");
    const uint32_t one = used;
    CALL("second");
    uint32_t said = used | PRINTF_LOST;
    memcpy(buffer, &said, 4);
    assert_true(printf_text_read(&t, &image, buffer));
    assert_true(t.lost && !t.damaged);
    assert_int_equal(t.size, strlen("first second"));
    printf_text_free(&t);
    for (unsigned word = 0; word < 2; word++) { /* an invalid address */
        const uint32_t before = *(uint32_t *)(void *)(buffer + PRINTF_RECORDS + one + 4 * word);
        memset(buffer + PRINTF_RECORDS + one + 4 * word, 0xee, 4);
        assert_true(printf_text_read(&t, &image, buffer));
        assert_true(t.damaged && t.size == strlen("first "));
        printf_text_free(&t);
        memcpy(buffer + PRINTF_RECORDS + one + 4 * word, &before, 4);
    }
    said = used - 4; /* cut off */
    memcpy(buffer, &said, 4);
    assert_true(printf_text_read(&t, &image, buffer));
    assert_true(t.damaged && t.size == strlen("first "));
    printf_text_free(&t);
}

/* For any contents of the buffer and of the formats, reading terminates and stays inside (checked with
 * SAN=1). */
static void test_noise(void **state) {
    (void)state;
    struct seed seed = seed_start();
    static const char letters[] = "%%%%-+ #0123456789.vhlldiouxXfFeEgGaAcsp*n\n";
    for (unsigned round = 0; round < 2000; round++) {
        char format[64] = {0};
        struct argument arguments[6];
        uint64_t bytes[6][16];
        clear(NULL);
        for (unsigned i = 0; i + 1 < sizeof format; i++)
            format[i] = letters[seed_below(&seed, sizeof letters - 1)];
        for (unsigned i = 0; i < 6; i++) {
            for (unsigned k = 0; k < 16; k++) bytes[i][k] = seed_next(&seed);
            arguments[i] = (struct argument){1 + (unsigned)seed_below(&seed, 128), bytes[i]};
        }
        call_of((const uint32_t[]){0, 0, 0}, format, arguments, 6);
        if (round % 2)
            for (unsigned k = 0; k < 8; k++)
                buffer[seed_below(&seed, used + PRINTF_RECORDS)] = (uint8_t)seed_next(&seed);
        struct printf_text t;
        assert_true(printf_text_read(&t, &image, buffer));
        printf_text_free(&t);
    }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup(f, clear)
    const struct CMUnitTest tests[] = {
        TEST(test_scalars),
        TEST(test_vectors),
        TEST(test_strings),
        TEST(test_mistakes_are_printed_as_they_stand),
        TEST(test_order_is_that_of_the_ids),
        TEST(test_lost_and_damaged),
        TEST(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
