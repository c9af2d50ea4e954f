#include "tb/ports/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOWN_BYTES 1200 /* of what a failed tool printed: its beginning says most */

static _Noreturn void become(char *const argv[], const char *folder, int output) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (chdir(folder) == 0 && nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(output, 1) >= 0 &&
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

/* Keeps the beginning, reads the rest so that the tool can end. */
static void drain(int from, char *out, size_t size) {
    char rest[4096];
    size_t used = 0;
    ssize_t n;
    while ((n = read(from, rest, sizeof rest)) > 0 || (n < 0 && errno == EINTR)) {
        if (n < 0) continue;
        const size_t take = (size_t)n < size - 1 - used ? (size_t)n : size - 1 - used;
        memcpy(out + used, rest, take);
        used += take;
    }
    while (used && out[used - 1] == '\n') --used;
    out[used] = '\0';
}

bool tool_run(char *const argv[], const char *folder, struct error *e) {
    int output[2], status;
    char printed[SHOWN_BYTES], command[400];
    if (pipe2(output, O_CLOEXEC) != 0) return error_set(e, EXIT_USER, "no pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(argv, folder, output[1]);
    close(output[1]);
    if (child > 0) drain(output[0], printed, sizeof printed);
    close(output[0]);
    if (child < 0) return error_set(e, EXIT_USER, "%s cannot be started: %s", argv[0], strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return error_set(e, EXIT_USER, "%s was lost: %s", argv[0], strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_set(e, EXIT_USER,
                         "%s cannot be run: %s\nit builds the Verilog of --rtl; install it (scripts/setup)",
                         argv[0], printed);
    say_command(argv, command, sizeof command);
    return error_set(e, EXIT_USER, "this failed:\n  %s\n%s", command, printed);
}

bool tool_make_folder(char *path, size_t size, const char *parent, struct error *e) {
    const int n = snprintf(path, size, "%s/part-XXXXXX", parent);
    if (n < 0 || (size_t)n >= size) return error_set(e, EXIT_USER, "the path %s is too long", parent);
    if (mkdtemp(path)) return true;
    return error_set(e, EXIT_USER, "no folder can be made in %s: %s", parent, strerror(errno));
}

void tool_remove_folder(const char *path) {
    DIR *d = opendir(path);
    if (!d) return;
    for (const struct dirent *f; (f = readdir(d));)
        if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0) unlinkat(dirfd(d), f->d_name, 0);
    closedir(d);
    rmdir(path);
}
