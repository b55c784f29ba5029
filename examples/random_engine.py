#!/usr/bin/env python3
"""A tiny engine for the Game of the Amazons: it plays any legal move.

It speaks the protocol of `rookery ugi` on standard input and output, so it can play matches:

    rookery match easy examples/random_engine.py --game amazons --games 4 --movetime 100

It needs nothing but Python's standard library. To write an engine of your own, make `choose` clever.
"""

import random
import sys

START = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Board:
    """Squares are (column, row) from 0, with a1 at (0, 0); taken ones are in `pieces`: Q, q or * (an arrow)."""

    def __init__(self, fen):
        rows, side = fen.split()[:2]
        self.pieces, self.white = {}, side == "w"
        lines = rows.split("/")
        self.height = len(lines)
        for down, line in enumerate(lines):
            column, number = 0, ""
            for sign in line + " ":
                if sign.isdigit():
                    number += sign
                    continue
                column, number = column + int(number or 0), ""
                if sign != " ":
                    self.pieces[column, self.height - 1 - down] = sign if sign in "Qq" else "*"
                    column += 1
            self.width = column

    def rays(self, start):
        """The free squares a queen reaches."""
        for dx, dy in DIRECTIONS:
            x, y = start[0] + dx, start[1] + dy
            while 0 <= x < self.width and 0 <= y < self.height and (x, y) not in self.pieces:
                yield x, y
                x, y = x + dx, y + dy

    def legal_moves(self):
        """Every (from, to, arrow) of the player to move."""
        queen = "Q" if self.white else "q"
        moves = []
        for start in [square for square, piece in self.pieces.items() if piece == queen]:
            del self.pieces[start]  # the arrow may fly over the square she left
            moves += [(start, to, arrow) for to in self.rays(start) for arrow in self.rays(to)]
            self.pieces[start] = queen
        return moves

    def play(self, start, to, arrow):
        self.pieces[to] = self.pieces.pop(start)
        self.pieces[arrow] = "*"
        self.white = not self.white


def write(move):
    start, to, arrow = (f"{chr(ord('a') + x)}{y + 1}" for x, y in move)
    return f"{start}-{to}/{arrow}"


def read(text):
    squares = text.replace("/", "-").split("-")
    return [(ord(square[0]) - ord("a"), int(square[1:]) - 1) for square in squares]


def position(words):
    """`startpos [moves ...]` or `fen LINE [moves ...]`."""
    place, _, moves = words.partition("moves")
    board = Board(START if place.startswith("startpos") else place.removeprefix("fen "))
    for move in moves.split():
        board.play(*read(move))
    return board


def choose(board):
    moves = board.legal_moves()
    return write(random.choice(moves)) if moves else "(none)"


def main():
    board = Board(START)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            print("id name Random Amazons\nid author the Rookery authors\nugiok")
        elif word == "isready":
            print("readyok")
        elif word == "uginewgame":
            board = Board(START)
        elif word == "position":
            board = position(rest)
        elif word == "go":
            print(f"bestmove {choose(board)}")
        elif word == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
