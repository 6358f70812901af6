"""The page on benchmarks shows what the last run wrote, and the runs at the paper's scale."""

from pathlib import Path

from bs4 import BeautifulSoup

from reproduce.campaigns.benchmarks import WARM, groups_of
from reproduce.campaigns.finding import read_finding, read_findings
from reproduce.chapters.book import Book
from reproduce.pages.benchmark_tables import PROOF, _matched, _reached, _times, _title
from reproduce.pages.quantities import in_print
from reproduce.pages.tables import NOT_RUN

ROOT = Path(__file__).parents[2]


def test_tables_agree_with_the_file(html: Path) -> None:
    found = read_finding(ROOT, "benchmarks")
    page = BeautifulSoup((html / "benchmarks.html").read_text(encoding="utf-8"), "html.parser")
    article = page.select_one("article")
    assert article is not None
    words = article.text
    assert (NOT_RUN in words) == (found is None)
    if found is None:
        return
    folds = [fold for fold in article.select("details.fold:not(:has(details))") if fold.table]
    tables = {fold.summary.get_text(): fold.table for fold in folds if fold.summary}
    every = groups_of(found)
    groups = [group for group in every if not group.name.startswith(PROOF)]
    heads = [_title(group) for group in groups]
    assert list(tables)[1:-1] == heads
    assert len(tables["What the proof costs"].select("tbody tr")) == len(every) - len(groups)
    matched = [[group for group in groups if _matched(group) is one] for one in (True, False)]
    contests = [of.best() for group in groups for of in group.ends() if of.best()]
    ranked = tables["All problems of the picture, fastest first"]
    assert len(ranked.select("tbody tr")) == len(article.select(".race circle")) == len(contests) > len(groups) / 2
    for some, told in zip(matched, (("faster on", "slower on"), ("errors: faster on", "slower on")), strict=True):
        for word, ahead in zip(told, ("faster", "slower"), strict=True):
            ends = [of.best() for group in some for of in group.ends() if of.best()]
            assert f"{word} {sum(_times(one).endswith(ahead) for one in ends)}" in words
    assert {link["href"][1:] for link in ranked.select("a")} <= {str(box["id"]) for box in page.select("div[id]")}
    for group, head in zip(groups, heads, strict=True):
        rows = [row.select("td") for row in tables[head].select("tbody tr")]
        for timing, cells in zip(group.timings, rows, strict=True):
            ratio = group.ratio(timing)
            assert next(cells[0].stripped_strings) == timing.method
            assert cells[1].text == in_print(timing.seconds, 3)
            assert [cell.text for cell in cells[3:5]] == [str(timing.rounds), _reached(timing)]
            assert cells[5].text == ("" if ratio is None else _times(ratio))
            assert ("no ratio is given" in cells[0].text) == (bool(group.unlike(timing)) or WARM in timing.method)
    assert f"as of {found.version}, commit {found.commit[:12]}" in words
    assert found.date in words
    assert found.host in words


def test_chapters_at_the_papers_scale_are_on_the_page_of_tests(html: Path) -> None:
    page = BeautifulSoup((html / "tested.html").read_text(encoding="utf-8"), "html.parser")
    words = page.select_one("#the-paper-s-own-scale-do-the-claims-hold-there").text  # type: ignore[union-attr]
    runs = read_findings(Book(ROOT), "paper")
    assert all(one.chapter in words for one in runs)
    untried = {one.name for one in Book(ROOT).chapters()} - {one.chapter for one in runs}
    assert (NOT_RUN in words) == bool(untried)
