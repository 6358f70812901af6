"""The press: runs a book's chapters, judges what they claim, and prints the ledger and the pages.

It knows nothing of the book's subject and would serve a book on any other.
"""

from importlib.util import find_spec

# What the extra 'press' brings, as it is imported; 'cluster' and 'book' bring more, where that is asked for.
PRESS = ("IPython", "click", "ipykernel", "jinja2", "jsonschema", "jupytext", "matplotlib", "myst_nb", "nbclient",
         "nbformat", "papermill", "PIL", "psutil", "pyarrow", "rich", "tqdm", "yaml")  # fmt: skip

if missing := [package for package in PRESS if find_spec(package) is None]:
    # Named as if this package were missing, so that 'python -m reproduce' says it in one line too.
    how = "pip install 'implicit-bias[press]'"
    raise ModuleNotFoundError(f"reproduce needs {', '.join(missing)}, not installed: {how}", name=__name__)
