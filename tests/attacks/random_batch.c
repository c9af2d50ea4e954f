#include "tests/attacks/random_batch.h"

#include "model/machine/sms.h"
#include "tests/kernel_run.h"
#include "tests/attacks/random_machine.h"
#include "tests/spawn.h"

#include <string.h>

enum { MOST_STACK_BYTES = 16384 }; /* limit for a kernel */

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

/* --- construction --- */

static void fill(struct random_subject *s) {
    struct seed random = seed_of(s->seed ^ 0x5eed);
    memset(&s->before, 0, sizeof s->before);
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        for (size_t i = 0; i < random_parts[n].size_bytes / 4; i++) {
            const uint64_t word = seed_next(&random);
            const uint32_t value = (uint32_t)word >> (word >> 60 < 8 ? 0 : 24); /* half of the values
                                                                                 * are small */
            memcpy(random_part_of(&s->before, n) + 4 * i, &value, sizeof value);
        }
}

static void write_source(struct random_batch *b, uint64_t seed) {
    size_t size;
    FILE *f = open_memstream(&b->source, &size);
    assert_non_null(f);
    random_kernel_begin(f);
    for (unsigned i = 0; i < b->count; i++) {
        b->subject[i].seed = seed + i;
        random_kernel(f, seed + i, i, &b->subject[i].kernel);
        fill(&b->subject[i]);
    }
    assert_int_equal(fclose(f), 0);
}

static void print_source(const struct random_subject *s) {
    struct random_kernel k;
    fflush(stdout);
    random_kernel_begin(stderr);
    random_kernel(stderr, s->seed, 0, &k);
    random_machine_print(&s->config, stderr);
    fprintf(stderr, "\nrepeat with SEED=%llu LOCKSTEP_KERNELS=1\n", (unsigned long long)s->seed);
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

/* Compiles the batch with one of the compiler's options. */
static void compile(struct random_batch *b, char *option, char *more) {
    char *folder = spawn_folder();
    char *source = spawn_text("%s/random.cl", folder), *out = spawn_text("%s/random.img", folder);
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    spawn_write(source, b->source);
    spawn_limit_seconds = 900; /* limit for RANDOM_BATCH kernels on a busy machine */
    struct spawned s = spawn(
        folder, (char *[]){compiler, "--no-cache", "--options=-w", option, "-o", out, source, more, NULL});
    if (s.status != 0)
        fail_msg("kernels of seeds %llu to %llu: the compiler's exit status is %d\n%s",
                 (unsigned long long)b->subject[0].seed, (unsigned long long)b->subject[b->count - 1].seed,
                 s.status, s.err);
    b->image = kernel_run_image(out, &b->code);
    for (unsigned i = 0; i < b->count; i++) set_arguments(b, &b->subject[i]);
    spawn_free(&s);
    free(source);
    free(out);
    free(compiler);
    spawn_remove_folder(folder);
}

/* --- runs --- */

/* Chooses sizes and policies of ordinary machines, in every combination. */
static void ordinary_machine(struct seed *random, struct machine_config *c) {
    static const uint32_t levels[] = {8, 1, 16, 8, 4};
    config_defaults(&machine_config_table, c);
    c->simt.warp_size = 4u << seed_below(random, 5);
    c->cluster.lanes = 1u << seed_below(random, 5);
    c->simt.pc_policy = seed_below(random, 5) < 3 ? PC_ICS_FIRST
                        : seed_below(random, 2)   ? PC_MIN_PC
                                                  : PC_FIRST_READY;
    c->simt.lane_map = seed_below(random, 3);
    c->simt.mitigation = c->simt.warp_size > c->cluster.lanes ? seed_below(random, 3) : MITIGATION_NONE;
    if (c->simt.mitigation == MITIGATION_SLP) c->simt.slp = seed_below(random, 2);
    if (c->simt.pc_policy == PC_ICS_FIRST && seed_below(random, 3) == 0) c->simt.mitigation = MITIGATION_DPE;
    if (seed_below(random, 5) == 0) c->simt.mitigation = MITIGATION_ALT;
    if (c->simt.mitigation >= MITIGATION_DPE) c->simt.slp = SLP_OWN;
    c->simt.priority_levels = levels[seed_below(random, 5)];
}

/* Returns whether the configuration has room for the stack of each thread, which may be larger than its field
 * says. */
static bool has_room(const struct machine_config *c) {
    const uint64_t threads = (uint64_t)c->cluster.count * c->cluster.lanes * c->cluster.threads_per_lane;
    return threads * MOST_STACK_BYTES <= MEMORY_BUFFER_BASE - MEMORY_STACK_BASE;
}

static void set_all(struct machine_config *c, const char *settings) {
    char words[320], *rest = words;
    struct error e = {0};
    snprintf(words, sizeof words, "%s", settings);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (!config_set(&machine_config_table, c, word, &e)) fail_msg("%s", e.message);
}

/* Builds a machine that depends on the kernel's seed and can run its work-groups; every second one has random
 * fields of all kinds (random_machine.h). `mode`: settings, separated by blanks. */
static struct machine *make_machine(struct random_subject *s, const char *mode) {
    struct seed random = seed_of(s->seed ^ 0xc0ffee);
    const bool strange = seed_below(&random, 2);
    for (;;) {
        struct error e = {0};
        if (strange)
            random_machine_valid(&random, &s->config);
        else
            ordinary_machine(&random, &s->config);
        set_all(&s->config, mode);
        if (!has_room(&s->config)) continue;
        struct machine *m = machine_create(&s->config, &e);
        if (m) machine_set_check_uniform(m, true);
        if (m && machine_max_work_group(&s->config) >= s->kernel.group_items) return m;
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
                               .vectors = k->vector_registers,
                               .scalars = k->scalar_registers,
                               .local_bytes = b->image->local_bytes + 4 * s->kernel.group_items};
    memcpy(l.global_size, s->kernel.global_size, sizeof l.global_size);
    memcpy(l.local_size, s->kernel.local_size, sizeof l.local_size);
    memcpy(l.global_offset, s->kernel.global_offset, sizeof l.global_offset);
    const struct image_kernel *scalar = *k->scalar ? image_find(b->image, k->scalar) : NULL;
    if (scalar) {
        l.scalar_kernel = scalar->name;
        l.scalar_thunk = scalar->thunk;
        l.scalar_registers = scalar->registers;
        l.prefetches = scalar->prefetches != 0;
    }
    return l;
}

static uint64_t scalar_instructions(struct machine *m) {
    const struct machine_config *c = machine_configuration(m);
    uint64_t sum = 0;
    for (unsigned n = 0; c->contexts == CONTEXTS_VRF && n < c->cluster.count; ++n)
        sum += ((const struct sm *)machine_unit(m, n))->lanes.scalar_instructions;
    return sum;
}

/* Runs a kernel. `where` is used in messages. */
static void run(const struct random_batch *b, struct random_subject *s, struct machine *m, const char *where,
                struct random_contents *c) {
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
        fail_msg("%s: %s", where, e.message);
    }
    s->scalar_instructions = scalar_instructions(m);
    s->cycles = machine_cycle(m);
    machine_destroy(m);
}

void random_batch_run(const struct random_batch *b, struct random_subject *s, const char *mode,
                      struct random_contents *c) {
    run(b, s, make_machine(s, mode), mode, c);
}

void random_batch_run_on(const struct random_batch *b, struct random_subject *s,
                         const struct machine_config *config, bool checks, const char *where,
                         struct random_contents *c) {
    struct error e = {0};
    s->config = *config;
    struct machine *m = machine_create(config, &e);
    if (!m) fail_msg("%s: %s", where, e.message);
    machine_set_check_places(m, checks);
    machine_set_exact_steps(m, s->exact);
    machine_set_check_scalar(m, config->kernel.scalarize != SCALARIZE_OFF);
    machine_set_check_uniform(m, true);
    run(b, s, m, where, c);
}

bool random_batch_same(struct random_subject *s, struct random_contents *other, const char *where, bool say) {
    for (unsigned n = 0; n < RANDOM_PARTS; n++)
        for (size_t i = 0; i < random_parts[n].size_bytes / 4; i++) {
            uint32_t here, there;
            memcpy(&here, random_part_of(&s->after, n) + 4 * i, 4);
            memcpy(&there, random_part_of(other, n) + 4 * i, 4);
            if (here == there) continue;
            s->differs = true;
            if (!say) return false;
            print_source(s);
            print_error("%s[%zu] is %#010x in SIMT mode, %#010x %s\n", random_parts[n].name, i, here, there,
                        where);
            return false;
        }
    return true;
}

struct random_batch *random_batch_make(uint64_t seed, unsigned count) {
    struct random_batch *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->count = count;
    write_source(b, seed);
    compile(b, "--coalescing=modern", NULL);
    for (unsigned i = 0; i < count; i++)
        random_batch_run(b, &b->subject[i], "mode=simt", &b->subject[i].after);
    return b;
}

void random_batch_compile_again(struct random_batch *b, char *option, char *more) {
    machine_code_free(&b->code);
    image_free(b->image);
    compile(b, option, more);
}

void random_batch_free(struct random_batch *b) {
    free(b->source);
    machine_code_free(&b->code);
    image_free(b->image);
    free(b);
}
