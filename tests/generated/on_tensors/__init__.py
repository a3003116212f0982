"""Programs on tensors that are made up, and what they are to return."""
