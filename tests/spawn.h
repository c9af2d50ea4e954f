/* spawn: runs a program from a test and keeps its output. */
#ifndef TESTS_SPAWN_H
#define TESTS_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawned {
    pid_t pid;
    int status;      /* exit status, or 128 + the signal that killed it */
    char *out, *err; /* complete standard output and standard error */
    int out_fd, err_fd;
    bool terminal; /* standard error is a terminal */
};

/* limit of a program's time; SIGALRM kills it afterwards. 240 seconds unless a test sets it. */
extern unsigned spawn_limit_seconds;

/* Runs argv in `folder` to its end. Free with spawn_free(). */
struct spawned spawn(const char *folder, char *const argv[]);
void spawn_free(struct spawned *s);

/* Does the same in two steps. terminal: standard error is a pseudo-terminal. */
struct spawned spawn_start(const char *folder, bool terminal, char *const argv[]);
void spawn_finish(struct spawned *s);

/* Create a new empty folder below /tmp; remove it with its contents. */
char *spawn_folder(void);
void spawn_remove_folder(char *folder);

/* Return the folder of the build that the running test belongs to ("/…/build"), and the folder of the
 * sources. */
const char *spawn_build(void);
const char *spawn_source(void);

/* Prints into a new string, as printf(). */
char *spawn_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the contents of a file as a string; NULL if it cannot be read. */
char *spawn_read(const char *path);
void spawn_write(const char *path, const char *text);

#endif
