/*
 * program_process: the user's program as a child process, watched through a file descriptor.
 */
#ifndef RUNTIME_PROGRAM_PROCESS_H
#define RUNTIME_PROGRAM_PROCESS_H

#include "sim/error.h"

#include <signal.h>
#include <sys/types.h>

struct program_process {
    pid_t pid;
    int fd;     /* descriptor that becomes readable when the program has ended; −1 once it has been waited
                   for */
    int status; /* status of waitpid(), set by program_process_wait() or …_end() */
};

/* Starts argv; argv[0] is looked up on PATH. The program has these signals blocked, the ignored signals and
 * the file descriptors with which this process was started (sim/streams.h), and this process' environment
 * with the "NAME=value" settings (NULL-terminated). Returns false with *e (EXIT_NOT_FOUND or
 * EXIT_CANNOT_RUN). */
bool program_process_start(struct program_process *p, char *const argv[], char *const settings[],
                           const sigset_t *blocked, struct error *e);

/* Collects a program that has ended. */
void program_process_wait(struct program_process *p);

/* Ends the program with SIGTERM, after two seconds SIGKILL, and collects it. Has no effect if it has been
 * collected. */
void program_process_end(struct program_process *p);

#endif
