#include "compiler/driver/process.h"

#include "compiler/driver/trouble.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Task of a child process: a program, or a function of this one. */
struct task {
    const struct arguments *arguments;
    process_function *function; /* NULL: the program a[0] */
    int in, report;             /* standard input; pipe for the errno of a failed start */
    pid_t parent;
};

/* The child ends with this process in every case: an interrupted compiler leaves no process behind. */
static _Noreturn void become(const struct process *p, const struct task *t) {
    char *const *strings = t->arguments->strings;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == t->parent && dup2(t->in, STDIN_FILENO) >= 0 &&
        dup2(p->output, STDOUT_FILENO) >= 0 && dup2(p->errors, STDERR_FILENO) >= 0) {
        if (t->function) {
            close(t->report);
            _exit(t->function((int)t->arguments->count, strings));
        }
        execvp(strings[0], strings);
    }
    int error = errno;
    while (write(t->report, &error, sizeof error) < 0 && errno == EINTR) continue;
    _exit(127);
}

static void start(struct process *p, struct task *t, const struct text *input) {
    int report[2], error = 0;
    p->name = t->arguments->strings[0];
    p->output = memory_file(NULL);
    p->errors = memory_file(NULL);
    t->in = memory_file(input);
    if (pipe2(report, O_CLOEXEC) != 0) trouble("cannot run %s: %s", p->name, strerror(errno));
    t->report = report[1];
    t->parent = getpid();
    p->pid = fork();
    if (p->pid == 0) become(p, t);
    if (p->pid < 0) error = errno;
    close(t->in);
    close(report[1]);
    /* The pipe closes when the program starts; an errno in it reports a failure. */
    while (p->pid > 0 && read(report[0], &error, sizeof error) < 0 && errno == EINTR) continue;
    close(report[0]);
    if (error == ENOENT)
        trouble("%s is not installed; install it with: sudo apt-get install binutils-arm-linux-gnueabihf",
                p->name);
    if (error) trouble("cannot run %s: %s", p->name, strerror(error));
}

void process_start(struct process *p, const struct arguments *a, const struct text *input) {
    struct task t = {.arguments = a};
    start(p, &t, input);
}

void process_start_function(struct process *p, const struct arguments *a, const struct text *input,
                            process_function *function) {
    struct task t = {.arguments = a, .function = function};
    start(p, &t, input);
}

/* Reports a tool that ended without a result, because memory was out or it crashed. */
static _Noreturn void give_up(const struct process *p, int status, const struct text *errors) {
    const char *said = text_string(errors);
    if ((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) || says_no_memory(said))
        trouble("%s was ended: there is no memory left for it\n%s", p->name, said);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
        trouble("%s was ended: files may not grow as large as it needs (see `ulimit -f`)", p->name);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) trouble("%s does not start\n%s", p->name, said);
    defect("%s crashed: %s\n%s", p->name, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it says so",
           said);
}

int process_finish(struct process *p, struct text *output, struct text *errors) {
    int status;
    while (waitpid(p->pid, &status, 0) < 0)
        if (errno != EINTR) trouble("cannot wait for %s: %s", p->name, strerror(errno));
    if (!text_read_descriptor(output, p->output) || !text_read_descriptor(errors, p->errors))
        trouble("cannot read what %s wrote: %s", p->name, strerror(errno));
    close(p->output);
    close(p->errors);
    if (WIFSIGNALED(status) || WEXITSTATUS(status) >= 127) give_up(p, status, errors);
    return WEXITSTATUS(status);
}
