/* `lockstep run --rtl BLOCK=MODE:FILE.sv,…`: a user's Verilog in a slot: syntax, refusals, comparisons. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

#include <sys/stat.h>

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

/* --- syntax of --rtl --- */

static void mistakes_on_the_command_line_are_named(void **state) {
    (void)state;
    assert_refused("warp_scheduler=replace",
                   "replace is for Verilog of your own: warp_scheduler=replace:FILE.sv");
    assert_refused("replace", "replace is for Verilog of your own: BLOCK=replace:FILE.sv");
    assert_refused("warp_scheduler=off:x.sv", "with mode off no Verilog runs");
    assert_refused("warp_scheduler=check:", "a file is missing after the colon");
    assert_refused("check:x.sv", "'check:x.sv' is none of off, check, drive and replace");
    assert_refused("warp_scheduler=check:x.sv,", "something is missing beside a comma");
    assert_refused("warp_scheduler=check:x.sv,a,b",
                   "'b' is neither a file (.sv, .v, .c, .cpp), nor the top module");
    assert_refused("warp_scheduler=check:x.sv,-I", "'-I' is none of -IFOLDER, -GNAME=VALUE");
    assert_refused("warp_scheduler=check:x.sv,-GN", "'-GN' is none of");
    assert_refused("warp_scheduler=check:x.sv,-O3", "'-O3' is none of");
    assert_refused("warp_scheduler=check:x.sv,arbiter=check", "no block is called 'arbiter'");
    assert_refused("warp_scheduler=check:x.sv", "x.sv: the Verilog cannot be read: No such file");
    assert_refused("warp_scheduler=check:.", ".: the Verilog cannot be read: Is a directory");
    assert_refused("warp_scheduler=check:x.vhd", "x.vhd is VHDL: only Verilog and SystemVerilog are read");
    assert_refused("warp_scheduler=check:x.sv,y.vhdl", "y.vhdl is VHDL");
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
    assert_refused("warp_scheduler=check:x.sv", "x.sv\n    1:41: syntax error");
    write_file("x.sv", "`include \"none.svh\"\nmodule warp_scheduler;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv", "x.sv\n    1:10: Cannot find include file: none.svh");
    write_file("x.sv", "module y #(parameter int A = 1, parameter int WARPS = 2);\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv,y,-GB=2", "module y of ");
    assert_refused("warp_scheduler=check:x.sv,y,-GB=2", "has no such parameter; it has: A, WARPS\n");
    assert_refused("warp_scheduler=check:x.sv,y,-GWARPS=2",
                   "-GWARPS=2: the machine gives WARPS its value: 16");
    write_file("x.sv", "module y (input logic [3:0] a, output logic o);\n  assign o = a;\nendmodule\n");
    assert_refused("warp_scheduler=check:x.sv,y", "the ports of module y are not those of the slot");
}

/* A warning is printed once in a run, with the design in the cache or not, and with any number of clusters. A
 * warning refuses nothing; its option silences it. */
static void a_latch_is_told_of(void **state) {
    (void)state;
    static const char told[] =
        "lockstep: the Verilog of warp_scheduler, module warp_scheduler, has 1 warning, ";
    char *path = rtl_text_changed("warp_scheduler", "endmodule",
                                  "  logic held;\n  always_comb if (take_i) held = ready_i[0];\nendmodule"),
         *program = fixture_host("vector_add");
    struct spawned s;
    for (unsigned n = 0; n < 3; ++n) {
        s = LOCKSTEP("run", "--set", n < 2 ? "cluster.count=1" : "cluster.count=2", "--rtl",
                     "warp_scheduler=check:changed.sv", "--", program);
        assert_status(&s, EXIT_SOUND);
        assert_says(s.err, told);
        assert_null(strstr(strstr(s.err, told) + 1, told));
        assert_says(s.err, "\n  LATCH: a value is kept where no path assigns it");
        assert_says(s.err, "Latch inferred for signal 'warp_scheduler.held'");
        spawn_free(&s);
    }
    free(program);
    s = run_with("warp_scheduler=check:changed.sv,-Wno-LATCH", "vector_add", "s.json");
    assert_status(&s, EXIT_SOUND);
    assert_null(strstr(s.err, "LATCH"));
    spawn_free(&s);
    free(path);
}

/* The path is relative to where the command was started. */
static void a_missing_memory_file_ends_the_run(void **state) {
    (void)state;
    char *path = rtl_text_changed("warp_scheduler", "endmodule",
                                  "  logic [7:0] first [0:1];\n  initial $readmemh(\"first.hex\", first);\n"
                                  "endmodule");
    assert_result("warp_scheduler=check:changed.sv", EXIT_TWINS_DISAGREE,
                  "first.hex: $readmem file not found");
    write_file("first.hex", "12 34\n");
    assert_result("warp_scheduler=check:changed.sv", EXIT_SOUND, "module warp_scheduler");
    free(path);
}

/* The last word of a file is read with and without a final newline, and by other functions. */
static void the_last_word_of_a_file_is_read(void **state) {
    (void)state;
    static const char reads[] =
        "\n  logic [7:0] h [0:3]; logic [7:0] b [0:1]; logic [95:0] w [0:0]; integer file, found, value;\n"
        "  logic [8*8:1] line;\n"
        "  initial begin\n"
        "    $readmemh(\"h.hex\", h); $readmemb(\"b.bin\", b); $readmemh(\"w.hex\", w);\n"
        "    $display(\"h %h %h %h %h b %h %h w %h\", h[0], h[1], h[2], h[3], b[0], b[1], w[0]);\n"
        "    file = $fopen(\"n.txt\", \"r\"); found = $fscanf(file, \"%d\", value);\n"
        "    $display(\"scanned %0d %0d\", found, value); $fclose(file);\n"
        "    file = $fopen(\"n.txt\", \"r\"); found = $fgets(line, file);\n"
        "    $display(\"got %0d %0s|\", found, line); $fclose(file);\n"
        "  end\nendmodule";
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "endmodule", reads);
    write_file("reads.sv", text);
    for (unsigned n = 0; n < 3; n++) {
        const char *ending = n == 0 ? "" : n == 1 ? "\n" : " // the last";
        char *h = spawn_text("de\nad // a comment\nbe\nef%s", ending), *b = spawn_text("1010 0101%s", ending),
             *w = spawn_text("1234_5678_9abc_def0_1122_3344%s", ending);
        write_file("h.hex", h);
        write_file("b.bin", b);
        write_file("w.hex", w);
        write_file("n.txt", "42");
        struct spawned s =
            spawn(fixture_folder,
                  (char *[]){"env", "LOCKSTEP_RTL_OPTIMIZE=1", fixture_command, "rtl-test",
                             "warp_scheduler=replace:reads.sv,-Wno-fatal", "--cycles", "100", NULL});
        if (s.status) fail_msg("%s", s.err);
        assert_says(s.err, "h de ad be ef b 0a 05 w 123456789abcdef011223344\n");
        assert_says(s.err, "scanned 1 42\ngot 2 42|\n");
        spawn_free(&s);
        free(h);
        free(b);
        free(w);
    }
    free(text);
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

/* --- runs --- */

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

/* Two files, an include folder, types of a package, a parameter of the source, a name that is invalid
 * in C++. */
static void files_includes_and_parameters(void **state) {
    (void)state;
    char *text = rtl_text("warp_scheduler");
    text = rtl_text_change(text, "module warp_scheduler #(",
                           "`include \"turn.svh\"\nmodule my__scheduler #(\n"
                           "    parameter int FIRST = 99,\n");
    text = rtl_text_change(text, "WARP_BITS'(WARPS - 1);", "WARP_BITS'(FIRST);");
    text = rtl_text_change(text, "(WARPS'(2) << last_q)", "`BEYOND(last_q)");
    text = rtl_text_change(text, "assign valid_o = take_i && ready_i != '0;",
                           "any_ready #(.N(WARPS)) any_i (.ready_i, .take_i, .valid_o);");
    write_file("scheduler.sv", text);
    write_file("any.v",
               "module any_ready #(parameter N = 1) (input [N-1:0] ready_i, input take_i, output valid_o);\n"
               "  assign valid_o = take_i && ready_i != 0;\nendmodule\n");
    char *folder = fixture_path("include");
    assert_int_equal(mkdir(folder, 0777), 0);
    write_file("include/turn.svh", "`define BEYOND(last) (WARPS'(2) << last)\n");
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
    /* Another value of the source's parameter, and a changed included file, both need a new build. */
    assert_result("warp_scheduler=check:scheduler.sv,my__scheduler,any.v,-Iinclude,-GFIRST=3",
                  EXIT_TWINS_DISAGREE, "last_q is 0xf in the C model, 0x3 in the Verilog");
    write_file("include/turn.svh", "`define BEYOND(last) (WARPS'(1) << last)\n");
    assert_result(rtl, EXIT_TWINS_DISAGREE, "warp_scheduler and its Verilog disagree");
    /* A file that Verilator would find earlier. */
    write_file("include/turn.svh", "`define BEYOND(last) (WARPS'(2) << last)\n");
    char *earlier = fixture_path("earlier");
    assert_int_equal(mkdir(earlier, 0777), 0);
    rtl = "warp_scheduler=check:scheduler.sv,my__scheduler,any.v,-Iearlier,-Iinclude,-GFIRST=15";
    assert_result(rtl, EXIT_SOUND, "comparisons");
    write_file("earlier/turn.svh", "`define BEYOND(last) (WARPS'(1) << last)\n");
    assert_result(rtl, EXIT_TWINS_DISAGREE, "warp_scheduler and its Verilog disagree");
    free(text);
    free(folder);
    free(earlier);
}

/* Flip-flops of the model that a user's block lacks, or has with another width, are not compared; the report
 * mentions this. */
static void internals_are_compared_where_they_match(void **state) {
    (void)state;
    char *text = rtl_text("barrier_table");
    text = rtl_text_change(text, "pc_d, pc_q;", "spare; logic [32:0] pc_d, pc_q;");
    while (strstr(text, "mixed_q")) text = rtl_text_change(text, "mixed_q", "other_q");
    write_file("b.sv", text);
    struct spawned s = run_with("barrier_table=check:b.sv", "barrier_loop", "s.json");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err, "outputs compared, and live_q, waiting_q, with_q, exited_q, scalar_live_q, "
                       "scalar_waits_q, scalar_gone_q, release_q, release_scalar_q; not there: mixed_q; "
                       "of another width: pc_q\n");
    json_t *block = block_of("s.json", "barrier_table");
    assert_int_equal(json_array_size(json_object_get(block, "compared")), 9);
    assert_names(block, "not_there", "mixed_q");
    assert_names(block, "other_width", "pc_q");
    json_decref(block);
    spawn_free(&s);
    free(text);
}

/* A package, functions of it and of the module (whose arguments are not ports), a struct and a union as
 * ports, in a folder with a blank in its name. */
static void types_and_functions(void **state) {
    (void)state;
    char *folder = fixture_path("a folder");
    assert_int_equal(mkdir(folder, 0777), 0);
    write_file("a folder/types.sv",
               "package arbiter_types;\n"
               "  typedef struct packed { logic [15:0] upper; logic [15:0] lower; } pc_t;\n"
               "  typedef union packed { logic [31:0] all; logic [3:0][7:0] part; } mask_t;\n"
               "  function automatic logic [31:0] lowest(input logic [31:0] m);\n"
               "    return m & (~m + 1);\n  endfunction\nendpackage\n");
    write_file(
        "a folder/arbiter.sv",
        "module arbiter import arbiter_types::*; #(parameter int LEVELS = 8, parameter type T = pc_t) (\n"
        "  input mask_t ready_i, input logic [LEVELS-1:0][31:0] priority_i,\n"
        "  input logic [31:0][31:0] pc_i, output logic [31:0] wtid_o, output T pc_o,\n"
        "  output mask_t participating_o, output logic [2:0] level_o\n);\n"
        "  function automatic logic at_pc(input logic ready, input logic [31:0] one, output logic none);\n"
        "    none = !ready;\n    return ready && one == pc_o;\n  endfunction\n"
        "  logic [31:0] none;\n  wire unused = &{1'b0, priority_i, none};\n"
        "  assign wtid_o = lowest(ready_i), level_o = '0;\n"
        "  always_comb begin\n    pc_o = '0;\n"
        "    for (int k = 0; k < 32; k++) if (wtid_o[k]) pc_o = pc_i[k];\n"
        "    for (int k = 0; k < 32; k++) participating_o[k] = at_pc(ready_i[k], pc_i[k], none[k]);\n"
        "  end\nendmodule\n");
    struct spawned s =
        run_with("warp_pc_arbiter=replace:a folder/types.sv,a folder/arbiter.sv,arbiter,-Wno-ALWCOMBORDER",
                 "divergence", "s.json");
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
    write_file("a.sv", "module a (input logic [31:0] pc_i [32]);\nendmodule\n");
    assert_result("warp_pc_arbiter=replace:a.sv,a", EXIT_USER,
                  "\n  pc_i                 is an unpacked array; expected: packed, input of 1024 bits");
    free(folder);
}

/* line of the construct in the latest design of run_stopping */
static unsigned stopping_line;

/* Runs the template of the arbiter with an endless construct from its 1000th change on. */
static struct spawned run_stopping(const char *what, const char *options) {
    struct spawned s = LOCKSTEP("rtl-template", "warp_pc_arbiter");
    char *event = spawn_text("  initial $display(\"in the Verilog\");\n  logic [31:0] n = 0;\n"
                             "  /* verilator lint_off BLKSEQ */\n"
                             "  always @(ready_i) begin n = n + 1; if (n > 999) %s; end\nendmodule",
                             what);
    char *text = rtl_text_change(strdup(s.out), "endmodule", event);
    char *rtl = spawn_text("warp_pc_arbiter=replace:stops.sv%s", options);
    write_file("stops.sv", text);
    stopping_line = 1;
    for (const char *at = text; at < strstr(text, "if (n > 999)"); at++) stopping_line += *at == '\n';
    spawn_free(&s);
    s = run_with(rtl, "divergence", "s.json");
    assert_says(s.err, "in the Verilog\n"); /* standard output is the program's */
    assert_null(strstr(s.out, "in the Verilog"));
    free(event);
    free(text);
    free(rtl);
    return s;
}

/* Whatever ends the simulation in the Verilog ends the run, not the process. */
static void a_design_that_stops_is_named(void **state) {
    (void)state;
    static const struct {
        const char *what, *says;
    } stops[] = {
        {"$finish", "$finish\n"},
        {"$stop", "$stop\n"},
        {"assert (n[0]) else $error(\"%0d is even\", n)",
         "Assertion failed in rtl.warp_pc_arbiter: 1000 is even\n"},
        {"$fatal(1, \"at %0d\", n)", "Assertion failed in rtl.warp_pc_arbiter: at 1000\n"},
    };
    for (unsigned n = 0; n < sizeof stops / sizeof stops[0]; ++n) {
        struct spawned s = run_stopping(stops[n].what, "");
        assert_status(&s, EXIT_TWINS_DISAGREE);
        assert_says(s.err, "lockstep: the Verilog of warp_pc_arbiter stopped in cycle ");
        char *says = spawn_text("/stops.sv:%u: %s", stopping_line, stops[n].says);
        assert_says(s.err, says);
        free(says);
        assert_says(s.err, "/lockstep run ");
        assert_readable("mismatch.fst");
        spawn_free(&s);
    }
    struct spawned s = run_stopping("$display(\"%0d\", n)", "");
    assert_status(&s, EXIT_SOUND);
    spawn_free(&s);
}

/* Functions in C and C++, with a header; a change in one of them causes a new build. */
static void write_importing(void) {
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "assign valid_o = ",
                                 "import \"DPI-C\" function bit wrong(input byte a);\n"
                                 "  assign valid_o = wrong(8'd3) ^ ");
    write_file("dpi.sv", text);
    free(text);
}

static void functions_in_c_are_linked(void **state) {
    (void)state;
    write_importing();
    write_file("functions.h", "#define MASK 4\n");
    write_file("a.c", "#include <svdpi.h>\n#include \"functions.h\"\nint part(int);\n"
                      "svBit wrong(char a) { return part(a) & MASK ? 1 : 0; }\n");
    write_file("b.cpp", "extern \"C\" int part(int a) { return a + ADDED; }\n");
    assert_result("warp_scheduler=check:dpi.sv,a.c,b.cpp,-DADDED=0", EXIT_SOUND, "");
    assert_result("warp_scheduler=check:dpi.sv,a.c,b.cpp,-DADDED=1", EXIT_TWINS_DISAGREE, "valid_o is 0x");
    write_file("functions.h", "#define MASK 2\n");
    assert_result("warp_scheduler=check:dpi.sv,a.c,b.cpp,-DADDED=0", EXIT_TWINS_DISAGREE, "valid_o is 0x");
}

/* A folder whose name Verilator and make would expand. */
static void folders_with_dollars(void **state) {
    (void)state;
    static const char *const folders[] = {"a$b", "in$HOME", "${HOME}", "$(USER)"};
    for (unsigned n = 0; n < sizeof folders / sizeof *folders; n++) {
        char *text =
            rtl_text_change(rtl_text("warp_scheduler"), "endmodule", "`include \"more.svh\"\nendmodule");
        char *folder = fixture_path(folders[n]);
        assert_int_equal(mkdir(folder, 0777), 0);
        char *files[] = {spawn_text("%s/a.sv", folders[n]), spawn_text("%s/more.svh", folders[n]),
                         spawn_text("%s/a.c", folders[n]), spawn_text("%s/a.h", folders[n])};
        write_file(files[0], text);
        write_file(
            files[1],
            "  import \"DPI-C\" function int answer();\n  initial $display(\"it is %0d\", answer());\n");
        write_file(files[2], "#include \"a.h\"\nint answer(void) { return ANSWER; }\n");
        char *rtl = spawn_text("warp_scheduler=check:%s,%s", files[0], files[2]);
        for (unsigned answer = 41; answer < 43; answer++) {
            char *header = spawn_text("#define ANSWER %u\n", answer),
                 *says = spawn_text("it is %u\n", answer);
            write_file(files[3], header);
            assert_result(rtl, EXIT_SOUND, says);
            free(says);
            free(header);
        }
        for (unsigned f = 0; f < 4; f++) free(files[f]);
        free(rtl);
        free(folder);
        free(text);
    }
}

static void mistakes_in_functions_are_named(void **state) {
    (void)state;
    write_importing();
    assert_refused("warp_scheduler=check:dpi.sv", "the C functions that it imports by DPI");
    assert_refused("warp_scheduler=check:dpi.sv,none.c", "none.c: the C cannot be read: No such file");
    write_file("bad.c", "int part(int a) { return a }\n");
    assert_refused("warp_scheduler=check:dpi.sv,bad.c", "bad.c: gcc refuses it:\n");
    write_file("bad.c", "#include <nowhere/none.h>\n");
    assert_refused("warp_scheduler=check:dpi.sv,bad.c", "nowhere/none.h");
}

static void a_loop_that_does_not_settle_is_named(void **state) {
    (void)state;
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "from & (~from", "from & ~grant_o & (~from");
    write_file("loop.sv", text);
    assert_result("warp_scheduler=replace:loop.sv", EXIT_TWINS_DISAGREE,
                  "Circular combinational logic: 'grant_o'");
    assert_result("warp_scheduler=replace:loop.sv", EXIT_TWINS_DISAGREE,
                  "combinational region did not converge.");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(mistakes_on_the_command_line_are_named),
        TEST(mistakes_in_the_verilog_are_named),
        TEST(a_latch_is_told_of),
        TEST(a_missing_memory_file_ends_the_run),
        TEST(the_last_word_of_a_file_is_read),
        TEST(every_port_that_does_not_fit_is_named),
        TEST(files_includes_and_parameters),
        TEST(internals_are_compared_where_they_match),
        TEST(types_and_functions),
        TEST(a_design_that_stops_is_named),
        TEST(functions_in_c_are_linked),
        TEST(folders_with_dollars),
        TEST(mistakes_in_functions_are_named),
        TEST(a_loop_that_does_not_settle_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
