/* An explanation as a table and as JSON. */
#include "lockstep/output/explanation.h"

#include "lockstep/output/report.h"
#include "lockstep/run/stats.h"
#include "lockstep/output/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_WIDTH 64 /* width of a source line in the table */

/* --- table: causes in groups --- */

enum group { GROUP_EXECUTE, GROUP_MEMORY, GROUP_PIPELINE, GROUP_BARRIER, GROUP_COUNT, GROUP_NONE };

static const enum group group_of[MACHINE_CAUSE_COUNT] = {
    [MACHINE_CAUSE_EXECUTE] = GROUP_EXECUTE,     [MACHINE_CAUSE_OCCUPIED] = GROUP_EXECUTE,
    [MACHINE_CAUSE_ISSUE] = GROUP_EXECUTE,       [MACHINE_CAUSE_MEMORY] = GROUP_MEMORY,
    [MACHINE_CAUSE_MSHR] = GROUP_MEMORY,         [MACHINE_CAUSE_TPM] = GROUP_MEMORY,
    [MACHINE_CAUSE_FETCH] = GROUP_PIPELINE,      [MACHINE_CAUSE_OPERANDS] = GROUP_PIPELINE,
    [MACHINE_CAUSE_FRONT_END] = GROUP_PIPELINE,  [MACHINE_CAUSE_LATENCY] = GROUP_PIPELINE,
    [MACHINE_CAUSE_BRANCH] = GROUP_PIPELINE,     [MACHINE_CAUSE_BARRIER] = GROUP_BARRIER,
    [MACHINE_CAUSE_WINDOW] = GROUP_PIPELINE,     [MACHINE_CAUSE_LSQ] = GROUP_MEMORY,
    [MACHINE_CAUSE_SERIAL] = GROUP_PIPELINE,     [MACHINE_CAUSE_STARTUP] = GROUP_NONE,
    [MACHINE_CAUSE_MODE_SWITCH] = GROUP_NONE,    [MACHINE_CAUSE_NO_GROUP] = GROUP_NONE,
    [MACHINE_CAUSE_NO_WARP] = GROUP_NONE,        [MACHINE_CAUSE_ISSUE_SP] = GROUP_EXECUTE,
    [MACHINE_CAUSE_ISSUE_SFU] = GROUP_EXECUTE,   [MACHINE_CAUSE_ISSUE_LDST] = GROUP_EXECUTE,
    [MACHINE_CAUSE_COLLECTOR] = GROUP_PIPELINE,  [MACHINE_CAUSE_CONFLICT] = GROUP_MEMORY,
    [MACHINE_CAUSE_REFUSED] = GROUP_MEMORY,      [MACHINE_CAUSE_AWAITS_LOAD] = GROUP_MEMORY,
    [MACHINE_CAUSE_AWAITS_SFU] = GROUP_PIPELINE, [MACHINE_CAUSE_AWAITS_SP] = GROUP_PIPELINE,
    [MACHINE_CAUSE_WAR] = GROUP_PIPELINE,        [MACHINE_CAUSE_DRAIN] = GROUP_PIPELINE,
    [MACHINE_CAUSE_PARTING] = GROUP_PIPELINE,    [MACHINE_CAUSE_WRITE_BUFFER] = GROUP_MEMORY,
};

static uint64_t sum(const uint64_t *cycles) {
    uint64_t all = 0;
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) all += cycles[c];
    return all;
}

static uint64_t sum_group(const uint64_t *cycles, enum group group) {
    uint64_t all = 0;
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++)
        if (group_of[c] == group) all += cycles[c];
    return all;
}

static void add_number(struct table *t, uint64_t n) {
    char text[32];
    table_add(t, "%s", n ? report_number(n, text) : "-");
}

/* Adds text, cut after TEXT_WIDTH bytes at the end of a UTF-8 character. */
static void add_text(struct table *t, const char *text) {
    size_t length = strlen(text);
    const bool cut = length > TEXT_WIDTH;
    if (cut)
        for (length = TEXT_WIDTH; length && ((unsigned char)text[length] & 0xc0) == 0x80;) length--;
    table_add(t, "%.*s%s", (int)length, text, cut ? "..." : "");
}

static void add_cells(struct table *t, uint64_t all, unsigned tenths, const uint64_t *cycles,
                      uint64_t instructions, const char *text) {
    add_number(t, all);
    table_add(t, "%u.%u %%", tenths / 10, tenths % 10);
    for (enum group g = 0; g < GROUP_COUNT; g++) add_number(t, sum_group(cycles, g));
    add_number(t, instructions);
    add_text(t, text ? text : "");
}

static void add_titles(struct table *t) {
    static const char *const titles[] = {"line",     "cycles",  "share",        "execute", "memory",
                                         "pipeline", "barrier", "instructions", "source"};
    for (size_t n = 0; n < sizeof titles / sizeof *titles; n++) table_add(t, "%s", titles[n]);
}

/* Returns the shares of every line, then of every cause without a line; the sum is 100.0 %. */
static unsigned *shares(const struct explained_kernel *k) {
    const size_t rows = k->count + MACHINE_CAUSE_COUNT;
    uint64_t *cycles = calloc(rows, sizeof *cycles);
    unsigned *tenths = calloc(rows, sizeof *tenths);
    require_memory(cycles && tenths);
    for (size_t n = 0; n < k->count; n++) cycles[n] = sum(k->lines[n].cycles);
    memcpy(cycles + k->count, k->apart, sizeof k->apart);
    report_shares(cycles, rows, k->cycles * k->units, tenths);
    free(cycles);
    return tenths;
}

static void add_apart(struct table *t, const struct explained_kernel *k, const unsigned *tenths) {
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) {
        if (!k->apart[c]) continue;
        const bool stopped = group_of[c] != GROUP_NONE;
        uint64_t only[MACHINE_CAUSE_COUNT] = {0};
        only[c] = k->apart[c];
        table_add(t, "(%s%s)", machine_cause_name[c], stopped ? " when it was stopped" : "");
        add_cells(t, k->apart[c], tenths[c], only, 0, "");
    }
}

static void add_lines(struct table *t, const struct explained_kernel *k, const unsigned *tenths) {
    uint64_t instructions = 0;
    for (size_t n = 0; n < k->count; n++) {
        const struct explained_line *l = &k->lines[n];
        if (l->line)
            table_add(t, "%s:%u", l->file, l->line);
        else
            table_add(t, "(no source line)");
        add_cells(t, sum(l->cycles), tenths[n], l->cycles, l->instructions, l->text);
        instructions += l->instructions;
    }
    add_apart(t, k, tenths + k->count);
    table_add(t, "all");
    add_cells(t, k->cycles * k->units, k->cycles ? 1000 : 0, k->cause, instructions, "");
}

/* --- table: scalar units, every cause --- */

static uint64_t scalar_sum(const uint64_t *cycles) {
    uint64_t all = 0;
    for (unsigned c = 0; c < SCALAR_CAUSE_COUNT; c++) all += cycles[c];
    return all;
}

static void add_scalar_cells(struct table *t, unsigned tenths, const uint64_t *cycles, const char *text) {
    add_number(t, scalar_sum(cycles));
    table_add(t, "%u.%u %%", tenths / 10, tenths % 10);
    for (unsigned c = 0; c < SCALAR_CAUSE_EMPTY; c++) add_number(t, cycles[c]);
    add_text(t, text ? text : "");
}

static void add_scalar_lines(struct table *t, const struct explained_kernel *k, const unsigned *tenths) {
    uint64_t empty[SCALAR_CAUSE_COUNT] = {[SCALAR_CAUSE_EMPTY] = k->scalar_cause[SCALAR_CAUSE_EMPTY]};
    for (size_t n = 0; n < k->count; n++) {
        const struct explained_line *l = &k->lines[n];
        if (!scalar_sum(l->scalar_cycles)) continue;
        if (l->line)
            table_add(t, "%s:%u", l->file, l->line);
        else
            table_add(t, "(no source line)");
        add_scalar_cells(t, tenths[n], l->scalar_cycles, l->text);
    }
    table_add(t, "(no thread)");
    add_scalar_cells(t, tenths[k->count], empty, "");
    table_add(t, "all");
    add_scalar_cells(t, scalar_sum(k->scalar_cause) ? 1000 : 0, k->scalar_cause, "");
}

static void print_scalar_units(const struct explained_kernel *k, FILE *out) {
    const size_t rows = k->count + 1;
    uint64_t *cycles = calloc(rows, sizeof *cycles);
    unsigned *tenths = calloc(rows, sizeof *tenths);
    struct table t;
    require_memory(cycles && tenths);
    for (size_t n = 0; n < k->count; n++) cycles[n] = scalar_sum(k->lines[n].scalar_cycles);
    cycles[k->count] = k->scalar_cause[SCALAR_CAUSE_EMPTY];
    report_shares(cycles, rows, scalar_sum(k->scalar_cause), tenths);
    fprintf(out, "\nkernel %s, its scalar threads: %u units' own cycles\n\n", k->name, k->scalar_units);
    table_init(&t, "lrrrrrrrrl");
    table_add(&t, "line");
    table_add(&t, "cycles");
    table_add(&t, "share");
    for (unsigned c = 0; c < SCALAR_CAUSE_EMPTY; c++) table_add(&t, "%s", scalar_cause_name[c]);
    table_add(&t, "source");
    add_scalar_lines(&t, k, tenths);
    table_print(&t, 2, out);
    table_free(&t);
    free(cycles);
    free(tenths);
}

/* --- table: warps --- */

static void add_ratio(struct table *t, uint64_t n, uint64_t of, const char *unit) {
    if (of)
        table_add(t, "%.1f%s", (double)n / (double)of, unit);
    else
        table_add(t, "-");
}

static void add_warps(struct table *t, const struct explanation *x, const struct explained_line *l,
                      const char *text) {
    add_number(t, l->warps);
    add_ratio(t, l->instructions, l->warps, "");
    add_ratio(t, 100 * l->instructions, l->warps * x->warp_size, " %");
    add_number(t, l->accesses);
    add_ratio(t, l->memory_lines, l->accesses, "");
    add_ratio(t, l->words, l->accesses, "");
    add_ratio(t, 400 * l->words, l->memory_lines * x->line_bytes, " %");
    if (x->banked) add_number(t, l->bank_cycles);
    add_text(t, text ? text : "");
}

/* Prints the work of warps at each line: active threads of an instruction, cache lines and words of an
 * access. */
static void print_warps(const struct explanation *x, const struct explained_kernel *k, FILE *out) {
    static const char *const titles[] = {"line",  "warp instr.", "threads",    "SIMD eff.", "accesses",
                                         "lines", "words",       "bytes used", "conflicts", "source"};
    struct explained_line all = {0};
    struct table t;
    fprintf(out, "\nwarps of kernel %s: threads of an instruction, cache lines and words of an access%s\n\n",
            k->name, x->banked ? ", cycles of bank conflicts" : "");
    table_init(&t, x->banked ? "lrrrrrrrrl" : "lrrrrrrrl");
    for (size_t n = 0; n < sizeof titles / sizeof *titles; n++)
        if (x->banked || strcmp(titles[n], "conflicts") != 0) table_add(&t, "%s", titles[n]);
    for (size_t n = 0; n < k->count; n++) {
        const struct explained_line *l = &k->lines[n];
        if (!l->warps) continue;
        if (l->line)
            table_add(&t, "%s:%u", l->file, l->line);
        else
            table_add(&t, "(no source line)");
        add_warps(&t, x, l, l->text);
        all.warps += l->warps;
        all.instructions += l->instructions;
        all.accesses += l->accesses;
        all.memory_lines += l->memory_lines;
        all.words += l->words;
        all.bank_cycles += l->bank_cycles;
    }
    table_add(&t, "all");
    add_warps(&t, x, &all, "");
    table_print(&t, 2, out);
    table_free(&t);
}

/* Returns whether the kernel has cycles with a cause of GPU-like machines only. */
static bool on_gpu(const struct explained_kernel *k) {
    for (unsigned c = MACHINE_BASE_CAUSE_COUNT; c < MACHINE_CAUSE_COUNT; c++)
        if (k->cause[c]) return true;
    return false;
}

static void print_kernel(const struct explanation *x, const struct explained_kernel *k, FILE *out) {
    char launches[32], cycles[32];
    struct table t;
    unsigned *tenths = shares(k);
    fprintf(out, "\nkernel %s, %s mode: %s launch%s, %s cycles", k->name,
            k->mode == MODE_MIMD ? "MIMD" : "SIMT", report_number(k->launches, launches),
            k->launches == 1 ? "" : "es", report_number(k->cycles, cycles));
    if (k->units > 1) fprintf(out, " on each of %u %s", k->units, on_gpu(k) ? "schedulers" : "cores");
    fprintf(out, "%s\n", k->whole ? "" : "; the last launch did not end");
    if (k->reason)
        fprintf(out, "mode auto chose %s: %s\n", k->mode == MODE_MIMD ? "MIMD" : "SIMT", k->reason);
    fputc('\n', out);
    table_init(&t, "lrrrrrrrl");
    add_titles(&t);
    add_lines(&t, k, tenths);
    table_print(&t, 2, out);
    table_free(&t);
    free(tenths);
    if (k->mode == MODE_SIMT) print_warps(x, k, out);
    if (k->scalar_units) print_scalar_units(k, out);
}

/* Returns whether a kernel has cycles with the cause. */
static bool occurs(const struct explanation *x, enum machine_cause cause) {
    for (size_t k = 0; k < x->count; k++)
        if (x->kernels[k].cause[cause]) return true;
    return false;
}

/* Prints the causes that are in the columns of the table. */
static void print_groups(const struct explanation *x, FILE *out) {
    static const char *const names[] = {"execute", "memory", "pipeline"};
    for (enum group g = GROUP_EXECUTE; g <= GROUP_PIPELINE; g++) {
        const char *before = "  ";
        for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) {
            if (group_of[c] != g || !occurs(x, c)) continue;
            if (*before == ' ') fprintf(out, "\n  %-8s", names[g]);
            fprintf(out, "%s%s", before, machine_cause_name[c]);
            before = ", ";
        }
    }
    fputc('\n', out);
}

void explanation_print(const struct explanation *x, FILE *out) {
    for (size_t k = 0; k < x->count; k++) print_kernel(x, &x->kernels[k], out);
    if (x->count) print_groups(x, out);
}

/* --- JSON --- */

static json_t *number(uint64_t n) {
    return json_integer((json_int_t)n);
}

/* Returns an object with the causes that have cycles. */
static json_t *causes(const uint64_t *cycles) {
    json_t *j = json_object();
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++)
        if (cycles[c]) json_object_set_new(j, machine_cause_name[c], number(cycles[c]));
    return j;
}

static json_t *scalar_causes(const uint64_t *cycles) {
    json_t *j = json_object();
    for (unsigned c = 0; c < SCALAR_CAUSE_COUNT; c++)
        if (cycles[c]) json_object_set_new(j, scalar_cause_name[c], number(cycles[c]));
    return j;
}

static json_t *line(const struct explained_line *l) {
    json_t *j = json_object();
    json_object_set_new(j, "file", l->line ? stats_text(l->file) : json_null());
    json_object_set_new(j, "line", l->line ? number(l->line) : json_null());
    json_object_set_new(j, "source", l->text ? stats_text(l->text) : json_null());
    json_object_set_new(j, "cycles", number(sum(l->cycles)));
    json_object_set_new(j, "cycles_by_cause", causes(l->cycles));
    if (scalar_sum(l->scalar_cycles))
        json_object_set_new(j, "scalar_cycles_by_cause", scalar_causes(l->scalar_cycles));
    json_object_set_new(j, "instructions", number(l->instructions));
    if (!l->warps) return j;
    json_object_set_new(j, "warp_instructions", number(l->warps));
    json_object_set_new(j, "accesses", number(l->accesses));
    json_object_set_new(j, "access_lines", number(l->memory_lines));
    json_object_set_new(j, "access_words", number(l->words));
    json_object_set_new(j, "bank_conflict_cycles", number(l->bank_cycles));
    return j;
}

static json_t *kernel(const struct explained_kernel *k) {
    json_t *j = json_object(), *lines = json_array();
    for (size_t n = 0; n < k->count; n++) json_array_append_new(lines, line(&k->lines[n]));
    json_object_set_new(j, "kernel", json_string(k->name));
    json_object_set_new(j, "mode", json_string(k->mode == MODE_MIMD ? "mimd" : "simt"));
    if (k->reason) json_object_set_new(j, "reason", stats_text(k->reason));
    json_object_set_new(j, "whole", json_boolean(k->whole));
    json_object_set_new(j, "launches", number(k->launches));
    json_object_set_new(j, "cycles", number(k->cycles));
    json_object_set_new(j, "units", number(k->units));
    json_object_set_new(j, "unit_cycles", number(k->cycles * k->units));
    json_object_set_new(j, "cycles_by_cause", causes(k->cause));
    if (k->scalar_units) {
        json_object_set_new(j, "scalar_units", number(k->scalar_units));
        json_object_set_new(j, "scalar_cycles_by_cause", scalar_causes(k->scalar_cause));
    }
    json_object_set_new(j, "lines", lines);
    json_object_set_new(j, "apart", causes(k->apart));
    return j;
}

json_t *explanation_document(const struct explanation *x) {
    json_t *j = json_array();
    for (size_t k = 0; k < x->count; k++) json_array_append_new(j, kernel(&x->kernels[k]));
    return j;
}
