/* The tracer's VCD file (IEEE 1364-2005, 18.2), with GTKWave's strings. */
#include "sim/part.h"
#include "sim/trace_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fstapi.h>

enum { CODES = 94, CODE_SIZE = 4, BUFFER_SIZE = 1 << 16 };

/* Copies a variable's code: its handle holds up to four characters, the first lowest. */
static char *put_code(char *out, uint32_t handle) {
    for (; handle; handle >>= 8) *out++ = (char)(handle & 0xff);
    return out;
}

static void put_bytes(struct trace *t, const void *bytes, size_t count) {
    t->file_failed |= fwrite_unlocked(bytes, 1, count, t->file) != count;
}

static void put_text(struct trace *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_text(struct trace *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->file_failed |= vfprintf(t->file, format, arguments) < 0;
    va_end(arguments);
}

static bool open_file(struct trace *t, struct error *e) {
    t->file = fopen(t->part, "we");
    if (!t->file) return error_set(e, EXIT_USER, "cannot write the trace '%s': %s", t->path, strerror(errno));
    part_lock(fileno(t->file));
    setvbuf(t->file, NULL, _IOFBF, BUFFER_SIZE);
    put_text(t, "$version Lockstep $end\n$timescale 1ps $end\n");
    return true;
}

static void set_scope(struct trace *t, const char *name) {
    if (name)
        put_text(t, "$scope module %s $end\n", name);
    else
        put_text(t, "$upscope $end\n");
}

static uint32_t add_enumeration(struct trace *t, const char *type, unsigned width, unsigned count,
                                const char *const *names) {
    (void)width;
    put_text(t, "$comment %s:", type);
    for (unsigned i = 0; i < count; i++) {
        put_text(t, "%s %u ", i ? "," : "", i);
        for (const char *c = names[i]; *c; c++) put_text(t, "%c", *c == '$' ? '_' : *c);
    }
    put_text(t, " $end\n");
    return 1;
}

static uint32_t declare(struct trace *t, const char *name, unsigned width, enum trace_format format,
                        uint32_t enumeration) {
    (void)enumeration;
    uint32_t handle = 0, number = (uint32_t)t->variable_count - 1;
    invariant(number < CODES * CODES * CODES * CODES, "trace: too many variables for VCD");
    char code[CODE_SIZE + 1];
    for (int shift = 0; !shift || number; shift += 8, number /= CODES)
        handle |= ('!' + number % CODES) << shift;
    *put_code(code, handle) = 0;
    switch (format) {
    case TRACE_STRING: put_text(t, "$var string 1 %s %s $end\n", code, name); break;
    case TRACE_REAL: put_text(t, "$var real 64 %s %s $end\n", code, name); break;
    case TRACE_EVENT: put_text(t, "$var event 1 %s %s $end\n", code, name); break;
    default:
        put_text(t, width > 1 ? "$var wire %u %s %s [%u:0] $end\n" : "$var wire %u %s %s $end\n", width, code,
                 name, width - 1);
    }
    return handle;
}

static bool begin_vcd(struct trace *t, struct error *e) {
    (void)e;
    for (const char *c = t->scope; *c; c = strchrnul(c + 1, '.')) set_scope(t, NULL);
    put_text(t, "$enddefinitions $end\n");
    return true;
}

static void set_time(struct trace *t, sim_time at) {
    char digits[24], *p = digits + sizeof digits;
    *--p = '\n';
    do *--p = (char)('0' + at % 10);
    while (at /= 10);
    *--p = '#';
    put_bytes(t, p, (size_t)(digits + sizeof digits - p));
}

/* Writes as few digits as are needed; without a 'b' for a single bit. */
static void write_bits(struct trace *t, const char *digits, unsigned width, uint32_t handle) {
    char end[CODE_SIZE + 2], *p = end;
    const char *first = digits, *last = digits + width - 1;
    while (first < last && *first == '0') first++;
    if (width > 1) {
        put_bytes(t, "b", 1);
        *p++ = ' ';
    }
    put_bytes(t, first, (size_t)(last + 1 - first));
    p = put_code(p, handle);
    *p++ = '\n';
    put_bytes(t, end, (size_t)(p - end));
}

static void write_number(struct trace *t, uint32_t handle, unsigned width, uint64_t value) {
    char digits[72];
    write_bits(t, trace_digits(value, width, digits), width, handle);
}

static const char *code_text(uint32_t handle, char code[CODE_SIZE + 1]) {
    *put_code(code, handle) = 0;
    return code;
}

static void write_real(struct trace *t, uint32_t handle, double value) {
    char code[CODE_SIZE + 1];
    put_text(t, "r%.17g %s\n", value, code_text(handle, code));
}

static void write_instant(struct trace *t, uint32_t handle) {
    char code[CODE_SIZE + 1];
    put_text(t, "1%s\n", code_text(handle, code));
}

static void write_text(struct trace *t, uint32_t handle, const char *value, uint32_t length) {
    char code[CODE_SIZE + 1];
    unsigned char *escaped = malloc(4 * (size_t)length + 1);
    require_memory(escaped);
    const int size = fstUtilityBinToEsc(escaped, (const unsigned char *)value, (int)length);
    put_text(t, "s%.*s %s\n", size, (const char *)escaped, code_text(handle, code));
    free(escaped);
}

static void write_wide(struct trace *t, uint32_t handle, unsigned width, const uint64_t *words) {
    char *digits = malloc((size_t)width + 64);
    require_memory(digits);
    write_bits(t, trace_wide_digits(words, width, digits), width, handle);
    free(digits);
}

/* Makes bits unknown between windows; VCD has no unknown reals and strings. */
static void set_active(struct trace *t, bool on) {
    put_text(t, on ? "$dumpon $end\n" : "$dumpoff\n");
    if (on) return;
    for (size_t v = 0; v < t->variable_count; v++) {
        char code[CODE_SIZE + 1];
        if (t->declarations[v].format <= TRACE_ENUM)
            put_text(t, t->declarations[v].width > 1 ? "bx %s\n" : "x%s\n",
                     code_text(t->states[v].handle, code));
    }
    put_text(t, "$end\n");
}

static void flush(struct trace *t) {
    t->file_failed |= fflush(t->file) != 0;
}

static void close_file(struct trace *t) {
    if (!t->started) begin_vcd(t, NULL);
    t->file_failed |= fclose(t->file) != 0;
}

static bool is_whole(const struct trace *t) {
    return !t->file_failed;
}

const struct trace_writer trace_vcd = {
    .open = open_file,
    .scope = set_scope,
    .enumeration = add_enumeration,
    .declare = declare,
    .begin = begin_vcd,
    .time = set_time,
    .active = set_active,
    .flush = flush,
    .number = write_number,
    .real = write_real,
    .instant = write_instant,
    .text = write_text,
    .wide = write_wide,
    .close = close_file,
    .whole = is_whole,
};
