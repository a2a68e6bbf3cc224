"""Tuning: which parameters a study may change, what a trial may cost, and the study itself. The only rooms that import optuna."""
