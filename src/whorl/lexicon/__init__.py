"""What both networks know about words: vocabularies, vectors, characters and word pieces."""
