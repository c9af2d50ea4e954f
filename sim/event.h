/*
 * event: what processes hear and wait for. At most one notification of an event is pending; of two the
 * earlier wins: immediate before delta before timed, an earlier time before a later one.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "sim/time.h"

struct kernel;
struct event;

struct event *event_create(struct kernel *k, const char *name);
const char *event_name(const struct event *e);
/* Immediate: its listeners run in this evaluation; ends a pending notification. */
void event_notify(struct event *e);
/* In the next delta cycle; ends a pending timed notification. */
void event_notify_delta(struct event *e);
/* After a delay (0: as event_notify_delta()), unless an earlier notification is pending. A time beyond the
 * end of 64-bit time is a panic that names the event. */
void event_notify_after(struct event *e, sim_time delay);
/* Takes a pending notification back. */
void event_cancel(struct event *e);

/* An instrument looks on: f is called whenever the event happens, in the order of these calls, and cannot be
 * noticed by any process. It must neither write nor notify, and make nothing.
 * Before the first kernel_run(). */
typedef void event_watcher(void *context, const struct event *e, sim_time now);
void event_watch(struct event *e, event_watcher *f, void *context);
void event_unwatch(struct event *e, event_watcher *f, void *context);

#endif
