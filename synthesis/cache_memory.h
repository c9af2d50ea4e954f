/* cache_memory: a cache with its tags as memory. CACTI's caches are taken to include the state of lru; with
 * another policy the area, leakage and energy of its state take the place of lru's (replacement.h). An access
 * writes the state if the policy looks at uses; a line that comes always does. */
#ifndef SYNTHESIS_CACHE_MEMORY_H
#define SYNTHESIS_CACHE_MEMORY_H

#include "model/config/machine_config.h"
#include "synthesis/sram.h"

struct sram cache_memory(const struct machine_cache_config *c);

#endif
