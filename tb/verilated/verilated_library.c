#include "tb/verilated/verilated_library.h"

#include "tb/ports/tool.h"
#include "tb/ports/verilog_review.h"
#include "tb/ports/verilator.h"
#include "tb/verilated/verilated_dpi.h"
#include "tb/verilated/verilated_glue.h"
#include "tb/verilated/verilated_key.h"
#include "tb/verilated/verilated_ports.h"
#include "tb/verilated/verilated_seal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MUCH_BYTES (512 * 1024) /* limit for generated C++ */

/* A build: its source, its folder, and the place of the result. */
struct build {
    const struct verilated_request *request;
    const struct verilator *tool;
    struct verilog_module module, slot; /* slot: our module, if the source is a user's */
    struct tool_folder folder;
    const char *cache;
    char *reads; /* text of BLOCK-KEY.reads */
};

/* Returns whether the module is wrapped: our own clocked blocks are, unless the source has options of its
 * own. */
static bool is_wrapped(const struct build *b) {
    bool wrapped = !b->request->slot && b->module.clocked;
    for (unsigned i = 0; i < b->request->source->count; ++i)
        wrapped &= b->request->source->item[i].kind <= VERILOG_INCLUDE;
    return wrapped;
}

static struct verilated_glue glue(const struct build *b) {
    return (struct verilated_glue){.request = b->request,
                                   .module = &b->module,
                                   .slot = b->request->slot ? &b->slot : &b->module,
                                   .wrapped = is_wrapped(b)};
}

/* --- generated files --- */

static FILE *create(const char *folder, const char *name, struct error *e) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
    return out;
}

static bool finish(FILE *out, const char *folder, struct error *e) {
    const bool good = !ferror(out);
    return (fclose(out) == 0 && good) || error_set(e, EXIT_USER, "%s: the disk takes no more", folder);
}

/* Verilator's run-time support calls these functions when the design ends the simulation or prints. The
 * design must not end our process, and standard output belongs to the program. Texts printed before $fatal,
 * $error and a failed assertion are kept as the reason of the stop. */
static const char STOP_HEADER[] = "struct twin_stop {};\n"
                                  "extern char twin_stopped[600];\n"
                                  "extern bool twin_quiet;\n"
                                  "extern \"C\" int twin_print(const char *format, ...);\n";
static const char STOP_SOURCE[] =
    "#include <cstdarg>\n#include <cstdio>\n#include <cstring>\n#include <fstream>\n#include <string>\n"
    "#include \"stop.h\"\n"
    /* VlReadMem (5.006) drops a word at the end of a file without a newline. So files get a newline. */
    "struct words {\n    FILE *file;\n    bool ended;\n};\n"
    "static ssize_t read_words(void *context, char *to, size_t size) {\n"
    "    words *const w = static_cast<words *>(context);\n"
    "    const size_t got = w->ended ? 0 : fread(to, 1, size, w->file);\n"
    "    if (got || w->ended || ferror(w->file)) return got;\n"
    "    w->ended = true;\n    *to = '\\n';\n    return 1;\n}\n"
    "static int close_words(void *context) {\n    words *const w = static_cast<words *>(context);\n"
    "    const int status = fclose(w->file);\n    delete w;\n    return status;\n}\n"
    "namespace std {\n"
    "static FILE *twin_open(const char *function, const char *path, const char *mode) {\n"
    "    FILE *const file = fopen(path, mode);\n"
    "    if (!file || strcmp(function, \"VlReadMem\") != 0) return file;\n"
    "    cookie_io_functions_t io{};\n    io.read = read_words;\n    io.close = close_words;\n"
    "    return fopencookie(new words{file, false}, mode, io);\n}\n}\n"
    "#define fopen(path, mode) twin_open(__func__, path, mode)\n"
    "#define VL_PRINTF twin_print\n#define VL_USER_FINISH\n#define VL_USER_STOP\n#define VL_USER_FATAL\n"
    "#define VL_USER_WARN\n"
    "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n"
    "#include \"verilated_dpi.cpp\"\n"
    "bool twin_quiet = false;\nchar twin_stopped[600];\nstatic char printed[400];\n"
    "int twin_print(const char *format, ...) {\n"
    "    va_list arguments;\n    va_start(arguments, format);\n"
    "    vsnprintf(printed, sizeof printed, format, arguments);\n    va_end(arguments);\n"
    "    return twin_quiet ? 0 : fputs(printed, stderr);\n}\n"
    "static void stop(const char *file, int line, const char *what) {\n"
    "    const char *why = strstr(printed, \"%Error: \");\n"
    "    if (!why) why = strstr(printed, \"%Fatal: \");\n"
    "    if (why) why = strchr(why + 8, ' ');\n"
    "    if (!twin_stopped[0]) snprintf(twin_stopped, sizeof twin_stopped, \"%s:%d:%s%s%.*s\", file, line,\n"
    "        *what ? \" \" : \"\", what, why ? (int)strcspn(why, \"\\n\") : 0, why ? why : \"\");\n"
    "    printed[0] = 0;\n}\n"
    /* Handles the warnings of $readmemh and $readmemb: a missing file means that initial contents are
     * missing. */
    "void vl_warn(const char *file, int, const char *, const char *what) {\n"
    "    if (!strstr(what, \"not found\")) twin_print(\"%%Warning: %s: %s\\n\", file, what);\n"
    "    else if (!twin_stopped[0]) snprintf(twin_stopped, sizeof twin_stopped, \"%s: %s\", file, what);\n}\n"
    "void vl_finish(const char *file, int line, const char *) { stop(file, line, \"$finish\"); }\n"
    "void vl_stop(const char *file, int line, const char *) {\n"
    "    stop(file, line, strstr(printed, \"%Error: \") || strstr(printed, \"%Fatal: \") ? \"\" : "
    "\"$stop\");\n}\n"
    "void vl_fatal(const char *file, int line, const char *, const char *what) {\n"
    "    stop(file, line, what);\n    throw twin_stop{};\n}\n";

/* Makes Verilator keep the flip-flops where the glue finds them. */
static bool write_visible(const struct build *b, struct error *e) {
    const struct verilated_glue g = glue(b);
    FILE *out = create(b->folder.path, "visible.vlt", e);
    if (!out) return false;
    fprintf(out, "`verilator_config\n");
    for (unsigned i = 0; i < b->request->block->count; ++i)
        if (b->request->block->signal[i].kind >= VERILOG_STATE && verilated_glue_has(&g, i))
            fprintf(out, "public_flat_rd -module \"%s\" -var \"%s_q\"\n", b->request->source->top,
                    b->request->block->signal[i].name);
    return finish(out, b->folder.path, e);
}

static bool write_wrapper(const struct build *b, struct error *e) {
    FILE *out = create(b->folder.path, VERILATED_WRAPPER ".sv", e);
    if (!out) return false;
    verilated_glue_write_wrapper(out, &b->module, b->request->source->top);
    return finish(out, b->folder.path, e);
}

static bool counts_coverage(const struct verilog_source *s) {
    for (unsigned i = 0; i < s->count; ++i)
        if (strncmp(s->item[i].text, "--coverage", strlen("--coverage")) == 0) return true;
    return false;
}

/* Returns whether the state of the design can be saved and restored. Verilator can do neither for values of
 * changing size nor with coverage. */
static bool is_savable(const struct build *b) {
    return b->request->slot && !verilog_tree_is_dynamic(&b->module.tree) &&
           !counts_coverage(b->request->source);
}

/* Writes Verilator's output and the glue as one translation unit, so that headers are read once. */
static bool write_sources(const struct build *b, struct error *e) {
    FILE *out = create(b->folder.path, "twin.cc", e);
    if (!out) return false;
    struct dirent **file;
    const int files = scandir(b->folder.path, &file, NULL, alphasort);
    for (int i = 0; i < files; ++i) {
        const char *name = file[i]->d_name;
        const size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".cpp") == 0) fprintf(out, "#include \"%s\"\n", name);
        free(file[i]);
    }
    if (files >= 0) free(file);
    const struct verilated_glue g = glue(b);
    verilated_glue_write(out, &g);
    if (b->request->slot) verilated_insides_write(out, &b->module.tree, is_savable(b));
    return finish(out, b->folder.path, e);
}

/* --- building --- */

/* Runs Verilator with loops of at most `unrolled` rounds unrolled. Only errors refuse a user's design; other
 * notices go to *n. */
static bool verilate_unrolled(const struct build *b, char *unrolled, struct verilog_notices *notices,
                              struct error *e) {
    const struct verilog_source *source = b->request->source;
    char set[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    char *argv[40 + VERILOG_MAX_PARAMETERS + VERILOG_MAX_ITEMS] = {(char *)verilator_command(),
                                                                   "--cc",
                                                                   "-O3",
                                                                   "--assert",
                                                                   "--no-timing",
                                                                   "--expand-limit",
                                                                   "16",
                                                                   "--x-initial",
                                                                   "unique",
                                                                   "--x-assign",
                                                                   "unique",
                                                                   "--Mdir",
                                                                   ".",
                                                                   "--prefix",
                                                                   "Vtwin",
                                                                   "--top-module",
                                                                   source->top,
                                                                   "visible.vlt",
                                                                   "--unroll-count",
                                                                   unrolled};
    unsigned n = 20;
    for (unsigned i = 0; b->request->slot && verilated_insides_arguments[i]; ++i)
        argv[n++] = (char *)verilated_insides_arguments[i];
    if (is_savable(b)) argv[n++] = "--savable";
    if (is_wrapped(b)) {
        argv[16] = VERILATED_WRAPPER;
        argv[n++] = VERILATED_WRAPPER ".sv";
    }
    for (unsigned i = 0; !is_wrapped(b) && i < b->module.parameter_count; ++i) {
        snprintf(set[i], sizeof set[i], "-G%s=%u", b->module.parameter[i].name, b->module.parameter[i].value);
        argv[n++] = set[i];
    }
    for (unsigned i = 0; i < source->count; ++i)
        if (source->item[i].kind != VERILOG_FUNCTIONS) argv[n++] = source->item[i].text;
    if (b->request->slot) {
        argv[n++] = (char *)"-Wno-fatal";
        /* The data-flow graphs of Verilator 5.006 lose updates in vectors whose bits depend on each other
         * (UNOPTFLAT). Our own Verilog has no such vectors. */
        argv[n++] = (char *)"-fno-dfg";
    }
    return verilog_notices_run(notices, argv, &b->folder, source, e);
}

/* Returns the size of the C++ that Verilator has written; with `remove`, also removes it. */
static long long generated(const struct build *b, bool remove) {
    char path[PATH_MAX + NAME_MAX + 2];
    struct stat s;
    long long bytes = 0;
    DIR *d = opendir(b->folder.path);
    for (const struct dirent *f; d && (f = readdir(d));) {
        if (strncmp(f->d_name, "Vtwin", 5) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", b->folder.path, f->d_name);
        if (stat(path, &s) == 0) bytes += s.st_size;
        if (remove) unlink(path);
    }
    if (d) closedir(d);
    return bytes;
}

/* Unrolls loops over warps, since some versions refuse loops with arrays. If the generated C++ is very large,
 * which g++ compiles slowly, loops are kept, unless Verilator refuses that. */
static bool verilate(const struct build *b, struct verilog_notices *notices, struct error *e) {
    struct error why = {0};
    struct verilog_notices again = {0}; /* notices of the repeated run, which are not reported */
    if (!verilate_unrolled(b, "128", notices, e)) return false;
    if (generated(b, false) < MUCH_BYTES) return true;
    generated(b, true);
    bool good = verilate_unrolled(b, "8", &again, &why);
    if (!good) {
        generated(b, true);
        good = verilate_unrolled(b, "128", &again, e);
    }
    verilog_notices_free(&again);
    return good;
}

/* Moves a file from the folder of the build into the cache, where other runs find it. */
static bool keep(const struct build *b, const char *name, const char *path, struct error *e) {
    char made[PATH_MAX + 16];
    snprintf(made, sizeof made, "%s/%s", b->folder.path, name);
    return rename(made, path) == 0 ||
           error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
}

static bool seal(const struct build *b, const char *name, struct error *e) {
    char made[PATH_MAX + 16];
    snprintf(made, sizeof made, "%s/%s", b->folder.path, name);
    return verilated_seal(made, e);
}

/* Fills in the compiler's arguments. thread_local is removed: one thread runs a library, and thread-local
 * storage of a library that is loaded late is slow. Vectorised stores are off: each value is read again soon,
 * and the read would wait for the wide store. */
static unsigned begin_compiler(const struct build *b, char include[2][PATH_MAX + 16], char *argv[]) {
    static char *const options[] = {"g++",
                                    "-std=gnu++17",
                                    "-w",
                                    "-fPIC",
                                    "-fvisibility=hidden",
                                    "-fno-semantic-interposition",
                                    "-fno-tree-slp-vectorize",
                                    "-Dthread_local=",
                                    "-march=native",
                                    "-pthread",
                                    "-I."};
    unsigned n = sizeof options / sizeof options[0];
    snprintf(include[0], sizeof include[0], "-I%s", b->tool->include);
    snprintf(include[1], sizeof include[1], "-I%s/vltstd", b->tool->include);
    memcpy(argv, options, sizeof options);
    argv[n++] = include[0];
    argv[n++] = include[1];
    return n;
}

/* Compiles a part (`name`) of Verilator's run-time support once for all blocks. No cycle calls it. */
static bool compile_support(const struct build *b, const char *name, const char *text, const char *optimize,
                            char *object, size_t size, struct error *e) {
    struct stat source;
    char path[PATH_MAX + 16], include[2][PATH_MAX + 16], *argv[32];
    snprintf(path, sizeof path, "%s/verilated.cpp", b->tool->include);
    if (stat(path, &source) != 0)
        return error_set(e, EXIT_USER, "%s: %s\ninstall verilator (scripts/setup)", path, strerror(errno));
    snprintf(object, size, "%s/%s-%d-%s-%llx-%llx.o", b->cache, name, VERILATED_VERSION, b->tool->version,
             (unsigned long long)source.st_size, (unsigned long long)source.st_mtime);
    if (verilated_sealed(object)) {
        utimensat(AT_FDCWD, object, NULL, 0); /* sets the time of last use */
        return true;
    }
    FILE *all = create(b->folder.path, "support.cc", e);
    if (!all) return false;
    fputs(text, all);
    if (!finish(all, b->folder.path, e)) return false;
    memcpy(argv + begin_compiler(b, include, argv),
           (char *[]){(char *)optimize, "-c", "support.cc", "-o", "support.o", NULL}, 6 * sizeof *argv);
    if (!tool_run(argv, &b->folder, NULL, e)) return false;
    return seal(b, "support.o", e) && keep(b, "support.o", object, e);
}

/* Returns whether the compiled headers exist with a valid seal. The check takes some time and is
 * done once. */
static bool has_headers(const char *path) {
    static char whole[2 * PATH_MAX];
    if (strcmp(path, whole) == 0 && access(path, R_OK) == 0) return true;
    if (!verilated_sealed(path)) return false;
    snprintf(whole, sizeof whole, "%s", path);
    return true;
}

/* Precompiles Verilator's headers for all blocks of a machine, since g++ needs more time for them than for
 * most blocks. `header` is "" if that does not pay off. If g++ cannot use the result, it reads the text of
 * the headers. */
static bool compile_headers(const struct build *b, const char *optimize, char *header, size_t size,
                            struct error *e) {
    struct stat source;
    char path[2 * PATH_MAX], include[2][PATH_MAX + 16], *argv[32];
    snprintf(path, sizeof path, "%s/verilated.h", b->tool->include);
    if (stat(path, &source) != 0) return error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
    snprintf(header, size, "%s/headers-%d%s-%s-%llx-%llx.h", b->cache, VERILATED_VERSION, optimize,
             b->tool->version, (unsigned long long)source.st_size, (unsigned long long)source.st_mtime);
    snprintf(path, sizeof path, "%s.gch", header);
    if (verilated_sealed(header) && has_headers(path)) {
        utimensat(AT_FDCWD, path, NULL, 0); /* sets the time of last use */
        utimensat(AT_FDCWD, header, NULL, 0);
        return true;
    }
    if (!b->request->many) {
        header[0] = '\0';
        return true;
    }
    FILE *all = create(b->folder.path, "headers.h", e);
    if (!all) return false;
    fputs("#include \"verilated.h\"\n//", all); /* the seal follows */
    if (!finish(all, b->folder.path, e)) return false;
    memcpy(argv + begin_compiler(b, include, argv),
           (char *[]){(char *)optimize, "-x", "c++-header", "headers.h", "-o", "headers.gch", NULL},
           7 * sizeof *argv);
    return tool_run(argv, &b->folder, NULL, e) && seal(b, "headers.gch", e) && seal(b, "headers.h", e) &&
           keep(b, "headers.gch", path, e) && keep(b, "headers.h", header, e);
}

static bool write_header(const struct build *b, struct error *e) {
    FILE *out = create(b->folder.path, "stop.h", e);
    if (!out) return false;
    fputs(STOP_HEADER, out);
    return finish(out, b->folder.path, e);
}

static bool compile(const struct build *b, const char *optimize, struct error *e) {
    char support[2][2 * PATH_MAX], include[2][PATH_MAX + 16], *argv[64 + VERILOG_MAX_ITEMS],
        *objects[VERILOG_MAX_ITEMS + 1], headers[PATH_MAX + 128];
    char *const link[] = {"-shared", "-Wl,-Bsymbolic", "-o", "twin.so", "twin.cc"};
    if (!write_header(b, e) || !compile_headers(b, optimize, headers, sizeof headers, e)) return false;
    if (!compile_support(b, "verilated", STOP_SOURCE, "-O1", support[0], sizeof support[0], e)) return false;
    if (b->request->slot &&
        !compile_support(b, "waves", verilated_insides_support, "-O1", support[1], sizeof support[1], e))
        return false;
    bool good = verilated_dpi_compile(b->request->source, &b->folder, objects, e);
    unsigned n = begin_compiler(b, include, argv);
    memcpy(argv + n, link, sizeof link);
    n += sizeof link / sizeof link[0];
    argv[n++] = (char *)optimize;
    if (*headers) {
        argv[n++] = "-include";
        argv[n++] = headers;
    }
    argv[n++] = support[0];
    if (b->request->slot) argv[n++] = support[1];
    for (unsigned i = 0; objects[i]; ++i) argv[n++] = objects[i];
    argv[n] = NULL;
    good = good && tool_run(argv, &b->folder, NULL, e);
    verilated_dpi_free(objects);
    return good;
}

/* Reads the ports of the module and of its slot. */
static bool read_modules(struct build *b, struct error *e) {
    const struct verilated_request *r = b->request;
    if (!verilog_module_read(&b->module, r->source, r->settings, r->count, e)) return false;
    if (!verilated_dpi_headers(r->source, &b->folder, &b->module.tree.files, e)) return false;
    if (!r->slot)
        return verilog_module_check(&b->module, r->source, e) && verilated_ports_check_own(&b->module, r, e);
    struct verilog_source slot;
    const bool good = verilog_source_one(&slot, r->slot, r->block->module, e) &&
                      verilog_module_read(&b->slot, &slot, r->settings, r->count, e) &&
                      verilated_ports_check(&b->module, &b->slot, r, e);
    verilog_source_free(&slot);
    return good;
}

static bool write_list(const struct build *b, const char *list, struct error *e) {
    FILE *out = create(b->folder.path, "reads", e);
    if (!out) return false;
    fputs(b->reads, out);
    return finish(out, b->folder.path, e) && keep(b, "reads", list, e);
}

static bool tells(const struct verilated_request *r) {
    return r->slot && r->on_notices;
}

static bool keep_notices(const struct build *b, const struct verilog_notices *n, const char *path,
                         struct error *e) {
    FILE *out = create(b->folder.path, "notices", e);
    if (!out) return false;
    verilog_notices_save(out, n);
    return finish(out, b->folder.path, e) && keep(b, "notices", path, e);
}

/* Tells the design's warnings before the compiler, which takes longer, begins. */
static bool read_design(const struct build *b, const struct verilated_key *k, struct error *e) {
    struct verilog_notices n = {0};
    bool good = verilate(b, &n, e);
    if (good && tells(b->request)) {
        verilog_review(&n, b->request->source, b->module.tree.files, &b->folder);
        b->request->on_notices(b->request->block->name, b->request->source->top, &n);
        good = keep_notices(b, &n, k->notices, e);
    }
    verilog_notices_free(&n);
    return good;
}

/* Returns whether the cache has the library, and its notices if they are wanted. */
static bool is_built(const struct verilated_key *k, const struct verilated_request *r) {
    return verilated_sealed(k->library) && (!tells(r) || access(k->notices, R_OK) == 0);
}

static void tell_notices(const struct verilated_key *k, const struct verilated_request *r) {
    struct verilog_notices n = {0};
    FILE *in = tells(r) ? fopen(k->notices, "r") : NULL;
    if (!in) return;
    verilog_notices_load(&n, in);
    fclose(in);
    r->on_notices(r->block->name, r->source->top, &n);
    verilog_notices_free(&n);
}

/* Builds the library. Fails if a file changes meanwhile, since the key would not match. */
static bool make(const struct build *b, struct verilated_key *k, struct error *e) {
    struct verilated_key after = *k;
    if (!write_visible(b, e) || (is_wrapped(b) && !write_wrapper(b, e)) || !read_design(b, k, e) ||
        !write_sources(b, e) || !compile(b, k->optimize, e))
        return false;
    if (!verilated_key_complete(&after, b->request, b->cache, b->reads, e)) return false;
    if (strcmp(after.library, k->library) != 0)
        return error_set(e, EXIT_USER, "%s: it changed while it was built; run it again",
                         verilog_source_file(b->request->source));
    return seal(b, "twin.so", e) && keep(b, "twin.so", k->library, e);
}

static void write_parameters(const struct verilog_module *m, FILE *out) {
    for (unsigned i = 0; i < m->parameter_count; ++i)
        fprintf(out, VERILATED_PARAMETER "%s=%u\n", m->parameter[i].name, m->parameter[i].value);
}

/* Collects the parts of the key that the request does not contain: parameters of the module, and of
 * the slot. */
static void find_reads(struct build *b) {
    size_t size;
    FILE *out = open_memstream(&b->reads, &size);
    require_memory(out);
    write_parameters(&b->module, out);
    write_parameters(&b->slot, out);
    fputs(b->module.tree.files, out);
    fclose(out);
}

/* Builds the library, unless the library of another machine is the same. */
static bool find_or_make(struct build *b, struct verilated_key *k, struct error *e) {
    find_reads(b);
    if (!verilated_key_complete(k, b->request, b->cache, b->reads, e)) return false;
    if (is_built(k, b->request)) {
        tell_notices(k, b->request);
        return write_list(b, k->list, e);
    }
    if (b->request->on_build)
        b->request->on_build(b->request->block->name, verilog_source_file(b->request->source));
    return make(b, k, e) && write_list(b, k->list, e);
}

static bool build(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                  struct error *e) {
    struct build b = {.request = r, .cache = cache, .tool = verilator_find(e)};
    bool good = b.tool && tool_folder_make(&b.folder, cache, e);
    if (!good) return false;
    good = read_modules(&b, e) && find_or_make(&b, k, e);
    tool_folder_remove(&b.folder);
    free(b.reads);
    verilog_module_free(&b.module);
    verilog_module_free(&b.slot);
    if (good) verilated_cache_trim(cache);
    return good;
}

bool verilated_library_lint(const struct verilated_request *r, struct verilog_notices *n, struct error *e) {
    char cache[PATH_MAX];
    struct build b = {.request = r, .cache = cache, .tool = verilator_find(e)};
    if (!b.tool || !verilated_cache(cache, sizeof cache, e) || !tool_folder_make(&b.folder, cache, e))
        return false;
    bool good = read_modules(&b, e);
    struct error more = {0}; /* ignored: the error has been reported; only notices are collected */
    good = write_visible(&b, e) && verilate(&b, n, good ? e : &more) && good;
    verilog_review(n, r->source, b.module.tree.files, &b.folder);
    tool_folder_remove(&b.folder);
    verilog_module_free(&b.module);
    verilog_module_free(&b.slot);
    return good;
}

/* --- loading --- */

static bool load(struct verilated_library *l, const struct verilated_request *r, const char *library,
                 struct error *e) {
    verilog_guard_add(&l->guard, r->block->name, verilog_source_file(r->source));
    l->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) verilog_guard_remove(&l->guard);
    if (!l->handle)
        return error_set(
            e, EXIT_USER,
            "built Verilog cannot be loaded: %s\n(files with the C functions that it imports by DPI, .c or "
            ".cpp, stand after the Verilog, with commas between)",
            dlerror());
    *(void **)&l->create = dlsym(l->handle, "twin_create");
    if (l->create) verilog_guard_loaded(&l->guard, dlsym(l->handle, "twin_create"));
    *(void **)&l->destroy = dlsym(l->handle, "twin_destroy");
    *(void **)&l->hush = dlsym(l->handle, "twin_hush");
    *(void **)&l->eval = dlsym(l->handle, "twin_eval");
    *(void **)&l->force = dlsym(l->handle, "twin_force");
    *(void **)&l->clock = dlsym(l->handle, "twin_clock");
    *(void **)&l->reset = dlsym(l->handle, "twin_reset");
    *(void **)&l->settle = dlsym(l->handle, "twin_settle");
    *(void **)&l->edge = dlsym(l->handle, "twin_edge");
    *(void **)&l->finish = dlsym(l->handle, "twin_finish");
    *(void **)&l->equal = dlsym(l->handle, "twin_equal");
    *(void **)&l->row_equal = dlsym(l->handle, "twin_row_equal");
    *(void **)&l->keep = dlsym(l->handle, "twin_keep");
    *(void **)&l->same = dlsym(l->handle, "twin_same");
    *(void **)&l->step = dlsym(l->handle, "twin_step");
    *(void **)&l->kept = dlsym(l->handle, "twin_kept");
    *(void **)&l->signal = dlsym(l->handle, "twin_signal");
    *(void **)&l->bits = dlsym(l->handle, "twin_bits");
    *(void **)&l->element_bits = dlsym(l->handle, "twin_element_bits");
    *(void **)&l->rows = dlsym(l->handle, "twin_rows");
    *(void **)&l->inside_open = dlsym(l->handle, "twin_inside_open");
    l->left_out = dlsym(l->handle, "twin_left_out");
    *(void **)&l->inside_close = dlsym(l->handle, "twin_inside_close");
    *(void **)&l->inside_look = dlsym(l->handle, "twin_inside_look");
    l->inside_types = dlsym(l->handle, "twin_inside_types");
    snprintf(l->top, sizeof l->top, "%s", r->source->top);
    *(void **)&l->state_bytes = dlsym(l->handle, "twin_state_bytes");
    *(void **)&l->state_keep = dlsym(l->handle, "twin_state_keep");
    *(void **)&l->state_put = dlsym(l->handle, "twin_state_put");
    if (l->create && l->destroy && l->hush && l->eval && l->settle && l->equal && l->row_equal && l->keep &&
        l->kept && l->signal && l->bits && l->element_bits && l->rows)
        return true;
    verilated_library_close(l);
    return error_set(e, EXIT_USER, "%s is not what Lockstep built: remove it", library);
}

bool verilated_library_open(struct verilated_library *l, const struct verilated_request *r, struct error *e) {
    char cache[PATH_MAX];
    struct verilated_key k;
    *l = (struct verilated_library){0};
    if (!verilated_cache(cache, sizeof cache, e) || !verilated_key_init(&k, r, cache, e)) return false;
    if (verilated_key_recall(&k, r, cache) && is_built(&k, r))
        tell_notices(&k, r);
    else if (!build(&k, r, cache, e))
        return false;
    verilated_key_touch(&k);
    return load(l, r, k.library, e);
}

void verilated_library_close(struct verilated_library *l) {
    if (!l->handle) return;
    dlclose(l->handle);
    verilog_guard_remove(&l->guard);
    l->handle = NULL;
}
