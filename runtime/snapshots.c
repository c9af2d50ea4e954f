#include "runtime/snapshots.h"

#include "runtime/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BETWEEN   1.0                   /* CPU time */
#define TIMES_PRICE       50                    /* same, in prices of the last copy */
#define JOURNAL_BYTES     (UINT64_C(256) << 20) /* behind the oldest copy; beyond, a copy is made */
#define WAIT_MILLISECONDS 50                    /* between looks at whether the run is to end */

struct copy {
    pid_t pid; /* 0: none */
    int order, answer;
    uint64_t cycle, journal; /* that it continues with */
};

/* Message to a copy, with its order. */
struct command {
    struct snapshots_order order;
    uint64_t journal_end;
};

struct snapshots {
    struct snapshots_options options;
    struct platform *platform;
    struct launch_watch *watch;
    struct copy copy[SNAPSHOTS_MOST]; /* the oldest first */
    unsigned count;                   /* number of copies */
    int kept_fd;                      /* descriptor that copies keep; −1: none */
    int journal;
    uint64_t journal_end;
    double last, price; /* CPU time at the last copy; CPU time of that copy */
    bool off;           /* the host has no room for copies */
    /* In a copy: */
    bool repeats;
    int order, answer; /* descriptors */
    uint64_t first;    /* cycle that the copy continued from */
    struct command command;
    uint64_t at; /* offset in the journal */
};

static double cpu_now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool read_all(int fd, void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = read(fd, (char *)bytes + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* --- a copy --- */

/* Redirects all descriptors except four to /dev/null: files and pipes of the run belong to the run, not to
 * its copy. */
static void stay_alone(const int kept[4]) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *d; all && (d = readdir(all)) != NULL;) {
        const int fd = atoi(d->d_name); /* 0 for "." and ".." */
        if (fd != kept[0] && fd != kept[1] && fd != kept[2] && fd != kept[3] && fd != dirfd(all) &&
            fd != null)
            dup3(null, fd, fd > STDERR_FILENO ? O_CLOEXEC : 0);
    }
    if (null < 0 || !all) _exit(0);
    closedir(all);
}

/* Fills the answer and leaves. */
static _Noreturn void end_copy(struct snapshots *s, const struct error *e) {
    struct snapshots_answer answer = {
        .error = *e, .first = s->first, .cycle = machine_cycle(s->options.machine)};
    s->options.ended(s->options.context, &s->command.order, &answer);
    const ssize_t ignored = write(s->answer, &answer, sizeof answer);
    (void)ignored;
    _exit(0);
}

/* Serves the journal from s->at on, until a launch fails or is stopped. */
static _Noreturn void serve_journal(struct snapshots *s) {
    struct journal_entry entry;
    struct error e = {0};
    uint8_t *bytes;
    bool whole = true;
    while (whole && journal_next(s->journal, &s->at, s->command.journal_end, &entry, &bytes)) {
        if (entry.kind == JOURNAL_DROP) {
            platform_drop_client(s->platform, entry.client);
        } else if (entry.kind == JOURNAL_BYTES) {
            platform_write(s->platform, entry.client, entry.id, entry.offset, bytes, entry.size);
        } else {
            struct protocol_message request = {.type = entry.id,
                                               .data = bytes,
                                               .size = entry.size,
                                               .capacity = entry.size,
                                               .fd = -1},
                                    reply;
            protocol_begin(&reply, PROTOCOL_REPLY);
            whole = platform_serve(s->platform, entry.client, &request, &reply, &e);
            protocol_free(&reply);
        }
        free(bytes);
    }
    end_copy(s, &e);
}

static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
}

/* Waits for an order. Has a copy of this copy follow it if it serves, and then waits for the next one. */
static void wait_for_order(struct snapshots *s) {
    for (int status;;) {
        if (!read_all(s->order, &s->command, sizeof s->command)) _exit(0);
        if (!s->command.order.serves) return;
        const pid_t self = getpid(), pid = fork();
        if (pid == 0) {
            end_with(self);
            return;
        }
        if (pid < 0) _exit(1);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
        if (status) _exit(1); /* the order has no answer */
    }
}

/* Waits for an order; returns when the run is to be repeated from here. */
static void live_as_copy(struct snapshots *s, pid_t parent) {
    char ready = 1;
    s->repeats = true;
    s->at = s->journal_end;
    s->first = machine_cycle(s->options.machine);
    end_with(parent);
    stay_alone((int[]){s->order, s->answer, s->journal, s->kept_fd});
    launch_watch_forget(s->watch);
    machine_forget_threads(s->options.machine);
    machine_clear_interrupt(s->options.machine);
    machine_on_progress(s->options.machine, NULL, NULL);
    ready = platform_part(s->platform);
    if (write(s->answer, &ready, 1) != 1 || !ready) _exit(0);
    wait_for_order(s);
    machine_stop_at(s->options.machine, s->command.order.cycle + !s->command.order.stops);
    s->options.wakes(s->options.context, &s->command.order);
}

void snapshots_leave(struct snapshots *s) {
    end_copy(s, &(struct error){0});
}

bool snapshots_repeats(const struct snapshots *s) {
    return s && s->repeats;
}

void snapshots_served(struct snapshots *s, bool whole, const struct error *e) {
    if (!snapshots_repeats(s)) return;
    if (!whole) end_copy(s, e);
    serve_journal(s);
}

/* --- copies --- */

static void end(struct copy *c) {
    if (!c->pid) return;
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(c->order);
    close(c->answer);
    c->pid = 0;
}

static void close_both(const int fds[2]) {
    close(fds[0]);
    close(fds[1]);
}

/* Makes a copy; in the copy it returns when the run is to be repeated. False: the host has no room. */
static bool make(struct snapshots *s, struct copy *c) {
    int order[2], answer[2];
    char ready = 0;
    const pid_t parent = getpid();
    if (pipe2(order, O_CLOEXEC) != 0) return false;
    if (pipe2(answer, O_CLOEXEC) != 0) {
        close_both(order);
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        s->order = order[0];
        s->answer = answer[1];
        live_as_copy(s, parent);
        return true;
    }
    close(order[0]);
    close(answer[1]);
    *c = (struct copy){.pid = pid,
                       .order = order[1],
                       .answer = answer[0],
                       .cycle = machine_cycle(s->options.machine),
                       .journal = s->journal_end};
    if (pid > 0 && read(answer[0], &ready, 1) == 1 && ready) return true;
    if (pid > 0)
        end(c);
    else
        close_both((int[]){order[1], answer[0]});
    c->pid = 0;
    return false;
}

static void remove_copy(struct snapshots *s, unsigned n) {
    end(&s->copy[n]);
    memmove(&s->copy[n], &s->copy[n + 1], (--s->count - n) * sizeof *s->copy);
}

static bool is_full(const struct snapshots *s) {
    return s->count && s->journal_end - s->copy[0].journal > JOURNAL_BYTES;
}

/* The copy that is ended for a new one: the oldest, or the one with the nearest neighbours in time. */
static unsigned spare(const struct snapshots *s) {
    uint64_t least = UINT64_MAX;
    unsigned found = 0;
    for (unsigned n = 1; s->options.whole && !is_full(s) && n + 1 < s->count; ++n) {
        const uint64_t span = s->copy[n + 1].cycle - s->copy[n - 1].cycle;
        if (span < least) {
            least = span;
            found = n;
        }
    }
    return found;
}

void snapshots_take(struct snapshots *s) {
    struct copy c;
    const double before = cpu_now(CLOCK_MONOTONIC);
    if (s->off || s->repeats) return;
    if (!make(s, &c)) {
        fprintf(stderr,
                "lockstep: %s: the host has no room for a copy of the process (%s); the run goes on "
                "without\n",
                s->options.flag, strerror(errno));
        s->off = true;
        return;
    }
    if (s->repeats) return;
    s->price = cpu_now(CLOCK_MONOTONIC) - before;
    s->last = cpu_now(CLOCK_PROCESS_CPUTIME_ID);
    if (s->count == s->options.kept) remove_copy(s, spare(s));
    s->copy[s->count++] = c;
    journal_forget(s->journal, s->copy[0].journal);
}

void snapshots_keep_descriptor(struct snapshots *s, int fd) {
    s->kept_fd = fd;
}

void snapshots_forget(struct snapshots *s) {
    while (s->count) remove_copy(s, s->count - 1);
}

struct snapshots *snapshots_create(const struct snapshots_options *o) {
    struct snapshots *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->options = *o;
    s->kept_fd = -1;
    s->journal = journal_open();
    if (s->journal >= 0) return s;
    free(s);
    return NULL;
}

void snapshots_destroy(struct snapshots *s) {
    if (!s) return;
    snapshots_forget(s);
    close(s->journal);
    free(s);
}

void snapshots_begin(struct snapshots *s, struct platform *platform, struct launch_watch *watch) {
    if (!s) return;
    s->platform = platform;
    s->watch = watch;
    if (!s->options.late) snapshots_take(s);
    if (s->repeats) serve_journal(s);
}

void snapshots_consider(struct snapshots *s) {
    if (!s || s->off || s->repeats) return;
    const double passed = cpu_now(CLOCK_PROCESS_CPUTIME_ID) - s->last;
    if (!is_full(s) && (passed < SECONDS_BETWEEN || passed < TIMES_PRICE * s->price)) return;
    if (s->count && machine_cycle(s->options.machine) - s->copy[s->count - 1].cycle < s->options.distance)
        return;
    snapshots_take(s);
}

/* --- the journal --- */

static void add(struct snapshots *s, const struct journal_entry *entry, const void *bytes) {
    if (journal_add(s->journal, &s->journal_end, entry, bytes)) return;
    fprintf(stderr,
            "lockstep: %s: the host has no room for the program's requests; the run goes on without\n",
            s->options.flag);
    s->off = true;
    snapshots_forget(s);
}

static void note_bytes(void *context, unsigned client, uint32_t id, uint64_t offset, const uint8_t *bytes,
                       uint32_t size) {
    add(context, &(struct journal_entry){JOURNAL_BYTES, client, id, size, offset}, bytes);
}

/* Records a request of the program, and before a launch the bytes that the program has written into
 * buffers. */
void snapshots_note(struct snapshots *s, unsigned client, const struct protocol_message *request) {
    if (!s || s->off || s->repeats) return;
    switch (request->type) {
    case PROTOCOL_HELLO:
    case PROTOCOL_LOCATE:
    case PROTOCOL_ROOM: return;
    case PROTOCOL_LAUNCH: platform_written(s->platform, note_bytes, s); break;
    default: break;
    }
    add(s, &(struct journal_entry){JOURNAL_REQUEST, client, request->type, (uint32_t)request->size, 0},
        request->data);
}

void snapshots_note_drop(struct snapshots *s, unsigned client) {
    if (!s || s->off || s->repeats) return;
    add(s, &(struct journal_entry){.kind = JOURNAL_DROP, .client = client}, "");
}

/* --- an order --- */

/* The newest copy that is old enough, or the oldest there is. */
static unsigned choose(const struct snapshots *s, const struct snapshots_order *order) {
    unsigned n = s->count - 1;
    while (n && s->copy[n].cycle + order->cycles >= order->cycle) --n;
    return n;
}

/* Waits for a copy's answer; false: it has ended without, or the run is to end while it serves. */
static bool take_answer(const struct snapshots *s, const struct copy *c, const struct snapshots_order *order,
                        struct snapshots_answer *answer) {
    struct pollfd p = {c->answer, POLLIN, 0};
    while (order->serves && poll(&p, 1, WAIT_MILLISECONDS) <= 0)
        if (machine_interrupted(s->options.machine)) return false;
    return read_all(c->answer, answer, sizeof *answer);
}

bool snapshots_repeat(struct snapshots *s, const struct snapshots_order *order,
                      struct snapshots_answer *answer) {
    const struct command command = {*order, s ? s->journal_end : 0};
    *answer = (struct snapshots_answer){0};
    if (!s || s->repeats || !s->count) return false;
    const unsigned n = choose(s, order);
    const struct copy *c = &s->copy[n];
    const bool answered =
        write(c->order, &command, sizeof command) == sizeof command && take_answer(s, c, order, answer);
    if (!answered) {
        answer->whole = false;
        error_set(&answer->why, EXIT_INTERNAL, "the repeated run has ended before");
    }
    if (order->serves && answered) return true;
    remove_copy(s, n);
    if (!s->count) s->last = -INFINITY; /* another one is made at once */
    return true;
}
