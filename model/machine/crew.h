/*
 * crew: host threads that do pieces of work side by side, again and again. Which thread does which piece is
 * not determined: pieces must not depend on each other.
 */
#ifndef MODEL_MACHINE_CREW_H
#define MODEL_MACHINE_CREW_H

struct crew;

/* So many threads, the caller's included: 2 or more; fewer if the host gives no more. */
struct crew *crew_create(unsigned threads);
void crew_destroy(struct crew *c);

/* Does the pieces 0 to count − 1, fewer than 65,536; returns when all are done. What was written before is
 * seen by them, what they wrote is seen after it. */
void crew_run(struct crew *c, unsigned count, void (*piece)(void *context, unsigned n), void *context);

#endif
