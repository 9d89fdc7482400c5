"""What model folders of all networks share: the description, content-addressed files, tensors."""
