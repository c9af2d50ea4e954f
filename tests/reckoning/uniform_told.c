#include "tests/reckoning/uniform_told.h"

#include "model/arm/coprocessor.h"

#define REGISTERS (((UINT64_C(1) << ARM_REGISTERS) - 1) & ~(UINT64_C(1) << 15))
#define TOKENS    (REGISTERS | ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES)
#define NEVER_SET (UINT64_C(1) << 15) /* a resource that never has a token */

static bool is_identity_of_a_thread(enum coprocessor_operation o, unsigned index) {
    return o == COPROCESSOR_LOCAL_ID || o == COPROCESSOR_GLOBAL_ID ||
           (o == COPROCESSOR_CONSTANT && index == 0);
}

/* Returns the state that must have tokens for the instruction to be uniform. */
static uint64_t sources_of(const struct arm_instruction *i) {
    if (!i->is_coprocessor) return (i->reads & TOKENS) | (i->reads & ~TOKENS ? NEVER_SET : 0);
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const bool own = is_identity_of_a_thread(op.operation, op.index) ||
                     op.operation == COPROCESSOR_UNDEFINED || coprocessor_mimd_only(op.operation) ||
                     (i->sources | i->destinations) & ~REGISTERS;
    return own ? NEVER_SET : 0;
}

static bool fails(const struct arm_instruction *i, uint64_t live, const struct arm_threads *threads) {
    const uint32_t apsr = live ? arm_get_apsr(threads, (unsigned)__builtin_ctzll(live)) : 0;
    return i->condition != 14 && !arm_condition_holds(i->condition, apsr);
}

void uniform_told_read(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, bool full,
                       uint64_t live, const struct arm_threads *threads) {
    uint64_t rows = i->sources & REGISTERS;
    u->read_warp = warp;
    u->sources = sources_of(i);
    u->destinations = i->destinations & REGISTERS;
    u->full = full;
    u->conditional = i->condition != 14;
    u->fails = fails(i, live, threads);
    for (unsigned n = 0; n < 3; ++n, rows &= rows - 1) u->row[n] = rows ? (unsigned)__builtin_ctzll(rows) : 0;
}

uint64_t uniform_told_results(const struct arm_instruction *i) {
    return i->writes & TOKENS;
}

uint64_t uniform_told_loads(const struct arm_instruction *i) {
    const uint64_t base = i->write_back ? UINT64_C(1) << i->rn : 0;
    return i->is_load ? i->destinations & REGISTERS & ~base : 0;
}

/* Returns whether all threads load from one place, not exclusively. */
static bool is_broadcast(const struct arm_instruction *i, const struct arm_execution *x) {
    if (!i->is_load || arm_is_exclusive(i)) return false;
    for (uint64_t rest = x->passed; rest; rest &= rest - 1)
        if (x->address[__builtin_ctzll(rest)] != x->address[__builtin_ctzll(x->passed)]) return false;
    return true;
}

void uniform_told_write(struct uniform_told *u, const struct arm_instruction *i, unsigned warp, uint64_t to,
                        bool full, bool uniform, const struct arm_execution *x) {
    u->write_warp = warp;
    u->to = to;
    u->write_full = full;
    u->write_uniform = full && uniform;
    u->broadcast = full && !uniform && to && is_broadcast(i, x) ? to & uniform_told_loads(i) : 0;
}

struct reuse_told uniform_told_operands(const struct uniform *u, const struct arm_instruction *i, uint32_t pc,
                                        bool uniform, uint64_t live, const struct arm_threads *threads) {
    struct reuse_told told = {.pc = pc};
    if (!u->config->uniform.inter || !uniform || !live || fails(i, live, threads)) return told;
    told.is = reuse_operands_of(i, threads, (unsigned)__builtin_ctzll(live), &told.operands);
    return told;
}

#define SAME(input, is) reckon(p, "tokens: " #input, t, in->input, is)
#define COMPARE(in, said)                                                                                    \
    SAME(start, (said)->starts);                                                                             \
    SAME(start_warps, (said)->start_warps);                                                                  \
    SAME(read_warp, (said)->read_warp);                                                                      \
    SAME(read_sources, (said)->sources);                                                                     \
    SAME(read_destinations, (said)->destinations);                                                           \
    SAME(read_full, (said)->full);                                                                           \
    SAME(read_conditional, (said)->conditional);                                                             \
    SAME(read_fails, (said)->fails);                                                                         \
    SAME(write_destinations, (said)->to);                                                                    \
    if ((said)->to) {                                                                                        \
        SAME(write_warp, (said)->write_warp);                                                                \
        SAME(write_full, (said)->write_full);                                                                \
        SAME(write_uniform, (said)->write_uniform);                                                          \
        SAME(write_broadcast, (said)->broadcast);                                                            \
    }

void uniform_told_compare(struct reckoning_place *p, const struct uniform *u, const struct uniform_told *said,
                          uint64_t t) {
    if (u->config->uniform.storage == UNIFORM_SRF) {
        const struct srf_rename_in *in = &u->rename.in;
        COMPARE(in, said)
        SAME(read_row0, said->row[0]);
        SAME(read_row1, said->row[1]);
        SAME(read_row2, said->row[2]);
        SAME(release, said->release);
        if (said->release) SAME(release_warp, said->release_warp);
    } else {
        const struct token_file_in *in = &u->tokens.in;
        COMPARE(in, said)
    }
}

#undef SAME
#define SAME(input, is) reckon(p, "reuse buffer: " #input, t, in->input, is)

void uniform_told_compare_reuse(struct reckoning_place *p, const struct uniform *u,
                                const struct reuse_told *lookup, const struct reuse_told *insert,
                                uint64_t t) {
    const struct instruction_reuse_buffer_in *in = &u->reuse.in;
    const uint32_t tags = (1u << u->config->uniform.irb_tag_bits) - 1;
    SAME(lookup, lookup->is);
    if (lookup->is) {
        SAME(lookup_tag, lookup->pc >> 2 & tags);
        SAME(lookup_opcode, lookup->operands.opcode);
        SAME(lookup_source0, lookup->operands.source[0]);
        SAME(lookup_source1, lookup->operands.source[1]);
        SAME(lookup_source2, lookup->operands.source[2]);
        SAME(lookup_flags, lookup->operands.flags);
    }
    SAME(insert, insert->is);
    if (!insert->is) return;
    SAME(insert_tag, insert->pc >> 2 & tags);
    SAME(insert_opcode, insert->operands.opcode);
    SAME(insert_source0, insert->operands.source[0]);
    SAME(insert_source1, insert->operands.source[1]);
    SAME(insert_source2, insert->operands.source[2]);
    SAME(insert_flags, insert->operands.flags);
    SAME(insert_result, insert->result.value);
    SAME(insert_result_flags, insert->result.flags);
}
