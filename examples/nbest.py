"""See which other trees a parser considered, and which phrases it is unsure of."""

import math

import whorl


def main() -> None:
    """Print the three best trees of an ambiguous sentence and its least certain phrases."""
    parser = whorl.load()
    text = "She saw the man in the park with a telescope."
    (sentence,) = parser(text)

    parses = parser(text, n_best=3)[0].parses
    for rank, parse in enumerate(parses, 1):
        print(f"{rank}. probability {math.exp(parse.log_probability):.3f}: {parse.tree}")

    print(f"Expected share of correct phrases: {sentence.confidence:.2f}")
    phrases = sorted(sentence.constituents(), key=lambda phrase: phrase.probability or 0)
    for phrase in phrases[:3]:
        print(f"{phrase.probability:.2f} {phrase.label}: {phrase.text}")


if __name__ == "__main__":
    main()
