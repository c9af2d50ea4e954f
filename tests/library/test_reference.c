/* reference: a machine that runs compiled kernels for another bench, as a whole or in steps; mistakes of
 * benches; and the DPI functions of the machine and of blocks.
 * Links: $(LIBRARY_OBJECTS) */
#include "library/face.h"
#include "library/lockstep.h"
#include "library/reference.h"
#include "tests/library/kernel_image.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 300, GROUP = 50 };

static struct error error;

static int compile(void **state) {
    (void)state;
    return kernel_image_make("library/examples/powers.cl");
}

static int no_error(void **state) {
    (void)state;
    error = (struct error){0};
    return 0;
}

static struct reference *make(const char *settings) {
    struct reference *r = reference_create_from(NULL, settings, kernel_image_path, &error);
    if (!r) fail_msg("%s", error.message);
    return r;
}

struct powers {
    float *x, *y;
    uint32_t at_x, at_y;
};

/* Sets the arguments for a launch of ITEMS. */
static struct powers prepare(struct reference *r) {
    struct powers s;
    const float a = 3;
    s.at_x = reference_buffer(r, ITEMS * 4, (uint8_t **)&s.x, &error);
    s.at_y = reference_buffer(r, ITEMS * 4, (uint8_t **)&s.y, &error);
    for (int i = 0; i < ITEMS; ++i) s.x[i] = (float)(i % 5 - 2), s.y[i] = (float)i;
    assert_true(reference_kernel(r, "powers", &error));
    assert_true(reference_value(r, &a, sizeof a, &error));
    assert_true(reference_pointer(r, s.at_x, &error));
    assert_true(reference_pointer(r, s.at_y, &error));
    return s;
}

static void check(const struct powers *s) {
    static const int powers[] = {1, 3, 9, 27};
    for (int i = 0; i < ITEMS; ++i) assert_true(s->y[i] == (float)(i + (i % 5 - 2) * powers[i % 4]));
}

static const struct reference_range range = {{ITEMS}, {GROUP}};

/* A block is evaluated in every cycle in SIMT mode, of each cluster. */
static void steps_change_nothing(void **state) {
    (void)state;
    static const char *const settings[] = {"", "cluster.count=2", "simt.warp_size=8\tcluster.lanes=2 "};
    for (unsigned n = 0; n < 3; ++n) {
        struct machine_result whole, stepped;
        struct reference *r = make(settings[n]), *s = make(settings[n]);
        const struct powers one = prepare(r), other = prepare(s);
        assert_true(reference_run(r, &range, &whole, &error));
        check(&one);
        const unsigned last = machine_configuration(reference_machine(s))->cluster.count - 1;
        assert_true(reference_begin(s, &range, last, &error));
        uint64_t steps = 0, cycle, before = 0;
        for (; reference_step(s, CLUSTER_BLOCK_ARBITER, &cycle); ++steps) {
            assert_true(cycle > before);
            before = cycle;
        }
        assert_true(reference_end(s, &stepped, &error));
        check(&other);
        assert_int_equal(steps, machine_cluster(reference_machine(s), last)->simt_cycles);
        assert_true(steps > 100);
        assert_int_equal(stepped.cycles, whole.cycles);
        assert_memory_equal(stepped.cause, whole.cause, sizeof whole.cause);
        reference_destroy(r);
        reference_destroy(s);
    }
}

/* A picked warp was ready; two blocks can be watched alternately. */
static void ports_are_those_of_the_cycle(void **state) {
    (void)state;
    struct reference *r = make("");
    struct machine_result result;
    uint64_t cycle, again, picks = 0;
    prepare(r);
    assert_null(reference_block(r, CLUSTER_BLOCK_ARBITER));
    assert_true(reference_begin(r, &range, 0, &error));
    const struct warp_scheduler *s = reference_block(r, CLUSTER_BLOCK_SCHEDULER);
    const struct barrier_table *b = reference_block(r, CLUSTER_BLOCK_BARRIERS);
    while (reference_step(r, CLUSTER_BLOCK_ARBITER, &cycle)) {
        assert_int_equal(s->out.grant & ~s->in.ready, 0);
        picks += s->out.valid;
        if (!reference_step(r, CLUSTER_BLOCK_BARRIERS, &again)) break;
        assert_int_equal(again, cycle);
        assert_true(b->next.live[0] <= GROUP);
    }
    assert_true(reference_end(r, &result, &error));
    assert_int_equal(picks, machine_cluster(reference_machine(r), 0)->warp_instructions);
    reference_destroy(r);
}

static void launches_follow_one_another(void **state) {
    (void)state;
    struct reference *r = make("");
    struct machine_result result;
    const struct powers s = prepare(r);
    assert_true(reference_begin(r, &range, 0, &error));
    assert_false(reference_run(r, &range, &result, &error));
    assert_non_null(strstr(error.message, "is being stepped"));
    error = (struct error){0};
    assert_true(reference_step(r, CLUSTER_BLOCK_ARBITER, NULL));
    assert_true(reference_end(r, &result, &error)); /* runs to its end */
    check(&s);
    assert_true(reference_run(r, &range, &result, &error));
    assert_true(s.y[3] == 3 + 2 * 27);
    assert_true(reference_begin(r, &range, 0, &error));
    assert_true(reference_step(r, CLUSTER_BLOCK_ARBITER, NULL));
    reference_destroy(r); /* during a launch */
    reference_destroy(NULL);
}

static void a_launch_that_fails_says_so(void **state) {
    (void)state;
    for (unsigned stepped = 0; stepped < 2; ++stepped) {
        struct reference *r = make("");
        struct machine_result result;
        const struct reference_range too_many = {{ITEMS + GROUP}, {GROUP}};
        error = (struct error){0};
        prepare(r);
        if (!stepped) {
            assert_false(reference_run(r, &too_many, &result, &error));
        } else {
            assert_true(reference_begin(r, &too_many, 0, &error));
            while (reference_step(r, CLUSTER_BLOCK_ARBITER, NULL)) continue;
            assert_false(reference_end(r, &result, &error));
        }
        assert_int_equal(error.status, EXIT_PROGRAM_FAULT);
        assert_non_null(strstr(error.message, "kernel 'powers'"));
        assert_non_null(strstr(error.message, "powers.cl:"));
        reference_destroy(r);
    }
}

/* --- mistakes of benches --- */

static void refused(bool done, const char *why) {
    assert_false(done);
    if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
    assert_int_equal(error.status, EXIT_USER);
    error = (struct error){0};
}

static void mistakes_are_named(void **state) {
    (void)state;
    char *nonsense = spawn_text("%s/nonsense", kernel_image_folder);
    spawn_write(nonsense, "no image");
    refused(reference_create_from(NULL, "", "/nowhere.img", &error), "/nowhere.img: No such file");
    refused(reference_create_from(NULL, "", kernel_image_folder, &error), "Is a directory");
    refused(reference_create_from(NULL, "", nonsense, &error), nonsense);
    refused(reference_create_from("/nowhere.yaml", "", kernel_image_path, &error), "/nowhere.yaml");
    refused(reference_create_from("", "simt.wrap_size=8", kernel_image_path, &error),
            "unknown field 'simt.wrap_size'");
    free(nonsense);
    struct reference *r = make("");
    struct machine_result result;
    uint8_t *host;
    refused(reference_buffer(r, 0, &host, &error), "no room for buffer 1 of 0 bytes");
    refused(reference_value(r, "1234", 4, &error), "no kernel has been named");
    refused(reference_run(r, &range, &result, &error), "no kernel has been named");
    refused(reference_kernel(r, "daxpy", &error), "no kernel 'daxpy'");
    assert_true(reference_kernel(r, "powers", &error));
    refused(reference_value(r, "12345678", 8, &error), "argument 0 is no value of this size");
    refused(reference_pointer(r, 0, &error), "argument 0 is no pointer");
    refused(reference_local(r, 4, &error), "argument 0 is no local memory");
    assert_true(reference_value(r, "1234", 4, &error));
    refused(reference_run(r, &range, &result, &error), "argument 1, 'x', is missing");
    prepare(r);
    refused(reference_pointer(r, 0, &error), "it has no more arguments");
    refused(reference_run(r, &(struct reference_range){{7}, {2}}, &result, &error),
            "7 work-items are no multiple");
    refused(reference_run(r, &(struct reference_range){{4096}, {4096}}, &result, &error), "has at most");
    refused(reference_run(r, &(struct reference_range){{1024, 1024}, {1024, 1024}}, &result, &error),
            "has at most");
    refused(reference_begin(r, &range, 1, &error), "there is no cluster 1: the machine has 1");
    assert_false(reference_step(r, CLUSTER_BLOCK_ARBITER, NULL));
    reference_destroy(r);
    r = make("mode=mimd");
    const struct powers s = prepare(r);
    refused(reference_begin(r, &range, 0, &error), "the blocks work in SIMT mode only");
    assert_true(reference_run(r, &range, &result, &error));
    check(&s);
    reference_destroy(r);
}

/* --- the functions of lockstep.h --- */

static void steps_by_handle(void **state) {
    (void)state;
    struct lockstep_machine *m = lockstep_create(NULL, "simt.warp_size=8", kernel_image_path);
    float *x, *y, a = 3;
    uint64_t cycle, cycles = 0, value;
    const uint32_t at_x = lockstep_buffer(m, ITEMS * 4, (uint8_t **)&x),
                   at_y = lockstep_buffer(m, ITEMS * 4, (uint8_t **)&y);
    const struct lockstep_range all = {{ITEMS}, {GROUP}};
    assert_true(lockstep_kernel(m, "powers") && lockstep_value(m, &a, sizeof a) &&
                lockstep_pointer(m, at_x) && lockstep_pointer(m, at_y));
    assert_null(lockstep_block(m, "warp_pc_arbiter"));
    assert_non_null(strstr(lockstep_error(), "no launch has begun"));
    assert_true(lockstep_begin(m, &all, 0));
    const void *arbiter = lockstep_block(m, "warp_pc_arbiter");
    while (lockstep_step(m, "warp_pc_arbiter", &cycle)) {
        struct lockstep_warp_pc_arbiter_in in;
        struct lockstep_warp_pc_arbiter_out out;
        lockstep_warp_pc_arbiter_read(arbiter, &in, &out);
        assert_int_equal(out.participating & ~in.ready, 0);
        ++cycles;
    }
    assert_true(lockstep_end(m));
    assert_true(cycles > 100 && lockstep_cycles(m) > cycles);
    assert_true(lockstep_counter(m, "cluster0.warp_instructions", &value));
    assert_true(value > 100 && value <= cycles);
    assert_false(lockstep_counter(m, "cluster0.warp_instruction", &value));
    assert_non_null(strstr(lockstep_error(), "no counter 'cluster0.warp_instruction'"));
    assert_false(lockstep_kernel(m, "nothing"));
    assert_non_null(strstr(lockstep_error(), "the image has no kernel 'nothing'"));
    lockstep_destroy(m);
    assert_null(lockstep_create(NULL, "cluster.lanes=3", kernel_image_path));
    assert_non_null(strstr(lockstep_error(), "cluster.lanes"));
    assert_null(lockstep_create(NULL, NULL, "/no/such.img"));
    assert_false(lockstep_run(NULL, &all));
    m = lockstep_create(NULL, NULL, NULL); /* for programs: it has no kernels */
    assert_non_null(m);
    assert_false(lockstep_kernel(m, "powers"));
    assert_non_null(strstr(lockstep_error(), "has no image"));
    lockstep_destroy(m);
}

/* Calls in a wrong order, and NULL where something must be. */
static void mistakes_of_a_bench_are_errors(void **state) {
    (void)state;
    struct lockstep_machine *m = lockstep_create(NULL, NULL, kernel_image_path);
    struct lockstep_warp_scheduler *s = lockstep_warp_scheduler_create(4);
    struct lockstep_warp_scheduler_out out;
    const struct lockstep_range all = {{ITEMS}, {GROUP}};
    const float a = 3;
    uint64_t cycle;
    assert_true(m && s);
    const uint32_t at = lockstep_buffer(m, ITEMS * 4, NULL);
#define REFUSED(call, why)                                                                                   \
    do {                                                                                                     \
        assert_false(call);                                                                                  \
        if (!strstr(lockstep_error(), why)) fail_msg("%s: %s", #call, lockstep_error());                     \
    } while (0)
    REFUSED(lockstep_warp_scheduler_eval(s, NULL, &out), "warp_scheduler: the inputs are NULL");
    lockstep_warp_scheduler_read(NULL, NULL, &out, NULL);
    REFUSED(lockstep_kernel(m, NULL), "no kernel ''");
    REFUSED(lockstep_value(m, &a, sizeof a), "no kernel has been named: lockstep_kernel()");
    REFUSED(lockstep_run(m, &all), "no kernel has been named: lockstep_kernel()");
    assert_true(lockstep_kernel(m, "powers"));
    REFUSED(lockstep_value(m, NULL, 4), "the value is NULL");
    assert_true(lockstep_value(m, &a, sizeof a) && lockstep_pointer(m, at) && lockstep_pointer(m, at));
    REFUSED(lockstep_run(m, NULL), "the range is NULL");
    REFUSED(lockstep_begin(m, NULL, 0), "the range is NULL");
    REFUSED(lockstep_counter(m, NULL, &cycle), "no counter ''");
    assert_true(lockstep_counter(m, "cluster0.warp_instructions", NULL));
    REFUSED(lockstep_step(m, NULL, &cycle), "no block ''");
    REFUSED(lockstep_step(m, "warp_scheduler", &cycle), "none has begun");
    REFUSED(lockstep_block(m, NULL), "no block ''");
    REFUSED(lockstep_end(m), "no launch has begun: lockstep_begin()");
    assert_true(lockstep_begin(m, &all, 0));
    REFUSED(lockstep_begin(m, &all, 0), "is being stepped: lockstep_end()");
    REFUSED(lockstep_kernel(m, "powers"), "is being stepped: lockstep_end()");
    REFUSED(lockstep_value(m, &a, sizeof a), "is being stepped: lockstep_end()");
    assert_true(lockstep_step(m, "warp_scheduler", &cycle));
    assert_true(lockstep_end(m));
    REFUSED(lockstep_end(m), "no launch has begun: lockstep_begin()");
    REFUSED(lockstep_step(m, "warp_scheduler", &cycle), "the launch has ended");
    assert_true(lockstep_begin(m, &all, 0));
    lockstep_destroy(m);
    lockstep_warp_scheduler_destroy(s);
}

/* --- DPI --- */

void *reference_dpi_create(const char *config, const char *settings, const char *image);
void reference_dpi_destroy(void *handle);
uint32_t reference_dpi_buffer(void *handle, uint32_t size_bytes);
void reference_dpi_write(void *handle, uint32_t address, uint32_t word);
uint32_t reference_dpi_read(void *handle, uint32_t address);
unsigned char reference_dpi_kernel(void *handle, const char *name);
unsigned char reference_dpi_step(void *handle, const char *block, uint64_t *cycle);
const void *reference_dpi_block(void *handle, const char *block);
void *warp_pc_arbiter_dpi_create(unsigned warp_size, unsigned levels);
void warp_pc_arbiter_dpi_destroy(void *handle);
void *token_file_dpi_create(unsigned warps, unsigned registers);
void *warp_scheduler_dpi_create(unsigned warps);
void warp_scheduler_dpi_eval(void *handle, unsigned char edge, const uint32_t *ready, const uint32_t *stalled,
                             unsigned char take, unsigned char *valid, uint32_t *warp, uint32_t *grant,
                             uint32_t *last);
unsigned char warp_scheduler_dpi_clock(void *handle);
void warp_scheduler_dpi_destroy(void *handle);

/* 3 warps: 0 is first; then the next ready one after the one picked last. */
static void a_block_is_clocked_by_its_handle(void **state) {
    (void)state;
    void *s = warp_scheduler_dpi_create(3);
    unsigned char valid;
    uint32_t warp[1], grant[4], last[1];
    static const uint32_t none[4];
    static const struct {
        uint32_t ready[4];
        unsigned take, valid, warp, grant;
    } cycles[] = {{{5}, 0, 0, 0, 0}, {{5}, 1, 1, 0, 1}, {{5}, 1, 1, 2, 4},
                  {{5}, 1, 1, 0, 1}, {{0}, 1, 0, 0, 0}, {{3}, 1, 1, 1, 2}};
    for (unsigned n = 0; n < sizeof cycles / sizeof *cycles; ++n) {
        warp_scheduler_dpi_eval(s, 0, cycles[n].ready, none, (unsigned char)cycles[n].take, &valid, warp,
                                grant, last);
        assert_int_equal(valid, cycles[n].valid);
        assert_int_equal(grant[0], cycles[n].grant);
        if (valid) assert_int_equal(warp[0], cycles[n].warp);
        assert_int_equal(warp_scheduler_dpi_clock(s), 1);
    }
    warp_scheduler_dpi_destroy(s);
}

static void dpi_survives_mistakes(void **state) {
    (void)state;
    uint64_t cycle = 1;
    assert_null(warp_pc_arbiter_dpi_create(65, 8));
    assert_null(warp_pc_arbiter_dpi_create(3, 8));
    assert_null(token_file_dpi_create(0, 50));
    warp_pc_arbiter_dpi_destroy(NULL);
    assert_null(reference_dpi_create("", "", "/nowhere.img"));
    assert_int_equal(reference_dpi_buffer(NULL, 4), 0);
    assert_int_equal(reference_dpi_kernel(NULL, "powers"), 0);
    assert_int_equal(reference_dpi_step(NULL, "warp_scheduler", &cycle), 0);
    assert_int_equal(cycle, 0);
    void *r = reference_dpi_create("", "cluster.lanes=2", kernel_image_path);
    assert_non_null(r);
    const uint32_t at = reference_dpi_buffer(r, 8);
    reference_dpi_write(r, at + 4, 77);
    assert_int_equal(reference_dpi_read(r, at + 4), 77);
    assert_int_equal(reference_dpi_read(r, at + 8), 0); /* the next word */
    reference_dpi_write(r, 0x10000, 1);                 /* code */
    assert_int_equal(reference_dpi_kernel(r, "nothing"), 0);
    assert_int_equal(reference_dpi_step(r, "warp_shceduler", &cycle), 0);
    assert_null(reference_dpi_block(r, "warp_shceduler"));
    reference_dpi_destroy(r);
    reference_dpi_destroy(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, no_error)
    const struct CMUnitTest tests[] = {
        TEST(steps_change_nothing),
        TEST(ports_are_those_of_the_cycle),
        TEST(launches_follow_one_another),
        TEST(a_launch_that_fails_says_so),
        TEST(mistakes_are_named),
        TEST(steps_by_handle),
        TEST(mistakes_of_a_bench_are_errors),
        TEST(a_block_is_clocked_by_its_handle),
        TEST(dpi_survives_mistakes),
    };
    return cmocka_run_group_tests(tests, compile, kernel_image_remove);
}
