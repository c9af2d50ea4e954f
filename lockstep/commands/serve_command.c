/* `lockstep serve`: a simulator for one program that was started without `lockstep run`. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/commands/tools.h"
#include "runtime/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { KEY_SOCKET = 256 };

struct options {
    struct machine_options machine;
    int socket_fd; /* −1: not given */
};

static int parse_socket(const char *argument, struct argp_state *state) {
    char *end;
    errno = 0;
    long value = strtol(argument, &end, 10);
    if (errno || *argument < '0' || *argument > '9' || *end || value > INT_MAX)
        argp_error(state, "--socket-fd %s: a file descriptor is a number such as 3", argument);
    return (int)value;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case KEY_SOCKET: o->socket_fd = parse_socket(argument, state); return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option; this command takes no arguments", argument);
        return 0;
    case ARGP_KEY_END:
        if (o->socket_fd < 0) argp_error(state, "--socket-fd is missing");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"socket-fd", KEY_SOCKET, "N", 0, "File descriptor of the connected socket to serve", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp serve_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .doc = "Serves one OpenCL program on a connected Unix socket until it hangs up. The OpenCL driver starts "
           "this when a "
           "program was not started by `lockstep run`; nothing is reported then."
           "\v"
           "Examples:\n"
           "  OCL_ICD_VENDORS=$PWD/build/liblockstep_opencl.so ./my_program\n"
           "  lockstep serve --socket-fd 3 --config configs/dual-mode-4.yaml",
};

static bool check_socket(int fd, struct error *e) {
    int type;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) return true;
    return error_set(e, EXIT_USER, "serve: --socket-fd %d is not an open socket: %s", fd, strerror(errno));
}

static bool serve(const struct options *o, struct error *e) {
    struct machine_config c;
    struct tools tools;
    if (!machine_options_resolve(&o->machine, &c, e) || !tools_find(&tools, e) ||
        !check_socket(o->socket_fd, e))
        return false;
    struct machine *m = machine_create(&c, e);
    if (!m) return false;
    struct session_options so = {.machine = m, .compiler = tools.compiler, .driver = tools.driver};
    struct session *s = session_create(&so, e);
    bool served = s && session_serve(s, o->socket_fd, e);
    if (s) session_destroy(s);
    machine_destroy(m);
    return served;
}

static int command(int argc, char **argv) {
    struct options o = {.socket_fd = -1};
    struct error e = {0};
    arguments_parse(&serve_argp, argc, argv, 0, &o);
    bool served = serve(&o, &e);
    machine_options_free(&o.machine);
    return served ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_serve = {160, "serve one program over a socket (our driver starts this)",
                                          command};
