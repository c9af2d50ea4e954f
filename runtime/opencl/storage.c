#include "runtime/opencl/storage.h"

#include "runtime/opencl/connection.h"
#include "runtime/opencl/message.h"
#include "runtime/opencl/site.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static cl_mem shadows; /* objects with host_ptr */

void storage_written(cl_mem m) {
    storage_root(m)->device_newer = true;
}

void storage_host_wrote(cl_mem m, size_t offset, const size_t region[3], size_t row_pitch,
                        size_t slice_pitch) {
    struct protocol_message request, reply;
    protocol_begin(&request, PROTOCOL_HOST_WROTE);
    protocol_put_u32(&request, m->id);
    protocol_put_u64(&request, m->origin + offset);
    for (unsigned d = 0; d < 3; d++) protocol_put_u64(&request, region[d]);
    protocol_put_u64(&request, row_pitch);
    protocol_put_u64(&request, slice_pitch);
    connection_request(&request, &reply, NULL);
    protocol_free(&reply);
}

void storage_update_shadows(void) {
    for (cl_mem m = shadows; m != NULL; m = m->next_shadow) {
        /* A mapped buffer belongs to the program until it is unmapped; the memory of a released one may be
         * freed. */
        if (!m->device_newer || m->mapped > 0 || m->object.references == 0) continue;
        memcpy(m->host_ptr, m->bytes, m->size);
        m->device_newer = false;
    }
}

static bool at_most_one(cl_mem_flags flags) {
    return (flags & (flags - 1)) == 0;
}

bool storage_flags_valid(cl_mem_flags flags) {
    return (flags & ~(STORAGE_ACCESS | STORAGE_PLACE | STORAGE_HOST_ACCESS)) == 0 &&
           at_most_one(flags & STORAGE_ACCESS) && at_most_one(flags & STORAGE_HOST_ACCESS) &&
           !((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

cl_int storage_check(cl_mem_flags flags, const void *host_ptr) {
    bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (!storage_flags_valid(flags)) return CL_INVALID_VALUE;
    return wants_host == (host_ptr != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

static void give_back(cl_mem m) {
    struct protocol_message request, reply;
    char site[SITE_NAME_BYTES];
    for (cl_mem *at = &shadows; *at != NULL; at = &(*at)->next_shadow) {
        if (*at != m) continue;
        *at = m->next_shadow;
        break;
    }
    if (m->bytes != NULL) munmap(m->bytes, m->size);
    site_name(m->object.released_at, site, sizeof site);
    protocol_begin(&request, PROTOCOL_RELEASE_BUFFER);
    protocol_put_u32(&request, m->id);
    protocol_put_text(&request, site);
    connection_request(&request, &reply, NULL);
    protocol_free(&reply);
}

void storage_destroy(struct object *o) {
    cl_mem m = (cl_mem)o;
    for (struct destructor *d = m->destructors, *next; d != NULL; d = next) {
        next = d->next;
        objects_call_destructor(d->function, m, d->user_data);
        free(d);
    }
    for (struct mapping *g = m->mappings, *next; g != NULL; g = next) {
        next = g->next;
        free(g);
    }
    if (m->parent != NULL)
        objects_unuse(m->parent);
    else if (m->id != 0)
        give_back(m);
    objects_unuse(m->context);
}

/* Requests the storage from the simulator and maps it. */
static cl_int get_storage(cl_mem m) {
    struct protocol_message request, reply;
    protocol_begin(&request, PROTOCOL_CREATE_BUFFER);
    protocol_put_u64(&request, m->size);
    protocol_put_u32(&request, m->flags & CL_MEM_READ_ONLY    ? PROTOCOL_READ_ONLY
                               : m->flags & CL_MEM_WRITE_ONLY ? PROTOCOL_WRITE_ONLY
                                                              : PROTOCOL_READ_WRITE);
    protocol_put_u32(&request, (m->flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0);
    const char *text = "";
    uint32_t status = connection_request(&request, &reply, &text);
    cl_int result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (status == PROTOCOL_OK) {
        m->id = protocol_get_u32(&reply);
        void *bytes = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, reply.fd, 0);
        if (bytes != MAP_FAILED) {
            m->bytes = bytes;
            result = CL_SUCCESS;
        }
    } else if (status == CONNECTION_LOST) {
        result = CL_OUT_OF_RESOURCES;
    } else {
        message_print("a memory object of %zu bytes: %s", m->size, text);
    }
    protocol_free(&reply);
    return result;
}

cl_mem storage_create(enum object_kind kind, cl_context context, cl_mem_flags flags, size_t size,
                      void *host_ptr, cl_int *status) {
    cl_mem m = objects_create(kind, sizeof *m, storage_destroy);
    *status = CL_OUT_OF_HOST_MEMORY;
    if (m == NULL) return NULL;
    m->context = context;
    m->flags = flags & STORAGE_ACCESS ? flags : flags | CL_MEM_READ_WRITE;
    m->size = size;
    objects_use(context);
    *status = get_storage(m);
    if (*status != CL_SUCCESS) {
        objects_release(m, kind, 0);
        return NULL;
    }
    if (flags & CL_MEM_USE_HOST_PTR) {
        memcpy(m->bytes, host_ptr, size);
        m->host_ptr = host_ptr;
        m->next_shadow = shadows;
        shadows = m;
    }
    return m;
}
