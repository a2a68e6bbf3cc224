"""The page is whole by itself, shows every section, and trusts no text."""

import re
from html.parser import HTMLParser

import pytest
from tiny_line import NAME

from components.layout import Layout
from components.reports.page import SECTIONS, PageContent, render_page, span
from components.reports.replays import DrawnGame, DrawnTurn


@pytest.fixture(scope="module")
def page(line):
    return Layout(NAME, line).page.read_text()


class Collector(HTMLParser):
    """Every attribute value and the stack of open tags."""

    VOID = ("meta", "link", "br", "hr")

    def __init__(self):
        super().__init__()
        self.values, self.open, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        self.values += [(tag, name, value) for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.values += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_well_formed_and_fetches_nothing(page):
    reader = Collector()
    reader.feed(page)
    assert reader.open == []
    fetched = [
        value
        for tag, name, value in reader.values
        if name in ("src", "href", "xlink:href") and not value.startswith(("#", "data:"))
    ]
    assert fetched == []
    assert not re.search(r"@import|url\((?!#)", page)
    assert "<script" not in page


def test_page_shows_every_section(page):
    for name, title in SECTIONS.items():
        assert f'<section id="{name}"><h2>{title}</h2>' in page
    assert page.count("<figure") == 4
    assert page.count("<details>") == 3
    assert "generate@ttt-g01" in page
    assert "dvc repro report@ttt" in page
    assert "learning_rate: 0.01" in page


def test_plots_take_the_pages_ink(page):
    assert "#23272e" not in page.split("</style>")[1]
    assert "currentColor" in page


def test_text_from_files_is_escaped(line):
    from components.config import load_params
    from components.reports.summary import collect

    summary = collect(load_params(line), NAME, Layout(NAME, line))
    summary["experiment"] = "<script>alert(1)</script>"
    game = DrawnGame("<b>", "<i>", (DrawnTurn(0, "<u>", 0.5, "<s>"),))
    plots = dict.fromkeys(("strength", "losses", "games", "gates"), "<?xml?><svg width='1'></svg>")
    text = render_page(PageContent(summary, plots, {"<stage>": 1.0}, [game], "<g01>", "<yaml>", "<command>"))
    for tag in ("<script>", "<stage>", "<yaml>", "<command>", "<g01>", "<u>", "<s>"):
        assert tag not in text


def test_span_is_readable():
    assert [span(seconds) for seconds in (4.23, 59.94, 200, 3900)] == ["4.2 s", "59.9 s", "3 min 20 s", "1 h 5 min"]
