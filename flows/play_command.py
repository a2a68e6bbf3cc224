"""`zeroline play --game GAME --against PLAYER`: a person against any player, at the terminal."""

import argparse
import sys
from pathlib import Path
from typing import Any

from components.core.errors import BadParameter


def add_parser(jobs: Any) -> None:
    command = jobs.add_parser("play", help="play against a player yourself")
    command.add_argument("--game", metavar="GAME", help="for example go-9x9, golad-8x8, tictactoe")
    command.add_argument("--against", metavar="PLAYER", help="for example champion, uct:sims=1000 or search:NET.safetensors")
    command.add_argument("--second", action="store_true", help="let the other one begin")
    command.add_argument("--seed", type=int, default=0, help="decides the start position where it is drawn, and the opponent")
    command.add_argument("--load", type=Path, metavar="FILE", help="go on with a game saved as .json, or with any .sgf of Go")


def run(options: argparse.Namespace) -> int:
    session = open_session(options)
    try:
        say(session.opening_lines())
        while not session.is_done:
            sys.stdout.write("> ")
            sys.stdout.flush()
            line = sys.stdin.readline()
            if not line:
                break
            say(session.hear(line))
    except KeyboardInterrupt:
        print("\nGoodbye.")
    finally:
        session.close()
    return 0


def open_session(options: argparse.Namespace) -> Any:
    from components.games.registry import make
    from components.players.registry import make_player
    from components.protocols.play_session import PlaySession, load_saved

    if options.load:
        game, saved = load_saved(options.load)
        text, side = options.against or saved["opponent"], int(options.second) or saved["side"]
        if not text:
            raise BadParameter(f"{options.load} names no opponent of ours; add one, for example --against champion.")
        return PlaySession(game, make_player(text, game), text, side, saved["seed"], saved["actions"])
    if not options.game or not options.against:
        raise BadParameter("play needs --game and --against, or --load; for example --game go-9x9 --against uct:sims=1000.")
    game = make(options.game)
    return PlaySession(game, make_player(options.against, game), options.against, int(options.second), options.seed)


def say(lines: list[str]) -> None:
    for line in lines:
        print(line, flush=True)
