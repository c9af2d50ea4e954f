#include "lockstep/energy/energy.h"

#include "lockstep/energy/energy_rows.h"
#include "lockstep/run/stats.h"

#include "model/config/core_kind.h"
#include "synthesis/area.h"
#include "synthesis/cache_memory.h"
#include "synthesis/sram.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- counts of a run --- */

static bool read_field(struct machine_config *c, const char *name, const json_t *value, struct error *e) {
    char assignment[160];
    if (json_is_string(value))
        snprintf(assignment, sizeof assignment, "%s=%s", name, json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(assignment, sizeof assignment, "%s=%s", name, json_is_true(value) ? "true" : "false");
    else
        snprintf(assignment, sizeof assignment, "%s=%lld", name, (long long)json_integer_value(value));
    return config_set(&machine_config_table, c, assignment, e);
}

bool energy_counts_read(struct energy_counts *n, json_t *statistics, const char *name, struct error *e) {
    struct error why = {0};
    const char *schema = json_string_value(json_object_get(statistics, "schema")), *field;
    json_t *value;
    *n = (struct energy_counts){.statistics = statistics};
    if (!schema || strcmp(schema, "lockstep-stats") != 0)
        return error_set(e, EXIT_USER, "%s: this is not what `lockstep run --stats` writes", name);
    const json_t *version = json_object_get(statistics, "schema_version");
    if (json_integer_value(version) != STATS_SCHEMA_VERSION)
        return error_set(e, EXIT_USER, "%s: its schema_version is %lld, this Lockstep reads %d", name,
                         (long long)json_integer_value(version), STATS_SCHEMA_VERSION);
    config_defaults(&machine_config_table, &n->config);
    json_object_foreach(
        json_object_get(statistics, "configuration"), field,
        value) if (!read_field(&n->config, field, value,
                               &why)) return error_set(e, EXIT_USER,
                                                       "%s: its configuration is not of this version: %s",
                                                       name, why.message);
    if (events_from(&n->events, json_object_get(statistics, "events"))) return true;
    return error_set(e, EXIT_USER, "%s: the run has not counted its events: repeat it with --events", name);
}

double energy_counter(const struct energy_counts *n, const char *ending, const char *name) {
    size_t index;
    json_t *row;
    double sum = 0;
    json_array_foreach(json_object_get(n->statistics, "counters"), index, row) {
        const char *scope = json_string_value(json_object_get(row, "scope")),
                   *called = json_string_value(json_object_get(row, "name"));
        const size_t length = scope ? strlen(scope) : 0, end = strlen(ending);
        if (!called || strcmp(called, name) != 0 || length < end || strcmp(scope + length - end, ending) != 0)
            continue;
        sum += json_number_value(json_object_get(row, "value"));
    }
    return sum;
}

/* --- rows --- */

void energy_add(struct energy *x, const char *structure, const char *event, double count, double pj,
                const char *source) {
    if (count <= 0) return;
    x->rows[x->row_count++] = (struct energy_row){structure, event, count, pj, source};
    x->dynamic_nj += count * pj * 1e-3;
}

/* Operations of 32 bits of an instruction on doublewords and on quadwords. */
enum { OF_DOUBLE = 2, OF_QUAD = 4 };

double energy_operation(const struct energy_constants *c, enum arm_class class) {
    switch (class) {
    case ARM_CLASS_NEON_INTEGER: return OF_DOUBLE * c->integer;
    case ARM_CLASS_NEON_INTEGER_QUAD: return OF_QUAD * c->integer;
    case ARM_CLASS_NEON_MULTIPLY: return OF_DOUBLE * c->multiply;
    case ARM_CLASS_NEON_MULTIPLY_QUAD: return OF_QUAD * c->multiply;
    case ARM_CLASS_NEON_FLOAT: return OF_DOUBLE * c->vfp_multiply_single;
    case ARM_CLASS_NEON_FLOAT_QUAD: return OF_QUAD * c->vfp_multiply_single;
    case ARM_CLASS_NEON_CHAINED: return OF_DOUBLE * c->vfp_chained_single;
    case ARM_CLASS_NEON_CHAINED_QUAD: return OF_QUAD * c->vfp_chained_single;
    case ARM_CLASS_MULTIPLY: return c->multiply;
    case ARM_CLASS_DIVIDE: return c->divide;
    case ARM_CLASS_VFP_MOVE: return c->vfp_move;
    case ARM_CLASS_VFP_ADD_SINGLE:
    case ARM_CLASS_VFP_ADD_DOUBLE: return c->vfp_add;
    case ARM_CLASS_VFP_MULTIPLY_SINGLE: return c->vfp_multiply_single;
    case ARM_CLASS_VFP_MULTIPLY_DOUBLE: return c->vfp_multiply_double;
    case ARM_CLASS_VFP_CHAINED_SINGLE: return c->vfp_chained_single;
    case ARM_CLASS_VFP_CHAINED_DOUBLE: return c->vfp_chained_double;
    case ARM_CLASS_VFP_DIVIDE_SINGLE: return c->vfp_divide_single;
    case ARM_CLASS_VFP_DIVIDE_DOUBLE: return c->vfp_divide_double;
    default: return c->integer;
    }
}

/* Returns whether uniform.alu_operations counts the class. */
static bool is_alu(enum arm_class class) {
    return class != ARM_CLASS_LOAD && class != ARM_CLASS_STORE && class != ARM_CLASS_LOAD_MULTIPLE &&
           class != ARM_CLASS_STORE_MULTIPLE && class != ARM_CLASS_BRANCH && class != ARM_CLASS_COPROCESSOR &&
           class != ARM_CLASS_HINT;
}

/* Returns the lane-cycles in which neither a thread nor the core starts an instruction. */
static double idle_cycles(const struct energy_counts *n, double operations) {
    const struct machine_config *c = &n->config;
    const json_t *totals = json_object_get(n->statistics, "totals");
    const double cycles = json_number_value(json_object_get(totals, "cycles"));
    return fmax(c->cluster.count * c->cluster.sp_groups * c->cluster.lanes * cycles - operations, 0);
}

/* Adds operations by class, idle lanes and control of instructions, for every machine. */
static void add_lanes(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    const double alu = energy_counter(n, ".uniform", "alu_operations"),
                 carried_out = alu > 0 ? energy_counter(n, ".uniform", "alu_executed") / alu : 1;
    double all = 0;
    for (enum arm_class k = 0; k < ARM_CLASS_COUNT; k++) {
        const double once = energy_counter(n, ".lanes.scalar_threads", arm_class_name[k]) -
                            energy_counter(n, ".lanes.scalar_mix", arm_class_name[k]);
        const double threads = (double)n->events.threads.operations[k] * (is_alu(k) ? carried_out : 1) - once;
        const double operations = threads + (double)n->events.cores.operations[k];
        energy_add(x, "lanes", arm_class_name[k], operations, energy_operation(c, k), c->name);
        all += operations;
    }
    energy_add(x, "lanes", "idle cycles", idle_cycles(n, all), c->idle_cycle, c->name);
    energy_add(x, "control", "warp instructions", energy_counter(n, "", "warp_instructions"), c->instruction,
               c->name);
    energy_add(x, "control", "core instructions", energy_counter(n, "", "scalar_instructions"),
               c->instruction, c->name);
}

double energy_or_memory(double constant, double memory) {
    return constant < 0 ? memory : constant;
}

/* Returns the memory for a word of a vTPO. One access reads as many words as there are rounds. */
static struct sram vtpo_word(const struct machine_config *c) {
    const unsigned lanes = c->cluster.lanes,
                   words = c->simt.warp_size > lanes ? c->simt.warp_size / lanes : 1;
    const unsigned line = words * 4 < c->l1d.line_bytes ? words : c->l1d.line_bytes / 4;
    struct sram s = sram_memory(c->l1d.size_bytes / (4 * line), 32 * line, c->tpm.read_ports);
    s.read_pj /= line;
    s.write_pj /= line;
    return s;
}

static void add_registers(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    const struct sram word = vtpo_word(&n->config), core = sram_memory(machine_registers(&n->config), 32, 3),
                      scalar = sram_memory(n->config.uniform.srf_registers, 32, 3);
    const struct event_counts *t = &n->events.threads, *k = &n->events.cores;
    const bool uniform = energy_counter(n, ".uniform", "vector_reads") > 0,
               srf = n->config.uniform.storage == UNIFORM_SRF;
    /* A vector register counts with the words of executing threads, as on machines without scalars. */
    const double warps = energy_counter(n, "", "warp_instructions"),
                 width = warps > 0 ? energy_counter(n, "", "thread_instructions") / warps : 0;
    const double reads = uniform ? energy_counter(n, ".uniform", "vector_reads") * width
                                 : (double)t->registers_read,
                 writes = uniform ? energy_counter(n, ".uniform", "vector_writes") * width
                                  : (double)t->registers_written;
    const char *source = c->register_read < 0 ? "CACTI" : c->name;
    energy_add(x, "registers (TPM)", "words read", reads, energy_or_memory(c->register_read, word.read_pj),
               source);
    energy_add(x, "registers (TPM)", "words written", writes,
               energy_or_memory(c->register_write, word.write_pj), source);
    const double scalar_read = srf ? energy_or_memory(c->scalar_read, scalar.read_pj)
                                   : energy_or_memory(c->register_read, word.read_pj),
                 scalar_write = srf ? energy_or_memory(c->scalar_write, scalar.write_pj)
                                    : energy_or_memory(c->register_write, word.write_pj);
    energy_add(x, "registers (scalar)", "read", energy_counter(n, ".uniform", "scalar_reads"), scalar_read,
               source);
    energy_add(x, "registers (scalar)", "written", energy_counter(n, ".uniform", "scalar_writes"),
               scalar_write, source);
    energy_add(x, "registers (cores)", "read", (double)k->registers_read,
               energy_or_memory(c->register_read, core.read_pj), source);
    energy_add(x, "registers (cores)", "written", (double)k->registers_written,
               energy_or_memory(c->register_write, core.write_pj), source);
}

static void add_caches(struct energy *x, const struct energy_counts *n) {
    const struct machine_traffic *t = &n->events.traffic;
    const struct {
        const char *name, *scope;
        const struct machine_cache_config *config;
        uint64_t stores;
    } caches[] = {{"L1I", ".l1i", &n->config.l1i, 0},
                  {"L1D", ".l1d", &n->config.l1d, t->l1d_stores},
                  {"L2", ".l2", &n->config.l2, t->l2_stores}};
    for (unsigned k = 0; k < 3; k++) {
        const struct sram s = cache_memory(caches[k].config);
        const double stores = (double)caches[k].stores,
                     reads = energy_counter(n, caches[k].scope, "accesses") - stores;
        energy_add(x, caches[k].name, "reads", reads, s.read_pj, "CACTI");
        energy_add(x, caches[k].name, "writes", stores, s.write_pj, "CACTI");
        energy_add(x, caches[k].name, "lines filled", energy_counter(n, caches[k].scope, "misses"),
                   s.write_pj, "CACTI");
    }
    energy_add(x, "L2", "lines written back", energy_counter(n, ".l2", "writebacks"),
               cache_memory(&n->config.l2).read_pj, "CACTI");
    energy_add(x, "TLBs", "translations",
               energy_counter(n, ".itlb", "accesses") + energy_counter(n, ".dtlb", "accesses"),
               sram_memory(n->config.mem.dtlb_entries, 44, 1).read_pj, "CACTI, as a memory of its words");
}

/* Adds the descriptors: PC, level, priorities and states of a warp's threads. */
static void add_descriptors(struct energy *x, const struct energy_counts *n) {
    const struct machine_config *c = &n->config;
    const unsigned bits = c->simt.warp_size * (32 + 8 + c->simt.priority_levels + 3),
                   slices = (bits + AREA_SLICE_BITS - 1) / AREA_SLICE_BITS,
                   rows = c->cluster.threads_per_lane * c->cluster.lanes / c->simt.warp_size;
    const struct sram s = sram_memory(rows, AREA_SLICE_BITS, 2);
    const double instructions = energy_counter(n, "", "warp_instructions");
    energy_add(x, "thread descriptors", "rows read", instructions, slices * s.read_pj, "CACTI");
    energy_add(x, "thread descriptors", "rows written", instructions, slices * s.write_pj, "CACTI");
    energy_add(x, "barriers", "arrivals", (double)n->events.traffic.barrier_arrivals, 0,
               "a count without an energy");
}

/* Adds branch look-ups at every fetch, and fetch queue and window at every instruction. */
static void add_superscalar(struct energy *x, const struct energy_counts *n) {
    const struct machine_config *c = &n->config;
    if (!core_kinds[c->core.kind]->superscalar) return;
    const struct sram btb = c->core.btb_entries ? sram_memory(c->core.btb_entries, area_btb_bits(c), 2)
                                                : (struct sram){0},
                      counters = sram_memory(c->core.predictor_counters / 4, 8, 2),
                      queue = sram_memory(c->core.fetch_queue, 32, 2),
                      window = sram_memory(c->core.window, 85, 3), lsq = sram_memory(c->core.lsq, 64, 2);
    const uint64_t *of = n->events.cores.operations;
    const double fetches = energy_counter(n, ".l1i", "accesses"),
                 instructions = energy_counter(n, "", "scalar_instructions"),
                 accesses = (double)(of[ARM_CLASS_LOAD] + of[ARM_CLASS_STORE] + of[ARM_CLASS_LOAD_MULTIPLE] +
                                     of[ARM_CLASS_STORE_MULTIPLE] + of[ARM_CLASS_NEON_LOAD] +
                                     of[ARM_CLASS_NEON_STORE]);
    energy_add(x, "branch predictor", "look-ups", fetches, btb.read_pj + counters.read_pj, "CACTI");
    energy_add(x, "branch predictor", "branches learned", energy_counter(n, ".branches", "executed"),
               btb.write_pj + counters.write_pj, "CACTI");
    energy_add(x, "fetch queue", "instructions", instructions, queue.read_pj + queue.write_pj, "CACTI");
    if (core_kinds[c->core.kind]->window)
        energy_add(x, "window", "instructions", instructions, window.read_pj + window.write_pj,
                   "CACTI, as a memory of its words");
    energy_add(x, "load-store queue", "loads and stores", accesses, lsq.read_pj + lsq.write_pj,
               "CACTI, as a memory of its words");
}

static double leakage(const struct energy_counts *n, const struct energy_constants *c) {
    const struct machine_config *m = &n->config;
    const double caches =
        cache_memory(&m->l1i).leakage_mw + cache_memory(&m->l1d).leakage_mw + cache_memory(&m->l2).leakage_mw;
    const struct area_units units = area_units_of(m);
    return m->cluster.count * m->cluster.lanes *
           (caches + (area_lane.mm2 + area_units_mm2(&units)) * c->leakage_mw_per_mm2);
}

void energy_add_tpm(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
    const double misses = energy_counter(n, ".l2", "misses"),
                 supplied = energy_counter(n, ".bus", "supplied"),
                 writebacks = energy_counter(n, ".l2", "writebacks");
    add_registers(x, n, c);
    add_caches(x, n);
    add_superscalar(x, n);
    add_descriptors(x, n);
    energy_add(x, "main memory", "lines", misses - supplied + writebacks, c->memory_line, c->name);
    x->leakage_mw = leakage(n, c);
}

void energy_of(struct energy *x, const struct energy_counts *n, const struct energy_constants *c) {
#define ROW(name) energy_add_##name,
    static void (*const add[])(struct energy * x, const struct energy_counts *n,
                               const struct energy_constants *c) = {CONTEXTS_LIST(ROW)};
#undef ROW
    *x = (struct energy){0};
    add_lanes(x, n, c);
    add[n->config.contexts](x, n, c);
    x->seconds =
        json_number_value(json_object_get(json_object_get(n->statistics, "totals"), "time_ps")) * 1e-12;
    x->leakage_nj = x->leakage_mw * x->seconds * 1e6;
    x->edp_js = (x->dynamic_nj + x->leakage_nj) * 1e-9 * x->seconds;
}
