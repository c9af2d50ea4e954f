/*
 * Random kernels leave on GPU-like machines, whose warps go by re-convergence stacks (simt.divergence sbr)
 * and whose code has no priority operations, the memory that they leave on a machine with a PC for each
 * thread. `make test` takes 30 kernels, LOCKSTEP_LONG=1 (`make test-long`) 2,000; random_run.h says how a run
 * is stopped and continued.
 */
#include "tests/attacks/random_batch.h"
#include "tests/attacks/random_run.h"
#include "tests/spawn.h"

enum { SOME_KERNELS = 30, ALL_KERNELS = 2000 };

static struct machine_config gpu_like;

/* One SM or two, warps of any size: what is left differs from a GTX 285 in nothing that the contents could
 * show. */
static struct machine_config a_machine(struct seed *s, const struct random_subject *subject) {
    for (;;) {
        struct machine_config c = gpu_like;
        struct error e = {0};
        c.cluster.count = 1 + seed_below(s, 2);
        c.simt.warp_size = 8u << seed_below(s, 4);
        c.simt.scheduler = seed_below(s, 2) ? SCHEDULER_ROUND_ROBIN : SCHEDULER_GREEDY_OLDEST;
        c.simt.issue_width = 1 + seed_below(s, 2);
        if (config_check(&machine_config_table, &c, &e) &&
            machine_max_work_group(&c) >= subject->kernel.group_items)
            return c;
    }
}

static int read_machine(void **state) {
    (void)state;
    struct error e = {0};
    char *path = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    config_defaults(&machine_config_table, &gpu_like);
    const bool good = config_read(&machine_config_table, &gpu_like, path, &e);
    if (!good) print_error("%s\n", e.message);
    free(path);
    return !good;
}

static void stacks_and_pcs_agree(void **state) {
    (void)state;
    static const char *const counted[] = {"equal", NULL};
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        struct seed seed = seed_of(random_run_seed(&r));
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        random_batch_compile_again(b, "--priorities=off");
        for (unsigned i = 0; i < b->count; i++) {
            static struct random_contents c;
            const struct machine_config config = a_machine(&seed, &b->subject[i]);
            random_batch_run_on(b, &b->subject[i], &config, "on a GPU-like machine", &c);
            random_batch_same(&b->subject[i], &c, "on a GPU-like machine", true);
            r.count[0] += !b->subject[i].differs;
        }
        random_batch_free(b);
    }
    random_run_end(&r);
    assert_int_equal(r.count[0], r.done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_and_pcs_agree),
    };
    return cmocka_run_group_tests(tests, read_machine, NULL);
}
