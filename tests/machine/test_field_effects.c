/*
 * The needs of every field (config_field.needs) against runs. On machines of each kind, a field that
 * config_matters() refuses changes no cycle, counter or word of memory of a kernel; a field that it takes
 * changes one. Every fourth machine; LOCKSTEP_LONG=1 (`make test-long`): all.
 */
#include "tests/kernel_run.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 480, GROUP = 48, ROUNDS = 12, WORDS = 8192, MOST_SETTINGS = 40, MOST_VALUES = 8 };

#define GPU                                                                                                  \
    "contexts=vrf simt.lane_map=cyclic cluster.lanes=8 cluster.threads=256 cluster.groups=8 vrf.banks=8 "    \
    "vrf.registers=5120 simt.divergence=sbr cluster.local_memory=1024 local.bytes=2048 dram.channels=2 "     \
    "l1i.size=2048 l2.size=4096 constant.size=1024 "
#define BARREL GPU "simt.issue=barrel cluster.ldst_lanes=8 cluster.sfu_lanes=0 vrf.banks=0 "

/* option: of the compiler, for the machine's code; every fourth machine is in the short form. */
static const struct {
    const char *settings;
    char *option;
} machines[] = {
    {"l1i.size=2048", NULL},
    {"cluster.count=2", NULL},
    {"simt.pc_policy=min_pc simt.scheduler=two_level", "--priorities=off"},
    {"simt.mitigation=skip", NULL},
    {"simt.mitigation=slp simt.slp=any", NULL},
    {"mode=mimd l1i.size=2048", NULL},
    {"mode=mimd cluster.count=2 mem.page_walk=memory core.hit_under_miss=2", NULL},
    {"mode=mimd core.kind=in_order l1i.size=2048", NULL},
    {"mode=mimd core.kind=out_of_order core.issue_width=3", NULL},
    {"simt.mitigation=dpe", NULL},
    {"simt.mitigation=alt", NULL},
    {GPU "scalar.mode=own scalar.registers=96", "--scalar=prefetch"},
    {BARREL "simt.divergence=harp scalar.mode=own scalar.registers=96", "--scalar=prefetch"},
    {GPU "lanes.kind=temporal vrf.registers=12288 scalar.mode=own scalar.registers=96", "--scalar=prefetch"},
    {GPU, NULL},
    {GPU "cluster.count=2 uniform.storage=srf uniform.intra=on uniform.inter=on", NULL},
    {GPU "lanes.kind=temporal vrf.registers=12288", NULL},
    {BARREL "simt.divergence=harp", NULL},
    {GPU "scalar.mode=gcn kernel.scalarize=wide", "--scalarize=wide"},
    {GPU "lanes.scalar_unit=on kernel.scalarize=wide", "--scalarize=wide"},
    {BARREL "scalar.mode=gcn kernel.scalarize=wide", "--scalarize=wide"},
    {BARREL, NULL},
    {BARREL "simt.divergence=pc simt.pc_policy=min_pc", NULL},
    {BARREL "simt.divergence=lwm", NULL},
    {BARREL "simt.divergence=dwf", NULL},
    {BARREL "simt.divergence=oracle", NULL},
    {BARREL "simt.divergence=tbc", NULL},
    {BARREL "uniform.storage=token uniform.intra=on uniform.inter=on", NULL},
    {"uniform.storage=token uniform.intra=on", NULL},
    {"simt.multi_issue=warps simt.issue_width=3 simt.collectors=6 tpm.read_ports=2", NULL},
    {"simt.multi_issue=rounds l1i.size=2048", NULL},
    {"simt.divergence=sbr", "--priorities=off"},
    {"uniform.storage=srf uniform.inter=on", NULL},
    {BARREL "simt.divergence=pc simt.mitigation=dpe", NULL},
    {"simt.divergence=lwm lwm.threads=32", "--priorities=off"},
    {"simt.divergence=harp", "--priorities=off"},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Fields without an effect on this kernel: on machines whose settings contain `where`, on all if it is "". */
static const struct {
    const char *field, *where;
} silent[] = {
    /* Read by the driver or the compiler, not by the machine. */
    {"host.bandwidth", ""},
    {"host.latency", ""},
    {"cluster.local_memory", ""},
    {"cluster.stack_size", ""},
    {"cluster.isa", ""},
    {"kernel.ids", ""},
    {"kernel.math", ""},
    {"simt.startup", ""},
    {"kernel.scalar", ""},
    {"kernel.scalarize", ""},
    {"mimd.coalescing", ""},
    {"simt.priority_operations", ""},
    /* Limits, stalls and tables that the kernel does not reach. */
    {"cluster.threads_per_lane", ""},
    {"simt.warp_size", "mode=mimd"},
    {"simt.livelock_cycles", "vrf"},
    {"mem.walkers", ""},
    {"mem.exclusive_hold", ""},
    {"mem.exclusive_livelock", ""},
    {"mem.itlb_entries", ""},
    {"l2.banks", "out_of_order"},
    {"l2.ports", "out_of_order"},
    {"l1i.ways", ""},
    {"l1i.replacement", ""},
    {"l2.replacement", ""},
    {"mem.tlb_replacement", ""},
    {"l1i.mshrs", "vrf"},
    {"l1i.merges", "barrel"},
    {"simt.queue_entries", "barrel"},
    {"simt.queue_entries", "min_pc"},
    {"simt.queue_entries", "simt.divergence=sbr"},
    {"simt.queue_entries", "alt"},
    {"simt.priority_levels", "min_pc"},
    {"simt.compaction", "barrel"},
    {"scalar.registers", "scalar.mode"},
    {"scalar.share_groups", "scalar.mode"},
    {"lanes.scalar_registers", "scalar_unit"},
    {"lanes.free_on_warp_exit", "lanes.kind"},
    {"lanes.exact_allocation", "lanes.kind"},
    {"vrf.registers", "lanes.kind"},
    {"vrf.allocation_unit", "lanes.kind"},
    {"vrf.allocation_unit", "scalarize"},
    {"lanes.free_on_warp_exit", "vrf.banks=0 scalar.mode=gcn"},
    /* Work-groups have two warps here. */
    {"simt.issue_width", "simt.multi_issue"},
    /* Results of several warps seldom come in one cycle: the write ports are what they wait for. */
    {"core.commit_width", "simt.multi_issue"},
    /* One scheduler sends one instruction in a cycle, which one unit takes. */
    {"scalar.units", "vrf.banks=0 scalar.mode=gcn"},
    /* by_kind is warp here, and round refused. */
    {"vrf.bank_map", "scalar.mode"},
    /* by_kind is off here, and on refused. */
    {"lanes.chaining", "uniform"},
    /* Flags that kernels do not read, and instructions that compiled kernels have not, or never wait for. */
    {"arm.cumulative_flags", ""},
    {"latency.hint", ""},
    {"occupancy.hint", ""},
    {"latency.vfp_chained_single", ""},
    {"occupancy.vfp_chained_single", ""},
    {"latency.vfp_chained_double", ""},
    {"occupancy.vfp_chained_double", ""},
    {"latency.load", ""},
    {"latency.store", ""},
    {"latency.load_multiple", ""},
    /* With barrel issue only scalar threads have these, which load ahead and have no such instructions. */
    {"latency.divide", "simt.divergence=harp scalar.mode"},
    {"latency.branch", "simt.divergence=harp scalar.mode"},
    {"latency.store_multiple", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_move", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_add_single", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_add_double", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_multiply_single", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_multiply_double", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_divide_single", "simt.divergence=harp scalar.mode"},
    {"latency.vfp_divide_double", "simt.divergence=harp scalar.mode"},
    {"occupancy.store", "scalar.mode=own"},
    {"occupancy.load_multiple", "scalar.mode=own"},
    {"occupancy.store_multiple", "scalar.mode=own"},
};
enum { SILENT = sizeof silent / sizeof *silent };

/* --- a run --- */

static struct machine *running;
static uint64_t hash;

static void add(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

static void begin(struct machine *m) {
    running = m;
}

/* Counters that have counted nothing are ignored, as if the machine did not have them. */
static void end(struct error *e) {
    const struct counter_registry *r = machine_counters(running);
    const uint64_t cycle = machine_cycle(running);
    const sim_time time = machine_time(running);
    uint64_t *values = calloc(counter_cells(r) + 1, sizeof *values);
    (void)e;
    assert_non_null(values);
    counter_snapshot(r, values);
    for (size_t i = 0; i < counter_count(r); i++) {
        const struct counter *c = counter_at(r, i);
        if (c->kind == COUNTER_RATIO || !values[c->cell]) continue;
        add(c->scope, strlen(c->scope));
        add(c->name, strlen(c->name));
        add(&values[c->cell], sizeof *values);
    }
    add(&cycle, sizeof cycle);
    add(&time, sizeof time);
    free(values);
}

/* Returns a hash of all results of the kernel on a machine. */
static uint64_t run(struct kernel_run *r, const char *settings, const char *assignment) {
    static uint32_t buffer[WORDS];
    const char *list[MOST_SETTINGS] = {0};
    char *words = strdup(settings), *rest = words;
    size_t count = 0;
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word) list[count++] = word;
    list[count] = assignment;
    const struct kernel_run_work w = {
        .kernel = "fields", .items = ITEMS, .group = GROUP, .numbers = {ROUNDS}, .begin = begin, .end = end};
    struct error e = {0};
    for (uint32_t i = 0; i < WORDS; i++) buffer[i] = i * 2654435761u >> 20;
    hash = 0xcbf29ce484222325;
    if (!kernel_run_machine(r, &w, list, buffer, WORDS, &e)) add(e.message, strlen(e.message));
    if (e.status && !assignment) fail_msg("%s: %s", settings, e.message);
    add(buffer, sizeof buffer);
    free(words);
    return hash;
}

/* --- a field --- */

static void configure(struct machine_config *c, const char *settings) {
    char *words = strdup(settings), *rest = words;
    struct error e = {0};
    config_defaults(&machine_config_table, c);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word && !config_set(&machine_config_table, c, word, &e)) fail_msg("%s", e.message);
    if (!config_check(&machine_config_table, c, &e)) fail_msg("%s: %s", settings, e.message);
    free(words);
}

/* Lists values of a field other than the machine's: "FIELD=VALUE" each. */
static unsigned values_of(const struct config_field *f, uint32_t now, char values[MOST_VALUES][64]) {
    unsigned count = 0;
    if (f->type == CONFIG_FLAG) snprintf(values[count++], 64, "%s=%s", f->name, now ? "false" : "true");
    if (f->type == CONFIG_CHOICE)
        for (uint32_t i = 0; f->choices[i]; i++)
            if (i != now) snprintf(values[count++], 64, "%s=%s", f->name, f->choices[i]);
    if (f->type != CONFIG_UNSIGNED) return count;
    const uint64_t numbers[] = {2ull * now, now / 2, f->minimum, f->maximum,
                                now + 1ull, now / 4, 4ull * now, f->minimum + 1ull};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != now && numbers[i] >= f->minimum && numbers[i] <= f->maximum &&
            !(f->power_of_two && (numbers[i] & (numbers[i] - 1))))
            snprintf(values[count++], 64, "%s=%llu", f->name, (unsigned long long)numbers[i]);
    return count;
}

static bool is_silent(const struct config_field *f, unsigned m) {
    for (unsigned i = 0; i < SILENT; i++)
        if (!strcmp(silent[i].field, f->name) && strstr(machines[m].settings, silent[i].where)) return true;
    return false;
}

/* Returns the number of mistakes in a field's needs. `expected`: result of the unchanged machine. */
static unsigned check_field(struct kernel_run *r, unsigned m, const struct machine_config *base,
                            const struct config_field *f, uint64_t expected) {
    char values[MOST_VALUES][64];
    uint32_t now;
    memcpy(&now, (const char *)base + f->offset, sizeof now);
    const unsigned count = values_of(f, now, values);
    bool taken = false, differs = false, refused = false;
    for (unsigned v = 0; v < count && !differs; v++) {
        struct machine_config c = *base;
        struct error e = {0};
        assert_true(config_set(&machine_config_table, &c, values[v], &e));
        if (!config_check(&machine_config_table, &c, &e)) continue;
        const bool matters = config_matters(&machine_config_table, &c, values[v], &e);
        taken |= matters;
        if (!matters && refused) continue;
        refused |= !matters;
        const bool changes = run(r, machines[m].settings, values[v]) != expected;
        differs |= changes && matters;
        if (!changes || matters) continue;
        print_error("%s: %s changes the run, but: %s\n", machines[m].settings, values[v], e.message);
        return 1;
    }
    if (!taken || differs || is_silent(f, m)) return 0;
    print_error("%s: %s is taken, but no value changes the run\n", machines[m].settings, f->name);
    return 1;
}

static unsigned check_machine(unsigned m) {
    struct kernel_run r;
    struct machine_config base;
    unsigned mistakes = 0;
    char *path = spawn_text("%s/tests/kernels/fields.cl", spawn_source());
    kernel_run_open_for(&r, path, "-w", machines[m].option);
    configure(&base, machines[m].settings);
    const uint64_t expected = run(&r, machines[m].settings, NULL);
    for (size_t n = 0; n < machine_config_table.count; n++)
        mistakes += check_field(&r, m, &base, &machine_config_table.fields[n], expected);
    kernel_run_close(&r);
    free(path);
    return mistakes;
}

static void fields_do_something_where_they_are_taken(void **state) {
    (void)state;
    unsigned mistakes = 0;
    for (unsigned m = 0; m < MACHINES; m += getenv("LOCKSTEP_LONG") ? 1 : 4) mistakes += check_machine(m);
    assert_int_equal(mistakes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields_do_something_where_they_are_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
