"""Environment of the tools we drive, set before they are imported: no telemetry, no server needed, patience on busy machines."""

import os

SETTINGS = {
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
    # Self-play makes machines busy; the default of 20 s is not enough then.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "DO_NOT_TRACK": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DVC_NO_ANALYTICS": "1",
}


def apply_settings() -> None:
    """What the user has set already stays."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
