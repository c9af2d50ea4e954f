#include "compiler/compile.h"

#include "compiler/cache.h"
#include "compiler/clang_command.h"
#include "compiler/image_link.h"
#include "compiler/ir_lines.h"
#include "compiler/kernel_note.h"
#include "compiler/kernel_table.h"
#include "compiler/listing.h"
#include "compiler/registers.h"
#include "compiler/trouble.h"
#include "compiler/twin.h"
#include "compiler/vector_types.h"

#include <clang-c/Index.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The parts of the device library, in its directory. */
enum {
    LIBRARY_BITCODE,
    LIBRARY_BUILTINS,
    LIBRARY_TWIN_BUILTINS,
    LIBRARY_STARTUP,
    LIBRARY_DECLARATIONS,
    LIBRARY_PARTS
};
static const char *const library_names[LIBRARY_PARTS] = {"library.bc", "builtins.a", "twin_builtins.s",
                                                         "startup.o", "half_builtins.h"};

/* What a compilation holds between its stages. */
struct build {
    const struct compilation *request;
    struct build_options options;
    struct arguments clang; /* options of every clang stage */
    struct text library_paths[LIBRARY_PARTS], library[LIBRARY_PARTS];
    struct text source, preprocessed;
    struct text log; /* clang's messages about the source as the user wrote it */
    struct thunks thunks;
    struct text result;
};

static void read_source(struct build *b) {
    const struct compilation *c = b->request;
    text_add(&b->source, "# 1 ");
    text_add_quoted(&b->source, c->name);
    text_add(&b->source, "\n");
    if (!text_read_file(&b->source, c->file)) trouble("cannot read %s: %s", c->file, strerror(errno));
    if (memchr(b->source.data, 0, b->source.size))
        refuse("%s: error: the source contains a NUL byte; it is not OpenCL C text", c->name);
    build_options_read(&b->options, c->options);
    arguments_add_all(&b->clang, &b->options.clang);
    const char *slash = strrchr(c->file, '/');
    if (!slash) return;
    /* Includes beside the source, as if clang had been given the file itself. */
    struct text directory = {0};
    text_printf(&directory, "%.*s", slash == c->file ? 1 : (int)(slash - c->file), c->file);
    arguments_add(&b->clang, "-iquote");
    arguments_add(&b->clang, directory.data);
    text_free(&directory);
}

static void read_library(struct build *b) {
    for (size_t i = 0; i < LIBRARY_PARTS; i++) {
        text_printf(&b->library_paths[i], "%s/%s", b->request->library_directory, library_names[i]);
        if (!text_read_file(&b->library[i], b->library_paths[i].data))
            trouble("cannot read %s of the device library: %s; build it with make, or say where it is with "
                    "--library-dir",
                    b->library_paths[i].data, strerror(errno));
    }
    /* Built-in functions that clang does not know by itself. */
    arguments_add(&b->clang, "-include");
    arguments_add(&b->clang, b->library_paths[LIBRARY_DECLARATIONS].data);
}

/* Clang's messages about the source itself, before our edits. Refuses a source with errors. */
static void start_check(struct build *b, struct process *check) {
    struct arguments command = {0};
    clang_check(&command, LANGUAGE_OPENCL, &b->clang);
    process_start(check, &command, &b->source);
}

static void finish_check(struct build *b, struct process *check) {
    struct text nothing = {0};
    int status = process_finish(check, &nothing, &b->log);
    text_free(&nothing);
    if (status == 0) return;
    fputs(text_string(&b->log), stderr);
    exit(COMPILER_REFUSED);
}

static void preprocess(struct build *b) {
    struct arguments command = {0};
    struct process p;
    struct text errors = {0};
    clang_preprocess(&command, LANGUAGE_OPENCL, &b->clang);
    process_start(&p, &command, &b->source);
    int status = process_finish(&p, &b->preprocessed, &errors);
    if (status == 0) {
        vector_types_align(&b->preprocessed);
        text_free(&errors);
        return;
    }
    struct process check;
    start_check(b, &check);
    finish_check(b, &check);
    refuse("%s", text_string(&errors));
}

/* Priority operations and thunks. Clang's messages about the source run beside the parsing, but come first.
 */
static void instrument(struct build *b, struct text *instrumented) {
    struct arguments options = {0};
    struct text messages = {0};
    struct process check;
    struct syntax syntax;
    struct program program;
    struct edits edits = {0};
    clang_parse(&options, LANGUAGE_OPENCL, &b->clang);
    start_check(b, &check);
    bool good = syntax_parse(&syntax, &b->preprocessed, &options, &messages);
    finish_check(b, &check);
    if (!good) refuse("%s", messages.data);
    program_read(&program, &syntax);
    program_refuse_recursion(&program);
    program_instrument(&program, &edits);
    edits_apply(&edits, &b->preprocessed, instrumented);
    if (b->request->emit != EMIT_PRIORITY) thunks_add(&b->thunks, &program, instrumented);
    program_free(&program);
    syntax_free(&syntax);
}

static void make_bitcode(struct build *b, const struct text *instrumented, struct text *bitcode) {
    struct arguments command = {0};
    struct process p;
    struct text errors = {0};
    clang_compile(&command, LANGUAGE_OPENCL, &b->clang);
    process_start(&p, &command, instrumented);
    if (process_finish(&p, bitcode, &errors) != 0) refuse("%s", text_string(&errors));
    text_free(&errors);
}

static json_t *read_kernels(const struct build *b, struct module *m, struct local_memory *local) {
    const char **names = allocate(NULL, b->thunks.count * sizeof *names);
    json_t *kernels = json_array();
    for (size_t i = 0; i < b->thunks.count; i++) names[i] = b->thunks.list[i].kernel;
    local_memory_lay_out(local, m->llvm, names, b->thunks.count);
    for (size_t i = 0; i < b->thunks.count; i++)
        json_array_append_new(kernels,
                              kernel_note(m, &b->thunks.list[i], local_memory_kernel_bytes(local, i)));
    free(names);
    return kernels;
}

static unsigned stack_bytes(const struct module *m, const char *prefix, const char *kernel) {
    struct text name = {0};
    text_printf(&name, "%s%s", prefix, kernel);
    unsigned bytes = module_stack_bytes(m, name.data);
    text_free(&name);
    return bytes;
}

/* What is known of a kernel once its code for both modes has been made. */
static void describe_code(const struct build *b, const struct module *m, const struct module *twin,
                          const struct coalesced *coalesced, const unsigned *registers, json_t *kernels) {
    for (size_t i = 0; i < b->thunks.count; i++) {
        const char *name = b->thunks.list[i].kernel;
        const struct coalesced *c = &coalesced[i];
        json_t *facts =
            json_pack("{si si si si si si si}", "stack_bytes", (int)stack_bytes(m, THUNK_PREFIX, name),
                      "twin_stack_bytes",
                      (int)(stack_bytes(twin, TWIN_PREFIX, name) + TWIN_SPARE_STACK_BYTES), "twin_item_bytes",
                      (int)c->item_bytes, "registers", (int)registers[i], "barriers", (int)c->barriers,
                      "replicated", (int)c->replicated, "divergent_branches", (int)c->divergent_branches);
        json_object_update(json_array_get(kernels, i), facts);
        json_decref(facts);
    }
}

static void generate_note(const struct build *b, json_t *kernels, struct text *object) {
    struct text assembler = {0};
    struct module m;
    image_note(kernels, b->request->priority_levels, &assembler);
    module_create(&m, NULL);
    LLVMSetModuleInlineAsm2(m.llvm, assembler.data, assembler.size);
    module_generate(&m, LLVMObjectFile, object);
    module_free(&m);
    text_free(&assembler);
}

/* The twins of all kernels, ready for code generation. */
static void make_twin(struct build *b, const struct text *bitcode, struct module *twin,
                      struct coalesced *coalesced) {
    struct local_memory local; /* laid out as in the other module, from the same bitcode */
    module_create(twin, bitcode);
    json_decref(read_kernels(b, twin, &local));
    module_prepare(twin, THUNK_PREFIX);
    module_link(twin, &b->library[LIBRARY_BITCODE], b->library_paths[LIBRARY_BITCODE].data);
    twin_make(twin, &b->thunks, &b->library[LIBRARY_TWIN_BUILTINS], coalesced);
    local_memory_free(&local);
}

static void generate_image(struct build *b, const struct text *bitcode, struct module *m, json_t *kernels,
                           const struct local_memory *local) {
    struct text objects[3] = {0};
    struct module twin;
    struct coalesced *coalesced = allocate(NULL, b->thunks.count * sizeof *coalesced);
    unsigned *registers = allocate(NULL, b->thunks.count * sizeof *registers);
    make_twin(b, bitcode, &twin, coalesced);
    twin_optimise(&twin, b->options.optimise);
    registers_count(m, &b->thunks, registers);
    module_generate(m, LLVMObjectFile, &objects[0]);
    module_generate(&twin, LLVMObjectFile, &objects[1]);
    describe_code(b, m, &twin, coalesced, registers, kernels);
    if (b->request->emit == EMIT_TABLE) {
        kernel_table(kernels, &b->result);
        json_decref(kernels);
    } else {
        generate_note(b, kernels, &objects[2]);
        image_link(&objects[0], &objects[1], &objects[2], b->request->library_directory, local, &b->result);
    }
    for (size_t i = 0; i < 3; i++) text_free(&objects[i]);
    free(coalesced);
    free(registers);
    module_free(&twin);
}

static void print_twin(struct build *b, const struct text *bitcode) {
    struct module twin;
    struct coalesced *coalesced = allocate(NULL, b->thunks.count * sizeof *coalesced);
    make_twin(b, bitcode, &twin, coalesced);
    listing_print(&twin, &b->thunks, &b->result);
    free(coalesced);
    module_free(&twin);
}

static void generate(struct build *b, const struct text *bitcode) {
    struct module m;
    struct local_memory local;
    enum emit emit = b->request->emit;
    module_create(&m, bitcode);
    json_t *kernels = read_kernels(b, &m, &local);
    module_prepare(&m, TWIN_PREFIX);
    module_link(&m, &b->library[LIBRARY_BITCODE], b->library_paths[LIBRARY_BITCODE].data);
    module_refuse_undefined(&m);
    module_optimise(&m, b->options.optimise);
    if (emit == EMIT_IMAGE || emit == EMIT_TABLE) {
        generate_image(b, bitcode, &m, kernels, &local);
    } else if (emit == EMIT_COALESCED) {
        print_twin(b, bitcode);
    } else if (emit == EMIT_ASM) {
        module_generate(&m, LLVMAssemblyFile, &b->result);
    } else {
        char *ir = LLVMPrintModuleToString(m.llvm);
        ir_lines_add(ir, &b->result);
        LLVMDisposeMessage(ir);
    }
    if (emit != EMIT_IMAGE && emit != EMIT_TABLE) json_decref(kernels);
    local_memory_free(&local);
    module_free(&m);
}

static void build_all(struct build *b) {
    struct text instrumented = {0}, bitcode = {0};
    instrument(b, &instrumented);
    if (b->request->emit == EMIT_PRIORITY) {
        b->result = instrumented;
        return;
    }
    make_bitcode(b, &instrumented, &bitcode);
    generate(b, &bitcode);
    text_free(&instrumented);
    text_free(&bitcode);
}

/* The compiler itself, by when and how large it was built. */
static void describe_compiler(struct text *t) {
    struct stat s = {0};
    if (stat("/proc/self/exe", &s) != 0) trouble("cannot look at the compiler itself: %s", strerror(errno));
    CXString clang = clang_getClangVersion();
    text_printf(t, "%lld %lld.%09ld %s", (long long)s.st_size, (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                clang_getCString(clang));
    clang_disposeString(clang);
}

static struct cache_key build_key(const struct build *b) {
    struct text compiler = {0}, options = {0}, settings = {0};
    describe_compiler(&compiler);
    for (size_t i = 0; i < b->clang.count; i++) text_printf(&options, "%s\n", b->clang.strings[i]);
    text_printf(&settings, "%u %d", b->request->priority_levels, b->options.optimise);
    const struct text parts[] = {compiler,
                                 b->library[LIBRARY_BITCODE],
                                 b->library[LIBRARY_BUILTINS],
                                 b->library[LIBRARY_TWIN_BUILTINS],
                                 b->library[LIBRARY_STARTUP],
                                 options,
                                 settings,
                                 b->preprocessed};
    struct cache_key key = cache_key(parts, sizeof parts / sizeof *parts);
    text_free(&compiler);
    text_free(&options);
    text_free(&settings);
    return key;
}

void compile(const struct compilation *c) {
    struct build b = {.request = c};
    struct cache_key key;
    read_source(&b);
    read_library(&b);
    preprocess(&b);
    bool cached = c->cache_directory && c->emit == EMIT_IMAGE;
    if (cached) key = build_key(&b);
    if (!cached || !cache_load(c->cache_directory, &key, &b.log, &b.result)) {
        build_all(&b);
        if (cached) cache_store(c->cache_directory, &key, &b.log, &b.result);
    }
    fputs(text_string(&b.log), stderr);
    if (!text_write_file(&b.result, c->output)) trouble("cannot write %s: %s", c->output, strerror(errno));
}
