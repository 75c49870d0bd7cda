#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/results/table.hpp"

namespace semirec::results {

// Messages of Foxglove's own schemas, in the frame `world`; times in ns.

/// Appends the poses of bodies (TableRow::poses) as FrameTransforms.
void put_transforms(std::string& out, const std::vector<std::string>& bodies,
                    const std::vector<double>& poses, std::uint64_t time);
/// Appends a piece of the road as a SceneUpdate with one entity, which stays.
void put_road(std::string& out, const Mesh& piece, std::size_t number, std::uint64_t time);

/// JSON Schemas of what of these messages is used here.
extern const char* const kTransformsSchema;
extern const char* const kSceneSchema;

}  // namespace semirec::results
