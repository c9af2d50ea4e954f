#include "tests/random_batch.h"

#include "tests/kernel_run.h"
#include "tests/spawn.h"

#include <string.h>

const struct random_part random_parts[RANDOM_PARTS] = {
#define PART(n, name)                                                                                        \
    {                                                                                                        \
#name, MEMORY_BUFFER_BASE + n * 0x100000u, offsetof(struct random_contents, name),                   \
            sizeof((struct random_contents *)0)->name                                                        \
    }
    PART(0, out), PART(1, in), PART(2, mid), PART(3, counters)};

uint8_t *random_part_of(struct random_contents *c, unsigned part) {
    return (uint8_t *)c + random_parts[part].offset;
}

/* --- making them --- */

static void fill(struct random_subject *s) {
    struct seed random = {s->seed ^ 0x5eed};
    memset(&s->before, 0, sizeof s->before);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        for (size_t i = 0; i < random_parts[n].size_bytes / 4; i++) {
            const uint64_t word = seed_next(&random);
            const uint32_t value = (uint32_t)word >> (word >> 60 < 8 ? 0 : 24); /* half of them small */
            memcpy(random_part_of(&s->before, n) + 4 * i, &value, sizeof value);
        }
}

static void write_source(const char *path, struct random_batch *b, uint64_t seed) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    random_kernel_begin(f);
    for (unsigned i = 0; i < b->count; i++) {
        b->subject[i].seed = seed + i;
        random_kernel(f, seed + i, b->subject[i].barriers, i, &b->subject[i].kernel);
        fill(&b->subject[i]);
    }
    assert_int_equal(fclose(f), 0);
}

static void print_source(const struct random_subject *s) {
    struct random_kernel k;
    fflush(stdout);
    random_kernel_begin(stderr);
    random_kernel(stderr, s->seed, s->barriers, 0, &k);
    for (unsigned i = 0; i < RANDOM_SETTINGS; i++) fprintf(stderr, "--set %s ", s->settings[i]);
    fprintf(stderr, "\nrepeat with SEED=%llu LOCKSTEP_KERNELS=1\n", (unsigned long long)s->seed);
}

static void compile(struct random_batch *b, uint64_t seed) {
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
    b->source = spawn_read(source);
    spawn_free(&s);
    free(source);
    free(out);
    free(compiler);
    spawn_remove_folder(folder);
}

static void set_arguments(const struct random_batch *b, struct random_subject *s) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    assert_non_null(k);
    assert_int_equal(k->argument_count, 8);
    assert_true(k->argument_block_bytes <= RANDOM_ARGUMENT_BYTES);
    const uint32_t tile = MEMORY_LOCAL_BASE + b->image->local_bytes;
    const void *values[8] = {
        &random_parts[0].base, &random_parts[1].base, &random_parts[2].base, &random_parts[3].base, &tile,
        &s->kernel.pa,         &s->kernel.pb,         &s->kernel.pc};
    for (unsigned i = 0; i < 8; i++) memcpy(s->arguments + k->arguments[i].offset, values[i], 4);
}

/* --- running them --- */

/* A machine whose sizes and policies follow from the kernel's seed; `mode`: settings, with spaces between. */
static struct machine *make_machine(struct random_subject *s, const char *mode) {
    static const char *const choices[RANDOM_SETTINGS][5] = {
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
        for (unsigned i = 0; i < RANDOM_SETTINGS; i++) {
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

static struct machine_launch launch_of(const struct random_batch *b, const struct random_subject *s) {
    const struct image_kernel *k = image_find(b->image, s->kernel.name);
    struct machine_launch l = {.kernel = s->kernel.name,
                               .code = &b->code,
                               .thunk = k->thunk,
                               .twin = k->twin,
                               .twin_stack_bytes = k->twin_stack_bytes,
                               .twin_item_bytes = k->twin_item_bytes,
                               .argument_block = RANDOM_ARGUMENTS,
                               .work_dim = s->kernel.work_dim,
                               .stack_bytes = k->stack_bytes,
                               .local_bytes = b->image->local_bytes + 4 * s->kernel.group_items};
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    return l;
}

void random_batch_run(const struct random_batch *b, struct random_subject *s, const char *mode,
                      struct random_contents *c) {
    struct machine *m = make_machine(s, mode);
    struct memory *memory = machine_memory(m);
    *c = s->before;
    memory_add(memory, MEMORY_CODE, b->image->code_base, b->image->code_bytes, b->image->code, false, "code");
    memory_add(memory, MEMORY_LAUNCH, RANDOM_ARGUMENTS, sizeof s->arguments, s->arguments, false,
               "arguments");
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        memory_add(memory, MEMORY_BUFFER, random_parts[n].base, (uint32_t)random_parts[n].size_bytes,
                   random_part_of(c, n), true, random_parts[n].name);
    const struct machine_launch l = launch_of(b, s);
    struct machine_result r;
    struct error e = {0};
    if (!machine_run(m, &l, &r, &e)) {
        print_source(s);
        fail_msg("%s: %s", mode, e.message);
    }
    machine_destroy(m);
}

bool random_batch_same(struct random_subject *s, struct random_contents *other, const char *where, bool say) {
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        for (size_t i = 0; i < random_parts[n].size_bytes / 4; i++) {
            uint32_t here, there;
            memcpy(&here, random_part_of(&s->after, n) + 4 * i, 4);
            memcpy(&there, random_part_of(other, n) + 4 * i, 4);
            if (here == there) continue;
            if (!say) return false;
            print_source(s);
            print_error("%s[%zu] is %#010x in SIMT mode, %#010x %s\n", random_parts[n].name, i, here, there,
                        where);
            return false;
        }
    return true;
}

struct random_batch *random_batch_make(uint64_t seed, enum random_barriers barriers, unsigned count) {
    struct random_batch *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->count = count;
    for (unsigned i = 0; i < count; i++) b->subject[i].barriers = barriers;
    compile(b, seed);
    for (unsigned i = 0; i < count; i++) {
        set_arguments(b, &b->subject[i]);
        random_batch_run(b, &b->subject[i], "mode=simt", &b->subject[i].after);
    }
    return b;
}

void random_batch_free(struct random_batch *b) {
    free(b->source);
    machine_code_free(&b->code);
    image_free(b->image);
    free(b);
}

unsigned random_batch_kernels(unsigned some, unsigned all) {
    const char *number = getenv("LOCKSTEP_KERNELS");
    if (number) return (unsigned)strtoul(number, NULL, 10);
    return getenv("LOCKSTEP_LONG") ? all : some;
}
