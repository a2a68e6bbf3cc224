"""What a run looks like to people: its numbers, plots, drawn games and the page that shows them all."""
