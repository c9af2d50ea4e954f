/* fake_tools: replacements for Yosys and ABC that produce the same few gates for every module. The parts of a
 * machine do not depend on the gates, and the real tools take minutes for each module. A synthesis appends a
 * line to the file $FAKE_LOG and takes $FAKE_SECONDS. */
#ifndef TESTS_FAKE_TOOLS_H
#define TESTS_FAKE_TOOLS_H

#include "tests/fixture.h"

#include <stdlib.h>

static const char fake_yosys[] =
    "#!/bin/sh\n[ \"$1\" = -V ] && echo fake && exit\nfor last; do :; done\n"
    "top=$(sed -n 's/^hierarchy -check -top //p' \"$last\")\necho >proof.aig\n"
    "[ -z \"$FAKE_LOG\" ] || [ \"$last\" != map.ys ] || { echo \"$top\" >>\"$FAKE_LOG\"; sleep "
    "${FAKE_SECONDS:-0}; }\n"
    "for f in $(sed -n 's/^write_verilog.* //p' \"$last\"); do cat >$f <<END\n"
    "module $top(clk_i, rst_ni, a_i, y_o);\n  input clk_i;\n  input rst_ni;\n  input a_i;\n  output y_o;\n"
    "  wire n;\n  wire q;\n  INVX1 _1_ (\n    .A(a_i),\n    .Y(n)\n  );\n"
    "  DFFPOSX1 _2_ (\n    .CLK(clk_i),\n    .D(n),\n    .Q(q)\n  );\n"
    "  INVX1 _3_ (\n    .A(q),\n    .Y(y_o)\n  );\nendmodule\nEND\ndone\n";
static const char fake_abc[] = "#!/bin/sh\necho Networks are equivalent\n";

/* Installs the tools in the test's folder. Returns arguments of `env` with which they are found and their
 * results are kept in that folder; to be freed. */
static inline char *fake_tools(void) {
    char *yosys = fixture_file("yosys", fake_yosys, 0755),
         *abc = fixture_file("berkeley-abc", fake_abc, 0755);
    free(yosys);
    free(abc);
    return spawn_text("PATH=%s:%s", fixture_folder, getenv("PATH"));
}

static inline char *fixture_cache(const char *name) {
    return spawn_text("LOCKSTEP_CACHE=%s/%s", fixture_folder, name);
}

#endif
