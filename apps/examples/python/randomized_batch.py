"""Domain randomization: unlike cars through one manoeuvre, side by side. What is drawn: mass, springs and bars."""
import pathlib

import numpy as np

import semirec

VEHICLES = pathlib.Path(__file__).resolve().parents[3] / "vehicles"


def make_cars(count, seed):
    rng = np.random.default_rng(seed)
    cars = []
    for _ in range(count):
        vehicle = semirec.Vehicle(VEHICLES / "models/sedan.xml").set("chassis.mass", rng.normal(1333.6, 80.0))
        for name in ("spring_f*.k", "spring_r*.k", "torsion_*.stiffness"):
            vehicle.set(name, f"*{rng.uniform(0.8, 1.25):.17g}")
        cars.append(semirec.Car(vehicle, VEHICLES / "scenarios/step_steer.xml", step=2e-3,
                                outputs=["chassis.roll", "chassis.wz"]))
    return cars


def main(count=16, seed=7):
    """Rolls and yaw rates, (count, rows, 2), over 2.5 s; the steering wheel's height is drawn, too."""
    batch = semirec.Batch(make_cars(count, seed), side_by_side=True)
    rng = np.random.default_rng(seed + 1)
    controls = np.full((count, 125, len(batch.input_names)), np.nan)
    wheel = np.where(np.arange(125) < 25, 0.0, 1.0) * rng.uniform(0.2, 0.6, (count, 1))
    controls[:, :, batch.input_names.index("steering")] = wheel
    outputs = batch.rollout(controls, every=10)
    roll, yaw_rate = outputs[:, -1].T
    print(f"{count} cars: roll {np.degrees(roll.mean()):.2f} +- {np.degrees(roll.std()):.2f} degrees, "
          f"yaw rate {yaw_rate.mean():.3f} +- {yaw_rate.std():.3f} rad/s")
    return outputs


if __name__ == "__main__":
    main()
