/*
 * crew: host threads that repeatedly do pieces of work in parallel. The assignment of pieces to threads is
 * not determined: pieces must not depend on each other.
 */
#ifndef MODEL_MACHINE_CREW_H
#define MODEL_MACHINE_CREW_H

struct crew;

/* Creates a crew of `threads` threads, at least 2, including the caller's; fewer if the host gives no
 * more. */
struct crew *crew_create(unsigned threads);
void crew_destroy(struct crew *c);

/* Does the pieces 0 to count − 1, fewer than 65,536; returns when all are done. The pieces see earlier writes
 * of the caller, which afterwards sees theirs. */
void crew_run(struct crew *c, unsigned count, void (*piece)(void *context, unsigned n), void *context);

#endif
