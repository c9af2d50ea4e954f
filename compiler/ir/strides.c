#include "compiler/ir/strides.h"

#include "compiler/ir/operation.h"

#include <llvm-c/Target.h>
#include <math.h>

#define STEPS_MOST 5000 /* limit of a walk; a longer one has an unknown stride */
#define DEPTH_MOST 100

/* A PHI on the walk, with its assumed stride. */
struct assumption {
    LLVMValueRef phi;
    struct stride stride;
    const struct assumption *before;
};

struct walk {
    const struct uniformity *uniformity;
    const struct loops *loops;
    const struct loop *loop; /* NULL: between work-items */
    LLVMTargetDataRef layout;
    const struct assumption *assumed;
    unsigned steps, depth;
    bool local; /* a local id has been found */
};

static const struct stride none = {STRIDE_KNOWN, 0, false}, unknown = {STRIDE_UNKNOWN, 0, false},
                           multiple = {STRIDE_MULTIPLE, 0, false};

static struct stride walk(struct walk *w, LLVMValueRef v);

static bool same(struct stride a, struct stride b) {
    return a.kind == b.kind && a.kind != STRIDE_UNKNOWN && a.bytes == b.bytes;
}

static struct stride sum(struct stride a, struct stride b, double sign) {
    if (a.kind == STRIDE_UNKNOWN || b.kind == STRIDE_UNKNOWN) return unknown;
    if (a.kind == STRIDE_MULTIPLE || b.kind == STRIDE_MULTIPLE) return multiple;
    return (struct stride){STRIDE_KNOWN, a.bytes + sign * b.bytes, false};
}

/* Returns a stride times a uniform value. */
static struct stride times(struct stride s, LLVMValueRef factor, bool shift) {
    if (s.kind != STRIDE_KNOWN || !s.bytes) return s;
    if (!LLVMIsAConstantInt(factor)) return multiple;
    s.bytes *=
        shift ? exp2((double)LLVMConstIntGetZExtValue(factor)) : (double)LLVMConstIntGetSExtValue(factor);
    return s;
}

static struct stride product(struct walk *w, LLVMValueRef v) {
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const struct stride of_a = walk(w, a), of_b = walk(w, b);
    if (stride_is_zero(of_b)) return times(of_a, b, LLVMGetInstructionOpcode(v) == LLVMShl);
    if (stride_is_zero(of_a) && LLVMGetInstructionOpcode(v) == LLVMMul) return times(of_b, a, false);
    return unknown;
}

static struct stride of_address(struct walk *w, LLVMValueRef gep) {
    struct stride s = walk(w, LLVMGetOperand(gep, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue; /* the member is the same for all */
        }
        if (k > 1) type = LLVMGetElementType(type);
        struct stride of_index = walk(w, index);
        of_index.bytes *= (double)LLVMABISizeOfType(w->layout, type);
        s = sum(s, of_index, 1);
    }
    return s;
}

/* Returns the bytes, or the number, by which `next` exceeds the PHI. */
static struct stride step_to(struct walk *w, LLVMValueRef phi, LLVMValueRef next) {
    const bool adds = LLVMIsABinaryOperator(next) && LLVMGetInstructionOpcode(next) == LLVMAdd;
    if (!adds && (!LLVMIsAGetElementPtrInst(next) || LLVMGetNumOperands(next) != 2)) return unknown;
    const bool swapped = adds && LLVMGetOperand(next, 1) == phi;
    LLVMValueRef step = LLVMGetOperand(next, swapped ? 0 : 1);
    if (LLVMGetOperand(next, swapped ? 1 : 0) != phi || !stride_is_zero(walk(w, step))) return unknown;
    if (!LLVMIsAConstantInt(step)) return multiple;
    const double size = adds ? 1 : (double)LLVMABISizeOfType(w->layout, LLVMGetGEPSourceElementType(next));
    return (struct stride){STRIDE_KNOWN, (double)LLVMConstIntGetSExtValue(step) * size, false};
}

static const struct loop *loop_of_header(const struct walk *w, LLVMBasicBlockRef block) {
    for (size_t n = 0; n < w->loops->count; n++)
        if (w->uniformity->flow->blocks[w->loops->list[n].header].llvm == block) return &w->loops->list[n];
    return NULL;
}

static bool comes_from_within(const struct walk *w, const struct loop *loop, LLVMValueRef phi, unsigned k) {
    return loop->body[flow_index(w->uniformity->flow, LLVMGetIncomingBlock(phi, k))];
}

/* Returns the stride of a PHI between iterations: the loop's step of a PHI in its header. */
static struct stride of_phi_in_turns(struct walk *w, LLVMValueRef phi) {
    struct stride step = unknown;
    bool first = true;
    if (loop_of_header(w, LLVMGetInstructionParent(phi)) != w->loop) return unknown;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (!comes_from_within(w, w->loop, phi, k)) continue;
        const struct stride s = step_to(w, phi, LLVMGetIncomingValue(phi, k));
        step = first || same(step, s) ? s : unknown;
        first = false;
    }
    return step;
}

/* Returns the stride of a PHI between work-items: that of the initial value, if the iterations preserve it.
 * Other PHIs choose. */
static struct stride of_phi(struct walk *w, LLVMValueRef phi) {
    const struct loop *loop = loop_of_header(w, LLVMGetInstructionParent(phi));
    struct stride start = unknown;
    bool good = loop != NULL;
    for (const struct assumption *a = w->assumed; a; a = a->before)
        if (a->phi == phi) return a->stride;
    for (unsigned k = 0; good && k < LLVMCountIncoming(phi); k++) {
        if (comes_from_within(w, loop, phi, k)) continue;
        const struct stride s = walk(w, LLVMGetIncomingValue(phi, k));
        good = start.kind == STRIDE_UNKNOWN || same(start, s);
        start = s;
    }
    good = good && start.kind != STRIDE_UNKNOWN;
    const struct assumption assumption = {phi, start, w->assumed};
    w->assumed = &assumption;
    for (unsigned k = 0; good && k < LLVMCountIncoming(phi); k++)
        if (comes_from_within(w, loop, phi, k)) good = same(walk(w, LLVMGetIncomingValue(phi, k)), start);
    w->assumed = assumption.before;
    return good ? start : unknown;
}

/* Returns the stride of an instruction that depends only on its operands: 0 if all operands have stride 0. */
static struct stride of_operands(struct walk *w, LLVMValueRef v) {
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if (!stride_is_zero(walk(w, LLVMGetOperand(v, (unsigned)k)))) return unknown;
    return none;
}

static struct stride of_select(struct walk *w, LLVMValueRef v) {
    const struct stride a = walk(w, LLVMGetOperand(v, 1)), b = walk(w, LLVMGetOperand(v, 2));
    return same(a, b) && stride_is_zero(walk(w, LLVMGetOperand(v, 0))) ? a : unknown;
}

static struct stride of_instruction(struct walk *w, LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMOr: return sum(walk(w, LLVMGetOperand(v, 0)), walk(w, LLVMGetOperand(v, 1)), 1);
    case LLVMSub: return sum(walk(w, LLVMGetOperand(v, 0)), walk(w, LLVMGetOperand(v, 1)), -1);
    case LLVMMul:
    case LLVMShl: return product(w, v);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFreeze: return walk(w, LLVMGetOperand(v, 0));
    case LLVMGetElementPtr: return of_address(w, v);
    case LLVMPHI: return w->loop ? of_phi_in_turns(w, v) : of_phi(w, v);
    case LLVMSelect: return of_select(w, v);
    case LLVMLoad: return w->loop || LLVMGetVolatile(v) ? unknown : of_operands(w, v);
    case LLVMAlloca:
    case LLVMCall:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return unknown;
    default: return of_operands(w, v);
    }
}

/* Returns whether a value is equal for all compared work-items or iterations. */
static bool fixed(const struct walk *w, LLVMValueRef v) {
    if (!w->loop) return uniformity_of(w->uniformity, v);
    return !LLVMIsAInstruction(v) ||
           !w->loop->body[flow_index(w->uniformity->flow, LLVMGetInstructionParent(v))];
}

static struct stride walk(struct walk *w, LLVMValueRef v) {
    if (fixed(w, v)) return none;
    if (!LLVMIsAInstruction(v) || w->steps == STEPS_MOST || w->depth == DEPTH_MOST) return unknown;
    const struct operation operation = operation_of(v);
    w->steps++;
    if (!w->loop && (operation.kind == OPERATION_LOCAL_ID || operation.kind == OPERATION_GLOBAL_ID)) {
        w->local |= operation.kind == OPERATION_LOCAL_ID;
        return (struct stride){STRIDE_KNOWN, operation.dimension == 0, false};
    }
    w->depth++;
    const struct stride s = of_instruction(w, v);
    w->depth--;
    return s;
}

struct stride stride_of(const struct uniformity *u, const struct loops *loops, const struct loop *loop,
                        LLVMValueRef value) {
    struct walk w = {.uniformity = u,
                     .loops = loops,
                     .loop = loop,
                     .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(u->flow->function))};
    struct stride s = walk(&w, value);
    s.local = w.local;
    return s;
}
