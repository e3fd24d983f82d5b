"""Makes the two fonts embedded for PNG figures from Inter (https://rsms.me/inter/, SIL OFL 1.1).

usage: subset.py Inter-Regular.otf figure-sans-regular.otf "Conclave Figure Sans"
needs: fonttools

Beyond taking a subset, two things are changed to suit the text drawing of plotters 0.3 (feature ab_glyph):
  * it drops the left side bearing of every glyph, so a class-based `kern` table puts it back:
    kern(a, b) = bearing(b) - bearing(a), rounded to a few classes;
  * it takes "size" to be ascent - descent here but 1.24 em in SVG, so ascent - descent is made 1.24 em.
"""

import struct
import sys

from fontTools.pens.boundsPen import BoundsPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable

RANGES = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x391, 0x3A1), (0x3A3, 0x3A9), (0x3B1, 0x3C9),
    (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2070, 0x208E), (0x2190, 0x2193),
]
SINGLES = "\u2009\u202f…‰′″∂∆∏∑−∕√∞≈≠≤≥⁺⁻"
STEP = 24  # width of a bearing class, in font units


def wanted():
    points = {ord(c) for c in SINGLES}
    for low, high in RANGES:
        points.update(range(low, high + 1))
    return points


def bearing_class(glyphs, name):
    pen = BoundsPen(glyphs)
    glyphs[name].draw(pen)
    return 0 if pen.bounds is None else round(pen.bounds[0] / STEP)


def kern_table(font):
    glyphs = font.getGlyphSet()
    classes = [bearing_class(glyphs, name) for name in font.getGlyphOrder()]
    low, high = min(classes), max(classes)
    count = high - low + 1
    head = 14  # subtable header (6) and the four offsets of format 2 (8)
    left_at = head
    right_at = left_at + 4 + 2 * len(classes)
    array_at = right_at + 4 + 2 * len(classes)
    left = struct.pack(">HH", 0, len(classes))
    left += b"".join(struct.pack(">H", array_at + (c - low) * count * 2) for c in classes)
    right = struct.pack(">HH", 0, len(classes))
    right += b"".join(struct.pack(">H", (c - low) * 2) for c in classes)
    array = b"".join(struct.pack(">h", (b - a) * STEP) for a in range(count) for b in range(count))
    body = struct.pack(">HHHH", count * 2, left_at, right_at, array_at) + left + right + array
    coverage = (2 << 8) | 1  # format 2, horizontal
    return struct.pack(">HHHHH", 0, 1, 0, 6 + len(body), coverage) + body


def main(source, target, family):
    font = TTFont(source)
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.desubroutinize = True
    options.name_IDs = [0, 1, 2, 3, 4, 6, 13, 14]
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "DSIG", "BASE"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted())
    subsetter.subset(font)
    em = font["head"].unitsPerEm
    font["hhea"].ascent, font["hhea"].descent, font["hhea"].lineGap = round(0.97 * em), -round(0.27 * em), 0
    os2 = font["OS/2"]
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = round(0.97 * em), -round(0.27 * em), 0
    for record in font["name"].names:
        if record.nameID in (1, 3, 4):
            record.string = family
        if record.nameID == 6:
            record.string = family.replace(" ", "")
    table = newTable("kern")
    table.data = kern_table(font)
    table.decompile = lambda data, ttFont: None
    table.compile = lambda ttFont: table.data
    font["kern"] = table
    missing = sorted(wanted() - set(font.getBestCmap()))
    print(target, len(font.getGlyphOrder()), "glyphs; not in the source:", [hex(c) for c in missing])
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
