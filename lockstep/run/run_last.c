#include "lockstep/run/run_last.h"

#include "lockstep/output/progress.h"
#include "lockstep/output/report.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define VIEW_CYCLES 400 /* number of cycles before the event at which the view begins */

/* Distance from the present cycle to the beginning of a trace in a copy, during a launch: the machine may
 * have computed ahead. */
#define CYCLES_AHEAD 2048

static volatile sig_atomic_t asked; /* set by SIGUSR1 */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static void on_signal(int number) {
    (void)number;
    asked = 1;
}

static sim_time time_of(const struct run_last *last, uint64_t cycle) {
    const uint64_t mhz = machine_configuration(last->simulation->machine)->clock_mhz;
    return (sim_time)((unsigned __int128)cycle * 1000000 / mhz);
}

/* --- in a copy --- */

static void wakes(void *context, const struct snapshots_order *order) {
    struct run_last *last = context;
    struct machine *m = last->simulation->machine;
    const uint64_t now = machine_cycle(m), least = now ? now + CYCLES_AHEAD : 0;
    last->window = (struct machine_window){
        order->cycle >= order->cycles ? order->cycle - order->cycles + 1 : 0, order->cycle};
    if (last->window.first < least) last->window.first = least;
    last->trace = trace_open(order->path, NULL, &last->error);
    if (!last->trace) return;
    machine_trace(m, last->trace, &last->window, 1);
    if (last->twins) twins_trace(last->twins, last->trace);
    for (unsigned n = 0; n < CRASHES; ++n) trace_guard(last->trace, crashes[n]);
}

static bool close_trace(struct run_last *last, uint64_t event, struct error *e) {
    const uint64_t view = event > last->window.first + VIEW_CYCLES ? event - VIEW_CYCLES : last->window.first;
    trace_mark(last->trace, time_of(last, event));
    const bool viewed = trace_write_view(last->trace, time_of(last, view), time_of(last, event + 1), e);
    return trace_close(last->trace, e) && viewed;
}

static void ended(void *context, const struct snapshots_order *order, struct snapshots_answer *answer) {
    struct run_last *last = context;
    (void)order;
    answer->whole = last->trace && close_trace(last, answer->cycle, &last->error);
    answer->why = last->error;
}

/* --- in the run --- */

/* Returns whether the first lines are equal. Later lines describe each warp, in more detail if it is
 * traced. */
static bool same_diagnosis(const struct error *x, const struct error *y) {
    const size_t length = strcspn(x->message, "\n");
    return length == strcspn(y->message, "\n") && memcmp(x->message, y->message, length) == 0;
}

/* Compares the end of the repeated run with the event. */
static void judge(struct run_last *last, const struct snapshots_answer *a, uint64_t cycle,
                  const struct error *e) {
    last->written = a->whole;
    last->differs = e && *e->message ? !same_diagnosis(&a->error, e) : a->cycle != cycle;
    last->other_cycle = a->cycle;
    last->other = a->error;
    if (a->cycle < last->window.last)
        last->window.last = a->cycle; /* a machine that computes ahead ends later */
    if (!a->whole) {
        if (!e || *e->message) fprintf(stderr, "lockstep: --trace-last: %s\n", a->why.message);
        last->differs = false;
    }
}

/* Writes the waveform. e: error of the failed launch, or NULL. */
static void write_last(struct run_last *last, const struct error *e) {
    struct snapshots_order order = {.cycle = machine_cycle(last->simulation->machine),
                                    .cycles = last->cycles,
                                    .stops = !e || e->status == EXIT_USER,
                                    .path = RUN_LAST_PATH};
    struct snapshots_answer answer;
    last->window = (struct machine_window){order.cycle >= order.cycles ? order.cycle - order.cycles + 1 : 0,
                                           order.cycle};
    if (snapshots_repeat(last->snapshots, &order, &answer)) judge(last, &answer, order.cycle, e);
}

static void on_failure(void *context, const struct error *e) {
    write_last(context, e);
}

/* --- a crash of this process --- */

static struct run_last *guarded;

/* Writes the waveform of a copy that has crashed like the run, complete except for its view; or of a copy
 * that has finished. */
static void write_before_death(struct run_last *last) {
    const struct error any = {.status = EXIT_INTERNAL};
    static const char says[] = "lockstep: the last cycles before: " RUN_LAST_PATH "\n";
    if (!machine_cycle(last->simulation->machine)) return;
    write_last(last, &any);
    if (!last->written && rename(RUN_LAST_PATH ".part", RUN_LAST_PATH) != 0) return;
    const ssize_t ignored = write(STDERR_FILENO, says, sizeof says - 1);
    (void)ignored;
}

static void on_panic(void *context) {
    if (!snapshots_repeats(((struct run_last *)context)->snapshots)) write_before_death(context);
}

/* Handles a crash signal; afterwards its default action follows. */
static void on_crash(int number) {
    if (!snapshots_repeats(guarded->snapshots)) write_before_death(guarded);
    raise(number);
}

static void guard(struct run_last *last) {
    guarded = last;
    error_at_panic(on_panic, last);
    for (unsigned n = 0; n < CRASHES; ++n)
        sigaction(crashes[n], &(struct sigaction){.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND},
                  NULL);
}

static void print_waveform(const struct run_last *last) {
    char a[32], b[32];
    fprintf(stderr, "\n  last       %s: cycles %s to %s\n  open with  gtkwave %s last.gtkw\n", RUN_LAST_PATH,
            report_number(last->window.first, a), report_number(last->window.last, b), RUN_LAST_PATH);
}

static void on_progress(void *context, const struct machine_launch *launch,
                        const struct machine_result *so_far) {
    struct run_last *last = context;
    progress_show(NULL, launch, so_far);
    if (asked && machine_cycle(last->simulation->machine)) {
        asked = 0;
        write_last(last, NULL);
        progress_erase();
        if (last->written) print_waveform(last);
        last->written = false;
    }
    snapshots_consider(last->snapshots);
}

void run_last_begin(struct run_last *last, uint64_t cycles, struct simulation *s, struct twins *twins) {
    *last = (struct run_last){.cycles = cycles, .simulation = s, .twins = twins};
    const struct snapshots_options o = {.machine = s->machine,
                                        .flag = "--trace-last",
                                        .kept = 2,
                                        .distance = cycles + CYCLES_AHEAD,
                                        .wakes = wakes,
                                        .ended = ended,
                                        .context = last};
    last->snapshots = snapshots_create(&o);
    if (!last->snapshots) {
        fprintf(stderr,
                "lockstep: --trace-last: the host has no room for a journal; the run goes on without\n");
        return;
    }
    signal(SIGUSR1, on_signal);
    guard(last);
    s->on_failure = on_failure;
    s->failure_context = last;
    machine_on_progress(s->machine, on_progress, last);
    session_keep_snapshots(s->session, last->snapshots);
}

bool run_last_report(const struct run_last *last, struct error *e) {
    if (last->written) print_waveform(last);
    return !last->differs ||
           error_set(
               e, EXIT_INTERNAL,
               "--trace-last: the repeated run differs; does the program write into a mapped buffer while a "
               "kernel runs? It ended in cycle %" PRIu64 ": %s",
               last->other_cycle, *last->other.message ? last->other.message : "no launch failed");
}

void run_last_end(struct run_last *last) {
    if (last->snapshots) error_cancel_at_panic(on_panic, last);
    snapshots_destroy(last->snapshots);
    last->snapshots = NULL;
}
