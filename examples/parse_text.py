"""Parse raw text, find each phrase in the text it came from, and walk a tree."""

import whorl


def main() -> None:
    """Print the noun phrases of a text with their offsets, then one tree."""
    parser = whorl.load()  # the English model in the package
    document = parser("The public is still cautious. “It’s over,” said the doctor from Berlin.")

    for sentence in document:
        print(f"{sentence.start}–{sentence.end}: {sentence.text}")
        for phrase in sentence.constituents():
            if phrase.label == "NP":
                # Offsets count characters of the document, so the original spelling is at hand.
                print(f"  NP {phrase.start}–{phrase.end}: {phrase.text}")

    tree = document[0].tree
    print(list(zip(tree.words(), tree.tags(), strict=True)))
    for node in tree.phrases():
        labels = ", ".join(child.label for child in node.children)
        print(f"{node.label} over words {node.left}–{node.right}: {labels}")
    print(tree.pretty())


if __name__ == "__main__":
    main()
