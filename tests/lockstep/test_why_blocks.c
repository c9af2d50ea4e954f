/* `lockstep why` of blocks whose Verilog is set by force to values of a run: it repeats the machine's cycles,
 * and causes are those bits which change a signal in it. The C models of the co-processor's blocks name the
 * same causes as their Verilog. LOCKSTEP_LONG=1 tries more blocks and places. */
#include "lockstep/why/block_causes.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

struct lone {
    struct lone_block *block;
    struct block_model *model;
};

static char *record(const char *machine, const char *settings, const char *program, const char *name,
                    unsigned first, unsigned last) {
    char *all = spawn_text("cluster.count=1 %s", settings);
    char *options = spawn_text("--record t.lsr --record-blocks 0,%u:%u,%s,blocks", first, last, name);
    struct spawned s = fixture_run(machine, all, options, program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(options);
    free(all);
    return fixture_path("blocks");
}

static struct block_model *new_model(void) {
    struct block_model *m = aligned_alloc(_Alignof(struct block_model), sizeof *m);
    assert_non_null(m);
    return m;
}

static struct lone open_lone(const char *machine, const char *settings, const char *program, const char *name,
                             unsigned first, unsigned last) {
    char *path = record(machine, settings, program, name, first, last),
         *folder = spawn_text("%s/rtl", spawn_source());
    struct lone l = {malloc(sizeof *l.block), new_model()};
    struct error e = {0};
    assert_non_null(l.block);
    if (!lone_block_open(l.block, path, folder, &e)) fail_msg("%s", e.message);
    block_model_open_lone(l.model, l.block);
    assert_int_equal(unlink(path), 0);
    free(folder);
    free(path);
    return l;
}

static void close_lone(struct lone *l) {
    block_model_free(l->model);
    lone_block_free(l->block);
    free(l->model);
    free(l->block);
}

/* --- the Verilog repeats the machine --- */

static void assert_values(const struct lone *l, const char *expected, enum verilog_kind kind, size_t n) {
    for (unsigned k = 0; k < l->block->twin.ports; ++k) {
        const struct twin_port *p = &l->block->twin.port[k];
        const size_t at = l->block->at[k];
        if (p->signal->kind == kind &&
            memcmp(l->block->value + at, expected + at, p->elements * p->bytes) != 0)
            fail_msg("%s: %s differs in cycle %lu", l->block->name, p->signal->name,
                     (unsigned long)l->block->cycle[n]);
    }
}

/* Outputs are those of the machine; the edge of each cycle leads to the flip-flops of the next one. The
 * cycles are visited backwards, so that nothing is left from the cycle before. */
static void assert_repeats(const char *machine, const char *settings, const char *program, const char *name,
                           unsigned first, unsigned last) {
    struct lone l = open_lone(machine, settings, program, name, first, last);
    size_t followed = 0, changed = 0;
    if (l.block->count < 100) fail_msg("%s: %lu cycles", name, (unsigned long)l.block->count);
    for (size_t n = l.block->count; n-- > 0;) {
        const char *kept = l.block->kept + n * l.block->bytes;
        lone_block_load(l.block, n);
        assert_true(lone_block_evaluate(l.block, false));
        assert_values(&l, kept, VERILOG_OUTPUT, n);
        if (n + 1 == l.block->count || !block_model_follows(l.model, n + 1)) continue;
        lone_block_load(l.block, n);
        assert_true(lone_block_evaluate(l.block, true));
        assert_values(&l, kept + l.block->bytes, VERILOG_STATE, n + 1);
        ++followed;
        changed += memcmp(kept, kept + l.block->bytes, l.block->bytes) != 0;
    }
    if (followed < 100 || changed < 10)
        fail_msg("%s: %lu cycles, %lu changes", name, (unsigned long)followed, (unsigned long)changed);
    close_lone(&l);
}

static void test_verilog_repeats(void **state) {
    (void)state;
    static const struct {
        const char *machine, *settings, *name, *program;
        unsigned first;
        bool always; /* also in the short form */
    } block[] = {
        {"gtx285-like", "", "scoreboard", "tests/hosts/vector_add", 56000, true},
        {"gtx285-like", "", "coalescer", "tests/hosts/vector_add", 56000, false},
        {"gtx285-like", "", "warp_scheduler", "benchmarks/reduction", 60000, false},
        {"gtx285-like", "", "barrier_table", "benchmarks/reduction", 60000, false},
        {"gtx285-like", "", "bank_conflict_resolver", "benchmarks/reduction", 60000, false},
        {"fermi-like", "", "scheduler1.warp_scheduler", "benchmarks/reduction", 60000, false},
        {NULL, "", "writeback_arbiter", "tests/hosts/vector_add", 4000, false},
        {NULL, "", "operand_collector", "benchmarks/reduction", 60000, false},
        {NULL, "", "tpo_address", "benchmarks/reduction", 60000, false},
        {NULL, "", "subwarp_dispatcher", "benchmarks/reduction", 60000, false},
        {NULL, "", "warp_pc_arbiter", "benchmarks/reduction", 60000, false},
        {"gtx285-like", "simt.compaction=round", "sp0.round_compactor", "benchmarks/reduction", 0, false},
        {"gtx285-like", "uniform.storage=token uniform.intra=on", "token_file", "benchmarks/reduction", 0,
         false},
        {"spatio-temporal-30x8", "", "lane_scheduler", "benchmarks/reduction", 0, false},
        {"spatio-temporal-30x8", "", "local_memory_arbiter", "benchmarks/reduction", 0, false},
        {"fermi-like", "simt.divergence=harp", "scheduler0.second_level", "benchmarks/reduction", 0, false},
        {"fermi-like", "simt.divergence=harp", "scheduler0.ready_lookup", "benchmarks/reduction", 0, false}};
    for (size_t n = 0; n < sizeof block / sizeof *block; ++n)
        if (block[n].always || getenv("LOCKSTEP_LONG"))
            assert_repeats(block[n].machine, block[n].settings, block[n].program, block[n].name,
                           block[n].first, block[n].first ? block[n].first + 3000 : 40000);
}

/* --- causes --- */

static bool has(const struct block_causes *c, const struct block_bits *b) {
    for (unsigned n = 0; n < c->count; ++n)
        if (memcmp(&c->cause[n], b, sizeof *b) == 0) return true;
    return false;
}

static bool changes(struct block_model *m, const struct block_bits *of, size_t n,
                    const struct block_bits *inverted) {
    assert_true(block_causes_force(m, of, n, NULL, 0));
    const twin_value value = block_model_get(m, of);
    return block_causes_force(m, of, n, inverted, 1) && block_model_get(m, of) != value;
}

static unsigned signal_named(const struct block_model *m, const char *name, enum verilog_kind kind) {
    for (unsigned n = 0; n < m->signals; ++n)
        if (m->signal[n].kind == kind && strcmp(m->signal[n].name, name) == 0) return n;
    fail_msg("no %s", name);
    return 0;
}

static twin_value value_of(const struct block_model *m, const char *name, enum verilog_kind kind,
                           unsigned element) {
    const unsigned n = signal_named(m, name, kind);
    return block_model_get(m,
                           &(struct block_bits){.signal = n, .element = element, .count = m->signal[n].bits});
}

/* The scoreboard of a warp: it may issue if it needs no pending register and writes no unread one. */
struct board {
    uint64_t issued, warp, writes, release, unread, needs, destinations, pending;
};

static bool is_clear(const struct board *b, unsigned warp) {
    const uint64_t pending = (b->pending | (b->issued && b->warp == warp ? b->writes : 0)) & ~b->release;
    return !(b->needs & pending) && !(b->destinations & b->unread);
}

/* The causes of a bit of clear_o are the bits that change it by the rule above. */
static void test_scoreboard_by_hand(void **state) {
    (void)state;
    struct lone l = open_lone("gtx285-like", "", "tests/hosts/vector_add", "scoreboard", 57712, 57726);
    struct block_model *m = l.model;
    static const struct {
        const char *name;
        size_t at;
        bool array, register_;
    } part[] = {{"issued", offsetof(struct board, issued), false, false},
                {"warp", offsetof(struct board, warp), false, false},
                {"writes", offsetof(struct board, writes), false, false},
                {"release", offsetof(struct board, release), true, false},
                {"unread", offsetof(struct board, unread), true, false},
                {"needs", offsetof(struct board, needs), true, false},
                {"destinations", offsetof(struct board, destinations), true, false},
                {"pending", offsetof(struct board, pending), true, true}};
    const unsigned warp = 0;
    unsigned causes = 0, blocked = 0;
    for (size_t n = 1; n < block_model_cycles(m); n += 2) {
        const struct block_bits of = {
            .signal = signal_named(m, "clear", VERILOG_OUTPUT), .first = warp, .count = 1};
        struct board b;
        struct block_causes c;
        unsigned expected = 0;
        assert_true(block_model_run(m, n, 0, BLOCK_ALONE, NULL, 0));
        for (size_t k = 0; k < sizeof part / sizeof *part; ++k) {
            const uint64_t value = (uint64_t)value_of(
                m, part[k].name, part[k].register_ ? VERILOG_STATE : VERILOG_INPUT, part[k].array ? warp : 0);
            memcpy((char *)&b + part[k].at, &value, sizeof value);
        }
        const bool clear = is_clear(&b, warp);
        assert_int_equal(block_model_get(m, &of), clear);
        blocked += !clear;
        block_causes_find(&c, m, &of, n);
        for (size_t k = 0; k < sizeof part / sizeof *part; ++k) {
            const unsigned signal =
                signal_named(m, part[k].name, part[k].register_ ? VERILOG_STATE : VERILOG_INPUT);
            for (unsigned bit = 0; bit < m->signal[signal].bits; ++bit) {
                struct board other = b;
                uint64_t value;
                memcpy(&value, (char *)&other + part[k].at, sizeof value);
                value ^= (uint64_t)1 << bit;
                memcpy((char *)&other + part[k].at, &value, sizeof value);
                const bool is_cause = is_clear(&other, warp) != clear;
                const struct block_bits inverted = {
                    .signal = signal, .element = part[k].array ? warp : 0, .first = bit, .count = 1};
                assert_int_equal(has(&c, &inverted), is_cause);
                expected += is_cause;
            }
        }
        assert_int_equal(c.count, expected);
        causes += expected;
        block_causes_free(&c);
    }
    assert_true(causes > 10 && blocked > 2);
    close_lone(&l);
}

static struct block_bits random_bits(const struct block_model *m, unsigned signal, struct seed *s) {
    const struct block_signal *own = &m->signal[signal];
    struct block_bits b = {.signal = signal, .element = seed_below(s, own->elements), .count = own->bits};
    if (seed_below(s, 2)) b.count = 1, b.first = seed_below(s, own->bits);
    return b;
}

/* Each cause, changed by force in the Verilog, changes the signal; other bits do not. */
static void test_forced(void **state) {
    (void)state;
    struct seed s = seed_start();
    struct lone l = open_lone(NULL, "", "tests/hosts/vector_add", "writeback_arbiter", 4000, 12000);
    struct block_model *m = l.model;
    unsigned places = getenv("LOCKSTEP_LONG") ? 200 : 20, explained = 0;
    const unsigned all = places;
    while (places--) {
        const unsigned signal =
            l.block->twin.inputs + seed_below(&s, (unsigned)m->signals - l.block->twin.inputs);
        const struct block_bits of = random_bits(m, signal, &s);
        const size_t n = 1 + seed_below(&s, (unsigned)block_model_cycles(m) - 1);
        struct block_causes c;
        block_causes_find(&c, m, &of, n);
        explained += c.count > 0;
        for (unsigned k = 0; k < 60; ++k) {
            struct block_bits b = random_bits(m, seed_below(&s, (unsigned)m->signals), &s);
            b.first = seed_below(&s, m->signal[b.signal].bits);
            b.count = 1;
            if (m->signal[b.signal].kind == VERILOG_OUTPUT) continue;
            assert_int_equal(changes(m, &of, n, &b), has(&c, &b));
        }
        for (unsigned k = 0; k < c.count; ++k) assert_true(changes(m, &of, n, &c.cause[k]));
        block_causes_free(&c);
    }
    assert_true(explained * 4 > all);
    close_lone(&l);
}

/* Returns the same bits among the signals of another model. */
static struct block_bits same_bits(const struct block_model *m, const struct block_bits *b,
                                   const struct block_model *other) {
    struct block_bits same = *b;
    same.signal = signal_named(other, m->signal[b->signal].name, m->signal[b->signal].kind);
    return same;
}

/* The causes that a C model of the co-processor names change the signal in its Verilog, too. The Verilog may
 * have more, since the models refuse or ignore values that cannot occur: a barrier at which all wait. */
static void assert_same_causes(struct block_model *m, unsigned block, struct block_model *verilog,
                               struct seed *s, unsigned places) {
    unsigned causes = 0;
    while (places--) {
        unsigned signal;
        do signal = seed_below(s, (unsigned)m->signals);
        while (m->signal[signal].block != block || m->signal[signal].kind == VERILOG_INPUT);
        const struct block_bits of = random_bits(m, signal, s), in_verilog = same_bits(m, &of, verilog);
        const size_t n = 1 + seed_below(s, (unsigned)block_model_cycles(m) - 1);
        const size_t own = block_model_find(verilog, block_model_cycle(m, n));
        struct block_causes a, b;
        assert_in_range(own, 0, block_model_cycles(verilog) - 1);
        if (!block_model_follows(m, n) || !block_model_follows(verilog, own)) continue;
        block_causes_find(&a, m, &of, n);
        block_causes_find(&b, verilog, &in_verilog, own);
        for (unsigned k = 0; k < a.count; ++k) {
            const struct block_bits bit = same_bits(m, &a.cause[k], verilog);
            assert_true(has(&b, &bit));
        }
        causes += a.count;
        block_causes_free(&a);
        block_causes_free(&b);
    }
    assert_true(causes > 0);
}

static void test_models_and_verilog(void **state) {
    (void)state;
    static const struct {
        unsigned block;
        const char *name;
        bool always;
    } part[] = {{BLOCK_SCHEDULER, "warp_scheduler", true},
                {BLOCK_ARBITER, "warp_pc_arbiter", false},
                {BLOCK_DISPATCHER, "subwarp_dispatcher", false},
                {BLOCK_BARRIERS, "barrier_table", false}};
    struct seed s = seed_start();
    struct block_model *m = new_model();
    struct block_history h;
    struct error e = {0};
    char *path = record(NULL, "", "tests/hosts/vector_add", "simt_coprocessor", 4800, 6000),
         *folder = spawn_text("%s/rtl", spawn_source());
    if (!block_history_read(&h, path, &e) || !block_model_open(m, &h, folder, &e)) fail_msg("%s", e.message);
    for (size_t n = 0; n < sizeof part / sizeof *part; ++n) {
        if (!part[n].always && !getenv("LOCKSTEP_LONG")) continue;
        struct lone l = open_lone(NULL, "", "tests/hosts/vector_add", part[n].name, 4800, 6000);
        assert_same_causes(m, part[n].block, l.model, &s, getenv("LOCKSTEP_LONG") ? 50 : 5);
        close_lone(&l);
    }
    block_model_free(m);
    block_history_free(&h);
    free(m);
    free(folder);
    free(path);
}

/* --- the command --- */

static void assert_answer(char *place, int status, const char *says) {
    struct spawned s = LOCKSTEP("why", place, "t.lsr", "--depth", "3");
    assert_status(&s, status);
    assert_says(status ? s.err : s.out, says);
    spawn_free(&s);
}

/* Resource 16 of the scoreboard is s0. Its writer, 0x1002c, has its result in 57,731 (test_why.c). */
static void test_command(void **state) {
    (void)state;
    struct spawned s =
        fixture_run("gtx285-like", "cluster.count=1", "--record t.lsr", "tests/hosts/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_answer(
        "scoreboard.clear_o[0]@57725", 0,
        "in cycle 57,725 cluster0.scoreboard.clear_o[0] depends on this:\n"
        "        57,718  scheduler0.scoreboard.clear_o[0] = 0: of scheduler0.scoreboard.release_i[0][16], "
        "scheduler0.scoreboard.needs_i[0][16], scheduler0.scoreboard.pending_q[0][16]\n"
        "        57,718  scheduler0.scoreboard.needs_i[0][16] = 1: registers of the warp's next instruction\n"
        "        57,731  warp 0 issues (0x10030, line 4): 0x1002c writes s0\n");
    assert_answer("scoreboard.clear_q@57725", EXIT_USER,
                  "signals of scheduler0.scoreboard are issued_i, warp_i");
    assert_answer("scheduler1.scoreboard.clear_o@57725", EXIT_USER,
                  "scheduler1.scoreboard: the unit has none");
    assert_answer("miss_registers.valid_o@57725", EXIT_USER, "it has memories");
    assert_answer("lane_scheduler.valid_o@57725", EXIT_USER, "lanes.kind temporal or spatio_temporal only");
    assert_answer("exclusive_monitor.pass_o@57725", EXIT_USER, "its cycles are requests");
    s = fixture_run(NULL, "cluster.count=1", "--record t.lsr", "tests/hosts/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_answer("writeback_arbiter.write_o@100", EXIT_USER, "blocks have values while a kernel runs");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(test_verilog_repeats), TEST(test_scoreboard_by_hand),
                                       TEST(test_forced), TEST(test_models_and_verilog), TEST(test_command)};
    return attack_run(argc, argv, tests);
}
