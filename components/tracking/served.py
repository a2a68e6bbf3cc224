"""The model that MLflow stores beside a net's weights and runs in `mlflow models serve`: {state} -> {policy, value}.

MLflow copies this file into every logged model and executes it there; nothing else imports it.
"""

from typing import Any

import mlflow
import pandas as pd  # type: ignore[import-untyped]
from mlflow.exceptions import MlflowException
from mlflow.pyfunc import PythonModel

from components.core.errors import ZerolineError
from components.tracking.answers import NetAnswers


class ServedNet(PythonModel):
    def load_context(self, context: Any) -> None:
        self.answers = NetAnswers(context.artifacts["net"], context.model_config["prior_temperature"])

    def predict(self, context: Any, model_input: pd.DataFrame, params: dict[str, Any] | None = None) -> pd.DataFrame:
        """model_input: table with the column state."""
        try:
            answers = self.answers.answer([str(text) for text in model_input["state"]])
        except ZerolineError as error:
            # The only kind whose sentence the scoring server passes on to the one who asked.
            raise MlflowException.invalid_parameter_value(str(error)) from None
        return pd.DataFrame(answers, columns=["policy", "value"])


mlflow.models.set_model(ServedNet())
