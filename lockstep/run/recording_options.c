#include "lockstep/run/recording_options.h"

#include "lockstep/output/report.h"
#include "recording/condition.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_CYCLES = 1024, KEY_LAUNCH, KEY_GROUP, KEY_AT, KEY_WHEN };

uint64_t recording_options_number(const char *option, const char *argument, struct argp_state *state) {
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(argument, &end, 10);
    if (errno || end == argument || *end || strchr(argument, '-'))
        argp_error(state, "%s %s: a number, 0 or more, is needed", option, argument);
    return n;
}

static void parse_cycles(struct recording_options *o, const char *argument, struct argp_state *state) {
    int used = -1;
    errno = 0;
    if (sscanf(argument, "%" SCNu64 ":%" SCNu64 "%n", &o->first, &o->last, &used) != 2 || errno ||
        argument[used] || strchr(argument, '-') || o->last < o->first)
        argp_error(state, "--cycles %s: FIRST:LAST is needed, two numbers of cycles, FIRST not above LAST",
                   argument);
    o->cycles = true;
}

static void parse_group(struct recording_options *o, const char *argument, struct argp_state *state) {
    int used = 0;
    const int count = sscanf(argument, "%" SCNu32 "%n,%" SCNu32 "%n,%" SCNu32 "%n", &o->id[0], &used,
                             &o->id[1], &used, &o->id[2], &used);
    if (count < 1 || argument[used] || strchr(argument, '-'))
        argp_error(state, "--work-group %s: up to three numbers are needed, as in 4,2,0", argument);
    o->group = true;
}

/* Parses KERNEL:LINE, or a cycle. */
static void parse_at(struct recording_options *o, const char *argument, struct argp_state *state) {
    const char *colon = strrchr(argument, ':'), *number = colon ? colon + 1 : argument;
    o->at = argument;
    o->at_number = 0;
    if (colon == argument || !*number || strspn(number, "0123456789") != strlen(number) ||
        strlen(number) > (colon ? 9 : 18))
        argp_error(state, "--at %s: a cycle or KERNEL:LINE is needed, as 12000 or vector_add:4", argument);
    o->at_number = strtoull(number, NULL, 10);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct recording_options *o = state->input;
    switch (key) {
    case KEY_CYCLES: parse_cycles(o, argument, state); return 0;
    case KEY_LAUNCH:
        o->launch = recording_options_number("--launch", argument, state);
        o->launches = true;
        return 0;
    case KEY_GROUP: parse_group(o, argument, state); return 0;
    case KEY_AT: parse_at(o, argument, state); return 0;
    case KEY_WHEN: o->when = argument; return 0;
    case ARGP_KEY_ARG:
        if (o->path) argp_error(state, "'%s': one recording is enough", argument);
        o->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (!o->path) argp_error(state, "no recording is given: lockstep run --record FILE.lsr makes one");
        if (o->cycles && (o->group || o->launches))
            argp_error(state, "--cycles already says which cycles: leave --launch and --work-group out");
        if (o->at && o->when) argp_error(state, "--at and --when both say what is shown: leave one out");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"cycles", KEY_CYCLES, "FIRST:LAST", 0, "Show these cycles of the run, from 0", 1},
    {"launch", KEY_LAUNCH, "N", 0, "Show the N-th launch, from 0", 1},
    {"work-group", KEY_GROUP, "X,Y,Z", 0,
     "Show the cycles of a work-group, of the first launch or that of --launch", 1},
    {"at", KEY_AT, "CYCLE|KERNEL:LINE", 0, "Open at a cycle, or where a line of a kernel first runs", 1},
    {"when", KEY_WHEN, "CONDITION", 0,
     "Open where a condition first holds, for example 'warp3.now == \"memory\" for 200 cycles'", 1},
    {0},
};

const struct argp recording_options_argp = {.options = option_table, .parser = parse_option};

static bool choose(const struct recording_options *o, const struct recording *r, struct window *w,
                   struct error *e) {
    if (o->cycles) return window_of_cycles(r, o->first, o->last, w, e);
    if (o->group) return window_of_group(r, o->id, o->launches ? o->launch : UINT64_MAX, w, e);
    if (o->launches) return window_of_launch(r, o->launch, w, e);
    return window_of_interest(r, w, e);
}

/* Finds the cycle of --at or --when, in the cycles selected by other options, or in all. */
static bool find_cycle(const struct recording_options *o, const struct recording *r, const struct window *w,
                       uint64_t *cycle, struct error *e) {
    const char *colon = o->at ? strrchr(o->at, ':') : NULL;
    if (o->when) {
        struct condition_result result;
        if (!condition_search(r, o->when, w->first, w->last, &result, e)) return false;
        if (result.first == UINT64_MAX)
            return error_set(e, EXIT_USER, "--when '%s': it never holds in cycles %llu to %llu", o->when,
                             (unsigned long long)w->first, (unsigned long long)w->last);
        char a[32], b[32];
        fprintf(stderr, "lockstep: the condition holds first in cycle %s; it begins to hold %s times\n",
                report_number(result.first, a), report_number(result.times, b));
        *cycle = result.first;
    } else if (colon) {
        char *kernel = strndup(o->at, (size_t)(colon - o->at));
        require_memory(kernel);
        const bool good = window_find_line(r, w, kernel, (unsigned)o->at_number, cycle, e);
        free(kernel);
        return good;
    } else {
        *cycle = o->at_number;
    }
    return true;
}

static bool choose_and_find(const struct recording_options *o, const struct recording *r, struct window *w,
                            struct error *e) {
    const bool chosen = o->cycles || o->group || o->launches;
    uint64_t cycle;
    if (!o->at && !o->when) return choose(o, r, w, e);
    *w = (struct window){.last = r->end - 1};
    return (!chosen || choose(o, r, w, e)) && find_cycle(o, r, w, &cycle, e) &&
           window_show(r, w, cycle, chosen, e);
}

bool recording_options_open(const struct recording_options *o, struct recording *r, struct window *w,
                            struct error *e) {
    if (!recording_open(r, o->path, e)) return false;
    if (choose_and_find(o, r, w, e)) return true;
    recording_close(r);
    return false;
}
