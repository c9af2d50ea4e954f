/*
 * process: clang and the linker as child processes. Input comes from memory and output goes there, so a
 * compilation leaves no temporary files, however it ends.
 */
#ifndef COMPILER_PROCESS_H
#define COMPILER_PROCESS_H

#include "compiler/text.h"

#include <sys/types.h>

struct arguments {  /* a command line; the strings are copied and never freed */
    char **strings; /* NULL-terminated once something has been added */
    size_t count;
};

void arguments_add(struct arguments *a, const char *string);
void arguments_add_all(struct arguments *a, const struct arguments *more);
/* Adds words separated by blanks. */
void arguments_add_words(struct arguments *a, const char *words);

struct process {
    pid_t pid;
    int output, errors; /* what it writes, in memory */
    const char *name;
};

/* Starts a[0], found in PATH, with `input` as standard input (NULL: none); it is killed if we end before it.
 * A program that is not installed is trouble() that names the linker's package: there is no other. */
void process_start(struct process *p, const struct arguments *a, const struct text *input);

/* The same with a function of this program in the child, which is given the command line and returns the exit
 * status. */
typedef int process_function(int argc, char *const *argv);
void process_start_function(struct process *p, const struct arguments *a, const struct text *input,
                            process_function *function);

/* Waits, and appends what it wrote. Returns its exit status; not coming to one is trouble() or
 * a defect(). */
int process_finish(struct process *p, struct text *output, struct text *errors);

/* An anonymous file in memory holding the text, whose path (/proc/self/fd/N) child processes can open. */
int memory_file(const struct text *content);

#endif
