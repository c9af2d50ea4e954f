/* Closes traces when a signal ends the process. These handlers, and the hooks of error.c, belong to the
 * whole process. */
#include "sim/trace_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MAX_SIGNALS = 16,
    STACK_BYTES = 1 << 18, /* stack of the handlers, on which closing compresses */
    SECONDS_TO_CLOSE = 10  /* limit, because malloc() may hold a lock that closing needs */
};

static struct trace *guarded;
static struct {
    int signal;
    struct sigaction before;
} caught[MAX_SIGNALS];
static unsigned caught_count;
static char handler_stack[STACK_BYTES];
static stack_t stack_before;
volatile sig_atomic_t trace_signal;

const int trace_final_signal[TRACE_FINAL_SIGNALS] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static bool is_final(int signal) {
    for (unsigned i = 0; i < TRACE_FINAL_SIGNALS; i++)
        if (trace_final_signal[i] == signal) return true;
    return false;
}

static void restore(int signal) {
    for (unsigned i = 0; i < caught_count; i++)
        if (caught[i].signal == signal) sigaction(signal, &caught[i].before, NULL);
}

static void close_all(int signal) {
    for (struct trace *t = guarded; t; t = t->next_guarded) {
        if (!t->busy && !trace_queue_is_thread(t)) {
            trace_close_part(t);
        } else {
            if (signal == SIGBUS)
                dprintf(STDERR_FILENO, "The disk may be full, that of /tmp or of the trace\n");
            dprintf(
                STDERR_FILENO,
                "The waveform up to the last flush is in %s: to read it, rename it and %s.hier to X.fst and "
                "X.fst.hier\n",
                t->part, t->part);
        }
        t->busy = true;
    }
}

static void let_alarm_kill(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    alarm(SECONDS_TO_CLOSE);
}

static void handle(int signal) {
    const bool again = trace_signal;
    trace_signal = signal;
    if (!is_final(signal) && !again) return;
    restore(signal);
    if (is_final(signal)) {
        let_alarm_kill();
        close_all(signal);
    }
    raise(signal); /* delivered when this function returns */
}

_Noreturn void trace_die(void) {
    const int signal = trace_signal;
    restore(signal);
    close_all(signal);
    raise(signal);
    _exit(128 + signal); /* an earlier handler has returned */
}

void trace_guard(struct trace *t, int signal) {
    bool listed = false;
    for (const struct trace *g = guarded; g; g = g->next_guarded) listed |= g == t;
    if (!listed) {
        t->next_guarded = guarded;
        guarded = t;
    }
    for (unsigned i = 0; i < caught_count; i++)
        if (caught[i].signal == signal) return;
    invariant(caught_count < MAX_SIGNALS, "trace: more than %d signals", MAX_SIGNALS);
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    invariant(!sigaltstack(&stack, caught_count ? NULL : &stack_before),
              "trace: no stack for signal handlers");
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    caught[caught_count].signal = signal;
    invariant(!sigaction(signal, &action, &caught[caught_count].before), "trace: signal %d cannot be caught",
              signal);
    caught_count++;
}

void trace_unguard(struct trace *t) {
    for (struct trace **g = &guarded; *g; g = &(*g)->next_guarded) {
        if (*g != t) continue;
        *g = t->next_guarded;
        break;
    }
    if (guarded || !caught_count) return;
    while (caught_count > 0) {
        caught_count--;
        sigaction(caught[caught_count].signal, &caught[caught_count].before, NULL);
    }
    sigaltstack(&stack_before, NULL);
    const int late = trace_signal; /* signal since the last time step */
    trace_signal = 0;
    if (late) raise(late);
}
