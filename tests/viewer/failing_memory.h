/* Makes an allocation of the C library fail, in programs that are linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc. */
#ifndef TESTS_VIEWER_FAILING_MEMORY_H
#define TESTS_VIEWER_FAILING_MEMORY_H

#include <stdint.h>

/* Counts allocations from 0 on; the fail_at-th fails (0: none), and all after it too if `lasting`.
 */
void failing_memory_start(uint32_t fail_at, int lasting);

/* Nothing fails any more. Returns how many allocations there were. */
uint32_t failing_memory_stop(void);

#endif
