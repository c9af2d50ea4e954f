#include "runtime/journal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int journal_open(void) {
    return memfd_create("lockstep-journal", MFD_CLOEXEC);
}

static bool put(int fd, uint64_t *end, const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = pwrite(fd, (const char *)bytes + done, size - done, (off_t)(*end + done));
        if (n <= 0) return false;
        done += (size_t)n;
    }
    *end += size;
    return true;
}

bool journal_add(int fd, uint64_t *end, const struct journal_entry *entry, const void *bytes) {
    uint64_t at = *end;
    if (!put(fd, &at, entry, sizeof *entry) || !put(fd, &at, bytes, entry->size)) return false;
    *end = at;
    return true;
}

static bool get(int fd, uint64_t *at, void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(*at + done));
        if (n <= 0) return false;
        done += (size_t)n;
    }
    *at += size;
    return true;
}

bool journal_next(int fd, uint64_t *at, uint64_t end, struct journal_entry *entry, uint8_t **bytes) {
    *bytes = NULL;
    if (*at >= end || !get(fd, at, entry, sizeof *entry)) return false;
    *bytes = malloc(entry->size + (size_t)1);
    return *bytes && get(fd, at, *bytes, entry->size);
}

void journal_forget(int fd, uint64_t at) {
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)at);
}
