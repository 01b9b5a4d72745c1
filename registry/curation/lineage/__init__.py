"""Who systems come from, and what they were trained on."""
