#include "runtime/buffers.h"

#include "runtime/call_site.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Describes a released buffer at an address that is in no region (memory.h). */
static bool tell_history(const void *context, uint32_t address, char *text, size_t size) {
    const struct buffers *b = context;
    for (size_t n = 0; n < BUFFERS_REMEMBERED && n < b->released_count; n++) {
        const struct buffers_released *r =
            &b->released[(b->released_count - 1 - n) % BUFFERS_REMEMBERED]; /* from the latest to the oldest
                                                                             */
        if (address - r->address >= r->size_bytes) continue;
        char place[160];
        call_site_describe(r->site, place, sizeof place);
        snprintf(text, size, "in buffer %u (%u bytes at 0x%08x), which the program released at %s", r->id,
                 r->size_bytes, r->address, place);
        return true;
    }
    return false;
}

void buffers_begin(struct buffers *b, struct memory *memory) {
    *b = (struct buffers){.memory = memory};
    allocator_init(&b->allocator, MEMORY_BUFFER_BASE, MEMORY_BUFFER_END);
    memory->history = tell_history;
    memory->history_context = b;
}

static void remove_buffer(struct buffers *b, size_t at) {
    struct buffer *old = b->list[at];
    memory_remove(b->memory, old->region);
    allocator_give_back(&b->allocator, old->address);
    munmap(old->host, old->size_bytes);
    free(old);
    b->list[at] = NULL;
}

void buffers_end(struct buffers *b) {
    for (size_t i = 0; i < b->count; i++)
        if (b->list[i] != NULL) remove_buffer(b, i);
    for (size_t i = 0; i < BUFFERS_REMEMBERED; i++) free(b->released[i].site);
    b->memory->history = NULL;
    b->memory->history_context = NULL;
    allocator_release(&b->allocator);
    free(b->list);
}

/* Returns the memory file of a buffer, mapped at *host; −1 if the host has no room. */
static int share_memory(uint32_t size_bytes, uint8_t **host) {
    int fd = memfd_create("lockstep-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    /* The file is sealed, so that no program can remove pages which the simulator uses. */
    if (ftruncate(fd, size_bytes) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        *host = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (*host != MAP_FAILED) return fd;
    }
    close(fd);
    return -1;
}

/* Allocates the buffer in the device's memory; its id makes its name. */
static bool place_buffer(struct buffers *b, struct buffer *new, size_t id, bool writable) {
    new->address = allocator_take(&b->allocator, new->size_bytes);
    if (new->address == 0) return false;
    char name[40];
    snprintf(name, sizeof name, "buffer %zu%s", id, writable ? "" : " (CL_MEM_READ_ONLY)");
    new->region =
        memory_add(b->memory, MEMORY_BUFFER, new->address, new->size_bytes, new->host, writable, name);
    if (new->region >= 0) return true;
    allocator_give_back(&b->allocator, new->address);
    return false;
}

uint32_t buffers_create(struct buffers *b, unsigned client, uint32_t size_bytes, bool writable, int *fd) {
    struct buffer *new = calloc(1, sizeof *new);
    struct buffer **list = realloc(b->list, (b->count + 1) * sizeof(struct buffer *));
    if (list != NULL) b->list = list;
    *fd = -1;
    if (new != NULL && list != NULL) {
        *new = (struct buffer){.client = client, .size_bytes = size_bytes, .written_to = size_bytes};
        *fd = share_memory(size_bytes, &new->host);
    }
    if (*fd >= 0 && place_buffer(b, new, b->count + 1, writable)) {
        b->list[b->count++] = new;
        return (uint32_t)b->count;
    }
    if (*fd >= 0) {
        munmap(new->host, size_bytes);
        close(*fd);
    }
    free(new);
    return 0;
}

const struct buffer *buffers_find(const struct buffers *b, unsigned client, uint32_t id) {
    const struct buffer *found = id >= 1 && id <= b->count ? b->list[id - 1] : NULL;
    return found != NULL && found->client == client ? found : NULL;
}

void buffers_note_written(struct buffers *b, unsigned client, uint32_t id, uint64_t from, uint64_t to) {
    if (buffers_find(b, client, id) == NULL) return;
    struct buffer *written = b->list[id - 1];
    const bool any = written->written_from < written->written_to;
    if (!any || from < written->written_from) written->written_from = (uint32_t)from;
    if (!any || to > written->written_to) written->written_to = (uint32_t)to;
}

void buffers_written(struct buffers *b, buffers_visit *visit, void *context) {
    for (size_t i = 0; i < b->count; i++) {
        struct buffer *w = b->list[i];
        if (w == NULL || w->written_from >= w->written_to) continue;
        visit(context, w->client, (uint32_t)i + 1, w->written_from, w->host + w->written_from,
              w->written_to - w->written_from);
        w->written_from = w->written_to = 0;
    }
}

bool buffers_part(struct buffers *b) {
    for (size_t i = 0; i < b->count; i++) {
        const struct buffer *old = b->list[i];
        if (old == NULL) continue;
        uint8_t *own =
            mmap(NULL, old->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (own == MAP_FAILED) return false;
        memcpy(own, old->host, old->size_bytes);
        if (mremap(own, old->size_bytes, old->size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, old->host) ==
            MAP_FAILED)
            return false;
    }
    return true;
}

bool buffers_place(const struct buffers *b, unsigned client, uint32_t id, uint32_t *address,
                   uint32_t *size_bytes) {
    const struct buffer *found = buffers_find(b, client, id);
    if (found != NULL) {
        *address = found->address;
        *size_bytes = found->size_bytes;
        return true;
    }
    for (size_t n = 0; id != 0 && n < BUFFERS_REMEMBERED; n++) {
        if (b->released[n].id != id || b->released[n].client != client) continue;
        *address = b->released[n].address;
        *size_bytes = b->released[n].size_bytes;
        return true;
    }
    return false;
}

bool buffers_drop(struct buffers *b, unsigned client, uint32_t id, const char *site) {
    const struct buffer *old = buffers_find(b, client, id);
    if (old == NULL) return false;
    struct buffers_released *r = &b->released[b->released_count++ % BUFFERS_REMEMBERED];
    free(r->site);
    *r = (struct buffers_released){client, id, old->address, old->size_bytes, strdup(site)};
    remove_buffer(b, id - 1);
    return true;
}

void buffers_drop_client(struct buffers *b, unsigned client) {
    for (size_t i = 0; i < b->count; i++)
        if (b->list[i] != NULL && b->list[i]->client == client) remove_buffer(b, i);
}
