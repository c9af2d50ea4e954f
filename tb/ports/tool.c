#include "tb/ports/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHOWN_BYTES 1200 /* limit of the output of a failed tool: its beginning is the most useful part */
#define PREFIX      "lockstep-part-"
#define OLD_SECONDS (24 * 60 * 60)

static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void fill_held(sigset_t *set) {
    sigemptyset(set);
    for (unsigned n = 0; n < sizeof held / sizeof held[0]; ++n) sigaddset(set, held[n]);
}

/* Protects $NAME, ${NAME} and $(NAME) in a path. Verilator replaces these by an environment variable, if it
 * exists; so the variable is set to the text itself. PATH is left alone, since it is needed. */
static void keep_dollars(const char *word) {
    for (const char *at = strchr(word, '$'); at; at = strchr(at + 1, '$')) {
        const bool bracket = at[1] == '{' || at[1] == '(';
        const char *name = at + 1 + bracket;
        const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        char *variable = strndup(name, length), *text = strndup(at, length + 1 + 2 * bracket);
        if (variable && text && length && strcmp(variable, "PATH") != 0) setenv(variable, text, 1);
        free(variable);
        free(text);
    }
}

/* Executes the tool in a process group of its own, so that its children can be stopped with it. */
static _Noreturn void become(char *const argv[], const struct tool_folder *f, int output) {
    const int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, &f->before, NULL);
    setenv("TMPDIR", f->path, 1);
    for (char *const *word = argv; *word; ++word) keep_dollars(*word);
    if (chdir(f->path) == 0 && nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(output, 1) >= 0 &&
        dup2(output, 2) >= 0)
        execvp(argv[0], argv);
    dprintf(output, "%s", strerror(errno));
    _exit(127);
}

static void say_command(char *const argv[], char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (; *argv && used < size; ++argv) {
        const int n = snprintf(out + used, size - used, "%s%s", used ? " " : "", *argv);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Keeps the beginning of the output and reads the rest, so that the tool can end. A signal ends the tool. */
static bool drain(int from, pid_t child, char *out, size_t size) {
    char rest[4096];
    size_t used = 0;
    ssize_t n = 1;
    sigset_t set;
    fill_held(&set);
    const int stop = signalfd(-1, &set, SFD_CLOEXEC);
    struct pollfd wait[] = {{from, POLLIN, 0}, {stop, POLLIN, 0}};
    while (n > 0) {
        if (poll(wait, 2, -1) < 0) continue;
        if (wait[1].revents && wait[1].fd >= 0) {
            kill(-child, SIGTERM);
            kill(-child, SIGCONT);
            wait[1].fd = -1;
        }
        if (!wait[0].revents || (n = read(from, rest, sizeof rest)) <= 0) continue;
        const size_t take = (size_t)n < size - 1 - used ? (size_t)n : size - 1 - used;
        memcpy(out + used, rest, take);
        used += take;
    }
    while (used && out[used - 1] == '\n') --used;
    out[used] = '\0';
    if (stop >= 0) close(stop);
    return wait[1].fd < 0 && stop >= 0;
}

/* Runs argv and keeps the beginning of its output. */
static bool run(char *const argv[], const struct tool_folder *f, const char *refuses, char *printed,
                size_t size, struct error *e) {
    int output[2], status;
    char command[400];
    bool stopped = false;
    if (pipe2(output, O_CLOEXEC) != 0) return error_set(e, EXIT_USER, "no pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(argv, f, output[1]);
    close(output[1]);
    if (child > 0) {
        setpgid(child, child);
        stopped = drain(output[0], child, printed, size);
    }
    close(output[0]);
    if (child < 0) return error_set(e, EXIT_USER, "%s cannot be started: %s", argv[0], strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return error_set(e, EXIT_USER, "%s was lost: %s", argv[0], strerror(errno));
    if (stopped) return error_set(e, EXIT_USER, "%s was stopped by a signal", argv[0]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_set(e, EXIT_USER,
                         "%s cannot be run: %s\nit builds the Verilog of --rtl; install it (scripts/setup)",
                         argv[0], printed);
    if (refuses) return error_set(e, EXIT_USER, "%s:\n%s", refuses, printed);
    say_command(argv, command, sizeof command);
    return error_set(e, EXIT_USER, "this failed:\n  %s\n%s", command, printed);
}

bool tool_run(char *const argv[], const struct tool_folder *f, const char *refuses, struct error *e) {
    char printed[SHOWN_BYTES];
    return run(argv, f, refuses, printed, sizeof printed, e);
}

bool tool_ask(char *const argv[], const struct tool_folder *f, char *printed, size_t size, struct error *e) {
    return run(argv, f, NULL, printed, size, e);
}

static void remove_folder(const char *path) {
    DIR *d = opendir(path);
    if (!d) return;
    for (const struct dirent *f; (f = readdir(d));)
        if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0) unlinkat(dirfd(d), f->d_name, 0);
    closedir(d);
    rmdir(path);
}

static void remove_old(const char *parent) {
    char path[PATH_MAX + NAME_MAX + 2];
    struct stat s;
    DIR *d = opendir(parent);
    if (!d) return;
    for (const struct dirent *f; (f = readdir(d));) {
        if (strncmp(f->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", parent, f->d_name);
        if (lstat(path, &s) == 0 && s.st_uid == geteuid() && time(NULL) - s.st_mtime > OLD_SECONDS)
            remove_folder(path);
    }
    closedir(d);
}

bool tool_folder_make(struct tool_folder *f, const char *parent, struct error *e) {
    sigset_t set;
    const int n = snprintf(f->path, sizeof f->path, "%s/%sXXXXXX", parent, PREFIX);
    if (n < 0 || (size_t)n >= sizeof f->path)
        return error_set(e, EXIT_USER, "the path %s is too long", parent);
    remove_old(parent);
    fill_held(&set);
    sigprocmask(SIG_BLOCK, &set, &f->before);
    if (mkdtemp(f->path)) return true;
    const int why = errno;
    sigprocmask(SIG_SETMASK, &f->before, NULL);
    return error_set(
        e, EXIT_USER,
        "no folder can be made in %s: %s\nVerilog is built there; set LOCKSTEP_CACHE to a folder "
        "that takes it",
        parent, strerror(why));
}

void tool_folder_remove(const struct tool_folder *f) {
    remove_folder(f->path);
    sigprocmask(SIG_SETMASK, &f->before, NULL);
}
