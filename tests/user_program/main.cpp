// The command line with a user's own activations.
#include "experiments/cli/cli.h"

int main(int argc, char** argv) { return actlab::cli_main(argc, argv); }
