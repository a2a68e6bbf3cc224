"""The page's style: light and dark by the reader's setting, one column on a phone, nothing fetched from anywhere."""

CSS = """
:root { color-scheme: light dark; --ink: #23272e; --soft: #5b6470; --paper: #ffffff; --card: #f6f7f9; --rule: #d8dce2;
  --good: #00795a; --bad: #b34700; --open: #8a6100; --accent: #0064a0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a4acb7; --paper: #14171b; --card: #1d2127; --rule: #363c45;
  --good: #4cc9a0; --bad: #ff9d5c; --open: #f0c040; --accent: #6bb8ee; }
  figure svg { filter: brightness(1.3); } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
header { border-bottom: 1px solid var(--rule); padding-bottom: 1rem; margin-bottom: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); } .verdict { font-size: 1.1rem; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin-top: .6rem; font-size: .95rem; }
a { color: var(--accent); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.tile { background: var(--card); border-radius: .5rem; padding: .7rem .9rem; }
.tile b { display: block; font-size: 1.45rem; line-height: 1.2; } .tile span { color: var(--soft); font-size: .88rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .94rem; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; }
th.text, td.text { text-align: left; white-space: normal; min-width: 16rem; }
small { color: var(--soft); }
.promoted { color: var(--good); } .rejected { color: var(--bad); } .inconclusive { color: var(--open); }
figure { margin: .5rem 0; color: var(--ink); overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 36rem; height: auto; }
figure svg text { font-family: system-ui, -apple-system, "Segoe UI", sans-serif !important; }
details { background: var(--card); border-radius: .5rem; padding: .6rem .9rem; margin: .5rem 0; }
summary { cursor: pointer; font-weight: 600; }
.positions { display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--wide)), 1fr)); gap: .8rem; margin-top: .8rem; }
.position { border: 1px solid var(--rule); border-radius: .4rem; padding: .5rem .6rem;
  background: var(--paper); overflow-x: auto; }
.position p { font-size: .82rem; color: var(--soft); margin: 0 0 .3rem; overflow-wrap: anywhere; }
pre { margin: 0; font: .85rem/1.3 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre.block { background: var(--card); border-radius: .5rem; padding: .8rem 1rem; overflow-x: auto; }
.bar { display: inline-block; height: .6rem; border-radius: .2rem; background: var(--accent); vertical-align: middle; }
td.chart { width: 45%; text-align: left; }
@media print { details { break-inside: avoid; } }
"""
