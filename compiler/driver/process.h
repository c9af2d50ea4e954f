/*
 * process: clang and the linker as child processes. Input and output are in memory, so that an interrupted
 * compilation leaves no temporary files.
 */
#ifndef COMPILER_PROCESS_H
#define COMPILER_PROCESS_H

#include "compiler/driver/text.h"

#include <sys/types.h>

struct arguments {  /* a command line; the strings are copied and never freed */
    char **strings; /* NULL-terminated after the first addition */
    size_t count;
};

void arguments_add(struct arguments *a, const char *string);
void arguments_add_all(struct arguments *a, const struct arguments *more);
/* Adds words separated by blanks. */
void arguments_add_words(struct arguments *a, const char *words);

struct process {
    pid_t pid;
    int output, errors; /* output and errors of the process, in memory */
    const char *name;
};

/* Starts a[0], found in PATH, with `input` as standard input (NULL: none). The process is killed if the
 * compiler ends first. If the program is not installed, trouble() names the linker's package: no other
 * program is started. */
void process_start(struct process *p, const struct arguments *a, const struct text *input);

/* The same with a function of this program in the child. It gets the command line and returns the exit
 * status. */
typedef int process_function(int argc, char *const *argv);
void process_start_function(struct process *p, const struct arguments *a, const struct text *input,
                            process_function *function);

/* Waits for the process and appends its output. Returns its exit status; calls trouble() or defect() if there
 * is none. */
int process_finish(struct process *p, struct text *output, struct text *errors);

/* Returns an anonymous file in memory with the text; child processes can open its path (/proc/self/fd/N). */
int memory_file(const struct text *content);

#endif
