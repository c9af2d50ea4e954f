/*
 * event: wakes processes. At most one notification of an event is pending. The earlier one wins: immediate
 * before delta before timed, an earlier time before a later one.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "sim/time.h"

struct kernel;
struct event;

struct event *event_create(struct kernel *k, const char *name);
const char *event_name(const struct event *e);
/* Notifies immediately: the listeners run in this evaluation. Cancels a pending notification. */
void event_notify(struct event *e);
/* Notifies in the next delta cycle. Cancels a pending timed notification. */
void event_notify_delta(struct event *e);
/* Notifies after a delay (0: as event_notify_delta()), unless an earlier notification is pending. A time
 * beyond the end of 64-bit time is a panic that names the event. */
void event_notify_after(struct event *e, sim_time delay);
/* Cancels a pending notification. */
void event_cancel(struct event *e);

/* Registers an observer: f is called whenever the event occurs, in the order of registration, unnoticed by
 * all processes. It must neither write nor notify nor create objects. Only before the first kernel_run(). */
typedef void event_watcher(void *context, const struct event *e, sim_time now);
void event_watch(struct event *e, event_watcher *f, void *context);
void event_unwatch(struct event *e, event_watcher *f, void *context);

#endif
