#include "sim/leave.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_HOOKS = 16, SECONDS_TO_LEAVE = 10 };

struct panic_hook {
    void (*function)(void *context);
    void *context;
};

/* A panic ends the process, so its hooks belong to the whole process. */
static struct panic_hook hooks[MAX_HOOKS];
static unsigned hook_count;
static bool panicking;
static volatile sig_atomic_t leaving_with;

/* The innermost error_guard() of this thread; NULL: none. */
static _Thread_local struct guard {
    struct guard *outer;
    struct error *error;
    jmp_buf back;
} * guard;

bool error_set(struct error *e, enum exit_status status, const char *format, ...) {
    if (e->status != EXIT_SOUND) return false;
    e->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    return false;
}

bool error_guard(struct error *e, void (*function)(void *context), void *context) {
    struct guard this = {.outer = guard, .error = e};
    const bool begins = !_setjmp(this.back);
    if (begins) {
        guard = &this;
        function(context);
    }
    guard = this.outer;
    return begins;
}

void error_at_panic(void (*function)(void *context), void *context) {
    invariant(hook_count < MAX_HOOKS, "more than %d functions registered with error_at_panic()", MAX_HOOKS);
    hooks[hook_count++] = (struct panic_hook){function, context};
}

void error_cancel_at_panic(void (*function)(void *context), void *context) {
    for (unsigned i = hook_count; i-- > 0;) {
        if (hooks[i].function != function || hooks[i].context != context) continue;
        for (unsigned j = i + 1; j < hook_count; j++) hooks[j - 1] = hooks[j];
        hook_count--;
        return;
    }
}

static void call_hooks(void) {
    if (!panicking) { /* a panic in a hook must not start the hooks again */
        panicking = true;
        while (hook_count > 0) {
            hook_count--;
            hooks[hook_count].function(hooks[hook_count].context);
        }
    }
}

/* Runs the functions registered with error_at_panic(), and leaves. */
static _Noreturn void leave(enum exit_status status) {
    call_hooks();
    fflush(NULL);
    _exit((int)status);
}

/* Ends the function that error_guard() calls. */
static _Noreturn void end_guarded(const char *format, va_list arguments) {
    struct error *e = guard->error;
    if (e->status == EXIT_SOUND) {
        e->status = EXIT_USER;
        vsnprintf(e->message, sizeof e->message, format, arguments);
    }
    longjmp(guard->back, 1);
}

_Noreturn void error_panic(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (guard) end_guarded(format, arguments);
    fflush(stdout);
    fprintf(stderr, "lockstep: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nThis is a mistake in the simulator itself, not in the program it runs.\n", stderr);
    leave(EXIT_INTERNAL);
}

_Noreturn void error_out_of_memory(void) {
    fflush(stdout);
    fputs("lockstep: this computer has no memory left to give (see `ulimit -v` and `free`)\n", stderr);
    leave(EXIT_USER);
}

static void leave_now(int signal) {
    (void)signal;
    _exit(leaving_with);
}

_Noreturn void error_leave(enum exit_status status, const char *message) {
    sigset_t set;
    leaving_with = (sig_atomic_t)status;
    dprintf(STDERR_FILENO, "lockstep: %s\n", message);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, leave_now);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    alarm(SECONDS_TO_LEAVE);
    call_hooks();
    _exit((int)status);
}
