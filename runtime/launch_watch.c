#include "runtime/launch_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *watch(void *context) {
    struct launch_watch *w = context;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    struct pollfd fds[4] = {{w->stop_fd, POLLIN, 0},
                            {w->signal_fd, POLLIN, 0},
                            {w->program_fd, POLLIN, 0},
                            {w->client_fd, POLLRDHUP, 0}};
    while (poll(fds, 4, -1) <= 0) continue;
    /* A launch that is over needs no interruption: it would stop the next one. */
    if (fds[0].revents) return NULL;
    w->fired = true;
    machine_interrupt(w->machine);
    return NULL;
}

bool launch_watch_start(struct launch_watch *w, struct machine *m, int signal_fd, int program_fd,
                        int client_fd) {
    *w = (struct launch_watch){.machine = m,
                               .signal_fd = signal_fd,
                               .program_fd = program_fd,
                               .client_fd = client_fd,
                               .stop_fd = eventfd(0, EFD_CLOEXEC)};
    if (w->stop_fd < 0) return false;
    if (pthread_create(&w->thread, NULL, watch, w) == 0) return true;
    close(w->stop_fd);
    return false;
}

void launch_watch_stop(struct launch_watch *w) {
    uint64_t one = 1;
    while (write(w->stop_fd, &one, sizeof one) < 0) continue;
    pthread_join(w->thread, NULL);
    close(w->stop_fd);
}
