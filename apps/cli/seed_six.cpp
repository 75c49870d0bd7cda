// Seed 001, six low-order integrators: orders, energy, drift and run time on rigid mechanisms. The
// numbers written here are the paper's; all others are measured.

#include <cmath>

#include <fmt/format.h>

#include "apps/cli/seed_tables.hpp"
#include "natural_coords/euler_parameters/euler_parameters.hpp"

namespace semirec::cli {

namespace {

/// The paper's own equations: dependent coordinates, multipliers as unknowns, nothing projected.
SeedSetup as_printed(double step, double until) {
  SeedSetup setup;
  setup.formulation = *find_formulation("cartesian");
  setup.closing = Closing::multipliers;
  setup.projection = false;
  setup.step = step;
  setup.until = until;
  return setup;
}

/// Methods whose multipliers are unknowns beside the coordinates: no penalty stands for them.
bool has_multipliers(const SeedMethod& method) {
  return method.scheme == "nstiff_si2" || method.scheme == "hht_si2" ||
         method.scheme == "hht_add" || method.scheme == "linearly_implicit_euler";
}

/// The hybrid formulation for any of the methods.
SeedSetup in_hybrid(const SeedMethod& method, SeedSetup setup) {
  setup.formulation = CompileSettings{}.formulation;
  if (has_multipliers(method)) {
    setup.closing = Closing::multipliers;
    setup.projection = false;
  }
  return setup;
}

/// Of a row measured so, beside what else is remarked.
void say_with_multipliers(const SeedMethod& method, SeedRow& row) {
  if (!has_multipliers(method)) return;
  row.remark += row.remark.empty() ? "" : "; ";
  row.remark += "multipliers as unknowns, no projection";
}

/// HHT-ADD takes the inverse of the mass matrix, which Euler parameters leave singular: it is shown
/// in the hybrid formulation.
bool is_shown_in_hybrid(const SeedMethod& method) { return method.scheme == "hht_add"; }
constexpr const char* kInHybrid = "hybrid: M of Euler parameters has no inverse";

/// The paper's equations, or those of the hybrid formulation.
SeedSetup as_printed(const SeedMethod& method, double step, double until) {
  const SeedSetup setup = as_printed(step, until);
  return is_shown_in_hybrid(method) ? in_hybrid(method, setup) : setup;
}

std::string orders_paper(const SeedMethod& method) {
  if (method.scheme == "trapezoid" || method.scheme == "generalized_alpha") return "not in it";
  if (method.scheme == "linearly_implicit_euler") return "not in it";
  return fmt::format("{:g}", method.order);
}

/// Fig. 3 and the text: orders of all levels.
SeedTable make_orders(const SeedBench& bench, bool printed) {
  SeedTable table;
  table.source = "001 Fig. 3 and section 3.1";
  table.title = printed ? "order on the slider crank, cartesian, multipliers, no projection"
                        : "order on the slider crank, hybrid";
  table.columns = {"position", "rate", "accel.", "multipl."};
  table.setup = fmt::format(
      "{}slopes over h = 2^-9, 2^-10, 2^-11 s at 0.5, 1, 1.5, 2 s against the trapezoidal rule at "
      "2^-15 s",
      printed ? "" : "penalty, projected, where nothing else is said; ");
  const DriveDescription model = bench.read("slider_crank.xml");
  SeedSetup setup;
  if (printed) setup = as_printed(0.0, 2.0);
  setup.until = 2.0;
  setup.sample = 0.5;
  setup.exact = true;
  SeedSetup fine = setup;
  fine.step = std::ldexp(1.0, -15);
  fine.projection = true;
  fine.solved = true;
  const SeedRun reference = run_seed(model, SchemeChoice{}, fine, bench.interrupted);
  if (!reference.failure.empty()) {
    table.failure = reference.failure;
    return table;
  }
  const std::vector<double> steps{std::ldexp(1.0, -9), std::ldexp(1.0, -10), std::ldexp(1.0, -11)};
  for (const SeedMethod& method : seed_methods()) {
    SeedRow row{method.label, orders_paper(method), {}, ""};
    if (printed && is_shown_in_hybrid(method)) {
      row.remark = "M of Euler parameters has no inverse: in the table of the hybrid formulation";
      table.rows.push_back(row);
      continue;
    }
    const auto scheme = find_seed_scheme(method);
    if (!scheme) {
      row.remark = kSchemeNotThere;
      table.rows.push_back(row);
      continue;
    }
    std::vector<double> errors[4];
    SeedSetup own = printed ? setup : in_hybrid(method, setup);
    own.solved = !own.projection;  // the rule's own accelerations are history then
    for (const double step : steps) {
      own.step = step;
      const SeedRun run = run_seed(model, *scheme, own, bench.interrupted);
      if (!run.failure.empty()) row.remark = run.failure;
      errors[0].push_back(distance(run, reference, &SeedSample::z));
      errors[1].push_back(distance(run, reference, &SeedSample::zd));
      errors[2].push_back(distance(run, reference, &SeedSample::zdd));
      errors[3].push_back(distance(run, reference, &SeedSample::multipliers));
    }
    for (const std::vector<double>& level : errors) row.values.push_back(find_slope(steps, level));
    if (row.remark.empty() && std::abs(row.values[3] - method.order) > 0.15)
      row.remark = printed && method.scheme == "trapezoid"
                       ? "nothing is damped or projected: multipliers ring"
                       : fmt::format("multipliers are not of order {:g}", method.order);
    if (!printed) say_with_multipliers(method, row);
    table.rows.push_back(row);
  }
  return table;
}

/// Figs 5, 6: body 5 of the seven-body mechanism.
SeedTable make_seven_body(const SeedBench& bench) {
  SeedTable table;
  table.source = "001 Figs 5, 6";
  table.title = "order of orientation and angular velocity of body 5, seven-body mechanism";
  table.columns = {"angle", "rate"};
  table.setup =
      "hybrid; penalty, projected, where nothing else is said; slopes over h = 2e-5, 1e-5 s at "
      "0.03 s, against the trapezoidal rule at 1.25e-6 s";
  const DriveDescription model = bench.read("seven_body.xml");
  SeedSetup setup;
  setup.until = setup.sample = 0.03;
  setup.exact = true;
  // K5 turns about A by the coordinate delta
  setup.read = [](const Model& compiled, const State& state) {
    const int k = coordinate_of(compiled, "delta");
    return Eigen::VectorXd(Eigen::Vector2d(state.z[k], state.zd[k]));
  };
  SeedSetup fine = setup;
  fine.step = 1.25e-6;
  const SeedRun reference = run_seed(model, SchemeChoice{}, fine, bench.interrupted);
  const std::vector<double> steps{2e-5, 1e-5};
  for (const SeedMethod& method : seed_methods()) {
    SeedRow row{method.label, orders_paper(method), {}, ""};
    const auto scheme = find_seed_scheme(method);
    if (!scheme) {
      row.remark = kSchemeNotThere;
      table.rows.push_back(row);
      continue;
    }
    std::vector<double> angle, rate;
    SeedSetup own = in_hybrid(method, setup);
    for (const double step : steps) {
      own.step = step;
      const SeedRun run = run_seed(model, *scheme, own, bench.interrupted);
      if (!run.failure.empty()) row.remark = run.failure;
      const bool both = !run.samples.empty() && !reference.samples.empty();
      angle.push_back(both ? std::abs(run.samples[0].read[0] - reference.samples[0].read[0])
                           : kNotMeasured);
      rate.push_back(both ? std::abs(run.samples[0].read[1] - reference.samples[0].read[1])
                          : kNotMeasured);
    }
    row.values = {find_slope(steps, angle), find_slope(steps, rate)};
    if (row.remark.empty() && std::abs(row.values[0] - method.order) > 0.15)
      row.remark = "at these steps the error is not yet a power of the step";
    say_with_multipliers(method, row);
    table.rows.push_back(row);
  }
  return table;
}

/// Figs 7, 8, 9: energy of the undamped slider crank.
SeedTable make_energy(const SeedBench& bench) {
  SeedTable table;
  table.source = "001 Figs 7 to 9";
  table.title = "energy of the undamped slider crank, exactly zero";
  table.columns = {"order", "mean |E| J", "largest |E| J", "net E J"};
  table.setup =
      "cartesian, multipliers, no projection; 10 s; order of mean |E|, (14), over h = 2^-9, 2^-10, "
      "2^-11 s; J at 2^-10 s; net: mean of E over the last second";
  const DriveDescription model =
      bench.read("slider_crank.xml", "let_go.xml", {"case.value=undamped"});
  const std::vector<double> steps{std::ldexp(1.0, -9), std::ldexp(1.0, -10), std::ldexp(1.0, -11)};
  double strong = kNotMeasured, weak = kNotMeasured;
  double strong_net = kNotMeasured, weak_net = kNotMeasured;
  for (const SeedMethod& method : seed_methods()) {
    const std::string paper = orders_paper(method);
    SeedRow row{method.label, paper[0] == 'n' ? paper : "O(h^" + paper + ")", {}, ""};
    const auto scheme = find_seed_scheme(method);
    if (!scheme) {
      row.remark = kSchemeNotThere;
      table.rows.push_back(row);
      continue;
    }
    std::vector<double> mean;
    double middle = kNotMeasured, most = kNotMeasured, net = kNotMeasured;
    for (const double step : steps) {
      const SeedRun run =
          run_seed(model, *scheme, as_printed(method, step, 10.0), bench.interrupted);
      if (!run.failure.empty()) row.remark = run.failure;
      mean.push_back(run.failure.empty() ? run.mean_energy_error : kNotMeasured);
      if (step != steps[1] || !run.failure.empty()) continue;
      middle = run.mean_energy_error;
      most = run.largest_energy_error;
      net = run.net_energy;
    }
    if (method.label == "HHT-I3 (-0.3)") {
      strong = middle;
      strong_net = net;
    }
    if (method.label == "HHT-I3 (-0.05)") {
      weak = middle;
      weak_net = net;
    }
    row.values = {find_slope(steps, mean), middle, most, net};
    if (row.remark.empty() && is_shown_in_hybrid(method)) row.remark = kInHybrid;
    table.rows.push_back(row);
  }
  table.rows.push_back({"alpha -0.3 against -0.05",
                        "one order of magnitude more",
                        {kNotMeasured, strong / weak, kNotMeasured, strong_net / weak_net},
                        strong / weak < 5.0
                            ? "quotients; in the mean error that swings with the motion prevails: "
                              "see gen.-alpha, which damps less"
                            : "quotients"});
  return table;
}

/// Rate of the crank's own pin, m/s along x and z. Cartesian coordinates of the first body: place
/// of the centre of mass, Euler parameters of the compiled frame, whose origin is the pin.
/// Parameters that have drifted from the length 1 stretch the closure's lever by its square; what
/// their length changes is the error of a row of its own, which is left out.
Eigen::VectorXd pin_rate(const Model& model, const State& state) {
  const EulerParameters e = state.z.segment<4>(3);
  EulerParameters turning = state.zd.segment<4>(3);
  turning -= turning.dot(e) / e.squaredNorm() * e;
  const Eigen::Vector3d rate =
      state.zd.head<3>() - 2.0 * rotation_form(e, turning) * model.tree.bodies[1].com;
  return Eigen::Vector2d(rate.x(), rate.z());
}

/// Half the box about the curve of the pin's rates, m/s.
Eigen::Vector2d pin_box(const SeedRun& run) {
  Eigen::Vector2d box = Eigen::Vector2d::Zero();
  for (const SeedSample& sample : run.samples) box = box.cwiseMax(sample.read.cwiseAbs());
  return box;
}

/// Figs 11 to 15: the closures' rates.
SeedTable make_drift(const SeedBench& bench) {
  SeedTable table;
  table.source = "001 Figs 11 to 15";
  table.title = "closure errors of the undamped slider crank in 10 s";
  table.columns = {"pin x m/s", "pin z m/s", "any row", "order", "place m", "projected"};
  table.setup =
      "cartesian, multipliers, no projection at 2^-10 s, the largest over the run: rates of the "
      "pin "
      "between crank and ground (the box of the figures, their Y is z) and of all rows; order from "
      "2^-11 s; last column: rates with projection";
  const DriveDescription model =
      bench.read("slider_crank.xml", "let_go.xml", {"case.value=undamped"});
  for (const SeedMethod& method : seed_methods()) {
    const bool index_2 =
        method.scheme == "nstiff_si2" || method.scheme == "hht_si2" || method.scheme == "hht_add";
    const std::string order = orders_paper(method);
    SeedRow row{method.label,
                index_2           ? "machine precision"
                : order[0] == 'n' ? order
                                  : "limit cycle, O(h^" + order + ")",
                {},
                ""};
    const auto scheme = find_seed_scheme(method);
    if (!scheme) {
      row.remark = kSchemeNotThere;
      table.rows.push_back(row);
      continue;
    }
    SeedSetup setup = as_printed(method, std::ldexp(1.0, -10), 10.0);
    setup.sample = setup.step;
    const bool in_tree = is_shown_in_hybrid(method);  // the pin is no closure there
    if (!in_tree) setup.read = pin_rate;
    const SeedRun run = run_seed(model, *scheme, setup, bench.interrupted);
    const SeedRun half =
        run_seed(model, *scheme, as_printed(method, std::ldexp(1.0, -11), 10.0), bench.interrupted);
    setup.sample = 0.0;
    setup.projection = true;
    const SeedRun projected = run_seed(model, *scheme, setup, bench.interrupted);
    for (const SeedRun* one : {&run, &half, &projected})
      if (!one->failure.empty()) row.remark = one->failure;
    const auto of = [](const SeedRun& one, double value) {
      return one.failure.empty() ? value : kNotMeasured;
    };
    const double rate = of(run, run.report.Phid);
    const double slope = std::log2(rate / of(half, half.report.Phid));
    const Eigen::Vector2d box = in_tree ? Eigen::Vector2d::Constant(kNotMeasured) : pin_box(run);
    row.values = {of(run, box.x()),
                  of(run, box.y()),
                  rate,
                  slope,
                  of(run, run.report.Phi),
                  of(projected, projected.report.Phid)};
    if (row.remark.empty() && !index_2 && std::abs(slope - method.order) > 0.15)
      row.remark = "falls with another power of the step than the scheme's order";
    if (row.remark.empty() && in_tree) row.remark = kInHybrid;
    table.rows.push_back(row);
  }
  return table;
}

/// Fig. 16: CPU time over that of HHT-I3.
SeedTable make_run_time(const SeedBench& bench) {
  SeedTable table;
  table.source = "001 Fig. 16";
  table.title = "CPU time over that of HHT-I3 at the same step";
  table.columns = {"slider crank", "seven body", "pendulum"};
  table.setup =
      "cartesian, multipliers, no projection; 2 s at 1 ms, 0.01 s at 10 us, 2 s at 1 ms; the "
      "smallest of the repeated runs";
  struct Example {
    const char* model;
    double step, until;
  };
  const std::vector<Example> examples{{"slider_crank.xml", 1e-3, 2.0},
                                      {"seven_body.xml", 1e-5, 0.01},
                                      {"double_pendulum.xml", 1e-3, 2.0}};
  std::vector<DriveDescription> models;
  for (const Example& example : examples) models.push_back(bench.read(example.model));
  std::vector<double> base;
  for (const SeedMethod& method : seed_methods()) {
    const bool index_2 = method.scheme == "nstiff_si2" || method.scheme == "hht_si2";
    SeedRow row{method.label, "", {}, ""};
    if (method.label == "HHT-I3 (-0.3)") row.paper = "1";
    if (index_2) row.paper = "about 1.3; more on seven bodies";
    if (method.scheme == "hht_add") row.paper = "dear where M varies";
    if (row.paper.empty())
      row.paper = orders_paper(method)[0] == 'n' ? "not in it" : "bar of the figure only";
    const auto scheme = find_seed_scheme(method);
    if (!scheme) {
      row.remark = kSchemeNotThere;
      table.rows.push_back(row);
      continue;
    }
    const auto measure = [&](const SchemeChoice& chosen) {
      std::vector<double> times;
      for (std::size_t k = 0; k < examples.size(); ++k) {
        SeedSetup setup = as_printed(method, examples[k].step, examples[k].until);
        setup.timed = bench.repeat;
        const SeedRun run = run_seed(models[k], chosen, setup, bench.interrupted);
        if (!run.failure.empty()) row.remark = run.failure;
        times.push_back(run.failure.empty() ? run.cpu : kNotMeasured);
      }
      return times;
    };
    const std::vector<double> times = measure(*scheme);
    if (base.empty()) {
      base = times;
      row.remark = fmt::format("{:.3g}, {:.3g}, {:.3g} s", base[0], base[1], base[2]);
    }
    std::vector<double> over = base;
    if (is_shown_in_hybrid(method)) {
      over = measure(*find_seed_scheme(seed_methods().front()));
      if (row.remark.empty()) row.remark = "both hybrid: M of Euler parameters has no inverse";
    }
    for (std::size_t k = 0; k < times.size(); ++k) row.values.push_back(times[k] / over[k]);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

std::vector<SeedTable> make_six_tables(const SeedBench& bench) {
  std::vector<SeedTable> tables;
  const auto add = [&](const std::string& what, const std::function<SeedTable()>& make) {
    add_table(bench, "001", what, make, tables);
  };
  add("orders on the slider crank, as printed", [&] { return make_orders(bench, true); });
  add("orders on the slider crank, hybrid", [&] { return make_orders(bench, false); });
  add("orders on the seven-body mechanism", [&] { return make_seven_body(bench); });
  add("energy of the slider crank", [&] { return make_energy(bench); });
  add("drift of the slider crank", [&] { return make_drift(bench); });
  add("run time of the schemes", [&] { return make_run_time(bench); });
  return tables;
}

}  // namespace semirec::cli
