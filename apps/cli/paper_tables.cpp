#include "apps/cli/paper_tables.hpp"

namespace semirec::cli {

namespace {

// the paper's program keeps its independent coordinates
const char* const kTopological = "topological_plain";
constexpr std::nullopt_t kNo = std::nullopt;
const char* const kNoConvergence = "no convergence";

std::vector<PaperTable> make_tables() {
  using Kind = Measure::Kind;
  std::vector<PaperTable> tables;
  tables.push_back({1,
                    "Double four-bar mechanism",
                    "double_four_bar.xml",
                    "free_10s.xml",
                    {Kind::energy, ""},
                    true,
                    6,
                    5,
                    {0.01, 0.03, 0.05, 0.1},
                    {{"global", 0.01, false, -0.21, 0.86, ""},
                     {kTopological, 0.01, false, kNo, kNo, kNoConvergence},
                     {"hybrid", 0.01, false, -0.01, 3.20, ""},
                     {"global", 0.03, false, -0.83, 0.37, ""},
                     {kTopological, 0.03, false, kNo, kNo, kNoConvergence},
                     {"hybrid", 0.03, false, -0.12, 1.32, ""},
                     {"global", 0.05, false, -9.03, 0.26, ""},
                     {kTopological, 0.05, false, kNo, kNo, kNoConvergence},
                     {"hybrid", 0.05, false, -0.34, 0.83, ""},
                     {"global", 0.1, false, kNo, kNo, "wrong results"},
                     {kTopological, 0.1, false, kNo, kNo, kNoConvergence},
                     {"hybrid", 0.1, false, -1.34, 0.52, ""}},
                    false,
                    0.0,
                    // half a crank: the energy cannot tell that a linkage took another branch
                    0.5,
                    true});
  tables.push_back({2,
                    "Iltis suspension",
                    "iltis_suspension.xml",
                    "kerb_7s.xml",
                    {Kind::lost_gravity, ""},
                    false,
                    25,
                    8,
                    {0.001, 0.01, 0.03},
                    {{"global", 0.001, false, -43.13, 17.8, ""},
                     {kTopological, 0.001, false, -43.49, 45.7, ""},
                     {"hybrid", 0.001, false, -42.05, 43.2, ""},
                     {"global", 0.01, false, -43.45, 2.04, ""},
                     {kTopological, 0.01, false, -44.06, 6.04, ""},
                     {"hybrid", 0.01, false, -42.80, 5.44, ""},
                     {"global", 0.03, false, -57.96, 0.84, ""},
                     {kTopological, 0.03, false, kNo, kNo, kNoConvergence},
                     {"hybrid", 0.03, false, kNo, kNo, kNoConvergence}},
                    false,
                    0.0});
  // the scan of the paper at hand lost points: 053, 34 and 034 are read as 0.53, 3.4 and 0.34
  tables.push_back({3,
                    "PUMA robot",
                    "puma.xml",
                    "puma_manoeuvre.xml",
                    {Kind::closing, "hand"},
                    false,
                    45,
                    6,
                    {0.01, 0.05, 0.1},
                    {{"global", 0.01, false, 0.53, 6.25, ""},
                     {kTopological, 0.01, false, 0.26, 3.05, ""},
                     {"hybrid", 0.01, false, 0.34, 4.02, ""},
                     {"global", 0.05, false, 3.4, 1.92, ""},
                     {kTopological, 0.05, false, 1.5, 1.20, ""},
                     {"hybrid", 0.05, false, 1.8, 1.74, ""},
                     {"global", 0.1, false, kNo, kNo, kNoConvergence},
                     {kTopological, 0.1, false, 3.2, 0.78, ""},
                     {"hybrid", 0.1, false, kNo, kNo, kNoConvergence}},
                    false,
                    0.0});
  tables.push_back({4,
                    "Iltis vehicle",
                    "iltis.xml",
                    "ramp_and_stairs.xml",
                    {Kind::end_pose, ""},
                    false,
                    168,
                    26,
                    {0.01},
                    {{"global", 0.01, false, kNo, 5.41, ""},
                     {kTopological, 0.01, false, kNo, 0.74, ""},
                     {"hybrid", 0.01, false, kNo, 0.72, ""},
                     {"recursive", 0.01, false, kNo, 3.06, ""},
                     {"global", 0.0175, true, kNo, 3.80, ""},
                     {kTopological, 0.025, true, kNo, 0.47, ""},
                     {"hybrid", 0.035, true, kNo, 0.38, ""},
                     {"recursive", 0.0075, true, kNo, 2.30, ""},
                     {"ADAMS", 0.0, true, kNo, 7.62, "not run here"}},
                    true,
                    0.001});
  return tables;
}

}  // namespace

const std::vector<PaperTable>& paper_tables() {
  static const std::vector<PaperTable> tables = make_tables();
  return tables;
}

const PaperCell* find_cell(const PaperTable& table, const std::string& method, double step) {
  for (const PaperCell& cell : table.cells)
    if (!cell.largest && cell.step == step && cell.method == method) return &cell;
  return nullptr;
}

const PaperCell* find_largest(const PaperTable& table, const std::string& method) {
  for (const PaperCell& cell : table.cells)
    if (cell.largest && cell.step > 0.0 && cell.method == method) return &cell;
  return nullptr;
}

}  // namespace semirec::cli
