"""The official engine's start boards, exactly, from their seed strings. Plain Python.

Called by the conformance check and by whoever wants to replay an official match. Self-play draws its boards in rules.setup:
the same law, from our own streams.
"""

import hashlib

from components.core.errors import BadParameter
from components.games.golad.spec import fits

COLOURS = "01"
INT_BITS = 31


class JavaSha1Random:
    """Java's SecureRandom "SHA1PRNG", seeded once: a chain of SHA-1 digests."""

    def __init__(self, seed: bytes) -> None:
        self.chain = bytearray(hashlib.sha1(seed).digest())
        self.unused = b""

    def next_bytes(self, count: int) -> bytes:
        while len(self.unused) < count:
            self.unused += self.next_block()
        taken, self.unused = self.unused[:count], self.unused[count:]
        return taken

    def next_block(self) -> bytes:
        """The digest of the chain, which moves on by it: a sum of signed bytes with carry, starting at 1."""
        block = hashlib.sha1(self.chain).digest()
        before = bytes(self.chain)
        carry = 1
        for index, (old, new) in enumerate(zip(before, block, strict=True)):
            total = signed(old) + signed(new) + carry
            self.chain[index] = total & 0xFF
            carry = total >> 8
        if self.chain == before:
            self.chain[0] = (self.chain[0] + 1) & 0xFF
        return block

    def next_int(self, bound: int) -> int:
        """Uniform in [0, bound): a power of two takes the top bits, any other bound the remainder, redrawn where uneven."""
        while True:
            drawn = int.from_bytes(self.next_bytes(4)) >> 1
            if bound & (bound - 1) == 0:
                return (bound * drawn) >> INT_BITS
            if drawn - drawn % bound + bound - 1 < 1 << INT_BITS:
                return drawn % bound


def signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def official_board(seed: str, width: int, height: int, cells: int, is_separate: bool) -> str:
    """The row-major start board of the official engine for a configuration; refuses what it refuses."""
    if height % 2:
        raise BadParameter(f"The official engine has no start board of height {height}; the height must be even.")
    if not fits(cells, width, height):
        raise BadParameter(
            f"The official engine refuses {cells} start cells per player on {width}x{height}: both players' may take 60 % of it."
        )
    random = JavaSha1Random(seed.encode(errors="replace"))  # Java, too, writes "?" for half a surrogate pair
    size = width * height
    board = ["."] * size
    free = list(range(size // 2))
    for _ in range(cells):
        cell = free.pop(random.next_int(len(free)))
        owner = 0 if is_separate else random.next_int(2)
        board[cell], board[size - 1 - cell] = COLOURS[owner], COLOURS[1 - owner]
    return "".join(board)
