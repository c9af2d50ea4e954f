#include "compiler/ir/object.h"

#include "compiler/driver/cache.h"
#include "compiler/ir/call_graph.h"
#include "compiler/ir/direct_calls.h"
#include "compiler/ir/module.h"
#include "compiler/driver/trouble.h"

#include <jansson.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_MAGIC "LSOBJ2\n"

enum part {
    PART_FACTS, /* JSON */
    PART_BITCODE,
    PART_SPLIT, /* empty: the same bitcode */
    PARTS
};

/* Precedes the parts. */
struct object_header {
    char magic[8], key[33]; /* key: the hash of all parts */
    char unused[7];
    uint64_t bytes[PARTS];
};

/* --- facts --- */

static json_t *kernel_to_json(const struct thunk *t) {
    json_t *arguments = json_array();
    for (size_t i = 0; i < t->argument_count; i++) {
        const struct thunk_argument *a = &t->arguments[i];
        json_array_append_new(arguments,
                              json_pack("[iii]", (int)a->offset, (int)a->size_bytes, (int)a->alignment));
    }
    json_t *kernel = json_pack("{ss ss si si so}", "kernel", t->kernel, "file", t->file, "line", (int)t->line,
                               "block_bytes", (int)t->block_bytes, "arguments", arguments);
    if (!kernel) refuse("%s: error: kernel %s: a name is not UTF-8 text", t->file, t->kernel);
    return kernel;
}

static unsigned number(const json_t *value) {
    return (unsigned)json_integer_value(value);
}

static void add_kernel(struct thunks *kernels, const json_t *k) {
    const json_t *arguments = json_object_get(k, "arguments");
    kernels->list = grow(kernels->list, kernels->count, sizeof *kernels->list);
    struct thunk *t = &kernels->list[kernels->count++];
    *t = (struct thunk){.kernel = copy_string(json_string_value(json_object_get(k, "kernel"))),
                        .file = copy_string(json_string_value(json_object_get(k, "file"))),
                        .line = number(json_object_get(k, "line")),
                        .block_bytes = number(json_object_get(k, "block_bytes")),
                        .argument_count = json_array_size(arguments)};
    t->arguments = allocate(NULL, t->argument_count * sizeof *t->arguments);
    for (size_t i = 0; i < t->argument_count; i++) {
        const json_t *a = json_array_get(arguments, i);
        t->arguments[i] = (struct thunk_argument){number(json_array_get(a, 0)), number(json_array_get(a, 1)),
                                                  number(json_array_get(a, 2))};
    }
}

static void add_facts(struct object_facts *facts, const char *text, size_t size) {
    size_t index;
    json_t *kernel, *json = json_loadb(text, size, 0, NULL);
    json_array_foreach(json_object_get(json, "kernels"), index, kernel) {
        add_kernel(&facts->kernels, kernel);
    }
    if (json_is_true(json_object_get(json, "optimise"))) facts->optimise = true;
    json_decref(json);
}

void object_write(const struct object_facts *facts, const struct text *bitcode, const struct text *split,
                  struct text *object) {
    json_t *kernels = json_array();
    for (size_t i = 0; i < facts->kernels.count; i++)
        json_array_append_new(kernels, kernel_to_json(&facts->kernels.list[i]));
    json_t *json = json_pack("{sb so}", "optimise", (int)facts->optimise, "kernels", kernels);
    char *text = json_dumps(json, JSON_COMPACT);
    const struct text parts[PARTS] = {[PART_FACTS] = {.data = text, .size = strlen(text)},
                                      [PART_BITCODE] = *bitcode,
                                      [PART_SPLIT] = *split};
    struct object_header header = {.magic = OBJECT_MAGIC};
    memcpy(header.key, cache_key(parts, PARTS).hexadecimal, sizeof header.key);
    for (size_t i = 0; i < PARTS; i++) header.bytes[i] = parts[i].size;
    text_append(object, &header, sizeof header);
    for (size_t i = 0; i < PARTS; i++) text_append(object, text_string(&parts[i]), parts[i].size);
    free(text);
    json_decref(json);
}

/* --- linking --- */

/* Reads the parts of the object at *offset, which moves to its end. */
static void read_object(const struct text *objects, size_t *offset, struct text parts[PARTS]) {
    struct object_header header = {0};
    size_t rest = objects->size - *offset, at = *offset + sizeof header;
    bool whole = rest >= sizeof header;
    if (whole) memcpy(&header, objects->data + *offset, sizeof header);
    rest -= whole ? sizeof header : 0;
    whole = whole && !memcmp(header.magic, OBJECT_MAGIC, sizeof header.magic);
    for (size_t i = 0; i < PARTS && whole; i++) {
        whole = header.bytes[i] <= rest;
        if (!whole) break;
        parts[i] = (struct text){.data = objects->data + at, .size = header.bytes[i]};
        at += header.bytes[i];
        rest -= header.bytes[i];
    }
    if (!whole || memcmp(header.key, cache_key(parts, PARTS).hexadecimal, sizeof header.key))
        refuse("error: a compiled object is damaged, or another version's; compile it again");
    *offset = at;
}

#define FOR_EACH_FUNCTION(f, module)                                                                         \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define FOR_EACH_GLOBAL(g, module)                                                                           \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))

static const char *name_of(LLVMValueRef value) {
    size_t size;
    return LLVMGetValueName2(value, &size);
}

static bool is_visible(LLVMValueRef value) {
    return !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage;
}

/* C's `inline` leaves a body that other objects need not contain. */
static void keep_inline_private(LLVMModuleRef module) {
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMExternalLinkage)
        LLVMSetLinkage(f, LLVMInternalLinkage);
}

static bool is_declared_elsewhere(LLVMModuleRef const *modules, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef g = LLVMGetNamedGlobal(modules[i], name);
        if (g && LLVMIsDeclaration(g)) return true;
    }
    return false;
}

/* Tables in a header that several sources include: each object keeps its own, unless one only declares
 * them. */
static void keep_constants_private(LLVMModuleRef const *modules, size_t count) {
    for (size_t i = 0; i < count; i++) FOR_EACH_GLOBAL(g, modules[i])
    if (is_visible(g) && LLVMIsGlobalConstant(g) && !is_declared_elsewhere(modules, count, name_of(g)))
        LLVMSetLinkage(g, LLVMInternalLinkage);
}

/* Prints where a function is defined, for messages. */
static void print_place(struct text *t, LLVMValueRef function) {
    unsigned size = 0;
    LLVMMetadataRef scope = LLVMGetSubprogram(function), file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &size) : NULL;
    if (name && size) text_printf(t, "%.*s:%u: ", (int)size, name, LLVMDISubprogramGetLine(scope));
}

static void refuse_twice_defined(LLVMModuleRef program, LLVMModuleRef object) {
    FOR_EACH_FUNCTION(f, object) {
        LLVMValueRef first = is_visible(f) ? LLVMGetNamedFunction(program, name_of(f)) : NULL;
        if (!first || !is_visible(first)) continue;
        struct text message = {0}, other = {0};
        print_place(&message, f);
        print_place(&other, first);
        text_add(&message, "error: the function '");
        module_print_name(&message, name_of(f));
        refuse("%s' is also defined in another of the linked programs (%.*s)", message.data,
               (int)(other.size ? other.size - 2 : 0), text_string(&other));
    }
}

enum visit { VISIT_ON_PATH, VISIT_DONE };

static void refuse_recursion(struct value_map *visits, LLVMValueRef function) {
    value_map_set(visits, function, VISIT_ON_PATH);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef called = call_graph_called(i);
            uintptr_t visit = called ? value_map_get(visits, called) : VISIT_DONE;
            if (visit == VALUE_MAP_NONE) refuse_recursion(visits, called);
            if (visit != VISIT_ON_PATH) continue;
            struct text message = {0};
            print_place(&message, called);
            text_add(&message, "error: function '");
            module_print_name(&message, name_of(called));
            refuse("%s' is recursive through several of the linked programs, which OpenCL C does not allow; "
                   "rewrite it as a loop",
                   message.data);
        }
    value_map_set(visits, function, VISIT_DONE);
}

static void check_recursion(LLVMModuleRef program) {
    struct value_map visits = {0};
    FOR_EACH_FUNCTION(f, program)
    if (value_map_get(&visits, f) == VALUE_MAP_NONE) refuse_recursion(&visits, f);
    value_map_free(&visits);
}

/* Links the modules into the first one. */
static void link_modules(struct module *m, LLVMModuleRef *modules, size_t count) {
    for (size_t i = 0; i < count; i++) keep_inline_private(modules[i]);
    keep_constants_private(modules, count);
    for (size_t i = 1; i < count; i++) {
        refuse_twice_defined(modules[0], modules[i]);
        if (LLVMLinkModules2(modules[0], modules[i]))
            refuse("%serror: the programs do not fit together", text_string(&m->diagnostics));
    }
    direct_calls_make(modules[0]);
    check_recursion(modules[0]);
}

/* Links one part of each object; an empty part stands for the bitcode. */
static void link_parts(const struct text (*objects)[PARTS], size_t count, enum part part,
                       struct text *bitcode) {
    struct module m;
    LLVMModuleRef *modules = allocate(NULL, count * sizeof(LLVMModuleRef));
    module_create(&m, NULL, false, false);
    for (size_t i = 0; i < count; i++)
        modules[i] = module_parse(&m, &objects[i][objects[i][part].size ? part : PART_BITCODE]);
    link_modules(&m, modules, count);
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(modules[0]);
    text_append(bitcode, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    LLVMDisposeModule(modules[0]);
    free(modules);
    module_free(&m);
}

void object_link(const struct text *objects, struct object_facts *facts, struct text *bitcode,
                 struct text *split) {
    struct text(*list)[PARTS] = NULL;
    size_t count = 0;
    bool splits = false;
    *facts = (struct object_facts){0};
    for (size_t offset = 0; offset < objects->size; count++) {
        list = grow(list, count, sizeof *list);
        read_object(objects, &offset, list[count]);
        add_facts(facts, list[count][PART_FACTS].data, list[count][PART_FACTS].size);
        splits |= list[count][PART_SPLIT].size > 0;
    }
    if (!count) refuse("error: there is no compiled object to link");
    link_parts(list, count, PART_BITCODE, bitcode);
    if (split && splits) link_parts(list, count, PART_SPLIT, split);
    free(list);
}
