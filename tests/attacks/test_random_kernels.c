/* Random kernels leave the same memory, bit by bit, on the simulated machine and the oracle. The machine runs
 * in SIMT and in MIMD mode (with both coalescers), with all fields that differ, with every treatment of
 * uniform values, and as GPU-like machines. The oracle, qemu-arm, runs the same ARM code: the SIMT code with
 * a user context for each work-item, and the twins. `make test` runs 30 kernels, LOCKSTEP_LONG=1 (`make
 * test-long`) 10,000 (docs/test-long.md records the last run); random_run.h describes how a run is stopped
 * and continued. */
#include "tests/attacks/random_batch.h"
#include "tests/attacks/random_oracle.h"
#include "tests/attacks/random_run.h"

#include <string.h>

enum { SOME_KERNELS = 30, ALL_KERNELS = 10000 };

/* Marks the kernels of the batch that leave other memory in MIMD mode. */
static void mode_differences(struct random_batch *b, const char *where) {
    for (unsigned i = 0; i < b->count; i++) {
        struct random_contents c;
        random_batch_run(b, &b->subject[i], "mode=mimd", &c);
        random_batch_same(&b->subject[i], &c, where, true);
    }
}

/* Compares with the same SIMT machine under each treatment of uniform values, which is checked during the
 * run. */
static void uniform_differences(struct random_batch *b) {
    static const char *const ways[] = {
        "uniform.storage=token uniform.intra=on",
        "uniform.storage=token uniform.inter=on uniform.broadcast_cycles=2 uniform.irb_tag_bits=2",
        "uniform.storage=token uniform.intra=on uniform.inter=on uniform.irb_entries=64",
        "uniform.storage=srf uniform.intra=on uniform.srf_registers=12",
        "uniform.storage=srf uniform.inter=on",
        "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.irb_entries=2 uniform.irb_tag_bits=1",
        "simt.mitigation=dpe uniform.storage=token uniform.intra=on uniform.inter=on",
        "simt.mitigation=dpe uniform.storage=srf uniform.intra=on uniform.srf_registers=16",
    };
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct random_contents c;
            random_batch_run(b, &b->subject[i], ways[w], &c);
            random_batch_same(&b->subject[i], &c, ways[w], true);
        }
}

/* Compares with GPU-like machines. */
static void gpu_differences(struct random_batch *b) {
#define GPU                                                                                                  \
    "contexts=vrf simt.divergence=sbr cluster.count=3 simt.stack_calls=128 vrf.registers=65536 "             \
    "local.bytes=65536 simt.lane_map=cyclic "
    static const char *const ways[] = {
        GPU "simt.issue=scoreboard",
        GPU "simt.issue=scoreboard uniform.storage=token uniform.intra=on uniform.inter=on "
            "uniform.broadcast_cycles=1 uniform.irb_tag_bits=2 cluster.groups=4",
        GPU "simt.issue=scoreboard uniform.storage=srf uniform.intra=on uniform.inter=on "
            "uniform.srf_registers=40 uniform.irb_tag_bits=1 cluster.groups=8",
        GPU "simt.issue=scoreboard uniform.storage=srf uniform.inter=on",
        GPU "simt.issue=scoreboard uniform.storage=token uniform.inter=on",
        GPU
        "simt.issue=scoreboard cluster.schedulers=4 simt.issue_width=2 cluster.sp_groups=3 local.banks=16 "
        "local.broadcast=one coalesce.rule=cc13 simt.fetches=2",
        GPU
        "simt.issue=barrel simt.issue_width=1 cluster.sfu_lanes=0 cluster.schedulers=2 cluster.sp_groups=2 "
        "cluster.lanes=16 cluster.ldst_lanes=16",
    };
#undef GPU
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct random_contents c;
            random_batch_run(b, &b->subject[i], ways[w], &c);
            random_batch_same(&b->subject[i], &c, ways[w], true);
        }
}

/* --- tests --- */

enum { EQUAL, ITEMS, BARRIERS, REPLICATED, IDLE };
static const char *const counted[] = {"equal",
                                      "work-items",
                                      "barriers",          /* barriers, in kernels with their functions
                                                            * inlined */
                                      "replicated-values", /* kept per work-item by twins */
                                      "return-at-once",
                                      NULL};

static void count(unsigned long long *n, const struct random_batch *b) {
    for (unsigned i = 0; i < b->count; i++) {
        const struct random_subject *s = &b->subject[i];
        const struct image_kernel *k = image_find(b->image, s->kernel.name);
        n[EQUAL] += !s->differs;
        n[ITEMS] += s->kernel.items;
        n[BARRIERS] += k->barriers;
        n[REPLICATED] += k->replicated;
        n[IDLE] += memcmp(s->before.out, s->after.out, sizeof s->after.out) == 0;
    }
}

static void modes_and_oracle_agree(void **state) {
    (void)state;
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        random_oracle_differences(b, false, true);
        random_oracle_differences(b, true, true);
        mode_differences(b, "in MIMD mode");
        uniform_differences(b);
        gpu_differences(b);
        count(r.count, b);
        random_batch_compile_again(b, "--coalescing=snucl", NULL);
        mode_differences(b, "in MIMD mode, coalesced like SnuCL");
        random_batch_free(b);
    }
    random_run_end(&r);
    assert_int_equal(r.count[EQUAL], r.done);
    if (r.done < SOME_KERNELS) return;
    assert_true(r.count[IDLE] * 8 < r.done);
    assert_true(r.count[BARRIERS] > r.done && r.count[REPLICATED] > r.done);
}

/* The comparison itself: with one bit of the input turned round, most kernels leave other memory. */
static void a_changed_input_is_seen(void **state) {
    (void)state;
    struct random_batch *b = random_batch_make(1, 4);
    for (unsigned i = 0; i < b->count; i++) b->subject[i].before.in[i] ^= 1u << 31;
    assert_int_equal(random_oracle_differences(b, false, false), 4);
    assert_int_equal(random_oracle_differences(b, true, false), 4);
    random_batch_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_and_oracle_agree),
        cmocka_unit_test(a_changed_input_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
