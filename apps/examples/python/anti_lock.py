"""An anti-lock brake in Python: full braking from 80 km/h, by a pedal to the floor and by a driver who watches the wheels.

The car has one brake line: the controller works on the pedal. It lets go where a wheel turns too slowly for the car's speed.
"""
import pathlib

import numpy as np

import semirec

VEHICLES = pathlib.Path(__file__).resolve().parents[3] / "vehicles"
WHEELS = ("wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr")
SLIP = 0.12  # beyond it the pedal is let go, below two thirds of it pressed


def anti_lock():
    """A driver: asked before each step of 1 ms."""
    pedal = 0.0

    def driver(car):
        nonlocal pedal
        slip = -min(car.output(f"{wheel}.kappa") for wheel in WHEELS)
        pedal = np.clip(pedal + (0.005 if slip < SLIP * 2 / 3 else -0.02 if slip > SLIP else 0.0), 0.0, 1.0)
        car.set_input("brake", pedal)

    return driver


def stop(driver):
    """Way and time until the car is slower than 2 m/s, and the largest slip of a wheel on the way."""
    car = semirec.Car(VEHICLES / "models/sedan.xml",
                      semirec.Scenario(VEHICLES / "scenarios/step_steer.xml").set("steering.to", 0.0),
                      outputs=["chassis.x", "chassis.vx", *(f"{wheel}.kappa" for wheel in WHEELS)])
    car.set_input("throttle", 0.0)
    car.set_input("gear", 0.0)
    car.driver = driver
    start, largest = car.output("chassis.x"), 0.0
    while car.output("chassis.vx") > 2.0 and car.time < 10.0:
        car.step(10)
        largest = max(largest, -min(car.output(f"{wheel}.kappa") for wheel in WHEELS))
    return car.output("chassis.x") - start, car.time, largest


def main():
    locked = stop(lambda car: car.set_input("brake", 1.0))
    held = stop(anti_lock())
    for name, (way, time, slip) in (("pedal to the floor", locked), ("anti-lock", held)):
        print(f"{name}: {way:.1f} m in {time:.2f} s, largest slip {slip:.2f}")
    return locked, held


if __name__ == "__main__":
    main()
