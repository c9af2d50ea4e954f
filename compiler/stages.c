#include "compiler/stages.h"

#include "compiler/clang_command.h"
#include "compiler/llvm_library.h"
#include "compiler/code_flow.h"
#include "compiler/image_link.h"
#include "compiler/ir_lines.h"
#include "compiler/kernel_note.h"
#include "compiler/kernel_table.h"
#include "compiler/listing.h"
#include "compiler/object.h"
#include "compiler/priority_operations.h"
#include "compiler/registers.h"
#include "compiler/split_conditions.h"
#include "compiler/trouble.h"
#include "compiler/twin.h"
#include "abi/image_checksum.h"

#include <clang-c/Index.h>
#include <stdlib.h>

/* Priority operations and thunks. A process of its own has clang judge the source as it was written;
 * it runs only where preprocessing or parsing had something to say. */
static void instrument(struct build *b, struct text *instrumented) {
    struct arguments options = {0};
    struct text messages = {0};
    struct syntax syntax;
    struct program program;
    struct edits edits = {0};
    const bool object = b->request->emit == EMIT_OBJECT; /* serves every choice: it is made at the link */
    clang_parse(&options, LANGUAGE_OPENCL, &b->clang);
    bool good = syntax_parse(&syntax, &b->preprocessed, &options, &messages);
    if (b->warned || syntax.diagnosed) build_check(b);
    if (!good) refuse("%s", messages.data);
    program_read(&program, &syntax);
    program_refuse_recursion(&program);
    if (b->request->priorities != PRIORITIES_OFF || object) program_instrument(&program, &edits);
    edits_apply(&edits, &b->preprocessed, instrumented);
    if (b->request->emit != EMIT_PRIORITY) thunks_add(&b->thunks, &program, instrumented);
    if (b->request->coalescing == COALESCE_SNUCL || object) split_conditions(&program, &edits);
    if (edits.count) {
        struct thunks same = {0};
        edits_apply(&edits, &b->preprocessed, &b->twin_source);
        thunks_add(&same, &program, &b->twin_source);
    }
    program_free(&program);
    syntax_free(&syntax);
}

static void make_bitcode(struct build *b, const struct text *instrumented, struct text *bitcode) {
    struct arguments command = {0};
    struct process p;
    struct text errors = {0};
    clang_compile(&command, LANGUAGE_OPENCL, &b->clang);
    llvm_library_start_clang(&p, &command, instrumented);
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

/* Adds the figures of each kernel that its code for both modes gives. */
static void describe_code(const struct build *b, const struct module *m, const struct module *twin,
                          const struct coalesced *coalesced, const struct registers_counts *registers,
                          json_t *kernels) {
    for (size_t i = 0; i < b->thunks.count; i++) {
        const char *name = b->thunks.list[i].kernel;
        const struct coalesced *c = &coalesced[i];
        json_t *facts = json_pack(
            "{si si si si si si si si si}", "stack_bytes", (int)stack_bytes(m, THUNK_PREFIX, name),
            "twin_stack_bytes", (int)(stack_bytes(twin, TWIN_PREFIX, name) + TWIN_SPARE_STACK_BYTES),
            "twin_item_bytes", (int)c->item_bytes, "registers", (int)registers[i].registers,
            "conditional_returns", (int)registers[i].conditional_returns, "barriers", (int)c->barriers,
            "replicated", (int)c->replicated, "divergent_branches", (int)c->divergent_branches, "prints",
            (int)m->prints);
        json_object_update(json_array_get(kernels, i), facts);
        json_decref(facts);
    }
}

/* The twins of all kernels, ready for code generation. */
static void make_twin(struct build *b, const struct text *bitcode, struct module *twin,
                      struct coalesced *coalesced) {
    struct local_memory local; /* laid out as in the other module, from the same bitcode */
    module_create(twin, b->twin_bitcode.size ? &b->twin_bitcode : bitcode);
    json_decref(read_kernels(b, twin, &local));
    module_prepare(twin, THUNK_PREFIX);
    module_link(twin, &b->library[LIBRARY_BITCODE], b->library_paths[LIBRARY_BITCODE].data);
    twin_make(twin, &b->thunks, &b->library[LIBRARY_TWIN_BUILTINS], b->request->coalescing == COALESCE_SNUCL,
              coalesced);
    local_memory_free(&local);
}

static void link_image(struct build *b, const struct text objects[2], json_t *kernels,
                       const struct local_memory *local) {
    struct text note = {0};
    image_link(&objects[0], &objects[1], b->request->library_directory, local, &b->result);
    image_note(kernels, code_flow_branches(&b->result), b->request->priority_levels, &note);
    image_add_note(&b->result, &note);
    text_free(&note);
    if (!image_checksum_write(b->result.data, b->result.size))
        trouble("internal error: the image has no note for its checksum");
}

static void generate_image(struct build *b, const struct text *bitcode, struct module *m, json_t *kernels,
                           const struct local_memory *local) {
    struct text objects[2] = {0};
    struct module twin;
    struct coalesced *coalesced = allocate(NULL, b->thunks.count * sizeof *coalesced);
    struct registers_counts *registers = allocate(NULL, b->thunks.count * sizeof *registers);
    make_twin(b, bitcode, &twin, coalesced);
    twin_optimise(&twin, b->options.optimise);
    module_generate(m, LLVMObjectFile, &objects[0]);
    registers_count(m, &objects[0], &b->thunks, registers);
    module_generate(&twin, LLVMObjectFile, &objects[1]);
    describe_code(b, m, &twin, coalesced, registers, kernels);
    if (b->request->emit == EMIT_TABLE) {
        kernel_table(kernels, &b->result);
        json_decref(kernels);
    } else {
        link_image(b, objects, kernels, local);
    }
    for (size_t i = 0; i < 2; i++) text_free(&objects[i]);
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

/* Removes the priority operations that --priorities does not ask for, the device library's, too. */
static void choose_operations(const struct build *b, struct module *m) {
    const struct text *builtins = &b->library[LIBRARY_TWIN_BUILTINS];
    if (b->request->priorities == PRIORITIES_OFF) {
        priority_operations_drop(m->llvm);
        LLVMAppendModuleInlineAsm(m->llvm, builtins->data, builtins->size);
    } else if (b->request->priorities == PRIORITIES_VARYING && b->options.optimise) {
        module_run_passes(m, "always-inline,globaldce,function(simplifycfg,sroa,early-cse)");
        priority_operations_thin(m->llvm);
    }
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
    choose_operations(b, &m);
    module_optimise(&m, b->options.optimise && emit != EMIT_COALESCED); /* which shows nothing of it */
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

static void link_objects(struct build *b, struct text *bitcode) {
    struct object_facts facts;
    const bool snucl = b->request->coalescing == COALESCE_SNUCL;
    object_link(&b->source, &facts, bitcode, snucl ? &b->twin_bitcode : NULL);
    b->thunks = facts.kernels;
    b->options.optimise = b->options.optimise && facts.optimise;
}

/* From the source. False if that is all that is wanted. */
static bool compile_source(struct build *b, struct text *bitcode) {
    struct text instrumented = {0};
    instrument(b, &instrumented);
    if (b->request->emit == EMIT_PRIORITY) {
        b->result = instrumented;
        return false;
    }
    make_bitcode(b, &instrumented, bitcode);
    if (b->twin_source.size) make_bitcode(b, &b->twin_source, &b->twin_bitcode);
    text_free(&instrumented);
    if (b->request->emit != EMIT_OBJECT) return true;
    const struct object_facts facts = {b->thunks, b->options.optimise};
    object_write(&facts, bitcode, &b->twin_bitcode, &b->result);
    return false;
}

void stages_run(struct build *b) {
    struct text bitcode = {0};
    bool more = true;
    b->thunks = (struct thunks){0};
    if (b->request->link)
        link_objects(b, &bitcode);
    else
        more = compile_source(b, &bitcode);
    if (more) generate(b, &bitcode);
    text_free(&bitcode);
}
