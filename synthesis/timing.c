#include "synthesis/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const synthesis_stage_name[STAGE_COUNT] = {"S", "A", "D", "X", "C"};

/* The stage in which a path of the co-processor ends, by the first letters of its registers and ports.
 * Names without an entry belong to C. */
static const struct ending {
    const char *prefix;
    enum synthesis_stage stage;
} endings[] = {
    {"a_valid_q", STAGE_SELECT},
    {"a_warp_q", STAGE_SELECT},
    {"gen_", STAGE_SELECT},
    {"select_", STAGE_SELECT},
    {"runnable_", STAGE_SELECT},
    {"simt_q", STAGE_SELECT},
    {"descriptors.read_q", STAGE_SELECT},
    {"f_", STAGE_ARBITRATE},
    {"fetch_", STAGE_ARBITRATE},
    {"flight_q", STAGE_ARBITRATE},
    {"descriptors.warp_pc_q", STAGE_ARBITRATE},
    {"d_", STAGE_DECODE},
    {"decode_", STAGE_DECODE},
    {"queue_", STAGE_DECODE},
    {"offer_", STAGE_DECODE},
    {"o_", STAGE_DECODE},
    {"memory_q", STAGE_DECODE},
    {"waiting_", STAGE_EXECUTE},
    {"dispatcher.", STAGE_EXECUTE},
    {"first_o", STAGE_EXECUTE},
    {"valid_o", STAGE_EXECUTE},
    {"warp_o", STAGE_EXECUTE},
    {"context_o", STAGE_EXECUTE},
    {"beat_o", STAGE_EXECUTE},
    {"last_o", STAGE_EXECUTE},
    {"busy_o", STAGE_EXECUTE},
    {"descriptors.next_pc_q", STAGE_EXECUTE},
    {"descriptors.passed_q", STAGE_EXECUTE},
    {"descriptors.passed_count_q", STAGE_EXECUTE},
    {"descriptors.operation_q", STAGE_EXECUTE},
    {"descriptors.by_q", STAGE_EXECUTE},
    {"descriptors.executed_q", STAGE_EXECUTE},
};

/* Wires of the co-processor that the arbiter reads, and wires that it chooses. Each is cut: it becomes an
 * output of the same name, and an input with the suffix _i. */
static const char *const arbiter_reads[] = {"row_ready", "row_priority", "row_pc"};
static const char *const arbiter_chooses[] = {"chosen", "chosen_pc", "participating", "chosen_level"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static enum synthesis_stage stage_of(const char *name) {
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
        if (begins(name, endings[n].prefix)) return endings[n].stage;
    return STAGE_COMMIT;
}

void timing_write_cuts(FILE *yosys, const char *top) {
    fprintf(yosys, "expose -cut -sep _");
    for (size_t n = 0; n < COUNT(arbiter_reads); n++) fprintf(yosys, " %s/w:%s", top, arbiter_reads[n]);
    for (size_t n = 0; n < COUNT(arbiter_chooses); n++) fprintf(yosys, " %s/w:%s", top, arbiter_chooses[n]);
    fputc('\n', yosys);
}

/* --- OpenSTA --- */

#define ENOUGH_PS 1e6 /* period longer than any path */

static void write_registers(FILE *out, const struct netlist_scan *s, enum synthesis_stage stage) {
    fprintf(out, "set ends {}\n");
    for (size_t n = 0; n < s->register_count; n++)
        if (stage_of(s->registers[n].net) == stage)
            fprintf(out, "lappend ends [get_cells {%s}]\n", s->registers[n].instance);
}

static void write_outputs(FILE *out, enum synthesis_stage stage) {
    fprintf(out, "foreach p $outputs {\n  set name [get_property $p full_name]\n  set stage %d\n",
            STAGE_COMMIT);
    for (size_t n = COUNT(endings); n-- > 0;)
        fprintf(out, "  if {[string match {%s*} $name]} {set stage %d}\n", endings[n].prefix,
                endings[n].stage);
    fprintf(out, "  if {$stage == %d} {lappend ends $p}\n}\n", stage);
}

/* Writes the ports into which a wire was cut. */
static void write_ports(FILE *out, const char *variable, const char *wire, const char *suffix) {
    fprintf(out,
            "foreach p [all_%s] {if {[regexp {^%s%s(\\[|$)} [get_property $p full_name]]} {lappend %s $p}}\n",
            *suffix ? "inputs" : "outputs", wire, suffix, variable);
}

/* Writes variables of the script: the cut ports, the other starts of paths, and the other outputs. */
static void write_ends(FILE *out) {
    static const char *const variables[] = {"reads", "read", "chooses", "chosen"};
    for (size_t n = 0; n < COUNT(variables); n++) fprintf(out, "set %s {}\n", variables[n]);
    for (size_t n = 0; n < COUNT(arbiter_reads); n++) {
        write_ports(out, "reads", arbiter_reads[n], "");
        write_ports(out, "read", arbiter_reads[n], "_i");
    }
    for (size_t n = 0; n < COUNT(arbiter_chooses); n++) {
        write_ports(out, "chooses", arbiter_chooses[n], "");
        write_ports(out, "chosen", arbiter_chooses[n], "_i");
    }
    fprintf(out,
            "set begins [all_registers -clock_pins]\nset outputs {}\nset cut {}\n"
            "foreach p [concat $reads $read $chooses $chosen] {lappend cut [get_property $p full_name]}\n"
            "foreach p [all_inputs] {\n  set name [get_property $p full_name]\n"
            "  if {$name ne {clk_i} && $name ni $cut} {lappend begins $p}\n}\n"
            "foreach p [all_outputs] {\n"
            "  if {[get_property $p full_name] ni $cut} {lappend outputs $p}\n}\n");
}

/* The parts of A: files, in the order in which they follow each other. */
static const char *const arbitration[] = {"stage-A-to.txt", "stage-A-in.txt", "stage-A-from.txt"};

static void write_stages(FILE *out, const struct netlist_scan *s) {
    static const char report[] = "-path_delay max -digits 4 -format full";
    write_ends(out);
    fprintf(out, "report_checks -from $begins -to $reads %s > %s\n", report, arbitration[0]);
    fprintf(out, "report_checks -from $read -to $chooses %s > %s\n", report, arbitration[1]);
    fprintf(out, "report_checks -from $chosen %s > %s\n", report, arbitration[2]);
    for (enum synthesis_stage stage = 0; stage < STAGE_COUNT; stage++) {
        if (stage == STAGE_ARBITRATE) continue;
        write_registers(out, s, stage);
        write_outputs(out, stage);
        fprintf(out, "report_checks -from $begins -to $ends %s > stage-%s.txt\n", report,
                synthesis_stage_name[stage]);
    }
}

static char *sta_script(const struct netlist_request *r, const struct technology *t, const char *script,
                        const struct netlist_scan *s) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fprintf(out,
            "read_liberty cells.lib\nread_verilog %s.v\nlink_design %s\n"
            "set_cmd_units -time ps -capacitance fF\n"
            "create_clock -name clock -period %.0f%s\n"
            "foreach p [all_inputs] {\n"
            "  if {[get_property $p full_name] ne {clk_i}} {\n"
            "    set_input_delay 0 -clock clock $p\n"
            "    set_driving_cell -lib_cell %s $p\n  }\n}\n"
            "set_output_delay 0 -clock clock [all_outputs]\n"
            "set_load %.6g [all_outputs]\n",
            script, r->top, ENOUGH_PS, s->clocked ? " [get_ports clk_i]" : "", t->liberty.inverter->name,
            t->load_ff);
    if (s->clocked) fprintf(out, "set_false_path -from [get_ports rst_ni]\n");
    if (r->stages) fprintf(out, "set_false_path -to [get_ports {illegal_o overflow_o}]\n");
    fprintf(out, "report_checks -path_delay max -digits 4 -format full > longest.txt\n");
    if (r->stages) write_stages(out, s);
    fprintf(out, "exit\n");
    fclose(out);
    return text;
}

/* Names a path's end by its register's net or its port. Report line: "Startpoint: NAME (…". */
static void name_end(const char *report, const char *which, const struct netlist_scan *s, char *out,
                     size_t size) {
    const char *at = strstr(report, which);
    out[0] = '\0';
    if (!at) return;
    at += strlen(which);
    const size_t length = strcspn(at, " \n");
    snprintf(out, size, "%.*s", (int)length, at);
    const char *net = netlist_scan_net(s, out);
    if (net) snprintf(out, size, "%s", net);
}

/* Reads a path. Returns false with *e if OpenSTA's report has none; with `empty` the delay is 0 instead. */
static bool read_path(const struct tool_folder *f, const char *file, const struct netlist_scan *s,
                      const struct technology *t, bool empty, double *fo4, char from[128], char to[128],
                      struct error *e) {
    char *report = technology_get(f, file, e);
    if (!report) return false;
    double slack = NAN;
    for (const char *line = report; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        double value;
        char word[16];
        if (sscanf(line, "%lf %15s", &value, word) == 2 && strcmp(word, "slack") == 0) slack = value;
    }
    name_end(report, "Startpoint: ", s, from, 128);
    name_end(report, "Endpoint: ", s, to, 128);
    free(report);
    *fo4 = isfinite(slack) ? (ENOUGH_PS - slack) / t->fo4_ps : 0;
    return isfinite(slack) || empty ||
           error_set(e, EXIT_USER, "OpenSTA finds no path in a netlist of %s", t->liberty.path);
}

/* Adds A's three parts: the path to the arbiter's inputs, through the arbiter, and from its outputs on. */
static bool read_arbitration(const struct tool_folder *f, const struct netlist_scan *s,
                             const struct technology *t, struct netlist_result *one, struct error *e) {
    char from[128] = "", to[128] = "", *path = one->stage_to[STAGE_ARBITRATE];
    size_t used = 0;
    one->stage_fo4[STAGE_ARBITRATE] = 0;
    for (size_t n = 0; n < COUNT(arbitration); n++) {
        double fo4;
        if (!read_path(f, arbitration[n], s, t, true, &fo4, n ? from : one->stage_from[STAGE_ARBITRATE], to,
                       e))
            return false;
        one->stage_fo4[STAGE_ARBITRATE] += fo4;
        if (used < sizeof one->stage_to[0])
            used +=
                (size_t)snprintf(path + used, sizeof one->stage_to[0] - used, "%s%s", n ? " -> " : "", to);
    }
    return true;
}

static bool read_stages(const struct tool_folder *f, const struct netlist_scan *s, const struct technology *t,
                        struct netlist_result *one, struct error *e) {
    bool good = read_arbitration(f, s, t, one, e);
    for (enum synthesis_stage stage = 0; good && stage < STAGE_COUNT; stage++) {
        char name[16];
        if (stage == STAGE_ARBITRATE) continue;
        snprintf(name, sizeof name, "stage-%s.txt", synthesis_stage_name[stage]);
        good = read_path(f, name, s, t, true, &one->stage_fo4[stage], one->stage_from[stage],
                         one->stage_to[stage], e);
    }
    return good;
}

bool timing_measure(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                    const char *script, struct netlist_scan *s, struct netlist_result *one, struct error *e) {
    char *const argv[] = {"sta", "-no_splash", "-exit", "time.tcl", NULL};
    char refuses[PATH_MAX + 64], name[32];
    snprintf(refuses, sizeof refuses, "OpenSTA refuses a netlist of %s", r->top);
    snprintf(name, sizeof name, "%s.v", script);
    struct netlist *n = &one->fastest;
    if (!netlist_scan(s, f, name, &t->liberty, e)) return false;
    snprintf(n->script, sizeof n->script, "%s", script);
    n->area_nand2 = s->area / t->liberty.nand2->area;
    n->flip_flop_nand2 = s->flip_flop_area / t->liberty.nand2->area;
    n->cells = s->cells;
    n->flip_flops = (unsigned)s->register_count;
    char *text = sta_script(r, t, script, s);
    bool good = technology_put(f, "time.tcl", text, e) && tool_run(argv, f, refuses, e);
    free(text);
    good = good && read_path(f, "longest.txt", s, t, false, &n->delay_fo4, n->from, n->to, e);
    return good && (!r->stages || read_stages(f, s, t, one, e));
}
