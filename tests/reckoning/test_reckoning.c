/*
 * What blocks are told is what is reckoned a second time (reckoning.h), in every cycle of a few small
 * programs on many machines; and machines that are reckoned take as many cycles, and compute the same, as
 * machines at which nobody looks.
 */
#include "tests/kernel_run.h"
#include "tests/reckoning/reckoning.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1024, SETTINGS = 16 };

/* parts: work-items part ways, meet at barriers, have arrays on their stacks, divide, and share a word. some:
 * some of a warp wait at a barrier, the others end, past where they would meet. conditional: instructions say
 * who waits, and who ends. loads: each load depends on the one before; several words at once. beside: with a
 * scalar thread. */
static const char source[] =
    "#ifdef SCALAR\n"
    "#include <lockstep_scalar.h>\n"
    "#endif\n"
    "__attribute__((noinline)) int step(int x, int n) { return (x & 1) ? 3 * x + n : x / 2; }\n"
    "__kernel void parts(__global int *a, int n) {\n"
    "    __local int sum[128];\n"
    "    volatile int mine[4];\n"
    "    int l = get_local_id(0), g = get_global_id(0), x = a[g];\n"
    "    float y = 1;\n"
    "    for (int i = 0; i < 4; i++) mine[i] = x + i;\n"
    "    for (int i = 0; i < l % 5; i++) x = step(x, n) + mine[i & 3];\n"
    "    for (int i = 0; i < 4; i++) { if (x >> i & 1) { if (x & 8) break; x += i; } else x ^= n; }\n"
    "    if (l % 3 == 0) y = sqrt((float)(x & 255)) / (n + 1);\n"
    "    if (l & 2) { if (x == 123456) return; x += (int)y; } else x = x / (n + l);\n"
    "    sum[l] = x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int h = get_local_size(0) / 2; h > 0; h /= 2) {\n"
    "        if (l < h) sum[l] += sum[l + h];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    a[g] = sum[0];\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    if (l % 8 == 0) atomic_add(a + 1000, sum[0]);\n"
    "    a[g] = x + sum[l & 1];\n"
    "}\n"
    "__kernel void some(__global int *a, int n) {\n"
    "    int l = get_local_id(0), g = get_global_id(0);\n"
    "    if (l < 40) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[g] += n + l;\n"
    "}\n"
    "__kernel void conditional(__global int *a, int n) {\n"
    "    int l = get_local_id(0), g = get_global_id(0);\n"
    "    __asm__ volatile(\"cmp %0, #40\\n mcrlt p7, 0, r0, c4, c0, 0\" ::\"r\"(l) : \"cc\", \"memory\");\n"
    "    a[g] += n;\n"
    "    __asm__ volatile(\"cmp %0, #60\\n mcrge p7, 0, r0, c4, c1, 0\" ::\"r\"(l) : \"cc\", \"memory\");\n"
    "    __asm__ volatile(\"cmp %1, #1000\\n addge %0, %0, #1\" : \"+r\"(n) : \"r\"(l) : \"cc\");\n"
    "    __asm__ volatile(\"ldm %1, {r4, r5}\\n sub %0, r4, r5\" : \"=r\"(n) : \"r\"(a + l) : \"r4\", "
    "\"r5\");\n"
    "#ifdef LEVELS\n"
    "    __asm__ volatile(\"mcr p7, 0, r0, c3, c0, 0\\n mcr p7, 0, r0, c3, c0, 0\\n mcr p7, 0, r0, c3, c2, "
    "1\");\n"
    "#endif\n"
    "    a[512 + g] += l * n;\n"
    "}\n"
    "__kernel void loads(__global int *a, int n) {\n"
    "    int g = get_global_id(0), k = g;\n"
    "    long x = 0;\n"
    "    volatile double mine[2] = {g, n};\n"
    "    double y = 0;\n"
    "    for (int i = 0; i < 6; i++) { k = (a[k] + i * 67) & 511; x += a[k] * (long)k; y += mine[i & 1]; }\n"
    "    int4 v = ((__global int4 *)a)[k & 127];\n"
    "    x += v.x + 3 * v.y + 5 * v.z + 7 * v.w + (int)y;\n"
    "    a[512 + (g & 255)] = (int)(x >> 1);\n"
    "}\n"
    "#ifdef SCALAR\n"
    "__kernel void beside(__global int *a, int n) {\n"
    "    __local int s[4];\n"
    "    int l = get_local_id(0), g = get_global_id(0);\n"
    "    if (l < 40) lockstep_sync(1);\n"
    "    a[g] += s[l & 3];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(beside)\n"
    "__kernel void beside_scalar(__global int *a, int n) {\n"
    "    __local int *s = (__local int *)0x40000000;\n"
    "    for (int i = 0; i < 4; i++) s[i] = a[512 + i] / (n + i);\n"
    "    lockstep_sync(1);\n"
    "}\n"
    "#endif\n";

/* Compiled when they are first run. */
static struct program {
    const char *options, *option; /* of the program; of the compiler */
    const char *file;             /* below the sources; NULL: that above */
    bool open;
    struct kernel_run run;
} with_priorities = {.options = "-DLEVELS"}, without = {.options = "", .option = "--priorities=off"},
  scalar = {.options = "-DSCALAR", .option = "--priorities=off"},
  early = {.options = "", .file = "tests/kernels/early_exits.cl"},
  early_without = {.options = "", .option = "--priorities=off", .file = "tests/kernels/early_exits.cl"};

static char *path;

static struct kernel_run *image_of(struct program *i) {
    char option[32], *file = i->file ? spawn_text("%s/%s", spawn_source(), i->file) : strdup(path);
    if (!i->open)
        kernel_run_open_for(&i->run, file, i->options, i->option ? strcpy(option, i->option) : NULL);
    free(file);
    i->open = true;
    return &i->run;
}

static struct reckoning *reckoning;
static bool reckons;
static uint64_t comparisons;

static void begin(struct machine *m) {
    if (reckons) reckoning = reckoning_attach(m);
}

static void end(struct error *e) {
    (void)e;
    if (!reckons) return;
    comparisons = reckoning_comparisons(reckoning);
    reckoning_detach(reckoning);
}

struct run {
    const char *machine, *kernel, *settings;
    uint32_t items, group;
};

/* The launch's cycles. */
static uint64_t execute(const struct run *r, uint32_t buffer[WORDS], struct error *e) {
    const char *settings[SETTINGS + 1] = {NULL};
    const bool gpu = r->machine && strncmp(r->machine, "dual", 4) != 0;
    const bool exits = strchr(r->kernel, '_') != NULL; /* a kernel of early_exits.cl */
    struct program *image = exits                              ? gpu ? &early_without : &early
                            : strcmp(r->kernel, "beside") == 0 ? &scalar
                            : gpu                              ? &without
                                                               : &with_priorities;
    const struct kernel_run_work w = {.machine = r->machine,
                                      .kernel = r->kernel,
                                      .items = r->items,
                                      .group = r->group,
                                      .numbers = {exits ? 2 : 7},
                                      .begin = begin,
                                      .end = end};
    struct kernel_run_figures f;
    char *text =
        spawn_text("%s %s", gpu ? "cluster.count=1" : "cluster.stack_size=256 l1d.size=65536", r->settings);
    unsigned count = 0;
    for (char *s = strtok(text, " "); s && count < SETTINGS; s = strtok(NULL, " ")) settings[count++] = s;
    for (unsigned n = 0; n < WORDS; ++n) buffer[n] = n * n % 97;
    kernel_run_measured(image_of(image), &w, settings, buffer, WORDS, &f, e);
    free(text);
    return f.cycles;
}

static uint64_t run_once(const struct run *r, bool with, uint32_t buffer[WORDS]) {
    struct error e = {0};
    reckons = with;
    const uint64_t cycles = execute(r, buffer, &e);
    if (e.status != EXIT_SOUND) fail_msg("%s %s %s: %s", r->machine, r->kernel, r->settings, e.message);
    return cycles;
}

static void try(const struct run *r) {
    static uint32_t plain[WORDS], reckoned[WORDS];
    const uint64_t cycles = run_once(r, true, reckoned);
    assert_int_equal(run_once(r, false, plain), cycles);
    assert_memory_equal(reckoned, plain, sizeof plain);
    assert_true(comparisons > cycles);
    if (getenv("RECKONING_FIGURES"))
        printf("%-20s %-6s %-40s %8lu cycles %10lu comparisons\n", r->machine ? r->machine : "base",
               r->kernel, r->settings, (unsigned long)cycles, (unsigned long)comparisons);
}

static void test_base_machine(void **state) {
    (void)state;
    static const struct run runs[] = {
        {NULL, "parts", "", 256, 128},
        {NULL, "parts", "simt.scheduler=two_level simt.pc_policy=min_pc", 256, 128},
        {NULL, "some", "simt.scheduler=greedy_oldest simt.pc_policy=first_ready", 200, 100},
        {NULL, "conditional", "", 256, 64},
        {NULL, "loads", "simt.scheduler=two_level simt.active_warps=2 cluster.count=2", 512, 256},
        {NULL, "loads", "tpm.read_ports=2 tpm.latency=2 uniform.storage=token uniform.inter=on", 256, 256},
        {NULL, "parts", "simt.mitigation=slp simt.lane_map=balanced", 256, 128},
        {NULL, "parts", "simt.mitigation=slp simt.slp=any simt.lane_map=cyclic", 256, 128},
        {NULL, "parts", "simt.mitigation=dpe", 256, 128},
        {NULL, "parts", "simt.mitigation=skip simt.arbitrate_cycles=2", 256, 128},
        {NULL, "parts", "uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {NULL, "parts", "uniform.storage=srf uniform.intra=on tpm.read_ports=2", 256, 128},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) try(&runs[n]);
}

static void test_sms(void **state) {
    (void)state;
    static const struct run runs[] = {
        {"gtx285-like", "parts", "", 256, 128},
        {"gtx285-like", "loads", "simt.scheduler=two_level ldst.overlap=off", 512, 64},
        {"gtx285-like", "some", "simt.scheduler=greedy_oldest", 256, 64},
        {"gtx285-like", "conditional", "", 256, 64},
        {"gtx285-like", "parts", "uniform.storage=token uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", "uniform.storage=srf uniform.intra=on uniform.inter=on", 256, 128},
        {"gtx285-like", "parts", "simt.compaction=round", 256, 128},
        {"gt640-like", "parts", "", 512, 128},
        {"gt640-scalar", "beside", "", 512, 64},
        {"gt640-scalar", "beside", "scalar.clock_divisor=2", 512, 64},
        {"temporal-30x8", "parts", "", 256, 128},
        {"spatio-temporal-30x8", "parts", "simt.scheduler=two_level", 256, 128},
        {"fermi-like", "parts", "", 512, 128},
        {"fermi-like", "some", "simt.divergence=pc simt.scheduler=two_level simt.pc_policy=min_pc", 256, 64},
        {"fermi-like", "conditional", "simt.divergence=pc simt.pc_policy=min_pc", 256, 64},
        {"fermi-like", "parts", "simt.divergence=oracle simt.scheduler=greedy_oldest", 256, 128},
        {"fermi-like", "parts", "simt.divergence=dwf", 256, 128},
        {"fermi-like", "parts", "simt.divergence=lwm", 256, 128},
        {"fermi-like", "parts", "simt.divergence=tbc", 256, 128},
        {"fermi-like", "parts", "simt.divergence=harp simt.warp_size=16", 256, 128},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) try(&runs[n]);
}

/* Many ways to part and to meet, on every machine. */
static void test_many(void **state) {
    static const char *const kernels[] = {"return_early", "break_early", "continue_early", "forward_early",
                                          "switch_early", "library_sin", "fall_twin",      "backward_early"};
    static const struct {
        const char *machine, *settings;
    } machines[] = {
        {NULL, ""},
        {NULL, "simt.scheduler=two_level simt.pc_policy=first_ready simt.lane_map=cyclic"},
        {NULL, "simt.mitigation=dpe simt.scheduler=two_level"},
        {NULL, "simt.mitigation=slp simt.pc_policy=min_pc simt.scheduler=greedy_oldest"},
        {NULL, "simt.mitigation=skip tpm.read_ports=2 tpm.write_ports=2 simt.queue_entries=3"},
        {NULL, "uniform.storage=token uniform.intra=on uniform.inter=on uniform.broadcast_cycles=3"},
        {NULL, "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.srf_registers=20"},
        {NULL, "cluster.lanes=8 simt.warp_size=16 tpm.latency=3 cluster.count=2"},
        {"gtx285-like", "simt.scheduler=two_level"},
        {"gtx285-like-16", "uniform.storage=token uniform.intra=on"},
        {"gtx285-like", "uniform.storage=srf uniform.intra=on uniform.inter=on uniform.srf_registers=20"},
        {"gtx285-like", "lanes.chaining=on simt.compaction=round vrf.bank_map=round"},
        {"gt640-like", "simt.scheduler=greedy_oldest"},
        {"gt640-scalar", "scalar.clock_divisor=4"},
        {"temporal-30x8", "simt.scheduler=greedy_oldest"},
        {"temporal-30x8", "lanes.bound=off lanes.chaining=off"},
        {"spatio-temporal-30x8", "lanes.group=2"},
        {"stsimt-30x8", ""},
        {"fermi-like", "simt.scheduler=two_level"},
        {"fermi-like", "simt.divergence=pc simt.pc_policy=min_pc"},
        {"fermi-like", "simt.divergence=lwm"},
        {"fermi-like", "simt.divergence=dwf"},
        {"fermi-like", "simt.divergence=tbc simt.scheduler=two_level"},
        {"fermi-like", "simt.divergence=harp simt.warp_size=16"},
    };
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) return;
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; ++m)
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; ++k)
            try(&(struct run){machines[m].machine, kernels[k], machines[m].settings, 384, 96});
}

static bool is_asked(const char *machines) {
    const char *only = getenv("RECKONING_MACHINES");
    return !only || strcmp(only, machines) == 0;
}

/* RECKONING_MACHINES=base or sms: of these only. */
int main(void) {
    struct program *const images[] = {&with_priorities, &without, &scalar, &early, &early_without};
    const struct CMUnitTest base[] = {cmocka_unit_test(test_base_machine)},
                            sms[] = {cmocka_unit_test(test_sms)}, many[] = {cmocka_unit_test(test_many)};
    char *folder = spawn_folder();
    int failed = 0;
    path = spawn_text("%s/k.cl", folder);
    spawn_write(path, source);
    if (is_asked("base")) failed += cmocka_run_group_tests(base, NULL, NULL);
    if (is_asked("sms")) failed += cmocka_run_group_tests(sms, NULL, NULL);
    if (is_asked("many")) failed += cmocka_run_group_tests(many, NULL, NULL);
    for (unsigned n = 0; n < sizeof images / sizeof *images; ++n)
        if (images[n]->open) kernel_run_close(&images[n]->run);
    free(path);
    spawn_remove_folder(folder);
    return failed;
}
