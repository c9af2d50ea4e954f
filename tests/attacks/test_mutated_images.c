/* Program images with random changes are refused, or run until they end: normally, by a diagnosed fault, or
 * by the cycle limit. Neither the simulator nor the driver crashes or hangs, on any machine. Bytes change
 * anywhere in the file, in the code, or in the note that describes the kernels. `make test` runs a few cases,
 * LOCKSTEP_LONG=1 (`make test-long`) 5,000 of each kind (docs/test-long.md). */
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

/* Machines of every kind, with options of the compiler for their images. A machine refuses other images. */
static const struct {
    char *config, *set, *options[2];
} machines[] = {
    {"dual-mode-4", "mode=simt", {"--priorities=all", "--scalarize=off"}},
    {"dual-mode-4", "mode=mimd", {"--priorities=all", "--scalarize=off"}},
    {"gtx285-like", "cluster.count=1", {"--priorities=off", "--scalarize=off"}},
    {"gt640-gcn", "cluster.count=1", {"--priorities=off", "--scalarize=wide"}},
    {"fermi-like", "simt.divergence=sbr", {"--priorities=off", "--scalarize=off"}},
    {"fermi-like", "simt.divergence=lwm", {"--priorities=off", "--scalarize=off"}},
    {"fermi-like", "simt.divergence=dwf", {"--priorities=off", "--scalarize=off"}},
    {"fermi-like", "simt.divergence=harp", {"--priorities=off", "--scalarize=off"}},
    {"fermi-like", "simt.divergence=tbc", {"--priorities=off", "--scalarize=off"}},
    {"temporal-30x8", "kernel.scalarize=convergent", {"--priorities=off", "--scalarize=convergent"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };
static struct bytes images[MACHINES][IMAGES];

static struct bytes compile(uint64_t seed, unsigned machine) {
    char *path = fixture_path("k.cl"), *out = fixture_path("k.img"),
         *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    FILE *f = fopen(path, "w");
    struct random_kernel k;
    assert_non_null(f);
    random_kernel_begin(f);
    random_kernel(f, seed, 0, &k);
    assert_int_equal(fclose(f), 0);
    struct spawned s =
        spawn(fixture_folder, (char *[]){compiler, "--options=-w", machines[machine].options[0],
                                         machines[machine].options[1], "-o", out, path, NULL});
    assert_status(&s, 0);
    struct bytes image = {0};
    image.data = attack_read(out, &image.size);
    spawn_free(&s);
    free(path);
    free(out);
    free(compiler);
    return image;
}

static struct bytes copy_image(struct seed *s, unsigned machine) {
    const unsigned n = seed_below(s, IMAGES);
    struct bytes *image = &images[machine][n];
    if (!image->data) *image = compile(n + 1, machine);
    struct bytes copy = {malloc(image->size + 1), image->size};
    assert_non_null(copy.data);
    memcpy(copy.data, image->data, copy.size + 1);
    return copy;
}

/* Returns the bytes of a section in the file. */
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

/* Changes bytes of a section in place. */
static struct bytes mutated_section(struct seed *s, unsigned machine, const char *name) {
    struct bytes b = copy_image(s, machine);
    size_t size, room;
    char *at = section(&b, name, &size), *part = malloc(room = size);
    assert_non_null(part);
    memcpy(part, at, size);
    attack_mutate(s, &part, &size);
    memcpy(at, part, size < room ? size : room);
    free(part);
    image_checksum_write(b.data, b.size); /* otherwise every change would only fail the checksum */
    return b;
}

static struct bytes mutated_anywhere(struct seed *s, unsigned machine) {
    struct bytes b = copy_image(s, machine);
    attack_mutate(s, &b.data, &b.size);
    if (seed_below(s, 2)) image_checksum_write(b.data, b.size);
    return b;
}

static struct bytes mutated_code(struct seed *s, unsigned machine) {
    return mutated_section(s, machine, ".text");
}

static struct bytes mutated_note(struct seed *s, unsigned machine) {
    return mutated_section(s, machine, ".note.lockstep");
}

/* --- running them --- */

struct tally {
    unsigned ran, refused, faults;
};

static void run(const struct attack *a, struct bytes b, unsigned machine, struct tally *t) {
    char *path = fixture_path("m.img"), *program = fixture_host("load_binary"),
         *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machines[machine].config);
    attack_write(path, b.data, b.size);
    struct spawned s = LOCKSTEP("run", "--max-cycles", "100000", "--config", config, "--set",
                                machines[machine].set, "--", program, "m.img");
    t->ran += s.status == 0;
    t->refused += s.status == REFUSED;
    t->faults += s.status == 120;
    if (s.status != 0 && s.status != REFUSED && s.status != 120)
        attack_fail(a, "%s, %s: exit status %d, expected 0, 3 or 120\n%s\n%s", machines[machine].config,
                    machines[machine].set, s.status, s.out, s.err);
    if (s.status == 120 && !strstr(s.err, "lockstep: ")) attack_fail(a, "no diagnosis\n%s", s.err);
    spawn_free(&s);
    free(config);
    free(path);
    free(program);
    free(b.data);
}

static void attack_images(const char *test, struct bytes (*mutated)(struct seed *, unsigned)) {
    struct attack a = attack_start(test, 25, 5000);
    struct tally t = {0};
    spawn_limit_seconds = 100;
    while (attack_next(&a)) {
        struct seed s = attack_seed(&a);
        const unsigned machine = seed_below(&s, MACHINES);
        run(&a, mutated(&s, machine), machine, &t);
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
