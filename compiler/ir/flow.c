#include "compiler/ir/flow.h"

#include "compiler/ir/operation.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Not LLVMReplaceAllUsesWith(), which would also change the incoming blocks of PHIs. */
static void redirect_branches(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++)
            if (LLVMGetSuccessor(last, i) == from) LLVMSetSuccessor(last, i, to);
    }
}

/* Moves the instructions up to and including `last` into a new block in front. The rest keeps the block, so
 * that the PHIs of its successors stay valid. */
static void split_after(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                        LLVMValueRef last) {
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "barrier");
    LLVMMetadataRef line = LLVMInstructionGetDebugLoc(last);
    redirect_branches(LLVMGetBasicBlockParent(block), block, head);
    LLVMPositionBuilderAtEnd(builder, head);
    for (bool done = false; !done;) {
        LLVMValueRef i = LLVMGetFirstInstruction(block);
        size_t size;
        char *name = copy_string(LLVMGetValueName2(i, &size));
        done = i == last;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(builder, i, name);
        free(name);
    }
    LLVMInstructionSetDebugLoc(LLVMBuildBr(builder, block), line);
}

static bool is_barrier(LLVMValueRef instruction) {
    return operation_of(instruction).kind == OPERATION_BARRIER;
}

void flow_split_at_barriers(LLVMValueRef function) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef next;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = next) {
        LLVMValueRef barrier = LLVMGetFirstInstruction(b);
        next = LLVMGetNextBasicBlock(b);
        while (barrier && !is_barrier(barrier)) barrier = LLVMGetNextInstruction(barrier);
        if (!barrier) continue;
        split_after(context, builder, b, barrier);
        next = b; /* more may follow */
    }
    LLVMDisposeBuilder(builder);
}

static void add_edge(struct flow *f, size_t from, size_t to) {
    struct flow_block *a = &f->blocks[from], *b = &f->blocks[to];
    for (size_t i = 0; i < a->successor_count; i++)
        if (a->successors[i] == to) return;
    a->successors = grow(a->successors, a->successor_count, sizeof *a->successors);
    a->successors[a->successor_count++] = to;
    b->predecessors = grow(b->predecessors, b->predecessor_count, sizeof *b->predecessors);
    b->predecessors[b->predecessor_count++] = from;
}

/* Finds the blocks that can leave the function (or reach the region's end). */
static void find_leaving(const struct flow *f, bool in_region, bool *leaving) {
    bool changed = true;
    for (size_t b = 0; b < f->count; b++)
        leaving[b] = !f->blocks[b].successor_count || (in_region && f->blocks[b].barrier);
    while (changed) {
        changed = false;
        for (size_t b = f->count; b-- > 0;)
            for (size_t i = 0; i < f->blocks[b].successor_count && !leaving[b]; i++)
                if (leaving[f->blocks[b].successors[i]]) leaving[b] = changed = true;
    }
}

/* Returns the intersection of the successors' post-dominators, plus the block itself. A block that never
 * leaves is treated as its own only post-dominator: paths from it meet nowhere. */
static bool *find_postdominators(const struct flow *f, bool in_region) {
    size_t n = f->count;
    bool *sets = allocate(NULL, n * n + n), *leaving = sets + n * n;
    bool changed = true;
    find_leaving(f, in_region, leaving);
    for (size_t b = 0; b < n; b++) {
        bool last = !f->blocks[b].successor_count || (in_region && f->blocks[b].barrier);
        memset(sets + b * n, leaving[b] && !last, n);
        sets[b * n + b] = true;
    }
    while (changed) {
        changed = false;
        for (size_t b = n; b-- > 0;) {
            const struct flow_block *block = &f->blocks[b];
            if (!leaving[b] || (in_region && block->barrier)) continue;
            for (size_t i = 0; i < block->successor_count; i++)
                for (size_t p = 0; p < n; p++)
                    if (p != b && sets[b * n + p] && !sets[block->successors[i] * n + p])
                        changed = true, sets[b * n + p] = false;
        }
    }
    return sets;
}

void flow_read(struct flow *f, LLVMValueRef function) {
    *f = (struct flow){.function = function};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        value_map_set(&f->index, b, f->count);
        f->blocks = grow(f->blocks, f->count, sizeof *f->blocks);
        f->blocks[f->count++] = (struct flow_block){.llvm = b};
    }
    for (size_t b = 0; b < f->count; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b].llvm);
        LLVMValueRef before = LLVMGetPreviousInstruction(last);
        if (before && is_barrier(before)) f->blocks[b].barrier = before;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
            add_edge(f, b, flow_index(f, LLVMGetSuccessor(last, i)));
    }
    bool *whole = find_postdominators(f, false), *region = find_postdominators(f, true);
    for (size_t b = 0; b < f->count; b++) {
        f->blocks[b].postdominators = whole + b * f->count;
        f->blocks[b].region_postdominators = region + b * f->count;
    }
}

void flow_free(struct flow *f) {
    if (f->count) {
        free(f->blocks[0].postdominators);
        free(f->blocks[0].region_postdominators);
    }
    for (size_t b = 0; b < f->count; b++) {
        free(f->blocks[b].successors);
        free(f->blocks[b].predecessors);
    }
    free(f->blocks);
    value_map_free(&f->index);
    *f = (struct flow){0};
}

size_t flow_index(const struct flow *f, LLVMBasicBlockRef block) {
    uintptr_t index = value_map_get(&f->index, block);
    if (index == VALUE_MAP_NONE) defect("a branch to a block of another function");
    return index;
}

static void reach(const struct flow *f, size_t block, bool in_region, const bool *stop, bool *reached,
                  bool *meeting) {
    if (stop && stop[block]) {
        if (meeting) meeting[block] = true;
        return;
    }
    if (reached[block]) return;
    reached[block] = true;
    if (in_region && f->blocks[block].barrier) return;
    for (size_t i = 0; i < f->blocks[block].successor_count; i++)
        reach(f, f->blocks[block].successors[i], in_region, stop, reached, meeting);
}

void flow_reach(const struct flow *f, size_t start, bool in_region, bool *reached) {
    memset(reached, 0, f->count);
    reach(f, start, in_region, NULL, reached, NULL);
}

void flow_influence(const struct flow *f, size_t branch, bool in_region, bool *reached, bool *meeting) {
    const struct flow_block *b = &f->blocks[branch];
    bool *stop = in_region ? b->region_postdominators : b->postdominators;
    memset(reached, 0, f->count);
    if (meeting) memset(meeting, 0, f->count);
    if (in_region && b->barrier) return;
    stop[branch] = false; /* a loop back to the branch continues through it */
    for (size_t i = 0; i < b->successor_count; i++)
        reach(f, b->successors[i], in_region, stop, reached, meeting);
    stop[branch] = true;
}
