#include "lockstep/rtl/rtl_report.h"

#include "lockstep/output/report.h"
#include "tb/verilated/verilated_insides.h"

#include <string.h>

/* Prints the model's flip-flops that have a given result of the comparison. */
static void print_internals(const struct twins *t, const struct twin_block *b, enum twins_internal fate,
                            const char *what, FILE *out) {
    unsigned count = 0;
    for (unsigned n = 0; n < b->count; n++)
        if (b->signal[n].kind == VERILOG_STATE && twins_internal(t, b, n) == fate)
            fprintf(out, "%s%s_q", count++ ? ", " : what, b->signal[n].name);
}

/* Prints which of the model's flip-flops are compared with a user's Verilog, and which are not. */
static void print_source(const struct twins *t, const struct twins_count *c, FILE *out) {
    fprintf(out, "    %s, module %s", c->source, c->top);
    if (c->mode == TWINS_REPLACE) {
        fprintf(out, ": held to the contract of its slot\n");
        return;
    }
    fprintf(out, ": outputs compared");
    print_internals(t, c->block, TWINS_COMPARED, ", and ", out);
    print_internals(t, c->block, TWINS_NOT_THERE, "; not there: ", out);
    print_internals(t, c->block, TWINS_OTHER_WIDTH, "; of another width: ", out);
    fprintf(out, "\n");
}

/* Prints the estimated share. It is based on few evaluations: for a short run it may exceed the run's
 * time. */
static void print_share(double estimate, double seconds, FILE *out) {
    if (estimate < 0.9 * seconds)
        fprintf(out, "  Verilog and comparison took about %.2f s of %.2f s CPU time\n", estimate, seconds);
    else
        fprintf(
            out,
            "  Verilog and comparison took a part of %.2f s CPU time; the run is too short to tell which\n",
            seconds);
}

/* Prints the blocks that were compared in no cycle, and why. */
static void print_idle(const struct twins *t, FILE *out) {
    struct twins_count c;
    const char *why = NULL;
    for (unsigned n = 0; twins_count(t, n, &c); n++) {
        if (c.comparisons) continue;
        const bool same = why && strcmp(why, twins_idle(c.block)) == 0;
        if (why && !same) fprintf(out, " (%s)\n", why);
        fprintf(out, "%s%s", same ? ", " : "  not compared: ", c.block->name);
        why = twins_idle(c.block);
    }
    if (why) fprintf(out, " (%s)\n", why);
}

void rtl_report_print(const struct twins *t, double seconds, FILE *out) {
    struct twins_count c;
    char a[32], b[32], evaluated[32];
    fprintf(out, "\n  %-28s%8s%18s%12s%18s\n", "Verilog", "mode", "comparisons", "mismatches", "evaluated");
    for (unsigned n = 0; twins_count(t, n, &c); n++) {
        if (c.own && !c.comparisons) continue;
        fprintf(out, "  %-28s%8s%18s%12s%18s\n", c.block->name, twins_mode_name[c.mode],
                report_number(c.comparisons, a), report_number(c.mismatches, b),
                report_number(c.evaluated, evaluated));
        if (!c.own) print_source(t, &c, out);
        if (c.left_out)
            fprintf(out, "    not in the waveform, which has at most %s rows of a memory: %s\n",
                    VERILATED_INSIDES_ROWS, c.left_out);
    }
    print_idle(t, out);
    print_share(twins_seconds(t), seconds, out);
    fprintf(out, "  what has no value at reset begins with that of --rtl-seed %d\n", twins_seed(t));
}

static json_t *internals(const struct twins *t, const struct twin_block *b, enum twins_internal fate) {
    json_t *names = json_array();
    char name[VERILOG_MAX_NAME + 4];
    for (unsigned n = 0; n < b->count; n++) {
        if (b->signal[n].kind != VERILOG_STATE || twins_internal(t, b, n) != fate) continue;
        snprintf(name, sizeof name, "%s_q", b->signal[n].name);
        json_array_append_new(names, json_string(name));
    }
    return names;
}

/* Returns a string as JSON, which must be UTF-8, while paths need not be. */
static json_t *string(const char *text) {
    json_t *j = json_string(text);
    return j ? j : json_string("(not UTF-8)");
}

/* Returns the toggles of the input ports; NULL if not counted. */
static json_t *ports(const struct twins *t, const struct twin_block *b) {
    json_t *all = json_array();
    struct toggles_count c;
    for (unsigned n = 0; twins_toggles(t, b, n, &c); n++)
        json_array_append_new(all, json_pack("{s:s, s:i, s:I, s:I}", "port", c.port, "bits", (int)c.bits,
                                             "toggles", (json_int_t)c.toggles, "ones", (json_int_t)c.ones));
    if (json_array_size(all)) return all;
    json_decref(all);
    return NULL;
}

json_t *rtl_report_json(const struct twins *t) {
    json_t *j = json_array();
    struct twins_count c;
    for (unsigned n = 0; t && twins_count(t, n, &c); n++)
        json_array_append_new(
            j, json_pack("{s:s, s:s, s:o, s:o, s:i, s:I, s:I, s:I, s:o, s:o, s:o, s:o*}", "block",
                         c.block->name, "mode", twins_mode_name[c.mode], "source", string(c.source), "module",
                         string(c.top), "seed", twins_seed(t), "comparisons", (json_int_t)c.comparisons,
                         "mismatches", (json_int_t)c.mismatches, "evaluated", (json_int_t)c.evaluated,
                         "compared", internals(t, c.block, TWINS_COMPARED), "not_there",
                         internals(t, c.block, TWINS_NOT_THERE), "other_width",
                         internals(t, c.block, TWINS_OTHER_WIDTH), "ports", ports(t, c.block)));
    return j;
}
