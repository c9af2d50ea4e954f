#include "tb/verilated/verilog_guard.h"

#include "sim/leave.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <execinfo.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    FRAMES = 64,           /* of the stack that are looked at: those called last */
    LOOKS = 8,             /* at a design that works, before it is taken for endless */
    STACK_BYTES = 1 << 18, /* of the handlers: a crash may be a stack that is full */
};

static const int crash_signal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
enum { CRASHES = sizeof crash_signal / sizeof *crash_signal };

/* Signals, exit and designs belong to the process as a whole. */
static struct verilog_guard *guards;
static struct {
    bool on;
    unsigned seconds;
    char *const *command;
    timer_t timer;
    struct sigaction before[CRASHES], before_timer;
    stack_t stack_before;
    uint64_t noted;
    /* at the last look */
    bool worked;
    uint64_t progress;
    unsigned looks;
} guard;
static char handler_stack[STACK_BYTES];

/* --- which design is at work --- */

static const struct verilog_guard *design_at(uintptr_t address) {
    for (const struct verilog_guard *g = guards; g; g = g->next)
        if (address - g->begin < g->end - g->begin) return g;
    return NULL;
}

static const struct verilog_guard *being_loaded(void) {
    for (const struct verilog_guard *g = guards; g; g = g->next)
        if (!g->end) return g;
    return NULL;
}

/* A design's place in the code: of its function that was called last. */
struct place {
    const struct verilog_guard *design; /* NULL: none is at work */
    uintptr_t address[FRAMES];          /* of all its functions that are on the stack, the innermost first */
    unsigned count;
};

static void add_address(struct place *p, uintptr_t address) {
    const struct verilog_guard *g = design_at(address);
    if (!g || (p->design && p->design->begin != g->begin) || p->count == FRAMES) return;
    p->design = g;
    p->address[p->count++] = address;
}

/* Functions that have called others: what returns to an address is before it. */
static void add_callers(struct place *p, uintptr_t interrupted) {
    void *frame[FRAMES];
    const int frames = backtrace(frame, FRAMES);
    for (int n = 0; n < frames; ++n)
        if ((uintptr_t)frame[n] != interrupted) add_address(p, (uintptr_t)frame[n] - 1);
    if (!p->design) p->design = being_loaded();
}

/* The instruction that a signal has interrupted, and the callers. A jump astray has no frame: what it returns
 * to is on top of the stack. */
static void find_interrupted(struct place *p, const ucontext_t *c) {
    uintptr_t at = 0;
#ifdef __x86_64__
    at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    if (at)
        add_address(p, at);
    else
        add_address(p, *(const uintptr_t *)(uintptr_t)c->uc_mcontext.gregs[REG_RSP] - 1);
#else
    (void)c;
#endif
    add_callers(p, at);
}

/* --- what is said --- */

static int find_no_other_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word crc, char **found) {
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

/* What Verilator calls its functions, and what they are in the Verilog. */
static const char *part_of(const char *function) {
    static const struct {
        const char *part, *is;
    } parts[] = {{"eval_initial", "an initial block"},
                 {"eval_static", "the value with which a variable begins"},
                 {"eval_settle", "what follows from its inputs"},
                 {"ico_", "what follows from its inputs"},
                 {"nba_", "an always block at the clock's edge, or what follows from it"}};
    for (size_t n = 0; function && n < sizeof parts / sizeof *parts; ++n)
        if (strstr(function, parts[n].part)) return parts[n].is;
    return NULL;
}

/* The line at an address; NULL where the compiler has told none: what comes before it would be taken. */
static Dwfl_Line *line_at(Dwfl_Module *module, uintptr_t address) {
    Dwarf_Addr bias;
    Dwarf_Die *unit = module ? dwfl_module_addrdie(module, address, &bias) : NULL;
    return unit && dwarf_haspc(unit, address - bias) == 1 ? dwfl_module_getsrc(module, address) : NULL;
}

/* The line of a function that was compiled from C, and the part of the Verilog. */
static void describe(const struct place *p, char *text, size_t size) {
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = find_no_other_file};
    const char *part = NULL, *file = NULL, *name = "";
    int line = 0;
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl && dwfl_linux_proc_report(dwfl, getpid()) == 0) dwfl_report_end(dwfl, NULL, NULL);
    for (unsigned n = 0; dwfl && n < p->count; ++n) {
        Dwfl_Module *module = dwfl_addrmodule(dwfl, p->address[n]);
        const char *function = module ? dwfl_module_addrname(module, p->address[n]) : NULL;
        Dwfl_Line *source = file ? NULL : line_at(module, p->address[n]);
        if (source && (file = dwfl_lineinfo(source, NULL, &line, NULL, NULL, NULL)) && function)
            name = function;
        if (!part) part = part_of(function);
    }
    size_t used = 0;
    if (file)
        used = (size_t)snprintf(text, size, "%s:%d (%.*s), called by ", file, line, (int)strcspn(name, "."),
                                name); /* name.cold: a part of it */
    if (used < size) snprintf(text + used, size - used, "%s", part ? part : "its evaluation");
    dwfl_end(dwfl);
}

static uint64_t compared(const struct verilog_guard *design) {
    uint64_t cycles = 0;
    for (const struct verilog_guard *g = guards; g; g = g->next)
        if (g->cycles && (!design || g->begin == design->begin)) cycles += *g->cycles;
    return cycles;
}

/* A word as the shell takes it. */
static void put_word(FILE *out, const char *word) {
    const bool plain = *word && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                             "-_./=:,+@%") == strlen(word);
    fputs(plain ? " " : " '", out);
    for (; *word; ++word) fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    if (!plain) fputc('\'', out);
}

static _Noreturn void tell(const struct place *p, const char *what) {
    static char text[8192], where[1024];
    describe(p, where, sizeof where);
    FILE *out = fmemopen(text, sizeof text, "w");
    if (out) {
        const uint64_t cycles = compared(p->design);
        fprintf(out, "the Verilog of %s %s\n  where      %s, ", p->design->block, what,
                p->count ? where : "while it was loaded");
        if (cycles)
            fprintf(out, "after %" PRIu64 " cycles that were compared", cycles);
        else
            fputs("before its first cycle", out);
        fprintf(out, "\n  Verilog    %s", p->design->file);
        for (char *const *w = guard.command; w && *w; ++w) {
            if (w == guard.command)
                fprintf(out, "\n  replay     %s", *w);
            else
                put_word(out, *w);
        }
        fclose(out);
    }
    error_leave(EXIT_TWINS_DISAGREE, text);
}

/* --- endless, ended, crashed --- */

static void look(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    struct place p = {0};
    find_interrupted(&p, context);
    const uint64_t progress = guard.noted + compared(NULL);
    const bool goes_on = p.design && guard.worked && progress == guard.progress;
    guard.worked = p.design != NULL;
    guard.progress = progress;
    guard.looks = goes_on ? guard.looks + 1 : 0;
    if (guard.looks < LOOKS) return;
    char what[160];
    snprintf(what, sizeof what,
             "does not come to an end: it has worked for %u s of processor time without a cycle "
             "(--rtl-limit=%u)",
             guard.seconds, guard.seconds);
    tell(&p, what);
}

static void on_exit_of_process(void) {
    if (!guard.on) return;
    struct place p = {0};
    add_callers(&p, 0);
    if (p.design) tell(&p, "has called exit()");
}

/* Where the stack is damaged, looking at it crashes again: then what was found before is told. */
static void on_crash(int signal, siginfo_t *info, void *context) {
    static struct place p;
    static bool again;
    char what[80];
    (void)info;
    if (!again) {
        again = true;
        find_interrupted(&p, context);
    }
    if (p.design) {
        snprintf(what, sizeof what, "has crashed: signal %d (%s)", signal, strsignal(signal));
        tell(&p, what);
    }
    for (size_t n = 0; n < CRASHES; ++n)
        if (crash_signal[n] == signal) sigaction(signal, &guard.before[n], NULL);
    raise(signal); /* delivered when this returns */
}

/* --- life --- */

/* On the processor time of this thread. */
static bool start_timer(unsigned seconds) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    const long nanoseconds = 1000000000l / LOOKS * (long)(seconds % LOOKS);
    const struct timespec each = {seconds / LOOKS, nanoseconds};
    return timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &guard.timer) == 0 &&
           timer_settime(guard.timer, 0, &(struct itimerspec){each, each}, NULL) == 0;
}

void verilog_guard_start(unsigned seconds, char *const *command) {
    static bool at_exit;
    void *frame[1];
    (void)backtrace(frame, 1); /* loads what it needs */
    if (!at_exit) atexit(on_exit_of_process);
    at_exit = true;
    guard.seconds = seconds;
    guard.command = command;
    guard.looks = 0;
    guard.worked = false;
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, &guard.stack_before);
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER},
                     timer = {.sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    for (size_t n = 0; n < CRASHES; ++n) sigaction(crash_signal[n], &crash, &guard.before[n]);
    sigaction(SIGVTALRM, &timer, &guard.before_timer);
    invariant(start_timer(seconds), "no timer for Verilog");
    guard.on = true;
}

void verilog_guard_stop(void) {
    if (!guard.on) return;
    guard.on = false;
    timer_delete(guard.timer);
    for (size_t n = 0; n < CRASHES; ++n) sigaction(crash_signal[n], &guard.before[n], NULL);
    sigaction(SIGVTALRM, &guard.before_timer, NULL);
    sigaltstack(&guard.stack_before, NULL);
}

void verilog_guard_add(struct verilog_guard *g, const char *block, const char *file) {
    *g = (struct verilog_guard){.block = block, .file = strdup(file)};
    require_memory(g->file);
    g->next = guards;
    guards = g;
}

/* The segments of the library with a base: the end of the last. */
struct segments {
    uintptr_t base, end;
};

static int find_segments(struct dl_phdr_info *info, size_t size, void *context) {
    struct segments *s = context;
    (void)size;
    if (info->dlpi_addr != s->base) return 0;
    for (unsigned n = 0; n < info->dlpi_phnum; ++n) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[n];
        if (h->p_type == PT_LOAD && s->base + h->p_vaddr + h->p_memsz > s->end)
            s->end = s->base + h->p_vaddr + h->p_memsz;
    }
    return 1;
}

void verilog_guard_loaded(struct verilog_guard *g, const void *function) {
    Dl_info library;
    invariant(dladdr(function, &library), "a library that was loaded is not there");
    struct segments s = {(uintptr_t)library.dli_fbase, 0};
    dl_iterate_phdr(find_segments, &s);
    g->begin = s.base;
    g->end = s.end;
}

void verilog_guard_remove(struct verilog_guard *g) {
    for (struct verilog_guard **at = &guards; *at; at = &(*at)->next)
        if (*at == g) {
            *at = g->next;
            break;
        }
    free(g->file);
    *g = (struct verilog_guard){0};
}

void verilog_guard_note(void) {
    ++guard.noted;
}
