#include "model/uniform.h"

#include "model/coprocessor.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APSR_NZCV   0xf0000000u
#define FPSCR_MODES 0x07f70000u /* AHP, DN, FZ, RMode, Stride, Len */

const char *const uniform_form_name[UNIFORM_FORM_COUNT] = {
#define X(id, name) name,
    UNIFORM_FORMS(X)
#undef X
};

static unsigned number_of(uint64_t bits) {
    return (unsigned)__builtin_popcountll(bits);
}

/* --- building --- */

static struct arm_instruction copy_of(unsigned reg) {
    const uint64_t bit = UINT64_C(1) << reg;
    return (struct arm_instruction){.condition = 14,
                                    .class = ARM_CLASS_ALU,
                                    .sources = bit,
                                    .destinations = bit,
                                    .reads = bit,
                                    .writes = bit};
}

void uniform_init(struct uniform *u, const struct machine_config *config,
                  struct uniform_registers registers) {
    *u = (struct uniform){
        .config = config, .on = config->uniform.storage != UNIFORM_NONE, .registers = registers};
    if (!u->on) return;
    for (unsigned r = 0; r < ARM_REGISTERS; ++r) u->copy[r] = copy_of(r);
    u->liveness = calloc(TDT_MAX_WARPS, sizeof *u->liveness);
    invariant(u->liveness, "no memory for the lives of registers");
}

void uniform_free(struct uniform *u) {
    free(u->liveness);
}

void uniform_register_counters(struct uniform *u, const char *cluster, struct counter_registry *r) {
    static const struct {
        const char *name, *unit, *what;
    } counts[UNIFORM_COUNT_COUNT] = {
#define X(id, name, unit, what) {name, unit, what},
        UNIFORM_COUNTS(X)
#undef X
    };
    char scope[64];
    if (!u->on) return;
    snprintf(scope, sizeof scope, "%s.uniform", cluster);
    for (unsigned n = 0; n < UNIFORM_COUNT_COUNT; ++n)
        counter_register(r, scope, counts[n].name, counts[n].unit, counts[n].what, &u->count[n]);
    counter_register(r, scope, "register_cycles_live", "cycles",
                     "of vector registers of warps, holding a value that was read later",
                     &u->register_cycles.live);
    counter_register(r, scope, "register_cycles_protected", "cycles",
                     "of these, as scalars, of which a second copy can be kept for nothing",
                     &u->register_cycles.protected);
    counter_register_ratio(r, scope, "alu_coverage", "%", "share of the ALU operations that can be checked",
                           "100 * alu_protected / alu_operations");
    counter_register_ratio(r, scope, "register_coverage", "%",
                           "share of the live registers that can be checked, over all cycles",
                           "100 * register_cycles_protected / register_cycles_live");
    counter_register_ratio(r, cluster, "copy_ratio", "%", "copy instructions to warp instructions",
                           "100 * uniform.copies / warp_instructions");
}

unsigned uniform_position(const struct machine_config *config) {
    const unsigned warp_size = config->simt.warp_size, lanes = config->cluster.lanes;
    return config->simt.lane_map == LANE_MAP_BLOCK ? warp_size / lanes - 1 : warp_size - lanes;
}

void uniform_start(struct uniform *u, unsigned warp, uint64_t t) {
    u->tokens[warp] = 1 | ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES;
    register_liveness_start(&u->liveness[warp], t);
}

/* --- D --- */

/* What a co-processor instruction reads: nothing, or state of each thread's own. */
static uint64_t coprocessor_reads(const struct arm_instruction *i) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const bool own = op.operation == COPROCESSOR_UNDEFINED || coprocessor_mimd_only(op.operation) ||
                     op.operation == COPROCESSOR_LOCAL_ID || op.operation == COPROCESSOR_GLOBAL_ID ||
                     (op.operation == COPROCESSOR_CONSTANT && op.index == 0) ||
                     (i->sources | i->destinations) & ~UNIFORM_REGISTERS;
    return own ? ARM_STATE_OTHER : 0;
}

/* The first thread's flags are every live thread's. */
static bool fails_for_all(const struct arm_instruction *i, const struct uniform_warp *w) {
    return !arm_condition_holds(i->condition, arm_get_apsr(w->threads, (unsigned)__builtin_ctzll(w->live)));
}

static void count_reads(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f) {
    const struct uniform_registers *r = &u->registers;
    const unsigned all = number_of(i->sources), scalars = number_of(i->sources & f->tokens),
                   vectors = all - scalars;
    f->read_lines = vectors * r->vector_lines + scalars * r->scalar_lines;
    f->broadcast = scalars && f->form != UNIFORM_SCALAR ? u->config->uniform.broadcast_cycles : 0;
    u->count[UNIFORM_COUNT_BROADCAST_CYCLES] += f->broadcast;
    u->count[UNIFORM_COUNT_READ_LINES] += vectors * r->lanes * r->vector_lines + scalars * r->scalar_lines;
    u->count[UNIFORM_COUNT_READ_LINES_SAVED] += scalars * (r->lanes * r->vector_lines - r->scalar_lines);
    u->count[UNIFORM_COUNT_READ_WORDS_SAVED] += scalars * (r->words - 1);
}

void uniform_decode(struct uniform *u, const struct uniform_warp *w, struct arm_instruction **instruction,
                    struct uniform_flight *f) {
    struct arm_instruction *i = *instruction;
    const uniform_tokens tokens = u->tokens[w->number];
    const bool conditional = i->condition != 14, flags_known = !conditional || tokens & ARM_STATE_NZCV;
    const uint64_t reads = i->is_coprocessor ? coprocessor_reads(i) : i->reads;
    f->tokens = tokens;
    f->full = w->participating == w->live;
    f->uniform = f->full && flags_known && !(reads & ~tokens);
    f->form = f->uniform && u->config->uniform.intra ? UNIFORM_SCALAR : UNIFORM_VECTOR;
    const uint64_t kept = i->destinations & tokens & UNIFORM_REGISTERS;
    if (kept && !(f->full && flags_known) && !(conditional && flags_known && fails_for_all(i, w))) {
        f->form = UNIFORM_COPY;
        f->uniform = false;
        *instruction = i = &u->copy[__builtin_ctzll(kept)];
    }
    count_reads(u, i, f);
}

/* --- W --- */

unsigned uniform_write_lines(const struct uniform *u, const struct arm_instruction *i,
                             const struct uniform_flight *f) {
    return number_of(i->destinations) *
           (f->form == UNIFORM_SCALAR ? u->registers.scalar_lines : u->registers.vector_lines);
}

static void count_writes(struct uniform *u, const struct arm_instruction *i, const struct uniform_flight *f) {
    const struct uniform_registers *r = &u->registers;
    const unsigned written = number_of(i->destinations), all = r->lanes * r->vector_lines;
    if (f->form != UNIFORM_SCALAR) {
        u->count[UNIFORM_COUNT_WRITE_LINES] += written * all;
        return;
    }
    u->count[UNIFORM_COUNT_WRITE_LINES] += written * r->scalar_lines;
    u->count[UNIFORM_COUNT_WRITE_LINES_SAVED] += written * (all - r->scalar_lines);
    u->count[UNIFORM_COUNT_WRITE_WORDS_SAVED] += written * (r->words - 1);
}

static bool is_alu(const struct arm_instruction *i) {
    return !i->writes_pc && (i->class <= ARM_CLASS_DIVIDE ||
                             (i->class >= ARM_CLASS_VFP_MOVE && i->class <= ARM_CLASS_VFP_DIVIDE_DOUBLE));
}

static void count_operations(struct uniform *u, const struct arm_instruction *i, uint64_t passed,
                             const struct uniform_flight *f) {
    const unsigned operations = number_of(passed);
    u->count[UNIFORM_COUNT_UNIFORM] += f->uniform;
    u->count[UNIFORM_COUNT_SCALAR] += f->form == UNIFORM_SCALAR;
    if (!is_alu(i) || !operations) return;
    u->count[UNIFORM_COUNT_ALU_OPERATIONS] += operations;
    u->count[UNIFORM_COUNT_ALU_EXECUTED] += f->form == UNIFORM_SCALAR ? 1 : operations;
    u->count[UNIFORM_COUNT_ALU_PROTECTED] += f->form == UNIFORM_SCALAR ? operations : 0;
}

/* All threads access one place, exclusive accesses apart. */
static bool is_broadcast(const struct arm_instruction *i, const struct arm_execution *x) {
    const unsigned first = (unsigned)__builtin_ctzll(x->passed);
    uint32_t different = 0;
    if (!i->is_load || i->reads & ARM_STATE_OTHER) return false;
    for (uint64_t rest = x->passed; rest && !different; rest &= rest - 1)
        different = x->address[__builtin_ctzll(rest)] ^ x->address[first];
    return !different;
}

/* The registers that a load loads: not the base that it writes back. */
static uint64_t loaded(const struct arm_instruction *i) {
    return i->destinations & ~(i->write_back ? UINT64_C(1) << i->rn : 0) & UNIFORM_REGISTERS;
}

static void end_copy(struct uniform *u, unsigned warp, const struct arm_instruction *i, uint64_t t) {
    u->tokens[warp] &= ~i->destinations;
    register_liveness_exposed(&u->liveness[warp], (unsigned)__builtin_ctzll(i->destinations), t);
    ++u->count[UNIFORM_COUNT_COPIES];
}

void uniform_executed(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      const struct arm_execution *x, const struct uniform_flight *f, uint64_t t) {
    uniform_tokens *tokens = &u->tokens[w->number];
    struct register_liveness *liveness = &u->liveness[w->number];
    if (f->form != UNIFORM_COPY) count_operations(u, i, x->passed, f);
    if (!x->passed) return;
    count_writes(u, i, f);
    if (f->form == UNIFORM_COPY) {
        end_copy(u, w->number, i, t);
        return;
    }
    const bool all = x->passed == w->live;
    const uint64_t written = i->writes & UNIFORM_TOKENS;
    register_liveness_read(liveness, i->sources & UNIFORM_REGISTERS, f->tokens, t, &u->register_cycles);
    if (all) register_liveness_written(liveness, i->destinations & UNIFORM_REGISTERS, t);
    *tokens = f->uniform ? *tokens | written : *tokens & ~written;
    if (f->uniform || !all || !is_broadcast(i, x)) return;
    *tokens |= loaded(i);
    ++u->count[UNIFORM_COUNT_BROADCAST_LOADS];
}

/* --- the invariant --- */

static bool all_same(const uint32_t *row, uint32_t mask, uint64_t live) {
    const uint32_t first = row[__builtin_ctzll(live)];
    uint32_t different = 0;
    for (; live; live &= live - 1) different |= row[__builtin_ctzll(live)] ^ first;
    return !(different & mask);
}

void uniform_check(const struct uniform *u, const struct uniform_warp *w, uint32_t pc) {
    const struct arm_threads *t = w->threads;
    const uniform_tokens tokens = u->tokens[w->number];
    uint32_t apsr[ARM_MAX_POSITIONS] = {0};
    if (!w->live) return;
    for (uint64_t rest = tokens & UNIFORM_REGISTERS; rest; rest &= rest - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(rest);
        invariant(all_same(t->registers + r * t->positions, ~0u, w->live),
                  "after %#x register row %u of warp %u has its token, but its threads differ", pc, r,
                  w->number);
    }
    for (unsigned k = 0; k < t->positions; ++k) apsr[k] = arm_get_apsr(t, k);
    invariant(!(tokens & ARM_STATE_NZCV) || all_same(apsr, APSR_NZCV, w->live),
              "after %#x the flags of warp %u have their token, but its threads differ", pc, w->number);
    const uint32_t fpscr =
        (tokens & ARM_STATE_FPSCR_FLAGS ? APSR_NZCV : 0) | (tokens & ARM_STATE_FPSCR_MODES ? FPSCR_MODES : 0);
    invariant(all_same(t->fpscr, fpscr, w->live),
              "after %#x FPSCR of warp %u has its token, but its threads differ", pc, w->number);
}
