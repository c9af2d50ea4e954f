/* Large or deeply nested programs: stack that they need, and that the compiler neither overflows its own
 * stack nor takes very long. */
#include "tests/kernel_run.h"

#include "tests/compiler/compiler_image.h"

#include <math.h>
#include <sys/resource.h>

/* Time limit of a compilation that takes a second or two on an idle machine. */
#define LIMIT "timeout 120 "

static FILE *open_source(void) {
    FILE *f = fopen(run_path("large.cl"), "w");
    assert_non_null(f);
    return f;
}

static struct run_result compile_source(const char *options) {
    return run_command(LIMIT "%s/lockstep-cc --no-cache '--options=%s' -o %s %s", run_build_directory(),
                       options, run_path("large.image"), run_path("large.cl"));
}

/* Each function has 8 bytes on the stack and calls the previous one. Their sum is depth × (depth + 1) / 2. */
static void write_chain(unsigned depth) {
    FILE *f = open_source();
    fprintf(f, "__attribute__((noinline)) int f0(int x) { return x; }\n");
    for (unsigned n = 1; n <= depth; n++)
        fprintf(f,
                "__attribute__((noinline)) int f%u(int x) { volatile int own[2] = {x, %u}; "
                "return f%u(own[0]) + own[1]; }\n",
                n, n, n - 1);
    fprintf(f, "__kernel void chain(__global int *o) { o[get_global_id(0)] += f%u(get_global_id(0)); }\n",
            depth);
    fclose(f);
}

static unsigned chain_stack_bytes(unsigned depth) {
    write_chain(depth);
    expect_success(compile_source(""));
    struct image *i = load(run_path("large.image"));
    unsigned bytes = image_find(i, "chain")->stack_bytes;
    image_free(i);
    return bytes;
}

/* 16 bytes a function: its array, the link register, and r11 for alignment to 8. */
static void test_stack_of_a_deep_chain(void **state) {
    (void)state;
    const unsigned shallow = chain_stack_bytes(20);
    assert_int_equal(chain_stack_bytes(63) - shallow, 43 * 16);
    assert_int_equal(chain_stack_bytes(64) - shallow, 44 * 16);
    assert_int_equal(chain_stack_bytes(200) - shallow, 180 * 16);
}

static void test_deep_chain_runs(void **state) {
    enum { ITEMS = 64, DEPTH = 200 };
    static const char *const modes[][3] = {{"mode=simt", NULL}, {"mode=mimd", NULL}};
    (void)state;
    write_chain(DEPTH);
    for (size_t m = 0; m < 2; m++) {
        struct kernel_run r;
        struct error e = {0};
        uint32_t buffer[ITEMS] = {0};
        kernel_run_open(&r, run_path("large.cl"), "");
        const struct kernel_run_work w = {.kernel = "chain", .items = ITEMS, .group = 16};
        if (!kernel_run_machine(&r, &w, modes[m], buffer, ITEMS, &e)) fail_msg("%s", e.message);
        for (unsigned i = 0; i < ITEMS; i++) assert_int_equal(buffer[i], i + DEPTH * (DEPTH + 1) / 2);
        kernel_run_close(&r);
    }
}

/* 2 to the 40th paths lead through these functions, and each also to a local variable. */
static void test_shared_call_graph(void **state) {
    const unsigned levels = 40;
    (void)state;
    FILE *f = open_source();
    fprintf(f, "__attribute__((noinline)) int f0(int x) { volatile int own[2] = {x}; return own[0]; }\n");
    for (unsigned n = 1; n <= levels; n++)
        fprintf(f, "__attribute__((noinline)) int f%u(int x) { return f%u(x + 1) + f%u(x - 1); }\n", n, n - 1,
                n - 1);
    fprintf(f,
            "__kernel void shared(__global int *o) { __local int l[4]; l[get_local_id(0)] = 1;\n"
            "  if (o[0] < 0) o[0] = f%u(3) + l[0]; }\n",
            levels);
    fclose(f);
    expect_success(compile_source(""));
    struct image *i = load(run_path("large.image"));
    const struct image_kernel *k = image_find(i, "shared");
    assert_int_equal(k->local_bytes, 16);
    assert_in_range(k->stack_bytes, levels * 16, levels * 32);
    image_free(i);
}

/* LLVM follows the values of a kernel without branches recursively. */
static void test_long_straight_kernel(void **state) {
    (void)state;
    FILE *f = open_source();
    fprintf(f, "__kernel void straight(__global int *o) { int x = o[0];\n");
    for (unsigned n = 0; n < 10000; n++) fprintf(f, "  x = x * x + %u;\n", n % 71);
    fprintf(f, "  o[0] = x; }\n");
    fclose(f);
    expect_success(compile_source(""));
}

/* Returns the CPU seconds of the compiler for `cases` cases. With one jump table for all cases, LLVM would
 * take 20 times as long for 3,000 cases as for 750, since code for both modes consists of whole functions. */
static double switch_seconds(unsigned cases) {
    struct rusage before, after;
    FILE *f = open_source();
    fprintf(f, "__kernel void s(__global int *a, __global int *o) { int x = a[0]; switch (x) {\n");
    for (unsigned n = 0; n < cases; n++)
        fprintf(f, "  case %u: x = x * %u + %u; break;\n", 3 * n, n + 7, n % 17);
    fprintf(f, "  } o[0] = x; }\n");
    fclose(f);
    getrusage(RUSAGE_CHILDREN, &before);
    expect_success(compile_source(""));
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6;
}

/* The host may be busy in one of the two: the least of up to three measurements of each counts. */
static void test_large_switch(void **state) {
    double small = switch_seconds(750), large = switch_seconds(3000);
    (void)state;
    for (unsigned tries = 1; tries < 3 && large > 8 * small; tries++) {
        small = fmin(small, switch_seconds(750));
        large = fmin(large, switch_seconds(3000));
    }
    if (large > 10 * small) fail_msg("3,000 cases take %.2f s, 750 take %.2f s", large, small);
}

/* Cases of sparse values in a loop, each with a branch: more blocks than registers are allocated across. */
static void write_sparse_switch(unsigned cases) {
    FILE *f = open_source();
    fprintf(f,
            "__kernel void sparse(__global int *o) {\n"
            "  uint x = get_global_id(0) * 1237u, r = 0;\n"
            "  for (uint i = 0; i < 20; i++) { switch (x %% %u * 977) {\n",
            cases + 9);
    for (unsigned n = 0; n < cases; n++)
        fprintf(f, "  case %u: if (r & %u) x = r * %u + i; else { r += %u; x ^= i; } break;\n", 977 * n,
                n % 13 + 1, n + 3, n);
    fprintf(f, "  default: x += r; } x = x * 1103515245u + 12345u; r ^= x >> 7; }\n"
               "  o[get_global_id(0)] = (int)(x ^ r); }\n");
    fclose(f);
}

static uint32_t sparse_switch(unsigned cases, uint32_t item) {
    uint32_t x = item * 1237, r = 0;
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t n = x % (cases + 9);
        if (n >= cases) {
            x += r;
        } else if (r & (n % 13 + 1)) {
            x = r * (n + 3) + i;
        } else {
            r += n;
            x ^= i;
        }
        x = x * 1103515245u + 12345u;
        r ^= x >> 7;
    }
    return x ^ r;
}

/* Registers allocated across all blocks would take minutes, beyond the time limit. */
static void test_sparse_switch(void **state) {
    enum { CASES = 3000, ITEMS = 64 };
    static const char *const modes[][3] = {{"mode=simt", NULL}, {"mode=mimd", NULL}};
    struct kernel_run r = {0};
    (void)state;
    write_sparse_switch(CASES);
    expect_success(compile_source(""));
    r.image = kernel_run_image(run_path("large.image"), &r.code);
    for (size_t m = 0; m < 2; m++) {
        struct error e = {0};
        uint32_t buffer[ITEMS] = {0};
        const struct kernel_run_work w = {.kernel = "sparse", .items = ITEMS, .group = 16};
        if (!kernel_run_machine(&r, &w, modes[m], buffer, ITEMS, &e)) fail_msg("%s", e.message);
        for (unsigned i = 0; i < ITEMS; i++) assert_int_equal(buffer[i], sparse_switch(CASES, i));
    }
    kernel_run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_of_a_deep_chain), cmocka_unit_test(test_deep_chain_runs),
        cmocka_unit_test(test_shared_call_graph),     cmocka_unit_test(test_long_straight_kernel),
        cmocka_unit_test(test_large_switch),          cmocka_unit_test(test_sparse_switch),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
