#include "tb/verilated_library.h"

#include "tb/ports/tool.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GLUE_VERSION   6 /* counts up when what is built from the same source changes */
#define SUPPORT_SOURCE "/usr/share/verilator/include/verilated.cpp"
#define INCLUDE_ROOT   "-I/usr/share/verilator/include"
#define INCLUDE_DPI    "-I/usr/share/verilator/include/vltstd"

/* --- the key -----------------------------------------------------------------------------------------------
 */

static void mix(uint64_t hash[2], const void *bytes, size_t size) { /* FNV-1a, twice */
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; ++i) {
        hash[0] = (hash[0] ^ p[i]) * 0x100000001b3;
        hash[1] = (hash[1] ^ p[i]) * 0x1000000000000163;
    }
}

static bool mix_file(uint64_t hash[2], const char *path, struct error *e) {
    char bytes[4096];
    size_t n;
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: the Verilog cannot be read: %s", path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0) mix(hash, bytes, n);
    const bool good = !ferror(in);
    fclose(in);
    return good || error_set(e, EXIT_USER, "%s: the Verilog cannot be read", path);
}

__attribute__((format(printf, 2, 3))) static void mix_text(uint64_t hash[2], const char *format, ...) {
    char text[VERILOG_MAX_NAME + 32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mix(hash, text, strlen(text));
}

static bool make_key(char *key, size_t size, const struct twin_block *b, const char *source,
                     const struct verilog_setting *settings, unsigned count, struct error *e) {
    uint64_t hash[2] = {0xcbf29ce484222325, 0x6c62272e07bb0142};
    mix_text(hash, "%d %s", GLUE_VERSION, b->name);
    for (unsigned i = 0; i < count; ++i) mix_text(hash, " %s=%u", settings[i].name, settings[i].value);
    for (unsigned i = 0; i < b->count; ++i)
        mix_text(hash, " %s%s", b->signal[i].name, twin_suffix[b->signal[i].kind]);
    if (!mix_file(hash, source, e)) return false;
    snprintf(key, size, "%016" PRIx64 "%016" PRIx64, hash[0], hash[1]);
    return true;
}

static bool find_cache(char *path, size_t size, struct error *e) {
    const char *own = getenv("LOCKSTEP_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (own && *own)
        n = snprintf(path, size, "%s/rtl", own);
    else if (xdg && *xdg == '/')
        n = snprintf(path, size, "%s/lockstep/rtl", xdg);
    else if (home && *home)
        n = snprintf(path, size, "%s/.cache/lockstep/rtl", home);
    if (n < 0 || (size_t)n >= size)
        return error_set(e, EXIT_USER, "--rtl: no folder for built Verilog: set LOCKSTEP_CACHE to one");
    for (char *p = path + 1; *p; ++p) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    return error_set(e, EXIT_USER, "--rtl: the folder %s for built Verilog cannot be made: %s", path,
                     strerror(errno));
}

/* --- the glue ----------------------------------------------------------------------------------------------
 */

static const struct verilog_signal *find_signal(const struct verilog_module *m, const struct twin_signal *s) {
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == s->kind && strcmp(m->signal[i].name, s->name) == 0) return &m->signal[i];
    return NULL;
}

/* The module must have the block's signals, each no wider than the model's, and no other ports. */
static bool check_signals(const struct verilog_module *m, const struct twin_block *b, const char *source,
                          struct error *e) {
    unsigned ports = 0;
    for (unsigned i = 0; i < b->count; ++i) {
        const struct twin_signal *s = &b->signal[i];
        const struct verilog_signal *v = find_signal(m, s);
        const char *what = s->kind == VERILOG_STATE ? "flip-flop" : "port";
        if (!v)
            return error_set(e, EXIT_USER, "%s: the %s %s%s of %s is missing", source, what, s->name,
                             twin_suffix[s->kind], b->name);
        if (v->element_bits > 8 * s->bytes || (v->element_bits != v->bits && !s->array))
            return error_set(e, EXIT_USER, "%s: the %s %s%s of %s is too wide: %u bits", source, what,
                             s->name, twin_suffix[s->kind], b->name, v->bits);
        ports += s->kind != VERILOG_STATE;
    }
    for (unsigned i = 0; i < m->count; ++i) ports -= m->signal[i].kind != VERILOG_STATE;
    return ports == 0 || error_set(e, EXIT_USER, "%s: it has ports that %s has not", source, b->name);
}

static void write_glue(FILE *out, const struct verilog_module *m, const struct twin_block *b) {
    fprintf(out, "#include \"Vtwin.h\"\n#include \"Vtwin___024root.h\"\n"
                 "#define SHOWN extern \"C\" __attribute__((visibility(\"default\")))\n"
                 "namespace { struct twin { VerilatedContext context; Vtwin top{&context, \"rtl\"}; };\n"
                 "Vtwin &top(void *t) { return static_cast<twin *>(t)->top; } }\n"
                 "SHOWN void *twin_create() { return new twin; }\n"
                 /* A scope leaves the context that was evaluated last: it may be another twin's, and gone. */
                 "SHOWN void twin_destroy(void *t) {\n"
                 "    twin *const own = static_cast<twin *>(t);\n"
                 "    Verilated::threadContextp(&own->context);\n"
                 "    delete own;\n"
                 "}\n"
                 "SHOWN void twin_eval(void *t) { top(t).eval(); }\n");
    if (m->clocked) fprintf(out, "SHOWN void *twin_clock(void *t) { return &top(t).clk_i; }\n");
    if (m->resettable) fprintf(out, "SHOWN void *twin_reset(void *t) { return &top(t).rst_ni; }\n");
    fprintf(out, "SHOWN void *twin_signal(void *t, unsigned n) {\n    switch (n) {\n");
    for (unsigned i = 0; i < b->count; ++i) {
        const struct twin_signal *s = &b->signal[i];
        if (s->kind == VERILOG_STATE)
            fprintf(out, "    case %u: return &top(t).rootp->%s__DOT__%s_q;\n", i, b->name, s->name);
        else
            fprintf(out, "    case %u: return &top(t).%s%s;\n", i, s->name, twin_suffix[s->kind]);
    }
    fprintf(out, "    default: return nullptr;\n    }\n}\nSHOWN unsigned twin_bits(unsigned n) {\n"
                 "    static const unsigned bits[] = {");
    for (unsigned i = 0; i < b->count; ++i) fprintf(out, "%u, ", find_signal(m, &b->signal[i])->bits);
    fprintf(out, "};\n    return bits[n];\n}\nSHOWN unsigned twin_element_bits(unsigned n) {\n"
                 "    static const unsigned bits[] = {");
    for (unsigned i = 0; i < b->count; ++i) fprintf(out, "%u, ", find_signal(m, &b->signal[i])->element_bits);
    fprintf(out, "};\n    return bits[n];\n}\n");
}

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

/* So that Verilator keeps the flip-flops where the glue finds them. */
static bool write_visible(const char *folder, const struct twin_block *b, struct error *e) {
    FILE *out = create(folder, "visible.vlt", e);
    if (!out) return false;
    fprintf(out, "`verilator_config\n");
    for (unsigned i = 0; i < b->count; ++i)
        if (b->signal[i].kind == VERILOG_STATE)
            fprintf(out, "public_flat_rd -module \"%s\" -var \"%s_q\"\n", b->name, b->signal[i].name);
    return finish(out, folder, e);
}

/* All that Verilator wrote and the glue in one translation unit: the headers are read once. */
static bool write_sources(const char *folder, const struct verilog_module *m, const struct twin_block *b,
                          struct error *e) {
    FILE *out = create(folder, "twin.cc", e);
    if (!out) return false;
    struct dirent **file;
    const int files = scandir(folder, &file, NULL, alphasort);
    for (int i = 0; i < files; ++i) {
        const char *name = file[i]->d_name;
        const size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".cpp") == 0) fprintf(out, "#include \"%s\"\n", name);
        free(file[i]);
    }
    if (files >= 0) free(file);
    write_glue(out, m, b);
    return finish(out, folder, e);
}

/* --- building ----------------------------------------------------------------------------------------------
 */

static bool verilate(const char *folder, const struct verilog_module *m, const struct twin_block *b,
                     const char *source, struct error *e) {
    char set[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    char *argv[16 + VERILOG_MAX_PARAMETERS] = {"verilator", "--cc",  "-O3",          "--Mdir",       ".",
                                               "--prefix",  "Vtwin", "--top-module", (char *)b->name};
    unsigned n = 9;
    for (unsigned i = 0; i < m->parameter_count; ++i) {
        snprintf(set[i], sizeof set[i], "-G%s=%u", m->parameter[i].name, m->parameter[i].value);
        argv[n++] = set[i];
    }
    argv[n++] = "visible.vlt";
    argv[n] = (char *)source;
    return tool_run(argv, folder, e);
}

/* One thread runs a library: thread-local storage of a library that is loaded late is slow. */
#define COMPILER                                                                                             \
    "g++", "-std=gnu++17", "-O3", "-w", "-fPIC", "-fvisibility=hidden", "-Dthread_local=", "-I.",            \
        INCLUDE_ROOT, INCLUDE_DPI

/* Verilator's own run-time support, the same for every block: compiled once. */
static bool compile_support(const char *cache, const char *folder, char *object, size_t size,
                            struct error *e) {
    struct stat source;
    if (stat(SUPPORT_SOURCE, &source) != 0)
        return error_set(e, EXIT_USER, "%s: %s\ninstall verilator (scripts/setup)", SUPPORT_SOURCE,
                         strerror(errno));
    snprintf(object, size, "%s/verilated-%d-%llx-%llx.o", cache, GLUE_VERSION,
             (unsigned long long)source.st_size, (unsigned long long)source.st_mtime);
    if (access(object, R_OK) == 0) return true;
    char built[PATH_MAX + 16];
    FILE *all = create(folder, "support.cc", e);
    if (!all) return false;
    fprintf(all, "#include \"verilated.cpp\"\n#include \"verilated_threads.cpp\"\n");
    if (!finish(all, folder, e)) return false;
    char *argv[] = {COMPILER, "-c", "support.cc", "-o", "support.o", NULL};
    if (!tool_run(argv, folder, e)) return false;
    snprintf(built, sizeof built, "%s/support.o", folder);
    return rename(built, object) == 0 ||
           error_set(e, EXIT_USER, "%s cannot be written: %s", object, strerror(errno));
}

static bool compile(const char *cache, const char *folder, struct error *e) {
    char support[2 * PATH_MAX];
    if (!compile_support(cache, folder, support, sizeof support, e)) return false;
    char *argv[] = {COMPILER,   "-shared", "-Wl,-Bsymbolic", "twin.cc", support,
                    "-pthread", "-o",      "twin.so",        NULL};
    return tool_run(argv, folder, e);
}

static bool build(const char *cache, const char *library, const struct twin_block *b, const char *source,
                  const struct verilog_setting *settings, unsigned count, struct error *e) {
    char folder[PATH_MAX], built[PATH_MAX + 16];
    struct verilog_module *m = malloc(sizeof *m);
    invariant(m, "out of memory");
    bool good = verilog_module_read(m, source, b->name, settings, count, e) &&
                check_signals(m, b, source, e) && tool_make_folder(folder, sizeof folder, cache, e);
    if (good) {
        good = write_visible(folder, b, e) && verilate(folder, m, b, source, e) &&
               write_sources(folder, m, b, e) && compile(cache, folder, e);
        snprintf(built, sizeof built, "%s/twin.so", folder);
        if (good && rename(built, library) != 0)
            good = error_set(e, EXIT_USER, "%s cannot be written: %s", library, strerror(errno));
        tool_remove_folder(folder);
    }
    free(m);
    return good;
}

/* --- loading -----------------------------------------------------------------------------------------------
 */

static bool load(struct verilated_library *l, const char *library, struct error *e) {
    l->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle) return error_set(e, EXIT_USER, "built Verilog cannot be loaded: %s", dlerror());
    *(void **)&l->create = dlsym(l->handle, "twin_create");
    *(void **)&l->destroy = dlsym(l->handle, "twin_destroy");
    *(void **)&l->eval = dlsym(l->handle, "twin_eval");
    *(void **)&l->clock = dlsym(l->handle, "twin_clock");
    *(void **)&l->reset = dlsym(l->handle, "twin_reset");
    *(void **)&l->signal = dlsym(l->handle, "twin_signal");
    *(void **)&l->bits = dlsym(l->handle, "twin_bits");
    *(void **)&l->element_bits = dlsym(l->handle, "twin_element_bits");
    if (l->create && l->destroy && l->eval && l->signal && l->bits && l->element_bits) return true;
    verilated_library_close(l);
    return error_set(e, EXIT_USER, "%s is not what Lockstep built: remove it", library);
}

bool verilated_library_open(struct verilated_library *l, const struct twin_block *block, const char *source,
                            const struct verilog_setting *settings, unsigned count, struct error *e) {
    char cache[PATH_MAX], key[40], library[2 * PATH_MAX];
    *l = (struct verilated_library){0};
    if (!make_key(key, sizeof key, block, source, settings, count, e) || !find_cache(cache, sizeof cache, e))
        return false;
    snprintf(library, sizeof library, "%s/%s-%s.so", cache, block->name, key);
    if (access(library, R_OK) != 0 && !build(cache, library, block, source, settings, count, e)) return false;
    return load(l, library, e);
}

void verilated_library_close(struct verilated_library *l) {
    if (l->handle) dlclose(l->handle);
    l->handle = NULL;
}
