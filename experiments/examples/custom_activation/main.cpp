// The command line; the build puts the program's own activations beside actlab's.
#include "experiments/cli/cli.h"

int main(int argc, char** argv) { return actlab::cli_main(argc, argv); }
