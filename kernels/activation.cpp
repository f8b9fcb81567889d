// The registry of activations, their names, and the handle.
#include "kernels/activation.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/activation_entry.h"
#include "kernels/error.h"

namespace actlab {

namespace generated {
extern const ActivationList library_activations;
// Null where the program adds none.
extern const ActivationList program_activations __attribute__((weak));
}  // namespace generated

namespace {

constexpr std::string_view isa_names[isa_count] = {"baseline", "avx2", "avx512"};
constexpr std::string_view observed_word = "observed";
constexpr std::string_view learned_names[] = {"fixed", "layer", "channel"};  // by Learned

void check_names_differ(const std::vector<ActivationType>& types) {
  std::vector<std::string_view> names;
  for (const ActivationType& type : types) {
    names.push_back(type.info.name);
    if (!type.info.gated.empty()) names.push_back(type.info.gated);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  ACTLAB_CHECK(twice == names.end(), "two activations are named '", *twice,
               "': give the one in your header another name");
}

std::vector<ActivationType> collect() {
  std::vector<ActivationType> types;
  for (const ActivationMaker make : generated::library_activations.makers) types.push_back(make());
  if (&generated::program_activations != nullptr)
    for (const ActivationMaker make : generated::program_activations.makers) types.push_back(make());
  check_names_differ(types);
  std::sort(types.begin(), types.end(),
            [](const ActivationType& a, const ActivationType& b) { return a.info.name < b.info.name; });
  return types;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view{}
                            : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class T>
std::string shortest(T value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

double parse_value(std::string_view text, std::string_view where, std::string_view nor = {}) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw ConfigError(concat("activation '", where, "': '", text, "' is not a number", nor));
  return value;
}

Learned parse_learned(std::string_view text, std::string_view where) {
  for (std::size_t i = 0; i < std::size(learned_names); ++i)
    if (learned_names[i] == text) return static_cast<Learned>(i);
  throw ConfigError(concat("activation '", where, "': learned is fixed, layer or channel, not '", text, "'"));
}

bool is_observed(const ActivationType& type, std::string_view parameter) {
  return type.observed() != nullptr && type.observed()->name == parameter;
}

std::string_view name_in_use(const ActivationHandle& handle) {
  return handle.gated() ? handle.info().gated : handle.info().name;
}

std::string names_of_learnable() {
  std::string names;
  for (const ActivationType& type : activation_types())
    if (type.learnable() != nullptr) names += concat(names.empty() ? "" : ", ", type.info.name);
  return names;
}

}  // namespace

std::string_view name_of(Isa isa) { return isa_names[static_cast<int>(isa)]; }

Isa parse_isa(std::string_view name) {
  for (int i = 0; i < isa_count; ++i)
    if (isa_names[i] == name) return static_cast<Isa>(i);
  throw ConfigError(concat("unknown instruction set '", name, "'",
                           nearest_names(name, {std::begin(isa_names), std::end(isa_names)})));
}

bool cpu_supports(Isa isa) {
  switch (isa) {
    case Isa::baseline:
      return __builtin_cpu_supports("x86-64-v2") != 0;
    case Isa::avx2:
      return __builtin_cpu_supports("x86-64-v3") != 0;
    case Isa::avx512:
      return __builtin_cpu_supports("x86-64-v4") != 0;
  }
  return false;
}

Isa best_isa() {
  if (cpu_supports(Isa::avx512)) return Isa::avx512;
  return cpu_supports(Isa::avx2) ? Isa::avx2 : Isa::baseline;
}

const std::vector<ActivationType>& activation_types() {
  static const std::vector<ActivationType> types = collect();
  return types;
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const ActivationType& type : activation_types()) names.emplace_back(type.info.name);
  return names;
}

std::vector<std::string> gated_names() {
  std::vector<std::string> names;
  for (const ActivationType& type : activation_types())
    if (!type.info.gated.empty()) names.emplace_back(type.info.gated);
  return names;
}

const ParameterInfo* ActivationType::learnable() const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [](const ParameterInfo& p) { return p.learnable; });
  return found == parameters.end() ? nullptr : &*found;
}

const ParameterInfo* ActivationType::observed() const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [](const ParameterInfo& p) { return p.observed; });
  return found == parameters.end() ? nullptr : &*found;
}

ActivationHandle::ActivationHandle(const ActivationType& type, bool gated)
    : type_(&type), gated_(gated), observes_(type.observed() != nullptr) {
  for (std::size_t i = 0; i < type.parameters.size(); ++i) values_[i] = type.parameters[i].value;
}

ActivationHandle ActivationHandle::parse(std::string_view text) {
  const std::string_view whole = trimmed(text);
  const std::string_view name = trimmed(whole.substr(0, whole.find('(')));
  const auto& types = activation_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const ActivationType& type) {
    return type.info.name == name || (!name.empty() && type.info.gated == name);
  });
  if (found == types.end()) {
    std::vector<std::string> known = activation_names();
    for (std::string& gated : gated_names()) known.push_back(std::move(gated));
    throw ConfigError(concat("unknown activation '", name, "'", nearest_names(name, known)));
  }
  ActivationHandle handle(*found, found->info.name != name);
  const auto open = whole.find('(');
  if (open == whole.npos) return handle;
  if (whole.back() != ')')
    throw ConfigError(concat("activation '", whole, "': no closing bracket; write it as ", handle.spelled()));
  std::string_view rest = trimmed(whole.substr(open + 1, whole.size() - open - 2));
  std::vector<std::string_view> given;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    const auto equals = one.find('=');
    if (equals == one.npos)
      throw ConfigError(
          concat("activation '", whole, "': '", trimmed(one), "' is not of the form parameter=value"));
    const std::string_view parameter = trimmed(one.substr(0, equals));
    if (std::find(given.begin(), given.end(), parameter) != given.end())
      throw ConfigError(concat("activation '", whole, "': ", parameter, " is given twice"));
    given.push_back(parameter);
    const std::string_view value = trimmed(one.substr(equals + 1));
    if (parameter == "learned")
      handle = handle.with(parse_learned(value, whole));
    else if (!is_observed(handle.type(), parameter))
      handle = handle.with(parameter, parse_value(value, whole));
    else if (value != observed_word)
      handle = handle.with(parameter, parse_value(value, whole, ", nor 'observed'"));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return handle;
}

ActivationHandle ActivationHandle::with(std::string_view parameter, double value) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < type_->parameters.size(); ++i) {
    const ParameterInfo& info = type_->parameters[i];
    known.emplace_back(info.name);
    if (info.name != parameter) continue;
    if (!(value >= info.least && value <= info.most))
      throw ConfigError(concat("activation ", name_in_use(*this), ": ", parameter, " = ", shortest(value),
                               " is out of range [", shortest(info.least), ", ", shortest(info.most), "]"));
    ActivationHandle changed = *this;
    changed.values_[i] = value;
    if (info.observed) changed.observes_ = false;
    return changed;
  }
  throw ConfigError(concat("activation ", name_in_use(*this), " has no parameter '", parameter, "'",
                           known.empty() ? "; it has none" : nearest_names(parameter, known)));
}

ActivationHandle ActivationHandle::with(Learned learned) const {
  ActivationHandle changed = *this;
  changed.learned_ = learned;
  if (learned == Learned::fixed) return changed;
  if (gated_)
    throw ConfigError(concat("activation ", info().gated,
                             " is gated: a gated form has no learned parameter; leave `learned` out"));
  if (type_->learnable() == nullptr)
    throw ConfigError(concat("activation ", info().name,
                             " has no learnable parameter; those that have one: ", names_of_learnable()));
  return changed;
}

std::size_t ActivationHandle::place_of(const ParameterInfo* parameter, std::string_view kind) const {
  ACTLAB_CHECK(parameter != nullptr, "activation ", info().name, " has no ", kind, " parameter");
  return static_cast<std::size_t>(parameter - type_->parameters.data());
}

double ActivationHandle::start() const { return values_[place_of(type_->learnable(), "learnable")].value; }

ActivationHandle ActivationHandle::trained(double value) const {
  ActivationHandle changed = *this;
  changed.values_[place_of(type_->learnable(), "learnable")] = Parameter::trained(value);
  return changed;
}

ActivationHandle ActivationHandle::for_data(double size) const {
  const std::size_t place = place_of(type_->observed(), "observed");
  const ParameterInfo& observed = type_->parameters[place];
  ActivationHandle changed = *this;
  changed.values_[place] = std::clamp(size, observed.least, observed.most);
  changed.observes_ = false;
  return changed;
}

std::string ActivationHandle::spelled() const {
  std::string text(name_in_use(*this));
  for (std::size_t i = 0; i < type_->parameters.size(); ++i)
    text += concat(i == 0 ? "(" : ", ", type_->parameters[i].name, "=",
                   type_->parameters[i].observed && observes_ ? std::string(observed_word)
                                                              : shortest(values_[i].as<float>()));
  if (learned_ != Learned::fixed)
    text += concat(", learned=", learned_names[static_cast<std::size_t>(learned_)]);
  return type_->parameters.empty() ? text : text + ")";
}

double ActivationHandle::gain() const {
  // The trapezoidal rule converges like exp(-1/step) where f is smooth; the corners of piecewise ones lie on
  // its grid.
  constexpr double step = 1.0 / 1024, reach = 12, inverse_sqrt_two_pi = 0.39894228040143267794;
  double second_moment = 0;
  for (int i = static_cast<int>(-reach / step); i <= static_cast<int>(reach / step); ++i) {
    const double x = i * step, y = type_->f(values_, x);
    second_moment += step * inverse_sqrt_two_pi * std::exp(-x * x / 2) * y * y;
  }
  ACTLAB_CHECK(second_moment > 0 && std::isfinite(second_moment), "activation ", spelled(),
               " has no gain: E f(x)^2 = ", shortest(second_moment), " for x ~ N(0, 1)");
  return 1 / std::sqrt(second_moment);
}

}  // namespace actlab
