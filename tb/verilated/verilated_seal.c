#include "tb/verilated/verilated_seal.h"

#include "sim/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x4c6f636b73746570u

struct seal {
    uint64_t magic, size, hash;
};

/* Computes the seal of the first `size` bytes. False if there are fewer. */
static bool compute(FILE *in, uint64_t size, struct seal *s) {
    uint8_t bytes[16384];
    *s = (struct seal){MAGIC, size, 0xcbf29ce484222325u};
    rewind(in);
    for (uint64_t left = size; left > 0;) {
        const size_t n = fread(bytes, 1, left < sizeof bytes ? left : sizeof bytes, in);
        if (n == 0) return false;
        for (size_t i = 0; i < n; i++) s->hash = (s->hash ^ bytes[i]) * 0x100000001b3u; /* FNV-1a */
        left -= n;
    }
    return true;
}

bool verilated_seal(const char *path, struct error *e) {
    struct stat status;
    struct seal s;
    FILE *f = fopen(path, "r+e");
    bool good = f && fstat(fileno(f), &status) == 0 && compute(f, (uint64_t)status.st_size, &s) &&
                fseek(f, 0, SEEK_END) == 0 && fwrite(&s, sizeof s, 1, f) == 1 &&
                fchmod(fileno(f), status.st_mode & ~(mode_t)(S_IWGRP | S_IWOTH)) == 0;
    if (f && fclose(f) != 0) good = false;
    return good || error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
}

bool verilated_sealed(const char *path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    FILE *f = fd >= 0 && cache_folder_trusts(fd) ? fdopen(fd, "r") : NULL;
    struct seal said, is;
    if (!f) {
        if (fd >= 0) close(fd);
        return false;
    }
    const bool sealed = fseek(f, -(long)sizeof said, SEEK_END) == 0 && fread(&said, sizeof said, 1, f) == 1 &&
                        compute(f, said.size, &is) && memcmp(&said, &is, sizeof is) == 0 &&
                        fseek(f, 0, SEEK_END) == 0 && (uint64_t)ftell(f) == said.size + sizeof said;
    fclose(f);
    return sealed;
}
