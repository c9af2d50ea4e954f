/* Kernels that wait for a scalar thread: uses of lockstep_sync(1) that are refused
 * (compiler/ir/sync_check.h), parts of kernels that the compiler extracts for scalar threads (extract.h),
 * loops that it remaps (remap.h), and parts that stay, with the reason. */
#include "tests/compiler/compiler_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("there is no\n%s\nin\n%s", part, text);
}

/* Bodies of a kernel with a scalar partner; t is its local id. */
static const struct {
    const char *body;
    unsigned line; /* refused line; 0: none */
} parted[] = {
    {"if (t == 0)\n lockstep_sync(1);\nbarrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 4},
    {"if (t & 1) { s[t] = 3;\nlockstep_sync(1); } else s[t + 2] = 4;\nlockstep_sync(1); out[t] = s[0];", 4},
    {"if (t == 5) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    {"if (t > 0) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    {"if (get_local_id(2) == 1) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    /* No thread waits for one that has ended, or the other side also reaches a barrier. */
    {"if (t == 0) lockstep_sync(1);", 0},
    {"if (t == 0) return; lockstep_sync(1); out[t] = s[0]; lockstep_sync(1);", 0},
    {"if (t == 0) { s[1] = 1; lockstep_sync(1); } else { lockstep_sync(1); s[2] = 2; } lockstep_sync(0);", 0},
    /* The condition may be uniform. */
    {"if (t < 64) lockstep_sync(1); barrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 0},
    {"if (t != 5) lockstep_sync(1); barrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 0},
    {"if (out[0] > t) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"if (get_global_id(0) == 0) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"if (get_group_id(0) == 0) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"lockstep_sync(1); if (t == 0) s[0] = 3; lockstep_sync(1); out[t] = s[0];", 0},
};

static void where_work_items_part(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof parted / sizeof *parted; n++)
        for (unsigned plain = 0; plain < 2; plain++) {
            char source[1024], message[128];
            snprintf(source, sizeof source,
                     "#include <lockstep_scalar.h>\n"
                     "__kernel void k(__global int *out, __local int *s) { int t = get_local_id(0);\n%s\n}\n"
                     "LOCKSTEP_SCALAR_OF(k)\n"
                     "__kernel void p(__global int *out, __local int *s) { lockstep_sync(1); }\n",
                     parted[n].body);
            run_write(run_path("k.cl"), source);
            struct run_result r =
                run_command("cd %s && %s/lockstep-cc --no-cache --mode=simt %s -o k.img k.cl", run_directory,
                            run_build_directory(), plain ? "--options -cl-opt-disable" : "");
            if ((r.status != 0) != (parted[n].line != 0)) fail_msg("%d: %s", r.status, parted[n].body);
            snprintf(message, sizeof message,
                     "k.cl:%u: error: lockstep_sync(1) in kernel 'k' stands where work-items part",
                     parted[n].line);
            if (r.status) assert_has(r.errors, message);
            free(r.errors);
        }
}

/* --- generated scalar kernels --- */

/* Returns the program with scalar kernels of a kind. The caller frees it. */
static char *made(const char *kind, const char *source) {
    size_t size;
    run_write(run_path("k.cl"), source);
    struct run_result r =
        run_command("cd %s && %s/lockstep-cc --no-cache --emit=scalar-kernel --scalar=%s -o out k.cl",
                    run_directory, run_build_directory(), kind);
    if (r.status) fail_msg("exit status %d: %s\n%s", r.status, r.errors, source);
    free(r.errors);
    return run_read(run_path("out"), &size);
}

/* Fig. 14. */
static void what_one_work_item_does(void **state) {
    (void)state;
    char *text = made("extract", "__kernel void k(__global const float *in, __global float *out) {\n"
                                 "    __local float s[64];\n"
                                 "    const uint t = get_local_id(0);\n"
                                 "    float x = in[get_global_id(0)];\n"
                                 "    if (t == 2) { x = x * 2 + get_global_id(0); s[0] = x; }\n"
                                 "    out[t] = s[0] + x;\n"
                                 "}\n");
    assert_has(text, "{ LOCKSTEP_SHARED __local float lockstep_x;\n"
                     "    LOCKSTEP_SHARED __local float s[64];\n");
    assert_has(text,
               "    { if (t == 2) { lockstep_x = x; } lockstep_sync(1); lockstep_sync(1); if (t == 2) { x = "
               "lockstep_x; } }\n");
    assert_has(text, "LOCKSTEP_SCALAR_OF(k)\n"
                     "__kernel void k_scalar(__global const float *in, __global float *out) {\n"
                     "    LOCKSTEP_SHARED __local float s[64];\n"
                     "    LOCKSTEP_SHARED __local float lockstep_x;\n"
                     "    lockstep_sync(1);\n"
                     "    if (2 < get_local_size(0)) {\n"
                     "        float x = lockstep_x;\n"
                     "        { x = x * 2 + (get_global_id(0) + 2); s[0] = x; }\n"
                     "        lockstep_x = x;\n"
                     "    }\n"
                     "    lockstep_sync(1);\n"
                     "}\n");
    free(text);
}

/* Bodies of a kernel, and text that the result contains. */
static const struct {
    const char *kind, *body, *has;
} cases[] = {
    /* Nothing after it reads: no thread waits for the scalar thread. */
    {"extract", "s[t] = 1; if (t == 0) out[0] = s[1];", "{ lockstep_sync(1); }"},
    /* Nothing before it accesses memory: the scalar thread starts with it. */
    {"extract", "if (t == 0) s[0] = n; out[t] = s[0];", "    { lockstep_sync(1); }"},
    {"extract", "if (t == 0) s[0] = n; out[t] = s[0];",
     "    {\n        s[0] = n;\n    }\n    lockstep_sync(1);"},
    {"extract", "int m = n * 2 + 1; if (t == 0) out[0] = m;", "m = n * 2 + 1; { }\n"},
    {"extract", "int m = out[t]; if (t == 0) s[0] = n; out[t] = s[0] + m;",
     "int m = out[t]; { lockstep_sync(1); lockstep_sync(1); }"},
    {"extract", "s[t] = 1; if (0 == t) out[0] = s[1]; else out[1] = 2;", "it has an else"},
    {"extract", "if (n > 3) { if (t == 0) out[0] = s[1]; }", "it stands under a condition"},
    {"extract", "for (int i = 0; i < out[0]; i++) if (t == 0) s[i] = 1;",
     "it stands under a condition or in a loop"},
    {"extract", "for (int i = 0; i < n; i++) { if (t == 0) s[i] = i; }",
     "        for (int i = 0; i < n; i++) {\n"},
    {"extract", "if (t == 0) { s[1] = 2; barrier(CLK_LOCAL_MEM_FENCE); }", "there are barriers in it"},
    {"extract", "int a[4]; a[t & 3] = 1; if (t == 0) s[1] = a[2];", "a is an array"},
    {"extract", "if (t >= n) return; if (t == 0) s[1] = 2;",
     "work-items may return or jump before the others are done"},
    {"extract", "if (get_global_id(1) == 0) s[0] = 2;", "nothing is done by one work-item"},
    {"extract", "s[get_local_id(1)] = 1; if (t == 0) out[0] = 2;",
     "work-items of another dimension do it, too"},
    {"extract",
     "const int g = get_group_id(0); const int h = g * n + n * 3 - (g ^ n) + (g >> 2) * 7; out[t] = h;",
     "    lockstep_sync(1); int g = lockstep_g; int h = lockstep_h;"},
    /* const and the address space apply to the pointer, not to its target. */
    {"extract", "__global int *const p = out + n * 3 + (n ^ 5) * 2 - (n >> 1) * 7; p[t] = 1;",
     "    LOCKSTEP_SHARED __global int *__local lockstep_p;\n"},
    {"extract", "__global int *const p = out + n * 3 + (n ^ 5) * 2 - (n >> 1) * 7; p[t] = 1;",
     "        __global int *const p = out + n * 3"},
    {"extract", "int (*p)[4] = n * 3 + (n ^ 5) * 2 - (n >> 1) * 7 + n / 3 ? 0 : 0; out[t] = p == 0;",
     "nothing is done by one work-item, or alike by all"},
    /* The work-item may not exist. */
    {"extract", "if (t == 7) out[0] = n;", "    if (7 < get_local_size(0)) {\n        out[0] = n;"},
    {"extract", "if (t == 0) {\n#pragma unroll\nfor (int i = 0; i < 4; i++) s[i] = i; }",
     "        {  for (int i = 0; i < 4; i++) s[i] = i; }\n"},
    {"extract", "const int g = get_group_id(0) * 4; out[t] = g;",
     "nothing is done by one work-item, or alike by all"},
    {"divergence", "int i = t; while (i < out[i]) i++; out[0] = i;",
     "the kernel does not say reqd_work_group_size"},
    {"divergence", "for (int i = 0; i < n; i++) out[i] = 1;", "work-items leave no loop at different times"},
    {"divergence", "for (int i = t; i < 9; i++) barrier(CLK_LOCAL_MEM_FENCE);", "it has barriers"},
    {"divergence", "for (int i = t; i < 9; i++) if (out[i]) break;", "it is left by a jump"},
    {"divergence", "for (int i = t; i < 9; i++) out[get_global_id(0)] += i;", "it asks for ids"},
    {"divergence", "if (n > 2) for (int i = t; i < 9; i++) out[i] = 2;", "it stands in another statement"},
    {"divergence", "_Pragma(\"lockstep remap\") for (int i = 0; i < n; i++) out[i] = 2;",
     "the kernel does not say reqd_work_group_size"},
    {"divergence", "\n#pragma lockstep remap\nfor (;;) out[n] = 2;", "it has no condition"},
    {"divergence", "if (t == 2) return; for (int i = t; i < 9; i++) out[i] = 2;",
     "work-items may return before it"},
};

static void each_form(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char source[1024];
        snprintf(source, sizeof source,
                 "__kernel void k(__global int *out, int n, __local int *s) {\n"
                 "    const int t = get_local_id(0);\n    %s\n}\n",
                 cases[n].body);
        char *text = made(cases[n].kind, source);
        assert_has(text, cases[n].has);
        free(text);
    }
}

/* Fig. 12b. */
static void loops_that_are_remapped(void **state) {
    (void)state;
    char *text = made("divergence", "__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void\n"
                                    "k(__global int *out) {\n"
                                    "    int n = get_global_id(0);\n"
                                    "    while (n > 0) { n -= out[n]; }\n"
                                    "    out[get_global_id(0)] = n;\n"
                                    "}\n");
    assert_has(text,
               "while (lockstep_count0 > 32) { int lockstep_goes_on = 0; if (lockstep_next >= 0) { int n = "
               "lockstep_kept0_n[lockstep_next]; do { n -= out[n]; } while (0);");
    assert_has(text, "LOCKSTEP_SCALAR_OF(k)\n__kernel void k_scalar(__global int *out) {\n");
    assert_has(text, "        for (int i = 0; i < last; i += 8) {\n"
                     "            int active[8];\n"
                     "            for (int j = 0; j < 8; j++) active[j] = lockstep_actives0[i + j];\n"
                     "            for (int j = 0; j < 8; j++) {\n"
                     "                lockstep_actives0[i + j] = -1;\n"
                     "                lockstep_actives0[count] = active[j];\n"
                     "                count += active[j] >= 0;\n");
    free(text);
}

/* Variables changed by a condition are kept, and so are pointers. Loops within an iteration have one place
 * where their iterations end. */
static void turns_with_loops(void **state) {
    (void)state;
    char *text = made("divergence", "__kernel __attribute__((reqd_work_group_size(36, 1, 1))) void\n"
                                    "k(__global int *out, __global const int *in) {\n"
                                    "    int n = get_global_id(0) % 7;\n"
                                    "    __global const int *p = in + n;\n"
                                    "    while (n-- > 0) {\n"
                                    "        for (int i = 0; i < n; i++) { if (i & 1) continue; p++; }\n"
                                    "        for (int i = 0; i < n;) i += *p;\n"
                                    "        while (*p > n) p++;\n"
                                    "        do p++; while (*p);\n"
                                    "    }\n"
                                    "    out[get_global_id(0)] = n + *p;\n"
                                    "}\n");
    assert_has(text, "int lockstep_next = (n-- > 0) ? lockstep_me : -1; lockstep_actives0[lockstep_me] = "
                     "lockstep_next; lockstep_kept0_n[lockstep_me] = n; ");
    assert_has(text, "const __global int *__local lockstep_kept0_p[(36) * (1) * (1)];");
    assert_has(text, "for (int i = 0; i < n; i++, ({ __asm__ volatile(\"\"); })) { if (i & 1)");
    assert_has(text, "for (int i = 0; i < n;({ __asm__ volatile(\"\"); })) i += *p;");
    assert_has(text, "while (({ __asm__ volatile(\"\"); }), *p > n) p++;");
    assert_has(text, "do p++; while (({ __asm__ volatile(\"\"); }), *p);");
    free(text);
}

/* Iterations are reassigned while more work-items continue than a warp has, on both sides. */
static void warps_of_other_sizes(void **state) {
    (void)state;
    size_t size;
    run_write(run_path("k.cl"), "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void\n"
                                "k(__global int *out) {\n"
                                "    int n = get_global_id(0);\n"
                                "    while (n > 0) n -= out[n];\n"
                                "    out[get_global_id(0)] = n;\n"
                                "}\n");
    struct run_result r = run_command("cd %s && %s/lockstep-cc --no-cache --emit=scalar-kernel "
                                      "--scalar=divergence --warp-size=16 -o out k.cl",
                                      run_directory, run_build_directory());
    assert_int_equal(r.status, 0);
    char *text = run_read(run_path("out"), &size);
    assert_has(text, "while (lockstep_count0 > 16) { int lockstep_goes_on");
    assert_has(text, "    while (lockstep_count0 > 16) {\n        lockstep_sync(1);");
    free(text);
    free(r.errors);
}

/* Only marked loops of a kernel are remapped. */
static void loops_that_are_marked(void **state) {
    (void)state;
    for (unsigned marked = 0; marked < 2; marked++) {
        char source[512];
        snprintf(source, sizeof source,
                 "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global int *out) {\n"
                 "    int n = out[get_global_id(0)], m = n;\n"
                 "    while (n > 0) n -= 3;\n"
                 "    %s\n\n"
                 "    while (m > 0) m = m / 2 - 1;\n"
                 "    out[get_global_id(0)] = n + m;\n"
                 "}\n",
                 marked ? "_Pragma(\"lockstep remap\")" : "");
        char *text = made("divergence", source);
        assert_has(text, marked ? "    while (n > 0) n -= 3;\n" : "do n -= 3; while (0);");
        assert_has(text, "do m = m / 2 - 1; while (0);");
        assert_int_equal(strstr(text, "lockstep_count1") != NULL, !marked);
        free(text);
    }
}

/* The scalar kernel's compaction as a program: work-items 0, 1, 4 and 7 of eight in Fig. 11, and 10,000
 * random statuses of up to 128 work-items. Those that continue come first, in order, in the smallest number
 * of warps. */
static const char compaction[] =
    "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static int lockstep_actives0[136];\n"
    "static int compact(int last) { %.*s return count; }\n"
    "int main(void) {\n"
    "    static const int eight[8] = {0, 1, -1, -1, 4, -1, -1, 7}, then[4] = {0, 1, 4, 7};\n"
    "    long all = 0, before = 0, after = 0;\n"
    "    for (int i = 0; i < 136; i++) lockstep_actives0[i] = i < 8 ? eight[i] : -1;\n"
    "    assert(compact(8) == 4);\n"
    "    for (int i = 0; i < 136; i++) assert(lockstep_actives0[i] == (i < 4 ? then[i] : -1));\n"
    "    for (int n = 0; n < 10000; n++) {\n"
    "        int size = 1 + rand() %% 128, wanted[136], count = 0, warps[5] = {0}, filled[5] = {0};\n"
    "        const int share = rand() %% 101;\n"
    "        for (int i = 0; i < 136; i++) {\n"
    "            const int active = i < size && rand() %% 100 < share;\n"
    "            lockstep_actives0[i] = active ? i * 7 %% 128 : -1;\n"
    "            if (active) wanted[count++] = i * 7 %% 128;\n"
    "            warps[i / 32] |= active;\n"
    "        }\n"
    "        assert(compact(size) == count);\n"
    "        for (int i = 0; i < 136; i++) {\n"
    "            assert(lockstep_actives0[i] == (i < count ? wanted[i] : -1));\n"
    "            filled[i / 32] |= lockstep_actives0[i] >= 0;\n"
    "        }\n"
    "        int now = 0;\n"
    "        for (int w = 0; w < 5; w++) before += warps[w], now += filled[w];\n"
    "        assert(now == (count + 31) / 32);\n"
    "        after += now, all += count;\n"
    "    }\n"
    "    printf(\"%%ld active work-items: %%ld warps before, %%ld after\\n\", all, before, after);\n"
    "}\n";

static void who_goes_on_stands_first(void **state) {
    (void)state;
    char *text = made("divergence",
                      "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void\n"
                      "k(__global int *out) { int n = get_global_id(0); while (n > 0) n -= out[n]; }\n"),
         *from = strstr(text, "int count = 0;"), *to = from ? strstr(from, "lockstep_count0 = count;") : NULL,
         *program;
    assert_non_null(to);
    assert_true(asprintf(&program, compaction, (int)(to - from), from) > 0);
    run_write(run_path("compaction.c"), program);
    struct run_result r =
        run_command("cd %s && gcc -O1 -o compaction compaction.c && ./compaction >&2", run_directory);
    if (r.status) fail_msg("%s", r.errors);
    print_message("%s", r.errors);
    free(r.errors);
    free(program);
    free(text);
}

/* Variables that both kernels of a pair share, and private ones. */
static void variables_that_are_shared(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *partner, *message; /* message NULL: accepted */
    } pairs[] = {
        {"LOCKSTEP_SHARED __local int s[4];", "LOCKSTEP_SHARED __local int s[4];", NULL},
        {"__local int s[4];", "LOCKSTEP_SHARED __local int s[4];",
         "kernel 'k' has no __local variable of this name"},
        {"LOCKSTEP_SHARED __local int s[4];", "LOCKSTEP_SHARED __local int s[5];",
         "are not of the same type"},
    };
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        char source[1024];
        snprintf(
            source, sizeof source,
            "#include <lockstep_scalar.h>\n"
            "__kernel void k(__global int *o) { %s s[0] = o[1]; lockstep_sync(1); }\n"
            "LOCKSTEP_SCALAR_OF(k) __kernel void p(__global int *o) { %s lockstep_sync(1); o[0] = s[0]; }\n",
            pairs[n].kernel, pairs[n].partner);
        run_write(run_path("k.cl"), source);
        struct run_result r = run_command("%s/lockstep-cc --no-cache --mode=simt -o %s %s",
                                          run_build_directory(), run_path("k.img"), run_path("k.cl"));
        assert_int_equal(r.status, pairs[n].message ? 1 : 0);
        if (pairs[n].message) assert_has(r.errors, pairs[n].message);
        free(r.errors);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_work_items_part),
        cmocka_unit_test(what_one_work_item_does),
        cmocka_unit_test(each_form),
        cmocka_unit_test(loops_that_are_remapped),
        cmocka_unit_test(turns_with_loops),
        cmocka_unit_test(warps_of_other_sizes),
        cmocka_unit_test(loops_that_are_marked),
        cmocka_unit_test(variables_that_are_shared),
        cmocka_unit_test(who_goes_on_stands_first),
    };
    return cmocka_run_group_tests_name("scalar_partners", tests, run_setup, run_teardown);
}
