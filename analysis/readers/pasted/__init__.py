"""Tables as people paste them: their form, their heads, and the results in them."""
