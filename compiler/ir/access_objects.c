#include "compiler/ir/access_objects.h"

#include "compiler/ir/local_note.h"
#include "compiler/ir/operation.h"
#include "abi/image_note.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST_VALUES 64 /* limit of values visited for one access */

#define MOST_PRIVATE 64 /* limit of private variables of a kernel */

/* Context of an access: the kernel's number, its entry, its variables in the note, and those in private
 * memory, which come last. */
struct place {
    const struct module *module;
    const struct local_memory *local;
    const struct thunk *thunk;
    size_t kernel;
    LLVMValueRef entry;
    bool simt;
    json_t *variables;
    LLVMValueRef private[MOST_PRIVATE];
    size_t private_count, local_count;
};

/* Objects of an access in the note's form: the number of an argument, or −1 minus that of a variable. */
struct objects {
    int object[IMAGE_MOST_OBJECTS];
    unsigned count;
    LLVMValueRef seen[MOST_VALUES];
    unsigned seen_count;
};

/* The objects of all accesses of a kernel; `known`: no access can be of another. */
struct whole {
    struct objects objects;
    bool known;
};

static bool add(struct objects *o, int object) {
    for (unsigned n = 0; n < o->count; n++)
        if (o->object[n] == object) return true;
    if (o->count == IMAGE_MOST_OBJECTS) return false;
    o->object[o->count++] = object;
    return true;
}

static bool is_of(const struct local_variable *v, size_t kernel) {
    for (size_t k = 0; k < v->kernel_count; k++)
        if (v->kernels[k] == kernel) return true;
    return false;
}

/* Adds a variable by its number among those of the kernel. */
static bool add_variable(struct place *p, struct objects *o, LLVMValueRef variable) {
    int number = 0;
    size_t size;
    for (size_t i = 0; i < p->local->count; i++) {
        const struct local_variable *v = &p->local->variables[i];
        if (!is_of(v, p->kernel)) continue;
        if (strcmp(LLVMGetValueName2(variable, &size), v->symbol) == 0) return add(o, -1 - number);
        number++;
    }
    return false;
}

/* Returns the declaration of a private variable; NULL if it is the compiler's own. */
static LLVMValueRef declaration_of(LLVMValueRef entry, LLVMValueRef variable) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef declared = NULL;
            if (!LLVMIsADbgDeclareInst(i) || LLVMGetMDNodeNumOperands(LLVMGetOperand(i, 0)) != 1) continue;
            LLVMGetMDNodeOperands(LLVMGetOperand(i, 0), &declared);
            if (declared == variable) return LLVMGetOperand(i, 1);
        }
    return NULL;
}

/* Adds a private variable, which gets the next number if it is new. */
static bool add_private(struct place *p, struct objects *o, LLVMValueRef variable) {
    size_t n = 0;
    while (n < p->private_count && p->private[n] != variable) n++;
    if (n == p->private_count) {
        LLVMValueRef declared = declaration_of(p->entry, variable);
        if (!declared || !p->simt || n == MOST_PRIVATE) return false;
        if (json_array_append_new(p->variables, private_note(declared, variable, p->module->llvm)) != 0)
            return false;
        p->private[p->private_count++] = variable;
    }
    return add(o, -1 - (int)(p->local_count + n));
}

/* Returns the offset of the argument block's field with an address: its first bytes; −1 if none. */
static int field_of(struct place *p, LLVMValueRef address) {
    while (LLVMIsABitCastInst(address)) address = LLVMGetOperand(address, 0);
    if (address == LLVMGetParam(p->entry, 0)) return 0;
    if (!LLVMIsAGetElementPtrInst(address) || LLVMGetOperand(address, 0) != LLVMGetParam(p->entry, 0) ||
        LLVMGetNumOperands(address) != 3)
        return -1;
    LLVMValueRef block = LLVMGetOperand(address, 1), field = LLVMGetOperand(address, 2);
    if (!LLVMIsAConstantInt(block) || LLVMConstIntGetZExtValue(block) || !LLVMIsAConstantInt(field))
        return -1;
    return (int)LLVMConstIntGetZExtValue(field);
}

static bool collect(struct place *p, struct objects *o, LLVMValueRef v);

static bool collect_operands(struct place *p, struct objects *o, LLVMValueRef v, unsigned first,
                             unsigned end) {
    bool known = true;
    for (unsigned n = first; known && n < end; n++) known = collect(p, o, LLVMGetOperand(v, n));
    return known;
}

/* Adds the objects that a pointer may refer to; returns false if they are not all known. */
static bool collect(struct place *p, struct objects *o, LLVMValueRef v) {
    for (unsigned n = 0; n < o->seen_count; n++)
        if (o->seen[n] == v) return true;
    if (o->seen_count == MOST_VALUES) return false;
    o->seen[o->seen_count++] = v;
    if (LLVMIsAGlobalVariable(v)) return add_variable(p, o, v);
    if (LLVMIsAAllocaInst(v)) return add_private(p, o, v);
    if (LLVMIsUndef(v) || LLVMIsNull(v)) return true; /* refers to no object */
    if (LLVMIsAPHINode(v)) {
        bool known = true;
        for (unsigned n = 0; known && n < LLVMCountIncoming(v); n++)
            known = collect(p, o, LLVMGetIncomingValue(v, n));
        return known;
    }
    if (LLVMIsASelectInst(v)) return collect_operands(p, o, v, 1, 3);
    if (LLVMIsALoadInst(v)) {
        const int field = field_of(p, LLVMGetOperand(v, 0));
        return field >= 0 && (size_t)field < p->thunk->argument_count && add(o, field);
    }
    const bool constant = LLVMIsAConstantExpr(v);
    const LLVMOpcode op = constant                ? LLVMGetConstOpcode(v)
                          : LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v)
                                                  : LLVMRet;
    if (op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMAddrSpaceCast)
        return collect(p, o, LLVMGetOperand(v, 0));
    return false;
}

/* Returns the address of a load, a store, or an exclusive access in inline assembly; NULL for others. */
static LLVMValueRef address_of(LLVMValueRef i) {
    if (LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0);
    if (LLVMIsAStoreInst(i)) return LLVMGetOperand(i, 1);
    if (operation_of(i).kind != OPERATION_OTHER) return NULL;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, n))) == LLVMPointerTypeKind)
            return LLVMGetOperand(i, n);
    return NULL;
}

/* Returns whether an address is in the argument block, in constants or in private memory. */
static bool is_elsewhere(const struct place *p, LLVMValueRef v) {
    for (;;) {
        const LLVMOpcode op = LLVMIsAConstantExpr(v)  ? LLVMGetConstOpcode(v)
                              : LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v)
                                                      : LLVMRet;
        if (op != LLVMGetElementPtr && op != LLVMBitCast && op != LLVMAddrSpaceCast) break;
        v = LLVMGetOperand(v, 0);
    }
    return v == LLVMGetParam(p->entry, 0) || LLVMIsAAllocaInst(v) ||
           (LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v));
}

/* Adds the objects of an access to those of the kernel; private ones are left out. */
static void add_whole(const struct place *p, struct whole *w, bool known, const struct objects *o,
                      LLVMValueRef address) {
    if (!known && !is_elsewhere(p, address)) w->known = false;
    for (unsigned n = 0; n < o->count; n++)
        if (o->object[n] >= -(int)p->local_count && !add(&w->objects, o->object[n])) w->known = false;
}

/* Adds what a call accesses in place: an intrinsic function, such as a copy of a structure. */
static void add_intrinsic(struct place *p, struct whole *w, LLVMValueRef i) {
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    if (!called || !LLVMGetIntrinsicID(called) || LLVMIsADbgInfoIntrinsic(i)) return;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++) {
        LLVMValueRef address = LLVMGetOperand(i, n);
        struct objects o = {.count = 0};
        if (LLVMGetTypeKind(LLVMTypeOf(address)) != LLVMPointerTypeKind) continue;
        add_whole(p, w, collect(p, &o, address), &o, address);
    }
}

/* Returns the number of a set, a new one if no other is equal. */
static unsigned number_of(json_t *sets, struct place *p, const struct objects *o) {
    json_t *set = json_array();
    json_array_append_new(set, json_integer((json_int_t)p->kernel));
    for (unsigned n = 0; n < o->count; n++) json_array_append_new(set, json_integer(o->object[n]));
    const size_t count = json_array_size(sets);
    for (size_t n = 0; n < count; n++)
        if (json_equal(json_array_get(sets, n), set)) {
            json_decref(set);
            return (unsigned)n;
        }
    json_array_append_new(sets, set);
    return (unsigned)count;
}

static LLVMMetadataRef line_of(LLVMValueRef i) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    return place && LLVMDILocationGetLine(place) ? place : NULL;
}

/* Returns the place of an instruction in the source; NULL if it is unknown. Passes remove its line when they
 * move the instruction out of a condition or merge it with another. Then it is the place of the instruction
 * before it in the block, or of the next: a row without a line has no discriminator. */
static LLVMMetadataRef place_of(LLVMValueRef i) {
    LLVMMetadataRef place = line_of(i);
    for (LLVMValueRef p = i; !place && (p = LLVMGetPreviousInstruction(p));) place = line_of(p);
    for (LLVMValueRef n = i; !place && (n = LLVMGetNextInstruction(n));) place = line_of(n);
    return place;
}

static void mark(const struct module *m, LLVMDIBuilderRef builder, LLVMValueRef i, unsigned number) {
    LLVMMetadataRef place = place_of(i);
    LLVMMetadataRef scope = LLVMDILocationGetScope(place);
    LLVMMetadataRef numbered = LLVMDIBuilderCreateLexicalBlockFile(builder, scope, LLVMDIScopeGetFile(scope),
                                                                   IMAGE_FIRST_OBJECTS + number);
    LLVMInstructionSetDebugLoc(i, LLVMDIBuilderCreateDebugLocation(m->context, LLVMDILocationGetLine(place),
                                                                   LLVMDILocationGetColumn(place), numbered,
                                                                   LLVMDILocationGetInlinedAt(place)));
}

/* Returns 1 + the number of the set of all objects; 0 if they are not all known. */
static unsigned mark_entry(const struct module *m, LLVMDIBuilderRef builder, struct place *p, json_t *sets) {
    struct whole all = {.known = true};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            struct objects o = {.count = 0};
            LLVMValueRef address = address_of(i);
            const bool known = address && collect(p, &o, address);
            if (known && place_of(i) && o.count) mark(m, builder, i, number_of(sets, p, &o));
            if (address)
                add_whole(p, &all, known, &o, address);
            else
                add_intrinsic(p, &all, i);
        }
    return all.known && all.objects.count ? 1 + number_of(sets, p, &all.objects) : 0;
}

void access_objects_mark(const struct module *m, const struct thunks *thunks, const struct local_memory *l,
                         bool simt, json_t *kernels, json_t *sets) {
    LLVMDIBuilderRef builder = LLVMCreateDIBuilderDisallowUnresolved(m->llvm);
    for (size_t k = 0; k < thunks->count; k++) {
        char name[1024];
        snprintf(name, sizeof name, "%s%s", simt ? THUNK_PREFIX : TWIN_PREFIX, thunks->list[k].kernel);
        json_t *variables = json_object_get(json_array_get(kernels, k), "variables");
        struct place p = {.module = m,
                          .local = l,
                          .thunk = &thunks->list[k],
                          .kernel = k,
                          .entry = LLVMGetNamedFunction(m->llvm, name),
                          .simt = simt,
                          .variables = variables,
                          .local_count = json_array_size(variables)};
        const unsigned all = p.entry && LLVMCountParams(p.entry) == 1 ? mark_entry(m, builder, &p, sets) : 0;
        json_object_set_new(json_array_get(kernels, k), simt ? "thunk_objects" : "twin_objects",
                            json_integer(all));
    }
    LLVMDIBuilderFinalize(builder);
    LLVMDisposeDIBuilder(builder);
}
