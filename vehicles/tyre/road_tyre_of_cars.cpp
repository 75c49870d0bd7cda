#include "vehicles/tyre/road_tyre_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/tyre/wide_forms.hpp"

namespace semirec {

const FormsOfCars* RoadTyre::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<RoadTyre>, RoadTyreOfCars<Pack>::make,
                                      make_road_tyres_of_eight};
  return &kForms;
}

}  // namespace semirec
