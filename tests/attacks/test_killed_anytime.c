/* Runs that are killed at a random moment: by SIGINT, SIGTERM or SIGKILL to the simulator, the program, the
 * compiler or all of them. Afterwards no process is left, and nothing is left in the temporary folder, except
 * by processes ended by SIGKILL. No incomplete result has its final name, and the next run with the same
 * cache is correct. `make test` runs a few cases, LOCKSTEP_LONG=1 (`make test-long`) 1,000
 * (docs/test-long.md). */
#include "sim/error.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PROCESSES = 64, LEAVE_MS = 10000, LONGEST_MS = 1000 };

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void sleep_ms(unsigned ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* --- processes --- */

struct process {
    pid_t pid, parent;
    char name[20];
};

static bool read_process(const char *folder, struct process *p) {
    char *path = spawn_text("/proc/%s/stat", folder), state;
    FILE *f = isdigit((unsigned char)*folder) ? fopen(path, "r") : NULL;
    const bool read = f && fscanf(f, "%d (%19[^)]) %c %d", &p->pid, p->name, &state, &p->parent) == 4;
    if (f) fclose(f);
    free(path);
    return read && state != 'Z';
}

static bool has(const struct process *list, unsigned count, pid_t pid) {
    for (unsigned i = 0; i < count; i++)
        if (list[i].pid == pid) return true;
    return false;
}

/* Lists all descendants of this test and returns their number. */
static unsigned descendants(struct process list[MOST_PROCESSES]) {
    static struct process all[4096];
    unsigned known = 0, count = 0;
    DIR *folder = opendir("/proc");
    assert_non_null(folder);
    for (struct dirent *d; (d = readdir(folder)) && known < 4096;)
        known += read_process(d->d_name, &all[known]);
    closedir(folder);
    for (bool grown = true; grown;) {
        grown = false;
        for (unsigned i = 0; i < known && count < MOST_PROCESSES; i++)
            if ((all[i].parent == getpid() || has(list, count, all[i].parent)) &&
                !has(list, count, all[i].pid)) {
                list[count++] = all[i];
                grown = true;
            }
    }
    return count;
}

/* Orphans become children of this test: PR_SET_CHILD_SUBREAPER. */
static void assert_nobody_left(const struct attack *a) {
    struct process list[MOST_PROCESSES];
    const double until = now_ms() + LEAVE_MS;
    unsigned count;
    do {
        sleep_ms(10);
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
        count = descendants(list);
    } while (count > 0 && now_ms() < until);
    for (unsigned i = 0; i < count; i++) {
        fprintf(stderr, "still there: %d (%s)\n", list[i].pid, list[i].name);
        kill(list[i].pid, SIGKILL);
    }
    while (waitpid(-1, NULL, 0) > 0) continue;
    if (count > 0) attack_fail(a, "%u processes are left\n", count);
}

/* --- the kill --- */

static bool is_compiler(const struct process *p) {
    return !strcmp(p->name, "lockstep-cc") || !strncmp(p->name, "arm-linux-gnueab", 15);
}

enum target { SIMULATOR, PROGRAM, COMPILER, EVERYONE, TARGETS };
static const char *const target_names[TARGETS] = {"the simulator", "the program", "the compiler", "everyone"};

struct shot {
    enum target target;
    int signal;
    unsigned after_ms, hit;
    bool early; /* before the simulator had started anybody */
};

static bool aims_at(enum target target, const struct process *p, pid_t simulator) {
    switch (target) {
    case SIMULATOR: return p->pid == simulator;
    case PROGRAM: return p->parent == simulator && !is_compiler(p) && strcmp(p->name, "lockstep") != 0;
    case COMPILER: return is_compiler(p);
    default: return true;
    }
}

static void shoot(struct shot *shot, pid_t simulator) {
    struct process list[MOST_PROCESSES];
    sleep_ms(shot->after_ms);
    const unsigned count = descendants(list);
    shot->early = count <= 1;
    for (unsigned i = 0; i < count; i++)
        if (aims_at(shot->target, &list[i], simulator)) shot->hit += kill(list[i].pid, shot->signal) == 0;
}

/* --- remaining files --- */

static unsigned entries(const char *name, char first[256]) {
    char *path = fixture_path(name);
    DIR *folder = opendir(path);
    unsigned count = 0;
    assert_non_null(folder);
    for (struct dirent *d; (d = readdir(folder)) != NULL;)
        if (d->d_name[0] != '.' && ++count == 1) snprintf(first, 256, "%s", d->d_name);
    closedir(folder);
    free(path);
    return count;
}

static bool exists(const char *name) {
    char *path = fixture_path(name);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Results with their final names are whole. */
static void assert_results(const struct attack *a, const struct spawned *s) {
    if (exists("s.json")) assert_outcome("s.json", "complete");
    if (exists("t.fst")) assert_readable("t.fst");
    if (s->status == 0 && !(exists("s.json") && exists("t.fst")))
        attack_fail(a, "exit status 0 without results\n");
    struct spawned left = spawn(
        fixture_folder, (char *[]){"sh", "-c", "ls | grep '[.]part'; rm -f s.json* t.fst* t.gtkw*", NULL});
    if (s->status == 0 && *left.out) attack_fail(a, "left: %s\n", left.out);
    spawn_free(&left);
}

static void assert_tidy(const struct attack *a, const struct shot *shot) {
    char first[256];
    if (entries("tmp", first) == 0) return;
    if (shot->signal != SIGKILL) attack_fail(a, "tmp/%s is left\n", first);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", "rm -r tmp/*", NULL});
    spawn_free(&s);
}

/* Checks the exit status, which is that of a signal or one of Lockstep's, and the message, if the simulator
 * could print one. */
static void assert_told(const struct attack *a, const struct shot *shot, const struct spawned *s) {
    /* SIGKILL, or a signal before the simulator had installed its handler. */
    const bool killed = (shot->signal == SIGKILL || shot->early) && s->status == 128 + shot->signal;
    if (s->status == 0 || killed) return;
    const bool crashed = s->status == 128 + SIGSEGV || s->status == 128 + SIGABRT ||
                         s->status == 128 + SIGBUS || s->status == 128 + SIGPIPE ||
                         s->status == 128 + SIGALRM || s->status == EXIT_INTERNAL;
    if (crashed || !*s->err) attack_fail(a, "exit status %d\n%s\n", s->status, s->err);
}

static void assert_next_run_right(const struct attack *a) {
    char *program = fixture_host("any_machine");
    struct spawned s = LOCKSTEP("run", "--", program);
    if (s.status != 0 || !strstr(s.out, "PASS")) attack_fail(a, "the next run: %d\n%s\n", s.status, s.err);
    spawn_free(&s);
    free(program);
}

/* --- tests --- */

static void make_folders(const struct attack *a) {
    char *cache = spawn_text("%s/cache%u", fixture_folder, a->count / 4), *temporary = fixture_path("tmp");
    mkdir(cache, 0700);
    mkdir(temporary, 0700);
    setenv("LOCKSTEP_CACHE", cache, 1);
    setenv("TMPDIR", temporary, 1);
    free(cache);
    free(temporary);
}

/* Starts the program: directly, through a shell, or one that never ends. */
static struct spawned start(struct seed *s) {
    static const char *const names[] = {"any_machine", "matrix_multiply", "two_programs_kernels", "endless"};
    char *program = fixture_host(names[seed_below(s, 4)]);
    char *line = spawn_text("%s; exit $?", program);
    char *direct[] = {fixture_command, "run",     "--stats", "s.json", "--trace", "t.fst",
                      "--max-cycles",  "1000000", "--",      program,  NULL};
    char *shell[] = {fixture_command, "run", "--stats", "s.json", "--trace", "t.fst", "--max-cycles",
                     "1000000",       "--",  "sh",      "-c",     line,      NULL};
    struct spawned r = spawn_start(fixture_folder, false, seed_below(s, 4) ? direct : shell);
    free(line);
    free(program);
    return r;
}

static void try(const struct attack *a, unsigned tally[TARGETS]) {
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    struct seed s = attack_seed(a);
    struct shot shot = {.target = (enum target)seed_below(&s, TARGETS),
                        .signal = signals[seed_below(&s, 3)],
                        .after_ms = seed_below(&s, 2 + seed_below(&s, LONGEST_MS))};
    make_folders(a);
    struct spawned r = start(&s);
    shoot(&shot, r.pid);
    if (!shot.hit) kill(r.pid, shot.signal = SIGTERM); /* `endless` would not end */
    spawn_finish(&r);
    assert_nobody_left(a);
    print_message("%s to %s after %u ms: %u hit, exit status %d\n", strsignal(shot.signal),
                  target_names[shot.target], shot.after_ms, shot.hit, r.status);
    assert_told(a, &shot, &r);
    assert_results(a, &r);
    assert_tidy(a, &shot);
    assert_next_run_right(a);
    tally[shot.target] += shot.hit > 0;
    spawn_free(&r);
}

static void killed_at_any_moment(void **state) {
    (void)state;
    struct attack a = attack_start("killed_at_any_moment", 8, 1000);
    unsigned tally[TARGETS] = {0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    signal(SIGINT, SIG_DFL); /* shells set SIGINT to be ignored in background jobs */
    spawn_limit_seconds = 100;
    while (attack_next(&a)) try(&a, tally);
    unsetenv("LOCKSTEP_CACHE");
    unsetenv("TMPDIR");
    attack_end(&a, "%u killed: the simulator %u times, the program %u, the compiler %u, all of them %u",
               tally[0] + tally[1] + tally[2] + tally[3], tally[SIMULATOR], tally[PROGRAM], tally[COMPILER],
               tally[EVERYONE]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(killed_at_any_moment)};
    return attack_run(argc, argv, tests);
}
