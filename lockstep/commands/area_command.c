/* `lockstep area`: area, delay and period of the machine of a configuration. */
#include "lockstep/commands/arguments.h"
#include "lockstep/energy/area_report.h"
#include "lockstep/commands/command.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/explore/points.h"
#include "lockstep/output/progress.h"
#include "lockstep/explore/synthesis_workers.h"
#include "lockstep/commands/tools.h"
#include "sim/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_LIBERTY = 256, KEY_LEF, KEY_EFFORT, KEY_PROVE, KEY_JOBS, KEY_OUT, KEY_NETLIST, KEY_QUIET };

struct options {
    struct machine_options machine;
    const char *liberty, *lef, *folder, *block;
    enum synthesis_effort effort;
    unsigned jobs;
    bool prove, quiet;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case KEY_LIBERTY: o->liberty = argument; return 0;
    case KEY_LEF: o->lef = argument; return 0;
    case KEY_OUT: o->folder = argument; return 0;
    case KEY_NETLIST: o->block = argument; return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    case KEY_PROVE: o->prove = true; return 0;
    case KEY_JOBS:
        if (!(o->jobs = points_parse_jobs(argument)))
            argp_error(state, "--jobs %s: a number from 1 to %d is needed", argument, POINTS_MOST_JOBS);
        return 0;
    case KEY_EFFORT:
        if (strcmp(argument, "fast") != 0 && strcmp(argument, "full") != 0)
            argp_error(state, "--effort %s: it is fast or full", argument);
        o->effort = strcmp(argument, "full") == 0 ? SYNTHESIS_FULL : SYNTHESIS_FAST;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option; this command takes no arguments", argument);
        return 0;
    case ARGP_KEY_END:
        if (o->lef && !o->liberty)
            argp_error(state, "--lef %s: of which library? It needs --liberty", o->lef);
        if (o->block && (!o->folder || o->prove))
            argp_error(state, "--netlist %s: it needs --out and goes with no --prove", o->block);
        if (!o->jobs) o->jobs = points_default_jobs();
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"liberty", KEY_LIBERTY, "FILE", 0, "Library of cells, .lib or .lib.gz (default: OSU 0.18 um)", 0},
    {"lef", KEY_LEF, "FILE", 0, "Take the areas of the library's cells from this", 0},
    {"effort", KEY_EFFORT, "fast|full", 0,
     "full: several netlists of the largest blocks, too (default: fast)", 0},
    {"prove", KEY_PROVE, NULL, 0, "Prove that the netlists are equal to the Verilog", 0},
    {"jobs", KEY_JOBS, "N", 0, "Blocks that are synthesised at a time (default: one a processor)", 0},
    {"out", KEY_OUT, "DIR", 0, "Write DIR/area.json and DIR/area.svg", 0},
    {"netlist", KEY_NETLIST, "BLOCK", 0,
     "Only write the fastest netlist of a block of the machine, DIR/BLOCK.v", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp area_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .doc =
        "Prints the area and the delays of the machine of a configuration, and whether cluster.clock_mhz is "
        "met."
        "\v"
        "The machine's blocks of Verilog are synthesised at its parameters (Yosys, ABC) and timed (OpenSTA); "
        "areas are in NAND2-equivalents and delays in FO4, which carry over to other libraries, and both at "
        "40 nm. Memories come from a closed form of CACTI's results, cores from published areas. Each figure "
        "has its source beside it; docs/area.md says how it was validated.\n"
        "\n"
        "Results for Lockstep's own machines are shipped; others take minutes, and are kept in the cache.\n"
        "\n"
        "Examples:\n"
        "  lockstep area\n"
        "  lockstep area --set simt.pc_policy=min_pc --out min_pc\n"
        "  lockstep area --liberty my_library.lib.gz --lef my_library.lef",
};

static bool write_file(const char *folder, const char *name, const char *text, struct error *e) {
    struct part part;
    char *path;
    require_memory(asprintf(&path, "%s/%s", folder, name) >= 0);
    const bool opened = part_open(&part, path, e);
    if (opened) fputs(text, part.file);
    free(path);
    return opened && part_finish(&part, e);
}

static bool write_folder(const struct options *o, const struct area *a, const struct machine_config *c,
                         struct error *e) {
    json_t *document = area_document(a, c);
    char *json = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(9)), *svg;
    size_t size;
    FILE *out = open_memstream(&svg, &size);
    require_memory(json && out);
    area_treemap(a, out);
    fclose(out);
    const bool good =
        write_file(o->folder, "area.json", json, e) && write_file(o->folder, "area.svg", svg, e);
    free(json);
    free(svg);
    json_decref(document);
    return good;
}

static bool make_folder(const struct options *o, struct error *e) {
    if (!o->folder || mkdir(o->folder, 0777) == 0 || errno == EEXIST) return true;
    return error_set(e, EXIT_USER, "--out %s: %s", o->folder, strerror(errno));
}

static bool synthesise(const struct options *o, const struct area_options *options,
                       const struct machine_config *c, const struct technology *t, struct error *e) {
    struct netlist_jobs jobs = {.technology = t};
    const bool good = area_list_jobs(&jobs, c, options, e) && synthesis_workers_run(&jobs, o->jobs, e);
    netlist_jobs_free(&jobs);
    return good;
}

/* --netlist */
static bool write_netlist(const struct options *o, const struct area_options *options,
                          const struct machine_config *c, const struct technology *t, struct error *e) {
    struct netlist_jobs jobs = {.technology = t};
    bool good = area_list_jobs(&jobs, c, options, e);
    const struct netlist_job *job = jobs.job, *end = jobs.job + jobs.count;
    while (job < end && (strcmp(job->request.top, o->block) != 0 || job->request.stages)) job++;
    if (good && job == end)
        good = error_set(e, EXIT_USER, "--netlist %s: the machine has no such block", o->block);
    if (good) {
        struct netlist_result result;
        char *name, *verilog = netlist_gates(&job->request, t, NULL, &result, e);
        require_memory(asprintf(&name, "%s.v", o->block) >= 0);
        good = verilog && write_file(o->folder, name, verilog, e);
        free(name);
        free(verilog);
    }
    netlist_jobs_free(&jobs);
    return good;
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct machine_config c;
    struct error e = {0};
    struct tools tools;
    struct technology t = {0};
    struct area a = {0};
    arguments_parse(&area_argp, argc, argv, 0, &o);
    bool good = machine_options_resolve(&o.machine, &c, &e) && tools_find(&tools, &e) &&
                make_folder(&o, &e) && technology_read(&t, o.liberty, o.lef, &e);
    machine_options_free(&o.machine);
    if (good) {
        const struct area_options options = {.rtl = tools.rtl, .effort = o.effort, .prove = o.prove};
        progress_begin(o.quiet, PROGRESS_SECONDS);
        good = o.block ? write_netlist(&o, &options, &c, &t, &e)
                       : synthesise(&o, &options, &c, &t, &e) && area_of(&a, &c, &t, &options, &e);
        progress_end();
        good = good && (o.block || !o.folder || write_folder(&o, &a, &c, &e));
    }
    if (good && !o.block) area_print(&a, &c, stdout);
    area_free(&a);
    technology_free(&t);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_area = {60, "area, delay and period of the machine, by synthesis", command};
