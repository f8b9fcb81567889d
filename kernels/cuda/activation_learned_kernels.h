// An activation with a trained parameter on CUDA devices: one value for the layer, or one for each channel,
// the last dimension.
#pragma once

#include "kernels/activation_body.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/places.h"

namespace actlab {
namespace {

// The activation of an element: at(place(i)) is that of element i, and at(place(i) + k) that of element i + k
// of the same row.

template <class A>
class OfLayer {
 public:
  __device__ OfLayer(const A& a, const float* learned, const cuda::Divisor&)
      : a_(with_learned(a, static_cast<double>(*learned))) {}
  __device__ std::int64_t place(std::int64_t) const { return 0; }
  __device__ const A& at(std::int64_t) const { return a_; }

 private:
  A a_;
};

template <class A>
class OfChannels {
 public:
  __device__ OfChannels(const A& a, const float* learned, const cuda::Divisor& channels)
      : a_(a), learned_(learned), channels_(channels) {}
  __device__ std::int64_t place(std::int64_t i) const { return channels_.rest(i); }
  __device__ A at(std::int64_t place) const { return with_learned(a_, static_cast<double>(learned_[place])); }

 private:
  A a_;
  const float* learned_;
  cuda::Divisor channels_;
};

// A piece is `size` elements of a row, n and the channels multiples of it.

template <int size, class Activations, class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    learned_kernel(A a, const float* learned, cuda::Divisor channels, const T* x, T* y, std::int64_t n) {
  const Activations activations(a, learned, channels);
  for (std::int64_t i = cuda::first_piece() * size; i < n; i += cuda::piece_step() * size) {
    const std::int64_t place = activations.place(i);
    const auto in = cuda::read_pack<size>(x + i);
    cuda::Pack<T, size> out;
#pragma unroll
    for (int k = 0; k < size; ++k)
      out.values[k] = math::from_float<T>(activations.at(place + k).f(math::to_float(in.values[k])));
    cuda::write_pack<size>(y + i, out);
  }
}

template <int size, class Activations, class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    learned_backward_kernel(A a, const float* learned, cuda::Divisor channels, const T* x, const T* dy, T* dx,
                            float* dlearned, std::int64_t n) {
  const Activations activations(a, learned, channels);
  for (std::int64_t i = cuda::first_piece() * size; i < n; i += cuda::piece_step() * size) {
    const std::int64_t place = activations.place(i);
    const auto in = cuda::read_pack<size>(x + i), upstream = cuda::read_pack<size>(dy + i);
    cuda::Pack<T, size> dinput;
    cuda::Pack<float, size> dparameter;
#pragma unroll
    for (int k = 0; k < size; ++k) {
      const A here = activations.at(place + k);
      const float value = math::to_float(in.values[k]), d = math::to_float(upstream.values[k]);
      dinput.values[k] = math::from_float<T>(d * here.df(value));
      dparameter.values[k] = d * here.dparameter(value);
    }
    cuda::write_pack<size>(dx + i, dinput);
    cuda::write_pack<size>(dlearned + i, dparameter);
  }
}

// Calls start<pack, Activations>() for the widest pack that n, the channels and the arrays' alignment allow.
template <class A, int size, class Start, class... X>
void for_learned(std::int64_t channels, std::int64_t n, const Start& start, const X*... arrays) {
  const bool packs = n % size == 0 && (cuda::packs_of<size>(arrays) && ...);
  if (channels == 1)
    packs ? start.template operator()<size, OfLayer<A>>() : start.template operator()<1, OfLayer<A>>();
  else
    packs&& channels % size == 0 ? start.template operator()<size, OfChannels<A>>()
                                 : start.template operator()<1, OfChannels<A>>();
}

template <class A, class T>
void learned_forward(const ParameterValues& values, const float* learned, std::int64_t period, const void* x,
                     void* y, std::int64_t n) {
  const T* const in = static_cast<const T*>(x);
  T* const out = static_cast<T*>(y);
  const auto start = [&]<int size, class Activations>() {
    cuda::launch(A::info.name, learned_kernel<size, Activations, A, T>, cuda::grid_for(n / size),
                 activation_with<A>(values), learned, cuda::Divisor(period), in, out, n);
  };
  for_learned<A, cuda::pack_size<T>>(period, n, start, in, out);
}

template <class A, class T>
void learned_backward(const ParameterValues& values, const float* learned, std::int64_t period, const void* x,
                      const void* dy, void* dx, float* dlearned, std::int64_t n) {
  const T* const in = static_cast<const T*>(x);
  const T* const upstream = static_cast<const T*>(dy);
  T* const out = static_cast<T*>(dx);
  const auto start = [&]<int size, class Activations>() {
    cuda::launch(A::info.name, learned_backward_kernel<size, Activations, A, T>, cuda::grid_for(n / size),
                 activation_with<A>(values), learned, cuda::Divisor(period), in, upstream, out, dlearned, n);
  };
  for_learned<A, cuda::pack_size<T, float>>(period, n, start, in, upstream, out, dlearned);
}

}  // namespace
}  // namespace actlab
