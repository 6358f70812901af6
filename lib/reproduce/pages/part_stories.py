"""The page that opens a part, ``chapters/PART/index.md``: it stands before the part's chapters and has no number.

The table of contents lists it as the first document of its part. Sphinx numbers what a table of contents holds or does
not, so the page gets one of its own above that of the chapters, which keep their numbers.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from reproduce.chapters.book import is_story

BEFORE_NUMBERS = 200  # Sphinx reads the tables of contents at 500


def part_stories(app: Sphinx, doctree: nodes.document) -> None:
    """Put the stories of numbered tables of contents into one without numbers each, which takes the caption."""
    if app.builder.format != "html":  # in print the title itself has no number
        return
    for contents in list(doctree.findall(addnodes.toctree)):
        stories = [entry for entry in contents["entries"] if is_story(entry[1])]
        if not stories or not contents["numbered"]:
            continue
        above = contents.copy()
        above["numbered"] = 0
        contents["caption"], contents["rawcaption"] = None, ""
        for one, entries in ((above, stories), (contents, [one for one in contents["entries"] if one not in stories])):
            one["entries"], one["includefiles"] = entries, [document for _, document in entries]
        wrapper = contents.parent
        wrapper.parent.insert(wrapper.parent.index(wrapper), nodes.compound("", above, classes=wrapper["classes"]))


def register(app: Sphinx) -> None:
    """Do it to every table of contents."""
    app.connect("doctree-read", part_stories, priority=BEFORE_NUMBERS)
