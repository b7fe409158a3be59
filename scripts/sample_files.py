"""Draw the PDF and the four pictures that `zib sample` ships. Usage: scripts/sample_files.py

Two pictures are full of text; on the other two it is where things stand and how they hang together that says
something, without a word, so that no OCR finds it: they measure what reading text alone cannot reach.
"""

from __future__ import annotations

import sys
from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

ATTACHMENTS = Path(__file__).parents[1] / "sidecar/zibaldone/sample/vault/Attachments"
PAGES = (
    (
        "Before the doors open",
        "Every socket that visitors use hangs behind a residual current device of 30 milliamperes. Press its test "
        "button at the beginning of each evening and write the time on the list beside the fuse box.",
        "Keep a bucket of dry sand next to the battery table. Water is of no use there.",
    ),
    (
        "During the evening",
        "Only a trained electrician connects a mended appliance to the mains, and only after the insulation was "
        "tested at 500 volts. Microwave ovens are not opened at all: their capacitor can kill for days after they "
        "were unplugged.",
        "Children may hold tools from the age of eight, with an adult at the same table.",
    ),
    (
        "Afterwards",
        "Swollen lithium cells go into the steel box outside, never into the building over night. The municipal "
        "depot takes the box on the first Monday of the month.",
        "An accident is reported to the insurance within three days, even when nobody was hurt.",
    ),
)


def main() -> int:
    draw_guide(ATTACHMENTS / "Safety at repair events.pdf")
    for name, image in {
        "poster.png": draw_poster(),
        "parts list.png": draw_parts(),
        "IMG_4412.png": draw_room(),
        "IMG_4413.png": draw_circuit(),
    }.items():
        image.quantize(32).save(ATTACHMENTS / name, optimize=True)
    return 0


def draw_guide(path: Path) -> None:
    styles = getSampleStyleSheet()
    story = [Paragraph("Safety at repair events", styles["Title"])]
    for heading, *paragraphs in PAGES:
        story += [Paragraph(heading, styles["Heading2"]), *(Paragraph(text, styles["BodyText"]) for text in paragraphs)]
        story.append(PageBreak())
    SimpleDocTemplate(str(path), pagesize=A5, title="Safety at repair events", invariant=1).build(story)


def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = "VeraBd.ttf" if bold else "Vera.ttf"
    return ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / name, size)


def draw_poster() -> Image.Image:
    image = Image.new("RGB", (900, 640), "#fff7e0")
    draw = ImageDraw.Draw(image)
    draw.text((60, 50), "Repair café", font=font(54, bold=True), fill="#7a2e12")
    lines = (
        "From 9 April in the old Spritzenhaus, Kirchweg 2",
        "Every second Thursday from 17:30 to 21:00",
        "Bring one thing at a time, and bring its charger.",
        "No gas appliances, please.",
        "Soup is at half past seven, cooked by the allotment club.",
        "Der Eingang für Rollstühle ist auf der Hofseite.",
    )
    for row, line in enumerate(lines):
        draw.text((60, 170 + 66 * row), line, font=font(27), fill="#2b2b2b")
    return image


def draw_parts() -> Image.Image:
    image = Image.new("RGB", (860, 420), "white")
    draw = ImageDraw.Draw(image)
    rows = (
        ("Part", "Drawer", "Left", "Order from"),
        ("Thermal fuse 184 °C", "B3", "27", "Lorenz"),
        ("Carbon brushes 6 mm", "C1", "4", "Lorenz"),
        ("Rocker switch", "A7", "11", "Hartmann"),
        ("Mains lead 2 m", "D2", "9", "Hartmann"),
        ("Belt for turntables", "E5", "2", "Vinylwerk"),
        ("Bulb E14, 4 W", "F1", "35", "village shop"),
    )
    for row, cells in enumerate(rows):
        for cell, x in zip(cells, (30, 360, 500, 610), strict=True):
            draw.text((x, 30 + 54 * row), cell, font=font(22, bold=row == 0), fill="#111111")
        draw.line((20, 70 + 54 * row, 840, 70 + 54 * row), fill="#bbbbbb")
    return image


def draw_room() -> Image.Image:
    """The plan of a room: a door to the south, a stove in the northeast corner, tables, one of them by a window."""
    image = Image.new("RGB", (800, 600), "#f8f8f4")
    draw = ImageDraw.Draw(image)
    draw.rectangle((80, 60, 720, 540), outline="black", width=8)
    draw.rectangle((360, 532, 460, 548), fill="#f8f8f4")
    draw.arc((360, 440, 560, 640), 180, 270, fill="black", width=3)
    draw.rectangle((76, 200, 88, 320), fill="#7fb2e5")
    draw.rectangle((600, 84, 696, 168), fill="#c0392b")
    for x, y in ((130, 210), (330, 130), (330, 320), (540, 330)):
        draw.rounded_rectangle((x, y, x + 130, y + 80), 8, fill="#d9c7a3", outline="black", width=3)
        for chair in (x + 20, x + 85):
            draw.ellipse((chair, y + 90, chair + 26, y + 116), outline="black", width=2)
    return image


def draw_circuit() -> Image.Image:
    """A circuit: two cells, a switch that is open, and two lamps side by side."""
    image = Image.new("RGB", (800, 500), "white")
    draw = ImageDraw.Draw(image)
    draw.line((120, 400, 120, 100, 300, 100), fill="black", width=5)
    draw.line((300, 100, 390, 50), fill="black", width=5)
    draw.line((400, 100, 680, 100, 680, 400, 460, 400), fill="black", width=5)
    for x in (200, 330):
        draw.rounded_rectangle((x, 360, x + 100, 440), 12, fill="#e2e2e2", outline="black", width=5)
        draw.rectangle((x + 100, 385, x + 112, 415), fill="black")
    draw.line((120, 400, 200, 400), fill="black", width=5)
    draw.line((312, 400, 330, 400), fill="black", width=5)
    draw.line((442, 400, 460, 400), fill="black", width=5)
    draw.line((540, 100, 540, 400), fill="black", width=5)
    for x in (540, 680):
        draw.ellipse((x - 40, 210, x + 40, 290), fill="white", outline="black", width=5)
        draw.line((x - 28, 222, x + 28, 278), fill="black", width=4)
        draw.line((x + 28, 222, x - 28, 278), fill="black", width=4)
    return image


if __name__ == "__main__":
    sys.exit(main())
