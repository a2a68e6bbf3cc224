"""`python tests/pipeline/kill_line.py 20`: kill -9 a three-generation line at so many random moments, then compare every byte."""

import random
import sys
import tempfile
from pathlib import Path

from small_project import kill_after, make_project


def main(kills: int, seed: int = 1) -> int:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        calm, killed = (make_project(Path(folder) / name, generations=3) for name in ("calm", "killed"))
        calm.dvc("repro")
        done = 0
        while done < kills:
            moment = rng.uniform(1.5, 12.0)
            if not kill_after(killed, moment):
                print(f"the line ended before kill {done + 1}: it is resumed {done} times")
                break
            done += 1
            print(f"kill {done} after {moment:.1f} s: {len(killed.outputs())} files so far", flush=True)
        killed.python("-m", "flows", "repro")
        is_equal = killed.outputs() == calm.outputs() and killed.lock() == calm.lock()
        print(f"{done} kills: data, weights and dvc.lock are {'equal, byte for byte' if is_equal else 'NOT equal'}")
        return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
