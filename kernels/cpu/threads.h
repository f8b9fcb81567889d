// How many threads the CPU backend computes with.
#pragma once

namespace actlab {

/// Uses `threads` threads from now on, 0: as many as OpenMP would (all cores that this process may use, or
/// OMP_NUM_THREADS). `bind` pins each to a core of its own where there are enough, so that timings do not
/// suffer from two on one core; a program that shares the machine should not. Returns the number.
int use_threads(int threads, bool bind = false);

}  // namespace actlab
