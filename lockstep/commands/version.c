#include "lockstep/commands/version.h"

#include "lockstep/commands/command.h"
#include "lockstep/run/origin.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* Tools are run with a time limit, so that a tool that waits does not block the command. */
#define SECONDS "10"

static const struct {
    const char *name, *command;
} tools[] = {
    {"verilator", "verilator --version"},
    {"yosys", "yosys -V"},
    {"clang", "clang-14 --version"},
};

/* Prints the first line of the command's output. */
static void print_tool(FILE *out, const char *name, const char *command) {
    char *shell, line[256] = "";
    require_memory(asprintf(&shell, "timeout " SECONDS " %s </dev/null 2>/dev/null", command) >= 0);
    FILE *in = popen(shell, "re");
    if (in) {
        if (!fgets(line, sizeof line, in)) *line = '\0';
        if (pclose(in) != 0) *line = '\0';
    }
    line[strcspn(line, "\n")] = '\0';
    fprintf(out, "%-10s %s\n", name, *line ? line : "not found");
    free(shell);
}

void version_print(FILE *out, struct argp_state *state) {
    (void)state;
    char *self = realpath("/proc/self/exe", NULL), *commit = origin_commit(self ? self : "");
    fprintf(out, "lockstep %s\n%-10s %s\n", LOCKSTEP_VERSION, "commit", commit);
    free(commit);
    free(self);
    fflush(out);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        print_tool(out, tools[i].name, tools[i].command);
}
