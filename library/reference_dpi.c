/* library/reference_imports.sv in C. */
#include "library/reference.h"
#include "tb/twin_block.h"

#include <stdio.h>
#include <string.h>

void *reference_dpi_create(const char *config, const char *settings, const char *image);
void reference_dpi_destroy(void *handle);
uint32_t reference_dpi_buffer(void *handle, uint32_t size_bytes);
void reference_dpi_write(void *handle, uint32_t address, uint32_t word);
uint32_t reference_dpi_read(void *handle, uint32_t address);
unsigned char reference_dpi_kernel(void *handle, const char *name);
unsigned char reference_dpi_number(void *handle, uint32_t value);
unsigned char reference_dpi_pointer(void *handle, uint32_t address);
unsigned char reference_dpi_local(void *handle, uint32_t size_bytes);
unsigned char reference_dpi_run(void *handle, uint32_t work_items, uint32_t work_group);
unsigned char reference_dpi_begin(void *handle, uint32_t work_items, uint32_t work_group);
unsigned char reference_dpi_step(void *handle, const char *block, uint64_t *cycle);
unsigned char reference_dpi_end(void *handle);
const void *reference_dpi_block(void *handle, const char *block);
uint64_t reference_dpi_cycles(void *handle);

/* Says what failed, if something did. */
static bool told(const struct error *e) {
    if (e->status != EXIT_SOUND) fprintf(stderr, "lockstep: %s\n", e->message);
    return e->status == EXIT_SOUND;
}

/* False, and tells: there is no machine, since it could not be built. */
static bool there(const void *handle, struct error *e) {
    return handle || error_set(e, EXIT_USER, "a function of a reference is called with null");
}

void *reference_dpi_create(const char *config, const char *settings, const char *image) {
    struct error e = {0};
    struct reference *r = reference_create_from(config, settings, image, &e);
    told(&e);
    return r;
}

void reference_dpi_destroy(void *handle) {
    reference_destroy(handle);
}

uint32_t reference_dpi_buffer(void *handle, uint32_t size_bytes) {
    struct error e = {0};
    uint8_t *host;
    const uint32_t address = there(handle, &e) ? reference_buffer(handle, size_bytes, &host, &e) : 0;
    told(&e);
    return address;
}

/* The word of a buffer at an address; NULL if there is none. */
static uint8_t *word_at(void *handle, uint32_t address) {
    struct error e = {0};
    if (there(handle, &e)) {
        const struct memory *m = machine_memory(reference_machine(handle));
        const int n = memory_find(m, address, 4);
        if (n >= 0 && m->region[n].kind == MEMORY_BUFFER)
            return m->region[n].host + (address - m->region[n].base);
        error_set(&e, EXIT_USER, "no word of a buffer is at 0x%08x", address);
    }
    told(&e);
    return NULL;
}

void reference_dpi_write(void *handle, uint32_t address, uint32_t word) {
    uint8_t *at = word_at(handle, address);
    if (at) memcpy(at, &word, sizeof word);
}

uint32_t reference_dpi_read(void *handle, uint32_t address) {
    uint32_t word = 0;
    const uint8_t *at = word_at(handle, address);
    if (at) memcpy(&word, at, sizeof word);
    return word;
}

unsigned char reference_dpi_kernel(void *handle, const char *name) {
    struct error e = {0};
    if (there(handle, &e)) reference_kernel(handle, name, &e);
    return told(&e);
}

unsigned char reference_dpi_number(void *handle, uint32_t value) {
    struct error e = {0};
    if (there(handle, &e)) reference_value(handle, &value, sizeof value, &e);
    return told(&e);
}

unsigned char reference_dpi_pointer(void *handle, uint32_t address) {
    struct error e = {0};
    if (there(handle, &e)) reference_pointer(handle, address, &e);
    return told(&e);
}

unsigned char reference_dpi_local(void *handle, uint32_t size_bytes) {
    struct error e = {0};
    if (there(handle, &e)) reference_local(handle, size_bytes, &e);
    return told(&e);
}

unsigned char reference_dpi_run(void *handle, uint32_t work_items, uint32_t work_group) {
    struct error e = {0};
    struct machine_result result;
    const struct reference_range range = {{work_items}, {work_group}};
    if (there(handle, &e)) reference_run(handle, &range, &result, &e);
    return told(&e);
}

unsigned char reference_dpi_begin(void *handle, uint32_t work_items, uint32_t work_group) {
    struct error e = {0};
    const struct reference_range range = {{work_items}, {work_group}};
    if (there(handle, &e)) reference_begin(handle, &range, 0, &e);
    return told(&e);
}

/* CLUSTER_BLOCK_COUNT, and tells, if there is no such block. */
static enum cluster_block find_block(const char *name) {
    struct error e = {0};
    enum cluster_block b = twin_block_find(name, strlen(name));
    if (b >= CLUSTER_BLOCK_COALESCER) b = CLUSTER_BLOCK_COUNT; /* of GPU-like machines */
    if (b == CLUSTER_BLOCK_COUNT) error_set(&e, EXIT_USER, "a cluster has no block '%s'", name);
    told(&e);
    return b;
}

unsigned char reference_dpi_step(void *handle, const char *block, uint64_t *cycle) {
    struct error e = {0};
    const enum cluster_block b = find_block(block);
    *cycle = 0;
    const bool stepped = there(handle, &e) && b != CLUSTER_BLOCK_COUNT && reference_step(handle, b, cycle);
    told(&e);
    return stepped;
}

unsigned char reference_dpi_end(void *handle) {
    struct error e = {0};
    struct machine_result result;
    if (there(handle, &e)) reference_end(handle, &result, &e);
    return told(&e);
}

const void *reference_dpi_block(void *handle, const char *block) {
    struct error e = {0};
    const enum cluster_block b = find_block(block);
    const void *model = NULL;
    if (there(handle, &e) && b != CLUSTER_BLOCK_COUNT) model = reference_block(handle, b);
    told(&e);
    return model;
}

uint64_t reference_dpi_cycles(void *handle) {
    struct error e = {0};
    const uint64_t cycles = there(handle, &e) ? machine_cycle(reference_machine(handle)) : 0;
    told(&e);
    return cycles;
}
