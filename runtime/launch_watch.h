/*
 * launch_watch: a thread beside a running launch that stops the machine when nobody waits for the launch any
 * more: on SIGINT and SIGTERM, when the program has ended, when the client that asked for it has hung up.
 */
#ifndef RUNTIME_LAUNCH_WATCH_H
#define RUNTIME_LAUNCH_WATCH_H

#include "model/machine.h"

#include <pthread.h>

struct launch_watch {
    struct machine *machine;
    int signal_fd, program_fd, client_fd; /* as told; −1: not watched */
    int stop_fd;
    pthread_t thread;
    bool fired; /* valid after launch_watch_stop(): the machine was interrupted */
};

/* Starts watching. The descriptors are only polled, never read. False if the host has no thread to give. */
bool launch_watch_start(struct launch_watch *w, struct machine *m, int signal_fd, int program_fd,
                        int client_fd);
void launch_watch_stop(struct launch_watch *w);

#endif
