#include "lockstep/explore/points.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_WORDS = 512 };

/* --- keys --- */

static XXH3_state_t *state_of(struct points_hash *h) {
    return (XXH3_state_t *)h;
}

static struct points_hash *begin(void) {
    XXH3_state_t *state = XXH3_createState();
    require_memory(state);
    XXH3_128bits_reset(state);
    return (struct points_hash *)state;
}

struct points_hash *points_hash_begin(const struct points *p) {
    struct points_hash *h = begin();
    points_hash_text(h, p->version);
    return h;
}

void points_hash_text(struct points_hash *h, const char *text) {
    XXH3_128bits_update(state_of(h), text, strlen(text) + 1);
}

bool points_hash_file(struct points_hash *h, const char *path, struct error *e) {
    char bytes[1 << 16];
    size_t n;
    FILE *in = fopen(path, "rb");
    if (!in) return error_set(e, EXIT_USER, "%s cannot be read: %s", path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0) XXH3_128bits_update(state_of(h), bytes, n);
    const bool good = !ferror(in);
    fclose(in);
    return good || error_set(e, EXIT_USER, "%s cannot be read", path);
}

void points_hash_end(struct points_hash *h, char key[POINT_KEY]) {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_of(h));
    snprintf(key, POINT_KEY, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
    XXH3_freeState(state_of(h));
}

/* Computes the version: a hash of the simulator and of the files in its folder that make a kernel's code. */
static bool find_version(struct points *p, struct error *e) {
    static const char *const files[] = {"lockstep-cc",
                                        "liblockstep_cc.so",
                                        "liblockstep_opencl.so",
                                        "device/library.parts",
                                        "device/library_classic.parts",
                                        "device/builtins.a",
                                        "device/twin_builtins.s",
                                        "device/startup.o",
                                        "device/startup_unrolled.o",
                                        "device/half_builtins.h",
                                        "device/lockstep_scalar.h"};
    const ssize_t length = readlink("/proc/self/exe", p->self, sizeof p->self - 1);
    if (length < 0) return error_set(e, EXIT_USER, "/proc/self/exe cannot be read: %s", strerror(errno));
    p->self[length] = '\0';
    const int folder = (int)(strrchr(p->self, '/') - p->self);
    struct points_hash *h = begin();
    bool good = true;
    points_hash_text(h, simulator_version);
    for (size_t n = 0; n < sizeof files / sizeof *files && good; n++) {
        char *path;
        require_memory(asprintf(&path, "%.*s/%s", folder, p->self, files[n]) >= 0);
        good = points_hash_file(h, path, e);
        free(path);
    }
    points_hash_end(h, p->version);
    return good;
}

bool points_open(struct points *p, const char *folder, struct error *e) {
    *p = (struct points){0};
    return tools_find(&p->tools, e) && find_version(p, e) && point_store_open(&p->store, "--out", folder, e);
}

void points_free(struct points *p) {
    point_store_close(&p->store);
}

/* --- one point --- */

char *points_begin_work(const struct points *p, const char *key) {
    char *path = point_store_path(&p->store, "work", key, ""), name[PATH_MAX + NAME_MAX + 2];
    mkdir(path, 0777);
    DIR *d = opendir(path);
    for (const struct dirent *f; d && (f = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", path, f->d_name);
        if (f->d_name[0] != '.') unlink(name);
    }
    if (d) closedir(d);
    return path;
}

void points_end_work(const struct points *p, const char *key) {
    char *path = points_begin_work(p, key);
    rmdir(path);
    free(path);
}

/* Runs this command with its output in a file; returns its exit status. The child ends with this process. */
static int run_child(const struct points *p, char *const argv[], const char *log) {
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(EXIT_USER);
        if (out >= 0 && in >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
            execv(p->self, argv);
        _exit(EXIT_USER);
    }
    int status = 0;
    if (child < 0) return EXIT_USER;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return EXIT_USER;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns whether the program itself ended a run with EXIT_USER, or did not use OpenCL, according to its
 * complete or partial statistics. */
static bool ended_by_itself(const char *statistics) {
    json_error_t why;
    char *part;
    require_memory(asprintf(&part, "%s.part", statistics) >= 0);
    json_t *j = json_load_file(access(statistics, F_OK) == 0 ? statistics : part, 0, &why);
    const char *outcome = json_string_value(json_object_get(j, "outcome"));
    const bool itself = outcome && strcmp(outcome, "interrupted") != 0;
    json_decref(j);
    free(part);
    return itself;
}

struct points_outcome points_run(const struct points *p, const char *key, char *const options[],
                                 char *const words[]) {
    char *file, *log = point_store_path(&p->store, "logs", key, ".txt");
    require_memory(asprintf(&file, "%s/work/%s/stats.json", p->store.folder, key) >= 0);
    char *argv[MAX_WORDS] = {(char *)p->self, "run", "--quiet", "--stats", file};
    size_t n = 5;
    json_error_t why;
    for (; *options && n < MAX_WORDS - 1; options++) argv[n++] = *options;
    for (; *words && n < MAX_WORDS - 1; words++) argv[n++] = *words;
    struct points_outcome o = {.status = run_child(p, argv, log)};
    if (!o.status) o.statistics = json_load_file(file, 0, &why);
    o.host_failed = o.status ? point_store_host_failed(o.status, ended_by_itself(file)) : !o.statistics;
    free(file);
    free(log);
    return o;
}

/* Returns the last message of lockstep in a log, which may continue after it; without a message, the last
 * line. */
static char *last_message(const struct points *p, const char *key) {
    char *line = NULL, *last = strdup(""), *path = point_store_path(&p->store, "logs", key, ".txt");
    bool said = false;
    size_t capacity = 0;
    FILE *in = fopen(path, "r");
    require_memory(last);
    while (in && getline(&line, &capacity, in) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        const bool says = strncmp(line, "lockstep", strlen("lockstep")) == 0;
        if (!*line || (said && !says)) continue;
        said |= says;
        free(last);
        last = strdup(line);
        require_memory(last);
    }
    if (in) fclose(in);
    free(line);
    free(path);
    return last;
}

char *points_reason(const struct points *p, const char *key, const struct points_outcome *o) {
    char *reason = last_message(p, key);
    const bool killed = o->host_failed && o->status > 128;
    if (!killed && o->status && *reason) return reason;
    free(reason);
    if (killed)
        require_memory(
            asprintf(&reason, "killed by signal %d (%s)", o->status - 128, strsignal(o->status - 128)) >= 0);
    else
        require_memory(reason = strdup("its statistics are not whole"));
    return reason;
}

/* --- a list of points --- */

/* Runs a point without a result. If another process has its lock, sets *busy, or waits for that process if
 * `wait`. */
static bool work_on(const struct points_list *l, size_t point, bool wait, bool *busy, struct error *e) {
    const struct point_store *s = &l->points->store;
    char key[POINT_KEY];
    if (!l->key(l->context, point, key, e)) return false;
    if (point_store_has(s, key)) return true;
    const int lock = point_store_lock(s, key, wait, e);
    *busy = lock < 0;
    if (lock < 0) return e->status == EXIT_SOUND;
    point_store_discard_damaged(s, key);
    if (!point_store_has(s, key)) {
        json_t *result = l->make(l->context, point, key, e);
        if (result) point_store_write(s, key, result, e);
        json_decref(result);
    }
    close(lock);
    return e->status == EXIT_SOUND;
}

/* Runs the points that no other process runs, and notes the others; or, if these are noted in `busy`, waits
 * for them. */
static bool pass(const struct points_list *l, size_t first, bool wait, bool *busy, struct error *e) {
    bool good = true;
    for (size_t n = 0; good && n < l->count; n++)
        if (!wait || busy[n]) good = work_on(l, (first + n) % l->count, wait, &busy[n], e);
    return good;
}

bool points_work(const struct points_list *l, size_t first, struct error *e) {
    bool *busy = calloc(l->count + 1, sizeof *busy);
    require_memory(busy);
    const bool good = (!l->before || l->before(l->context, e)) && pass(l, first, false, busy, e) &&
                      (!l->after || l->after(l->context, e)) && pass(l, first, true, busy, e);
    free(busy);
    return good;
}

size_t points_done(const struct points_list *l) {
    size_t done = 0;
    struct error ignored = {0};
    for (size_t n = 0; n < l->count; n++) {
        char key[POINT_KEY];
        if (!l->key(l->context, n, key, &ignored)) return done;
        char *path = point_store_path(&l->points->store, "points", key, ".json");
        done += access(path, F_OK) == 0;
        free(path);
    }
    return done;
}

size_t points_sound(const struct points_list *l) {
    size_t done = 0;
    struct error ignored = {0};
    for (size_t n = 0; n < l->count; n++) {
        char key[POINT_KEY];
        done += l->key(l->context, n, key, &ignored) && point_store_has(&l->points->store, key);
    }
    return done;
}
