"""One self-contained page: no script, nothing loaded; light and dark, and fit for the printer."""

from __future__ import annotations

from html import escape


def page(title: str, body: str, locale: str) -> str:
    """A whole document; ``body`` is markup, ``title`` plain text."""
    return _PAGE.format(title=escape(title), body=body, locale=escape(locale, quote=True))


def element(tag: str, *content: str, css: str = "") -> str:
    """An element around markup; ``css`` names its classes."""
    named = f' class="{css}"' if css else ""
    return f"<{tag}{named}>{''.join(content)}</{tag}>"


_PAGE = """<!DOCTYPE html>
<html lang="{locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{
  --paper: #fbfaf7; --card: #fff; --ink: #1d1f24; --soft: #666b76; --line: #dcd8cf;
  --night: #20263c; --night-ink: #e9ebf5; --night-soft: #a9b0cc;
  --killers: #b3261e; --good: #1d5fa8; --draw: #7a6a2f;
}}
@media (prefers-color-scheme: dark) {{ :root {{
  --paper: #14161c; --card: #1d2029; --ink: #e8e9ee; --soft: #9ba1b0; --line: #343946;
  --night: #0b0e1a; --night-ink: #dfe3f5; --night-soft: #8b93b4;
  --killers: #ff8a80; --good: #8ab8f5; --draw: #d8c371;
}} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 2rem 1.25rem 3rem; max-width: 54rem; background: var(--paper);
  color: var(--ink); line-height: 1.55; font-family: "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC",
  "Microsoft YaHei", "WenQuanYi Micro Hei", system-ui, sans-serif; }}
h1 {{ font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }}
h2 {{ font-size: 1.1rem; margin: 2.2rem 0 .7rem; }}
h3 {{ font-size: 1rem; margin: 0; }}
p {{ margin: .3rem 0; }}
ul {{ margin: .3rem 0 0; padding: 0; list-style: none; }}
.facts, .note, .lasted {{ color: var(--soft); font-size: .9rem; }}
.facts span + span::before {{ content: " · "; }}
.verdict {{ font-size: 1.2rem; font-weight: 700; margin: 1rem 0 .2rem; padding-left: .8rem;
  border-left: .35rem solid var(--draw); }}
.verdict.killers, .killers .role {{ border-color: var(--killers); color: var(--killers); }}
.verdict.good {{ border-color: var(--good); color: var(--good); }}
.seats {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .5rem; }}
.seats li {{ background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--line);
  border-radius: .4rem; padding: .4rem .6rem; }}
.seats li.killers {{ border-left-color: var(--killers); }}
.seats li.good {{ border-left-color: var(--good); }}
.seats b {{ display: inline-block; min-width: 3em; }}
.seats small {{ display: block; color: var(--soft); }}
.seats .out b {{ text-decoration: line-through; text-decoration-thickness: 1px; }}
.round {{ display: grid; grid-template-columns: 2fr 3fr; margin-bottom: .8rem; border: 1px solid var(--line);
  border-radius: .6rem; overflow: hidden; break-inside: avoid; }}
.half {{ padding: .8rem 1rem 1rem; background: var(--card); }}
.half header {{ display: flex; justify-content: space-between; align-items: baseline; gap: .5rem; }}
.night {{ background: var(--night); color: var(--night-ink); }}
.night .lasted {{ color: var(--night-soft); }}
.ballot {{ margin-top: .6rem; }}
.ballot caption {{ text-align: left; font-size: .9rem; color: var(--soft); }}
.ballot table, .ballot {{ width: 100%; border-collapse: collapse; }}
.ballot th {{ text-align: left; font-weight: 500; width: 3.2em; padding: 0; }}
.ballot td {{ padding: .1rem 0; }}
.ballot td.number {{ width: 3.4em; text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }}
.bar {{ display: block; height: .7em; min-width: 2px; border-radius: .2em; background: var(--good);
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
figure {{ margin: 1.4rem 0 0; padding: .9rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; break-inside: avoid; }}
figcaption {{ font-weight: 700; margin-bottom: .5rem; }}
svg {{ display: block; width: 100%; height: auto; }}
svg text {{ fill: var(--ink); font-size: 13px; font-family: inherit; }}
svg .soft {{ fill: var(--soft); }}
svg .on {{ fill: #fff; font-weight: 700; }}
svg .axis {{ stroke: var(--line); }}
svg .killers {{ fill: var(--killers); }} svg .good {{ fill: var(--good); }} svg .draw {{ fill: var(--draw); }}
.legend {{ font-size: .9rem; color: var(--soft); }}
.legend i {{ display: inline-block; width: .8em; height: .8em; border-radius: .15em; margin: 0 .35em 0 1em;
  vertical-align: -.05em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
.legend i:first-child {{ margin-left: 0; }}
i.killers {{ background: var(--killers); }} i.good {{ background: var(--good); }}
i.draw {{ background: var(--draw); }}
@media (prefers-color-scheme: dark) {{ svg .on {{ fill: #14161c; }} }}
@media (max-width: 36rem) {{ .round {{ grid-template-columns: 1fr; }} }}
@page {{ size: A4; margin: 14mm; }}
@media print {{
  :root {{ --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #999; --night: #eee;
    --night-ink: #000; --night-soft: #444; --killers: #a11; --good: #15497f; --draw: #6b5a1c; }}
  body {{ padding: 0; max-width: none; font-size: 10pt; }}
  .night {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
  svg .on {{ fill: #fff; }} svg * {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
}}
</style>
</head>
<body>
{body}
</body>
</html>
"""
