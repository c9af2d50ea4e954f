#include "compiler/ir/module.h"

#include "compiler/ir/call_graph.h"
#include "compiler/stages/clang_run.h"
#include "compiler/ir/direct_calls.h"
#include "compiler/stages/library_parts.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/printf_calls.h"
#include "compiler/ir/thunk.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIPLE   "armv7a-none-unknown-eabihf"
#define CPU      "cortex-a7"
#define FEATURES "+vfp3d16,-neon,-d32,-vfp4,+hwdiv-arm"
#define SIMD     "+vfp3,+neon,+d32,-vfp4,+hwdiv-arm"

/* Reads "stack frame size (72) exceeds limit (0) in function 'f'": the C interface reports frame sizes only
 * in this way. */
static bool module_add_frame(struct module *m, const char *message) {
    static const char before[] = "exceeds limit (0) in function '";
    unsigned long long bytes;
    const char *function = strstr(message, before), *end = strrchr(message, '\'');
    if (!function || sscanf(message, "stack frame size (%llu)", &bytes) != 1) return false;
    function += strlen(before);
    m->frames = grow(m->frames, m->frame_count, sizeof *m->frames);
    m->frames[m->frame_count++] = (struct module_frame){strndup(function, (size_t)(end - function)), bytes};
    if (!m->frames[m->frame_count - 1].function) trouble("out of memory");
    return true;
}

static void module_diagnose(LLVMDiagnosticInfoRef info, void *context) {
    struct module *m = context;
    char *message = LLVMGetDiagInfoDescription(info);
    if (!module_add_frame(m, message) && LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        text_printf(&m->diagnostics, "error: %s\n", message);
    LLVMDisposeMessage(message);
}

static void module_check(const struct module *m) {
    if (m->diagnostics.size) refuse("%.*s", (int)m->diagnostics.size - 1, m->diagnostics.data);
}

/* LLVM's options, which are those of the whole process.
 *
 * Conditions such as a && b && c with cheap parts are computed without branches: the threads of a warp may
 * diverge at a branch, and no operation raises their priority inside an expression. LLVM allows one extra
 * instruction for this; hotspot takes 13 % fewer cycles with four. Jump tables are cut to 128 addresses, with
 * comparisons in front: LLVM's time to place the blocks of a table grows with the square of their number. In
 * the line table, an instruction without a line has a row of its own: else it would have the discriminator,
 * so the objects (access_objects.h), of the instruction before it. */
#define COMMON_OPTIONS "-bonus-inst-threshold=4", "-max-jump-table-size=128", "-use-unknown-locations=Enable"

/* Passes that copy the code in which the sides of a branch meet, once for each side, so that diverged threads
 * never meet inside a loop (docs/compiler.md, "Structured SIMT code"): jump threading of two kinds, and tail
 * duplication before and after register allocation and while blocks are placed. */
#define STRUCTURED_OPTIONS                                                                                   \
    "-jump-threading-threshold=0", "-simplifycfg-max-small-block-size=0", "-disable-early-taildup",          \
        "-disable-tail-duplicate", "-tail-dup-placement=0", "-switch-peel-threshold=101"

/* LLVM splits the live ranges of a loop in time that grows faster than the square of its blocks: half a
 * minute for 6,000. In a module with a larger function, values are in registers within blocks only: this
 * takes two seconds, and the code is twice as long. */
#define MANY_BLOCKS  2500
#define MANY_OPTIONS "-optimize-regalloc=0"

static void set_llvm_options(const struct module *m) {
    static const char *const structured[] = {"lockstep-cc", COMMON_OPTIONS, STRUCTURED_OPTIONS, MANY_OPTIONS};
    static const char *const plain[] = {"lockstep-cc", COMMON_OPTIONS, MANY_OPTIONS};
    const int structured_count = sizeof structured / sizeof *structured,
              plain_count = sizeof plain / sizeof *plain, left_out = !m->many_blocks;
    clang_forget_options();
    if (m->structured)
        LLVMParseCommandLineOptions(structured_count - left_out, structured, "");
    else
        LLVMParseCommandLineOptions(plain_count - left_out, plain, "");
}

static LLVMTargetMachineRef target_machine(bool simd) {
    LLVMTargetRef target;
    char *message;
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTarget();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMAsmPrinter();
    LLVMInitializeARMAsmParser();
    if (LLVMGetTargetFromTriple(TRIPLE, &target, &message)) trouble("LLVM knows no ARM: %s", message);
    return LLVMCreateTargetMachine(target, TRIPLE, CPU, simd ? SIMD : FEATURES, LLVMCodeGenLevelDefault,
                                   LLVMRelocStatic, LLVMCodeModelDefault);
}

LLVMDisasmContextRef module_disassembler(void) {
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMDisassembler();
    LLVMDisasmContextRef disassembler = LLVMCreateDisasmCPUFeatures(TRIPLE, CPU, SIMD, NULL, 0, NULL, NULL);
    if (!disassembler) trouble("LLVM has no disassembler for ARM");
    return disassembler;
}

LLVMModuleRef module_parse(const struct module *m, const struct text *bitcode) {
    LLVMModuleRef parsed;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text_string(bitcode), bitcode->size, "program");
    if (LLVMParseBitcodeInContext2(m->context, buffer, &parsed))
        defect("clang made bitcode that LLVM cannot read");
    LLVMDisposeMemoryBuffer(buffer);
    return parsed;
}

void module_create(struct module *m, const struct text *bitcode, bool structured, bool simd) {
    *m = (struct module){.context = LLVMContextCreate(),
                         .machine = target_machine(simd),
                         .structured = structured,
                         .simd = simd};
    LLVMContextSetDiagnosticHandler(m->context, module_diagnose, m);
    if (!bitcode) {
        LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(m->machine);
        m->llvm = LLVMModuleCreateWithNameInContext("support", m->context);
        LLVMSetTarget(m->llvm, TRIPLE);
        LLVMSetModuleDataLayout(m->llvm, layout);
        LLVMDisposeTargetData(layout);
        return;
    }
    m->llvm = module_parse(m, bitcode);
}

void module_free(struct module *m) {
    LLVMDisposeModule(m->llvm);
    LLVMDisposeTargetMachine(m->machine);
    LLVMContextDispose(m->context);
    operation_forget();
    for (size_t i = 0; i < m->frame_count; i++) free(m->frames[i].function);
    free(m->frames);
    text_free(&m->diagnostics);
}

static LLVMAttributeRef attribute(const struct module *m, const char *name) {
    return LLVMCreateEnumAttribute(m->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

static const char *value_name(LLVMValueRef value) {
    size_t size;
    return LLVMGetValueName2(value, &size);
}

static bool has_prefix(LLVMValueRef function, const char *prefix) {
    return !strncmp(value_name(function), prefix, strlen(prefix));
}

bool module_is_entry(LLVMValueRef function) {
    return has_prefix(function, THUNK_PREFIX) || has_prefix(function, TWIN_PREFIX);
}

#define FOR_EACH_FUNCTION(f, module)                                                                         \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define FOR_EACH_GLOBAL(g, module)                                                                           \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
#define FOR_EACH_INSTRUCTION(i, function)                                                                    \
    for (LLVMBasicBlockRef b_ = LLVMGetFirstBasicBlock(function); b_; b_ = LLVMGetNextBasicBlock(b_))        \
        for (LLVMValueRef i = LLVMGetFirstInstruction(b_); i; i = LLVMGetNextInstruction(i))

static void drop_entries(const struct module *m, const char *prefix) {
    for (LLVMValueRef next, f = LLVMGetFirstFunction(m->llvm); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (has_prefix(f, prefix)) LLVMDeleteFunction(f);
    }
}

/* clang makes a constant sampler by calling a function of this name, which a device may define; here samplers
 * are pointers whose value is the word itself. */
static void make_samplers(struct module *m) {
    LLVMValueRef make = LLVMGetNamedFunction(m->llvm, "__translate_sampler_initializer");
    for (LLVMUseRef use; make && (use = LLVMGetFirstUse(make));) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(call, LLVMConstIntToPtr(LLVMGetOperand(call, 0), LLVMTypeOf(call)));
        LLVMInstructionEraseFromParent(call);
    }
    if (make) LLVMDeleteFunction(make);
}

void module_prepare(struct module *m, const char *dropped) {
    drop_entries(m, dropped);
    make_samplers(m);
    printf_calls_lower(m);
    FOR_EACH_FUNCTION(f, m->llvm) {
        /* Besides C, clang uses only SPIR's conventions here, which the ARM back end refuses. */
        if (LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv)
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(m, "alwaysinline"));
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        if (!LLVMIsDeclaration(f) && !module_is_entry(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
        FOR_EACH_INSTRUCTION(i, f)
        if (LLVMIsACallInst(i)) LLVMSetInstructionCallConv(i, LLVMCCallConv);
    }
    FOR_EACH_GLOBAL(g, m->llvm) {
        if (LLVMIsDeclaration(g)) continue;
        /* clang's own initial values: nothing writes them, but some are variables. */
        if (LLVMGetLinkage(g) == LLVMPrivateLinkage) LLVMSetGlobalConstant(g, true);
        LLVMSetLinkage(g, LLVMInternalLinkage);
    }
}

/* Lets the linker drop unused functions and globals. */
static void make_optional(LLVMModuleRef library) {
    FOR_EACH_FUNCTION(f, library)
    if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    FOR_EACH_GLOBAL(g, library)
    if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
        LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

static void link_part(struct module *m, const struct text *library, const struct library_part *part,
                      const char *path) {
    LLVMModuleRef other;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(library->data + part->offset, part->size, path);
    /* Read lazily: only linked parts are parsed. */
    if (LLVMGetBitcodeModuleInContext2(m->context, buffer, &other))
        trouble("%s is not a bitcode file of LLVM 14; build it again with make", path);
    make_optional(other);
    if (LLVMLinkModules2(m->llvm, other))
        trouble("%s cannot be linked: %s", path, text_string(&m->diagnostics));
}

static int by_offset(const void *a, const void *b) {
    const struct library_part *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void add_part(struct library_part **parts, size_t *count, const struct library_part *part) {
    for (size_t i = 0; i < *count; i++)
        if ((*parts)[i].offset == part->offset) return;
    *parts = grow(*parts, *count, sizeof **parts);
    (*parts)[(*count)++] = *part;
}

void module_link(struct module *m, const struct text *library, const char *path) {
    struct library_part part, *parts = NULL;
    size_t count = 0;
    FOR_EACH_FUNCTION(f, m->llvm)
    if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && library_parts_find(library, value_name(f), &part))
        add_part(&parts, &count, &part);
    if (count) qsort(parts, count, sizeof *parts, by_offset);
    for (size_t i = 0; i < count; i++) link_part(m, library, &parts[i], path);
    free(parts);
    direct_calls_make(m->llvm);
    module_check(m);
}

void module_print_name(struct text *t, const char *symbol) {
    char *end;
    unsigned long length = strncmp(symbol, "_Z", 2) ? 0 : strtoul(symbol + 2, &end, 10);
    if (length && length <= strlen(end))
        text_printf(t, "%.*s", (int)length, end);
    else
        text_add(t, symbol);
}

static void refuse_call(LLVMValueRef call, const char *symbol) {
    struct text message = {0};
    unsigned size = 0;
    const char *file = LLVMGetDebugLocFilename(call, &size);
    if (file && size) text_printf(&message, "%.*s:%u: ", (int)size, file, LLVMGetDebugLocLine(call));
    text_add(&message, "error: the function '");
    module_print_name(&message, symbol);
    text_add(&message, "' is defined neither in the program nor in the device library");
    refuse("%s", message.data);
}

void module_refuse_undefined(const struct module *m) {
    FOR_EACH_FUNCTION(f, m->llvm) {
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f)) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsACallInst(user)) refuse_call(user, value_name(f));
        }
    }
}

void module_mark_place(const struct module *m, LLVMValueRef assembly) {
    static const char *const names[] = {"convergent", "nounwind", "willreturn", "inaccessiblememonly"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        LLVMAddCallSiteAttribute(assembly, LLVMAttributeFunctionIndex, attribute(m, names[n]));
}

static void mark_priority_operations(struct module *m) {
    FOR_EACH_FUNCTION(f, m->llvm)
    FOR_EACH_INSTRUCTION(i, f)
    if (operation_of(i).kind == OPERATION_PRIORITY) module_mark_place(m, i);
}

/* Returns whether a function or a callee waits at a barrier. Recursion has been refused. */
static bool holds_barrier(struct value_map *known, LLVMValueRef function) {
    uintptr_t answer = value_map_get(known, function);
    if (answer != VALUE_MAP_NONE) return answer;
    bool result = false;
    FOR_EACH_INSTRUCTION(i, function) {
        LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (operation_of(i).kind == OPERATION_BARRIER ||
            (called && LLVMIsAFunction(called) && holds_barrier(known, called)))
            result = true;
    }
    value_map_set(known, function, result);
    return result;
}

/* Prevents the merging of barriers in the sides of an `if`, which all work-items would reach. */
static void keep_barriers_apart(const struct module *m) {
    struct value_map known = {0};
    FOR_EACH_FUNCTION(f, m->llvm)
    FOR_EACH_INSTRUCTION(i, f) {
        LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (operation_of(i).kind == OPERATION_BARRIER ||
            (called && LLVMIsAFunction(called) && holds_barrier(&known, called)))
            LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, attribute(m, "nomerge"));
    }
    value_map_free(&known);
}

/* Prevents the same in the back end, which merges equal assembly unless it has different source places. */
static void tell_barriers_apart(const struct module *m) {
    LLVMTypeRef type = LLVMInt64TypeInContext(m->context);
    const unsigned place = LLVMGetMDKindIDInContext(m->context, "srcloc", 6);
    unsigned number = 0;
    FOR_EACH_FUNCTION(f, m->llvm)
    FOR_EACH_INSTRUCTION(i, f) {
        if (operation_of(i).kind != OPERATION_BARRIER) continue;
        LLVMValueRef own = LLVMConstInt(type, ++number, false);
        LLVMSetMetadata(i, place, LLVMMDNodeInContext(m->context, &own, 1));
    }
}

static void refuse_writable_globals(const struct module *m) {
    FOR_EACH_GLOBAL(g, m->llvm)
    if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g))
        refuse("error: '%s' is a writable variable at program scope, which OpenCL C 1.2 does not have",
               value_name(g));
}

void module_run_passes(struct module *m, const char *passes) {
    set_llvm_options(m);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m->llvm, passes, m->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) defect("LLVM cannot run its passes: %s", LLVMGetErrorMessage(error));
}

void module_optimise(struct module *m, bool optimise) {
    FOR_EACH_FUNCTION(f, m->llvm) {
        if (LLVMIsDeclaration(f)) continue;
        LLVMSetLinkage(f, module_is_entry(f) ? LLVMExternalLinkage : LLVMInternalLinkage);
        LLVMAddTargetDependentFunctionAttr(f, "warn-stack-size", "0");
        if (m->simd) LLVMAddTargetDependentFunctionAttr(f, "target-features", SIMD);
    }
    FOR_EACH_GLOBAL(g, m->llvm)
    if (!LLVMIsDeclaration(g)) LLVMSetLinkage(g, LLVMInternalLinkage);
    mark_priority_operations(m);
    keep_barriers_apart(m);
    module_run_passes(m, optimise ? "default<O2>" : "globaldce,default<O0>");
    tell_barriers_apart(m);
    refuse_writable_globals(m);
    module_check(m);
}

/* Returns whether the instruction before ends the thread: a thunk's exit, or a call that does not return. */
static bool follows_end(LLVMValueRef i) {
    const unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    LLVMValueRef called = before && LLVMIsACallInst(before) ? LLVMGetCalledValue(before) : NULL;
    return called && (operation_of(before).kind == OPERATION_EXIT ||
                      LLVMGetCallSiteEnumAttribute(before, LLVMAttributeFunctionIndex, noreturn) ||
                      (LLVMIsAFunction(called) &&
                       LLVMGetEnumAttributeAtIndex(called, LLVMAttributeFunctionIndex, noreturn)));
}

/* Puts a trap where the source says that code is unreachable. LLVM generates no code there, and a thread that
 * gets there would continue in unrelated code without a report. */
static void trap_unreachable(const struct module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMTypeRef nothing = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, false);
    const unsigned trap = LLVMLookupIntrinsicID("llvm.trap", 9);
    FOR_EACH_FUNCTION(f, m->llvm)
    FOR_EACH_INSTRUCTION(i, f) {
        if (LLVMGetInstructionOpcode(i) != LLVMUnreachable || follows_end(i)) continue;
        LLVMPositionBuilderBefore(builder, i);
        LLVMBuildCall2(builder, nothing, LLVMGetIntrinsicDeclaration(m->llvm, trap, NULL, 0), NULL, 0, "");
    }
    LLVMDisposeBuilder(builder);
}

/* --- 64-bit shifts --- */

/* Returns the operand with the shift amount if an instruction shifts values of 64 bits; else −1. */
static int shift_operand(LLVMValueRef i) {
    static const char *const turns[] = {"llvm.fshl", "llvm.fshr"};
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64) return -1;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return 1;
    case LLVMCall:
        for (unsigned n = 0; n < 2; n++)
            if (LLVMGetIntrinsicID(LLVMGetCalledValue(i)) ==
                LLVMLookupIntrinsicID(turns[n], strlen(turns[n])))
                return 2;
        return -1;
    default: return -1;
    }
}

/* Returns whether the amount is known to be less than 32: LLVM then generates other code. */
static bool is_short(LLVMValueRef amount) {
    while (LLVMIsAZExtInst(amount)) amount = LLVMGetOperand(amount, 0);
    LLVMValueRef mask = LLVMIsABinaryOperator(amount) && LLVMGetInstructionOpcode(amount) == LLVMAnd
                            ? LLVMGetOperand(amount, 1)
                            : amount;
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) < 32;
}

/* Returns a copy of `number` of which LLVM knows only the width, 32 bits. */
static LLVMValueRef hide(const struct module *m, LLVMBuilderRef builder, LLVMValueRef number) {
    static char text[] = "", constraints[] = "=r,0";
    LLVMTypeRef word = LLVMInt32TypeInContext(m->context), type = LLVMFunctionType(word, &word, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, text, 0, constraints, sizeof constraints - 1, false, false,
                                            LLVMInlineAsmDialectATT, false);
    LLVMValueRef low = LLVMBuildTrunc(builder, number, word, "");
    LLVMValueRef hidden = LLVMBuildCall2(builder, type, nothing, &low, 1, "");
    return LLVMBuildZExt(builder, hidden, LLVMTypeOf(number), "");
}

static LLVMValueRef hide_all(const struct module *m, LLVMBuilderRef builder, LLVMValueRef numbers) {
    LLVMTypeRef type = LLVMTypeOf(numbers);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return hide(m, builder, numbers);
    LLVMValueRef hidden = LLVMGetUndef(type);
    for (unsigned n = 0; n < LLVMGetVectorSize(type); n++) {
        LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(m->context), n, false);
        LLVMValueRef number = LLVMBuildExtractElement(builder, numbers, at, "");
        hidden = LLVMBuildInsertElement(builder, hidden, hide(m, builder, number), at, "");
    }
    return hidden;
}

/* Hides the amounts of 64-bit shifts from LLVM. A shift by 0 shifts the other word by 32, which LLVM 14
 * treats as undefined. If it finds during code generation that the amount is 0 (for example, an element of a
 * vector), the code is wrong. */
static void hide_shift_amounts(const struct module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    FOR_EACH_FUNCTION(f, m->llvm)
    FOR_EACH_INSTRUCTION(i, f) {
        const int operand = shift_operand(i);
        LLVMValueRef amount = operand < 0 ? NULL : LLVMGetOperand(i, (unsigned)operand);
        if (!amount || LLVMIsConstant(amount) || is_short(amount)) continue;
        LLVMPositionBuilderBefore(builder, i);
        LLVMSetOperand(i, (unsigned)operand, hide_all(m, builder, amount));
    }
    LLVMDisposeBuilder(builder);
}

static bool has_many_blocks(const struct module *m) {
    FOR_EACH_FUNCTION(f, m->llvm)
    if (LLVMCountBasicBlocks(f) > MANY_BLOCKS) return true;
    return false;
}

/* Returns the use of a variable with the lowest line: line tables do not contain its declaration. */
static LLVMValueRef first_line(LLVMValueRef variable) {
    LLVMValueRef first = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const unsigned line = LLVMIsAInstruction(user) ? LLVMGetDebugLocLine(user) : 0;
        if (line && (!first || line < LLVMGetDebugLocLine(first))) first = user;
    }
    return first;
}

/* Returns the bytes of the largest private array or structure in a function's frame, and a use of it; 0 if no
 * line names one. */
static unsigned long long largest_variable(const struct module *m, LLVMValueRef function,
                                           LLVMValueRef *used) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->llvm);
    unsigned long long largest = 0;
    FOR_EACH_INSTRUCTION(i, function) {
        LLVMValueRef user = LLVMIsAAllocaInst(i) ? first_line(i) : NULL;
        const unsigned long long bytes = user ? LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)) : 0;
        if (bytes <= largest) continue;
        largest = bytes;
        *used = user;
    }
    return largest;
}

static const char *name_of_user(const char *function) {
    static const char *const prefixes[] = {THUNK_PREFIX, TWIN_PREFIX};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(function, prefixes[i], strlen(prefixes[i]))) return function + strlen(prefixes[i]);
    return function;
}

static void refuse_frame(const struct module *m, const struct module_frame *frame) {
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, frame->function), place = function;
    struct text message = {0};
    unsigned size = 0;
    const unsigned long long bytes = function ? largest_variable(m, function, &place) : 0;
    const char *file = place ? LLVMGetDebugLocFilename(place, &size) : NULL;
    if (file && size) text_printf(&message, "%.*s:%u: ", (int)size, file, LLVMGetDebugLocLine(place));
    text_printf(&message, "error: the private variables of '%s' take %llu bytes",
                name_of_user(frame->function), frame->bytes);
    if (bytes) text_printf(&message, ", of which one that is used here takes %llu", bytes);
    refuse("%s; no machine has more than %u, for all work-items", message.data, PRIVATE_LIMIT_BYTES);
}

/* Refuses frames that are too large, with the largest in the message. */
static void check_frames(const struct module *m) {
    const struct module_frame *largest = NULL;
    for (size_t i = 0; i < m->frame_count; i++)
        if (!largest || m->frames[i].bytes > largest->bytes) largest = &m->frames[i];
    if (largest && largest->bytes > PRIVATE_LIMIT_BYTES) refuse_frame(m, largest);
}

void module_generate(struct module *m, LLVMCodeGenFileType type, struct text *output) {
    LLVMMemoryBufferRef buffer;
    char *message;
    trap_unreachable(m);
    hide_shift_amounts(m);
    m->many_blocks = has_many_blocks(m);
    set_llvm_options(m);
    if (LLVMTargetMachineEmitToMemoryBuffer(m->machine, m->llvm, type, &message, &buffer))
        defect("LLVM cannot make code: %s", message);
    module_check(m);
    check_frames(m);
    text_append(output, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}

/* Returns the frame sizes by function. */
static struct value_map frame_sizes(const struct module *m) {
    struct value_map sizes = {0};
    for (size_t i = 0; i < m->frame_count; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(m->llvm, m->frames[i].function);
        if (f) value_map_set(&sizes, f, (uintptr_t)m->frames[i].bytes);
    }
    return sizes;
}

unsigned module_stack_bytes(const struct module *m, const char *function) {
    LLVMValueRef root = LLVMGetNamedFunction(m->llvm, function);
    if (!root) return 0;
    struct value_map sizes = frame_sizes(m);
    struct call_graph g;
    call_graph_read(&g, root);
    unsigned *depths = allocate(NULL, g.count * sizeof *depths), deepest = 0;
    memset(depths, 0, g.count * sizeof *depths);
    for (size_t f = 0; f < g.count; f++) {
        uintptr_t own = value_map_get(&sizes, g.functions[f]);
        deepest = 0;
        FOR_EACH_INSTRUCTION(i, g.functions[f]) {
            LLVMValueRef called = call_graph_called(i);
            unsigned below = called ? depths[value_map_get(&g.index, called)] : 0;
            if (below > deepest) deepest = below;
        }
        if (own != VALUE_MAP_NONE) deepest += (unsigned)own;
        if (deepest > PRIVATE_LIMIT_BYTES) deepest = PRIVATE_LIMIT_BYTES; /* no machine supports more */
        depths[f] = deepest;
    }
    free(depths);
    call_graph_free(&g);
    value_map_free(&sizes);
    return deepest;
}
