/*
 * launch_watch: a thread that stops the machine when no client waits for the launch any more: on a signal
 * that stops a run, when the program has ended, or when the client of the launch has hung up. It polls
 * every LAUNCH_WATCH_MS, so that a launch pays nothing for it and short launches end without delay.
 */
#ifndef RUNTIME_LAUNCH_WATCH_H
#define RUNTIME_LAUNCH_WATCH_H

#include "model/machine/machine.h"

#include <pthread.h>

#define LAUNCH_WATCH_MS 20

struct launch_watch {
    struct machine *machine;
    pthread_t thread;
    pthread_mutex_t mutex; /* protects all fields below */
    bool running;          /* a launch is in progress */
    bool fired;            /* the launch was interrupted */
    int fds[3];            /* descriptors that stop the launch */
    int stop_fd;           /* descriptor that ends the thread */
};

/* Starts the thread. Returns false if the host refuses one. */
bool launch_watch_open(struct launch_watch *w, struct machine *m);
void launch_watch_close(struct launch_watch *w);

/* Mark begin and end of a launch. The descriptors are only polled, never read; −1: not watched. The end
 * returns whether the launch was interrupted. */
void launch_watch_begin(struct launch_watch *w, int signal_fd, int program_fd, int client_fd);
bool launch_watch_end(struct launch_watch *w);

/* In a copy of the process (snapshots.h), which has no such thread: nothing stops its launches. */
void launch_watch_forget(struct launch_watch *w);

#endif
