# The help: pages by topic, and short answers.

command-help-topic = What you want to know
help-topics = More help
help-topic-start = Start a game
help-topic-moves = Make a move
help-topic-during = During a game
help-topic-time = Time
help-topic-teams = Teams
help-topic-watching = Watch and learn
help-topic-settings = Settings
help-topic-commands = All commands
button-help = Help
button-rules = Rules
rules-which = Which game's rules would you like to read?

help-start =
    { "" }**Start a game**
    `/play` shows everything: play the bot, challenge someone, or open a game that anyone can join.
    New to a game? `/tutorial` teaches it in a few steps, and `/rules` has the rules.
    You can also type it: `@Rookery play amazons 6x6 easy`.
    Games: { $games }.
help-moves =
    { "" }**Make a move**
    Press **Move** under the board and choose step by step, or type the move in the game's thread.
    In other channels, reply to the board, mention me with the move, or use `/move`.
    Spaces, capitals and separators don't matter: `f1-e2/f1` and `f1 e2 f1` are the same move.
    Type `moves` to list legal moves, or `moves d4` for those from d4.
help-during =
    { "" }**During a game**
    Type `undo` to take back a move, `draw?` to offer a draw, or `count?` to stop and count.
    `pause` and `resume` stop the clock and start it again. `resign` asks before it ends the game.
    `board`, `last`, `text`, `row 4` and `what does d7 see` tell you about the position.
    With three or four players, `leave` lets Rookery play for you and `back` takes your seat again.
    `/if` plans replies for later.
help-time =
    { "" }**Time**
    Choose it with `clock` in `/play`: `live`, `fast`, `daily`, `weekly`, `none`, `3d per move`, or `48h+24h cap 96h`.
    Use `/clock`, or type `clock` in a game, to see everyone's time and what happens when it runs out.
    `/vacation` stops your clocks for a few days. `/settings` sets weekly time off and quiet hours.
help-teams =
    { "" }**Teams**
    In `/play`, press **More options** and set `team` to `everyone`, a role or several people. Put `vs` between two teams.
    Add `vote` and the team votes on each move. Without it, any member can move.
    The first member to press Join becomes the captain, who answers offers and can resign.
help-watching =
    { "" }**Watch and learn**
    `/games` lists the games here. `/watch` adds you to a game's thread, and `/replay` makes a GIF.
    After a game, `/analyse` shows where it turned. `/hint` suggests a move in casual games.
    `/export` saves a game as a file, and `/import` loads one. `/verify` proves that nothing was changed.
    `/paper` makes a page to print and play on.
help-settings =
    { "" }**Settings**
    `/settings` has your themes, patterns, large print, text boards and notifications.
    Server managers use `/config panel` to choose the channel for games, levels, time controls and more.
    `/privacy` shows what's stored about you, and deletes it.
help-commands = **All commands**

help-offer = Type a move in a game's thread, or start a game with `/play`.
help-now-your-move =
    It's your move ({ $side }). Type one such as `{ $move }`, or press **Move** under the board.
    You can also type `moves`, `board`, `rules`, `hint`, `undo`,{ $draw ->
        [true] { "" } `draw?`,
       *[other] { "" }
    } `clock` or `resign`.
help-now-their-move =
    It's { $who }'s turn ({ $side }). Plan your reply with `/if`.
    You can also type `board`, `rules`, `undo`,{ $draw ->
        [true] { "" } `draw?`,
       *[other] { "" }
    } `clock` or `resign`.
help-did-you-mean = Did you mean `{ $command }`?
help-no-pass = You can't pass in { $game }. Type `moves` to see what you can play.
help-hint = Only you will see the hint, but the other players will see that you asked for one.
help-no-hint = There's no hint now. You can ask for one when it's your turn in a casual game.
help-rematch = Play the same game again?
help-review = Step through the game again, or see where it turned.
help-now-watching = You're watching. It's { $who }'s turn ({ $side }). Type `board`, `last` or `clock` to see more.
help-now-waiting = This game hasn't started. Press **Join** or **Accept** on its announcement.
help-now-over = This game is over. Press **Rematch** to play again, or use `/analyse` to see where it turned.
help-now-over-watching = This game is over. `/replay` shows it again, and `/analyse` shows where it turned.
