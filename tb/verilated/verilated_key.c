#include "tb/verilated/verilated_key.h"

#include "sim/cache_folder.h"
#include "tb/ports/verilator.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool verilated_cache(char *path, size_t size, struct error *e) {
    if (!cache_folder_path(path, size) || strlen(path) + sizeof "/rtl" > size)
        return error_set(e, EXIT_USER, "--rtl: no folder for built Verilog: set LOCKSTEP_CACHE to one");
    if (!cache_folder_check(path, e)) return false;
    strcat(path, "/rtl");
    if (cache_folder_make(path)) return cache_folder_check(path, e);
    return error_set(e, EXIT_USER, "--rtl: the folder %s for built Verilog cannot be made: %s", path,
                     strerror(errno));
}

struct kept {
    char name[NAME_MAX + 1];
    struct timespec used;
};

static int by_use(const void *a, const void *b) {
    const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void verilated_cache_trim(const char *path) {
    struct kept *all = NULL;
    size_t count = 0;
    struct stat s;
    DIR *d = opendir(path);
    for (const struct dirent *f; d && (f = readdir(d));) {
        if (fstatat(dirfd(d), f->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode)) continue;
        struct kept *larger = count % 256 ? all : reallocarray(all, count + 256, sizeof *all);
        require_memory(larger);
        all = larger;
        snprintf(all[count].name, sizeof all[count].name, "%s", f->d_name);
        all[count++].used = s.st_mtim;
    }
    if (count > VERILATED_KEPT) qsort(all, count, sizeof *all, by_use);
    for (size_t n = 0; n + VERILATED_KEPT < count; ++n) unlinkat(dirfd(d), all[n].name, 0);
    free(all);
    if (d) closedir(d);
}

/* --- contents of a key --- */

static void mix(uint64_t hash[2], const void *bytes, size_t size) { /* two variants of FNV-1a */
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; ++i) {
        hash[0] = (hash[0] ^ p[i]) * 0x100000001b3;
        hash[1] = (hash[1] ^ p[i]) * 0x1000000000000163;
    }
}

/* Mixes in a text with its terminator, so that two texts differ from their concatenation. */
static void mix_text(uint64_t hash[2], const char *text) {
    mix(hash, text, strlen(text) + 1);
}

static void mix_number(uint64_t hash[2], uint64_t number) {
    mix(hash, &number, sizeof number);
}

static bool mix_file(uint64_t hash[2], const char *path, struct error *e) {
    char bytes[4096];
    size_t n;
    uint64_t size = 0;
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: the Verilog cannot be read: %s", path, strerror(errno));
    for (; (n = fread(bytes, 1, sizeof bytes, in)) > 0; size += n) mix(hash, bytes, n);
    const bool good = !ferror(in);
    fclose(in);
    mix_number(hash, size);
    return good || error_set(e, EXIT_USER, "%s: the Verilog cannot be read", path);
}

/* Mixes in which instructions this processor has: the library is compiled for it. */
static void mix_processor(uint64_t hash[2]) {
    char *line = NULL;
    size_t size = 0;
    FILE *in = fopen("/proc/cpuinfo", "r");
    if (!in) return;
    while (getline(&line, &size, in) > 0) {
        if (strncmp(line, "flags", 5) != 0 && strncmp(line, "Features", 8) != 0) continue;
        mix_text(hash, line);
        break;
    }
    free(line);
    fclose(in);
}

/* Mixes in which Verilator $VERILATOR names. */
static void mix_tool(uint64_t hash[2]) {
    struct stat s;
    if (!getenv("VERILATOR")) return;
    mix_text(hash, verilator_command());
    if (stat(verilator_command(), &s) != 0) return;
    mix_number(hash, (uint64_t)s.st_size);
    mix_number(hash, (uint64_t)s.st_mtime);
}

static bool find_optimize(struct verilated_key *k, const struct verilated_request *r, struct error *e) {
    const char *said = getenv("LOCKSTEP_RTL_OPTIMIZE");
    if (!said || !*said) said = r->optimize ? r->optimize : "3";
    if (*said < '0' || *said > '3' || said[1])
        return error_set(e, EXIT_USER, "LOCKSTEP_RTL_OPTIMIZE %s: a number from 0 to 3", said);
    snprintf(k->optimize, sizeof k->optimize, "-O%c", *said);
    return true;
}

bool verilated_key_init(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                        struct error *e) {
    *k = (struct verilated_key){.hash = {0xcbf29ce484222325, 0x6c62272e07bb0142}};
    if (!find_optimize(k, r, e)) return false;
    mix_number(k->hash, VERILATED_VERSION);
    mix_text(k->hash, k->optimize);
    mix_processor(k->hash);
    mix_tool(k->hash);
    mix_text(k->hash, r->block->module);
    mix_text(k->hash, r->source->top);
    for (unsigned i = 0; i < r->block->count; ++i) {
        mix_number(k->hash, r->block->signal[i].kind);
        mix_text(k->hash, r->block->signal[i].name);
        mix_number(k->hash, r->block->signal[i].offset);
        mix_number(k->hash, r->block->signal[i].bytes);
        mix_number(k->hash, r->block->signal[i].array);
    }
    for (unsigned i = 0; i < r->source->count; ++i) {
        mix_text(k->hash, r->source->item[i].text);
        if (r->source->item[i].kind <= VERILOG_FUNCTIONS && !mix_file(k->hash, r->source->item[i].text, e))
            return false;
    }
    if (r->slot && !mix_file(k->hash, r->slot, e)) return false;
    uint64_t hash[2] = {k->hash[0], k->hash[1]};
    for (unsigned i = 0; i < r->count; ++i) {
        mix_text(hash, r->settings[i].name);
        mix_number(hash, r->settings[i].value);
    }
    snprintf(k->list, sizeof k->list, "%s/%s-%016" PRIx64 "%016" PRIx64 ".reads", cache, r->block->module,
             hash[0], hash[1]);
    return true;
}

/* Returns the rest of a path below a folder of the source; NULL if it is not in that folder. */
static const char *found_in(const struct verilog_item *folder, const char *path) {
    const char *name = folder->text + 2; /* the folder, after -I */
    const size_t length = strlen(name);
    if (folder->kind != VERILOG_INCLUDE || strncmp(path, name, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}

static void mix_presence(uint64_t hash[2], const char *folder, const char *name, const char *ending) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    mix_number(hash, access(path, F_OK) == 0);
}

/* Mixes in the existence of files that Verilator would prefer to this one: files of the same name in a folder
 * that is searched earlier, and a module's file with the other ending (.v precedes .sv). */
static void mix_others(uint64_t hash[2], const struct verilog_source *s, const char *path) {
    for (unsigned n = 0; n < s->count; ++n) {
        const char *rest = found_in(&s->item[n], path);
        for (unsigned before = 0; rest && before <= n; ++before) {
            char stem[PATH_MAX];
            if (s->item[before].kind != VERILOG_INCLUDE) continue;
            snprintf(stem, sizeof stem, "%.*s", (int)strcspn(rest, "."), rest);
            mix_presence(hash, s->item[before].text + 2, rest, "");
            mix_presence(hash, s->item[before].text + 2, stem, ".v");
            mix_presence(hash, s->item[before].text + 2, stem, ".sv");
        }
    }
}

bool verilated_key_complete(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                            const char *reads, struct error *e) {
    uint64_t hash[2] = {k->hash[0], k->hash[1]};
    char path[PATH_MAX];
    for (size_t length; *reads; reads += length + 1) {
        length = strcspn(reads, "\n");
        snprintf(path, sizeof path, "%.*s", (int)length, reads);
        mix_text(hash, path);
        if (strncmp(path, VERILATED_PARAMETER, strlen(VERILATED_PARAMETER)) == 0) continue;
        if (!mix_file(hash, path, e)) return false;
        mix_others(hash, r->source, path);
    }
    snprintf(k->library, sizeof k->library, "%s/%s-%016" PRIx64 "%016" PRIx64 ".so", cache, r->block->module,
             hash[0], hash[1]);
    snprintf(k->notices, sizeof k->notices, "%s/%s-%016" PRIx64 "%016" PRIx64 ".notices", cache,
             r->block->module, hash[0], hash[1]);
    return true;
}

void verilated_key_touch(const struct verilated_key *k) {
    utimensat(AT_FDCWD, k->library, NULL, 0);
    utimensat(AT_FDCWD, k->list, NULL, 0);
    utimensat(AT_FDCWD, k->notices, NULL, 0);
}

bool verilated_key_recall(struct verilated_key *k, const struct verilated_request *r, const char *cache) {
    struct error missing = {0};
    char *reads = NULL;
    size_t capacity = 0;
    FILE *in = fopen(k->list, "r");
    if (!in) return false;
    const bool read = getdelim(&reads, &capacity, '\0', in) > 0;
    fclose(in);
    const bool good = read && verilated_key_complete(k, r, cache, reads, &missing);
    free(reads);
    return good;
}
