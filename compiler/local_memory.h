/*
 * local_memory: where the static __local variables of the kernels lie in the local window. Variables of
 * different kernels share addresses, since a launch runs one kernel; those that several kernels reach (a
 * kernel may call another) come first and are shared, and so do those of scalar kernels, which run beside
 * others.
 */
#ifndef COMPILER_LOCAL_MEMORY_H
#define COMPILER_LOCAL_MEMORY_H

#include <llvm-c/Core.h>
#include <stddef.h>

struct local_variable {
    LLVMValueRef variable;
    char *symbol;
    unsigned offset, size_bytes, alignment;
    size_t *kernels; /* indices of those that reach it */
    size_t kernel_count;
};

struct local_memory {
    struct local_variable *variables;
    size_t count;
    unsigned bytes; /* of the whole layout */
};

/* Lays out the variables of a module whose kernels are named, before linking and optimisation, and turns them
 * into external symbols that the linker places. `beside`: of each kernel the one beside which it runs, if it
 * is its scalar kernel; else itself. */
void local_memory_lay_out(struct local_memory *l, LLVMModuleRef module, const char *const *kernels,
                          const size_t *beside, size_t kernel_count);
void local_memory_free(struct local_memory *l);

/* Bytes from the window's start that a kernel's variables reach to. */
unsigned local_memory_kernel_bytes(const struct local_memory *l, size_t kernel);

#endif
