"""semirec: full-car multibody models in real time.

Vehicle, Scenario                   files or texts, with numbers replaced; given wherever a path is
Car, Batch                          stepped from outside: arrays of inputs and outputs on the engine's memory
Force, register_tyre                laws of one's own in Python, for trying out
run                                 a drive through a scenario, as a table
equilibrium, modes, kc, manoeuvre   answers about a vehicle
sweep, compare                      many cars of one file, many methods on one car

Files are XML (docs/how_to/vehicle_file.md), numbers SI, axes ISO 8855: x forward, y left, z up.
"""
from semirec import _core
from semirec._core import AnalysisError
from semirec._errors import ModelError, StepError
from semirec.answers import Answer, Mode, Modes, Quantity, Run, equilibrium, kc, manoeuvre, modes, run
from semirec.cars import Batch, Car, Report
from semirec.files import Description, Number, Scenario, Vehicle
from semirec.functions import Force, register_tyre
from semirec.studies import Comparison, Sweep, compare, sweep
from semirec.tables import Table

__version__ = _core.version
__all__ = ["AnalysisError", "Answer", "Batch", "Car", "Comparison", "Description", "Force", "Mode", "ModelError", "Modes", "Number",
           "Quantity", "Report", "Run", "Scenario", "StepError", "Sweep", "Table", "Vehicle", "compare", "equilibrium", "kc",
           "manoeuvre", "modes", "register_tyre", "run", "sweep"]
