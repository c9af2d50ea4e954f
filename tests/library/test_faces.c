/* The faces of all blocks (library/face.h), compared with the models that the stimuli drive, at every size:
 * by structs and by vectors of bits; and mistakes of benches.
 * Links: $(LIBRARY_OBJECTS) */
#include "library/face.h"
#include "library/lockstep.h"
#include "tb/stimulus/blocks.h"
#include "tests/seed.h"
#include "tests/tb/rtl_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CYCLES 1000

extern const struct face *const *const faces[]; /* all, and then NULL */

static struct rtl_size sizes[RTL_SIZES];
static unsigned size_count;

static int read_sizes(void **state) {
    (void)state;
    size_count = rtl_sizes_of_source(sizes);
    return size_count == 0;
}

/* --- ports of a bench --- */

struct ports {
    char *of[3]; /* inputs, outputs, flip-flops */
    size_t bytes[3];
};

static struct ports make_ports(const struct face *f) {
    struct ports p = {.bytes = {1, 1, 1}};
    for (unsigned n = 0; n < f->signals; ++n) {
        const struct face_signal *s = &f->signal[n];
        const size_t end = s->bench + (size_t)s->count * s->bytes;
        if (end > p.bytes[s->kind]) p.bytes[s->kind] = end;
    }
    for (unsigned k = 0; k < 3; ++k) p.of[k] = calloc(1, p.bytes[k]);
    return p;
}

static void free_ports(struct ports *p) {
    for (unsigned k = 0; k < 3; ++k) free(p->of[k]);
}

struct vectors {
    void *of[VERILOG_MAX_SIGNALS];
};

static struct vectors make_vectors(const struct face *f) {
    struct vectors v = {{NULL}};
    for (unsigned n = 0; n < f->signals; ++n)
        v.of[n] = calloc((size_t)f->signal[n].count * f->signal[n].bits / 32 + 1, 4);
    return v;
}

static void free_vectors(const struct face *f, struct vectors *v) {
    for (unsigned n = 0; n < f->signals; ++n) free(v->of[n]);
}

/* --- a block --- */

/* Returns the number of used elements. An array of threads has an element for each thread of a warp; further
 * elements are undefined. */
static unsigned elements_of(const struct face_signal *s, const struct rtl_size *size) {
    const unsigned threads = rtl_size_of(size, "WARP_SIZE");
    return s->count == 64 && threads < 64 ? threads : s->count;
}

static void compare(const struct face *f, const struct rtl_size *size, const struct ports *a,
                    const struct ports *b, unsigned cycle) {
    for (unsigned n = 0; n < f->signals; ++n) {
        const struct face_signal *s = &f->signal[n];
        const unsigned count = s->kind == FACE_OUT ? elements_of(s, size) : s->count;
        for (unsigned k = 0; k < count; ++k)
            if (memcmp(a->of[s->kind] + s->bench + k * s->bytes, b->of[s->kind] + s->bench + k * s->bytes,
                       s->bytes) != 0)
                fail_msg("%s, cycle %u: %s[%u] differs", f->block, cycle, s->name, k);
    }
}

/* Returns the model that the stimulus drives, at the offset that it has in a handle. */
static const char *driven(const struct face *f, const struct stimulus_block *b) {
    return (const char *)b->in - f->signal[0].model;
}

static void run_block(const struct face *f, const struct stimulus_block *b, const struct rtl_size *size) {
    unsigned values[VERILOG_MAX_PARAMETERS];
    for (unsigned n = 0; n < f->parameters; ++n) values[n] = rtl_size_of(size, f->parameter[n].name);
    void *by_struct = face_create(f, values), *by_bits = face_create(f, values);
    if (!by_struct) fail_msg("%s", lockstep_error());
    struct ports model = make_ports(f), mine = make_ports(f);
    struct vectors vectors = make_vectors(f);
    struct seed seed = seed_of(1);
    b->start(&seed, size);
    bool failed = false; /* the stimulus has broken the protocol on purpose, and resets the model */
    for (unsigned cycle = 0; cycle < CYCLES; ++cycle) {
        const bool reset = b->drive(&seed);
        if (failed && !reset) fail_msg("cycle %u: %s", cycle, lockstep_error());
        if (reset) assert_true(face_reset(f, by_struct) && face_reset(f, by_bits));
        face_read(f, driven(f, b), model.of[0], model.of[1], model.of[2]);
        /* An evaluation with other inputs changes no state. */
        if (cycle % 4 == 0) face_eval(f, by_struct, mine.of[0], mine.of[1]);
        if (!face_eval(f, by_struct, model.of[0], mine.of[1]))
            fail_msg("cycle %u: %s", cycle, lockstep_error());
        face_read(f, by_struct, mine.of[0], NULL, mine.of[2]);
        compare(f, size, &model, &mine, cycle);
        face_give_bits(f, driven(f, b), FACE_IN, vectors.of);
        face_take_bits(f, by_bits, (const void *const *)vectors.of);
        assert_true(face_settle(f, by_bits));
        face_read(f, by_bits, mine.of[0], mine.of[1], mine.of[2]);
        compare(f, size, &model, &mine, cycle);
        if (b->clock) b->clock();
        failed = f->edge && !face_clock(f, by_struct);
        if (f->edge) assert_true(face_clock(f, by_bits) == !failed);
    }
    free_vectors(f, &vectors);
    free_ports(&model);
    free_ports(&mine);
    face_destroy(f, by_struct);
    face_destroy(f, by_bits);
}

static void every_block_is_its_model(void **state) {
    (void)state;
    unsigned blocks = 0;
    for (const struct face *const *const *f = faces; *f; ++f, ++blocks) {
        const struct stimulus_block *b = stimulus_find((**f)->block);
        assert_non_null(b);
        for (unsigned n = 0; n < size_count; ++n) {
            struct rtl_size size;
            assert_true(rtl_size_read(&size, sizes[n].text));
            rtl_size_for(&size, b->name);
            run_block(**f, b, &size);
        }
    }
    assert_int_equal(blocks, STIMULUS_BLOCKS);
}

/* --- mistakes of benches --- */

static void says(const char *text) {
    if (!strstr(lockstep_error(), text)) fail_msg("'%s' is not in '%s'", text, lockstep_error());
}

static void parameters_are_checked(void **state) {
    (void)state;
    assert_null(lockstep_warp_pc_arbiter_create(65, 8));
    says("warp_pc_arbiter: the model has no WARP_SIZE of 65: 4 to 64");
    assert_null(lockstep_token_file_create(0, 50));
    says("token_file: the model has no WARPS of 0: 1 to 128");
    assert_null(lockstep_scalar_scheduler_create(4, 3));
    says("scalar_scheduler: the parameters do not fit each other");
    lockstep_token_file_destroy(NULL);
    assert_false(lockstep_token_file_clock(NULL));
    says("token_file: the handle is NULL");
}

/* 3 of 2 live threads arrive: the evaluation fails, then the edge, and all edges until the reset. */
static void a_breach_of_the_protocol_is_an_error(void **state) {
    (void)state;
    struct lockstep_barrier_table *b = lockstep_barrier_table_create(16, 32, 1, 0);
    struct lockstep_barrier_table_in in = {.start = true, .start_live = 2};
    struct lockstep_barrier_table_out out;
    assert_true(lockstep_barrier_table_eval(b, &in, &out));
    assert_true(lockstep_barrier_table_clock(b));
    in = (struct lockstep_barrier_table_in){.arrive_count = 3};
    assert_false(lockstep_barrier_table_eval(b, &in, &out));
    says("barrier_table: 3 threads arrive at a barrier and 0 exit, 2 live and 0 of them wait");
    in.arrive_count = 2; /* before the edge nothing is lost */
    assert_true(lockstep_barrier_table_eval(b, &in, &out));
    assert_int_equal(out.opens, 1);
    in.arrive_count = 3;
    assert_false(lockstep_barrier_table_eval(b, &in, &out));
    assert_false(lockstep_barrier_table_clock(b));
    in.arrive_count = 0;
    assert_false(lockstep_barrier_table_eval(b, &in, &out));
    assert_false(lockstep_barrier_table_clock(b));
    says("barrier_table: 3 threads arrive");
    assert_true(lockstep_barrier_table_reset(b));
    assert_true(lockstep_barrier_table_eval(b, &in, &out));
    assert_true(lockstep_barrier_table_clock(b));
    lockstep_barrier_table_destroy(b);
}

/* Inputs that are no value of their port, or that a smaller block does not have. */
static void values_that_no_port_has_are_errors(void **state) {
    (void)state;
    struct lockstep_warp_scheduler *w = lockstep_warp_scheduler_create(4);
    struct lockstep_warp_scheduler_in ready = {.ready = {1}};
    struct lockstep_warp_scheduler_out grant;
    memset(&ready.take, 2, 1);
    assert_false(lockstep_warp_scheduler_eval(w, &ready, &grant));
    says("warp_scheduler: take has a value of more than 1 bit");
    assert_false(lockstep_warp_scheduler_clock(w));
    assert_true(lockstep_warp_scheduler_reset(w));
    ready.take = true;
    assert_true(lockstep_warp_scheduler_eval(w, &ready, &grant));
    lockstep_warp_scheduler_destroy(w);

    /* 2^28 bytes of each of 2^4 stacks: a lane's segment would have 2^32 */
    struct lockstep_tpo_address *t = lockstep_tpo_address_create(512);
    struct lockstep_tpo_address_out row;
    struct lockstep_tpo_address_in access = {.rounds_bits = 8, .stack_bits = 28, .access = true, .bytes = 4};
    assert_false(lockstep_tpo_address_eval(t, &access, &row));
    says("tpo_address: rounds_bits has a value of more than 3 bits");
    access.rounds_bits = access.contexts_bits = 4;
    assert_false(lockstep_tpo_address_eval(t, &access, &row));
    says("tpo_address: stack_bits_i has a value that the block's protocol does not allow");
    access.contexts_bits = 3;
    assert_true(lockstep_tpo_address_eval(t, &access, &row));
    lockstep_tpo_address_destroy(t);

    /* lane 2 of 2 starts a thread */
    struct lockstep_thread_descriptor_table *d = lockstep_thread_descriptor_table_create(2, 8, 2, 4, 0);
    struct lockstep_thread_descriptor_table_in start = {.start = 1 << 2};
    struct lockstep_thread_descriptor_table_out runnable;
    assert_true(lockstep_thread_descriptor_table_eval(d, &start, &runnable));
    assert_false(lockstep_thread_descriptor_table_clock(d));
    says("thread_descriptor_table: ");
    lockstep_thread_descriptor_table_destroy(d);

    /* threads of a warp without any branch */
    struct lockstep_re_convergence_stack *s = lockstep_re_convergence_stack_create(3, 4, 1);
    struct lockstep_re_convergence_stack_out top;
    struct lockstep_re_convergence_stack_in commit = {
        .commit = true, .first_mask = 1, .second_mask = 2, .first_pc = 4, .second_pc = 8};
    assert_false(lockstep_re_convergence_stack_eval(s, &commit, &top));
    says("re_convergence_stack: the re-convergence stack of warp 0 is empty");
    commit = (struct lockstep_re_convergence_stack_in){.start = true, .start_mask = 3, .start_pc = 4};
    assert_true(lockstep_re_convergence_stack_eval(s, &commit, &top));
    lockstep_re_convergence_stack_destroy(s);
}

/* A warp enters a full queue, and a warp that is not in the queue leaves. */
static void models_that_change_in_their_evaluation_stay(void **state) {
    (void)state;
    struct lockstep_second_level *q = lockstep_second_level_create(2, 4, 1, 64);
    struct lockstep_second_level_in in = {.put = true, .put_pc = 0x100, .put_mask = 1};
    struct lockstep_second_level_out out;
    for (unsigned n = 0; n < 2; ++n) {
        assert_true(lockstep_second_level_eval(q, &in, &out));
        assert_true(lockstep_second_level_eval(q, &in, &out));
        assert_int_equal(out.count, n);
        assert_true(lockstep_second_level_clock(q));
    }
    assert_false(lockstep_second_level_eval(q, &in, &out));
    says("second_level: HARP: 2 threads make more warps");
    in = (struct lockstep_second_level_in){.take = true};
    assert_true(lockstep_second_level_eval(q, &in, &out));
    assert_int_equal(out.count, 2);
    assert_true(lockstep_second_level_clock(q));
    assert_true(lockstep_second_level_eval(q, &in, &out));
    assert_int_equal(out.count, 1);
    lockstep_second_level_destroy(q);

    struct lockstep_re_convergence_stack *s = lockstep_re_convergence_stack_create(3, 4, 1);
    struct lockstep_re_convergence_stack_out top;
    assert_false(lockstep_re_convergence_stack_eval(
        s, &(struct lockstep_re_convergence_stack_in){.read_warp = 3}, &top));
    says("re_convergence_stack: read_warp_i has a value that the block's protocol does not allow");
    lockstep_re_convergence_stack_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_its_model),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(a_breach_of_the_protocol_is_an_error),
        cmocka_unit_test(values_that_no_port_has_are_errors),
        cmocka_unit_test(models_that_change_in_their_evaluation_stay),
    };
    return cmocka_run_group_tests(tests, read_sizes, NULL);
}
