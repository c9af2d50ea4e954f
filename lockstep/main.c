/* The command: chooses the subcommand. */
#include "lockstep/command.h"

#include "lockstep/arguments.h"
#include "lockstep/rtl_options.h"
#include "sim/nearest.h"
#include "sim/stack_limit.h"
#include "sim/streams.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct subcommand {
    const char *name;
    int (*function)(int argc, char **argv);
} subcommands[] = {
    {"run", run_command},
    {"compare", compare_command},
    {"explain", explain_command},
    {"cc", cc_command},
    {"figures", figures_command},
    {"area", area_command},
    {"energy", energy_command},
    {"explore", explore_command},
    {"report", report_command},
    {"config", config_command},
    {"rtl-template", rtl_template_command},
    {"rtl-test", rtl_test_command},
    {"rtl-lint", rtl_lint_command},
    {"serve", serve_command},
    {"synthesis-results", synthesis_results_command},
};

static const char help_text[] =
    "Runs unmodified OpenCL programs on a simulated cluster of ARM cores with a SIMT co-processor, cycle by "
    "cycle."
    "\v"
    "Commands:\n"
    "  run       run a program; report cycles, instructions, where time went\n"
    "  compare   run a program on several machines; a row for each\n"
    "  explain   run a program; where its cycles went, line by line\n"
    "  cc        show what the compiler makes of a kernel source\n"
    "  figures   run the benchmarks as a paper did; its figures and ours\n"
    "  area      area, delay and period of the machine, by synthesis\n"
    "  energy    energy of a run, by structure and event\n"
    "  explore   programs on many machines; which no other beats\n"
    "  report    an exploration as a page\n"
    "  config    print the configuration of the machine, or describe it\n"
    "  rtl-template\n"
    "            print Verilog to begin a block of your own with\n"
    "  rtl-test  run a block in Verilog alone, with random inputs\n"
    "  rtl-lint  tell what is to be known of Verilog in a slot\n"
    "  serve     serve one program over a socket (our driver starts this)\n"
    "  synthesis-results\n"
    "            make the results of synthesis that are shipped\n"
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

/* For a build with sanitizers: fstapi loses its context where a file may not grow. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) {
    return "leak:fstWriterCreate";
}

int command_fail(const struct error *e) {
    fprintf(stderr, "lockstep: %s\n", e->message);
    return (int)e->status;
}

/* "run, …, help". */
static const char *command_names(void) {
    static char names[160];
    if (*names) return names;
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        strcat(names, subcommands[i].name);
        strcat(names, ", ");
    }
    return strcat(names, "help");
}

static const struct subcommand *find_subcommand(const char *name) {
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (strcmp(subcommands[i].name, name) == 0) return &subcommands[i];
    return NULL;
}

static int call_subcommand(const struct subcommand *s, int argc, char **argv) {
    char *title; /* its messages begin with its name; lines to be repeated begin as this one did */
    require_memory(asprintf(&title, "%s %s", program_invocation_name, s->name) >= 0);
    argv[0] = title;
    const int status = s->function(argc, argv);
    free(title);
    return status;
}

/* Somebody who forgot `run --` names a program here. */
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

static error_t parse(int key, char *argument, struct argp_state *state) {
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

static const struct argp main_argp = {.parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = help_text};

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

/* Ends the command where no session has taken the signal, say
 * while Verilog is built. */
static void on_interrupt(int signal_number) {
    const char *text = signal_number == SIGINT    ? "lockstep: interrupted by SIGINT (Ctrl-C)\n"
                       : signal_number == SIGHUP  ? "lockstep: interrupted by SIGHUP\n"
                       : signal_number == SIGQUIT ? "lockstep: interrupted by SIGQUIT\n"
                                                  : "lockstep: interrupted by SIGTERM\n";
    const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
    _exit(EXIT_USER);
}

/* A file that may not grow (RLIMIT_FSIZE), a pipe that nobody reads: then an error of write(), which says so,
 * and the run goes on to its end. A handler, unlike SIG_IGN, is not inherited by the programs that are run; a
 * signal that is ignored stays so, for them too. */
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
    argp_program_version = "lockstep " LOCKSTEP_VERSION;
    argp_err_exit_status = EXIT_USER;
    int command = 0;
    arguments_parse(&main_argp, argc, argv, ARGP_IN_ORDER, &command);
    if (strcmp(argv[command], "help") == 0) return help_command(argv[0], argv[command + 1]);
    return call_subcommand(find_subcommand(argv[command]), argc - command, argv + command);
}
