#include "tests/oracle/oracle_run.h"

#include "tests/spawn.h"

#include <stdlib.h>
#include <string.h>

static FILE *open_in(const struct oracle *o, const char *name, const char *mode) {
    char *path = spawn_text("%s/%s", o->folder, name);
    FILE *f = fopen(path, mode);
    if (!f) {
        perror(path);
        abort();
    }
    free(path);
    return f;
}

void oracle_start(struct oracle *o) {
    *o = (struct oracle){.folder = spawn_folder()};
    o->records = open_in(o, "records", "wb");
}

static void put(struct oracle *o, const void *bytes, size_t size_bytes) {
    if (fwrite(bytes, 1, size_bytes, o->records) != size_bytes) abort();
}

static void put_head(struct oracle *o, enum oracle_kind kind, uint32_t base, uint32_t size_bytes) {
    const struct oracle_head head = {kind, base, size_bytes};
    put(o, &head, sizeof head);
}

void oracle_memory(struct oracle *o, uint32_t base, const void *bytes, uint32_t size_bytes) {
    put_head(o, ORACLE_MEMORY, base, size_bytes);
    put(o, bytes, size_bytes);
}

void oracle_launch(struct oracle *o, const struct oracle_launch *l) {
    put_head(o, ORACLE_LAUNCH, 0, sizeof *l);
    put(o, l, sizeof *l);
}

void oracle_result(struct oracle *o, uint32_t base, uint32_t size_bytes) {
    put_head(o, ORACLE_RESULT, base, size_bytes);
}

char *oracle_finish(struct oracle *o) {
    if (fclose(o->records) != 0) abort();
    o->records = NULL;
    char *program = spawn_text("%s/tests/oracle_arm", spawn_build());
    struct spawned s =
        spawn(o->folder, (char *[]){"qemu-arm", "-cpu", "cortex-a7", program, "records", "results", NULL});
    char *said = s.status == 0 ? NULL : spawn_text("oracle: exit status %d\n%s", s.status, s.err);
    spawn_free(&s);
    free(program);
    if (!said) o->results = open_in(o, "results", "rb");
    return said;
}

void oracle_read(struct oracle *o, void *to, uint32_t size_bytes) {
    if (fread(to, 1, size_bytes, o->results) != size_bytes) abort();
}

void oracle_end(struct oracle *o) {
    if (o->records) fclose(o->records);
    if (o->results) fclose(o->results);
    spawn_remove_folder(o->folder);
    *o = (struct oracle){0};
}
