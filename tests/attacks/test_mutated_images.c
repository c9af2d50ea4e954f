/*
 * Program images that were changed at random are refused, or run to some end: by themselves, by a fault that
 * is diagnosed, or by the cycle limit. Neither the simulator nor the driver crashes or hangs, in either mode.
 * Bytes are changed anywhere in the file, in the code, or in the note that describes the kernels; `make test`
 * takes a few, LOCKSTEP_LONG=1 (`make test-long`) 5,000 of each kind (docs/test-long.md).
 */
#include "abi/image_checksum.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"
#include "tests/attacks/random_kernel.h"

#include <elf.h>
#include <string.h>

enum { IMAGES = 4, REFUSED = 3 };

/* --- images --- */

struct bytes {
    char *data;
    size_t size;
};
static struct bytes images[IMAGES];

static struct bytes compile(uint64_t seed) {
    char *path = fixture_path("k.cl"), *out = fixture_path("k.img"),
         *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    FILE *f = fopen(path, "w");
    struct random_kernel k;
    assert_non_null(f);
    random_kernel_begin(f);
    random_kernel(f, seed, 0, &k);
    assert_int_equal(fclose(f), 0);
    struct spawned s = spawn(fixture_folder, (char *[]){compiler, "--options=-w", "-o", out, path, NULL});
    assert_status(&s, 0);
    struct bytes image = {0};
    image.data = attack_read(out, &image.size);
    spawn_free(&s);
    free(path);
    free(out);
    free(compiler);
    return image;
}

static struct bytes copy_image(struct seed *s) {
    const unsigned n = seed_below(s, IMAGES);
    if (!images[n].data) images[n] = compile(n + 1);
    struct bytes copy = {malloc(images[n].size + 1), images[n].size};
    assert_non_null(copy.data);
    memcpy(copy.data, images[n].data, copy.size + 1);
    return copy;
}

/* Where a section's bytes are in the file. */
static char *section(const struct bytes *b, const char *name, size_t *size) {
    const Elf32_Ehdr *header = (const void *)b->data;
    const Elf32_Shdr *table = (const void *)(b->data + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (!strcmp(b->data + table[header->e_shstrndx].sh_offset + table[i].sh_name, name)) {
            *size = table[i].sh_size;
            return b->data + table[i].sh_offset;
        }
    fail_msg("the image has no section %s", name);
    return NULL;
}

/* Changes bytes of a section, without moving any. */
static struct bytes mutated_section(struct seed *s, const char *name) {
    struct bytes b = copy_image(s);
    size_t size, room;
    char *at = section(&b, name, &size), *part = malloc(room = size);
    assert_non_null(part);
    memcpy(part, at, size);
    attack_mutate(s, &part, &size);
    memcpy(at, part, size < room ? size : room);
    free(part);
    image_checksum_write(b.data, b.size); /* else nothing but the checksum would be met */
    return b;
}

static struct bytes mutated_anywhere(struct seed *s) {
    struct bytes b = copy_image(s);
    attack_mutate(s, &b.data, &b.size);
    if (seed_below(s, 2)) image_checksum_write(b.data, b.size);
    return b;
}

static struct bytes mutated_code(struct seed *s) {
    return mutated_section(s, ".text");
}

static struct bytes mutated_note(struct seed *s) {
    return mutated_section(s, ".note.lockstep");
}

/* --- running them --- */

struct tally {
    unsigned ran, refused, faults;
};

static void run(const struct attack *a, struct bytes b, struct tally *t) {
    char *path = fixture_path("m.img"), *program = fixture_host("load_binary");
    attack_write(path, b.data, b.size);
    struct spawned s = LOCKSTEP("run", "--max-cycles", "100000", "--mode", a->count % 2 ? "simt" : "mimd",
                                "--", program, "m.img");
    t->ran += s.status == 0;
    t->refused += s.status == REFUSED;
    t->faults += s.status == 120;
    if (s.status != 0 && s.status != REFUSED && s.status != 120)
        attack_fail(a, "exit status %d, expected 0, 3 or 120\n%s\n%s", s.status, s.out, s.err);
    if (s.status == 120 && !strstr(s.err, "lockstep: ")) attack_fail(a, "no diagnosis\n%s", s.err);
    spawn_free(&s);
    free(path);
    free(program);
    free(b.data);
}

static void attack_images(const char *test, struct bytes (*mutated)(struct seed *)) {
    struct attack a = attack_start(test, 25, 5000);
    struct tally t = {0};
    spawn_limit_seconds = 100;
    while (attack_next(&a)) {
        struct seed s = attack_seed(&a);
        run(&a, mutated(&s), &t);
    }
    attack_end(&a, "%u images ran, %u were refused, %u ended by a fault or the cycle limit", t.ran, t.refused,
               t.faults);
}

static void changed_anywhere(void **state) {
    (void)state;
    attack_images("changed_anywhere", mutated_anywhere);
}

static void changed_code(void **state) {
    (void)state;
    attack_images("changed_code", mutated_code);
}

static void changed_note(void **state) {
    (void)state;
    attack_images("changed_note", mutated_note);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(changed_anywhere), TEST(changed_code), TEST(changed_note)};
    return attack_run(argc, argv, tests);
}
