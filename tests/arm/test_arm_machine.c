/* Properties of the ARM core that the machine determines: the option arm.cumulative_flags, and the error for
 * an SVC in a kernel. */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* r0 is 0x33800000 in half of the threads: 1 + 2^-24 is inexact. */
static const uint32_t program[] = {
    0xe3110010, /* tst r1, #16: addresses of threads are 16 bytes apart */
    0xe3a005fe, /* mov r0, #0x3f800000 */
    0xee010a10, /* vmov s2, r0 */
    0x13a005ce, /* movne r0, #0x33800000 */
    0xee010a90, /* vmov s3, r0 */
    0xee311a21, /* vadd.f32 s2, s2, s3 */
    0xeef12a10, /* vmrs r2, fpscr */
    EXIT,
};

static void the_option_reaches_the_warps(void **state) {
    (void)state;
    for (uint32_t keeps = 0; keeps < 2; ++keeps) {
        struct bench *b = bench_create();
        b->config.arm.cumulative_flags = keeps;
        begin(b, program, sizeof program / 4, 64, 16);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned k = 0; k < 64; ++k)
            assert_int_equal(b->cluster.threads[k / 32].registers[2 * 32 + k % 32],
                             keeps && k % 2 ? 0x10 : 0);
        bench_free(b);
    }
}

static void a_supervisor_call_names_its_work_item(void **state) {
    (void)state;
    static const uint32_t text[] = {0xe3110010 /* tst r1, #16 */, 0x1f000007 /* svcne 7 */, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 3, 64, 16);
    run(b);
    assert_int_equal(b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(b->error.message, "calls supervisor service 7 (SVC): a kernel has no operating"));
    assert_non_null(strstr(b->error.message, "kernel 'test', work-item ("));
    assert_non_null(strstr(b->error.message, "pc 0x10004"));
    assert_non_null(strstr(b->error.message, "svcne 0x00000007"));
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_option_reaches_the_warps),
        cmocka_unit_test(a_supervisor_call_names_its_work_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
