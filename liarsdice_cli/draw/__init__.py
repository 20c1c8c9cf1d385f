"""Pictures of games: a diagram says what is drawn, a layout where, a scene holds the marks, and one file a format writes them.

`choice` takes a part of a game to a diagram (`diagram`, `betting`), `drawing` to a scene (`layout`), the table in `pictures` to
what a file holds: `svg`, `tikz` and `raster` write the scene, `text` the diagram itself. `gbt` writes Gambit's workbooks, and
`explorer` a page to click through a strategy.
"""
