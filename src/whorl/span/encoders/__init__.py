"""The encoders of the span network: word features, a BiLSTM, a transformer."""
