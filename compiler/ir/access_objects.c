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

static void mark(const struct module *m, LLVMDIBuilderRef builder, LLVMValueRef i, unsigned number) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    LLVMMetadataRef scope = LLVMDILocationGetScope(place);
    LLVMMetadataRef numbered = LLVMDIBuilderCreateLexicalBlockFile(builder, scope, LLVMDIScopeGetFile(scope),
                                                                   IMAGE_FIRST_OBJECTS + number);
    LLVMInstructionSetDebugLoc(i, LLVMDIBuilderCreateDebugLocation(m->context, LLVMDILocationGetLine(place),
                                                                   LLVMDILocationGetColumn(place), numbered,
                                                                   LLVMDILocationGetInlinedAt(place)));
}

static void mark_entry(const struct module *m, LLVMDIBuilderRef builder, struct place *p, json_t *sets) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            struct objects o = {.count = 0};
            LLVMValueRef address = address_of(i);
            if (address && LLVMInstructionGetDebugLoc(i) && collect(p, &o, address) && o.count)
                mark(m, builder, i, number_of(sets, p, &o));
        }
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
        if (p.entry && LLVMCountParams(p.entry) == 1) mark_entry(m, builder, &p, sets);
    }
    LLVMDIBuilderFinalize(builder);
    LLVMDisposeDIBuilder(builder);
}
