#include "synthesis/area_parts.h"

#include "model/config/divergence_kind.h"
#include "model/config/own_fields.h"
#include "model/replacement/replacement_kind.h"
#include "synthesis/cache_memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct area_part *area_add(struct area *a, enum area_kind kind, const char *group, const char *name,
                           unsigned count) {
    a->parts = realloc(a->parts, (a->part_count + 1) * sizeof *a->parts);
    require_memory(a->parts);
    struct area_part *p = &a->parts[a->part_count++];
    *p = (struct area_part){.kind = kind, .count = count};
    snprintf(p->group, sizeof p->group, "%s", group);
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

void area_say(struct area_part *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->what, sizeof p->what, format, arguments);
    va_end(arguments);
}

void area_add_published(struct area *a, const char *group, const char *name, unsigned count, double mm2,
                        const char *what) {
    if (!count) return;
    struct area_part *p = area_add(a, AREA_PUBLISHED, group, name, count);
    area_say(p, "%s", what);
    p->mm2 = p->flip_flops_mm2 = mm2;
}

/* --- memories --- */

/* `what`: words, bits and ports, or another text. */
static void add_memory(struct area *a, const char *group, const char *name, unsigned count, struct sram s,
                       const char *what) {
    struct area_part *p = area_add(a, AREA_MEMORY, group, name, count);
    area_say(p, "%s", what);
    p->mm2 = p->flip_flops_mm2 = s.mm2;
    p->ns = s.ns;
    p->leakage_mw = s.leakage_mw;
}

void area_add_words(struct area *a, const char *group, const char *name, unsigned count, unsigned words,
                    unsigned bits, unsigned ports) {
    char what[96];
    snprintf(what, sizeof what, "%u words of %u bits, %u port%s", words, bits, ports, ports == 1 ? "" : "s");
    add_memory(a, group, name, count, sram_memory(words, bits, ports), what);
}

void area_add_cache(struct area *a, const char *group, const char *name, const struct machine_cache_config *c,
                    unsigned count) {
    char what[96];
    int used =
        snprintf(what, sizeof what, "%u bytes, %u ways, lines of %u", c->size_bytes, c->ways, c->line_bytes);
    if (c->replacement != REPLACEMENT_lru)
        snprintf(what + used, sizeof what - (size_t)used, ", %s", replacement_names[c->replacement]);
    add_memory(a, group, name, count, cache_memory(c), what);
}

void area_add_searched(struct area_building *b, const char *group, const char *name, unsigned count,
                       unsigned entries, unsigned bits, unsigned searched) {
    struct area_part *p = area_add(b->area, AREA_SEARCHED, group, name, count);
    area_say(p, "%u entries of %u bits, %u searched", entries, bits, searched);
    p->mm2 = p->flip_flops_mm2 =
        technology_40nm_mm2(entries * (bits * b->bit_nand2 + searched * AREA_MATCH_NAND2));
}

void area_add_unknown(struct area *a, const char *group, const char *name, unsigned count, const char *why) {
    area_say(area_add(a, AREA_UNKNOWN, group, name, count), "%s", why);
}

/* --- blocks --- */

void area_set(struct area_block *block, const char *name, unsigned value) {
    struct verilog_setting *s = block->settings;
    while (s < block->settings + block->setting_count && strcmp(s->name, name) != 0) s++;
    if (s == block->settings + block->setting_count) block->setting_count++;
    *s = (struct verilog_setting){name, value};
}

unsigned area_get(const struct area_block *block, const char *name) {
    for (const struct verilog_setting *s = block->settings; s < block->settings + block->setting_count; s++)
        if (strcmp(s->name, name) == 0) return s->value;
    return 0;
}

bool area_block_is_large(const char *module) {
    static const char *const large[] = {"srf_rename",
                                        "thread_descriptor_table",
                                        "re_convergence_stack",
                                        "miss_registers",
                                        "re_convergence_barriers",
                                        "coalescer",
                                        "bank_conflict_resolver",
                                        "dram_scheduler"};
    for (size_t n = 0; n < sizeof large / sizeof *large; n++)
        if (strcmp(module, large[n]) == 0) return true;
    return false;
}

bool area_synthesise(struct area_building *b, const struct area_block *block, bool large, bool stages,
                     struct netlist_result *result, struct error *e) {
    const struct netlist_request r = {.folder = b->options->rtl,
                                      .top = block->module,
                                      .settings = block->settings,
                                      .count = block->setting_count,
                                      .stages = stages,
                                      .large = large,
                                      .effort = b->options->effort,
                                      .prove = b->options->prove};
    *result = (struct netlist_result){0};
    if (b->jobs) return netlist_jobs_add(b->jobs, &r, e);
    if (b->options->no_blocks) return true;
    if (!netlist_make(&r, b->area->technology, b->options->on_run, result, e)) return false;
    const struct netlist *n = &result->smallest;
    if (n->flip_flops) b->bit_nand2 = n->flip_flop_nand2 / n->flip_flops;
    return true;
}

bool area_add_block(struct area_building *b, const struct area_block *block, struct error *e) {
    struct netlist_result result;
    if (!area_synthesise(b, block, area_block_is_large(block->module), false, &result, e)) return false;
    struct area_part *p = area_add(b->area, AREA_BLOCK, block->group, block->name, block->count);
    p->netlist = result;
    p->cycles = block->cycles ? block->cycles : 1;
    p->clock_mhz = block->clock_mhz;
    area_say(p, "%s", result.parameters);
    p->mm2 = p->flip_flops_mm2 = technology_40nm_mm2(result.smallest.area_nand2);
    p->ns = technology_40nm_ns(result.fastest.delay_fo4);
    return true;
}

void area_add_rows(struct area_building *b, const char *group, const char *name, unsigned count,
                   unsigned rows, unsigned bits) {
    struct area_part *table = area_add(b->area, AREA_TABLE, group, name, count);
    const unsigned slices = (bits + AREA_SLICE_BITS - 1) / AREA_SLICE_BITS;
    const struct sram slice = sram_memory(rows, AREA_SLICE_BITS, 2);
    area_say(table, "%u rows of %u bits", rows, bits);
    table->mm2 = slices * slice.mm2;
    table->leakage_mw = slices * slice.leakage_mw;
    table->ns = slice.ns;
    table->flip_flops_mm2 = technology_40nm_mm2((double)rows * bits * b->bit_nand2);
}

unsigned area_stack_threads(const struct machine_config *c) {
    return c->simt.divergence == DIVERGENCE_lwm ? own_fields(c)->lwm.threads : c->simt.warp_size;
}

/* An entry of a stack consists of PC, RPC, mask and a bit that marks calls. */
void area_add_stack_rows(struct area_building *b, const char *group, unsigned count, unsigned warps,
                         unsigned threads) {
    const unsigned entries = 2 * threads + b->config->simt.stack_calls,
                   depth_bits = (unsigned)ceil(log2(entries + 1));
    char contents[48];
    snprintf(contents, sizeof contents, "its %u rows", warps);
    area_add_rows(b, group, contents, count, warps, entries * (2 * 32 + threads + 1) + depth_bits);
}

static unsigned bits_of(unsigned values) {
    return values > 1 ? (unsigned)ceil(log2(values)) : 1;
}

/* Adds HARP's barriers, which are searched. CACTI has no such memories, and their Verilog is synthesised
 * with --effort full only; the paper gives an area for its own size. */
static void add_barriers(struct area_building *b, const struct area_engine *e, unsigned bits) {
    static const double paper_mm2 = 0.017 + 0.058 + 0.010 + 0.010, paper_bits = 128 * (16 * (6 + 1) + 1 + 32);
    const unsigned barriers = own_fields(b->config)->harp.barriers;
    char what[64];
    snprintf(what, sizeof what, "%u of %u bits; harp Table 7, by bits", barriers, bits);
    area_add_published(b->area, e->group, "re-convergence barriers", e->count,
                       paper_mm2 * barriers * bits / paper_bits, what);
}

/* A warp has a PC and a row for each lane. */
void area_add_engine(struct area_building *b, const struct area_engine *e) {
    const struct machine_config *c = b->config;
    const unsigned row = bits_of(e->rows), groups = bits_of(e->groups),
                   warp = 32 + e->lanes * (row + 1) + groups;
    struct area *a = b->area;
    if (c->simt.divergence == DIVERGENCE_harp) {
        area_add_words(a, e->group, "Second-Level", e->count, own_fields(c)->harp.second_level, warp, 1);
        area_add_words(a, e->group, "First-Level", e->count, own_fields(c)->harp.first_level, warp, 2);
        if (b->options->effort != SYNTHESIS_FULL) add_barriers(b, e, warp + e->lanes);
    }
    if (c->simt.divergence == DIVERGENCE_dwf)
        area_add_words(a, e->group, "pool of warps", e->count, e->threads, warp, 2);
    if (c->simt.divergence == DIVERGENCE_tbc) {
        const unsigned entries = 2 * e->threads + e->groups * c->simt.stack_calls, place = bits_of(entries);
        area_add_words(a, e->group, "warps of work-groups", e->count, e->threads / c->simt.warp_size,
                       32 + c->simt.warp_size * (row + 1) + groups, 2);
        area_add_words(a, e->group, "stacks of work-groups", e->count, entries, 2 * 32 + 1 + 2 * place, 1);
        area_add_words(a, e->group, "entry and PC of threads", e->count, e->threads, place + 32, 2);
    }
}

bool area_add_table(struct area_building *b, const struct area_block *block, const char *contents,
                    unsigned warps, struct error *e) {
    struct area_block one = *block;
    area_set(&one, "WARPS", 1);
    if (!area_add_block(b, &one, e)) return false;
    struct area_part *logic = &b->area->parts[b->area->part_count - 1];
    const struct netlist *n = &logic->netlist.smallest;
    area_say(logic, "%s: without its flip-flops", logic->netlist.parameters);
    logic->mm2 = logic->flip_flops_mm2 = technology_40nm_mm2(n->area_nand2 - n->flip_flop_nand2);
    area_add_rows(b, block->group, contents, block->count, warps, n->flip_flops);
    return true;
}
