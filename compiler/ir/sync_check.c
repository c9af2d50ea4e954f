#include "compiler/ir/sync_check.h"

#include "compiler/ir/flow.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/thunk.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WITH_SCALAR 1 /* mcr p7, 0, r0, c4, c0, 1 */
#define MOST_DEPTH  32

/* --- values for one work-item --- */

struct item {
    unsigned dimension;
    uint64_t id; /* id in that dimension; 0 in the others */
};

static uint64_t cut(uint64_t value, LLVMValueRef of) {
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(of));
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static int64_t extend(uint64_t value, unsigned bits) {
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static bool compare(LLVMValueRef i, uint64_t a, uint64_t b) {
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0)));
    const int64_t c = extend(a, bits), d = extend(b, bits);
    switch (LLVMGetICmpPredicate(i)) {
    case LLVMIntEQ: return a == b;
    case LLVMIntNE: return a != b;
    case LLVMIntUGT: return a > b;
    case LLVMIntUGE: return a >= b;
    case LLVMIntULT: return a < b;
    case LLVMIntULE: return a <= b;
    case LLVMIntSGT: return c > d;
    case LLVMIntSGE: return c >= d;
    case LLVMIntSLT: return c < d;
    default: return c <= d;
    }
}

static bool operate(LLVMOpcode opcode, uint64_t a, uint64_t b, uint64_t *result) {
    switch (opcode) {
    case LLVMAdd: *result = a + b; return true;
    case LLVMSub: *result = a - b; return true;
    case LLVMMul: *result = a * b; return true;
    case LLVMAnd: *result = a & b; return true;
    case LLVMOr: *result = a | b; return true;
    case LLVMXor: *result = a ^ b; return true;
    case LLVMShl: *result = b < 64 ? a << b : 0; return true;
    case LLVMLShr: *result = b < 64 ? a >> b : 0; return true;
    default: return false;
    }
}

/* Computes the value for one work-item; returns false if it depends on more than local ids and constants. */
static bool value_for(LLVMValueRef v, const struct item *item, unsigned depth, uint64_t *value) {
    uint64_t a, b;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || depth > MOST_DEPTH) return false;
    if (LLVMIsAConstantInt(v)) {
        *value = LLVMConstIntGetZExtValue(v);
        return true;
    }
    if (!LLVMIsAInstruction(v)) return false;
    const struct operation o = operation_of(v);
    if (o.kind == OPERATION_LOCAL_ID) {
        *value = o.dimension == item->dimension ? item->id : 0;
        return true;
    }
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    const unsigned operands = LLVMIsABinaryOperator(v) || opcode == LLVMICmp ? 2
                              : opcode == LLVMZExt || opcode == LLVMTrunc    ? 1
                                                                             : 0;
    if (!operands || !value_for(LLVMGetOperand(v, 0), item, depth + 1, &a)) return false;
    if (operands == 2 && !value_for(LLVMGetOperand(v, 1), item, depth + 1, &b)) return false;
    if (operands == 1) {
        *value = cut(a, v);
        return true;
    }
    if (opcode == LLVMICmp)
        *value = compare(v, a, b);
    else if (!operate(opcode, a, b, value))
        return false;
    *value = cut(*value, v);
    return true;
}

/* Returns the local id with which a condition compares for equality; 0 if none. */
static uint64_t named_id(LLVMValueRef condition) {
    if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) return 0;
    return LLVMGetICmpPredicate(condition) == LLVMIntEQ
               ? LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1))
               : 0;
}

/* Returns the successor that exactly one work-item takes, or all but one; −1 if this is not certain. */
static int parted_side(LLVMValueRef branch) {
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return -1;
    LLVMValueRef condition = LLVMGetCondition(branch);
    for (unsigned d = 0; d < 3; d++) {
        const uint64_t named = named_id(condition);
        const struct item first = {d, 0}, second = {d, named > 1 ? named : 1};
        uint64_t a, b;
        if (value_for(condition, &first, 0, &a) && value_for(condition, &second, 0, &b) && a != b)
            return b ? 0 : 1;
    }
    return -1;
}

/* --- sides --- */

struct side {
    LLVMValueRef sync; /* a barrier with the scalar thread; NULL: none */
    bool barrier;
};

/* Visits the code between a successor of a branch and the meeting of its sides. */
static void walk_side(const struct flow *f, size_t block, const bool *inside, bool *seen, struct side *s) {
    if (!inside[block] || seen[block]) return;
    const struct flow_block *b = &f->blocks[block];
    seen[block] = true;
    s->barrier |= b->barrier != NULL;
    if (b->barrier && operation_of(b->barrier).dimension == WITH_SCALAR) s->sync = b->barrier;
    for (size_t i = 0; i < b->successor_count; i++) walk_side(f, b->successors[i], inside, seen, s);
}

static bool barrier_behind(const struct flow *f, const bool *meeting, bool *reached) {
    bool found = false;
    for (size_t m = 0; m < f->count && !found; m++) {
        if (!meeting[m]) continue;
        flow_reach(f, m, false, reached);
        for (size_t b = 0; b < f->count && !found; b++) found = reached[b] && f->blocks[b].barrier;
    }
    return found;
}

/* Refuses with the source line that called the inlined function; the header of lockstep_sync() is not
 * named. */
static void refuse_sync(LLVMValueRef sync, const char *kernel) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(sync);
    const char *file = "";
    unsigned length = 0, line = 0;
    for (; at; at = LLVMDILocationGetInlinedAt(at)) {
        LLVMMetadataRef in = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
        file = in ? LLVMDIFileGetFilename(in, &length) : "";
        line = LLVMDILocationGetLine(at);
        if (!strstr(file, "lockstep_scalar.h")) break;
    }
    refuse(
        "%.*s:%u: error: lockstep_sync(1) in kernel '%s' stands where work-items part by their local ids: "
        "some wait here for others that wait at another barrier; all work-items of a group must come to it",
        (int)length, file, line, kernel);
}

static void check_branch(const struct flow *f, size_t block, const char *kernel, bool *scratch) {
    const struct flow_block *b = &f->blocks[block];
    bool *inside = scratch, *meeting = inside + f->count, *seen = meeting + f->count;
    const int parted = parted_side(LLVMGetBasicBlockTerminator(b->llvm));
    struct side sides[2] = {{0}};
    if (parted < 0 || b->successor_count != 2) return;
    flow_influence(f, block, false, inside, meeting);
    for (unsigned n = 0; n < 2; n++) {
        memset(seen, 0, f->count);
        walk_side(f, b->successors[n], inside, seen, &sides[n]);
    }
    const unsigned with = sides[0].sync ? 0 : 1;
    const uint64_t named = named_id(LLVMGetCondition(LLVMGetBasicBlockTerminator(b->llvm)));
    if (!sides[with].sync || sides[!with].barrier || (named > 1 && with != (unsigned)parted)) return;
    if (barrier_behind(f, meeting, seen)) refuse_sync(sides[with].sync, kernel);
}

static void check_kernel(LLVMValueRef function, const char *kernel) {
    struct flow f;
    flow_split_at_barriers(function);
    flow_read(&f, function);
    bool *scratch = allocate(NULL, 3 * f.count);
    for (size_t b = 0; b < f.count; b++) check_branch(&f, b, kernel, scratch);
    free(scratch);
    flow_free(&f);
}

void sync_check(const struct module *m, const json_t *kernels) {
    struct module copy = *m;
    size_t n;
    json_t *kernel;
    copy.llvm = NULL;
    json_array_foreach(kernels, n, kernel) {
        const char *name = json_string_value(json_object_get(kernel, "name"));
        char thunk[512];
        if (!json_integer_value(json_object_get(kernel, "synchronises"))) continue;
        if (!*json_string_value(json_object_get(kernel, "scalar_kernel"))) continue;
        if (!copy.llvm) { /* values in registers, for any build options */
            copy.llvm = LLVMCloneModule(m->llvm);
            module_optimise(&copy, true);
        }
        snprintf(thunk, sizeof thunk, THUNK_PREFIX "%s", name);
        LLVMValueRef f = LLVMGetNamedFunction(copy.llvm, thunk);
        if (f) check_kernel(f, name);
    }
    if (copy.llvm) LLVMDisposeModule(copy.llvm);
}
