/* icarus: our Verilog under Icarus, compared with the C model. Each cycle of the constrained random inputs is
 * recorded with the model's outputs and flip-flops. A bench replays the inputs and compares all values in
 * every cycle. And `scripts/lint` refuses Verilog that Icarus or Yosys does not elaborate. */
#include "tb/stimulus/blocks.h"
#include "tests/seed.h"
#include "tests/spawn.h"
#include "tests/tb/rtl_sizes.h"

#include <stdio.h>

#define CYCLES 10000

#define SIZE 3 /* index in rtl/sizes: odd numbers */

/* A block, and a change of its Verilog that must be seen. */
struct replayed {
    const char *name, *from, *to;
};

/* --- vectors --- */

static void write_value(FILE *out, const struct twin_record *r, const struct twin_port *p) {
    fputc(' ', out);
    for (unsigned n = p->elements; n-- > 0;)
        for (unsigned bit = p->element_bits; bit-- > 0;)
            fputc('0' + (int)(r->model[p->slot + n] >> bit & 1), out);
}

/* Writes a line a cycle: 1 after a reset, then the value of every port and flip-flop. */
static void record(FILE *out, const struct stimulus_block *b, struct twin *t, struct seed *seed) {
    for (uint64_t cycle = 0; cycle < CYCLES; ++cycle) {
        const bool reset = b->drive(seed);
        if (reset) twin_reset(t);
        assert_null(twin_cycle(t, cycle, b->in, b->out, b->q, false));
        fputc(reset || cycle == 0 ? '1' : '0', out);
        for (unsigned n = 0; n < t->ports; ++n) write_value(out, twin_history(t, 0), &t->port[n]);
        fputc('\n', out);
        if (b->clock) b->clock();
    }
}

/* --- the bench --- */

static char *name_of(const struct twin_port *p) {
    return spawn_text("%s%s", p->signal->name, twin_suffix[p->signal->kind]);
}

static bool is_port(const struct twin_port *p) {
    return p->signal->kind == VERILOG_INPUT || p->signal->kind == VERILOG_OUTPUT;
}

static void write_instance(FILE *out, const struct stimulus_block *b, const struct twin *t,
                           const struct verilog_setting *setting, unsigned count) {
    const char *comma = "";
    fprintf(out, "  %s #(", b->name);
    for (unsigned n = 0; n < count; ++n, comma = ", ")
        fprintf(out, "%s.%s(%u)", comma, setting[n].name, setting[n].value);
    fputs(") dut (", out);
    comma = "";
    if (t->clock) fprintf(out, ".clk_i(clk), .rst_ni(rst_n)"), comma = ", ";
    for (unsigned n = 0; n < t->ports; ++n) {
        char *name = name_of(&t->port[n]);
        const bool input = t->port[n].signal->kind == VERILOG_INPUT;
        if (is_port(&t->port[n])) {
            fprintf(out, "%s.%s(%s%s)", comma, name, input ? "model_" : "", name);
            comma = ", ";
        }
        free(name);
    }
    fputs(");\n", out);
}

static void write_bench(FILE *out, const struct stimulus_block *b, const struct twin *t,
                        const struct verilog_setting *setting, unsigned count) {
    fputs("module bench;\n  logic clk = 0, rst_n = 1, reset;\n  integer file, cycle;\n", out);
    for (unsigned n = 0; n < t->ports; ++n) {
        const struct twin_port *p = &t->port[n];
        char *name = name_of(p);
        fprintf(out, "  logic [%u:0] model_%s;\n", p->elements * p->element_bits - 1, name);
        if (p->signal->kind == VERILOG_OUTPUT)
            fprintf(out, "  wire [%u:0] %s;\n", p->elements * p->element_bits - 1, name);
        free(name);
    }
    write_instance(out, b, t, setting, count);
    fputs("  initial begin\n    file = $fopen(\"vectors\", \"r\");\n    cycle = 0;\n"
          "    while ($fscanf(file, \"%b",
          out);
    for (unsigned n = 0; n < t->ports; ++n) fputs(" %b", out);
    fputs("\", reset", out);
    for (unsigned n = 0; n < t->ports; ++n) {
        char *name = name_of(&t->port[n]);
        fprintf(out, ", model_%s", name);
        free(name);
    }
    fprintf(out, ") == %u) begin\n      if (reset) rst_n = 0;\n      #1 rst_n = 1;\n      #1;\n",
            t->ports + 1);
    for (unsigned n = 0; n < t->ports; ++n) {
        char *name = name_of(&t->port[n]);
        const char *scope = is_port(&t->port[n]) ? "" : "dut.";
        if (t->port[n].signal->kind != VERILOG_INPUT)
            fprintf(
                out,
                "      if (%s%s !== model_%s) begin\n"
                "        $display(\"cycle %%0d: %s is %%b, in the C model %%b\", cycle, %s%s, model_%s);\n"
                "        $finish;\n      end\n",
                scope, name, name, name, scope, name, name);
        free(name);
    }
    fputs("      clk = 1;\n      #1 clk = 0;\n      cycle = cycle + 1;\n    end\n"
          "    $display(\"%0d cycles agree\", cycle);\n  end\nendmodule\n",
          out);
}

/* --- replay --- */

static char *replay(const char *folder, const char *verilog) {
    char *line =
        spawn_text("iverilog -g2012 -s bench -o bench.vvp bench.sv '%s' 2>&1 && vvp -n bench.vvp", verilog);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    if (s.status != 0) fail_msg("%s%s", s.out, s.err);
    char *out = spawn_text("%s", s.out);
    spawn_free(&s);
    free(line);
    return out;
}

static char *changed(const char *folder, const struct replayed *r, const char *own) {
    char *text = spawn_read(own), *at = strstr(text, r->from);
    assert_non_null(at);
    *at = '\0';
    char *all = spawn_text("%s%s%s", text, r->to, at + strlen(r->from));
    char *path = spawn_text("%s/%s.sv", folder, r->name);
    spawn_write(path, all);
    free(all);
    free(text);
    return path;
}

static FILE *create(const char *folder, const char *name) {
    char *path = spawn_text("%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    free(path);
    return out;
}

/* Collects the parameters of the module with their values; returns their number. */
static unsigned settings_of(const char *own, const struct rtl_size *size, struct verilog_setting setting[]) {
    char *text = spawn_read(own);
    unsigned count = 0;
    for (unsigned n = 0; n < size->count; ++n) {
        char *declared = spawn_text("parameter  logic [31:0] %s ", size->setting[n].name);
        if (strstr(text, declared)) setting[count++] = size->setting[n];
        free(declared);
    }
    free(text);
    assert_true(count > 0);
    return count;
}

static void a_block_agrees_and_a_fault_is_seen(void **state) {
    static struct twin twin;
    static struct rtl_size sizes[RTL_SIZES];
    const struct rtl_size *size = &sizes[SIZE];
    static struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
    const struct replayed *r = *state;
    const struct stimulus_block *b = stimulus_find(r->name);
    struct error e = {0};
    struct seed seed = seed_start();
    char *folder = spawn_folder(), *own = spawn_text("%s/rtl/%s.sv", spawn_source(), r->name);
    assert_true(rtl_sizes_of_source(sizes) > SIZE);
    const unsigned count = settings_of(own, size, setting);
    b->start(&seed, size);
    if (!twin_init(&twin, stimulus_row(b), own, setting, count, &e)) fail_msg("%s", e.message);
    FILE *bench = create(folder, "bench.sv"), *vectors = create(folder, "vectors");
    write_bench(bench, b, &twin, setting, count);
    record(vectors, b, &twin, &seed);
    fclose(bench);
    fclose(vectors);
    twin_free(&twin);

    char *said = replay(folder, own), *fault = changed(folder, r, own), *other = replay(folder, fault);
    if (!strstr(said, "\n10000 cycles agree\n") && strcmp(said, "10000 cycles agree\n") != 0)
        fail_msg("%s", said);
    print_message("%s for %s: %s", r->to, r->from, other);
    assert_non_null(strstr(other, "in the C model"));
    assert_null(strstr(other, "cycles agree"));
    free(said);
    free(other);
    free(fault);
    free(own);
    spawn_remove_folder(folder);
}

/* --- scripts/lint --- */

/* Copies the Verilog with `text` added to a block. The check must report `part`, or nothing without one. */
static void assert_lint(const char *check, const char *text, const char *part) {
    char *folder = spawn_folder();
    char *line = spawn_text("mkdir scripts && cp -r '%s/rtl' . && cp '%s/scripts/lint' scripts && "
                            "sed -i 's/^endmodule/%s&/' rtl/warp_scheduler.sv && scripts/lint %s 2>&1",
                            spawn_source(), spawn_source(), text, check);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    if (s.status != (part != NULL) || !strstr(s.out, part ? part : "clean")) fail_msg("%s%s", s.out, s.err);
    spawn_free(&s);
    free(line);
    spawn_remove_folder(folder);
}

static void lint_refuses_what_icarus_does(void **state) {
    (void)state;
    assert_lint("icarus", "", NULL);
    assert_lint("icarus", "localparam int unsigned TWO = 2;\\n", "warp_scheduler.sv:");
}

static void lint_refuses_latches_and_loops(void **state) {
    (void)state;
    assert_lint("yosys", "logic held; always @* if (take_i) held = clk_i;\\n", "$dlatch");
    assert_lint("yosys", "logic one, two; assign one = !two; assign two = one \\&\\& clk_i;\\n",
                "logic loop");
}

int main(void) {
    static const struct replayed blocks[] = {
        {"warp_scheduler", "WARPS'(2) << last_q", "WARPS'(1) << last_q"},
        {"warp_pc_arbiter", "&& wtid_o != '0 &&", "&&"},
        {"barrier_table", "all_wait && !mixed_d[g]", "all_wait"},
    };
#define BLOCKS (sizeof blocks / sizeof *blocks)
    struct CMUnitTest tests[BLOCKS + 2];
    for (unsigned n = 0; n < BLOCKS; ++n)
        tests[n] = (struct CMUnitTest){.name = blocks[n].name,
                                       .test_func = a_block_agrees_and_a_fault_is_seen,
                                       .initial_state = (void *)&blocks[n]};
    tests[BLOCKS] = (struct CMUnitTest)cmocka_unit_test(lint_refuses_what_icarus_does);
    tests[BLOCKS + 1] = (struct CMUnitTest)cmocka_unit_test(lint_refuses_latches_and_loops);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
