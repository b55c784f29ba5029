# Commands, their options, and what they answer.

command-play = Start a game: play the bot, challenge someone, or let anyone join
command-play-game = Which game
command-play-opponent = Opponent (leave empty for an open game)
command-play-opponent2 = Third player, in games for more than two
command-play-opponent3 = Fourth player, in games for four
command-play-ai = Play against Rookery at this level
command-play-where = Where to play (leave empty for a new thread)
command-play-ai-seats = How many bots play, such as 2; or which seats: 2 4, or 2 easy, 3 expert; or all, to watch
command-challenge = Challenge to a game
challenge-ask = Which game do you want to play with { $who }? For more options, use `/play`.
challenge-which = Choose a game
where-thread = in a new thread
where-here = here
where-dm = in a direct message
command-play-players = Number of players, in games for more than two
command-play-first = Who moves first
command-play-set = Play two games from the same start, swapping sides in between
command-play-settle = What to do once the result is certain
command-play-seed = Seed of the random layout: reuse a number to play the same layout again
command-move = Make a move: pick it step by step while you type
command-move-move = Your move, as you would type it in the game, such as f1-e2/f1 in Amazons
command-if = Plan replies for later, and see your plans
command-if-plan = For example: if d10-d4/g4 then a4-c4/c2; separate plans with ;
command-board = Show a game's board
command-profile = Show someone's ratings and results
command-profile-person = Whose (leave empty for yours)
command-profile-game = Which game's ratings to chart
command-leaderboard = Show the best players at a game
command-leaderboard-among = Two-player games, games of three or four, or games against Rookery
command-leaderboard-where = Players on this server, or everyone
command-games = List your games, or the games here
command-games-which = Which games
command-games-person = Whose games (leave empty for yours)
command-games-game = Only this game
command-resign = Resign a game (you'll be asked to confirm)
command-rules = Read the rules of a game
command-help = Find out how everything works
command-count = Offer to stop and count what each side has left
command-draw = Offer a draw
command-undo = Take back your last move (in a game with other people, they have to agree)
command-pause = Ask to pause a game
command-abort = Cancel a game (once everyone has moved, the others have to agree)
command-leave = Leave before the game starts, or let Rookery take over with three or four players
command-leave-ai = Rookery's level when it plays for you
command-back = Take your seat back from Rookery
command-resume = Resume a paused game
command-option-table = Which game, such as K7Q2 (only needed if you have several)

choice-me = me
choice-them = my opponent
choice-match-me = matched to my rating
choice-random = random
choice-pie = me, but my opponent may swap sides after the first move
choice-set-one = one game
choice-set-two = two games, swapping sides
choice-settle-auto = Rookery plays it out (default in casual games)
choice-settle-ask = Rookery asks if you accept it
choice-settle-off = play it to the end
choice-server = on this server
choice-everywhere = everywhere

play-opened =
    Your game is **{ $table }**.
    { $next }
play-opened-running = It has begun.
play-opened-waiting = I'll let you know when someone joins.
play-opened-filling = I'll let you know when everyone has joined.
play-opened-here = Its message shows who has joined.
play-invited-waiting = I'll let you know when they answer.
play-no-thread = I can't make a thread here without { $permissions }, so you'll play in this channel.
play-bot = { $who } is a bot and can't play here. To play against Rookery, choose a level in `ai`.
play-too-many = You already have { $count } open challenges. Press Leave on one of them first.
command-play-rated = Whether the game is rated
play-rated-dm = Games against Rookery alone can only be rated on servers that allow it. Play there, or challenge someone.
play-rated-off = Rated games are off on this server. A server manager can turn them on with `/config panel`.
play-rated-chairs = A rated game needs a different player in every seat. Rookery can take a seat only in two-player games. Name other players, or leave out `rated`.
play-rated-start = Games from a custom start can't be rated, because one side may be ahead. Use a standard start, or leave out `rated`.
play-no-seat = There aren't enough seats for everyone. Give Rookery fewer seats, or raise `players`.
play-ai-seats = Write how many bots play, such as `2`, or which seats they have: `2 4`, or `all`. A level can follow a seat: `2 easy, 3 expert`.
play-too-many-shows = { $count ->
        [0] Rookery can't play against itself here.
        [one] Rookery is already playing itself in 1 game here. Wait until it's over.
       *[other] Rookery is already playing itself in { $count } games here. Wait until one is over.
    }
play-set-seats = A set of two games needs exactly two players. Leave out `set`, or play with two.
play-lacks-option = { $game } has no { $option }: leave it out.
play-no-pie = Sides can't be swapped in this game. Choose another way to decide who moves first.
play-in-dm = Your game is in our direct messages.
play-dm-alone = In direct messages you can only play against Rookery. Choose a level in `ai`.
play-dm-first = You'll play your games against Rookery here.
play-dm-closed = I can't send you direct messages. Allow them in your privacy settings, or play on a server.
play-dm-failed = Discord can't be reached at the moment, so the game wasn't opened. Try again in a minute.
play-brought = I'm not a member here, so the whole game is one message that updates itself. Use `/board` to bring it back to the bottom.
brought-note = -# I'm not a member here, so this message updates itself and pings nobody. Check back, or choose direct messages in `/settings`.
brought-unseen = Only you can see this, so nobody else can join. Ask a server manager to allow “Use External Apps” for you, or to add Rookery.
spoken-bare = Which game? Type it after `play`, such as `play amazons 8x8 hard`, or mention an opponent. Games: { $games }.
spoken-no-option = There's no option { $option }. You can use { $known }.
spoken-no-value = The option “{ $option }” can't be { $value }. It can be { $allowed }.
spoken-nobody = I don't know who { $value } is. Mention them: type `@` and choose their name from the list.
spoken-least = a whole number, { $least } or more
spoken-range = a whole number from { $least } to { $most }
spoken-unknown = I don't understand { $word }. Try `play amazons 8x8 hard`, or mention an opponent. Options work as in `/play`, such as `start:cross`.
play-twice = You've named someone twice. Name someone else, or leave the seat empty so anyone can join.
play-missing = I can't play here without { $permissions }. A server manager can grant that to my role in the channel's settings.
permission-threads-make = Create Public Threads
permission-view = View Channel
permission-send = Send Messages
permission-threads-send = Send Messages in Threads
permission-files = Attach Files
permission-history = Read Message History

at-table = { $table } · { $text }
which-none = You're not in a game. Start one with `/play`.
which-one = { $game } { $table }
which-several = You have several games: { $tables }. Name one in `table`, or put its name first: `{ $example } …`
which-none-to-see = There's no game here. See `/games`.
which-several-to-see = Which game? { $tables }. Name one in `table`, or put its name first: `{ $example } …`
which-several-board = Which game do you want to see? Choose one, or name it: in `table`, or first, as in `{ $example } board`.
which-none-watched = You're not watching a game. Start with `/watch`.
which-several-watched = You're watching several games: { $tables }. Name one in `table`, such as { $example }.
which-no-table = There's no game { $text }. Games have names like K7Q2; see yours with `/games`.

next-game = Your next game: { $game } { $table }
move-played = { $table } · You played: `{ $move }`
filled = Rookery has joined { $table }.
joined = You've joined { $table }.
joined-team = You've joined { $table } as your team's captain. Everyone on it can move; only you can resign, make offers and answer them.
left = You've left { $table }.
closed = You've closed { $table }.
declined = You've declined the challenge.
resign-sure = Resign from { $table }?
resign-sure-as = Resign from { $table } as { $side }?
resign-done = You've resigned from { $table }.
resign-done-as = You've resigned from { $table } as { $side }.
resign-kept = OK, { $table } goes on.
offer-made = Offer sent in { $table }.
offer-made-no = Rookery turned down your offer in { $table }: the game goes on.
offer-made-yes = Rookery accepted your offer in { $table }.
stand-in-done = Rookery is playing for you in { $table }. Use `/back` to take your seat again.
back-done = You're back in { $table }.
rematch-waits = Your rematch is { $table }. It begins when everyone has accepted.
rematch-on = Your rematch has begun: { $table }.
rematch-casual = This one isn't rated: { $why }
undo-done = Move taken back in { $table }. It's your turn again.
pause-done = { $table } is paused. Press Resume or make a move to continue.
resume-done = { $table } goes on.
order-done = Done in { $table }.
answer-given = Answer sent in { $table }.
not-for-you = This button isn't for you. Use `/board` to see the game, with your own buttons if you're playing.
interaction-incomplete = Discord left out part of that, so nothing has changed. Please try again.
option-missing = I couldn't read that command: the option “{ $option }” is missing. Try again; if that doesn't help, reload Discord.
option-invalid = The option “{ $option }” must be { $valid }. Change it and try again.
option-valid-text = text
option-valid-length = text of at most { $most } characters
option-valid-boolean = true or false
option-valid-person = a person
option-valid-file = a file
old-command = I don't know that command: it's probably from another version. Reload Discord and try again.
old-button = That button is out of date. Get new ones with `/board`.

moves-list =
    { $table } · { $count ->
        [one] 1 legal move
       *[other] { $count } legal moves
    }:
    { $moves }
moves-beginnings =
    { $table } · { $count } legal moves. Type `moves { $example }`, or another beginning, to see more:
    { $moves }
moves-none = { $table } · No legal move starts with { $start }. Type `moves` to see them all.

games-which-mine = mine
games-which-turn = my turn
games-which-open = open (looking for players)
games-which-here = running here
games-which-finished = finished
games-mine = **Running games**
games-turn = **Waiting for a move**
games-open = **Looking for players**
games-here = **Games here**
games-finished = **Finished games**
games-none-mine = No games running. Start one with `/play`.
games-none-turn = No game is waiting for a move. See all running games with `/games`.
games-none-open = Nobody here is looking for players. Start a game with `/play`.
games-none-here = No games here right now. Start one with `/play`.
games-none-finished = No finished games yet. See running games with `/games`.
games-line = { $table } · { $game } · { $people } · { $state }
games-state-waiting = waiting for players, { $free ->
        [one] 1 seat
       *[other] { $free } seats
    } free
games-state-asked = waiting for an answer
games-state-asked-you = **waiting for your answer**
games-state-you = **your move**
games-state-running = { $ply ->
        [0] no moves yet
        [one] after 1 move
       *[other] after { $ply } moves
    }
games-state-to-move = { $after }, { $who } to move
games-state-paused = { $after }, paused
games-state-frozen = { $after }, on hold: I was removed from its server
games-state-over = over
games-set-first = game 1 of 2
games-set-second = game 2 of 2 ({ $first } : { $second })
games-page = { $title } · page { $page } of { $pages }
games-more = … and { $count } more.
games-latest = Only the latest { $count } are listed.
games-people-none = nobody yet

board-state =
    { $table } · { $game }
    { $players }
    { $state }
board-state-ranked =
    { $table } · { $game }
    { $state }
board-lives-here = I can't post where this game was played, so it goes on here.
board-no-place-over = This game's channel is gone. Here's the final board.
board-no-place = I can't post where this game was played. To go on, use `/board` in a channel that every player can see.
too-many-messages = Too many messages are arriving, so I skipped some on this server. Please type your move again in a minute.
too-many-pictures = Too many pictures are being drawn right now. Try again in a moment.
board-waiting = { $table } · { $game } hasn't begun yet: { $players }.

missed-too-many = I was offline and couldn't read everything here. If your move is missing, please send it again.
missed-too-old = I was offline when you wrote this, and it's too late to act on it now. Please send it again if you still mean it.
help-withheld = Discord doesn't show me that message. Keep the ping on when you reply (the @ beside the text box), mention me, or use `/move`.
help-role = You mentioned my role, so Discord doesn't show me your message. Mention me instead (marked as an app in the `@` list), or use `/move`.
help-unknown-at = { $table } · I didn't understand that. Moves look like `{ $move }`. Type `help` to see what else works.
help-unknown = I didn't understand that, and this game isn't running. What would you like to do?
# Where people reach whoever runs the bot, as they wrote it: an address, a link.
contact = Questions or problems? { $contact }
play-dm = In direct messages you can only play against Rookery: choose a level in `ai`. To play a person, use `/play` on a server.

pool-two = two players
pool-many = three and four players
pool-program = against Rookery
ratings-changed = Ratings: { $changes }
leaders-here = **{ $game }** ({ $pool }): the best on this server
leaders-everywhere = **{ $game }** ({ $pool }): the best anywhere
leaders-none = No rated games of this kind yet. Start one with `/play` and the option `rated`.
leader-line = { $place }. { $who } · { $rating } · { $games ->
    [one] 1 game
   *[other] { $games } games
}
leaders-levels = Levels with no rated games are placed by matches between levels. A question mark means the rating isn't certain yet.
ladders-title = **Rookery's levels**, on the same scale as players
ladder-line = { $game }: { $levels }
profile-title = **{ $who }**
profile-rating = { $game } ({ $pool }): **{ $rating }**
profile-results = { $what }: { $games ->
    [one] 1 game
   *[other] { $games } games
}, { $won } won, { $shared } drawn, { $lost } lost
profile-against = Against { $what }: { $won } won, { $shared } drawn, { $lost } lost
profile-none = No finished games yet. Start one with `/play`.
profile-picture = Ratings at { $game } ({ $pool }) over { $games ->
    [one] 1 rated game
   *[other] { $games } rated games
}: from { $first } to { $last }.
command-settings = Choose how boards look and when you're notified
command-settings-zone = Your time zone: a large city near you
command-config = Set up Rookery on this server, and check its permissions
command-config-panel = Choose channels, looks, time controls and games
command-config-check = See which permissions I'm missing here, and how to grant them
