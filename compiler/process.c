#include "compiler/process.h"

#include "compiler/trouble.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void arguments_add(struct arguments *a, const char *string) {
    a->strings = allocate(a->strings, (a->count + 2) * sizeof *a->strings);
    a->strings[a->count++] = copy_string(string);
    a->strings[a->count] = NULL;
}

void arguments_add_all(struct arguments *a, const struct arguments *more) {
    for (size_t i = 0; i < more->count; i++) arguments_add(a, more->strings[i]);
}

void arguments_add_words(struct arguments *a, const char *words) {
    for (const char *p = words; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char *word = strndup(p, strcspn(p, " "));
        if (!word) trouble("out of memory");
        arguments_add(a, word);
        free(word);
    }
}

int memory_file(const struct text *content) {
    int descriptor = memfd_create("lockstep-cc", 0);
    if (descriptor < 0) trouble("cannot make a file in memory: %s", strerror(errno));
    for (size_t done = 0; content && done < content->size;) {
        ssize_t n = write(descriptor, content->data + done, content->size - done);
        if (n < 0 && errno != EINTR) trouble("cannot fill a file in memory: %s", strerror(errno));
        if (n > 0) done += (size_t)n;
    }
    if (lseek(descriptor, 0, SEEK_SET) != 0) trouble("cannot rewind a file in memory: %s", strerror(errno));
    return descriptor;
}

void process_start(struct process *p, const struct arguments *a, const struct text *input) {
    posix_spawn_file_actions_t actions;
    int in = memory_file(input);
    p->name = a->strings[0];
    p->output = memory_file(NULL);
    p->errors = memory_file(NULL);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, p->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, p->errors, STDERR_FILENO);
    int error = posix_spawnp(&p->pid, p->name, &actions, NULL, a->strings, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in);
    if (error == ENOENT)
        trouble("%s is not installed; install it with: sudo apt-get install %s", p->name,
                strncmp(p->name, "ld.", 3) ? p->name : "lld-14");
    if (error) trouble("cannot run %s: %s", p->name, strerror(error));
}

int process_finish(struct process *p, struct text *output, struct text *errors) {
    int status;
    while (waitpid(p->pid, &status, 0) < 0)
        if (errno != EINTR) trouble("cannot wait for %s: %s", p->name, strerror(errno));
    if (!text_read_descriptor(output, p->output) || !text_read_descriptor(errors, p->errors))
        trouble("cannot read what %s wrote: %s", p->name, strerror(errno));
    close(p->output);
    close(p->errors);
    if (WIFSIGNALED(status) || WEXITSTATUS(status) >= 127)
        trouble("%s failed: %s\n%s", p->name,
                WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it does not start or crashed",
                text_string(errors));
    return WEXITSTATUS(status);
}
