#include "model/uniform/uniform.h"

#include "model/arm/coprocessor.h"
#include "model/config/lane_map.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define APSR_NZCV   0xf0000000u
#define FPSCR_MODES 0x07f70000u         /* AHP, DN, FZ, RMode, Stride, Len */
#define NO_TOKEN    (UINT64_C(1) << 15) /* row 15 has no token */

const char *const uniform_form_name[UNIFORM_FORM_COUNT] = {
#define X(id, name) name,
    UNIFORM_FORMS(X)
#undef X
};

static unsigned number_of(uint64_t bits) {
    return (unsigned)__builtin_popcountll(bits);
}

static bool has_srf(const struct uniform *u) {
    return u->config->uniform.storage == UNIFORM_SRF;
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

void uniform_init(struct uniform *u, const struct machine_config *config, struct uniform_registers registers,
                  unsigned warps) {
    memset(u, 0, sizeof *u);
    u->config = config;
    u->on = config->uniform.storage != UNIFORM_NONE;
    if (!u->on) return;
    u->registers = registers;
    if (has_srf(u)) u->registers.scalar_lines = 0;
    token_file_init(&u->tokens, warps, TOKEN_REGISTERS);
    srf_rename_init(&u->rename, warps, TOKEN_REGISTERS, config->uniform.srf_registers);
    instruction_reuse_buffer_init(&u->reuse, config->uniform.irb_entries, config->uniform.irb_tag_bits,
                                  INSTRUCTION_REUSE_BUFFER_OPCODE_BITS);
    for (unsigned r = 0; r < ARM_REGISTERS; ++r) u->copy[r] = copy_of(r);
    u->liveness = calloc(TDT_MAX_WARPS, sizeof *u->liveness);
    require_memory(u->liveness);
}

void uniform_free(struct uniform *u) {
    free(u->liveness);
}

unsigned uniform_position(const struct machine_config *config) {
    if (config->lanes.kind != LANES_SPATIAL) return 0;
    const unsigned lanes = config->cluster.lanes, rounds = config->simt.warp_size / lanes;
    return lane_map_position((struct lane_map){config->simt.lane_map, lanes, rounds}, 0, rounds - 1);
}

uniform_tokens uniform_tokens_of(const struct uniform *u, unsigned warp) {
    return has_srf(u) ? u->rename.valid[warp] : u->tokens.token[warp];
}

void uniform_reset(struct uniform *u) {
    if (!u->on) return;
    token_file_reset(&u->tokens);
    srf_rename_reset(&u->rename);
    instruction_reuse_buffer_reset(&u->reuse);
}

void uniform_start(struct uniform *u, warp_set warps, uint64_t t) {
    if (has_srf(u)) {
        u->rename.in.start = true;
        u->rename.in.start_warps |= warps;
    } else {
        u->tokens.in.start = true;
        u->tokens.in.start_warps |= warps;
    }
    for (; warps; warps &= warps - 1) register_liveness_start(&u->liveness[warp_set_first(warps)], t);
}

/* --- D --- */

/* Returns the state that a co-processor instruction reads: none, or state that differs between threads. */
static uint64_t coprocessor_reads(const struct arm_instruction *i) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const bool own = op.operation == COPROCESSOR_UNDEFINED || coprocessor_mimd_only(op.operation) ||
                     op.operation == COPROCESSOR_LOCAL_ID || op.operation == COPROCESSOR_GLOBAL_ID ||
                     (op.operation == COPROCESSOR_CONSTANT && op.index == 0) ||
                     (i->sources | i->destinations) & ~UNIFORM_REGISTERS;
    return own ? NO_TOKEN : 0;
}

/* Returns whether the instruction's condition fails for the first live thread. */
static bool fails_for_first(const struct arm_instruction *i, const struct uniform_warp *w) {
    return !arm_condition_holds(i->condition, arm_get_apsr(w->threads, (unsigned)__builtin_ctzll(w->live)));
}

/* Sets the read inputs, which token_file and srf_rename have in common. */
#define SET_READ(in, warp, i, reads, is_full, fails)                                                         \
    do {                                                                                                     \
        (in)->read_warp = (warp);                                                                            \
        (in)->read_sources = (reads);                                                                        \
        (in)->read_destinations = (i)->destinations & UNIFORM_REGISTERS;                                     \
        (in)->read_full = (is_full);                                                                         \
        (in)->read_conditional = (i)->condition != 14;                                                       \
        (in)->read_fails = (fails);                                                                          \
    } while (0)

static uint32_t next_row(uint64_t *rows) {
    const uint32_t row = *rows ? (uint32_t)__builtin_ctzll(*rows) : 0;
    *rows &= *rows - 1;
    return row;
}

/* Returns the tokens that the instruction needs to be uniform. */
static uniform_tokens tokens_needed(const struct arm_instruction *i) {
    if (i->is_coprocessor) return coprocessor_reads(i);
    return (i->reads & UNIFORM_TOKENS) | (i->reads & ~UNIFORM_TOKENS ? NO_TOKEN : 0);
}

void uniform_read(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i) {
    const uint64_t reads = tokens_needed(i);
    const bool full = w->participating == w->live, fails = i->condition != 14 && fails_for_first(i, w);
    uint64_t rows = i->sources & UNIFORM_REGISTERS;
    if (!has_srf(u)) {
        SET_READ(&u->tokens.in, w->number, i, reads, full, fails);
        token_file_read(&u->tokens);
        return;
    }
    SET_READ(&u->rename.in, w->number, i, reads, full, fails);
    u->rename.in.read_row0 = next_row(&rows);
    u->rename.in.read_row1 = next_row(&rows);
    u->rename.in.read_row2 = next_row(&rows);
    srf_rename_read(&u->rename);
}

static void count_reads(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f) {
    const unsigned scalars = number_of(i->sources & f->tokens), vectors = number_of(i->sources) - scalars;
    f->read_lines = vectors * u->registers.vector_lines + scalars * u->registers.scalar_lines;
    u->count[UNIFORM_COUNT_VECTOR_READS] += vectors;
    u->count[UNIFORM_COUNT_SCALAR_READS] += scalars;
}

/* Returns whether uniform.intra_only permits that a uniform instruction executes for one thread. */
static bool is_chosen(const struct uniform *u, const struct arm_instruction *i) {
    enum uniform_only is = UNIFORM_ONLY_ALU;
    if (i->is_coprocessor)
        is = i->coprocessor_reads ? UNIFORM_ONLY_IDS : UNIFORM_ONLY_PRIORITIES;
    else if (i->is_load || i->is_store)
        is = UNIFORM_ONLY_MEMORY;
    else if (i->writes_pc)
        is = UNIFORM_ONLY_BRANCHES;
    return u->config->uniform.intra_only == UNIFORM_ONLY_NOT || u->config->uniform.intra_only == is;
}

void uniform_decoded(struct uniform *u, struct arm_instruction **i, struct uniform_flight *f) {
    const bool srf = has_srf(u);
    const uint64_t copies = srf ? u->rename.out.copies : u->tokens.out.copies;
    f->uniform = srf ? u->rename.out.uniform : u->tokens.out.uniform;
    f->tokens = srf ? u->rename.out.tokens : u->tokens.out.tokens;
    f->inserts = false;
    f->broadcast = f->write_lines = f->scalar_writes = 0;
    f->written = f->scalars = 0;
    f->form = f->uniform && u->config->uniform.intra && is_chosen(u, *i) ? UNIFORM_SCALAR : UNIFORM_VECTOR;
    if (copies) {
        f->form = UNIFORM_COPY;
        f->copies_source = ((*i)->sources & copies & -copies) != 0;
        *i = &u->copy[__builtin_ctzll(copies)];
    }
    f->loads = (*i)->is_load ? (*i)->destinations & UNIFORM_REGISTERS : 0;
    count_reads(u, *i, f);
}

/* --- O --- */

uint64_t uniform_copies(const struct uniform *u, const struct uniform_warp *w,
                        const struct arm_instruction *i) {
    const uint64_t tokens = uniform_tokens_of(u, w->number);
    const bool conditional = i->condition != 14;
    if (!(i->destinations & tokens & UNIFORM_REGISTERS)) return 0;
    return token_copies(tokens, ARM_STATE_NZCV, i->destinations & UNIFORM_REGISTERS,
                        w->participating == w->live, conditional, conditional && fails_for_first(i, w));
}

bool uniform_copies_first(const struct uniform *u, const struct uniform_warp *w,
                          const struct arm_instruction *i) {
    return uniform_copies(u, w, i) != 0;
}

void uniform_copy(struct uniform *u, unsigned warp, unsigned reg, bool source,
                  const struct arm_instruction **i, struct uniform_flight *f) {
    *f = (struct uniform_flight){
        .form = UNIFORM_COPY, .copies_source = source, .tokens = uniform_tokens_of(u, warp)};
    *i = &u->copy[reg];
    count_reads(u, *i, f);
}

bool uniform_would_be(const struct uniform *u, const struct uniform_warp *w,
                      const struct arm_instruction *i) {
    const uniform_tokens needed = tokens_needed(i) | (i->condition != 14 ? ARM_STATE_NZCV : 0);
    return w->participating == w->live && !(needed & ~uniform_tokens_of(u, w->number));
}

bool uniform_operands(const struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      struct uniform_flight *f) {
    if (!u->config->uniform.inter || !f->uniform) return false;
    if (i->condition != 14 && fails_for_first(i, w)) return false;
    f->inserts = reuse_operands_of(i, w->threads, (unsigned)__builtin_ctzll(w->live), &f->operands);
    return f->inserts;
}

static void ask(struct uniform *u, uint32_t pc, const struct uniform_flight *f) {
    struct instruction_reuse_buffer_in *in = &u->reuse.in;
    u->looks_up = true;
    in->lookup = true;
    in->lookup_tag = instruction_reuse_buffer_tag(&u->reuse, pc);
    in->lookup_opcode = f->operands.opcode;
    in->lookup_source0 = f->operands.source[0];
    in->lookup_source1 = f->operands.source[1];
    in->lookup_source2 = f->operands.source[2];
    in->lookup_flags = f->operands.flags;
    uniform_eval_reuse(u);
}

static void take_result(struct uniform *u, struct uniform_flight *f) {
    const struct instruction_reuse_buffer_out *out = &u->reuse.out;
    ++u->count[UNIFORM_COUNT_IRB_LOOKUPS];
    u->count[UNIFORM_COUNT_IRB_HITS] += out->hit;
    u->count[UNIFORM_COUNT_IRB_OTHER] += out->operands;
    u->count[UNIFORM_COUNT_IRB_MISSES] += !out->hit && !out->operands;
    if (!out->hit) return;
    f->form = UNIFORM_REUSED;
    f->inserts = false;
    f->result = (struct reuse_result){out->result, out->result_flags};
}

void uniform_collected(struct uniform *u, uint32_t pc, const struct arm_instruction *i,
                       struct uniform_flight *f) {
    if (f->inserts) {
        ask(u, pc, f);
        take_result(u, f);
    }
    if (f->form == UNIFORM_SCALAR || f->form == UNIFORM_REUSED || !(i->sources & f->tokens)) return;
    f->broadcast = u->config->uniform.broadcast_cycles;
    u->count[UNIFORM_COUNT_BROADCAST_CYCLES] += f->broadcast;
}

/* --- X: results --- */

/* Returns whether all threads load from the same address. Exclusive loads do not count. */
static bool is_broadcast(const struct arm_instruction *i, uint64_t passed, const uint32_t *address) {
    const unsigned first = (unsigned)__builtin_ctzll(passed);
    uint32_t different = 0;
    if (!i->is_load || i->reads & ARM_STATE_OTHER) return false;
    for (uint64_t rest = passed; rest && !different; rest &= rest - 1)
        different = address[__builtin_ctzll(rest)] ^ address[first];
    return !different;
}

/* Returns the registers that a load writes from memory, without a base register that it writes back. */
static uint64_t loaded(const struct arm_instruction *i) {
    return i->destinations & ~(i->write_back ? UINT64_C(1) << i->rn : 0) & UNIFORM_REGISTERS;
}

/* Returns the registers written in a beat. A multiple load writes one register in each beat, and all
 * remaining ones in the last. */
static uint64_t written_in(const struct arm_instruction *i, struct uniform_flight *f, unsigned beat) {
    if (!i->is_load) return i->writes & UNIFORM_TOKENS;
    const uint64_t registers = f->loads, base = i->write_back ? UINT64_C(1) << i->rn : 0;
    uint64_t now = beat + 1 < i->access_count ? registers & ~base : registers;
    if (beat + 1 < i->access_count) now &= 0 - now;
    f->loads &= ~now;
    return now;
}

unsigned uniform_writes(const struct uniform *u, const struct uniform_warp *w,
                        const struct arm_instruction *i, uint64_t passed, const uint32_t *address,
                        const struct uniform_flight *f) {
    if (!has_srf(u) || !i->is_load || i->access_count < 2) return 1;
    return passed == w->live && (f->uniform || is_broadcast(i, passed, address)) ? i->access_count : 1;
}

#define SET_WRITE(in, warp, to, is_full, is_uniform, broadcast)                                              \
    do {                                                                                                     \
        (in)->write_warp = (warp);                                                                           \
        (in)->write_destinations = (to);                                                                     \
        (in)->write_full = (is_full);                                                                        \
        (in)->write_uniform = (is_uniform);                                                                  \
        (in)->write_broadcast = (broadcast);                                                                 \
    } while (0)

void uniform_write(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                   uint64_t passed, const uint32_t *address, struct uniform_flight *f, unsigned beat) {
    const bool full = passed == w->live && f->form != UNIFORM_COPY, uniform = f->uniform && full;
    const uint64_t to = written_in(i, f, beat);
    const uint64_t broadcast =
        full && !uniform && to && is_broadcast(i, passed, address) ? to & loaded(i) : 0;
    if (broadcast && beat + 1 >= i->access_count) ++u->count[UNIFORM_COUNT_BROADCAST_LOADS];
    u->writes = to != 0;
    f->written = to & UNIFORM_REGISTERS;
    if (has_srf(u))
        SET_WRITE(&u->rename.in, w->number, to, full, uniform, broadcast);
    else
        SET_WRITE(&u->tokens.in, w->number, to, full, uniform, broadcast);
}

void uniform_clear(struct uniform *u, unsigned warp, uniform_tokens tokens) {
    u->writes = true;
    if (has_srf(u))
        SET_WRITE(&u->rename.in, warp, tokens, false, false, 0);
    else
        SET_WRITE(&u->tokens.in, warp, tokens, false, false, 0);
}

/* Counts registers written as vectors and as scalars. */
static void count_writes(struct uniform *u, unsigned vectors, unsigned scalars, struct uniform_flight *f) {
    f->write_lines += vectors * u->registers.vector_lines + scalars * u->registers.scalar_lines;
    f->scalar_writes += has_srf(u) ? scalars : 0;
    u->count[UNIFORM_COUNT_VECTOR_WRITES] += vectors;
    u->count[UNIFORM_COUNT_SCALAR_WRITES] += scalars;
}

/* Counts a result for which no scalar register is free. The instruction then executes for every thread. A
 * load keeps its single access, and its data are written for all threads. */
static void count_refusal(struct uniform *u, struct uniform_flight *f, bool load) {
    ++u->count[UNIFORM_COUNT_SRF_HAZARDS];
    f->inserts = false;
    if (!load && f->form != UNIFORM_COPY) f->form = UNIFORM_VECTOR;
}

static void written_to_srf(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                           struct uniform_flight *f) {
    const struct srf_rename_in *in = &u->rename.in;
    const uint64_t to = in->write_destinations & UNIFORM_REGISTERS;
    const uint64_t sets = u->rename.out.mapped ? to & (in->write_uniform ? to : in->write_broadcast) : 0;
    if (u->rename.out.refused) count_refusal(u, f, i->is_load);
    f->scalars |= sets;
    count_writes(u, number_of(to & ~sets), number_of(sets), f);
    u->count[UNIFORM_COUNT_SRF_ALLOCATED] += number_of(sets & ~u->rename.valid[w->number]);
}

void uniform_written(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                     struct uniform_flight *f) {
    if (has_srf(u)) {
        if (u->writes) written_to_srf(u, w, i, f);
        return;
    }
    const bool scalar = f->form == UNIFORM_SCALAR || f->form == UNIFORM_REUSED;
    const unsigned all = number_of(f->written);
    f->scalars |= scalar ? f->written : 0;
    count_writes(u, scalar ? 0 : all, scalar ? all : 0, f);
}

bool uniform_keeps_tokens(const struct uniform *u, unsigned warp, const struct arm_instruction *i,
                          const struct uniform_flight *f) {
    return !f->uniform && !i->is_load && !(i->writes & uniform_tokens_of(u, warp));
}

void uniform_written_plainly(struct uniform *u, const struct arm_instruction *i, struct uniform_flight *f) {
    count_writes(u, number_of(i->destinations), 0, f);
}

static void count_operations(struct uniform *u, const struct arm_instruction *i, uint64_t passed,
                             const struct uniform_flight *f) {
    const unsigned operations = number_of(passed);
    const bool scalar = f->form == UNIFORM_SCALAR, reused = f->form == UNIFORM_REUSED;
    u->count[UNIFORM_COUNT_UNIFORM] += f->uniform;
    u->count[UNIFORM_COUNT_SCALAR] += scalar;
    u->count[UNIFORM_COUNT_IRB_SKIPPED] += reused;
    if (!reuse_is_alu(i) || !operations) return;
    u->count[UNIFORM_COUNT_ALU_OPERATIONS] += operations;
    u->count[UNIFORM_COUNT_ALU_EXECUTED] += reused ? 0 : scalar ? 1 : operations;
    u->count[UNIFORM_COUNT_ALU_PROTECTED] += (scalar && u->registers.lanes > 1) || reused ? operations : 0;
}

/* Returns whether there is room for a second copy of a scalar: in a second lane, or a scalar register. */
static bool keeps_twice(const struct uniform *u) {
    return u->registers.lanes > 1 || has_srf(u);
}

void uniform_executed(struct uniform *u, const struct uniform_warp *w, const struct arm_instruction *i,
                      uint64_t passed, const struct uniform_flight *f, uint64_t t) {
    struct register_liveness *liveness = &u->liveness[w->number];
    if (f->form == UNIFORM_COPY) {
        ++u->count[UNIFORM_COUNT_COPIES];
        u->count[UNIFORM_COUNT_COPIES_OF_SOURCES] += f->copies_source;
        if (keeps_twice(u))
            register_liveness_exposed(liveness, (unsigned)__builtin_ctzll(i->destinations), t);
        return;
    }
    count_operations(u, i, passed, f);
    if (!passed) return;
    register_liveness_read(liveness, i->sources & UNIFORM_REGISTERS, keeps_twice(u) ? f->tokens : 0, t,
                           &u->register_cycles);
    if (passed == w->live) register_liveness_written(liveness, i->destinations & UNIFORM_REGISTERS, t);
}

/* --- C --- */

static void insert(struct uniform *u, uint32_t pc, uint64_t s, const struct uniform_flight *f,
                   struct reuse_result r) {
    struct instruction_reuse_buffer_in *in = &u->reuse.in;
    u->count[UNIFORM_COUNT_IRB_DROPPED] += in->insert;
    if (in->insert && u->inserted_s < s) return;
    u->inserted_s = s;
    in->insert = true;
    in->insert_tag = instruction_reuse_buffer_tag(&u->reuse, pc);
    in->insert_opcode = f->operands.opcode;
    in->insert_source0 = f->operands.source[0];
    in->insert_source1 = f->operands.source[1];
    in->insert_source2 = f->operands.source[2];
    in->insert_flags = f->operands.flags;
    in->insert_result = r.value;
    in->insert_result_flags = r.flags;
}

void uniform_committed(struct uniform *u, const struct uniform_warp *w, uint32_t pc, uint64_t s,
                       const struct arm_instruction *i, const struct uniform_flight *f) {
    if (!f->inserts) return;
    insert(u, pc, s, f, reuse_result_of(i, w->threads, (unsigned)__builtin_ctzll(w->participating)));
}

void uniform_insert(struct uniform *u, uint32_t pc, uint64_t s, const struct uniform_flight *f) {
    if (f->inserts) insert(u, pc, s, f, f->result);
}

void uniform_released(struct uniform *u, unsigned warp) {
    if (!has_srf(u)) return;
    u->rename.in.release = true;
    u->rename.in.release_warp = warp;
}

/* --- the blocks --- */

bool uniform_waits(const struct uniform *u) {
    return u->tokens.in.start || u->rename.in.start || u->rename.in.release;
}

void uniform_eval(struct uniform *u) {
    if (has_srf(u))
        srf_rename_eval(&u->rename);
    else
        token_file_eval(&u->tokens);
}

void uniform_clock(struct uniform *u) {
    if (has_srf(u))
        srf_rename_clock(&u->rename);
    else
        token_file_clock(&u->tokens);
    u->writes = false;
}

void uniform_eval_reuse(struct uniform *u) {
    instruction_reuse_buffer_eval(&u->reuse);
}

void uniform_clock_reuse(struct uniform *u) {
    u->count[UNIFORM_COUNT_IRB_INSERTED] += u->reuse.in.insert;
    u->count[UNIFORM_COUNT_IRB_EVICTED] += u->reuse.in.insert && u->reuse.out.evicted;
    instruction_reuse_buffer_clock(&u->reuse);
    u->looks_up = false;
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
    const uniform_tokens tokens = uniform_tokens_of(u, w->number);
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
