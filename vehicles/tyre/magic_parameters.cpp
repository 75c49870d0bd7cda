#include "vehicles/tyre/magic_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "topology/ascii.hpp"

namespace semirec {

namespace {

struct Row {
  const char* name;
  double MagicCoefficients::*member;
};

#define ROW(key) \
  Row { #key, &MagicCoefficients::key }
constexpr std::array kRows{
    ROW(LFZO),  ROW(LCX),   ROW(LMUX),  ROW(LEX),   ROW(LKX),   ROW(LHX),   ROW(LVX),   ROW(LGAX),
    ROW(LCY),   ROW(LMUY),  ROW(LEY),   ROW(LKY),   ROW(LHY),   ROW(LVY),   ROW(LGAY),  ROW(LKYC),
    ROW(LKZC),  ROW(LTR),   ROW(LRES),  ROW(LGAZ),  ROW(LXAL),  ROW(LYKA),  ROW(LVYKA), ROW(LS),
    ROW(LMP),   ROW(LMX),   ROW(LVMX),  ROW(LMY),   ROW(LSGKP), ROW(LSGAL), ROW(LCZ),   ROW(LIP),
    ROW(PCX1),  ROW(PDX1),  ROW(PDX2),  ROW(PDX3),  ROW(PEX1),  ROW(PEX2),  ROW(PEX3),  ROW(PEX4),
    ROW(PKX1),  ROW(PKX2),  ROW(PKX3),  ROW(PHX1),  ROW(PHX2),  ROW(PVX1),  ROW(PVX2),  ROW(PPX1),
    ROW(PPX2),  ROW(PPX3),  ROW(PPX4),  ROW(RBX1),  ROW(RBX2),  ROW(RBX3),  ROW(RCX1),  ROW(REX1),
    ROW(REX2),  ROW(RHX1),  ROW(PTX1),  ROW(PTX2),  ROW(PTX3),  ROW(PCY1),  ROW(PDY1),  ROW(PDY2),
    ROW(PDY3),  ROW(PEY1),  ROW(PEY2),  ROW(PEY3),  ROW(PEY4),  ROW(PEY5),  ROW(PKY1),  ROW(PKY2),
    ROW(PKY3),  ROW(PKY4),  ROW(PKY5),  ROW(PKY6),  ROW(PKY7),  ROW(PHY1),  ROW(PHY2),  ROW(PHY3),
    ROW(PVY1),  ROW(PVY2),  ROW(PVY3),  ROW(PVY4),  ROW(PPY1),  ROW(PPY2),  ROW(PPY3),  ROW(PPY4),
    ROW(PPY5),  ROW(RBY1),  ROW(RBY2),  ROW(RBY3),  ROW(RBY4),  ROW(RCY1),  ROW(REY1),  ROW(REY2),
    ROW(RHY1),  ROW(RHY2),  ROW(RVY1),  ROW(RVY2),  ROW(RVY3),  ROW(RVY4),  ROW(RVY5),  ROW(RVY6),
    ROW(PTY1),  ROW(PTY2),  ROW(QSX1),  ROW(QSX2),  ROW(QSX3),  ROW(QSX4),  ROW(QSX5),  ROW(QSX6),
    ROW(QSX7),  ROW(QSX8),  ROW(QSX9),  ROW(QSX10), ROW(QSX11), ROW(QSX12), ROW(QSX13), ROW(QSX14),
    ROW(PPMX1), ROW(QSY1),  ROW(QSY2),  ROW(QSY3),  ROW(QSY4),  ROW(QSY5),  ROW(QSY6),  ROW(QSY7),
    ROW(QSY8),  ROW(QBZ1),  ROW(QBZ2),  ROW(QBZ3),  ROW(QBZ4),  ROW(QBZ5),  ROW(QBZ9),  ROW(QBZ10),
    ROW(QCZ1),  ROW(QDZ1),  ROW(QDZ2),  ROW(QDZ3),  ROW(QDZ4),  ROW(QDZ6),  ROW(QDZ7),  ROW(QDZ8),
    ROW(QDZ9),  ROW(QDZ10), ROW(QDZ11), ROW(QEZ1),  ROW(QEZ2),  ROW(QEZ3),  ROW(QEZ4),  ROW(QEZ5),
    ROW(QHZ1),  ROW(QHZ2),  ROW(QHZ3),  ROW(QHZ4),  ROW(PPZ1),  ROW(PPZ2),  ROW(SSZ1),  ROW(SSZ2),
    ROW(SSZ3),  ROW(SSZ4),  ROW(PDXP1), ROW(PDXP2), ROW(PDXP3), ROW(PKYP1), ROW(PDYP1), ROW(PDYP2),
    ROW(PDYP3), ROW(PDYP4), ROW(PHYP1), ROW(PHYP2), ROW(PHYP3), ROW(PHYP4), ROW(PECP1), ROW(PECP2),
    ROW(QDTP1), ROW(QCRP1), ROW(QCRP2), ROW(QBRP1), ROW(QDRP1), ROW(QDRP2), ROW(BREFF), ROW(DREFF),
    ROW(FREFF), ROW(QRE0),  ROW(QV1),   ROW(QV2),   ROW(QFZ1),  ROW(QFZ2),  ROW(PFZ1),  ROW(PCFX1),
    ROW(PCFX2), ROW(PCFX3), ROW(PCFY1), ROW(PCFY2), ROW(PCFY3)};

/// Other spellings, read before the ones of the table.
constexpr std::array<std::array<const char*, 2>, 17> kSpellings{{{"Q_RE0", "QRE0"},
                                                                 {"Q_V1", "QV1"},
                                                                 {"Q_V2", "QV2"},
                                                                 {"Q_FZ1", "QFZ1"},
                                                                 {"Q_FZ2", "QFZ2"},
                                                                 {"LFZ0", "LFZO"},
                                                                 {"LKYG", "LKYC"},
                                                                 {"LKG", "LKYC"},
                                                                 {"LKZG", "LKZC"},
                                                                 {"QPZ1", "PPZ1"},
                                                                 {"QPZ2", "PPZ2"},
                                                                 {"QPX1", "PPMX1"},
                                                                 {"QPFZ1", "PFZ1"},
                                                                 {"LXA", "LXAL"},
                                                                 {"LYK", "LYKA"},
                                                                 {"LVYK", "LVYKA"},
                                                                 {"LGAM", "LGAY"}}};

/// Larger than any coefficient that was ever fitted; keeps products finite.
constexpr double kLargest = 1e6;

/// A file being read, and which of its keys were asked for.
struct MagicReading {
  const TirFile& tir;
  std::vector<std::string>& notes;
  std::vector<bool> used;
  std::string missing;
  int last_line = 0;
  bool without_turn_slip = false;  ///< by USE_MODE

  const TirKey* take(const std::string& name) {
    const auto place = tir.index.find(name);
    if (place == tir.index.end()) return nullptr;
    used[place->second] = true;
    return &tir.keys[place->second];
  }

  [[noreturn]] void fail(const TirKey& key, const std::string& expected) const {
    throw ModelError({tir.file, key.line}, key.name,
                     "is '" + shown(key.text) + "', expected " + expected);
  }

  bool has(const std::string& name) const { return tir.find(name) != nullptr; }

  double number(const std::string& name, double fallback, double low = -kLargest,
                double high = kLargest) {
    const TirKey* key = take(name);
    if (key == nullptr) return fallback;
    if (!key->is_number) fail(*key, "a number with a decimal point");
    if (key->value < low || key->value > high)
      fail(*key, "a number from " + plain(low) + " to " + plain(high) + " (SI)");
    return key->value;
  }

  double required(const std::string& name, double low, double high) {
    if (!has(name)) missing += (missing.empty() ? "" : ", ") + name;
    return number(name, low, low, high);
  }

  std::string word(const std::string& name) {
    const TirKey* key = take(name);
    std::string text = key == nullptr ? "" : key->text;
    for (char& c : text) c = ascii::to_upper(c);
    return text;
  }

  static std::string plain(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
};

MagicVersion read_version(MagicReading& r) {
  const std::string format = r.word("PROPERTY_FILE_FORMAT");
  const TirKey* fit = r.take("FITTYP");
  if (format == "PAC2002") return MagicVersion::pac2002;
  if (format == "MF_05" || format == "MF05") return MagicVersion::mf52;
  const std::array<std::string_view, 6> by_fit{"",         "MF-TYRE", "MF_TYRE",
                                               "MF-SWIFT", "MF-TIRE", "USER"};
  const TirKey* key = r.tir.find("PROPERTY_FILE_FORMAT");
  if (std::find(by_fit.begin(), by_fit.end(), format) == by_fit.end())
    r.fail(*key, "PAC2002, MF_05, MF-TYRE or USER");
  if (fit == nullptr)
    throw ModelError({r.tir.file, key != nullptr ? key->line : 0}, "FITTYP",
                     "is missing, expected it or PROPERTY_FILE_FORMAT = 'PAC2002'");
  if (fit->is_number) {
    const double type = fit->value;
    if (type == 5.0 || type == 6.0 || type == 51.0 || type == 52.0) return MagicVersion::mf52;
    if (type == 60.0 || type == 61.0 || type == 62.0) return MagicVersion::mf6;
  }
  r.fail(*fit, "5, 6, 51, 52 (Magic Formula 5.2), 60, 61 or 62 (6.1, 6.2)");
}

void read_mode(MagicReading& r, MagicParameters& p) {
  const TirKey* key = r.take("USE_MODE");
  if (key == nullptr) {
    r.notes.emplace_back("USE_MODE is missing: 4, all forces in combination, is assumed");
    return;
  }
  if (!key->is_number || key->value != std::floor(key->value) || std::abs(key->value) > 99999.0)
    r.fail(*key, "a whole number such as 4 or 14");
  int mode = static_cast<int>(std::abs(key->value));
  if (key->value < 0.0) {
    p.mirrored = !p.mirrored;
    r.notes.emplace_back("USE_MODE is negative: the tyre is mirrored");
  }
  if (mode >= 100) r.notes.emplace_back("USE_MODE: hundreds are not honoured");
  mode %= 100;
  if (mode >= 10)
    r.notes.emplace_back("USE_MODE: tens (transients) are the caller's choice, not the file's");
  mode %= 10;
  if (mode > 5) r.fail(*key, "a last digit from 0 to 5");
  p.longitudinal = mode == 1 || mode >= 3;
  p.lateral = mode >= 2;
  p.combined = mode >= 4;
  r.without_turn_slip = mode < 5;
}

void read_side(MagicReading& r, MagicParameters& p, Side mounted) {
  const TirKey* key = r.take("TYRESIDE");
  std::string side = r.word("TYRESIDE");
  if (key == nullptr || side == "UNKNOWN" || side == "SYMMETRIC") {
    r.notes.push_back("TYRESIDE is " + (key == nullptr ? "missing" : shown(side)) +
                      ": taken as LEFT and mirrored on the right");
    side = "LEFT";
  }
  if (side != "LEFT" && side != "RIGHT") r.fail(*key, "LEFT, RIGHT or UNKNOWN");
  const Side measured = side == "LEFT" ? Side::left : Side::right;
  if (measured != mounted) p.mirrored = !p.mirrored;
}

void read_coefficients(MagicReading& r, MagicCoefficients& c) {
  std::map<std::string_view, double MagicCoefficients::*> members;
  for (const Row& row : kRows) members[row.name] = row.member;
  for (const auto& [spelling, name] : kSpellings)
    c.*members[name] = r.number(spelling, c.*members[name]);
  for (const Row& row : kRows) c.*row.member = r.number(row.name, c.*row.member);
}

void read_load_curve(MagicReading& r, MagicParameters& p) {
  const TirTable* table = r.tir.find_table("DEFLECTION_LOAD_CURVE");
  if (table == nullptr) return;
  const TirUnits& units = r.tir.units;
  for (const TirRow& row : table->rows) {
    const std::vector<double> pair = numbers_of(r.tir, row, 2);
    const LoadPoint point{pair[0] * units.length, pair[1] * units.force};
    if (!p.load_curve.empty()) {
      const LoadPoint& before = p.load_curve.back();
      if (point.deflection - before.deflection < 1e-6 || point.load <= before.load)
        throw ModelError({r.tir.file, row.line}, "DEFLECTION_LOAD_CURVE",
                         "does not rise, expected deflections and loads that grow from row to row");
    }
    if (std::abs(point.deflection) > 10.0 || std::abs(point.load) > 1e7)
      throw ModelError({r.tir.file, row.line}, "DEFLECTION_LOAD_CURVE",
                       "is '" + shown(row.text) + "', expected at most 10 m and 1e7 N");
    if (p.load_curve.size() >= 1000)
      throw ModelError({r.tir.file, row.line}, "DEFLECTION_LOAD_CURVE", "has more than 1000 rows");
    p.load_curve.push_back(point);
  }
  if (p.load_curve.size() < 2 || p.load_curve.front().load != 0.0 ||
      p.load_curve.front().deflection != 0.0)
    throw ModelError({r.tir.file, table->line}, "DEFLECTION_LOAD_CURVE",
                     "has " + std::to_string(p.load_curve.size()) +
                         " rows, expected two or more, the first one 0 0");
}

void read_radial(MagicReading& r, MagicParameters& p) {
  p.R0 = r.required("UNLOADED_RADIUS", 0.01, 5.0);
  p.Fz0 = r.required("FNOMIN", 1.0, 1e6);
  read_load_curve(r, p);
  // MF 6 may give the stiffness by QFZ1 and QFZ2 alone
  const bool from_quadratic = r.has("QFZ1") || r.has("Q_FZ1");
  if (from_quadratic && !r.has("VERTICAL_STIFFNESS")) {
    p.vertical_stiffness =
        p.Fz0 / p.R0 * std::sqrt(p.c.QFZ1 * p.c.QFZ1 + 4.0 * std::max(p.c.QFZ2, 0.0));
  } else if (!p.load_curve.empty() && !r.has("VERTICAL_STIFFNESS")) {
    const LoadPoint& last = p.load_curve.back();
    p.vertical_stiffness = last.load / last.deflection;
  } else {
    p.vertical_stiffness = r.required("VERTICAL_STIFFNESS", 1e2, 1e9);
  }
  p.vertical_damping = r.number("VERTICAL_DAMPING", 0.0, 0.0, 1e7);
  p.longitudinal_stiffness = r.number("LONGITUDINAL_STIFFNESS", 0.0, 0.0, 1e9);
  p.lateral_stiffness = r.number("LATERAL_STIFFNESS", 0.0, 0.0, 1e9);
  p.V0 = r.number("LONGVL", 16.7, 0.1, 1000.0);
  p.low_speed = r.number("VXLOW", 1.0, 0.0, 100.0);
  p.low_speed = std::max(p.low_speed, 0.1);
  if (!r.missing.empty()) return;
  if (p.vertical_stiffness < 1e2)
    throw ModelError({r.tir.file, 0}, "QFZ1", "gives no stiffness, expected a number above zero");
  if (p.c.QFZ2 < 0.0 && p.c.QFZ1 == 0.0) return;
  if (p.c.QFZ1 == 0.0) {
    const double ratio = p.vertical_stiffness * p.R0 / p.Fz0;
    const double square = ratio * ratio - 4.0 * p.c.QFZ2;
    if (square <= 0.0)
      throw ModelError({r.tir.file, 0}, "Q_FZ2",
                       "is too large for VERTICAL_STIFFNESS, expected at most " +
                           MagicReading::plain(0.25 * ratio * ratio));
  }
}

void read_pressure(MagicReading& r, MagicParameters& p) {
  double nominal = r.number("NOMPRES", 0.0, 0.0, 1e8);
  nominal = r.number("IP_NOM", nominal, 0.0, 1e8) * p.c.LIP;
  double actual = r.number("INFLPRES", 0.0, 0.0, 1e8);
  actual = r.number("IP", actual, 0.0, 1e8);
  if (nominal <= 0.0) {
    if (actual > 0.0)
      r.notes.emplace_back("the nominal inflation pressure is missing: pressure has no influence");
    return;
  }
  const double low = r.number("PRESMIN", 0.0, 0.0, 1e8);
  const double high = r.number("PRESMAX", 1e8, 0.0, 1e8);
  if (actual <= 0.0) {
    if (r.has("INFLPRES") || r.has("IP"))
      r.notes.emplace_back("the inflation pressure is 0: the nominal one is taken");
    return;
  }
  constexpr double kLow = 0.3;
  constexpr double kHigh = 3.0;
  if (actual < kLow * nominal || actual > kHigh * nominal)
    r.notes.push_back("the inflation pressure is " + MagicReading::plain(actual) +
                      " Pa, the nominal one " + MagicReading::plain(nominal) +
                      " Pa: expected a third to three times of it; is it in the file's unit?");
  if (high > low && (actual < low || actual > high)) {
    r.notes.emplace_back("the inflation pressure is outside of its range: held at the border");
    actual = std::clamp(actual, low, high);
  }
  p.pressure_change = std::clamp(actual / nominal - 1.0, -0.99, 10.0);
}

/// A range of the file, held within what the formula is evaluated for.
struct MagicRange {
  const char *low, *high;  ///< keys
  double least, most;
  bool tells_least = true;  ///< whether a border that is held is worth a note
};

void read_range(MagicReading& r, const MagicRange& range, double& low, double& high) {
  low = r.number(range.low, low);
  high = r.number(range.high, high);
  const TirKey* key = r.tir.find(range.low);
  if (key == nullptr) key = r.tir.find(range.high);
  if (low >= high && key != nullptr)
    throw ModelError({r.tir.file, key->line}, range.low,
                     "is not below " + std::string(range.high) + ", expected a range");
  // round-off of a right angle is no difference
  constexpr double kSame = 1.001;
  const auto tell = [&](const char* name, double written, double held) {
    if (r.has(name))
      r.notes.push_back(std::string(name) + " is " + MagicReading::plain(written) +
                        " (SI): held at " + MagicReading::plain(held));
  };
  if (low < range.least && range.tells_least && std::abs(low) > kSame * std::abs(range.least))
    tell(range.low, low, range.least);
  if (high > range.most * kSame) tell(range.high, high, range.most);
  low = std::max(low, range.least);
  high = std::min(high, range.most);
  if (low >= high)
    throw ModelError({r.tir.file, key != nullptr ? key->line : 0}, range.low,
                     "and " + std::string(range.high) + " leave no range");
}

/// A range of slips is about zero. One that ends at zero is that of a tyre measured on one side:
/// the formula goes on as far to the other.
void reach_over_zero(MagicReading& r, const MagicRange& range, double& low, double& high) {
  const bool above = low > 0.0;
  if (above || high < 0.0) {
    const char* name = above ? range.low : range.high;
    const TirKey* key = r.tir.find(name);
    throw ModelError({r.tir.file, key != nullptr ? key->line : 0}, name,
                     "leaves out zero, expected a range about it");
  }
  if (low < 0.0 && high > 0.0) return;
  const bool lacks_low = low == 0.0;
  (lacks_low ? low : high) = lacks_low ? -high : -low;
  r.notes.push_back(std::string(lacks_low ? range.low : range.high) +
                    " is 0, a tyre measured on one side: " +
                    MagicReading::plain(lacks_low ? low : high) + " is taken");
}

void read_ranges(MagicReading& r, MagicParameters& p) {
  const MagicRange kappa{"KPUMIN", "KPUMAX", -1e3, 1e3};
  const MagicRange alpha{"ALPMIN", "ALPMAX", -1.5707, 1.5707};
  const MagicRange gamma{"CAMMIN", "CAMMAX", -1.5, 1.5};
  read_range(r, kappa, p.kappa_min, p.kappa_max);
  read_range(r, alpha, p.alpha_min, p.alpha_max);
  read_range(r, gamma, p.gamma_min, p.gamma_max);
  reach_over_zero(r, kappa, p.kappa_min, p.kappa_max);
  reach_over_zero(r, alpha, p.alpha_min, p.alpha_max);
  if (p.gamma_min > 0.0 || p.gamma_max < 0.0) reach_over_zero(r, gamma, p.gamma_min, p.gamma_max);
  p.load_min = 0.0;
  p.load_max = 5.0 * p.Fz0;
  // below a hundredth of the nominal load forces fall with the load whatever the file says
  const MagicRange load{"FZMIN", "FZMAX", 0.01 * p.Fz0, 100.0 * p.Fz0, /*tells_least=*/false};
  read_range(r, load, p.load_min, p.load_max);
  if (p.Fz0 < r.number("FZMIN", p.Fz0) || p.Fz0 > r.number("FZMAX", p.Fz0))
    r.notes.push_back("FNOMIN, " + MagicReading::plain(p.Fz0) +
                      " N, is outside of FZMIN to FZMAX: the tyre is not described where it was "
                      "designed for");
}

void check_above_zero(MagicReading& r, const char* name, double value) {
  if (value > 0.0) return;
  const TirKey* key = r.tir.find(name);
  if (key != nullptr) r.fail(*key, "a number above zero");
}

void check_forces(MagicReading& r, const MagicParameters& p) {
  std::vector<const char*> needed;
  if (p.longitudinal) needed.insert(needed.end(), {"PCX1", "PDX1", "PKX1"});
  if (p.lateral) needed.insert(needed.end(), {"PCY1", "PDY1", "PKY1", "PKY2"});
  for (const char* name : needed)
    if (!r.has(name)) r.missing += (r.missing.empty() ? "" : ", ") + std::string(name);
  if (!r.missing.empty())
    throw ModelError({r.tir.file, 0}, "file", "lacks required keys: " + r.missing);
  const MagicCoefficients& c = p.c;
  if (p.longitudinal) {
    check_above_zero(r, "PCX1", c.PCX1);
    check_above_zero(r, "PDX1", c.PDX1);
    check_above_zero(r, "PKX1", c.PKX1);
  }
  if (p.lateral) {
    check_above_zero(r, "PCY1", c.PCY1);
    if (c.PDY1 == 0.0) r.fail(*r.tir.find("PDY1"), "a number other than zero");
    check_above_zero(r, "PKY2", c.PKY2);
    if (c.PKY1 >= 0.0)
      r.fail(*r.tir.find("PKY1"), "a number below zero: Fy opposes the slip in ISO axes");
  }
  for (const char* name : {"LFZO", "LCX", "LMUX", "LKX", "LCY", "LMUY", "LKY", "LCZ", "LIP"}) {
    const TirKey* key = r.tir.find(name);
    if (key != nullptr && (key->value < 1e-3 || key->value > 1e3))
      r.fail(*key, "a scale factor from 0.001 to 1000");
  }
  for (const char* name : {"QSY7", "QSY8", "PKX3", "PTX3"}) {
    const TirKey* key = r.tir.find(name);
    if (key != nullptr && std::abs(key->value) > 20.0) r.fail(*key, "an exponent from -20 to 20");
  }
}

/// A peak below zero, with a stiffness factor above it, gives the curve that the other signs give;
/// what is in proportion to the friction, or to the stiffness over it, keeps its own.
void turn_negative_peak(MagicReading& r, MagicParameters& p) {
  MagicCoefficients& c = p.c;
  if (!p.lateral || c.PDY1 >= 0.0) return;
  for (double* factor : {&c.PDY1, &c.PDY2, &c.RVY1, &c.RVY2, &c.RVY3, &c.QBZ10}) *factor = -*factor;
  r.notes.emplace_back(
      "PDY1 is below zero: read as the same tyre with PDY1, PDY2, RVY1 to RVY3 and QBZ10 of the "
      "other sign");
}

/// Factors of slope within cosines, where the sign makes no difference to what the file describes.
void note_negative_slopes(MagicReading& r, const MagicParameters& p) {
  const MagicCoefficients& c = p.c;
  std::string names;
  const auto look = [&](const char* name, double value, bool used) {
    if (used && value < 0.0) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  look("RBX1", c.RBX1, p.combined && p.weighted);
  look("RBY1", c.RBY1, p.combined && p.weighted);
  look("QBZ1", c.QBZ1, p.lateral);
  if (!names.empty())
    r.notes.push_back(names + ": below zero, which counts as above it: cosines are even");
}

void choose_combination(MagicReading& r, MagicParameters& p) {
  if (!p.combined) return;
  p.weighted = p.c.RBX1 != 0.0 && p.c.RBY1 != 0.0;
  if (!p.weighted)
    r.notes.emplace_back(
        "RBX1 or RBY1 is missing or zero: combined slip by the ellipse of friction");
}

void choose_turn_slip(MagicReading& r, MagicParameters& p) {
  const MagicCoefficients& c = p.c;
  for (const double factor : {c.PDXP1, c.PKYP1, c.PDYP1, c.PHYP2, c.QDTP1, c.QBRP1, c.QDRP1})
    if (factor != 0.0) p.turn_slip = true;
  if (p.turn_slip && r.without_turn_slip) {
    p.turn_slip = false;
    r.notes.emplace_back(
        "[TURNSLIP_COEFFICIENTS] not used: the last digit of USE_MODE leaves turn slip out, 5 has "
        "it");
  }
  if (p.turn_slip && c.QDRP1 != 0.0 && (c.QDRP1 < 0.001 || c.QDRP1 > 1.999))
    r.fail(*r.tir.find("QDRP1"), "a number from 0.001 to 1.999");
}

/// Coefficients of inflation pressure, large camber and further moments, which came with PAC2002
/// and Magic Formula 6.x: a file of 5.2 that has them is read as its own version reads it.
void leave_out_newer(MagicReading& r, MagicParameters& p) {
  if (p.version != MagicVersion::mf52) return;
  const MagicCoefficients none;
  constexpr std::array kNewer{ROW(PPX1),  ROW(PPX2),  ROW(PPX3),  ROW(PPX4),  ROW(PPY1), ROW(PPY2),
                              ROW(PPY3),  ROW(PPY4),  ROW(PPZ1),  ROW(PPZ2),  ROW(PFZ1), ROW(PPMX1),
                              ROW(PKY4),  ROW(PKY5),  ROW(PEY5),  ROW(RBX3),  ROW(RBY4), ROW(QSX4),
                              ROW(QSX5),  ROW(QSX6),  ROW(QSX7),  ROW(QSX8),  ROW(QSX9), ROW(QSX10),
                              ROW(QSX11), ROW(QSX12), ROW(QSX13), ROW(QSX14), ROW(QSY5), ROW(QSY6),
                              ROW(QSY7),  ROW(QSY8),  ROW(QDZ10), ROW(QDZ11)};
  std::string names;
  for (const Row& row : kNewer) {
    if (p.c.*row.member != none.*row.member)
      names += (names.empty() ? "" : ", ") + std::string(row.name);
    p.c.*row.member = none.*row.member;
  }
  if (!names.empty())
    r.notes.push_back("not used: " + names +
                      ", which came after Magic Formula 5.2; FITTYP or PROPERTY_FILE_FORMAT asks "
                      "for 5.2");
}

#undef ROW

/// Keys that the file gives a value to and that its version of the formula has no place for.
void note_other_versions(MagicReading& r, const MagicParameters& p) {
  struct Key {
    const char* name;
    double value, neutral;
    bool used;
  };
  const MagicCoefficients& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const bool carcass_x = mf6 && p.longitudinal_stiffness > 0.0;
  const bool carcass_y = mf6 && p.lateral_stiffness > 0.0;
  const auto list = [](const std::vector<Key>& keys) {
    std::string names;
    for (const Key& key : keys)
      if (!key.used && key.value != key.neutral)
        names += (names.empty() ? "" : ", ") + std::string(key.name);
    return names;
  };
  const std::string scales = list({{"LGAX", c.LGAX, 1.0, !mf6},
                                   {"LGAY", c.LGAY, 1.0, !mf6},
                                   {"LGAZ", c.LGAZ, 1.0, !mf6},
                                   {"LSGKP", c.LSGKP, 1.0, !carcass_x},
                                   {"LSGAL", c.LSGAL, 1.0, !carcass_y}});
  if (!scales.empty())
    r.notes.push_back("[SCALING_COEFFICIENTS] not used: " + scales +
                      ", which belong to Magic Formula 5.2");
  const std::string older = list({{"PHY3", c.PHY3, 0.0, !mf6},
                                  {"PTX1", c.PTX1, 0.0, !carcass_x},
                                  {"PTX2", c.PTX2, 0.0, !carcass_x},
                                  {"PTX3", c.PTX3, 0.0, !carcass_x},
                                  {"PTY1", c.PTY1, 0.0, !carcass_y},
                                  {"PTY2", c.PTY2, 0.0, !carcass_y}});
  if (!older.empty())
    r.notes.push_back("not used: " + older +
                      ", which belong to Magic Formula 5.2; relaxation follows from "
                      "LONGITUDINAL_STIFFNESS and LATERAL_STIFFNESS where these are given");
  const std::string newer = list({{"PKY6", c.PKY6, 0.0, mf6},
                                  {"PKY7", c.PKY7, 0.0, mf6},
                                  {"PPY5", c.PPY5, 0.0, mf6},
                                  {"PCFX1", c.PCFX1, 0.0, carcass_x},
                                  {"PCFX2", c.PCFX2, 0.0, carcass_x},
                                  {"PCFX3", c.PCFX3, 0.0, carcass_x},
                                  {"PCFY1", c.PCFY1, 0.0, carcass_y},
                                  {"PCFY2", c.PCFY2, 0.0, carcass_y},
                                  {"PCFY3", c.PCFY3, 0.0, carcass_y}});
  if (!newer.empty())
    r.notes.push_back("not used: " + newer +
                      (mf6 ? ", which need LONGITUDINAL_ and LATERAL_STIFFNESS"
                           : ", which belong to Magic Formula 6.x; FITTYP or "
                             "PROPERTY_FILE_FORMAT asks for 5.2"));
}

/// Lines over the load that reach zero within the tyre's own range: the tyre has no grip there.
void note_lost_grip(MagicReading& r, const MagicParameters& p) {
  struct Line {
    const char* name;
    double at_nominal, slope;
    bool used;
  };
  const MagicCoefficients& c = p.c;
  for (const Line& line :
       {Line{"longitudinal slip stiffness (PKX1, PKX2)", c.PKX1, c.PKX2, p.longitudinal},
        Line{"longitudinal friction (PDX1, PDX2)", c.PDX1, c.PDX2, p.longitudinal},
        Line{"lateral friction (PDY1, PDY2)", c.PDY1, c.PDY2, p.lateral}}) {
    if (!line.used || line.slope == 0.0) continue;
    const double load = (1.0 - line.at_nominal / line.slope) * c.LFZO * p.Fz0;
    if (load > p.load_min && load < p.load_max)
      r.notes.push_back("the " + std::string(line.name) + " reaches zero at a load of " +
                        MagicReading::plain(std::round(load)) + " N, within FZMIN to FZMAX: " +
                        (line.slope < 0.0 ? "above" : "below") + " it the tyre has none");
  }
}

/// The free radius of a wheel at rest is within a fifth of the unloaded one (magic_growth()).
void note_free_radius(MagicReading& r, MagicParameters& p) {
  if (p.c.QRE0 == 0.0) {
    p.c.QRE0 = 1.0;
    r.notes.emplace_back("Q_RE0 is 0, which no tyre has: 1 is taken");
  }
  if (std::abs(p.c.QRE0 - 1.0) > 0.2)
    r.notes.push_back("Q_RE0 is " + MagicReading::plain(p.c.QRE0) +
                      ": the free radius is held within 0.8 and 1.2 of UNLOADED_RADIUS");
}

void note_relaxation(MagicReading& r, const MagicParameters& p) {
  const bool by_stiffness =
      p.version == MagicVersion::mf6 && p.longitudinal_stiffness > 0.0 && p.lateral_stiffness > 0.0;
  if (!by_stiffness && (p.c.PTX1 == 0.0 || p.c.PTY1 == 0.0 || p.c.PTY2 <= 0.0))
    r.notes.emplace_back(
        "relaxation is not described: half of the unloaded radius longitudinally, 1.3 times "
        "laterally");
}

/// A file that ends early looks like one that leaves these out on purpose.
void note_missing(MagicReading& r, const MagicParameters& p) {
  struct Group {
    const char* what;
    bool used;
    std::vector<const char*> keys;  // one of them is enough
  };
  const std::vector<Group> groups{{"aligning torque", p.lateral, {"QDZ1", "QDZ6", "QDZ8", "SSZ2"}},
                                  {"overturning moment", p.lateral, {"QSX1", "QSX2", "QSX3"}},
                                  {"rolling resistance", p.longitudinal, {"QSY1", "QSY3"}}};
  std::string none;
  for (const Group& group : groups)
    if (group.used && std::none_of(group.keys.begin(), group.keys.end(),
                                   [&](const char* key) { return r.has(key); }))
      none += (none.empty() ? "" : ", ") + std::string(group.what);
  if (!none.empty()) r.notes.push_back("no coefficient of " + none + ": taken as zero");
}

/// Sections whose keys say nothing about forces.
bool is_silent(const std::string& section) { return section == "MDI_HEADER" || section == "UNITS"; }

void note_unused(MagicReading& r) {
  std::map<std::string, std::string> unused;
  for (const auto& [name, place] : r.tir.index) {
    const TirKey& key = r.tir.keys[place];
    if (r.used[place] || is_silent(key.section) || (key.is_number && key.value == 0.0)) continue;
    std::string& list = unused[key.section];
    if (list.size() < 200)
      list += (list.empty() ? "" : ", ") + shown(name);
    else if (list.back() != '.')
      list += ", ...";
  }
  std::size_t lines = 0;
  for (const auto& [section, list] : unused)
    if (++lines <= 50) r.notes.push_back("[" + shown(section) + "] not used: " + list);
  for (const TirTable& table : r.tir.tables)
    if (!is_silent(table.section) && table.section != "DEFLECTION_LOAD_CURVE" && ++lines <= 50)
      r.notes.push_back("[" + shown(table.section) + "] not used: table {" + shown(table.columns) +
                        "}");
}

}  // namespace

MagicParameters read_magic_parameters(const TirFile& tir, Side mounted,
                                      std::vector<std::string>& notes) {
  MagicReading r{tir, notes, std::vector<bool>(tir.keys.size(), false), "", 0, false};
  MagicParameters p;
  p.version = read_version(r);
  read_mode(r, p);
  read_side(r, p, mounted);
  if (p.version == MagicVersion::mf6) p.c.QSY7 = 1.0;
  read_coefficients(r, p.c);
  leave_out_newer(r, p);
  read_radial(r, p);
  check_forces(r, p);
  turn_negative_peak(r, p);
  read_pressure(r, p);
  read_ranges(r, p);
  choose_combination(r, p);
  note_negative_slopes(r, p);
  choose_turn_slip(r, p);
  note_free_radius(r, p);
  note_other_versions(r, p);
  note_lost_grip(r, p);
  note_relaxation(r, p);
  note_missing(r, p);
  // widths and rims belong to other parts of the car
  for (const char* name : {"WIDTH", "ASPECT_RATIO", "RIM_RADIUS", "RIM_WIDTH"}) r.take(name);
  note_unused(r);
  return p;
}

}  // namespace semirec
