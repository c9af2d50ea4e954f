#include "synthesis/netlist.h"

#include "synthesis/netlist_proof.h"
#include "synthesis/netlist_scan.h"
#include "synthesis/synthesis_cache.h"
#include "synthesis/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NETLIST_VERSION 5 /* counts up when what is made of the same Verilog changes */

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

/* --- Yosys and ABC --- */

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The effort matters to large blocks only, and not to the stages' netlists, of which all are made anyway. */
static bool is_full(const struct netlist_request *r) {
    return r->large && !r->stages && r->effort == SYNTHESIS_FULL;
}

static bool uses(const struct netlist_request *r, size_t script) {
    return !r->large || r->stages || is_full(r) || scripts[script].fast;
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

static void choose_parameters(const struct netlist_request *r, const char *verilog,
                              struct netlist_result *result) {
    size_t used = 0;
    result->parameters[0] = '\0';
    for (unsigned n = 0; n < r->count && used < sizeof result->parameters; n++)
        if (has_parameter(verilog, r->settings[n].name))
            used += (size_t)snprintf(result->parameters + used, sizeof result->parameters - used, "%s%s=%u",
                                     used ? " " : "", r->settings[n].name, r->settings[n].value);
}

/* Always chparam: what comes of a module depends on its name. */
void netlist_write_elaboration(FILE *out, const struct netlist_request *r, const struct verilog_files *files,
                               const char *parameters) {
    fprintf(out, "read_verilog -defer -sv");
    for (size_t n = 0; n < files->count; n++) fprintf(out, " %s", files->file[n].path);
    fputc('\n', out);
    for (const char *p = parameters; *p; p += strspn(p, " ")) {
        const size_t name = strcspn(p, "="), value = strcspn(p + name + 1, " ");
        fprintf(out, "chparam -set %.*s %.*s %s\n", (int)name, p, (int)value, p + name + 1, r->top);
        p += name + 1 + value;
    }
    fprintf(out, "hierarchy -check -top %s\n", r->top);
    if (r->stages) timing_write_cuts(out, r->top);
}

static char *yosys_script(const struct netlist_request *r, const struct verilog_files *files,
                          const char *parameters) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    netlist_write_elaboration(out, r, files, parameters);
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

static bool map_all(const struct netlist_request *r, const struct verilog_files *files,
                    const struct technology *t, const struct tool_folder *f, const char *parameters,
                    struct error *e) {
    char *const argv[] = {"yosys", "-q", "-l", "yosys.log", "map.ys", NULL};
    char refuses[PATH_MAX + 64], constraints[256], name[32];
    char *script = yosys_script(r, files, parameters);
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

static bool time_all(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                     struct netlist_result *result, struct error *e) {
    bool first = true, good = true;
    for (size_t k = 0; good && k < SCRIPTS; k++) {
        if (!uses(r, k)) continue;
        struct netlist_result one = *result;
        struct netlist_scan s;
        good = timing_measure(r, t, f, scripts[k].name, &s, &one, e);
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

static void make_key(struct synthesis_key *k, const struct netlist_request *r,
                     const struct verilog_files *files, const struct technology *t, const char *parameters) {
    char text[64];
    *k = (struct synthesis_key){0};
    snprintf(text, sizeof text, "netlist %d %d %d %d", NETLIST_VERSION, is_full(r), r->stages, r->large);
    synthesis_key_add(k, text);
    synthesis_key_add(k, t->tools);
    synthesis_key_add(k, parameters);
    for (size_t s = 0; s < SCRIPTS; s++) synthesis_key_add(k, scripts[s].text);
    synthesis_key_add(k, t->liberty.text);
    for (size_t n = 0; n < t->liberty.cell_count; n++) {
        snprintf(text, sizeof text, "%.9g%s", t->liberty.cells[n].area,
                 t->liberty.cells[n].pad ? " pad" : "");
        synthesis_key_add(k, text);
    }
    for (size_t n = 0; n < files->count; n++) {
        synthesis_key_add(k, files->file[n].stem);
        synthesis_key_add(k, files->file[n].text);
    }
}

static bool prove(const struct netlist_request *r, const struct verilog_files *files,
                  const struct tool_folder *f, struct netlist_result *result, struct error *e) {
    if (r->large && !is_full(r)) return true;
    if (!netlist_prove(r, files, result->parameters, f, &result->fastest, e)) return false;
    const bool one = strcmp(result->smallest.script, result->fastest.script) == 0;
    if (one) result->smallest.proof = result->fastest.proof;
    if (one || result->fastest.proof == PROOF_UNDECIDED) return true; /* the other will not be either */
    return netlist_prove(r, files, result->parameters, f, &result->smallest, e);
}

/* `verilog`: the fastest netlist, to be freed. */
static bool make(const struct netlist_request *r, const struct verilog_files *files,
                 const struct technology *t, struct netlist_result *result, char **verilog, struct error *e) {
    struct tool_folder f;
    char cells[PATH_MAX + 16], name[32];
    if (!synthesis_folder(&f, e)) return false;
    snprintf(cells, sizeof cells, "%s/cells.lib", f.path);
    bool good = liberty_write(&t->liberty, cells, e) && map_all(r, files, t, &f, result->parameters, e) &&
                time_all(r, t, &f, result, e) && prove(r, files, &f, result, e);
    snprintf(name, sizeof name, "%s.v", result->fastest.script);
    good = good && (*verilog = technology_get(&f, name, e));
    tool_folder_remove(&f);
    return good;
}

/* A block's netlist is kept beside its result, for netlist_gates(); not the whole co-processor's. */
static json_t *recall_gates(struct synthesis_key *k) {
    synthesis_key_add(k, "gates");
    return synthesis_recall(k);
}

static void keep_gates(const struct netlist_request *r, const struct synthesis_key *gates,
                       const char *verilog) {
    json_t *j = r->stages ? NULL : json_pack("{s:s}", "verilog", verilog);
    if (j) synthesis_keep(gates, j);
    json_decref(j);
}

/* What was kept, or is made now; `verilog` NULL: it is not wanted. */
static bool find_or_make(const struct netlist_request *r, const struct technology *t,
                         void (*on_run)(const char *top), struct netlist_result *result, char **verilog,
                         struct error *e) {
    struct synthesis_key key = {0}, gates = {0};
    *result = (struct netlist_result){0};
    struct verilog_files files;
    bool good = verilog_files_read(&files, r->folder, r->top, e);
    if (good) {
        choose_parameters(r, files.file[0].text, result);
        make_key(&key, r, &files, t, result->parameters);
        make_key(&gates, r, &files, t, result->parameters);
    }
    json_t *kept = good ? synthesis_recall(&key) : NULL, *netlist = good ? recall_gates(&gates) : NULL;
    const char *text = json_string_value(json_object_get(netlist, "verilog"));
    result->cached = kept && result_from(result, kept) && (text || !verilog);
    if (result->cached && verilog) require_memory((*verilog = strdup(text)));
    if (good && !result->cached) {
        char *made = NULL;
        if (on_run) on_run(r->top);
        good = make(r, &files, t, result, &made, e);
        json_decref(kept);
        kept = good ? result_json(result) : NULL;
        if (good) synthesis_keep(&key, kept);
        if (good) keep_gates(r, &gates, made);
        good = good && result_from(result, kept); /* rounded, as it will be when it comes from the cache */
        if (good && verilog)
            *verilog = made;
        else
            free(made);
    }
    json_decref(kept);
    json_decref(netlist);
    synthesis_key_free(&key);
    synthesis_key_free(&gates);
    verilog_files_free(&files);
    return good;
}

bool netlist_make(const struct netlist_request *r, const struct technology *t,
                  void (*on_run)(const char *top), struct netlist_result *result, struct error *e) {
    return find_or_make(r, t, on_run, result, NULL, e);
}

char *netlist_gates(const struct netlist_request *r, const struct technology *t,
                    void (*on_run)(const char *top), struct netlist_result *result, struct error *e) {
    char *verilog = NULL;
    return find_or_make(r, t, on_run, result, &verilog, e) ? verilog : NULL;
}
