# Options of the build and the flags that every target shares.

if(PROJECT_IS_TOP_LEVEL)
  set(tests AUTO)
else()
  set(tests OFF)
endif()
set(ACTLAB_TESTS ${tests} CACHE STRING "Build the tests: AUTO (where GoogleTest is installed), ON or OFF")
option(ACTLAB_WERROR "A warning ends the build: for compilers that are known" ON)
option(ACTLAB_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
set(ACTLAB_WITH_ONEDNN AUTO CACHE STRING "Matmul and convolution by oneDNN: AUTO, ON or OFF")
set(ACTLAB_WITH_OPENBLAS AUTO CACHE STRING "Matmul and convolution by OpenBLAS: AUTO, ON or OFF")
set(ACTLAB_WITH_CUDA AUTO CACHE STRING "device = \"cuda\" by NVIDIA's toolkit: AUTO, ON or OFF")
set(ACTLAB_WITH_CUDNN AUTO CACHE STRING "gemm = \"cudnn\" for CUDA devices by NVIDIA's cuDNN 9: AUTO, ON or OFF")
set(ACTLAB_WITH_DOWNLOAD AUTO CACHE STRING "actlab data fetch by libcurl and libarchive: AUTO, ON or OFF")
set(ACTLAB_EXTRA_ACTIVATIONS "" CACHE PATH "Folder of further activation headers to build in")
set_property(CACHE ACTLAB_TESTS ACTLAB_WITH_ONEDNN ACTLAB_WITH_OPENBLAS ACTLAB_WITH_CUDA ACTLAB_WITH_CUDNN
  ACTLAB_WITH_DOWNLOAD PROPERTY STRINGS AUTO ON OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

# actlab_find(VARIABLE option package Debian's packages...): sets VARIABLE to whether the optional package is used and
# says so. An option that is ON demands it.
function(actlab_find variable option package)
  set(found FALSE)
  if(${option} STREQUAL "AUTO" OR ${option})
    find_package(${package} QUIET)
    set(found ${${package}_FOUND})
  endif()
  list(JOIN ARGN " " debian)
  if(found)
    set(state "used")
  elseif(${option} STREQUAL "AUTO")
    set(state "not found; for it: apt-get install ${debian}")
  elseif(${option})
    message(FATAL_ERROR "${option}=${${option}}, but ${package} was not found: apt-get install ${debian}, "
      "or set ${option} to AUTO or OFF")
  else()
    set(state "not used")
  endif()
  set(${variable} ${found} PARENT_SCOPE)
  message(STATUS "actlab: ${package}: ${state} (${option}=${${option}})")
endfunction()

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)

# Flags of every target of this build, not of its users. Tests have the warnings and sanitizers of their own.
# -Wrestrict is off for g++ 12's false alarms in std::string (GCC bug 105651).
add_library(actlab_warnings INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wno-restrict $<$<BOOL:${ACTLAB_WERROR}>:-Werror>)
target_compile_options(actlab_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-ffp-contract=off>")
add_library(actlab_flags INTERFACE)
target_link_libraries(actlab_flags INTERFACE actlab_warnings)
if(ACTLAB_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  target_compile_options(actlab_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitizers}>")
  target_link_options(actlab_flags INTERFACE -fsanitize=address,undefined)
endif()

# actlab_add_library(name sources dependency...): a folder's static library; its include root is the project's. The
# alias actlab::SUFFIX is what users link.
function(actlab_add_library name sources)
  add_library(${name} STATIC ${sources})
  string(REPLACE "actlab_" "actlab::" alias ${name})
  add_library(${alias} ALIAS ${name})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/actlab>)
  target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE $<BUILD_INTERFACE:actlab_flags>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
