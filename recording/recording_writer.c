#include "recording/recording_writer.h"

#include "recording/packing.h"
#include "recording/recording_format.h"
#include "sim/part.h"

#include <lz4.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define ROOM 64 /* records of a unit that are packed together, few enough for the host's L1 */

struct unit {
    struct recorder recorder; /* first member, so that `full` finds the unit */
    struct recording_writer *writer;
    unsigned number;
    struct record room[ROOM];
    struct packing packing[2]; /* state for records of the structure; for other records */
    uint8_t bytes[2][RECORDING_CHUNK_BYTES], *end[2];
    char packed[2 * LZ4_COMPRESSBOUND(RECORDING_CHUNK_BYTES)];
    uint32_t records; /* number of records in the chunk */
};

struct recording_writer {
    struct part part;
    pthread_mutex_t mutex; /* protects all fields below */
    uint64_t offset, records;
    struct recording_entry *index;
    size_t entries, entry_room;
    unsigned units;
    struct unit *unit[RECORDING_MAX_UNITS];
};

static void write_bytes(struct recording_writer *w, const void *bytes, size_t count) {
    if (!ferror(w->part.file)) fwrite(bytes, 1, count, w->part.file);
    w->offset += count;
}

static void add_entry(struct recording_writer *w, const struct recording_chunk *chunk) {
    if (w->entries == w->entry_room) {
        w->entry_room = w->entry_room ? 2 * w->entry_room : 64;
        w->index = realloc(w->index, w->entry_room * sizeof *w->index);
        require_memory(w->index);
    }
    w->index[w->entries++] = (struct recording_entry){w->offset, *chunk};
}

/* Packs two blocks, of chunk->bytes each, into `packed`. Returns the bytes that they take there. */
static size_t pack_blocks(struct recording_chunk *chunk, const void *const block[2], char *packed, int room) {
    int used = 0;
    for (unsigned b = 0; b < 2; ++b) {
        const int bytes = (int)chunk->bytes[b];
        const int n = bytes ? LZ4_compress_default(block[b], packed + used, bytes, room - used) : 0;
        invariant(n > 0 || !bytes, "LZ4 has no room for %d bytes", bytes);
        chunk->packed[b] = (uint32_t)n;
        used += n;
    }
    return (size_t)used;
}

/* Adds a chunk of two blocks. `packed` has room for both. */
static void write_chunk(struct recording_writer *w, struct recording_chunk *chunk, const void *const block[2],
                        char *packed, int room) {
    const size_t used = pack_blocks(chunk, block, packed, room);
    chunk->magic = RECORDING_CHUNK_MAGIC;
    chunk->hash = XXH3_64bits(packed, used);
    pthread_mutex_lock(&w->mutex);
    if (chunk->kind != RECORDING_INDEX) add_entry(w, chunk);
    write_bytes(w, chunk, sizeof *chunk);
    write_bytes(w, packed, used);
    fflush(w->part.file);
    w->records += chunk->records;
    pthread_mutex_unlock(&w->mutex);
}

/* Adds a chunk of one block. */
static void write_block(struct recording_writer *w, struct recording_chunk *chunk, const void *block) {
    const int room = LZ4_compressBound((int)chunk->bytes[0]);
    char *packed = malloc((size_t)room + 1);
    require_memory(packed);
    write_chunk(w, chunk, (const void *[]){block, NULL}, packed, room);
    free(packed);
}

static void begin_chunk(struct unit *u) {
    for (unsigned b = 0; b < 2; ++b) {
        packing_reset(&u->packing[b]);
        u->end[b] = u->bytes[b];
    }
    u->records = 0;
}

static void end_chunk(struct unit *u) {
    const struct packing *a = &u->packing[0], *b = &u->packing[1];
    struct recording_chunk chunk = {
        .kind = RECORDING_RECORDS,
        .unit = (uint16_t)u->number,
        .bytes = {(uint32_t)(u->end[0] - u->bytes[0]), (uint32_t)(u->end[1] - u->bytes[1])},
        .records = u->records,
        .first = a->first < b->first ? a->first : b->first,
        .last = a->last > b->last ? a->last : b->last};
    if (u->records)
        write_chunk(u->writer, &chunk, (const void *[]){u->bytes[0], u->bytes[1]}, u->packed,
                    sizeof u->packed);
    begin_chunk(u);
}

static const uint8_t *limit_of(const struct unit *u, unsigned block) {
    return u->bytes[block] + sizeof u->bytes[block] - PACKING_RECORD_BYTES;
}

static void take_records(struct recorder *recorder) {
    struct unit *u = (struct unit *)recorder;
    for (const struct record *r = u->room, *next; r < recorder->next; r = next) {
        const unsigned b = !record_is_structure(r->kind);
        if (u->end[b] > limit_of(u, b)) end_chunk(u);
        next = packing_put_flights(&u->packing[1], r, recorder->next, &u->end[1], limit_of(u, 1));
        if (next == r) u->end[b] = packing_put(&u->packing[b], next++, u->end[b]);
        u->records += (uint32_t)(next - r);
    }
    recorder->next = u->room;
}

static struct unit *create_unit(struct recording_writer *w, unsigned number) {
    struct unit *u = malloc(sizeof *u);
    require_memory(u);
    u->writer = w;
    u->number = number;
    u->recorder =
        (struct recorder){.first = u->room, .next = u->room, .end = u->room + ROOM, .full = take_records};
    begin_chunk(u);
    return u;
}

struct recording_writer *recording_writer_open(const char *path, const json_t *head, unsigned units,
                                               struct error *e) {
    struct part part;
    if (!part_open(&part, path, e)) return NULL;
    struct recording_writer *w = calloc(1, sizeof *w);
    char *text = json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(9));
    require_memory(w && text);
    w->part = part;
    pthread_mutex_init(&w->mutex, NULL);
    struct recording_start start = {.version = RECORDING_VERSION, .head_bytes = (uint32_t)strlen(text)};
    memcpy(start.magic, RECORDING_MAGIC, sizeof start.magic);
    write_bytes(w, &start, sizeof start);
    write_bytes(w, text, start.head_bytes);
    fflush(w->part.file);
    free(text);
    w->units = units < RECORDING_MAX_UNITS ? units : RECORDING_MAX_UNITS;
    for (unsigned n = 0; n < w->units; ++n) w->unit[n] = create_unit(w, n);
    return w;
}

struct recorder *recording_writer_unit(struct recording_writer *w, unsigned unit) {
    return unit < w->units ? &w->unit[unit]->recorder : NULL;
}

void recording_writer_note(struct recording_writer *w, json_t *note) {
    char *text = json_dumps(note, JSON_COMPACT);
    require_memory(text);
    struct recording_chunk chunk = {.kind = RECORDING_NOTE, .bytes = {(uint32_t)strlen(text), 0}};
    write_block(w, &chunk, text);
    free(text);
    json_decref(note);
}

static void release(struct recording_writer *w) {
    for (unsigned n = 0; n < w->units; ++n) free(w->unit[n]);
    pthread_mutex_destroy(&w->mutex);
    free(w->index);
    free(w);
}

bool recording_writer_finish(struct recording_writer *w, uint64_t *records, struct error *e) {
    for (unsigned n = 0; n < w->units; ++n) {
        take_records(&w->unit[n]->recorder);
        end_chunk(w->unit[n]);
    }
    struct recording_end end = {.index = w->offset};
    struct recording_chunk chunk = {.kind = RECORDING_INDEX,
                                    .bytes = {(uint32_t)(w->entries * sizeof *w->index), 0},
                                    .first = w->entries};
    memcpy(end.magic, RECORDING_END_MAGIC, sizeof end.magic);
    write_block(w, &chunk, w->index);
    write_bytes(w, &end, sizeof end);
    *records = w->records;
    const bool good = part_finish(&w->part, e);
    release(w);
    return good;
}

void recording_writer_abandon(struct recording_writer *w) {
    part_abandon(&w->part);
    release(w);
}
