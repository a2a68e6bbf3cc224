"""All results of an Organism ply in plain Python: dictionaries, tuples and the rules of the report, nothing of ours.

The benchmark measures our kernels against it; the tests use it as an independent oracle. Positions are the vectors' state
strings; `results_of_ply` returns the set of them.
"""

from itertools import product

DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
BEATS = {("E", "G"), ("G", "M"), ("M", "E")}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
CAP = 3
NEIGHBOURS: dict[int, list[list[int]]] = {}


def neighbours_of(cells: int) -> list[list[int]]:
    """The neighbours of every cell on the board with that many cells."""
    if cells not in NEIGHBOURS:
        places = [(0, 0)]
        ring = 1
        while len(places) < cells:
            for step in range(6 * ring):
                side, along = divmod(step, ring)
                (down, right), (on_down, on_right) = DIRECTIONS[side], DIRECTIONS[(side + 2) % 6]
                places.append((ring * down + along * on_down, ring * right + along * on_right))
            ring += 1
        index = {place: cell for cell, place in enumerate(places)}
        around = [[(row + down, column + right) for down, right in DIRECTIONS] for row, column in places]
        NEIGHBOURS[cells] = [[index[place] for place in places if place in index] for places in around]
    return NEIGHBOURS[cells]


def state_from_text(text):
    """(elements {cell: letter}, food tuple, mover 1 or 2, tokens, pending cells) of a state string."""
    board, food, mover, tokens, pending = text.split("/")
    elements = {cell: letter for cell, letter in enumerate(board) if letter != "."}
    counts = tuple(DIGITS.index(digit) for digit in food)
    waiting = frozenset(map(int, pending.split(","))) if pending else frozenset()
    return elements, counts, int(mover), tuple(map(int, tokens.split(","))), waiting


def text_of(elements, food, mover, tokens, pending):
    board = "".join(elements.get(cell, ".") for cell in range(len(food)))
    digits = "".join(DIGITS[count] for count in food)
    return f"{board}/{digits}/{mover}/{tokens[0]},{tokens[1]}/{','.join(map(str, sorted(pending)))}"


def owner(letter):
    return 1 if letter.isupper() else 2


def groups_of(elements, player, near):
    """The connected groups of a player's elements."""
    left = {cell for cell, letter in elements.items() if owner(letter) == player}
    groups = []
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            group.add(cell)
            edge += [other for other in near[cell] if other in left]
            left -= set(near[cell])
        groups.append(frozenset(group))
    return groups


def with_food(food, changes):
    counts = list(food)
    for cell, change in changes:
        counts[cell] += change
    return tuple(counts)


def eats(elements, food, members, near):
    for eater in members:
        if elements[eater].upper() == "E" and food[eater] < CAP:
            for source in near[eater]:
                if source not in elements and food[source] > 0:
                    yield elements, with_food(food, ((eater, 1), (source, -1))), members


def circulations(elements, food, members, near):
    for giver in members:
        if food[giver] > 0:
            for receiver in near[giver]:
                if receiver in elements and owner(elements[receiver]) == owner(elements[giver]) and food[receiver] < CAP:
                    yield elements, with_food(food, ((giver, -1), (receiver, 1))), members


def moves(elements, food, members, near):
    movers = {cell for cell in members if elements[cell].upper() == "M"}
    for cell in members:
        if food[cell] == 0 or not (cell in movers or movers & set(near[cell])):
            continue
        for target in near[cell]:
            if target in elements:
                continue
            moved = {place: letter for place, letter in elements.items() if place != cell}
            moved[target] = elements[cell]
            joined = (members - {cell}) | {target}
            carried = ((cell, -food[cell]), (target, food[cell] - food[target]))
            pushes = [push for push in near[target] if push not in elements and push != cell] if food[target] else []
            for push in pushes or [None]:
                pushed = () if push is None else ((push, food[target]),)
                yield moved, with_food(food, carried + pushed), joined


def grows(elements, food, members, near):
    growers = sorted(cell for cell in members if elements[cell].upper() == "G")
    player = owner(elements[growers[0]])
    births = {cell for grower in growers for cell in near[grower] if cell not in elements}
    births = [cell for cell in births if not any(place in elements and owner(elements[place]) != player for place in near[cell])]
    for kind in "EMG":
        cost = sum(elements[cell].upper() == kind for cell in members)
        letter = kind if player == 1 else kind.lower()
        for split in product(*(range(min(cost, food[grower]) + 1) for grower in growers)):
            if sum(split) == cost:
                paid = [(grower, -amount) for grower, amount in zip(growers, split, strict=True)]
                for cell in births:
                    yield {**elements, cell: letter}, with_food(food, [*paid, (cell, -food[cell])]), members | {cell}


SUB_ACTIONS = {"E": eats, "M": moves, "G": grows}


def sequences(elements, food, group, kind, near):
    """The distinct boards after exactly as many sub-actions as the group has elements of the kind."""
    boards = {(tuple(sorted(elements.items())), food, group)}
    for _ in range(sum(elements[cell].upper() == kind for cell in group)):
        following = set()
        for items, counts, members in boards:
            board = dict(items)
            for step in (SUB_ACTIONS[kind], circulations):
                for new_board, new_food, new_members in step(board, counts, members, near):
                    following.add((tuple(sorted(new_board.items())), new_food, new_members))
        boards = following
    return {(items, counts) for items, counts, _ in boards}


def resolve(elements, food, tokens, near):
    """Conflicts, then integrity, on copies."""
    elements, food, scores = dict(elements), list(food), list(tokens)
    attackers = {
        victim: [cell for cell in near[victim] if cell in elements and fights(elements[cell], elements[victim])]
        for victim in elements
    }
    attackers = {victim: cells for victim, cells in attackers.items() if cells}
    for cells in attackers.values():
        for cell in cells:
            scores[owner(elements[cell]) - 1] += 1
    while attackers:
        free = [victim for victim in attackers if not any(victim in cells for cells in attackers.values())]
        assert free, "a closed capture cycle: outside what this reference is for"
        for victim in free:
            heir = min(attackers.pop(victim), key=lambda cell: {1: 0, 0: 1}.get(cell, cell))
            food[heir] += food[victim]
            food[victim] = 0
            del elements[victim]
    for player in (1, 2):
        for group in groups_of(elements, player, near):
            if len({elements[cell].upper() for cell in group}) < 3:
                scores[2 - player] += len(group)
                for cell in group:
                    del elements[cell]
                    food[cell] += 1
    return elements, tuple(food), tuple(scores)


def fights(attacker, victim):
    return owner(attacker) != owner(victim) and (attacker.upper(), victim.upper()) in BEATS


def results_of_ply(state) -> set[str]:
    """The state strings of all results of one organism's ply; the pass if there is no other."""
    elements, food, mover, tokens, pending = state
    near = neighbours_of(len(food))
    waiting = [group for group in groups_of(elements, mover, near) if group & pending]
    results = set()
    for group in waiting:
        others = set().union(*(other for other in waiting if other != group))
        for kind in "EMG":
            for items, counts in sequences(elements, food, group, kind, near):
                board, left, scores = resolve(dict(items), counts, tokens, near)
                if board != elements or left != food:
                    results.add(text_after(board, left, scores, mover, others, near))
    return results or {text_after(elements, food, tokens, mover, set(), near)}


def text_after(elements, food, tokens, mover, others, near):
    """The position with whoever is on move then: the same player while other organisms of theirs were waiting."""
    to_move = mover if others else 3 - mover
    groups = groups_of(elements, to_move, near)
    pending = [cell for group in groups if not others or group & others for cell in group]
    return text_of(elements, food, to_move, tokens, pending)
