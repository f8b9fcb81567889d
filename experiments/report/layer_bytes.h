// What the layers of a model keep for the backward pass, as few enough parts to be drawn.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/report/arm.h"

namespace actlab {

/// Bytes by layer; "block1.norm" and "block2.norm" are one, "block*.norm".
using LayerBytes = std::map<std::string, double>;

/// Of the arm's run that keeps most.
LayerBytes layer_bytes(const Arm& arm);

/// At most `count` names: the layers that keep most in some arm, in the order of their names, and "other" for
/// the rest.
std::vector<std::string> largest_layers(const std::vector<LayerBytes>& arms, std::size_t count);

/// The bytes of those parts, "other" being what the rest of them keep.
std::vector<double> parts_of(const LayerBytes& bytes, const std::vector<std::string>& parts);

}  // namespace actlab
