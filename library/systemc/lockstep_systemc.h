/* Lockstep's models for SystemC: blocks as modules, and a whole machine with TLM-2.0 sockets
 * (docs/library.md). */
#ifndef LOCKSTEP_SYSTEMC_H
#define LOCKSTEP_SYSTEMC_H

#include "lockstep_blocks.h"
#include "lockstep_cluster.h"

#endif
