#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/tyre/read_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"

namespace semirec {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/tyres/";

std::string touring() { return read_tir_text(kFolder + "touring_pac2002.tir"); }

/// The text with one thing put in another's place; both must differ.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  if (place != std::string::npos) text.replace(place, from.size(), to);
  return text;
}

std::string message_of(const std::string& text) {
  try {
    read_tyre_text(text, "t.tir", Side::left);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

// Everything the form allows in one text.
TEST(TirFile, ReadsTheWholeForm) {
  const TirFile tir = parse_tir(
      "\xEF\xBB\xBF$ comment\r\n! another\n[MDI_HEADER]\r FILE_TYPE = 'tir'\n"
      "(COMMENTS)\n{comment_string}\n'Tyre - none'\n"
      "[units]\nLENGTH='mm' $ length\nforce = 'kN'\nANGLE='degrees'\nTIME='millisecond'\n"
      "PRESSURE = BAR\nTEMPERATURE = 'celsius'\n"
      "[MODEL]\nTyreSide = 'Left $ no comment' ! comment\nEMPTY =\nBARE\nLONGVL = 16.6D0\n"
      "[DIMENSION]\nUNLOADED_RADIUS = 3.2e2 $m\n[SHAPE]\n{radial width}\n 1.0 0.0\n 0.9 1.0 $ end\n"
      "[VERTICAL]\nVERTICAL_STIFFNESS=0.2\nVERTICAL_DAMPING=1\nFNOMIN=+4.5\nFNOMIN=5\n"
      "[SLIP_ANGLE_RANGE]\nALPMAX = 90\n[OPERATING_CONDITIONS]\nNOMPRES=2.3\n"
      "[VENDOR_SECTION]\nFNOMIN=7\n<<odd line>>\n[MODEL]\nVXLOW=1",
      "t.tir");
  EXPECT_EQ(tir.find("FILE_TYPE"), nullptr);  // the header is no data
  ASSERT_NE(tir.find("TYRESIDE"), nullptr);
  EXPECT_EQ(tir.find("TYRESIDE")->text, "Left $ no comment");
  EXPECT_EQ(tir.find("EMPTY"), nullptr);
  EXPECT_EQ(tir.find("BARE"), nullptr);
  EXPECT_DOUBLE_EQ(tir.find("UNLOADED_RADIUS")->value, 0.32);
  EXPECT_DOUBLE_EQ(tir.find("LONGVL")->value, 16.6);              // mm/ms = m/s
  EXPECT_DOUBLE_EQ(tir.find("VXLOW")->value, 1.0);                // second [MODEL]
  EXPECT_DOUBLE_EQ(tir.find("VERTICAL_STIFFNESS")->value, 2e5);   // kN/mm
  EXPECT_DOUBLE_EQ(tir.find("VERTICAL_DAMPING")->value, 1000.0);  // kN ms/mm
  EXPECT_DOUBLE_EQ(tir.find("FNOMIN")->value, 5000.0);            // the last one, not the vendor's
  EXPECT_NEAR(tir.find("ALPMAX")->value, 1.5707963267948966, 1e-15);
  EXPECT_DOUBLE_EQ(tir.find("NOMPRES")->value, 2.3e5);
  EXPECT_THAT(tir.notes, Contains(HasSubstr("FNOMIN stands twice")));
  ASSERT_NE(tir.find_table("SHAPE"), nullptr);
  EXPECT_EQ(tir.find_table("SHAPE")->columns, "radial width");
  ASSERT_EQ(tir.find_table("SHAPE")->rows.size(), 2U);
  EXPECT_EQ(numbers_of(tir, tir.find_table("SHAPE")->rows[1], 2), (std::vector<double>{0.9, 1.0}));
  EXPECT_EQ(tir.find("UNLOADED_RADIUS")->section, "DIMENSION");
  EXPECT_EQ(tir.find("UNLOADED_RADIUS")->line, 21);
}

// Factors of the units: inch, foot, pound by definition.
TEST(TirFile, KnowsUnits) {
  const auto radius = [](const std::string& unit) {
    return parse_tir("[UNITS]\nLENGTH='" + unit + "'\n[DIMENSION]\nUNLOADED_RADIUS=1", "t")
        .find("UNLOADED_RADIUS")
        ->value;
  };
  EXPECT_DOUBLE_EQ(radius("meter"), 1.0);
  EXPECT_DOUBLE_EQ(radius("Meters"), 1.0);
  EXPECT_DOUBLE_EQ(radius("mm"), 1e-3);
  EXPECT_DOUBLE_EQ(radius("CM"), 1e-2);
  EXPECT_DOUBLE_EQ(radius("km"), 1e3);
  EXPECT_DOUBLE_EQ(radius("inch"), 0.0254);
  EXPECT_DOUBLE_EQ(radius("inches"), 0.0254);
  EXPECT_DOUBLE_EQ(radius("ft"), 0.3048);
  EXPECT_DOUBLE_EQ(radius("mile"), 1609.344);
  const auto load = [](const std::string& unit) {
    return parse_tir("[UNITS]\nFORCE='" + unit + "'\n[VERTICAL]\nFNOMIN=1", "t")
        .find("FNOMIN")
        ->value;
  };
  EXPECT_DOUBLE_EQ(load("N"), 1.0);
  EXPECT_DOUBLE_EQ(load("kN"), 1e3);
  EXPECT_NEAR(load("lbf"), 4.4482216152605, 1e-12);
  EXPECT_DOUBLE_EQ(load("kgf"), 9.80665);
  const auto pressure = [](const std::string& unit) {
    return parse_tir("[UNITS]\nPRESSURE='" + unit + "'\n[X]\nNOMPRES=1", "t")
        .find("NOMPRES")
        ->value;
  };
  EXPECT_DOUBLE_EQ(pressure("psi"), 6894.757293168);
  EXPECT_DOUBLE_EQ(pressure("kPa"), 1e3);
  const auto speed = [](const std::string& time) {
    return parse_tir("[UNITS]\nTIME='" + time + "'\n[MODEL]\nLONGVL=1", "t").find("LONGVL")->value;
  };
  EXPECT_DOUBLE_EQ(speed("hour"), 1.0 / 3600.0);
  EXPECT_DOUBLE_EQ(speed("min"), 1.0 / 60.0);
  const auto mass = [](const std::string& unit) {
    return parse_tir("[UNITS]\nMASS='" + unit + "'\n[INERTIA]\nMASS=1", "t").find("MASS")->value;
  };
  EXPECT_DOUBLE_EQ(mass("gram"), 1e-3);
  EXPECT_DOUBLE_EQ(mass("tonne"), 1e3);
  EXPECT_NEAR(mass("slug"), 14.593902937206, 1e-9);
}

// The same tyre in mm, kN, degrees and milliseconds gives the same forces.
TEST(TirFile, UnitsDoNotChangeTheTyre) {
  std::string text = touring();
  text = changed(text, "'meter'", "'mm'");
  text = changed(text, "'newton'", "'kN'");
  text = changed(text, "'radian'", "'degrees'");
  text = changed(text, "'second'", "'millisecond'");
  text = changed(text, "UNLOADED_RADIUS = 0.3284", "UNLOADED_RADIUS = 328.4");
  text = changed(text, "VERTICAL_STIFFNESS = 220000", "VERTICAL_STIFFNESS = 0.22");
  text = changed(text, "VERTICAL_DAMPING   = 60", "VERTICAL_DAMPING   = 0.06");
  text = changed(text, "FNOMIN             = 4500", "FNOMIN             = 4.5");
  text = changed(text, "FZMIN = 220", "FZMIN = 0.22");
  text = changed(text, "FZMAX = 10500", "FZMAX = 10.5");
  text = changed(text, "ALPMIN = -1.5", "ALPMIN = -85.943669269623478");
  text = changed(text, "ALPMAX = 1.5", "ALPMAX = 85.943669269623478");
  text = changed(text, "CAMMIN = -0.26", "CAMMIN = -14.896902673401405");
  text = changed(text, "CAMMAX = 0.26", "CAMMAX = 14.896902673401405");
  const auto a = read_tyre_text(touring(), "a", Side::left);
  const auto b = read_tyre_text(text, "b", Side::left);
  constexpr double kRounding = 1e-9;  // relative, of products of a dozen factors
  for (const double tan_alpha : {-0.3, 0.0, 0.05, 50.0}) {
    TyreSlip slip;
    slip.load = 3700.0;
    slip.kappa = 0.03;
    slip.tan_alpha = tan_alpha;
    slip.gamma = 0.3;
    slip.speed = 12.0;
    const TyreForces f = a->forces(slip);
    const TyreForces g = b->forces(slip);
    EXPECT_NEAR(f.Fx, g.Fx, kRounding * 1e3);
    EXPECT_NEAR(f.Fy, g.Fy, kRounding * 1e3);
    EXPECT_NEAR(f.Mz, g.Mz, kRounding * 1e3);
    EXPECT_NEAR(f.My, g.My, kRounding * 1e3);
  }
  EXPECT_NEAR(a->load(0.02, 0.1, 0).load, b->load(0.02, 0.1, 0).load, kRounding * 1e4);
}

TEST(TirFile, MixedLineEndsDoNotMatter) {
  std::string text = touring();
  std::string mixed;
  int k = 0;
  for (const char c : text) {
    if (c != '\n')
      mixed += c;
    else
      mixed += std::vector<std::string>{"\n", "\r\n", "\r"}[static_cast<std::size_t>(k++ % 3)];
  }
  TyreSlip slip;
  slip.load = 4000.0;
  slip.tan_alpha = 0.1;
  slip.speed = 10.0;
  EXPECT_EQ(read_tyre_text(text, "a", Side::left)->forces(slip).Fy,
            read_tyre_text(mixed, "b", Side::left)->forces(slip).Fy);
}

/// One defect, and what the one line must say.
struct Broken {
  std::string from, to, words;
};

TEST(TirFile, SaysInOneLineWhatIsWrong) {
  const std::vector<Broken> table{
      {"PDX1 = 1.14", "PDX1 = 1,14", "t.tir:56: element 'PDX1': is '1,14', expected a number"},
      {"PDX1 = 1.14", "PDX1 = nan", "element 'PDX1': is 'nan', expected a number"},
      {"PDX1 = 1.14", "PDX1 = 1e999", "element 'PDX1': is '1e999', expected a number"},
      {"PDX1 = 1.14", "PDX1 = 1.14 N", "element 'PDX1': is '1.14 N', expected a number"},
      {"PDX1 = 1.14", "PDX1 = 1e7", "expected a number from -1000000 to 1000000"},
      {"PDX1 = 1.14", "PDX1 = -1.14", "element 'PDX1': is '-1.14', expected a number above zero"},
      {"PKY1 = -27.5", "PKY1 = 27.5", "element 'PKY1': is '27.5', expected a number below zero"},
      {"FNOMIN             = 4500", "FNOMIN =", "lacks required keys: FNOMIN"},
      {"PKY2 = 1.72", "", "lacks required keys: PKY2"},
      {"UNLOADED_RADIUS = 0.3284", "UNLOADED_RADIUS = -0.3",
       "element 'UNLOADED_RADIUS': is '-0.3', expected a number from 0.01 to 5 (SI)"},
      {"'meter'", "'parsec'",
       "element 'LENGTH': is 'parsec', which is no known unit, expected one of"},
      {"'PAC2002'", "'FTIRE'", "is 'FTIRE', expected PAC2002, MF_05, MF-TYRE or USER"},
      {"PROPERTY_FILE_FORMAT = 'PAC2002'", "FITTYP = 21", "is '21', expected 5, 6, 51, 52"},
      {"PROPERTY_FILE_FORMAT = 'PAC2002'", "", "element 'FITTYP': is missing"},
      {"'PAC2002'", "'PAC2002", "element 'PROPERTY_FILE_FORMAT': the quote is not closed"},
      {"'LEFT'", "'MIDDLE'", "element 'TYRESIDE': is 'MIDDLE', expected LEFT, RIGHT or UNKNOWN"},
      {"USE_MODE             = 14", "USE_MODE = 7", "is '7', expected a last digit from 0 to 5"},
      {"USE_MODE             = 14", "USE_MODE = 1.5", "is '1.5', expected a whole number"},
      {"[VERTICAL]", "[VERTICAL", "the bracket is not closed"},
      {"KPUMIN = -1.5", "KPUMIN = 2.5", "element 'KPUMIN': is not below KPUMAX"},
      {"KPUMIN = -1.5", "KPUMIN = 0.5", "leaves out zero"},
      {"LMUX = 1.0", "LMUX = 0", "element 'LMUX': is '0', expected a scale factor"},
      {"PKX3 = 0.22", "PKX3 = 500", "element 'PKX3': is '500', expected an exponent"},
      {"[UNITS]", "LENGTH = 'mm'\n[UNITS]", "element 'LENGTH': stands before the first [SECTION]"},
      {"PCX1 = 1.66", "PC?X1 = 1.66", "element 'PC?X1': is no name of a key"},
      {"PCX1 = 1.66", "\x01PCX1 = 1.66", "holds a control character"},
      {"[SCALING", "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.01 2000\n0.02 1500\n[SCALING",
       "element 'DEFLECTION_LOAD_CURVE': does not rise"},
      {"[SCALING", "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.01\n[SCALING",
       "element 'row': is '0.01', expected 2 numbers"},
      {"[SCALING", "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0.1 5\n[SCALING",
       "expected two or more, the first one 0 0"}};
  for (const Broken& broken : table) {
    const std::string message = message_of(changed(touring(), broken.from, broken.to));
    EXPECT_THAT(message, HasSubstr(broken.words)) << broken.to;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind("t.tir", 0), 0U) << message;
  }
  EXPECT_THAT(message_of(""), HasSubstr("holds no key"));
  EXPECT_THAT(message_of(std::string(5000000, 'x')), HasSubstr("larger than 4 MB"));
  EXPECT_THAT(message_of("[A]\n" + std::string(5000, 'x')), HasSubstr("longer than 4096"));
  EXPECT_THROW(read_tyre_file("/nonexistent/x.tir", Side::left), ModelError);
  EXPECT_THROW(read_tyre_file("/", Side::left), ModelError);
}

// Cut anywhere, a file gives a tyre or one line.
TEST(TirFile, EndsAnywhereWithoutHarm) {
  const std::string text = touring();
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const std::string message = message_of(text.substr(0, length));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(TirFile, NamesWhatItDoesNotHonour) {
  std::vector<std::string> notes;
  std::string text = changed(touring(), "'LEFT'", "'unknown'");
  text = changed(text, "USE_MODE             = 14", "USE_MODE = -114");
  text +=
      "\n[INERTIA]\nMASS = 9\n[SPIKES]\nLENGTH = 3\n[BOTTOMING_CURVE]\n{pen fz}\n0 "
      "0\n[SHAPE]\n{radial width}\n1 0\n";
  read_tyre_text(text, "t.tir", Side::left, &notes);
  EXPECT_THAT(notes, Contains(HasSubstr("TYRESIDE is UNKNOWN")));
  EXPECT_THAT(notes, Contains(HasSubstr("the tyre is mirrored")));
  EXPECT_THAT(notes, Contains(HasSubstr("hundreds are not honoured")));
  EXPECT_THAT(notes, Contains(HasSubstr("[INERTIA] not used: MASS")));
  EXPECT_THAT(notes, Contains(HasSubstr("[SPIKES] not used: LENGTH")));
  EXPECT_THAT(notes, Contains(HasSubstr("[BOTTOMING_CURVE] not used: table {pen fz}")));
  EXPECT_THAT(notes, Contains(HasSubstr("[SHAPE] not used: table {radial width}")));
  for (const std::string& note : notes) EXPECT_EQ(note.find('\n'), std::string::npos) << note;
  notes.clear();
  read_tyre_text(touring(), "t.tir", Side::left, &notes);
  EXPECT_EQ(notes.size(), 1U);  // the tens of USE_MODE
}

TEST(TirFile, NamesScalesThatItsVersionDoesNotKnow) {
  const std::string of_6 = read_tir_text(kFolder + "touring_225.tir");
  const std::string lines = "\n[SCALING_COEFFICIENTS]\nLGAY = 1.2\nLSGAL = 3\nLSGKP = 1\n";
  std::vector<std::string> notes;
  read_tyre_text(of_6 + lines, "t.tir", Side::left, &notes);
  EXPECT_THAT(notes, Contains(HasSubstr("not used: LGAY, LSGAL,")));
}

/// All that a law says, over loads, slips, camber, turn slip, speeds and deflections.
std::vector<double> answers_of(const TyreLaw& law) {
  std::vector<double> all;
  for (const double load : {2100.0, 5900.0})
    for (const double kappa : {-0.06, 0.21})
      for (const double tan_alpha : {-0.04, 0.17})
        for (const double gamma : {-0.03, 0.08}) {
          const TyreForces F = law.forces({load, kappa, tan_alpha, gamma, 0.04, 11.0, 0.9});
          all.insert(all.end(), {F.Fx, F.Fy, F.Mx, F.My, F.Mz, law.relaxation_x(load, gamma),
                                 law.relaxation_y(load, gamma), law.effective_radius(load, 60.0),
                                 law.load(0.02, 0.0, 60.0).load});
        }
  return all;
}

/// Whether a line that says "not used" has the key as a word of its own.
bool is_named(const std::vector<std::string>& notes, const std::string& key) {
  for (const std::string& note : notes) {
    if (note.find("not used") == std::string::npos) continue;
    const std::size_t place = note.find(" " + key);
    if (place == std::string::npos) continue;
    const char next = (note + " ")[place + 1 + key.size()];
    if (next == ',' || next == ' ') return true;
  }
  return false;
}

// Each coefficient is given two values of its own: where the law does not tell them apart, a note
// has to name it, and nowhere else. Files of 5.2, PAC2002 and 6.1, each with the keys of the other.
TEST(TirFile, NamesEveryCoefficientThatChangesNothing) {
  const std::string of_6 = read_tir_text(kFolder + "touring_225.tir");
  const std::string pac = read_tir_text(kFolder + "touring_pac2002.tir");
  std::vector<std::string> keys;
  for (const std::string& text : {of_6, pac})
    for (const TirKey& key : parse_tir(text, "t.tir").keys)
      if (key.section.find("COEFFICIENTS") != std::string::npos &&
          std::find(keys.begin(), keys.end(), key.name) == keys.end())
        keys.push_back(key.name);
  for (const char* key :
       {"PHY3",  "PKY6",  "PKY7",  "PPY5",  "PTX1",  "PTX2", "PTX3", "PTY1", "PTY2",  "PCFX1",
        "PCFX2", "PCFX3", "PCFY1", "PCFY2", "PCFY3", "LGAX", "LGAY", "LGAZ", "LSGKP", "LSGAL"})
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  ASSERT_GT(keys.size(), 120U);
  const std::string without_carcass =
      changed(changed(of_6, "LONGITUDINAL_STIFFNESS", "NONE_X"), "LATERAL_STIFFNESS", "NONE_Y");
  for (const std::string& file :
       {of_6, without_carcass, pac, changed(pac, "'PAC2002'", "'MF_05'")}) {
    std::map<std::string, double> values;
    std::map<std::string, std::string> sections;  // a later line of the same section counts
    for (const TirKey& key : parse_tir(file, "t.tir").keys) {
      values[key.name] = key.value;
      sections[key.name] = key.section;
    }
    const auto line = [&](const std::string& key, double value) {
      return "[" + (sections[key].empty() ? "COEFFICIENTS" : sections[key]) + "]\n" + key + " = " +
             std::to_string(value) + "\n";
    };
    std::string base =
        file + "\n[MODEL]\nUSE_MODE = 5\n" + line("NOMPRES", 2.0e5) + line("INFLPRES", 2.3e5);
    for (const std::string& key : keys)  // products with zero would hide their factors
      if (values[key] == 0.0) {
        // scales, and relaxation lengths, which are held above a tenth of the radius
        values[key] = key[0] == 'L' || key.starts_with("PT") ? 1.011 : 0.011;
        base += line(key, values[key]);
      }
    for (const std::string& key : keys) {
      std::vector<std::string> notes;
      const double value = values[key];
      const auto with = [&](double v) {
        return read_tyre_text(base + line(key, v), "t.tir", Side::left, &notes);
      };
      const auto one = answers_of(*with(value * 1.07));
      const auto other = answers_of(*with(value * 1.13));
      EXPECT_EQ(one == other, is_named(notes, key)) << key << " of " << file.substr(0, 40);
    }
  }
}

// The longitudinal slip stiffness F (PKX1 + PKX2 dfz) of a file with PKX1 = 20 and PKX2 = -16 is
// zero at dfz = 1.25, 2.25 nominal loads.
// A file of 5.2 is read as 5.2 reads it: with the keys of later versions the tyre is that without
// them.
TEST(TirFile, Of52LeavesOutWhatCameLater) {
  const std::string whole = read_tir_text(kFolder + "touring_225.tir");
  const std::string of_52 = "\n[MODEL]\nFITTYP = 6\n";
  std::string neutral = "\n[X]\n";
  for (const char* key :
       {"PPX1", "PPX2", "PPX3",  "PPX4", "PPY1",  "PPY2",  "PPY3",  "PPY4",  "PPZ1",
        "PPZ2", "PFZ1", "PPMX1", "PKY5", "PEY5",  "RBX3",  "RBY4",  "QSX4",  "QSX5",
        "QSX6", "QSX7", "QSX8",  "QSX9", "QSX10", "QSX11", "QSX12", "QSX13", "QSX14",
        "QSY5", "QSY6", "QSY7",  "QSY8", "QDZ10", "QDZ11"})
    neutral += std::string(key) + " = 0\n";
  neutral += "PKY4 = 2\n";
  // of a key that stands twice the last one counts, whatever its section
  const auto without_section = [](const std::string& text) {
    return changed(text, "[X]", "[LATERAL_COEFFICIENTS]");
  };
  const std::string low = "\n[OPERATING_CONDITIONS]\nINFLPRES = 180000\n";
  std::vector<std::string> notes;
  const auto tyre = read_tyre_text(whole + of_52 + low, "t.tir", Side::left, &notes);
  const auto plain =
      read_tyre_text(whole + of_52 + low + without_section(neutral), "t.tir", Side::left);
  TyreSlip slip;
  slip.load = 6000.0;
  slip.kappa = 0.05;
  slip.tan_alpha = -0.05;
  slip.gamma = 0.1;
  slip.speed = 16.0;
  EXPECT_EQ(tyre->forces(slip).Fx, plain->forces(slip).Fx);
  EXPECT_EQ(tyre->forces(slip).Fy, plain->forces(slip).Fy);
  EXPECT_EQ(tyre->forces(slip).My, plain->forces(slip).My);
  EXPECT_EQ(tyre->forces(slip).Mz, plain->forces(slip).Mz);
  EXPECT_EQ(tyre->load(0.02, 0.0, 0.0).load, plain->load(0.02, 0.0, 0.0).load);
  EXPECT_THAT(notes, Contains(HasSubstr("which came after Magic Formula 5.2")));
}

TEST(TirFile, NamesRangesAndPressuresThatLookWrong) {
  std::vector<std::string> notes;
  const auto law_of = [&](const std::string& section, const std::string& lines) {
    notes.clear();
    return read_tyre_text(touring() + "\n[" + section + "]\n" + lines + "\n", "t.tir", Side::left,
                          &notes);
  };
  law_of("VERTICAL", "FNOMIN = 4.5");
  EXPECT_THAT(notes, Contains(HasSubstr("FNOMIN, 4.5 N, is outside of FZMIN to FZMAX")));
  EXPECT_THAT(notes, Contains(HasSubstr("FZMAX is 10500 (SI): held at 450")));
  law_of("VERTICAL_FORCE_RANGE", "FZMAX = 3000");
  EXPECT_THAT(notes, Contains(HasSubstr("FNOMIN")));
  law_of("SLIP_ANGLE_RANGE", "ALPMAX = 15");
  EXPECT_THAT(notes, Contains(HasSubstr("ALPMAX is 15 (SI): held at 1.5707")));
  law_of("SLIP_ANGLE_RANGE", "ALPMIN = -1.5708\nALPMAX = 1.5708");
  EXPECT_THAT(notes, Not(Contains(HasSubstr("(SI): held at"))));
  // 0 is no pressure
  const TyreLoad nominal = law_of("X", "")->load(0.02, 0.0, 0.0);
  const std::string pressures = "NOMPRES = 230000\nPRESMIN = 0\nPRESMAX = 0\nPFZ1 = 0.8\n";
  EXPECT_EQ(law_of("OPERATING_CONDITIONS", pressures + "INFLPRES = 0")->load(0.02, 0.0, 0.0).load,
            nominal.load);
  EXPECT_THAT(notes, Contains(HasSubstr("the inflation pressure is 0")));
  law_of("OPERATING_CONDITIONS", pressures + "INFLPRES = 2.3");
  EXPECT_THAT(notes, Contains(HasSubstr("is it in the file's unit?")));
  law_of("OPERATING_CONDITIONS", pressures + "INFLPRES = 200000");
  EXPECT_THAT(notes, Not(Contains(HasSubstr("inflation pressure"))));
  // a tyre that was measured braking alone
  TyreSlip slip;
  slip.load = 4000.0;
  slip.speed = 16.0;
  slip.kappa = 0.05;
  const double pull = law_of("X", "")->forces(slip).Fx;
  EXPECT_EQ(law_of("LONG_SLIP_RANGE", "KPUMIN = -0.8\nKPUMAX = 0")->forces(slip).Fx, pull);
  EXPECT_THAT(notes, Contains(HasSubstr("KPUMAX is 0, a tyre measured on one side: 0.8 is taken")));
  EXPECT_THAT(message_of(touring() + "\n[LONG_SLIP_RANGE]\nKPUMIN = 0.1\n"),
              HasSubstr("'KPUMIN': leaves out zero"));
  // no tyre has it
  const double whole =
      read_tyre_text(read_tir_text(kFolder + "touring_225.tir") + "\n[VERTICAL]\nQ_RE0 = 1\n",
                     "t.tir", Side::left)
          ->effective_radius(4000.0, 50.0);
  notes.clear();
  EXPECT_EQ(read_tyre_text(read_tir_text(kFolder + "touring_225.tir") + "\n[VERTICAL]\nQ_RE0 = 0\n",
                           "t.tir", Side::left, &notes)
                ->effective_radius(4000.0, 50.0),
            whole);
  EXPECT_THAT(notes, Contains(HasSubstr("Q_RE0 is 0")));
}

TEST(TirFile, NamesALoadAtWhichItsGripEnds) {
  std::vector<std::string> notes;
  const std::string lines = "\n[LONGITUDINAL_COEFFICIENTS]\nPKX1 = 20\nPKX2 = -16\n";
  const auto law = read_tyre_text(touring() + lines, "t.tir", Side::left, &notes);
  const std::string load = std::to_string(std::lround(2.25 * law->nominal_load()));
  EXPECT_THAT(notes, Contains(HasSubstr("(PKX1, PKX2) reaches zero at a load of " + load + " N")));
}

// The direction is that of the law's own force; the touring tyre bends by 7 degrees and is not
// noted (above).
TEST(TirFile, NamesWeightsThatBendTheFrictionOfASlidingWheel) {
  std::vector<std::string> notes;
  const std::string text = touring() + "\n[LATERAL_COEFFICIENTS]\nRBY2 = 1.0\n";
  const auto law = read_tyre_text(text, "t.tir", Side::left, &notes);
  double pushed = 0.0;
  for (const double side : {1.0, -1.0}) {
    TyreSlip slip;
    slip.load = 4500.0;
    slip.speed = 20.0;
    slip.kappa = -1.0;
    slip.tan_alpha = side * std::sqrt(3.0);
    const TyreForces F = law->forces(slip);
    pushed += 0.5 * std::atan2(-side * F.Fy, -F.Fx) * 180.0 / std::numbers::pi;
  }
  EXPECT_LT(pushed, 45.0);
  EXPECT_THAT(notes, Contains(HasSubstr("slides at 60 degrees at " +
                                        std::to_string(std::lround(pushed)) + ":")));
  // each force alone, as this mode asks for, is no friction of a direction
  notes.clear();
  read_tyre_text(changed(text, "USE_MODE             = 14", "USE_MODE = 13"), "t.tir", Side::left,
                 &notes);
  EXPECT_THAT(notes, Not(Contains(HasSubstr("60 degrees"))));
}

// Whole files of tests/data/tyres, whose numbers are made up: sections and keys as other programs
// write them.
const std::string kWhole = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/tyres/";

TEST(TirFile, ReadsATruckTyreWithSectionsThatAreNotHonoured) {
  std::vector<std::string> notes;
  const auto tyre = read_tyre_file(kWhole + "truck_pac2002.tir", Side::left, &notes);
  EXPECT_THAT(notes, Contains(HasSubstr("CONTACT_MODEL")));
  EXPECT_EQ(tyre->nominal_load(), 32000.0);               // FNOMIN of the file
  EXPECT_EQ(tyre->unloaded_radius(), 0.512);              // UNLOADED_RADIUS of the file
  EXPECT_NEAR(tyre->load(0.1, 0, 0).load, 40500.0, 1.0);  // VERTICAL_STIFFNESS LCZ 0.1 m
}

TEST(TirFile, WithoutCombinedSlipTheEllipseOfFrictionTakesItsPlace) {
  std::vector<std::string> notes;
  const auto tyre = read_tyre_file(kWhole + "car_without_combined_slip.tir", Side::right, &notes);
  EXPECT_THAT(notes, Contains(HasSubstr("ellipse of friction")));
  // the Magic Formula by hand at the file's FNOMIN, its own nominal load scaled by LFZO = 0.8:
  // no shifts, no curvature, no camber
  const double load = 5000.0;
  const double scaled = 0.8 * load;
  const double D = (1.05 - 0.2 * (load - scaled) / scaled) * load;
  const double K = 21.0 * scaled * std::sin(2.0 * std::atan(load / (2.0 * scaled)));
  const double alpha = std::atan(0.2);
  TyreSlip slip;
  slip.load = load;
  slip.tan_alpha = 0.2;
  slip.speed = 16.6;
  // 1 %: whether the slip is the angle or its tangent
  EXPECT_NEAR(tyre->forces(slip).Fy, -D * std::sin(1.35 * std::atan(K / (1.35 * D) * alpha)),
              0.01 * D);
}

}  // namespace
}  // namespace semirec
