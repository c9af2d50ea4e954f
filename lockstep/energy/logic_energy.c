#include "lockstep/energy/logic_energy.h"

#include "lockstep/output/table.h"
#include "model/machine/machine.h"
#include "synthesis/area.h"
#include "synthesis/power.h"
#include "tb/twins/place.h"

#include <string.h>

static const json_t *blocks(const struct energy_counts *n) {
    return json_object_get(n->statistics, "rtl");
}

bool logic_energy_counted(const struct energy_counts *n) {
    size_t index;
    json_t *b;
    json_array_foreach(blocks(n), index, b) if (json_object_get(b, "ports")) return true;
    return false;
}

/* Reads a block's ports from a statistics file, for OpenSTA. */
static bool read_ports(const json_t *block, struct power_port *ports, unsigned *count, double *activity) {
    const double cycles = json_number_value(json_object_get(block, "comparisons"));
    double toggles = 0, bits = 0;
    size_t index;
    json_t *j;
    *count = 0;
    json_array_foreach(json_object_get(block, "ports"), index, j) {
        struct power_port *p = &ports[(*count)++];
        const double width = json_number_value(json_object_get(j, "bits")),
                     changes = json_number_value(json_object_get(j, "toggles"));
        p->name = json_string_value(json_object_get(j, "port"));
        if (*count == VERILOG_MAX_SIGNALS || !p->name || width < 1 || cycles < 1) return false;
        p->activity = changes / (width * cycles);
        p->duty = json_number_value(json_object_get(j, "ones")) / (width * cycles);
        toggles += changes;
        bits += width;
    }
    *activity = bits > 0 ? toggles / (bits * cycles) : 0;
    return *count > 0;
}

/* Returns whether a block is too large to be synthesised whole at a machine's number of warps. */
static bool is_large(enum cluster_block slot) {
    return slot == CLUSTER_BLOCK_DESCRIPTORS || slot == CLUSTER_BLOCK_COPROCESSOR ||
           slot == CLUSTER_BLOCK_HARP;
}

static bool add_block(struct logic_energy *x, const struct energy_counts *n, struct machine *m,
                      const json_t *block, const struct logic_energy_options *o, struct error *e) {
    const char *name = json_string_value(json_object_get(block, "block"));
    const enum cluster_block slot = name ? twin_block_find(name, strlen(name)) : CLUSTER_BLOCK_COUNT;
    struct power_port ports[VERILOG_MAX_SIGNALS];
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    struct logic_energy_row *row = &x->rows[x->row_count];
    struct power p;
    unsigned count;
    if (slot == CLUSTER_BLOCK_COUNT || x->row_count == LOGIC_ENERGY_MAX_ROWS ||
        !read_ports(block, ports, &count, &row->activity))
        return error_set(e, EXIT_USER, "the toggles of %s are not what `lockstep run --stats` writes",
                         name ? name : "a block");
    row->block = twin_block[slot].name;
    row->module = twin_block_of(&n->config, slot)->module;
    const struct netlist_request r = {.folder = o->rtl,
                                      .top = row->module,
                                      .settings = settings,
                                      .count = twin_places_settings(m, slot, settings),
                                      .large = area_block_is_large(row->module)};
    if (!power_of(&r, &x->technology, ports, count, o->on_run, &p, e)) return false;
    const unsigned here = slot == CLUSTER_BLOCK_ADDRESS ? n->config.cluster.lanes : 1;
    const double seconds =
        json_number_value(json_object_get(json_object_get(n->statistics, "totals"), "time_ps")) * 1e-12;
    row->number = here * n->config.cluster.count;
    row->cycles = json_number_value(json_object_get(block, "comparisons"));
    row->dynamic_pj = p.dynamic_pj;
    row->leakage_mw = p.leakage_mw;
    row->nj = here * row->cycles * p.dynamic_pj * 1e-3 + row->number * p.leakage_mw * seconds * 1e6;
    x->nj += row->nj;
    ++x->row_count;
    return true;
}

bool logic_energy_of(struct logic_energy *x, const struct energy_counts *n,
                     const struct logic_energy_options *o, struct error *e) {
    *x = (struct logic_energy){0};
    struct machine *m = machine_create(&n->config, e);
    if (!m) return false;
    bool good = technology_read(&x->technology, o->liberty, o->lef, e);
    size_t index;
    json_t *b;
    json_array_foreach(blocks(n), index, b) {
        const char *name = json_string_value(json_object_get(b, "block"));
        if (!json_object_get(b, "ports") || (name && is_large(twin_block_find(name, strlen(name))))) continue;
        good = good && add_block(x, n, m, b, o, e);
    }
    machine_destroy(m);
    return good;
}

void logic_energy_free(struct logic_energy *x) {
    technology_free(&x->technology);
}

void logic_energy_print(const struct logic_energy *x, FILE *out) {
    struct table t;
    fprintf(out,
            "\n  logic of the co-processor's blocks, from the toggles of their ports, by OpenSTA in %s\n"
            "  (energy of logic does not carry over to other libraries: compare blocks with each other)\n",
            x->technology.liberty.name);
    table_init(&t, "llrrrrrr");
    static const char *const heads[] = {"block",    "module",     "number",      "cycles",
                                        "activity", "pJ a cycle", "leakage, mW", "nJ"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++) table_add(&t, "%s", heads[n]);
    for (const struct logic_energy_row *r = x->rows; r < x->rows + x->row_count; r++) {
        table_add(&t, "%s", r->block);
        table_add(&t, "%s", r->module);
        table_add(&t, "%u", r->number);
        table_add(&t, "%.0f", r->cycles);
        table_add(&t, "%.4f", r->activity);
        table_add(&t, "%.2f", r->dynamic_pj);
        table_add(&t, "%.3g", r->leakage_mw);
        table_add(&t, "%.1f", r->nj);
    }
    table_print(&t, 2, out);
    table_free(&t);
    fprintf(out, "  all of them: %.1f nJ\n", x->nj);
}

json_t *logic_energy_json(const struct logic_energy *x) {
    json_t *rows = json_array();
    for (const struct logic_energy_row *r = x->rows; r < x->rows + x->row_count; r++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f}", "block", r->block,
                                              "module", r->module, "number", (int)r->number, "cycles",
                                              r->cycles, "activity", r->activity, "dynamic_pj_per_cycle",
                                              r->dynamic_pj, "leakage_mw", r->leakage_mw, "nj", r->nj));
    return json_pack("{s:s, s:o, s:f}", "library", x->technology.liberty.name, "blocks", rows, "nj", x->nj);
}
