/* compiler_run: common parts of the compiler's tests: run a command with input and output in memory, and the
 * compiler that was built with the test. */
#ifndef TESTS_COMPILER_COMPILER_RUN_H
#define TESTS_COMPILER_COMPILER_RUN_H

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run_result {
    int status;   /* exit status; 128 + signal */
    char *errors; /* standard error */
};

static char run_directory[PATH_MAX]; /* a fresh one, removed at the end */

/* The build directory: the parent of the one this test is in. */
static inline const char *run_build_directory(void) {
    static char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size < 0) abort();
    path[size] = 0;
    *strrchr(path, '/') = 0;
    *strrchr(path, '/') = 0;
    return path;
}

static inline char *run_read(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    struct stat s;
    if (!f || fstat(fileno(f), &s) != 0) abort();
    char *data = malloc((size_t)s.st_size + 1);
    *size = fread(data, 1, (size_t)s.st_size, f);
    data[*size] = 0;
    fclose(f);
    return data;
}

static inline void run_write(const char *path, const char *content) {
    FILE *f = fopen(path, "wb");
    if (!f || fputs(content, f) < 0 || fclose(f) != 0) abort();
}

/* A path in the test's own directory, in one of a few rotating buffers. */
static inline const char *run_path(const char *name) {
    static char paths[8][PATH_MAX + 256];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", run_directory, name);
    return path;
}

/* A shell command from a printf format. %s arguments must need no quoting. */
static inline struct run_result run_command(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline struct run_result run_command(const char *format, ...) {
    char command[8192], whole[16384];
    struct run_result r;
    size_t size;
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    snprintf(whole, sizeof whole, "(%s) 2>%s/errors", command, run_directory);
    int status = system(whole);
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    r.errors = run_read(run_path("errors"), &size);
    return r;
}

static inline int run_setup(void **state) {
    (void)state;
    snprintf(run_directory, sizeof run_directory, "/tmp/lockstep-test-XXXXXX");
    if (!mkdtemp(run_directory)) return -1;
    return 0;
}

static inline int run_teardown(void **state) {
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf %s", run_directory);
    return system(command);
}

#endif
