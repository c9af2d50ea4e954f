/*
 * local_memory: the layout of the kernels' static __local variables in the local window. Variables of
 * different kernels share addresses, since a launch runs one kernel. Variables that several kernels reach (a
 * kernel may call another) come first and are shared, as are those of scalar kernels, which run together with
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
    size_t *kernels; /* indices of kernels that reach the variable */
    size_t kernel_count;
};

struct local_memory {
    struct local_variable *variables;
    size_t count;
    unsigned bytes; /* size of the whole layout */
};

/* Lays out the variables of a module with the named kernels, before linking and optimisation, and turns them
 * into external symbols that the linker places. `runs_with`: for each kernel, the kernel with which it runs
 * if it is a scalar kernel; else itself. */
void local_memory_lay_out(struct local_memory *l, LLVMModuleRef module, const char *const *kernels,
                          const size_t *runs_with, size_t kernel_count);
void local_memory_free(struct local_memory *l);

/* Returns the end of a kernel's variables in bytes from the window's start. */
unsigned local_memory_kernel_bytes(const struct local_memory *l, size_t kernel);

#endif
