#include "sim/stack_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define WANTED_BYTES (8u << 20)
#define LEAST_BYTES  (512u << 10)

static struct rlimit before;
static int raised;

void stack_limit_raise(const char *name, int status) {
    if (getrlimit(RLIMIT_STACK, &before) != 0 || before.rlim_cur >= WANTED_BYTES) return;
    struct rlimit more = before;
    more.rlim_cur = before.rlim_max < WANTED_BYTES ? before.rlim_max : WANTED_BYTES;
    raised = setrlimit(RLIMIT_STACK, &more) == 0;
    if ((raised ? more : before).rlim_cur >= LEAST_BYTES) return;
    fprintf(stderr, "%s: the stack may have only %lu KB, but %u KB are needed: raise `ulimit -s`\n", name,
            (unsigned long)before.rlim_max >> 10, LEAST_BYTES >> 10);
    exit(status);
}

void stack_limit_restore(void) {
    if (raised) setrlimit(RLIMIT_STACK, &before);
}
