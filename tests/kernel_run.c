#include "tests/kernel_run.h"

#include "runtime/image_code.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct image *kernel_run_image(const char *path, struct machine_code *code) {
    struct error e = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const size_t size = (size_t)ftell(f);
    void *bytes = malloc(size);
    rewind(f);
    assert_int_equal(fread(bytes, 1, size, f), size);
    fclose(f);
    struct image *image = image_load(bytes, size, &e);
    free(bytes);
    if (!image) fail_msg("%s", e.message);
    image_code(image, code);
    code->callers = NULL;
    return image;
}

void kernel_run_open_for(struct kernel_run *r, const char *source_path, const char *options, char *option) {
    char *folder = spawn_folder(), *out = spawn_text("%s/out.img", folder);
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *build = spawn_text("--options=%s", options);
    struct spawned s = spawn(
        folder, (char *[]){compiler, "--no-cache", build, "-o", out, (char *)source_path, option, NULL});
    if (s.status != 0) fail_msg("%s: the compiler's exit status is %d\n%s", source_path, s.status, s.err);
    *r = (struct kernel_run){0};
    r->image = kernel_run_image(out, &r->code);
    spawn_free(&s);
    free(out);
    free(compiler);
    free(build);
    spawn_remove_folder(folder);
}

void kernel_run_open(struct kernel_run *r, const char *source_path, const char *options) {
    kernel_run_open_for(r, source_path, options, NULL);
}

void kernel_run_close(struct kernel_run *r) {
    machine_code_free(&r->code);
    image_free(r->image);
}

static const struct image_kernel *set_arguments(struct kernel_run *r, const struct kernel_run_work *w) {
    const struct image_kernel *k = image_find(r->image, w->kernel);
    if (!k) fail_msg("no kernel '%s'", w->kernel);
    const uint32_t base = KERNEL_RUN_BASE;
    assert_true(k->argument_count >= 1 && k->argument_count <= 5);
    memcpy(r->arguments, &base, sizeof base);
    for (size_t i = 1; i < k->argument_count; i++)
        memcpy(r->arguments + k->arguments[i].offset, &w->numbers[i - 1], sizeof(int32_t));
    return k;
}

static struct machine *make_machine(const struct kernel_run_work *w, const char *const *settings) {
    struct machine_config config;
    struct error e = {0};
    config_defaults(&machine_config_table, &config);
    if (w->machine) {
        char *path = spawn_text("%s/configs/%s.yaml", spawn_source(), w->machine);
        if (!config_read(&machine_config_table, &config, path, &e)) fail_msg("%s", e.message);
        free(path);
    }
    for (size_t i = 0; settings[i]; i++)
        if (!config_set(&machine_config_table, &config, settings[i], &e)) fail_msg("%s", e.message);
    struct machine *m = machine_create(&config, &e);
    if (!m) fail_msg("%s", e.message);
    machine_set_check_levels(m, w->check_levels);
    machine_set_max_cycles(m, 100000000);
    return m;
}

static struct kernel_run_figures figures_of(struct machine *m, const struct machine_result *result) {
    const struct counter_registry *r = machine_counters(m);
    uint64_t *values = calloc(counter_cells(r), sizeof *values);
    assert_non_null(values);
    counter_snapshot(r, values);
    const struct kernel_run_figures f = {.cycles = result->cycles,
                                         .warp_instructions = counter_sum(r, values, "", "warp_instructions"),
                                         .thread_instructions =
                                             counter_sum(r, values, "", "thread_instructions")};
    free(values);
    return f;
}

bool kernel_run_measured(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                         uint32_t *buffer, uint32_t words, struct kernel_run_figures *figures,
                         struct error *e) {
    const struct image_kernel *k = set_arguments(r, w);
    struct machine *m = make_machine(w, settings);
    struct memory *memory = machine_memory(m);
    memory_add(memory, MEMORY_CODE, r->image->code_base, r->image->code_bytes, r->image->code, false, "code");
    memory_add(memory, MEMORY_LAUNCH, KERNEL_RUN_ARGUMENTS, sizeof r->arguments, r->arguments, false,
               "arguments");
    memory_add(memory, MEMORY_BUFFER, KERNEL_RUN_BASE, words * 4, (uint8_t *)buffer, true, "buffer");
    const struct image_kernel *scalar = *k->scalar ? image_find(r->image, k->scalar) : NULL;
    const struct machine_launch l = {.kernel = w->kernel,
                                     .scalar_kernel = scalar ? scalar->name : NULL,
                                     .scalar_thunk = scalar ? scalar->thunk : 0,
                                     .scalar_registers = scalar ? scalar->registers : 0,
                                     .prefetches = scalar && scalar->prefetches != 0,
                                     .registers = k->registers,
                                     .vectors = k->vector_registers,
                                     .scalars = k->scalar_registers,
                                     .code = &r->code,
                                     .thunk = k->thunk,
                                     .twin = k->twin,
                                     .twin_stack_bytes = k->twin_stack_bytes,
                                     .twin_item_bytes = k->twin_item_bytes,
                                     .argument_block = KERNEL_RUN_ARGUMENTS,
                                     .work_dim = 1,
                                     .stack_bytes = k->stack_bytes,
                                     .local_bytes = r->image->local_bytes,
                                     .global_size = {w->items, 1, 1},
                                     .local_size = {w->group, 1, 1}};
    struct machine_result result;
    if (w->begin) w->begin(m);
    const bool whole = machine_run(m, &l, &result, e);
    if (w->end) w->end(e);
    *figures = figures_of(m, &result);
    machine_destroy(m);
    return whole;
}

bool kernel_run_machine(struct kernel_run *r, const struct kernel_run_work *w, const char *const *settings,
                        uint32_t *buffer, uint32_t words, struct error *e) {
    struct kernel_run_figures figures;
    return kernel_run_measured(r, w, settings, buffer, words, &figures, e);
}

void kernel_run_oracle(struct kernel_run *r, const struct kernel_run_work *w, struct oracle *o, bool twin,
                       const uint32_t *buffer, uint32_t words) {
    const struct image_kernel *k = set_arguments(r, w);
    struct oracle_launch l = {.entry = twin ? k->twin : k->thunk,
                              .argument_block = KERNEL_RUN_ARGUMENTS,
                              .whole_groups = twin,
                              .work_dim = 1,
                              .global_size = {w->items, 1, 1},
                              .local_size = {w->group, 1, 1}};
    snprintf(l.kernel, sizeof l.kernel, "%s", w->kernel);
    oracle_memory(o, r->image->code_base, r->image->code, r->image->code_bytes);
    oracle_memory(o, KERNEL_RUN_ARGUMENTS, r->arguments, sizeof r->arguments);
    oracle_memory(o, KERNEL_RUN_BASE, buffer, words * 4);
    oracle_launch(o, &l);
    oracle_result(o, KERNEL_RUN_BASE, words * 4);
}
