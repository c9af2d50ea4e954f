/*
 * synchronise: barrier, memory fences, copies by a whole work-group.
 *
 * clang marks these functions convergent because their assembly is (OpenCL C), which keeps the optimiser from
 * duplicating a barrier or moving it under a condition.
 */
#include "builtin.h"

void OVERLOAD barrier(cl_mem_fence_flags flags) {
    __asm__ volatile("mcr p7, 0, r0, c4, c0, 0" ::: "memory");
}

#define FENCE(name)                                                                                            \
    void OVERLOAD name(cl_mem_fence_flags flags) { __asm__ volatile("dmb ish" ::: "memory"); }
FENCE(mem_fence)
FENCE(read_mem_fence)
FENCE(write_mem_fence)

/* The work-items share the elements out among themselves; the copy is complete when all have passed
 * wait_group_events. Nothing runs in the background, so an event needs no state. */
static uint first_element(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
static uint element_stride(void) {
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

#define COPY(T, ...)                                                                                           \
    event_t OVERLOAD async_work_group_copy(local T *to, const global T *from, size_t count, event_t event) {   \
        for (uint i = first_element(); i < count; i += element_stride()) to[i] = from[i];                      \
        return event;                                                                                          \
    }                                                                                                          \
    event_t OVERLOAD async_work_group_copy(global T *to, const local T *from, size_t count, event_t event) {   \
        for (uint i = first_element(); i < count; i += element_stride()) to[i] = from[i];                      \
        return event;                                                                                          \
    }                                                                                                          \
    event_t OVERLOAD async_work_group_strided_copy(local T *to, const global T *from, size_t count,            \
                                                   size_t stride, event_t event) {                             \
        for (uint i = first_element(); i < count; i += element_stride()) to[i] = from[i * stride];             \
        return event;                                                                                          \
    }                                                                                                          \
    event_t OVERLOAD async_work_group_strided_copy(global T *to, const local T *from, size_t count,            \
                                                   size_t stride, event_t event) {                             \
        for (uint i = first_element(); i < count; i += element_stride()) to[i * stride] = from[i];             \
        return event;                                                                                          \
    }                                                                                                          \
    void OVERLOAD prefetch(const global T *from, size_t count) { __asm__ volatile("pld [%0]" ::"r"(from)); }
#define COPY_ALL(T, ...) COPY(T) COPY(T##2) COPY(T##3) COPY(T##4) COPY(T##8) COPY(T##16)
ALL_TYPES(COPY_ALL)

/* Under the name that clang 14 gives it where it declares the built-ins itself: with a generic pointer. */
void wait_for_events(int count, event_t *events) __asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
void wait_for_events(int count, event_t *events) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
void OVERLOAD wait_group_events(int count, event_t *events) { wait_for_events(count, events); }
