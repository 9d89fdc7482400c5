"""A spaCy component that parses; public as `whorl.spacy`."""
