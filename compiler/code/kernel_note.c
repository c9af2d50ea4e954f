#include "compiler/code/kernel_note.h"

#include "compiler/scalar/scalar.h"
#include "compiler/driver/trouble.h"
#include "abi/image_checksum.h"
#include "abi/image_note.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL_LIMIT_BYTES 32768

/* Operands of a function's metadata node; none if it has no such node. */
struct operands {
    LLVMValueRef *list;
    unsigned count;
};

static struct operands function_metadata(const struct module *m, LLVMValueRef function, const char *name) {
    struct operands o = {0};
    size_t count;
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind) continue;
        LLVMValueRef node = LLVMMetadataAsValue(m->context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        o.count = LLVMGetMDNodeNumOperands(node);
        o.list = allocate(NULL, (o.count + 1) * sizeof *o.list);
        LLVMGetMDNodeOperands(node, o.list);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return o;
}

static json_t *operand_string(const struct operands *o, size_t i) {
    unsigned size = 0;
    const char *s = i < o->count ? LLVMGetMDString(o->list[i], &size) : "";
    return json_stringn(s, size);
}

static unsigned operand_number(const struct operands *o, size_t i) {
    return i < o->count ? (unsigned)LLVMConstIntGetZExtValue(o->list[i]) : 0;
}

static bool operand_is(const struct operands *o, size_t i, const char *text) {
    json_t *string = operand_string(o, i);
    const bool same = strcmp(json_string_value(string), text) == 0;
    json_decref(string);
    return same;
}

/* Returns the argument's kind: images, which alone have an access qualifier, and samplers have their own kind
 * for any typedef; others have that of their address space. */
static const char *argument_space(const struct operands *base_type, const struct operands *access,
                                  const struct operands *space, size_t i) {
    static const char *const spaces[] = {"private", "global", "constant", "local"};
    if (operand_is(base_type, i, "sampler_t")) return "sampler";
    if (operand_is(access, i, "none")) return spaces[operand_number(space, i) & 3];
    return operand_is(base_type, i, "image2d_t") ? "image2d" : "image";
}

static json_t *kernel_arguments(const struct module *m, LLVMValueRef function, const struct thunk *t) {
    struct operands name = function_metadata(m, function, "kernel_arg_name");
    struct operands type = function_metadata(m, function, "kernel_arg_type");
    struct operands base_type = function_metadata(m, function, "kernel_arg_base_type");
    struct operands space = function_metadata(m, function, "kernel_arg_addr_space");
    struct operands access = function_metadata(m, function, "kernel_arg_access_qual");
    struct operands qualifiers = function_metadata(m, function, "kernel_arg_type_qual");
    json_t *arguments = json_array();
    for (size_t i = 0; i < t->argument_count; i++) {
        json_t *a = json_pack(
            "{so so ss so so si si si}", "name", operand_string(&name, i), "type", operand_string(&type, i),
            "space", argument_space(&base_type, &access, &space, i), "access", operand_string(&access, i),
            "qualifiers", operand_string(&qualifiers, i), "offset", (int)t->arguments[i].offset, "size",
            (int)t->arguments[i].size_bytes, "alignment", (int)t->arguments[i].alignment);
        json_array_append_new(arguments, a);
    }
    struct operands *all[] = {&name, &type, &base_type, &space, &access, &qualifiers};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->list);
    return arguments;
}

/* Appends "name(x,y,z)" for CL_KERNEL_ATTRIBUTES; `size` gets the numbers (0 if the kernel has no such
 * attribute). */
static void sizes_attribute(const struct module *m, LLVMValueRef function, const char *name,
                            struct text *attributes, unsigned size[3]) {
    struct operands o = function_metadata(m, function, name);
    for (size_t i = 0; i < 3; i++) size[i] = operand_number(&o, i);
    if (o.count == 3)
        text_printf(attributes, "%s%s(%u,%u,%u)", attributes->size ? " " : "", name, size[0], size[1],
                    size[2]);
    free(o.list);
}

/* Appends "vec_type_hint(float4)". */
static void vector_attribute(const struct module *m, LLVMValueRef function, struct text *attributes) {
    struct operands o = function_metadata(m, function, "vec_type_hint");
    if (o.count == 2) {
        LLVMTypeRef type = LLVMTypeOf(o.list[0]), element = type;
        bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        if (vector) element = LLVMGetElementType(type);
        text_printf(attributes, "%svec_type_hint(", attributes->size ? " " : "");
        if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind) {
            static const char *const names[] = {"char", "short", "int", "long"};
            bool is_signed = operand_number(&o, 1);
            text_printf(attributes, "%s%s", is_signed ? "" : "u",
                        names[__builtin_ctz(LLVMGetIntTypeWidth(element) / 8) & 3]);
        } else {
            text_add(attributes, LLVMGetTypeKind(element) == LLVMDoubleTypeKind ? "double" : "float");
        }
        if (vector) text_printf(attributes, "%u", LLVMGetVectorSize(type));
        text_add(attributes, ")");
    }
    free(o.list);
}

json_t *kernel_note(const struct module *m, const struct thunk *t, unsigned local_bytes) {
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, t->kernel);
    struct text attributes = {0};
    unsigned required[3], hint[3];
    if (!function) defect("kernel %s is missing from its bitcode", t->kernel);
    sizes_attribute(m, function, "reqd_work_group_size", &attributes, required);
    sizes_attribute(m, function, "work_group_size_hint", &attributes, hint);
    vector_attribute(m, function, &attributes);
    json_t *kernel =
        json_pack("{ss ss si si si ss s[iii] so}", "name", t->kernel, "file", t->file, "line", (int)t->line,
                  "argument_block_bytes", (int)t->block_bytes, "local_bytes", (int)local_bytes, "attributes",
                  text_string(&attributes), "reqd_work_group_size", (int)required[0], (int)required[1],
                  (int)required[2], "arguments", kernel_arguments(m, function, t));
    if (!kernel) trouble("kernel %s: a name is not UTF-8 text", t->kernel);
    text_free(&attributes);
    return kernel;
}

/* Pads a note, which consists of words. */
static void pad(struct text *note) {
    while (note->size % sizeof(Elf32_Word)) text_append(note, "", 1);
}

void image_note(json_t *kernels, json_t *branches, json_t *objects, json_t *scalar,
                const struct compilation *request, struct text *note) {
    static const char owner[] = IMAGE_NOTE_OWNER;
    json_t *build =
        json_pack("{ss ss ss ss ss ss ss ss}", "priorities", compile_priorities_name[request->priorities],
                  "coalescing", compile_coalescing_name[request->coalescing], "math",
                  compile_math_name[request->math], "scalar", compile_partner_name[request->partner],
                  "scalarize", scalar_rule_name[request->scalarize], "ids", compile_ids_name[request->ids],
                  "startup", compile_startup_name[request->startup], "isa", compile_isa_name[request->isa]);
    json_t *content = json_pack("{ss si si ss so si so so so}", "checksum", IMAGE_CHECKSUM_NONE, "version",
                                IMAGE_VERSION, "priority_levels", (int)request->priority_levels, "startup",
                                MODULE_STARTUP, "build", build, "local_limit_bytes", LOCAL_LIMIT_BYTES,
                                "branches", branches, "objects", objects, "kernels", kernels);
    if (scalar) json_object_set_new(content, "scalar", scalar);
    char *json = json_dumps(content, JSON_COMPACT);
    if (!json) defect("the image's note cannot be written");
    const Elf32_Nhdr header = {sizeof owner, (Elf32_Word)strlen(json), IMAGE_NOTE_TYPE};
    text_append(note, (const char *)&header, sizeof header);
    text_append(note, owner, sizeof owner);
    pad(note);
    text_append(note, json, header.n_descsz);
    pad(note);
    free(json);
    json_decref(content);
}
