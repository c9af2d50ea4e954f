#include "lockstep/energy/area_report.h"

#include "lockstep/output/table.h"
#include "lockstep/output/treemap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- tables --- */

static void print_technology(const struct area *a, FILE *out) {
    const struct technology *t = a->technology;
    fprintf(out, "library %s: NAND2 %s %.4g um2, inverter %s, FO4 %.1f ps\n",
            t->liberty.name ? t->liberty.name : "?", t->liberty.nand2->name, t->liberty.nand2->area,
            t->liberty.inverter->name, t->fo4_ps);
    fprintf(out, "  %s; %s\n", t->liberty.path, t->tools);
    fprintf(out,
            "at 40 nm: NAND2 %.2f um2, %.0f %% of the area placed (spread of libraries +-10 %%); FO4 %.0f ps "
            "(+-14 %%)\n",
            TECHNOLOGY_40NM_NAND2_UM2, 100 * TECHNOLOGY_40NM_UTILISATION, TECHNOLOGY_40NM_FO4_PS);
}

static void print_blocks(const struct area *a, FILE *out) {
    const struct technology *t = a->technology;
    struct table table;
    table_init(&table, "lrrrrrrrrll");
    static const char *const heads[] = {"block",    "NAND2-eq", "fastest",     "flip-flops",
                                        "FO4",      "ns 40 nm", "ns here",     "mm2 40 nm",
                                        "mm2 here", "netlist",  "longest path"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++) table_add(&table, "%s", heads[n]);
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++) {
        if (p->kind != AREA_BLOCK) continue;
        const struct netlist *s = &p->netlist.smallest, *f = &p->netlist.fastest;
        table_add(&table, "%s", p->name);
        table_add(&table, "%.0f", s->area_nand2);
        table_add(&table, "%.0f", f->area_nand2);
        table_add(&table, "%u", s->flip_flops);
        table_add(&table, "%.1f", f->delay_fo4);
        table_add(&table, "%.2f", technology_40nm_ns(f->delay_fo4));
        table_add(&table, "%.2f", technology_ns(t, f->delay_fo4));
        table_add(&table, "%.4f", technology_40nm_mm2(s->area_nand2));
        table_add(&table, "%.4f", technology_mm2(t, s->area_nand2));
        table_add(&table, "%s", netlist_proof_name[s->proof > f->proof ? s->proof : f->proof]);
        table_add(&table, "%s -> %s", f->from, f->to);
    }
    fprintf(out,
            "\nblocks of Verilog, the smallest and the fastest of several netlists; netlist: is it proved "
            "equal to the Verilog?\n\n");
    table_print(&table, 2, out);
    table_free(&table);
}

static void print_stages(const struct area *a, FILE *out) {
    struct table table;
    table_init(&table, "lrrrl");
    table_add(&table, "stage");
    table_add(&table, "FO4, %u warp%s", a->stage_warps, a->stage_warps == 1 ? "" : "s");
    table_add(&table, "ns, tables as flip-flops");
    table_add(&table, "as memories");
    table_add(&table, "longest path");
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++) {
        table_add(&table, "%s", synthesis_stage_name[s]);
        table_add(&table, "%.1f", a->coprocessor.stage_fo4[s]);
        table_add(&table, "%.2f", technology_40nm_ns(a->stage_fo4[s][0]));
        table_add(&table, "%.2f", technology_40nm_ns(a->stage_fo4[s][1]));
        table_add(&table, "%s -> %s", a->coprocessor.stage_from[s], a->coprocessor.stage_to[s]);
    }
    fprintf(out, "\nthe co-processor's cycle at 40 nm, by stage\n\n");
    table_print(&table, 2, out);
    table_free(&table);
}

/* Prints start and end of the path that limits the machine's clock: in a stage, or in a block. */
static void print_bound(const struct area *a, FILE *out) {
    for (enum synthesis_stage s = 0; a->stage_warps && s < STAGE_COUNT; s++)
        if (strncmp(a->period_of, "stage ", 6) == 0 && strcmp(a->period_of + 6, synthesis_stage_name[s]) == 0)
            fprintf(out, "    its path: %s -> %s\n", a->coprocessor.stage_from[s],
                    a->coprocessor.stage_to[s]);
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++)
        if (p->kind == AREA_BLOCK && strcmp(p->name, a->period_of) == 0) {
            fprintf(out, "    its path: %s -> %s\n", p->netlist.fastest.from, p->netlist.fastest.to);
            return;
        }
}

static void print_period(const struct area *a, const struct machine_config *c, FILE *out) {
    const bool meets = a->period_ns <= a->clock_ns;
    fprintf(out, "\n  period %.2f ns (%s), %.0f MHz at 40 nm: cluster.clock_mhz %u %s\n", a->period_ns,
            a->period_of, 1e3 / a->period_ns, c->clock_mhz, meets ? "is met" : "is NOT met");
    print_bound(a, out);
    for (const struct area_part *p = a->parts; !meets && p < a->parts + a->part_count; p++)
        if (area_part_cycle_ns(p, c) > a->clock_ns)
            fprintf(out, "    %s: %.2f ns, %.2f cycles, %s -> %s\n", p->name, area_part_cycle_ns(p, c),
                    area_part_cycle_ns(p, c) / a->clock_ns, p->netlist.fastest.from, p->netlist.fastest.to);
}

static void add_mm2(struct table *table, const struct area_part *p, double mm2) {
    if (p->kind == AREA_UNKNOWN)
        table_add(table, "not known");
    else
        table_add(table, "%.4f", mm2);
}

static void print_parts(const struct area *a, FILE *out) {
    struct table table;
    table_init(&table, "llrrrrl");
    static const char *const heads[] = {"part", "", "number", "mm2 each", "mm2", "tables as flip-flops",
                                        "what"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++) table_add(&table, "%s", heads[n]);
    const char *group = "";
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++) {
        table_add(&table, "%s", strcmp(group, p->group) == 0 ? "" : p->group);
        table_add(&table, "%s", p->name);
        table_add(&table, "%u", p->count);
        add_mm2(&table, p, p->mm2);
        add_mm2(&table, p, p->count * p->mm2);
        add_mm2(&table, p, p->count * p->flip_flops_mm2);
        table_add(&table, "%s", p->what);
        group = p->group;
    }
    table_add(&table, "all");
    for (unsigned n = 0; n < 3; n++) table_add(&table, "%s", "");
    table_add(&table, "%.4f", a->mm2);
    table_add(&table, "%.4f", a->flip_flops_mm2);
    table_add(&table, "%s", "");
    fprintf(out, "\nthe machine at 40 nm\n\n");
    table_print(&table, 2, out);
    table_free(&table);
    fprintf(out, "\n  core: %s\n  crossbar: %s\n", area_lane.source, area_crossbar.source);
}

static double difference(double ours, double theirs) {
    return 100 * (ours / theirs - 1);
}

static double mean_reference_error(void) {
    double sum = 0;
    for (size_t n = 0; n < sram_reference_count; n++) {
        const struct sram_reference *r = &sram_references[n];
        sum += fabs(difference(sram_memory(r->words, r->bits, r->ports).mm2, r->mm2));
    }
    return sum / (double)sram_reference_count;
}

static void print_references(FILE *out) {
    struct table table;
    table_init(&table, "rrrrrrl");
    static const char *const heads[] = {"words", "bits",       "ports", "theirs mm2",
                                        "ours",  "difference", "memory"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++) table_add(&table, "%s", heads[n]);
    for (size_t n = 0; n < sram_reference_count; n++) {
        const struct sram_reference *r = &sram_references[n];
        const double ours = sram_memory(r->words, r->bits, r->ports).mm2;
        table_add(&table, "%u", r->words);
        table_add(&table, "%u", r->bits);
        table_add(&table, "%u", r->ports);
        table_add(&table, "%.4f", r->mm2);
        table_add(&table, "%.4f", ours);
        table_add(&table, "%+.1f %%", difference(ours, r->mm2));
        table_add(&table, "%s", r->source);
    }
    fprintf(out,
            "\nmemories: a closed form of CACTI's results, beside what it was not fitted to (mean error %.1f "
            "%%)\n\n",
            mean_reference_error());
    table_print(&table, 2, out);
    table_free(&table);
}

void area_print(const struct area *a, const struct machine_config *c, FILE *out) {
    print_technology(a, out);
    print_blocks(a, out);
    if (a->stage_warps) print_stages(a, out);
    print_period(a, c, out);
    print_parts(a, out);
    print_references(out);
}

/* --- document --- */

static json_t *netlist_document(const struct netlist *n) {
    return json_pack("{s:s, s:f, s:i, s:i, s:f, s:s, s:s, s:s}", "script", n->script, "nand2", n->area_nand2,
                     "cells", n->cells, "flip_flops", n->flip_flops, "fo4", n->delay_fo4, "from", n->from,
                     "to", n->to, "proof", netlist_proof_name[n->proof]);
}

static json_t *part_document(const struct area_part *p) {
    static const char *const kinds[] = {"block",           "table",     "memory",
                                        "searched memory", "published", "not known"};
    json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f}", "name", p->name, "group", p->group,
                          "kind", kinds[p->kind], "what", p->what, "number", p->count, "mm2", p->mm2,
                          "mm2_flip_flops", p->flip_flops_mm2, "leakage_mw", p->leakage_mw);
    json_object_set_new(j, "ns", p->ns > 0 ? json_real(p->ns) : json_null());
    if (p->kind == AREA_BLOCK) {
        json_object_set_new(j, "smallest", netlist_document(&p->netlist.smallest));
        json_object_set_new(j, "fastest", netlist_document(&p->netlist.fastest));
    }
    return j;
}

static json_t *stages_document(const struct area *a) {
    json_t *stages = json_array();
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++)
        json_array_append_new(stages,
                              json_pack("{s:s, s:f, s:f, s:f, s:s, s:s}", "stage", synthesis_stage_name[s],
                                        "fo4_synthesised", a->coprocessor.stage_fo4[s], "ns_flip_flops",
                                        technology_40nm_ns(a->stage_fo4[s][0]), "ns_memories",
                                        technology_40nm_ns(a->stage_fo4[s][1]), "from",
                                        a->coprocessor.stage_from[s], "to", a->coprocessor.stage_to[s]));
    return stages;
}

static json_t *references_document(void) {
    json_t *references = json_array();
    for (size_t n = 0; n < sram_reference_count; n++) {
        const struct sram_reference *r = &sram_references[n];
        json_array_append_new(references,
                              json_pack("{s:s, s:i, s:i, s:i, s:f, s:f}", "source", r->source, "words",
                                        r->words, "bits", r->bits, "ports", r->ports, "mm2_theirs", r->mm2,
                                        "mm2_ours", sram_memory(r->words, r->bits, r->ports).mm2));
    }
    return references;
}

static json_t *configuration(const struct machine_config *c) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    config_write(&machine_config_table, c, out);
    fclose(out);
    json_t *j = json_string(text);
    free(text);
    return j;
}

json_t *area_document(const struct area *a, const struct machine_config *c) {
    const struct technology *t = a->technology;
    json_t *j = json_pack("{s:s, s:i}", "schema", "lockstep-area", "schema_version", AREA_SCHEMA_VERSION);
    json_t *parts = json_array();
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++)
        json_array_append_new(parts, part_document(p));
    json_object_set_new(j, "configuration", configuration(c));
    json_object_set_new(j, "library",
                        json_pack("{s:s, s:s, s:s, s:f, s:s, s:f}", "path", t->liberty.path, "tools",
                                  t->tools, "nand2", t->liberty.nand2->name, "nand2_um2",
                                  t->liberty.nand2->area, "inverter", t->liberty.inverter->name, "fo4_ps",
                                  t->fo4_ps));
    json_object_set_new(j, "parts", parts);
    json_object_set_new(j, "stages", a->stage_warps ? stages_document(a) : json_array());
    json_object_set_new(j, "period_ns", json_real(a->period_ns));
    json_object_set_new(j, "period_of", json_string(a->period_of));
    json_object_set_new(j, "clock_met", json_boolean(a->period_ns <= a->clock_ns));
    json_object_set_new(j, "mm2", json_real(a->mm2));
    json_object_set_new(j, "mm2_flip_flops", json_real(a->flip_flops_mm2));
    json_object_set_new(j, "core_source", json_string(area_lane.source));
    json_object_set_new(j, "crossbar_source", json_string(area_crossbar.source));
    json_object_set_new(j, "memory_references", references_document());
    json_object_set_new(j, "memory_references_mean_error_percent", json_real(mean_reference_error()));
    return j;
}

/* --- treemap --- */

void area_treemap(const struct area *a, FILE *out) {
    struct treemap_item *items = calloc(a->part_count, sizeof *items);
    require_memory(items);
    char title[96];
    size_t count = 0;
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++) {
        char *text;
        if (p->kind == AREA_UNKNOWN) continue;
        require_memory(asprintf(&text, "%u x %.4f mm2: %s", p->count, p->mm2, p->what) >= 0);
        items[count++] = (struct treemap_item){p->group, p->name, p->count * p->mm2, text};
    }
    snprintf(title, sizeof title, "%.3f mm2 at 40 nm", a->mm2);
    treemap_write(title, items, count, out);
    for (size_t n = 0; n < count; n++) free((char *)items[n].text);
    free(items);
}
