/* The cycle of the base machine with simt.mitigation slp. */
#include "model/slots/plain/plain.h"
#include "model/slots/mitigation/slp.c" // NOLINT(bugprone-suspicious-include): it is meant

UNIT_PLAIN(unit_step_plain_slp, mitigation_slp)
