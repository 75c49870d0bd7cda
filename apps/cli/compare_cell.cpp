#include "apps/cli/compare_cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "apps/report/turn_channels.hpp"

namespace semirec::cli {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMaxRows = 2e5;       // of the reference; beyond, it is stored more coarsely
constexpr double kScan = 1.1;          // factor of the scan for the largest good step
constexpr double kBracket = 1.02;      // the bisection ends within this factor
constexpr double kTimed = 0.1;         // s, short runs are repeated for so long if at all
constexpr double kHalvedShare = 0.01;  // of the steps may be halved at the largest good step
constexpr double kEnergyShare = 0.01;  // good: of the largest kinetic energy

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string why(const RunReport& report, double t) {
  switch (report.failure) {
    case StepStatus::iteration_limit:
      return fmt::format("no convergence at t = {:.4g} s", t);
    case StepStatus::tangent_not_positive_definite:
      return fmt::format("tangent not positive definite at t = {:.4g} s", t);
    case StepStatus::non_finite:
    case StepStatus::closures_lost:
      return fmt::format("numbers grow beyond bounds at t = {:.4g} s", t);
    case StepStatus::independent_set_degenerate:
      return fmt::format("independent coordinates degenerate at t = {:.4g} s", t);
    case StepStatus::loops_open:
      return fmt::format("loops cannot be closed at t = {:.4g} s", t);
    default:
      return fmt::format("stopped at t = {:.4g} s", t);
  }
}

bool too_many_halved(const Cell& cell) {
  return static_cast<double>(cell.halved) > kHalvedShare * static_cast<double>(cell.steps);
}

double mechanical(const Energy& energy) {
  return energy.kinetic + energy.potential + energy.elastic;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Sum of the squares of what numbers are off from those between two rows. An angle counts the
/// nearer way around, a rotation vector by the angle between the two attitudes.
double square_of_gap(const std::vector<double>& own, const std::vector<double>& before,
                     std::vector<double> after, double share,
                     const std::vector<report::TurnChannels>& turns) {
  const auto vector_at = [](const std::vector<double>& row, const report::TurnChannels& turn) {
    std::array<double, 3> v{};
    for (std::size_t k = 0; k < turn.count; ++k) v[k] = row[turn.places[k]];
    return v;
  };
  for (const report::TurnChannels& turn : turns) {
    const auto near =
        report::nearest_turn(vector_at(after, turn), vector_at(before, turn), turn.count);
    for (std::size_t k = 0; k < turn.count; ++k) after[turn.places[k]] = near[k];
  }
  std::vector<double> gap(own.size());
  for (std::size_t k = 0; k < own.size(); ++k)
    gap[k] = own[k] - ((1.0 - share) * before[k] + share * after[k]);
  for (const report::TurnChannels& turn : turns) {
    if (turn.count == 1) {
      double& angle = gap[turn.places[0]];
      angle = std::remainder(angle, 2.0 * std::numbers::pi);
      continue;
    }
    const auto attitude = [](const Eigen::Vector3d& v) {
      const double angle = v.norm();
      return Quaternion(Eigen::AngleAxisd(
          angle, angle > 0.0 ? Eigen::Vector3d(v / angle) : Eigen::Vector3d::UnitX()));
    };
    Eigen::Vector3d here;
    Eigen::Vector3d off;
    for (int k = 0; k < 3; ++k) {
      here[k] = own[turn.places[static_cast<std::size_t>(k)]];
      off[k] = gap[turn.places[static_cast<std::size_t>(k)]];
    }
    for (const std::size_t place : turn.places) gap[place] = 0.0;
    gap[turn.places[0]] = attitude(here).angularDistance(attitude(here - off));
  }
  double square = 0.0;
  for (const double own_gap : gap) square += own_gap * own_gap;
  return square;
}

}  // namespace

double Cell::per_step(long count) const {
  return static_cast<double>(count) / static_cast<double>(std::max(steps, 1L));
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = [] {
    std::vector<Method> all;
    for (const Formulation formulation : all_formulations())
      all.push_back(
          {semirec::name_of(formulation), {TangentChoice::automatic, formulation}, true, {}});
    all.push_back({"global_tree", {TangentChoice::tree, Formulation::global}, true, {}});
    all.push_back(
        {"topological_plain", {TangentChoice::automatic, Formulation::topological}, false, {}});
    all.push_back(
        {"cartesian_classic", {TangentChoice::automatic, Formulation::cartesian}, true, {}});
    all.back().classic_euler_parameters = true;
    return all;
  }();
  return methods;
}

const Method& find_method(const std::string& name) {
  std::vector<std::string> known;
  for (const Method& method : all_methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  throw ModelError("--formulations names '" + name + "', expected some of " + joined(known) +
                   ", separated by commas");
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::poor:
      return "poor";
    case Verdict::wrong:
      return "wrong";
    case Verdict::failed:
      return "failed";
    case Verdict::refused:
      return "refused";
    case Verdict::interrupted:
      return "interrupted";
  }
  return "";
}

Measure parse_measure(const std::string& text) {
  using Kind = Measure::Kind;
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string subject = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool bare = colon == std::string::npos;
  if (name == "energy" && bare) return {Kind::energy, ""};
  if (name == "balance" && bare) return {Kind::balance, ""};
  if (name == "lost_gravity" && bare) return {Kind::lost_gravity, ""};
  if (name == "end_pose" && bare) return {Kind::end_pose, ""};
  if (name == "closing" && !subject.empty()) return {Kind::closing, subject};
  if (name == "reference" && (bare || !subject.empty())) return {Kind::reference, subject};
  throw ModelError("--measure is '" + text +
                   "', expected energy, balance, lost_gravity, closing:MARKER, end_pose, reference "
                   "or reference:CHANNEL");
}

std::string words_for(const Measure& measure) {
  using Kind = Measure::Kind;
  switch (measure.kind) {
    case Kind::energy:
      return "change of the total energy where it is largest, J";
    case Kind::balance:
      return "largest gap in the energy balance, J";
    case Kind::lost_gravity:
      return "dissipated energy less lost potential energy of the weights, J";
    case Kind::closing:
      return "distance of '" + measure.subject + "' at the end from its start, mm";
    case Kind::reference:
      return "rms distance from the reference of " +
             (measure.subject.empty() ? "the main body, markers or joints" : measure.subject);
    case Kind::end_pose:
      return "chassis at the end against the reference, 1 = 2 mm of height or 0.02 deg of pitch";
  }
  return "";
}

void Method::apply(Scenario& scenario) const {
  scenario.scheme = scheme.value_or(scenario.scheme);
  scenario.closing = closing.value_or(scenario.closing);
  scenario.projection = projection.value_or(scenario.projection);
}

/// What an audited run leaves.
struct Bench::Audit {
  RunReport report;
  double t = 0.0;
  double energy_change = 0.0;
  double kinetic = 0.0;
  double lost_gravity = 0.0;
  double closing = 0.0;
  double height = 0.0, pitch = 0.0;
  double squares = 0.0;  ///< integral over time
  double time = 0.0;     ///< over which it goes, s
  double farthest = 0.0;
  int independent = 0;
  std::vector<std::string> channels;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
};

Bench::Bench(const Vehicle& vehicle, const Scenario& scenario, Measure measure)
    : vehicle_(vehicle), scenario_(scenario), measure_(std::move(measure)) {
  if (measure_.kind == Measure::Kind::closing) {
    std::vector<std::string> known;
    for (const Marker& marker : vehicle_.mechanism.markers) known.push_back(marker.name);
    if (std::find(known.begin(), known.end(), measure_.subject) == known.end())
      throw ModelError("--measure closing:" + measure_.subject +
                       ": the vehicle has no marker of this name, expected " +
                       (known.empty() ? "a vehicle with a marker" : "one of " + joined(known)));
    if (std::find(scenario_.markers.begin(), scenario_.markers.end(), measure_.subject) ==
        scenario_.markers.end())
      scenario_.markers.push_back(measure_.subject);
  }
  if (measure_.kind == Measure::Kind::end_pose && vehicle_.chassis == kGround)
    throw ModelError(
        "--measure end_pose: the vehicle has no body with chassis=\"yes\", expected "
        "one");
  // of a joint, unless the measure is one of its numbers
  std::erase_if(scenario_.reactions, [&](const std::string& name) {
    return measure_.kind != Measure::Kind::reference || !measure_.subject.starts_with(name + ".");
  });
  switch (measure_.kind) {
    case Measure::Kind::energy:
    case Measure::Kind::balance:
    case Measure::Kind::lost_gravity:
      unit_ = "J";
      break;
    case Measure::Kind::closing:
      unit_ = "mm";
      scale_ = 1e3;
      break;
    case Measure::Kind::end_pose:
      unit_ = "1";
      break;
    case Measure::Kind::reference:
      break;  // known with the channels
  }
}

std::vector<std::string> Bench::choose_channels(const Recorder& recorder) const {
  std::vector<std::string> names;
  const auto has = [&](const std::string& name) {
    return std::any_of(recorder.channels().begin(), recorder.channels().end(),
                       [&](const Channel& channel) { return channel.name == name; });
  };
  if (!measure_.subject.empty()) {
    if (has(measure_.subject)) names.push_back(measure_.subject);
    return names;
  }
  const auto add_place = [&](const std::string& name) {
    for (const char* axis : {".x", ".y", ".z"})
      if (has(name + axis)) names.push_back(name + axis);
  };
  if (has("chassis.x")) {
    add_place("chassis");
  } else if (!scenario_.markers.empty()) {
    for (const std::string& marker : scenario_.markers) add_place(marker);
  } else {
    for (const Channel& channel : recorder.channels())
      if (ends_with(channel.name, ".z") || channel.name.find(".z[") != std::string::npos)
        names.push_back(channel.name);
  }
  return names;
}

Bench::Audit Bench::audit(const Drive& drive, double interval, const Reference* against,
                          int halvings, const std::vector<int>& independent) const {
  Audit out;
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  State state = start_drive(drive, ws);
  state.independent = independent;
  std::vector<std::size_t> places;
  out.channels = against != nullptr ? against->channels : choose_channels(recorder);
  for (const std::string& name : out.channels)
    for (std::size_t k = 0; k < recorder.channels().size(); ++k)
      if (recorder.channels()[k].name == name) places.push_back(k);
  const auto index_of = [&](const std::string& name) {
    for (std::size_t k = 0; k < recorder.channels().size(); ++k)
      if (recorder.channels()[k].name == name) return k;
    return std::size_t{0};
  };
  const bool closing = measure_.kind == Measure::Kind::closing;
  const bool pose = vehicle_.chassis != kGround;
  const std::size_t marker = closing ? index_of(measure_.subject + ".x") : 0;
  const std::size_t z = pose ? index_of("chassis.z") : 0;
  const std::size_t pitch = pose ? index_of("chassis.pitch") : 0;
  const bool every =
      against == nullptr || measure_.kind == Measure::Kind::reference || farthest_ > 0.0;

  std::vector<double> values, start;
  std::vector<Channel> compared;
  for (const std::size_t k : places) compared.push_back(recorder.channels()[k]);
  const std::vector<report::TurnChannels> turns = report::find_turn_channels(compared);
  std::optional<Energy> first;
  double last = state.t;
  double of_start = 0.0;
  std::size_t next = 0;
  double next_row = state.t;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy& energy) {
    if (!first) first = energy;
    const double change = mechanical(energy) - mechanical(*first);
    if (!(std::abs(change) <= std::abs(out.energy_change))) out.energy_change = change;
    out.kinetic = std::max(out.kinetic, energy.kinetic);
    out.lost_gravity = energy.dissipated + energy.potential - first->potential;
    if (!every && !start.empty()) return true;
    recorder.record(drive.model, at, scratch, values);
    if (start.empty()) start = values;
    if (!every) return true;
    if (against == nullptr) {
      if (at.t < next_row - 1e-6 * drive.settings.step.h) return true;
      next_row += interval;
      out.times.push_back(at.t);
      std::vector<double>& row = out.rows.emplace_back();
      for (const std::size_t k : places) row.push_back(values[k]);
      return true;
    }
    while (next + 2 < against->times.size() && against->times[next + 1] < at.t) ++next;
    if (against->times.size() < 2) return true;
    const double span = against->times[next + 1] - against->times[next];
    const double share = std::min(1.0, std::max(0.0, (at.t - against->times[next]) / span));
    std::vector<double> own;
    for (const std::size_t k : places) own.push_back(values[k]);
    const double square =
        square_of_gap(own, against->rows[next], against->rows[next + 1], share, turns);
    // each step counts by its length, and the start as the first of them
    const double length = at.t - last;
    if (out.time == 0.0 && length > 0.0) {
      out.squares += length * of_start;
      out.time += length;
    }
    if (length == 0.0) of_start = square;
    last = at.t;
    out.squares += length * square;
    out.time += length;
    out.farthest = std::max(out.farthest, std::sqrt(square));
    return true;
  };
  observer.keep_going = [&](double /*t*/) { return !interrupted(); };

  RunSettings settings = drive.settings;
  settings.record = 0.0;
  settings.max_halvings = halvings;
  settings.audit = true;
  out.report = run(drive.model, settings, state, ws, observer);
  out.t = state.t;
  out.independent = static_cast<int>(state.independent.size());
  if (out.report.status != RunStatus::finished) return out;
  recorder.record(drive.model, state, scratch, values);
  if (closing) {
    for (std::size_t k = marker; k < marker + 3; ++k)
      out.closing += (values[k] - start[k]) * (values[k] - start[k]);
    out.closing = std::sqrt(out.closing);
  }
  if (pose) {
    out.height = values[z];
    out.pitch = values[pitch];
  }
  if (against == nullptr && (out.times.empty() || out.times.back() < state.t)) {
    out.times.push_back(state.t);
    std::vector<double>& row = out.rows.emplace_back();
    for (const std::size_t k : places) row.push_back(values[k]);
  }
  return out;
}

double Bench::error_of(const Audit& audit) const {
  using Kind = Measure::Kind;
  switch (measure_.kind) {
    case Kind::energy:
      return audit.energy_change;
    case Kind::balance:
      return audit.report.energy_error;
    case Kind::lost_gravity:
      return audit.lost_gravity;
    case Kind::closing:
      return scale_ * audit.closing;
    case Kind::reference:
      if (!(audit.time > 0.0)) return kNone;
      return scale_ * std::sqrt(audit.squares / (places_ * audit.time));
    case Kind::end_pose:
      if (!reference_.failure.empty()) return kNone;
      return std::max(std::abs(audit.height - reference_.height) / kEndHeight,
                      std::abs(audit.pitch - reference_.pitch) / kEndPitch);
  }
  return kNone;
}

void Bench::make_reference(double step) {
  reference_ = {};
  reference_.step = step;
  Scenario fine = scenario_;
  fine.step = step;
  fine.iterations = 0;
  fine.error_tolerance = 0.0;
  try {
    Drive drive = make_drive(vehicle_, fine);
    {
      const Recorder recorder(drive.model, drive.recorder);
      const std::vector<std::string> channels = choose_channels(recorder);
      reference_.channels = channels;
      if (measure_.kind == Measure::Kind::reference) {
        if (channels.empty())
          throw ModelError(measure_.subject.empty()
                               ? "nothing of this model has a place by which an error could be "
                                 "told, expected a marker in the scenario or --measure energy"
                               : "--measure reference:" + measure_.subject +
                                     ": there is no such channel, expected a name as in "
                                     "results.csv");
        bool lengths = true, same = true;
        std::string unit;
        for (const Channel& channel : recorder.channels()) {
          if (std::find(channels.begin(), channels.end(), channel.name) == channels.end()) continue;
          lengths = lengths && channel.unit == std::string("m");
          same = same && (unit.empty() || unit == channel.unit);
          unit = channel.unit;
        }
        unit_ = lengths ? "mm" : same ? unit : "m or rad";
        scale_ = lengths ? 1e3 : 1.0;
        const bool points = ends_with(channels.back(), ".z") && channels.size() % 3 == 0 &&
                            ends_with(channels.front(), ".x");
        places_ = static_cast<double>(points ? channels.size() / 3 : channels.size());
      }
    }
    const double interval = std::max(step, (scenario_.until) / kMaxRows * (1.0 - 1e-12));
    Audit found = audit(drive, interval, nullptr, drive.settings.max_halvings);
    reference_.kinetic = found.kinetic;
    if (found.report.status != RunStatus::finished) {
      reference_.failure =
          found.report.status == RunStatus::stopped ? "interrupted" : why(found.report, found.t);
      return;
    }
    reference_.times = std::move(found.times);
    reference_.rows = std::move(found.rows);
    reference_.lost_gravity = found.lost_gravity;
    reference_.height = found.height;
    reference_.pitch = found.pitch;
    const double own = error_of(found);
    Scenario twice = fine;
    twice.step = 2.0 * step;
    const Drive coarse_drive = make_drive(vehicle_, twice);
    const Audit coarse = audit(coarse_drive, 0.0, &reference_, coarse_drive.settings.max_halvings);
    if (coarse.report.status != RunStatus::finished)
      reference_.own_error = kNone;
    else if (measure_.kind == Measure::Kind::reference || measure_.kind == Measure::Kind::end_pose)
      reference_.own_error = error_of(coarse);
    else
      reference_.own_error = std::abs(error_of(coarse) - own);
  } catch (const ModelError& error) {
    // what the measure asks for must exist; what the model is must suit some formulation only
    if (std::string(error.what()).rfind("--measure", 0) == 0) throw;
    reference_.failure = error.what();
  }
}

void Bench::set_limit(std::optional<double> limit) {
  using Kind = Measure::Kind;
  limit_given_ = limit.has_value();
  if (limit) {
    limit_ = *limit;
    return;
  }
  switch (measure_.kind) {
    case Kind::energy:
    case Kind::balance:
    case Kind::lost_gravity:
      limit_ = kEnergyShare * reference_.kinetic;
      break;
    case Kind::closing:
      limit_ = 5.0;
      break;
    case Kind::reference:
      limit_ = unit_ == "mm" ? 10.0 : 0.01;
      break;
    case Kind::end_pose:
      limit_ = 1.0;
      break;
  }
}

std::string Bench::criterion() const {
  const std::string what = measure_.kind == Measure::Kind::lost_gravity
                               ? "the error is within {:.3g} {} of the reference's"
                               : "the size of the error is at most {:.3g} {}";
  std::string text = fmt::format(fmt::runtime(what), limit_, unit_ == "1" ? "" : unit_);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (!limit_given_ && unit_ == "J") text += " (1 % of the largest kinetic energy)";
  return text;
}

std::string Bench::wrong_criterion() const {
  std::string text = fmt::format("more than {:g} times that", kWrong);
  if (farthest_ > 0.0)
    text += fmt::format(", or at any time more than {:g} m from where the reference has {}",
                        farthest_, joined(scenario_.markers));
  return text;
}

Cell Bench::run_cell(const Method& method, double step, int repeat, bool halve) const {
  return measure(method, step, {}, repeat, halve);
}

Cell Bench::run_variable(const Method& method, double first, const VariableStep& variable,
                         int repeat) const {
  Cell cell = measure(method, first, variable, repeat, false);
  cell.method += "_variable";
  cell.tolerance = variable.tolerance;
  if (cell.steps > 0) cell.step = scenario_.until / static_cast<double>(cell.steps);
  return cell;
}

Cell Bench::measure(const Method& method, double step, const VariableStep& variable, int repeat,
                    bool halve) const {
  Cell cell;
  cell.method = method.name;
  cell.step = step;
  Scenario scenario = scenario_;
  scenario.step = step;
  scenario.error_tolerance = variable.tolerance;
  method.apply(scenario);
  try {
    Drive drive = make_drive(vehicle_, scenario, method.compile);
    drive.settings.step.reselect = method.reselect;
    drive.settings.step.classic_euler_parameters = method.classic_euler_parameters;
    drive.settings.control.printed = variable.printed;
    cell.coordinates = drive.model.n();
    cell.constraints = drive.model.m();
    cell.operations = count_operations(drive.model);
    // the count of the topological method takes all rows for independent ones
    if (cell.operations.closures < 0.0) cell.operations = {};
    const int halvings = halve ? drive.settings.max_halvings : 0;
    const Audit found = audit(drive, 0.0, &reference_, halvings, method.independent);
    const RunReport& report = found.report;
    cell.independent = found.independent;
    cell.steps = report.steps;
    if (halve) cell.halved = report.halved;
    cell.iterations =
        std::lround(report.iterations_mean * static_cast<double>(report.step_us.size()));
    cell.factorizations = report.factorizations;
    cell.reselections = report.reselections;
    cell.Phi = report.Phi;
    cell.Phid = report.Phid;
    cell.Phidd = report.Phidd;
    cell.energy_error = report.energy_error;
    cell.message = report.message;
    if (report.status == RunStatus::stopped) {
      cell.verdict = Verdict::interrupted;
      cell.reason = "interrupted";
      return cell;
    }
    if (report.status == RunStatus::failed) {
      cell.verdict = Verdict::failed;
      cell.reason = why(report, found.t);
      return cell;
    }
    cell.error = error_of(found);
    cell.farthest = found.farthest;
    cell.height_error = found.height - reference_.height;
    cell.pitch_error = found.pitch - reference_.pitch;
    cell.deviation =
        std::abs(measure_.kind == Measure::Kind::lost_gravity ? cell.error - reference_.lost_gravity
                                                              : cell.error);
    cell.verdict = cell.deviation <= limit_            ? Verdict::good
                   : cell.deviation <= kWrong * limit_ ? Verdict::poor
                                                       : Verdict::wrong;
    if (farthest_ > 0.0 && !(cell.farthest <= farthest_)) cell.verdict = Verdict::wrong;
    if (!reference_.failure.empty() && measure_.kind == Measure::Kind::lost_gravity)
      cell.deviation = kNone;
    // what cannot be judged is not called wrong
    if (!reference_.failure.empty() && std::isnan(cell.deviation)) cell.verdict = Verdict::poor;

    Workspace ws(drive.model);
    State start = start_drive(drive, ws);
    start.independent = method.independent;
    RunSettings settings = drive.settings;
    settings.max_halvings = halvings;
    settings.audit = false;
    settings.record = 2.0 * settings.until;
    RunObserver observer;
    observer.keep_going = [&](double /*t*/) { return !interrupted(); };
    double spent = 0.0;
    for (int k = 0; k < repeat || (repeat > 1 && spent < kTimed); ++k) {
      State state = start;
      const RunReport timed = run(drive.model, settings, state, ws, observer);
      if (timed.status == RunStatus::stopped) {
        cell.verdict = Verdict::interrupted;
        cell.reason = "interrupted";
        return cell;
      }
      if (k == 0 || timed.step_cpu < cell.cpu) cell.cpu = timed.step_cpu;
      spent += std::max(timed.step_cpu, timed.wall);
    }
    cell.realtime = cell.cpu > 0.0 ? scenario.until / cell.cpu : 0.0;
  } catch (const ModelError& error) {
    cell.verdict = Verdict::refused;
    cell.reason = std::string("refused: ") + error.what();
    cell.message = error.what();
  }
  return cell;
}

LargestStep Bench::find_largest_step(const Method& method, double smallest, double largest,
                                     int repeat) const {
  LargestStep out;
  out.method = method.name;
  const auto is_good = [&](double step) {
    const Cell cell = run_cell(method, step, 0, /*halve=*/true);
    return cell.verdict == Verdict::good && !too_many_halved(cell);
  };
  double good = 0.0;
  double bad = smallest;
  while (!interrupted() && is_good(bad)) {
    good = bad;
    if (bad >= largest) {
      out.open_ended = true;
      break;
    }
    bad = std::min(bad * kScan, largest);
  }
  const double first_bad = bad;
  while (good > 0.0 && !interrupted() && !out.open_ended && bad > kBracket * good) {
    const double middle = std::sqrt(good * bad);
    (is_good(middle) ? good : bad) = middle;
  }
  if (!out.open_ended && !interrupted()) {
    const Cell cell = run_cell(method, bad, 0, /*halve=*/true);
    out.beyond = fmt::format("{:.3g} s: {}", bad, cell.reason);
    if (cell.finished() && cell.verdict == Verdict::good)
      out.beyond = fmt::format("{:.3g} s: {} of {} steps halved", bad, cell.halved, cell.steps);
    else if (cell.finished())
      out.beyond =
          fmt::format("{:.3g} s: error {:.3g} {}", bad, cell.error, unit_ == "1" ? "" : unit_);
    while (out.beyond.back() == ' ') out.beyond.pop_back();
    for (double step = kScan * first_bad; step < largest && !interrupted(); step *= kScan)
      if (is_good(step)) out.good_again = step;
  }
  if (good > 0.0 && !interrupted()) {
    out.step = good;
    out.cell = run_cell(method, good, repeat, /*halve=*/true);
  }
  return out;
}

std::vector<Method> Bench::plain_methods() const {
  std::vector<Method> methods;
  const Method& plain = find_method("topological_plain");
  const Model model = make_drive(vehicle_, scenario_, plain.compile).model;
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (t < 0) continue;
    const TreeBody& body = model.tree.bodies[static_cast<std::size_t>(t)];
    for (int k = 0; k < body.degrees_of_freedom; ++k) {
      Method& method = methods.emplace_back(plain);
      method.name = "plain:" + model.mechanism.joints[j].name;
      if (body.degrees_of_freedom > 1) method.name += fmt::format("[{}]", k);
      method.independent = {body.z + k};
    }
  }
  return methods;
}

}  // namespace semirec::cli
