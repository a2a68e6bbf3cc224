"""`zeroline riddles`: a player of ours as a bot for the GOLAD engine. `zeroline riddles-match`: the engine's part."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from flows.gtp_command import own_stdout

if TYPE_CHECKING:
    from components.players.riddles import ProcessSeat
    from components.protocols.referee import Turn


def add_parsers(jobs: Any) -> None:
    bot = jobs.add_parser("riddles", help="play GOLAD as a Riddles.io bot")
    bot.add_argument("--player", required=True, metavar="TEXT", help="for example champion,sims=400 or search:NET.safetensors")
    bot.add_argument("--size", metavar="WxH", help="get ready for this board before the first line, for example 18x16")
    bot.add_argument("--seed", type=int, default=0)
    match = jobs.add_parser("riddles-match", help="let two Riddles.io bots play GOLAD under the official rules")
    match.add_argument("bots", nargs=2, metavar="COMMAND", help="the command lines of player 0 and player 1, each in quotes")
    match.add_argument("--game", default="golad-18x16", metavar="GAME")
    match.add_argument("--seed", default="zeroline", help="the official engine's seed text")
    match.add_argument("--games", type=int, default=2, metavar="N", help="sides are swapped after every game")
    match.add_argument("--timebank", type=int, default=10_000, metavar="MS")
    match.add_argument("--per-move", type=int, default=500, metavar="MS")
    match.add_argument("--show", action="store_true", help="draw the board after every turn")


def run_bot(options: argparse.Namespace) -> int:
    from components.games.golad.spec import FAMILY
    from components.protocols.lines import StreamLines
    from components.protocols.riddles import RiddlesBot, serve
    from components.protocols.thinking import check_player, trained_rules

    check_player(options.player, "golad", options.size or FAMILY.default_size)
    protocol = own_stdout()

    def write(text: str) -> None:
        protocol.write(text)
        protocol.flush()

    bot = RiddlesBot(options.player, seed=options.seed)
    if options.size:
        bot.thinker.sit(trained_rules(options.player, "golad", options.size))
    serve(bot, StreamLines(sys.stdin), write)
    return 0


def run_match(options: argparse.Namespace) -> int:
    from components.core.errors import BadParameter
    from components.games.registry import make

    game = make(options.game)
    if game.family != "golad" or game.rules.is_random:
        raise BadParameter(f"riddles-match plays golad with chosen sacrifices, not {game.name}.")
    scores = [0.0, 0.0]
    for number in range(options.games):
        swap = number % 2
        winner = play_one(options, game, number // 2, (options.bots[swap], options.bots[1 - swap]))
        for bot in (0, 1):
            scores[bot] += 0.5 if winner is None else float(winner ^ swap == bot)
    print(f"{options.bots[0]}: {scores[0]:g}, {options.bots[1]}: {scores[1]:g} in {options.games} games")
    return 0


def trouble(turn: "Turn", seat: "ProcessSeat", command: str) -> str:
    """Why an answer did not count."""
    if seat.is_shut_down:
        return f"player {turn.player} ({command}) ended or used up its timebank; it makes no more moves"
    return f"player {turn.player}: {turn.answer!r} refused: {turn.warning}"


def play_one(options: argparse.Namespace, game: Any, pair: int, commands: tuple[str, str]) -> int | None:
    """The winner, 0 or 1 as seated, or None."""
    from components.games.golad.check import drawn
    from components.games.golad.startboards import official_board
    from components.players.process import find_program
    from components.players.riddles import ProcessSeat, Timebank
    from components.protocols.referee import Turn, play_official_game

    gone: set[int] = set()

    def show(turn: Turn) -> None:
        if turn.warning and turn.player not in gone:
            print(trouble(turn, seats[turn.player], commands[turn.player]), flush=True)
        if seats[turn.player].is_shut_down:
            gone.add(turn.player)  # told once: it answers nothing in every turn to come
        if options.show:
            print(f"player {turn.player}: {turn.answer}\n{drawn(turn.board, game.spec.width)}\n")

    start = official_board(
        f"{options.seed}-{pair}", game.spec.width, game.spec.height, int(game.rules.cells), bool(game.rules.is_separate)
    )
    seats: list[ProcessSeat] = []
    try:
        for command in commands:
            seats.append(ProcessSeat(find_program(command), Timebank(options.timebank, options.per_move), survives_death=True))
        played = play_official_game(game, start, seats, show)
    finally:
        for seat in seats:
            seat.close()
    outcome = "tie" if played.winner is None else f"player {played.winner} ({commands[played.winner]}) wins"
    print(f"{outcome} after {played.rounds} rounds", flush=True)
    return played.winner
