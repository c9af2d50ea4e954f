#include "model/control/instruction_reuse_buffer.h"

#include "sim/error.h"

#include <string.h>

#define FLAGS_BITS        9
#define RESULT_FLAGS_BITS 4

void instruction_reuse_buffer_init(struct instruction_reuse_buffer *b, unsigned entries, unsigned tag_bits,
                                   unsigned opcode_bits) {
    invariant(entries >= 1 && entries <= INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES && tag_bits >= 1 &&
                  tag_bits <= 30 && opcode_bits >= 1 && opcode_bits <= 16,
              "instruction reuse buffer of %u entries, tags of %u bits, opcodes of %u bits", entries,
              tag_bits, opcode_bits);
    memset(b, 0, sizeof *b);
    b->cfg.entries = entries;
    b->cfg.tag_bits = tag_bits;
    b->cfg.opcode_bits = opcode_bits;
    b->q = (struct instruction_reuse_buffer_state){b->valid, b->parity, b->tag,          b->opcode, b->source,
                                                   b->flags, b->result, b->result_flags, b->rank};
    for (unsigned e = 1; e < entries; ++e) b->rank[e] = e;
}

void instruction_reuse_buffer_reset(struct instruction_reuse_buffer *b) {
    instruction_reuse_buffer_init(b, b->cfg.entries, b->cfg.tag_bits, b->cfg.opcode_bits);
}

static bool parity_of(const struct instruction_reuse_buffer *b, unsigned e) {
    const uint32_t *source = &b->source[3 * e];
    const uint32_t all = b->tag[e] ^ b->opcode[e] ^ source[0] ^ source[1] ^ source[2] ^ b->flags[e] ^
                         b->result[e] ^ b->result_flags[e];
    return __builtin_parity(all) ^ b->valid[e];
}

static bool matches(const struct instruction_reuse_buffer *b, unsigned e, uint32_t tag, uint32_t opcode) {
    return b->valid[e] && b->tag[e] == tag && b->opcode[e] == opcode;
}

/* Returns the matching entry with good parity, or −1. Notes matching entries with bad parity. */
static int find_entry(struct instruction_reuse_buffer *b, uint32_t tag, uint32_t opcode) {
    int found = -1;
    for (unsigned e = 0; e < b->cfg.entries; ++e) {
        if (__builtin_expect(!matches(b, e, tag, opcode), 1)) continue;
        if (b->parity[e] == parity_of(b, e))
            found = (int)e;
        else
            b->d.bad[b->d.invalid++] = (uint16_t)e;
    }
    return found;
}

static bool same_operands(const struct instruction_reuse_buffer *b, int e) {
    const struct instruction_reuse_buffer_in *in = &b->in;
    const uint32_t *source = &b->source[3 * e];
    return source[0] == in->lookup_source0 && source[1] == in->lookup_source1 &&
           source[2] == in->lookup_source2 && b->flags[e] == in->lookup_flags;
}

static void look_up(struct instruction_reuse_buffer *b) {
    const int e = b->in.lookup ? find_entry(b, b->in.lookup_tag, b->in.lookup_opcode) : -1;
    const bool hit = e >= 0 && same_operands(b, e);
    b->d.hit = hit ? e : -1;
    b->out.hit = hit;
    b->out.operands = e >= 0 && !hit;
    b->out.result = hit ? b->result[e] : 0;
    b->out.result_flags = hit ? b->result_flags[e] : 0;
}

/* Returns whether an entry is invalid, after the searches and the look-up. */
static bool is_spare(const struct instruction_reuse_buffer *b, unsigned e) {
    if (!b->valid[e]) return true;
    for (unsigned n = 0; n < b->d.invalid; ++n)
        if (b->d.bad[n] == e) return true;
    return false;
}

static unsigned rank_after_hit(const struct instruction_reuse_buffer *b, unsigned e) {
    if (b->d.hit < 0) return b->rank[e];
    return (int)e == b->d.hit ? 0 : b->rank[e] + (b->rank[e] < b->rank[b->d.hit]);
}

static int replaced(const struct instruction_reuse_buffer *b) {
    for (unsigned e = 0; e < b->cfg.entries; ++e)
        if (is_spare(b, e)) return (int)e;
    unsigned e = 0;
    while (rank_after_hit(b, e) != b->cfg.entries - 1) ++e;
    return (int)e;
}

static void insert(struct instruction_reuse_buffer *b) {
    b->d.into = -1;
    b->out.evicted = false;
    if (!b->in.insert) return;
    b->d.into = find_entry(b, b->in.insert_tag, b->in.insert_opcode);
    if (b->d.into >= 0) return;
    b->d.into = replaced(b);
    b->out.evicted = !is_spare(b, (unsigned)b->d.into);
}

void instruction_reuse_buffer_eval(struct instruction_reuse_buffer *b) {
    b->d.invalid = 0;
    look_up(b);
    insert(b);
    b->out.parity = b->d.invalid != 0;
}

static void use(struct instruction_reuse_buffer *b, int used) {
    if (used < 0) return;
    const uint32_t rank = b->rank[used];
    for (unsigned e = 0; e < b->cfg.entries; ++e) b->rank[e] += b->rank[e] < rank;
    b->rank[used] = 0;
}

static void write_entry(struct instruction_reuse_buffer *b, unsigned e) {
    const struct instruction_reuse_buffer_in *in = &b->in;
    b->valid[e] = true;
    b->tag[e] = in->insert_tag;
    b->opcode[e] = in->insert_opcode;
    b->source[3 * e] = in->insert_source0;
    b->source[3 * e + 1] = in->insert_source1;
    b->source[3 * e + 2] = in->insert_source2;
    b->flags[e] = in->insert_flags;
    b->result[e] = in->insert_result;
    b->result_flags[e] = in->insert_result_flags;
    b->parity[e] = parity_of(b, e) ^ in->insert_poison;
}

void instruction_reuse_buffer_clock(struct instruction_reuse_buffer *b) {
    use(b, b->d.hit);
    for (unsigned n = 0; n < b->d.invalid; ++n) b->valid[b->d.bad[n]] = false;
    if (b->d.into >= 0) {
        write_entry(b, (unsigned)b->d.into);
        use(b, b->d.into);
    }
    memset(&b->in, 0, sizeof b->in);
}

/* --- particles --- */

unsigned instruction_reuse_buffer_bits(const struct instruction_reuse_buffer *b) {
    return 2 + b->cfg.tag_bits + b->cfg.opcode_bits + 3 * 32 + FLAGS_BITS + 32 + RESULT_FLAGS_BITS;
}

void instruction_reuse_buffer_flip(struct instruction_reuse_buffer *b, unsigned entry, unsigned bit) {
    const struct {
        uint32_t *word;
        unsigned bits;
    } fields[] = {
        {&b->tag[entry], b->cfg.tag_bits}, {&b->opcode[entry], b->cfg.opcode_bits},
        {&b->source[3 * entry], 32},       {&b->source[3 * entry + 1], 32},
        {&b->source[3 * entry + 2], 32},   {&b->flags[entry], FLAGS_BITS},
        {&b->result[entry], 32},           {&b->result_flags[entry], RESULT_FLAGS_BITS},
    };
    invariant(entry < b->cfg.entries && bit < instruction_reuse_buffer_bits(b),
              "bit %u of entry %u of %u entries", bit, entry, b->cfg.entries);
    if (bit == 0) b->valid[entry] = !b->valid[entry];
    if (bit == 1) b->parity[entry] = !b->parity[entry];
    if (bit < 2) return;
    bit -= 2;
    unsigned f = 0;
    while (bit >= fields[f].bits) bit -= fields[f++].bits;
    *fields[f].word ^= 1u << bit;
}
