/* time: simulated time, in whole picoseconds. */
#ifndef SIM_TIME_H
#define SIM_TIME_H

#include <stdint.h>

typedef uint64_t sim_time; /* picoseconds: 213 days */
#define SIM_TIME_NEVER UINT64_MAX

#define SIM_PS UINT64_C(1)
#define SIM_NS UINT64_C(1000)
#define SIM_US UINT64_C(1000000)
#define SIM_MS UINT64_C(1000000000)
#define SIM_S  UINT64_C(1000000000000)

#endif
