# What games, sides, levels, options and values are called.

game-amazons = Game of the Amazons
game-amazons-short = Amazons
game-penguins = Penguins (Hey! That's My Fish!)
game-penguins-short = Penguins
game-amazon_penguins = Amazon Penguins
game-amazon_penguins-short = Amazon Penguins
game-paper_penguins = Paper Pen-guins
game-paper_penguins-short = Paper Pen-guins
game-penguin_soccer = Penguin Soccer
game-penguin_soccer-short = Penguin Soccer
game-amoeba = Amoeba
game-amoeba-short = Amoeba

# What the signs of a text board stand for.
legend-amazons = W and B are { $first }'s and { $second }'s amazons; x is a blocked square.
legend-penguins = Numbers are fish. A letter in front of one is a penguin: { $letters }.
legend-amazon_penguins = Numbers are fish. A letter in front of one is a penguin: { $letters }.
legend-paper_penguins = Numbers are points. A letter in front of one is a shape: { $letters }.
legend-penguin_soccer = Numbers are players; B, P and M are Baby, Papa and Mama. o is the ball; + marks the squares around it at the start.
legend-amoeba = A and K are { $first }, B and L are { $second }; K and L are the Kernels. Numbers are heights. Below: the stacks from bottom to top.
# One side of a text board, in a list such as "A is Orange and B is Blue".
legend-letter = { $letter } is { $side }

# The goal and a turn, for somebody who sees the game for the first time.
goal-amazons = Move an amazon like a chess queen. From there she shoots an arrow the same way: it blocks its square for good. If you can't move, you lose.
goal-penguins = Slide a penguin in a straight line. You get the fish on the tile it leaves, and the tile sinks. Most fish wins.
goal-amazon_penguins = Move a penguin like a chess queen, then spear a square: you get its fish, and it sinks. Most fish wins.
goal-paper_penguins = Move a shape like a chess queen. You score the number it reaches; the cell it left is crossed out. Most points wins.
goal-penguin_soccer = Slide your penguins and kick the ball into the corner opposite your Home.
goal-amoeba = A stack moves exactly as many points as it's high. To win, land on your opponent's Kernel, the piece with the four-armed sign.

# While pieces are placed, and when that ends. $left is the mover's own, 1 or more.
# $on is "one-fish" or "any".
placing-penguins = Place a penguin on { $on ->
        [one-fish] a tile with one fish
       *[other] a tile
    }: { $left ->
        [one] it's your last.
       *[other] you have { $left } left.
    }
placing-amazon_penguins = Place a penguin on { $on ->
        [one-fish] a square with one fish
       *[other] a square
    }: { $left ->
        [one] it's your last.
       *[other] you have { $left } left.
    }
placing-paper_penguins = Draw a shape around a number: { $left ->
        [one] it's your last.
       *[other] you have { $left } left.
    }
placed-penguins = All penguins are placed, so now they slide. A move looks like `{ $move }`.
placed-amazon_penguins = All penguins are placed, so now they move and spear. A move looks like `{ $move }`.
placed-paper_penguins = All shapes are drawn, so now they move. A move looks like `{ $move }`.

piece-baby = Baby { $cell }
piece-papa = Papa { $cell }
piece-mama = Mama { $cell }

# What the program counts a lead in.
lead-amazons = { $lead } moves
lead-penguins = { $lead } fish
lead-amazon_penguins = { $lead } fish
lead-paper_penguins = { $lead } points
lead-penguin_soccer = { $lead } squares
lead-amoeba = { $lead } stacks

side-white = White
side-black = Black
side-blue = Blue
side-orange = Orange
side-yellow = Yellow
side-claret = Claret
side-circle = Circle
side-square = Square
side-dark = Dark
side-light = Light
# Amoeba's sides are called by their colours in the picture: green comes from here, the others from above.
side-green = Green
side-number = player { $number }

level-random = random
level-beginner = beginner
level-easy = easy
level-medium = medium
level-hard = hard
level-expert = expert

option-size = Board size, such as 8x8
option-start = Starting position
option-amazons = Amazons on each side
option-white = White's own starting squares, such as a4 d1
option-black = Black's own starting squares, such as a7 d10
option-pie = Let the second player swap sides after the first move
option-board = Square board, or 60 hexagons
option-layout = Tile layout: random, in-turn, classic (as printed), or your own rows, such as 123/231
option-pieces = Pieces on each side
option-placement = Where pieces may start: any tile, or one-fish tiles only
option-repetition = What happens when a position comes up for the third time
