#include "lockstep/output/report.h"

#include "lockstep/output/choice_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_WIDTH  36
#define NUMBER_WIDTH 18

const char *report_number(uint64_t n, char out[32]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    char *p = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return out;
}

const char *report_time(sim_time picoseconds, char out[32]) {
    static const struct {
        double picoseconds;
        const char *name;
    } units[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}};
    size_t u = 0;
    while (u < 3 && (double)picoseconds < units[u].picoseconds) u++;
    snprintf(out, 32, "%.3f %s", (double)picoseconds / units[u].picoseconds, units[u].name);
    return out;
}

/* Computes part·1000 = quotient·whole + remainder, without overflow for any count. */
static unsigned share_tenths(uint64_t part, uint64_t whole, uint64_t *remainder) {
    unsigned __int128 scaled = (unsigned __int128)part * 1000;
    *remainder = (uint64_t)(scaled % whole);
    return (unsigned)(scaled / whole);
}

void report_shares(const uint64_t *parts, size_t count, uint64_t whole, unsigned *tenths) {
    uint64_t remainder[count + 1], sum = 0;
    unsigned given = 0;
    memset(tenths, 0, count * sizeof *tenths);
    if (whole == 0) return;
    for (size_t i = 0; i < count; i++) {
        tenths[i] = share_tenths(parts[i], whole, &remainder[i]);
        given += tenths[i];
        sum += parts[i];
    }
    invariant(sum == whole, "parts add up to %" PRIu64 ", not to %" PRIu64, sum, whole);
    for (; given < 1000; given++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            if (remainder[i] > remainder[most]) most = i;
        tenths[most]++;
        remainder[most] = 0;
    }
}

static void print_count(FILE *out, const char *label, uint64_t n) {
    char text[32];
    fprintf(out, "  %-*s%*s\n", LABEL_WIDTH, label, NUMBER_WIDTH, report_number(n, text));
}

static void print_percent(FILE *out, const char *label, double part, double whole) {
    if (whole > 0)
        fprintf(out, "  %-*s%*.2f %%\n", LABEL_WIDTH, label, NUMBER_WIDTH, 100 * part / whole);
    else
        fprintf(out, "  %-*s%*s\n", LABEL_WIDTH, label, NUMBER_WIDTH, "-");
}

/* Prints the SIMD efficiency of all clusters: each cluster's, as the registry defines it, weighted by its
 * instructions. */
static void print_simd_efficiency(const struct run_record *r, FILE *out) {
    const struct counter_registry *registry = machine_counters(r->machine);
    double efficient = 0, all = 0, percent;
    char scope[16] = "cluster0";
    const struct counter *ratio, *instructions;
    for (unsigned n = 0; (ratio = counter_find(registry, scope, "simd_efficiency")) != NULL &&
                         (instructions = counter_find(registry, scope, "warp_instructions")) != NULL;) {
        const double count = (double)r->values[instructions->cell];
        if (counter_ratio(registry, r->values, ratio, &percent)) efficient += percent / 100 * count;
        all += count;
        snprintf(scope, sizeof scope, "cluster%u", ++n);
    }
    print_percent(out, "SIMD efficiency", efficient, all);
}

static void print_time(FILE *out, sim_time picoseconds) {
    char text[32];
    /* The unit comes after the number. */
    const int unit = (int)strlen(strchr(report_time(picoseconds, text), ' '));
    fprintf(out, "  %-*s%*s\n", LABEL_WIDTH, "simulated time", NUMBER_WIDTH + unit, text);
}

/* Prints the redundant operations of all clusters, if counted. */
static void print_redundancy(const struct run_record *r, FILE *out) {
    static const struct {
        const char *name, *label;
    } kinds[] = {{"intra", "redundant operations, intra-warp"},
                 {"inter", "redundant operations, inter-warp"},
                 {"both", "redundant operations, both"}};
    const uint64_t all = run_record_sum(r, ".redundancy", "operations");
    for (unsigned n = 0; all && n < sizeof kinds / sizeof kinds[0]; n++)
        fprintf(out, "  %-*s%*.2f %%\n", LABEL_WIDTH, kinds[n].label, NUMBER_WIDTH,
                100.0 * (double)run_record_sum(r, ".redundancy", kinds[n].name) / (double)all);
}

static void print_simt_instructions(const struct run_record *r, bool mixed, FILE *out) {
    uint64_t warp = run_record_sum(r, "", "warp_instructions");
    uint64_t thread = run_record_sum(r, "", "thread_instructions");
    print_count(out, "warp instructions", warp);
    print_count(out, "thread instructions", thread);
    print_count(out, "  whose condition failed", run_record_sum(r, "", "condition_failed"));
    print_simd_efficiency(r, out);
    print_redundancy(r, out);
    if (!mixed)
        print_count(out, "start-up instructions of the cores", run_record_sum(r, "", "scalar_instructions"));
    const uint64_t arrivals = run_record_sum(r, "", "barrier_arrivals");
    print_count(out, "barriers opened", run_record_sum(r, "", "barriers"));
    print_count(out, "work-items that came to barriers", arrivals);
    if (arrivals)
        fprintf(out, "  %-*s%*.2f\n", LABEL_WIDTH, "  a thousand thread instructions", NUMBER_WIDTH,
                1000.0 * (double)arrivals / (double)thread);
}

/* Prints the instructions of MIMD launches. */
static void print_mimd_instructions(const struct run_record *r, const struct run_totals *t, FILE *out) {
    const uint64_t kernel = t->kernel_instructions;
    print_count(out, "kernel instructions of the cores", kernel);
    print_count(out, "start-up instructions of the cores",
                run_record_sum(r, "", "scalar_instructions") - kernel);
}

static void print_cache(const struct run_record *r, const char *name, const char *scope, FILE *out) {
    const uint64_t accesses = run_record_sum(r, scope, "accesses"),
                   misses = run_record_sum(r, scope, "misses");
    char label[LABEL_WIDTH];
    snprintf(label, sizeof label, "%s accesses", name);
    print_count(out, label, accesses);
    snprintf(label, sizeof label, "%s misses", name);
    print_count(out, label, misses);
    snprintf(label, sizeof label, "%s miss ratio", name);
    print_percent(out, label, (double)misses, (double)accesses);
}

/* Prints the L2 of a GPU-like machine: its slices contain lines for reads, and writes that never read a
 * line. */
static void print_slices(const struct run_record *r, FILE *out) {
    const uint64_t reads = run_record_sum(r, "l2", "reads"), misses = run_record_sum(r, "l2", "misses");
    print_count(out, "L2 reads", reads);
    print_count(out, "L2 writes", run_record_sum(r, "l2", "writes"));
    print_count(out, "L2 read misses", misses);
    print_percent(out, "L2 read miss ratio", (double)misses, (double)reads);
}

static void print_host(const struct run_record *r, const struct run_totals *t, const char *other_work,
                       FILE *out) {
    char text[32] = "-";
    const char *what = t->mixed         ? "instructions per CPU second"
                       : t->core_cycles ? "core instructions per CPU second"
                                        : "thread instructions per CPU second";
    uint64_t count = run_record_sum(r, "", t->core_cycles ? "scalar_instructions" : "thread_instructions");
    if (t->mixed) count += run_record_sum(r, "", "thread_instructions");
    if (t->host_cpu_seconds > 0) report_number((uint64_t)((double)count / t->host_cpu_seconds), text);
    fprintf(out, "  %-*s%*.3f s\n", LABEL_WIDTH, "host time spent simulating", NUMBER_WIDTH, t->host_seconds);
    fprintf(out, "  %-*s%*.3f s\n", LABEL_WIDTH, "CPU time spent simulating", NUMBER_WIDTH,
            t->host_cpu_seconds);
    fprintf(out, "  %-*s%*s%s%s\n", LABEL_WIDTH, what, NUMBER_WIDTH, text, other_work ? "  with " : "",
            other_work ? other_work : "");
}

/* Returns whether a cause belongs only to modes or machines that did not run. */
static bool cause_is_foreign(const struct run_totals *t, unsigned cause) {
    static const bool simt[MACHINE_CAUSE_COUNT] = {
        [MACHINE_CAUSE_EXECUTE] = true, [MACHINE_CAUSE_OPERANDS] = true, [MACHINE_CAUSE_FRONT_END] = true,
        [MACHINE_CAUSE_MSHR] = true,    [MACHINE_CAUSE_TPM] = true,      [MACHINE_CAUSE_BARRIER] = true,
        [MACHINE_CAUSE_WINDOW] = true,  [MACHINE_CAUSE_LSQ] = true,      [MACHINE_CAUSE_SERIAL] = true,
    };
    if (t->cause[cause]) return false;
    if (t->scheduler_cycles || cause >= MACHINE_BASE_CAUSE_COUNT) return true;
    return t->core_cycles ? simt[cause] : cause >= MACHINE_CAUSE_ISSUE;
}

static void print_causes(const struct run_totals *t, FILE *out) {
    unsigned tenths[MACHINE_CAUSE_COUNT];
    char text[32];
    report_shares(t->cause, MACHINE_CAUSE_COUNT, t->unit_cycles, tenths);
    fprintf(out, "\n  %-14s%*s%12s\n", "cause", NUMBER_WIDTH,
            t->mixed              ? "cycles of units"
            : t->core_cycles      ? "cycles of cores"
            : t->scheduler_cycles ? "cycles of schedulers"
                                  : "cycles",
            "share");
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++)
        if (!cause_is_foreign(t, c))
            fprintf(out, "  %-14s%*s%8u.%u %%  %s\n", machine_cause_name[c], NUMBER_WIDTH,
                    report_number(t->cause[c], text), tenths[c] / 10, tenths[c] % 10,
                    machine_cause_description[c]);
    fprintf(out, "  %-14s%*s%10s %%\n", "all", NUMBER_WIDTH, report_number(t->unit_cycles, text),
            t->unit_cycles ? "100.0" : "0.0");
}

/* All launches of one kernel. */
struct kernel_line {
    const char *name;
    /* Instructions: thread-instructions in SIMT mode; instructions of cores in the kernel in MIMD mode. */
    uint64_t launches, cycles, instructions;
};

static size_t gather_kernels(const struct run_record *r, struct kernel_line *lines) {
    size_t count = 0;
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct launch_record *l = &r->launches[i];
        size_t k = 0;
        while (k < count && strcmp(lines[k].name, l->kernel) != 0) k++;
        if (k == count) lines[count++] = (struct kernel_line){.name = l->kernel};
        lines[k].launches++;
        lines[k].cycles += l->result.cycles;
        lines[k].instructions +=
            l->result.mode == MODE_MIMD ? l->kernel_instructions : l->thread_instructions;
    }
    return count;
}

static void print_kernels(const struct run_record *r, const struct run_totals *t, FILE *out) {
    struct kernel_line *lines = calloc(r->launch_count, sizeof *lines);
    uint64_t *cycles = calloc(r->launch_count, sizeof *cycles);
    unsigned *tenths = calloc(r->launch_count, sizeof *tenths);
    require_memory(lines && cycles && tenths);
    size_t count = gather_kernels(r, lines);
    int width = 6;
    for (size_t k = 0; k < count; k++) {
        cycles[k] = lines[k].cycles;
        if ((int)strlen(lines[k].name) > width) width = (int)strlen(lines[k].name);
    }
    report_shares(cycles, count, t->cycles, tenths);
    char a[32], b[32], c[32];
    fprintf(out, "\n  %-*s%10s%18s%12s%22s\n", width, "kernel", "launches", "cycles", "share",
            t->mixed         ? "instructions"
            : t->core_cycles ? "kernel instructions"
                             : "thread instructions");
    for (size_t k = 0; k < count; k++)
        fprintf(out, "  %-*s%10s%18s%8u.%u %%%22s\n", width, lines[k].name,
                report_number(lines[k].launches, a), report_number(lines[k].cycles, b), tenths[k] / 10,
                tenths[k] % 10, report_number(lines[k].instructions, c));
    free(lines);
    free(cycles);
    free(tenths);
}

void report_print(const struct run_record *r, const char *other_work, FILE *out) {
    if (r->launch_count == 0) return;
    struct run_totals t = run_record_totals(r);
    if (!t.whole) fprintf(out, "\n  The last launch did not end: these figures stop where it stopped.\n");
    fprintf(out, "\n");
    print_count(out, "cycles", t.cycles);
    print_time(out, t.time);
    if (!t.core_cycles || t.mixed) print_simt_instructions(r, t.mixed, out);
    if (t.core_cycles) print_mimd_instructions(r, &t, out);
    print_cache(r, "L1I", ".l1i", out);
    if (t.core_cycles || t.scheduler_cycles) print_cache(r, "L1D", ".l1d", out);
    if (t.scheduler_cycles)
        print_slices(r, out);
    else
        print_cache(r, "L2", ".l2", out);
    print_host(r, &t, other_work, out);
    print_causes(&t, out);
    print_kernels(r, &t, out);
    choice_report_print(r, out);
}
