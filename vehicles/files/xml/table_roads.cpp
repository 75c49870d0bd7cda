#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of roads: profiles over x, and layers.

namespace {

const char* const kTooSteep =
    "is steeper than 1.4 rad, expected an angle in rad that a wheel can climb";
const char* const kTooHigh = "is out of range, expected at most 10 km up or down";
const char* const kRoadLength = "is out of range, expected 10 m to 50 km";
const char* const kSeed = "is not a whole number up to 2^53, expected 0, 1, 2, ...";

Attributes lane() {
  return {number("y_from", "m", "Right limit of the lane.").otherwise_as("none"),
          number("y_to", "m", "Left limit of the lane.").otherwise_as("none")};
}

Attributes road_file() {
  return {entry("file", Kind::file, "Path of the file, relative to this one.").needed(),
          number("x", "m", "Where its origin lies.").otherwise("0"),
          number("y", "m", "Where its origin lies.").otherwise("0"),
          number("heading", "rad", "Angle by which it is turned.").otherwise("0"),
          number("offset", "m", "Height by which it is lifted.").otherwise("0")};
}

/// Beyond it a road is no road, and contact points slide off along a leaning wheel.
AttributeRow height() {
  return number("height", "m", "Height.").at_least(-1e4, kTooHigh).at_most(1e4, kTooHigh);
}

AttributeRow inclination(const char* name, const char* about) {
  return number(name, "rad", about)
      .at_least(-1.4, kTooSteep)
      .at_most(1.4, kTooSteep)
      .otherwise("0");
}

Content profile() {
  return one_of({child("flat"), child("table", "road_table"), child("cosine_bump").times(1, kMany)})
      .shared_as("profile");
}

Content layer() {
  return one_of({child("crg"), child("rdf"), child("plank"), child("slope"), child("sine_road"),
                 child("half_round"), child("iso8608"), child("friction")})
      .shared_as("layer");
}

std::vector<ElementRow> profile_rows() {
  ElementRow road =
      part("road",
           "Heights over x: one profile for both sides, or one for each; then layers, whose "
           "heights add "
           "and whose frictions multiply. Nothing: flat at 0.",
           {},
           one_of({in_order({one_of({profile(),
                                     in_order({child("left", "side"), child("right", "side")})}),
                             layer().times(0, kMany)}),
                   layer().times(1, kMany)}))
          .standing_once();
  return {
      road,
      part("side", "Profile under the wheels of one side.", {}, profile()),
      part("flat", "One height everywhere.", {number("height", "m", "Height.").otherwise("0")}),
      part("road_table", "Heights over x, constant outside.",
           {flag("smooth", "A smooth curve through the points; otherwise straight lines.")
                .otherwise("no")},
           one_of({child("point", "road_point")}).times(2, kMany)),
      part("road_point", "One point; a repeated x is a vertical step.",
           {number("x", "m", "Where.").needed(), number("z", "m", "Height there.").needed()}),
      part("cosine_bump", "height/2 (1 - cos(2 pi (x - start)/length)) over its length.",
           {number("start", "m", "Where it begins.").needed(),
            number("length", "m", "Length.").needed().above(0.0), height().needed()}),
  };
}

std::vector<ElementRow> layer_rows() {
  return {
      part("crg", "A road of an OpenCRG file.", road_file()),
      part("rdf", "A road of a road data file (.rdf).", road_file()),
      part("plank", "A box; a negative height is a pothole.",
           Attributes{number("start", "m", "Where it begins.").needed(),
                      number("length", "m", "Length.").needed().above(0.0), height().needed(),
                      number("bevel", "m", "Length of each flank.").at_least(0.0).otherwise("0")} +
               lane()),
      part("slope", "Rises from start to end; without both, an inclined plane through the origin.",
           Attributes{inclination("angle", "Angle of the rise along x."),
                      inclination("bank", "Angle of the rise to the left, of the plane only."),
                      number("start", "m", "Where the rise begins."),
                      number("end", "m", "Where the rise ends.").otherwise_as("1000 km")} +
               lane()),
      part("sine_road", "amplitude sin(2 pi (x - start)/wavelength) from start to end.",
           Attributes{number("amplitude", "m", "Amplitude.").needed(),
                      number("wavelength", "m", "Wavelength.").needed().above(0.0),
                      number("start", "m", "Where it begins.").otherwise("0"),
                      number("end", "m", "Where it ends.").otherwise_as("nowhere")} +
               lane()),
      part("half_round", "Half of a round bar across the road.",
           Attributes{number("x", "m", "Where its middle lies.").needed(),
                      number("radius", "m", "Its radius.").needed().above(0.0)} +
               lane()),
      part(
          "iso8608", "A random road of an ISO 8608 class; comes again after its length.",
          {choice("class", {"A", "B", "C", "D", "E", "F", "G", "H"}, "The class.").needed(),
           number("seed", "1", "One road a seed.")
               .at_least(0.0)
               .whole(kSeed)
               .at_most(0x1p53, kSeed)
               .otherwise("1"),
           number("length", "m", "Length.")
               .at_least(10.0, kRoadLength)
               .at_most(50e3, kRoadLength)
               .otherwise("500"),
           number("coherence", "m", "c of the coherence exp(-n d/c) of two tracks d apart.")
               .at_least(0.0)
               .otherwise("0.2"),
           number("track", "m", "Distance of two neighbouring tracks.").above(0.0).otherwise("1.5"),
           number("width", "m",
                  "What the tracks cover at least, about the middle; 0: the two of one car.")
               .at_least(0.0)
               .otherwise("0")}),
      part("friction",
           "Factor on the friction in a rectangle, or everywhere; the last one that holds a point "
           "counts.",
           Attributes{number("mu", "1", "The factor.").needed().at_least(0.0),
                      number("x_from", "m", "Where it begins.").otherwise_as("nowhere"),
                      number("x_to", "m", "Where it ends.").otherwise_as("nowhere")} +
               lane()),
  };
}

}  // namespace

std::vector<ElementRow> road_rows() {
  std::vector<ElementRow> rows = profile_rows();
  for (ElementRow& row : layer_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace semirec
