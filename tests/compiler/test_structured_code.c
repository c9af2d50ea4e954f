/* Structured SIMT code: diverged threads reconverge where the source permits. Kernels run on a machine with
 * re-convergence stacks. The number of leaves executed by warps must equal the number that follows from the
 * source alone (structured_program.h). It is measured with two images that differ only in the length of their
 * leaves. */
#include "tests/compiler/structured_program.h"

#include "tests/kernel_run.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 128, BATCH = 50, SHORT = 8 };

/* Form of the leaves in both images. Leaves of ordinary instructions may execute earlier, before threads
 * diverge, and the code around longer leaves may have one more instruction. */
struct leaves {
    const char *macros; /* options that name them */
    unsigned length;    /* length in the second image */
    bool fewer;         /* the machine may execute fewer than the source has */
    unsigned more;      /* tolerance: additional instructions for each leaf */
};
static const struct leaves assembly = {"", 24, false, 0}, plain = {"-DPLAIN", 72, true, 1},
                           bounded = {"-DBOUNDED", 24, true, 0};

static const char *const machine[] = {"contexts=vrf",        "simt.lane_map=cyclic",  "cluster.count=1",
                                      "simt.divergence=sbr", "simt.issue=scoreboard", "simt.stack_calls=128",
                                      "vrf.registers=65536", "local.bytes=32768",     NULL};

static void compile(const char *folder, unsigned length, const char *macros, struct kernel_run *r) {
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *out = spawn_text("%s/%u.img", folder, length),
         *options = spawn_text("--options=-DLENGTH=%u %s", length, macros);
    struct spawned s = spawn(folder, (char *[]){compiler, "--no-cache", "--mode=simt", "--priorities=off",
                                                options, "-o", out, "source.cl", NULL});
    if (s.status != 0) fail_msg("the compiler's exit status is %d\n%s", s.status, s.err);
    *r = (struct kernel_run){0};
    r->image = kernel_run_image(out, &r->code);
    spawn_free(&s);
    free(compiler);
    free(options);
    free(out);
}

static uint64_t run(struct kernel_run *r, const struct structured_program *p, uint32_t *o) {
    const struct kernel_run_work work = {.kernel = p->name, .items = ITEMS, .group = 32};
    struct kernel_run_figures f;
    struct error e = {0};
    for (unsigned i = 0; i < ITEMS; i++) o[i] = STRUCTURED_UNWRITTEN;
    if (!kernel_run_measured(r, &work, machine, o, ITEMS, &f, &e)) fail_msg("%s: %s", p->name, e.message);
    return f.warp_instructions;
}

struct batch {
    struct structured_program program[BATCH];
    unsigned count, wrong, fewer;
    const struct leaves *leaves;
    char *folder;
    FILE *source;
};

static void batch_open(struct batch *b) {
    b->count = 0;
    b->folder = spawn_folder();
    char *path = spawn_text("%s/source.cl", b->folder);
    b->source = fopen(path, "w");
    assert_non_null(b->source);
    free(path);
    structured_begin(b->source);
}

static void compare(struct batch *b, struct kernel_run r[2], const struct structured_program *p,
                    const char *name) {
    uint32_t expected[ITEMS], got[ITEMS];
    const uint64_t leaves = structured_execute(p, ITEMS, expected), shorter = run(&r[0], p, got),
                   longer = run(&r[1], p, got), length = b->leaves->length - SHORT;
    if (memcmp(expected, got, sizeof got) != 0) fail_msg("%s %s computes something else", name, p->name);
    b->fewer += longer - shorter < length * leaves;
    if (longer - shorter <= (length + b->leaves->more) * leaves &&
        (b->leaves->fewer || longer - shorter >= length * leaves))
        return;
    b->wrong++;
    print_message("%s %s: the source has %llu leaves executed, the machine executes %.2f\n", name, p->name,
                  (unsigned long long)leaves, (double)(longer - shorter) / (double)length);
}

static void batch_run(struct batch *b, const char *name) {
    struct kernel_run r[2];
    fclose(b->source);
    compile(b->folder, SHORT, b->leaves->macros, &r[0]);
    compile(b->folder, b->leaves->length, b->leaves->macros, &r[1]);
    for (unsigned i = 0; i < b->count; i++) compare(b, r, &b->program[i], name);
    kernel_run_close(&r[0]);
    kernel_run_close(&r[1]);
    if (getenv("LOCKSTEP_KEEP") && b->wrong) {
        print_message("the source is %s/source.cl\n", b->folder);
        return;
    }
    spawn_remove_folder(b->folder);
}

/* Every form in every other, three deep, with every exit innermost: a share of them unless LOCKSTEP_LONG is
 * set. */
static void nested_forms(const struct leaves *leaves) {
    static struct batch b;
    struct seed seed = seed_start();
    b = (struct batch){.leaves = leaves};
    const unsigned all = STRUCTURED_FORMS * STRUCTURED_FORMS * STRUCTURED_FORMS * STRUCTURED_EXITS;
    const unsigned step = getenv("LOCKSTEP_LONG") ? 1 : 80;
    unsigned number = seed_below(&seed, step), done = 0;
    while (number < all) {
        batch_open(&b);
        for (; b.count < BATCH && number < all; number += step) {
            unsigned n = number;
            enum structured_form form[3];
            for (unsigned i = 0; i < 3; i++, n /= STRUCTURED_FORMS) form[i] = n % STRUCTURED_FORMS;
            if (structured_nested(&b.program[b.count], b.source, number, form, (enum structured_exit)n))
                b.count++;
        }
        done += b.count;
        batch_run(&b, "nested forms");
    }
    print_message("%u of %u kernels of nested forms, %u with fewer leaves than the source\n", done, all,
                  b.fewer);
    if (b.wrong) fail_msg("%u kernels have other leaves", b.wrong);
}

static void test_nested_forms(void **state) {
    (void)state;
    nested_forms(&assembly);
}

static void test_nested_forms_of_plain_leaves(void **state) {
    (void)state;
    nested_forms(&plain);
}

static void random_kernels(const struct leaves *leaves) {
    static struct batch b;
    struct seed seed = seed_start();
    const unsigned all = getenv("LOCKSTEP_LONG") ? 500 : 100;
    b = (struct batch){.leaves = leaves};
    for (unsigned done = 0; done < all; done += BATCH) {
        batch_open(&b);
        for (; b.count < BATCH; b.count++)
            structured_random(&b.program[b.count], b.source, done + b.count, &seed);
        batch_run(&b, "random kernel");
    }
    if (leaves->fewer) print_message("%u of %u have fewer leaves than the source\n", b.fewer, all);
    if (b.wrong) fail_msg("%u of %u random kernels have other leaves", b.wrong, all);
}

static void test_random_kernels(void **state) {
    (void)state;
    random_kernels(&assembly);
}

static void test_random_kernels_of_plain_leaves(void **state) {
    (void)state;
    random_kernels(&plain);
}

/* If a loop's last iteration is peeled, threads may reconverge earlier than in the source, but
 * never later. */
static void test_random_kernels_with_copied_turns(void **state) {
    (void)state;
    random_kernels(&bounded);
}

/* A value for every macro that benchmarks are built with. */
#define MACROS                                                                                               \
    "--options=-D WIDE=16 -D RADIUS=8 -D ROW_TILE=128 -D ROWS=8 -D COLUMNS=16 -D COLUMN_TILE=64 -D "         \
    "WIDTH=64 "                                                                                              \
    "-D HEIGHT=64 -D POINTS=64 -D WARP=32 -D PIECE=512 -D LENGTH=256 -D TILE=16 -D COLUMN=64 -D GROUP=64 "   \
    "-D TILE_X=32 -D TILE_Y=4 -D SWAPTIONS=15 -D RATES=80 -D STEPS=40 -D REAL=float -DCALL(x,y)=sin(x) "     \
    "-D BOUNCES=2 -D NEAR=0.001f -D LIGHT_X=1.0f -D LIGHT_Y=1.0f -D LIGHT_Z=1.0f -D TURNS=64 -D BAND=0.1f "  \
    "-D DIMENSIONS=16 -D ACCUMULATORS=64 -D ORDER=128"

/* No benchmark has a meeting later than its source lets it; a listing is not empty. */
static void test_benchmarks(void **state) {
    glob_t files;
    char *pattern = spawn_text("%s/benchmarks/*/*.cl", spawn_source()),
         *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    unsigned branches = 0, late = 0;
    (void)state;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct spawned s =
            spawn("/tmp", (char *[]){compiler, "--no-cache", "--priorities=off", "--emit=meetings", MACROS,
                                     "-o", "-", files.gl_pathv[i], NULL});
        if (s.status != 0)
            fail_msg("%s: the compiler's exit status is %d\n%s", files.gl_pathv[i], s.status, s.err);
        for (const char *p = s.out; (p = strstr(p, "  meets at ")); p++) branches++;
        if (strstr(s.out, "LATE")) print_message("%s:\n%s", files.gl_pathv[i], s.out);
        late += strstr(s.out, "LATE") != NULL;
        spawn_free(&s);
    }
    globfree(&files);
    free(pattern);
    free(compiler);
    assert_int_equal(late, 0);
    assert_true(branches > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested_forms),
                                       cmocka_unit_test(test_nested_forms_of_plain_leaves),
                                       cmocka_unit_test(test_random_kernels),
                                       cmocka_unit_test(test_random_kernels_of_plain_leaves),
                                       cmocka_unit_test(test_random_kernels_with_copied_turns),
                                       cmocka_unit_test(test_benchmarks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
