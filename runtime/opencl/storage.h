/*
 * storage: the common part of buffers and images: flags, the memory that program and simulator share, and
 * the program's own memory that CL_MEM_USE_HOST_PTR names. Called under the driver's lock.
 *
 * The program's memory is a copy ("shadow") of the shared one. It is updated when an object is mapped, when
 * the program waits (clFinish, clWaitForEvents, blocking calls), and when the program can have noticed.
 * Known inaccuracy: a kernel may write a sub-buffer made with CL_MEM_READ_ONLY if its parent may be
 * written.
 */
#ifndef RUNTIME_OPENCL_STORAGE_H
#define RUNTIME_OPENCL_STORAGE_H

#include "runtime/opencl/objects.h"

#define STORAGE_ACCESS ((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))
#define STORAGE_PLACE  ((cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
#define STORAGE_HOST_ACCESS                                                                                  \
    ((cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))

/* Checks flags and host pointer of a new object. Returns CL_SUCCESS, CL_INVALID_VALUE or
 * CL_INVALID_HOST_PTR. */
cl_int storage_check(cl_mem_flags flags, const void *host_ptr);
bool storage_flags_valid(cl_mem_flags flags);

/* Creates an object of `kind` with zeroed shared memory of `size` bytes; the arguments have been checked.
 * With CL_MEM_USE_HOST_PTR the contents are those of host_ptr; the caller copies for CL_MEM_COPY_HOST_PTR.
 * Returns NULL with *status if there is no room. */
cl_mem storage_create(enum object_kind kind, cl_context context, cl_mem_flags flags, size_t size,
                      void *host_ptr, cl_int *status);

/* Destroys an object; also objects_create()'s function for sub-buffers. */
void storage_destroy(struct object *o);

/* Return whether the program may read or write the object by its own calls. */
static inline bool storage_host_reads(const struct _cl_mem *m) {
    return !(m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS));
}
static inline bool storage_host_writes(const struct _cl_mem *m) {
    return !(m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
}

/* Returns the object itself, or the parent of a sub-buffer. */
static inline cl_mem storage_root(cl_mem m) {
    return m->parent != NULL ? m->parent : m;
}

void storage_written(cl_mem m); /* records that the shared memory is newer than the shadow */
/* Reports to the simulator that the program has written into the shared memory: region[0] bytes in each of
 * region[1] rows of region[2] slices, from an offset in the object on. */
void storage_host_wrote(cl_mem m, size_t offset, const size_t region[3], size_t row_pitch,
                        size_t slice_pitch);
void storage_update_shadows(void); /* copies newer contents to the program's memory */

#endif
