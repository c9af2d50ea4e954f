/* The command `lockstep`: selects the subcommand. */
#include "lockstep/commands/command.h"

#include "generated/command_list.h"
#include "lockstep/commands/arguments.h"
#include "lockstep/rtl/rtl_options.h"
#include "lockstep/commands/version.h"
#include "sim/nearest.h"
#include "sim/stack_limit.h"
#include "sim/streams.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROW(name) extern const struct command_row command_##name;
COMMAND_LIST(ROW)
#undef ROW
#define COUNT(name) +1
enum { COMMANDS = 0 COMMAND_LIST(COUNT) };
#undef COUNT

/* The subcommands, in the order of their positions in the help. */
static struct subcommand {
    char name[32];
    const struct command_row *row;
} subcommands[COMMANDS] = {
#define SUBCOMMAND(name) {#name, &command_##name},
    COMMAND_LIST(SUBCOMMAND)
#undef SUBCOMMAND
};

static int compare_places(const void *a, const void *b) {
    const struct subcommand *x = a, *y = b;
    if (x->row->position != y->row->position) return x->row->position < y->row->position ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void sort_subcommands(void) {
    for (size_t i = 0; i < COMMANDS; i++)
        for (char *c = subcommands[i].name; *c; c++)
            if (*c == '_') *c = '-';
    qsort(subcommands, COMMANDS, sizeof *subcommands, compare_places);
}

static const char help_begin[] =
    "Runs unmodified OpenCL programs on a simulated cluster of ARM cores with a SIMT co-processor, cycle by "
    "cycle."
    "\v"
    "Commands:\n";

static const char help_end[] =
    "  help      print this text, or that of a command: lockstep help run\n"
    "            lockstep help rtl: blocks and modes of Verilog\n"
    "\n"
    "Examples:\n"
    "  lockstep run -- ./my_program input.txt\n"
    "  lockstep run --trace my.fst -- ./my_program input.txt\n"
    "  lockstep compare --mode mimd,simt -- ./my_program input.txt\n"
    "  lockstep explain -- ./my_program input.txt\n"
    "  lockstep cc my_kernels.cl\n"
    "  lockstep config --describe\n"
    "\n"
    "Exit status: the program's own if the simulation was sound; otherwise\n  120 a mistake in the simulated "
    "program: an access outside every buffer, a deadlock, the cycle limit\n  121 a C model and its Verilog "
    "disagree\n  122 a mistake in Lockstep itself\n  125 a mistake in configuration, files or command line; "
    "memory, disk or tools missing; the run was stopped by Ctrl-C, SIGTERM, SIGHUP or SIGQUIT\n  126 the "
    "program cannot be run\n  127 it was not found\n  128 + N it was killed by signal N";

/* Suppressions for a build with sanitizers: fstapi leaks its context if a file must not grow. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) {
    return "leak:fstWriterCreate";
}

int command_fail(const struct error *e) {
    fprintf(stderr, "lockstep: %s\n", e->message);
    return (int)e->status;
}

/* Returns "run, …, help". */
static const char *command_names(void) {
    static char *names;
    if (names) return names;
    size_t size;
    FILE *list = open_memstream(&names, &size);
    require_memory(list);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(list, "%s, ", subcommands[i].name);
    fputs("help", list);
    fclose(list);
    return names;
}

static const struct subcommand *find_subcommand(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(subcommands[i].name, name) == 0) return &subcommands[i];
    return NULL;
}

static int call_subcommand(const struct subcommand *s, int argc, char **argv) {
    char *title; /* first word of messages: the name of the subcommand, or of this command in lines to be
                    repeated */
    require_memory(asprintf(&title, "%s %s", program_invocation_name, s->name) >= 0);
    argv[0] = title;
    const int status = s->row->function(argc, argv);
    free(title);
    return status;
}

/* Returns whether a word is the name of a program: the user has probably forgotten `run --`. */
static bool is_program(const char *name) {
    return strchr(name, '/') || access(name, X_OK) == 0;
}

static void refuse_command(const char *name, struct argp_state *state) {
    if (is_program(name))
        argp_error(state, "no command is called '%s': to run it as a program: %s run -- %s ...", name,
                   program_invocation_name, name);
    argp_error(state, "no command is called '%s'%s: the commands are %s", name,
               nearest_hint(name, strlen(name), command_names()), command_names());
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    switch (key) {
    case ARGP_KEY_ARG:
        if (!find_subcommand(argument) && strcmp(argument, "help") != 0) refuse_command(argument, state);
        *(int *)state->input = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "a command is missing: one of %s", command_names()); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static struct argp main_argp = {.parser = parse_option, .args_doc = "COMMAND [ARGUMENT...]"};

/* Writes the help. A long name has a line of its own. */
static void write_help(void) {
    char *text;
    size_t size;
    FILE *help = open_memstream(&text, &size);
    require_memory(help);
    fputs(help_begin, help);
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *name = subcommands[i].name;
        fprintf(help, strlen(name) > 8 ? "  %s\n            %s\n" : "  %-10s%s\n", name,
                subcommands[i].row->line);
    }
    fputs(help_end, help);
    fclose(help);
    main_argp.doc = text;
}

/* `lockstep help` and `lockstep help COMMAND` are `lockstep --help` and `lockstep COMMAND --help`; `rtl` is a
 * topic of its own. */
static int help_command(char *program, const char *topic) {
    char *argv[] = {program, "--help", NULL};
    if (topic && strcmp(topic, "--help") == 0) topic = NULL;
    if (topic && strcmp(topic, "rtl") == 0) {
        rtl_options_explain();
        return EXIT_SOUND;
    }
    const struct subcommand *s = topic ? find_subcommand(topic) : NULL;
    if (topic && !s) {
        struct error e = {0};
        error_set(&e, EXIT_USER,
                  "help: no command is called '%s'%s: the commands are %s; rtl is a topic, too", topic,
                  nearest_hint(topic, strlen(topic), command_names()), command_names());
        return command_fail(&e);
    }
    if (s) return call_subcommand(s, 2, argv);
    argp_parse(&main_argp, 2, argv, ARGP_IN_ORDER, NULL, NULL);
    return EXIT_SOUND;
}

static void on_refused_write(int signal) {
    (void)signal;
}

/* Ends the command if no session handles the signal, for example while Verilog is built. */
static void on_interrupt(int signal_number) {
    const char *text = signal_number == SIGINT    ? "lockstep: interrupted by SIGINT (Ctrl-C)\n"
                       : signal_number == SIGHUP  ? "lockstep: interrupted by SIGHUP\n"
                       : signal_number == SIGQUIT ? "lockstep: interrupted by SIGQUIT\n"
                                                  : "lockstep: interrupted by SIGTERM\n";
    const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
    _exit(EXIT_USER);
}

/* Handles signals of a file that must not grow (RLIMIT_FSIZE) and of a pipe without reader: write() then
 * reports an error, and the run continues to its end. Unlike SIG_IGN, a handler is not inherited by programs
 * that are run; a signal that is already ignored stays ignored, for them too. */
static void handle(int signal_number, void (*handler)(int)) {
    struct sigaction before;
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        signal(signal_number, handler);
}

int main(int argc, char **argv) {
    streams_begin("lockstep");
    stack_limit_raise("lockstep", EXIT_USER);
    handle(SIGXFSZ, on_refused_write);
    handle(SIGPIPE, on_refused_write);
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGHUP, on_interrupt);
    handle(SIGQUIT, on_interrupt);
    argp_program_version_hook = version_print;
    argp_err_exit_status = EXIT_USER;
    sort_subcommands();
    write_help();
    int command = 0;
    arguments_parse(&main_argp, argc, argv, ARGP_IN_ORDER, &command);
    if (strcmp(argv[command], "help") == 0) return help_command(argv[0], argv[command + 1]);
    return call_subcommand(find_subcommand(argv[command]), argc - command, argv + command);
}
