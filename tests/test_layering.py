"""Who may import whom: two wings that never meet, and a prediction that does not know the training."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

LIB = Path(__file__).parents[1] / "lib"
MATHEMATICS = sorted((LIB / "implicit_bias").rglob("*.py"))
PRESS = sorted((LIB / "reproduce").rglob("*.py"))

# A room of the mathematics and the rooms it may use besides itself and the two that every room may use.
FOR_ALL = {"late", "brief"}
ALLOWED = {
    "late": set(),
    "brief": set(),
    "checks": set(),
    "compiled": {"checks"},
    "devices": {"checks"},
    "data": {"checks"},
    "losses": {"checks"},
    "wrapped_losses": {"checks", "losses"},
    "activations": {"checks", "compiled"},
    "kernels": {"checks"},
    "potentials": {"checks"},
    "scaled_potentials": {"checks", "potentials"},
    "rates": {"checks"},
    "norms": {"checks"},
    "models": {"checks", "compiled", "devices", "data", "losses", "activations", "kernels"},
    "flows": {"checks", "devices", "data", "losses", "models", "norms"},
    "limits": {"checks", "data", "losses", "kernels", "norms", "potentials", "scaled_potentials"},
    "measure": {"checks", "data", "losses", "models", "limits", "flows"},
    "figures": {"checks"},
}
# Inside a layer, the families that use another family's files.
FAMILIES = {
    "limits.neuron": {"limits.interpolation"},
    "limits.adaptivity": {"limits.margin"},
    "models.population": {"models.two_layer"},
}
NOTEBOOK_TOOLS = {"IPython", "ipykernel", "papermill", "nbformat", "nbclient", "jupytext", "myst_nb", "click", "rich"}


def imported(path):
    """Every module that a file imports, with its full name, imports inside functions included."""
    package = ".".join(path.relative_to(LIB).with_suffix("").parts)
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{package} uses a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def name(path):
    return str(path.relative_to(LIB))


@pytest.mark.parametrize("path", MATHEMATICS, ids=name)
def test_mathematics_knows_no_press_and_no_notebook(path):
    top = {module.split(".")[0] for module in imported(path)}
    assert "reproduce" not in top
    assert not top & NOTEBOOK_TOOLS


@pytest.mark.parametrize("path", PRESS, ids=name)
def test_press_knows_no_mathematics(path):
    assert "implicit_bias" not in {module.split(".")[0] for module in imported(path)}


# The rooms of the press, from below; archive and printed stand side by side.
ROOMS = ["ground", "claims", "chapters", "running", "sweep", "campaigns", "pages", "printed", "archive"]


@pytest.mark.parametrize("path", [p for p in PRESS if p.parent.name in ROOMS], ids=name)
def test_a_room_of_the_press_imports_only_what_lies_below_it(path):
    room = path.parent.name
    used = {module.split(".")[1] for module in imported(path) if module.startswith("reproduce.")}
    below = ROOMS[: ROOMS.index(room) + 1]
    assert used <= set(below) - ({"printed"} if room == "archive" else set())


def test_only_a_cluster_needs_dask():
    dask = {path.stem for path in PRESS if {one.split(".")[0] for one in imported(path)} & {"dask", "distributed"}}
    assert dask == {"cluster"}


@pytest.mark.parametrize(
    "path", [p for p in MATHEMATICS if p.parent.name != "implicit_bias" or p.stem != "__init__"], ids=name
)
def test_rooms_import_only_what_lies_below_them(path):
    room = path.relative_to(LIB / "implicit_bias").parts[0].removesuffix(".py")
    assert room in ALLOWED, f"{room} is a new room: say in this test what it may import"
    used = {module.split(".")[1] for module in imported(path) if module.startswith("implicit_bias.")}
    assert used <= ALLOWED[room] | FOR_ALL | {room}


@pytest.mark.parametrize("path", [p for p in MATHEMATICS if p.parent.parent.name in ("limits", "models")], ids=name)
def test_families_import_no_other_family_but_those_listed(path):
    layer, family = path.relative_to(LIB / "implicit_bias").parts[:2]
    folders = {folder.name for folder in (LIB / "implicit_bias" / layer).iterdir() if folder.is_dir()}
    parts = [module.split(".")[1:3] for module in imported(path) if module.startswith(f"implicit_bias.{layer}.")]
    used = {f"{layer}.{other}" for _, other in parts if other in folders} - {f"{layer}.{family}"}
    assert used <= FAMILIES.get(f"{layer}.{family}", set())


@pytest.mark.parametrize("layer", ["limits", "models"])
def test_a_layer_gathers_no_names(layer):
    body = ast.parse((LIB / "implicit_bias" / layer / "__init__.py").read_text()).body
    assert isinstance(body[0], ast.Expr)
    assert [ast.unparse(one) for one in body[1:]] == [
        "from implicit_bias.late import names_of",
        "__getattr__, __dir__ = names_of(__name__, {})",
    ], "a docstring, and its families when they are asked for"


def test_no_import_cycle_inside_a_wing():
    graph = {}
    for path in [*MATHEMATICS, *PRESS]:
        module = ".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__")
        graph[module] = imported(path)
    modules = set(graph)
    edges = {}
    for module, names in graph.items():
        found = {part for name in names for part in (name, name.rpartition(".")[0])}
        edges[module] = (found & modules) - {module}
    done, active = set(), []

    def visit(module):
        assert module not in active, f"import cycle: {' → '.join([*active[active.index(module) :], module])}"
        if module not in done:
            active.append(module)
            for other in edges[module]:
                # A package's __init__ gathers its own files; a file that names its package is not a cycle of concepts.
                if not module.startswith(other + "."):
                    visit(other)
            active.pop()
            done.add(module)

    for module in graph:
        visit(module)


def test_importing_the_mathematics_has_no_side_effects():
    code = (
        "import numpy, matplotlib\n"
        "import implicit_bias.flows, implicit_bias.limits.margin, implicit_bias.figures.style\n"
        "assert numpy.geterr()['over'] == 'warn'\n"
        "assert matplotlib.rcParams['figure.dpi'] == matplotlib.rcParamsDefault['figure.dpi']\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
