# The welcome message, and the panels that lead from its buttons to a game.

start-welcome = **Play a board game.** Press *Play the bot* and choose a game: you'll make your first move in seconds.
    New here? *Learn a game* shows you how, step by step.
start-question = Thanks for adding me! Which channel is for games? I'll put a message there with a button to play.
    Server managers can choose it here, or later with `/config panel`.
start-question-other = Choose another channel
start-panel = What would you like to do?
small-talk = Hi! I'm here to play board games. Play one against me, or learn one first.
start-games = Which game would you like to play?
start-games-bot = Choose a game to start playing. Level: **{ $level }**
start-games-at = Which game would you like to play? Level: **{ $level }**
start-games-ask = Which game is the challenge for?
start-games-learn = Which game would you like to learn?
start-games-alt = One board each of { $games }
start-level = **{ $game }** against the bot. Which level?
start-level-select = Level: { $level }
start-level-last = { $level } (last time)
start-person = **{ $game }**. Who do you want to challenge?
start-opponent = **{ $game }**. Who do you want to play?
start-person-select = Challenge someone
start-with = With { $options }
start-options = **{ $game }** · your options for the next games
start-options-none = All standard.
start-options-pick = Change an option
start-options-value = Choose: { $option }
start-standard = standard
play-go = Go to { $place }

button-start-here = Use this channel
button-start-bot = Play the bot
button-start-ask = Challenge someone
button-start-learn = Learn a game
button-start-watch = Watch
button-start-anyone = Anyone can join
button-start-more = More options
button-start-done = Done
button-start-at = Start: { $level }
button-start-level = Another level
button-start-reset = Reset
button-level-random = Random
button-level-beginner = Beginner
button-level-easy = Easy
button-level-medium = Medium
button-level-hard = Hard
button-level-expert = Expert

command-play-open = Let anyone join
name-option-open = open

setting-welcome = Channel for the welcome message
setting-welcome-page = Welcome …
config-welcome = **This server** · A message with buttons to play, learn and watch.
config-welcome-in = It's in { $channel }. Choose a channel to move it, or post it again if it was deleted.
config-welcome-none = Choose the channel for games. I'll post it there.
config-welcome-lacking = I can't post in { $channel } yet: I need { $permissions }. Give my role these in the channel's settings, then choose it again.
config-welcome-unknown = I couldn't check { $channel } just now. Please choose it again in a moment.
button-welcome-again = Post it again

button-cancel = Cancel
challenge-yours = This is your game. Wait for someone to join, or play against the bot.
challenge-yours-invited = This is your challenge. It's for { $guests } to accept.
challenge-theirs = Only { $host } can cancel this challenge. Do you want to decline it?
panel-bot-thinks = Rookery is thinking. You can move once its move is on the board.
