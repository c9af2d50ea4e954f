#include "lockstep/run/injection.h"

#include "lockstep/output/report.h"
#include "lockstep/output/table.h"
#include "model/cluster/cluster.h"
#include "sim/seed.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASSES(X)                                                                                           \
    X(DETECTED, "detected")                                                                                  \
    X(TRAPPED, "by traps")                                                                                   \
    X(CORRECTED, "corrected")                                                                                \
    X(MASKED, "masked")                                                                                      \
    X(SILENT, "silent")                                                                                      \
    X(HANG, "hang")
enum class {
#define X(id, name) CLASS_##id,
    CLASSES(X)
#undef X
        CLASS_COUNT
};

/* A randomly drawn fault. Clusters are drawn in proportion to their numbers of targets. */
struct draw {
    unsigned cluster;
    uint64_t at;
};

/* --- the plan --- */

static bool read_item(struct injection_plan *p, const char *item, size_t length, char *message, size_t size) {
    const size_t name = strcspn(item, "=,");
    char *end;
    const uint64_t n = name < length ? strtoull(item + name + 1, &end, 10) : 0;
    const bool seed = name == 4 && strncmp(item, "seed", 4) == 0;
    unsigned place = 0;
    while (place < FAULT_PLACE_COUNT &&
           (strlen(fault_place_name[place]) != name || strncmp(item, fault_place_name[place], name) != 0))
        ++place;
    if (!seed && place == FAULT_PLACE_COUNT) {
        snprintf(message, size, "'%.*s' is no place: alu, register, srf and irb are, and seed", (int)name,
                 item);
        return false;
    }
    if (name == length || item[name + 1] < '0' || item[name + 1] > '9' || end != item + length ||
        (!seed && n > INJECTION_MAX_FAULTS)) {
        snprintf(message, size, "'%.*s': %.*s=N is needed, N a number%s", (int)length, item, (int)name, item,
                 seed ? "" : " of faults, at most 1000000");
        return false;
    }
    if (seed)
        p->seed = n;
    else
        p->count[place] = (unsigned)n;
    return true;
}

bool injection_read(struct injection_plan *p, const char *text, char *message, size_t size) {
    *p = (struct injection_plan){.seed = 1};
    for (const char *item = text;; ++item) {
        const size_t length = strcspn(item, ",");
        if (!read_item(p, item, length, message, size)) return false;
        item += length;
        if (!*item) break;
    }
    if (injection_wanted(p)) return true;
    snprintf(message, size, "no fault is given: write alu=N, register=N, srf=N or irb=N");
    return false;
}

bool injection_wanted(const struct injection_plan *p) {
    for (unsigned n = 0; n < FAULT_PLACE_COUNT; ++n)
        if (p->count[n]) return true;
    return false;
}

bool injection_check(const struct injection_plan *p, const struct machine_config *c, struct error *e) {
    if (injection_wanted(p) && c->simt.mitigation == MITIGATION_ALT)
        return error_set(
            e, EXIT_USER,
            "--inject: a fault strikes one instruction of a warp, but with simt.mitigation alt its "
            "threads may have several; set it to none");
    for (enum fault_place n = 0; n < FAULT_PLACE_COUNT; ++n) {
        const char *missing = p->count[n] ? fault_place_missing(c, n) : NULL;
        if (missing)
            return error_set(e, EXIT_USER,
                             "--inject %s=%u: the machine has no such place; it has one with %s",
                             fault_place_name[n], p->count[n], missing);
    }
    return true;
}

/* --- one run --- */

/* Adds bytes to a hash: FNV-1a, one word at a time. */
static uint64_t mix(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    for (; count; --count) hash = (hash ^ *bytes++) * UINT64_C(0x100000001b3);
    return hash;
}

static void after_launch(void *context, const struct machine_launch *launch,
                         const struct machine_result *result, bool whole) {
    struct injection_witness *w = context;
    const struct memory *m = machine_memory(w->machine);
    (void)launch;
    if (result->cycles > w->longest) w->longest = result->cycles;
    if (++w->launches == w->most) machine_interrupt(w->machine);
    for (unsigned n = 0; whole && n < m->used; ++n) {
        const struct memory_region *r = &m->region[m->order[n]];
        if (r->kind == MEMORY_BUFFER) w->buffers = mix(w->buffers ^ r->base, r->host, r->size_bytes);
    }
}

static void watch(struct injection_witness *w, struct simulation *s, unsigned most) {
    *w = (struct injection_witness){.most = most, .machine = s->machine};
    s->after_launch = after_launch;
    s->context = w;
}

void injection_watch(struct injection *j, const struct injection_plan *p, struct simulation *s) {
    const unsigned clusters = machine_configuration(s->machine)->cluster.count;
    *j = (struct injection){.plan = p, .counting = calloc(clusters, sizeof *j->counting)};
    require_memory(j->counting);
    watch(&j->whole, s, 0);
    for (unsigned k = 0; k < clusters; ++k) machine_unit(s->machine, k)->fault = &j->counting[k];
}

void injection_free(struct injection *j) {
    free(j->counting);
}

static enum class judge(const struct injection *j, const struct simulation *whole, const struct fault *f,
                        struct simulation *s, const struct injection_witness *w, uint64_t limit) {
    const bool same = w->buffers == j->whole.buffers && w->launches == j->whole.launches &&
                      s->status == whole->status;
    if (f->state == FAULT_DETECTED) return CLASS_DETECTED;
    if (w->launches >= w->most || w->longest >= limit ||
        (s->error.status != EXIT_SOUND && machine_is_stuck(s->machine))) return CLASS_HANG;
    if (s->error.status != whole->error.status) return CLASS_TRAPPED;
    if (!same) return CLASS_SILENT;
    return f->state == FAULT_CORRECTED ? CLASS_CORRECTED : CLASS_MASKED;
}

/* Draws place and time: every operation, or every cycle of a cluster, is equally likely. Returns false if
 * there is none. */
static bool draw(const struct injection *j, const struct simulation *whole, enum fault_place place,
                 uint64_t random, struct draw *d) {
    const unsigned clusters = machine_configuration(whole->machine)->cluster.count;
    uint64_t all = 0;
    for (int round = 0; round < 2; ++round) {
        uint64_t at = all ? random % all : 0;
        for (unsigned k = 0; k < clusters; ++k) {
            const struct simt *u = machine_unit(whole->machine, k);
            const uint64_t here =
                place == FAULT_ALU ? j->counting[k].operations : u->kind->fault_cycles(u, u->now);
            if (round == 0) {
                all += here;
            } else if (at < here) {
                *d = (struct draw){k, at};
                return true;
            } else {
                at -= here;
            }
        }
        if (!all) return false;
    }
    return false;
}

struct campaign {
    struct injection *injection;
    const struct simulation *whole;
    struct execution_options options;
    const struct tools *tools;
    char *const *argv;
    unsigned found[FAULT_PLACE_COUNT][CLASS_COUNT], done[FAULT_PLACE_COUNT];
    struct error error; /* reason if not all were run */
};

/* Does a run with a fault and sets *class. Returns false if it was stopped, or could not begin. */
static bool run_one(struct campaign *c, enum fault_place place, uint64_t random, enum class *class) {
    struct draw d;
    struct seed seed = seed_of(random);
    struct simulation s;
    struct injection_witness w;
    if (!draw(c->injection, c->whole, place, random, &d))
        return error_set(&c->error, EXIT_USER,
                         "--inject: no kernel has run an instruction that could be struck");
    struct fault f = {.place = place, .at = d.at, .random = seed_next(&seed), .state = FAULT_TO_COME};
    if (!simulation_create(&s, machine_configuration(c->whole->machine), &c->options, c->tools, &c->error)) {
        simulation_free(&s);
        return false;
    }
    watch(&w, &s, 2 * c->injection->whole.launches + 2);
    machine_unit(s.machine, d.cluster)->fault = &f;
    simulation_run(&s, c->argv);
    const bool stopped = strcmp(s.outcome.name, "interrupted") == 0 && w.launches < w.most;
    *class = judge(c->injection, c->whole, &f, &s, &w, c->options.max_cycles);
    simulation_free(&s);
    return !stopped || error_set(&c->error, EXIT_USER, "--inject: interrupted, these are not all faults");
}

/* --- all of them --- */

/* Redirects standard output and error, of the program and of this process, to /dev/null; returns the original
 * standard error. */
static FILE *silence(int saved[2]) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(NULL);
    for (int n = 0; n < 2; ++n) {
        saved[n] = fcntl(n + 1, F_DUPFD_CLOEXEC, 3);
        if (nowhere >= 0) dup2(nowhere, n + 1);
    }
    if (nowhere >= 0) close(nowhere);
    const int ours = fcntl(saved[1], F_DUPFD_CLOEXEC, 3);
    return ours < 0 ? NULL : fdopen(ours, "w");
}

static void speak_again(const int saved[2], FILE *ours) {
    fflush(NULL);
    for (int n = 0; n < 2; ++n) {
        dup2(saved[n], n + 1);
        close(saved[n]);
    }
    if (ours) fclose(ours);
}

static void run_all(struct campaign *c, FILE *terminal) {
    const off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    const bool shows = !c->options.quiet && terminal && isatty(fileno(terminal));
    struct seed seed = seed_of(c->injection->plan->seed);
    for (enum fault_place p = 0; p < FAULT_PLACE_COUNT; ++p)
        for (unsigned n = 0; n < c->injection->plan->count[p]; ++n) {
            enum class class = CLASS_MASKED;
            progress_note("fault %u of %u: %s", n + 1, c->injection->plan->count[p], fault_place_name[p]);
            if (shows) {
                fprintf(terminal, "\r  fault %u of %u: %s\033[K", n + 1, c->injection->plan->count[p],
                        fault_place_name[p]);
                fflush(terminal);
            }
            if (input >= 0) lseek(STDIN_FILENO, input, SEEK_SET);
            if (!run_one(c, p, seed_next(&seed), &class)) return;
            ++c->done[p];
            ++c->found[p][class];
        }
}

static void print_coverage(const struct simulation *whole, FILE *out) {
    const struct run_record *r = &whole->record;
    if (machine_configuration(whole->machine)->uniform.storage == UNIFORM_NONE) return;
    const double alu = (double)run_record_sum(r, ".uniform", "alu_protected"),
                 live = (double)run_record_sum(r, ".uniform", "register_cycles_protected"),
                 operations = (double)run_record_sum(r, ".uniform", "alu_operations"),
                 all = (double)run_record_sum(r, ".uniform", "register_cycles_live");
    fprintf(out, "\n  coverage   %.2f %% of the ALU operations, %.2f %% of the live registers\n",
            operations > 0 ? 100 * alu / operations : 0, all > 0 ? 100 * live / all : 0);
}

static void print_table(const struct campaign *c, FILE *out) {
    static const char *const titles[] = {
#define X(id, name) name,
        CLASSES(X)
#undef X
    };
    struct table t;
    table_init(&t, "lrrrrrrr");
    table_add(&t, "faults");
    table_add(&t, "runs");
    for (unsigned k = 0; k < CLASS_COUNT; ++k) table_add(&t, "%s", titles[k]);
    for (enum fault_place p = 0; p < FAULT_PLACE_COUNT; ++p) {
        if (!c->injection->plan->count[p]) continue;
        table_add(&t, "%s", fault_place_description[p]);
        table_add(&t, "%u", c->done[p]);
        table_add(&t, "%u", c->found[p][CLASS_DETECTED] + c->found[p][CLASS_TRAPPED]);
        for (unsigned k = CLASS_TRAPPED; k < CLASS_COUNT; ++k) table_add(&t, "%u", c->found[p][k]);
    }
    fputc('\n', out);
    table_print(&t, 2, out);
    table_free(&t);
    print_coverage(c->whole, out);
}

bool injection_run(struct injection *j, const struct simulation *whole, const struct execution_options *o,
                   const struct tools *tools, char *const argv[], struct error *e) {
    struct campaign c = {.injection = j, .whole = whole, .options = *o, .tools = tools, .argv = argv};
    int saved[2];
    c.options.max_cycles = 8 * j->whole.longest + 1000;
    progress_step("one run for each fault, without the output of the program");
    FILE *terminal = silence(saved);
    run_all(&c, terminal);
    if (!c.options.quiet && terminal && isatty(fileno(terminal))) fputs("\r\033[K", terminal);
    progress_note("%s", "");
    speak_again(saved, terminal);
    print_table(&c, stderr);
    return c.error.status == EXIT_SOUND || error_set(e, c.error.status, "%s", c.error.message);
}
