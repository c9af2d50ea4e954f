#include "compiler/code/code_flow.h"

#include "compiler/driver/trouble.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- instructions (ARM architecture manual, A5) --- */

bool code_flow_is_branch(uint32_t i) {
    return (i & 0x0f000000) == 0x0a000000;
}

uint32_t code_flow_target(uint32_t i, uint32_t address) {
    return address + 8 + (uint32_t)((int32_t)(i << 8) >> 6);
}

bool code_flow_is_call(uint32_t i) {
    return (i & 0x0f000000) == 0x0b000000;
}

static bool is_conditional(uint32_t i) {
    return i >> 28 < 14;
}

/* Returns whether the instruction is BX, LDR, LDM or a computation to the PC; hints of a write to memory,
 * PLDW, have similar encodings and are excluded. */
static bool writes_pc(uint32_t i) {
    bool media = (i & 0x02000010) == 0x02000010, comparison = (i & 0x01800000) == 0x01000000;
    bool multiplication = (i & 0x02000090) == 0x00000090;
    return i >> 28 < 15 && ((i & 0x0ffffff0) == 0x012fff10 || ((i & 0x0c50f000) == 0x0410f000 && !media) ||
                            (i & 0x0e108000) == 0x08108000 ||
                            ((i & 0x0c00f000) == 0x0000f000 && !comparison && !multiplication));
}

/* Returns whether the instruction loads or computes the PC without being a return: not from the stack, and
 * not BX, POP or MOV pc, lr. */
static bool is_table_jump(uint32_t i) {
    const bool load = (i & 0x0c000000) == 0x04000000, from_stack = (i >> 16 & 15) == 13,
               several = (i & 0x0e000000) == 0x08000000, exchange = (i & 0x0ffffff0) == 0x012fff10;
    return writes_pc(i) && !several && !exchange && !(load && from_stack) && (i & 0x0fffffff) != 0x01a0f00e;
}

bool code_flow_ends_thread(uint32_t i) {
    bool thread_exit = (i & 0x0fff0fff) == 0x0e040711, trap = (i & 0x0ff000f0) == 0x07f000f0;
    return thread_exit || trap;
}

bool code_flow_is_conditional_return(uint32_t instruction) {
    return is_conditional(instruction) && writes_pc(instruction) && !is_table_jump(instruction);
}

/* --- functions --- */

static void add_edge(struct code_flow_function *f, size_t from, size_t to) {
    for (size_t e = f->edge_count; e-- > 0 && f->edges[e].from == from;)
        if (f->edges[e].to == to) return;
    f->edges = grow(f->edges, f->edge_count, sizeof *f->edges);
    f->edges[f->edge_count++] = (struct postdominators_edge){from, to};
}

static size_t node_at(const struct code_flow_function *f, uint32_t address) {
    return address >= f->begin && address - f->begin < 4 * f->count ? (address - f->begin) / 4 : f->count;
}

/* Adds edges to this function's instructions whose addresses are in its data between two words. */
static bool add_addresses(struct code_flow_function *f, const struct code_section *c, size_t node,
                          size_t from, size_t behind) {
    bool any = false;
    for (size_t n = from; n < behind; n++) {
        const uint32_t address = f->begin + 4 * (uint32_t)n;
        if (!code_section_is_data(c, address)) continue;
        const size_t to = node_at(f, code_section_word(c, address));
        if (to == f->count) continue;
        add_edge(f, node, to);
        any = true;
    }
    return any;
}

/* Adds the edges of a jump table. It is in the data after the jump, possibly after constants; else anywhere
 * in the function's data. A constant that looks like an address adds an edge that is never taken. */
static void add_table(struct code_flow_function *f, const struct code_section *c, size_t node) {
    size_t behind = node + 1;
    while (behind < f->count && code_section_is_data(c, f->begin + 4 * (uint32_t)behind)) behind++;
    if (!add_addresses(f, c, node, node + 1, behind) && !add_addresses(f, c, node, 0, f->count))
        add_edge(f, node, f->count);
}

static void add_edges(struct code_flow_function *f, const struct code_section *c, size_t node) {
    uint32_t address = f->begin + 4 * (uint32_t)node, i = code_section_word(c, address);
    if (code_section_is_data(c, address)) return;
    bool leaves = true;
    if (code_flow_is_branch(i))
        add_edge(f, node, node_at(f, code_flow_target(i, address)));
    else if (is_table_jump(i))
        add_table(f, c, node);
    else if (writes_pc(i) || code_flow_ends_thread(i))
        add_edge(f, node, f->count);
    else
        leaves = false;
    if (!leaves || is_conditional(i)) add_edge(f, node, node + 1);
}

/* Returns the end of the code for SIMT mode. */
static uint32_t code_end(const struct code_section *c) {
    for (size_t i = 0; i < c->symbol_count; i++)
        if (!strcmp(code_section_name(c, i), CODE_FLOW_END)) return c->symbols[i].st_value;
    return c->base + c->size;
}

static void read_function(struct code_flow_function *f, const struct code_section *c) {
    for (size_t n = 0; n < f->count; n++) add_edges(f, c, n);
    f->meeting = allocate(NULL, (f->count + 1) * sizeof *f->meeting);
    postdominators_find(f->count + 1, f->edges, f->edge_count, f->count, f->meeting);
}

void code_flow_read(struct code_flow *flow, const struct code_section *c) {
    const uint32_t end = code_end(c);
    uint32_t done = c->base; /* functions with several names are one */
    *flow = (struct code_flow){0};
    for (size_t s = 0; s < c->symbol_count; s++) {
        const Elf32_Sym *symbol = &c->symbols[s];
        struct code_flow_function f = {.begin = symbol->st_value, .count = symbol->st_size / 4, .symbol = s};
        if (ELF32_ST_TYPE(symbol->st_info) != STT_FUNC || f.begin < done || f.begin >= end) continue;
        read_function(&f, c);
        done = f.begin + 4 * (uint32_t)f.count;
        flow->functions = grow(flow->functions, flow->count, sizeof *flow->functions);
        flow->functions[flow->count++] = f;
    }
}

void code_flow_free(struct code_flow *flow) {
    for (size_t i = 0; i < flow->count; i++) {
        free(flow->functions[i].edges);
        free(flow->functions[i].meeting);
    }
    free(flow->functions);
    *flow = (struct code_flow){0};
}

size_t code_flow_meeting(const struct code_flow_function *f, const struct code_section *c, size_t node) {
    const size_t place = f->meeting[node];
    if (place == POSTDOMINATORS_NONE || place == f->count) return f->count;
    return code_flow_ends_thread(code_section_word(c, f->begin + 4 * (uint32_t)place)) ? f->count : place;
}

/* --- the note's list --- */

static void add_branch(const struct code_flow_function *f, size_t node, size_t meets, json_t *branches) {
    const json_int_t place = meets == f->count ? 0 : (json_int_t)meets * 4 + f->begin;
    json_array_append_new(branches, json_pack("[I,I]", (json_int_t)node * 4 + f->begin, place));
}

static void add_branches(const struct code_flow_function *f, const struct code_section *c, json_t *branches) {
    /* The edges of a node are adjacent. */
    for (size_t e = 0, more; e < f->edge_count; e += more) {
        const size_t node = f->edges[e].from;
        const uint32_t i = code_section_word(c, f->begin + 4 * (uint32_t)node);
        for (more = 1; e + more < f->edge_count && f->edges[e + more].from == node;) more++;
        if (more > 1)
            add_branch(f, node, code_flow_meeting(f, c, node), branches);
        else if (code_flow_is_call(i) && is_conditional(i))
            add_branch(f, node, node + 1, branches);
    }
}

json_t *code_flow_branches(const struct text *image) {
    struct code_section c;
    struct code_flow flow;
    json_t *branches = json_array();
    code_section_read(&c, image);
    code_flow_read(&flow, &c);
    for (size_t i = 0; i < flow.count; i++) add_branches(&flow.functions[i], &c, branches);
    code_flow_free(&flow);
    code_section_free(&c);
    return branches;
}
