/* `lockstep rtl-template`: the head of a slot's module, from our Verilog, and a simple body. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/commands/tools.h"
#include "sim/nearest.h"
#include "tb/twins/contract.h"
#include "tb/twins/twin_block.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    enum cluster_block *b = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*b != CLUSTER_BLOCK_COUNT) argp_error(state, "'%s' is too much: one block at a time", argument);
        *b = twin_block_find(argument, strlen(argument));
        if (*b == CLUSTER_BLOCK_COUNT)
            argp_error(state, "no block is called '%s'%s: there are %s", argument,
                       nearest_hint(argument, strlen(argument), twin_block_names()), twin_block_names());
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "a block is missing: one of %s", twin_block_names()); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp template_argp = {
    .parser = parse_option,
    .args_doc = "BLOCK",
    .doc =
        "Prints a Verilog module with the parameters and ports of a block of the co-processor, and what the "
        "block must hold to, to begin one of your own with."
        "\v"
        "Example:\n"
        "  lockstep rtl-template warp_scheduler > mine.sv\n"
        "  lockstep run --rtl warp_scheduler=replace:mine.sv -- ./my_program\n",
};

/* Returns a file of our Verilog's folder; NULL if there is none. To be freed. */
static char *read_file(const char *folder, const char *relative) {
    char path[PATH_MAX + 128], *text = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/%s", folder, relative);
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    if (getdelim(&text, &capacity, '\0', in) < 0) {
        free(text);
        text = NULL;
    }
    fclose(in);
    return text;
}

/* Prints a comment in lines of at most 120 columns. */
static void print_lines(const char *indent, const char *text) {
    const size_t room = 119 - strlen(indent);
    while (*text) {
        size_t length = strlen(text);
        if (length > room)
            for (length = room; text[length] != ' ';) length--;
        printf("//%s%.*s\n", indent, (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static void print_time(enum cluster_block b) {
    const struct contract_time *t;
    char text[600];
    printf("// Its outputs are due\n");
    for (unsigned n = 0; (t = contract_time(b, n)); n++) {
        snprintf(text, sizeof text, "%s: %s.", t->outputs, t->due);
        print_lines("   ", text);
    }
    if (!contract_unused(b)) return;
    snprintf(text, sizeof text, "The machine does not take them, also with replace: %s.", contract_unused(b));
    print_lines(" ", text);
}

static void print_contract(enum cluster_block b) {
    const char *name = twin_block[b].name, *module = twin_block[b].module;
    const bool own = strcmp(name, module) == 0; /* a module with the slot's name needs no TOP */
    printf("// A block for the slot %s:\n//   lockstep run --rtl %s=replace:FILE.sv%s%s -- PROGRAM\n//\n",
           name, name, own ? "" : ",", own ? "" : module);
    if (contract[b].count == 0)
        printf("// Its outputs must be those of our own (rtl/%s.sv says what they mean) in every cycle; here "
               "they are 0, to be\n"
               "// filled in.\n",
               module);
    else
        printf("// Its contract: in no cycle is it so that\n");
    for (unsigned n = 0; n < contract[b].count; n++) printf("//   %s\n", contract[b].rule[n].broken);
    if (contract[b].rest) printf("//   another output is not what follows from these\n");
    print_time(b);
}

/* Prints assignments of 0 to all outputs, each declared in a line of its own. */
static void print_zeros(const char *ports) {
    for (const char *line = ports; (line = strstr(line, "  output logic")); line++) {
        const size_t length = strcspn(line, "\n");
        const char *end = line + length, *comment = memmem(line, length, "//", 2);
        if (comment) end = comment;
        while (end[-1] == ' ' || end[-1] == ',') end--;
        const char *name = end;
        while (name[-1] != ' ') name--;
        printf("  assign %.*s = '0;\n", (int)(end - name), name);
    }
}

static char *copy(const char *from, const char *end) {
    char *text = strndup(from, (size_t)(end - from));
    require_memory(text);
    return text;
}

/* Reads our module: the head, from `module` to the end of the list of ports, and the body. To be freed. */
static bool read_own(enum cluster_block b, const char *folder, char **head, char **inside, struct error *e) {
    char relative[VERILOG_MAX_NAME + 32];
    snprintf(relative, sizeof relative, "%s.sv", twin_block[b].module);
    char *own = read_file(folder, relative), *module = own ? strstr(own, "\nmodule ") : NULL;
    char *body = module ? strstr(module, "\n);\n") : NULL, *end = body ? strstr(body, "\nendmodule") : NULL;
    if (end) {
        body += strlen("\n);\n");
        *head = copy(module + 1, body);
        *inside = copy(body, end + 1);
    } else {
        error_set(e, EXIT_USER, "%s/%s: our Verilog cannot be read", folder, relative);
    }
    free(own);
    return end != NULL;
}

/* Prints a slot's template. The body of a slot with a contract comes from a file, that of the whole
 * co-processor from our Verilog. Other slots must behave like our own block; their body sets all outputs to
 * 0. */
static bool print_template(enum cluster_block b, const char *folder, struct error *e) {
    char relative[VERILOG_MAX_NAME + 32], *head = NULL, *own = NULL, *inside = NULL;
    const bool has_file = contract[b].count > 0 && !contract[b].rest;
    snprintf(relative, sizeof relative, "templates/%s.svh", twin_block[b].name);
    bool good = read_own(b, folder, &head, &own, e);
    if (good && has_file) {
        inside = read_file(folder, relative);
        good = inside ||
               error_set(e, EXIT_USER, "%s/%s: the template cannot be read: build or install Lockstep again",
                         folder, relative);
    }
    if (good) {
        print_contract(b);
        printf("%s", head);
        if (contract[b].count)
            printf("%s", has_file ? inside : own);
        else
            print_zeros(head);
        printf("endmodule\n");
    }
    free(inside);
    free(own);
    free(head);
    return good;
}

static int command(int argc, char **argv) {
    enum cluster_block b = CLUSTER_BLOCK_COUNT;
    struct tools tools;
    struct error e = {0};
    arguments_parse(&template_argp, argc, argv, 0, &b);
    if (!tools_find(&tools, &e) || !print_template(b, tools.rtl, &e)) return command_fail(&e);
    return EXIT_SOUND;
}

const struct command_row command_rtl_template = {130, "print Verilog to begin a block of your own with",
                                                 command};
