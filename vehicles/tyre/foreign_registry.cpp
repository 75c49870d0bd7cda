#include "vehicles/tyre/foreign_registry.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "topology/mechanism.hpp"

namespace semirec {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, RegisteredTyre> tyres;
};

Registry& registry() {
  static Registry one;
  return one;
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

}  // namespace

void register_foreign_tyre(const std::string& name, ForeignTyreFunction function, void* user) {
  if (!is_name(name))
    throw ModelError({}, "foreign tyre",
                     "has a name that is none, expected 1 to 60 letters, digits, '_', '-' or '.'");
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  if (function == nullptr)
    known.tyres.erase(name);
  else
    known.tyres[name] = {function, user};
}

std::optional<RegisteredTyre> find_foreign_tyre(const std::string& name) {
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.tyres.find(name);
  if (found == known.tyres.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> foreign_tyre_names() {
  Registry& known = registry();
  const std::lock_guard<std::mutex> lock(known.mutex);
  std::vector<std::string> names;
  for (const auto& [name, tyre] : known.tyres) names.push_back(name);
  return names;
}

}  // namespace semirec
