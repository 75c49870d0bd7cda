#include "vehicles/tyre/rolling_tyres_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/tyre/wide_forms.hpp"

namespace semirec {

const FormsOfCars* RollingTyres::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<RollingTyres>, RollingTyresOfCars<Pack>::make,
                                      make_rolling_tyres_of_eight};
  return &kForms;
}

}  // namespace semirec
