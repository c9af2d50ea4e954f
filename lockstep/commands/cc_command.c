/* `lockstep cc`: the kernel compiler's results for a source, stage by stage. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/stage_view.h"
#include "lockstep/commands/tools.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_EMIT = 256, KEY_OPTIONS, KEY_SCALARIZE, KEY_SCALAR };

static const char *const stages[] = {"table", "priority", "coalesced",     "ir",
                                     "asm",   "scalar",   "scalar-kernel", "meetings"};

struct options {
    const char *file, *build_options, *scalarize, *scalar;
    enum stage stage;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_EMIT:
        for (o->stage = STAGE_PRIORITY; o->stage <= STAGE_MEETINGS; o->stage++)
            if (strcmp(argument, stages[o->stage]) == 0) return 0;
        argp_error(
            state,
            "--emit=%s: the choices are priority, coalesced, ir, asm, scalar, scalar-kernel and meetings",
            argument);
        return 0;
    case KEY_SCALARIZE: o->scalarize = argument; return 0;
    case KEY_SCALAR:
        o->scalar = argument;
        if (strcmp(argument, "prefetch") != 0 && strcmp(argument, "extract") != 0 &&
            strcmp(argument, "divergence") != 0)
            argp_error(state, "--scalar=%s: scalar kernels that can be made: prefetch, extract, divergence",
                       argument);
        return 0;
    case KEY_OPTIONS: o->build_options = argument; return 0;
    case ARGP_KEY_ARG:
        if (o->file) argp_error(state, "one source file is needed, not also %s", argument);
        o->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (o->scalarize && o->stage != STAGE_SCALAR)
            argp_error(state, "--scalarize says by which rule --emit=scalar prints: it is missing");
        if (o->scalarize && strcmp(o->scalarize, "none") && strcmp(o->scalarize, "convergent") &&
            strcmp(o->scalarize, "wide"))
            argp_error(state, "--scalarize=%s: the choices are none, convergent and wide", o->scalarize);
        if (!o->scalar && o->stage == STAGE_SCALAR_KERNEL)
            argp_error(state, "--emit=scalar-kernel prints what --scalar makes: it is missing");
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "a source file is missing: lockstep cc FILE.cl"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"emit", KEY_EMIT, "STAGE", 0,
     "Print a stage of the compilation, with source lines. priority: the source with priority operations; "
     "coalesced: LLVM IR of a whole work-group on one core in MIMD mode; ir: SIMT mode's optimised LLVM IR; "
     "asm: SIMT mode's instructions; scalar: which of them GPU-like machines execute once for a warp; "
     "scalar-kernel: the source with the kernels of --scalar; meetings: where threads that diverge at a "
     "branch meet again. Default: a table of what each kernel needs",
     0},
    {"scalarize", KEY_SCALARIZE, "RULE", 0, "Rule of --emit=scalar: none, convergent or wide (default)", 0},
    {"scalar", KEY_SCALAR, "KIND", 0,
     "Make scalar kernels: prefetch (they load ahead), extract (they do the work of one work-item, or work "
     "that all do alike), divergence (they distribute iterations of loops)",
     0},
    {"options", KEY_OPTIONS, "OPTIONS", 0, "Build options as a program gives them to clBuildProgram", 0},
    {0},
};

static const struct argp cc_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "FILE.cl",
    .doc = "Compiles a kernel source as clBuildProgram would, and prints the result."
           "\v"
           "Columns of the table:\n  registers            core and VFP registers of SIMT code\n  stack bytes "
           "         private memory of a work-item\n  local bytes          static local memory\n  barriers   "
           "          static number\n  replicated values    kept for each work-item across barriers in MIMD "
           "mode\n  bytes/work-item      stack of MIMD mode for each work-item\n  MIMD stack bytes     stack "
           "of MIMD mode for the rest\n  divergent branches   conditions that may differ within a "
           "work-group\n  conditional returns  of called functions: threads meet after the call only\n"
           "\n"
           "Examples:\n"
           "  lockstep cc kernel.cl\n"
           "  lockstep cc --emit=coalesced kernel.cl\n"
           "  lockstep cc --emit=meetings kernel.cl\n"
           "  lockstep cc --emit=scalar --scalarize=convergent kernel.cl\n"
           "  lockstep cc --emit=scalar-kernel --scalar=prefetch kernel.cl\n"
           "  lockstep cc --emit=asm --options \"-DTILE=16\" kernel.cl",
};

static void become_compiler(const struct tools *t, const struct options *o, int output) {
    char emit[32];
    snprintf(emit, sizeof emit, "--emit=%s", stages[o->stage]);
    dup2(output, STDOUT_FILENO);
    if (o->stage == STAGE_MEETINGS) /* for machines with re-convergence stacks */
        execl(t->compiler, t->compiler, emit, "--priorities=off", "--options", o->build_options, "--scalar",
              o->scalar, "-o", "-", "--", o->file, (char *)NULL);
    else if (o->stage == STAGE_SCALAR) /* for machines with scalar registers */
        execl(t->compiler, t->compiler, emit, "--scalarize", o->scalarize, "--priorities=off", "--options",
              o->build_options, "--scalar", o->scalar, "-o", "-", "--", o->file, (char *)NULL);
    else
        execl(t->compiler, t->compiler, emit, "--options", o->build_options, "--scalar", o->scalar, "-o", "-",
              "--", o->file, (char *)NULL);
    dprintf(STDERR_FILENO, "lockstep: %s cannot be run: %s\n", t->compiler, strerror(errno));
    _exit(EXIT_USER);
}

static char *read_all(int fd) {
    char block[4096], *text = NULL;
    size_t size;
    ssize_t n;
    FILE *stream = open_memstream(&text, &size);
    require_memory(stream);
    while ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) fwrite(block, 1, (size_t)n, stream);
    fclose(stream);
    return text;
}

/* Runs the compiler; *text gets its output. Its messages go to standard error. Returns false with *e if it
 * failed. */
static bool compile(const struct options *o, char **text, struct error *e) {
    struct tools tools;
    int ends[2], status;
    if (!tools_find(&tools, e)) return false;
    if (pipe(ends) != 0) return error_set(e, EXIT_USER, "cc: no pipe: %s (see `ulimit -n`)", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become_compiler(&tools, o, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_set(e, EXIT_USER, "cc: no process: %s (see `ulimit -u`)", strerror(errno));
    }
    *text = read_all(ends[0]);
    close(ends[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    free(*text);
    if (WIFSIGNALED(status))
        return error_set(e, EXIT_INTERNAL, "cc: the compiler was killed by signal %d", WTERMSIG(status));
    return error_set(e, EXIT_USER, "%s was not compiled", o->file);
}

static int command(int argc, char **argv) {
    struct options o = {.build_options = ""};
    struct source_lines source;
    struct error e = {0};
    char *text = NULL;
    arguments_parse(&cc_argp, argc, argv, 0, &o);
    if (!o.scalarize) o.scalarize = "wide";
    if (!o.scalar) o.scalar = "off";
    if (!source_lines_read(&source, o.file, &e)) return command_fail(&e);
    if (!compile(&o, &text, &e)) {
        source_lines_free(&source);
        return command_fail(&e);
    }
    stage_view_print(o.stage, text, &source, stdout);
    free(text);
    source_lines_free(&source);
    return EXIT_SOUND;
}

const struct command_row command_cc = {40, "show what the compiler makes of a kernel source", command};
