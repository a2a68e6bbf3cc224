"""Plain Python: rules, search, nets, data, training, evaluation. No Prefect and no DVC below this folder."""
