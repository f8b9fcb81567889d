// The command line's verbs.
#include "experiments/cli/cli.h"

namespace actlab {

int cli_main(int, char**) { return 0; }

}  // namespace actlab
