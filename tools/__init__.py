"""What serves the site, passes its tests, and measures what its statistics rest on."""
