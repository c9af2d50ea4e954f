/* The cycle of the base machine with simt.mitigation skip. */
#include "model/slots/plain/plain.h"
#include "model/slots/mitigation/skip.c" // NOLINT(bugprone-suspicious-include): it is meant

UNIT_PLAIN(unit_step_plain_skip, mitigation_skip)
