/* coalesce: the twins of kernels of all shapes (tests/kernels/coalesce.cl) leave the same memory as the
 * kernels in SIMT mode, bit by bit, for work-groups of one, two and three dimensions. Some kernels are also
 * compared with a reference in C. Replicated variables are counted by hand. */
#include "model/machine/machine.h"
#include "runtime/image.h"
#include "tests/compiler/compiler_run.h"
#include "tests/compiler/twin_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum {
    ARGUMENTS = MEMORY_LOCAL_BASE - 0x1000,
    IN = MEMORY_BUFFER_BASE,
    WORDS = 4096,
    OUT = IN + 4 * WORDS,
    N = 3
};

static struct image *image;
static struct machine_code code;
static uint32_t arguments[1024] __attribute__((aligned(4096)));
static uint32_t memory[2][2 * WORDS] __attribute__((aligned(4096))); /* SIMT's and the twin's: in, out */

struct shape {
    uint32_t work_dim, global[3], local[3], offset[3];
};
static const struct shape shapes[] = {
    {1, {256, 1, 1}, {64, 1, 1}, {0, 0, 0}}, {1, {14, 1, 1}, {7, 1, 1}, {0, 0, 0}},
    {1, {3, 1, 1}, {1, 1, 1}, {5, 0, 0}},    {2, {12, 6, 1}, {4, 3, 1}, {1, 2, 0}},
    {2, {10, 10, 1}, {1, 5, 1}, {0, 0, 0}},  {3, {6, 4, 6}, {3, 2, 3}, {0, 1, 2}},
    {3, {4, 2, 30}, {2, 1, 15}, {0, 0, 0}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Counted by hand; replicated are the values named. */
static const struct row {
    const char *kernel;
    unsigned barriers, replicated, divergent_branches;
} rows[] = {
    {"no_barrier", 0, 0, 1},
    {"ids", 0, 0, 0},
    {"empty", 0, 0, 0},
    {"only_barriers", 2, 0, 0},
    {"one_value", 1, 1, 0}, /* x */
    {"no_value", 1, 0, 0},
    {"several_in_a_row", 6, 1, 0}, /* a */
    {"in_loop", 2, 1, 0},          /* sum; i is uniform */
    {"do_loop", 2, 1, 0},          /* sum */
    {"nested_loops", 4, 1, 1},     /* sum */
    {"in_branch", 5, 1, 0},        /* x */
    {"helper", 6, 3, 0},           /* x, and y of both exchange_twice and exchange */
    /* c, h, l, f, d, v, bytes, e, odd, p.a, p.b, where; w without its member f; p.c as one word */
    {"all_types", 1, 15, 0},
    {"private_memory", 3, 4, 0}, /* a, pairs, x, middle */
    {"scratch_memory", 2, 1, 0}, /* sum */
    {"early_return", 2, 0, 0},
    {"uniform_by_memory", 3, 2, 3}, /* sum, i: its loop's end is not known to be uniform */
    {"with_switch", 4, 1, 1},       /* x */
    {"with_goto", 3, 1, 0},         /* x */
    {"swaps", 2, 3, 0},             /* a, b, c; u and v are uniform */
    {"copies", 4, 1, 2},            /* x */
    {"atomics", 2, 0, 1},
    {"math", 3, 2, 1},       /* x, sum */
    {"prefix_sum", 2, 1, 1}, /* x */
    {"of_kernel", 2, 2, 0},  /* count, one_value's x */
    {"shared_table", 1, 0, 0},
    {"own_table", 1, 1, 1},      /* table */
    {"changing_table", 2, 2, 0}, /* table, sum */
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static void fill(void) {
    uint32_t x = 1;
    for (unsigned i = 0; i < 2 * WORDS; i++) {
        x = x * 1664525 + 1013904223;
        memory[0][i] = memory[1][i] = i < WORDS ? x >> 12 : 0x55000000 + i;
    }
}

static uint32_t items(const struct shape *s) {
    return s->local[0] * s->local[1] * s->local[2];
}

static void run_simt(const struct image_kernel *k, const struct shape *s) {
    struct machine_config config;
    struct error e = {0};
    struct machine_result r;
    config_defaults(&machine_config_table, &config);
    struct machine *m = machine_create(&config, &e);
    if (!m) fail_msg("%s", e.message);
    memory_add(machine_memory(m), MEMORY_CODE, image->code_base, image->code_bytes, image->code, false,
               "program");
    memory_add(machine_memory(m), MEMORY_LAUNCH, ARGUMENTS, sizeof arguments, (uint8_t *)arguments, false,
               "arguments");
    memory_add(machine_memory(m), MEMORY_BUFFER, IN, sizeof memory[0], (uint8_t *)memory[0], true, "buffer");
    struct machine_launch l = {.kernel = k->name,
                               .code = &code,
                               .thunk = k->thunk,
                               .argument_block = ARGUMENTS,
                               .work_dim = s->work_dim,
                               .stack_bytes = k->stack_bytes,
                               .local_bytes = image->local_bytes + items(s) * 4};
    memcpy(l.global_size, s->global, sizeof l.global_size);
    memcpy(l.local_size, s->local, sizeof l.local_size);
    memcpy(l.global_offset, s->offset, sizeof l.global_offset);
    if (!machine_run(m, &l, &r, &e) && !strstr(e.message, "barrier")) fail_msg("%s: %s", k->name, e.message);
    machine_destroy(m);
}

static void run_twin(const struct image_kernel *k, const struct shape *s) {
    struct twin_run r = {
        .image = image,
        .work_dim = s->work_dim,
        .argument_block = ARGUMENTS,
        .memory = {{ARGUMENTS, sizeof arguments, arguments}, {IN, sizeof memory[1], memory[1]}}};
    memcpy(r.global_size, s->global, sizeof r.global_size);
    memcpy(r.local_size, s->local, sizeof r.local_size);
    memcpy(r.global_offset, s->offset, sizeof r.global_offset);
    const char *trouble = twin_run(&r, k);
    if (trouble) fail_msg("%s, shape %u: %s", k->name, (unsigned)(s - shapes), trouble);
}

static void run_both(const struct image_kernel *k, const struct shape *s) {
    fill();
    arguments[0] = OUT;
    arguments[1] = IN;
    arguments[2] = N;
    arguments[3] = MEMORY_LOCAL_BASE + image->local_bytes;
    run_simt(k, s);
    run_twin(k, s);
    for (unsigned i = 0; i < 2 * WORDS; i++)
        if (memory[0][i] != memory[1][i])
            fail_msg("%s, shape %u: word %u: SIMT %08x, twin %08x", k->name, (unsigned)(s - shapes),
                     i - WORDS, memory[0][i], memory[1][i]);
}

static void test_memory(void **state) {
    (void)state;
    for (unsigned i = 0; i < image->kernel_count; i++)
        for (unsigned s = 0; s < SHAPES; s++) run_both(&image->kernels[i], &shapes[s]);
}

static void test_facts(void **state) {
    (void)state;
    bool good = true;
    assert_int_equal(ROW_COUNT, image->kernel_count);
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        const struct image_kernel *k = image_find(image, rows[i].kernel);
        assert_non_null(k);
        if (k->barriers == rows[i].barriers && k->replicated == rows[i].replicated &&
            k->divergent_branches == rows[i].divergent_branches)
            continue;
        print_error("%s: %u barriers, %u replicated, %u divergent branches\n", k->name, k->barriers,
                    k->replicated, k->divergent_branches);
        good = false;
    }
    assert_true(good);
}

/* Compares with references in C, which find errors common to both modes. */
static void test_results(void **state) {
    (void)state;
    const struct shape *s = &shapes[0];
    const uint32_t *in = memory[1], *out = memory[1] + WORDS;
    run_both(image_find(image, "one_value"), s);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t other = i / 64 * 64 + (i + 1) % 64;
        assert_int_equal(out[i], (in[i] * 3 + 1) ^ (in[other] * 3 + 1));
    }
    run_both(image_find(image, "prefix_sum"), s);
    for (uint32_t i = 0, sum = 0; i < 256; i++) {
        sum = i % 64 ? sum + in[i] : in[i];
        assert_int_equal(out[i], sum);
    }
    run_both(image_find(image, "in_loop"), s);
    for (uint32_t group = 0; group < 4; group++) {
        uint32_t sum[64], shared[64];
        memcpy(sum, in + group * 64, sizeof sum);
        for (uint32_t i = 0; i < N; i++) {
            for (uint32_t k = 0; k < 64; k++) shared[k] = sum[k] + i;
            for (uint32_t k = 0; k < 64; k++) sum[k] = sum[k] * 5 + shared[(k + i + 1) % 64];
        }
        assert_memory_equal(out + group * 64, sum, sizeof sum);
    }
}

/* A value of each kind is 4 bytes: x alone; a, b, c; 8 words of a, 3 pairs of 12 bytes, x and a pointer. */
static void test_stack_bytes(void **state) {
    (void)state;
    assert_int_equal(image_find(image, "no_value")->twin_item_bytes, 0);
    assert_int_equal(image_find(image, "one_value")->twin_item_bytes, 4);
    assert_int_equal(image_find(image, "swaps")->twin_item_bytes, 12);
    assert_int_equal(image_find(image, "private_memory")->twin_item_bytes, 32 + 36 + 4 + 4);
}

/* A twin's code comes from the lines of its kernel. */
static void test_lines(void **state) {
    (void)state;
    const struct image_kernel *k = image_find(image, "in_loop");
    bool seen[9] = {false};
    for (uint32_t pc = k->twin; pc < k->twin + 4096; pc += 4) {
        const char *file;
        unsigned line;
        if (strcmp(image_function(image, pc), "__lockstep_twin_in_loop") != 0) continue;
        if (!image_line(image, pc, &file, &line)) continue;
        assert_non_null(strstr(file, "tests/kernels/coalesce.cl"));
        if (line >= k->line && line < k->line + 9) seen[line - k->line] = true;
    }
    static const unsigned statements[] = {1, 2, 3, 5, 8};
    for (unsigned i = 0; i < 5; i++)
        if (!seen[statements[i]])
            fail_msg("no instruction of the twin is from line %u", k->line + statements[i]);
}

static struct run_result compile_text(const char *text, const char *options) {
    run_write(run_path("text.cl"), text);
    return run_command("%s/lockstep-cc --no-cache %s -o %s %s", run_build_directory(), options,
                       run_path("text.image"), run_path("text.cl"));
}

static void test_what_cannot_be_compiled(void **state) {
    (void)state;
    struct run_result r = compile_text("uint meet(uint n) {\n"
                                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                       "    return n ? meet(n - 1) : n;\n"
                                       "}\n"
                                       "kernel void k(global uint *out) {\n    out[0] = meet(3);\n}\n",
                                       "");
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.errors, "text.cl:1: error: function 'meet' is recursive"));
    free(r.errors);
    r = compile_text("kernel void k(global uint *out, uint n) {\n    uint x = n;\n"
                     "    goto *(n & 1 ? &&one : &&two);\none:\n    x++;\ntwo:\n"
                     "    barrier(CLK_LOCAL_MEM_FENCE);\n    out[get_global_id(0)] = x;\n}\n",
                     "");
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.errors, "text.cl:3: error: a computed goto"));
    free(r.errors);
}

/* Runs a kernel for one group of 8 work-items and for one of 4. */
static void check_trap(const char *text, bool traps_8, bool traps_4) {
    struct error e = {0};
    size_t size;
    struct run_result c = compile_text(text, "");
    assert_int_equal(c.status, 0);
    free(c.errors);
    char *bytes = run_read(run_path("text.image"), &size);
    struct image *i = image_load(bytes, size, &e);
    assert_non_null(i);
    arguments[0] = OUT;
    for (uint32_t items = 8; items >= 4; items -= 4) {
        struct twin_run r = {
            .image = i,
            .work_dim = 1,
            .global_size = {items, 1, 1},
            .local_size = {items, 1, 1},
            .argument_block = ARGUMENTS,
            .memory = {{ARGUMENTS, sizeof arguments, arguments}, {IN, sizeof memory[1], memory[1]}}};
        const char *trouble = twin_run(&r, &i->kernels[0]);
        if (items == 8 ? traps_8 : traps_4) {
            if (!trouble || !strstr(trouble, "nvalid instruction"))
                fail_msg("%s", trouble ? trouble : "no trap");
        } else if (trouble) {
            fail_msg("%s", trouble);
        }
    }
    image_free(i);
    free(bytes);
}

/* The twin stops if a work-item reaches another barrier than the first one did, or returns while the first
 * waits. */
static void test_missed_barriers_trap(void **state) {
    (void)state;
    check_trap("kernel void k(global uint *out) {\n"
               "    if (get_local_id(0) < 4) barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    else barrier(CLK_GLOBAL_MEM_FENCE);\n"
               "    out[get_global_id(0)] = 1;\n}\n",
               true, false);
    check_trap("kernel void k(global uint *out) {\n"
               "    if (get_local_id(0) == 5) return;\n"
               "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
               "    out[get_global_id(0)] = 1;\n}\n",
               true, false);
    check_trap("kernel void k(global uint *out) {\n"
               "    if (get_local_id(0) < 3) return;\n"
               "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
               "    out[get_global_id(0)] = 1;\n}\n",
               true, true);
    check_trap("kernel void k(global uint *out) {\n"
               "    for (uint i = 0; i < get_local_id(0) / 8 + 2; i++) barrier(CLK_GLOBAL_MEM_FENCE);\n"
               "    out[get_global_id(0)] = 1;\n}\n",
               false, false);
}

/* --emit=coalesced and --emit=table. */
static void test_what_is_shown(void **state) {
    (void)state;
    size_t size;
    struct run_result r = run_command("%s/lockstep-cc --emit=coalesced -o %s tests/kernels/coalesce.cl",
                                      run_build_directory(), run_path("listing"));
    assert_int_equal(r.status, 0);
    free(r.errors);
    char *text = run_read(run_path("listing"), &size), line[128];
    snprintf(line, sizeof line, "; tests/kernels/coalesce.cl:%u: kernel in_loop",
             image_find(image, "in_loop")->line);
    assert_non_null(strstr(text, line));
    assert_non_null(strstr(text, "records = alloca { i32 }"));
    assert_null(strstr(text, "mcr p7")); /* no barrier, no priority operation */
    assert_null(strstr(text, "c1, c0")); /* no thread's own id */
    free(text);
    r = run_command("%s/lockstep-cc --emit=table -o %s tests/kernels/coalesce.cl", run_build_directory(),
                    run_path("table"));
    assert_int_equal(r.status, 0);
    free(r.errors);
    text = run_read(run_path("table"), &size);
    const char *row = strstr(text, "\nhelper ");
    unsigned registers, stack, local, barriers, replicated, item, mimd, divergent, returns;
    assert_non_null(row);
    assert_int_equal(sscanf(row, " helper %u %u %u %u %u %u %u %u %u", &registers, &stack, &local, &barriers,
                            &replicated, &item, &mimd, &divergent, &returns),
                     9);
    const struct image_kernel *k = image_find(image, "helper");
    assert_int_equal(registers, k->registers);
    assert_int_equal(stack, k->stack_bytes);
    assert_int_equal(barriers, k->barriers);
    assert_int_equal(replicated, k->replicated);
    assert_int_equal(item, k->twin_item_bytes);
    assert_int_equal(mimd, k->twin_stack_bytes);
    assert_int_equal(divergent, k->divergent_branches);
    assert_int_equal(returns, k->conditional_returns);
    free(text);
}

static bool load_with(const char *options) {
    struct run_result r = run_command("%s/lockstep-cc --no-cache %s -o %s tests/kernels/coalesce.cl",
                                      run_build_directory(), options, run_path("image"));
    if (r.status != 0) print_error("%s\n", r.errors);
    free(r.errors);
    if (r.status != 0) return false;
    size_t size;
    char *bytes = run_read(run_path("image"), &size);
    struct error e = {0};
    image = image_load(bytes, size, &e);
    free(bytes);
    if (!image) {
        print_error("%s\n", e.message);
        return false;
    }
    code = (struct machine_code){.text_base = image->text_base,
                                 .text_bytes = image->text_bytes,
                                 .text = image->code + (image->text_base - image->code_base),
                                 .startup = image->startup};
    machine_decode(&code);
    return true;
}

static void unload_image(void) {
    machine_code_free(&code);
    image_free(image);
}

/* Without the optimiser, only functions that must be inlined are, and slots stay in memory. */
static void test_memory_unoptimised(void **state) {
    (void)state;
    unload_image();
    assert_true(load_with("--options -cl-opt-disable"));
    for (unsigned i = 0; i < image->kernel_count; i++) run_both(&image->kernels[i], &shapes[3]);
    unload_image();
    assert_true(load_with(""));
}

/* Twins as SnuCL's translator generates them. Barriers missed by some work-items are not detected. */
static void test_memory_like_snucl(void **state) {
    (void)state;
    unload_image();
    assert_true(load_with("--coalescing=snucl"));
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned i = 0; i < image->kernel_count; i++) run_both(&image->kernels[i], &shapes[s]);
    unload_image();
    assert_true(load_with(""));
}

/* Returns the number of loops over work-items in --emit=coalesced. */
static unsigned count_loops(const char *text, const char *coalescing) {
    size_t size;
    unsigned n = 0;
    run_write(run_path("loops.cl"), text);
    struct run_result r =
        run_command("%s/lockstep-cc --no-cache --coalescing=%s --emit=coalesced -o %s %s",
                    run_build_directory(), coalescing, run_path("loops"), run_path("loops.cl"));
    if (r.status != 0) fail_msg("%s\n%s", text, r.errors);
    free(r.errors);
    char *listing = run_read(run_path("loops"), &size);
    for (const char *p = listing; (p = strstr(p, ".item:\n")); p++) n++;
    free(listing);
    return n;
}

#define KERNEL(body)                                                                                         \
    "#define MEET barrier(CLK_GLOBAL_MEM_FENCE)\n"                                                           \
    "void meet(void) { MEET; }\n"                                                                            \
    "kernel void k(global volatile uint *out, uint n) {\n"                                                   \
    "    uint i = get_global_id(0);\n" body "\n    out[i]++;\n}\n"

/* Counted by hand: a loop for each piece of the source between two barriers in which something is done; for
 * SnuCL's translator conditions and increments are such pieces, too. */
static void test_loops(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned snucl, modern;
    } cases[] = {
        /* before the loop; condition; up to the barrier; increment; after the loop */
        {KERNEL("for (uint r = 0; r < n; r++) { out[i] += r; MEET; }"), 5, 2},
        /* before; condition; up to the barrier; after */
        {KERNEL("uint r = 0; while (r < n) { out[i]++; r++; MEET; }"), 4, 2},
        /* before; up to the barrier; from there to the condition; condition; after */
        {KERNEL("uint r = 0; do { out[i] += r; MEET; r++; } while (r < n);"), 5, 2},
        /* before; condition; up to the barrier; from there; after */
        {KERNEL("if (n > 2) { out[i] = 3; MEET; out[i] *= 5; }"), 5, 2},
        /* the same, and else */
        {KERNEL("if (n > 2) { out[i] = 3; MEET; out[i] *= 5; } else out[i] = 7;"), 6, 2},
        /* two conditions, three branches of which two have barriers */
        {KERNEL("if (n > 2) { out[i] = 3; MEET; } else if (n == 1) { MEET; out[i] = 4; } else out[i] = 5;"),
         7, 3},
        /* no barrier in it: part of the loop around it */
        {KERNEL("if (n > 2) out[i] = 3; else out[i] = 7; MEET;"), 2, 2},
        /* before; loop condition; condition; up to the barrier; increment; after */
        {KERNEL("for (uint r = 0; r < n; r++) if (out[n] > 2) { out[i] += r; MEET; }"), 6, 2},
        /* before; condition; r = 0; loop condition; up to the barrier in the called function; increment;
         * after */
        {KERNEL("if (n > 2)\n#pragma unroll 1\n for (uint r = 0; r < n; r++) { out[i] += r; meet(); }"), 7,
         2},
        /* before; condition; the loop, which has no barrier; after */
        {KERNEL("if (n > 2)\n#pragma unroll 1\n for (uint r = 0; r < n; r++) out[i] += r; else meet();"), 4,
         2},
        /* before; condition; up to the barrier; from there; after; x is one variable in both branches */
        {KERNEL("uint x = out[i]; if (n > 2) { out[i] = x; MEET; x *= out[n]; } out[i] = x;"), 5, 2},
        /* a switch is decided at the end of its region */
        {KERNEL("switch (n) { case 1: out[i] = 3; MEET; break; default: out[i] = 4; }"), 2, 2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        unsigned snucl = count_loops(cases[c].text, "snucl"), modern = count_loops(cases[c].text, "modern");
        if (snucl != cases[c].snucl || modern != cases[c].modern)
            fail_msg("%s: %u loops, modern %u", cases[c].text, snucl, modern);
    }
}

/* A program linked from its object equals, byte by byte, the one compiled in one step, whatever machine the
 * object was compiled for. */
static void test_linked(void **state) {
    (void)state;
    static const char *const choices[] = {"--coalescing=modern", "--coalescing=snucl", "--priorities=off"};
    for (unsigned compiled = 0; compiled < 3; compiled++) {
        struct run_result r = run_command("%s/lockstep-cc %s --emit=object -o %s tests/kernels/coalesce.cl",
                                          run_build_directory(), choices[compiled], run_path("object"));
        assert_int_equal(r.status, 0);
        free(r.errors);
        for (unsigned linked = 0; linked < 2; linked++) {
            r = run_command("%s/lockstep-cc --no-cache %s -o %s tests/kernels/coalesce.cl && "
                            "%s/lockstep-cc %s --link -o %s %s && cmp %s %s",
                            run_build_directory(), choices[linked], run_path("direct"), run_build_directory(),
                            choices[linked], run_path("linked"), run_path("object"), run_path("direct"),
                            run_path("linked"));
            if (r.status != 0)
                fail_msg("%s linked with %s: %s", choices[compiled], choices[linked], r.errors);
            free(r.errors);
        }
    }
}

static int load(void **state) {
    return run_setup(state) == 0 && load_with("") ? 0 : -1;
}

static int unload(void **state) {
    unload_image();
    return run_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_memory_unoptimised),
        cmocka_unit_test(test_memory_like_snucl),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_stack_bytes),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_what_cannot_be_compiled),
        cmocka_unit_test(test_missed_barriers_trap),
        cmocka_unit_test(test_what_is_shown),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
