/* commit_execute: executes the committed instructions in the reference and compares (lockstep.h). */
#include "library/commit_parts.h"
#include "library/face.h"
#include "model/core/identity.h"

#include <stdio.h>
#include <string.h>

#define REGISTERS_MASK (((UINT64_C(1) << ARM_REGISTERS) - 1) & ~(UINT64_C(1) << 15))
#define FLAG_ROWS      (UINT64_C(15) << ROW_N)
#define OTHER_ROWS     (UINT64_C(7) << ROW_Q)
#define LIKELY(x)      __builtin_expect(!!(x), 1)

/* --- differences --- */

/* Returns the name of a register that an instruction can write. */
static const char *register_name(unsigned n) {
    static const char *const name[] = {
        "r0",  "r1",  "r2",  "r3",  "r4",  "r5",  "r6",  "r7",  "r8",  "r9",        "r10",  "r11", "r12",
        "r13", "r14", "r15", "s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",        "s7",   "s8",  "s9",
        "s10", "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19",       "s20",  "s21", "s22",
        "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31", "the flags", "FPSCR"};
    return name[n];
}

static void describe_thread(const struct lockstep_checker *c, const struct commit_unit *u, unsigned thread,
                            char *text, size_t size) {
    const unsigned n = (unsigned)(u - c->unit);
    const uint32_t *id = u->id + thread;
    char group[64] = "no work-group";
    if (u->number)
        snprintf(group, sizeof group, "work-group (%u,%u,%u)", u->group[0], u->group[1], u->group[2]);
    if (c->mimd)
        snprintf(text, size, "core %u, %s", n, group);
    else
        snprintf(text, size, "warp %u, thread %u, work-item (%u,%u,%u) of %s", n, thread, id[0],
                 id[c->threads], id[2 * c->threads], group);
}

/* Records a difference, with its text. Returns false. */
static bool differ(struct lockstep_checker *c, struct commit_unit *u, uint32_t pc, unsigned thread,
                   const char *what, uint32_t design, uint32_t reference, const char *hint) {
    const struct machine_code *code = c->launch->code;
    const struct arm_instruction *i = machine_code_at(code, pc);
    struct lockstep_difference *d = &c->difference;
    char where[160], text[80] = "no instruction";
    *d = (struct lockstep_difference){.kernel = c->launch->kernel,
                                      .file = "?",
                                      .pc = pc,
                                      .unit = (unsigned)(u - c->unit),
                                      .thread = thread,
                                      .what = what,
                                      .design = design,
                                      .reference = reference};
    if (code->line) code->line(code->line_context, pc, &d->file, &d->line);
    if (i) arm_disassemble(i->encoding, pc, text, sizeof text);
    memcpy(d->group, u->group, sizeof d->group);
    for (unsigned n = 0; n < 3 && !c->mimd; ++n) d->item[n] = u->id[n * c->threads + thread];
    describe_thread(c, u, thread, where, sizeof where);
    c->failed = true;
    return face_tell("kernel '%s' differs at %s:%u: %s\n"
                     "  0x%08x  %s\n"
                     "  %s is 0x%08x in the design, 0x%08x in the reference%s%s\n"
                     "  after %llu instructions of the %s",
                     d->kernel, d->file, d->line, where, pc, text, what, design, reference, *hint ? ": " : "",
                     hint, (unsigned long long)u->committed, c->mimd ? "core" : "warp");
}

static bool program_fault(struct lockstep_checker *c, struct commit_unit *u, uint32_t pc,
                          const struct arm_execution *x) {
    static const char *const why[ARM_FAULT_COUNT] = {
        [ARM_FAULT_UNMAPPED] = "accesses an address outside every buffer",
        [ARM_FAULT_READ_ONLY] = "stores to memory that it may only read",
        [ARM_FAULT_MISALIGNED] = "accesses an address that is not aligned",
        [ARM_FAULT_FOREIGN_STACK] = "accesses another thread's stack",
        [ARM_FAULT_TARGET] = "branches to an address that is no multiple of 4",
        [ARM_FAULT_SHORT_VECTOR] = "calculates with short vectors",
        [ARM_FAULT_SUPERVISOR_CALL] = "calls a supervisor",
        [ARM_FAULT_UNDEFINED] = "is undefined",
    };
    const unsigned thread = x->fault_position;
    differ(c, u, pc, thread, "the address", x->fault_address, x->fault_address, "");
    const struct lockstep_difference *d = &c->difference;
    char where[160];
    describe_thread(c, u, thread, where, sizeof where);
    return face_tell(
        "kernel '%s' at %s:%u: %s: the instruction at 0x%08x %s (0x%08x): a mistake of the program",
        d->kernel, d->file, d->line, where, pc, why[x->fault] ? why[x->fault] : "fails", x->fault_address);
}

/* --- comparisons --- */

/* Executes the body for each thread k. Rows of 32 are a loop that the compiler vectorises. */
#define EACH_THREAD(threads, ...)                                                                            \
    do {                                                                                                     \
        if (LIKELY((threads) % 32 == 0))                                                                     \
            for (unsigned first_ = 0; first_ < (threads); first_ += 32)                                      \
                for (unsigned k_ = 0; k_ < 32; ++k_) {                                                       \
                    const unsigned k = first_ + k_;                                                          \
                    __VA_ARGS__;                                                                             \
                }                                                                                            \
        else                                                                                                 \
            for (unsigned k = 0; k < (threads); ++k) {                                                       \
                __VA_ARGS__;                                                                                 \
            }                                                                                                \
    } while (0)

/* A mask as a row of words: 0 or ~0 for each thread. */
struct lanes {
    uint32_t is[ARM_MAX_POSITIONS];
};

static inline void spread(uint64_t mask, unsigned threads, struct lanes *l) {
    if (LIKELY(threads % 32 == 0))
        for (unsigned first = 0; first < threads; first += 32) {
            const uint32_t part = (uint32_t)(mask >> first);
            for (unsigned k = 0; k < 32; ++k) l->is[first + k] = 0u - (part >> k & 1);
        }
    else
        for (unsigned k = 0; k < threads; ++k) l->is[k] = 0u - (uint32_t)(mask >> k & 1);
}

/* Returns the threads whose words differ. */
static inline uint64_t unequal(const uint32_t *a, const uint32_t *b, const struct lanes *l,
                               unsigned threads) {
    uint32_t differs = 0;
    uint64_t found = 0;
    EACH_THREAD(threads, differs |= (a[k] ^ b[k]) & l->is[k]);
    if (LIKELY(!differs)) return 0;
    for (unsigned k = 0; k < threads; ++k) found |= (uint64_t)(((a[k] ^ b[k]) & l->is[k]) != 0) << k;
    return found;
}

/* Returns the threads whose word is not `value`. */
static inline uint64_t other_than(const uint32_t *a, uint32_t value, const struct lanes *l,
                                  unsigned threads) {
    uint32_t differs = 0;
    uint64_t found = 0;
    EACH_THREAD(threads, differs |= (a[k] ^ value) & l->is[k]);
    if (LIKELY(!differs)) return 0;
    for (unsigned k = 0; k < threads; ++k) found |= (uint64_t)(((a[k] ^ value) & l->is[k]) != 0) << k;
    return found;
}

/* Returns the row of a register in the reference. Flags are copied to `flags`. */
static const uint32_t *reference_row(const struct commit_unit *u, unsigned number, uint32_t *flags) {
    if (number == LOCKSTEP_FPSCR) return commit_row(u, ROW_FPSCR);
    if (number != LOCKSTEP_NZCV) return commit_row(u, number);
    const uint32_t *n = commit_row(u, ROW_N), *z = commit_row(u, ROW_Z), *c = commit_row(u, ROW_C),
                   *v = commit_row(u, ROW_V);
    EACH_THREAD(u->threads.positions, flags[k] = (n[k] & 1u << 31) | (z[k] ? 0 : 1u << 30) |
                                                 (c[k] & 1u << 29) | (v[k] >> 31) << 28);
    return flags;
}

static bool compare_values(struct lockstep_checker *c, struct commit_unit *u,
                           const struct lockstep_committed *d, uint32_t pc, const struct lanes *passed) {
    uint32_t flags[ARM_MAX_POSITIONS];
    const uint32_t *values = d->values;
    for (uint64_t rest = d->destinations; rest; rest &= rest - 1, values += c->threads) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        const uint32_t *row = reference_row(u, n, flags);
        const uint64_t differs = unequal(values, row, passed, c->threads);
        if (LIKELY(!differs)) continue;
        const unsigned k = (unsigned)__builtin_ctzll(differs);
        return differ(c, u, pc, k, register_name(n), values[k], row[k], "");
    }
    return true;
}

/* Checks that the design reports the same written registers as the instruction has. */
static bool compare_destinations(struct lockstep_checker *c, struct commit_unit *u,
                                 const struct lockstep_committed *d, const struct arm_instruction *i,
                                 uint64_t passed) {
    const uint64_t all = (UINT64_C(1) << ARM_REGISTERS) - 1, must = i->destinations & REGISTERS_MASK;
    const uint64_t told = d->destinations & all;
    if (LIKELY(told == must) || !passed) return true;
    const unsigned n = (unsigned)__builtin_ctzll(told ^ must), k = (unsigned)__builtin_ctzll(passed);
    char hint[80];
    snprintf(hint, sizeof hint,
             told >> n & 1 ? "the instruction does not write %s" : "the design has not written %s",
             register_name(n));
    return differ(c, u, d->pc, k, "a destination", (uint32_t)(told >> n & 1), (uint32_t)(must >> n & 1),
                  hint);
}

static void note_stray(struct lockstep_checker *c, const struct lockstep_committed *d, uint64_t passed,
                       unsigned bytes) {
    c->strayed = passed;
    c->stray_bytes = bytes;
    memcpy(c->stray, d->addresses, c->threads * sizeof *d->addresses);
}

/* Returns whether a thread with a higher number stores to the same place. */
static bool is_overwritten(const struct arm_execution *x, unsigned k, unsigned bytes) {
    for (uint64_t rest = x->stored & ~UINT64_C(0) << k & ~(UINT64_C(1) << k); rest; rest &= rest - 1)
        if (x->address[__builtin_ctzll(rest)] - x->address[k] + bytes - 1 < 2 * bytes - 1) return true;
    return false;
}

/* Compares memory with the data that the design has stored. */
static bool compare_data(struct lockstep_checker *c, struct commit_unit *u,
                         const struct lockstep_committed *d, const struct arm_execution *x, unsigned k,
                         unsigned bytes) {
    const uint8_t *host = commit_at(u, x->address[k], bytes);
    for (unsigned at = 0; at < bytes; at += 4) {
        const unsigned size = bytes - at < 4 ? bytes - at : 4;
        uint32_t word = 0, told = d->data[at / 4 * c->threads + k];
        memcpy(&word, host + at, size);
        if (size < 4) told &= (1u << 8 * size) - 1;
        if (told != word && !is_overwritten(x, k, bytes))
            return differ(c, u, d->pc, k, "the data", told, word, "");
    }
    return true;
}

static bool compare_access(struct lockstep_checker *c, struct commit_unit *u,
                           const struct lockstep_committed *d, const struct arm_instruction *i,
                           const struct arm_execution *x, const struct lanes *passed) {
    const uint64_t differs = d->addresses ? unequal(d->addresses, x->address, passed, c->threads) : 0;
    if (differs) {
        const unsigned k = (unsigned)__builtin_ctzll(differs);
        if (i->is_store) note_stray(c, d, x->passed, i->access_bytes);
        return differ(c, u, d->pc, k, "the address", d->addresses[k], x->address[k], "");
    }
    if (!d->data || !i->is_store) return true;
    uint64_t rest = x->stored;
    const uint8_t *base = i->access_bytes == 4 ? commit_all_at(u, x->address, rest, 4) : NULL;
    for (uint64_t all = base ? rest : 0; all; all &= all - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(all);
        uint32_t word;
        memcpy(&word, base + x->address[k], 4);
        if (LIKELY(word == d->data[k])) rest &= ~(all & -all);
    }
    for (; rest; rest &= rest - 1)
        if (!compare_data(c, u, d, x, (unsigned)__builtin_ctzll(rest), i->access_bytes)) return false;
    return true;
}

/* --- the co-processor --- */

/* Returns whether only the design knows the value of an operation: its place in the machine, its cycles. */
static bool is_designs(struct coprocessor_decoded op) {
    return op.operation == COPROCESSOR_CYCLES || op.operation == COPROCESSOR_GROUPS_IN_FLIGHT ||
           op.operation == COPROCESSOR_NEXT_GROUP ||
           (op.operation == COPROCESSOR_CONSTANT && op.index != 3 && op.index < 6);
}

/* Copies values of the design into the reference. */
static bool take_values(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                        uint64_t passed) {
    const uint32_t *values = d->values;
    for (uint64_t rest = d->destinations; rest; rest &= rest - 1, values += c->threads) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        for (uint64_t threads = passed; threads; threads &= threads - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(threads);
            if (n == LOCKSTEP_NZCV)
                arm_set_apsr(&u->threads, k,
                             (arm_get_apsr(&u->threads, k) & 0x0fffffffu) | (values[k] & 0xf0000000u));
            else
                commit_row(u, n == LOCKSTEP_FPSCR ? ROW_FPSCR : n)[k] = values[k];
        }
    }
    return true;
}

/* Ends a core's work-group and starts the next one, since the core has requested it. */
static bool take_group(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                       struct commit_record *r, uint32_t answer) {
    const bool none = answer == UINT32_MAX;
    if (!none && answer >= c->group_count)
        return differ(c, u, d->pc, 0, "the work-group", answer, (uint32_t)c->group_count - 1,
                      "there is none of this number");
    if (!none && commit_bit(c->begun, answer))
        return differ(c, u, d->pc, 0, "the work-group", answer, answer, "it has been taken before");
    for (uint64_t n = 0; none && n < c->group_count; ++n)
        if (!commit_bit(c->begun, n))
            return differ(c, u, d->pc, 0, "the work-group", answer, (uint32_t)n, "it has not been taken yet");
    if (u->number) {
        r->done = (uint32_t)c->group_items;
        c->items_left -= c->group_items;
    }
    u->number = none ? 0 : (uint64_t)answer + 1;
    if (none) return true;
    commit_set_bit(c->begun, answer, true);
    r->taken = (uint64_t)answer + 1;
    commit_group_ids(c, answer, u->group);
    return true;
}

static void end_threads(struct lockstep_checker *c, struct commit_unit *u, struct commit_record *r,
                        uint64_t ended) {
    u->live &= ~ended;
    r->ended = ended;
    if (c->mimd) return;
    r->done = (uint32_t)__builtin_popcountll(ended);
    c->items_left -= r->done;
    u->local->left -= r->done;
    if (!u->local->left) u->local->group = 0;
}

static bool coprocessor(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                        const struct arm_instruction *i, const struct arm_execution *x,
                        struct commit_record *r) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const uint64_t passed = x->passed;
    if (!passed) return true;
    if (c->mimd ? coprocessor_simt_only(op.operation) : coprocessor_mimd_only(op.operation))
        return program_fault(c, u, d->pc,
                             &(struct arm_execution){.fault = ARM_FAULT_UNDEFINED, .fault_address = d->pc});
    if (op.operation == COPROCESSOR_EXIT) end_threads(c, u, r, passed);
    if (!i->coprocessor_reads) return true;
    if (op.operation == COPROCESSOR_LAUNCH_BLOCK) {
        commit_row(u, i->rd)[0] = MEMORY_LAUNCH_BASE;
        return true;
    }
    if (!is_designs(op)) {
        const struct identity identity = commit_identity(c, u);
        identity_read(&identity, i, &u->threads, passed, 0);
        return true;
    }
    if (d->instructions > 1)
        return face_tell("the instruction at 0x%08x reads what only the design knows: it cannot be squashed",
                         (unsigned)r->pc);
    take_values(c, u, d, passed);
    return op.operation != COPROCESSOR_NEXT_GROUP || take_group(c, u, d, r, commit_row(u, i->rd)[0]);
}

/* --- execution --- */

static uint64_t changed_rows(const struct commit_unit *u, const struct arm_instruction *i) {
    uint64_t rows = i->destinations & REGISTERS_MASK;
    if (i->writes & ARM_STATE_NZCV) rows |= FLAG_ROWS;
    if (i->writes & ARM_STATE_OTHER) rows |= FLAG_ROWS | OTHER_ROWS;
    if (i->writes & (ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES) ||
        (u->threads.cumulative_flags && i->reads & ARM_STATE_FPSCR_MODES))
        rows |= UINT64_C(1) << ROW_FPSCR;
    return rows;
}

/* Checks an exclusive store. It may fail on any design; it may succeed only if memory holds the value that
 * the thread has loaded. */
static bool exclusive_store(struct lockstep_checker *c, struct commit_unit *u,
                            const struct lockstep_committed *d, struct arm_instruction *i, uint64_t mask,
                            struct arm_execution *x) {
    uint64_t fails = 0;
    const bool told = d->destinations >> i->rd & 1 && d->values;
    const unsigned before = (unsigned)__builtin_popcountll(d->destinations & ((UINT64_C(1) << i->rd) - 1));
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (told && d->values[(size_t)before * c->threads + k]) {
            fails |= UINT64_C(1) << k;
            continue;
        }
        const uint8_t *host = commit_at(u, x->address[k], i->access_bytes);
        uint64_t value = 0;
        if (host) memcpy(&value, host, i->access_bytes);
        if (host && (!u->reserved[k].valid || u->reserved[k].address != x->address[k]))
            return differ(c, u, d->pc, k, "the exclusive store", 0, 1,
                          "the thread has not loaded exclusively from there");
        if (host && u->reserved[k].value != value)
            return differ(c, u, d->pc, k, "the exclusive store", 0, 1,
                          "memory has changed since the exclusive load");
    }
    const uint64_t passed = x->passed;
    if (mask & ~fails) arm_execute(i, &u->threads, mask & ~fails, x);
    if (x->fault != ARM_FAULT_NONE) return true;
    x->passed = passed;
    if (!(mask & ~fails)) x->stored = 0;
    for (uint64_t rest = fails; rest; rest &= rest - 1) commit_row(u, i->rd)[__builtin_ctzll(rest)] = 1;
    for (uint64_t rest = passed; rest; rest &= rest - 1) u->reserved[__builtin_ctzll(rest)].valid = false;
    return true;
}

static void reserve(struct commit_unit *u, const struct arm_instruction *i, const struct arm_execution *x) {
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint8_t *host = commit_at(u, x->address[k], i->access_bytes);
        u->reserved[k].address = x->address[k];
        u->reserved[k].value = 0;
        if (host) memcpy(&u->reserved[k].value, host, i->access_bytes);
        u->reserved[k].valid = host != NULL;
    }
}

static void advance(struct commit_unit *u, const struct arm_instruction *i, const struct lanes *mask,
                    uint64_t passed) {
    uint32_t *at = commit_row(u, ROW_PC);
    const uint32_t *next = commit_row(u, ROW_NEXT_PC);
    struct lanes branched;
    EACH_THREAD(u->threads.positions, at[k] += mask->is[k] & 4);
    if (!i->writes_pc) return;
    spread(passed, u->threads.positions, &branched);
    EACH_THREAD(u->threads.positions, at[k] ^= (at[k] ^ next[k]) & branched.is[k]);
}

/* Executes the instruction at pc for the threads of the mask, and records the state that it changes. Returns
 * false if that is not possible. */
static bool execute(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                    struct arm_instruction *i, uint64_t mask, const struct lanes *lanes,
                    struct arm_execution *x) {
    if (c->mimd && i->pc == u->crossing) {
        u->in_kernel = !u->in_kernel;
        u->crossing = u->in_kernel ? commit_row(u, 14)[0] : c->launch->twin;
    }
    struct commit_record *r = commit_keep(u, i->pc, mask, changed_rows(u, i));
    if (i->is_store) {
        u->threads.memory = c->nothing;
        arm_execute(i, &u->threads, mask, x);
        u->threads.memory = u->memory;
        r->passed = x->passed;
        if (x->passed) commit_keep_memory(u, r, x->address, i->access_bytes);
    }
    if (arm_stores_exclusively(i)) {
        x->fault = ARM_FAULT_NONE;
        if (x->passed && !exclusive_store(c, u, d, i, mask, x)) return false;
    } else {
        arm_execute(i, &u->threads, mask, x);
    }
    r->passed = x->passed;
    if (x->passed && x->fault != ARM_FAULT_NONE) return program_fault(c, u, i->pc, x);
    if (i->is_load && !i->is_access && arm_is_exclusive(i)) reserve(u, i, x);
    if (i->is_coprocessor && !coprocessor(c, u, d, i, x, r)) return false;
    advance(u, i, lanes, x->passed);
    if (i->is_wait && x->passed && c->mimd && !u->in_kernel) end_threads(c, u, r, mask);
    return true;
}

/* --- commits --- */

static bool commit_one(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                       const struct lanes *lanes) {
    struct arm_instruction *i = machine_code_at(c->launch->code, d->pc);
    struct arm_execution x;
    if (!i)
        return differ(c, u, d->pc, (unsigned)__builtin_ctzll(d->mask), "the PC", d->pc, 0,
                      "no code is there");
    if (!execute(c, u, d, i, d->mask, lanes, &x)) return false;
    if (d->passed != x.passed) {
        const unsigned k = (unsigned)__builtin_ctzll(d->passed ^ x.passed);
        return differ(c, u, d->pc, k, "the condition", d->passed >> k & 1, x.passed >> k & 1, "");
    }
    struct lanes conditional;
    if (x.passed != d->mask) {
        spread(x.passed, c->threads, &conditional);
        lanes = &conditional;
    }
    if ((d->addresses || d->data) && i->access_bytes && x.passed && !compare_access(c, u, d, i, &x, lanes))
        return false;
    if (d->kind == LOCKSTEP_LOADED) {
        if (!i->is_load)
            return face_tell("the instruction at 0x%08x does not load: its kind is EXECUTED", d->pc);
        return take_values(c, u, d, x.passed);
    }
    return compare_destinations(c, u, d, i, x.passed) &&
           (!d->destinations || compare_values(c, u, d, d->pc, lanes));
}

/* Commits several instructions at once, for which only the final values are known. */
static bool commit_squashed(struct lockstep_checker *c, struct commit_unit *u,
                            const struct lockstep_committed *d, const struct lanes *lanes) {
    const unsigned first = (unsigned)__builtin_ctzll(d->mask);
    uint32_t pc = d->pc;
    for (uint32_t n = 0; n < d->instructions; ++n) {
        struct arm_instruction *i = machine_code_at(c->launch->code, pc);
        struct arm_execution x;
        if (!i) return differ(c, u, pc, first, "the PC", pc, 0, "no code is there");
        if (!execute(c, u, d, i, d->mask, lanes, &x)) return false;
        if (n + 1 == d->instructions) break;
        pc = commit_row(u, ROW_PC)[first];
        const uint64_t parted =
            other_than(commit_row(u, ROW_PC), pc, lanes, c->threads) | (d->mask & ~u->live);
        if (parted)
            return face_tell("the threads of the mask part after the instruction at 0x%08x: "
                             "squash the instructions up to there only",
                             i->pc);
        c->commits++;
    }
    return !d->destinations || compare_values(c, u, d, pc, lanes);
}

static bool commit_skipped(struct lockstep_checker *c, struct commit_unit *u,
                           const struct lockstep_committed *d, const struct lanes *lanes) {
    struct arm_instruction *i = machine_code_at(c->launch->code, d->pc);
    uint64_t rows = d->destinations & REGISTERS_MASK;
    if (!i || i->writes_pc || i->is_wait)
        return face_tell("the instruction at 0x%08x cannot be skipped: it may branch or end the thread",
                         d->pc);
    if (d->destinations >> LOCKSTEP_NZCV & 1) rows |= FLAG_ROWS;
    if (d->destinations >> LOCKSTEP_FPSCR & 1) rows |= UINT64_C(1) << ROW_FPSCR;
    commit_keep(u, d->pc, d->mask, rows);
    take_values(c, u, d, d->passed);
    advance(u, i, lanes, 0);
    return true;
}

static bool is_told_well(const struct lockstep_checker *c, const struct lockstep_committed *d) {
    const uint64_t known = REGISTERS_MASK | UINT64_C(1) << LOCKSTEP_NZCV | UINT64_C(1) << LOCKSTEP_FPSCR;
    if (d->unit >= c->units) return face_tell("there is no unit %u: the design has %u", d->unit, c->units);
    if (!d->mask || d->mask & ~commit_all(c) || d->passed & ~d->mask)
        return face_tell("mask 0x%llx and passed 0x%llx do not fit %u threads", (unsigned long long)d->mask,
                         (unsigned long long)d->passed, c->threads);
    if (d->destinations & ~known)
        return face_tell("destinations 0x%llx have bits that are no register",
                         (unsigned long long)d->destinations);
    if (d->destinations && !d->values) return face_tell("there are destinations but no values");
    return d->kind <= LOCKSTEP_SKIPPED || face_tell("there is no kind %u of commits", d->kind);
}

/* Returns whether the threads are at the PC that the design reports. */
static bool is_there(struct lockstep_checker *c, struct commit_unit *u, const struct lockstep_committed *d,
                     const struct lanes *lanes) {
    const uint64_t ended = d->mask & ~u->live;
    if (ended)
        return differ(c, u, d->pc, (unsigned)__builtin_ctzll(ended), "the PC", d->pc, 1,
                      "the thread has ended, or has not begun");
    const uint64_t elsewhere = other_than(commit_row(u, ROW_PC), d->pc, lanes, c->threads);
    if (LIKELY(!elsewhere)) return true;
    const unsigned k = (unsigned)__builtin_ctzll(elsewhere);
    return differ(c, u, d->pc, k, "the PC", d->pc, commit_row(u, ROW_PC)[k], "");
}

bool lockstep_commit(struct lockstep_checker *c, const struct lockstep_committed *committed, size_t count) {
    if (!commit_is_open(c)) return false;
    if (count && !committed) return face_tell("the commits are NULL");
    for (const struct lockstep_committed *d = committed; d < committed + count; ++d) {
        if (c->failed) return false;
        if (!is_told_well(c, d)) return false;
        struct commit_unit *u = &c->unit[d->unit];
        struct lanes lanes;
        spread(d->mask, c->threads, &lanes);
        if (!is_there(c, u, d, &lanes)) return false;
        const bool same = LIKELY(d->instructions <= 1 && d->kind != LOCKSTEP_SKIPPED)
                              ? commit_one(c, u, d, &lanes)
                          : d->kind == LOCKSTEP_SKIPPED ? commit_skipped(c, u, d, &lanes)
                                                        : commit_squashed(c, u, d, &lanes);
        if (!same) return false;
        c->commits++;
    }
    return true;
}
