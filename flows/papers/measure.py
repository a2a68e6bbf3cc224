"""How each kind of row is measured. Each takes the row and the desk, plays or reads, and returns the numbers for its file.

Games go to a ledger, so a killed measurement goes on where it was; seconds are those of the games as they were played.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from components.core.files import digest_of, json_text, read_json, write_json
from components.evaluation.config import TournamentConfig
from components.evaluation.match import play_match
from components.evaluation.one_sided import play_one_sided
from components.evaluation.tournament import TournamentResult, run_tournament
from components.games.contract import Game, Player
from components.games.registry import make
from components.players.external import is_external
from components.players.registry import make_player
from components.protocols.ladders import try_player
from components.protocols.one_sided_report import play_table_line
from flows.console import ProgressLine
from flows.papers.curves import measure_curve, measure_losses
from flows.papers.desk import Desk, first_present
from flows.papers.nets import Entrant
from flows.papers.plan import (
    SIMULATIONS,
    EqualTimeRow,
    GamesRow,
    MatchRow,
    OneSidedRow,
    Row,
    SelfScoreRow,
    TimeRow,
    TournamentRow,
)
from flows.papers.play import Pair, TimedPlayer, names_of, play_paired

Numbers = dict[str, Any]
TRIALS = 6  # searches for equal time; each is a few games
NEAR = (0.9, 1.05)  # of the opponent's seconds: a little less is fair, more is not
MOST_SIMULATIONS = 100_000


def measure(row: Row, desk: Desk) -> Numbers:
    kinds: dict[str, Callable[[Any, Desk], Numbers]] = {
        "match": measure_match, "equal-time": measure_equal_time, "one-sided": measure_one_sided,
        "self-score": measure_self_score, "time-per-move": measure_time, "tournament": measure_tournament,
        "curve": measure_curve, "losses": measure_losses,
    }  # fmt: skip
    return kinds[row.kind](row, desk)


def opponent_of(row: GamesRow, desk: Desk, game: Game) -> tuple[Entrant, Player, Numbers]:
    """(who, the player, what to tell of the choice): a stand-in is named as one."""
    entrants = [desk.enter(text, row) for text in row.opponent]
    entrant, player = first_present(entrants, game)
    return entrant, player, {"stand_in_for": None if entrant == entrants[0] else entrants[0].label}


def measure_match(row: MatchRow, desk: Desk) -> Numbers:
    game = make(row.game)
    return play_row(row, desk, game, desk.enter(row.player, row), opponent_of(row, desk, game))


def play_row(row: GamesRow, desk: Desk, game: Game, player: Entrant, against: tuple[Entrant, Player, Numbers]) -> Numbers:
    opponent, other, told = against
    summary = play_paired(
        game, (make_player(player.text, game), other), names_of(player, opponent), desk.wanted_games(row), desk.folder(row),
        seed=row.seed, slots=row.slots, opening=row.opening,
    )  # fmt: skip
    return summary | told


def measure_equal_time(row: EqualTimeRow, desk: Desk) -> Numbers:
    """Find the simulations that take the opponent's seconds, then play the match one game at a time."""
    game = make(row.game)
    against = opponent_of(row, desk, game)
    found = equal_simulations(row, desk, game, against[0])
    player = desk.enter(row.player.replace(SIMULATIONS, str(found["simulations"])), row)
    summary = play_row(row, desk, game, player, against)
    share = summary["player_seconds"] / max(1e-9, summary["opponent_seconds"])
    return summary | found | {"seconds_ratio": round(share, 3)}


def equal_simulations(row: EqualTimeRow, desk: Desk, game: Game, opponent: Entrant) -> Numbers:
    """The number found before if there is one: a match that goes on must not change its player."""
    memory = desk.folder(row) / "simulations.json"
    key = digest_of(json_text([row.asked(), desk.sources(row), opponent.label]).encode())
    if memory.exists() and read_json(memory)["key"] == key:
        return {name: value for name, value in read_json(memory).items() if name != "key"}
    found = search_simulations(row, desk, game, opponent)
    write_json(memory, {"key": key, **found})
    return found


def search_simulations(row: EqualTimeRow, desk: Desk, game: Game, opponent: Entrant) -> Numbers:
    line, trials = ProgressLine(), []
    simulations = row.simulations
    pilot(row, desk, game, opponent, simulations, 0)  # loads the nets; its seconds are nobody's
    for trial in range(1, TRIALS + 1):
        ratio = pilot(row, desk, game, opponent, simulations, trial)
        trials.append({"simulations": simulations, "seconds_ratio": round(ratio, 3)})
        line.show(f"{row.id}: {simulations} simulations take {ratio:.2f} of the opponent's time", is_last=True)
        if NEAR[0] <= ratio <= NEAR[1] or (simulations == 1 and ratio > 1):
            break
        simulations = min(MOST_SIMULATIONS, max(1, round(simulations / ratio)))
    return {"simulations": simulations, "trials": trials}


def pilot(row: EqualTimeRow, desk: Desk, game: Game, opponent: Entrant, simulations: int, trial: int) -> float:
    """The player's seconds for each second of the opponent's, over whole games: their choices may be of different sizes."""
    player = desk.enter(row.player.replace(SIMULATIONS, str(simulations)), row)
    players = (make_player(player.text, game), make_player(opponent.text, game))
    pairs = row.pilot_games // 2 if trial else 1
    result = play_match(game, *players, pairs, row.seed + 1000 * (trial + 1), 1, opening_plies=row.opening)
    spent = [sum(record.seconds[who] for record in result.records) for who in (0, 1)]
    return max(1e-9, spent[0]) / max(1e-9, spent[1])


def measure_one_sided(row: OneSidedRow, desk: Desk) -> Numbers:
    game = make(row.game)
    player, (opponent, other, told) = desk.enter(row.player, row), opponent_of(row, desk, game)
    return play_line(row, desk, game, (make_player(player.text, game), other), names_of(player, opponent)) | told


def measure_self_score(row: SelfScoreRow, desk: Desk) -> Numbers:
    game, player = make(row.game), desk.enter(row.player, row)
    players = (make_player(player.text, game), make_player(player.text, game))
    return play_line(row, desk, game, players, names_of(player, player))


def play_line(row: OneSidedRow | SelfScoreRow, desk: Desk, game: Game, players: Pair, names: tuple[str, str]) -> Numbers:
    games = desk.wanted_games(row)
    line = play_table_line(
        game, players, names, games, seed=row.seed, slots=row.slots, opening_plies=row.opening, folder=desk.folder(row),
        on_game=GameCount(row.id, games),
    )  # fmt: skip
    return line | {"slots": min(row.slots, games)}


class GameCount:
    """A progress line for games that are played one-sided."""

    def __init__(self, label: str, games: int) -> None:
        self.label, self.games, self.played = label, games, 0
        self.line = ProgressLine()

    def __call__(self, record: Any) -> None:
        self.played += 1
        self.line.show(f"{self.label}: {self.played} games played, {self.games} wanted", is_last=self.played == self.games)


class PairCount:
    """A progress line for a tournament."""

    def __init__(self, label: str, pairs: int) -> None:
        self.label, self.pairs = label, pairs
        self.line = ProgressLine()

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] == "tournament_ratings":
            left = event["pairs_left"]
            self.line.show(f"{self.label}: {2 * (self.pairs - left)} of {2 * self.pairs} games", is_last=left == 0)


def measure_time(row: TimeRow, desk: Desk) -> Numbers:
    game, player = make(row.game), desk.enter(row.player, row)
    timed = TimedPlayer(make_player(player.text, game))
    games = desk.wanted_games(row)
    play_one_sided(game, timed, timed, games + 1, row.seed, 1, names=(player.label, player.label))
    return {"game": game.name, "player": player.label, "opponent": "itself", "games": games, **timed.numbers()}


def measure_tournament(row: TournamentRow, desk: Desk) -> Numbers:
    game = make(row.game)
    entrants = {name: desk.enter(text, row) for name, text in row.entries.items()}
    left_out = {name: why for name, entrant in entrants.items() if (why := why_absent(entrant, game))}
    entries = {name: entrant for name, entrant in entrants.items() if name not in left_out}
    pairs = desk.wanted_games(row) // 2
    config = TournamentConfig(
        pairs=pairs * len(entries) * (len(entries) - 1) // 2, min_pairs=pairs, anchor=row.anchor, slots=row.slots,
        opening_plies=row.opening,
    )  # fmt: skip
    makers: dict[str, Callable[[], Player]] = {
        name: lambda entrant=entrant: make_player(entrant.text, game)  # type: ignore[misc]
        for name, entrant in entries.items()
    }
    ledger = ledger_of(desk.folder(row), entries)
    result = run_tournament(game, makers, config, row.seed, ledger, PairCount(row.id, config.pairs))
    players = {name: entrant.label for name, entrant in entries.items()}
    return tournament_numbers(result) | {"game": game.name, "games": 2 * pairs, "players": players, "left_out": left_out}


def why_absent(entrant: Entrant, game: Game) -> str:
    """Why an outside program cannot play here; empty for one that can and for players of our own, whose errors are errors."""
    return try_player(entrant.text, game)[1] if is_external(entrant.text) else ""


def ledger_of(folder: Path, entries: dict[str, Entrant]) -> Path:
    """A ledger knows players by their names in the table; another net behind a name needs another ledger."""
    labels = {name: entrant.label for name, entrant in sorted(entries.items())}
    return folder / digest_of(json_text(labels).encode()) / "games.jsonl"


def tournament_numbers(result: TournamentResult) -> Numbers:
    kept = ("player", "opponent", "games", "wins", "draws", "losses", "score", "interval")
    matches = [match.to_dict() for _, match in sorted(result.matches.items())]
    return {
        "anchor": result.anchor,
        "ratings": [rating.to_dict() for rating in result.ratings],
        "crosstable": result.crosstable_rows(),
        "matches": [{name: match[name] for name in kept} for match in matches],
        "seconds_per_move": {name: seconds_of(name, result) for name in result.names},
    }


def seconds_of(name: str, result: TournamentResult) -> float:
    """Of all moves that a player made, its share of every batch."""
    spent, moves = 0.0, 0
    for names, match in result.matches.items():
        for who in (0, 1):
            if names[who] == name:
                spent += sum(record.seconds[who] for record in match.records)
                moves += sum(record.moves[who] for record in match.records)
    return round(spent / max(1, moves), 6)
