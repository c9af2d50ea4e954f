/* docs/coherence.md is what the protocols' tables say. COHERENCE_DOCUMENT=FILE writes it there instead. */
#include "model/memory/coherence_document.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *made(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    coherence_document(out);
    fclose(out);
    return text;
}

static void the_document_is_the_tables(void **state) {
    (void)state;
    char *path = spawn_text("%s/docs/coherence.md", spawn_source()), *text = made();
    char *written = spawn_read(path);
    if (!written || strcmp(written, text) != 0)
        fail_msg("docs/coherence.md is not what the tables say: make docs/coherence.md");
    free(written);
    free(text);
    free(path);
}

int main(void) {
    const char *target = getenv("COHERENCE_DOCUMENT");
    if (target) {
        char *text = made();
        spawn_write(target, text);
        free(text);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_document_is_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
