/* arguments: the argument block and the local window, laid out to the byte. */
#include "runtime/arguments.h"

#include "model/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct image_argument list[] = {
    {.type = "int*", .space = IMAGE_GLOBAL, .offset = 0, .size_bytes = 4},
    {.type = "float4*", .space = IMAGE_LOCAL, .offset = 4, .size_bytes = 4},
    {.type = "long", .space = IMAGE_PRIVATE, .offset = 8, .size_bytes = 8},
    {.type = "struct pair*", .space = IMAGE_LOCAL, .offset = 16, .size_bytes = 4},
    {.type = "float*", .space = IMAGE_CONSTANT, .offset = 20, .size_bytes = 4},
};
static const struct image_kernel kernel = {
    .name = "k", .argument_block_bytes = 24, .local_bytes = 20, .arguments = list, .argument_count = 5};
#define BLOCK 0x3f000000u

static uint32_t word(const struct arguments *a, size_t offset) {
    uint32_t w;
    memcpy(&w, a->block + offset, sizeof w);
    return w;
}

static void a_block_is_laid_out(void **state) {
    (void)state;
    struct arguments a;
    assert_true(arguments_begin(&a, &kernel, BLOCK));
    assert_int_equal(a.local_bytes, 20);
    assert_true(arguments_pointer(&a, 0x60001080));
    assert_true(arguments_local(&a, 33, 32768)); /* float4: 20 → 32, to 65 */
    assert_true(arguments_value(&a, "ABCDEFGH", 8));
    assert_true(arguments_local(&a, 8, 32768)); /* argument of an unknown type: 65 → 128, to 136 */
    assert_true(arguments_pointer(&a, 0));
    assert_int_equal(word(&a, 0), 0x60001080);
    assert_int_equal(word(&a, 4), MEMORY_LOCAL_BASE + 32);
    assert_memory_equal(a.block + 8, "ABCDEFGH", 8);
    assert_int_equal(word(&a, 16), MEMORY_LOCAL_BASE + 128);
    assert_int_equal(word(&a, 20), 0);
    assert_int_equal(a.local_bytes, 136);
    assert_false(arguments_pointer(&a, 0)); /* there is no sixth argument */
    arguments_release(&a);
}

/* Image and sampler objects are behind the block, one place for each argument. */
static void images_and_samplers(void **state) {
    (void)state;
    struct image_argument arguments[] = {
        {.type = "sampler_t", .space = IMAGE_SAMPLER, .offset = 0, .size_bytes = 4},
        {.type = "image2d_t", .space = IMAGE_IMAGE2D, .offset = 4, .size_bytes = 4},
        {.type = "char", .space = IMAGE_PRIVATE, .offset = 8, .size_bytes = 1},
        {.type = "image2d_t", .space = IMAGE_IMAGE2D, .offset = 12, .size_bytes = 4},
    };
    const struct image_kernel k = {
        .name = "k", .argument_block_bytes = 17, .arguments = arguments, .argument_count = 4};
    const struct image_object one = {0x60000000, 4, 3, 64, 16, 0x10b5, 0x10de},
                              two = {0x60001080, 1, 1, 1, 1, 0x10b0, 0x10d2};
    const uint32_t bits = IMAGE_SAMPLER_NORMALIZED | IMAGE_SAMPLER_FILTER_LINEAR;
    struct arguments a;
    assert_true(arguments_begin(&a, &k, BLOCK));
    assert_int_equal(a.size_bytes, 17);
    assert_false(arguments_image(&a, &one)); /* a sampler is wanted */
    assert_true(arguments_value(&a, &bits, sizeof bits));
    assert_false(arguments_pointer(&a, 0)); /* an image is wanted */
    assert_true(arguments_image(&a, &one));
    assert_true(arguments_value(&a, "c", 1));
    assert_int_equal(a.size_bytes, 20 + 2 * 28);
    assert_true(arguments_image(&a, &two));
    assert_int_equal(a.size_bytes, 20 + 4 * 28);
    assert_int_equal(word(&a, 0), bits);
    assert_int_equal(word(&a, 4), BLOCK + 20 + 1 * 28);
    assert_int_equal(word(&a, 12), BLOCK + 20 + 3 * 28);
    assert_memory_equal(a.block + 20 + 28, &one, sizeof one);
    assert_memory_equal(a.block + 20 + 84, &two, sizeof two);
    assert_false(arguments_image(&a, &two)); /* there is no fifth argument */
    arguments_release(&a);
}

static void wrong_kinds_and_sizes_are_refused(void **state) {
    (void)state;
    struct arguments a;
    assert_true(arguments_begin(&a, &kernel, BLOCK));
    assert_false(arguments_value(&a, "ABCD", 4)); /* a pointer is wanted */
    assert_false(arguments_local(&a, 4, 32768));
    assert_true(arguments_pointer(&a, 4));
    assert_false(arguments_pointer(&a, 4));    /* local memory is wanted */
    assert_false(arguments_local(&a, 33, 64)); /* 32 + 33 > 64 */
    assert_true(arguments_local(&a, 32, 64));
    assert_false(arguments_value(&a, "ABCD", 4)); /* 8 bytes are wanted */
    assert_int_equal(a.next, 2);
    arguments_release(&a);
}

static void types_say_their_alignment(void **state) {
    (void)state;
    static const struct {
        const char *type;
        uint32_t bytes;
    } rows[] = {{"char*", 1},    {"uchar3*", 4},  {"short2*", 4},     {"half*", 2}, {"int*", 4},
                {"uint16*", 64}, {"float3*", 16}, {"double16*", 128}, {"long*", 8}, {"struct pair*", 128},
                {"pair*", 128},  {"int**", 128},  {"interval*", 128}, {"int", 128}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(arguments_pointee_alignment(rows[i].type), rows[i].bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_laid_out),
        cmocka_unit_test(images_and_samplers),
        cmocka_unit_test(wrong_kinds_and_sizes_are_refused),
        cmocka_unit_test(types_say_their_alignment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
