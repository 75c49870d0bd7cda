"""Tutorial, first script: a car is read, changed, driven and looked at."""
import pathlib

import semirec

vehicles = pathlib.Path(__file__).resolve().parents[3] / "vehicles"

# 1. What there is: inputs, outputs and the numbers that can be set, with their units
sedan = semirec.Vehicle(vehicles / "models/sedan.xml")
about = sedan.describe()
print("inputs:", ", ".join(f"{name} ({unit})" for name, unit in about.inputs.items()))
print(len(about.outputs), "outputs, among them chassis.wz in", about.outputs["chassis.wz"])
mass = about.parameters["chassis.mass"]
print(f"chassis.mass is {mass.value:g} {mass.unit}: {mass.about}")

# 2. A whole drive through a scenario, as a table: the step of the steering wheel as the file has it, and at half of its speed
fast = semirec.run(sedan, vehicles / "scenarios/step_steer.xml", until=2.0)
slow = semirec.run(sedan, semirec.Scenario(vehicles / "scenarios/step_steer.xml").set("start.speed", 11.0), until=2.0)
for name, drive in (("80 km/h", fast), ("40 km/h", slow)):
    print(f"{name}: {drive.status}, yaw rate {drive['chassis.wz'][-1]:.3f} {drive.unit('chassis.wz')} at the end")
# pandas.DataFrame(fast.to_dict()) and matplotlib's plot(fast["time"], fast["chassis.wz"]) take it as it is

# 3. The same car step by step, steered from here
car = semirec.Car(sedan, vehicles / "scenarios/step_steer.xml", outputs=["time", "chassis.wz", "chassis.vx"])
while car.time < 2.0 - 1e-9:
    car.set_input("steering", 0.38 + 1.0 * (0.15 - car.output("chassis.wz")))  # rad of the wheel
    car.step(10)
print(f"steered to {car.output('chassis.wz'):.3f} rad/s at {car.output('chassis.vx'):.1f} m/s")

# 4. A state is kept, and gone back to
kept = car.save()
car.step(500)
car.restore(kept)
print(f"back at {car.time:.3f} s")
