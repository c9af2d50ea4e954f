#include "compiler/ir/access_objects.h"

#include "compiler/ir/local_note.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/record.h"
#include "abi/image_note.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST_VALUES 64 /* limit of values visited for one access */

#define MOST_PRIVATE 64 /* limit of private variables of a kernel */

/* Context of an access: the kernel's number, its entry, and its variables in the note. Those in private
 * memory come last in SIMT mode; those of the twin are a list of their own, numbered after the arguments. */
struct place {
    const struct module *module;
    const struct local_memory *local;
    const struct thunk *thunk;
    size_t kernel;
    LLVMValueRef entry;
    bool simt;
    json_t *variables;
    LLVMValueRef private[MOST_PRIVATE]; /* an alloca, or the DILocalVariable of a record's member */
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

/* Returns whether an object's number is that of a private variable. */
static bool is_private(const struct place *p, int object) {
    return p->simt ? object < -(int)p->local_count : object >= (int)p->thunk->argument_count;
}

/* Adds a private variable, which gets the next number if `key` is new. Returns its description in *note if it
 * is. */
static bool add_private(struct place *p, struct objects *o, LLVMValueRef key, LLVMValueRef declared,
                        LLVMTypeRef type, json_t **note) {
    size_t n = 0;
    while (n < p->private_count && p->private[n] != key) n++;
    *note = NULL;
    if (n == p->private_count) {
        if (!declared || n == MOST_PRIVATE) return false;
        json_t *variable = private_note(declared, type, p->module->llvm);
        if (json_array_append_new(p->variables, variable) != 0) return false;
        *note = variable;
        p->private[p->private_count++] = key;
    }
    return add(o, p->simt ? -1 - (int)(p->local_count + n) : (int)(p->thunk->argument_count + n));
}

static bool add_alloca(struct place *p, struct objects *o, LLVMValueRef variable) {
    json_t *note;
    LLVMValueRef declared = declaration_of(p->entry, variable);
    return add_private(p, o, variable, declared, LLVMGetAllocatedType(variable), &note);
}

/* --- members of the twin's records --- */

/* Returns whether a value is the array of records, with a size known at run time only: then the stack pointer
 * is its address. */
static bool is_records(LLVMValueRef v) {
    size_t size;
    return LLVMIsAAllocaInst(v) &&
           strncmp(LLVMGetValueName2(v, &size), RECORD_NAME, strlen(RECORD_NAME)) == 0 &&
           LLVMGetTypeKind(LLVMGetAllocatedType(v)) == LLVMStructTypeKind &&
           !LLVMIsAConstantInt(LLVMGetOperand(v, 0));
}

/* Returns whether a variable of the entry needs a base pointer of its own, in a frame that is aligned: then
 * the compiler's own data are at constant distances from any register. */
static bool has_aligned_frame(LLVMValueRef entry) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry)); i;
         i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
            LLVMGetAlignment(i) > RECORD_STACK_ALIGNMENT)
            return true;
    return false;
}

static LLVMValueRef without_casts(LLVMValueRef v) {
    while (LLVMIsABitCastInst(v)) v = LLVMGetOperand(v, 0);
    return v;
}

/* Returns the member of a record into which a pointer leads, and sets *records; -1 if it is unknown. */
static int member_of(LLVMValueRef v, LLVMValueRef *records) {
    if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) < 3) return -1;
    LLVMValueRef base = without_casts(LLVMGetOperand(v, 0)), item = LLVMGetOperand(v, 1),
                 member = LLVMGetOperand(v, 2);
    const bool of_record = LLVMIsAGetElementPtrInst(base) && LLVMGetNumOperands(base) == 2 &&
                           LLVMIsAConstantInt(item) && !LLVMConstIntGetZExtValue(item);
    *records = of_record ? without_casts(LLVMGetOperand(base, 0)) : base;
    if (!is_records(*records) || !LLVMIsAConstantInt(member)) return -1;
    LLVMTypeRef type = LLVMGetAllocatedType(*records);
    if (LLVMGetGEPSourceElementType(v) != type) return -1;
    if (of_record && LLVMGetGEPSourceElementType(base) != type) return -1;
    return (int)LLVMConstIntGetZExtValue(member);
}

/* Returns the DILocalVariable of a member of the records; NULL if it is not a variable of the source. */
static LLVMValueRef declared_member(const struct place *p, int member) {
    size_t count;
    LLVMValueRef declared = NULL;
    const unsigned kind = LLVMGetMDKindIDInContext(p->module->context, RECORD_NOTE, strlen(RECORD_NOTE));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(p->entry, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind) continue;
        LLVMValueRef operand[2 * MOST_PRIVATE],
            node = LLVMMetadataAsValue(p->module->context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        const unsigned operands = LLVMGetMDNodeNumOperands(node);
        if (operands > 2 * MOST_PRIVATE) continue;
        LLVMGetMDNodeOperands(node, operand);
        for (unsigned n = 0; n + 1 < operands; n += 2)
            if ((int)LLVMConstIntGetZExtValue(operand[n]) == member) declared = operand[n + 1];
    }
    LLVMDisposeValueMetadataEntries(entries);
    return declared;
}

static bool add_member(struct place *p, struct objects *o, LLVMValueRef records, int member) {
    LLVMValueRef declared = declared_member(p, member);
    LLVMTypeRef record = LLVMGetAllocatedType(records);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module->llvm);
    json_t *note;
    if (!declared || has_aligned_frame(p->entry) ||
        !add_private(p, o, declared, declared, LLVMStructGetTypeAtIndex(record, (unsigned)member), &note))
        return false;
    if (!note) return true;
    json_object_set_new(note, "offset",
                        json_integer((json_int_t)LLVMOffsetOfElement(layout, record, (unsigned)member)));
    json_object_set_new(note, "stride", json_integer((json_int_t)LLVMABISizeOfType(layout, record)));
    json_object_set_new(note, "base", json_integer(IMAGE_STACK_POINTER));
    return true;
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
    if (LLVMIsAAllocaInst(v)) return add_alloca(p, o, v);
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
    LLVMValueRef records;
    const int member = p->simt ? -1 : member_of(v, &records);
    if (member >= 0) return add_member(p, o, records, member);
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
        if (!is_private(p, o->object[n]) && !add(&w->objects, o->object[n])) w->known = false;
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
        json_t *variables = json_object_get(json_array_get(kernels, k), "variables"),
               *of_twin = simt ? NULL : json_array();
        if (of_twin) json_object_set_new(json_array_get(kernels, k), "twin_variables", of_twin);
        struct place p = {.module = m,
                          .local = l,
                          .thunk = &thunks->list[k],
                          .kernel = k,
                          .entry = LLVMGetNamedFunction(m->llvm, name),
                          .simt = simt,
                          .variables = simt ? variables : of_twin,
                          .local_count = json_array_size(variables)};
        const unsigned all = p.entry && LLVMCountParams(p.entry) == 1 ? mark_entry(m, builder, &p, sets) : 0;
        json_object_set_new(json_array_get(kernels, k), simt ? "thunk_objects" : "twin_objects",
                            json_integer(all));
    }
    LLVMDIBuilderFinalize(builder);
    LLVMDisposeDIBuilder(builder);
}
