/* gdb's requests and the answers. Text that is not a request of the protocol gets an error or an empty
 * answer. */
#include "lockstep/gdb/gdb_stub_parts.h"

#include "model/cluster/cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEATURES                                                                                             \
    "PacketSize=4000;qXfer:features:read+;qXfer:threads:read+;qXfer:exec-file:read+;QStartNoAckMode+;"       \
    "vContSupported+;swbreak+;hwbreak+;exec-events+"

#define MOST_BYTES ((GDB_PACKET_BYTES - 8) / 2) /* bytes of memory in a packet */

static void answer(struct gdb_stub *g, const char *text) {
    gdb_link_send(&g->link, text, strlen(text));
}

static void answer_bool(struct gdb_stub *g, bool good) {
    answer(g, good ? "OK" : "E01");
}

/* --- reading requests --- */

static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses a hexadecimal number of at most 16 digits at *p. */
static bool take_number(const char **p, uint64_t *value) {
    unsigned digits = 0;
    for (*value = 0; digit(**p) >= 0 && digits < 16; ++*p, digits++)
        *value = *value << 4 | (unsigned)digit(**p);
    return digits > 0;
}

static bool take(const char **p, char c) {
    if (**p != c) return false;
    ++*p;
    return true;
}

/* Parses an address and a length, separated by one character. */
static bool take_span(const char **p, uint32_t *address, uint32_t *size) {
    uint64_t a, n;
    if (!take_number(p, &a) || !take(p, ',') || !take_number(p, &n)) return false;
    *address = (uint32_t)a;
    *size = (uint32_t)n;
    return a <= UINT32_MAX && n <= UINT32_MAX;
}

static bool take_bytes(const char **p, uint8_t *bytes, size_t size) {
    for (size_t n = 0; n < size; n++) {
        if (digit((*p)[0]) < 0 || digit((*p)[1]) < 0) return false;
        bytes[n] = (uint8_t)(digit((*p)[0]) << 4 | digit((*p)[1]));
        *p += 2;
    }
    return true;
}

static char *put_bytes(char *to, const uint8_t *bytes, size_t size) {
    for (size_t n = 0; n < size; n++) to += sprintf(to, "%02x", bytes[n]);
    *to = '\0';
    return to;
}

/* Parses the number of a thread; 0: any, or all. */
static bool take_thread(const char **p, unsigned *thread) {
    uint64_t n;
    *thread = 0;
    if (take(p, '-')) return take(p, '1');
    if (!take_number(p, &n) || n > UINT32_MAX) return false;
    *thread = (unsigned)n;
    return true;
}

static bool begins(const char **p, const char *word) {
    const size_t n = strlen(word);
    if (strncmp(*p, word, n) != 0) return false;
    *p += n;
    return true;
}

/* --- registers and memory --- */

static void read_registers(struct gdb_stub *g) {
    char text[4 * GDB_REGISTERS * 4 + 1], *end = text;
    for (unsigned n = 0; n < GDB_REGISTERS; n++) {
        const uint64_t value =
            gdb_threads_register_bytes(n) ? gdb_threads_get(&g->threads, g->general, n) : 0;
        end = put_bytes(end, (const uint8_t *)&value, gdb_threads_register_bytes(n));
    }
    answer(g, text);
}

/* Writes all registers, or none if one is refused. */
static bool write_registers(struct gdb_stub *g, const char *p) {
    uint64_t value[GDB_REGISTERS] = {0};
    for (unsigned n = 0; n < GDB_REGISTERS; n++)
        if (!take_bytes(&p, (uint8_t *)&value[n], gdb_threads_register_bytes(n))) return false;
    if (*p || !gdb_threads_set(&g->threads, g->general, GDB_PC, value[GDB_PC])) return false;
    for (unsigned n = 0; n < GDB_REGISTERS; n++)
        if (gdb_threads_register_bytes(n)) gdb_threads_set(&g->threads, g->general, n, value[n]);
    return true;
}

static void read_register(struct gdb_stub *g, const char *p) {
    uint64_t number, value;
    char text[17];
    if (!take_number(&p, &number) || number >= GDB_REGISTERS ||
        !gdb_threads_register_bytes((unsigned)number)) {
        answer(g, "E01");
        return;
    }
    value = gdb_threads_get(&g->threads, g->general, (unsigned)number);
    put_bytes(text, (const uint8_t *)&value, gdb_threads_register_bytes((unsigned)number));
    answer(g, text);
}

static bool write_register(struct gdb_stub *g, const char *p) {
    uint64_t number, value = 0;
    return take_number(&p, &number) && number < GDB_REGISTERS && take(&p, '=') &&
           gdb_threads_register_bytes((unsigned)number) &&
           take_bytes(&p, (uint8_t *)&value, gdb_threads_register_bytes((unsigned)number)) && !*p &&
           gdb_threads_set(&g->threads, g->general, (unsigned)number, value);
}

static void read_memory(struct gdb_stub *g, const char *p) {
    uint8_t bytes[MOST_BYTES];
    char text[2 * MOST_BYTES + 1];
    uint32_t address, size;
    if (!take_span(&p, &address, &size) || *p) {
        answer(g, "E01");
        return;
    }
    if (size > MOST_BYTES) size = MOST_BYTES;
    const uint32_t there = gdb_threads_read(&g->threads, g->general, address, bytes, size);
    put_bytes(text, bytes, there);
    answer(g, there || !size ? text : "E0e");
}

static bool write_memory_of(struct gdb_stub *g, const char *p, bool binary) {
    uint8_t bytes[GDB_PACKET_BYTES];
    uint32_t address, size;
    if (!take_span(&p, &address, &size) || !take(&p, ':') || size > sizeof bytes) return false;
    if (binary && (size_t)(g->link.packet + g->link.size - p) != size) return false;
    if (binary)
        memcpy(bytes, p, size);
    else if (!take_bytes(&p, bytes, size) || *p)
        return false;
    return gdb_threads_write(&g->threads, g->general, address, bytes, size);
}

static bool write_memory(struct gdb_stub *g, const char *p) {
    return write_memory_of(g, p, false);
}

static bool write_binary_memory(struct gdb_stub *g, const char *p) {
    return write_memory_of(g, p, true);
}

/* --- points --- */

/* Adds a breakpoint or watchpoint. A breakpoint outside the code, which gdb sets for callers that it guesses,
 * is never reached. */
static bool add_point(struct gdb_stub *g, char kind, uint32_t address, uint32_t size) {
    for (unsigned n = 0; n < g->point_count; n++)
        if (g->points[n].kind == kind && g->points[n].address == address && g->points[n].bytes == size)
            return true;
    if (g->point_count == GDB_MOST_POINTS) return false;
    g->points[g->point_count++] =
        (struct gdb_point){kind, address, size, gdb_threads_unit(&g->threads, g->general)};
    return true;
}

static bool remove_point(struct gdb_stub *g, char kind, uint32_t address, uint32_t size) {
    for (unsigned n = 0; n < g->point_count; n++)
        if (g->points[n].kind == kind && g->points[n].address == address && g->points[n].bytes == size) {
            g->points[n] = g->points[--g->point_count];
            break;
        }
    return true;
}

static void change_point(struct gdb_stub *g, const char *p, bool adds) {
    const char kind = *p;
    uint32_t address, size;
    if (kind < '0' || kind > '4') {
        answer(g, "");
        return;
    }
    p++;
    const bool good = take(&p, ',') && take_span(&p, &address, &size) && (!*p || *p == ';') && size;
    answer_bool(g, good && (adds ? add_point : remove_point)(g, kind, address, size));
}

/* --- resuming --- */

/* Parses one action of vCont, for a thread or (0) for all others. Returns false if it is invalid. */
static bool take_action(struct gdb_stub *g, const char **p) {
    const char action = **p;
    uint64_t from = 0, end = 0, signal;
    unsigned thread = 0;
    if (!action || !strchr("cCsSr", action)) return false;
    ++*p;
    if ((action == 'C' || action == 'S') && !take_number(p, &signal)) return false;
    if (action == 'r' && (!take_number(p, &from) || !take(p, ',') || !take_number(p, &end))) return false;
    if (take(p, ':') && !take_thread(p, &thread)) return false;
    if (action == 'c' || action == 'C' || g->stepped) return true;
    g->stepped = thread ? thread : g->general;
    if (!gdb_threads_live(&g->threads, g->stepped)) g->stepped = 0;
    g->range[0] = (uint32_t)from;
    g->range[1] = (uint32_t)end;
    return true;
}

/* Resumes the machine. p: one or several ";ACTION". */
static void resume(struct gdb_stub *g, const char *p) {
    bool good = *p;
    g->stepped = 0;
    while (good && *p) good = take(&p, ';') && take_action(g, &p);
    if (!good) {
        g->stepped = 0;
        answer(g, "E01");
        return;
    }
    g->goes_on = true;
}

/* --- monitor --- */

static void say_cycle(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    const uint64_t now = p->unit->now, first = machine_first_cycle(g->threads.machine);
    fprintf(out, "cycle %" PRIu64 " of the run, %" PRIu64 " of the launch\n", now, now - first);
}

static void say_warps(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    char text[8000];
    (void)g;
    p->unit->kind->report(p->unit, p->unit->now, text, sizeof text);
    fprintf(out, "%s\n", text);
}

static void say_groups(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    const struct work_group_dispatcher *d = machine_groups(g->threads.machine);
    (void)p;
    fprintf(out, "%" PRIu64 " of %" PRIu64 " work-groups have begun\n", work_group_dispatcher_begun(d),
            work_group_dispatcher_all(d));
}

static void say_barrier(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    const uint32_t *const group = simt_warp_of(p->unit, p->warp).group;
    unsigned waiting = 0, live = 0;
    (void)g;
    for (unsigned n = 0; p->unit->kind->runs_warps(p->unit) && n < p->unit->warps; n++) {
        const struct simt_warp w = simt_warp_of(p->unit, n);
        if (w.group != group) continue;
        waiting += (unsigned)__builtin_popcountll(w.waiting & w.live);
        live += (unsigned)__builtin_popcountll(w.live);
    }
    fprintf(out, "%u of %u live work-items of the work-group wait at a barrier\n", waiting, live);
}

static void say_last(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    const struct machine_code *code = g->code;
    if (!p->unit->kind->runs_warps(p->unit)) {
        fprintf(out, "the last instructions are known of warps, not of cores in MIMD mode\n");
        return;
    }
    const struct execution_trail *t = &p->unit->trail[p->warp];
    for (uint32_t n = t->count > EXECUTION_TRAIL ? t->count - EXECUTION_TRAIL : 0; n < t->count; n++) {
        const uint32_t pc = t->pc[n % EXECUTION_TRAIL];
        const struct arm_instruction *i = machine_code_at(code, pc);
        const char *file = "?";
        unsigned line = 0;
        char text[128] = "";
        if (code->line) code->line(code->line_context, pc, &file, &line);
        if (i) arm_disassemble(i->encoding, pc, text, sizeof text);
        fprintf(out, "0x%x  %s:%u  %s\n", pc, file, line, text);
    }
}

static void say_help(const struct gdb_stub *g, const struct gdb_place *p, FILE *out);

static const struct {
    const char *name, *does;
    void (*say)(const struct gdb_stub *g, const struct gdb_place *p, FILE *out);
} commands[] = {
    {"cycle", "the simulated cycle", say_cycle},
    {"warps", "what each warp, or core, of the thread's cluster does and waits for", say_warps},
    {"barrier", "how many work-items wait at a barrier", say_barrier},
    {"groups", "how many work-groups have begun", say_groups},
    {"last", "what the thread's warp has executed last", say_last},
    {"help", "these commands", say_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void say_help(const struct gdb_stub *g, const struct gdb_place *p, FILE *out) {
    (void)g, (void)p;
    for (unsigned n = 0; n < COMMANDS; n++) fprintf(out, "%-8s %s\n", commands[n].name, commands[n].does);
}

/* Sends text for gdb's console, in packets. */
static void answer_text(struct gdb_stub *g, const char *text) {
    char packet[2 + 2 * 1000];
    for (size_t left = strlen(text), n; left; left -= n, text += n) {
        n = left < 1000 ? left : 1000;
        packet[0] = 'O';
        put_bytes(packet + 1, (const uint8_t *)text, n);
        answer(g, packet);
    }
    answer(g, "OK");
}

static void monitor(struct gdb_stub *g, const char *p) {
    char word[64] = "", *text = NULL;
    size_t size = 0, length = strlen(p) / 2;
    const struct gdb_place place = gdb_threads_place(&g->threads, g->general);
    if (length >= sizeof word || !take_bytes(&p, (uint8_t *)word, length) || *p) {
        answer(g, "E01");
        return;
    }
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    unsigned n = 0;
    while (n < COMMANDS && strcmp(commands[n].name, word) != 0) n++;
    if (n == COMMANDS) fprintf(out, "there is no such command; these are:\n");
    (n == COMMANDS ? say_help : commands[n].say)(g, &place, out);
    fclose(out);
    answer_text(g, text);
    free(text);
}

/* --- objects and files --- */

/* Sends the part of an object that "offset,length" requests. */
static void answer_part(struct gdb_stub *g, const char *object, size_t size, const char *p) {
    uint64_t offset, length;
    if (!take_number(&p, &offset) || !take(&p, ',') || !take_number(&p, &length) || *p || offset > size) {
        answer(g, "E01");
        return;
    }
    if (length > MOST_BYTES) length = MOST_BYTES;
    const size_t left = size - offset, n = left < length ? left : length;
    char *text = malloc(n + 1);
    require_memory(text);
    text[0] = n < left ? 'm' : 'l';
    memcpy(text + 1, object + offset, n);
    gdb_link_send(&g->link, text, n + 1);
    free(text);
}

static void answer_threads(struct gdb_stub *g, const char *p) {
    static unsigned list[GDB_MOST_THREADS];
    const unsigned count = gdb_threads_list(&g->threads, g->general, list);
    char *text = NULL, name[128];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fputs("<?xml version=\"1.0\"?><threads>", out);
    for (unsigned n = 0; n < count; n++) {
        gdb_threads_name(&g->threads, list[n], name, sizeof name);
        fprintf(out, "<thread id=\"%x\" name=\"%s\"/>", list[n], name);
    }
    fputs("</threads>", out);
    fclose(out);
    answer_part(g, text, size, p);
    free(text);
}

static void image_name(size_t image, char name[40]) {
    snprintf(name, 40, "/lockstep/image%zu.elf", image + 1);
}

static void transfer(struct gdb_stub *g, const char *p) {
    char name[40];
    uint64_t process;
    if (begins(&p, "features:read:target.xml:")) {
        answer_part(g, gdb_target_description, strlen(gdb_target_description), p);
    } else if (begins(&p, "threads:read::")) {
        answer_threads(g, p);
    } else if (begins(&p, "exec-file:read:")) {
        take_number(&p, &process);
        image_name(g->image, name);
        if (take(&p, ':'))
            answer_part(g, name, strlen(name), p);
        else
            answer(g, "E01");
    } else {
        answer(g, "");
    }
}

/* Opens a file. Its number is that of its image, counted from 1. */
static void open_file(struct gdb_stub *g, const char *p) {
    char name[40], asked[40] = "", text[32];
    const char *comma = strchr(p, ',');
    const size_t length = comma ? (size_t)(comma - p) / 2 : sizeof asked;
    if (length < sizeof asked && take_bytes(&p, (uint8_t *)asked, length))
        for (size_t n = 0; n < g->image_count; n++) {
            image_name(n, name);
            if (strcmp(name, asked) != 0) continue;
            snprintf(text, sizeof text, "F%zx", n + 1);
            answer(g, text);
            return;
        }
    answer(g, "F-1,2");
}

static const struct gdb_image *take_file(const struct gdb_stub *g, const char **p) {
    uint64_t n;
    return take_number(p, &n) && n >= 1 && n <= g->image_count ? &g->images[n - 1] : NULL;
}

static void answer_file(struct gdb_stub *g, const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 32);
    require_memory(text);
    const int n = sprintf(text, "F%zx;", size);
    memcpy(text + n, bytes, size);
    gdb_link_send(&g->link, text, (size_t)n + size);
    free(text);
}

static void read_file(struct gdb_stub *g, const char *p) {
    const struct gdb_image *i = take_file(g, &p);
    uint64_t count, offset;
    if (!i || !take(&p, ',') || !take_number(&p, &count) || !take(&p, ',') || !take_number(&p, &offset)) {
        answer(g, "F-1,9");
        return;
    }
    const size_t left = offset < i->size ? i->size - offset : 0;
    if (count > MOST_BYTES) count = MOST_BYTES;
    answer_file(g, i->bytes + (left ? offset : 0), count < left ? count : left);
}

/* Sends a struct stat of the protocol: 32-bit words and three of 64 bits, in big-endian order. */
static void stat_file(struct gdb_stub *g, const char *p) {
    const struct gdb_image *i = take_file(g, &p);
    uint8_t words[64] = {0};
    if (!i) {
        answer(g, "F-1,9");
        return;
    }
    const uint32_t mode = __builtin_bswap32(0100444), links = __builtin_bswap32(1);
    const uint64_t size = __builtin_bswap64(i->size), block = __builtin_bswap64(512),
                   blocks = __builtin_bswap64((i->size + 511) / 512);
    memcpy(words + 8, &mode, 4);
    memcpy(words + 12, &links, 4);
    memcpy(words + 28, &size, 8);
    memcpy(words + 36, &block, 8);
    memcpy(words + 44, &blocks, 8);
    answer_file(g, words, sizeof words);
}

static void file(struct gdb_stub *g, const char *p) {
    if (begins(&p, "open:"))
        open_file(g, p);
    else if (begins(&p, "pread:"))
        read_file(g, p);
    else if (begins(&p, "fstat:"))
        stat_file(g, p);
    else if (begins(&p, "close:") || begins(&p, "setfs:"))
        answer(g, "F0");
    else
        answer(g, "");
}

/* --- all requests --- */

/* Answers a write request. Writes in the past are refused. */
static void answer_write(struct gdb_stub *g, bool (*write)(struct gdb_stub *g, const char *p),
                         const char *p) {
    const bool good = !g->repeats && write(g, p);
    g->wrote |= good;
    answer_bool(g, good);
}

static void go_back(struct gdb_stub *g, const char *p) {
    if (!g->snapshots || p[1] || (*p != 's' && *p != 'c'))
        answer(g, g->snapshots ? "E01" : "");
    else
        gdb_past_go_back(g, *p == 's');
}

static void list_threads(struct gdb_stub *g) {
    static unsigned list[GDB_MOST_THREADS];
    const unsigned count = gdb_threads_list(&g->threads, g->general, list);
    char text[GDB_PACKET_BYTES], *end = text;
    *end++ = 'm';
    for (unsigned n = 0; n < count && end < text + sizeof text - 16; n++)
        end += sprintf(end, "%s%x", n ? "," : "", list[n]);
    gdb_link_send(&g->link, text, (size_t)(end - text));
}

static void query(struct gdb_stub *g, const char *p) {
    char text[32];
    if (begins(&p, "Supported"))
        answer(g, g->snapshots ? FEATURES ";ReverseStep+;ReverseContinue+" : FEATURES);
    else if (begins(&p, "Xfer:"))
        transfer(g, p);
    else if (begins(&p, "Rcmd,"))
        monitor(g, p);
    else if (begins(&p, "Attached"))
        answer(g, "1");
    else if (begins(&p, "Symbol"))
        answer(g, "OK");
    else if (begins(&p, "fThreadInfo"))
        list_threads(g);
    else if (begins(&p, "sThreadInfo"))
        answer(g, "l");
    else if (strcmp(p, "C") == 0) {
        snprintf(text, sizeof text, "QC%x", g->general);
        answer(g, text);
    } else
        answer(g, "");
}

static void select_thread(struct gdb_stub *g, const char *p) {
    const char kind = *p;
    unsigned thread;
    if (*p) p++;
    bool good = take_thread(&p, &thread) && !*p;
    if (good && thread) good = gdb_threads_live(&g->threads, thread);
    if (good && thread && kind == 'g') g->general = thread;
    if (good && kind == 'c') g->control = thread;
    answer_bool(g, good);
}

static void word(struct gdb_stub *g, const char *p) {
    if (begins(&p, "Cont?")) {
        answer(g, "vCont;c;C;s;S;r");
    } else if (begins(&p, "Cont")) {
        resume(g, p);
    } else if (begins(&p, "File:")) {
        file(g, p);
    } else if (begins(&p, "Kill")) {
        answer(g, "OK");
        gdb_leave(g, GDB_KILLS);
    } else {
        answer(g, "");
    }
}

static void is_alive(struct gdb_stub *g, const char *p) {
    unsigned thread;
    answer_bool(g, take_thread(&p, &thread) && !*p && gdb_threads_live(&g->threads, thread));
}

void gdb_request(struct gdb_stub *g) {
    const char *p = g->link.packet + 1;
    const char kind = g->link.packet[0];
    /* Gdb sends these requests while the machine is stopped. */
    if (!g->stopped && kind != 'D' && kind != 'k') return;
    if (g->stopped && !gdb_threads_live(&g->threads, g->general)) g->general = g->thread;
    switch (kind) {
    case '?': answer(g, g->stop); return;
    case 'g': read_registers(g); return;
    case 'G': answer_write(g, write_registers, p); return;
    case 'p': read_register(g, p); return;
    case 'P': answer_write(g, write_register, p); return;
    case 'm': read_memory(g, p); return;
    case 'M': answer_write(g, write_memory, p); return;
    case 'X': answer_write(g, write_binary_memory, p); return;
    case 'b': go_back(g, p); return;
    case 'H': select_thread(g, p); return;
    case 'T': is_alive(g, p); return;
    case 'Z': change_point(g, p, true); return;
    case 'z': change_point(g, p, false); return;
    case 'c': resume(g, ";c"); return;
    case 's': resume(g, ";s"); return;
    case 'v': word(g, p); return;
    case 'q': query(g, p); return;
    case 'Q':
        answer(g, strcmp(p, "StartNoAckMode") == 0 ? "OK" : "");
        if (strcmp(p, "StartNoAckMode") == 0) g->link.silent = true;
        return;
    case 'D':
        answer(g, "OK");
        gdb_leave(g, GDB_DETACHES);
        return;
    case 'k': gdb_leave(g, GDB_KILLS); return;
    default: answer(g, ""); return;
    }
}
