"""The games: one folder each, behind the contract in contract.py. README.md here tells how to add one."""
