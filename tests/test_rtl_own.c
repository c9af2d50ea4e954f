/* `lockstep run --rtl BLOCK=MODE:FILE.sv,…`: Verilog of the user's own in a slot, what is refused, what a
 * contract that is broken looks like, and what of the user's files the cache knows. */
#include "sim/error.h"
#include "tb/contract.h"
#include "tb/twin_block.h"
#include "tests/rtl_text.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static struct spawned run_with(const char *rtl, const char *program, const char *stats) {
    char *path = fixture_host(program);
    struct spawned s = LOCKSTEP("run", "--stats", (char *)stats, "--rtl", (char *)rtl, "--", path);
    free(path);
    return s;
}

static void assert_result(const char *rtl, int status, const char *says) {
    struct spawned s = run_with(rtl, "vector_add", "s.json");
    if (s.status != status) print_error("--rtl %s\n", rtl);
    assert_status(&s, status);
    assert_says(s.err, says);
    spawn_free(&s);
}

/* Refused before the program starts. */
static void assert_refused(const char *rtl, const char *says) {
    assert_result(rtl, EXIT_USER, says);
    assert_exists("mismatch.fst", false);
    assert_exists("s.json", false);
}

static void write_file(const char *name, const char *text) {
    free(fixture_file(name, text, 0644));
}

/* What the template of a slot says. */
static char *template_of(const char *block) {
    struct spawned s = LOCKSTEP("rtl-template", (char *)block);
    assert_status(&s, EXIT_SOUND);
    char *text = strdup(s.out);
    spawn_free(&s);
    return text;
}

/* --- what is written after --rtl ---------------------------------------------------------------------------
 */

static void mistakes_on_the_command_line_are_named(void **state) {
    (void)state;
    assert_refused("warp_scheduler=replace",
                   "replace is for Verilog of your own: warp_scheduler=replace:FILE.sv");
    assert_refused("replace", "replace is for Verilog of your own: BLOCK=replace:FILE.sv");
    assert_refused("warp_scheduler=off:x.sv", "with mode off no Verilog runs");
    assert_refused("warp_scheduler=check:", "a file is missing after the colon");
    assert_refused("check:x.sv", "'check:x.sv' is none of off, check, drive and replace");
    assert_refused("warp_scheduler=check:x.sv,", "something is missing beside a comma");
    assert_refused("warp_scheduler=check:x.sv,a,b", "'b' is neither a file (.sv, .v), nor the top module");
    assert_refused("warp_scheduler=check:x.sv,-I", "'-I' is none of -IFOLDER, -GNAME=VALUE");
    assert_refused("warp_scheduler=check:x.sv,-GN", "'-GN' is none of");
    assert_refused("warp_scheduler=check:x.sv,-O3", "'-O3' is none of");
    assert_refused("warp_scheduler=check:x.sv,arbiter=check", "no block is called 'arbiter'");
    assert_refused("warp_scheduler=check:x.sv", "x.sv: the Verilog cannot be read: No such file");
    assert_refused("warp_scheduler=check:.", ".: the Verilog cannot be read: Is a directory");
    write_file("x.sv", "");
    assert_refused("warp_scheduler=check:x.sv,more.sv", "more.sv: the Verilog cannot be read");
    assert_refused("warp_scheduler=check:x.sv,-Inowhere", "nowhere: this is no folder to include from");
    assert_refused("warp_scheduler=check:x.sv,-Ix.sv", "x.sv: this is no folder to include from");
}

static void mistakes_in_the_verilog_are_named(void **state) {
    (void)state;
    write_file("x.sv", "module y;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv", "x.sv: there is no module warp_scheduler in it");
    assert_refused("warp_scheduler=check:x.sv,z", "x.sv: there is no module z in it");
    write_file("x.sv", "module warp_scheduler (input logic clk_i;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv", "x.sv:1:41: syntax error");
    write_file("x.sv", "`include \"none.svh\"\nmodule warp_scheduler;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv", "x.sv:1:10: Cannot find include file: none.svh");
    write_file("x.sv", "module y #(parameter int A = 1, parameter int WARPS = 2);\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv,y,-GB=2", "module y of ");
    assert_refused("warp_scheduler=check:x.sv,y,-GB=2", "has no such parameter; it has: A, WARPS\n");
    assert_refused("warp_scheduler=check:x.sv,y,-GWARPS=2",
                   "-GWARPS=2: the machine gives WARPS its value: 16");
    write_file("x.sv", "module y (input logic [3:0] a, output logic o);\n  assign o = a;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv,y",
                   "%Warning-WIDTH: "); /* -Wno-WIDTH gets as far as the ports: */
    assert_refused("warp_scheduler=check:x.sv,y,-Wno-WIDTH",
                   "the ports of module y are not those of the slot");
}

static void every_port_that_does_not_fit_is_named(void **state) {
    (void)state;
    write_file("bad.sv",
               "module bad #(parameter int WARPS = 16) (\n"
               "  input logic clk_i, input logic rst, input logic [WARPS-2:0] ready_i, output logic take_i,\n"
               "  output logic [1:0][3:0] valid_o, output logic [3:0] warp_o, input logic [3:0] extra_i,\n"
               "  inout wire z\n);\nendmodule\n");
    struct spawned s = run_with("warp_scheduler=check:bad.sv,bad", "vector_add", "s.json");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "the ports of module bad are not those of the slot warp_scheduler");
    assert_says(s.err, "\n  rst_ni               is missing; expected: input of 1 bit\n");
    assert_says(s.err, "\n  ready_i              has 15 bits; expected: 16\n");
    assert_says(s.err, "\n  take_i               is an output of 1 bit; expected: input of 1\n");
    assert_says(s.err, "\n  valid_o              has 8 bits; expected: 1\n");
    assert_says(s.err, "\n  grant_o              is missing; expected: output of 16 bits\n");
    assert_says(s.err, "\n  extra_i              is not a port of the slot (input of 4 bits)\n");
    assert_says(s.err, "\n  rst                  is not a port of the slot (input of 1 bit)\n");
    assert_says(s.err, "\n  z                    is not a port of the slot (inout of 1 bit)\n");
    assert_null(strstr(s.err, "warp_o"));
    spawn_free(&s);
}

/* --- what runs ---------------------------------------------------------------------------------------------
 */

static json_t *block_of(const char *stats, const char *name) {
    json_t *all = fixture_statistics(stats), *block, *found = NULL;
    size_t n;
    json_array_foreach(json_object_get(all, "rtl"), n,
                       block) if (strcmp(json_string_value(json_object_get(block, "block")), name) == 0)
        found = json_incref(block);
    json_decref(all);
    assert_non_null(found);
    return found;
}

static void assert_names(const json_t *block, const char *key, const char *name) {
    const json_t *names = json_object_get(block, key);
    assert_int_equal(json_array_size(names), name ? 1 : 0);
    if (name) assert_string_equal(json_string_value(json_array_get(names, 0)), name);
}

/* Two files, an include folder, types of a package, a parameter of its own, a name that C++ cannot have. */
static void files_includes_and_parameters(void **state) {
    (void)state;
    char *text = rtl_text("warp_scheduler");
    text = rtl_text_change(text, "module warp_scheduler #(",
                           "`include \"turn.svh\"\nmodule my__scheduler #(\n"
                           "    parameter int FIRST = 99,\n");
    text = rtl_text_change(text, "WARP_BITS'(WARPS - 1);", "WARP_BITS'(FIRST);");
    text = rtl_text_change(text, "w > 32'(last_q)", "`AFTER(w, last_q)");
    text = rtl_text_change(text, "assign valid_o = take_i && ready_i != '0;",
                           "any_ready #(.N(WARPS)) any_i (.ready_i, .take_i, .valid_o);");
    write_file("scheduler.sv", text);
    write_file("any.v",
               "module any_ready #(parameter N = 1) (input [N-1:0] ready_i, input take_i, output valid_o);\n"
               "  assign valid_o = take_i && ready_i != 0;\nendmodule\n");
    char *folder = fixture_path("include");
    assert_int_equal(mkdir(folder, 0777), 0);
    write_file("include/turn.svh", "`define AFTER(a, b) (a > 32'(b))\n");
    const char *rtl =
        "barrier_table=check,warp_scheduler=drive:scheduler.sv,my__scheduler,any.v,-Iinclude,-GFIRST=15,"
        "warp_pc_arbiter=check";
    struct spawned s = run_with(rtl, "divergence", "s.json");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err, "/scheduler.sv, module my__scheduler: outputs compared, and last_q\n");
    json_t *block = block_of("s.json", "warp_scheduler");
    assert_string_equal(json_string_value(json_object_get(block, "module")), "my__scheduler");
    assert_string_equal(json_string_value(json_object_get(block, "mode")), "drive");
    assert_names(block, "compared", "last_q");
    assert_names(block, "not_there", NULL);
    json_decref(block);
    spawn_free(&s);
    /* Another value of its own parameter, and an included file that changes: neither is the built one. */
    assert_result("warp_scheduler=check:scheduler.sv,my__scheduler,any.v,-Iinclude,-GFIRST=3",
                  EXIT_TWINS_DISAGREE, "last_q: C 0xf, Verilog 0x3");
    write_file("include/turn.svh", "`define AFTER(a, b) (a >= 32'(b))\n");
    assert_result(rtl, EXIT_TWINS_DISAGREE, "warp_scheduler and its Verilog disagree");
    /* A file that would be found before it. */
    write_file("include/turn.svh", "`define AFTER(a, b) (a > 32'(b))\n");
    char *earlier = fixture_path("earlier");
    assert_int_equal(mkdir(earlier, 0777), 0);
    rtl = "warp_scheduler=check:scheduler.sv,my__scheduler,any.v,-Iearlier,-Iinclude,-GFIRST=15";
    assert_result(rtl, EXIT_SOUND, "comparisons");
    write_file("earlier/turn.svh", "`define AFTER(a, b) (a >= 32'(b))\n");
    assert_result(rtl, EXIT_TWINS_DISAGREE, "warp_scheduler and its Verilog disagree");
    free(text);
    free(folder);
    free(earlier);
}

/* Flip-flops of the model that a user's block has not, or of another width, are not compared; this is said.
 */
static void internals_are_compared_where_they_match(void **state) {
    (void)state;
    char *text = rtl_text("barrier_table");
    text = rtl_text_change(text, "pc_d, pc_q;", "spare; logic [32:0] pc_d, pc_q;");
    text = rtl_text_change(text, "= arrive_pc_i;", "= {1'b0, arrive_pc_i};");
    text = rtl_text_change(text, "arrive_pc_i != pc_q", "{1'b0, arrive_pc_i} != pc_q");
    while (strstr(text, "mixed_q")) text = rtl_text_change(text, "mixed_q", "other_q");
    write_file("b.sv", text);
    struct spawned s = run_with("barrier_table=check:b.sv", "barrier_loop", "s.json");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err, "outputs compared, and live_q, waiting_q, exited_q, release_q; not there: mixed_q; "
                       "of another width: pc_q\n");
    json_t *block = block_of("s.json", "barrier_table");
    assert_int_equal(json_array_size(json_object_get(block, "compared")), 4);
    assert_names(block, "not_there", "mixed_q");
    assert_names(block, "other_width", "pc_q");
    json_decref(block);
    spawn_free(&s);
    free(text);
}

static void draw_mandelbrot(const char *rtl) {
    char *program = spawn_text("%s/benchmarks/mandelbrot", spawn_build());
    struct spawned s = LOCKSTEP("run", "--rtl", (char *)rtl, "--", program, "--size", "48");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "mandelbrot: PASS");
    spawn_free(&s);
    free(program);
}

/* Every template has its slot's ports, and those that do something drive the machine to the right result. */
static void templates_fit_their_slots(void **state) {
    (void)state;
    static const char *const programs[] = {"divergence", "own_reduction", "barrier_loop", "odd_groups"};
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        const char *name = twin_block[b].name;
        char *text = template_of(name), *body = spawn_text("%s/rtl/templates/%s.svh", spawn_source(), name);
        char *rtl = spawn_text("%s=replace:%s.sv", name, name), *file = spawn_text("%s.sv", name);
        const bool works = access(body, R_OK) == 0;
        assert_says(text, contract[b].count ? contract[b].rule[0].broken : "must be those of our own");
        write_file(file, text);
        for (unsigned n = 0; n < (works ? 4 : 1); ++n) {
            struct spawned s = run_with(rtl, programs[n], "s.json");
            if (s.status != EXIT_SOUND && (works || s.status != EXIT_TWINS_DISAGREE)) fail_msg("%s", s.err);
            spawn_free(&s);
        }
        if (works) draw_mandelbrot(rtl);
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
    /* Compared it is not the model's. */
    char *check = spawn_text(
        "warp_pc_arbiter=check:%s/rtl/examples/round_robin_arbiter.sv,round_robin_arbiter", spawn_source());
    struct spawned s = run_with(check, "divergence", "s.json");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    spawn_free(&s);
    free(check);
    free(rtl);
}

/* --- a contract that is broken -----------------------------------------------------------------------------
 */

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
    assert_says(s.err, "\n  replay     lockstep run --rtl ");
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

/* A slot with one right answer: in replace, too, the first other one ends the run, before it does any harm.
 */
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

/* --- what has no value at reset ----------------------------------------------------------------------------
 */

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

/* A scheduler that begins anywhere: the same for the same seed, and other cycles for some other. */
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

/* --- the cache ---------------------------------------------------------------------------------------------
 */

static unsigned files_in_cache(const char *with) {
    char *path = fixture_path("cache/rtl");
    unsigned count = 0;
    DIR *d = opendir(path);
    for (const struct dirent *f; d && (f = readdir(d));) count += strstr(f->d_name, with) != NULL;
    if (d) closedir(d);
    free(path);
    return count;
}

/* With a cache of its own, empty at first. */
static struct spawned start_with_cache(const char *folder) {
    char *cache = spawn_text("LOCKSTEP_CACHE=%s", folder), *program = fixture_host("vector_add");
    struct spawned s = spawn_start(fixture_folder, false,
                                   (char *[]){"/usr/bin/env", cache, fixture_command, "run", "--rtl",
                                              "warp_scheduler=check", "--", program, NULL});
    free(cache);
    free(program);
    return s;
}

static void a_signal_leaves_no_half_built_library(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    static const int signals[] = {SIGINT, SIGTERM};
    for (unsigned n = 0; n < 2; ++n) {
        struct spawned s = start_with_cache(cache);
        for (unsigned tries = 0; files_in_cache("lockstep-part-") == 0 && tries < 2000; ++tries) usleep(5000);
        assert_int_equal(files_in_cache("lockstep-part-"), 1);
        kill(s.pid, signals[n]);
        spawn_finish(&s);
        assert_int_equal(s.status, 128 + signals[n]);
        assert_int_equal(files_in_cache("lockstep-part-"), 0);
        assert_int_equal(files_in_cache(".so"), 0);
        spawn_free(&s);
    }
    free(cache);
}

static void two_runs_build_the_same_at_once(void **state) {
    (void)state;
    char *cache = fixture_path("cache");
    struct spawned a = start_with_cache(cache), b = start_with_cache(cache);
    spawn_finish(&a);
    spawn_finish(&b);
    assert_status(&a, EXIT_SOUND);
    assert_status(&b, EXIT_SOUND);
    assert_int_equal(files_in_cache(".so"), 1);
    assert_int_equal(files_in_cache("lockstep-part-"), 0);
    spawn_free(&a);
    spawn_free(&b);
    free(cache);
}

static void a_cache_that_cannot_be_written_is_named(void **state) {
    (void)state;
    struct spawned s = start_with_cache("/proc/lockstep");
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "/proc/lockstep/rtl for built Verilog cannot be made");
    spawn_free(&s);
    write_file("cache", "a file");
    char *cache = fixture_path("cache");
    s = start_with_cache(cache);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "cannot be made: Not a directory");
    spawn_free(&s);
    free(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(mistakes_on_the_command_line_are_named),
        TEST(mistakes_in_the_verilog_are_named),
        TEST(every_port_that_does_not_fit_is_named),
        TEST(files_includes_and_parameters),
        TEST(internals_are_compared_where_they_match),
        TEST(templates_fit_their_slots),
        TEST(another_policy_drives_the_machine),
        TEST(a_broken_contract_stops_the_run),
        TEST(where_one_answer_is_right_it_is_asked_for),
        TEST(a_port_for_the_clock_may_be_added),
        TEST(undefined_state_is_of_the_seed),
        TEST(a_signal_leaves_no_half_built_library),
        TEST(two_runs_build_the_same_at_once),
        TEST(a_cache_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
