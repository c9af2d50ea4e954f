/* The command line: commands that simulate no program. test_help has the help of the commands. */
#include "lockstep/run/execution_options.h"
#include "model/config/divergence_kind.h"
#include "model/config/machine_config.h"
#include "sim/error.h"
#include "tests/lockstep/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_version(void **state) {
    (void)state;
    assert_works(LOCKSTEP("--version"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("-V"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("run", "--version"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("compare", "--version"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("cc", "--version"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("config", "--version"), "lockstep 0.1.0\n");
    assert_works(LOCKSTEP("serve", "--version"), "lockstep 0.1.0\n");
    char *commit = spawn_text("sed s/^/commit\\ \\ \\ \\ \\ / %s/commit", spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", commit, NULL});
    assert_works(LOCKSTEP("--version"), s.out);
    spawn_free(&s);
    free(commit);
    assert_works(LOCKSTEP("--version"), "\nverilator  Verilator 5.");
    assert_works(LOCKSTEP("--version"), "\nyosys      Yosys 0.");
    assert_works(LOCKSTEP("--version"), "\nclang      Debian clang version 14.");
}

/* Also one that fails, prints nothing or waits for input. */
static void test_version_without_tools(void **state) {
    (void)state;
    free(fixture_file("verilator", "#!/bin/sh\necho one; exit 1\n", 0755));
    free(fixture_file("yosys", "#!/bin/sh\n", 0755));
    free(fixture_file("clang-14", "#!/bin/sh\nread -r line && echo \"$line\"\n", 0755));
    char *path = strdup(getenv("PATH")), *ours = spawn_text("%s:%s", fixture_folder, path);
    setenv("PATH", ours, 1);
    assert_works(LOCKSTEP("--version"),
                 "\nverilator  not found\nyosys      not found\nclang      not found\n");
    setenv("PATH", path, 1);
    free(ours);
    free(path);
}

static void test_mode_is_a_field(void **state) {
    (void)state;
    assert_works(LOCKSTEP("config", "--mode", "mimd"), "mode: mimd");
    assert_works(LOCKSTEP("config", "--mode", "simt", "--set", "mode=mimd"), "mode: simt");
    assert_fails(LOCKSTEP("config", "--mode", "both"), EXIT_USER, "'both' is none of simt, mimd");
}

/* Kernels of machines with a re-convergence stack have no priority levels that could be checked. */
static void test_levels_are_of_divergence_pc(void **state) {
    (void)state;
    struct machine_config c;
    struct error e = {0};
    struct execution_options o = {.check_levels = true};
    config_defaults(&machine_config_table, &c);
    assert_true(execution_options_fit(&o, &c, &e));
    c.simt.pc_policy = PC_MIN_PC;
    assert_false(execution_options_fit(&o, &c, &e));
    assert_non_null(strstr(e.message, "simt.pc_policy to ics_first"));
    c.simt.pc_policy = PC_ICS_FIRST;
    c.simt.divergence = DIVERGENCE_sbr;
    e = (struct error){0};
    assert_true(execution_options_fit(&(struct execution_options){.exact_steps = true}, &c, &e));
    assert_false(execution_options_fit(&o, &c, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "--check-levels needs simt.divergence pc"));
    o = (struct execution_options){.redundancy = true};
    e = (struct error){0};
    assert_true(execution_options_fit(&o, &c, &e));
    c.simt.divergence = DIVERGENCE_harp;
    assert_false(execution_options_fit(&o, &c, &e));
    assert_non_null(strstr(e.message, "--redundancy"));
    o = (struct execution_options){.idle = true};
    e = (struct error){0};
    assert_false(execution_options_fit(&o, &c, &e));
    assert_non_null(strstr(e.message, "--idle"));
    c.contexts = CONTEXTS_VRF;
    c.simt.issue = ISSUE_BARREL;
    assert_true(execution_options_fit(&o, &c, &e));
    o = (struct execution_options){.lane_interval = 8};
    c.lanes.kind = LANES_SPATIAL;
    e = (struct error){0};
    assert_false(execution_options_fit(&o, &c, &e));
    assert_non_null(strstr(e.message, "--lane-interval"));
    c.lanes.kind = LANES_TEMPORAL;
    assert_true(execution_options_fit(&o, &c, &e));
}

/* A check that would look at nothing is refused. */
static void test_checks_have_something_to_look_at(void **state) {
    (void)state;
    struct machine_config c;
    const struct execution_options uniform = {.check_uniform = true}, levels = {.check_levels = true},
                                   redundancy = {.redundancy = true};
    struct error none = {0}, mode[3] = {0};
    config_defaults(&machine_config_table, &c);
    assert_false(execution_options_fit(&uniform, &c, &none));
    assert_non_null(strstr(none.message, "uniform.storage is none"));
    c.uniform.storage = UNIFORM_TOKEN;
    assert_true(execution_options_fit(&uniform, &c, &none));
    c.mode = MODE_MIMD;
    assert_false(execution_options_fit(&uniform, &c, &mode[0]));
    assert_false(execution_options_fit(&levels, &c, &mode[1]));
    assert_false(execution_options_fit(&redundancy, &c, &mode[2]));
    for (unsigned n = 0; n < 3; n++) assert_non_null(strstr(mode[n].message, "of which mode mimd has none"));
}

static void test_wrong_words(void **state) {
    (void)state;
    assert_fails(spawn(fixture_folder, (char *[]){fixture_command, NULL}), EXIT_USER, "a command is missing");
    assert_fails(LOCKSTEP("ruin"), EXIT_USER, "no command is called 'ruin'");
    assert_fails(LOCKSTEP("--trace"), EXIT_USER, "unrecognized option");
    assert_fails(LOCKSTEP("run", "--tracee", "x.fst", "true"), EXIT_USER, "unrecognized option");
    assert_fails(LOCKSTEP("config", "extra"), EXIT_USER, "'extra' is not an option");
    assert_fails(LOCKSTEP("run", "--junit", "x.xml", "true"), EXIT_USER,
                 "--junit says where results of comparisons go, but --rtl is off");
    assert_fails(LOCKSTEP("run", "--rtl", "check", "--junit", "x.json", "--stats", "x.json", "true"),
                 EXIT_USER, "--junit");
    assert_fails(LOCKSTEP("rtl-test", "barrier_table=check", "--junit", "none/x.xml"), EXIT_USER,
                 "none/x.xml");
    assert_fails(LOCKSTEP("config", "--config"), EXIT_USER, "requires an argument");
    assert_fails(LOCKSTEP("config", "--config", "a", "--config", "b"), EXIT_USER, "--config is given twice");
}

static void test_config_is_a_fixed_point(void **state) {
    (void)state;
    struct spawned first = LOCKSTEP("config", "--set", "simt.warp_size=16", "--set", "simt.pc_policy=min_pc");
    assert_int_equal(first.status, 0);
    assert_says(first.out, "  warp_size: 16\n");
    assert_says(first.out, "  pc_policy: min_pc\n");
    char *path = fixture_file("machine.yaml", first.out, 0644);
    struct spawned second = LOCKSTEP("config", "--config", path);
    assert_string_equal(first.out, second.out);
    spawn_free(&first);
    spawn_free(&second);
    free(path);
}

static void test_set_overrides_the_file(void **state) {
    (void)state;
    char *path = fixture_file("machine.yaml", "simt:\n  warp_size: 16\nmem:\n  latency: 100\n", 0644);
    struct spawned s = LOCKSTEP("config", "--set", "simt.warp_size=8", "--config", path);
    assert_int_equal(s.status, 0);
    assert_says(s.out, "  warp_size: 8\n");
    assert_says(s.out, "  latency: 100\n");
    spawn_free(&s);
    free(path);
}

static void test_described_is_every_field(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("config", "--describe");
    assert_int_equal(s.status, 0);
    for (size_t i = 0; i < machine_config_table.count; i++) {
        assert_says(s.out, machine_config_table.fields[i].name);
        assert_says(s.out, machine_config_table.fields[i].description);
        assert_says(s.out, machine_config_table.fields[i].source);
    }
    spawn_free(&s);
}

/* Some fields, as lines and as JSON; on a terminal, lines are not longer than its width. */
static void test_described_are_some_fields(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("config", "--describe", "harp", "mem.latency");
    assert_status(&s, 0);
    assert_says(s.out, "\nharp.first_level ");
    assert_says(s.out, "\nmem.latency ");
    assert_null(strstr(s.out, "simt.warp_size "));
    spawn_free(&s);
    s = LOCKSTEP("config", "--describe", "--json", "mem.latency", "simt.pc_policy");
    json_t *j = json_loads(s.out, 0, NULL);
    assert_int_equal(json_array_size(j), 2);
    const json_t *policy = json_array_get(j, 0), *latency = json_array_get(j, 1);
    assert_string_equal(json_string_value(json_object_get(policy, "field")), "simt.pc_policy");
    assert_string_equal(json_string_value(json_object_get(policy, "default")), "ics_first");
    assert_int_equal(json_array_size(json_object_get(policy, "choices")), 3);
    assert_int_equal(fixture_number(latency, "default"), 200);
    assert_int_equal(fixture_number(latency, "maximum"), 100000);
    assert_string_equal(json_string_value(json_object_get(latency, "needs")), "contexts=tpm");
    json_decref(j);
    spawn_free(&s);
    s = LOCKSTEP("config", "--json", "--set", "mem.latency=77");
    j = json_loads(s.out, 0, NULL);
    assert_int_equal(fixture_number(j, "mem.latency"), 77);
    json_decref(j);
    spawn_free(&s);
    assert_fails(LOCKSTEP("config", "--describe", "mem.latnecy"), EXIT_USER,
                 "no field or group of fields is called 'mem.latnecy' (did you mean 'mem.latency'?)");
    assert_fails(LOCKSTEP("config", "mem.latency"), EXIT_USER, "fields are named with --describe only");
}

static void test_described_fits_the_terminal(void **state) {
    (void)state;
    for (unsigned columns = 60; columns <= 200; columns += 35) {
        char *line =
            spawn_text("script -qec 'stty cols %u; %s config --describe' /dev/null | tr -d '\\r' | awk "
                       "'{ if (length($0) > %u) exit 1; n++ } END { if (n < 400) exit 2 }'",
                       columns, fixture_command, columns);
        struct spawned s = spawn(fixture_folder, (char *[]){"env", "LC_ALL=C.UTF-8", "sh", "-c", line, NULL});
        if (s.status) fail_msg("%u columns: %d %s%s", columns, s.status, s.out, s.err);
        spawn_free(&s);
        free(line);
    }
}

static void test_shipped_machines(void **state) {
    (void)state;
    char *base = spawn_text("%s/configs/dual-mode-4.yaml", spawn_source());
    char *min_pc = spawn_text("%s/configs/dual-mode-4-min-pc.yaml", spawn_source());
    struct spawned initial = LOCKSTEP("config"), read = LOCKSTEP("config", "--config", base);
    assert_string_equal(read.err, "");
    assert_string_equal(initial.out, read.out);
    assert_works(LOCKSTEP("config", "--config", min_pc), "  pc_policy: min_pc\n");
    spawn_free(&initial);
    spawn_free(&read);
    free(base);
    free(min_pc);
}

static void test_misspelt_field(void **state) {
    (void)state;
    char *path = fixture_file("machine.yaml", "cluster:\n  lanes: 4\nsimt:\n  warp_siz: 32\n", 0644);
    struct spawned s = LOCKSTEP("config", "--config", path);
    assert_says(s.err, "machine.yaml:4: ");
    assert_says(s.err, "warp_siz");
    assert_says(s.err, "'simt.warp_size'");
    assert_fails(s, EXIT_USER, "lockstep: ");
    assert_fails(LOCKSTEP("config", "--set", "simt.warpsize=32"), EXIT_USER, "--set simt.warpsize=32: ");
    free(path);
}

static void test_value_out_of_range(void **state) {
    (void)state;
    char *path = fixture_file("machine.yaml", "mem:\n  latency: 0\n", 0644);
    assert_fails(LOCKSTEP("config", "--config", path), EXIT_USER, "machine.yaml:2: ");
    assert_fails(LOCKSTEP("run", "--config", path, "true"), EXIT_USER, "machine.yaml:2: ");
    assert_fails(LOCKSTEP("run", "--set", "mem.latency=0", "true"), EXIT_USER, "out of range");
    free(path);
}

/* A field without effect on the machine is refused before a run starts; with several machines, if it has an
 * effect on none. */
static void test_field_without_use(void **state) {
    (void)state;
    char *gpu = spawn_text("--config=%s/configs/gtx285-like.yaml", spawn_source());
    assert_fails(LOCKSTEP("run", "--set", "lwm.threads=64", "true"), EXIT_USER,
                 "--set lwm.threads=64 does nothing here: it needs simt.divergence=lwm, and that is pc");
    assert_fails(LOCKSTEP("compare", "--set", "mem.latency=9,10", gpu, "true"), EXIT_USER,
                 "--set mem.latency=9 does nothing here: it needs contexts=tpm, and that is vrf");
    assert_fails(LOCKSTEP("compare", "--set", "mem.latency=200,400", gpu, "true"), EXIT_USER,
                 "--set mem.latency=400 does nothing here: it needs contexts=tpm, and that is vrf");
    assert_fails(LOCKSTEP("compare", gpu, "--set", "dram.cl=5,10", "no-such"), EXIT_NOT_FOUND, "no-such");
    assert_fails(LOCKSTEP("figures", "harp", "--set", "mem.latency=9"), EXIT_USER,
                 "--set mem.latency=9 does nothing here: it needs contexts=tpm, and that is vrf");
    free(gpu);
}

/* A name alone is a file in this folder, or in that of the file which extends it; else one of Lockstep's. */
static void test_lockstep_has_machines_of_its_own(void **state) {
    (void)state;
    char *folder = fixture_path("deep");
    assert_int_equal(mkdir(folder, 0777), 0);
    char *mine = fixture_file("deep/mine.yaml", "extends: fermi-like.yaml\nl2:\n  latency: 77\n", 0644),
         *yours = fixture_file("yours.yaml", "extends: deep/mine\n", 0644);
    assert_works(LOCKSTEP("config", "--config", "fermi-like"), "divergence: sbr");
    assert_works(LOCKSTEP("config", "--config", "fermi-like.yaml"), "divergence: sbr");
    assert_works(LOCKSTEP("config", "--config", "deep/mine.yaml"), "latency: 77");
    assert_works(LOCKSTEP("config", "--config", "yours"), "latency: 77");
    assert_fails(LOCKSTEP("config", "--config", "none-like"), EXIT_USER,
                 "cannot read the configuration 'none-like'");
    assert_fails(LOCKSTEP("config", "--config", "deep/fermi-like.yaml"), EXIT_USER, "No such file");
    char *path = fixture_file("fermi-like.yaml", "mem:\n  latency: 0\n", 0644);
    assert_fails(LOCKSTEP("config", "--config", "fermi-like.yaml"), EXIT_USER, "fermi-like.yaml:2: ");
    assert_fails(LOCKSTEP("config", "--config", "fermi-like"), EXIT_USER, "fermi-like.yaml:2: ");
    assert_works(LOCKSTEP("config", "--config", "deep/mine.yaml"), "latency: 77"); /* relative to
                                                                                    * its folder */
    unlink(path);
    free(path);
    free(yours);
    free(mine);
    free(folder);
}

static void test_did_you_mean(void **state) {
    (void)state;
    static const struct {
        char *words[6];
        const char *says;
    } typed[] = {
        {{"rnu"}, "no command is called 'rnu' (did you mean 'run'?)"},
        {{"rtl-tset", "x"}, "(did you mean 'rtl-test'?)"},
        {{"help", "figurs"}, "no command is called 'figurs' (did you mean 'figures'?)"},
        {{"--verison"}, "lockstep: unrecognized option '--verison' (did you mean '--version'?)"},
        {{"run", "--tarce", "t.fst", "true"}, "unrecognized option '--tarce' (did you mean '--trace'?)"},
        {{"run", "--trace_cycles=0:5", "true"}, "'--trace_cycles' (did you mean '--trace-cycles'?)"},
        {{"config", "--descirbe"}, "(did you mean '--describe'?)"},
        {{"compare", "--jsno", "true"}, "(did you mean '--json'?)"},
        {{"explore", "--focsu", "pareto"}, "(did you mean '--focus'?)"},
        {{"run", "--wholly-other", "true"}, "unrecognized option '--wholly-other'\n"},
        {{"run", "--rtl", "warp_schedular=check", "true"},
         "'warp_schedular' (did you mean 'warp_scheduler'?)"},
        {{"run", "--rtl", "chekc", "true"},
         "'chekc' is none of off, check, drive and replace (did you mean 'check'?)"},
        {{"rtl-test", "min_pc_arbitr=check"}, "(did you mean 'min_pc_arbiter'?)"},
        {{"rtl-template", "barier_table"}, "(did you mean 'barrier_table'?)"},
        {{"figures", "unifrom"}, "no report is called 'unifrom' (did you mean 'uniform'?)"},
        {{"figures", "harp", "--benchmark", "path_findr"}, "(did you mean 'path_finder'?)"},
        {{"figures", "harp", "--figure", "figg11"}, "(did you mean 'fig11"},
        {{"run", "--mode", "simtt", "true"}, "(did you mean 'simt'?)"},
        {{"run", "--set", "simt.divergence=harpp", "true"}, "(did you mean 'harp'?)"},
    };
    for (size_t n = 0; n < sizeof typed / sizeof *typed; n++) {
        char *argv[8] = {fixture_command};
        memcpy(argv + 1, typed[n].words, sizeof typed[n].words);
        assert_fails(spawn(fixture_folder, argv), EXIT_USER, typed[n].says);
    }
    /* A beginning of an option is accepted; an option's argument is not taken for an option, nor are the
     * program's arguments. */
    assert_fails(LOCKSTEP("run", "--set", "--tarce", "true"), EXIT_USER, "--set --tarce");
    assert_fails(LOCKSTEP("run", "--stat", "x.xml", "true"), EXIT_USER,
                 "--stats x.xml: the name must end in .json, .csv or .txt");
    assert_fails(LOCKSTEP("run", "./none", "--tarce"), EXIT_NOT_FOUND, "./none");
}

/* Hints and lines that repeat a run begin as the command was called. */
static void test_the_name_by_which_it_is_called(void **state) {
    (void)state;
    char *link = fixture_path("ls");
    assert_int_equal(symlink(fixture_command, link), 0);
    struct spawned s = spawn(fixture_folder, (char *[]){"./ls", "./true", NULL});
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "to run it as a program: ./ls run -- ./true ...");
    spawn_free(&s);
    free(fixture_file("bad.sv", "", 0644));
    char *copy =
        spawn_text("sed 's/ready_i != .0/ready_i == 0/' %s/rtl/warp_scheduler.sv >bad.sv", spawn_source());
    s = spawn(fixture_folder, (char *[]){"sh", "-c", copy, NULL});
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"env", "LOCKSTEP_RTL_OPTIMIZE=1", "./ls", "rtl-test", "--quiet",
                                         "warp_scheduler=check:bad.sv", NULL});
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "\n  replay     ./ls rtl-test --quiet warp_scheduler=check:bad.sv\n");
    assert_null(strstr(s.err, "building the Verilog"));
    spawn_free(&s);
    assert_fails(LOCKSTEP("rtl-test", "warp_scheduler=check:bad.sv", "--window", "nowhere/x.fst"), EXIT_USER,
                 "--window nowhere/x.fst: nowhere/x.fst cannot be written");
    free(fixture_file("w.gtkw", "x: y\n", 0644));
    assert_fails(LOCKSTEP("rtl-test", "warp_scheduler=check", "--config", "w.gtkw", "--window", "w.fst"),
                 EXIT_USER, "would replace w.gtkw, the configuration");
    free(copy);
    free(link);
}

static void test_warp_size_is_a_power_of_two(void **state) {
    (void)state;
    char *path = fixture_file("machine.yaml", "simt:\n  warp_size: 24\n", 0644);
    assert_fails(LOCKSTEP("config", "--config", path), EXIT_USER, "machine.yaml:2: ");
    assert_fails(LOCKSTEP("run", "--config", path, "true"), EXIT_USER, "power of two");
    assert_fails(LOCKSTEP("run", "--set", "simt.warp_size=24", "true"), EXIT_USER, "power of two");
    free(path);
}

static void test_fields_that_do_not_fit_together(void **state) {
    (void)state;
    assert_fails(LOCKSTEP("config", "--set", "simt.warp_size=8", "--set", "cluster.lanes=16"), EXIT_USER,
                 "cluster.lanes");
}

static void test_missing_config(void **state) {
    (void)state;
    assert_fails(LOCKSTEP("run", "--config", "nowhere.yaml", "true"), EXIT_USER, "'nowhere.yaml'");
}

static void test_output_that_cannot_be_written(void **state) {
    (void)state;
    char *line = spawn_text("'%s' config >/dev/full", fixture_command);
    assert_fails(spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL}), EXIT_USER,
                 "standard output cannot be written");
    free(line);
}

static void test_missing_program(void **state) {
    (void)state;
    assert_fails(LOCKSTEP("run"), EXIT_USER, "no program is given");
    assert_fails(LOCKSTEP("run", "--"), EXIT_USER, "no program is given");
    assert_fails(LOCKSTEP("run", "--", "./nowhere"), EXIT_NOT_FOUND, "./nowhere: there is no such program");
    assert_fails(LOCKSTEP("run", "--", "lockstep-nowhere"), EXIT_NOT_FOUND, "no such program on PATH");
    assert_fails(LOCKSTEP("run", "--", "machine.yaml/x"), EXIT_NOT_FOUND, "there is no such program");
    assert_fails(LOCKSTEP("run", "--", ""), EXIT_NOT_FOUND, "there is no such program");
}

static void test_program_that_cannot_run(void **state) {
    (void)state;
    free(fixture_file("data", "text\n", 0644));
    assert_fails(LOCKSTEP("run", "--", "./data"), EXIT_CANNOT_RUN, "./data: this file is not executable");
    assert_fails(LOCKSTEP("run", "--", fixture_folder), EXIT_CANNOT_RUN, "this is a folder");
}

/* Creates a program that leaves a file when it is started. */
static char *witness(void) {
    return fixture_file("witness", "#!/bin/sh\ntouch started\n", 0755);
}

static void test_trace_that_cannot_be_written(void **state) {
    (void)state;
    char *program = witness();
    assert_fails(LOCKSTEP("run", "--stats", "s.json", "--trace", "nowhere/t.fst", "--", program), EXIT_USER,
                 "nowhere/t.fst");
    assert_exists("started", false);
    assert_exists("s.json", false);
    assert_exists("s.json.part", false);
    free(program);
}

static void test_trace_name(void **state) {
    (void)state;
    char *program = witness();
    assert_fails(LOCKSTEP("run", "--trace", "a\nb.fst", "--", program), EXIT_USER,
                 "cannot stand in the view");
    assert_fails(LOCKSTEP("rtl-test", "warp_scheduler=check", "--window", "a\nb.fst"), EXIT_USER,
                 "cannot stand in the view");
    assert_fails(LOCKSTEP("run", "--trace", "t.vdc", "--", program), EXIT_USER, "must end in .fst or .vcd");
    assert_fails(LOCKSTEP("run", "--trace", ".fst", "--", program), EXIT_USER, "must end in .fst or .vcd");
    assert_fails(LOCKSTEP("run", "--trace", "t.fst", "--stats", "t.fst", "--", program), EXIT_USER,
                 "the same file");
    assert_exists("started", false);
    assert_exists("t.fst.part", false);
    free(program);
}

static void test_stats_that_cannot_be_written(void **state) {
    (void)state;
    char *program = witness();
    assert_fails(LOCKSTEP("run", "--stats", "nowhere/s.json", "--", program), EXIT_USER, "nowhere/s.json");
    char *folder = fixture_path("s.json");
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_fails(LOCKSTEP("run", "--stats", folder, "--", program), EXIT_USER, "not an ordinary file");
    assert_fails(LOCKSTEP("run", "--stats", "s.xml", "--", program), EXIT_USER,
                 "--stats s.xml: the name must end in .json, .csv or .txt, which says the format");
    assert_exists("started", false);
    free(folder);
    free(program);
}

static void test_max_cycles(void **state) {
    (void)state;
    static char *const wrong[] = {"0", "-1", "abc", "10x", "", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(LOCKSTEP("run", "--max-cycles", wrong[i], "true"), EXIT_USER, "a number of cycles");
}

static void test_trace_cycles(void **state) {
    (void)state;
    static char *const wrong[] = {"", "5", "5:", ":5", "9:5", "-1:5", "1:5x", "a:b", "1-5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", wrong[i], "true"), EXIT_USER,
                     "FIRST:LAST is needed");
    assert_fails(
        LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "10000000000001:10000000000002", "true"),
        EXIT_USER, "no run comes to that cycle");
    assert_fails(LOCKSTEP("run", "--trace-cycles", "5:9", "true"), EXIT_USER,
                 "--trace does not say where to");
}

static void test_how_a_trace_is_written(void **state) {
    (void)state;
    static char *const wrong[] = {"0", "-1", "", "5x", "1048577", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(LOCKSTEP("run", "--trace", "t.fst", "--trace-flush", wrong[i], "true"), EXIT_USER,
                     "a number of value changes is needed");
    assert_fails(LOCKSTEP("run", "--trace", "t.fst", "--trace-packing", "zip", "true"), EXIT_USER,
                 "one of lz4, fastlz, zlib");
    assert_fails(LOCKSTEP("run", "--trace", "t.vcd", "--trace-packing", "zlib", "true"), EXIT_USER,
                 "t.vcd is not compressed");
    assert_fails(LOCKSTEP("run", "--trace-packing", "lz4", "true"), EXIT_USER,
                 "--trace does not say where to");
    assert_fails(LOCKSTEP("run", "--trace-flush", "1000", "true"), EXIT_USER,
                 "--trace does not say where to");
    assert_exists("t.fst.part", false);
    assert_exists("t.vcd.part", false);
}

static void test_program_instead_of_a_command(void **state) {
    (void)state;
    char *program = witness();
    assert_fails(LOCKSTEP("./witness", "x"), EXIT_USER, "lockstep run -- ./witness ...");
    assert_fails(LOCKSTEP("witness"), EXIT_USER, "lockstep run -- witness ...");
    assert_fails(LOCKSTEP("no/such/witness"), EXIT_USER, "lockstep run -- no/such/witness ...");
    assert_fails(LOCKSTEP("runn"), EXIT_USER, "the commands are run, ");
    assert_exists("started", false);
    free(program);
}

static void test_lost_tools(void **state) {
    (void)state;
    char *copy = fixture_path("lockstep"), *program = witness();
    struct spawned s = spawn(fixture_folder, (char *[]){"cp", fixture_command, copy, NULL});
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    assert_fails(spawn(fixture_folder, (char *[]){copy, "run", program, NULL}), EXIT_USER,
                 "lockstep-cc cannot be used");
    assert_exists("started", false);
    free(copy);
    free(program);
}

static void test_serve(void **state) {
    (void)state;
    assert_fails(LOCKSTEP("serve"), EXIT_USER, "--socket-fd is missing");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "three"), EXIT_USER, "a file descriptor is a number");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "-1"), EXIT_USER, "a file descriptor is a number");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "77"), EXIT_USER, "77 is not an open socket");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "0"), EXIT_USER, "0 is not an open socket");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "0", "more"), EXIT_USER, "'more' is not an option");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "0", "--set", "simt.warp_size=5"), EXIT_USER,
                 "power of two");
    assert_fails(LOCKSTEP("serve", "--socket-fd", "0", "--config", "nowhere.yaml"), EXIT_USER,
                 "nowhere.yaml");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_version),
        TEST(test_version_without_tools),
        TEST(test_mode_is_a_field),
        TEST(test_levels_are_of_divergence_pc),
        TEST(test_checks_have_something_to_look_at),
        TEST(test_wrong_words),
        TEST(test_config_is_a_fixed_point),
        TEST(test_set_overrides_the_file),
        TEST(test_described_is_every_field),
        TEST(test_described_are_some_fields),
        TEST(test_described_fits_the_terminal),
        TEST(test_field_without_use),
        TEST(test_shipped_machines),
        TEST(test_misspelt_field),
        TEST(test_value_out_of_range),
        TEST(test_warp_size_is_a_power_of_two),
        TEST(test_fields_that_do_not_fit_together),
        TEST(test_missing_config),
        TEST(test_output_that_cannot_be_written),
        TEST(test_missing_program),
        TEST(test_program_that_cannot_run),
        TEST(test_trace_that_cannot_be_written),
        TEST(test_trace_name),
        TEST(test_stats_that_cannot_be_written),
        TEST(test_max_cycles),
        TEST(test_trace_cycles),
        TEST(test_lockstep_has_machines_of_its_own),
        TEST(test_did_you_mean),
        TEST(test_the_name_by_which_it_is_called),
        TEST(test_how_a_trace_is_written),
        TEST(test_lost_tools),
        TEST(test_program_instead_of_a_command),
        TEST(test_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
