/*
 * Random kernels leave the same memory, bit for bit: on the simulated machine in SIMT and in MIMD mode, with
 * all fields that differ, with uniform values treated in every way, and under the oracle,
 * qemu-arm, which runs the same ARM code: the SIMT code with a user context per work-item, and the twins.
 * `make test` takes 30 kernels, LOCKSTEP_LONG=1 (`make test-long`) 10,000 (docs/test-long.md keeps its last
 * run), LOCKSTEP_KERNELS=N any number; it stops after LOCKSTEP_SECONDS
 * (default: 55 minutes) and says how far it came.
 */
#include "tests/oracle/oracle_run.h"
#include "tests/attacks/random_batch.h"
#include "tests/seed.h"

#include <string.h>

enum { SOME_KERNELS = 30, ALL_KERNELS = 10000, MOST_SECONDS = 3300 };

static void give_to_oracle(struct oracle *o, const struct random_batch *b, struct random_subject *s,
                           bool twin) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    struct oracle_launch l = {.entry = twin ? k->twin : k->thunk,
                              .argument_block = RANDOM_ARGUMENTS,
                              .whole_groups = twin,
                              .work_dim = s->kernel.work_dim};
    snprintf(l.kernel, sizeof l.kernel, "seed %llu", (unsigned long long)s->seed);
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    oracle_memory(o, RANDOM_ARGUMENTS, s->arguments, sizeof s->arguments);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        oracle_memory(o, random_parts[n].base, random_part_of(&s->before, n),
                      (uint32_t)random_parts[n].size_bytes);
    oracle_launch(o, &l);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        oracle_result(o, random_parts[n].base, (uint32_t)random_parts[n].size_bytes);
}

/* Kernels of the batch that leave other memory under the oracle, which runs their work-items or, twin, their
 * twins for whole work-groups. */
static unsigned oracle_differences(struct random_batch *b, bool twin, bool say) {
    struct oracle o;
    unsigned different = 0;
    oracle_start(&o);
    oracle_memory(&o, b->image->code_base, b->image->code, b->image->code_bytes);
    for (unsigned i = 0; i < b->count; i++) give_to_oracle(&o, b, &b->subject[i], twin);
    char *said = oracle_finish(&o);
    if (said) fail_msg("%s", said);
    for (unsigned i = 0; i < b->count; i++) {
        struct random_contents c = b->subject[i].before;
        for (unsigned n = 0; n < RANDOM_PARTS; n++)
            oracle_read(&o, random_part_of(&c, n), (uint32_t)random_parts[n].size_bytes);
        different += !random_batch_same(&b->subject[i], &c,
                                        twin ? "from the twin under qemu-arm" : "under qemu-arm", say);
    }
    oracle_end(&o);
    return different;
}

/* Kernels of the batch that leave other memory in MIMD mode. */
static unsigned mode_differences(struct random_batch *b) {
    unsigned different = 0;
    for (unsigned i = 0; i < b->count; i++) {
        struct random_contents c;
        random_batch_run(b, &b->subject[i], "mode=mimd", &c);
        different += !random_batch_same(&b->subject[i], &c, "in MIMD mode", true);
    }
    return different;
}

/* Likewise on the same SIMT machine with each way to treat uniform values, each checked as it runs. */
static unsigned uniform_differences(struct random_batch *b) {
    static const char *const ways[] = {
        "uniform.storage=token uniform.intra=on",
        "uniform.storage=token uniform.inter=on uniform.broadcast_cycles=2 uniform.irb_tag_bits=2",
        "uniform.storage=token uniform.intra=on uniform.inter=on uniform.irb_entries=64",
        "uniform.storage=srf uniform.intra=on uniform.srf_registers=12",
        "uniform.storage=srf uniform.inter=on",
        "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.irb_entries=2 uniform.irb_tag_bits=1",
    };
    unsigned different = 0;
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct random_contents c;
            random_batch_run(b, &b->subject[i], ways[w], &c);
            different += !random_batch_same(&b->subject[i], &c, ways[w], true);
        }
    return different;
}

/* --- tests --- */

struct tally {
    unsigned kernels, idle, barriers, replicated;
    unsigned long long items;
};

static void count(struct tally *t, const struct random_batch *b) {
    for (unsigned i = 0; i < b->count; i++) {
        const struct random_subject *s = &b->subject[i];
        const struct image_kernel *k = image_find(b->image, s->kernel.name);
        t->kernels++;
        t->items += s->kernel.items;
        t->idle += memcmp(s->before.out, s->after.out, sizeof s->after.out) == 0;
        t->barriers += k->barriers;
        t->replicated += k->replicated;
    }
}

static void modes_and_oracle_agree(void **state) {
    (void)state;
    const struct seed seed = seed_start();
    const unsigned all = random_batch_kernels(SOME_KERNELS, ALL_KERNELS);
    struct tally t = {0};
    const char *seconds = getenv("LOCKSTEP_SECONDS");
    const time_t deadline = time(NULL) + (seconds ? atoi(seconds) : MOST_SECONDS);
    while (t.kernels < all && (t.kernels == 0 || time(NULL) < deadline)) {
        struct random_batch *b =
            random_batch_make(seed.state + t.kernels, RANDOM_BARRIERS_ANYWHERE,
                              all - t.kernels < RANDOM_BATCH ? all - t.kernels : RANDOM_BATCH);
        const unsigned different = oracle_differences(b, false, true) + oracle_differences(b, true, true) +
                                   mode_differences(b) + uniform_differences(b);
        if (different != 0) fail_msg("memory differs: see above");
        count(&t, b);
        random_batch_free(b);
    }
    print_message("%u kernels, seeds %llu to %llu: equal memory in SIMT, in MIMD, under qemu-arm\n",
                  t.kernels, (unsigned long long)seed.state, (unsigned long long)seed.state + t.kernels - 1);
    print_message("%llu work-items, %u barriers, %u replicated values; %u kernels return at once\n", t.items,
                  t.barriers, t.replicated, t.idle);
    if (t.kernels >= SOME_KERNELS) assert_true(t.idle * 8 < t.kernels);
    if (t.kernels >= SOME_KERNELS) assert_true(t.barriers > t.kernels && t.replicated > t.kernels);
}

/* The comparison itself: with one bit of the input turned round, most kernels leave other memory. */
static void a_changed_input_is_seen(void **state) {
    (void)state;
    struct random_batch *b = random_batch_make(1, RANDOM_BARRIERS_ANYWHERE, 4);
    for (unsigned i = 0; i < b->count; i++) b->subject[i].before.in[i] ^= 1u << 31;
    assert_int_equal(oracle_differences(b, false, false), 4);
    assert_int_equal(oracle_differences(b, true, false), 4);
    random_batch_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_and_oracle_agree),
        cmocka_unit_test(a_changed_input_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
