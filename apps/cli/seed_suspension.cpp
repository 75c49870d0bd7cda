// Seed 003, linearly implicit Euler on a rear multilink suspension: sizes and run times.

#include <fmt/format.h>

#include "apps/cli/seed_tables.hpp"

namespace semirec::cli {

namespace {

constexpr double kUntil = 2.0;  // s of the paper's 10: it has begun to accelerate

SeedTable make_suspension(const SeedBench& bench) {
  SeedTable table;
  table.source = "003 Tables 4 to 6, Fig. 2";
  table.title = "rear multilink suspension, on bushings and with ideal joints";
  table.columns = {"coord.", "rows", "CPU s", "of bushings", "place m", "rate m/s"};
  table.setup = fmt::format(
      "the first {:g} of 10 s at 1 ms; CPU time of the steps; largest closure errors", kUntil);
  struct Way {
    const char* name;
    const char* scheme;
    Formulation formulation;
    Closing closing;
    const char* bushings;  ///< the paper
    const char* ideal;
  };
  const std::vector<Way> ways{
      {"linearly implicit Euler", "linearly_implicit_euler", *find_formulation("cartesian"),
       Closing::multipliers, "77, 31; 2.85 s for 10 s", "77, 66; 5.06 s, 1.78 times"},
      {"the same, independent", "linearly_implicit_euler", *find_formulation("hybrid"),
       Closing::penalty, "46 unknowns; 3.57 s", "11 unknowns; 3.74 s, 1.05 times"},
      {"trapezoid, cartesian", "trapezoid", *find_formulation("cartesian"), Closing::multipliers,
       "77, 31", "77, 66"},
      {"trapezoid, hybrid", "trapezoid", *find_formulation("hybrid"), Closing::penalty, "not in it",
       "not in it"}};
  for (const Way& way : ways) {
    double base = kNotMeasured;
    for (const bool ideal : {false, true}) {
      SeedRow row{fmt::format("{}, {}", way.name, ideal ? "ideal" : "bushings"),
                  ideal ? way.ideal : way.bushings,
                  {},
                  ""};
      const auto scheme = find_seed_scheme({way.name, way.scheme, {}, 1.0});
      if (!scheme) {
        row.remark = kSchemeNotThere;
        table.rows.push_back(row);
        continue;
      }
      const DriveDescription model =
          bench.read("rear_multilink.xml", "square_bump.xml",
                     {std::string("form.value=") + (ideal ? "ideal" : "bushing")});
      SeedSetup setup;
      setup.formulation = way.formulation;
      setup.closing = way.closing;
      setup.step = 1e-3;
      setup.until = kUntil;
      const SeedRun run = run_seed(model, *scheme, setup, bench.interrupted);
      row.remark = run.failure;
      const double cpu = run.failure.empty() ? run.report.step_cpu : kNotMeasured;
      if (!ideal) base = cpu;
      row.values = {static_cast<double>(run.n),
                    static_cast<double>(run.m),
                    cpu,
                    cpu / base,
                    run.report.Phi,
                    run.report.Phid};
      table.rows.push_back(row);
    }
  }
  table.rows.push_back({"time split",
                        "multipliers and rates 92 % of the solution (Alg. 1)",
                        {},
                        "not there: comes with the scheme"});
  return table;
}

}  // namespace

std::vector<SeedTable> make_suspension_tables(const SeedBench& bench) {
  std::vector<SeedTable> tables;
  add_table(
      bench, "003", "rear suspension", [&] { return make_suspension(bench); }, tables);
  return tables;
}

}  // namespace semirec::cli
