#include "model/memory/main_memory.h"

void main_memory_init(struct main_memory *m, const struct machine_config *c) {
    *m = (struct main_memory){
        .latency_cycles = c->mem.latency_cycles,
        .transfer_cycles = (c->l2.line_bytes + c->mem.bandwidth_bytes - 1) / c->mem.bandwidth_bytes,
    };
}

static uint64_t transfer(struct main_memory *m, uint64_t t) {
    const uint64_t start = calendar_reserve(&m->transfers, t, m->transfer_cycles);
    m->wait_cycles += start - t;
    return start;
}

uint64_t main_memory_read(struct main_memory *m, uint32_t line, uint64_t t, uint32_t *version) {
    ++m->reads;
    *version = m->version ? m->version[line] : 0;
    return transfer(m, t) + m->latency_cycles;
}

void main_memory_write(struct main_memory *m, uint32_t line, uint64_t t, uint32_t version) {
    ++m->writes;
    if (m->version) m->version[line] = version;
    transfer(m, t);
}
