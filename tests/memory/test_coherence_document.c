/* docs/coherence.md contains the output of docs/coherence.c for the protocols' tables.
 * Needs: $(B)/docs/coherence */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void the_document_is_the_tables(void **state) {
    (void)state;
    char *program = spawn_text("%s/docs/coherence", spawn_build());
    char *path = spawn_text("%s/docs/coherence.md", spawn_source()), *written = spawn_read(path);
    struct spawned s = spawn(".", (char *[]){program, NULL});
    assert_int_equal(s.status, 0);
    assert_non_null(strstr(s.out, "MOESI"));
    if (!written || strcmp(written, s.out) != 0)
        fail_msg("docs/coherence.md is not what the tables say: make docs/coherence.md");
    spawn_free(&s);
    free(written);
    free(path);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_document_is_the_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
