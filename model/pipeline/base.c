/* The pipeline of the base machine, at which nobody looks: its files once more, as one, with all that this
 * machine does not have known to the compiler (pipeline.h). test_base_instance and test_recorded_runs hold
 * the two equal. */
#define PATH_IS_BASE true
/* NOLINTBEGIN(bugprone-suspicious-include): they are meant */
#include "model/pipeline/front.c"
#include "model/pipeline/execute.c"
#include "model/pipeline/access.c"
#include "model/pipeline/lines.c"
#include "model/pipeline/commit.c"
#include "model/pipeline/rounds.c"
#include "model/pipeline/cycle.c"
/* NOLINTEND(bugprone-suspicious-include) */

uint64_t path_run_base(struct path *p, uint64_t t) {
    return path_run(p, t);
}
