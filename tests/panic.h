/* panic: tests whether a function ends in error_panic(), in a child process so that the test continues. */
#ifndef TESTS_PANIC_H
#define TESTS_PANIC_H

#include "sim/error.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's output is discarded. */
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
