#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace semirec {

/// What holds for u or v outside of the grid.
enum class CrgBorder { none, zero, keep, repeat, reflect };

/// `$ROAD_CRG_OPTS`, as far as it changes heights.
struct CrgOptions {
  CrgBorder border_u = CrgBorder::keep, border_v = CrgBorder::keep;
  double offset_u = 0.0, offset_v = 0.0;        ///< added outside, m
  double smooth_begin = 0.0, smooth_end = 0.0;  ///< length over which heights fade, m
  bool closed = false;                          ///< the reference line's end leads to its start
};

/// `$ROAD_CRG_MODS`; all are applied when a CrgSurface is made.
struct CrgModifiers {
  double scale_z = 1.0, scale_slope = 1.0, scale_bank = 1.0;
  double scale_length = 1.0, scale_width = 1.0, scale_curvature = 1.0;
  int nan_mode = 2;         ///< 0: keep, 1: zero, 2: the last number beside
  double nan_offset = 0.0;  ///< m
  /// The reference line turned about a point and moved.
  std::optional<double> line_phi, line_x, line_y, line_z, centre_x, centre_y;
  /// A point of the road put to a place; fractions are those of the grid's length and width.
  std::optional<double> point_u, point_u_fraction, point_v, point_v_fraction;
  std::optional<double> point_x, point_y, point_z, point_phi;
  double point_u_offset = 0.0, point_v_offset = 0.0;
};

/// An OpenCRG file as it stands: heights over a curved grid (u along the reference line, v to its
/// left). m, rad.
struct CrgFile {
  std::string name;
  double u_begin = 0.0, u_increment = 0.01;
  double start_x = 0.0, start_y = 0.0, start_z = 0.0, start_phi = 0.0;
  double start_slope = 0.0, start_bank = 0.0;
  std::optional<double> end_x, end_y, end_z;
  std::size_t rows = 0;       ///< along u
  std::vector<double> v;      ///< ascending
  std::vector<double> x, y;   ///< of the reference line, if listed
  std::vector<double> phi;    ///< [i] heading from row i - 1 to row i, if listed; [0] is of no use
  std::vector<double> slope;  ///< likewise
  std::vector<double> bank;   ///< at row i, if listed
  double z_base = 0.0;        ///< of all heights z: above the sea they may stand higher than the
                              ///< digits of a float allow
  std::vector<float> z;       ///< [row * v.size() + column], NaN where nothing was measured
  CrgOptions options;
  CrgModifiers modifiers;
  std::vector<std::string> notes;  ///< what the file asks for and does not get, one line each
};

/// A file that another one refers to.
struct CrgBytes {
  std::string path, bytes;
};

/// Finds the file that `from` calls `name`; throws ModelError if it cannot.
using CrgOpen = std::function<CrgBytes(const std::string& name, const std::string& from)>;

/// Reads the bytes of a file; `path` serves messages. Without `open` a reference is an error.
///
/// Honours   blocks $CT, $ROAD_CRG, $ROAD_CRG_OPTS, $ROAD_CRG_MODS, $ROAD_CRG_FILE, $KD_DEFINITION;
///           data as LRFI, LDFI, KRBI, KDBI. Options and modifiers of a file go before those of a
///           file that it refers to.
/// Throws    ModelError, one line with file and line, on anything that is no OpenCRG file.
/// Limits    a line of 4096 characters, 10^4 channels, 2.5 10^8 heights, references 8 deep.
CrgFile parse_crg(const std::string& bytes, const std::string& path, const CrgOpen& open = {});

/// Reads a file of at most 1 GB and those it refers to, looked for beside it.
CrgFile read_crg(const std::string& path);

}  // namespace semirec
