"""Tutorial, third script: many cars. A batch in threads, a sweep, formulations beside each other."""
import pathlib

import numpy as np

import semirec

vehicles = pathlib.Path(__file__).resolve().parents[3] / "vehicles"
sedan = vehicles / "models/sedan.xml"
step_steer = vehicles / "scenarios/step_steer.xml"

# 1. Eight cars of other masses, stepped side by side; each row of the arrays is a car
cars = [semirec.Car(semirec.Vehicle(sedan).set("chassis.mass", mass), step_steer, step=2e-3, outputs=["chassis.wz"])
        for mass in np.linspace(1200, 1500, 8)]
batch = semirec.Batch(cars)
batch.step(500)
print("yaw rates after 1 s:", " ".join(f"{row[0]:.4f}" for row in batch.outputs), "rad/s")

# 2. The same from the start again, each car with a steering wheel of its own; NaN: the input's own curve
batch.reset()
controls = np.full((len(batch), 50, len(batch.input_names)), np.nan)
controls[:, :, batch.input_names.index("steering")] = np.linspace(0.1, 0.3, len(batch))[:, None]
yaw_rates = batch.rollout(controls, every=10)[:, :, 0]
print("cars x rows:", yaw_rates.shape, "the last car turns with", round(float(yaw_rates[-1, -1]), 3), "rad/s")

# 3. A study: which cars, and what is asked of each
study = f"""<study name="masses" version="1" vehicle="{sedan}">
  <vary element="chassis" attribute="mass" distribution="uniform" min="1200" max="1500"/>
  <sample count="8" seed="1" method="latin"/>
  <response command="equilibrium VEHICLE" quantities="wheel_fl.Fz wheel_rl.Fz"/>
</study>
"""
table = semirec.sweep(text=study)
print(", ".join(f"{name} ({unit})" for name, unit in zip(table.names, table.units)))
print("front wheel load over mass:", round(table.answer["wheel_fl.Fz.coefficient.chassis.mass"], 3), "N/kg")

# 4. Formulations of the equations of motion on one mechanism
table = semirec.compare(vehicles / "models/double_four_bar.xml", vehicles / "scenarios/free_10s.xml", until=1.0,
                        steps=[0.01], measure="energy", repeat=1)
for name, status, error in zip(table.labels, table.status, table["error"]):
    print(f"{name}: {status}, energy off by {error:.2g} J")
