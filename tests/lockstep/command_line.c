#include "tests/lockstep/command_line.h"

void assert_fails(struct spawned s, int status, const char *part) {
    assert_says(s.err, part);
    assert_int_equal(s.status, status);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

void assert_works(struct spawned s, const char *part) {
    if (s.status) fail_msg("exit status %d: %s", s.status, s.err);
    assert_string_equal(s.err, "");
    assert_says(s.out, part);
    spawn_free(&s);
}
