"""Tutorial, second script: questions about a car, and what an error says."""
import pathlib

import numpy as np

import semirec

vehicles = pathlib.Path(__file__).resolve().parents[3] / "vehicles"
sedan = semirec.Vehicle(vehicles / "models/sedan.xml")

# 1. At rest, and in steady turns to the left
rest = semirec.equilibrium(sedan)
loads = [rest[f"wheel_{corner}.Fz"] for corner in ("fl", "fr", "rl", "rr")]
print("wheel loads at rest:", " ".join(f"{load:.0f}" for load in loads), "N")
turns = semirec.equilibrium(sedan, speed=20.0, lateral_acceleration=[1.0, 2.0, 3.0])
(table,) = turns.tables.values()
print(f"steady turns at 20 m/s: a table of {len(table)} rows,", ", ".join(table.names[:4]), "...")

# 2. Eigenvalues and the linear system about a speed
straight = semirec.modes(sedan, speed=20.0, inputs=["steering"], outputs=["chassis.wz"])
for mode in straight.modes[-3:]:
    print(f"{mode.name}: {mode.value:.3g} 1/s")
eigenvalues = np.linalg.eigvals(straight.A)
print(f"A is {straight.A.shape[0]} x {straight.A.shape[1]}, its fastest eigenvalue {np.abs(eigenvalues).max():.3g} 1/s")

# 3. What stiffer springs do: two cars asked the same
stiff = sedan.copy().set("spring_f*.k", "*1.2").set("spring_r*.k", "*1.2")
for name, vehicle in (("as drawn", sedan), ("stiffer", stiff)):
    answer = semirec.equilibrium(vehicle, speed=20.0, lateral_acceleration=3.0)
    print(f"{name}: roll {np.degrees(answer['chassis.roll']):.3f} degrees at 3 m/s^2")

# 4. What is wrong is told with its place
try:
    semirec.equilibrium(sedan.copy().set("chasis.mass", 1500))
except semirec.ModelError as error:
    print("refused:", error)
try:
    semirec.Vehicle(text="<vehicle name='v' version='1'>\n  <bodi/>\n</vehicle>").describe()
except semirec.ModelError as error:
    print(f"line {error.line} of {error.file}, element {error.element}")
