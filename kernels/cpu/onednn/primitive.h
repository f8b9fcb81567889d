// A oneDNN primitive with its scratch counted, a bounded cache of them, and oneDNN's errors as ours.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/array.h"
#include "kernels/cpu/onednn/compat.h"
#include "kernels/error.h"
#include "kernels/memory.h"

namespace actlab::onednn {

const dnnl::engine& engine();

/// Attributes that leave the scratchpad to the caller.
dnnl::primitive_attr user_scratchpad();

/// "oneDNN 2.6.3".
std::string version();

/// Whether oneDNN has code for that type on this CPU (and under its own limit on instruction sets): f32, and
/// bf16 where there are instructions for it.
bool has_code_for(DType dtype);

/// oneDNN's name of a type that it has code for; throws Error for the others.
dnnl::memory::data_type type_of(std::string_view operation, DType dtype);

/// An array of the caller as oneDNN sees it.
inline dnnl::memory view(const Desc& desc, const void* data) {
  return {desc, engine(), const_cast<void*>(data)};
}

/// A primitive and what its execution needs.
class Primitive {
 public:
  template <class PrimitiveDesc>
  Primitive(const PrimitiveDesc& desc, const dnnl::primitive& primitive)
      : primitive_(primitive), scratchpad_(desc.scratchpad_desc()), implementation_(desc.impl_info_str()) {}

  /// Runs to the end; the scratchpad comes from `memory`.
  void run(Memory& memory, std::unordered_map<int, dnnl::memory> arguments) const;
  const std::string& implementation() const { return implementation_; }

 private:
  dnnl::primitive primitive_;
  Desc scratchpad_;
  std::string implementation_;
};

/// A primitive that copies from one layout to the other.
Primitive make_reorder(const Desc& from, const Desc& to);

/// Threads that oneDNN plans and runs with: one inside a parallel region of the caller. There it would plan
/// for all threads and run on one, so this object sets the count, for its lifetime.
class Threads {
 public:
  Threads();
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  int count() const { return count_; }

 private:
  int before_;
  int count_;
};

/// Values by key; the least recently used goes where there would be more than `capacity`.
template <class Key, class Value>
class Cache {
 public:
  static constexpr std::size_t capacity = 64;

  /// The value of `key`, made by make() where it is not held.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    const std::lock_guard lock(mutex_);
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (at->first != key) continue;
      entries_.splice(entries_.begin(), entries_, at);
      return at->second;
    }
    entries_.emplace_front(key, std::make_shared<const Value>(make()));
    if (entries_.size() > capacity) entries_.pop_back();
    return entries_.front().second;
  }

  /// f(key, value) of each, as a list.
  template <class F>
  std::vector<std::string> list(const F& f) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (const auto& [key, value] : entries_) lines.push_back(f(key, *value));
    return lines;
  }

 private:
  mutable std::mutex mutex_;
  std::list<std::pair<Key, std::shared_ptr<const Value>>> entries_;
};

/// Calls f(); an exception of oneDNN becomes Error with the key (an operation and its sizes) in front.
template <class Key, class F>
void with_errors_named(const Key& key, const F& f) {
  try {
    f();
  } catch (const dnnl::error& error) {
    throw Error(concat(describe(key), ": oneDNN: ", error.what(), " (status ", static_cast<int>(error.status),
                       "); gemm = \"openblas\" or \"reference\" computes it another way"));
  }
}

}  // namespace actlab::onednn
