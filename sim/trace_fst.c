/* The tracer's FST file, through libfst (fstapi). */
#include "sim/part.h"
#include "sim/trace_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstapi.h>

enum {
    HIERARCHY_BYTES = 32
}; /* that an item takes at most in libfst's file of declarations, without names */

/* libfst calls this function for fopen() (Makefile). It first removes a file of that name, so that the new
 * one follows no link. Started programs do not inherit it. */
FILE *trace_fst_fopen(const char *path, const char *mode);
FILE *trace_fst_fopen(const char *path, const char *mode) {
    char more[8];
    snprintf(more, sizeof more, "%s%s", mode, *mode == 'w' ? "xe" : "e");
    FILE *f = fopen(path, more);
    if (f && *mode == 'w') part_lock(fileno(f));
    return f;
}

static bool open_file(struct trace *t, struct error *e) {
    static const enum fstWriterPackType pack[] = {
        [TRACE_LZ4] = FST_WR_PT_LZ4, [TRACE_FASTLZ] = FST_WR_PT_FASTLZ, [TRACE_ZLIB] = FST_WR_PT_ZLIB};
    t->file = fstWriterCreate(t->part, 1);
    if (!t->file) {
        error_set(e, EXIT_USER, "cannot write the trace '%s' or its temporary files: %s", t->path,
                  strerror(errno));
        unlink(t->part);
        return false;
    }
    fstWriterSetPackType(t->file, pack[t->options.packing]);
    fstWriterSetTimescale(t->file, -12);
    fstWriterSetDate(t->file, "Thu Jan  1 00:00:00 1970");
    fstWriterSetVersion(t->file, "Lockstep");
    return true;
}

static void set_scope(struct trace *t, const char *name) {
    t->hierarchy_bytes += HIERARCHY_BYTES + (name ? strlen(name) : 0);
    if (name)
        fstWriterSetScope(t->file, FST_ST_VCD_MODULE, name, NULL);
    else
        fstWriterSetUpscope(t->file);
}

static uint32_t add_enumeration(struct trace *t, const char *type, unsigned width, unsigned count,
                                const char *const *names) {
    const char **values = calloc(count, sizeof *values);
    require_memory(values);
    for (unsigned i = 0; i < count; i++) {
        char digits[73] = {0};
        values[i] = trace_format_string("%.*s", (int)width, trace_digits(i, width, digits));
        t->hierarchy_bytes += 4 * strlen(names[i]) + width + 2; /* an escaped character takes 4 bytes */
    }
    const uint32_t handle =
        fstWriterCreateEnumTable(t->file, type, count, width, (const char **)names, values);
    for (unsigned i = 0; i < count; i++) free((char *)values[i]);
    free(values);
    t->hierarchy_bytes += HIERARCHY_BYTES + strlen(type);
    return handle;
}

static uint32_t declare(struct trace *t, const char *name, unsigned width, enum trace_format format,
                        uint32_t enumeration) {
    t->hierarchy_bytes += 2 * HIERARCHY_BYTES + strlen(name);
    if (enumeration) fstWriterEmitEnumTableRef(t->file, enumeration);
    switch (format) {
    case TRACE_STRING: return fstWriterCreateVar(t->file, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name, 0);
    case TRACE_REAL: return fstWriterCreateVar(t->file, FST_VT_VCD_REAL, FST_VD_IMPLICIT, 64, name, 0);
    case TRACE_EVENT: return fstWriterCreateVar(t->file, FST_VT_VCD_EVENT, FST_VD_IMPLICIT, 1, name, 0);
    default: return fstWriterCreateVar(t->file, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
    }
}

/* Returns whether the file can have that many bytes, for a moment. */
static bool has_room(const struct trace *t, FILE *probe, const char *where, uint64_t bytes, struct error *e) {
    const int failed = probe ? posix_fallocate(fileno(probe), 0, (off_t)bytes) : errno;
    if (probe) fclose(probe);
    if (!failed) return true;
    return error_set(
        e, EXIT_USER,
        "cannot write the trace '%s': its temporary files need %lu bytes %s: %s; make room there, "
        "or trace less",
        t->path, bytes, where, strerror(failed));
}

/* libfst maps its temporary files into memory: if they cannot grow, the process would get a SIGBUS. */
static bool begin_fst(struct trace *t, struct error *e) {
    uint64_t tables = 10 * ((uint64_t)t->options.flush_changes + 32 * t->variable_count); /* bytes of the
                                                                                             tables of times
                                                                                             */
    for (size_t v = 0; v < t->variable_count; v++) tables += 16 + t->declarations[v].width;
    if (!has_room(t, tmpfile(), "under /tmp", tables, e)) return false;
    char *path = trace_format_string("%s.probe", t->part);
    const bool ok = has_room(t, fopen(path, "wxe"), "beside it", t->hierarchy_bytes, e);
    unlink(path);
    free(path);
    return ok;
}

static void set_time(struct trace *t, sim_time at) {
    fstWriterEmitTimeChange(t->file, at);
}

static void write_number(struct trace *t, uint32_t handle, unsigned width, uint64_t value) {
    char digits[72];
    fstWriterEmitValueChange(t->file, handle, trace_digits(value, width, digits));
}

static void write_real(struct trace *t, uint32_t handle, double value) {
    fstWriterEmitValueChange(t->file, handle, &value);
}

static void write_instant(struct trace *t, uint32_t handle) {
    fstWriterEmitValueChange(t->file, handle, "1");
}

static void write_text(struct trace *t, uint32_t handle, const char *value, uint32_t length) {
    fstWriterEmitVariableLengthValueChange(t->file, handle, value, length);
}

static void write_wide(struct trace *t, uint32_t handle, unsigned width, const uint64_t *words) {
    char *digits = malloc((size_t)width + 64);
    require_memory(digits);
    fstWriterEmitValueChange(t->file, handle, trace_wide_digits(words, width, digits));
    free(digits);
}

static void set_active(struct trace *t, bool on) {
    fstWriterEmitDumpActive(t->file, on);
}

static void flush(struct trace *t) {
    fstWriterFlushContext(t->file);
}

static void close_file(struct trace *t) {
    fstWriterClose(t->file);
}

/* fstapi reports no write error, but a truncated file is not a chain of finished blocks. */
static bool is_whole(const struct trace *t) {
    FILE *f = fopen(t->part, "rbe");
    if (!f) return false;
    struct stat status;
    bool ok = !fstat(fileno(f), &status);
    off_t at = 0;
    bool hierarchy = false;
    while (ok && at < status.st_size) {
        unsigned char head[9] = {0};
        ok = !fseeko(f, at, SEEK_SET) && fread(head, sizeof head, 1, f) == 1 && head[0] != FST_BL_SKIP;
        off_t length = 0;
        for (int i = 1; i < 9; i++) length = length << 8 | head[i];
        ok = ok && length > 0 && length < status.st_size - at;
        hierarchy |= head[0] == FST_BL_HIER || head[0] == FST_BL_HIER_LZ4 || head[0] == FST_BL_HIER_LZ4DUO;
        at += 1 + length;
    }
    fclose(f);
    return ok && hierarchy && at == status.st_size;
}

const struct trace_writer trace_fst = {
    .open = open_file,
    .scope = set_scope,
    .enumeration = add_enumeration,
    .declare = declare,
    .begin = begin_fst,
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
