// The command line with a model more.
#include "experiments/cli/cli.h"
#include "se_resnet.h"

int main(int argc, char** argv) {
  return actlab::cli_main(argc, argv, [] { actlab::add_model(example::se_resnet()); });
}
