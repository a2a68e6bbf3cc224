"""`python -m flows run EXPERIMENT`: the line as a Prefect flow, with no server to start."""

import sys

from flows.cli import main

if __name__ == "__main__":
    sys.exit(main())
