/*
 * panic: whether a function ends in error_panic(), tried in a child process so that the test goes on.
 */
#ifndef TESTS_PANIC_H
#define TESTS_PANIC_H

#include "sim/error.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child prints is thrown away. */
static inline bool panics(void (*function)(void *context), void *context) {
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        function(context);
        _exit(0);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == EXIT_INTERNAL;
}

#endif
