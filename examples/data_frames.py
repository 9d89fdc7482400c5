"""Put phrases into pandas and draw the least certain one: `pip install 'whorl[pandas]'`."""

import sys
from pathlib import Path

import whorl

TEXT = """The public is still cautious. She saw the man in the park with a telescope. It works!
Flying planes can be dangerous. The old man the boat. Time flies like an arrow."""


def main(folder: str = ".") -> None:
    """Count what verb phrases consist of, list uncertain phrases, and draw the worst."""
    parser = whorl.load()
    document = parser(TEXT)

    phrases = document.to_pandas()  # a row for each phrase
    phrases["above"] = phrases["parent"].map(phrases["label"])
    print("Phrases in verb phrases:")
    for label, count in phrases[phrases["above"] == "VP"]["label"].value_counts().items():
        print(f"{count:3} {label}")

    print("Least certain phrases:")
    uncertain = phrases.nsmallest(3, "probability")
    for phrase in uncertain.itertuples():
        print(f"{phrase.probability:.2f} {phrase.label}: {phrase.text}")

    sentence = document[uncertain["sentence"].iloc[0]]
    picture = Path(folder, "uncertain.svg")
    picture.write_text(sentence.svg(), encoding="utf-8")  # dashed where the parser is unsure
    print(f"Drawn to {picture}: {sentence.text}")
    print(sentence.pretty())


if __name__ == "__main__":
    main(*sys.argv[1:])
