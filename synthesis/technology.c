#include "synthesis/technology.h"

#include "synthesis/synthesis_cache.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGES 10 /* inverters of the chain */

/* --- files of a tool --- */

static bool path_in(const struct tool_folder *f, const char *name, char *path, size_t size, struct error *e) {
    const int n = snprintf(path, size, "%s/%s", f->path, name);
    return (n >= 0 && (size_t)n < size) || error_set(e, EXIT_USER, "the path %s is too long", f->path);
}

bool technology_put(const struct tool_folder *f, const char *name, const char *text, struct error *e) {
    char path[PATH_MAX + NAME_MAX];
    if (!path_in(f, name, path, sizeof path, e)) return false;
    FILE *out = fopen(path, "w");
    if (!out) return error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
    fputs(text, out);
    const bool whole = !ferror(out);
    if (fclose(out) == 0 && whole) return true;
    return error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
}

char *technology_get(const struct tool_folder *f, const char *name, struct error *e) {
    char path[PATH_MAX + NAME_MAX], *text = NULL;
    size_t capacity = 0;
    if (!path_in(f, name, path, sizeof path, e)) return NULL;
    FILE *in = fopen(path, "r");
    if (in && getdelim(&text, &capacity, '\0', in) < 0) {
        free(text);
        text = feof(in) ? strdup("") : NULL; /* an empty report */
    }
    if (!in || !text) error_set(e, EXIT_USER, "%s was not written by the tool: %s", path, strerror(errno));
    if (in) fclose(in);
    return text;
}

/* --- FO4 --- */

/* Returns a chain of inverters, each of which drives the next one and three others. */
static char *chain(const struct liberty_cell *inverter) {
    char *text;
    size_t size;
    const char *in = liberty_input(inverter, 0)->name, *out = liberty_output(inverter)->name;
    FILE *v = open_memstream(&text, &size);
    require_memory(v);
    fprintf(v, "module chain (input a, output y);\n  wire [%d:0] n;\n  wire [%d:0] d;\n", STAGES,
            4 * STAGES + 3);
    fprintf(v, "  assign n[0] = a;\n  assign y = n[%d];\n", STAGES);
    for (unsigned i = 0; i < STAGES; i++)
        for (unsigned k = 0; k < 4; k++)
            if (k == 0)
                fprintf(v, "  %s c%u (.%s(n[%u]), .%s(n[%u]));\n", inverter->name, i, in, i, out, i + 1);
            else
                fprintf(v, "  %s d%u_%u (.%s(n[%u]), .%s(d[%u]));\n", inverter->name, i, k, in, i + 1, out,
                        4 * i + k);
    fprintf(v, "endmodule\n");
    fclose(v);
    return text;
}

static const char measure_chain[] = "read_liberty cells.lib\n"
                                    "read_verilog chain.v\n"
                                    "link_design chain\n"
                                    "set_cmd_units -time ps -capacitance fF\n"
                                    "set_max_delay 1000000 -from [get_ports a] -to [get_ports y]\n"
                                    "report_checks -digits 4 -format full -unconstrained > chain.txt\n"
                                    "exit\n";

/* Returns the time at which the path leaves inverter `n`: "  104.77  500.25 ^ c4/Y (INVX1)"; NAN without
 * such a line. */
static double leaves(const char *report, unsigned n, const char *pin) {
    char name[300];
    snprintf(name, sizeof name, " c%u/%s ", n, pin);
    const char *at = strstr(report, name);
    if (!at) return NAN;
    while (at > report && at[-1] != '\n') at--;
    double delay, time;
    return sscanf(at, "%lf %lf", &delay, &time) == 2 ? time : NAN;
}

/* Measures the FO4: the mean of a rising and a falling stage, far from the chain's ends. */
static bool measure(struct technology *t, const struct tool_folder *f, struct error *e) {
    char *const argv[] = {"sta", "-no_splash", "-exit", "chain.tcl", NULL};
    char refuses[PATH_MAX + 64];
    const char *pin = liberty_output(t->liberty.inverter)->name;
    char *verilog = chain(t->liberty.inverter);
    snprintf(refuses, sizeof refuses, "%s: OpenSTA refuses it", t->liberty.path);
    char *report = NULL;
    if (technology_put(f, "chain.v", verilog, e) && technology_put(f, "chain.tcl", measure_chain, e) &&
        tool_run(argv, f, refuses, e))
        report = technology_get(f, "chain.txt", e);
    free(verilog);
    if (!report) return false;
    t->fo4_ps = (leaves(report, 7, pin) - leaves(report, 5, pin)) / 2;
    free(report);
    if (isfinite(t->fo4_ps) && t->fo4_ps > 0) return true;
    return error_set(e, EXIT_USER,
                     "%s: OpenSTA finds no delay in a chain of its inverters (%s): has it timing tables?",
                     t->liberty.path, t->liberty.inverter->name);
}

/* Joins the lines with the versions of the tools. */
static bool ask_versions(struct technology *t, const struct tool_folder *f, struct error *e) {
    char *const argv[] = {"sh", "-c",
                          "yosys -V >tools && v=$(sta -version) && echo \"OpenSTA $v\" >>tools && "
                          "v=$(berkeley-abc -c version) && echo \"$v\" | "
                          "sed -n '/ABC [0-9]/s/^UC Berkeley, //p' >>tools || exit 1",
                          NULL};
    if (!tool_run(argv, f,
                  "area needs Yosys, ABC and OpenSTA; install them (scripts/setup, or apt-get install yosys "
                  "berkeley-abc opensta)",
                  e))
        return false;
    char *text = technology_get(f, "tools", e), *rest = text;
    if (!text) return false;
    t->tools[0] = '\0';
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line) {
            const size_t used = strlen(t->tools);
            snprintf(t->tools + used, sizeof t->tools - used, "%s%s", used ? "; " : "", line);
        }
    free(text);
    return true;
}

bool technology_read(struct technology *t, const char *path, const char *lef, struct error *e) {
    *t = (struct technology){0};
    if (!path) lef = TECHNOLOGY_LEF;
    if (!liberty_read(&t->liberty, path ? path : TECHNOLOGY_LIBERTY, e) ||
        (lef && !liberty_use_lef(&t->liberty, lef, e)))
        return false;
    t->load_ff = 4 * liberty_input(t->liberty.inverter, 0)->capacitance_ff;
    struct tool_folder f;
    if (!synthesis_folder(&f, e)) return false;
    char cells[PATH_MAX + 16];
    snprintf(cells, sizeof cells, "%s/cells.lib", f.path);
    const bool good = ask_versions(t, &f, e) && liberty_write(&t->liberty, cells, e) && measure(t, &f, e);
    tool_folder_remove(&f);
    return good;
}

void technology_free(struct technology *t) {
    liberty_free(&t->liberty);
}

double technology_40nm_mm2(double nand2) {
    return nand2 * TECHNOLOGY_40NM_NAND2_UM2 / TECHNOLOGY_40NM_UTILISATION * 1e-6;
}

double technology_40nm_ns(double fo4) {
    return fo4 * TECHNOLOGY_40NM_FO4_PS * 1e-3;
}

double technology_mm2(const struct technology *t, double nand2) {
    return nand2 * t->liberty.nand2->area / TECHNOLOGY_40NM_UTILISATION * 1e-6;
}

double technology_ns(const struct technology *t, double fo4) {
    return fo4 * t->fo4_ps * 1e-3;
}
