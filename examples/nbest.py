"""See which other trees a parser considered, and which phrases it is unsure of."""

import math

import whorl


def main() -> None:
    """Print the three best trees of an ambiguous sentence and its least certain phrases."""
    parser = whorl.load()
    words = ["She", "saw", "the", "man", "with", "a", "telescope", "."]

    parses = parser.parse(words, n_best=3)
    for rank, parse in enumerate(parses, 1):
        print(f"{rank}. probability {math.exp(parse.log_probability):.3f}: {parse.tree}")

    (sentence,) = parser("She saw the man in the park with a telescope.")
    print(f"Expected share of correct phrases: {sentence.confidence:.2f}")
    phrases = sorted(sentence.constituents(), key=lambda phrase: phrase.probability or 0)
    for phrase in phrases[:3]:
        print(f"{phrase.probability:.2f} {phrase.label}: {phrase.text}")


if __name__ == "__main__":
    main()
