#include "runtime/printf_text.h"

#include "abi/printf_buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHARACTERS = 4095, MOST_ELEMENTS = 16 };

struct record {
    uint32_t global_id[3], offset; /* ids of the work-item; offset of the arguments in the buffer */
    const char *format;
    const uint8_t *sizes; /* bytes of each argument, zero-terminated */
};

struct reader {
    const struct image *image;
    const uint8_t *buffer;
    FILE *out;
};

static uint32_t word_at(const uint8_t *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint32_t in_words(uint32_t bytes) {
    return (bytes + 3) & ~3u;
}

/* Returns a zero-terminated constant of the program, or NULL if there is none at this address. */
static const char *constant_text(const struct image *i, uint32_t address) {
    if (address < i->code_base || address - i->code_base >= i->code_bytes) return NULL;
    const char *text = (const char *)i->code + (address - i->code_base);
    return memchr(text, 0, i->code_bytes - (address - i->code_base)) ? text : NULL;
}

/* --- records --- */

/* Reads a record. Returns its size in bytes, or 0 if it is no record. */
static uint32_t read_record(const struct reader *r, uint32_t offset, uint32_t end, struct record *record) {
    if (end - offset < 4 * PRINTF_ARGUMENTS) return 0;
    const uint8_t *words = r->buffer + offset;
    *record =
        (struct record){.offset = offset + 4 * PRINTF_ARGUMENTS,
                        .format = constant_text(r->image, word_at(words + 4 * PRINTF_FORMAT)),
                        .sizes = (const uint8_t *)constant_text(r->image, word_at(words + 4 * PRINTF_SIZES))};
    memcpy(record->global_id, words + 4 * PRINTF_GLOBAL_ID, sizeof record->global_id);
    if (!record->format || !record->sizes) return 0;
    uint32_t bytes = 4 * PRINTF_ARGUMENTS;
    for (const uint8_t *size = record->sizes; *size && bytes <= PRINTF_RECORD_BYTES; size++)
        bytes += in_words(*size);
    return bytes <= end - offset ? bytes : 0;
}

static int compare_records(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    for (int d = 2; d >= 0; d--)
        if (x->global_id[d] != y->global_id[d]) return x->global_id[d] < y->global_id[d] ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* --- conversions: %[flags][width][.precision][vn][length]conversion --- */

/* %[flags][width][.precision][vn][length]conversion */
struct conversion {
    char head[32]; /* '%', flags, width and precision, in the host's form */
    char letter;
    unsigned elements;     /* elements of a vector; 0: no vector */
    unsigned length_bytes; /* bytes of an element by the length modifier; 0: none given */
    size_t characters;     /* length of the conversion in the format */
};

/* Reads a number of at most 4 digits, at most MOST_CHARACTERS. Copies its digits to *head. */
static bool read_number(const char **p, char **head) {
    unsigned value = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++) {
        value = 10 * value + (unsigned)(**p - '0');
        if (value > MOST_CHARACTERS) return false;
        *(*head)++ = **p;
        if (value == 0) (*head)--; /* leading zeros of a precision */
    }
    return true;
}

static bool read_elements(const char **p, struct conversion *c) {
    static const unsigned counts[] = {16, 2, 3, 4, 8};
    if (**p != 'v') return true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char digits[4];
        const int n = snprintf(digits, sizeof digits, "%u", counts[i]);
        if (strncmp(*p + 1, digits, (size_t)n)) continue;
        c->elements = counts[i];
        *p += 1 + n;
        return true;
    }
    return false;
}

static void read_length(const char **p, struct conversion *c) {
    static const struct {
        const char *text;
        unsigned bytes;
    } lengths[] = {{"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8}, {"l", 8}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = strlen(lengths[i].text);
        if (strncmp(*p, lengths[i].text, n)) continue;
        c->length_bytes = lengths[i].bytes;
        *p += n;
        return;
    }
}

/* Reads the conversion that begins with the '%' at p. */
static bool read_conversion(const char *format, struct conversion *c) {
    const char *p = format + 1;
    char *head = c->head;
    *c = (struct conversion){0};
    *head++ = '%';
    for (; *p && strchr("-+ #0", *p); p++)
        if (!memchr(c->head, *p, (size_t)(head - c->head))) *head++ = *p;
    if (!read_number(&p, &head)) return false;
    if (*p == '.') {
        *head++ = *p++;
        if (!read_number(&p, &head)) return false;
    }
    if (!read_elements(&p, c)) return false;
    read_length(&p, c);
    c->letter = *p;
    c->characters = (size_t)(p + 1 - format);
    if (!*p || !strchr(c->elements ? "diouxXfFeEgGaA" : "diouxXfFeEgGaAcsp%", *p)) return false;
    if (strchr("csp", *p) && c->length_bytes) return false;
    return *p != '%' || c->characters == 2;
}

static bool is_floating(const struct conversion *c) {
    return strchr("fFeEgGaA", c->letter) != NULL;
}

static bool print_floating(FILE *out, const struct conversion *c, const uint8_t *bytes, unsigned size) {
    char spec[40];
    float single;
    double value;
    if (size != 4 && size != 8) return false;
    memcpy(&single, bytes, sizeof single);
    if (size == 8)
        memcpy(&value, bytes, sizeof value);
    else
        value = (double)single;
    snprintf(spec, sizeof spec, "%s%c", c->head, c->letter);
    fprintf(out, spec, value);
    return true;
}

static bool print_integer(FILE *out, const struct conversion *c, const uint8_t *bytes, unsigned size) {
    char spec[40];
    uint64_t value = 0;
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    memcpy(&value, bytes, size);
    const unsigned unused = 64 - 8 * size;
    if (c->letter == 'd' || c->letter == 'i') value = (uint64_t)((int64_t)(value << unused) >> unused);
    snprintf(spec, sizeof spec, "%sll%c", c->head, c->letter);
    fprintf(out, spec, (long long)value);
    return true;
}

/* Returns the bytes of a vector's elements. clang passes small vectors as whole words, and a vector of three
 * elements as four. */
static unsigned element_bytes(const struct conversion *c, unsigned size) {
    if (c->length_bytes && c->length_bytes * c->elements <= size) return c->length_bytes;
    const unsigned stored = c->elements == 3 && size != 24 ? 4 : c->elements;
    return size / stored;
}

static bool print_vector(FILE *out, const struct conversion *c, const uint8_t *bytes, unsigned size) {
    const unsigned element = element_bytes(c, size);
    if (element == 0 || element > 8 || (element & (element - 1)) != 0) return false;
    if (is_floating(c) && element < 4) return false;
    for (unsigned i = 0; i < c->elements; i++) {
        if (i > 0) fputc(',', out);
        if (is_floating(c))
            print_floating(out, c, bytes + i * element, element);
        else
            print_integer(out, c, bytes + i * element, element);
    }
    return true;
}

static bool print_string(const struct reader *r, const struct conversion *c, uint32_t address) {
    char spec[40];
    const char *text = constant_text(r->image, address);
    if (!text) return false;
    snprintf(spec, sizeof spec, "%ss", c->head);
    fprintf(r->out, spec, text);
    return true;
}

/* Prints %c and %p by a conversion that takes the same flags. */
static bool print_word(FILE *out, const struct conversion *c, uint32_t word) {
    char spec[40];
    snprintf(spec, sizeof spec, "%s%c", c->head, c->letter);
    if (c->letter == 'c')
        fprintf(out, spec, (int)word);
    else
        fprintf(out, spec, (void *)(uintptr_t)word);
    return true;
}

static bool print_argument(const struct reader *r, const struct conversion *c, const uint8_t *bytes,
                           unsigned size) {
    if (size == 0) return false;
    if (c->elements) return print_vector(r->out, c, bytes, size);
    if (is_floating(c)) return size == 8 && print_floating(r->out, c, bytes, size);
    if (strchr("csp", c->letter)) {
        if (size != 4) return false;
        if (c->letter == 's') return print_string(r, c, word_at(bytes));
        return print_word(r->out, c, word_at(bytes));
    }
    /* Integers shorter than an int are passed as one. */
    return print_integer(r->out, c, bytes,
                         c->length_bytes && c->length_bytes < size ? c->length_bytes : size);
}

static void print_record(const struct reader *r, const struct record *record) {
    const uint8_t *argument = r->buffer + record->offset, *size = record->sizes;
    struct conversion c;
    for (const char *p = record->format; *p;) {
        const size_t plain = strcspn(p, "%");
        fwrite(p, 1, plain, r->out);
        p += plain;
        if (!*p) return;
        const bool known = read_conversion(p, &c);
        if (!known) {
            fputc(*p++, r->out);
        } else if (c.letter == '%') {
            fputc('%', r->out);
            p += c.characters;
        } else {
            if (!print_argument(r, &c, argument, *size)) fwrite(p, 1, c.characters, r->out);
            argument += in_words(*size);
            size += *size != 0;
            p += c.characters;
        }
    }
}

/* --- the whole --- */

static struct record *read_records(struct reader *r, struct printf_text *t, size_t *count) {
    const uint32_t said = word_at(r->buffer) & ~PRINTF_LOST;
    const uint32_t used = said < PRINTF_BUFFER_BYTES ? said : PRINTF_BUFFER_BYTES;
    struct record *records = malloc((used / (4 * PRINTF_ARGUMENTS) + 1) * sizeof *records);
    *count = 0;
    if (!records) return NULL;
    for (uint32_t at = 0; at < used && !t->damaged;) {
        const uint32_t bytes = read_record(r, PRINTF_RECORDS + at, PRINTF_RECORDS + used, &records[*count]);
        t->damaged = bytes == 0;
        *count += bytes != 0;
        at += bytes;
    }
    return records;
}

bool printf_text_read(struct printf_text *t, const struct image *i, const uint8_t *buffer) {
    struct reader r = {.image = i, .buffer = buffer};
    size_t count;
    *t = (struct printf_text){.lost = (word_at(buffer) & PRINTF_LOST) != 0};
    struct record *records = read_records(&r, t, &count);
    r.out = records ? open_memstream(&t->bytes, &t->size) : NULL;
    if (r.out) {
        qsort(records, count, sizeof *records, compare_records);
        for (size_t k = 0; k < count; k++) print_record(&r, &records[k]);
    }
    const bool whole = r.out && !ferror(r.out);
    if (r.out && fclose(r.out) == 0 && whole) {
        free(records);
        return true;
    }
    free(records);
    printf_text_free(t);
    return false;
}

void printf_text_free(struct printf_text *t) {
    free(t->bytes);
    t->bytes = NULL;
    t->size = 0;
}
