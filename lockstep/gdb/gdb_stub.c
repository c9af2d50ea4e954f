#include "lockstep/gdb/gdb_stub_parts.h"

#include "lockstep/output/progress.h"
#include "model/cluster/cluster.h"
#include "model/sm/sm.h"
#include "model/unit/unit.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MILLISECONDS 50 /* interval between two checks whether the run is to end */

/* --- points --- */

/* Returns whether a point may apply to an instruction. */
static bool concerns(const struct gdb_point *p, const struct arm_instruction *i) {
    switch (p->kind) {
    case '2': return i->is_store;
    case '3': return i->is_load;
    case '4': return i->is_load || i->is_store;
    default: return i->pc == p->address;
    }
}

void gdb_ask(struct gdb_stub *g) {
    struct debugger *d = &g->debugger;
    d->every = !g->attached || g->greets || g->execs || g->interrupted || g->stepped || gdb_past_every(g);
    d->marked = g->point_count || g->repeats;
    g->watched[0] = UINT32_MAX;
    g->watched[1] = 0;
    for (unsigned n = 0; n < g->point_count; n++) {
        const struct gdb_point *p = &g->points[n];
        if (p->kind <= '1') continue;
        if (p->address < g->watched[0]) g->watched[0] = p->address;
        if (p->address + p->bytes - 1 > g->watched[1]) g->watched[1] = p->address + p->bytes - 1;
    }
    for (uint32_t n = 0; g->code && n < g->code->text_bytes / 4; n++) {
        struct arm_instruction *i = &g->code->decoded[n];
        i->stops = gdb_past_marks(g, i->pc);
        for (unsigned k = 0; k < g->point_count; k++) i->stops |= concerns(&g->points[k], i);
    }
}

void gdb_leave(struct gdb_stub *g, enum gdb_farewell farewell) {
    static const char *const says[] = {[GDB_HANGS_UP] = "has hung up: the run goes on without it",
                                       [GDB_DETACHES] = "has left: the run goes on without it",
                                       [GDB_KILLS] = "has ended the run"};
    if (g->repeats) gdb_past_leave(g, farewell);
    if (farewell != GDB_IS_DISMISSED) fprintf(stderr, "lockstep: gdb %s\n", says[farewell]);
    if (farewell == GDB_KILLS) machine_interrupt(g->threads.machine);
    g->point_count = 0;
    g->stepped = 0;
    g->execs = g->interrupted = g->greets = false;
    g->attached = g->goes_on = true;
    gdb_ask(g);
    gdb_link_close(&g->link);
    gdb_past_forget(g);
    machine_debug(g->threads.machine, NULL);
}

static bool is_of_unit(const struct gdb_stub *g, const struct gdb_point *p, unsigned thread) {
    return p->address >= MEMORY_BUFFER_BASE || p->unit == gdb_threads_unit(&g->threads, thread);
}

/* Returns the breakpoint or watchpoint that stops a thread before the instruction at `pc`; NULL if there is
 * none. */
static const struct gdb_point *point_of(const struct gdb_stub *g, unsigned thread, uint32_t pc,
                                        const struct arm_instruction *i, const struct arm_threads *t,
                                        unsigned position) {
    const bool accesses = i->is_load || i->is_store;
    const uint32_t address = accesses ? arm_access_address(i, t, position, pc) : 0;
    for (unsigned n = 0; n < g->point_count; n++) {
        const struct gdb_point *p = &g->points[n];
        if (!concerns(p, i)) continue;
        if (p->kind <= '1') return p;
        if ((address - p->address < p->bytes || p->address - address < i->access_bytes) &&
            is_of_unit(g, p, thread) && arm_condition_holds(i->condition, arm_get_apsr(t, position)))
            return p;
    }
    return NULL;
}

/* Returns whether one of the threads may stop at a point. A quick test: most accesses are far from the
 * watched memory. */
static bool may_stop(const struct gdb_stub *g, uint32_t pc, const struct arm_instruction *i,
                     const struct arm_threads *t, uint64_t threads) {
    if (!i->stops) return false;
    for (unsigned n = 0; n < g->point_count; n++)
        if (g->points[n].kind <= '1' && g->points[n].address == pc) return true;
    const uint32_t first = g->watched[0] - (i->access_bytes - 1u), span = g->watched[1] - first;
    bool may = false;
    for (unsigned k = 0; k < t->positions; k++)
        may |= arm_access_address(i, t, k, pc) - first <= span && threads >> k & 1;
    return may;
}

/* --- stops --- */

/* Waits until gdb connects, or the run is to end. */
static void wait_for_gdb(struct gdb_stub *g) {
    progress_erase();
    fprintf(stderr,
            "lockstep: a kernel is about to begin, and waits for gdb:\n"
            "  gdb-multiarch -ex 'directory %s' -ex 'target remote 127.0.0.1:%u'\n",
            g->folder, g->link.port);
    while (!gdb_link_accept(&g->link, WAIT_MILLISECONDS))
        if (machine_interrupted(g->threads.machine)) {
            gdb_leave(g, GDB_IS_DISMISSED);
            return;
        }
    g->attached = g->greets = true;
}

void gdb_tell(struct gdb_stub *g, unsigned thread, const struct gdb_reason *why) {
    const uint32_t pc = (uint32_t)gdb_threads_get(&g->threads, thread, GDB_PC);
    snprintf(g->stop, sizeof g->stop, "T%02xthread:%x;f:%08x;%s", why->signal, thread, __builtin_bswap32(pc),
             why->text);
    g->thread = g->general = thread;
    /* Before the first stop gdb asks for it. */
    if (!g->greets) gdb_link_send(&g->link, g->stop, strlen(g->stop));
}

/* Stops a thread: tells gdb, and returns when gdb has resumed. */
static void stop(struct gdb_stub *g, unsigned thread, const struct gdb_reason *why) {
    g->interrupted = g->execs = false;
    g->stepped = 0;
    g->range[0] = g->range[1] = 0;
    g->stopped = true;
    gdb_tell(g, thread, why);
    g->greets = false;
    gdb_serve(g);
    g->stopped = false;
    gdb_past_resume(g);
    gdb_ask(g);
}

/* Returns whether the next thread stops for another reason than a point. */
static bool stops_anyway(const struct gdb_stub *g) {
    return g->greets || g->execs || g->interrupted;
}

void gdb_point_reason(const struct gdb_point *p, struct gdb_reason *why) {
    static const char *const watches[] = {"watch", "rwatch", "awatch"};
    why->signal = SIGNAL_TRAP;
    if (p->kind > '1')
        snprintf(why->text, sizeof why->text, "%s:%x;", watches[p->kind - '2'], p->address);
    else
        snprintf(why->text, sizeof why->text, "%s:;", p->kind == '0' ? "swbreak" : "hwbreak");
}

static void stop_before(struct gdb_stub *g, unsigned thread, const struct gdb_point *p) {
    struct gdb_reason why = {g->interrupted ? SIGNAL_INTERRUPT : SIGNAL_TRAP, ""};
    if (!stops_anyway(g)) {
        gdb_point_reason(p, &why);
    } else if (g->execs) {
        char *end = why.text + sprintf(why.text, "exec:"), name[40];
        snprintf(name, sizeof name, "/lockstep/image%zu.elf", g->image + 1);
        for (const char *c = name; *c; c++) end += sprintf(end, "%02x", (unsigned char)*c);
        strcpy(end, ";");
    }
    stop(g, thread, &why);
}

/* Called after the instruction of a thread that is being stepped, which is now at `pc`. */
static void stepped(struct gdb_stub *g, unsigned thread, uint32_t pc) {
    if (pc - g->range[0] < g->range[1] - g->range[0]) return;
    stop(g, thread, &(struct gdb_reason){SIGNAL_TRAP, ""});
}

/* Stops in a copy that has reached the target of gdb's request. */
static void stop_in_past(struct gdb_stub *g) {
    unsigned thread;
    const struct gdb_reason *why = gdb_past_reason(g, &thread);
    stop(g, thread, why);
}

static int signal_of(enum arm_fault f) {
    switch (f) {
    case ARM_FAULT_MISALIGNED:
    case ARM_FAULT_TARGET: return SIGNAL_BUS;
    case ARM_FAULT_SHORT_VECTOR:
    case ARM_FAULT_SUPERVISOR_CALL:
    case ARM_FAULT_UNDEFINED: return SIGNAL_ILLEGAL;
    default: return SIGNAL_SEGMENT;
    }
}

/* --- warps --- */

/* Executes the instruction for some of the remaining threads. Returns false if one has a fault. */
static bool execute(struct gdb_warp *w, uint64_t threads) {
    struct arm_execution x = {0}, *all = w->x;
    arm_execute(w->i, w->threads, threads, &x);
    if (x.fault != ARM_FAULT_NONE) {
        all->fault = x.fault;
        all->fault_position = x.fault_position;
        all->fault_address = x.fault_address;
        return false;
    }
    all->passed |= x.passed & threads;
    all->stored |= x.stored & threads;
    all->in_stack |= x.in_stack & threads;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        all->address[k] = x.address[k];
    }
    w->done |= threads;
    return true;
}

static unsigned thread_of(const struct gdb_stub *g, unsigned position) {
    return gdb_threads_of_warp(&g->threads, g->threads.now.cluster, g->threads.now.warp, position);
}

/* Returns the position of the next thread that stops, among `threads`; −1 if there is none. */
static int next_stop(const struct gdb_stub *g, uint64_t threads, const struct gdb_point **point) {
    const struct gdb_warp *w = &g->threads.now;
    *point = NULL;
    if (stops_anyway(g)) return threads ? __builtin_ctzll(threads) : -1;
    if (!may_stop(g, w->pc, w->i, w->threads, threads)) return -1;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        *point = point_of(g, thread_of(g, k), w->pc, w->i, w->threads, k);
        if (*point) return (int)k;
    }
    return -1;
}

/* Returns the position in the warp of the thread that is being stepped; −1 if it is not among `threads`. */
static int stepped_position(const struct gdb_stub *g, uint64_t threads) {
    const unsigned first = thread_of(g, 0), k = g->stepped - first;
    return g->stepped >= first && k < g->threads.now.threads->positions && threads >> k & 1 ? (int)k : -1;
}

/* Stops, in a copy, for the thread at gdb's target. Returns the threads up to this one: they do not stop
 * again. */
static uint64_t stop_warp_in_past(struct gdb_stub *g) {
    unsigned thread;
    gdb_past_reason(g, &thread);
    stop_in_past(g);
    const unsigned k = thread - thread_of(g, 0);
    return k < g->threads.now.threads->positions ? (UINT64_C(2) << k) - 1 : 0;
}

/* Examines all threads of an instruction in a copy that searches. */
static void look_at_warp(struct gdb_stub *g) {
    const struct gdb_warp *w = &g->threads.now;
    for (uint64_t rest = w->participating; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), thread = thread_of(g, k);
        gdb_past_look(g, thread, k, point_of(g, thread, w->pc, w->i, w->threads, k));
    }
    gdb_past_looked(g);
}

static struct gdb_moment moment_of_warp(const struct gdb_stub *g, uint64_t number, uint64_t cycle) {
    const struct gdb_warp *w = &g->threads.now;
    return (struct gdb_moment){g->launches, number, w->cluster, w->warp, w->pc, cycle};
}

static struct gdb_moment moment_of_core(const struct gdb_stub *g, const struct cluster *c,
                                        const struct core *k) {
    return (struct gdb_moment){g->launches, k->instructions, c->index, k->index, k->pc, c->now};
}

/* Executes the instruction g->threads.now for all threads. number, cycle: parts of the moment. */
static void run_warp(struct gdb_stub *g, uint64_t number, uint64_t cycle) {
    struct gdb_warp *w = &g->threads.now;
    const struct gdb_moment moment = moment_of_warp(g, number, cycle);
    uint64_t told = 0;
    bool sound = true;
    if (!g->attached) wait_for_gdb(g);
    if (gdb_past_enter(g, &moment)) told = stop_warp_in_past(g);
    if (gdb_past_searches(g)) look_at_warp(g);
    for (const struct gdb_point *point; sound && !gdb_past_travels(g);) {
        const uint64_t rest = w->participating & ~w->done;
        const int step = stepped_position(g, rest), k = step >= 0 ? step : next_stop(g, rest & ~told, &point);
        if (k < 0) break;
        const unsigned thread = thread_of(g, (unsigned)k);
        if (step < 0) {
            told |= UINT64_C(1) << k;
            stop_before(g, thread, point);
        } else if ((sound = execute(w, UINT64_C(1) << k))) {
            stepped(g, thread, (uint32_t)gdb_threads_get(&g->threads, thread, GDB_PC));
        }
    }
    const uint64_t rest = w->participating & ~w->done;
    if (sound && rest) execute(w, rest);
    w->i = NULL;
}

static struct simt_warp set_now(struct gdb_stub *g, const struct simt *u, const struct simt_instruction *n,
                                struct arm_execution *x) {
    const struct simt_warp w = simt_warp_of(u, n->warp);
    g->threads.now = (struct gdb_warp){.cluster = u->index,
                                       .warp = n->warp,
                                       .pc = n->pc,
                                       .i = n->i,
                                       .threads = w.threads,
                                       .participating = n->participating,
                                       .x = x};
    return w;
}

static void on_warp(void *context, struct simt *u, const struct simt_instruction *n,
                    struct arm_execution *x) {
    memset(x, 0, sizeof *x);
    run_warp(context, set_now(context, u, n, x).moment, u->now);
}

/* --- MIMD mode --- */

static void on_core(void *context, struct cluster *c, struct core *k) {
    struct gdb_stub *g = context;
    const unsigned thread = gdb_threads_of_core(&g->threads, c, k->index);
    const struct arm_instruction *i = machine_code_at(c->launch->code, k->pc);
    if (k->access.i || !i || !debugger_asks(&g->debugger, i)) return;
    if (k->told == k->instructions + 1) return;
    k->told = k->instructions + 1;
    if (!g->attached) wait_for_gdb(g);
    const struct gdb_moment moment = moment_of_core(g, c, k);
    if (gdb_past_enter(g, &moment)) {
        stop_in_past(g);
        return;
    }
    if (gdb_past_searches(g)) {
        gdb_past_look(g, thread, 0, point_of(g, thread, k->pc, i, &k->threads, 0));
        gdb_past_looked(g);
    }
    if (gdb_past_travels(g)) return;
    if (g->stepped == thread) stepped(g, thread, k->pc);
    if (g->link.client < 0 && g->attached) return;
    const struct gdb_point *p = NULL;
    if (g->stepped != thread &&
        (stops_anyway(g) || (i->stops && (p = point_of(g, thread, k->pc, i, &k->threads, 0)))))
        stop_before(g, thread, p);
}

/* Stops at a fault of a thread in the instruction g->threads.now, or of a core. */
static void stop_at_fault(struct gdb_stub *g, unsigned thread, enum arm_fault fault) {
    if (g->link.client >= 0) stop(g, thread, &(struct gdb_reason){signal_of(fault), ""});
    g->threads.now.i = NULL;
}

static void on_core_fault(void *context, struct cluster *c, struct core *k, const struct arm_execution *x) {
    struct gdb_stub *g = context;
    g->moment = moment_of_core(g, c, k);
    stop_at_fault(g, gdb_threads_of_core(&g->threads, c, k->index), x->fault);
}

static void on_fault(void *context, struct simt *u, const struct simt_instruction *n,
                     const struct arm_execution *x) {
    struct gdb_stub *g = context;
    struct arm_execution copy = *x;
    g->moment = moment_of_warp(g, set_now(g, u, n, &copy).moment, u->now);
    g->threads.now.done = n->participating & ~(UINT64_C(1) << x->fault_position);
    stop_at_fault(g, thread_of(g, x->fault_position), x->fault);
}

/* --- launches and images --- */

static void write_source(const struct gdb_stub *g, const struct machine_code *code) {
    char path[400];
    if (!g->folder[0] || !code->source || !code->source_name || strchr(code->source_name, '/')) return;
    snprintf(path, sizeof path, "%s/%s", g->folder, code->source_name);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs(code->source, file);
    fclose(file);
}

static void on_launch(void *context, const struct machine_launch *l) {
    struct gdb_stub *g = context;
    const struct machine_code *code = l->code;
    size_t n = 0;
    g->code = code;
    g->launches++;
    if (!g->folder[0]) {
        strcpy(g->folder, "/tmp/lockstep-gdb-XXXXXX");
        if (!mkdtemp(g->folder)) g->folder[0] = '\0';
    }
    while (n < g->image_count &&
           (g->images[n].size != code->image_bytes ||
            (code->image_bytes && memcmp(g->images[n].bytes, code->image, code->image_bytes) != 0)))
        n++;
    if (n == g->image_count) {
        g->images = realloc(g->images, (n + 1) * sizeof *g->images);
        require_memory(g->images);
        g->images[n] = (struct gdb_image){malloc(code->image_bytes + 1), code->image_bytes};
        require_memory(g->images[n].bytes);
        if (code->image_bytes) memcpy(g->images[n].bytes, code->image, code->image_bytes);
        g->image_count++;
        write_source(g, code);
    }
    if (n != g->image && g->attached) {
        g->execs = true;
        g->point_count = 0;
        g->stepped = 0;
        gdb_past_forget(g);
    }
    g->image = n;
    gdb_ask(g);
}

static void on_poll(void *context) {
    struct gdb_stub *g = context;
    if (!g->attached) return;
    gdb_past_consider(g);
    switch (gdb_link_receive(&g->link, 0)) {
    case GDB_NOTHING: return;
    case GDB_INTERRUPT:
        if (gdb_past_searches(g)) gdb_past_interrupt(g);
        g->interrupted = !gdb_past_travels(g);
        break;
    case GDB_PACKET: gdb_request(g); break;
    case GDB_GONE: gdb_leave(g, GDB_HANGS_UP); return;
    }
    gdb_ask(g);
}

void gdb_serve(struct gdb_stub *g) {
    g->goes_on = false;
    while (!g->goes_on) {
        if (machine_interrupted(g->threads.machine)) {
            gdb_leave(g, GDB_IS_DISMISSED);
            return;
        }
        switch (gdb_link_receive(&g->link, WAIT_MILLISECONDS)) {
        case GDB_PACKET: gdb_request(g); break;
        case GDB_GONE: gdb_leave(g, GDB_HANGS_UP); return;
        default: break;
        }
    }
}

/* --- a run --- */

struct gdb_stub *gdb_stub_create(struct machine *m, struct session *session, unsigned port, struct error *e) {
    struct gdb_stub *g = calloc(1, sizeof *g);
    require_memory(g);
    g->threads.machine = m;
    g->general = 1;
    g->debugger = (struct debugger){.context = g,
                                    .every = true,
                                    .launch = on_launch,
                                    .warp = on_warp,
                                    .core = on_core,
                                    .fault = on_fault,
                                    .core_fault = on_core_fault,
                                    .poll = on_poll};
    if (gdb_link_open(&g->link, port, e)) {
        machine_debug(m, &g->debugger);
        if (session) gdb_past_begin(g, session);
        return g;
    }
    gdb_stub_destroy(g);
    return NULL;
}

void gdb_stub_finish(struct gdb_stub *g, int status) {
    char text[16];
    if (g->attached && g->link.client >= 0) {
        snprintf(text, sizeof text, "W%02x", status & 0xff);
        gdb_link_send(&g->link, text, strlen(text));
        gdb_link_receive(&g->link, 1000); /* waits for the acknowledgement, or the end of the connection */
    } else if (!g->attached) {
        fprintf(stderr, "lockstep: no kernel ran: there was nothing for gdb\n");
    }
    g->code = NULL; /* the code has been freed */
    gdb_leave(g, GDB_IS_DISMISSED);
}

static void remove_folder(const char *path) {
    char file[400];
    DIR *d = path[0] ? opendir(path) : NULL;
    if (!d) return;
    for (const struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        unlink(file);
    }
    closedir(d);
    rmdir(path);
}

void gdb_stub_destroy(struct gdb_stub *g) {
    if (!g) return;
    gdb_link_close(&g->link);
    gdb_past_end(g);
    remove_folder(g->folder);
    for (size_t n = 0; n < g->image_count; n++) free(g->images[n].bytes);
    free(g->images);
    free(g);
}
