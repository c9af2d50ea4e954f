#include "synthesis/netlist_proof.h"

#include "synthesis/netlist_scan.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Limits in CPU seconds: of ABC, and of Yosys, which writes the problem for ABC. */
#define SECONDS_ABC         60u
#define SECONDS_YOSYS       60u
#define SECONDS_YOSYS_LARGE 600u

/* Writes a module with both designs, and a flip-flop that holds reset in the first cycle only. */
static void write_bench(FILE *out, const struct netlist_scan *s) {
    fprintf(out, "module proof (input clk_i");
    for (size_t n = 0; n < s->input_count; n++)
        fprintf(out, ", input %s %s", s->inputs[n].range, s->inputs[n].name);
    fprintf(out, ", output trigger);\n");
    if (s->clocked) fprintf(out, "  reg runs = 0;\n  always @(posedge clk_i) runs <= 1;\n");
    fprintf(out, "  miter both (");
    if (s->clocked) fprintf(out, ".in_clk_i(clk_i), .in_rst_ni(runs), ");
    for (size_t n = 0; n < s->input_count; n++)
        fprintf(out, ".in_%s(%s), ", s->inputs[n].name, s->inputs[n].name);
    fprintf(out, ".trigger(trigger));\nendmodule\n");
}

static const char after_gold[] =
    "hierarchy -top %s\nflatten\nasync2sync\ndffunmap\nopt_clean\nrename -top gate\n"
    "design -stash gate\n"
    "design -copy-from gold gold\ndesign -copy-from gate gate\n"
    "miter -equiv -flatten gold gate miter\n"
    "read_verilog proof.v\nhierarchy -top proof\nproc\nflatten\nopt_clean\n"
    "techmap\nopt\ndffunmap\naigmap\nopt_clean\n%swrite_aiger -zinit proof.aig\n";

/* AIGER has no undefined bits. A netlist that equals the Verilog with these bits 0 is equal for all their
 * values. */
#define NO_UNDEFINED_BITS "setundef -zero\n"

static char *yosys_script(const struct netlist_request *r, const struct verilog_files *files,
                          const char *parameters, const char *script, bool undefined) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    netlist_write_elaboration(out, r, files, parameters);
    fprintf(out,
            "prep -flatten -top %s\nmemory_map\nasync2sync\ndffunmap\nopt_clean\nrename -top gold\ndesign "
            "-stash gold\n"
            "read_liberty -ignore_miss_func cells.lib\nread_verilog %s.v\n",
            r->top, script);
    fprintf(out, after_gold, r->top, undefined ? "" : NO_UNDEFINED_BITS);
    fclose(out);
    return text;
}

/* Reads the verdict in the text that ABC ends with. */
static enum netlist_proof verdict(const char *text) {
    if (strstr(text, "UNSATISFIABLE") || strstr(text, "Networks are equivalent")) return PROOF_EQUAL;
    if (strstr(text, "SATISFIABLE") || strstr(text, "not equivalent") ||
        strstr(text, "was asserted in frame"))
        return PROOF_DIFFERENT;
    return PROOF_UNDECIDED;
}

/* Lets Yosys write the problem to proof.aig. The file is missing afterwards if Yosys exceeds its limit. */
static bool write_proof(const struct netlist_request *r, const struct verilog_files *files,
                        const char *parameters, const struct tool_folder *f, const struct netlist *n,
                        bool undefined, struct error *e) {
    char command[128], *script = yosys_script(r, files, parameters, n->script, undefined);
    snprintf(command, sizeof command,
             "(ulimit -St %u; exec yosys -q -l proof.log proof.ys); s=$?; [ $s = %d ] || exit $s",
             r->large ? SECONDS_YOSYS_LARGE : SECONDS_YOSYS, 128 + SIGXCPU);
    char *const argv[] = {"sh", "-c", command, NULL};
    const bool good = technology_put(f, "proof.ys", script, e) &&
                      tool_run(argv, f, "Yosys cannot compare a netlist with its Verilog", e);
    free(script);
    return good;
}

static bool put_bench(const struct tool_folder *f, const struct netlist *n, bool *clocked, struct error *e) {
    struct netlist_scan s;
    struct liberty none = {0};
    struct error ignored = {0};
    char name[32], *bench;
    size_t size;
    snprintf(name, sizeof name, "%s.v", n->script);
    netlist_scan(&s, f, name, &none, &ignored); /* only the inputs are used */
    FILE *out = open_memstream(&bench, &size);
    require_memory(out);
    write_bench(out, &s);
    fclose(out);
    *clocked = s.clocked;
    const bool good = technology_put(f, "proof.v", bench, e);
    free(bench);
    netlist_scan_free(&s);
    return good;
}

/* Returns whether Yosys refuses to write two different designs because one has bits without a value. */
static bool has_undefined(const struct netlist_request *r, const struct verilog_files *files,
                          const char *parameters, const struct tool_folder *f, const struct netlist *n) {
    struct error ignored = {0};
    if (write_proof(r, files, parameters, f, n, true, &ignored)) return false;
    char *log = technology_get(f, "proof.log", &ignored);
    const bool found = log && strstr(log, "contains 'x' or 'z' bits");
    free(log);
    return found;
}

bool netlist_prove(const struct netlist_request *r, const struct verilog_files *files, const char *parameters,
                   const struct tool_folder *f, struct netlist *n, struct error *e) {
    bool clocked;
    if (!technology_put(f, "proof.aig", "", e) || !put_bench(f, n, &clocked, e) ||
        !write_proof(r, files, parameters, f, n, false, e))
        return false;
    char solve[160];
    snprintf(solve, sizeof solve,
             "ulimit -t %u; berkeley-abc -c 'read_aiger proof.aig; %s' >proof.txt 2>&1 || true", SECONDS_ABC,
             clocked ? "scorr; dprove" : "iprove");
    char *const solver[] = {"sh", "-c", solve, NULL};
    char *text = tool_run(solver, f, "ABC cannot compare a netlist with its Verilog", e)
                     ? technology_get(f, "proof.txt", e)
                     : NULL;
    if (!text) return false;
    n->proof = verdict(text);
    free(text);
    if (n->proof == PROOF_DIFFERENT && has_undefined(r, files, parameters, f, n)) n->proof = PROOF_UNDECIDED;
    return n->proof != PROOF_DIFFERENT ||
           error_set(e, EXIT_INTERNAL, "%s (%s): the netlist of script %s is not what the Verilog says",
                     r->top, parameters, n->script);
}
