#include "compiler/ir/loops.h"

#include "compiler/ir/postdominators.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/Target.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- dominators and bodies --- */

/* Immediate dominators are the immediate post-dominators of the reversed graph. */
static size_t *find_dominators(const struct flow *f) {
    struct postdominators_edge *edges = NULL;
    size_t *immediate = allocate(NULL, f->count * sizeof *immediate), count = 0;
    for (size_t b = 0; b < f->count; b++)
        for (size_t i = 0; i < f->blocks[b].successor_count; i++) {
            edges = grow(edges, count, sizeof *edges);
            edges[count++] = (struct postdominators_edge){f->blocks[b].successors[i], b};
        }
    postdominators_find(f->count, edges, count, 0, immediate);
    free(edges);
    return immediate;
}

static bool dominates(const size_t *dominator, size_t a, size_t b) {
    while (b != a && b != POSTDOMINATORS_NONE) b = dominator[b];
    return b == a;
}

static struct loop *loop_of_header(struct loops *l, size_t header) {
    for (size_t n = 0; n < l->count; n++)
        if (l->list[n].header == header) return &l->list[n];
    l->list = grow(l->list, l->count, sizeof *l->list);
    struct loop *made = &l->list[l->count++];
    *made = (struct loop){.header = header, .parent = LOOPS_NONE, .body = allocate(NULL, l->flow->count)};
    memset(made->body, 0, l->flow->count);
    made->body[header] = true;
    return made;
}

static void add_body(const struct flow *f, struct loop *loop, size_t block) {
    if (loop->body[block]) return;
    loop->body[block] = true;
    for (size_t i = 0; i < f->blocks[block].predecessor_count; i++)
        add_body(f, loop, f->blocks[block].predecessors[i]);
}

static int smaller_first(const void *a, const void *b) {
    const struct loop *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->header < y->header ? -1 : x->header > y->header;
}

static void find_bodies(struct loops *l, const size_t *dominator) {
    const struct flow *f = l->flow;
    for (size_t b = 0; b < f->count; b++)
        for (size_t i = 0; i < f->blocks[b].successor_count; i++) {
            const size_t header = f->blocks[b].successors[i];
            if ((b == 0 || dominator[b] != POSTDOMINATORS_NONE) && dominates(dominator, header, b))
                add_body(f, loop_of_header(l, header), b);
        }
    for (size_t n = 0; n < l->count; n++)
        for (size_t b = 0; b < f->count; b++) {
            if (!l->list[n].body[b]) continue;
            l->list[n].size++;
            for (size_t i = 0; i < f->blocks[b].successor_count; i++)
                l->list[n].exits += !l->list[n].body[f->blocks[b].successors[i]];
        }
    if (l->count) qsort(l->list, l->count, sizeof *l->list, smaller_first);
}

static void nest(struct loops *l) {
    for (size_t b = 0; b < l->flow->count; b++) {
        l->innermost[b] = LOOPS_NONE;
        for (size_t n = l->count; n-- > 0;)
            if (l->list[n].body[b]) l->innermost[b] = n;
    }
    for (size_t n = 0; n < l->count; n++)
        for (size_t around = l->count; --around > n;)
            if (l->list[around].body[l->list[n].header]) l->list[n].parent = around;
}

/* --- turns --- */

/* A value that is an argument times `scale`; offset −1: it is none. */
struct scaled {
    long offset;
    double scale;
};

static const struct scaled no_argument = {-1, 0};

/* Returns the offset in the argument block of the value that the entry loads from this address. */
static long block_offset(const struct flow *f, LLVMValueRef pointer) {
    LLVMModuleRef module = LLVMGetGlobalParent(f->function);
    if (LLVMIsABitCastInst(pointer)) return block_offset(f, LLVMGetOperand(pointer, 0));
    if (LLVMCountParams(f->function) && pointer == LLVMGetParam(f->function, 0)) return 0;
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 3 ||
        LLVMGetOperand(pointer, 0) != LLVMGetParam(f->function, 0) ||
        !LLVMIsAConstantInt(LLVMGetOperand(pointer, 2)))
        return -1;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return -1;
    return (long)LLVMOffsetOfElement(LLVMGetModuleDataLayout(module), type,
                                     (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2)));
}

static bool is_constant(LLVMValueRef v, double *value) {
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) return false;
    *value = (double)LLVMConstIntGetSExtValue(v);
    return true;
}

/* Ignores added constants and masks: the number of iterations is an estimate. */
static struct scaled argument_of(const struct flow *f, LLVMValueRef v) {
    double constant = 0;
    if (LLVMIsALoadInst(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
        return (struct scaled){block_offset(f, LLVMGetOperand(v, 0)), 1};
    if (LLVMIsACastInst(v) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind)
        return argument_of(f, LLVMGetOperand(v, 0));
    if (!LLVMIsABinaryOperator(v) || !is_constant(LLVMGetOperand(v, 1), &constant)) return no_argument;
    struct scaled of = argument_of(f, LLVMGetOperand(v, 0));
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr: return of;
    case LLVMMul: of.scale *= fabs(constant); return of;
    case LLVMShl: of.scale *= exp2(constant); return of;
    case LLVMLShr:
    case LLVMAShr: of.scale /= exp2(constant); return of;
    case LLVMUDiv:
    case LLVMSDiv: of.scale /= constant ? fabs(constant) : 1; return of;
    default: return no_argument;
    }
}

/* A value that each iteration changes: start and change. */
struct induction {
    LLVMValueRef start;
    LLVMOpcode change; /* LLVMAdd, LLVMShl, LLVMLShr or LLVMAShr by `step` */
    double step;
};

static bool changes_by_constant(LLVMValueRef v, LLVMValueRef phi, struct induction *i) {
    if (!LLVMIsABinaryOperator(v) || LLVMGetOperand(v, 0) != phi ||
        !is_constant(LLVMGetOperand(v, 1), &i->step))
        return false;
    i->change = LLVMGetInstructionOpcode(v);
    return i->step &&
           (i->change == LLVMAdd || i->change == LLVMShl || i->change == LLVMLShr || i->change == LLVMAShr);
}

/* Returns whether v is a PHI of the loop's header that is changed by a constant, or its changed value. */
static bool is_induction(const struct flow *f, const struct loop *loop, LLVMValueRef v, struct induction *i) {
    LLVMValueRef phi = LLVMIsAPHINode(v) ? v : LLVMIsABinaryOperator(v) ? LLVMGetOperand(v, 0) : NULL;
    bool changes = false;
    i->start = NULL;
    if (!phi || !LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != f->blocks[loop->header].llvm)
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, k);
        if (!loop->body[flow_index(f, LLVMGetIncomingBlock(phi, k))])
            i->start = from;
        else if (!changes_by_constant(from, phi, i))
            return false;
        else
            changes = true;
    }
    return changes && i->start;
}

static struct loops_weight known(double factor) {
    return (struct loops_weight){.factor = factor < 1                     ? 1
                                           : factor > FEATURES_TRIPS_MOST ? FEATURES_TRIPS_MOST
                                                                          : factor};
}

static bool turns_of_argument(struct scaled from, double step, struct loops_weight *turns) {
    if (from.offset < 0) return false;
    *turns = (struct loops_weight){from.scale / fabs(step), {(unsigned)from.offset}, 1};
    return true;
}

/* Computes the iterations of a loop that ends when an induction reaches a bound. */
static bool turns_to_bound(const struct flow *f, const struct induction *i, LLVMValueRef bound,
                           struct loops_weight *turns) {
    double first = 0, last = 0;
    const bool starts = is_constant(i->start, &first), ends = is_constant(bound, &last);
    if (i->change == LLVMAdd && starts && ends) {
        *turns = known(ceil(fabs(last - first) / fabs(i->step)));
        return true;
    }
    if (i->change != LLVMAdd) {
        const double low = i->change == LLVMShl ? first : last, high = i->change == LLVMShl ? last : first;
        if (!starts || !ends) return false;
        *turns = known(ceil(log2(fmax(high, 1) / fmax(low, 1)) / i->step));
        return true;
    }
    if (starts) return turns_of_argument(argument_of(f, bound), i->step, turns);
    return ends && turns_of_argument(argument_of(f, i->start), i->step, turns);
}

static struct loops_weight find_turns(const struct flow *f, const struct loop *loop, bool entry) {
    struct loops_weight turns;
    for (size_t b = 0; entry && b < f->count; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b].llvm);
        bool leaves = false;
        for (size_t i = 0; i < f->blocks[b].successor_count; i++)
            leaves |= !loop->body[f->blocks[b].successors[i]];
        if (!loop->body[b] || !leaves || !LLVMIsABranchInst(last) || !LLVMIsConditional(last)) continue;
        LLVMValueRef condition = LLVMGetCondition(last);
        if (!LLVMIsAICmpInst(condition)) continue;
        for (unsigned k = 0; k < 2; k++) {
            struct induction i = {0};
            if (is_induction(f, loop, LLVMGetOperand(condition, k), &i) &&
                turns_to_bound(f, &i, LLVMGetOperand(condition, 1 - k), &turns))
                return turns;
        }
    }
    return known(FEATURES_TRIPS);
}

/* --- executions --- */

void loops_multiply(struct loops_weight *w, const struct loops_weight *by) {
    w->factor *= by->factor;
    for (unsigned n = 0; n < by->count; n++) {
        if (w->count == FEATURES_ARGUMENTS) {
            w->factor *= FEATURES_TRIPS;
            continue;
        }
        unsigned at = w->count++;
        for (; at > 0 && w->offsets[at - 1] > by->offsets[n]; at--) w->offsets[at] = w->offsets[at - 1];
        w->offsets[at] = by->offsets[n];
    }
}

/* Returns the outermost loop that an edge leaves. */
static size_t left_by(const struct loops *l, size_t from, size_t to) {
    size_t left = LOOPS_NONE;
    for (size_t n = l->innermost[from]; n != LOOPS_NONE && !l->list[n].body[to]; n = l->list[n].parent)
        left = n;
    return left;
}

static void order_from(const struct flow *f, size_t block, bool *seen, size_t *order, size_t *next) {
    if (seen[block]) return;
    seen[block] = true;
    for (size_t i = 0; i < f->blocks[block].successor_count; i++)
        order_from(f, f->blocks[block].successors[i], seen, order, next);
    order[--*next] = block;
}

/* Returns whether block `to` leads into a loop that does not contain block `from`, and `other` is after it:
 * the branch only tests for zero iterations. */
static bool guards(const struct loops *l, size_t from, size_t to, size_t other) {
    const struct flow *f = l->flow;
    const size_t header = f->blocks[to].successor_count == 1 ? f->blocks[to].successors[0] : to;
    if (!f->blocks[to].postdominators[other]) return false;
    for (size_t n = 0; n < l->count; n++)
        if ((l->list[n].header == header || l->list[n].header == to) && !l->list[n].body[from]) return true;
    return false;
}

/* Returns the share of block b's executions that continue at its i-th successor, a block inside all of b's
 * loops. */
static double way(const struct loops *l, size_t b, size_t i, size_t inside) {
    const struct flow_block *block = &l->flow->blocks[b];
    if (block->successor_count == 2) {
        const size_t to = block->successors[i], other = block->successors[1 - i];
        if (guards(l, b, to, other)) return 1;
        if (guards(l, b, other, to)) return 0;
    }
    return 1 / (double)inside;
}

/* Computes the execution probability of each block in an iteration of the loops around it: the executions of
 * a loop leave it in equal parts by each exit. */
static void share_out(const struct loops *l, const size_t *dominator, const size_t *order, double *share) {
    const struct flow *f = l->flow;
    for (size_t n = 0; n < f->count; n++) {
        const size_t b = order[n];
        size_t inside = 0;
        for (size_t i = 0; i < f->blocks[b].successor_count; i++)
            inside += left_by(l, b, f->blocks[b].successors[i]) == LOOPS_NONE;
        for (size_t i = 0; i < f->blocks[b].successor_count; i++) {
            const size_t to = f->blocks[b].successors[i], left = left_by(l, b, to);
            if (dominates(dominator, to, b)) continue;
            share[to] += left == LOOPS_NONE ? share[b] * way(l, b, i, inside)
                                            : share[l->list[left].header] / (double)l->list[left].exits;
        }
    }
}

static void weigh(struct loops *l, const size_t *dominator) {
    const size_t count = l->flow->count;
    size_t *order = allocate(NULL, count * sizeof *order), first = count;
    double *share = allocate(NULL, count * sizeof *share);
    bool *seen = allocate(NULL, count);
    memset(seen, 0, count);
    for (size_t b = 0; b < count; b++) share[b] = b == 0;
    for (size_t b = count; b-- > 1;)
        if (dominator[b] == POSTDOMINATORS_NONE) { /* unreachable blocks come last */
            seen[b] = true;
            order[--first] = b;
        }
    order_from(l->flow, 0, seen, order, &first);
    share_out(l, dominator, order + first, share);
    for (size_t b = 0; b < count; b++) {
        l->weights[b] = (struct loops_weight){.factor = share[b]};
        for (size_t n = l->innermost[b]; n != LOOPS_NONE; n = l->list[n].parent)
            loops_multiply(&l->weights[b], &l->list[n].turns);
    }
    free(order);
    free(share);
    free(seen);
}

void loops_find(struct loops *l, const struct flow *f, bool entry) {
    size_t *dominator = find_dominators(f);
    *l = (struct loops){.flow = f,
                        .innermost = allocate(NULL, f->count * sizeof *l->innermost),
                        .weights = allocate(NULL, f->count * sizeof *l->weights)};
    find_bodies(l, dominator);
    nest(l);
    for (size_t n = 0; n < l->count; n++) l->list[n].turns = find_turns(f, &l->list[n], entry);
    weigh(l, dominator);
    free(dominator);
}

void loops_free(struct loops *l) {
    for (size_t n = 0; n < l->count; n++) free(l->list[n].body);
    free(l->list);
    free(l->innermost);
    free(l->weights);
    *l = (struct loops){0};
}
