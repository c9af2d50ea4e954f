/*
 * lockstep-cc: the kernel compiler's command line.
 */
#include "compiler/driver/cache.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/llvm_library.h"
#include "compiler/driver/program_directory.h"
#include "compiler/driver/trouble.h"
#include "sim/stack_limit.h"
#include "sim/streams.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PRIORITY_LEVELS 256 /* values of the 8-bit level counter */
#define DEFAULT_CACHE_MB    512u
#define MAX_CACHE_MB        1000000
#define MAX_LINE_BYTES      1024
#define MAX_WARP_SIZE       1024

struct command_line {
    struct compilation compilation;
    bool library, use_cache;
    const char *image_option; /* an option that was given and does not apply to --library */
    struct arguments extra;
};

enum { GROUP_IMAGE = 1, GROUP_LIBRARY };

enum {
    KEY_LIBRARY = 256,
    KEY_LIBRARY_DIR,
    KEY_LEVELS,
    KEY_CACHE,
    KEY_CACHE_LIMIT,
    KEY_NO_CACHE,
    KEY_OPTIONS,
    KEY_NAME,
    KEY_EMIT,
    KEY_LINK,
    KEY_PRIORITIES,
    KEY_COALESCING,
    KEY_MATH,
    KEY_ISA,
    KEY_IDS,
    KEY_STARTUP,
    KEY_MODE,
    KEY_SCALARIZE,
    KEY_SCALAR,
    KEY_LINE,
    KEY_UNWRITTEN,
    KEY_WARP
};

static const struct argp_option command_options[] = {
    {"output", 'o', "OUT", 0, "Write the result to OUT, or to standard output if it is - (needed)",
     GROUP_IMAGE},
    {"options", KEY_OPTIONS, "\"OPTIONS\"", 0, "Build options as given to clBuildProgram", GROUP_IMAGE},
    {"name", KEY_NAME, "NAME", 0, "Name of the source in messages and line tables (default: FILE)",
     GROUP_IMAGE},
    {"emit", KEY_EMIT, "WHAT", 0,
     "Output: image (default); priority: preprocessed source with the priority operations; coalesced: code "
     "of a whole work-group in MIMD mode; ir: optimised LLVM IR; asm: assembler text; table: what each "
     "kernel needs; object: for --link; scalar: instructions executed once for a warp, and the place of each "
     "operand; scalar-kernel: OpenCL C with the kernels of --scalar; meetings: where threads that diverge at "
     "a branch meet again",
     GROUP_IMAGE},
    {"link", KEY_LINK, NULL, 0,
     "Link FILE, a concatenation of compiled objects, to one image. The only build option with an effect is "
     "-cl-opt-disable",
     GROUP_IMAGE},
    {"priority-levels", KEY_LEVELS, "N", 0,
     "Priority levels of the machine, noted in the image: 1 to 256 (default 8)", GROUP_IMAGE},
    {"priorities", KEY_PRIORITIES, "WHICH", 0,
     "Conditional statements that get priority operations: all (default), varying (if the condition may vary "
     "within a work-group) or off (none: for machines without ICS-First)",
     GROUP_IMAGE},
    {"coalescing", KEY_COALESCING, "HOW", 0,
     "Code of a work-group in MIMD mode: modern (default), or as SnuCL's translator makes it (snucl)",
     GROUP_IMAGE},
    {"math", KEY_MATH, "KIND", 0,
     "log, exp and pow: table (default; no branches) or classic (newlib's older ones, with branches)",
     GROUP_IMAGE},
    {"isa", KEY_ISA, "WHICH", 0,
     "Instructions of floating point and vectors: vfp (VFPv3-D16, default) or neon (with Advanced SIMD; for "
     "machines with cluster.isa neon)",
     GROUP_IMAGE},
    {"ids", KEY_IDS, "HOW", 0,
     "Global ids and addresses of SIMT mode: coprocessor (default; an id is one instruction, loads and "
     "stores "
     "add and shift offsets) or computed (by instructions of their own, as PTX makes them)",
     GROUP_IMAGE},
    {"startup", KEY_STARTUP, "HOW", 0,
     "Start-up code of SIMT mode: its loops over contexts as they are (loop, default) or unrolled four times",
     GROUP_IMAGE},
    {"mode", KEY_MODE, "MODE", 0,
     "Mode of execution of the image: simt, mimd or both (default); no code of another mode is made",
     GROUP_IMAGE},
    {"scalarize", KEY_SCALARIZE, "RULE", 0,
     "Note in the image which instructions are executed once for a warp, and where their operands are (needs "
     "scalar registers and simt.divergence sbr). none: no instruction; convergent: none between a divergent "
     "branch and its meeting; wide: also there; off (default): nothing is noted",
     GROUP_IMAGE},
    {"scalar", KEY_SCALAR, "KIND", 0,
     "Make scalar kernels for kernels without one. prefetch: it loads ahead; extract: it does the work of "
     "one work-item, or work that all do alike; divergence: it distributes iterations of loops; off "
     "(default): none. The build option -lockstep-scalar=KIND takes precedence",
     GROUP_IMAGE},
    {"line-bytes", KEY_LINE, "N", 0,
     "Bytes of a line of the cache that --scalar=prefetch fills: 4 to 1024 (default 256)", GROUP_IMAGE},
    {"mark-unwritten", KEY_UNWRITTEN, NULL, 0,
     "Give scalar variables without a value instructions that mark them, for `run --check-memory`",
     GROUP_IMAGE},
    {"warp-size", KEY_WARP, "N", 0,
     "Work-items of a warp, 1 to 1024 (default 32): with no more left, --scalar=divergence distributes no "
     "more iterations",
     GROUP_IMAGE},
    {"library-dir", KEY_LIBRARY_DIR, "DIR", 0,
     "Folder of the device library, library.parts and others (default: device/ beside this program)",
     GROUP_IMAGE},
    {"cache", KEY_CACHE, "DIR", 0,
     "Keep images in DIR (default: $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep)",
     GROUP_IMAGE},
    {"cache-limit", KEY_CACHE_LIMIT, "MB", 0,
     "Remove the least recently used images from a cache above MB megabytes "
     "(default: $LOCKSTEP_CACHE_MB, else 512)",
     GROUP_IMAGE},
    {"no-cache", KEY_NO_CACHE, NULL, 0, "Neither look for the image in the cache nor keep it there",
     GROUP_IMAGE},
    {NULL, 0, NULL, 0, "Building the device library:", GROUP_LIBRARY},
    {"library", KEY_LIBRARY, NULL, 0,
     "Compile FILE (OpenCL C; C11 if its name ends in .c) with priority operations to unoptimised bitcode. "
     "Words after "
     "-- are passed to clang",
     GROUP_LIBRARY},
    {0}};

static const char command_description[] =
    "Compile OpenCL C to an image for Lockstep's machine.\v"
    "FILE - is standard input. Messages about the source go to standard error: they are the build log.\n\n"
    "Exit status:\n  0 done\n  1 the source was refused\n  2 the compiler could not work: a tool or memory "
    "is missing\n  3 the build options were refused\n  4 a fault of the compiler";

static enum emit parse_emit(const char *value, struct argp_state *state) {
    static const char *const names[] = {"image",  "priority", "coalesced",     "ir",      "asm", "table",
                                        "object", "scalar",   "scalar-kernel", "meetings"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(value, names[i])) return (enum emit)i;
    argp_error(state,
               "--emit=%s: the choices are image, priority, coalesced, ir, asm, table, object, scalar, "
               "scalar-kernel and meetings",
               value);
    return EMIT_IMAGE;
}

/* Returns the number of a name among two or three. */
static int parse_choice(const char *option, const char *value, const char *const names[3],
                        struct argp_state *state) {
    for (int i = 0; i < 3 && names[i]; i++)
        if (!strcmp(value, names[i])) return i;
    argp_error(state, "--%s=%s: the choices are %s%s%s and %s", option, value, names[0], names[2] ? ", " : "",
               names[2] ? names[1] : "", names[2] ? names[2] : names[1]);
    return 0;
}

static enum compile_scalarize parse_scalarize(const char *value, struct argp_state *state) {
    static const char *const names[] = {"off", "none", "convergent", "wide"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(value, names[i])) return (enum compile_scalarize)i;
    argp_error(state, "--scalarize=%s: the choices are off, none, convergent and wide", value);
    return SCALARIZE_OFF;
}

static enum compile_partner parse_partner(const char *value, struct argp_state *state) {
    const int kind = compile_partner_find(value);
    if (kind < 0) argp_error(state, "--scalar=%s: " PARTNER_CHOICES, value);
    return (enum compile_partner)kind;
}

static unsigned parse_number(const char *option, const char *value, long limit, struct argp_state *state) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (errno || end == value || *end || number < 1 || number > limit)
        argp_error(state, "%s %s: a number from 1 to %ld is needed", option, value, limit);
    return (unsigned)number;
}

static void parse_cache_limit(struct command_line *c, const char *option, const char *value,
                              struct argp_state *state) {
    c->compilation.cache_limit_bytes = (uint64_t)parse_number(option, value, MAX_CACHE_MB, state) << 20;
}

static void parse_file(struct command_line *c, char *value, struct argp_state *state) {
    if (!c->compilation.file)
        c->compilation.file = value;
    else if (c->library)
        arguments_add(&c->extra, value);
    else
        argp_error(state, "one source file is needed, not also %s", value);
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &x) == 0 && stat(b, &y) == 0 &&
           S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static error_t command_parse(int key, char *value, struct argp_state *state) {
    struct command_line *c = state->input;
    for (const struct argp_option *o = command_options; o->key || o->doc; o++)
        if (o->key == key && o->group == GROUP_IMAGE && key != 'o') c->image_option = o->name;
    switch (key) {
    case ARGP_KEY_INIT: {
        const char *limit = getenv("LOCKSTEP_CACHE_MB");
        state->name = program_invocation_short_name; /* argp sets it later, but messages begin with it */
        if (limit && *limit) parse_cache_limit(c, "LOCKSTEP_CACHE_MB", limit, state);
        return 0;
    }
    case 'o': c->compilation.output = value; return 0;
    case KEY_OPTIONS: c->compilation.options = value; return 0;
    case KEY_NAME: c->compilation.name = value; return 0;
    case KEY_EMIT: c->compilation.emit = parse_emit(value, state); return 0;
    case KEY_LINK: c->compilation.link = true; return 0;
    case KEY_LEVELS:
        c->compilation.priority_levels = parse_number("--priority-levels", value, MAX_PRIORITY_LEVELS, state);
        return 0;
    case KEY_PRIORITIES:
        c->compilation.priorities =
            (enum compile_priorities)parse_choice("priorities", value, compile_priorities_name, state);
        return 0;
    case KEY_COALESCING:
        c->compilation.coalescing =
            (enum compile_coalescing)parse_choice("coalescing", value, compile_coalescing_name, state);
        return 0;
    case KEY_MATH:
        c->compilation.math = (enum compile_math)parse_choice("math", value, compile_math_name, state);
        return 0;
    case KEY_ISA:
        c->compilation.isa = (enum compile_isa)parse_choice("isa", value, compile_isa_name, state);
        return 0;
    case KEY_IDS:
        c->compilation.ids = (enum compile_ids)parse_choice("ids", value, compile_ids_name, state);
        return 0;
    case KEY_STARTUP:
        c->compilation.startup =
            (enum compile_startup)parse_choice("startup", value, compile_startup_name, state);
        return 0;
    case KEY_MODE:
        c->compilation.modes = (enum compile_mode)parse_choice(
            "mode", value, (const char *const[3]){"both", "simt", "mimd"}, state);
        return 0;
    case KEY_SCALARIZE: c->compilation.scalarize = parse_scalarize(value, state); return 0;
    case KEY_SCALAR: c->compilation.partner = parse_partner(value, state); return 0;
    case KEY_LINE:
        c->compilation.line_bytes = parse_number("--line-bytes", value, MAX_LINE_BYTES, state);
        return 0;
    case KEY_UNWRITTEN: c->compilation.marks_unwritten = true; return 0;
    case KEY_WARP:
        c->compilation.warp_size = parse_number("--warp-size", value, MAX_WARP_SIZE, state);
        return 0;
    case KEY_LIBRARY_DIR: c->compilation.library_directory = value; return 0;
    case KEY_CACHE: c->compilation.cache_directory = value; return 0;
    case KEY_CACHE_LIMIT: parse_cache_limit(c, "--cache-limit", value, state); return 0;
    case KEY_NO_CACHE: c->use_cache = false; return 0;
    case KEY_LIBRARY: c->library = true; return 0;
    case ARGP_KEY_ARG: parse_file(c, value, state); return 0;
    case ARGP_KEY_END:
        if (!c->compilation.file) argp_error(state, "a source file is needed");
        if (c->library && c->image_option)
            argp_error(state, "--%s has no meaning together with --library", c->image_option);
        if (c->compilation.link &&
            (c->compilation.emit == EMIT_PRIORITY || c->compilation.emit == EMIT_OBJECT ||
             c->compilation.emit == EMIT_SCALAR_KERNEL))
            argp_error(state, "--link takes compiled objects: of them there is no priority source or object, "
                              "and no scalar kernels are made");
        if (!c->compilation.output) argp_error(state, "-o OUT is needed: where to write the result");
        if (same_file(c->compilation.file, c->compilation.output))
            argp_error(state, "-o %s would replace the source file %s", c->compilation.output,
                       c->compilation.file);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp parser = {
        command_options, command_parse, "FILE [-- CLANG-OPTIONS]", command_description, NULL, NULL, NULL};
    struct command_line c = {.compilation = {.options = "",
                                             .priority_levels = 8,
                                             .line_bytes = 256,
                                             .warp_size = 32,
                                             .cache_limit_bytes = (uint64_t)DEFAULT_CACHE_MB << 20},
                             .use_cache = true};
    struct compilation *request = &c.compilation;
    struct text library_directory = {0}, cache_directory = {0};
    streams_begin("lockstep-cc");
    stack_limit_raise("lockstep-cc", COMPILER_TROUBLE);
    argp_err_exit_status = COMPILER_TROUBLE;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    if (c.library) {
        llvm_library_compile(request->file, request->output, &c.extra);
        return COMPILER_DONE;
    }
    if (!request->name) request->name = strcmp(request->file, "-") ? request->file : "<stdin>";
    text_printf(&library_directory, "%s/device", program_directory());
    if (!request->library_directory) request->library_directory = library_directory.data;
    cache_default_directory(&cache_directory);
    if (!request->cache_directory && cache_directory.size) request->cache_directory = cache_directory.data;
    if (!c.use_cache) request->cache_directory = NULL;
    if (request->cache_directory) cache_check_directory(request->cache_directory);
    compile(request);
    text_free(&library_directory);
    text_free(&cache_directory);
    return COMPILER_DONE;
}
