#include "vehicles/road/crg_surface.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <sstream>

#include "topology/mechanism.hpp"

namespace semirec {

namespace {

/// Segments of the reference line in one leaf of the tree.
constexpr std::size_t kLeaf = 8;
/// Boxes looked at, at most.
constexpr int kMostBoxes = 512;
/// Places are taken within, m.
constexpr double kFarthestAway = 1e9;
/// A reference line that turns more than this from row to row has no meshes beside it, rad.
constexpr double kSharpestTurn = 2.0;
/// The gap of a line that is closed may point this far from its ends' directions, rad.
constexpr double kStraightGap = 0.3;

/// An end that the file writes and the reference line misses by more is told, m.
constexpr double kMissedEnd = 0.01;

std::string distance_text(double distance) {
  std::ostringstream text;
  text.precision(4);
  text << distance;
  return text.str();
}

double turn_between(double ax, double ay, double bx, double by) {
  return std::abs(std::atan2(ax * by - ay * bx, ax * bx + ay * by));
}

}  // namespace

CrgSurface::CrgSurface(const CrgFile& file, std::vector<std::string>* notes)
    : options_(file.options) {
  std::vector<std::string> own = file.notes;
  lay_line(file, own);
  lay_heights(file, own);
  close(file, own);
  check_line(file);
  move(file);
  make_boxes();
  if (notes != nullptr)
    for (const std::string& note : own) notes->push_back(file.name + ": " + note);
}

void CrgSurface::check_line(const CrgFile& file) const {
  const auto fail = [&](const std::string& message) {
    throw ModelError({file.name, 0}, "reference line", message);
  };
  if (!(pitch_ >= 1e-6 && pitch_ <= 1e6) || !(v_.back() - v_.front() >= 1e-6))
    fail("is scaled to nothing or beyond measure, expected rows from 1e-6 to 1e6 m apart");
  for (std::size_t i = 1; i + 1 < x_.size(); ++i)
    if (turn_between(x_[i] - x_[i - 1], y_[i] - y_[i - 1], x_[i + 1] - x_[i], y_[i + 1] - y_[i]) >
        kSharpestTurn)
      fail("turns by more than 2 rad at row " + std::to_string(i + 1) +
           ", expected a line that a road can follow");
}

void CrgSurface::lay_line(const CrgFile& file, std::vector<std::string>& notes) {
  const CrgModifiers& m = file.modifiers;
  const std::size_t n = file.rows;
  x_.resize(n);
  y_.resize(n);
  u_.resize(n);
  pitch_ = file.u_increment * m.scale_length;
  straight_ = file.phi.empty() && file.x.empty();
  if (!file.x.empty()) {
    double length = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      x_[i] = file.x[0] + m.scale_length * (file.x[i] - file.x[0]);
      y_[i] = file.y[0] + m.scale_length * (file.y[i] - file.y[0]);
      if (i == 0) continue;
      const double step = std::hypot(x_[i] - x_[i - 1], y_[i] - y_[i - 1]);
      if (!(step >= 1e-6 * m.scale_length))
        throw ModelError({file.name, 0}, "reference line x, y",
                         "does not move on at row " + std::to_string(i + 1) +
                             ", expected places 1e-6 m apart or more");
      length += step;
    }
    const double mean = length / static_cast<double>(n - 1);
    for (std::size_t i = 1; i < n; ++i)
      if (std::abs(std::hypot(x_[i] - x_[i - 1], y_[i] - y_[i - 1]) - mean) > 0.03 * mean)
        throw ModelError(
            {file.name, 0}, "reference line x, y",
            "is not spaced evenly at row " + std::to_string(i + 1) + ", expected it so within 3 %");
    pitch_ = length / static_cast<double>(n - 1);
    if (m.scale_curvature != 1.0)
      notes.emplace_back("scale_curvature is not used where the reference line is listed as x, y");
  } else {
    x_[0] = file.start_x;
    y_[0] = file.start_y;
    double direction = file.phi.empty() ? file.start_phi : file.phi[1];
    for (std::size_t i = 1; i < n; ++i) {
      // from the first heading on; files list them within half a turn
      if (i > 1 && !file.phi.empty())
        direction += m.scale_curvature *
                     std::remainder(file.phi[i] - file.phi[i - 1], 2.0 * std::numbers::pi);
      x_[i] = x_[i - 1] + pitch_ * std::cos(direction);
      y_[i] = y_[i - 1] + pitch_ * std::sin(direction);
    }
    if (straight_ && file.end_x && file.end_y)
      if (const double off = std::hypot(*file.end_x - x_.back(), *file.end_y - y_.back());
          off > kMissedEnd)
        notes.push_back(
            "reference_line_end_x, _y lie " + distance_text(off) +
            " m from where the straight reference line ends, and are not used; its direction is "
            "reference_line_start_phi");
    // what is missing at a given end is spread over the length
    if (!straight_ && file.end_x && file.end_y && m.scale_length == 1.0 &&
        m.scale_curvature == 1.0) {
      const double dx = *file.end_x - x_.back();
      const double dy = *file.end_y - y_.back();
      const double length = pitch_ * static_cast<double>(n - 1);
      if (std::hypot(dx, dy) > 0.1 * length)
        notes.emplace_back(
            "reference_line_end_x, _y lie far from where the headings lead, and are not used");
      else
        for (std::size_t i = 1; i < n; ++i) {
          const double part = static_cast<double>(i) / static_cast<double>(n - 1);
          x_[i] += part * dx;
          y_[i] += part * dy;
        }
    }
  }
  for (std::size_t i = 0; i < n; ++i) u_[i] = file.u_begin + pitch_ * static_cast<double>(i);
}

void CrgSurface::lay_heights(const CrgFile& file, std::vector<std::string>& notes) {
  const CrgModifiers& m = file.modifiers;
  const std::size_t n = file.rows;
  ref_z_.assign(n, file.start_z);
  const bool sloped = !file.slope.empty() || file.start_slope != 0.0;
  if (sloped) {
    for (std::size_t i = 1; i < n; ++i)
      ref_z_[i] = ref_z_[i - 1] +
                  pitch_ * m.scale_slope * (file.slope.empty() ? file.start_slope : file.slope[i]);
    if (file.end_z && m.scale_length == 1.0 && m.scale_slope == 1.0) {
      const double dz = *file.end_z - ref_z_.back();
      for (std::size_t i = 1; i < n; ++i)
        ref_z_[i] += dz * static_cast<double>(i) / static_cast<double>(n - 1);
    }
  }
  if (!sloped && file.end_z)
    if (const double off = std::abs(*file.end_z - file.start_z); off > kMissedEnd)
      notes.push_back("reference_line_end_z lies " + distance_text(off) +
                      " m from where the level reference line ends, and is not used");
  bank_.assign(n, m.scale_bank * file.start_bank);
  for (std::size_t i = 0; i < file.bank.size(); ++i) bank_[i] = m.scale_bank * file.bank[i];

  v_ = file.v;
  for (double& v : v_) v *= m.scale_width;
  const std::size_t columns = v_.size();
  v_pitch_ = (v_.back() - v_.front()) / static_cast<double>(columns - 1);
  for (std::size_t k = 1; k < columns; ++k)
    if (std::abs(v_[k] - v_[0] - static_cast<double>(k) * v_pitch_) > 1e-3 * v_pitch_) {
      v_pitch_ = 0.0;
      break;
    }

  z_ = file.z;
  z_base_ = m.scale_z * file.z_base;
  std::size_t missing = 0;
  const auto scale = static_cast<float>(m.scale_z);
  const auto offset = static_cast<float>(m.nan_mode == 0 ? 0.0 : m.nan_offset);
  const auto zero = static_cast<float>(-z_base_);
  for (std::size_t i = 0; i < n; ++i) {
    float* row = z_.data() + i * columns;
    for (std::size_t k = 0; k < columns; ++k) row[k] *= scale;
    // from the right: the first number reaches to the edge, each one up to the next
    std::size_t first = 0;
    while (first < columns && std::isnan(row[first])) ++first;
    if (first == columns)
      throw ModelError({file.name, 0}, "heights",
                       "of row " + std::to_string(i + 1) +
                           " are all missing, expected one number at least in each");
    float last = row[first];
    for (std::size_t k = 0; k < columns; ++k) {
      if (std::isnan(row[k])) {
        ++missing;
        row[k] = m.nan_mode == 1 ? zero + offset : last + offset;
      } else {
        last = row[k];
      }
    }
  }
  if (missing > 0 && m.nan_mode == 0)
    notes.emplace_back("grid_nan_mode = 0: missing heights are taken from beside, as with 2");
}

void CrgSurface::close(const CrgFile& file, std::vector<std::string>& notes) {
  if (!options_.closed) return;
  const std::size_t n = x_.size();
  const double gx = x_.front() - x_.back();
  const double gy = y_.front() - y_.back();
  const double gap = std::hypot(gx, gy);
  if (gap > 1e-3 * pitch_) {
    const double back = turn_between(x_[n - 1] - x_[n - 2], y_[n - 1] - y_[n - 2], gx, gy);
    const double front = turn_between(gx, gy, x_[1] - x_[0], y_[1] - y_[0]);
    if (straight_ || n < 4 || back > kStraightGap || front > kStraightGap) {
      notes.emplace_back(
          "refline_continuation = 1: the line's end does not lead to its start, it goes straight "
          "on");
      return;
    }
    u_.push_back(u_.back() + gap);
    x_.push_back(x_.front());
    y_.push_back(y_.front());
    ref_z_.push_back(ref_z_.front());
    bank_.push_back(bank_.front());
    const std::size_t columns = v_.size();
    z_.resize(z_.size() + columns);
    std::copy_n(z_.begin(), columns, z_.end() - static_cast<std::ptrdiff_t>(columns));
  } else if (n < 4) {
    throw ModelError({file.name, 0}, "reference line", "is closed within less than four rows");
  }
  closed_ = true;
  if (options_.smooth_begin > 0.0 || options_.smooth_end > 0.0)
    notes.emplace_back(
        "border_smooth_ubeg and border_smooth_uend are not used where the line is closed");
}

CrgSurface::Wedge CrgSurface::wedge(std::size_t row, double x, double y) const {
  const std::size_t end = row + 1;
  Wedge w{};
  w.tx = x_[end] - x_[row];
  w.ty = y_[end] - y_[row];
  // where a neighbour is missing its own direction stands for it; round the joint of a closed line
  // the joint stands twice
  const auto direction = [this](std::size_t from, std::size_t to) {
    const double dx = x_[to] - x_[from];
    const double dy = y_[to] - y_[from];
    const double length = std::sqrt(dx * dx + dy * dy);
    return std::pair(dx / length, dy / length);
  };
  const std::size_t segments = x_.size() - 1;
  const auto [cx, cy] = direction(row, end);
  const bool no_back = row == 0 && !closed_;
  const bool no_front = end == segments && !closed_;
  const std::size_t back = row > 0 ? row : segments;
  const std::size_t front = end < segments ? end : 0;
  const auto [bx, by] = no_back ? std::pair(cx, cy) : direction(back - 1, back);
  const auto [fx, fy] = no_front ? std::pair(cx, cy) : direction(front, front + 1);
  // the sum of two unit directions halves their angle
  const double b = (bx + cx) * w.tx + (by + cy) * w.ty;
  const double f = (fx + cx) * w.tx + (fy + cy) * w.ty;
  w.back_x = (bx + cx) / b;
  w.back_y = (by + cy) / b;
  w.front_x = (fx + cx) / f;
  w.front_y = (fy + cy) / f;
  w.back = w.back_x * (x - x_[row]) + w.back_y * (y - y_[row]);
  w.front = w.front_x * (x_[end] - x) + w.front_y * (y_[end] - y);
  return w;
}

CrgSurface::Place CrgSurface::place(double x, double y) const {
  x = std::fmin(std::fmax(x, -kFarthestAway), kFarthestAway);
  y = std::fmin(std::fmax(y, -kFarthestAway), kFarthestAway);
  const std::size_t segments = x_.size() - 1;
  std::size_t row = nearest(x, y);
  Wedge w = wedge(row, x, y);
  // the nearest segment may be a neighbour of the one whose normals hold the place
  for (int step = 0; step < 4; ++step) {
    if (w.back < 0.0 && (row > 0 || closed_))
      row = row > 0 ? row - 1 : segments - 1;
    else if (w.front < 0.0 && w.back >= 0.0 && (row + 1 < segments || closed_))
      row = row + 1 < segments ? row + 1 : 0;
    else
      break;
    w = wedge(row, x, y);
  }
  const double length = std::hypot(w.tx, w.ty);
  Place at{};
  at.row = row;
  at.v_x = -w.ty / length;
  at.v_y = w.tx / length;
  at.v = at.v_x * (x - x_[row]) + at.v_y * (y - y_[row]);
  const bool first = !closed_ && row == 0 && w.back < 0.0;
  const bool last = !closed_ && row + 1 == segments && w.front < 0.0;
  if (first || last) {
    at.outside = true;
    at.part = first ? 0.0 : 1.0;
    at.u_x = w.tx / length;
    at.u_y = w.ty / length;
    const std::size_t end = first ? 0 : segments;
    at.u = u_[end] + at.u_x * (x - x_[end]) + at.u_y * (y - y_[end]);
    return at;
  }
  const double sum = w.back + w.front;
  const double du = u_[row + 1] - u_[row];
  // where the normals have crossed there is no u; the ends of the mesh are as good as any
  at.part = sum > 1e-9 ? std::clamp(w.back / sum, 0.0, 1.0) : (w.back > 0.0 ? 1.0 : 0.0);
  if (sum > 1e-9 && w.back >= 0.0 && w.front >= 0.0) {
    const double scale = du / (sum * sum);
    at.u_x = scale * (w.front * w.back_x + w.back * w.front_x);
    at.u_y = scale * (w.front * w.back_y + w.back * w.front_y);
  }
  at.u = u_[row] + at.part * du;
  return at;
}

/// Bilinear heights, reference line and banking; v within the columns.
CrgSurface::Height CrgSurface::on_grid(std::size_t row, double part, double v) const {
  const std::size_t columns = v_.size();
  std::size_t column = 0;
  if (v_pitch_ > 0.0) {
    const double place = std::fmax((v - v_.front()) / v_pitch_, 0.0);
    column = std::min(static_cast<std::size_t>(place), columns - 2);
  } else {
    const auto above = std::upper_bound(v_.begin() + 1, v_.end() - 1, v);
    column = static_cast<std::size_t>(above - v_.begin()) - 1;
  }
  const double width = v_[column + 1] - v_[column];
  const double side = std::clamp((v - v_[column]) / width, 0.0, 1.0);
  const float* near = z_.data() + row * columns + column;
  const float* far = near + columns;
  const double z00 = near[0];
  const double z01 = near[1];
  const double z10 = far[0];
  const double z11 = far[1];
  const double near_z = z00 + side * (z01 - z00);
  const double far_z = z10 + side * (z11 - z10);
  const double bank = bank_[row] + part * (bank_[row + 1] - bank_[row]);
  const double du = u_[row + 1] - u_[row];
  Height h;
  h.z = ref_z_[row] + part * (ref_z_[row + 1] - ref_z_[row]) + bank * v + z_base_ + near_z +
        part * (far_z - near_z);
  h.z_u = (ref_z_[row + 1] - ref_z_[row] + (bank_[row + 1] - bank_[row]) * v + far_z - near_z) / du;
  h.z_v = bank + ((1.0 - part) * (z01 - z00) + part * (z11 - z10)) / width;
  return h;
}

CrgSurface::Height CrgSurface::height(const Place& at) const {
  std::size_t row = at.row;
  double part = at.part;
  double u = at.u;
  double v = at.v;
  double u_sign = 1.0;
  double v_sign = 1.0;
  double offset = 0.0;
  bool zero = false;

  // along
  if (at.outside) {
    const double length = u_.back() - u_.front();
    if (options_.border_u == CrgBorder::repeat || options_.border_u == CrgBorder::reflect) {
      const bool reflect = options_.border_u == CrgBorder::reflect;
      const double period = reflect ? 2.0 * length : length;
      double way = std::fmod(u - u_.front(), period);
      if (way < 0.0) way += period;
      if (way > length) {
        way = period - way;
        u_sign = -1.0;
      }
      u = u_.front() + way;
      row = std::min(static_cast<std::size_t>(way / pitch_), u_.size() - 2);
      part = std::clamp((u - u_[row]) / (u_[row + 1] - u_[row]), 0.0, 1.0);
    } else {
      u_sign = 0.0;
      offset += options_.offset_u;
      zero = options_.border_u == CrgBorder::zero;
    }
  }

  // across
  const double right = v_.front();
  const double left = v_.back();
  if (v < right || v > left) {
    if (options_.border_v == CrgBorder::repeat || options_.border_v == CrgBorder::reflect) {
      const bool reflect = options_.border_v == CrgBorder::reflect;
      const double period = reflect ? 2.0 * (left - right) : left - right;
      double way = std::fmod(v - right, period);
      if (way < 0.0) way += period;
      if (way > left - right) {
        way = period - way;
        v_sign = -1.0;
      }
      v = right + way;
    } else {
      v = std::clamp(v, right, left);
      v_sign = 0.0;
      offset += options_.offset_v;
      zero = zero || options_.border_v == CrgBorder::zero;
    }
  }

  Height h;
  if (!zero) h = on_grid(row, part, v);
  h.z += offset;
  h.z_u *= u_sign;
  h.z_v *= v_sign;

  // heights fade to the reference line's at the ends, where zones overlap to both
  if (closed_) return h;
  const auto fade = [&](double length, double way, double sign, double base) {
    if (!(length > 0.0) || way >= length) return;
    const double share = std::fmax(way / length, 0.0);
    const double share_u = share > 0.0 ? sign * u_sign / length : 0.0;
    h.z_u = share * h.z_u + share_u * (h.z - base);
    h.z_v *= share;
    h.z = base + share * (h.z - base);
  };
  fade(options_.smooth_begin, u - u_.front(), 1.0, ref_z_.front());
  fade(options_.smooth_end, u_.back() - u, -1.0, ref_z_.back());
  return h;
}

RoadPoint CrgSurface::evaluate(double x, double y) const {
  const Place at = place(x, y);
  const Height h = height(at);
  return {h.z, h.z_u * at.u_x + h.z_v * at.v_x, h.z_u * at.u_y + h.z_v * at.v_y, 1.0};
}

CrgPlace CrgSurface::locate(double x, double y) const {
  const Place at = place(x, y);
  return {at.u, at.v};
}

bool CrgSurface::covers(double x, double y) const {
  const auto goes_on = [](CrgBorder border) {
    return border == CrgBorder::repeat || border == CrgBorder::reflect;
  };
  const CrgPlace at = locate(x, y);
  const bool along =
      closed_ || goes_on(options_.border_u) || (at.u >= u_.front() && at.u <= u_.back());
  const bool across = goes_on(options_.border_v) || (at.v >= v_.front() && at.v <= v_.back());
  return along && across;
}

/// Where (u, v) lies, and the direction of the line there.
double CrgSurface::heading(double u, double v, double& x, double& y, Place& at) const {
  const std::size_t segments = x_.size() - 1;
  const double way = std::clamp((u - u_.front()) / pitch_, 0.0, static_cast<double>(segments));
  at = {};
  at.row = std::min(static_cast<std::size_t>(way), segments - 1);
  const double du = u_[at.row + 1] - u_[at.row];
  const double part = (u - u_[at.row]) / du;
  at.outside = part < 0.0 || part > 1.0;
  at.part = std::clamp(part, 0.0, 1.0);
  at.u = u;
  at.v = v;
  const Wedge w = wedge(at.row, x_[at.row], y_[at.row]);
  const double near = std::atan2(w.back_y, w.back_x);
  const double turn =
      std::remainder(std::atan2(w.front_y, w.front_x) - near, 2.0 * std::numbers::pi);
  const double phi = near + at.part * turn;
  x = x_[at.row] + part * w.tx - v * std::sin(phi);
  y = y_[at.row] + part * w.ty + v * std::cos(phi);
  return phi;
}

void CrgSurface::move(const CrgFile& file) {
  const CrgModifiers& m = file.modifiers;
  double turn = 0.0;
  double cx = 0.0;
  double cy = 0.0;
  double dx = 0.0;
  double dy = 0.0;
  double dz = 0.0;
  if (m.point_u || m.point_u_fraction || m.point_v || m.point_v_fraction || m.point_x ||
      m.point_y || m.point_z || m.point_phi) {
    double u = m.point_u.value_or(u_.front());
    if (m.point_u_fraction)
      u = u_.front() + *m.point_u_fraction * (u_.back() - u_.front()) + m.point_u_offset;
    double v = m.point_v.value_or(0.0);
    if (m.point_v_fraction)
      v = v_.front() + *m.point_v_fraction * (v_.back() - v_.front()) + m.point_v_offset;
    Place at;
    const double phi = heading(u, v, cx, cy, at);
    turn = m.point_phi.value_or(0.0) - phi;
    dx = m.point_x.value_or(0.0) - cx;
    dy = m.point_y.value_or(0.0) - cy;
    dz = m.point_z.value_or(0.0) - height(at).z;
  } else if (m.line_phi || m.line_x || m.line_y || m.line_z) {
    turn = m.line_phi.value_or(0.0);
    cx = m.centre_x.value_or(x_.front());
    cy = m.centre_y.value_or(y_.front());
    dx = m.line_x.value_or(0.0);
    dy = m.line_y.value_or(0.0);
    dz = m.line_z.value_or(0.0);
  } else {
    return;
  }
  const double cosine = std::cos(turn);
  const double sine = std::sin(turn);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double x = x_[i] - cx;
    const double y = y_[i] - cy;
    x_[i] = cx + cosine * x - sine * y + dx;
    y_[i] = cy + sine * x + cosine * y + dy;
    ref_z_[i] += dz;
  }
}

void CrgSurface::make_boxes() {
  const std::size_t segments = x_.size() - 1;
  if (straight_) return;
  leaves_ = std::bit_ceil((segments + kLeaf - 1) / kLeaf);
  boxes_.assign(2 * leaves_, Box{});
  for (std::size_t i = 0; i < x_.size(); ++i) {
    // a row belongs to the segment before it and to the one behind it
    for (const std::size_t segment : {i > 0 ? i - 1 : 0, std::min(i, segments - 1)}) {
      Box& box = boxes_[leaves_ + segment / kLeaf];
      box.x_low = std::min(box.x_low, x_[i]);
      box.x_high = std::max(box.x_high, x_[i]);
      box.y_low = std::min(box.y_low, y_[i]);
      box.y_high = std::max(box.y_high, y_[i]);
    }
  }
  for (std::size_t k = leaves_ - 1; k > 0; --k) {
    const Box& a = boxes_[2 * k];
    const Box& b = boxes_[2 * k + 1];
    boxes_[k] = {std::min(a.x_low, b.x_low), std::max(a.x_high, b.x_high),
                 std::min(a.y_low, b.y_low), std::max(a.y_high, b.y_high)};
  }
}

/// Segment of the reference line that is nearest.
std::size_t CrgSurface::nearest(double x, double y) const {
  const std::size_t segments = x_.size() - 1;
  if (straight_) {
    const double length = u_.back() - u_.front();
    const double cosine = (x_.back() - x_.front()) / length;
    const double sine = (y_.back() - y_.front()) / length;
    const double way = (cosine * (x - x_.front()) + sine * (y - y_.front())) / pitch_;
    return std::min(static_cast<std::size_t>(std::fmax(way, 0.0)), segments - 1);
  }
  const auto box_distance = [&](std::size_t k) {
    const Box& box = boxes_[k];
    const double dx = std::fmax(std::fmax(box.x_low - x, x - box.x_high), 0.0);
    const double dy = std::fmax(std::fmax(box.y_low - y, y - box.y_high), 0.0);
    return dx * dx + dy * dy;
  };
  struct Open {
    std::size_t box;
    double distance;
  };
  std::array<Open, 64> open;
  int depth = 0;
  open[0] = {1, box_distance(1)};
  double best = 1e300;
  std::size_t segment = 0;
  for (int count = 0; depth >= 0 && count < kMostBoxes; ++count) {
    const Open now = open[static_cast<std::size_t>(depth--)];
    if (now.distance >= best) continue;
    if (now.box < leaves_) {
      const std::size_t a = 2 * now.box;
      const double da = box_distance(a);
      const double db = box_distance(a + 1);
      const bool a_first = da <= db;
      // the nearer one is looked at next
      open[static_cast<std::size_t>(++depth)] = a_first ? Open{a + 1, db} : Open{a, da};
      open[static_cast<std::size_t>(++depth)] = a_first ? Open{a, da} : Open{a + 1, db};
      continue;
    }
    const std::size_t from = (now.box - leaves_) * kLeaf;
    for (std::size_t i = from; i < std::min(from + kLeaf, segments); ++i) {
      const double tx = x_[i + 1] - x_[i];
      const double ty = y_[i + 1] - y_[i];
      const double px = x - x_[i];
      const double py = y - y_[i];
      const double part = std::clamp((tx * px + ty * py) / (tx * tx + ty * ty), 0.0, 1.0);
      const double dx = px - part * tx;
      const double dy = py - part * ty;
      const double distance = dx * dx + dy * dy;
      if (distance < best) {
        best = distance;
        segment = i;
      }
    }
  }
  return segment;
}

static void put_into(Fingerprint& fingerprint, const CrgOptions& options) {
  const auto& [border_u, border_v, offset_u, offset_v, smooth_begin, smooth_end, closed] = options;
  fingerprint(border_u, border_v, offset_u, offset_v, smooth_begin, smooth_end, closed);
}

void CrgSurface::put_into(Fingerprint& fingerprint) const {
  // the boxes follow from the reference line
  fingerprint("crg surface", options_, closed_, straight_, pitch_, u_, x_, y_, ref_z_, bank_, v_,
              v_pitch_, z_base_, z_);
}

}  // namespace semirec
