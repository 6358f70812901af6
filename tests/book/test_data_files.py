"""The ledger and the robustness as CSV and JSON beside the pages: the same claims and the same numbers."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from jsonschema import Draft202012Validator

from reproduce.campaigns.finding import read_findings
from reproduce.campaigns.impossible import missed
from reproduce.campaigns.seeds import SEEDS
from reproduce.chapters.book import Book
from reproduce.claims.judge import used
from reproduce.claims.ledger import judge
from reproduce.pages.data_files import as_csv
from reproduce.pages.quantities import to_spare
from reproduce.running.last_run import read_last_runs
from reproduce.sweep.summary import pass_interval

ROOT = Path(__file__).parents[2]


def as_json(html: Path, name: str) -> Any:
    return json.loads((html / name).read_text(encoding="utf-8"))


def rows(html: Path, name: str) -> list[dict[str, str]]:
    with (html / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_claim_of_the_json_follows_the_published_schema(html: Path) -> None:
    ledger = as_json(html, "ledger.json")
    validator = Draft202012Validator(as_json(html, ledger["schema"]))
    assert [error.message for claim in ledger["claims"] for error in validator.iter_errors(claim)] == []


def test_ledger_files_hold_every_stored_claim(html: Path) -> None:
    stored = judge(Book(ROOT).notebooks()).claims
    listed, table = as_json(html, "ledger.json")["claims"], rows(html, "ledger.csv")
    assert [(one["chapter"], one["id"]) for one in listed] == [(claim.chapter, claim.id) for claim in stored]
    for claim, one, row in zip(stored, listed, table, strict=True):
        assert one.items() >= claim.record.items()
        assert one["error_over_allowed"] == used(claim.record) == float(row["error_over_allowed"])
        spare = to_spare(claim.record)
        assert (one["to_spare"], row["to_spare"]) == (spare, "" if spare is None else str(spare))
        assert json.loads(row["depends_on_seed"] or "null") is one["depends_on_seed"]
        assert (one["holds"], json.loads(row["holds"])) == (claim.holds, claim.holds)
        assert (row["id"], row["source"]) == (claim.id, claim.record["source"])
        assert float(row["tolerance"]) == claim.record["tolerance"]
        if claim.record["kind"] != "ordering":
            assert json.loads(row["theory"]) == claim.record["theory"]


def test_the_ledger_says_when_and_with_what_each_chapter_was_executed(html: Path) -> None:
    known = read_last_runs(Book(ROOT))
    executed = as_json(html, "ledger.json")["executed"]
    assert {one["chapter"]: one for one in executed} == {name: vars(known[name]) for name in known}


def test_robustness_files_hold_every_claim_that_was_run(html: Path) -> None:
    known = read_findings(Book(ROOT), SEEDS)
    listed, table = as_json(html, "robustness.json"), rows(html, "robustness.csv")
    assert {one["chapter"]: one["first_seed"] for one in listed["chapters"]} == {
        one.chapter: one.counts["first_seed"] for one in known
    }
    records = {id: record for one in known for id, record in one.counts["claims"].items()}
    assert len(listed["claims"]) == len(table) == len(records)
    for one, row in zip(listed["claims"], table, strict=True):
        record = records[one["id"]]
        assert one.items() >= record.items()
        assert (one["low"], one["high"]) == pass_interval(record["held"], record["runs"])
        said = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in one.items()}
        assert said == {name: text for name, text in row.items() if text or name in one}  # older runs do not say all


def test_the_page_begins_with_the_claims_that_missed_a_seed(html: Path) -> None:
    stored = {claim.id for claim in judge(Book(ROOT).notebooks()).claims}
    lost = [id for one in read_findings(Book(ROOT), SEEDS) for id in missed(one.counts) if id in stored]
    article = BeautifulSoup((html / "robustness.html").read_text(encoding="utf-8"), "html.parser").select_one("article")
    assert article is not None
    assert f"{len(lost)} of " in article.select("p > strong")[0].get_text()
    told = [cell.get_text() for cell in article.select(".ledger.plain td[data-label=why]")]
    assert [code.get_text() for code in article.select(".ledger.plain th code")] == lost
    assert len(article.select(".room .missed")) == len(lost) == len(told)
    assert all(told)


@pytest.mark.parametrize("name", ["ledger", "robustness"])
def test_the_page_links_its_files(html: Path, name: str) -> None:
    page = BeautifulSoup((html / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    linked = {link["href"] for link in page.select(".ledger caption a")}
    assert linked >= {f"{name}.csv", f"{name}.json"}
    assert all((html / link).is_file() for link in linked)


def test_a_table_without_rows_is_empty_and_text_is_quoted() -> None:
    assert as_csv([]) == "\n"
    made = as_csv([{"a": 'x, "y"\nz', "b": [1.5, "nan"], "c": True, "d": None}])
    assert list(csv.reader(made.splitlines(keepends=True)))[1] == ['x, "y"\nz', '[1.5, "nan"]', "true", ""]
