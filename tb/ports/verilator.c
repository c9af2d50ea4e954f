#include "tb/ports/verilator.h"

#include "tb/ports/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *verilator_command(void) {
    static char path[PATH_MAX];
    const char *named = getenv("VERILATOR");
    if (!named || !*named) return "verilator";
    return strchr(named, '/') && realpath(named, path) ? path : named; /* absolute, since it runs in another
                                                                        * folder */
}

/* Returns the number of a version: 5006 for "5.006"; 0 if the text is no version. */
static unsigned number(const char *version) {
    unsigned major, minor;
    return sscanf(version, "%u.%u", &major, &minor) == 2 ? 1000 * major + minor : 0;
}

static void warn(const struct verilator *v) {
    const unsigned n = number(v->version);
    if (n >= number(VERILATOR_FIRST) && n <= number(VERILATOR_LAST)) return;
    fprintf(stderr,
            "%s: warning: %s is version %s; Lockstep was tested with Verilator %s to %s. If the Verilog "
            "cannot be "
            "built, VERILATOR=PROGRAM names another\n",
            program_invocation_short_name, v->command, *v->version ? v->version : "unknown", VERILATOR_FIRST,
            VERILATOR_LAST);
}

/* Reads the version from output such as "Verilator 5.006 2023-01-22 rev ..." */
static bool ask_version(struct verilator *v, const struct tool_folder *folder, struct error *e) {
    char printed[256];
    if (!tool_ask((char *[]){(char *)v->command, "--version", NULL}, folder, printed, sizeof printed, e))
        return false;
    if (sscanf(printed, "%*s %31s", v->version) != 1) v->version[0] = '\0';
    return true;
}

static bool ask_folder(struct verilator *v, const struct tool_folder *folder, struct error *e) {
    char root[PATH_MAX];
    if (!tool_ask((char *[]){(char *)v->command, "--getenv", "VERILATOR_ROOT", NULL}, folder, root,
                  sizeof root, e))
        return false;
    const int n = snprintf(v->include, sizeof v->include, "%s/include", root);
    return (root[0] == '/' && n > 0 && (size_t)n < sizeof v->include) ||
           error_set(e, EXIT_USER, "%s --getenv VERILATOR_ROOT does not print its folder, but: %s",
                     v->command, root);
}

const struct verilator *verilator_find(struct error *e) {
    static struct verilator found;
    const char *temporary = getenv("TMPDIR");
    struct tool_folder folder;
    struct verilator v = {.command = verilator_command()};
    if (found.command && strcmp(found.command, v.command) == 0) return &found;
    if (!tool_folder_make(&folder, temporary && *temporary ? temporary : "/tmp", e)) return NULL;
    const bool good = ask_version(&v, &folder, e) && ask_folder(&v, &folder, e);
    tool_folder_remove(&folder);
    if (!good) return NULL;
    v.json = number(v.version) >= 5024;
    warn(&v);
    found = v;
    return &found;
}
