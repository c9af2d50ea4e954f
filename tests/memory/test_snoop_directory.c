/* The protocol of a line, request by request, against docs/coherence.md: two clusters of two L2s. */
#include "model/memory/directory.h"
#include "model/memory/moesi.h"
#include "model/memory/snoop_directory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct snoop_directory protocol;

/* States of L2 0 and 1 of cluster 0, then of cluster 1; the entry and its owner. */
struct line {
    const char *states;
    unsigned entry, owner;
};

static void ask(struct line line, enum snoop_directory_request request, unsigned cluster, unsigned l2) {
    snoop_directory_init(&protocol, 2, 2);
    for (unsigned n = 0; n < 4; ++n)
        protocol.state[n] = (uint32_t)(strchr("ISEOM", line.states[n]) - "ISEOM");
    protocol.in = (struct snoop_directory_in){.request = request,
                                              .cluster = cluster,
                                              .l2 = l2,
                                              .state = protocol.state,
                                              .entry = line.entry,
                                              .owner = line.owner};
    snoop_directory_eval(&protocol);
}

static void expect(struct line after) {
    char states[5] = "";
    for (unsigned n = 0; n < 4; ++n) states[n] = "ISEOM"[protocol.next[n]];
    assert_string_equal(states, after.states);
    assert_int_equal(protocol.out.entry, after.entry);
    assert_int_equal(protocol.out.owner, after.owner);
}

static void expect_supplier(unsigned cluster, unsigned l2) {
    assert_true(protocol.out.supplied && !protocol.out.memory);
    assert_int_equal(protocol.out.supplier_cluster, cluster);
    assert_int_equal(protocol.out.supplier_l2, l2);
}

static void reads(void **state) {
    (void)state;
    ask((struct line){"IIII", DIRECTORY_U, 0}, SNOOP_DIRECTORY_READ, 1, 0);
    expect((struct line){"IIEI", DIRECTORY_X, 1});
    assert_true(protocol.out.memory && !protocol.out.supplied && !protocol.out.asked);

    ask((struct line){"IIEI", DIRECTORY_X, 1}, SNOOP_DIRECTORY_READ, 1, 1); /* a neighbour has it */
    expect((struct line){"IISS", DIRECTORY_X, 1});
    expect_supplier(1, 0);
    assert_int_equal(protocol.out.asked, 0);

    ask((struct line){"IISS", DIRECTORY_X, 1}, SNOOP_DIRECTORY_READ, 0, 1); /* clean: memory has it, too */
    expect((struct line){"ISSS", DIRECTORY_S, 0});
    expect_supplier(1, 0);
    assert_int_equal(protocol.out.asked, 2);

    ask((struct line){"IIIM", DIRECTORY_X, 1}, SNOOP_DIRECTORY_READ, 0, 1); /* dirty: the owner keeps it */
    expect((struct line){"ISIO", DIRECTORY_O, 1});
    expect_supplier(1, 1);

    ask((struct line){"ISII", DIRECTORY_S, 0}, SNOOP_DIRECTORY_READ, 1, 1);
    expect((struct line){"ISIS", DIRECTORY_S, 0});
    assert_true(protocol.out.memory && !protocol.out.supplied);
}

static void writes(void **state) {
    (void)state;
    ask((struct line){"SIOS", DIRECTORY_O, 1}, SNOOP_DIRECTORY_WRITE, 0, 1); /* the neighbour's is as new */
    expect((struct line){"IMII", DIRECTORY_X, 0});
    expect_supplier(0, 0);
    assert_int_equal(protocol.out.asked, 2);

    ask((struct line){"IISO", DIRECTORY_O, 1}, SNOOP_DIRECTORY_WRITE, 0,
        1); /* the dirty one, not the first */
    expect((struct line){"IMII", DIRECTORY_X, 0});
    expect_supplier(1, 1);

    ask((struct line){"IISS", DIRECTORY_S, 0}, SNOOP_DIRECTORY_WRITE, 0, 0);
    expect((struct line){"MIII", DIRECTORY_X, 0});
    assert_true(protocol.out.memory && !protocol.out.supplied);
    assert_int_equal(protocol.out.asked, 2);

    ask((struct line){"MIII", DIRECTORY_X, 0}, SNOOP_DIRECTORY_WRITE, 0, 1); /* no other cluster has it */
    expect((struct line){"IMII", DIRECTORY_X, 0});
    expect_supplier(0, 0);
    assert_int_equal(protocol.out.asked, 0);

    ask((struct line){"SOSI", DIRECTORY_O, 0}, SNOOP_DIRECTORY_UPGRADE, 1, 0);
    expect((struct line){"IIMI", DIRECTORY_X, 1});
    assert_true(!protocol.out.supplied && !protocol.out.memory);
    assert_int_equal(protocol.out.asked, 1);
}

static void evictions(void **state) {
    (void)state;
    ask((struct line){"SOSI", DIRECTORY_O, 0}, SNOOP_DIRECTORY_EVICT, 0, 1);
    expect((struct line){"SISI", DIRECTORY_S, 0});
    assert_true(protocol.out.write_back);

    ask((struct line){"SIOI", DIRECTORY_O, 1}, SNOOP_DIRECTORY_EVICT, 0, 0); /* the owner keeps it */
    expect((struct line){"IIOI", DIRECTORY_O, 1});
    assert_false(protocol.out.write_back);

    ask((struct line){"OSII", DIRECTORY_X, 0}, SNOOP_DIRECTORY_EVICT, 0, 0); /* the cluster still has it */
    expect((struct line){"ISII", DIRECTORY_X, 0});
    assert_true(protocol.out.write_back);

    ask((struct line){"MIII", DIRECTORY_X, 0}, SNOOP_DIRECTORY_EVICT, 0, 0);
    expect((struct line){"IIII", DIRECTORY_U, 0});
    assert_true(protocol.out.write_back);
}

static void nothing_is_asked(void **state) {
    (void)state;
    ask((struct line){"SIOI", DIRECTORY_O, 1}, SNOOP_DIRECTORY_NONE, 0, 0);
    expect((struct line){"SIOI", DIRECTORY_O, 1});
    assert_true(!protocol.out.supplied && !protocol.out.memory && !protocol.out.write_back &&
                !protocol.out.asked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(writes),
                                       cmocka_unit_test(evictions), cmocka_unit_test(nothing_is_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
