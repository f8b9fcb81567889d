# CUDA: whether its toolkit is used, and the flags of device code. Sets ACTLAB_CUDA.
#
# --fmad=false: bodies call fma where they mean it, and nothing else is fused; never fast-math.
set(ACTLAB_CUDA FALSE)
set(state "not used")
if(ACTLAB_SANITIZE AND NOT ACTLAB_WITH_CUDA STREQUAL "ON")
  set(state "not used beside sanitizers")
elseif(ACTLAB_WITH_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90 CACHE STRING "GPUs that device code is compiled for; PTX for later ones")
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  find_package(CUDAToolkit QUIET)
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cublasLt)
    # CMake 3.25 does not know that nvcc has C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    enable_language(CUDA)
    set(ACTLAB_CUDA TRUE)
    set(state "${CUDAToolkit_VERSION} used, for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(ACTLAB_WITH_CUDA STREQUAL "AUTO")
    set(state "no toolkit with nvcc and cuBLASLt found")
  else()
    message(FATAL_ERROR "ACTLAB_WITH_CUDA=ON, but no CUDA toolkit with nvcc and cuBLASLt was found: install one (13 or "
      "newer) and put nvcc on PATH, or set ACTLAB_WITH_CUDA to AUTO or OFF")
  endif()
endif()
message(STATUS "actlab: CUDA: ${state} (ACTLAB_WITH_CUDA=${ACTLAB_WITH_CUDA})")

set(ACTLAB_CUDA_FLAGS --fmad=false --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-Wno-parentheses --Werror all-warnings)
