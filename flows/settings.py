"""Environment of the tools we drive, set before they are imported: no telemetry. Prefect's own settings are in prefect.toml."""

import os

SETTINGS = {
    "DO_NOT_TRACK": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DVC_NO_ANALYTICS": "1",
}


def apply_settings() -> None:
    """What the user has set already stays."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
