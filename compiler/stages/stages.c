#include "compiler/stages/stages.h"

#include "compiler/driver/clang_command.h"
#include "compiler/driver/llvm_library.h"
#include "compiler/code/code_flow.h"
#include "compiler/ir/computed_ids.h"
#include "compiler/ir/access_objects.h"
#include "compiler/ir/features.h"
#include "compiler/ir/fences.h"
#include "compiler/code/image_link.h"
#include "compiler/ir/ir_lines.h"
#include "compiler/code/kernel_note.h"
#include "compiler/stages/kernel_table.h"
#include "compiler/ir/latches.h"
#include "compiler/stages/listing.h"
#include "compiler/ir/local_note.h"
#include "compiler/code/meetings.h"
#include "compiler/ir/object.h"
#include "compiler/partner/prefetch_check.h"
#include "compiler/ir/priority_operations.h"
#include "compiler/code/private_frames.h"
#include "compiler/code/registers.h"
#include "compiler/partner/scalar_kernel.h"
#include "compiler/scalar/scalar_listing.h"
#include "compiler/partner/scalar_partners.h"
#include "compiler/source/split_conditions.h"
#include "compiler/ir/sync_check.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/twin.h"
#include "compiler/ir/unwritten.h"
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
    const bool generated = b->generated.size > 0;
    const struct text *source = generated ? &b->generated : &b->preprocessed;
    clang_parse(&options, LANGUAGE_OPENCL, &b->clang);
    bool good = syntax_parse(&syntax, source, &options, &messages);
    if (!good && generated) defect("scalar kernels that were made are no OpenCL C: %s", messages.data);
    if (!generated && (b->warned || syntax.diagnosed)) build_check(b);
    if (!good) refuse("%s", messages.data);
    program_read(&program, &syntax);
    program_refuse_recursion(&program);
    if (b->request->priorities != PRIORITIES_OFF || object) program_instrument(&program, &edits);
    if (!object && b->request->modes != MODES_MIMD) meeting_source_read(&b->meetings, &program, &edits);
    edits_apply(&edits, source, instrumented);
    if (b->request->emit != EMIT_PRIORITY) thunks_add(&b->thunks, &program, instrumented);
    if (b->request->coalescing == COALESCE_SNUCL || object) split_conditions(&program, &edits);
    if (edits.count) {
        struct thunks same = {0};
        edits_apply(&edits, source, &b->twin_source);
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

/* The program as a module of one mode of execution, and what is known of it. */
struct part {
    struct module module;
    struct local_memory local;
    json_t *kernels; /* objects of the image's note */
    unsigned *calls; /* features_calls() of each kernel */
    struct text object;
};

static void read_kernels(const struct build *b, struct part *p) {
    const char **names = allocate(NULL, b->thunks.count * sizeof *names);
    size_t *runs_with = allocate(NULL, b->thunks.count * sizeof *runs_with);
    p->kernels = json_array();
    scalar_kernel_share(&p->module, &b->thunks, runs_with);
    for (size_t i = 0; i < b->thunks.count; i++) names[i] = b->thunks.list[i].kernel;
    local_memory_lay_out(&p->local, p->module.llvm, names, runs_with, b->thunks.count);
    for (size_t i = 0; i < b->thunks.count; i++)
        json_array_append_new(
            p->kernels, kernel_note(&p->module, &b->thunks.list[i], local_memory_kernel_bytes(&p->local, i)));
    for (size_t i = 0; i < b->thunks.count; i++)
        json_object_set_new(json_array_get(p->kernels, i), "variables",
                            local_note(&p->local, p->module.llvm, i));
    free(names);
    free(runs_with);
    scalar_kernel_pair(&p->module, &b->thunks, p->kernels);
}

static void add_facts(struct part *p, size_t kernel, json_t *facts) {
    json_object_update(json_array_get(p->kernels, kernel), facts);
    json_decref(facts);
}

/* From bitcode, linked with the device library; the other mode's entries are left out. */
static void part_open(const struct build *b, const struct text *bitcode, bool simt, struct part *p) {
    *p = (struct part){0};
    module_create(&p->module, bitcode, simt, b->request->isa == COMPILE_NEON);
    if (b->request->marks_unwritten) unwritten_mark(&p->module);
    read_kernels(b, p);
    module_prepare(&p->module, simt ? TWIN_PREFIX : THUNK_PREFIX);
    fences_note(&p->module);
    p->calls = allocate(NULL, b->thunks.count * sizeof *p->calls);
    for (size_t i = 0; i < b->thunks.count; i++)
        p->calls[i] = features_calls(&p->module, b->thunks.list[i].kernel);
    for (size_t i = 0; i < b->thunks.count; i++)
        add_facts(p, i,
                  json_pack("{si si si}", "prints", (int)p->module.prints, "synchronises",
                            (int)scalar_kernel_synchronises(&p->module, b->thunks.list[i].kernel), "stores",
                            (int)scalar_kernel_stores(&p->module, b->thunks.list[i].kernel)));
    module_link(&p->module, &b->library[LIBRARY_BITCODE], b->library_paths[LIBRARY_BITCODE].data);
    module_refuse_undefined(&p->module);
}

static void part_close(struct part *p) {
    json_decref(p->kernels);
    free(p->calls);
    text_free(&p->object);
    local_memory_free(&p->local);
    module_free(&p->module);
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

/* Where a jump leaves the scope of variables, clang branches to a switch at the scope's end. Jump threading
 * removes such switches here, while their blocks hold nothing else that it could copy. */
static void direct_exits(struct module *m) {
    latches_make(m);
    module_run_passes(m, "function(sroa,jump-threading)");
}

/* `sets`: those of access_objects_mark(). */
static void make_simt(const struct build *b, const struct text *bitcode, struct part *p, json_t *sets) {
    part_open(b, bitcode, true, p);
    prefetch_check(&p->module, p->kernels);
    sync_check(&p->module, p->kernels);
    if (b->options.optimise) direct_exits(&p->module);
    choose_operations(b, &p->module);
    if (b->request->ids == IDS_COMPUTED) computed_ids_make(p->module.llvm);
    module_optimise(&p->module, b->options.optimise);
    if (b->request->ids == IDS_COMPUTED) computed_ids_split(p->module.llvm);
    access_objects_mark(&p->module, &b->thunks, &p->local, true, p->kernels, sets);
}

/* Adds what mode auto chooses by, to an image that is for both modes. */
static void add_features(const struct build *b, struct part *p) {
    if (b->request->modes != MODES_BOTH) return;
    for (size_t i = 0; i < b->thunks.count; i++) {
        struct text thunk = {0};
        text_printf(&thunk, THUNK_PREFIX "%s", b->thunks.list[i].kernel);
        add_facts(p, i,
                  json_pack("{so}", "features",
                            features_rows(&p->module, thunk.data, p->calls[i], b->request->line_bytes)));
        text_free(&thunk);
    }
}

/* Makes SIMT mode's code, and adds what it tells of each kernel. */
static void generate_simt(const struct build *b, const struct text *bitcode, struct part *p, json_t *sets) {
    struct registers_counts *registers = allocate(NULL, b->thunks.count * sizeof *registers);
    make_simt(b, bitcode, p, sets);
    add_features(b, p);
    module_generate(&p->module, LLVMObjectFile, &p->object);
    registers_count(&p->module, &p->object, &b->thunks, registers);
    for (size_t i = 0; i < b->thunks.count; i++) {
        struct text thunk = {0};
        text_printf(&thunk, THUNK_PREFIX "%s", b->thunks.list[i].kernel);
        add_facts(p, i,
                  json_pack("{ss si si si}", "thunk", thunk.data, "stack_bytes",
                            (int)module_stack_bytes(&p->module, thunk.data), "registers",
                            (int)registers[i].registers, "conditional_returns",
                            (int)registers[i].conditional_returns));
        text_free(&thunk);
    }
    free(registers);
}

/* The twins of all kernels, ready for optimisation; freed by the caller: what is known of each. */
static struct coalesced *make_twins(const struct build *b, const struct text *bitcode, struct part *p) {
    struct coalesced *coalesced = allocate(NULL, b->thunks.count * sizeof *coalesced);
    part_open(b, b->twin_bitcode.size ? &b->twin_bitcode : bitcode, false, p);
    twin_make(&p->module, &b->thunks, &b->library[LIBRARY_TWIN_BUILTINS],
              b->request->coalescing == COALESCE_SNUCL, coalesced);
    return coalesced;
}

/* Makes MIMD mode's code, and adds what it tells of each kernel. */
static void generate_mimd(const struct build *b, const struct text *bitcode, struct part *p, json_t *sets) {
    struct coalesced *coalesced = make_twins(b, bitcode, p);
    twin_optimise(&p->module, b->options.optimise);
    access_objects_mark(&p->module, &b->thunks, &p->local, false, p->kernels, sets);
    module_generate(&p->module, LLVMObjectFile, &p->object);
    for (size_t i = 0; i < b->thunks.count; i++) {
        const struct coalesced *c = &coalesced[i];
        struct text twin = {0};
        text_printf(&twin, TWIN_PREFIX "%s", b->thunks.list[i].kernel);
        add_facts(p, i,
                  json_pack("{ss si si si si si}", "twin", twin.data, "twin_stack_bytes",
                            (int)(module_stack_bytes(&p->module, twin.data) + TWIN_SPARE_STACK_BYTES),
                            "twin_item_bytes", (int)c->item_bytes, "barriers", (int)c->barriers, "replicated",
                            (int)c->replicated, "divergent_branches", (int)c->divergent_branches));
        text_free(&twin);
    }
    free(coalesced);
}

static void link_image(struct build *b, const struct part *simt, const struct part *mimd, json_t *kernels,
                       json_t *sets) {
    struct text note = {0};
    image_link(&simt->object, &mimd->object, b->request->library_directory,
               b->library_paths[LIBRARY_STARTUP].data, simt->kernels ? &simt->local : &mimd->local,
               &b->result);
    if (simt->kernels && b->meetings.count && b->options.optimise)
        meetings_warn(&b->meetings, &b->result, kernels, &b->log);
    const enum compile_scalarize rule = b->request->scalarize;
    json_t *scalar = NULL;
    if (simt->kernels && rule != SCALARIZE_OFF) scalar = scalar_note(&b->result, rule, kernels);
    private_frames_note(kernels, &b->result);
    image_note(json_incref(kernels), code_flow_branches(&b->result), json_incref(sets), scalar, b->request,
               &note);
    image_add_note(&b->result, &note);
    text_free(&note);
    if (!image_checksum_write(b->result.data, b->result.size))
        trouble("internal error: the image has no note for its checksum");
}

/* Joins the facts about the kernels from the existing parts. */
static json_t *join_kernels(const struct part *simt, const struct part *mimd) {
    if (!simt->kernels) return json_incref(mimd->kernels);
    for (size_t i = 0; mimd->kernels && i < json_array_size(simt->kernels); i++)
        json_object_update_missing(json_array_get(simt->kernels, i), json_array_get(mimd->kernels, i));
    return json_incref(simt->kernels);
}

/* Generates the requested modes only; the table describes both. */
static void generate_image(struct build *b, const struct text *bitcode) {
    const bool table = b->request->emit == EMIT_TABLE;
    struct part simt = {0}, mimd = {0};
    json_t *sets = json_array();
    if (table || b->request->modes != MODES_MIMD) generate_simt(b, bitcode, &simt, sets);
    if (table || b->request->modes != MODES_SIMT) generate_mimd(b, bitcode, &mimd, sets);
    json_t *kernels = join_kernels(&simt, &mimd);
    if (table)
        kernel_table(kernels, &b->result);
    else
        link_image(b, &simt, &mimd, kernels, sets);
    json_decref(sets);
    json_decref(kernels);
    if (simt.kernels) part_close(&simt);
    if (mimd.kernels) part_close(&mimd);
}

static void print_twins(struct build *b, const struct text *bitcode) {
    struct part p;
    free(make_twins(b, bitcode, &p));
    listing_print(&p.module, &b->thunks, &b->result);
    part_close(&p);
}

/* As LLVM IR or assembler text. */
static void print_simt(struct build *b, const struct text *bitcode) {
    struct part p;
    json_t *sets = json_array();
    make_simt(b, bitcode, &p, sets);
    json_decref(sets);
    if (b->request->emit == EMIT_ASM) {
        module_generate(&p.module, LLVMAssemblyFile, &b->result);
    } else {
        char *ir = LLVMPrintModuleToString(p.module.llvm);
        ir_lines_add(ir, &b->result);
        LLVMDisposeMessage(ir);
    }
    part_close(&p);
}

static void print_scalar(struct build *b, const struct text *bitcode) {
    const enum compile_scalarize rule = b->request->scalarize;
    struct part simt, none = {0};
    struct text image = {0};
    json_t *sets = json_array();
    generate_simt(b, bitcode, &simt, sets);
    json_decref(sets);
    image_link(&simt.object, &none.object, b->request->library_directory,
               b->library_paths[LIBRARY_STARTUP].data, &simt.local, &image);
    scalar_listing(&image, simt.kernels, rule == SCALARIZE_OFF ? SCALARIZE_WIDE : rule, &b->result);
    text_free(&image);
    part_close(&simt);
}

static void print_meetings(struct build *b, const struct text *bitcode) {
    struct part simt, none = {0};
    struct text image = {0};
    json_t *sets = json_array();
    generate_simt(b, bitcode, &simt, sets);
    json_decref(sets);
    image_link(&simt.object, &none.object, b->request->library_directory,
               b->library_paths[LIBRARY_STARTUP].data, &simt.local, &image);
    meetings_list(&b->meetings, &image, simt.kernels, &b->result);
    text_free(&image);
    part_close(&simt);
}

static void generate(struct build *b, const struct text *bitcode) {
    if (b->request->emit == EMIT_IMAGE || b->request->emit == EMIT_TABLE)
        generate_image(b, bitcode);
    else if (b->request->emit == EMIT_COALESCED)
        print_twins(b, bitcode);
    else if (b->request->emit == EMIT_SCALAR)
        print_scalar(b, bitcode);
    else if (b->request->emit == EMIT_MEETINGS)
        print_meetings(b, bitcode);
    else
        print_simt(b, bitcode);
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
    const bool shown = b->request->emit == EMIT_SCALAR_KERNEL;
    if (shown && b->options.partner == PARTNER_OFF)
        refuse_options("error: --emit=scalar-kernel shows what --scalar makes: it is missing");
    if (b->options.partner != PARTNER_OFF) scalar_partners_make(b, shown ? &b->result : NULL);
    instrument(b, &instrumented);
    if (shown) return false;
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
    meeting_source_free(&b->meetings);
    text_free(&bitcode);
}
