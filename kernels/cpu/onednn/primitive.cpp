// Engine, execution, threads and version of oneDNN.
#include "kernels/cpu/onednn/primitive.h"

#include <omp.h>

#include "kernels/f32.h"

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

bool has_code_for(DType dtype) {
  // Sets of instructions are sets of bits: a later one holds those before it.
  constexpr auto needed = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  static const auto have = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  return dtype == DType::f32 || (dtype == DType::bf16 && (have & needed) == needed);
}

dnnl::memory::data_type type_of(std::string_view operation, DType dtype) {
  if (dtype == DType::bf16 && has_code_for(dtype)) return dnnl::memory::data_type::bf16;
  check_f32(operation, dtype);
  return dnnl::memory::data_type::f32;
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
