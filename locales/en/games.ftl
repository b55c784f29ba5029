# What games, sides, levels, options and values are called.

game-amazons = Game of the Amazons
game-amazons-short = Amazons

side-white = White
side-black = Black
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
