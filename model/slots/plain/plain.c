/* The cycle of the base machine. */
#include "model/slots/plain/plain.h"
#include "model/slots/mitigation/none.c" // NOLINT(bugprone-suspicious-include): it is meant

UNIT_PLAIN(unit_step_plain, mitigation_none)
