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
legend-amazons = W and B are amazons of White and Black, x is blocked.
legend-penguins = Numbers are fish; A to D before one are the penguins of the players in their order.
legend-amazon_penguins = Numbers are fish; A and B before one are the penguins of the two players.
legend-paper_penguins = Numbers are points; A before one is a square, B a circle.
legend-penguin_soccer = A number is the player; B, P and M are Baby, Papa and Mama; o is the ball, + where it comes in.
legend-amoeba = A and B are pieces, K and L their Kernels, with the height of a stack; below, from the bottom up.

# What the program counts a lead in.
lead-amazons = { $lead } moves
lead-penguins = { $lead } fish
lead-amazon_penguins = { $lead } fish
lead-paper_penguins = { $lead } points
lead-penguin_soccer = { $lead } on a scale of my own
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
side-number = player { $number }

level-random = random
level-beginner = beginner
level-easy = easy
level-medium = medium
level-hard = hard
level-expert = expert

option-size = The board's size, such as 8x8
option-start = Where the pieces stand at the start
option-amazons = How many amazons each side has
option-white = White's own start: squares such as a4 d1
option-black = Black's own start: squares such as a7 d10
option-pie = Whether the second player may swap sides after the first move
option-board = Squares, or sixty hexagons
option-layout = How the tiles lie: random, in-turn, classic (as printed), or your own rows of 1, 2, 3 with / between
option-pieces = How many pieces each side has
option-placement = Where pieces may be placed: on any tile, or on those with one fish
option-repetition = What a position means that comes up for the third time
