#include "compiler/ir/coalesce.h"

#include "compiler/ir/item_memory.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/prologue.h"
#include "compiler/ir/record.h"
#include "compiler/ir/private_objects.h"
#include "compiler/ir/region_loop.h"
#include "compiler/ir/slots_merge.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of a region's number: the work-item is done; no work-item has reached the region's end. */
#define RETURNED 0xffffffffu
#define NOWHERE  0xfffffffeu

struct region {
    size_t start;         /* first block */
    LLVMValueRef barrier; /* barrier before it; NULL for the first region */
    LLVMBasicBlockRef head;
    bool *blocks; /* blocks of the region */
    bool *stored; /* slots that the region changes */
    bool *exits;  /* regions that can follow; the last: the return */
    size_t exit_count;
    bool checked; /* a varying condition determines its end */
};

struct coalescer {
    LLVMValueRef function;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct prologue prologue;
    struct flow flow;
    struct uniformity uniformity;
    struct private_objects objects;
    struct slots slots;
    struct record record;
    bool snucl;
    struct item_memory memory; /* only with `snucl` */
    bool *replicated;          /* only with `snucl`: by slot */
    struct region *regions;
    size_t region_count;
    struct value_map region_of; /* barrier → region after it */
    LLVMMetadataRef line;       /* line of the kernel */
    LLVMValueRef next;          /* variable: next region */
    LLVMValueRef *shared;       /* variables: uniform slots between regions */
    LLVMBasicBlockRef done;     /* block that returns */
};

/* The copy of a region under construction. */
struct copy {
    struct coalescer *c;
    size_t region;
    struct region_loop loop;
    LLVMValueRef record;     /* record of the work-item */
    struct value_map values; /* template → copy: instructions and blocks */
};

/* --- regions --- */

static void add_region(struct coalescer *c, size_t start, LLVMValueRef barrier) {
    c->regions = grow(c->regions, c->region_count, sizeof *c->regions);
    if (barrier) value_map_set(&c->region_of, barrier, c->region_count);
    c->regions[c->region_count++] = (struct region){.start = start, .barrier = barrier};
}

/* Returns the region to which a block ends its own, or VALUE_MAP_NONE. The return counts as the last. */
static size_t exit_of(const struct coalescer *c, size_t block) {
    const struct flow_block *b = &c->flow.blocks[block];
    if (b->barrier) return value_map_get(&c->region_of, b->barrier);
    bool returns = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b->llvm)) == LLVMRet;
    return returns ? c->region_count : VALUE_MAP_NONE;
}

static void find_exits(const struct coalescer *c, struct region *r) {
    for (size_t b = 0; b < c->flow.count; b++) {
        size_t e = r->blocks[b] ? exit_of(c, b) : VALUE_MAP_NONE;
        if (e == VALUE_MAP_NONE || r->exits[e]) continue;
        r->exits[e] = true;
        r->exit_count++;
    }
}

static void find_regions(struct coalescer *c) {
    add_region(c, c->flow.blocks[0].successors[0], NULL);
    for (size_t b = 0; b < c->flow.count; b++)
        if (c->flow.blocks[b].barrier)
            add_region(c, c->flow.blocks[b].successors[0], c->flow.blocks[b].barrier);
    for (size_t k = 0; k < c->region_count; k++) {
        struct region *r = &c->regions[k];
        r->blocks = allocate(NULL, c->flow.count);
        r->exits = allocate(NULL, c->region_count + 1);
        memset(r->exits, 0, c->region_count + 1);
        flow_reach(&c->flow, r->start, true, r->blocks);
        find_exits(c, r);
    }
}

/* Returns whether the paths from a branch end its region at different places. */
static bool ends_apart(const struct coalescer *c, size_t branch, bool *reached) {
    size_t first = VALUE_MAP_NONE;
    flow_influence(&c->flow, branch, true, reached, NULL);
    for (size_t b = 0; b < c->flow.count; b++) {
        size_t e = reached[b] ? exit_of(c, b) : VALUE_MAP_NONE;
        if (e == VALUE_MAP_NONE) continue;
        if (first != VALUE_MAP_NONE && first != e) return true;
        first = e;
    }
    return false;
}

static void find_checked(struct coalescer *c) {
    bool *reached = allocate(NULL, c->flow.count);
    for (size_t b = 0; b < c->flow.count; b++) {
        if (!c->uniformity.divergent[b] || !ends_apart(c, b, reached)) continue;
        for (size_t k = 0; k < c->region_count; k++)
            if (c->regions[k].blocks[b]) c->regions[k].checked = true;
    }
    free(reached);
}

static void find_stored(struct coalescer *c) {
    for (size_t k = 0; k < c->region_count; k++) {
        struct region *r = &c->regions[k];
        r->stored = allocate(NULL, c->slots.count);
        memset(r->stored, 0, c->slots.count);
        for (size_t b = 0; b < c->flow.count; b++) {
            if (!r->blocks[b]) continue;
            for (LLVMValueRef i = LLVMGetFirstInstruction(c->flow.blocks[b].llvm); i;
                 i = LLVMGetNextInstruction(i)) {
                size_t slot = slots_stored(&c->slots, i);
                if (slot != VALUE_MAP_NONE) r->stored[slot] = true;
            }
        }
    }
}

static bool outlives_barrier(const struct coalescer *c, size_t slot) {
    for (size_t k = 1; k < c->region_count; k++)
        if (slots_live(&c->slots, c->regions[k].start, slot)) return true;
    return false;
}

/* --- values between regions --- */

static bool live_together(const struct coalescer *c, size_t a, size_t b) {
    for (size_t k = 1; k < c->region_count; k++)
        if (slots_live(&c->slots, c->regions[k].start, a) && slots_live(&c->slots, c->regions[k].start, b))
            return true;
    return false;
}

/* Returns an earlier slot of the same type whose place in the record can be shared: no slot in that place is
 * live across the same barrier. VALUE_MAP_NONE if there is none. */
static size_t find_place(const struct coalescer *c, size_t slot, const size_t *places) {
    for (size_t p = 0; p < slot; p++) {
        if (places[p] != p || c->slots.list[p].type != c->slots.list[slot].type) continue;
        bool free_place = true;
        for (size_t n = p; n < slot && free_place; n++)
            free_place = places[n] != p || !live_together(c, n, slot);
        if (free_place) return p;
    }
    return VALUE_MAP_NONE;
}

/* Lays out the record's slots. Returns the number of places. */
static unsigned lay_out_slots(struct coalescer *c) {
    unsigned replicated = 0;
    size_t *places = allocate(NULL, c->slots.count * sizeof *places); /* for each slot: first one there */
    for (size_t n = 0; n < c->slots.count; n++) {
        const struct slot *s = &c->slots.list[n];
        places[n] = VALUE_MAP_NONE;
        c->shared[n] = NULL;
        if (!outlives_barrier(c, n)) continue;
        if (!s->varying) {
            c->shared[n] = prologue_variable(&c->prologue, s->type, "uniform");
            continue;
        }
        places[n] = c->snucl ? VALUE_MAP_NONE : find_place(c, n, places);
        if (places[n] != VALUE_MAP_NONE) {
            record_share(&c->record, n, places[n]);
            continue;
        }
        places[n] = n;
        replicated++;
        c->replicated[n] = true;
        record_add(&c->record, n, s->type, 1);
    }
    free(places);
    return replicated;
}

static unsigned lay_out_values(struct coalescer *c) {
    record_start(&c->record, c->prologue.function, c->slots.count + c->objects.count);
    c->shared = allocate(NULL, c->slots.count * sizeof(LLVMValueRef));
    c->replicated = allocate(NULL, c->slots.count);
    memset(c->replicated, 0, c->slots.count);
    unsigned replicated = lay_out_slots(c);
    for (size_t n = 0; n < c->objects.count; n++) {
        LLVMValueRef variable = c->objects.list[n].variable;
        if (!c->objects.list[n].replicated) continue;
        replicated++;
        record_add(&c->record, c->slots.count + n, LLVMGetAllocatedType(variable),
                   LLVMGetAlignment(variable));
    }
    record_finish(&c->record);
    return replicated;
}

/* --- copying a region --- */

/* Returns the number of the record's field for a template's variable, or VALUE_MAP_NONE. */
static size_t replicated_field(const struct coalescer *c, LLVMValueRef variable) {
    uintptr_t slot = value_map_get(&c->slots.index, variable);
    if (slot != VALUE_MAP_NONE) return c->replicated[slot] ? slot : VALUE_MAP_NONE;
    for (size_t n = 0; n < c->objects.count; n++)
        if (c->objects.list[n].variable == variable && c->objects.list[n].replicated)
            return c->slots.count + n;
    return VALUE_MAP_NONE;
}

static LLVMValueRef copied(const struct copy *k, LLVMValueRef value) {
    if (k->c->snucl && LLVMIsAAllocaInst(value)) {
        size_t field = replicated_field(k->c, value);
        if (field != VALUE_MAP_NONE)
            return item_memory_element(&k->c->memory, &k->c->record, k->c->builder, field);
    }
    const void *key = LLVMValueIsBasicBlock(value) ? (const void *)LLVMValueAsBasicBlock(value) : value;
    uintptr_t copy = value_map_get(&k->values, key);
    if (copy == VALUE_MAP_NONE) return value;
    return LLVMValueIsBasicBlock(value) ? LLVMBasicBlockAsValue((LLVMBasicBlockRef)copy) : (LLVMValueRef)copy;
}

static void copy_instruction(struct copy *k, LLVMValueRef i) {
    LLVMBuilderRef builder = k->c->builder;
    bool start;
    size_t size;
    if (k->c->region_count > 1 && private_objects_is_lifetime(i, &start)) return;
    LLVMValueRef copy = LLVMInstructionClone(i);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
    for (int n = 0; n < LLVMGetNumOperands(copy); n++)
        LLVMSetOperand(copy, (unsigned)n, copied(k, LLVMGetOperand(copy, (unsigned)n)));
    char *name =
        copy_string(LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind ? "" : LLVMGetValueName2(i, &size));
    LLVMInsertIntoBuilderWithName(builder, copy, name);
    if (k->c->snucl &&
        (slots_loaded(&k->c->slots, i) != VALUE_MAP_NONE || slots_stored(&k->c->slots, i) != VALUE_MAP_NONE))
        item_memory_note_access(copy);
    free(name);
    value_map_set(&k->values, i, (uintptr_t)copy);
}

static void put_values_back(struct copy *k, size_t to) {
    struct coalescer *c = k->c;
    for (size_t n = 0; n < c->slots.count; n++) {
        const struct slot *s = &c->slots.list[n];
        if (!c->regions[k->region].stored[n] || !slots_live(&c->slots, c->regions[to].start, n)) continue;
        LLVMValueRef value = LLVMBuildLoad2(c->builder, s->type, s->variable, "");
        LLVMValueRef place = s->varying ? record_field(&c->record, c->builder, k->record, n) : c->shared[n];
        LLVMBuildStore(c->builder, value, place);
    }
}

/* Returns the source line of the barrier at which a region's work-items wait that continue at `next`; 0: they
 * have returned. */
static LLVMValueRef awaited_line(const struct copy *k, LLVMValueRef next) {
    const struct coalescer *c = k->c;
    LLVMTypeRef type = LLVMTypeOf(next);
    LLVMValueRef line = LLVMConstInt(type, 0, false);
    for (size_t e = 0; e < c->region_count; e++) {
        if (!c->regions[k->region].exits[e] || !c->regions[e].barrier) continue;
        LLVMValueRef of_barrier = LLVMConstInt(type, LLVMGetDebugLocLine(c->regions[e].barrier), false);
        LLVMValueRef waits = LLVMBuildICmp(c->builder, LLVMIntEQ, next, LLVMConstInt(type, e, false), "");
        line = LLVMBuildSelect(c->builder, waits, of_barrier, line, "");
    }
    return line;
}

/* Builds the trap for diverged work-items. The simulator distinguishes it from one of the kernel, and reads
 * the work-item's number and the place where earlier ones wait in r0 and r1 (model/report/text.h). */
static void trap_apart(struct copy *k, LLVMValueRef next) {
    struct coalescer *c = k->c;
    LLVMTypeRef type = LLVMTypeOf(next), types[] = {type, type};
    LLVMTypeRef takes_two = LLVMFunctionType(LLVMVoidTypeInContext(c->context), types, 2, false);
    char text[] = "udf #1", registers[] = "{r0},{r1}";
    LLVMValueRef told[] = {
        LLVMBuildIntCast2(c->builder, region_loop_item(&k->loop, c->builder), type, false, ""),
        awaited_line(k, next)};
    LLVMValueRef trap = LLVMGetInlineAsm(takes_two, text, sizeof text - 1, registers, sizeof registers - 1,
                                         true, false, LLVMInlineAsmDialectATT, false);
    const unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMAddCallSiteAttribute(LLVMBuildCall2(c->builder, takes_two, trap, told, 2, ""),
                             LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(c->context, noreturn, 0));
    LLVMBuildUnreachable(c->builder);
}

/* Checks that all work-items end the region at the same place as the first. */
static void check_exit(struct copy *k, LLVMValueRef number) {
    struct coalescer *c = k->c;
    LLVMTypeRef type = LLVMTypeOf(number);
    LLVMBasicBlockRef good = region_loop_block(&k->loop, "together");
    LLVMBasicBlockRef bad = region_loop_block(&k->loop, "apart");
    LLVMValueRef next = LLVMBuildLoad2(c->builder, type, c->next, "");
    LLVMValueRef first = LLVMBuildICmp(c->builder, LLVMIntEQ, next, LLVMConstInt(type, NOWHERE, false), "");
    LLVMValueRef same = LLVMBuildICmp(c->builder, LLVMIntEQ, next, number, "");
    LLVMBuildCondBr(c->builder, LLVMBuildOr(c->builder, first, same, ""), good, bad);
    LLVMPositionBuilderAtEnd(c->builder, bad);
    trap_apart(k, next);
    LLVMPositionBuilderAtEnd(c->builder, good);
}

static void copy_exit(struct copy *k, size_t to, LLVMValueRef at) {
    struct coalescer *c = k->c;
    const struct region *r = &c->regions[k->region];
    bool returns = to == c->region_count;
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(c->context), returns ? RETURNED : to, false);
    LLVMSetCurrentDebugLocation2(c->builder, LLVMInstructionGetDebugLoc(at));
    if (!returns && !c->snucl) put_values_back(k, to);
    if (r->checked) check_exit(k, number);
    if (r->exit_count > 1) LLVMBuildStore(c->builder, number, c->next);
    LLVMBuildBr(c->builder, k->loop.latch);
}

static void copy_block(struct copy *k, size_t block) {
    const struct flow_block *b = &k->c->flow.blocks[block];
    size_t to = exit_of(k->c, block);
    LLVMValueRef end = b->barrier ? b->barrier : LLVMGetBasicBlockTerminator(b->llvm);
    LLVMPositionBuilderAtEnd(k->c->builder, (LLVMBasicBlockRef)value_map_get(&k->values, b->llvm));
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->llvm); i != end; i = LLVMGetNextInstruction(i))
        copy_instruction(k, i);
    if (to == VALUE_MAP_NONE)
        copy_instruction(k, end);
    else
        copy_exit(k, to, end);
}

/* Sets a work-item's values at the beginning of the region. */
static void start_item(struct copy *k, LLVMValueRef *snapshot) {
    struct coalescer *c = k->c;
    size_t start = c->regions[k->region].start;
    LLVMBasicBlockRef first = (LLVMBasicBlockRef)value_map_get(&k->values, c->flow.blocks[start].llvm);
    region_loop_set_ids(&k->loop, c->builder, &c->slots);
    if (c->snucl) {
        LLVMBuildBr(c->builder, first);
        return;
    }
    if (c->record.type)
        k->record = record_of_item(&c->record, c->builder, region_loop_item(&k->loop, c->builder));
    for (size_t n = 0; n < c->slots.count; n++) {
        const struct slot *s = &c->slots.list[n];
        if (!k->region || !slots_live(&c->slots, start, n)) continue;
        LLVMValueRef value = snapshot[n];
        if (s->varying)
            value =
                LLVMBuildLoad2(c->builder, s->type, record_field(&c->record, c->builder, k->record, n), "");
        LLVMBuildStore(c->builder, value, s->variable);
    }
    for (size_t n = 0; n < c->objects.count; n++)
        if (c->objects.list[n].replicated)
            value_map_set(&k->values, c->objects.list[n].variable,
                          (uintptr_t)record_field(&c->record, c->builder, k->record, c->slots.count + n));
    LLVMBuildBr(c->builder, first);
}

/* Branches to the region after the barrier that the work-items have reached. */
static void copy_dispatch(struct copy *k) {
    struct coalescer *c = k->c;
    const struct region *r = &c->regions[k->region];
    LLVMTypeRef type = LLVMInt32TypeInContext(c->context);
    size_t last = c->region_count; /* default target */
    while (last > 0 && !r->exits[last]) last--;
    LLVMBasicBlockRef otherwise = last == c->region_count || !r->exit_count ? c->done : c->regions[last].head;
    if (r->exit_count < 2) {
        LLVMBuildBr(c->builder, otherwise);
        return;
    }
    LLVMValueRef next = LLVMBuildLoad2(c->builder, type, c->next, "next");
    LLVMValueRef choice = LLVMBuildSwitch(c->builder, next, otherwise, (unsigned)r->exit_count);
    for (size_t e = 0; e < c->region_count; e++)
        if (r->exits[e] && e != last) LLVMAddCase(choice, LLVMConstInt(type, e, false), c->regions[e].head);
}

/* Returns whether nothing is done between two barriers: the translator then makes no loop. */
static bool is_empty(const struct coalescer *c, const struct region *r) {
    for (size_t b = 0; b < c->flow.count; b++) {
        const struct flow_block *block = &c->flow.blocks[b];
        LLVMValueRef end = block->barrier ? block->barrier : LLVMGetBasicBlockTerminator(block->llvm);
        if (r->blocks[b] && LLVMGetFirstInstruction(block->llvm) != end) return false;
    }
    return r->exit_count == 1;
}

static void copy_region(struct coalescer *c, size_t region) {
    const struct region *r = &c->regions[region];
    struct copy k = {.c = c, .region = region};
    LLVMValueRef *snapshot = allocate(NULL, c->slots.count * sizeof(LLVMValueRef));
    LLVMMetadataRef line = r->barrier ? LLVMInstructionGetDebugLoc(r->barrier) : c->line;
    LLVMMoveBasicBlockAfter(r->head, LLVMGetLastBasicBlock(c->function));
    LLVMPositionBuilderAtEnd(c->builder, r->head);
    LLVMSetCurrentDebugLocation2(c->builder, line);
    if (c->snucl && is_empty(c, r)) {
        copy_dispatch(&k);
        free(snapshot);
        return;
    }
    for (size_t n = 0; n < c->slots.count; n++)
        if (region && c->shared[n] && slots_live(&c->slots, r->start, n))
            snapshot[n] = LLVMBuildLoad2(c->builder, c->slots.list[n].type, c->shared[n], "");
    if (r->checked)
        LLVMBuildStore(c->builder, LLVMConstInt(LLVMInt32TypeInContext(c->context), NOWHERE, false), c->next);
    region_loop_begin(&k.loop, c->builder, &c->prologue, region);
    for (size_t b = 0; b < c->flow.count; b++)
        if (r->blocks[b])
            value_map_set(&k.values, c->flow.blocks[b].llvm, (uintptr_t)region_loop_block(&k.loop, "code"));
    start_item(&k, snapshot);
    for (size_t b = 0; b < c->flow.count; b++)
        if (r->blocks[b]) copy_block(&k, b);
    LLVMSetCurrentDebugLocation2(c->builder, line);
    region_loop_end(&k.loop, c->builder);
    copy_dispatch(&k);
    value_map_free(&k.values);
    free(snapshot);
}

static void copy_regions(struct coalescer *c) {
    LLVMValueRef old = LLVMGetBasicBlockTerminator(c->prologue.block);
    c->next = prologue_variable(&c->prologue, LLVMInt32TypeInContext(c->context), "next");
    c->done = LLVMAppendBasicBlockInContext(c->context, c->function, "done");
    for (size_t k = 0; k < c->region_count; k++) {
        char name[32];
        snprintf(name, sizeof name, "region%zu", k);
        c->regions[k].head = LLVMAppendBasicBlockInContext(c->context, c->function, name);
    }
    LLVMPositionBuilderAtEnd(c->builder, c->prologue.block);
    LLVMInstructionEraseFromParent(old);
    LLVMSetCurrentDebugLocation2(c->builder, c->line);
    prologue_finish(&c->prologue, c->builder);
    record_allocate(&c->record, c->builder, c->prologue.items);
    if (c->snucl) item_memory_make(&c->memory, &c->prologue, &c->record, c->builder);
    LLVMBuildBr(c->builder, c->regions[0].head);
    for (size_t k = 0; k < c->region_count; k++) copy_region(c, k);
    LLVMMoveBasicBlockAfter(c->done, LLVMGetLastBasicBlock(c->function));
    LLVMPositionBuilderAtEnd(c->builder, c->done);
    LLVMSetCurrentDebugLocation2(c->builder, c->line);
    LLVMBuildRetVoid(c->builder);
}

/* Returns the declaration of a private variable in the prologue; NULL if there is none. */
static LLVMValueRef declaration_of(const struct coalescer *c, LLVMValueRef variable) {
    LLVMValueRef i = LLVMGetFirstInstruction(c->prologue.block);
    while (i && !(LLVMIsADbgDeclareInst(i) && prologue_declared(i) == variable))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Notes at the function which private variables are members of a record (RECORD_NOTE), and deletes their
 * declarations. */
static void note_members(const struct coalescer *c) {
    LLVMMetadataRef *note = allocate(NULL, (2 * c->objects.count + 1) * sizeof *note);
    size_t count = 0;
    for (size_t n = 0; n < c->objects.count; n++) {
        LLVMValueRef declaration = declaration_of(c, c->objects.list[n].variable);
        if (!c->objects.list[n].replicated || !declaration) continue;
        const unsigned member = c->record.field[c->slots.count + n];
        note[count++] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c->context), member, false));
        note[count++] = LLVMValueAsMetadata(LLVMGetOperand(declaration, 1));
        LLVMInstructionEraseFromParent(declaration);
    }
    if (count && !c->snucl)
        LLVMGlobalSetMetadata(c->function,
                              LLVMGetMDKindIDInContext(c->context, RECORD_NOTE, strlen(RECORD_NOTE)),
                              LLVMMDNodeInContext2(c->context, note, count));
    free(note);
}

/* Deletes the blocks from which the copies were made. */
static void delete_templates(const struct coalescer *c) {
    note_members(c);
    for (size_t b = 1; b < c->flow.count; b++)
        LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(c->flow.blocks[b].llvm));
    for (size_t b = 1; b < c->flow.count; b++) LLVMDeleteBasicBlock(c->flow.blocks[b].llvm);
    for (size_t n = 0; n < c->objects.count; n++)
        if (c->objects.list[n].replicated) LLVMInstructionEraseFromParent(c->objects.list[n].variable);
}

static void coalescer_free(struct coalescer *c) {
    for (size_t k = 0; k < c->region_count; k++) {
        free(c->regions[k].blocks);
        free(c->regions[k].stored);
        free(c->regions[k].exits);
    }
    free(c->regions);
    free(c->shared);
    free(c->replicated);
    value_map_free(&c->region_of);
    record_free(&c->record);
    prologue_free(&c->prologue);
    slots_free(&c->slots);
    private_objects_free(&c->objects);
    uniformity_free(&c->uniformity);
    flow_free(&c->flow);
    LLVMDisposeBuilder(c->builder);
}

static unsigned count_barriers(const struct coalescer *c) {
    unsigned n = 0;
    for (size_t k = 0; k < c->region_count; k++)
        n += c->regions[k].barrier && operation_of(c->regions[k].barrier).dimension == 0;
    return n;
}

void coalesce(LLVMValueRef function, bool snucl, struct coalesced *result) {
    struct coalescer c = {
        .function = function, .snucl = snucl, .context = LLVMGetTypeContext(LLVMTypeOf(function))};
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    c.builder = LLVMCreateBuilderInContext(c.context);
    if (subprogram)
        c.line = LLVMDIBuilderCreateDebugLocation(c.context, LLVMDISubprogramGetLine(subprogram), 0,
                                                  subprogram, NULL);
    prologue_make(&c.prologue, function);
    flow_split_at_barriers(function);
    flow_read(&c.flow, function);
    uniformity_find(&c.uniformity, &c.flow, NULL);
    find_regions(&c);
    if (!snucl) find_checked(&c);
    *result = (struct coalesced){.barriers = count_barriers(&c),
                                 .divergent_branches = uniformity_divergent_branches(&c.uniformity)};
    if (snucl) uniformity_forget(&c.uniformity);
    private_objects_find(&c.objects, &c.uniformity);
    slots_lower(&c.slots, &c.uniformity, !snucl);
    if (snucl) slots_merge(&c.slots, &c.flow);
    find_stored(&c);
    result->replicated = lay_out_values(&c);
    result->item_bytes = c.record.bytes;
    copy_regions(&c);
    delete_templates(&c);
    coalescer_free(&c);
}
