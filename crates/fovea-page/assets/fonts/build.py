#!/usr/bin/env python3
"""Rebuild the font subsets in this folder. The results are committed; a build of Fovea never runs this.

Usage: npm pack inter-ui@4.1.1 @fontsource/noto-sans-math@5.3.0 @fontsource/stix-two-math@5.3.0 \
           @fontsource/stix-two-text@5.3.0      (unpack each into SOURCES/<name>/)
       pip install fonttools brotli
       python build.py SOURCES
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent

LATIN = "20-7E A0-AC AE-FF 105 107 10C 10D 119 131 141 142 150-153 159 160 161 17D 17E"
GREEK = "391-3A1 3A3-3A9 3B1-3C9 3D1 3D5 3F5"
TYPOGRAPHY = "2C6 2D9 2DC 2009 200A 2010-2015 2018-201E 2020-2022 2026 202F 2030 2032 2033"
SCRIPTS = "2070 2071 2074-208E 2099"
MATH = (
    "2113 2190-2194 21D2 2202 2205 2206 220F 2211 2212 2215 2219 221A 221E 222B 2248 2260 2264 2265"
    " 2295 2297 25A0 25A1 25B2 25B3 25C6 25CB 25CF 2713 2717"
)
# What Inter lacks, for labels such as "<w, x>" or "lambda proportional to 1/k".
MATH_EXTRA = (
    "2016 2102 2115 211D 2124 21A6 2200 2203 2207-2209 2213 221D 2225 2227-222A 223C 2243 2261 226A 226B"
    " 2282 2286 22A4 22A5 22C5 27E8 27E9 1D53C 2112 2119"
)
# Everything the report's formulas use: letters in the mathematical alphabets, then operators and fences.
FORMULA = (
    f"{LATIN} {GREEK} {MATH} {MATH_EXTRA} 2C6 2C7 2D8 2D9 2DC 300-304 306-308 30C 20D7 203E 2061-2064"
    " 2032-2034 2057 2044 20E1 210B 210C 210E 2110 2111 2112 211B 211C 211A 2128 212C 2130 2131 2133 2135"
    " 1D400-1D454 1D456-1D49C 1D49E 1D49F 1D4A2 1D4A5 1D4A6 1D4A9-1D4AC 1D4AE-1D4B5"
    " 1D538 1D539 1D53B-1D53E 1D540-1D544 1D546 1D54A-1D550 1D7D8 1D7D9"
    " 1D6A8-1D6E1 1D6E2-1D71B 2195 21D0 21D4 2204 220B 2218 221D 222C 222E 223D 2245 224D 2254 225C"
    " 2272 2273 227A 227B 2283 2287 2293 2296 2299 22A2 22C0-22C3 22C6 22EE 22EF 22F1 2308-230B 27FA 27F6 27F9 2A2F 2A7D 2A7E 23DE 23DF"
)


def codepoints(text):
    for part in text.split():
        low, _, high = part.partition("-")
        yield from range(int(low, 16), int(high or low, 16) + 1)


def cut(source, target, text, features, woff2):
    options = subset.Options(
        layout_features=features, hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    )
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(codepoints(text)))
    cutter.subset(font)
    font.flavor = "woff2" if woff2 else None
    font.save(HERE / target)
    print(f"{target:28} {(HERE / target).stat().st_size:7}")


def advances():
    """Widths for the layout, in thousandths of an em: code point, regular, semibold, italic."""
    fonts = [TTFont(HERE / f"Inter-{style}.ttf") for style in ["Regular", "SemiBold", "Italic"]]
    math = TTFont(HERE / "NotoSansMath-Regular.ttf")

    def width(font, code):
        font = font if code in font.getBestCmap() else math
        return round(1000 * font["hmtx"][font.getBestCmap()[code]][0] / font["head"].unitsPerEm)

    codes = sorted(set(fonts[0].getBestCmap()) | set(math.getBestCmap()))
    rows = ["\t".join([f"{code:X}", *(str(width(font, code)) for font in fonts)]) for code in codes]
    (HERE / "advances.tsv").write_text("\n".join(rows) + "\n")


def main(sources):
    inter = f"{LATIN} {GREEK} {TYPOGRAPHY} {SCRIPTS} {MATH}"
    for style in ["Regular", "SemiBold", "Italic"]:
        for kind in ["ttf", "woff2"]:
            source = sources / f"inter-ui/package/web/Inter-{style}.woff2"
            cut(source, f"Inter-{style}.{kind}", inter, ["kern", "tnum"], kind == "woff2")
    noto = sources / "noto-sans-math/package/files/noto-sans-math-latin-400-normal.woff2"
    for kind in ["ttf", "woff2"]:
        cut(noto, f"NotoSansMath-Regular.{kind}", MATH_EXTRA, [], kind == "woff2")
    stix = sources / "stix-two-math/package/files/stix-two-math-latin-400-normal.woff2"
    cut(stix, "STIXTwoMath-Regular.woff2", FORMULA, ["ssty", "flac", "dtls", "rtlm"], True)
    for name, style in [("400-normal", "Regular"), ("400-italic", "Italic"), ("600-normal", "SemiBold")]:
        source = sources / f"stix-two-text/package/files/stix-two-text-latin-{name}.woff2"
        cut(source, f"STIXTwoText-{style}.woff2", f"{LATIN} {TYPOGRAPHY} 2212", ["kern", "liga", "lnum", "tnum"], True)
    advances()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
