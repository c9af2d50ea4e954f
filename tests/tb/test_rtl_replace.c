/* `lockstep run --rtl BLOCK=replace:FILE.sv`: other policies drive the machine; templates fit their slots;
 * messages for a broken contract; parts of a design that depend on a seed. */
#include "sim/error.h"
#include "tb/twins/contract.h"
#include "tb/twins/twin_block.h"
#include "tests/tb/rtl_text.h"

#include <unistd.h>

/* Returns the template of a slot. */
static char *template_of(const char *block) {
    struct spawned s = LOCKSTEP("rtl-template", (char *)block);
    assert_status(&s, EXIT_SOUND);
    char *text = strdup(s.out);
    spawn_free(&s);
    return text;
}

static void draw_mandelbrot(const char *rtl) {
    char *program = spawn_text("%s/benchmarks/mandelbrot", spawn_build());
    struct spawned s = LOCKSTEP("run", "--rtl", (char *)rtl, "--", program, "--size", "48");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "mandelbrot: PASS");
    spawn_free(&s);
    free(program);
}

/* Returns a machine that has a slot of GPU-like machines or of superscalar cores; *set: with a field set. */
static const char *machine_with(enum cluster_block b, const char **set) {
    *set = "simt.divergence=sbr";
    switch (b) {
    case CLUSTER_BLOCK_PREDICTOR: *set = "core.predictor=64"; return "in-order-2";
    case CLUSTER_BLOCK_SELECT: *set = "core.window=16"; return "out-of-order-3";
    case CLUSTER_BLOCK_QUEUE: *set = "core.lsq=5"; return "out-of-order-3";
    case CLUSTER_BLOCK_SCALAR: return "gt640-scalar";
    case CLUSTER_BLOCK_LANES:
    case CLUSTER_BLOCK_LOCAL:
    case CLUSTER_BLOCK_COMPACTOR: return "temporal-30x8";
    case CLUSTER_BLOCK_PACKER: *set = "simt.divergence=lwm"; return "fermi-like";
    case CLUSTER_BLOCK_FORMATION: *set = "simt.divergence=dwf"; return "fermi-like";
    case CLUSTER_BLOCK_READY_LOOKUP:
    case CLUSTER_BLOCK_WAITING_LOOKUP:
    case CLUSTER_BLOCK_SECOND_LEVEL:
    case CLUSTER_BLOCK_MEETINGS:
    case CLUSTER_BLOCK_HARP: *set = "simt.divergence=harp"; return "fermi-like";
    default: return "gtx285-like";
    }
}

/* Runs on a machine that has the slot. */
static struct spawned run_in_slot(enum cluster_block b, char *rtl, const char *program) {
    const bool base = twin_block_is_shared(b) && b < CLUSTER_BLOCK_PREDICTOR;
    if (b < CLUSTER_BLOCK_TOKENS || base) return run_with(rtl, program, "s.json");
    char *path = fixture_host(program);
    if (b >= CLUSTER_BLOCK_COALESCER) {
        const char *set;
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine_with(b, &set));
        char *few =
            b == CLUSTER_BLOCK_SECOND_LEVEL || b == CLUSTER_BLOCK_HARP ? "cluster.threads=256" : (char *)set;
        struct spawned s =
            LOCKSTEP("run", "--config", config, "--set", (char *)set, "--set", few, "--rtl", rtl, "--", path);
        free(config);
        free(path);
        return s;
    }
    char *storage = b == CLUSTER_BLOCK_TOKENS ? "uniform.storage=token" : "uniform.storage=srf";
    struct spawned s = LOCKSTEP("run", "--set", storage, "--set", "uniform.intra=on", "--set",
                                "uniform.inter=on", "--rtl", rtl, "--", path);
    free(path);
    return s;
}

/* Every template has its slot's ports, and working templates drive the machine to the right result. */
static void templates_fit_their_slots(void **state) {
    (void)state;
    static const char *const programs[] = {"divergence", "own_reduction", "barrier_loop", "odd_groups"};
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        const char *name = twin_block[b].name;
        char *text = template_of(name), *body = spawn_text("%s/rtl/templates/%s.svh", spawn_source(), name);
        char *rtl = spawn_text("%s=replace:%s.sv,%s", name, name, twin_block[b].module),
             *file = spawn_text("%s.sv", name);
        const bool works = access(body, R_OK) == 0;
        assert_says(text, contract[b].count ? contract[b].rule[0].broken : "must be those of our own");
        write_file(file, text);
        for (unsigned n = 0; n < (works ? 4 : 1); ++n) {
            const bool atomics = b == CLUSTER_BLOCK_MONITOR;
            struct spawned s = run_in_slot(b, rtl, atomics ? "atomics" : programs[n]);
            if (s.status != EXIT_SOUND && (works || s.status != EXIT_TWINS_DISAGREE)) fail_msg("%s", s.err);
            spawn_free(&s);
        }
        if (works && (b < CLUSTER_BLOCK_COALESCER || b == CLUSTER_BLOCK_GROUPS)) draw_mandelbrot(rtl);
        free(text);
        free(body);
        free(rtl);
        free(file);
    }
    struct spawned s = LOCKSTEP("rtl-template", "arbiter");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "no block is called 'arbiter': there are warp_scheduler");
    spawn_free(&s);
    s = LOCKSTEP("rtl-template");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "a block is missing");
    spawn_free(&s);
}

static json_int_t cycles_of(const char *name) {
    json_t *stats = fixture_statistics(name);
    const json_int_t cycles = fixture_number(json_object_get(stats, "totals"), "cycles");
    json_decref(stats);
    return cycles;
}

/* Another policy: other cycles than the model's, the right result, and no differences. */
static void another_policy_drives_the_machine(void **state) {
    (void)state;
    char *rtl = spawn_text(
        "warp_pc_arbiter=replace:%s/rtl/examples/round_robin_arbiter.sv,round_robin_arbiter", spawn_source());
    struct spawned standing = run_with("check", "divergence", "standing.json");
    struct spawned other = run_with(rtl, "divergence", "other.json");
    assert_status(&standing, EXIT_SOUND);
    assert_status(&other, EXIT_SOUND);
    assert_string_equal(standing.out, other.out);
    assert_says(other.err, "module round_robin_arbiter: held to the contract of its slot");
    assert_true(cycles_of("standing.json") != cycles_of("other.json"));
    spawn_free(&standing);
    spawn_free(&other);
    /* Compared with the model, it differs. */
    char *check = spawn_text(
        "warp_pc_arbiter=check:%s/rtl/examples/round_robin_arbiter.sv,round_robin_arbiter", spawn_source());
    struct spawned s = run_with(check, "divergence", "s.json");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    spawn_free(&s);
    free(check);
    free(rtl);
}

/* --- a contract that is broken --- */

static unsigned long broken_in(const char *err) {
    const char *at = strstr(err, " in cycle ");
    assert_non_null(at);
    return strtoul(at + strlen(" in cycle "), NULL, 10);
}

/* The template of a slot, wrong from its 100th event on: status 121, rule, values, waveform, command. */
static void assert_breaks(const char *block, const char *event, const char *from, const char *to,
                          const char *rule) {
    char *counter =
        spawn_text("  logic [15:0] events_q;\n  always_ff @(posedge clk_i or negedge rst_ni)\n"
                   "    if (!rst_ni) events_q <= 0; else if (%s) events_q <= events_q + 1;\nendmodule",
                   event);
    char *text = rtl_text_change(rtl_text_change(template_of(block), "\nendmodule", counter), from, to);
    if (!strstr(text, "clk_i")) abort();
    write_file("x.sv", text);
    char *rtl = spawn_text("%s=replace:x.sv,-Wno-WIDTH", block), *program = fixture_host("barrier_loop");
    struct spawned s =
        LOCKSTEP("run", "--rtl", rtl, "--rtl-window", "w.fst", "--stats", "s.json", "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "breaks the slot's contract in cycle ");
    assert_says(s.err, rule);
    assert_says(s.err, "\n  outputs    ");
    assert_says(s.err, "\n  where      kernel '");
    assert_says(s.err, "\n  inputs ");
    assert_says(s.err, "/lockstep run --rtl ");
    assert_readable("w.fst");
    assert_exists("s.json", false);
    assert_outcome("s.json.part", "twins-disagree");
    const unsigned long cycle = broken_in(s.err);
    spawn_free(&s);
    s = LOCKSTEP("run", "--rtl", rtl, "--", program);
    assert_int_equal(broken_in(s.err), cycle);
    spawn_free(&s);
    free(counter);
    free(text);
    free(rtl);
    free(program);
}

static void a_broken_contract_stops_the_run(void **state) {
    (void)state;
    assert_breaks("warp_scheduler", "valid_o", "take_i ?",
                  "take_i && events_q > 99 ? ~ready_i & (ready_i + WARPS'(1)) : take_i ?",
                  "only_the_ready_are_granted: ");
    assert_breaks("barrier_table", "opens_o", "opens_o    = none_runs",
                  "opens_o    = events_q < 3 && none_runs", "opens_when_the_last_one_arrives: ");
}

/* A slot with one right answer: in replace, too, the first other one ends the run, before
 * it does any harm. */
static void where_one_answer_is_right_it_is_asked_for(void **state) {
    (void)state;
    static const char *const modes[] = {"check", "drive", "replace"};
    char *text =
        rtl_text_change(rtl_text("subwarp_dispatcher"), "assign beat_o    = valid_o ?",
                        "logic [9:0] n_q;\n  always_ff @(posedge clk_i or negedge rst_ni)\n"
                        "    if (!rst_ni) n_q <= '0; else if (valid_o && n_q != '1) n_q <= n_q + 1;\n"
                        "  assign beat_o    = n_q == '1 ? '1 : valid_o ?");
    write_file("x.sv", text);
    unsigned long cycle = 0;
    for (unsigned n = 0; n < 3; ++n) {
        char *rtl = spawn_text("subwarp_dispatcher=%s:x.sv,-Wno-WIDTH", modes[n]);
        struct spawned s = run_with(rtl, "own_reduction", "s.json");
        assert_status(&s, EXIT_TWINS_DISAGREE);
        assert_says(s.err, "beat_o is 0x");
        assert_says(s.err, "0x3f in the Verilog");
        assert_true(n == 0 || broken_in(s.err) == cycle);
        cycle = broken_in(s.err);
        spawn_free(&s);
        free(rtl);
    }
    free(text);
}

/* The arbiter's template has no clock: two are added. */
static void a_port_for_the_clock_may_be_added(void **state) {
    (void)state;
    char *text = template_of("warp_pc_arbiter");
    text = rtl_text_change(text, ") (\n", ") (\n    input logic clk_i,\n    input logic rst_ni,\n");
    text = rtl_text_change(text, "participating_o[k] = ready_i[k] &&",
                           "participating_o[k] = (events_q > 50 || ready_i[k]) &&");
    text =
        rtl_text_change(text, "endmodule",
                        "  logic [15:0] events_q;\n  always_ff @(posedge clk_i or negedge rst_ni)\n"
                        "    if (!rst_ni) events_q <= 0; else if (ready_i != 0) events_q <= events_q + 1;\n"
                        "endmodule");
    write_file("x.sv", text);
    struct spawned s = run_with("warp_pc_arbiter=replace:x.sv,-Wno-WIDTH", "divergence", "s.json");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err,
                "only_the_ready_at_the_pc_participate: participating_o has a thread that is not in ready_i");
    spawn_free(&s);
    free(text);
}

/* --- state without a value at reset --- */

static json_int_t cycles_with_seed(const char *seed, char **all) {
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--rtl", "warp_scheduler=replace:x.sv", "--rtl-seed", (char *)seed,
                                "--stats", "s.json", "--", program);
    assert_status(&s, EXIT_SOUND);
    char *said = spawn_text("begins with that of --rtl-seed %s\n", seed);
    assert_says(s.err, said);
    json_t *stats = fixture_statistics("s.json");
    *all = json_dumps(json_object_get(stats, "counters"), JSON_SORT_KEYS);
    json_decref(stats);
    spawn_free(&s);
    free(said);
    free(program);
    return cycles_of("s.json");
}

/* A scheduler with a random initial state: the same cycles for the same seed, other cycles for some other
 * seed. */
static void undefined_state_is_of_the_seed(void **state) {
    (void)state;
    write_file("x.sv", "");
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "if (!rst_ni)", "if (1'b0)");
    write_file("x.sv", text);
    char *first, *again, seed[8];
    const json_int_t cycles = cycles_with_seed("1", &first);
    assert_int_equal(cycles_with_seed("1", &again), cycles);
    assert_string_equal(first, again);
    free(again);
    bool other = false;
    for (unsigned n = 2; n < 6 && !other; ++n) {
        snprintf(seed, sizeof seed, "%u", n);
        other = cycles_with_seed(seed, &again) != cycles || strcmp(first, again) != 0;
        free(again);
    }
    assert_true(other);
    free(first);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(templates_fit_their_slots),         TEST(another_policy_drives_the_machine),
        TEST(a_broken_contract_stops_the_run),   TEST(where_one_answer_is_right_it_is_asked_for),
        TEST(a_port_for_the_clock_may_be_added), TEST(undefined_state_is_of_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
