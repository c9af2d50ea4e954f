/*
 * recording_format: the format that writer and reader of recordings share (docs/recording.md). All numbers
 * are little-endian.
 */
#ifndef RECORDING_FORMAT_H
#define RECORDING_FORMAT_H

#include <stdint.h>

#define RECORDING_VERSION     3
#define RECORDING_MAGIC       "LOCKSTEP" /* the first eight bytes, without the 0 */
#define RECORDING_END_MAGIC   "LSRINDEX"
#define RECORDING_CHUNK_MAGIC UINT32_C(0x4b4e4843) /* "CHNK" */
#define RECORDING_CHUNK_BYTES (1u << 16)           /* most bytes of a chunk's records before LZ4 */
#define RECORDING_MAX_UNITS   256
#define RECORDING_MAX_TEXT    (64u << 20) /* bytes of the head, or of a note */

struct recording_start {
    char magic[8];
    uint32_t version;
    uint32_t head_bytes; /* bytes of the JSON that follows */
};

enum recording_chunk_kind { RECORDING_RECORDS = 1, RECORDING_NOTE, RECORDING_INDEX };

/* Header of a chunk, followed by two blocks of LZ4. */
struct recording_chunk {
    uint32_t magic;
    uint16_t kind;
    uint16_t unit;      /* number of the unit of the records */
    uint32_t bytes[2];  /* unpacked bytes: records of the structure, other records; a note or an index is in
                           [0] */
    uint32_t packed[2]; /* packed bytes of the two blocks */
    uint32_t records, unused;
    uint64_t first, last; /* first and last cycle of the records; of an index, its number of entries and 0
                           */
    uint64_t hash;        /* XXH3 hash, 64 bits, of both blocks */
};

struct recording_entry { /* entry of the index */
    uint64_t offset;
    struct recording_chunk chunk;
};

struct recording_end { /* last bytes of a whole file */
    uint64_t index;    /* offset of the chunk with the index */
    char magic[8];
};

_Static_assert(sizeof(struct recording_start) == 16 && sizeof(struct recording_chunk) == 56 &&
                   sizeof(struct recording_entry) == 64 && sizeof(struct recording_end) == 16,
               "the format is that of docs/recording.md");

#endif
