"""From trees to arrays: vocabularies, pretrained vectors, and the traces of transition sequences."""
