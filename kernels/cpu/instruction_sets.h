// Compiles a function once for each instruction set; the first call's processor decides which runs. For
// functions that are no templates, stand in an anonymous namespace and call nothing that is not inlined.
// Their results do not depend on it: nothing is contracted or reordered.
#pragma once

#define ACTLAB_EACH_INSTRUCTION_SET \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
