/* reference_dpi: library/reference_imports.sv in C. Errors are printed on standard error. */
#include "library/face.h"
#include "library/lockstep.h"
#include "library/reference.h"

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

/* Returns whether a function succeeded. */
static bool told(bool succeeded) {
    if (!succeeded) fprintf(stderr, "lockstep: %s\n", lockstep_error());
    return succeeded;
}

void *reference_dpi_create(const char *config, const char *settings, const char *image) {
    struct lockstep_machine *m = lockstep_create(config, settings, image);
    told(m != NULL);
    return m;
}

void reference_dpi_destroy(void *handle) {
    lockstep_destroy(handle);
}

uint32_t reference_dpi_buffer(void *handle, uint32_t size_bytes) {
    const uint32_t address = lockstep_buffer(handle, size_bytes, NULL);
    told(address != 0);
    return address;
}

/* Returns the word of a buffer at an address; NULL if there is none. */
static uint8_t *word_at(void *handle, uint32_t address) {
    const struct memory *m = handle ? machine_memory(reference_machine(handle)) : NULL;
    const int n = m ? memory_find(m, address, 4) : -1;
    if (n >= 0 && m->region[n].kind == MEMORY_BUFFER)
        return m->region[n].host + (address - m->region[n].base);
    told(face_tell("no word of a buffer is at 0x%08x", address));
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
    return told(lockstep_kernel(handle, name));
}

unsigned char reference_dpi_number(void *handle, uint32_t value) {
    return told(lockstep_value(handle, &value, sizeof value));
}

unsigned char reference_dpi_pointer(void *handle, uint32_t address) {
    return told(lockstep_pointer(handle, address));
}

unsigned char reference_dpi_local(void *handle, uint32_t size_bytes) {
    return told(lockstep_local(handle, size_bytes));
}

unsigned char reference_dpi_run(void *handle, uint32_t work_items, uint32_t work_group) {
    return told(lockstep_run(handle, &(struct lockstep_range){{work_items}, {work_group}}));
}

unsigned char reference_dpi_begin(void *handle, uint32_t work_items, uint32_t work_group) {
    return told(lockstep_begin(handle, &(struct lockstep_range){{work_items}, {work_group}}, 0));
}

unsigned char reference_dpi_step(void *handle, const char *block, uint64_t *cycle) {
    *cycle = 0;
    return lockstep_block(handle, block) ? lockstep_step(handle, block, cycle) : told(false);
}

unsigned char reference_dpi_end(void *handle) {
    return told(lockstep_end(handle));
}

const void *reference_dpi_block(void *handle, const char *block) {
    const void *model = lockstep_block(handle, block);
    told(model != NULL);
    return model;
}

uint64_t reference_dpi_cycles(void *handle) {
    told(handle != NULL);
    return lockstep_cycles(handle);
}
