#include "synthesis/power.h"

#include "synthesis/netlist_scan.h"
#include "synthesis/synthesis_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_PS 1e4 /* clock period in ps; energy of a cycle does not depend on it */

static char *sta_script(const struct netlist_request *r, const struct technology *t, bool clocked,
                        const struct power_port *ports, unsigned count) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fprintf(out,
            "read_liberty cells.lib\nread_verilog gates.v\nlink_design %s\n"
            "set_cmd_units -time ps -capacitance fF\n"
            "create_clock -name clock -period %.0f%s\n"
            "foreach p [all_inputs] {\n" /* without a clock, an activity is one change a second */
            "  if {[get_property $p full_name] ne {clk_i}} {set_input_delay 0 -clock clock $p}\n}\n"
            "set_load %.6g [all_outputs]\n",
            r->top, PERIOD_PS, clocked ? " [get_ports clk_i]" : "", t->load_ff);
    if (clocked) fprintf(out, "set_power_activity -input_ports [get_ports rst_ni] -activity 0 -duty 1\n");
    for (const struct power_port *p = ports; p < ports + count; p++)
        fprintf(out,
                "foreach p [all_inputs] {if {[regexp {^%s_i(\\[|$)} [get_property $p full_name]]} "
                "{set_power_activity -input_ports $p -activity %.9g -duty %.9g}}\n",
                p->name, p->activity, p->duty);
    fprintf(out, "report_power -digits 9 > power.txt\nexit\n");
    fclose(out);
    return text;
}

/* Reads "Total  internal  switching  leakage  total  100.0%", in watts. */
static bool read_report(const struct tool_folder *f, const struct technology *t, struct power *p,
                        struct error *e) {
    char *report = technology_get(f, "power.txt", e);
    if (!report) return false;
    const char *at = strstr(report, "\nTotal");
    double internal, switching, leakage;
    const bool good = at && sscanf(at, " Total %lf %lf %lf", &internal, &switching, &leakage) == 3;
    free(report);
    if (!good) return error_set(e, EXIT_USER, "OpenSTA finds no power in a netlist of %s", t->liberty.path);
    p->dynamic_pj = (internal + switching) * PERIOD_PS;
    p->leakage_mw = leakage * 1e3;
    return true;
}

bool power_of(const struct netlist_request *r, const struct technology *t, const struct power_port *ports,
              unsigned count, void (*on_run)(const char *top), struct power *p, struct error *e) {
    char *const argv[] = {"sta", "-no_splash", "-exit", "power.tcl", NULL};
    char refuses[VERILOG_MAX_NAME + 64], cells[PATH_MAX + 16];
    struct netlist_result result;
    struct netlist_scan scan = {0};
    struct tool_folder f;
    char *verilog = netlist_gates(r, t, on_run, &result, e);
    if (!verilog || !synthesis_folder(&f, e)) {
        free(verilog);
        return false;
    }
    snprintf(refuses, sizeof refuses, "OpenSTA refuses a netlist of %s", r->top);
    snprintf(cells, sizeof cells, "%s/cells.lib", f.path);
    bool good = liberty_write(&t->liberty, cells, e) && technology_put(&f, "gates.v", verilog, e) &&
                netlist_scan(&scan, &f, "gates.v", &t->liberty, e);
    char *script = good ? sta_script(r, t, scan.clocked, ports, count) : NULL;
    good = good && technology_put(&f, "power.tcl", script, e) && tool_run(argv, &f, refuses, e) &&
           read_report(&f, t, p, e);
    netlist_scan_free(&scan);
    free(script);
    free(verilog);
    tool_folder_remove(&f);
    return good;
}
