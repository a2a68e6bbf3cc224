"""Who is stronger, and how sure are we: paired matches, the gate, tournaments and ratings. No prints, no tracking."""
