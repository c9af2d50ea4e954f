#include "synthesis/netlist.h"

#include "synthesis/netlist_proof.h"
#include "synthesis/netlist_scan.h"
#include "synthesis/synthesis_cache.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NETLIST_VERSION 2 /* counts up when what is made of the same Verilog changes */

const char *const synthesis_stage_name[STAGE_COUNT] = {"S", "A", "D", "X", "C"};
const char *const netlist_proof_name[PROOF_COUNT] = {"not tried", "equal", "not decided", "DIFFERENT"};

/* ABC's scripts. `fast`: the one for large blocks. */
static const struct script {
    const char *name, *text;
    bool fast;
} scripts[] = {
    {"nf",
     "strash; &get -n; &fraig -x; &st; &if -g -K 6; &dch -f; &nf; &put; topo; buffer -c; upsize; dnsize; "
     "stime -p",
     true},
    {"syn2",
     "strash; &get -n; &fraig -x; &st; &syn2; &if -g -K 6; &synch2; &nf -R 10; &put; topo; buffer -c; "
     "upsize; "
     "dnsize; stime -p",
     false},
    {"map",
     "strash; ifraig; scorr; if -g -K 6; strash; if -g -K 6; strash; dch -f; map; topo; buffer -c -N 8; "
     "topo; "
     "stime -p; upsize; dnsize; stime -p",
     false},
};
#define SCRIPTS (sizeof scripts / sizeof *scripts)

/* The stage in which a path of the co-processor ends: names of its registers and ports, by their beginning;
 * what begins with none of them is C. */
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
    {"descriptors.operation_q", STAGE_EXECUTE},
    {"descriptors.by_q", STAGE_EXECUTE},
    {"descriptors.executed_q", STAGE_EXECUTE},
};

/* Stage A begins in the registers of the selected warp and of its row. */
static const char *const arbitrate_begins[] = {"a_valid_q", "a_warp_q", "descriptors.read_q"};

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static enum synthesis_stage stage_of(const char *name) {
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
        if (begins(name, endings[n].prefix)) return endings[n].stage;
    return STAGE_COMMIT;
}

static bool begins_arbitration(const char *name) {
    for (size_t n = 0; n < sizeof arbitrate_begins / sizeof *arbitrate_begins; n++)
        if (begins(name, arbitrate_begins[n])) return true;
    return false;
}

/* --- Yosys and ABC --- */

static bool uses(const struct netlist_request *r, size_t script) {
    return !r->large || r->effort == SYNTHESIS_FULL || scripts[script].fast;
}

/* Does the module's file have the parameter? */
static bool has_parameter(const char *verilog, const char *name) {
    char pattern[VERILOG_MAX_NAME + 4];
    const char *end = strstr(verilog, "\n)"), *at = verilog;
    snprintf(pattern, sizeof pattern, " %s ", name);
    for (; (at = strstr(at, pattern)) && (!end || at < end); at++) {
        const char *line = at;
        while (line > verilog && line[-1] != '\n') line--;
        if (begins(line + strspn(line, " "), "parameter") && at[strlen(pattern)] == '=') return true;
        const char *rest = at + strlen(pattern);
        if (begins(line + strspn(line, " "), "parameter") && *(rest + strspn(rest, " ")) == '=') return true;
    }
    return false;
}

static bool choose_parameters(const struct netlist_request *r, struct netlist_result *result,
                              struct error *e) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.sv", r->folder, r->top);
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t capacity = 0, used = 0;
    if (!in) return error_set(e, EXIT_USER, "%s cannot be read: %s", path, strerror(errno));
    const bool read = getdelim(&text, &capacity, '\0', in) > 0;
    fclose(in);
    result->parameters[0] = '\0';
    for (unsigned n = 0; read && n < r->count && used < sizeof result->parameters; n++)
        if (has_parameter(text, r->settings[n].name))
            used += (size_t)snprintf(result->parameters + used, sizeof result->parameters - used, "%s%s=%u",
                                     used ? " " : "", r->settings[n].name, r->settings[n].value);
    free(text);
    return read || error_set(e, EXIT_USER, "%s is empty", path);
}

/* Always chparam: what comes of a module depends on its name. */
void netlist_write_elaboration(FILE *out, const struct netlist_request *r, const char *parameters) {
    fprintf(out, "read_verilog -defer -sv %s/*.sv\n", r->folder);
    for (const char *p = parameters; *p; p += strspn(p, " ")) {
        const size_t name = strcspn(p, "="), value = strcspn(p + name + 1, " ");
        fprintf(out, "chparam -set %.*s %.*s %s\n", (int)name, p, (int)value, p + name + 1, r->top);
        p += name + 1 + value;
    }
    fprintf(out, "hierarchy -check -top %s\n", r->top);
}

static char *yosys_script(const struct netlist_request *r, const char *parameters) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    netlist_write_elaboration(out, r, parameters);
    fprintf(out,
            "synth -flatten -noabc -top %s\n"
            "dfflibmap -liberty cells.lib\n"
            "opt_clean\n"
            "design -save gates\n",
            r->top);
    for (size_t s = 0; s < SCRIPTS; s++)
        if (uses(r, s))
            fprintf(out,
                    "design -load gates\n"
                    "abc -script %s.abc -liberty cells.lib -constr constraints\n"
                    "opt_clean -purge\n"
                    "write_verilog -noattr -noexpr %s.v\n",
                    scripts[s].name, scripts[s].name);
    fclose(out);
    return text;
}

static bool map_all(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                    const char *parameters, struct error *e) {
    char *const argv[] = {"yosys", "-q", "-l", "yosys.log", "map.ys", NULL};
    char refuses[PATH_MAX + 64], constraints[256], name[32];
    char *script = yosys_script(r, parameters);
    bool good = technology_put(f, "map.ys", script, e);
    free(script);
    snprintf(constraints, sizeof constraints, "set_driving_cell %s\nset_load %.6g [all_outputs]\n",
             t->liberty.inverter->name, t->load_ff);
    snprintf(refuses, sizeof refuses, "Yosys cannot map %s (%s) to %s", r->top, parameters, t->liberty.path);
    good = good && technology_put(f, "constraints", constraints, e);
    for (size_t s = 0; good && s < SCRIPTS; s++) {
        snprintf(name, sizeof name, "%s.abc", scripts[s].name);
        good = technology_put(f, name, scripts[s].text, e);
    }
    return good && tool_run(argv, f, refuses, e);
}

/* --- OpenSTA --- */

#define ENOUGH_PS 1e6 /* the period, longer than any path */

static void write_names(FILE *out, const char *variable, const struct netlist_scan *s,
                        enum synthesis_stage stage, bool starts_of_a, bool others) {
    fprintf(out, "set %s {}\n", variable);
    for (size_t n = 0; n < s->register_count; n++) {
        const char *name = s->registers[n].net;
        const bool want = others        ? !begins_arbitration(name)
                          : starts_of_a ? begins_arbitration(name)
                                        : stage_of(name) == stage;
        if (want) fprintf(out, "lappend %s [get_cells {%s}]\n", variable, s->registers[n].instance);
    }
}

static void write_ports(FILE *out, const char *variable, const char *all, enum synthesis_stage stage) {
    fprintf(out, "foreach p [%s] {\n  set name [get_property $p full_name]\n  set stage %d\n", all,
            STAGE_COMMIT);
    for (size_t n = sizeof endings / sizeof *endings; n-- > 0;)
        fprintf(out, "  if {[string match {%s*} $name]} {set stage %d}\n", endings[n].prefix,
                endings[n].stage);
    fprintf(out, "  if {$stage == %d} {lappend %s $p}\n}\n", stage, variable);
}

/* A runs from its own registers to wherever; the others end in theirs, C's from any but A's. */
static void write_stages(FILE *out, const struct netlist_scan *s) {
    write_names(out, "a_starts", s, STAGE_ARBITRATE, true, false);
    write_names(out, "other_starts", s, STAGE_ARBITRATE, false, true);
    fprintf(out,
            "foreach p [all_inputs] {if {[get_property $p full_name] ne {clk_i}} {lappend other_starts $p}}\n"
            "report_checks -from $a_starts -path_delay max -digits 4 -format full > stage-A.txt\n");
    for (enum synthesis_stage stage = 0; stage < STAGE_COUNT; stage++) {
        if (stage == STAGE_ARBITRATE) continue;
        write_names(out, "ends", s, stage, false, false);
        write_ports(out, "ends", "all_outputs", stage);
        fprintf(out, "report_checks %s-to $ends -path_delay max -digits 4 -format full > stage-%s.txt\n",
                stage == STAGE_COMMIT ? "-from $other_starts " : "", synthesis_stage_name[stage]);
    }
}

static char *sta_script(const struct netlist_request *r, const struct technology *t,
                        const struct script *script, const struct netlist_scan *s) {
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
            script->name, r->top, ENOUGH_PS, s->clocked ? " [get_ports clk_i]" : "",
            t->liberty.inverter->name, t->load_ff);
    if (s->clocked) fprintf(out, "set_false_path -from [get_ports rst_ni]\n");
    fprintf(out, "report_checks -path_delay max -digits 4 -format full > longest.txt\n");
    if (r->stages) write_stages(out, s);
    fprintf(out, "exit\n");
    fclose(out);
    return text;
}

/* A path's end is called by its register's net, or its port. "Startpoint: NAME (…": */
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

/* False and *e: OpenSTA's report has no path. `empty`: that is nothing wrong, the delay is 0. */
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

static bool time_one(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                     const struct script *script, struct netlist_scan *s, struct netlist_result *one,
                     struct error *e) {
    char *const argv[] = {"sta", "-no_splash", "-exit", "time.tcl", NULL};
    char refuses[PATH_MAX + 64], name[32];
    snprintf(refuses, sizeof refuses, "OpenSTA refuses a netlist of %s", r->top);
    snprintf(name, sizeof name, "%s.v", script->name);
    struct netlist *n = &one->fastest;
    if (!netlist_scan(s, f, name, &t->liberty, e)) return false;
    snprintf(n->script, sizeof n->script, "%s", script->name);
    n->area_nand2 = s->area / t->liberty.nand2->area;
    n->flip_flop_nand2 = s->flip_flop_area / t->liberty.nand2->area;
    n->cells = s->cells;
    n->flip_flops = (unsigned)s->register_count;
    char *text = sta_script(r, t, script, s);
    bool good = technology_put(f, "time.tcl", text, e) && tool_run(argv, f, refuses, e);
    free(text);
    good = good && read_path(f, "longest.txt", s, t, false, &n->delay_fo4, n->from, n->to, e);
    for (enum synthesis_stage stage = 0; good && r->stages && stage < STAGE_COUNT; stage++) {
        snprintf(name, sizeof name, "stage-%s.txt", synthesis_stage_name[stage]);
        good = read_path(f, name, s, t, true, &one->stage_fo4[stage], one->stage_from[stage],
                         one->stage_to[stage], e);
    }
    return good;
}

static bool time_all(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                     struct netlist_result *result, struct error *e) {
    bool first = true, good = true;
    for (size_t k = 0; good && k < SCRIPTS; k++) {
        if (!uses(r, k)) continue;
        struct netlist_result one = *result;
        struct netlist_scan s;
        good = time_one(r, t, f, &scripts[k], &s, &one, e);
        netlist_scan_free(&s);
        if (!good) break;
        const struct netlist smallest = result->smallest;
        if (first || one.fastest.delay_fo4 < result->fastest.delay_fo4) *result = one;
        result->smallest = first || one.fastest.area_nand2 < smallest.area_nand2 ? one.fastest : smallest;
        first = false;
    }
    return good;
}

/* --- results as JSON --- */

static double rounded(double x) {
    return round(x * 1e4) / 1e4;
}

static json_t *netlist_json(const struct netlist *n) {
    return json_pack("{s:s, s:f, s:f, s:i, s:i, s:f, s:s, s:s, s:i}", "script", n->script, "area_nand2",
                     rounded(n->area_nand2), "flip_flop_nand2", rounded(n->flip_flop_nand2), "cells",
                     n->cells, "flip_flops", n->flip_flops, "delay_fo4", rounded(n->delay_fo4), "from",
                     n->from, "to", n->to, "proof", n->proof);
}

static bool netlist_from(struct netlist *n, json_t *j) {
    const char *script, *from, *to;
    int proof;
    if (json_unpack(j, "{s:s, s:F, s:F, s:i, s:i, s:F, s:s, s:s, s:i}", "script", &script, "area_nand2",
                    &n->area_nand2, "flip_flop_nand2", &n->flip_flop_nand2, "cells", &n->cells, "flip_flops",
                    &n->flip_flops, "delay_fo4", &n->delay_fo4, "from", &from, "to", &to, "proof",
                    &proof) != 0)
        return false;
    snprintf(n->script, sizeof n->script, "%s", script);
    snprintf(n->from, sizeof n->from, "%s", from);
    snprintf(n->to, sizeof n->to, "%s", to);
    n->proof = (enum netlist_proof)proof;
    return proof >= 0 && proof < PROOF_COUNT;
}

static json_t *result_json(const struct netlist_result *r) {
    json_t *stages = json_array();
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++)
        json_array_append_new(stages, json_pack("{s:f, s:s, s:s}", "delay_fo4", rounded(r->stage_fo4[s]),
                                                "from", r->stage_from[s], "to", r->stage_to[s]));
    return json_pack("{s:o, s:o, s:o}", "smallest", netlist_json(&r->smallest), "fastest",
                     netlist_json(&r->fastest), "stages", stages);
}

static bool result_from(struct netlist_result *r, json_t *j) {
    json_t *stages = json_object_get(j, "stages");
    bool good = netlist_from(&r->smallest, json_object_get(j, "smallest")) &&
                netlist_from(&r->fastest, json_object_get(j, "fastest")) &&
                json_array_size(stages) == STAGE_COUNT;
    for (enum synthesis_stage s = 0; good && s < STAGE_COUNT; s++) {
        const char *from, *to;
        good = json_unpack(json_array_get(stages, s), "{s:F, s:s, s:s}", "delay_fo4", &r->stage_fo4[s],
                           "from", &from, "to", &to) == 0;
        if (!good) break;
        snprintf(r->stage_from[s], sizeof r->stage_from[s], "%s", from);
        snprintf(r->stage_to[s], sizeof r->stage_to[s], "%s", to);
    }
    return good;
}

/* --- the whole --- */

static int is_verilog(const struct dirent *d) {
    const char *dot = strrchr(d->d_name, '.');
    return dot && strcmp(dot, ".sv") == 0;
}

/* All the Verilog, since blocks are made of others. */
static bool make_key(struct synthesis_key *k, const struct netlist_request *r, const struct technology *t,
                     const char *parameters, struct error *e) {
    char text[64], path[PATH_MAX + NAME_MAX];
    struct dirent **names;
    *k = (struct synthesis_key){0};
    snprintf(text, sizeof text, "netlist %d %d %d %d", NETLIST_VERSION, r->effort, r->stages, r->large);
    synthesis_key_add(k, text);
    synthesis_key_add(k, t->tools);
    synthesis_key_add(k, r->top);
    synthesis_key_add(k, parameters);
    for (size_t s = 0; s < SCRIPTS; s++) synthesis_key_add(k, scripts[s].text);
    synthesis_key_add(k, t->liberty.text);
    for (size_t n = 0; n < t->liberty.cell_count; n++) {
        snprintf(text, sizeof text, "%.9g%s", t->liberty.cells[n].area,
                 t->liberty.cells[n].pad ? " pad" : "");
        synthesis_key_add(k, text);
    }
    const int count = scandir(r->folder, &names, is_verilog, alphasort);
    bool good = count > 0 || error_set(e, EXIT_USER, "%s: there is no Verilog here", r->folder);
    for (int n = 0; n < count; n++) {
        snprintf(path, sizeof path, "%s/%s", r->folder, names[n]->d_name);
        synthesis_key_add(k, names[n]->d_name);
        good = good && synthesis_key_add_file(k, path, e);
        free(names[n]);
    }
    if (count >= 0) free(names);
    return good;
}

static bool prove(const struct netlist_request *r, const struct tool_folder *f, struct netlist_result *result,
                  struct error *e) {
    if (r->large && r->effort == SYNTHESIS_FAST) return true;
    if (!netlist_prove(r, result->parameters, f, &result->fastest, e)) return false;
    if (strcmp(result->smallest.script, result->fastest.script) != 0)
        return netlist_prove(r, result->parameters, f, &result->smallest, e);
    result->smallest.proof = result->fastest.proof;
    return true;
}

static bool make(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                 struct error *e) {
    struct tool_folder f;
    char cells[PATH_MAX + 16];
    if (!synthesis_folder(&f, e)) return false;
    snprintf(cells, sizeof cells, "%s/cells.lib", f.path);
    const bool good = liberty_write(&t->liberty, cells, e) && map_all(r, t, &f, result->parameters, e) &&
                      time_all(r, t, &f, result, e) && prove(r, &f, result, e);
    tool_folder_remove(&f);
    return good;
}

bool netlist_make(const struct netlist_request *r, const struct technology *t,
                  void (*on_run)(const char *top), struct netlist_result *result, struct error *e) {
    struct synthesis_key key = {0};
    *result = (struct netlist_result){0};
    if (!choose_parameters(r, result, e) || !make_key(&key, r, t, result->parameters, e)) {
        synthesis_key_free(&key);
        return false;
    }
    json_t *kept = synthesis_recall(&key);
    result->cached = kept && result_from(result, kept);
    bool good = result->cached;
    if (!good) {
        if (on_run) on_run(r->top);
        good = make(r, t, result, e);
        json_decref(kept);
        kept = good ? result_json(result) : NULL;
        if (good) synthesis_keep(&key, kept);
        good = good && result_from(result, kept); /* rounded, as it will be when it comes from the cache */
    }
    json_decref(kept);
    synthesis_key_free(&key);
    return good;
}
