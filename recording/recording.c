#include "recording/recording_parts.h"

#include "recording/packing.h"
#include "recording/recording_format.h"

#include <errno.h>
#include <fcntl.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static bool read_at(const struct recording *r, void *bytes, size_t count, uint64_t offset) {
    return offset + count <= r->bytes && pread(r->fd, bytes, count, (off_t)offset) == (ssize_t)count;
}

static bool damaged(const struct recording *r, uint64_t offset, struct error *e) {
    return error_set(e, EXIT_USER, "%s: the chunk at byte %llu is damaged; record the run again", r->path,
                     (unsigned long long)offset);
}

/* Returns whether a writer may have written the chunk, judged by its own fields. */
static bool is_plausible(const struct recording_chunk *c) {
    const uint32_t most = c->kind == RECORDING_RECORDS ? RECORDING_CHUNK_BYTES : RECORDING_MAX_TEXT;
    for (unsigned b = 0; b < 2; ++b)
        if (c->bytes[b] > most || c->packed[b] > (uint32_t)LZ4_compressBound((int)most)) return false;
    return c->magic == RECORDING_CHUNK_MAGIC && c->kind >= RECORDING_RECORDS && c->kind <= RECORDING_INDEX;
}

/* Unpacks block b of the chunk at an offset, to be freed. Returns NULL if the chunk is damaged. */
static uint8_t *block_of(const struct recording *r, uint64_t offset, const struct recording_chunk *c,
                         unsigned b) {
    const size_t packed_bytes = (size_t)c->packed[0] + c->packed[1];
    char *packed = malloc(packed_bytes + 1), *from = packed + (b ? c->packed[0] : 0);
    uint8_t *block = malloc(c->bytes[b] + (size_t)1);
    require_memory(packed && block);
    const bool good = read_at(r, packed, packed_bytes, offset + sizeof *c) &&
                      XXH3_64bits(packed, packed_bytes) == c->hash &&
                      (!c->bytes[b] || LZ4_decompress_safe(from, (char *)block, (int)c->packed[b],
                                                           (int)c->bytes[b]) == (int)c->bytes[b]);
    free(packed);
    if (good) return block;
    free(block);
    return NULL;
}

/* --- opening --- */

bool recording_is(const char *path) {
    char magic[sizeof RECORDING_MAGIC - 1] = "";
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(magic, 1, sizeof magic, file) : 0;
    if (file) fclose(file);
    return got == sizeof magic && memcmp(magic, RECORDING_MAGIC, sizeof magic) == 0;
}

static bool open_head(struct recording *r, struct error *e) {
    struct recording_start start;
    struct stat file;
    r->fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0 || fstat(r->fd, &file) < 0)
        return error_set(e, EXIT_USER, "%s: %s", r->path, strerror(errno));
    if (!S_ISREG(file.st_mode)) return error_set(e, EXIT_USER, "%s: it is no ordinary file", r->path);
    r->bytes = (uint64_t)file.st_size;
    if (!read_at(r, &start, sizeof start, 0) || memcmp(start.magic, RECORDING_MAGIC, sizeof start.magic) != 0)
        return error_set(e, EXIT_USER,
                         "%s: it is no recording: lockstep run --record FILE.lsr -- PROGRAM makes one",
                         r->path);
    if (start.version != RECORDING_VERSION)
        return error_set(e, EXIT_USER,
                         "%s: its format is version %u, this lockstep reads version %u: record the run again",
                         r->path, start.version, RECORDING_VERSION);
    if (start.head_bytes > RECORDING_MAX_TEXT || start.head_bytes + sizeof start > r->bytes)
        return error_set(e, EXIT_USER, "%s: it ends in its head: the run was killed before it began",
                         r->path);
    char *text = malloc(start.head_bytes + (size_t)1);
    require_memory(text);
    const bool got = read_at(r, text, start.head_bytes, sizeof start);
    r->head = got ? json_loadb(text, start.head_bytes, 0, NULL) : NULL;
    free(text);
    return (r->head && recording_take_head(r)) || error_set(e, EXIT_USER, "%s: its head is damaged", r->path);
}

static void add_chunk(struct recording *r, uint64_t offset, const struct recording_chunk *c) {
    if ((r->chunk_count & (r->chunk_count - 1)) == 0) {
        r->chunks = realloc(r->chunks, (r->chunk_count ? 2 * r->chunk_count : 1) * sizeof *r->chunks);
        require_memory(r->chunks);
    }
    r->chunks[r->chunk_count++] = (struct recording_entry){offset, *c};
}

/* Takes a chunk: lists records, reads a note at once. */
static bool take_chunk(struct recording *r, uint64_t offset, const struct recording_chunk *c) {
    if (!is_plausible(c)) return false;
    if (c->kind == RECORDING_RECORDS) {
        if (c->unit >= r->unit_count) return false;
        add_chunk(r, offset, c);
        r->records += c->records;
        if (c->last >= r->end) r->end = c->last + 1;
        return true;
    }
    uint8_t *text = c->kind == RECORDING_NOTE ? block_of(r, offset, c, 0) : NULL;
    json_t *note = text ? json_loadb((const char *)text, c->bytes[0], 0, NULL) : NULL;
    const bool good = note && recording_take_note(r, note);
    if (note) json_array_append_new(r->notes, note);
    free(text);
    return good;
}

/* Reads the index of a whole file. Returns NULL without one. */
static struct recording_entry *read_index(const struct recording *r, size_t *count) {
    struct recording_end end;
    struct recording_chunk c;
    if (r->bytes < sizeof end || !read_at(r, &end, sizeof end, r->bytes - sizeof end) ||
        memcmp(end.magic, RECORDING_END_MAGIC, sizeof end.magic) != 0 || end.index > r->bytes ||
        !read_at(r, &c, sizeof c, end.index) || !is_plausible(&c) || c.kind != RECORDING_INDEX ||
        c.first * sizeof(struct recording_entry) != c.bytes[0])
        return NULL;
    struct recording_entry *index = (struct recording_entry *)block_of(r, end.index, &c, 0);
    *count = index ? c.first : 0;
    return index;
}

/* Lists the chunks of a file without an index, up to the last whole one. */
static void scan(struct recording *r, uint64_t offset) {
    struct recording_chunk c;
    while (read_at(r, &c, sizeof c, offset) && is_plausible(&c)) {
        const uint64_t next = offset + sizeof c + c.packed[0] + c.packed[1];
        if (next > r->bytes || c.kind == RECORDING_INDEX || !take_chunk(r, offset, &c)) return;
        offset = next;
    }
}

static bool list_chunks(struct recording *r, struct error *e) {
    struct recording_start start;
    size_t count = 0;
    struct recording_entry *index = read_index(r, &count);
    r->whole = index != NULL;
    for (size_t n = 0; n < count; ++n) {
        if (take_chunk(r, index[n].offset, &index[n].chunk)) continue;
        damaged(r, index[n].offset, e);
        free(index);
        return false;
    }
    free(index);
    if (!r->whole && read_at(r, &start, sizeof start, 0)) scan(r, sizeof start + start.head_bytes);
    return true;
}

bool recording_open(struct recording *r, const char *path, struct error *e) {
    *r = (struct recording){.path = path, .fd = -1, .notes = json_array()};
    require_memory(r->notes);
    bool good = open_head(r, e) && list_chunks(r, e);
    for (size_t n = 0; good && n < r->launch_count; ++n) {
        struct recording_launch *l = &r->launches[n];
        l->code = &r->codes[(uintptr_t)l->code];
        if (l->ended && l->end > r->end) r->end = l->end;
    }
    if (good && r->launch_count && !r->launches[r->launch_count - 1].ended)
        r->launches[r->launch_count - 1].end = r->end;
    if (good && !r->launch_count)
        good = error_set(e, EXIT_USER, "%s: no kernel ran in it%s", path,
                         r->whole ? "" : " before the run was killed");
    if (!good) recording_close(r);
    return good;
}

void recording_close(struct recording *r) {
    if (r->fd >= 0) close(r->fd);
    recording_free_notes(r);
    free(r->chunks);
    *r = (struct recording){.fd = -1};
}

sim_time recording_time(const struct recording *r, uint64_t cycle) {
    return (sim_time)((unsigned __int128)cycle * 1000000 / r->clock_mhz);
}

/* --- records --- */

static bool visit_block(const struct recording *r, const struct recording_entry *entry, unsigned b,
                        recording_visit *visit, void *context, struct error *e) {
    const struct recording_chunk *c = &entry->chunk;
    uint8_t *block = block_of(r, entry->offset, c, b);
    struct packing *packing = malloc(sizeof *packing);
    struct record record;
    require_memory(packing);
    packing_reset(packing);
    const uint8_t *at = block;
    while (at && at < block + c->bytes[b])
        if ((at = packing_get(packing, &record, at, block + c->bytes[b])) != NULL)
            visit(context, c->unit, &record);
    free(packing);
    free(block);
    return at || damaged(r, entry->offset, e);
}

bool recording_records(const struct recording *r, uint64_t first, uint64_t last, recording_visit *visit,
                       void *context, struct error *e) {
    bool good = true;
    for (unsigned unit = 0; unit < r->unit_count && good; ++unit) {
        const struct recording_entry *before = NULL; /* last chunk of the unit that ends before `first` */
        for (size_t n = 0; n < r->chunk_count; ++n)
            if (r->chunks[n].chunk.unit == unit && r->chunks[n].chunk.last < first) before = &r->chunks[n];
        for (const struct recording_entry *c = r->chunks; c < r->chunks + r->chunk_count && good; ++c) {
            if (c->chunk.unit != unit || c->chunk.first > last) continue;
            if (c->chunk.bytes[0]) good = visit_block(r, c, 0, visit, context, e);
            if (good && c->chunk.bytes[1] && (c == before || c->chunk.last >= first))
                good = visit_block(r, c, 1, visit, context, e);
        }
    }
    return good;
}

bool recording_unit_records(const struct recording *r, unsigned unit, size_t chunks, recording_visit *visit,
                            void *context, struct error *e) {
    bool good = true;
    for (const struct recording_entry *c = r->chunks; c < r->chunks + r->chunk_count && good; ++c) {
        if (c->chunk.unit != unit || (chunks && chunks--)) continue;
        for (unsigned b = 0; b < 2 && good; ++b)
            if (c->chunk.bytes[b]) good = visit_block(r, c, b, visit, context, e);
    }
    return good;
}
