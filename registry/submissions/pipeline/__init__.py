"""From what was handed in to rows that say what would become of them, and what a reviewer should look at."""
