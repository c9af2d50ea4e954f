/*
 * launch_watch: a thread beside the launches of a session that stops the machine when nobody waits for the
 * launch any more: on a signal that stops a run, when the program has ended, when the client that asked for
 * it has hung up. It looks every LAUNCH_WATCH_MS, so that a launch costs it nothing and short ones are not
 * waited for.
 */
#ifndef RUNTIME_LAUNCH_WATCH_H
#define RUNTIME_LAUNCH_WATCH_H

#include "model/machine/machine.h"

#include <pthread.h>

#define LAUNCH_WATCH_MS 20

struct launch_watch {
    struct machine *machine;
    pthread_t thread;
    pthread_mutex_t mutex; /* of what follows */
    bool running;          /* a launch is */
    bool fired;            /* it was interrupted */
    int fds[3];            /* what stops it */
    int stop_fd;           /* ends the thread */
};

/* Starts the thread. False if the host has none to give. */
bool launch_watch_open(struct launch_watch *w, struct machine *m);
void launch_watch_close(struct launch_watch *w);

/* Around a launch. The descriptors are only polled, never read; −1: not watched. The end returns whether the
 * launch was interrupted. */
void launch_watch_begin(struct launch_watch *w, int signal_fd, int program_fd, int client_fd);
bool launch_watch_end(struct launch_watch *w);

#endif
