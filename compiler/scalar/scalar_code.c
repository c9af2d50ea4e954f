#include "compiler/scalar/scalar_code.h"

#include "compiler/driver/trouble.h"
#include "model/arm/arm.h"
#include "model/arm/coprocessor.h"

#include <stdlib.h>
#include <string.h>

/* Numbers common to the note and the model: rows, NZCV and FPSCR's flags. The PC is uniform. */
#define OPERANDS (UINT64_C(0x7fff) | UINT64_C(0xffffffff) << 16 | ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS)
_Static_assert(ARM_STATE_NZCV == UINT64_C(1) << SCALAR_NOTE_NZCV &&
                   ARM_STATE_FPSCR_FLAGS == UINT64_C(1) << SCALAR_NOTE_FPSCR_FLAGS,
               "the note numbers registers as the model does");

/* --- instructions --- */

/* Returns whether the instruction reads an identity that differs within a warp, or a time. */
static bool is_identity(const struct arm_instruction *i) {
    const struct coprocessor_decoded d = coprocessor_decode(i);
    switch (d.operation) {
    case COPROCESSOR_GROUP_ID:
    case COPROCESSOR_NUM_GROUPS:
    case COPROCESSOR_LOCAL_SIZE:
    case COPROCESSOR_GLOBAL_SIZE:
    case COPROCESSOR_GLOBAL_OFFSET:
    case COPROCESSOR_WORK_DIM: return false;
    case COPROCESSOR_CONSTANT: return d.index == 0; /* the lane */
    default: return i->coprocessor_reads;
    }
}

/* Reads the registers for the condition, registers that keep their value if it fails, and double-precision
 * operands. */
static void read_instruction(struct scalar_node *n, uint32_t word, uint32_t address) {
    struct arm_instruction i;
    arm_decode(word, address, &i);
    n->is_instruction = true;
    n->address = address;
    n->conditional = i.condition != 14;
    n->reads = i.reads & OPERANDS;
    n->writes = i.writes & OPERANDS;
    n->keeps = n->conditional ? n->writes : n->writes & n->reads & ARM_STATE_NZCV;
    if (n->conditional) n->reads |= ARM_STATE_NZCV;
    if (i.is_coprocessor && !i.coprocessor_reads)
        n->reads &= ARM_STATE_NZCV; /* queries in kernels have no operand */
    if ((word & 0x0c000f00) == 0x0c000b00) n->pairs = n->reads & n->reads >> 1 & UINT64_C(0x55555555) << 16;
    n->varies = (i.reads & ARM_STATE_OTHER) || (i.writes & ARM_STATE_FPSCR_MODES) ||
                (i.is_coprocessor && is_identity(&i));
    n->barrier = i.is_coprocessor && coprocessor_decode(&i).operation == COPROCESSOR_BARRIER;
    n->ends_thread = code_flow_ends_thread(word) && !n->conditional;
}

/* --- functions as nodes --- */

static size_t add_node(struct scalar_code *c, size_t function) {
    c->nodes = grow(c->nodes, c->node_count, sizeof *c->nodes);
    c->nodes[c->node_count] =
        (struct scalar_node){.function = function, .callee = SCALAR_NONE, .meeting = SCALAR_NONE};
    return c->node_count++;
}

static size_t function_at(const struct code_flow *flow, uint32_t address) {
    for (size_t low = 0, high = flow->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (flow->functions[middle].begin == address) return middle;
        if (flow->functions[middle].begin < address)
            low = middle + 1;
        else
            high = middle;
    }
    return SCALAR_NONE;
}

/* Returns the function that a branch or call goes to; SCALAR_NONE if it stays in its own. */
static size_t callee_of(const struct code_flow *flow, const struct code_flow_function *f, uint32_t word,
                        uint32_t address) {
    const bool call = code_flow_is_call(word);
    if (!call && !code_flow_is_branch(word)) return SCALAR_NONE;
    const uint32_t target = code_flow_target(word, address);
    if (!call && target >= f->begin && target - f->begin < 4 * f->count) return SCALAR_NONE;
    const size_t callee = function_at(flow, target);
    if (callee == SCALAR_NONE) defect("the call at 0x%x goes to no function", address);
    return callee;
}

/* Adds a node's successors, adjacent in the list, and one more. */
static void set_successors(struct scalar_code *c, size_t *count, size_t node, const size_t *list, size_t n) {
    c->nodes[node].successor = *count;
    c->nodes[node].successors = n;
    for (size_t i = 0; i < n; i++) {
        c->successors = grow(c->successors, *count, sizeof *c->successors);
        c->successors[(*count)++] = list[i];
    }
}

/* Adds a node for a call that is conditional (`behind` follows it) or ends the function. */
static size_t add_call(struct scalar_code *c, size_t *count, size_t node, size_t callee, size_t behind) {
    const size_t call = add_node(c, c->nodes[node].function);
    struct scalar_node *n = &c->nodes[call];
    n->address = c->nodes[node].address;
    n->callee = callee;
    n->tail_call = behind == c->functions[n->function].end;
    n->writes = c->nodes[node].writes & SCALAR_LR;
    c->nodes[node].writes = 0;
    c->nodes[node].keeps = 0;
    set_successors(c, count, call, &behind, 1);
    return call;
}

/* Reads the flow of a function. */
static void read_flow(struct scalar_code *c, const struct code_flow *flow, size_t function, size_t *count) {
    const struct code_flow_function *f = &flow->functions[function];
    const size_t begin = c->functions[function].begin;
    size_t list[2 + 1024];
    for (size_t e = 0; e < f->edge_count;) {
        const size_t node = f->edges[e].from;
        const uint32_t address = f->begin + 4 * (uint32_t)node,
                       word = code_section_word(&c->section, address);
        const size_t callee = callee_of(flow, f, word, address);
        size_t *to = list, n = 0;
        for (size_t i = e; i < f->edge_count && f->edges[i].from == node; i++) n++;
        if (n > sizeof list / sizeof *list) to = allocate(NULL, n * sizeof *to);
        for (size_t i = 0; i < n; i++) to[i] = begin + f->edges[e + i].to;
        e += n;
        struct scalar_node *s = &c->nodes[begin + node];
        if (callee != SCALAR_NONE && code_flow_is_call(word) && !s->conditional) {
            s->callee = callee;
        } else if (callee != SCALAR_NONE && code_flow_is_call(word)) {
            to[1] = to[0];
            to[0] = add_call(c, count, begin + node, callee, to[1]);
            n = 2;
            c->nodes[begin + node].meeting = to[1];
        } else if (callee != SCALAR_NONE) {
            for (size_t i = 0; i < n; i++)
                if (to[i] == begin + f->count) to[i] = add_call(c, count, begin + node, callee, to[i]);
        }
        set_successors(c, count, begin + node, to, n);
        s = &c->nodes[begin + node];
        if (n > 1 && s->meeting == SCALAR_NONE) s->meeting = begin + code_flow_meeting(f, &c->section, node);
        s->table_jump = n > 1 && !s->conditional;
        if (to != list) free(to);
    }
}

static void read_function(struct scalar_code *c, const struct code_flow *flow, size_t function,
                          size_t *count) {
    const struct code_flow_function *f = &flow->functions[function];
    struct scalar_function *s = &c->functions[function];
    *s = (struct scalar_function){.begin = c->node_count, .instructions = f->count};
    s->name = code_section_name(&c->section, f->symbol);
    s->end = s->begin + f->count;
    for (size_t n = 0; n <= f->count; n++) {
        const uint32_t address = f->begin + 4 * (uint32_t)n;
        const size_t node = add_node(c, function);
        if (n < f->count && !code_section_is_data(&c->section, address))
            read_instruction(&c->nodes[node], code_section_word(&c->section, address), address);
    }
    read_flow(c, flow, function, count);
    s->limit = c->node_count;
}

/* --- the caller's registers --- */

/* Returns for each node the registers that still hold their values at the function's entry on all paths. */
static uint64_t *held_registers(const struct scalar_code *c, const struct scalar_function *f) {
    uint64_t *held = allocate(NULL, (f->limit - f->begin) * sizeof *held);
    memset(held, 0xff, (f->limit - f->begin) * sizeof *held);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = f->begin; n < f->limit; n++) {
            const struct scalar_node *s = &c->nodes[n];
            const uint64_t out = held[n - f->begin] & ~s->writes;
            for (size_t i = 0; i < s->successors; i++) {
                uint64_t *to = &held[c->successors[s->successor + i] - f->begin];
                changed |= (*to & out) != *to;
                *to &= out;
            }
        }
    }
    return held;
}

/* Returns for each node the registers that are read after it, except by calls and returns. Only registers
 * that a function preserves are computed. */
static uint64_t *wanted_registers(const struct scalar_code *c, const struct scalar_function *f) {
    uint64_t *in = allocate(NULL, (f->limit - f->begin) * sizeof *in),
             *behind = allocate(NULL, (f->limit - f->begin) * sizeof *behind);
    memset(in, 0, (f->limit - f->begin) * sizeof *in);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = f->limit; n-- > f->begin;) {
            const struct scalar_node *s = &c->nodes[n];
            uint64_t out = 0;
            for (size_t i = 0; i < s->successors; i++) out |= in[c->successors[s->successor + i] - f->begin];
            const uint64_t now = s->reads | (out & ~(s->writes & ~s->keeps));
            behind[n - f->begin] = out;
            changed |= now != in[n - f->begin];
            in[n - f->begin] = now;
        }
    }
    free(in);
    return behind;
}

/* Drops saves and restores: a store through SP of a register with the caller's value, and a load of a value
 * that nothing reads. */
static void drop_saved(struct scalar_code *c, const struct scalar_function *f) {
    uint64_t *held = held_registers(c, f);
    for (size_t n = f->begin; n < f->limit; n++) {
        struct scalar_node *s = &c->nodes[n];
        struct arm_instruction i;
        if (!s->is_instruction || !(s->reads & SCALAR_SP)) continue;
        arm_decode(code_section_word(&c->section, s->address), s->address, &i);
        if (i.is_store) s->reads &= ~(held[n - f->begin] & SCALAR_CALL_KEEPS);
        s->pairs &= s->reads & s->reads >> 1; /* halves that are no longer read have no web */
    }
    free(held);
    uint64_t *wanted = wanted_registers(c, f);
    for (size_t n = f->begin; n < f->limit; n++) {
        struct scalar_node *s = &c->nodes[n];
        struct arm_instruction i;
        if (!s->is_instruction || !(s->reads & SCALAR_SP)) continue;
        arm_decode(code_section_word(&c->section, s->address), s->address, &i);
        if (!i.is_load) continue;
        /* A thread that leaves by a conditional return needs no register; a thread that stays has loaded
         * none. */
        const uint64_t needed = i.writes_pc ? 0 : wanted[n - f->begin];
        s->writes &= ~(SCALAR_CALL_KEEPS & ~needed);
        s->keeps &= s->writes;
    }
    free(wanted);
}

/* --- calls --- */

static void reach(struct scalar_code *c, size_t function) {
    struct scalar_function *f = &c->functions[function];
    if (f->reached) return;
    f->reached = true;
    f->calls = allocate(NULL, c->function_count * sizeof *f->calls);
    memset(f->calls, 0, c->function_count * sizeof *f->calls);
    f->calls[function] = true;
    drop_saved(c, f);
    for (size_t n = f->begin; n < f->limit; n++) {
        const size_t callee = c->nodes[n].callee;
        f->has_barrier |= c->nodes[n].barrier;
        if (callee == SCALAR_NONE) continue;
        reach(c, callee);
        f->has_barrier |= c->functions[callee].has_barrier;
        for (size_t g = 0; g < c->function_count; g++) f->calls[g] |= c->functions[callee].calls[g];
    }
    c->order[c->ordered++] = function; /* callees come first: reversed below */
}

static void find_thunks(struct scalar_code *c, const struct code_flow *flow, const json_t *kernels) {
    c->thunk_count = json_array_size(kernels);
    c->thunks = allocate(NULL, (c->thunk_count + 1) * sizeof *c->thunks);
    for (size_t k = 0; k < c->thunk_count; k++) {
        const char *name = json_string_value(json_object_get(json_array_get(kernels, k), "thunk"));
        c->thunks[k] = SCALAR_NONE;
        for (size_t s = 0; s < c->section.symbol_count; s++)
            if (!strcmp(code_section_name(&c->section, s), name))
                c->thunks[k] = function_at(flow, c->section.symbols[s].st_value);
        if (c->thunks[k] == SCALAR_NONE) defect("%s is no function of the image", name);
        reach(c, c->thunks[k]);
    }
    for (size_t i = 0; i < c->ordered / 2; i++) {
        const size_t last = c->order[c->ordered - 1 - i];
        c->order[c->ordered - 1 - i] = c->order[i];
        c->order[i] = last;
    }
}

/* Code that sets VFP's modes may set them differently in each thread. */
static void suspect_modes(struct scalar_code *c) {
    bool set = false;
    for (size_t n = 0; n < c->node_count; n++) {
        struct arm_instruction i;
        if (!c->nodes[n].is_instruction || !c->functions[c->nodes[n].function].reached) continue;
        arm_decode(code_section_word(&c->section, c->nodes[n].address), c->nodes[n].address, &i);
        set |= (i.writes & ARM_STATE_FPSCR_MODES) != 0;
    }
    for (size_t n = 0; set && n < c->node_count; n++) {
        struct arm_instruction i;
        if (!c->nodes[n].is_instruction) continue;
        arm_decode(code_section_word(&c->section, c->nodes[n].address), c->nodes[n].address, &i);
        c->nodes[n].varies |= (i.reads & ARM_STATE_FPSCR_MODES) != 0;
    }
}

void scalar_code_read(struct scalar_code *c, const struct text *image, const json_t *kernels) {
    struct code_flow flow;
    size_t successors = 0;
    *c = (struct scalar_code){0};
    code_section_read(&c->section, image);
    code_flow_read(&flow, &c->section);
    c->function_count = flow.count;
    c->functions = allocate(NULL, (flow.count + 1) * sizeof *c->functions);
    c->order = allocate(NULL, (flow.count + 1) * sizeof *c->order);
    for (size_t f = 0; f < flow.count; f++) read_function(c, &flow, f, &successors);
    find_thunks(c, &flow, kernels);
    suspect_modes(c);
    code_flow_free(&flow);
}

void scalar_code_free(struct scalar_code *c) {
    for (size_t f = 0; f < c->function_count; f++) free(c->functions[f].calls);
    free(c->functions);
    free(c->nodes);
    free(c->successors);
    free(c->order);
    free(c->thunks);
    code_section_free(&c->section);
    *c = (struct scalar_code){0};
}
