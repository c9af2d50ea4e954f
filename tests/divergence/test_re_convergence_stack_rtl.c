/* re_convergence_stack: the Verilog beside the C model, with random inputs such as programs give, at several
 * sizes; and changes of the Verilog are seen. LOCKSTEP_LONG=1: 10 million cycles of each size. */
#include "generated/re_convergence_stack_ports.h"
#include "model/divergence/re_convergence_stack.h"
#include "tb/twin.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_WARPS   64
#define MOST_ENTRIES 256

/* --- the model with the ports of the Verilog --- */

static struct bench {
    struct re_convergence_stack stack;
    struct re_convergence_stack_in in;
    struct re_convergence_stack_out out;
    struct re_convergence_stack_state q;
    uint32_t depth[MOST_WARPS];
    struct re_convergence_stack_row {
        uint64_t mask[MOST_ENTRIES];
        uint32_t pc[MOST_ENTRIES], rpc[MOST_ENTRIES];
        uint8_t call[MOST_ENTRIES];
    } row[MOST_WARPS];
    uint64_t written;
} bench;

#define SIGNAL(kind, part, name, type, array) {#name, kind, offsetof(struct part, name), sizeof(type), array},
static const struct twin_signal signals[] = {RE_CONVERGENCE_STACK_SIGNALS(SIGNAL)};
static const struct twin_block block = {
    .slot = CLUSTER_BLOCK_COUNT,
    .name = "re_convergence_stack",
    .module = "re_convergence_stack",
    .signal = signals,
    .count = sizeof signals / sizeof signals[0],
};

static unsigned calls_of(unsigned warp) {
    return bench.stack.warp[warp].calls;
}

static void evaluate(void) {
    const struct re_convergence_stack *s = &bench.stack;
    const struct re_convergence_stack_in *in = &bench.in;
    struct re_convergence_stack copy = *s;
    struct re_convergence_entry below[MOST_ENTRIES];
    struct re_convergence_warp warp = s->warp[in->commit_warp];
    memcpy(below, s->below + (size_t)in->commit_warp * (2 * s->cfg.warp_size + s->cfg.calls),
           (2 * s->cfg.warp_size + s->cfg.calls) * sizeof *below);
    copy.warp = &warp;
    copy.below = below;
    bench.out = (struct re_convergence_stack_out){
        .pc = re_convergence_stack_pc(s, in->read_warp),
        .mask = re_convergence_stack_mask(s, in->read_warp),
        .empty = !re_convergence_stack_depth(s, in->read_warp),
        .overflow = in->commit && !in->move &&
                    calls_of(in->commit_warp) + (in->first_mask && in->first_call) +
                            (in->second_mask && in->second_call) >
                        s->cfg.calls,
        .moves = in->commit && in->move && re_convergence_stack_move(&copy, 0, in->ready_mask),
    };
}

static void commit(void) {
    struct re_convergence_stack *s = &bench.stack;
    const struct re_convergence_stack_in *in = &bench.in;
    const unsigned w = in->commit_warp;
    const struct re_convergence_group groups[] = {{in->first_mask, in->first_pc, in->first_call},
                                                  {in->second_mask, in->second_pc, in->second_call}};
    if (in->move) {
        re_convergence_stack_move(s, w, in->ready_mask);
        return;
    }
    if (in->exit_mask) re_convergence_stack_exit(s, w, in->exit_mask);
    if (in->more)
        re_convergence_stack_more(s, w, groups[0]);
    else if (in->second_mask)
        assert_true(re_convergence_stack_part(s, w, groups, in->meeting));
    else if (in->first_mask && in->first_call)
        assert_true(re_convergence_stack_call(s, w, in->first_pc, in->meeting));
    else if (in->first_mask)
        re_convergence_stack_jump(s, w, in->first_pc);
}

static void write_row(unsigned w) {
    struct re_convergence_stack_row *r = &bench.row[w];
    memset(r, 0, sizeof *r);
    bench.depth[w] = re_convergence_stack_depth(&bench.stack, w);
    for (unsigned n = 0; n < bench.depth[w]; ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(&bench.stack, w, n);
        r->mask[n] = (uint64_t)e.mask;
        r->pc[n] = e.pc;
        r->rpc[n] = e.rpc;
        r->call[n] = e.call;
    }
    bench.written |= 1ull << w;
}

static void clock_edge(void) {
    const struct re_convergence_stack_in *in = &bench.in;
    bench.written = 0;
    if (in->commit && !bench.out.overflow) {
        commit();
        write_row(in->commit_warp);
    }
    if (in->start) {
        re_convergence_stack_start(&bench.stack, in->start_warp, in->start_pc, in->start_mask);
        write_row(in->start_warp);
    }
    bench.in = (struct re_convergence_stack_in){0};
}

static void reset(void) {
    for (unsigned w = 0; w < bench.stack.cfg.warps; ++w) {
        re_convergence_stack_start(&bench.stack, w, 0, 0);
        bench.depth[w] = 0;
        bench.row[w] = (struct re_convergence_stack_row){0};
    }
}

static void begin(unsigned warps, unsigned warp_size, unsigned calls) {
    re_convergence_stack_free(&bench.stack);
    memset(&bench, 0, sizeof bench);
    re_convergence_stack_init(&bench.stack, warps, warp_size, calls);
    bench.q.depth = bench.depth;
}

/* --- inputs --- */

/* Groups of an instruction that are still to come, a cycle each. */
static struct {
    struct re_convergence_group group[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    unsigned left, warp;
} pending;

/* One of few PCs: some are RPCs of entries. */
static uint32_t some_pc(struct seed *s, unsigned warp) {
    const unsigned depth = re_convergence_stack_depth(&bench.stack, warp);
    const uint32_t rpc = re_convergence_stack_entry(&bench.stack, warp, seed_below(s, depth)).rpc;
    switch (seed_below(s, 4)) {
    case 0: return rpc ? rpc : 0x8000;
    case 1: return (uint32_t)seed_next(s) | 4;
    default: return 0x8000 + 4 * seed_below(s, 8);
    }
}

/* Groups of `mask` at different PCs, one at least; a conditional call has two. */
static unsigned make_groups(struct seed *s, unsigned warp, uint64_t mask, struct re_convergence_group *g) {
    const unsigned most = 2 + (seed_below(s, 3) == 0) * seed_below(s, 6);
    unsigned count = 0;
    while (mask && count < most) {
        const uint64_t part =
            count + 1 == most ? mask : mask & (seed_below(s, 2) ? seed_next(s) : mask & -mask);
        struct re_convergence_group new = {part, some_pc(s, warp), false};
        for (unsigned n = 0; n < count; ++n)
            while (g[n].pc == new.pc) new.pc += 4, n = 0;
        if (!part) continue;
        bool taken = false;
        for (unsigned n = 0; n < count; ++n) taken |= g[n].pc == new.pc;
        if (taken) continue;
        g[count++] = new;
        mask &= ~part;
    }
    return count;
}

static void drive_groups(struct seed *s, unsigned warp, uint64_t mask) {
    struct re_convergence_group g[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    const unsigned count = make_groups(s, warp, mask, g);
    const uint32_t rpc = bench.stack.warp[warp].top.rpc;
    bench.in.meeting = seed_below(s, 3) == 0 ? 0 : seed_below(s, 3) == 0 && rpc ? rpc : some_pc(s, warp);
    if (count >= 2) {
        bench.in.second_mask = (uint64_t)g[count - 1].mask;
        bench.in.second_pc = g[count - 1].pc;
        bench.in.second_call = count == 2 && g[1].pc != bench.in.meeting && seed_below(s, 8) == 0;
        pending.left = count - 2;
        pending.warp = warp;
        memcpy(pending.group, g, pending.left * sizeof *g);
    }
    const struct re_convergence_group *first = &g[count >= 2 ? count - 2 : 0];
    bench.in.first_mask = (uint64_t)first->mask;
    bench.in.first_pc = first->pc;
    bench.in.first_call = count == 1 && seed_below(s, 4) == 0;
    if (bench.in.first_call) bench.in.meeting = some_pc(s, warp);
    if (bench.in.first_call && bench.in.meeting == first->pc) bench.in.meeting += 4;
}

static void drive_commit(struct seed *s, unsigned warp) {
    const uint64_t top = re_convergence_stack_mask(&bench.stack, warp);
    const uint64_t some = seed_next(s) & seed_next(s);
    bench.in.commit_warp = warp;
    if (!top || seed_below(s, 8) == 0) return;
    bench.in.commit = true;
    bench.in.move = seed_below(s, 8) == 0;
    const uint64_t ready = seed_next(s) & (~0ull >> (64 - bench.stack.cfg.warp_size));
    bench.in.ready_mask = seed_below(s, 4) ? ready & ~top : ready;
    if (bench.in.move) return;
    if (seed_below(s, 16) == 0) bench.in.exit_mask = seed_below(s, 2) ? top : top & some;
    if (top & ~bench.in.exit_mask && seed_below(s, 32)) drive_groups(s, warp, top & ~bench.in.exit_mask);
}

/* The inputs of a cycle; true: there was a reset before. */
static bool drive(struct seed *s) {
    const unsigned warps = bench.stack.cfg.warps;
    const bool resets = seed_below(s, 2048) == 0;
    if (resets) {
        reset();
        pending.left = 0;
    }
    bench.in.read_warp = seed_below(s, warps);
    if (pending.left && re_convergence_stack_mask(&bench.stack, pending.warp)) {
        const struct re_convergence_group g = pending.group[--pending.left];
        bench.in.commit = bench.in.more = true;
        bench.in.commit_warp = pending.warp;
        bench.in.first_mask = (uint64_t)g.mask;
        bench.in.first_pc = g.pc;
    } else {
        pending.left = 0;
        drive_commit(s, seed_below(s, warps));
    }
    const unsigned w = seed_below(s, warps);
    if (!re_convergence_stack_mask(&bench.stack, w) || seed_below(s, 256) == 0) {
        bench.in.start = seed_below(s, 2);
        bench.in.start_warp = w;
        bench.in.start_pc = 0x8000;
        bench.in.start_mask =
            seed_below(s, 8) ? ~0ull >> (64 - bench.stack.cfg.warp_size) & (seed_next(s) | seed_next(s)) : 0;
    }
    evaluate();
    return resets;
}

/* --- the comparison --- */

static void open_twin(struct twin *t, const char *source, unsigned warps, unsigned warp_size,
                      unsigned calls) {
    struct error e = {0};
    const struct verilog_setting settings[] = {{"WARPS", warps}, {"WARP_SIZE", warp_size}, {"CALLS", calls}};
    char *own = spawn_text("%s/rtl/divergence/re_convergence_stack.sv", spawn_source());
    begin(warps, warp_size, calls);
    pending.left = 0;
    if (!twin_init(t, &block, source ? source : own, settings, 3, &e)) fail_msg("%s", e.message);
    free(own);
}

/* A cycle of both; the first signal that differs, or NULL. */
static const struct twin_port *cycle(struct twin *t, struct seed *seed, uint64_t n) {
    if (drive(seed)) twin_reset(t);
    const struct twin_port *different = twin_cycle(t, n, &bench.in, &bench.out, &bench.q, false);
    clock_edge();
    return !different && bench.written ? twin_rows(t, bench.row, sizeof bench.row[0], bench.written)
                                       : different;
}

static void model_and_verilog_agree(void **state) {
    (void)state;
    static struct twin twin;
    static const unsigned sizes[][3] = {{16, 32, 16}, {1, 1, 1}, {5, 7, 3}, {64, 64, 16}, {2, 4, 128}};
    struct seed seed = seed_start();
    const char *l = getenv("LOCKSTEP_LONG");
    const uint64_t cycles = l && *l && strcmp(l, "0") != 0 ? 10000000 : 50000;
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        open_twin(&twin, NULL, sizes[n][0], sizes[n][1], sizes[n][2]);
        for (uint64_t c = 0; c < cycles; ++c) {
            const struct twin_port *p = cycle(&twin, &seed, c);
            if (!p) continue;
            const struct twin_difference d = twin_difference(&twin, p);
            fail_msg("%u warps of %u, cycle %" PRIu64 ": %s, row %u, element %u is %" PRIx64
                     ", in the Verilog %" PRIx64,
                     sizes[n][0], sizes[n][1], c, p->signal->name, d.row, d.element, d.model, d.verilog);
        }
        assert_int_equal(twin.comparisons, cycles);
        print_message("%ux%ux%u: %u deep, %" PRIu64 " divergences of %" PRIu64 " groups, %" PRIu64 " moves\n",
                      sizes[n][0], sizes[n][1], sizes[n][2], bench.stack.counted.deepest,
                      bench.stack.counted.divergences, bench.stack.counted.groups, bench.stack.counted.moves);
        assert_true(sizes[n][1] == 1 ||
                    (bench.stack.counted.divergences > 500 && bench.stack.counted.moves > 50));
        twin_free(&twin);
    }
}

/* Each of these changes of the Verilog must be seen. */
static void changes_of_the_verilog_are_seen(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"mask[n*MASK_BITS +: MASK_BITS] & ~exit_mask_i;", "mask[n*MASK_BITS +: MASK_BITS];"},
        {"if (call[n] && (mask[n*MASK_BITS +: MASK_BITS] & top_mask) != '0)", "if (call[n])"},
        {"push_rpc == '0 || ", ""},
        {" && !top_call)", ")"},
        {"second = second_pc_i != push_rpc;", "second = 1'b1;"},
        {"push_rpc = top_rpc;", "push_rpc = meeting_i;"},
        {"32'(calls) > CALLS", "32'(calls) >= CALLS"},
        {" &&\n            (mask[(ENTRIES-1-n)*MASK_BITS +: MASK_BITS] & above) == '0)", ")"},
        {" && pc_d[n*PC_BITS +: PC_BITS] != rpc_d[n*RPC_BITS +: RPC_BITS])", ")"},
        {"n >= 32'(kept)", "n > 32'(kept)"},
    };
    static struct twin twin;
    struct seed seed = seed_start();
    char *folder = spawn_folder(),
         *own = spawn_text("%s/rtl/divergence/re_convergence_stack.sv", spawn_source());
    char *text = spawn_read(own);
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; ++n) {
        const char *at = strstr(text, changes[n][0]);
        assert_non_null(at);
        char *changed =
            spawn_text("%.*s%s%s", (int)(at - text), text, changes[n][1], at + strlen(changes[n][0]));
        char *path = spawn_text("%s/changed%u.sv", folder, n);
        spawn_write(path, changed);
        open_twin(&twin, path, 3, 5, 2);
        uint64_t c = 0;
        while (c < 200000 && !cycle(&twin, &seed, c)) ++c;
        if (c == 200000) fail_msg("'%s' for '%s' was not seen", changes[n][1], changes[n][0]);
        twin_free(&twin);
        free(changed);
        free(path);
    }
    free(text);
    free(own);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_and_verilog_agree),
        cmocka_unit_test(changes_of_the_verilog_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
