/* Timelines in the format of LWTR4SC's transaction recordings (FTR), which SCViewer and Surfer read: CBOR
 * (RFC 8949), in chunks. A warp or core is a stream, its kind of activity a generator, an instruction a
 * transaction. */
#include "recording/timeline.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 65536 /* a chunk of transactions ends beyond this size */
#define PICOSECONDS 12    /* times are in units of 10^-12 seconds */

enum major { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG };

enum tag {
    TAG_TIME = 1,
    TAG_INFO = 6,
    TAG_DICTIONARY = 9, /* compressed, like the next three */
    TAG_DIRECTORY = 11,
    TAG_TRANSACTIONS = 13,
    TAG_RELATIONS = 15,
    TAG_STREAM = 16,
    TAG_GENERATOR = 17,
    TAG_SELF_DESCRIBED = 55799
};
enum { TAG_STAMPS = 6, TAG_AT_BEGIN = 7 }; /* tags of a transaction */
enum { TYPE_UNSIGNED = 3, TYPE_STRING = 10 };

/* Numbers of strings; names of streams and texts of instructions follow. */
enum {
    NAME_NONE,
    NAME_STREAM,
    NAME_INSTRUCTION,
    NAME_LINE,
    NAME_PC,
    NAME_THREADS,
    NAME_PASSED,
    NAME_BARRIER,
    NAMES
};
static const char *const names[NAMES] = {"",   "warp or core", "instruction", "line",
                                         "pc", "threads",      "passed",      "barrier"};

struct ftr {
    const struct timeline *t;
    FILE *out;
    size_t places; /* number of streams */
    size_t *first; /* number of each code's first string, after those of the streams */
};

static void put_head(FILE *out, enum major major, uint64_t value) {
    const unsigned bytes = value < 24            ? 0
                           : value <= UINT8_MAX  ? 1
                           : value <= UINT16_MAX ? 2
                           : value <= UINT32_MAX ? 4
                                                 : 8;
    fputc((int)((unsigned)major << 5 | (!bytes ? (unsigned)value : 24 + (unsigned)__builtin_ctz(bytes))),
          out);
    for (unsigned n = bytes; n-- > 0;) fputc((int)(value >> 8 * n & 255), out);
}

static void put(FILE *out, uint64_t value) {
    put_head(out, UNSIGNED, value);
}

static void put_text(FILE *out, const char *text) {
    put_head(out, TEXT, strlen(text));
    fputs(text, out);
}

/* An array of any length begins, or ends. */
static void begin_array(FILE *out) {
    fputc(ARRAY << 5 | 31, out);
}

static void end_array(FILE *out) {
    fputc(255, out);
}

/* Writes a compressed chunk, after `count` parameters. */
static void put_chunk(FILE *out, enum tag tag, const uint64_t *parameter, unsigned count, const char *bytes,
                      size_t size) {
    const int room = LZ4_compressBound((int)size);
    char *packed = malloc((size_t)room);
    require_memory(packed);
    const int used = LZ4_compress_default(bytes, packed, (int)size, room);
    invariant(used > 0, "LZ4 has no room for %zu bytes", size);
    put_head(out, TAG, tag);
    put_head(out, ARRAY, count + 2);
    for (unsigned n = 0; n < count; ++n) put(out, parameter[n]);
    put(out, size);
    put_head(out, BYTES, (uint64_t)used);
    fwrite(packed, 1, (size_t)used, out);
    free(packed);
}

/* Memory that a chunk is written into. */
struct chunk {
    FILE *out;
    char *bytes;
    size_t size;
    uint64_t first, last; /* times of its transactions */
};

static void chunk_begin(struct chunk *c) {
    c->out = open_memstream(&c->bytes, &c->size);
    require_memory(c->out);
    c->first = UINT64_MAX;
    c->last = 0;
}

static void chunk_end(struct chunk *c, FILE *out, enum tag tag, const uint64_t *parameter, unsigned count) {
    fclose(c->out);
    put_chunk(out, tag, parameter, count, c->bytes, c->size);
    free(c->bytes);
}

/* --- head, strings, streams --- */

static void put_info(FILE *out) {
    char *bytes;
    size_t size;
    FILE *info = open_memstream(&bytes, &size);
    require_memory(info);
    put_head(info, ARRAY, 2);
    put_head(info, NEGATIVE, PICOSECONDS - 1);
    put_head(info, TAG, TAG_TIME);
    put(info, 0); /* no date: equal recordings give equal files */
    fclose(info);
    put_head(out, TAG, TAG_INFO);
    put_head(out, BYTES, size);
    fwrite(bytes, 1, size, out);
    free(bytes);
}

/* Writes the names of streams, by their place in the whole machine. */
static void put_stream_names(const struct ftr *f, FILE *out) {
    const struct recording *r = f->t->recording;
    size_t place = 0;
    for (size_t u = 0; u < r->unit_count; ++u)
        for (unsigned n = 0; n < r->units[u].warps + r->units[u].cores; ++n) {
            const bool core = n >= r->units[u].warps;
            char name[64];
            snprintf(name, sizeof name, "%s.%s%u", r->units[u].name, core ? "core" : "warp",
                     core ? n - r->units[u].warps : n);
            put(out, NAMES + place++);
            put_text(out, name);
        }
}

static void put_dictionary(struct ftr *f) {
    const struct recording *r = f->t->recording;
    struct chunk c;
    size_t count = NAMES + f->places;
    f->first = calloc(r->code_count + 1, sizeof *f->first);
    require_memory(f->first);
    for (size_t n = 0; n < r->code_count; ++n) {
        f->first[n] = count;
        count += r->codes[n].count;
    }
    chunk_begin(&c);
    put_head(c.out, MAP, count);
    for (size_t n = 0; n < NAMES; ++n) {
        put(c.out, n);
        put_text(c.out, names[n]);
    }
    put_stream_names(f, c.out);
    for (size_t n = 0; n < r->code_count; ++n)
        for (uint32_t i = 0; i < r->codes[n].count; ++i) {
            put(c.out, f->first[n] + i);
            put_text(c.out, r->codes[n].text[i]);
        }
    chunk_end(&c, f->out, TAG_DICTIONARY, NULL, 0);
}

/* Numbers of streams and generators begin with 1, and are those of the places + 1. */
static void put_directory(const struct ftr *f) {
    struct chunk c;
    chunk_begin(&c);
    begin_array(c.out);
    for (size_t n = 0; n < f->places; ++n) {
        put_head(c.out, TAG, TAG_STREAM);
        put_head(c.out, ARRAY, 3);
        put(c.out, n + 1);
        put(c.out, NAMES + n);
        put(c.out, NAME_STREAM);
        put_head(c.out, TAG, TAG_GENERATOR);
        put_head(c.out, ARRAY, 3);
        put(c.out, f->places + n + 1);
        put(c.out, NAME_INSTRUCTION);
        put(c.out, n + 1);
    }
    end_array(c.out);
    chunk_end(&c, f->out, TAG_DIRECTORY, NULL, 0);
}

/* --- transactions --- */

static void put_attribute(FILE *out, unsigned name, unsigned type, uint64_t value) {
    put_head(out, TAG, TAG_AT_BEGIN);
    put_head(out, ARRAY, 3);
    put(out, name);
    put(out, type);
    put(out, value);
}

/* Returns the number of an instruction's text. */
static size_t text_of(const struct ftr *f, const struct recording_code *code, uint32_t pc) {
    const size_t n = code ? (size_t)(code - f->t->recording->codes) : 0;
    const uint32_t i = code && pc >= code->base ? (pc - code->base) / 4 : UINT32_MAX;
    return code && i < code->count ? f->first[n] + i : NAME_NONE;
}

static void put_item(const struct ftr *f, struct chunk *c, size_t number) {
    const struct timeline_item *i = &f->t->item[number];
    const struct record *x = &i->record;
    const struct recording_launch *l = recording_launch_at(f->t->recording, x->cycle);
    const struct recording_code *code = l ? l->code : NULL;
    const uint64_t first = recording_time(f->t->recording, x->cycle),
                   last = recording_time(f->t->recording, timeline_end(x));
    const bool flight = x->kind == RECORD_FLIGHT;
    put_head(c->out, ARRAY, flight ? 6 : 5);
    put_head(c->out, TAG, TAG_STAMPS);
    put_head(c->out, ARRAY, 4);
    put(c->out, number + 1);
    put(c->out, f->places + i->place + 1);
    put(c->out, first);
    put(c->out, last);
    put_attribute(c->out, NAME_INSTRUCTION, TYPE_STRING, text_of(f, code, x->pc));
    put_attribute(c->out, NAME_LINE, TYPE_UNSIGNED, recording_line(code, x->pc));
    put_attribute(c->out, NAME_PC, TYPE_UNSIGNED, x->pc);
    put_attribute(c->out, NAME_THREADS, TYPE_UNSIGNED, flight ? x->threads : 1);
    if (flight) put_attribute(c->out, NAME_PASSED, TYPE_UNSIGNED, x->passed);
    if (first < c->first) c->first = first;
    if (last > c->last) c->last = last;
}

/* Writes the items of a stream, in chunks. `order` has their numbers. */
static void put_stream(const struct ftr *f, size_t place, const uint32_t *order, size_t count) {
    struct chunk c;
    for (size_t n = 0; n < count;) {
        chunk_begin(&c);
        begin_array(c.out);
        for (; n < count && ftell(c.out) < CHUNK_BYTES; ++n) put_item(f, &c, order[n]);
        end_array(c.out);
        chunk_end(&c, f->out, TAG_TRANSACTIONS, (uint64_t[]){place + 1, c.first, c.last}, 3);
    }
}

/* Sorts items by stream, each in the order of cycles, and writes them. */
static void put_transactions(const struct ftr *f) {
    const struct timeline *t = f->t;
    size_t *from = calloc(f->places + 2, sizeof *from);
    uint32_t *order = malloc((t->count + 1) * sizeof *order);
    require_memory(from && order);
    for (size_t n = 0; n < t->count; ++n) ++from[t->item[n].place + 2];
    for (size_t p = 1; p <= f->places; ++p) from[p + 1] += from[p];
    for (size_t n = 0; n < t->count; ++n) order[from[t->item[n].place + 1]++] = (uint32_t)n;
    for (size_t p = 0; p < f->places; ++p) put_stream(f, p, order + from[p], from[p + 1] - from[p]);
    free(order);
    free(from);
}

static void put_relation(const struct timeline *t, const struct timeline_item *from,
                         const struct timeline_item *to, void *context) {
    FILE *out = context;
    put_head(out, ARRAY, 5);
    put(out, NAME_BARRIER);
    put(out, (uint64_t)(from - t->item) + 1);
    put(out, (uint64_t)(to - t->item) + 1);
    put(out, from->place + UINT64_C(1));
    put(out, to->place + UINT64_C(1));
}

static void put_relations(const struct ftr *f) {
    struct chunk c;
    chunk_begin(&c);
    begin_array(c.out);
    timeline_flows(f->t, put_relation, c.out);
    end_array(c.out);
    chunk_end(&c, f->out, TAG_RELATIONS, NULL, 0);
}

void timeline_ftr(const struct timeline *t, FILE *out) {
    struct ftr f = {.t = t, .out = out, .places = t->places};
    put_head(out, TAG, TAG_SELF_DESCRIBED);
    begin_array(out);
    put_info(out);
    put_dictionary(&f);
    put_directory(&f);
    put_transactions(&f);
    put_relations(&f);
    end_array(out);
    free(f.first);
}
