// cuBLASLt's functions, loaded when they are first asked for.
#pragma once

#include <cublasLt.h>

namespace actlab::cublaslt {

/// Those that are called here.
struct Library {
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtGetStatusString) status_string;
  decltype(&cublasLtGetStatusName) status_name;
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;

  decltype(&cublasLtMatmulDescCreate) create_multiply;
  decltype(&cublasLtMatmulDescDestroy) destroy_multiply;
  decltype(&cublasLtMatmulDescSetAttribute) set_multiply;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;

  decltype(&cublasLtMatmulAlgoGetHeuristic) algorithms;
  decltype(&cublasLtMatmul) matmul;
};

/// The loaded library; throws ConfigError with the loader's reason where there is none.
const Library& library();

}  // namespace actlab::cublaslt
