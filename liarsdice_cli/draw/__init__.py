"""Pictures of games: a diagram says what is drawn, a layout where, a scene holds the marks, and one file a format writes them.

part -> diagram or betting -> layout -> scene -> svg, tikz; text writes the diagram itself; raster turns an SVG into others.
"""
