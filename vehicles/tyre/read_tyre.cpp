#include "vehicles/tyre/read_tyre.hpp"

#include "vehicles/tyre/magic_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"

namespace semirec {

std::shared_ptr<const TyreLaw> read_tyre_text(const std::string& text, const std::string& file,
                                              Side mounted, std::vector<std::string>* notes) {
  const TirFile tir = parse_tir(text, file);
  std::vector<std::string> remarks = tir.notes;
  const MagicParameters parameters = read_magic_parameters(tir, mounted, remarks);
  if (notes != nullptr) notes->insert(notes->end(), remarks.begin(), remarks.end());
  return std::make_shared<MagicTyre>(parameters);
}

std::shared_ptr<const TyreLaw> read_tyre_file(const std::string& path, Side mounted,
                                              std::vector<std::string>* notes) {
  return read_tyre_text(read_tir_text(path), path, mounted, notes);
}

}  // namespace semirec
