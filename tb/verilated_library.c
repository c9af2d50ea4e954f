#include "tb/verilated_library.h"

#include "tb/ports/tool.h"
#include "tb/ports/verilog_review.h"
#include "tb/verilated_dpi.h"
#include "tb/verilated_glue.h"
#include "tb/verilated_key.h"
#include "tb/verilated_ports.h"
#include "tb/verilated_seal.h"

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

#define SUPPORT_SOURCE "/usr/share/verilator/include/verilated.cpp"
#define INCLUDE_ROOT   "-I/usr/share/verilator/include"
#define INCLUDE_DPI    "-I/usr/share/verilator/include/vltstd"

/* A build: its source, its folder, where the result is kept. */
struct build {
    const struct verilated_request *request;
    struct verilog_module module, slot; /* slot: our own if the source is not */
    struct tool_folder folder;
    const char *cache;
    char *reads; /* of the key */
};

static struct verilated_glue glue(const struct build *b) {
    return (struct verilated_glue){
        .request = b->request, .module = &b->module, .slot = b->request->slot ? &b->slot : &b->module};
}

/* --- what is built --- */

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

/* Verilator's run-time support calls these when the design ends the simulation or prints: it must not end
 * ours, and standard output is the program's. Texts printed before $fatal, $error and a failed assertion stop
 * it say why. */
static const char STOP_HEADER[] = "struct twin_stop {};\n"
                                  "extern char twin_stopped[600];\n"
                                  "extern bool twin_quiet;\n"
                                  "extern \"C\" int twin_print(const char *format, ...);\n";
static const char STOP_SOURCE[] =
    "#include <cstdarg>\n#include <cstdio>\n#include <cstring>\n#include <fstream>\n#include <string>\n"
    "#include \"stop.h\"\n"
    /* VlReadMem (5.006) drops a word that the end of the file ends: its files get a newline there. */
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
    /* Of $readmemh and $readmemb: what the design was to begin with is not there. */
    "void vl_warn(const char *file, int, const char *, const char *what) {\n"
    "    if (!strstr(what, \"not found\")) twin_print(\"%%Warning: %s: %s\\n\", file, what);\n"
    "    else if (!twin_stopped[0]) snprintf(twin_stopped, sizeof twin_stopped, \"%s: %s\", file, what);\n}\n"
    "void vl_finish(const char *file, int line, const char *) { stop(file, line, \"$finish\"); }\n"
    "void vl_stop(const char *file, int line, const char *) {\n"
    "    stop(file, line, strstr(printed, \"%Error: \") || strstr(printed, \"%Fatal: \") ? \"\" : "
    "\"$stop\");\n}\n"
    "void vl_fatal(const char *file, int line, const char *, const char *what) {\n"
    "    stop(file, line, what);\n    throw twin_stop{};\n}\n";

/* So that Verilator keeps the flip-flops where the glue finds them. */
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

/* Does a line of what Verilator wrote clear a value that is to be assigned, which is read only where it has
 * been set (of a table there is one for each of its rows, in every evaluation), or, in Verilog of ours, an
 * argument or the result of a function, which is assigned as a whole? */
static bool clears_in_vain(const char *line, bool ours) {
    const bool wide = strstr(line, "VL_ZERO_W(") && strstr(line, ");");
    if (wide && ours && strstr(line, "__Vfunc_")) return true;
    return (wide || strstr(line, " = 0;")) && strstr(line, "__Vdlyvval__");
}

/* Is it assigned? It seldom is; of a table each row is asked, in every evaluation. */
static void write_line(FILE *out, char *line) {
    static const char asks[] = "if (__Vdlyvset__";
    char *const condition = strstr(line, asks), *const end = condition ? strstr(condition, ") {") : NULL;
    if (!end) {
        fputs(line, out);
        return;
    }
    const int before = (int)(condition - line), length = (int)(end - condition) - 4;
    fprintf(out, "%.*sif (VL_UNLIKELY(%.*s)%s", before, line, length, condition + 4, end);
}

static void copy_source(FILE *out, const struct build *b, const char *name) {
    char path[PATH_MAX + NAME_MAX + 2], *line = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", b->folder.path, name);
    FILE *in = fopen(path, "r");
    while (in && getline(&line, &size, in) > 0)
        if (!clears_in_vain(line, !b->request->slot)) write_line(out, line);
    free(line);
    if (in) fclose(in);
}

/* Can the glue call the parts of Verilator's evaluation itself? There are no combinational loops, then, and
 * the clock's edge is a trigger. */
static bool has_parts(const struct build *b) {
    char path[PATH_MAX + 32], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/Vtwin___024root.h", b->folder.path);
    FILE *in = fopen(path, "r");
    const bool good = in && getdelim(&text, &size, '\0', in) > 0 &&
                      strstr(text, "VlTriggerVec<1> __VicoTriggered;") &&
                      (!b->module.clocked || strstr(text, "__Vtrigrprev__TOP__clk_i;"));
    free(text);
    if (in) fclose(in);
    return good;
}

/* The n-th header of the design that Verilator wrote, as text to be freed, in the names' order; NULL: there
 * are not so many. */
static char *read_header(const struct build *b, unsigned n) {
    struct dirent **file;
    char path[PATH_MAX + NAME_MAX + 2] = "", *text = NULL;
    size_t size = 0;
    const int files = scandir(b->folder.path, &file, NULL, alphasort);
    for (int i = 0; i < files; ++i) {
        const char *name = file[i]->d_name;
        if (strncmp(name, "Vtwin_", 6) == 0 && strstr(name, ".h") && n-- == 0)
            snprintf(path, sizeof path, "%s/%s", b->folder.path, name);
        free(file[i]);
    }
    if (files >= 0) free(file);
    FILE *in = *path ? fopen(path, "r") : NULL;
    if (in && getdelim(&text, &size, '\0', in) <= 0) {
        free(text);
        text = strdup("");
        require_memory(text);
    }
    if (in) fclose(in);
    return text;
}

/* Is the design's state in the objects themselves: no strings, queues and so on? */
static bool is_plain(const struct build *b) {
    static const char *const elsewhere[] = {"std::string ", "VlQueue<", "VlAssocArray<", "VlClassRef<"};
    bool plain = true;
    char *text;
    for (unsigned h = 0; (text = read_header(b, h)); ++h) {
        for (unsigned n = 0; n < sizeof elsewhere / sizeof elsewhere[0]; ++n)
            plain &= !strstr(text, elsewhere[n]);
        free(text);
    }
    return plain;
}

/* All that Verilator wrote and the glue in one translation unit: the headers are read once. */
static bool write_sources(const struct build *b, struct error *e) {
    FILE *out = create(b->folder.path, "twin.cc", e);
    if (!out) return false;
    struct dirent **file;
    const int files = scandir(b->folder.path, &file, NULL, alphasort);
    for (int i = 0; i < files; ++i) {
        const char *name = file[i]->d_name;
        const size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".cpp") == 0) copy_source(out, b, name);
        free(file[i]);
    }
    if (files >= 0) free(file);
    struct verilated_glue g = glue(b);
    g.parts = !b->request->slot && has_parts(b);
    verilated_glue_write(out, &g);
    if (b->request->slot) {
        char *text;
        verilated_insides_write(out, is_plain(b));
        verilated_insides_begin_left_out(out);
        for (unsigned h = 0; (text = read_header(b, h)); ++h) {
            verilated_insides_write_left_out(out, text);
            free(text);
        }
        verilated_insides_end_left_out(out);
    }
    return finish(out, b->folder.path, e);
}

/* --- building --- */

/* Of a user's design, only errors refuse it, and what else is to be said goes to *n. */
static bool verilate(const struct build *b, struct verilog_notices *notices, struct error *e) {
    const struct verilog_source *source = b->request->source;
    char set[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    char *argv[40 + VERILOG_MAX_PARAMETERS + VERILOG_MAX_ITEMS] = {
        "verilator",
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
        "128"}; /* loops over warps: it refuses those that it does not unroll */
    unsigned n = 20;
    for (unsigned i = 0; b->request->slot && verilated_insides_arguments[i]; ++i)
        argv[n++] = (char *)verilated_insides_arguments[i];
    for (unsigned i = 0; i < b->module.parameter_count; ++i) {
        snprintf(set[i], sizeof set[i], "-G%s=%u", b->module.parameter[i].name, b->module.parameter[i].value);
        argv[n++] = set[i];
    }
    for (unsigned i = 0; i < source->count; ++i)
        if (source->item[i].kind != VERILOG_FUNCTIONS) argv[n++] = source->item[i].text;
    if (b->request->slot) {
        argv[n++] = (char *)"-Wno-fatal";
        /* The data-flow graphs of Verilator 5.006 lose updates in vectors of which some bits follow from
         * others (UNOPTFLAT). Our own Verilog has none. */
        argv[n++] = (char *)"-fno-dfg";
    }
    return verilog_notices_run(notices, argv, &b->folder, source, e);
}

/* Moves what was made in the folder to where other runs see it. */
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

/* One thread runs a library: thread-local storage of a library that is loaded late is slow. Values that are
 * put together in a register to be stored at once are each read again soon, which has to wait for that. */
#define COMPILER                                                                                             \
    "g++", "-std=gnu++17", "-w", "-fPIC", "-fvisibility=hidden", "-fno-semantic-interposition",              \
        "-fno-tree-slp-vectorize", "-Dthread_local=", "-I.", INCLUDE_ROOT, INCLUDE_DPI

#define LINKER COMPILER, "-march=native", "-shared", "-Wl,-Bsymbolic", "-pthread", "-o", "twin.so", "twin.cc"

/* Verilator's own run-time support, the same for every block: compiled once. A cycle calls nothing of it. */
static bool compile_support(const struct build *b, char *object, size_t size, struct error *e) {
    struct stat source;
    if (stat(SUPPORT_SOURCE, &source) != 0)
        return error_set(e, EXIT_USER, "%s: %s\ninstall verilator (scripts/setup)", SUPPORT_SOURCE,
                         strerror(errno));
    snprintf(object, size, "%s/verilated-%d-%llx-%llx.o", b->cache, VERILATED_VERSION,
             (unsigned long long)source.st_size, (unsigned long long)source.st_mtime);
    if (verilated_sealed(object)) {
        utimensat(AT_FDCWD, object, NULL, 0); /* used now */
        return true;
    }
    FILE *all = create(b->folder.path, "support.cc", e);
    if (!all) return false;
    fputs(STOP_SOURCE, all);
    if (!finish(all, b->folder.path, e)) return false;
    char *argv[] = {COMPILER, "-O1", "-c", "support.cc", "-o", "support.o", NULL};
    if (!tool_run(argv, &b->folder, NULL, e)) return false;
    return seal(b, "support.o", e) && keep(b, "support.o", object, e);
}

static bool write_headers(const struct build *b, struct error *e) {
    FILE *out = create(b->folder.path, "stop.h", e);
    if (!out) return false;
    fputs(STOP_HEADER, out);
    if (!finish(out, b->folder.path, e)) return false;
    out = create(b->folder.path, "verilated_fst_c.h", e);
    if (!out) return false;
    verilated_insides_write_header(out);
    return finish(out, b->folder.path, e);
}

static bool compile(const struct build *b, const char *optimize, struct error *e) {
    char support[2 * PATH_MAX], *argv[32 + VERILOG_MAX_ITEMS] = {LINKER}, *objects[VERILOG_MAX_ITEMS + 1];
    unsigned n = 0;
    if (!write_headers(b, e)) return false;
    if (!compile_support(b, support, sizeof support, e)) return false;
    bool good = verilated_dpi_compile(b->request->source, &b->folder, objects, e);
    while (argv[n]) ++n;
    argv[n++] = (char *)optimize;
    argv[n++] = support;
    for (unsigned i = 0; objects[i]; ++i) argv[n++] = objects[i];
    good = good && tool_run(argv, &b->folder, NULL, e);
    verilated_dpi_free(objects);
    return good;
}

/* The slot's ports and its own. */
static bool read_modules(struct build *b, struct error *e) {
    const struct verilated_request *r = b->request;
    if (!verilog_module_read(&b->module, r->source, r->settings, r->count, e)) return false;
    if (!verilated_dpi_headers(r->source, &b->folder, &b->module.files, e)) return false;
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

static bool read_design(const struct build *b, struct error *e) {
    const struct verilated_request *r = b->request;
    struct verilog_notices n = {0};
    const bool good = verilate(b, &n, e);
    if (good && r->slot && r->on_notices) {
        verilog_review(&n, r->source, b->module.files, &b->folder);
        r->on_notices(r->block->name, r->source->top, &n);
    }
    verilog_notices_free(&n);
    return good;
}

/* A file that changes meanwhile would give the library the key of another. */
static bool make(const struct build *b, struct verilated_key *k, struct error *e) {
    struct verilated_key after = *k;
    if (!write_visible(b, e) || !read_design(b, e) || !write_sources(b, e) || !compile(b, k->optimize, e))
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

/* What is in the key beside the request: parameters of the module, and of the slot, whose ports it has. */
static void find_reads(struct build *b) {
    size_t size;
    FILE *out = open_memstream(&b->reads, &size);
    require_memory(out);
    write_parameters(&b->module, out);
    write_parameters(&b->slot, out);
    fputs(b->module.files, out);
    fclose(out);
}

/* Makes the library, unless another machine's is the same. */
static bool find_or_make(struct build *b, struct verilated_key *k, struct error *e) {
    find_reads(b);
    if (!verilated_key_complete(k, b->request, b->cache, b->reads, e)) return false;
    if (verilated_sealed(k->library)) return write_list(b, k->list, e);
    if (b->request->on_build)
        b->request->on_build(b->request->block->name, verilog_source_file(b->request->source));
    return make(b, k, e) && write_list(b, k->list, e);
}

static bool build(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                  struct error *e) {
    struct build b = {.request = r, .cache = cache};
    bool good = tool_folder_make(&b.folder, cache, e);
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
    struct build b = {.request = r, .cache = cache};
    if (!verilated_cache(cache, sizeof cache, e) || !tool_folder_make(&b.folder, cache, e)) return false;
    bool good = read_modules(&b, e);
    struct error more = {0}; /* what is wrong has been said; its notices are still to be collected */
    good = write_visible(&b, e) && verilate(&b, n, good ? e : &more) && good;
    verilog_review(n, r->source, b.module.files, &b.folder);
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
    *(void **)&l->clock = dlsym(l->handle, "twin_clock");
    *(void **)&l->reset = dlsym(l->handle, "twin_reset");
    *(void **)&l->settle = dlsym(l->handle, "twin_settle");
    *(void **)&l->edge = dlsym(l->handle, "twin_edge");
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
    if (!verilated_key_recall(&k, r, cache) || !verilated_sealed(k.library))
        if (!build(&k, r, cache, e)) return false;
    verilated_key_touch(&k);
    return load(l, r, k.library, e);
}

void verilated_library_close(struct verilated_library *l) {
    if (!l->handle) return;
    dlclose(l->handle);
    verilog_guard_remove(&l->guard);
    l->handle = NULL;
}
