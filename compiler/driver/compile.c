#include "compiler/driver/compile.h"

#include "compiler/driver/build.h"
#include "compiler/driver/cache.h"
#include "compiler/stages/clang_run.h"
#include "compiler/driver/includes.h"
#include "compiler/driver/llvm_library.h"
#include "compiler/driver/trouble.h"
#include "sim/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sources with these macros have a different result at each compilation. */
static const char *const times[] = {"__TIME__", "__DATE__", "__TIMESTAMP__"};

const char *const compile_priorities_name[3] = {"all", "varying", "off"};
const char *const compile_coalescing_name[3] = {"modern", "snucl"};
const char *const compile_math_name[3] = {"table", "classic"};
const char *const compile_isa_name[3] = {"vfp", "neon"};
const char *const compile_ids_name[3] = {"coprocessor", "computed"};
const char *const compile_startup_name[3] = {"loop", "unrolled"};

static void describe_file(struct text *t, const char *path) {
    struct stat s = {0};
    stat(path, &s); /* a missing file is described by zeros */
    text_printf(t, "%s %lld %lld.%09ld\n", path, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                s.st_mtim.tv_nsec);
}

/* Describes the tools and options that make an image from the source and its includes. */
static void describe_compiler(struct text *t, const struct build *b) {
    static const char *const files[] = {"/proc/self/exe", LLVM_DIRECTORY "/lib/libclang-cpp.so.14",
                                        LLVM_DIRECTORY "/lib/libclang-14.so.1",
                                        LLVM_DIRECTORY "/lib/libLLVM-14.so.1"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) describe_file(t, files[i]);
    describe_file(t, llvm_library_path());
    for (size_t i = 0; i < b->clang.count; i++) text_printf(t, "%s\n", b->clang.strings[i]);
    text_printf(t, "%d %d %u %u %u ", (int)b->request->partner, (int)b->options.partner,
                b->options.prefetch_latency, b->request->line_bytes,
                b->options.partner == PARTNER_DIVERGENCE ? b->request->warp_size : 0);
    text_printf(t, "%u %d %d %d %d %d %d %d %d %d", b->request->priority_levels, b->options.optimise,
                (int)b->request->priorities, (int)b->request->coalescing, (int)b->request->math,
                (int)b->request->modes, (int)b->request->scalarize, (int)b->request->ids,
                (int)b->request->startup, (int)b->request->isa);
    text_printf(t, " %d", b->request->marks_unwritten);
}

/* Returns the key of an image, which covers everything that the image depends on. `content`: the preprocessed
 * source, or its inputs. */
static struct cache_key build_key(const struct build *b, const struct text *content) {
    struct text compiler = {0};
    describe_compiler(&compiler, b);
    const struct text parts[] = {
        compiler,
        b->library[LIBRARY_BITCODE],
        b->library[LIBRARY_BUILTINS],
        b->library[LIBRARY_TWIN_BUILTINS],
        b->library[LIBRARY_STARTUP],
        *content,
    };
    struct cache_key key = cache_key(parts, sizeof parts / sizeof *parts);
    text_free(&compiler);
    return key;
}

/* Returns the key of a build's list of includes, which covers everything that selects these files, except
 * their content. */
static struct cache_key source_key(const struct build *b) {
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH"};
    struct text where = {0};
    char *directory = getcwd(NULL, 0);
    text_printf(&where, "%s\n", directory ? directory : "?");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        text_printf(&where, "%s\n", value ? value : "");
    }
    text_append(&where, b->source.data, b->source.size);
    struct cache_key key = build_key(b, &where);
    free(directory);
    text_free(&where);
    return key;
}

/* Fast path: loads the image of the last build of this source if its includes are unchanged. */
static bool load_by_source(struct build *b, const struct cache_key *source) {
    const char *directory = b->request->cache_directory;
    struct text name = {0}, includes = {0};
    struct cache_key key;
    bool good = cache_load(directory, source, &name, &includes) && cache_key_read(&key, &name) &&
                includes_unchanged(&includes) && cache_load(directory, &key, &b->log, &b->result);
    text_free(&name);
    text_free(&includes);
    return good;
}

static void store_by_source(const struct build *b, const struct cache_key *source,
                            const struct cache_key *key) {
    struct text name = {0}, includes = {0};
    bool lasting = true;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        lasting = lasting && !strstr(b->source.data, times[i]);
    text_add(&name, key->hexadecimal);
    if (lasting && includes_read(&includes, &b->preprocessed, times, sizeof times / sizeof *times))
        cache_store(b->request->cache_directory, source, &name, &includes);
    text_free(&name);
    text_free(&includes);
}

static void build_cached(struct build *b) {
    const char *directory = b->request->cache_directory;
    struct cache_key source = source_key(b);
    if (load_by_source(b, &source)) return;
    build_preprocess(b);
    struct cache_key key = build_key(b, &b->preprocessed);
    if (!cache_load(directory, &key, &b->log, &b->result)) {
        llvm_library_run_stages(b);
        cache_store(directory, &key, &b->log, &b->result);
    }
    store_by_source(b, &source, &key);
    cache_shrink(directory, b->request->cache_limit_bytes);
}

void compile(const struct compilation *c) {
    struct build b;
    build_read(&b, c);
    if (c->link) {
        llvm_library_run_stages(&b);
    } else if (c->cache_directory && c->emit == EMIT_IMAGE) {
        build_cached(&b);
    } else {
        build_preprocess(&b);
        llvm_library_run_stages(&b);
    }
    fputs(text_string(&b.log), stderr);
    if (strcmp(c->output, "-") != 0) part_clean(c->output);
    if (!text_write_file(&b.result, c->output)) trouble("cannot write %s: %s", c->output, strerror(errno));
}
