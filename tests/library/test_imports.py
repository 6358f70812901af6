"""What loads what: only the cone programs load the modelling language."""

import subprocess
import sys


def test_only_the_cone_programs_load_the_modelling_language():
    code = (
        "import importlib, pkgutil, sys, implicit_bias\n"
        "for module in pkgutil.walk_packages(implicit_bias.__path__, 'implicit_bias.'):\n"
        "    importlib.import_module(module.name)\n"
        "print({'cvxpy', 'torch', 'sklearn'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
