#include "runtime/launch_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void look(struct launch_watch *w) {
    pthread_mutex_lock(&w->mutex);
    struct pollfd fds[3] = {{w->fds[0], POLLIN, 0}, {w->fds[1], POLLIN, 0}, {w->fds[2], POLLRDHUP, 0}};
    if (w->running && !w->fired && poll(fds, 3, 0) > 0) {
        w->fired = true;
        machine_interrupt(w->machine);
    }
    pthread_mutex_unlock(&w->mutex);
}

static void *watch(void *context) {
    struct launch_watch *w = context;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    struct pollfd stop = {w->stop_fd, POLLIN, 0};
    while (poll(&stop, 1, LAUNCH_WATCH_MS) <= 0) look(w);
    return NULL;
}

bool launch_watch_open(struct launch_watch *w, struct machine *m) {
    *w = (struct launch_watch){.machine = m, .stop_fd = eventfd(0, EFD_CLOEXEC)};
    if (w->stop_fd < 0) return false;
    pthread_mutex_init(&w->mutex, NULL);
    if (pthread_create(&w->thread, NULL, watch, w) == 0) return true;
    pthread_mutex_destroy(&w->mutex);
    close(w->stop_fd);
    return false;
}

void launch_watch_close(struct launch_watch *w) {
    uint64_t one = 1;
    while (write(w->stop_fd, &one, sizeof one) < 0) continue;
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->mutex);
    close(w->stop_fd);
}

void launch_watch_begin(struct launch_watch *w, int signal_fd, int program_fd, int client_fd) {
    pthread_mutex_lock(&w->mutex);
    w->fds[0] = signal_fd;
    w->fds[1] = program_fd;
    w->fds[2] = client_fd;
    w->running = true;
    w->fired = false;
    pthread_mutex_unlock(&w->mutex);
}

bool launch_watch_end(struct launch_watch *w) {
    pthread_mutex_lock(&w->mutex);
    w->running = false;
    bool fired = w->fired;
    pthread_mutex_unlock(&w->mutex);
    machine_clear_interrupt(w->machine); /* a late interrupt must not stop the next launch */
    return fired;
}

void launch_watch_forget(struct launch_watch *w) {
    pthread_mutex_init(&w->mutex, NULL); /* the thread may have held it */
    w->running = w->fired = false;
}
