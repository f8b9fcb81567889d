// What a sweep would do, before it does it.
#pragma once

#include "experiments/cli/jobs.h"
#include "experiments/cli/verbs.h"

namespace actlab {

/// Writes the arguments of `actlab run` for each job, one job a line, as a shell reads them.
int write_plan(const JobsToRun& jobs, const RunArguments& arguments);

/// Prints each job with its sizes, its time by a few steps on this machine, and what would be done about it.
int print_dry_run(const JobsToRun& jobs, DataSets& data, const RunArguments& arguments);

}  // namespace actlab
