"""Use Whorl in a spaCy pipeline: the widest noun phrases of a stream of texts."""

import spacy

TEXTS = [
    "The committee on trade rejected the proposal. Its members want a longer debate.",
    "Which of the two roads to the old harbour did she take?",
]


def main() -> None:
    """Print the noun phrases of each text that are not part of another, and how sure they are."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("whorl")
    for doc in nlp.pipe(TEXTS):
        for sentence in doc.sents:
            print(sentence._.parse_string)
            end = 0
            for phrase in sentence._.constituents:
                if "NP" in phrase._.labels and phrase.start >= end:
                    print(f"  {phrase._.probability:.2f}  {phrase}")
                    end = phrase.end


if __name__ == "__main__":
    main()
