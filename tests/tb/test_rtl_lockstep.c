/* The Verilog of each block compared with its C model: constrained random cycles at several sizes.
 * LOCKSTEP_LONG=1: 10 million cycles of each block and size, and more sizes. */
#include "tb/twins/contract.h"
#include "tb/stimulus/blocks.h"
#include "tests/seed.h"
#include "tests/spawn.h"
#include "tests/tb/rtl_sizes.h"

#include <inttypes.h>
#include <stdio.h>

#define FIRST_SIZES 3

static struct rtl_size sizes[RTL_SIZES];
static unsigned size_count;

static int read_sizes(void **state) {
    (void)state;
    size_count = rtl_sizes_of_source(sizes);
    return size_count < FIRST_SIZES;
}

static bool is_long(void) {
    const char *l = getenv("LOCKSTEP_LONG");
    return l && *l && strcmp(l, "0") != 0;
}

/* Returns the sizes of a block. The whole of HARP takes a minute of Verilator and compiler at the base size.
 * Outside `make test-long`, it runs only at a small size, at which its tables fill up now and then. */
static const struct rtl_size *sizes_of(const struct stimulus_block *b, unsigned *count) {
    static struct rtl_size small;
    if (is_long() || b->slot != CLUSTER_BLOCK_HARP) {
        *count = is_long() ? size_count : FIRST_SIZES;
        return sizes;
    }
    *count = 1;
    assert_true(rtl_size_read(&small,
                              "LANES=2 QUEUE=8 FIRST_LEVEL=4 READY_SLOTS=2 WAITING_SLOTS=2 BARRIER_SETS=2 "
                              "WAYS=2 STAGES=2 GROUPS=3 REGISTER_ROWS=8"));
    return &small;
}

/* Opens a twin of our Verilog, or of the file `source`. */
static void open_twin(struct twin *t, const struct stimulus_block *b, const char *source,
                      const struct rtl_size *size) {
    struct error e = {0};
    char *own = spawn_text("%s/rtl/%s.sv", spawn_source(), b->name);
    if (!twin_init(t, stimulus_row(b), source ? source : own, size->setting, size->count, &e))
        fail_msg("%s", e.message);
    free(own);
}

static void say(const struct stimulus_block *b, const struct twin *t, const struct twin_port *p,
                const struct rtl_size *size) {
    const struct twin_difference d = twin_difference(t, p);
    char name[TWIN_MAX_NAME];
    twin_name(p, d, name);
    print_error("%s, %s, cycle %" PRIu64 ": %s is %" PRIx64 "%016" PRIx64 ", in the Verilog %" PRIx64
                "%016" PRIx64 "\n",
                b->name, size->text, twin_history(t, 0)->cycle, name, (uint64_t)(d.model >> 64),
                (uint64_t)d.model, (uint64_t)(d.verilog >> 64), (uint64_t)d.verilog);
}

static void model_and_verilog_agree(void **state) {
    static struct twin twin;
    const struct stimulus_block *b = *state;
    struct seed seed = seed_start();
    const uint64_t cycles = is_long() ? 10000000 : 200000;
    unsigned count;
    const struct rtl_size *size = sizes_of(b, &count);
    for (unsigned n = 0; n < count; ++n) {
        b->start(&seed, &size[n]);
        open_twin(&twin, b, NULL, &size[n]);
        twin_hold(&twin, false);
        for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
            const struct twin_port *different = stimulus_cycle(b, &seed, &twin, cycle, NULL);
            if (twin.broken)
                fail_msg("%s, %s, cycle %" PRIu64 ": our own Verilog breaks the contract: %s", b->name,
                         size[n].text, cycle, twin.broken->name);
            if (!different) continue;
            say(b, &twin, different, &size[n]);
            fail();
        }
        assert_int_equal(twin.comparisons, cycles);
        assert_int_equal(twin.mismatches, 0);
        twin_free(&twin);
    }
}

static const struct twin_signal *signal_of(const struct twin_block *b, const struct twin_signal *s) {
    for (unsigned n = 0; n < b->count; ++n)
        if (b->signal[n].kind == s->kind && strcmp(b->signal[n].name, s->name) == 0) return &b->signal[n];
    return NULL;
}

/* Whatever fills a slot has its ports, where the cluster's model has them. */
static void rivals_share_the_ports_of_their_slot(void **state) {
    (void)state;
    for (unsigned r = CLUSTER_BLOCK_COUNT; r < twin_block_count; ++r) {
        const struct twin_block *rival = &twin_block[r], *slot = &twin_block[rival->slot];
        unsigned ports = 0;
        for (unsigned n = 0; n < rival->count; ++n) ports += rival->signal[n].kind != VERILOG_STATE;
        for (unsigned n = 0; n < slot->count; ++n) {
            const struct twin_signal *ours = &slot->signal[n], *theirs = signal_of(rival, ours);
            if (ours->kind == VERILOG_STATE) continue;
            if (!theirs) {
                fail_msg("%s has no %s%s", rival->module, ours->name, twin_suffix[ours->kind]);
                continue;
            }
            assert_int_equal(theirs->offset, ours->offset);
            assert_int_equal(theirs->bytes, ours->bytes);
            assert_int_equal(theirs->array, ours->array);
            --ports;
        }
        assert_int_equal(ports, 0);
    }
}

/* Each of these changes of our Verilog must be seen. */
static void changes_of_the_verilog_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *block, *from, *to;
        unsigned within; /* cycles; 0: 100,000 */
    } changes[] = {
        {"simt_coprocessor", "assign done_o   = simt_i && live_o == LIVE_BITS'(exit_count_o);",
         "always_ff @(posedge clk_i) done_o <= simt_i && live_o == LIVE_BITS'(exit_count_o);", 1000},
        {"harp_scheduler", "(settles ? stage_pc_q[STAGE_PC_BITS-1:0] : its_pc) + 32'd4;",
         "{settles ? stage_pc_q[31:12] : its_pc[31:12], (settles ? stage_pc_q[11:0] : its_pc[11:0]) + "
         "12'd4};",
         0},
        {"warp_scheduler", "WARPS'(2) << last_q", "WARPS'(1) << last_q", 0},
        {"warp_pc_arbiter", "&& wtid_o != '0 &&", "&&", 0},
        {"barrier_table", "release_q        <= opens_o;", "release_q <= '0;", 0},
        {"barrier_table", "all_wait && !mixed_d[g]", "all_wait", 0},
        {"greedy_oldest_scheduler", "w == 32'(last_q)", "w >= 32'(last_q)", 0},
        {"two_level_scheduler", "32'(staying) < ACTIVE", "32'(staying) <= ACTIVE", 0},
        {"min_pc_arbiter", "{!ready_i[k], ", "{1'b0, ", 0},
        {"token_file", "(read_sources_i & ~tokens_o)", "(read_sources_i & tokens_o)", 0},
        {"srf_rename", "free_d[second] = 1'b0;", "free_d[first] = 1'b0;", 0},
        {"instruction_reuse_buffer", "found & good & same", "found & same", 0},
        {"first_ready_arbiter", "level_o = LEVEL_BITS'(n);", "level_o = '0;", 0},
        {"tpo_address", "index < 32'(held)", "index <= 32'(held)", 0}, /* the paper's */
        {"tpo_address", "(~address_i & offsets)", "(address_i & offsets)", 0},
        {"operand_collector", "+ (WAIT_BITS + 1)'(take_i)", "", 0},
        {"operand_collector", "'(wanted) > ", "'(wanted) >= ", 0},
        {"operand_collector", "VTPO_LINES - 1)", "0)", 0},
        {"writeback_arbiter", "of_first < LINES_BITS'(free) ? of_first", "1'b0 ? of_first", 0},
        {"miss_registers", "taken_q & ~filled;", "taken_q;", 0},
        {"coalescer", "active_i & crosses", "'0", 0},
        {"bank_conflict_resolver", "part[k] && rivals == '0;", "part[k];", 0},
        {"round_compactor", "if (needed == '0) needed[0]", "if (1'b0) needed[0]", 0},
        {"lane_scheduler", "sfu_room_i & registers_i", "sp_room_i & registers_i", 0},
        {"local_memory_arbiter", "(32'(turn_i) + n) % LANE_GROUPS", "n", 0},
        {"dram_scheduler", "its       = hits[b] ? mine & opens : mine;", "its       = mine;", 0},
        {"dram_scheduler", "TIMER_BITS'(cl_i)", "TIMER_BITS'(0)", 0},
        {"re_convergence_stack", "push_rpc = top_rpc;", "push_rpc = meeting_i;", 0},
        {"subwarp_packer", "& ~taken;", ";", 0},
        {"snoop_directory", "held || elsewhere != '0 ? S : E", "held ? S : E", 0},
        {"branch_predictor", "high[n] = counter[m*NEW_COUNTER_BITS+1];", "high[n] = high[n];", 0},
        {"warp_lookup", " && elder == '0", "", 0},
        {"thread_descriptor_table", "32'(level) > TOP", "32'(level) > TOP + 1", 0},
        {"thread_descriptor_table", "pc_q[w]        <= next_pc_q[w];", "if (w != 7) pc_q[w] <= next_pc_q[w];",
         0},
    };
    static struct twin twin;
    struct seed seed = seed_start();
    char *folder = spawn_folder(), *others = spawn_text("%s/rtl/*.sv", spawn_source());
    /* Verilator finds modules instantiated by a changed block in its folder. */
    char *link = spawn_text("ln -s %s '%s'", others, folder);
    struct spawned linked = spawn(folder, (char *[]){"sh", "-c", link, NULL});
    assert_int_equal(linked.status, 0);
    spawn_free(&linked);
    free(link);
    free(others);
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; ++n) {
        const struct stimulus_block *b = stimulus_find(changes[n].block);
        char *own = spawn_text("%s/rtl/%s.sv", spawn_source(), b->name);
        char *text = spawn_read(own), *at = strstr(text, changes[n].from);
        assert_non_null(at);
        *at = '\0';
        char *changed = spawn_text("%s%s%s", text, changes[n].to, at + strlen(changes[n].from));
        char *path = spawn_text("%s/changed%u.sv", folder, n);
        spawn_write(path, changed);
        unsigned count;
        const uint64_t within = changes[n].within ? changes[n].within : 100000;
        const struct rtl_size *size = sizes_of(b, &count);
        b->start(&seed, size);
        open_twin(&twin, b, path, size);
        uint64_t cycle = 0;
        while (cycle < within && !stimulus_cycle(b, &seed, &twin, cycle, NULL)) ++cycle;
        print_message("%s for %s: seen in cycle %" PRIu64 "\n", changes[n].to, changes[n].from, cycle);
        assert_true(cycle < within);
        assert_int_equal(twin.mismatches, 1);
        twin_free(&twin);
        free(own);
        free(text);
        free(changed);
        free(path);
    }
    spawn_remove_folder(folder);
}

int main(void) {
    struct CMUnitTest tests[STIMULUS_BLOCKS + 2];
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        tests[n] = (struct CMUnitTest){.name = stimulus_blocks[n]->name,
                                       .test_func = model_and_verilog_agree,
                                       .initial_state = (void *)stimulus_blocks[n]};
    tests[STIMULUS_BLOCKS] = (struct CMUnitTest)cmocka_unit_test(changes_of_the_verilog_are_seen);
    tests[STIMULUS_BLOCKS + 1] = (struct CMUnitTest)cmocka_unit_test(rivals_share_the_ports_of_their_slot);
    return cmocka_run_group_tests(tests, read_sizes, NULL);
}
