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
    int fd;     /* becomes readable when the program has ended; −1 once it has been waited for */
    int status; /* as from waitpid(), after program_process_wait() or …_end() */
};

/* Starts argv (argv[0] looked up on PATH) with these signals blocked and those ignored that we were started
 * to ignore, the file descriptors that we were started with (sim/streams.h), and this process' environment
 * with the given "NAME=value" settings over it (NULL-terminated). False and *e with EXIT_NOT_FOUND or
 * EXIT_CANNOT_RUN. */
bool program_process_start(struct program_process *p, char *const argv[], char *const settings[],
                           const sigset_t *blocked, struct error *e);

/* Collects a program that has ended. */
void program_process_wait(struct program_process *p);

/* Ends the program: SIGTERM, after two seconds SIGKILL; collects it. Does nothing if
 * it has been collected. */
void program_process_end(struct program_process *p);

#endif
