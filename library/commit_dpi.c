/* commit_dpi: library/commit_imports.sv in C. Errors are printed on standard error. */
#include "library/commit_parts.h"
#include "library/face.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_WORDS 64 /* words of a row: one for each thread */
#define DATA_ROWS 32

/* Data for the next commit of a unit. */
struct told {
    uint64_t destinations;
    bool has_addresses;
    unsigned data;
    uint32_t *values, *addresses, *words; /* arrays of rows of ROW_WORDS words */
};

/* Handle of a checker. */
struct commit_dpi {
    struct lockstep_checker *checker;
    struct told *told; /* data for the next commit of each unit */
    uint32_t *rows;
};

/* Splits a command line into words, for a running program. */
static char **words_of(const char *command) {
    char *copy = strdup(command), *rest = copy, *word;
    char **words = calloc(strlen(command) + 2, sizeof *words), **next = words + 1;
    require_memory(copy && words);
    words[0] = copy; /* holds the text of the words, to be freed */
    while ((word = strsep(&rest, " ")))
        if (*word) *next++ = word;
    return words;
}

unsigned char reference_dpi_program(void *handle, const char *command);
unsigned char reference_dpi_launch(void *handle);
int reference_dpi_finish(void *handle);
void *checker_dpi_create(void *machine, uint32_t work_items, uint32_t work_group, uint32_t units);
void checker_dpi_destroy(void *handle);
unsigned char checker_dpi_running(void *handle);
unsigned char checker_dpi_end(void *handle);
unsigned char checker_dpi_start(void *handle, uint32_t unit, uint32_t group_x, uint32_t group_y,
                                uint32_t group_z, uint32_t first_item);
uint32_t checker_dpi_pc(void *handle, uint32_t unit, uint32_t thread);
uint32_t checker_dpi_register(void *handle, uint32_t unit, uint32_t thread, uint32_t number);
uint32_t checker_dpi_read(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes);
void checker_dpi_write(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes, uint32_t data);
uint32_t checker_dpi_coprocessor(void *handle, uint32_t unit, uint32_t thread, uint32_t instruction);
void checker_dpi_value(void *handle, uint32_t unit, uint32_t number, const uint32_t *words);
void checker_dpi_address(void *handle, uint32_t unit, const uint32_t *words);
void checker_dpi_data(void *handle, uint32_t unit, const uint32_t *words);
unsigned char checker_dpi_commit(void *handle, uint32_t unit, uint32_t pc, uint64_t mask, uint64_t passed,
                                 uint32_t kind, uint32_t instructions);
uint64_t checker_dpi_commits(void *handle);
uint32_t checker_dpi_unit(void *handle);
uint32_t checker_dpi_rewind(void *handle, uint32_t instructions);
void checker_dpi_print(void *handle, uint32_t instructions);

static bool told(bool succeeded) {
    if (!succeeded) fprintf(stderr, "lockstep: %s\n", lockstep_error());
    return succeeded;
}

static struct lockstep_checker *checker(void *handle) {
    return handle ? ((struct commit_dpi *)handle)->checker : NULL;
}

/* --- programs --- */

static char **running_words; /* words of the running program; at most one runs in a process */

unsigned char reference_dpi_program(void *handle, const char *command) {
    if (running_words) return told(face_tell("a program runs: reference_dpi_finish()"));
    running_words = words_of(command);
    if (told(lockstep_program(handle, running_words + 1))) return true;
    free(running_words[0]), free(running_words), running_words = NULL;
    return false;
}

unsigned char reference_dpi_launch(void *handle) {
    return lockstep_program_launch(handle);
}

int reference_dpi_finish(void *handle) {
    int status;
    const bool ended = told(lockstep_program_end(handle, &status));
    if (running_words) free(running_words[0]);
    free(running_words), running_words = NULL;
    return ended ? status : -1;
}

/* --- the checker --- */

void *checker_dpi_create(void *machine, uint32_t work_items, uint32_t work_group, uint32_t units) {
    const struct lockstep_range range = {{work_items}, {work_group}};
    struct lockstep_checker *c = lockstep_checker_create(machine, work_items ? &range : NULL, units);
    if (!told(c != NULL)) return NULL;
    const size_t rows = ARM_REGISTERS + 2 + 1 + DATA_ROWS;
    struct commit_dpi *d = calloc(1, sizeof *d);
    require_memory(d);
    d->checker = c;
    require_memory(d->told = calloc(units, sizeof *d->told));
    require_memory(d->rows = calloc(units * rows, ROW_WORDS * sizeof *d->rows));
    for (uint32_t n = 0; n < units; ++n) {
        d->told[n].values = d->rows + n * rows * ROW_WORDS;
        d->told[n].addresses = d->told[n].values + (ARM_REGISTERS + 2) * ROW_WORDS;
        d->told[n].words = d->told[n].addresses + ROW_WORDS;
    }
    return d;
}

void checker_dpi_destroy(void *handle) {
    struct commit_dpi *d = handle;
    if (!d) return;
    lockstep_checker_destroy(d->checker);
    free(d->told);
    free(d->rows);
    free(d);
}

unsigned char checker_dpi_running(void *handle) {
    return lockstep_checker_running(checker(handle));
}

unsigned char checker_dpi_end(void *handle) {
    return told(lockstep_checker_end(checker(handle)));
}

unsigned char checker_dpi_start(void *handle, uint32_t unit, uint32_t group_x, uint32_t group_y,
                                uint32_t group_z, uint32_t first_item) {
    return told(
        lockstep_checker_start(checker(handle), unit, (uint32_t[]){group_x, group_y, group_z}, first_item));
}

uint32_t checker_dpi_pc(void *handle, uint32_t unit, uint32_t thread) {
    return lockstep_checker_pc(checker(handle), unit, thread);
}

uint32_t checker_dpi_register(void *handle, uint32_t unit, uint32_t thread, uint32_t number) {
    return lockstep_checker_register(checker(handle), unit, thread, number);
}

static uint8_t *memory(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes) {
    if (size_bytes != 1 && size_bytes != 2 && size_bytes != 4) {
        told(face_tell("an access has 1, 2 or 4 bytes, not %u", size_bytes));
        return NULL;
    }
    return lockstep_checker_memory(checker(handle), unit, address, size_bytes);
}

uint32_t checker_dpi_read(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes) {
    const uint8_t *at = memory(handle, unit, address, size_bytes);
    uint32_t word = 0;
    if (at) memcpy(&word, at, size_bytes);
    return word;
}

void checker_dpi_write(void *handle, uint32_t unit, uint32_t address, uint32_t size_bytes, uint32_t data) {
    uint8_t *at = memory(handle, unit, address, size_bytes);
    if (at) memcpy(at, &data, size_bytes);
}

uint32_t checker_dpi_coprocessor(void *handle, uint32_t unit, uint32_t thread, uint32_t instruction) {
    return lockstep_checker_coprocessor(checker(handle), unit, thread, instruction);
}

/* --- commits --- */

static struct told *next_of(void *handle, uint32_t unit) {
    struct commit_dpi *d = handle;
    if (d && unit < d->checker->units) return &d->told[unit];
    told(face_tell("there is no unit %u of a checker", unit));
    return NULL;
}

void checker_dpi_value(void *handle, uint32_t unit, uint32_t number, const uint32_t *words) {
    struct told *t = next_of(handle, unit);
    if (!t || (number > LOCKSTEP_FPSCR && !told(face_tell("there is no register %u", number)))) return;
    t->destinations |= UINT64_C(1) << number;
    memcpy(&t->values[number * ROW_WORDS], words, checker(handle)->threads * sizeof *words);
}

void checker_dpi_address(void *handle, uint32_t unit, const uint32_t *words) {
    struct told *t = next_of(handle, unit);
    if (!t) return;
    t->has_addresses = true;
    memcpy(t->addresses, words, checker(handle)->threads * sizeof *words);
}

void checker_dpi_data(void *handle, uint32_t unit, const uint32_t *words) {
    struct told *t = next_of(handle, unit);
    if (!t || (t->data == DATA_ROWS && !told(face_tell("a store has at most %u words", DATA_ROWS)))) return;
    memcpy(&t->words[t->data++ * checker(handle)->threads], words, checker(handle)->threads * sizeof *words);
}

/* Compacts the rows of written registers in place: lowest register first, without gaps. A row only moves to a
 * lower index. */
static const uint32_t *rows_of(const struct told *t, unsigned threads) {
    uint32_t *to = t->values;
    for (uint64_t rest = t->destinations; rest; rest &= rest - 1, to += threads)
        memmove(to, &t->values[(size_t)__builtin_ctzll(rest) * ROW_WORDS], threads * sizeof *to);
    return t->values;
}

unsigned char checker_dpi_commit(void *handle, uint32_t unit, uint32_t pc, uint64_t mask, uint64_t passed,
                                 uint32_t kind, uint32_t instructions) {
    struct told *t = next_of(handle, unit);
    if (!t) return false;
    const struct lockstep_committed c = {.unit = unit,
                                         .pc = pc,
                                         .mask = mask,
                                         .passed = passed,
                                         .kind = kind,
                                         .instructions = instructions,
                                         .destinations = t->destinations,
                                         .values = rows_of(t, checker(handle)->threads),
                                         .addresses = t->has_addresses ? t->addresses : NULL,
                                         .data = t->data ? t->words : NULL};
    t->destinations = t->data = t->has_addresses = 0;
    return told(lockstep_commit(checker(handle), &c, 1));
}

uint64_t checker_dpi_commits(void *handle) {
    return lockstep_commits(checker(handle));
}

uint32_t checker_dpi_unit(void *handle) {
    struct lockstep_difference d = {0};
    lockstep_checker_difference(checker(handle), &d);
    return d.unit;
}

uint32_t checker_dpi_rewind(void *handle, uint32_t instructions) {
    return lockstep_checker_rewind(checker(handle), instructions);
}

void checker_dpi_print(void *handle, uint32_t instructions) {
    char text[16384];
    if (!told(lockstep_checker_print(checker(handle), instructions, text, sizeof text))) return;
    fputs(text, stdout);
    fflush(stdout);
}
