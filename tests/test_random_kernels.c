/*
 * Random structured kernels leave the same memory, bit for bit: on the simulated machine in SIMT and in MIMD
 * mode, with sizes and policies that differ, with uniform values treated in every way, and under the oracle,
 * qemu-arm, which runs the same ARM code: the SIMT code with a user context per work-item, and the twins.
 * `make test` takes 30 kernels, LOCKSTEP_LONG=1 (`make test-long`) 2,000 (docs/test-long.md keeps its last
 * run), LOCKSTEP_KERNELS=N any number.
 */
#include "tests/kernel_run.h"
#include "tests/random_kernel.h"
#include "tests/random_expression.h"
#include "tests/spawn.h"

#include <string.h>

enum {
    SOME_KERNELS = 30,
    ALL_KERNELS = 2000,
    BATCH = 25, /* kernels in one source file and one oracle process */
    ARGUMENTS = MEMORY_LOCAL_BASE - 0x1000,
    ARGUMENT_BYTES = 64,
    SETTINGS = 5
};

/* What a kernel sees and leaves behind. */
struct contents {
    uint32_t in[RANDOM_INPUT_WORDS], counters[RANDOM_COUNTERS], mid[RANDOM_MOST_ITEMS];
    uint32_t out[RANDOM_MOST_ITEMS * RANDOM_OUT_WORDS];
};
static const struct part {
    const char *name;
    uint32_t base;
    size_t offset, size_bytes;
} parts[] = {
#define PART(n, name)                                                                                        \
    {                                                                                                        \
#name, MEMORY_BUFFER_BASE + n * 0x100000u, offsetof(struct contents, name),                          \
            sizeof((struct contents *)0)->name                                                               \
    }
    PART(0, out), PART(1, in), PART(2, mid), PART(3, counters)};
enum { PARTS = sizeof parts / sizeof *parts };

struct subject {
    uint64_t seed;
    struct random_kernel kernel;
    char settings[SETTINGS][40];
    uint8_t arguments[ARGUMENT_BYTES];
    struct contents before, after; /* after: on the machine in SIMT mode */
};

struct batch {
    unsigned count;
    struct subject subject[BATCH];
    struct image *image;
    struct machine_code code;
};

static uint8_t *part_of(struct contents *c, unsigned n) {
    return (uint8_t *)c + parts[n].offset;
}

/* --- making them --- */

static void fill(struct subject *s) {
    struct seed random = {s->seed ^ 0x5eed};
    memset(&s->before, 0, sizeof s->before);
    for (unsigned n = 0; n < PARTS; n++)
        for (size_t i = 0; i < parts[n].size_bytes / 4; i++) {
            const uint64_t word = seed_next(&random);
            const uint32_t value = (uint32_t)word >> (word >> 60 < 8 ? 0 : 24); /* half of them small */
            memcpy(part_of(&s->before, n) + 4 * i, &value, sizeof value);
        }
}

static void write_source(const char *path, struct batch *b, uint64_t seed) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    random_kernel_begin(f);
    for (unsigned i = 0; i < b->count; i++) {
        b->subject[i].seed = seed + i;
        random_kernel(f, seed + i, i, &b->subject[i].kernel);
        fill(&b->subject[i]);
    }
    assert_int_equal(fclose(f), 0);
}

static void print_source(const struct subject *s) {
    struct random_kernel k;
    fflush(stdout);
    random_kernel_begin(stderr);
    random_kernel(stderr, s->seed, 0, &k);
    for (unsigned i = 0; i < SETTINGS; i++) fprintf(stderr, "--set %s ", s->settings[i]);
    fprintf(stderr, "\nrepeat with SEED=%llu LOCKSTEP_KERNELS=1\n", (unsigned long long)s->seed);
}

static void compile(struct batch *b, uint64_t seed) {
    char *folder = spawn_folder();
    char *source = spawn_text("%s/random.cl", folder), *out = spawn_text("%s/random.img", folder);
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    write_source(source, b, seed);
    struct spawned s =
        spawn(folder, (char *[]){compiler, "--no-cache", "--options=-w", "-o", out, source, NULL});
    if (s.status != 0)
        fail_msg("kernels of seeds %llu to %llu: the compiler's exit status is %d\n%s",
                 (unsigned long long)seed, (unsigned long long)seed + b->count - 1, s.status, s.err);
    b->image = kernel_run_image(out, &b->code);
    spawn_free(&s);
    free(source);
    free(out);
    free(compiler);
    spawn_remove_folder(folder);
}

static void set_arguments(const struct batch *b, struct subject *s) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    assert_non_null(k);
    assert_int_equal(k->argument_count, 8);
    assert_true(k->argument_block_bytes <= ARGUMENT_BYTES);
    const uint32_t tile = MEMORY_LOCAL_BASE + b->image->local_bytes;
    const void *values[8] = {&parts[0].base, &parts[1].base, &parts[2].base, &parts[3].base,
                             &tile,          &s->kernel.pa,  &s->kernel.pb,  &s->kernel.pc};
    for (unsigned i = 0; i < 8; i++) memcpy(s->arguments + k->arguments[i].offset, values[i], 4);
}

/* --- running them --- */

/* A machine whose sizes and policies follow from the kernel's seed; `mode`: settings, with spaces between. */
static struct machine *make_machine(struct subject *s, const char *mode) {
    static const char *const choices[SETTINGS][5] = {
        {"simt.warp_size=32", "simt.warp_size=4", "simt.warp_size=8", "simt.warp_size=16",
         "simt.warp_size=64"},
        {"cluster.lanes=4", "cluster.lanes=1", "cluster.lanes=2", "cluster.lanes=8", "cluster.lanes=16"},
        {"simt.pc_policy=ics_first", "simt.pc_policy=ics_first", "simt.pc_policy=min_pc",
         "simt.pc_policy=first_ready", "simt.pc_policy=ics_first"},
        {"simt.lane_map=block", "simt.lane_map=cyclic", "simt.lane_map=block", "simt.lane_map=cyclic",
         "simt.lane_map=block"},
        {"simt.priority_levels=8", "simt.priority_levels=1", "simt.priority_levels=16",
         "simt.priority_levels=8", "simt.priority_levels=4"}};
    struct seed random = {s->seed ^ 0xc0ffee};
    for (;;) {
        struct machine_config config;
        struct error e = {0};
        config_defaults(&machine_config_table, &config);
        char settings[160], *rest = settings;
        snprintf(settings, sizeof settings, "%s", mode);
        for (char *word; (word = strsep(&rest, " ")) != NULL;)
            if (!config_set(&machine_config_table, &config, word, &e)) fail_msg("%s", e.message);
        for (unsigned i = 0; i < SETTINGS; i++) {
            const char *setting = choices[i][seed_below(&random, 5)];
            snprintf(s->settings[i], sizeof s->settings[i], "%s", setting);
            if (!config_set(&machine_config_table, &config, setting, &e)) fail_msg("%s", e.message);
        }
        struct machine *m = machine_create(&config, &e);
        if (m) machine_set_check_uniform(m, true);
        if (m && machine_max_work_group(&config) >= s->kernel.group_items) return m;
        if (m) machine_destroy(m);
    }
}

static struct machine_launch launch_of(const struct batch *b, const struct subject *s) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    struct machine_launch l = {.kernel = s->kernel.name,
                               .code = &b->code,
                               .thunk = k->thunk,
                               .twin = k->twin,
                               .twin_stack_bytes = k->twin_stack_bytes,
                               .twin_item_bytes = k->twin_item_bytes,
                               .argument_block = ARGUMENTS,
                               .work_dim = s->kernel.work_dim,
                               .stack_bytes = k->stack_bytes,
                               .local_bytes = b->image->local_bytes + 4 * s->kernel.group_items};
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    return l;
}

static void run_on_machine(const struct batch *b, struct subject *s, const char *mode, struct contents *c) {
    struct machine *m = make_machine(s, mode);
    struct memory *memory = machine_memory(m);
    *c = s->before;
    memory_add(memory, MEMORY_CODE, b->image->code_base, b->image->code_bytes, b->image->code, false, "code");
    memory_add(memory, MEMORY_LAUNCH, ARGUMENTS, sizeof s->arguments, s->arguments, false, "arguments");
    for (unsigned n = 0; n < PARTS; n++)
        memory_add(memory, MEMORY_BUFFER, parts[n].base, (uint32_t)parts[n].size_bytes, part_of(c, n), true,
                   parts[n].name);
    const struct machine_launch l = launch_of(b, s);
    struct machine_result r;
    struct error e = {0};
    if (!machine_run(m, &l, &r, &e)) {
        print_source(s);
        fail_msg("%s: %s", mode, e.message);
    }
    machine_destroy(m);
}

static void give_to_oracle(struct oracle *o, const struct batch *b, struct subject *s, bool twin) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    struct oracle_launch l = {.entry = twin ? k->twin : k->thunk,
                              .argument_block = ARGUMENTS,
                              .whole_groups = twin,
                              .work_dim = s->kernel.work_dim};
    snprintf(l.kernel, sizeof l.kernel, "seed %llu", (unsigned long long)s->seed);
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    oracle_memory(o, ARGUMENTS, s->arguments, sizeof s->arguments);
    for (unsigned n = 0; n < PARTS; n++)
        oracle_memory(o, parts[n].base, part_of(&s->before, n), (uint32_t)parts[n].size_bytes);
    oracle_launch(o, &l);
    for (unsigned n = 0; n < PARTS; n++) oracle_result(o, parts[n].base, (uint32_t)parts[n].size_bytes);
}

static bool same(struct subject *s, struct contents *other, const char *where, bool say) {
    for (unsigned n = 0; n < PARTS; n++)
        for (size_t i = 0; i < parts[n].size_bytes / 4; i++) {
            uint32_t here, there;
            memcpy(&here, part_of(&s->after, n) + 4 * i, 4);
            memcpy(&there, part_of(other, n) + 4 * i, 4);
            if (here == there) continue;
            if (!say) return false;
            print_source(s);
            print_error("%s[%zu] is %#010x in SIMT mode, %#010x %s\n", parts[n].name, i, here, there, where);
            return false;
        }
    return true;
}

static struct batch *make_batch(uint64_t seed, unsigned count) {
    struct batch *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->count = count;
    compile(b, seed);
    for (unsigned i = 0; i < count; i++) {
        set_arguments(b, &b->subject[i]);
        run_on_machine(b, &b->subject[i], "mode=simt", &b->subject[i].after);
    }
    return b;
}

static void free_batch(struct batch *b) {
    machine_code_free(&b->code);
    image_free(b->image);
    free(b);
}

/* Kernels of the batch that leave other memory under the oracle, which runs their work-items or, twin, their
 * twins for whole work-groups. */
static unsigned oracle_differences(struct batch *b, bool twin, bool say) {
    struct oracle o;
    unsigned different = 0;
    oracle_start(&o);
    oracle_memory(&o, b->image->code_base, b->image->code, b->image->code_bytes);
    for (unsigned i = 0; i < b->count; i++) give_to_oracle(&o, b, &b->subject[i], twin);
    char *said = oracle_finish(&o);
    if (said) fail_msg("%s", said);
    for (unsigned i = 0; i < b->count; i++) {
        struct contents c = b->subject[i].before;
        for (unsigned n = 0; n < PARTS; n++) oracle_read(&o, part_of(&c, n), (uint32_t)parts[n].size_bytes);
        different += !same(&b->subject[i], &c, twin ? "from the twin under qemu-arm" : "under qemu-arm", say);
    }
    oracle_end(&o);
    return different;
}

/* Kernels of the batch that leave other memory in MIMD mode. */
static unsigned mode_differences(struct batch *b) {
    unsigned different = 0;
    for (unsigned i = 0; i < b->count; i++) {
        struct contents c;
        run_on_machine(b, &b->subject[i], "mode=mimd", &c);
        different += !same(&b->subject[i], &c, "in MIMD mode", true);
    }
    return different;
}

/* Likewise on the same SIMT machine with each way to treat uniform values, each checked as it runs. */
static unsigned uniform_differences(struct batch *b) {
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
            struct contents c;
            run_on_machine(b, &b->subject[i], ways[w], &c);
            different += !same(&b->subject[i], &c, ways[w], true);
        }
    return different;
}

/* --- tests --- */

struct tally {
    unsigned kernels, idle, barriers, replicated;
    unsigned long long items;
};

static void count(struct tally *t, const struct batch *b) {
    for (unsigned i = 0; i < b->count; i++) {
        const struct subject *s = &b->subject[i];
        const struct image_kernel *k = image_find(b->image, s->kernel.name);
        t->kernels++;
        t->items += s->kernel.items;
        t->idle += memcmp(s->before.out, s->after.out, sizeof s->after.out) == 0;
        t->barriers += k->barriers;
        t->replicated += k->replicated;
    }
}

static unsigned kernels_to_take(void) {
    const char *number = getenv("LOCKSTEP_KERNELS");
    if (number) return (unsigned)strtoul(number, NULL, 10);
    return getenv("LOCKSTEP_LONG") ? ALL_KERNELS : SOME_KERNELS;
}

static void modes_and_oracle_agree(void **state) {
    (void)state;
    const struct seed seed = seed_start();
    const unsigned all = kernels_to_take();
    struct tally t = {0};
    while (t.kernels < all) {
        struct batch *b =
            make_batch(seed.state + t.kernels, all - t.kernels < BATCH ? all - t.kernels : BATCH);
        const unsigned different = oracle_differences(b, false, true) + oracle_differences(b, true, true) +
                                   mode_differences(b) + uniform_differences(b);
        if (different != 0) fail_msg("memory differs: see above");
        count(&t, b);
        free_batch(b);
    }
    print_message("%u kernels, seeds %llu to %llu: equal memory in SIMT, in MIMD, under qemu-arm\n", all,
                  (unsigned long long)seed.state, (unsigned long long)seed.state + all - 1);
    print_message("%llu work-items, %u barriers, %u replicated values; %u kernels return at once\n", t.items,
                  t.barriers, t.replicated, t.idle);
    if (all >= SOME_KERNELS) assert_true(t.idle * 8 < all);
    if (all >= SOME_KERNELS) assert_true(t.barriers > all && t.replicated > all);
}

/* The comparison itself: with one bit of the input turned round, most kernels leave other memory. */
static void a_changed_input_is_seen(void **state) {
    (void)state;
    struct batch *b = make_batch(1, 4);
    for (unsigned i = 0; i < b->count; i++) b->subject[i].before.in[i] ^= 1u << 31;
    assert_int_equal(oracle_differences(b, false, false), 4);
    assert_int_equal(oracle_differences(b, true, false), 4);
    free_batch(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_and_oracle_agree),
        cmocka_unit_test(a_changed_input_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
