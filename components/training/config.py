"""How a net is trained, as parameters: one frozen model, checked once. No torch: instant to import."""

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Weight = Annotated[float, Field(ge=0, le=1000)]
Share = Annotated[float, Field(gt=0, lt=1)]
Optimizer = Literal["adamw", "adam", "sgd"]
Schedule = Literal["constant", "cosine", "step", "cyclical"]
Method = Literal["search", "reinforce", "supervised"]
NEW = "new"  # where a line starts: new weights; a file of this name lies beside params.yaml for DVC


class TrainConfig(BaseModel):
    """Every knob of training. How long: `steps` or `epochs`, or as long as `uses_per_row` allows; it limits both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Method = Field(default="search", description="learn the search's policy, REINFORCE, or the moves of recorded games")
    start: str = Field(default="parent", min_length=1, description="parent, scratch, or the path of a net to transfer from")

    batch_size: int = Field(default=128, ge=1, le=65_536, description="rows per step")
    steps: int | None = Field(default=None, ge=1, description="steps to do")
    epochs: float | None = Field(default=None, gt=0, le=10_000, description="times to go through the window")
    uses_per_row: float | None = Field(
        default=4.0, gt=0, le=10_000, description="rows drawn per new row at most; none = no limit, then set steps or epochs"
    )

    optimizer: Optimizer = Field(default="adamw", description="adamw decouples its decay; adam and sgd add it to the gradient")
    learning_rate: float = Field(default=1e-3, gt=0, le=10, description="the highest rate; cyclical climbs to it")
    momentum: float = Field(default=0.9, ge=0, lt=1, description="of sgd")
    weight_decay: float = Field(default=1e-4, ge=0, le=1)
    decayed: Literal["kernels", "all"] = Field(default="kernels", description="all = norms and biases decay too")
    gradient_clip: float | None = Field(default=5.0, gt=0, description="longest gradient allowed; none = any")
    reset_optimizer: bool = Field(default=True, description="false = go on with the parent's moments and age")

    schedule: Schedule = Field(default="constant")
    warmup_steps: int = Field(default=0, ge=0, description="steps in which the rate climbs from 0")
    final_share: float = Field(default=0.05, ge=0, le=1, description="cosine ends at this share of learning_rate")
    milestones: tuple[Share, ...] = Field(default=(0.5, 0.75), description="step: shares of the run after which the rate falls")
    step_factor: float = Field(default=0.1, gt=0, le=1, description="step: factor of each fall")
    cycle_low: float = Field(default=1e-4, gt=0, le=10, description="cyclical: the lowest rate")
    cycle_epochs: float = Field(default=10.0, gt=0, description="cyclical: epochs of one way up and down")
    cycle_gamma: float = Field(default=0.99, gt=0, le=1, description="cyclical: the height shrinks by this with every cycle")

    value_weight: Weight = Field(default=1.0, description="of the value's loss beside the policy's")
    value_mix: float = Field(default=0.0, ge=0, le=1, description="share of the search's value in the value target")
    mask_illegal: bool = Field(default=True, description="the policy is a choice among legal actions only")
    auxiliary_weights: dict[str, Weight] = Field(default_factory=dict, description="further targets by name")
    symmetries: bool = Field(default=True, description="turn each row at random")
    held_out: float = Field(default=0.05, ge=0, lt=1, description="share of games kept for the validation loss")
    validation_rows: int = Field(default=2048, ge=1, description="held-out rows looked at per report at most")

    ema: float | None = Field(default=None, gt=0, lt=1, description="candidate = moving average of the weights with this decay")
    precision: Literal["auto", "fp32", "bf16"] = Field(default="fp32", description="auto = bf16 where the processor computes it")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field(default="cpu", description="bitwise repeatable on cpu only")
    threads: int = Field(default=1, ge=1, le=256, description="of torch; another number rounds differently")

    report_steps: int = Field(default=50, ge=1, description="steps per line of training.json")
    checkpoint_seconds: float = Field(default=30.0, gt=0, le=60, description="a kill loses no more than this")
    checkpoint_steps: int | None = Field(default=None, ge=1, description="also after so many steps")

    @model_validator(mode="after")
    def refuse_contradictions(self) -> "TrainConfig":
        if self.steps is not None and self.epochs is not None:
            raise ValueError("steps and epochs both say how long to train; set one of them")
        if self.steps is None and self.epochs is None and self.uses_per_row is None:
            raise ValueError("nothing says how long to train; set steps, epochs or uses_per_row")
        if self.schedule == "cyclical" and self.cycle_low > self.learning_rate:
            raise ValueError(f"cycle_low {self.cycle_low} is above learning_rate {self.learning_rate}, the top of the cycle")
        if list(self.milestones) != sorted(set(self.milestones)):
            raise ValueError(f"milestones must rise: found {', '.join(map(str, self.milestones))}")
        if self.method != "search" and self.value_mix:
            raise ValueError(f"value_mix belongs to method search; {self.method} trains on results alone")
        return self

    @property
    def weighted_auxiliaries(self) -> tuple[str, ...]:
        return tuple(sorted(name for name, weight in self.auxiliary_weights.items() if weight > 0))


def missing_heads(config: TrainConfig, heads: Collection[str]) -> str:
    """What is wrong when weighted auxiliary targets have no head in the net; empty if all have one."""
    missing = [name for name in config.weighted_auxiliaries if name not in heads]
    known = f"auxiliary_weights names {', '.join(missing)}, the net has heads for {', '.join(heads) or 'none'}."
    return f"{known} Add them to net.auxiliary or leave the weights out." if missing else ""
