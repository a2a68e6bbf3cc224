"""Hand-made specs, nets and planes: the tests of nets need no game but these."""

import torch

from components.games.contract import Spec, square_maps


def make_spec(planes=4, height=5, width=5, policy_planes=1, policy_extras=1):
    return Spec(
        rules_version=1,
        height=height,
        width=width,
        plane_names=tuple(f"plane {index}" for index in range(planes)),
        policy_planes=policy_planes,
        policy_extras=policy_extras,
        max_legal=height * width + 1,
        max_plies=100,
        draws=0,
        cell_maps=square_maps(height, width),
    )


def shake(model, seed=1):
    """Give a new net weights and statistics as if it had been trained: no zeros, no ones, no small heads."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if "running_var" in name:
                tensor.copy_(0.5 + torch.rand(tensor.shape, generator=generator))
            elif tensor.dtype == torch.float32 and tensor.dim() == 1:
                tensor.copy_(0.5 + 0.3 * torch.randn(tensor.shape, generator=generator))
            elif "policy_maps" in name or name in ("value.weight", "extras.weight"):
                tensor.copy_(0.2 * torch.randn(tensor.shape, generator=generator))
    return model.eval()


def random_planes(spec, count, seed=2):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(count, spec.planes, spec.height, spec.width, generator=generator) < 0.4).float()
