/* Random kernels on PoCL, an independent compiler and library (random_pocl.h). The buffers must hold the same
 * bytes as after a launch on the simulated machine (random_batch.h). `make test` runs 10 kernels,
 * LOCKSTEP_LONG=1 (`make test-long`) 10,000, LOCKSTEP_KERNELS=N any number; random_run.h describes how a run
 * is stopped and continued. */
#include "tests/attacks/random_pocl.h"
#include "tests/attacks/random_run.h"

enum { SOME_KERNELS = 10, ALL_KERNELS = 10000 };

static struct random_answers *shared;

enum { EQUAL, DIFFERENT, WITHOUT_ANSWER };
static const char *const counted[] = {"equal", "different", "without-answer", NULL};

static void compare(struct random_subject *s, struct random_answer *a, unsigned long long *count) {
    if (a->known) {
        count[random_batch_same(s, &a->contents, "on PoCL", true) ? EQUAL : DIFFERENT]++;
        return;
    }
    count[WITHOUT_ANSWER]++;
    print_message("seed %llu: without an answer, status %#x\n", (unsigned long long)s->seed, a->status);
}

static void pocl_agrees(void **state) {
    (void)state;
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        const bool there = random_pocl_ask(b, shared);
        if (there)
            for (unsigned i = 0; i < b->count; i++) compare(&b->subject[i], &shared->of[i], r.count);
        random_batch_free(b);
        if (there) continue;
        print_message("no PoCL on this machine: nothing compared\n");
        skip();
    }
    random_run_end(&r);
    assert_int_equal(r.count[DIFFERENT], 0);
    assert_true(r.count[EQUAL] * 50 >= r.done * 49);
}

/* The comparison itself: with the input turned round, kernels leave other memory. */
static void a_changed_input_is_seen(void **state) {
    (void)state;
    struct random_batch *b = random_batch_make(1, 2);
    for (unsigned i = 0; i < b->count; i++) b->subject[i].before.out[i] ^= 1u << 31;
    if (!random_pocl_ask(b, shared)) skip();
    for (unsigned i = 0; i < b->count; i++) {
        assert_true(shared->of[i].known);
        assert_false(random_batch_same(&b->subject[i], &shared->of[i].contents, "on PoCL", false));
    }
    random_batch_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pocl_agrees),
                                       cmocka_unit_test(a_changed_input_is_seen)};
    shared = random_pocl_answers();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
