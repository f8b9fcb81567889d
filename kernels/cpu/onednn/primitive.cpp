// Engine, execution, threads and version of oneDNN.
#include "kernels/cpu/onednn/primitive.h"

#include <omp.h>

namespace actlab::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

dnnl::primitive_attr user_scratchpad() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

std::string version() {
  const dnnl_version_t* v = dnnl_version();
  return concat("oneDNN ", v->major, ".", v->minor, ".", v->patch);
}

void Primitive::run(Memory& memory, std::unordered_map<int, dnnl::memory> arguments) const {
  const Buffer scratch(memory, static_cast<std::int64_t>(scratchpad_.get_size()), MemoryKind::workspace);
  arguments.emplace(DNNL_ARG_SCRATCHPAD, view(scratchpad_, scratch.data()));
  dnnl::stream stream(engine());
  primitive_.execute(stream, arguments);
  stream.wait();
}

Primitive make_reorder(const Desc& from, const Desc& to) {
  const dnnl::reorder::primitive_desc desc(engine(), from, engine(), to, user_scratchpad());
  return {desc, dnnl::reorder(desc)};
}

Threads::Threads() : before_(omp_get_max_threads()), count_(omp_in_parallel() != 0 ? 1 : before_) {
  if (count_ != before_) omp_set_num_threads(count_);
}

Threads::~Threads() {
  if (count_ != before_) omp_set_num_threads(before_);
}

}  // namespace actlab::onednn
