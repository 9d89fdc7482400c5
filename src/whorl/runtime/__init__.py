"""Running a trained `span` model without PyTorch."""
