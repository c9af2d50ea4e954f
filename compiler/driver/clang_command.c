#include "compiler/driver/clang_command.h"

#include <string.h>

#define CLANG "clang-14"

static const char target[] =
    "--target=armv7a-none-eabihf -mcpu=cortex-a7 -mfpu=vfpv3-d16 -mfloat-abi=hard -marm "
    "-ffreestanding -fomit-frame-pointer -O2 -gdwarf-4 -fdebug-info-for-profiling "
    "-fdebug-compilation-dir=. "
    "-fno-color-diagnostics -ffp-contract=off";

/* The address-space map keeps __local variables from becoming registers. */
static const char opencl[] =
    "-x cl -Xclang -ffake-address-space-map -cl-kernel-arg-info "
    "-Xclang -cl-ext=+cl_khr_fp64,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,"
    "+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_"
    "atomics,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics";

/* The priority operations in instrumented source, coprocessor.md §B. They exist only in the second stage,
 * where the user's source can neither see nor change them. */
static const char *const priority_operations[] = {
    "-D__lockstep_raise()=__asm__ volatile(\"mcr p7, 0, r0, c3, c0, 0\")",
    "-D__lockstep_lower(levels)=__asm__ volatile(\"mcr p7, 0, r0, c3, c\" #levels \", 1\")",
    "-D__lockstep_set_outermost()=__asm__ volatile(\"mcr p7, 0, r0, c3, c0, 2\")",
    "-D__lockstep_split()=__asm__ volatile(\"mcr p7, 0, r0, c4, c0, 7\")",
    "-D__lockstep_thread_exit()=__asm__ volatile(\"mcr p7, 0, r0, c4, c1, 0\")",
};

enum language language_of(const char *path) {
    size_t n = strlen(path);
    return n > 2 && !strcmp(path + n - 2, ".c") ? LANGUAGE_C : LANGUAGE_OPENCL;
}

static void clang_language(struct arguments *a, enum language language) {
    arguments_add_words(a, target);
    arguments_add_words(a, language == LANGUAGE_C ? "-x c -std=c11" : opencl);
}

static void clang_source(struct arguments *a, enum language language, const struct arguments *options) {
    arguments_add(a, CLANG);
    clang_language(a, language);
    if (language == LANGUAGE_OPENCL)
        arguments_add_words(a,
                            "-cl-std=CL1.2 -D__OPENCL_VERSION__=120 -D__IMAGE_SUPPORT__=1 -D__LOCKSTEP__=1");
    arguments_add_all(a, options);
}

void clang_preprocess(struct arguments *a, enum language language, const struct arguments *options) {
    clang_source(a, language, options);
    arguments_add_words(a, "-E -");
}

void clang_check(struct arguments *a, enum language language, const struct arguments *options) {
    clang_source(a, language, options);
    arguments_add_words(a, "-fsyntax-only -");
}

/* After preprocessing, macros must not be defined again, nor files included again. */
static void clang_add_later_options(struct arguments *a, const struct arguments *options) {
    static const char *const with_value[] = {"-D",       "-U",      "-I",        "-include",
                                             "-isystem", "-iquote", "-idirafter"};
    for (size_t i = 0; i < options->count; i++) {
        const char *option = options->strings[i];
        bool taken = true;
        for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++) {
            if (!strcmp(option, with_value[k])) i++;
            if (!strncmp(option, with_value[k], strlen(with_value[k]))) taken = false;
        }
        if (taken && strcmp(option, "-Werror") && strcmp(option, "-nostdlibinc")) arguments_add(a, option);
    }
}

/* Clang's header of types is already part of the preprocessed source. Only its macros that name the groups of
 * built-in functions are still needed: looking up a function reads them. */
void clang_parse(struct arguments *a, enum language language, const struct arguments *options) {
    clang_language(a, language);
    if (language == LANGUAGE_OPENCL)
        arguments_add_words(a, "-cl-std=CL1.2 -cl-no-stdinc -Xclang -fdeclare-opencl-builtins "
                               "-D__opencl_c_named_address_space_builtins=1 -D__opencl_c_int64=1");
    clang_add_later_options(a, options);
}

void clang_compile(struct arguments *a, enum language language, const struct arguments *options) {
    arguments_add(a, CLANG);
    clang_parse(a, language, options);
    for (size_t i = 0; i < sizeof priority_operations / sizeof *priority_operations; i++)
        arguments_add(a, priority_operations[i]);
    arguments_add_words(a, "-w -Xclang -disable-llvm-passes -c -emit-llvm -o - -");
}
