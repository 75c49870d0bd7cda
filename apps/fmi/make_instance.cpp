#include "apps/fmi/make_instance.hpp"

#include <charconv>
#include <string_view>

namespace semirec::fmi {

namespace {

/// `%20` as the byte that it stands for.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    unsigned byte = 0;
    if (text[k] == '%' && k + 2 < text.size()) {
      const char* last = text.data() + k + 3;
      const auto [end, error] = std::from_chars(text.data() + k + 1, last, byte, 16);
      if (error == std::errc() && end == last) {
        plain += static_cast<char>(byte);
        k += 2;
        continue;
      }
    }
    plain += text[k];
  }
  return plain;
}

}  // namespace

std::string folder_of(const char* location) {
  std::string_view text = location;
  std::string folder(text);
  constexpr std::string_view kScheme = "file:";
  if (text.substr(0, kScheme.size()) == kScheme) {
    text.remove_prefix(kScheme.size());
    // an authority may stand between two strokes and the path
    if (text.substr(0, 2) == "//") {
      const std::size_t path = text.find('/', 2);
      if (path == std::string_view::npos) return {};
      text.remove_prefix(path);
    }
    folder = without_escapes(text);
  } else if (text.find("://") != std::string_view::npos) {
    return {};
  }
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

Instance* make_instance(const char* function, const char* name, const char* token,
                        const char* location, const LogSink& sink, bool logging) noexcept {
  const auto refuse = [&](const std::string& message) {
    if (sink)
      sink(Status::error, kErrorCategory,
           without_references(std::string(function) + ": " + message).c_str());
    return nullptr;
  };
  try {
    try {
      if (name == nullptr || *name == '\0') return refuse("the instance's name is empty");
      if (token == nullptr) return refuse("the instantiation token is null");
      if (location == nullptr)
        return refuse("the place of the resources is null, expected the folder of this FMU");
      const std::string folder = folder_of(location);
      if (folder.empty())
        return refuse("the place of the resources is no path and no URI with file:");
      return new Instance(token, folder, sink, logging);
    } catch (const std::exception& error) {
      return refuse(error.what());
    } catch (...) {
      return refuse("what should not happen has happened");
    }
  } catch (...) {
    return nullptr;
  }
}

}  // namespace semirec::fmi
