"""A learner's environment on a batch of cars: reset() and step(actions) with arrays, a row a car. No package is needed.

The cars are to keep 0.1 rad/s of yaw rate at 80 km/h; an action is the angle of the steering wheel, from -1 to 1 rad.
"""
import pathlib

import numpy as np

import semirec

VEHICLES = pathlib.Path(__file__).resolve().parents[3] / "vehicles"


class YawRateEnvironment:
    """`count` sedans of masses drawn at random; an episode has `rows` actions, each held for 20 ms.

    observations: float64 (count, 3): yaw rate, rad/s; lateral velocity, m/s; steering wheel, rad
    rewards:      float64 (count,): less the square of what is missing to 0.1 rad/s
    """

    wanted = 0.1

    def __init__(self, count=8, rows=100, seed=1):
        rng = np.random.default_rng(seed)
        cars = [semirec.Car(VEHICLES / "models/sedan.xml", VEHICLES / "scenarios/step_steer.xml", step=2e-3,
                            outputs=["chassis.wz", "chassis.vy", "steering.value"],
                            overrides={"chassis.mass": rng.uniform(1250, 1450)}) for _ in range(count)]
        self.batch = semirec.Batch(cars)
        self.steering = self.batch.input_names.index("steering")
        self.rows, self.row = rows, np.zeros(count, int)

    def reset(self, which=None):
        """Brings all cars, or those of a list, to their start; returns all observations."""
        self.batch.reset(which)
        self.row[slice(None) if which is None else which] = 0
        return self.batch.outputs.copy()

    def step(self, actions):
        """actions: float64 (count,). Returns observations, rewards, terminated (a car failed), truncated (its time is up)."""
        self.batch.inputs[:, self.steering] = np.clip(actions, -1.0, 1.0)
        self.batch.step(10)
        self.row += 1
        observations = self.batch.outputs.copy()
        terminated = np.array([why != "" for why in self.batch.status])
        rewards = np.where(terminated, -1.0, -(observations[:, 0] - self.wanted) ** 2)
        return observations, rewards, terminated, self.row >= self.rows


def main():
    environment = YawRateEnvironment()
    observations, wheel = environment.reset(), np.zeros(8)
    for _ in range(150):
        # a learner's policy stands here: an integrating one holds the yaw rate
        wheel += 0.3 * (environment.wanted - observations[:, 0])
        observations, rewards, terminated, truncated = environment.step(wheel)
        ended = np.flatnonzero(terminated | truncated)
        if len(ended) > 0:
            print(f"reward of the last row {rewards.mean():.2e}")
            observations, wheel[ended] = environment.reset(ended), 0.0
    return rewards


if __name__ == "__main__":
    main()
