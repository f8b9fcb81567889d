// Primitive descriptors by one spelling for oneDNN 2 (by way of operation descriptors) and 3.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

namespace actlab::onednn {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;

/// Descriptors of a convolution's arrays; `bias` is Desc() where there is none.
struct ConvolutionDescs {
  Desc x, w, bias, y;
  Dims strides, pads;
};

using MatmulDesc = dnnl::matmul::primitive_desc;
using ForwardDesc = dnnl::convolution_forward::primitive_desc;
using DataDesc = dnnl::convolution_backward_data::primitive_desc;
using WeightsDesc = dnnl::convolution_backward_weights::primitive_desc;
using EltwiseDesc = dnnl::eltwise_forward::primitive_desc;
using EltwiseBackwardDesc = dnnl::eltwise_backward::primitive_desc;
using PoolDesc = dnnl::pooling_forward::primitive_desc;
using PoolBackwardDesc = dnnl::pooling_backward::primitive_desc;

/// An elementwise function with its two numbers.
struct Eltwise {
  dnnl::algorithm algorithm;
  float alpha, beta;
};

inline constexpr auto direct = dnnl::algorithm::convolution_direct;
inline constexpr auto training = dnnl::prop_kind::forward_training;

#if DNNL_VERSION_MAJOR >= 3

inline MatmulDesc matmul_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Desc& a,
                              const Desc& b, const Desc& bias, const Desc& y) {
  return {engine, a, b, bias, y, attr};
}
inline ForwardDesc forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                const ConvolutionDescs& d) {
  return {engine, training, direct, d.x, d.w, d.bias, d.y, d.strides, d.pads, d.pads, attr};
}
inline DataDesc data_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                          const ConvolutionDescs& d, const ForwardDesc& forward) {
  return {engine, direct, d.x, d.w, d.y, d.strides, d.pads, d.pads, forward, attr};
}
inline WeightsDesc weights_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                const ConvolutionDescs& d, const ForwardDesc& forward) {
  return {engine, direct, d.x, d.w, d.bias, d.y, d.strides, d.pads, d.pads, forward, attr};
}
inline EltwiseDesc eltwise_desc(const dnnl::engine& engine, const Eltwise& f, const Desc& x) {
  return {engine, training, f.algorithm, x, x, f.alpha, f.beta};
}
inline EltwiseBackwardDesc eltwise_backward_desc(const dnnl::engine& engine, const Eltwise& f, const Desc& x,
                                                 const EltwiseDesc& forward) {
  return {engine, f.algorithm, x, x, x, f.alpha, f.beta, forward};
}
inline PoolDesc max_pool_desc(const dnnl::engine& engine, const Desc& x, const Desc& y, const Dims& kernel) {
  return {engine, training, dnnl::algorithm::pooling_max, x, y, kernel, kernel, {0, 0}, {0, 0}, {0, 0}};
}
inline PoolBackwardDesc max_pool_backward_desc(const dnnl::engine& engine, const Desc& x, const Desc& y,
                                               const Dims& kernel, const PoolDesc& forward) {
  return {engine, dnnl::algorithm::pooling_max, x, y, kernel, kernel, {0, 0}, {0, 0}, {0, 0}, forward};
}
inline Dims dims_of(const Desc& desc) { return desc.get_dims(); }

#else

inline MatmulDesc matmul_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr, const Desc& a,
                              const Desc& b, const Desc& bias, const Desc& y) {
  return {dnnl::matmul::desc(a, b, bias, y), attr, engine};
}
inline ForwardDesc forward_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                const ConvolutionDescs& d) {
  const dnnl::convolution_forward::desc desc(training, direct, d.x, d.w, d.bias, d.y, d.strides, d.pads,
                                             d.pads);
  return {desc, attr, engine};
}
inline DataDesc data_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                          const ConvolutionDescs& d, const ForwardDesc& forward) {
  const dnnl::convolution_backward_data::desc desc(direct, d.x, d.w, d.y, d.strides, d.pads, d.pads);
  return {desc, attr, engine, forward};
}
inline WeightsDesc weights_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                const ConvolutionDescs& d, const ForwardDesc& forward) {
  const dnnl::convolution_backward_weights::desc desc(direct, d.x, d.w, d.bias, d.y, d.strides, d.pads,
                                                      d.pads);
  return {desc, attr, engine, forward};
}
inline EltwiseDesc eltwise_desc(const dnnl::engine& engine, const Eltwise& f, const Desc& x) {
  return {dnnl::eltwise_forward::desc(training, f.algorithm, x, f.alpha, f.beta), engine};
}
inline EltwiseBackwardDesc eltwise_backward_desc(const dnnl::engine& engine, const Eltwise& f, const Desc& x,
                                                 const EltwiseDesc& forward) {
  return {dnnl::eltwise_backward::desc(f.algorithm, x, x, f.alpha, f.beta), engine, forward};
}
inline PoolDesc max_pool_desc(const dnnl::engine& engine, const Desc& x, const Desc& y, const Dims& kernel) {
  const dnnl::pooling_forward::desc desc(training, dnnl::algorithm::pooling_max, x, y, kernel, kernel, {0, 0},
                                         {0, 0});
  return {desc, engine};
}
inline PoolBackwardDesc max_pool_backward_desc(const dnnl::engine& engine, const Desc& x, const Desc& y,
                                               const Dims& kernel, const PoolDesc& forward) {
  const dnnl::pooling_backward::desc desc(dnnl::algorithm::pooling_max, x, y, kernel, kernel, {0, 0}, {0, 0});
  return {desc, engine, forward};
}
inline Dims dims_of(const Desc& desc) { return desc.dims(); }

#endif

}  // namespace actlab::onednn
