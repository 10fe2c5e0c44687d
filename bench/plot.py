"""Cactus and scatter plots as SVG, for bench/table.py.

A plot is text with a style sheet in it that follows the reader's light or dark setting. Times are on
logarithmic axes from FLOOR to the limit; what was not solved stands on the edge of a scatter plot.
"""

import math
from html import escape

FLOOR = 0.01
COLOURS = ["#3b6fb6", "#d1603d", "#3f9b57", "#8a5fb0", "#b38b2d", "#3aa3a8", "#b64c86", "#6d7680"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 440, 64, 48, 34, 170
STYLE = """<style>
svg { color-scheme: light dark; background: #fff; font: 12px system-ui, sans-serif; }
text { fill: #222; } .axis { stroke: #444; } .grid { stroke: #ddd; } .line { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
 svg { background: #16181c; } text { fill: #ddd; } .axis { stroke: #aaa; } .grid { stroke: #333; }
}
</style>"""


def logarithm(value, limit, floor=FLOOR):
    """Where a time stands between FLOOR (0) and the limit (1)."""
    value = min(max(value, floor), limit)
    return math.log(value / floor) / math.log(limit / floor)


def ticks(limit, floor=FLOOR):
    """The round times between FLOOR and the limit."""
    powers = [10.0 ** exponent for exponent in range(-2, 6)]
    return [power for power in powers if floor <= power < limit * 0.7] + [limit]


def text(x, y, words, anchor="start", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def line(x, y, u, v, kind):
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}"/>'


def frame(title, width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join([head, STYLE, f"<title>{escape(title)}</title>",
                      text(LEFT, 20, title, extra=' font-weight="600"'), *parts, "</svg>\n"])


def seconds(value):
    return f"{value:g} s"


def cactus(title, curves, limit, floor=FLOOR, show=seconds):
    """`curves`: names with the times of what was solved. How many files within how much time each; or
    within how much of something else, from `floor` on and written by `show`."""
    most = max([len(times) for times in curves.values()] + [1])
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    across = lambda count: LEFT + (right - LEFT) * count / most
    down = lambda time: bottom - (bottom - TOP) * logarithm(time, limit, floor)
    parts = []
    for tick in ticks(limit, floor):
        parts += [line(LEFT, down(tick), right, down(tick), "grid"),
                  text(LEFT - 6, down(tick) + 4, show(tick), "end")]
    step = max(1, round(most / 6))
    for count in range(0, most + 1, step):
        parts.append(text(across(count), bottom + 18, str(count), "middle"))
    parts += [line(LEFT, bottom, right, bottom, "axis"), line(LEFT, TOP, LEFT, bottom, "axis"),
              text((LEFT + right) / 2, HEIGHT - 10, "files solved", "middle")]
    order = sorted(curves, key=lambda name: -len(curves[name]))
    for place, name in enumerate(order):
        colour = COLOURS[list(curves).index(name) % len(COLOURS)]
        points, before = [], 0
        for count, time in enumerate(sorted(curves[name]), 1):
            points += [(across(before), down(time)), (across(count), down(time))]
            before = count
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        y = TOP + 12 + 18 * place
        parts += [f'<rect x="{right + 14}" y="{y - 9}" width="12" height="10" fill="{colour}"/>',
                  text(right + 32, y, f"{name} ({len(curves[name])})")]
    return frame(title, WIDTH, HEIGHT, parts)


def scatter(title, names, points, limit):
    """`points`: (file, verdict, time or none of the first, of the second)."""
    side = HEIGHT - BOTTOM - TOP
    right, bottom = LEFT + side, HEIGHT - BOTTOM
    place = lambda time: 1.0 if time is None else 0.95 * logarithm(time, limit)
    across = lambda time: LEFT + side * place(time)
    down = lambda time: bottom - side * place(time)
    parts = [line(LEFT, bottom, LEFT + side * 0.95, bottom - side * 0.95, "grid")]
    for tick in ticks(limit):
        parts += [line(LEFT, down(tick), right, down(tick), "grid"),
                  line(across(tick), TOP, across(tick), bottom, "grid"),
                  text(LEFT - 6, down(tick) + 4, seconds(tick), "end"),
                  text(across(tick), bottom + 16, seconds(tick), "middle")]
    parts += [line(LEFT, bottom, right, bottom, "axis"), line(LEFT, TOP, LEFT, bottom, "axis"),
              text((LEFT + right) / 2, HEIGHT - 10, names[0], "middle"),
              text(16, (TOP + bottom) / 2, names[1], "middle",
                   f' transform="rotate(-90 16 {(TOP + bottom) / 2:.1f})"')]
    for file, verdict, first, second in points:
        colour = COLOURS[0] if verdict == "safe" else COLOURS[1]
        x, y = across(first), down(second)
        shape = (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"' if verdict == "safe" else
                 f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"')
        parts.append(f'{shape} fill="{colour}" fill-opacity=".65"><title>{escape(file)}</title>'
                     + ("</circle>" if verdict == "safe" else "</rect>"))
    for row, (word, colour) in enumerate([("safe", COLOURS[0]), ("unsafe", COLOURS[1])]):
        parts += [f'<rect x="{right + 14}" y="{TOP + 3 + 18 * row}" width="10" height="10" fill="{colour}"/>',
                  text(right + 30, TOP + 12 + 18 * row, word)]
    return frame(title, LEFT + side + 100, HEIGHT, parts)
