"""The rules lab: is a rule set fair, decisive and varied, and which handicap makes it fair? Measured by trained self-play."""
