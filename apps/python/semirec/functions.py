"""Forces and tyres in Python, for trying out: the engine calls them inside of its iterations.

A call costs 1 to 5 us and the lock of Python; a step of two iterations calls a force twice, and once more for its outputs, a
tyre law five times as often for each wheel (its slopes come from differences). Cars of a batch wait for each other there.
What a function raises ends the step, the run or the answer with that exception; a stepped car stands where it stood.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from semirec import _core
from semirec._call import call

TyreFunction = Callable[[float, float, float, float, float, float, float], Sequence[float]]


class Force:
    """A force and a moment on a body: derive, and write force().

    name:  of its outputs `<name>.{Fx,Fy,Fz,Mx,My,Mz}`, N and N m in world axes
    body:  name of the body that it acts on
    point: where, 3 numbers from the centre of mass in the body's axes, m; without it there

    It brings no stiffness and damping into the tangent: one that is stiff or strongly damped for the length of the step
    does not converge. Give it to Car(..., forces=[...]) or run(..., forces=[...]).

    >>> class Skyhook(Force):
    ...     def force(self, time, position, rotation, velocity, angular_velocity):
    ...         return 0.0, 0.0, -2000.0 * velocity[2]
    >>> car = Car(models / "sedan.xml", scenarios / "step_steer.xml", forces=[Skyhook("skyhook", "chassis")],
    ...           outputs=["skyhook.Fz", "chassis.vz"])
    >>> car.step(100)
    >>> bool(abs(car.outputs[0] + 2000.0 * car.outputs[1]) < 1e-9)
    True
    """

    def __init__(self, name: str, body: str, point: Sequence[float] | None = None):
        self.name, self.body = str(name), str(body)
        self.point = None if point is None else [float(x) for x in point]

    def force(self, time: float, position: NDArray[np.float64], rotation: NDArray[np.float64],
              velocity: NDArray[np.float64], angular_velocity: NDArray[np.float64]) -> Sequence[float]:
        """Three numbers, the force, N, or six, with the moment about the point, N m; world axes.

        time: s. position: (3,) of the point, m. rotation: (3, 3), columns are the body's axes.
        velocity: (3,) of the point, m/s. angular_velocity: (3,) of the body, rad/s. All in world axes.
        It must be a function of these alone.
        """
        raise NotImplementedError("force() of a semirec.Force is to be written")


def register_tyre(name: str, function: TyreFunction | None) -> None:
    """Makes a tyre law known to vehicle files that are read from now on, as <foreign function="name" .../>.

    function(load, kappa, tan_alpha, gamma, turn_slip, speed, friction) -> (Fx, Fy) or (Fx, Fy, Mx, My, Mz)

    load: N. kappa, tan_alpha: slips. gamma: inclination, rad. turn_slip: 1/m. speed: forward, m/s. friction: of the road.
    Forces of the road on the tyre, N and N m, in ISO W axes at the contact centre. It must be a function of these alone.
    Another number of numbers, and one that is not finite, is a ValueError where it is answered.
    None forgets the name; vehicles that were read before keep what they have. Raises ModelError for a name that is none,
    TypeError for a function that cannot be called.

    >>> register_tyre("slick", lambda load, kappa, tan_alpha, *rest: (20 * load * kappa, -15 * load * tan_alpha))
    >>> register_tyre("slick", None)
    """
    if function is not None and not callable(function):
        raise TypeError(f"the law of tyre '{name}' is a {type(function).__name__}, expected a function or None")
    call(_core._register_tyre, name, function)
