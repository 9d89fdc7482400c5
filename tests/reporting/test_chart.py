"""Pictures of points with names, and the front among them."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from whorl.reporting.chart import front, named_points

numbers = st.integers(0, 9)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_the_front_has_the_points_that_no_other_point_beats(points):
    beaten = [p for p in points if any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in points)]
    assert front(points) == sorted(set(points) - set(beaten))


def test_every_point_has_its_name_and_its_dot():
    picture = named_points(
        {"a & b": (1, 90), "c": (5, 80), "d": (2, 70)}, title="t", x_label="x", y_label="y"
    )
    root = ElementTree.fromstring(picture)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a & b", "c", "d", "t", "x", "y"} <= set(texts)
    (line,) = root.iter("{http://www.w3.org/2000/svg}polyline")
    assert len(line.get("points").split()) == 2
    (dots,) = root.iter("{http://www.w3.org/2000/svg}path")
    assert dots.get("d").count("M") == 3


def test_names_of_close_points_do_not_overlap():
    picture = named_points(
        {f"name {n}": (5 + n / 100, 90) for n in range(6)}, title="t", x_label="x", y_label="y"
    )
    root = ElementTree.fromstring(picture)
    texts = [
        e
        for e in root.iter("{http://www.w3.org/2000/svg}text")
        if (e.text or "").startswith("name")
    ]
    places = [(float(text.get("x")), float(text.get("y"))) for text in texts]
    for number, (x, y) in enumerate(places):
        assert all(abs(x - left) > 30 or abs(y - top) >= 12 for left, top in places[:number])
