/* Stack objects in TPOs: any sequence of private accesses has the same values for every n_tpo, compared with
 * a flat array for each thread; and words are at the place that machine.md §4 defines. */
#include "model/control/tpo_address.h"
#include "tests/seed.h"
#include "tests/cluster/simt_fixture.h"

enum {
    STACK_BYTES = 256,
    MOST_OPS = 60,
    MOST_WORDS = 3 * MOST_OPS + 1,
    MOST_THREADS = 672,
    RESERVE = 160 /* largest distance from SP down to r4 */
};

/* Kinds of access: from SP at an offset, from r4 (aligned), or at r4 + r5. */
enum kind {
    LDR,
    STR,
    LDRB,
    STRB,
    LDRH,
    STRH,
    LDRSB,
    LDRSH,
    LDRD,
    STRD,
    VLDR,
    VSTR, /* from SP */
    LDMIA,
    STMIA,
    LDMDB,
    STMDB,
    VLDM,
    VSTM,
    EXCLUSIVE, /* from r4 */
    LDR_AT,
    STR_AT,
    LDRB_AT,
    STRB_AT, /* byte store at r4 + r5 */
    KINDS
};
struct op {
    enum kind kind;
    unsigned rt, offset, list, count;
    bool if_equal; /* only threads with Z set */
};

struct thread {
    uint32_t r[16], s[32];
    bool z;
    uint8_t stack[STACK_BYTES];
};

static struct thread initial[MOST_THREADS], expected[MOST_THREADS];
static struct op ops[MOST_OPS];
static uint32_t text[MOST_WORDS];
static struct seed seed;
static uint64_t held_accesses, spilled_accesses;

static unsigned below(unsigned n) {
    return (unsigned)seed_below(&seed, n);
}

/* --- a random program --- */

static struct op random_op(void) {
    static const unsigned registers[] = {0, 1, 2, 3, 6, 7, 8, 9};
    struct op o = {.kind = below(KINDS), .rt = registers[below(8)], .if_equal = below(4) == 0};
    const bool small = o.kind >= LDRH && o.kind <= STRD;
    o.offset = 8 + below(STACK_BYTES - 7);
    if (small && o.offset > 255) o.offset = 255;
    if (o.kind == LDRD || o.kind == STRD) o.rt &= ~1u;
    if (o.kind >= LDRD && o.kind <= VSTR) o.offset &= ~3u;
    for (unsigned n = 0; n < 8; ++n)
        if (below(2)) o.list |= 1u << registers[n];
    if (!o.list) o.list = 1;
    o.count = 1 + below(16);
    if (o.kind == VLDR || o.kind == VSTR) o.rt = below(16);
    return o;
}

static unsigned emit(const struct op *o, uint32_t *at) {
    const uint32_t t = o->rt << 12, byte = (o->offset >> 4) << 8 | (o->offset & 15);
    const uint32_t code[KINDS] = {
        [LDR] = 0x051d0000 | t | o->offset,
        [STR] = 0x050d0000 | t | o->offset,
        [LDRB] = 0x055d0000 | t | o->offset,
        [STRB] = 0x054d0000 | t | o->offset,
        [LDRH] = 0x015d00b0 | t | byte,
        [STRH] = 0x014d00b0 | t | byte,
        [LDRSB] = 0x015d00d0 | t | byte,
        [LDRSH] = 0x015d00f0 | t | byte,
        [LDRD] = 0x014d00d0 | t | byte,
        [STRD] = 0x014d00f0 | t | byte,
        [VLDR] = 0x0d1d0b00 | t | o->offset / 4,
        [VSTR] = 0x0d0d0b00 | t | o->offset / 4,
        [LDMIA] = 0x08940000 | o->list,
        [STMIA] = 0x08840000 | o->list,
        [LDMDB] = 0x09140000 | o->list,
        [STMDB] = 0x09040000 | o->list,
        [VLDM] = 0x0c940a00 | o->count,
        [VSTM] = 0x0c840a00 | o->count,
        [EXCLUSIVE] = 0x01940f9f,
        [LDR_AT] = 0x07940005 | t,
        [STR_AT] = 0x07840005 | t,
        [LDRB_AT] = 0x07d40005 | t,
        [STRB_AT] = 0x07c40005 | t,
    };
    const uint32_t condition = o->if_equal ? 0 : 0xe0000000;
    at[0] = condition | code[o->kind];
    if (o->kind != EXCLUSIVE) return 1;
    at[1] = condition | 0x01841f92; /* strex r1, r2, [r4] */
    at[2] = condition | 0x01843f96; /* strex r3, r6, [r4]: the reservation is spent */
    return 3;
}

/* --- reference: one thread at a time, on a flat array --- */

static uint32_t load(const struct thread *x, unsigned at, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned n = 0; n < bytes; ++n) value |= (uint32_t)x->stack[at + n] << 8 * n;
    return value;
}

static void store(struct thread *x, unsigned at, unsigned bytes, uint32_t value) {
    for (unsigned n = 0; n < bytes; ++n) x->stack[at + n] = (uint8_t)(value >> 8 * n);
}

static void transfer_list(struct thread *x, const struct op *o, unsigned at, bool loads) {
    for (unsigned n = 0; n < 16; ++n) {
        if (!(o->list >> n & 1)) continue;
        if (loads)
            x->r[n] = load(x, at, 4);
        else
            store(x, at, 4, x->r[n]);
        at += 4;
    }
}

static void interpret(struct thread *x, const struct op *o, uint32_t sp) {
    const unsigned at = STACK_BYTES - o->offset, r4 = x->r[4] - (sp - STACK_BYTES);
    const unsigned words = (unsigned)__builtin_popcount(o->list);
    uint32_t *const rt = &x->r[o->rt & 15], *const s = &x->s[o->rt * 2 & 31];
    if (o->if_equal && !x->z) return;
    switch (o->kind) {
    case LDR: *rt = load(x, at, 4); break;
    case STR: store(x, at, 4, *rt); break;
    case LDRB: *rt = load(x, at, 1); break;
    case STRB: store(x, at, 1, *rt); break;
    case LDRH: *rt = load(x, at, 2); break;
    case STRH: store(x, at, 2, *rt); break;
    case LDRSB: *rt = (uint32_t)(int8_t)load(x, at, 1); break;
    case LDRSH: *rt = (uint32_t)(int16_t)load(x, at, 2); break;
    case LDRD: rt[0] = load(x, at, 4), rt[1] = load(x, at + 4, 4); break;
    case STRD: store(x, at, 4, rt[0]), store(x, at + 4, 4, rt[1]); break;
    case VLDR: s[0] = load(x, at, 4), s[1] = load(x, at + 4, 4); break;
    case VSTR: store(x, at, 4, s[0]), store(x, at + 4, 4, s[1]); break;
    case LDMIA: transfer_list(x, o, r4, true); break;
    case STMIA: transfer_list(x, o, r4, false); break;
    case LDMDB: transfer_list(x, o, r4 - 4 * words, true); break;
    case STMDB: transfer_list(x, o, r4 - 4 * words, false); break;
    case VLDM:
        for (unsigned n = 0; n < o->count; ++n) x->s[n] = load(x, r4 + 4 * n, 4);
        break;
    case VSTM:
        for (unsigned n = 0; n < o->count; ++n) store(x, r4 + 4 * n, 4, x->s[n]);
        break;
    case EXCLUSIVE:
        x->r[0] = load(x, r4, 4);
        store(x, r4, 4, x->r[2]);
        x->r[1] = 0;
        x->r[3] = 1;
        break;
    case LDR_AT: *rt = load(x, r4 + x->r[5], 4); break;
    case STR_AT: store(x, r4 + x->r[5], 4, *rt); break;
    case LDRB_AT: *rt = load(x, r4 + x->r[5], 1); break;
    default: store(x, r4 + x->r[5], 1, *rt);
    }
}

/* --- the same on the machine --- */

static uint8_t *in_memory(const struct bench *b, unsigned thread, unsigned index) {
    return b->stacks + (stack_of(b, thread) - 4 * (index + 1) - MEMORY_STACK_BASE);
}

static uint32_t *row(struct bench *b, unsigned thread, unsigned d) {
    const unsigned size = b->config.simt.warp_size;
    return &b->cluster.threads[thread / size].registers[d * size + thread % size];
}

static const uint8_t nothing[4] = {0xa5, 0x5a, 0xc3, 0x3c}; /* contents of memory if a TPO holds the word */

static struct bench *start(const struct machine_config *config, unsigned threads, unsigned words) {
    struct bench *b = bench_create();
    b->config = *config;
    b->stack_size = STACK_BYTES;
    begin(b, text, words, threads, 0);
    const unsigned held = b->cluster.threads[0].stack_objects, size = config->simt.warp_size;
    for (unsigned n = 0; n < threads; ++n) {
        struct thread *x = &initial[n];
        x->r[13] = stack_of(b, n);
        x->r[4] = x->r[13] - RESERVE + x->r[12];
        for (unsigned d = 0; d < 13; ++d) *row(b, n, d) = x->r[d];
        for (unsigned d = 0; d < 32; ++d) *row(b, n, 16 + d) = x->s[d];
        b->cluster.descriptors.warp[n / size].z[n % size] = !x->z;
        for (unsigned index = 0; index < STACK_BYTES / 4; ++index) {
            const uint8_t *word = &x->stack[STACK_BYTES - 4 * (index + 1)];
            if (index < held) memcpy(row(b, n, ARM_REGISTERS + index), word, 4);
            memcpy(in_memory(b, n, index), index < held ? nothing : word, 4);
        }
    }
    return b;
}

static void check(struct bench *b, unsigned threads) {
    const unsigned held = b->cluster.threads[0].stack_objects;
    for (unsigned n = 0; n < threads; ++n) {
        const struct thread *x = &expected[n];
        for (unsigned d = 0; d < 13; ++d)
            if (*row(b, n, d) != x->r[d]) fail_msg("r%u of thread %u, %u held", d, n, held);
        for (unsigned d = 0; d < 32; ++d)
            if (*row(b, n, 16 + d) != x->s[d]) fail_msg("s%u of thread %u, %u held", d, n, held);
        for (unsigned index = 0; index < STACK_BYTES / 4; ++index) {
            const uint8_t *word = &x->stack[STACK_BYTES - 4 * (index + 1)];
            const void *object = index < held ? (void *)row(b, n, ARM_REGISTERS + index) : NULL;
            if (memcmp(object ? object : in_memory(b, n, index), word, 4) != 0 ||
                (object && memcmp(in_memory(b, n, index), nothing, 4) != 0))
                fail_msg("word %u of thread %u, %u held", index, n, held);
        }
    }
}

static void same_work(const struct cluster *a, const struct cluster *b) {
    assert_int_equal(a->resume, b->resume);
    assert_memory_equal(a->cause, b->cause, sizeof a->cause);
    assert_memory_equal(a->tpm_wait, b->tpm_wait, sizeof a->tpm_wait);
    assert_int_equal(a->stack_held, b->stack_held);
    assert_int_equal(a->stack_spilled, b->stack_spilled);
    uint64_t sum = 0;
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) sum += a->cause[i];
    assert_int_equal(sum, a->resume - T);
}

static void run_on(const struct machine_config *config, unsigned threads, unsigned count, unsigned words) {
    struct bench *b[2];
    for (unsigned skip = 0; skip < 2; ++skip) {
        b[skip] = start(config, threads, words);
        set_exact(b[skip], !skip);
        if (skip == 0) {
            memcpy(expected, initial, sizeof expected);
            for (unsigned n = 0; n < threads; ++n)
                for (unsigned o = 0; o < count; ++o) interpret(&expected[n], &ops[o], initial[n].r[13]);
        }
        for (uint64_t t = T; b[skip]->cluster.mode == CLUSTER_SIMT && t != CLUSTER_NEVER;)
            t = cluster_simt_step(&b[skip]->cluster, t);
        if (b[skip]->error.status != EXIT_SOUND) fail_msg("%s", b[skip]->error.message);
        check(b[skip], threads);
    }
    same_work(&b[0]->cluster, &b[1]->cluster);
    held_accesses += b[0]->cluster.stack_held;
    spilled_accesses += b[0]->cluster.stack_spilled;
    assert_true(b[0]->cluster.threads[0].stack_objects > 0 || b[0]->cluster.stack_held == 0);
    bench_free(b[0]);
    bench_free(b[1]);
}

static unsigned random_program(unsigned count, bool apart) {
    unsigned words = 0;
    for (unsigned o = 0; o < count; ++o) {
        ops[o] = random_op();
        words += emit(&ops[o], &text[words]);
    }
    text[words++] = EXIT;
    const unsigned most =
        below(2) ? 2 : 16; /* Z is set in one thread of this many: some rounds have no access */
    for (unsigned n = 0; n < MOST_THREADS; ++n) {
        struct thread *x = &initial[n];
        for (unsigned d = 0; d < 16; ++d) x->r[d] = (uint32_t)seed_next(&seed);
        for (unsigned d = 0; d < 32; ++d) x->s[d] = (uint32_t)seed_next(&seed);
        for (unsigned at = 0; at < STACK_BYTES; ++at) x->stack[at] = (uint8_t)seed_next(&seed);
        x->z = below(most) == 0;
        x->r[5] = apart || n == 0 ? below(61) : initial[0].r[5];
        x->r[12] = apart ? 4 * below(16) : 0; /* r4 − (SP − RESERVE) */
    }
    return words;
}

/* n_tpo = L1D bytes / (n_act · 4): 48 (nothing is held), 51, 64, 85, 128 and more (all is). */
static void values_do_not_depend_on_n_tpo(void **state) {
    (void)state;
    static const struct {
        unsigned lanes, warp_size, threads, size, line, ports, latency, held;
    } machine[] = {
        {4, 32, 21 * 32, 32768, 64, 1, 1, 0}, {4, 32, 160, 8192, 32, 1, 1, 3},
        {4, 32, 64, 4096, 64, 2, 1, 16},      {2, 16, 96, 16384, 64, 1, 2, 37},
        {8, 32, 40, 4096, 32, 3, 1, 64},      {16, 64, 64, 8192, 64, 1, 3, 64},
        {4, 16, 12, 1024, 64, 1, 1, 16},
    };
    seed = seed_start();
    for (unsigned round = 0; round < 40; ++round) {
        const unsigned count = 1 + below(MOST_OPS), words = random_program(count, round % 2);
        for (unsigned m = 0; m < sizeof machine / sizeof machine[0]; ++m) {
            struct machine_config config;
            config_defaults(&machine_config_table, &config);
            config.cluster.lanes = machine[m].lanes;
            config.cluster.threads_per_lane = 256;
            config.simt.warp_size = machine[m].warp_size;
            config.simt.lane_map = round % 4 < 2 ? LANE_MAP_BLOCK : LANE_MAP_CYCLIC;
            config.l1d.size_bytes = machine[m].size;
            config.l1d.line_bytes = machine[m].line;
            config.tpm.read_ports = config.tpm.write_ports = machine[m].ports;
            config.tpm.latency_cycles = machine[m].latency;
            config.mem.mshrs = 2 + below(7);
            run_on(&config, machine[m].threads, count, words);
            struct bench *b = start(&config, machine[m].threads, words);
            assert_int_equal(b->cluster.threads[0].stack_objects, machine[m].held);
            bench_free(b);
        }
    }
    assert_true(held_accesses > 0 && spilled_accesses > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_do_not_depend_on_n_tpo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
