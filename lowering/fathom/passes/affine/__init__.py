"""What is known of affine loops and accesses: systems of constraints, dependences, and what follows from them."""
