#include "compiler/ir/features.h"

#include "compiler/ir/call_graph.h"
#include "compiler/ir/loops.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/strides.h"
#include "compiler/driver/trouble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_DEPTH 8 /* depth of functions that are not inlined; deeper ones are not counted */

/* --- calls of the library --- */

static bool is_mathematical(LLVMValueRef function) {
    static const char *const names[] = {
        "exp",  "exp2",  "exp10", "expm1", "log",  "log2",   "log10", "log1p", "logb",   "pow",   "pown",
        "powr", "rootn", "sin",   "cos",   "tan",  "sincos", "sinpi", "cospi", "tanpi",  "asin",  "acos",
        "atan", "atan2", "sinh",  "cosh",  "tanh", "cbrt",   "erf",   "erfc",  "tgamma", "lgamma"};
    static const char *const prefixes[] = {"native_", "half_"};
    struct text name = {0};
    size_t size;
    module_print_name(&name, LLVMGetValueName2(function, &size));
    const char *plain = text_string(&name);
    for (size_t n = 0; n < sizeof prefixes / sizeof *prefixes; n++)
        if (!strncmp(plain, prefixes[n], strlen(prefixes[n]))) plain += strlen(prefixes[n]);
    bool found = false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) found |= !strcmp(plain, names[n]);
    text_free(&name);
    return found;
}

static unsigned calls_in(LLVMValueRef function) {
    unsigned calls = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef called = call_graph_called(i);
            calls += called && LLVMIsDeclaration(called) && is_mathematical(called);
        }
    return calls;
}

unsigned features_calls(const struct module *m, const char *kernel) {
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, kernel);
    struct call_graph graph;
    unsigned calls = 0;
    if (!function) return 0;
    call_graph_read(&graph, function);
    for (size_t n = 0; n < graph.count; n++) calls += calls_in(graph.functions[n]);
    call_graph_free(&graph);
    return calls;
}

/* --- counts --- */

struct row {
    struct loops_weight weight; /* the factor is in the counts */
    double count[KERNEL_COUNTS_ALL];
};

struct rows {
    struct row *list;
    size_t count;
    unsigned line_bytes;
};

/* A function that is being counted, executed `times` times. */
struct counted {
    struct flow flow;
    struct uniformity uniformity;
    struct loops loops;
    bool *divergent; /* for each block: under a condition that may vary */
    struct loops_weight times;
    struct rows *rows;
};

static struct row *row_of(struct rows *r, const struct loops_weight *w) {
    for (size_t n = 0; n < r->count; n++)
        if (r->list[n].weight.count == w->count &&
            !memcmp(r->list[n].weight.offsets, w->offsets, w->count * sizeof *w->offsets))
            return &r->list[n];
    r->list = grow(r->list, r->count, sizeof *r->list);
    r->list[r->count] = (struct row){.weight = *w};
    return &r->list[r->count++];
}

static bool is_private(LLVMValueRef pointer) {
    while (LLVMIsABitCastInst(pointer) || LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

static bool at_least(struct stride s, double bytes) {
    return s.kind == STRIDE_MULTIPLE || (s.kind == STRIDE_KNOWN && fabs(s.bytes) >= bytes);
}

static bool is_unit(struct stride s) {
    return s.kind == STRIDE_KNOWN && s.bytes && fabs(s.bytes) <= FEATURES_UNIT_BYTES;
}

static enum kernel_count class_of(struct stride s) {
    if (s.kind == STRIDE_UNKNOWN) return KERNEL_COUNT_GATHER;
    if (s.kind == STRIDE_KNOWN && !s.bytes) return KERNEL_COUNT_UNIFORM;
    return is_unit(s) ? KERNEL_COUNT_UNIT : KERNEL_COUNT_STRIDED;
}

static void count_access(const struct counted *c, size_t block, LLVMValueRef i, double times,
                         struct row *row) {
    const bool load = LLVMIsALoadInst(i);
    LLVMValueRef pointer = LLVMGetOperand(i, load ? 0 : 1);
    if (is_private(pointer)) return;
    const struct stride s = stride_of(&c->uniformity, &c->loops, NULL, pointer);
    row->count[class_of(s)] += times;
    if (!load) return;
    row->count[KERNEL_COUNT_LOADS] += times;
    if (c->loops.innermost[block] == LOOPS_NONE) return;
    const struct stride turn =
        stride_of(&c->uniformity, &c->loops, &c->loops.list[c->loops.innermost[block]], pointer);
    if (is_unit(s) && at_least(turn, c->rows->line_bytes)) row->count[KERNEL_COUNT_COLUMNS] += times;
    if (is_unit(turn) && at_least(s, c->rows->line_bytes)) row->count[KERNEL_COUNT_ROWS] += times;
}

static bool is_counted(LLVMValueRef i) {
    const enum operation_kind kind = operation_of(i).kind;
    LLVMValueRef called = call_graph_called(i);
    const bool noted =
        called && LLVMGetIntrinsicID(called) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind;
    return !LLVMIsAPHINode(i) && !LLVMIsABitCastInst(i) && kind != OPERATION_PRIORITY && !noted;
}

static void count_function(LLVMValueRef function, const struct loops_weight *times, unsigned depth,
                           struct rows *rows);

static void count_block(const struct counted *c, size_t block, unsigned depth) {
    struct loops_weight w = c->loops.weights[block];
    loops_multiply(&w, &c->times);
    const size_t at = (size_t)(row_of(c->rows, &w) - c->rows->list);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->flow.blocks[block].llvm); i;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef called = call_graph_called(i);
        struct row *row = &c->rows->list[at];
        if (!is_counted(i)) continue;
        row->count[KERNEL_COUNT_INSTRUCTIONS] += w.factor;
        if (c->divergent[block]) row->count[KERNEL_COUNT_DIVERGENT] += w.factor;
        if (operation_of(i).kind == OPERATION_BARRIER) row->count[KERNEL_COUNT_BARRIERS] += w.factor;
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) count_access(c, block, i, w.factor, row);
        if (called && !LLVMIsDeclaration(called) && depth < CALLS_DEPTH)
            count_function(called, &w, depth + 1, c->rows);
    }
}

/* Returns whether a condition compares a value that grows with the global id with a uniform value: at most
 * one warp of a work-group diverges there. */
static bool is_bound(const struct counted *c, LLVMValueRef condition) {
    if (!LLVMIsAICmpInst(condition)) return false;
    const struct stride a = stride_of(&c->uniformity, &c->loops, NULL, LLVMGetOperand(condition, 0)),
                        b = stride_of(&c->uniformity, &c->loops, NULL, LLVMGetOperand(condition, 1));
    return (a.kind == STRIDE_KNOWN && !a.local && stride_is_zero(b)) ||
           (b.kind == STRIDE_KNOWN && !b.local && stride_is_zero(a));
}

static bool diverges(const struct counted *c, size_t block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(c->flow.blocks[block].llvm);
    if (!c->uniformity.divergent[block]) return false;
    LLVMValueRef condition = LLVMGetOperand(last, 0);
    return !stride_is_zero(stride_of(&c->uniformity, &c->loops, NULL, condition)) && !is_bound(c, condition);
}

static void mark_divergent(struct counted *c) {
    bool *reached = allocate(NULL, c->flow.count);
    c->divergent = allocate(NULL, c->flow.count);
    memset(c->divergent, 0, c->flow.count);
    for (size_t b = 0; b < c->flow.count; b++) {
        if (!diverges(c, b)) continue;
        flow_influence(&c->flow, b, false, reached, NULL);
        for (size_t n = 0; n < c->flow.count; n++) c->divergent[n] |= reached[n];
    }
    free(reached);
}

/* Counts a function. All parameters of a called function are assumed to vary. */
static void count_function(LLVMValueRef function, const struct loops_weight *times, unsigned depth,
                           struct rows *rows) {
    struct counted c = {.times = *times, .rows = rows};
    struct value_map varying = {0};
    const bool entry = depth == 0;
    for (LLVMValueRef p = LLVMGetFirstParam(function); p && !entry; p = LLVMGetNextParam(p))
        value_map_set(&varying, p, true);
    flow_read(&c.flow, function);
    uniformity_find(&c.uniformity, &c.flow, &varying);
    loops_find(&c.loops, &c.flow, entry);
    mark_divergent(&c);
    for (size_t b = 0; b < c.flow.count; b++) count_block(&c, b, depth);
    free(c.divergent);
    loops_free(&c.loops);
    uniformity_free(&c.uniformity);
    flow_free(&c.flow);
    value_map_free(&varying);
}

/* --- the note --- */

static double code_of(LLVMValueRef entry) {
    double code = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            code += is_counted(i);
    return code;
}

static json_t *row_note(const struct row *r) {
    json_t *trips = json_array(), *counts = json_array();
    for (unsigned n = 0; n < r->weight.count; n++)
        json_array_append_new(trips, json_integer((json_int_t)r->weight.offsets[n]));
    for (unsigned n = 0; n < KERNEL_COUNTS_ALL; n++) json_array_append_new(counts, json_real(r->count[n]));
    return json_pack("{so so}", "trips", trips, "counts", counts);
}

json_t *features_rows(const struct module *m, const char *entry, unsigned calls, unsigned line_bytes) {
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, entry);
    struct rows rows = {.line_bytes = line_bytes};
    json_t *note = json_array();
    if (!function) defect("%s is missing from its module", entry);
    count_function(function, &(struct loops_weight){.factor = 1}, 0, &rows);
    const double code = code_of(function);
    for (size_t n = 0; n < rows.count; n++) {
        rows.list[n].count[KERNEL_COUNT_CALLS] = rows.list[n].count[KERNEL_COUNT_INSTRUCTIONS] * calls / code;
        json_array_append_new(note, row_note(&rows.list[n]));
    }
    free(rows.list);
    return note;
}
