# Commands, their options, and what they answer.

command-play = Start a game: play the bot, challenge someone, or let anyone join
command-play-game = Which game
command-play-opponent = Whom to challenge; nobody means that anybody may join
command-play-opponent2 = A third player, in games for more than two
command-play-opponent3 = A fourth player, in games for four
command-play-ai = Play against me, this strong
command-play-where = Where it is played; in a thread of its own if you leave it out
command-play-ai-seats = How many bots play: 2; or their seats: 2 4, or 2 easy, 3 expert; all to watch
command-challenge = Challenge to a game
challenge-ask = Which game do you challenge { $who } to? `/play` has more to choose from.
challenge-which = the game
where-thread = in a thread of its own
where-here = here
where-dm = in our direct messages
command-play-players = How many seats, in games for more than two
command-play-first = Who moves first
command-play-set = A set of two games: after the first, the same start again with the seats swapped
command-play-settle = What becomes of a game once its end is proven
command-play-seed = A number from which random layouts are drawn, to play the same one again
command-move = Play a move: pick it step by step while you type
command-move-move = Your move, such as f1-e2/f1
command-if = Decide moves beforehand, and see what you have decided
command-if-plan = Such as: if d10-d4/g4 then a4-c4/c2; several with ; between
command-board = Show the board of a game
command-profile = Show somebody's ratings and results
command-profile-person = Whose; your own if nobody is named
command-profile-game = The game whose ratings are drawn
command-leaderboard = List the best at a game
command-leaderboard-among = In games of two people, of three and four, or against Rookery
command-leaderboard-where = Those who played here, or everybody
command-games = List your games, and those here
command-games-which = Which games
command-games-person = Of whom; nobody means you
command-games-game = Of which game only
command-resign = Give up a game (you are asked first)
command-rules = Show the rules of a game
command-help = Show how everything works
command-count = Offer to stop and count what each side has left
command-draw = Offer a draw
command-undo = Take your last move back: at once against me, otherwise if the others agree
command-pause = Ask to let a game stand still until somebody takes it up again
command-abort = Call a game off: at once while somebody has not moved yet, otherwise if the others agree
command-leave = Leave a table: your seat is free again, or I play on for you in a game of three or four
command-leave-ai = How strong I play on for you
command-back = Take your seat back in which I play for you
command-resume = Take up a game again that stands still
command-option-table = The table, such as K7Q2; only needed if you have several games

choice-me = me
choice-them = the other side
choice-match-me = as strong as I am
choice-random = chance decides
choice-pie = me, and the other side may swap after the first move
choice-set-one = one game
choice-set-two = two games, the seats swapped in the second
choice-settle-auto = I play it out (usual in casual games)
choice-settle-ask = I ask whether you accept it
choice-settle-off = nothing, it is played to the end
choice-server = on this server
choice-everywhere = everywhere

play-opened = Table **{ $table }** is open. { $next }
play-opened-running = The game begins.
play-opened-waiting = I tell you when somebody sits down.
play-opened-filling = The announcement shows who has sat down. I call you when everybody is there.
play-opened-here = The announcement shows who has sat down.
play-invited-waiting = I tell you when the challenge is answered.
play-no-thread = I may not make a thread here (that takes { $permissions }), so the game is played in this channel.
play-bot = { $who } is a bot and cannot play here. To play against me, choose a level under `ai`.
play-too-many = You have { $count } open challenges already. Close one with its Leave button first.
command-play-rated = Whether the game counts for ratings
play-rated-dm = Games with me alone count for ratings on servers only, where those who manage them have turned that on. Play there, or challenge somebody.
play-rated-off = Rated games are off on this server. Somebody who manages it can turn them on with `/config`.
play-rated-chairs = A rated game needs a different player in every seat, and one seat of two at most for me. Name others, or leave `rated` out.
play-rated-start = From squares, rows or a position of one's own no game counts for ratings: one side may be ahead before the first move. Take a usual start, or leave `rated` out.
play-no-seat = There are not enough seats for everybody: choose fewer seats for me, or more players.
play-ai-seats = Say how many bots play, such as `2`, or which seats they have: `2 4`, or `all`. A level can follow a seat: `2 easy, 3 expert`.
play-too-many-shows = { $count ->
        [0] I play no games against myself here.
        [one] I play myself in 1 game here already. Wait until it is over.
       *[other] I play myself in { $count } games here already. Wait until one is over.
    }
play-set-seats = A set of two games is for two seats. Leave `set` out, or play with two.
play-lacks-option = { $game } has no { $option }: leave this option out.
play-no-pie = In this game sides cannot be swapped after the first move. Choose another way to begin.
play-in-dm = It is in our direct messages.
play-dm-alone = In direct messages you can play against me: choose a level under `ai`.
play-dm-first = Games against me that you want in direct messages are played here.
play-dm-closed = I cannot write to you directly. Allow direct messages from me in your privacy settings, or play on a server.
play-brought = I am not a member here, so the game is one message in this channel that changes in its place. `/board` brings it down here again.
brought-note = -# I am not a member here and cannot post: this message changes in its place, and that pings nobody. Look in, or choose direct messages in `/settings`.
brought-unseen = This place shows what I say to you alone, so nobody else can see the game or join it. Somebody who manages the server can allow “Use External Apps” for you, or add me as a member.
spoken-bare = Name a game after `play`, and what else you like: `play amazons 8x8 hard`, or somebody to challenge. There are { $games }.
spoken-no-option = I know no option { $option }. There are: { $known }.
spoken-no-value = The option “{ $option }” cannot be { $value }. It can be { $allowed }.
spoken-nobody = Whoever is to play is named by a mention, with nothing before it: `@` and their name, chosen from the list. { $value } alone is none.
spoken-least = a whole number, { $least } or more
spoken-range = a whole number from { $least } to { $most }
spoken-unknown = I do not understand { $word }. Say it like this: `play amazons 8x8 hard`, or name somebody; options as in `/play`, such as `start:cross`.
play-twice = Everybody can be named once only. Name somebody else, or nobody: then anybody may join.
play-missing = I cannot play here because I lack { $permissions }. Somebody who manages this server can grant that to my role in the channel's settings.
permission-threads-make = Create Public Threads
permission-view = View Channel
permission-send = Send Messages
permission-threads-send = Send Messages in Threads
permission-files = Attach Files
permission-history = Read Message History

at-table = { $table } · { $text }
which-none = You have no game going on. `/play` starts one.
which-several = You have several games: { $tables }. Say which one: with the option `table`, or by beginning with its name, such as `{ $example } …`.
which-none-to-see = I find no game here. `/games` lists games, with `which` also those that go on here or are over; name one with the option `table`. `/play` starts one.
which-several-to-see = Several games could be meant: { $tables }. Say which one: with the option `table`, or by beginning with its name, such as `{ $example } …`. `/games` says who plays where.
which-none-watched = You watch no game. `/watch` begins it.
which-several-watched = You watch several games: { $tables }. Say which one with the option `table`, such as { $example }.
which-no-table = There is no table { $text }. Tables have names such as K7Q2; `/games` lists yours.

move-played = { $table } · you played `{ $move }`.
filled = I take the free seats at table { $table }.
joined = You sit at table { $table }.
joined-team = You sit at table { $table } and speak for your team: all of it moves, and what is not a move is yours to say.
left = You have left table { $table }.
closed = Table { $table } is closed.
declined = You have turned down the challenge.
resign-sure = Do you really want to give up table { $table }?
resign-sure-as = Do you really want to give up table { $table } as { $side }?
resign-done = You have given up table { $table }.
resign-done-as = You have given up table { $table } as { $side }.
resign-kept = Good: table { $table } goes on.
offer-made = Your offer is made at table { $table }.
offer-made-no = Your offer is made at table { $table }, and I say no: the game goes on.
offer-made-yes = Your offer is made at table { $table }, and I agree.
stand-in-done = I play on for you at table { $table }. `back` gives you your seat again.
back-done = You sit at table { $table } again.
rematch-waits = Table { $table } is open for your rematch: it begins as soon as everybody has accepted.
rematch-on = Your rematch is at table { $table }.
rematch-casual = It does not count for ratings as the last one did: { $why }
undo-done = Done: table { $table } is back where you were to move.
pause-done = Table { $table } stands still until somebody takes it up again.
resume-done = Table { $table } goes on.
order-done = Done at table { $table }.
answer-given = Your answer is given at table { $table }.
not-for-you = This button is not for you. `/board` shows you the game, with buttons of your own if you play.
interaction-incomplete = Discord left out part of what you just did, so nothing has changed. Please try again.
option-missing = I couldn't read that command: the option “{ $option }” is missing. Please try again; if that doesn't help, reload Discord.
option-invalid = I can't use the option “{ $option }” as you gave it: it must be { $valid }. Change it and try again.
option-valid-text = a text
option-valid-length = a text of at most { $most } characters
option-valid-boolean = true or false
option-valid-person = a person
option-valid-file = a file
old-command = I don't know this command. It is probably from another version of me: reload Discord and try again.
old-button = This button is from an older version of me. `/board` shows the game with fresh ones.

moves-list = { $table } · { $count ->
        [one] 1 move
       *[other] { $count } moves
    } you can make: { $moves }
moves-none = { $table } · no legal move begins with { $start }. `moves` alone lists all of them.

games-which-mine = mine
games-which-turn = where it is my turn
games-which-open = open (looking for players)
games-which-here = going on here
games-which-finished = finished
games-mine = **Games going on**
games-turn = **Games that wait for a move**
games-open = **Looking for players**
games-here = **Games here**
games-finished = **Finished games**
games-none-mine = No games going on. `/play` starts one.
games-none-turn = No game waits for a move just now. `/games` alone lists those that go on.
games-none-open = Nobody looks for players here just now. `/play` does.
games-none-here = No game goes on here just now. `/play` starts one.
games-none-finished = No game has been finished yet. `/games` alone lists those that go on.
games-line = { $table } · { $game } · { $people } · { $state }
games-state-waiting = waiting for players, { $free ->
        [one] 1 seat
       *[other] { $free } seats
    } free
games-state-asked = waiting for an answer
games-state-asked-you = **waiting for your answer**
games-state-you = **your move**
games-state-running = { $ply ->
        [0] no move yet
        [one] after 1 move
       *[other] after { $ply } moves
    }
games-state-to-move = { $after }, { $who } to move
games-state-paused = { $after }, paused
games-state-frozen = { $after }, stands still: I was taken out of its server
games-state-over = over
games-state-won = { $who } won
games-state-shared = shared by { $who }
games-set-first = game 1 of a set
games-set-second = game 2 of a set ({ $first } : { $second })
games-page = { $title } · page { $page } of { $pages }
games-more = … and { $count } more.
games-people-none = nobody yet

board-state = { $table } · { $game } · { $players }. { $state }
board-lives-here = Nothing can be posted any more where this game was played. From now on its boards are posted here.
board-no-place-over = The channel of this game is gone. Here is the final board.
board-no-place = Nothing can be posted any more where this game was played. Use `/board` in a channel that both of you can see to go on there.
too-many-pictures = Too many pictures are being drawn right now. Try again in a moment.
board-waiting = Table { $table }, { $game }, has not begun: { $players }.

missed-too-many = I was offline, and more was written here than I can catch up on. If your move is missing, please send it again.
missed-too-old = I was offline when you wrote this, and it's too old to act on now. Please send it again if you still mean it.
help-withheld = Discord did not show me what you wrote. It shows me replies only with their ping on (the @ beside the text you type), or messages that mention me; `/move` and the Move button always work.
help-role = You have mentioned my role, which bears my name, and Discord does not show me what you wrote. Mention me, not my role: in the list that `@` opens I am marked as an app. Commands such as `/play` and `/move` always work.
help-unknown-at = { $table } · I did not understand that. A move looks like this: `{ $move }`. `help` shows what else you can write.
help-unknown = I did not understand that. Write a move such as `f1-e2/f1`, or `help`.
help =
    { "" }**How to play**
    `/play` starts a game: against somebody, against me, or open to anybody. Games: { $games }. `/tutorial` teaches each of them in a few steps, by tapping.
    Every game has a table with a short name, such as K7Q2, and a thread of its own where that is possible.

    { "" }**How to move**
    Answer the board with your move, mention me with it, write it to me in a direct message, use `/move`, or press Move under the board. Capital letters and blanks do not matter, nor do separators but for `-` and `>` in Amoeba and a dot in Penguin Soccer. `/rules` says how each game writes its moves.

    { "" }**Together**
    `team` in `/play` shares your seat with `everyone` in the channel, a @role, or @people. They play freely (the first legal move counts) or by `vote`: moves become proposals, everybody has one vote, and the one with most is played when the time is over; a tie is drawn. Whoever opened the table speaks for the team: resigning, offers, answers. `vs` sets teams against each other: `@red vs @blue vote 6h`, `everyone vs @masters`; there whoever presses Join first speaks for theirs.

    { "" }**To see and to hear**
    `/settings`: themes, patterns that tell the sides apart without colour, large print, the board in plain characters. `/config` for whoever manages a server.

    { "" }**What can be typed at a table**
    `board`, `text`, `last`, `clock`, `moves` (or `moves d4`), `row 4`, `what does d7 see`, `count?`, `draw?`, `undo`, `pause`, `resume`, `abort`, `leave` (or `leave hard`), `back`, `resign`, `yes`, `no`, `help`.
help-commands = Commands
# Where people reach whoever runs the bot, as they wrote it: an address, a link.
contact = Questions, and reports of trouble: { $contact }
play-dm = In a direct message you can play against me: choose a level under `ai`. To play somebody else, use `/play` on a server.

pool-two = two people
pool-many = three and four people
pool-program = against Rookery
ratings-changed = Ratings: { $changes }
leaders-here = **{ $game }**, { $pool }: the best on this server
leaders-everywhere = **{ $game }**, { $pool }: the best anywhere
leaders-none = Nobody has played a rated game of this kind yet. `/play` with `rated` starts one.
leader-line = { $place }. { $who } · { $rating } · { $games ->
    [one] 1 game
   *[other] { $games } games
}
leaders-levels = A level without rated games stands where matches between the levels have put it. A question mark: little is known yet.
ladders-title = **My levels**, on people's scale
ladder-line = { $game }: { $levels }
profile-title = **{ $who }**
profile-rating = { $game }, { $pool }: **{ $rating }**
profile-results = { $what }: { $games ->
    [one] 1 game
   *[other] { $games } games
}, { $won } won, { $shared } shared, { $lost } lost
profile-against = Against { $what }: { $won } won, { $shared } shared, { $lost } lost
profile-none = No finished games yet. `/play` starts one.
profile-picture = Ratings at { $game }, { $pool }, over { $games ->
    [one] 1 rated game
   *[other] { $games } rated games
}: from { $first } to { $last }.
command-settings = Choose how boards look to you, and when you may be pinged
command-settings-zone = Where you live: a large city near you
command-config = Choose what games there are on this server, and check permissions
command-config-panel = Choose channels, looks, clocks and what games there may be
command-config-check = Say which permissions I lack here, and how to grant them
