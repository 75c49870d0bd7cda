#include "vehicles/driveline/driveline_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/driveline/wide_forms.hpp"

namespace semirec {

const FormsOfCars* DrivelineForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<DrivelineForce>, DrivelineOfCars<Pack>::make,
                                      make_drivelines_of_eight};
  return &kForms;
}

}  // namespace semirec
