"""Tools that serve the site, run its tests, and measure what its statistics rest on."""
