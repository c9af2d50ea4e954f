#include "lockstep/run/run_record.h"
#include "model/config/core_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void run_record_init(struct run_record *r, struct machine *m) {
    *r = (struct run_record){.machine = m};
    size_t n = counter_cells(machine_counters(m));
    r->values = calloc(n + 1, sizeof *r->values);
    require_memory(r->values);
    counter_snapshot(machine_counters(m), r->values);
}

void run_record_free(struct run_record *r) {
    for (size_t i = 0; i < r->launch_count; i++) free(r->launches[i].kernel);
    free(r->launches);
    free(r->values);
}

static struct launch_record *append(struct run_record *r) {
    if (r->launch_count == r->launch_capacity) {
        r->launch_capacity = r->launch_capacity ? 2 * r->launch_capacity : 16;
        r->launches = realloc(r->launches, r->launch_capacity * sizeof *r->launches);
        require_memory(r->launches);
    }
    return &r->launches[r->launch_count++];
}

/* Notes the scalar parts of the code. */
static void note_scalars(struct launch_record *l, const struct machine_launch *launch) {
    const struct machine_code *code = launch->code;
    if (!code->scalarized) return;
    l->vectors = launch->vectors;
    l->scalars = launch->scalars;
    for (uint32_t n = 0; n < code->text_bytes / 4; n++) {
        const struct machine_scalarized *i = &code->scalarized[n];
        l->code_instructions += i->scalar || i->reads || i->writes;
        l->code_scalars += i->scalar;
    }
}

/* Returns the instructions of the kernel that cores have executed in a launch. A core that is not
 * superscalar issues one in each cycle with cause issue; others count them. */
static uint64_t kernel_instructions(const struct run_record *r, const struct machine_result *result,
                                    uint64_t before) {
    if (!core_kinds[machine_configuration(r->machine)->core.kind]->superscalar)
        return result->cause[MACHINE_CAUSE_ISSUE];
    return run_record_sum(r, "", "kernel_instructions") - before;
}

void run_record_add(struct run_record *r, const struct machine_launch *launch,
                    const struct machine_result *result, bool whole) {
    uint64_t caused = 0;
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) caused += result->cause[c];
    invariant(caused == result->cycles * result->units,
              "the causes of kernel %s add up to %" PRIu64 " cycles, but it took %" PRIu64
              " on each of %u units",
              launch->kernel, caused, result->cycles, result->units);
    uint64_t warp_before = run_record_sum(r, "", "warp_instructions");
    uint64_t thread_before = run_record_sum(r, "", "thread_instructions");
    uint64_t core_before = run_record_sum(r, "", "scalar_instructions");
    uint64_t kernel_before = run_record_sum(r, "", "kernel_instructions");
    uint64_t short_before = run_record_sum(r, "", "barriers_short");
    counter_snapshot(machine_counters(r->machine), r->values);
    struct launch_record *l = append(r);
    *l = (struct launch_record){
        .kernel = strdup(launch->kernel),
        .work_dim = launch->work_dim,
        .whole = whole,
        .result = *result,
        .warp_instructions = run_record_sum(r, "", "warp_instructions") - warp_before,
        .thread_instructions = run_record_sum(r, "", "thread_instructions") - thread_before,
        .core_instructions = run_record_sum(r, "", "scalar_instructions") - core_before,
        .kernel_instructions = kernel_instructions(r, result, kernel_before),
        .barriers_short = run_record_sum(r, "", "barriers_short") - short_before,
    };
    require_memory(l->kernel);
    l->chosen = launch->choice != NULL;
    if (l->chosen) l->choice = *launch->choice;
    note_scalars(l, launch);
    memcpy(l->global_size, launch->global_size, sizeof l->global_size);
    memcpy(l->local_size, launch->local_size, sizeof l->local_size);
}

static bool ends_in(const char *text, const char *suffix) {
    size_t length = strlen(text), suffix_length = strlen(suffix);
    return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

uint64_t run_record_sum(const struct run_record *r, const char *suffix, const char *name) {
    const struct counter_registry *counters = machine_counters(r->machine);
    uint64_t sum = 0;
    for (size_t i = 0; i < counter_count(counters); i++) {
        const struct counter *c = counter_at(counters, i);
        if (c->kind == COUNTER_COUNT && strcmp(c->name, name) == 0 && ends_in(c->scope, suffix))
            sum += r->values[c->cell];
    }
    return sum;
}

struct run_totals run_record_totals(const struct run_record *r) {
    struct run_totals t = {.whole = true,
                           .scheduler_cycles =
                               contexts_kind(machine_configuration(r->machine))->scheduler_cycles};
    bool warps = false;
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct machine_result *l = &r->launches[i].result;
        t.cycles += l->cycles;
        t.unit_cycles += l->cycles * l->units;
        t.core_cycles |= l->mode == MODE_MIMD;
        warps |= l->mode != MODE_MIMD;
        t.time += l->end - l->start;
        t.work_groups += l->work_groups;
        t.work_items += l->work_items;
        t.kernel_instructions += r->launches[i].kernel_instructions;
        t.host_seconds += l->host_seconds;
        t.host_cpu_seconds += l->host_cpu_seconds;
        for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) t.cause[c] += l->cause[c];
        t.whole = t.whole && r->launches[i].whole;
    }
    t.mixed = t.core_cycles && warps;
    return t;
}
