#include "synthesis/netlist.h"

#include "synthesis/netlist_proof.h"
#include "synthesis/netlist_scan.h"
#include "synthesis/shipped_results.h"
#include "synthesis/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define NETLIST_VERSION 7 /* increases when the same Verilog gives other results */
#define STAGES_VERSION  2 /* the same for the co-processor's stages */

const char *const netlist_proof_name[PROOF_COUNT] = {"not tried", "equal", "not decided", "DIFFERENT"};

/* ABC's scripts. `large`: the script for large blocks, which gives the smaller netlists. `stages`: the
 * script for the co-processor's stages, which gives the fastest netlist of most blocks. `dense`: the only
 * script for blocks where structural choices (&dch) take ABC hours. */
static const struct script {
    const char *name, *text;
    bool large, stages, dense;
} scripts[] = {
    {"nf",
     "strash; &get -n; &fraig -x; &st; &if -g -K 6; &dch -f; &nf; &put; topo; buffer -c; upsize; dnsize; "
     "stime -p",
     true, false, false},
    {"syn2",
     "strash; &get -n; &fraig -x; &st; &syn2; &if -g -K 6; &synch2; &nf -R 10; &put; topo; buffer -c; "
     "upsize; "
     "dnsize; stime -p",
     false, false, false},
    {"map",
     "strash; ifraig; scorr; if -g -K 6; strash; if -g -K 6; strash; dch -f; map; topo; buffer -c -N 8; "
     "topo; "
     "stime -p; upsize; dnsize; stime -p",
     false, true, false},
    {"nf_plain",
     "strash; &get -n; &fraig -x; &st; &if -g -K 6; &nf; &put; topo; buffer -c; upsize; dnsize; stime -p",
     false, false, true},
};
#define SCRIPTS (sizeof scripts / sizeof *scripts)

/* --- Yosys and ABC --- */

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Returns whether all scripts are used: the effort concerns large blocks only, and not the
 * stages' netlist. */
static bool is_full(const struct netlist_request *r) {
    return r->large && !r->stages && r->effort == SYNTHESIS_FULL;
}

/* Every request of its queue is compared with every bank. */
static bool is_dense(const struct netlist_request *r) {
    return strcmp(r->top, "dram_scheduler") == 0;
}

static bool uses(const struct netlist_request *r, size_t script) {
    if (scripts[script].dense || is_dense(r)) return scripts[script].dense && is_dense(r);
    if (r->stages) return scripts[script].stages;
    return !r->large || is_full(r) || scripts[script].large;
}

/* Returns whether the module's file has the parameter. */
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

/* chparam is always used, because the result of synthesis depends on the module's name. */
void netlist_write_elaboration(FILE *out, const struct netlist_request *r, const struct verilog_files *files,
                               const char *parameters) {
    fprintf(out, "read_verilog -defer -sv");
    for (size_t n = 0; n < files->count; n++) fprintf(out, " %s.sv", files->file[n].stem);
    fputc('\n', out);
    if (*parameters) fprintf(out, "chparam");
    for (const char *p = parameters; *p; p += strspn(p, " ")) {
        const size_t name = strcspn(p, "="), value = strcspn(p + name + 1, " ");
        fprintf(out, " -set %.*s %.*s", (int)name, p, (int)value, p + name + 1);
        p += name + 1 + value;
    }
    if (*parameters) fprintf(out, " %s\n", r->top);
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

static bool put_verilog(const struct verilog_files *files, const struct tool_folder *f, struct error *e) {
    bool good = true;
    for (size_t n = 0; good && n < files->count; n++) {
        char name[VERILOG_MAX_NAME + 8];
        snprintf(name, sizeof name, "%s.sv", files->file[n].stem);
        good = technology_put(f, name, files->file[n].tokens, e);
    }
    return good;
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
    good = good && put_verilog(files, f, e) && technology_put(f, "constraints", constraints, e);
    for (size_t s = 0; good && s < SCRIPTS; s++) {
        snprintf(name, sizeof name, "%s.abc", scripts[s].name);
        good = technology_put(f, name, scripts[s].text, e);
    }
    good = good && tool_run(argv, f, refuses, e);
    for (size_t s = 0; good && s < SCRIPTS; s++) {
        snprintf(name, sizeof name, "%s.v", scripts[s].name);
        if (uses(r, s)) good = netlist_divide_assignments(f, name, e);
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
    return json_pack("{s:s, s:f, s:f, s:i, s:i, s:f, s:s, s:s}", "script", n->script, "area_nand2",
                     rounded(n->area_nand2), "flip_flop_nand2", rounded(n->flip_flop_nand2), "cells",
                     n->cells, "flip_flops", n->flip_flops, "delay_fo4", rounded(n->delay_fo4), "from",
                     n->from, "to", n->to);
}

static bool netlist_from(struct netlist *n, json_t *j) {
    const char *script, *from, *to;
    if (json_unpack(j, "{s:s, s:F, s:F, s:i, s:i, s:F, s:s, s:s}", "script", &script, "area_nand2",
                    &n->area_nand2, "flip_flop_nand2", &n->flip_flop_nand2, "cells", &n->cells, "flip_flops",
                    &n->flip_flops, "delay_fo4", &n->delay_fo4, "from", &from, "to", &to) != 0)
        return false;
    snprintf(n->script, sizeof n->script, "%s", script);
    snprintf(n->from, sizeof n->from, "%s", from);
    snprintf(n->to, sizeof n->to, "%s", to);
    n->proof = PROOF_NOT_ASKED;
    return true;
}

json_t *netlist_result_json(const struct netlist_result *r) {
    json_t *stages = json_array(); /* shipped results of blocks have no stages */
    for (enum synthesis_stage s = 0; s < STAGE_COUNT; s++)
        json_array_append_new(stages, json_pack("{s:f, s:s, s:s}", "delay_fo4", rounded(r->stage_fo4[s]),
                                                "from", r->stage_from[s], "to", r->stage_to[s]));
    return json_pack("{s:i, s:o, s:o, s:o}", "seconds", (int)r->seconds, "smallest",
                     netlist_json(&r->smallest), "fastest", netlist_json(&r->fastest), "stages", stages);
}

bool netlist_result_from(struct netlist_result *r, json_t *j) {
    json_t *stages = json_object_get(j, "stages");
    r->seconds = (unsigned)json_integer_value(json_object_get(j, "seconds"));
    bool good = netlist_from(&r->smallest, json_object_get(j, "smallest")) &&
                netlist_from(&r->fastest, json_object_get(j, "fastest")) &&
                (!stages || json_array_size(stages) == STAGE_COUNT);
    for (enum synthesis_stage s = 0; good && stages && s < STAGE_COUNT; s++) {
        const char *from, *to;
        good = json_unpack(json_array_get(stages, s), "{s:F, s:s, s:s}", "delay_fo4", &r->stage_fo4[s],
                           "from", &from, "to", &to) == 0;
        if (!good) break;
        snprintf(r->stage_from[s], sizeof r->stage_from[s], "%s", from);
        snprintf(r->stage_to[s], sizeof r->stage_to[s], "%s", to);
    }
    return good;
}

static void make_key(struct synthesis_key *k, const struct netlist_request *r,
                     const struct verilog_files *files, const struct technology *t, const char *parameters) {
    char text[64];
    *k = (struct synthesis_key){0};
    snprintf(text, sizeof text, "netlist %d %d %d %d", NETLIST_VERSION, is_full(r),
             r->stages ? STAGES_VERSION : 0, r->large);
    synthesis_key_add(k, text);
    synthesis_key_add(k, t->tools);
    synthesis_key_add(k, parameters);
    for (size_t s = 0; s < SCRIPTS; s++)
        if (scripts[s].dense == is_dense(r)) synthesis_key_add(k, scripts[s].text);
    synthesis_key_add(k, t->liberty.text);
    for (size_t n = 0; n < t->liberty.cell_count; n++) {
        snprintf(text, sizeof text, "%.9g%s", t->liberty.cells[n].area,
                 t->liberty.cells[n].pad ? " pad" : "");
        synthesis_key_add(k, text);
    }
    for (size_t n = 0; n < files->count; n++) {
        synthesis_key_add(k, files->file[n].stem);
        synthesis_key_add(k, files->file[n].tokens);
    }
}

/* --- proofs --- */

static json_t *proofs_json(const struct netlist_result *r) {
    return json_pack("{s:i, s:i}", "smallest", r->smallest.proof, "fastest", r->fastest.proof);
}

static bool proofs_from(struct netlist_result *r, json_t *j) {
    int smallest, fastest;
    if (json_unpack(j, "{s:i, s:i}", "smallest", &smallest, "fastest", &fastest) != 0 || smallest < 0 ||
        smallest >= PROOF_COUNT || fastest < 0 || fastest >= PROOF_COUNT)
        return false;
    r->smallest.proof = (enum netlist_proof)smallest;
    r->fastest.proof = (enum netlist_proof)fastest;
    return true;
}

static bool prove(const struct netlist_request *r, const struct verilog_files *files,
                  const struct tool_folder *f, struct netlist_result *result, struct error *e) {
    if (!netlist_prove(r, files, result->parameters, f, &result->fastest, e)) return false;
    const bool one = strcmp(result->smallest.script, result->fastest.script) == 0;
    if (one) result->smallest.proof = result->fastest.proof;
    if (one || result->fastest.proof == PROOF_UNDECIDED)
        return true; /* the other one will not be decided
                        either */
    return netlist_prove(r, files, result->parameters, f, &result->smallest, e);
}

/* --- the whole --- */

/* The results of one request: figures, the fastest netlist in Verilog, and proofs. */
struct making {
    const struct netlist_request *request;
    const struct technology *technology;
    struct netlist_result *result;
    bool wants_verilog;
    char *verilog; /* fastest netlist; NULL: not known, or not wanted */
    bool has_figures, has_proofs;
    struct verilog_files files;
    struct synthesis_key figures_key, verilog_key, proofs_key;
};

static void add_key(const struct making *m, struct synthesis_key *k, const char *what) {
    make_key(k, m->request, &m->files, m->technology, m->result->parameters);
    if (what) synthesis_key_add(k, what);
}

static bool making_begin(struct making *m, struct error *e) {
    *m->result = (struct netlist_result){0};
    if (!verilog_files_read(&m->files, m->request->folder, m->request->top, e)) return false;
    choose_parameters(m->request, m->files.file[0].text, m->result);
    add_key(m, &m->figures_key, NULL);
    add_key(m, &m->verilog_key, "gates");
    add_key(m, &m->proofs_key, "proofs");
    return true;
}

static void making_end(struct making *m) {
    synthesis_key_free(&m->figures_key);
    synthesis_key_free(&m->verilog_key);
    synthesis_key_free(&m->proofs_key);
    verilog_files_free(&m->files);
}

static bool wants_proofs(const struct making *m) {
    return m->request->prove && !m->request->stages;
}

/* Takes shipped or kept results. Returns whether these are all that the request needs. */
static bool recall(struct making *m) {
    char hash[SYNTHESIS_HASH];
    synthesis_key_hash(&m->figures_key, hash);
    json_t *figures = json_incref(shipped_results_find(m->request->folder, hash));
    if (!figures) figures = synthesis_recall(&m->figures_key);
    m->has_figures = netlist_result_from(m->result, figures);
    json_decref(figures);
    json_t *proofs = wants_proofs(m) ? synthesis_recall(&m->proofs_key) : NULL;
    m->has_proofs = proofs_from(m->result, proofs);
    json_decref(proofs);
    if (m->wants_verilog && !m->verilog) {
        json_t *gates = synthesis_recall(&m->verilog_key);
        const char *text = json_string_value(json_object_get(gates, "verilog"));
        if (text) require_memory(m->verilog = strdup(text));
        json_decref(gates);
    }
    return m->has_figures && (m->has_proofs || !wants_proofs(m)) && (m->verilog || !m->wants_verilog);
}

static unsigned processor_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (unsigned)(u.ru_utime.tv_sec + u.ru_stime.tv_sec);
}

/* Makes the netlists, and the results that recall() has not found. */
static bool make_results(struct making *m, const struct tool_folder *f, struct error *e) {
    const struct netlist_request *r = m->request;
    struct netlist_result *result = m->result;
    char cells[PATH_MAX + 16], name[32];
    const unsigned before = processor_seconds();
    snprintf(cells, sizeof cells, "%s/cells.lib", f->path);
    if (!liberty_write(&m->technology->liberty, cells, e) ||
        !map_all(r, &m->files, m->technology, f, result->parameters, e) ||
        (!m->has_figures && !time_all(r, m->technology, f, result, e)))
        return false;
    if (!m->has_figures) {
        result->seconds = processor_seconds() - before;
        json_t *figures = netlist_result_json(result);
        synthesis_keep(&m->figures_key, figures);
        netlist_result_from(result, figures); /* rounds the figures as a later recall does */
        json_decref(figures);
    }
    snprintf(name, sizeof name, "%s.v", result->fastest.script);
    char *verilog = technology_get(f, name, e);
    if (!verilog) return false;
    json_t *gates = r->stages ? NULL : json_pack("{s:s}", "verilog", verilog);
    if (gates) synthesis_keep(&m->verilog_key, gates);
    json_decref(gates);
    free(m->verilog);
    m->verilog = verilog;
    if (!wants_proofs(m) || m->has_proofs) return true;
    if (!prove(r, &m->files, f, result, e)) return false;
    json_t *proofs = proofs_json(result);
    synthesis_keep(&m->proofs_key, proofs);
    json_decref(proofs);
    return true;
}

static bool work_locked(struct making *m, void (*on_run)(const char *top), struct error *e) {
    struct tool_folder f;
    if (recall(m)) return true; /* made by the process that had the lock */
    if (on_run) on_run(m->request->top);
    if (!synthesis_folder(&f, e)) return false;
    const bool good = make_results(m, &f, e);
    tool_folder_remove(&f);
    return good;
}

/* Makes a result. *state is NETLIST_KNOWN afterwards, or NETLIST_ELSEWHERE if `wait` is false. */
static bool make_or_wait(struct making *m, bool wait, void (*on_run)(const char *top),
                         enum netlist_state *state, struct error *e) {
    bool good = making_begin(m, e);
    *state = NETLIST_KNOWN;
    if (good && !recall(m)) {
        const int lock = synthesis_lock(&m->figures_key, wait, e);
        good = lock >= 0 ? work_locked(m, on_run, e) : e->status == EXIT_SOUND;
        if (lock < 0) *state = NETLIST_ELSEWHERE;
        if (lock >= 0) synthesis_unlock(&m->figures_key, lock);
    }
    making_end(m);
    return good;
}

bool netlist_make(const struct netlist_request *r, const struct technology *t,
                  void (*on_run)(const char *top), struct netlist_result *result, struct error *e) {
    struct making m = {.request = r, .technology = t, .result = result};
    enum netlist_state state;
    const bool good = make_or_wait(&m, true, on_run, &state, e);
    free(m.verilog);
    return good;
}

char *netlist_gates(const struct netlist_request *r, const struct technology *t,
                    void (*on_run)(const char *top), struct netlist_result *result, struct error *e) {
    struct making m = {.request = r, .technology = t, .result = result, .wants_verilog = true};
    enum netlist_state state;
    if (make_or_wait(&m, true, on_run, &state, e)) return m.verilog;
    free(m.verilog);
    return NULL;
}

bool netlist_try(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                 enum netlist_state *state, struct error *e) {
    struct making m = {.request = r, .technology = t, .result = result};
    const bool good = make_or_wait(&m, false, NULL, state, e);
    free(m.verilog);
    return good;
}

bool netlist_find(const struct netlist_request *r, const struct technology *t, struct netlist_result *result,
                  char hash[SYNTHESIS_HASH], enum netlist_state *state, struct error *e) {
    struct making m = {.request = r, .technology = t, .result = result};
    const bool good = making_begin(&m, e);
    if (good) {
        *state = recall(&m) ? NETLIST_KNOWN : NETLIST_MISSING;
        synthesis_key_hash(&m.figures_key, hash);
    }
    making_end(&m);
    return good;
}

void netlist_keep(const struct netlist_request *r, const struct technology *t, json_t *result) {
    struct netlist_result figures;
    struct making m = {.request = r, .technology = t, .result = &figures};
    struct error e = {0};
    if (making_begin(&m, &e) && !recall(&m)) synthesis_keep(&m.figures_key, result);
    making_end(&m);
}
