/* The fast pipeline without counting observers: its files compiled once more, as one, without the code for
 * profiles, recordings and checks (parts.h). */
#define FAST_IS_PLAIN true
#define FAST_RECORDS  false
/* NOLINTBEGIN(bugprone-suspicious-include): they are meant */
#include "model/fast/front.c"
#include "model/fast/execute.c"
#include "model/fast/access.c"
#include "model/fast/lines.c"
#include "model/fast/commit.c"
#include "model/fast/rounds.c"
#include "model/fast/cycle.c"
/* NOLINTEND(bugprone-suspicious-include) */

uint64_t fast_run_plain(struct fast *p, uint64_t t) {
    return fast_run(p, t);
}
