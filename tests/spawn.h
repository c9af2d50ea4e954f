/*
 * spawn: runs a program from a test and keeps what it said.
 */
#ifndef TESTS_SPAWN_H
#define TESTS_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct spawned {
    pid_t pid;
    int status;      /* exit status, or 128 + the signal that killed it */
    char *out, *err; /* standard output and standard error, whole */
    int out_fd, err_fd;
    bool terminal; /* standard error is a terminal */
};

/* A program that takes longer is killed by SIGALRM: four minutes unless a test sets it. */
extern unsigned spawn_limit_seconds;

/* Runs argv in `folder` to its end. Free with spawn_free(). */
struct spawned spawn(const char *folder, char *const argv[]);
void spawn_free(struct spawned *s);

/* The same in two steps; terminal: standard error is a pseudo-terminal. */
struct spawned spawn_start(const char *folder, bool terminal, char *const argv[]);
void spawn_finish(struct spawned *s);

/* A new empty folder below /tmp, and its removal with all it holds. */
char *spawn_folder(void);
void spawn_remove_folder(char *folder);

/* The folder of the build that the running test belongs to ("/…/build"), and of the sources. */
const char *spawn_build(void);
const char *spawn_source(void);

/* printf into a new string. */
char *spawn_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A file's contents as a string; NULL if it cannot be read. */
char *spawn_read(const char *path);
void spawn_write(const char *path, const char *text);

#endif
