# actlab_add_activation(target header...): builds the activations of the headers into a target and its registry.
#
# gelu_tanh.h holds struct GeluTanh of namespace actlab::activations. For each header three objects are compiled, one
# an instruction set, each exporting one symbol, the table of its loops, where the library is built with CUDA one with
# the table of its kernels there, and one object with the entry of the registry; for each target one object with its list. The target is this library itself or an executable that links
# actlab::actlab (a static library would lose its list in linking). May be called several times for a target.
function(actlab_add_activation target)
  get_target_property(type ${target} TYPE)
  if(target STREQUAL "actlab_kernels")
    set(list library_activations)
  elseif(type STREQUAL "EXECUTABLE")
    set(list program_activations)
  else()
    message(FATAL_ERROR "actlab_add_activation: ${target} is no executable; add activations to the program itself")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/activations/${target})
  string(MAKE_C_IDENTIFIER ${target} prefix)

  # Optimised in every build type; nothing that assumes finite numbers, whatever the project's own flags say; short
  # loops stay loops where the compiler would call memset.
  set(flags -fno-fast-math -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -fno-lto
    -fno-tree-loop-distribute-patterns)
  set(flags_baseline ${flags} -march=x86-64-v2)
  set(flags_avx2 ${flags} -march=x86-64-v3)
  set(flags_avx512 ${flags} -march=x86-64-v4 -mprefer-vector-width=512)
  set(flags_entry -fno-fast-math -ffp-contract=off)

  foreach(header ${ARGN})
    get_filename_component(header ${header} ABSOLUTE)
    get_filename_component(name ${header} NAME_WE)
    get_target_property(makers ${target} ACTLAB_ACTIVATIONS)
    if("${prefix}_${name}" IN_LIST makers)
      message(FATAL_ERROR "actlab_add_activation: ${target} has an activation '${name}' already; rename ${header}")
    endif()
    string(REPLACE "_" ";" words ${name})
    set(struct "")
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 initial)
      string(SUBSTRING ${word} 1 -1 others)
      string(TOUPPER ${initial} initial)
      string(APPEND struct ${initial}${others})
    endforeach()

    set(parts baseline avx2 avx512 entry)
    # Weak where nothing here defines it: null, unless a program brings the kernels, as the tests that emulate CUDA do.
    set(cuda_linkage " [[gnu::weak]]")
    if(target STREQUAL "actlab_kernels")
      actlab_write_cuda_activation(${folder}/${name}_cuda.cu ${header} ${prefix}_${name} ${struct})
      set_property(TARGET ${target} APPEND PROPERTY ACTLAB_CUDA_SOURCES ${folder}/${name}_cuda.cu)
      if(ACTLAB_CUDA)
        list(APPEND parts cuda)
        set(cuda_linkage "")
      endif()
    endif()
    foreach(isa baseline avx2 avx512)
      file(CONFIGURE OUTPUT ${folder}/${name}_${isa}.cpp @ONLY CONTENT
[[// The loops of @name@ on @isa@.
#include "kernels/cpu/activation_table.h"
#include "@header@"

namespace actlab::generated {
extern const ActivationTable @prefix@_@name@_@isa@;
constinit const ActivationTable @prefix@_@name@_@isa@ = activation_table<activations::@struct@>();
}  // namespace actlab::generated
]])
    endforeach()
    set(isa entry)
    file(CONFIGURE OUTPUT ${folder}/${name}_entry.cpp @ONLY CONTENT
[[// The entry of @name@ in the registry.
#include "kernels/activation_entry.h"
#include "@header@"

namespace actlab::generated {
extern const ActivationTable @prefix@_@name@_baseline, @prefix@_@name@_avx2, @prefix@_@name@_avx512;
extern const CudaActivationTable @prefix@_@name@_cuda@cuda_linkage@;
ActivationType @prefix@_@name@();
ActivationType @prefix@_@name@() {
  return activation_entry<activations::@struct@>(
      {&@prefix@_@name@_baseline, &@prefix@_@name@_avx2, &@prefix@_@name@_avx512}, &@prefix@_@name@_cuda);
}
}  // namespace actlab::generated
]])
    foreach(part ${parts})
      set(source ${folder}/${name}_${part}.cpp)
      if(part STREQUAL "cuda")
        set(source ${folder}/${name}_cuda.cu)
      endif()
      target_sources(${target} PRIVATE ${source})
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
        COMPILE_OPTIONS "${flags_${part}}" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    endforeach()
    set_property(TARGET ${target} APPEND PROPERTY ACTLAB_ACTIVATIONS ${prefix}_${name})
  endforeach()

  get_target_property(has_list ${target} ACTLAB_ACTIVATION_LIST)
  if(has_list)
    return()
  endif()
  set_property(TARGET ${target} PROPERTY ACTLAB_ACTIVATION_LIST ${folder}/list.cpp)
  set(makers "$<TARGET_PROPERTY:${target},ACTLAB_ACTIVATIONS>")
  file(GENERATE OUTPUT ${folder}/list.cpp CONTENT
"// The activations of ${target}.
#include \"kernels/activation_entry.h\"

namespace actlab::generated {
ActivationType $<JOIN:${makers},()$<SEMICOLON>
ActivationType >()$<SEMICOLON>
constexpr ActivationMaker makers[] = {$<JOIN:${makers},$<COMMA>
                                      >}$<SEMICOLON>
extern const ActivationList ${list}$<SEMICOLON>
constinit const ActivationList ${list}{makers}$<SEMICOLON>
}  // namespace actlab::generated
")
  target_sources(${target} PRIVATE ${folder}/list.cpp)
endfunction()

# actlab_write_cuda_activation(file header symbol struct): the source of an activation's kernels for CUDA, which defines
# SYMBOL_cuda.
function(actlab_write_cuda_activation file header symbol struct)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
[[// The kernels of @struct@ for CUDA devices.
#include "kernels/cuda/activation_kernels.h"
#include "@header@"

namespace actlab::generated {
extern const CudaActivationTable @symbol@_cuda;
constinit const CudaActivationTable @symbol@_cuda = cuda_activation_table<activations::@struct@>();
}  // namespace actlab::generated
]])
endfunction()
