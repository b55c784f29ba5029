# The pages that show games in a browser.

web-turn = { $who } to move
web-text = Text board
web-position = Position
web-record = Record
web-record-file = Download the record
web-more = More games on this server
web-steps = Steps
web-first = First
web-back = Back
web-next = Next
web-latest = Latest
web-territory = Territory
web-played = { $ply } / { $last } · { $move }
web-start = { $ply } / { $last }
web-server = Games
web-running = Running
web-over = Finished
web-none = None yet.
web-plies = { $ply ->
    [one] 1 move
   *[other] { $ply } moves
}
web-missing = Nothing here
web-missing-why = This link doesn't work. It may have been replaced or turned off. Ask a player for a new one. They get links to a game in Discord with /share, and links to notes on the game's page with Share my notes.
web-front = Watch games
web-front-what = Rookery is a Discord bot for abstract board games. Each shared game has a page here: follow it live, or step through it afterwards.
web-front-link = To watch a game, you need its link. Players get one in Discord with /share.

# Links to those pages, made and withdrawn in Discord.

command-share = Share a link to watch a game in a browser, or stop sharing it
command-share-link = Show the link, replace it, or stop sharing
share-on = show the link
share-new = replace it with a new link
share-off = stop sharing
share-link =
    { $table } · Anyone with this link can watch the game in a browser: <{ $address }>
    It shows sides, not names. To end it, press Stop sharing.
share-link-public =
    { $table } · Anyone with this link can watch the game in a browser: <{ $address }>
    The server's page of games lists it too. To end both, press Stop sharing.
share-stopped = { $table } · Sharing stopped, and the link no longer works. For a new one, use `/share`.
share-none = { $table } · This game isn't shared.
share-not-seated = Only this game's players can share it.
share-not-yours = Only this game's players and the server's managers can stop sharing it.
share-no-web = This bot has no web pages, so games can't be watched in a browser.
button-share = Share link
button-share-stop = Stop sharing
button-share-new = New link

# Playing in a browser: the link in Discord, and the pages.

button-open-board = Open board
browser-link = { $table } · Play in your browser. This link signs you in, once, within 10 minutes. Don't share it.
activity-refused = Discord didn't open the games here. Play in your browser instead.
command-launch = See your games, and play on their boards
setting-browsers = Sign out browsers
browsers-signed-out = { $browsers ->
    [0] You weren't signed in anywhere.
    [one] Signed out of 1 browser.
   *[other] Signed out of { $browsers } browsers.
}
page-mine = My games
page-mine-waiting = ({ $waiting }) My games
page-next = Next game
page-no-games = No running games. Start one in Discord with /play.
page-finished = Finished games and studies
page-against = Against { $who }
page-finished-how = { $kind ->
        [study] Study
        [imported] Imported game
        [won] You won
        [lost] You lost
        [drew] Draw
       *[over] Finished
    }
page-more-games = { $count } more. See /games in Discord.
page-sign-in = Play in this browser
page-sign-in-as = Sign in as { $name }
page-sign-in-check = Is this you? If someone else sent you this link, close the page.
page-signed-in-as-other = This browser is signed in as { $name }.
page-stay-signed-in = Stay signed in as { $name }
page-unnamed = Discord user { $id }
page-sign-in-discord = Sign in with Discord
page-not-signed-in = Sign in
page-signed-out-discord = Sign in to see this page, or press Open board in Discord.
page-sign-in-cancelled = You cancelled signing in.
page-sign-in-elsewhere = This sign-in took too long, or began in another browser. Try again.
page-sign-in-refused = Discord didn't accept this sign-in. Try again.
page-sign-in-limited = Too many people are signing in. Try again in { $seconds ->
    [one] 1 second
   *[other] { $seconds } seconds
}.
page-sign-in-unreachable = Discord isn't answering. Try again in a moment.
page-sign-in-broken = Signing in with Discord doesn't work right now. Press Open board in Discord instead.
page-used-link = This link no longer works
page-used-link-why = A link works once, within 10 minutes. Press Open board in Discord for a new one.
page-not-shown = Can't show this page
page-signed-out = You're signed out. Press Open board in Discord to sign in.
page-other-session = Someone has signed in with this browser since the page was opened. Reload the page and try again.
page-other-person = This browser is signed in as { $name } now. If that isn't you, press Open board in Discord. To go on as { $name }, reload the page.
page-reload = Reload
page-signed-in-as = Signed in as { $name }
page-other-site = This request came from another page. Reload the board and try again.
page-no-table = There's no such game, or you can't see it. See My games.
page-out-of-date = This page is out of date. Reload it to see the latest board.
page-starting = Rookery is starting. Try again in a moment.
page-needs-script = Playing here needs JavaScript. You can also play in Discord.
page-paused = Paused
page-your-turn = Your move ({ $side })
page-your-turn-title = Your move
page-played = { $who } played { $move }
page-taken-back = A move was taken back.
page-confirm = Play { $move }?
page-play = Play move
page-back = Back
page-yes = Yes
page-no = No
page-study-open = { $who } to move. { $kind ->
        [study] Study: only you see it.
       *[other] Imported game: try any move.
    }
page-study = { $who } to move. { $result }
page-give-time = Give your opponent { $more }
page-offer-waits = Waiting for an answer. The next move ends the offer.
page-left = { $by ->
        [you] You've
       *[other] { $who } has
    } left the game. The others play on.
page-offer-declined = { $by ->
        [bot] Rookery
       *[people] They
    } said no to { $offer ->
        [count] counting what's left
        [draw] a draw
        [undo] taking back your move
        [pause] a pause
       *[abort] cancelling the game
    }. You can ask again after the next move.
page-proof-why = After move { $ply } the areas are separate, so the result is certain. Left for each side: { $left }.
page-proof-areas = Each shaded area belongs to one side. Its number is what that side can still get there.
page-proof-moves = Played out: { $moves }
page-points-before-count = The players' points are from before the count.
page-sending = Sending…
page-lost = No connection. Trying again…
page-no-answer = No connection. Try again.
page-unavailable = This page can't be shown just now. Please try again in a moment.
page-can-choose = can be chosen
page-chosen = chosen
page-you = you
page-moves = Moves
page-all-moves = All moves
page-first = First
page-step-back = Back one move
page-step-on = Forward one move
page-last = Latest
page-at = Move { $ply } of { $last }
page-at-line = Line { $at } of { $last }
page-at-start = Start
page-to-now = Back to now
page-to-game = Back to the game
page-new-move = { $played }. You're looking at an earlier move.
page-ended-since = { $result } You're looking at an earlier move.
page-line = Your line
page-line-over = The game ends here
page-undo = Undo move
page-discard = Discard your line
page-analysis = Analysis
page-best = Best moves
page-thinking = Looking for the best moves…
page-hinting = Looking for a good move… The other players see that you asked for a hint.
page-hinted = suggested
page-hint = I'd play { $move }: { $value }.
page-hint-line = I'd play { $move }: { $value }. The game may go on with { $line }
page-no-lines = The game ends here, so there are no moves to compare.
page-territory = Territory
page-sound = Sound
page-rules = Rules
page-rules-board = board { $number }
page-rules-of = Rules of this game
page-edit = Edit this position
page-print = Print this position:
page-prompt-piece = Which penguin comes in?
page-prompt-goal = { $game ->
        [amazons] Now choose the amazon's square.
        [amoeba] Now choose where the stack goes.
       *[other] Now choose where the penguin goes.
    }
page-prompt-shot = { $game ->
        [amazons] Now choose where the arrow lands.
       *[other] Now choose where the spear lands.
    }
page-prompt-direction = Which way does the penguin go?
page-prompt-spin = How far does the penguin turn at the end?
page-prompt-manner = Move the whole stack, or split it?
page-refused = You can't choose { $cell } now. Try a marked cell.
page-refused-piece = Nothing on { $cell } can move. Try a marked piece.
page-refused-whole = The move is complete. Press Play move, or Back to change it.
page-try = Touch a piece to try a move.
page-try-cell = Touch a cell to try a move.
page-plan = Plan ahead
page-plan-theirs = Choose a move of your opponent.
page-plan-yours = Now choose your reply.
page-plan-save = Save plan
page-plan-delete = Delete plan { $plan }
page-plans = Your plans
page-rematch-asked = You're asked for a rematch: { $table }. Press Rematch to play.
page-rematch-open = Open the rematch
page-rematch-follow = The rematch opens here when it begins.
page-vote = Your team votes. Vote for a move, or play another one to propose it.
page-vote-until = Your team votes until { $when }. Vote for a move, or play another one to propose it.
page-vote-decided = { $kind ->
        [time] The move with the most votes when time is up is played.
        [enough] The first move with { $enough } votes is played, or the one with the most when time is up.
       *[all] The first move with { $enough ->
            [one] 1 vote
           *[other] { $enough } votes
        } is played, or the one with the most when everyone has voted or time is up.
    } If moves are tied, one of them is picked at random.
page-vote-count = { $votes ->
    [one] 1 vote
   *[other] { $votes } votes
}, proposed by { $by }
page-keys = Keys
page-key-arrows = Arrows
page-key-arrows-does = another cell
page-key-enter = Enter
page-key-enter-does = choose
page-key-escape = Esc
page-key-escape-does = take back a step
page-key-letters = a to l
page-key-letters-does = next marked cell with that letter, or any if none is marked
page-key-step = Comma, full stop
page-key-step-does = one move back and forward
page-key-ends = [ and ]
page-key-ends-does = first and latest move (Home and End work outside the board)
page-key-help = ?
page-key-help-does = this list
page-key-text = t
page-key-text-does = text board (b works outside the board)
page-key-next = n
page-key-next-does = next game waiting for you

# --- Comments and arrows on a finished game

page-notes = Notes
page-notes-mine = Your notes
page-notes-comment = Your comment on this position
page-notes-draw = Draw
page-notes-draw-how = Drag from cell to cell for an arrow, or choose two cells. Choose the same cell twice to mark it. Draw it again to remove it.
page-notes-drawn = Arrows and marks
page-notes-choose = { $cell }: now choose the second cell
page-notes-arrow = Arrow from { $from } to { $to }
page-notes-mark = Mark on { $cell }
page-notes-remove = Remove: { $drawn }
page-notes-removed = Removed: { $drawn }
page-notes-at-start = Start
page-notes-at = { $ply }. { $move }
page-notes-in-line = { $at }: { $line }
page-notes-noted = You have notes here
page-notes-saving = Saving…
page-notes-saved = Saved
page-notes-not-saved = Not saved: { $why }
page-notes-lost = no connection. Trying again…
page-notes-no-answer = { page-no-answer }
page-notes-long = Your comment has { $count } characters, and the most is { $most }. Shorten it.
page-notes-many-arrows = There are { $count } arrows on this position, and the most is { $most }. Remove one.
page-notes-many-marks = There are { $count } marks on this position, and the most is { $most }. Remove one.
page-notes-full = You have notes on { $most } positions of this game, and that's the most. Clear those on another position first.
page-notes-running = You can write notes once the game is over.
page-notes-not-seated = Only this game's players can share notes on it.
page-notes-share = Share my notes
page-notes-link = Anyone with this link sees the game with your notes:
page-notes-copy = Copy link
page-notes-copied = Link copied
page-notes-stop = Stop sharing
page-notes-by = Notes by { $who }
page-notes-line = Variation
page-notes-none-here = No notes on this position.

# --- Setting up a position

page-set-up = Set up a position
page-set-up-choose = Which game?
page-set-up-how = { $game ->
        [penguin_soccer] Choose a piece, then touch the board, or drag the piece there. Touch a penguin again to turn it. To move a piece, choose Move and drag it.
        [amoeba] Choose a piece, then touch the board, or drag the piece there. On a stack it lands on top. Drag over the board to put one on each point. To move a stack, choose Move and drag it: dropped on another stack, it lands on top.
       *[other] Choose a piece, then touch the board, or drag the piece there. Drag over the board to fill what you pass. To move a piece, choose Move and drag it.
    }
page-set-up-finger = With a finger, hold for a moment before you drag.
page-set-up-pieces = Pieces
page-set-up-move = Move
page-set-up-remove = Remove
page-set-up-turn = To move
page-set-up-points = Points of { $side }
page-set-up-undo = Undo
page-set-up-empty = { $game ->
        [amoeba] Only the Kernels
       *[other] Empty board
    }
page-set-up-emptied = Everything that can go is off the board.
page-set-up-stays = { $game ->
        [amazons] { $count } amazons stay: each side needs at least one.
        [paper_penguins] { $left ->
            [0] { $count } cells stay: the game needs them.
            [one] { $count } cells stay: each player still has to place 1 shape.
           *[other] { $count } cells stay: each player still has to place { $left } shapes.
        }
        [amazon_penguins] { $left ->
            [0] { $count } squares stay: the game needs them.
            [one] { $count } squares stay: each player still has to place 1 penguin.
           *[other] { $count } squares stay: each player still has to place { $left } penguins.
        }
       *[other] { $left ->
            [0] { $count } tiles stay: the game needs them.
            [one] { $count } tiles stay: each player still has to place 1 penguin.
           *[other] { $count } tiles stay: each player still has to place { $left } penguins.
        }
    }
page-set-up-random = New random board
page-set-up-random-shown = Here's a new random board.
page-set-up-study = Study this position
page-set-up-over = The game is over in this position.
page-set-up-level = Rookery's level
page-set-up-play = Play from here
page-set-up-discord = To play someone else from here, send this in Discord and add the option “opponent”:
page-set-up-copy = Copy
page-set-up-copied = Copied. Paste it in Discord.
page-set-up-copy-failed = Your browser doesn't copy. Select the line and copy it.
page-set-up-text = Position as text. Change it or paste another one, then press Show on board.
page-set-up-show = Show on board
page-set-up-boards = New board
page-set-up-board = { $players } players
page-set-up-board-size = { $size }
page-set-up-changed = { $cell }: { $has }

editor-nothing = There's nothing to change there.
editor-no-tile = { $game ->
        [penguins] There's no tile on { $cell }. Put one there first.
        [paper_penguins] There's no cell on { $cell }. Put one there first.
       *[other] There's no square on { $cell }. Put one there first.
    }
editor-empty = There's nothing on { $cell } to remove.
editor-soccer-ball = Nobody can stand on the four squares around the ball while it's in the middle. Put the ball on a square first.
editor-soccer-holder = Only an upright penguin can have the ball. Turn it upright first, or move the ball away.
editor-replaced = { $piece } on { $cell } was replaced.
editor-replaced-many = { $count } pieces were replaced.
editor-penguins = { $game ->
        [paper_penguins] { $count ->
            [one] Each player has 1 shape now
           *[other] Each player has { $count } shapes now
        }
       *[other] { $count ->
            [one] Each player has 1 penguin now
           *[other] Each player has { $count } penguins now
        }
    }, as many as the player with the most on the board. { $kind ->
        [placing] The rest are placed first.
       *[placed] All of them are on the board.
    }
editor-turn = It's { $side }'s turn now: { $why ->
        [placing] { $other } has placed all.
       *[stuck] { $other } can't move.
    }
editor-invalid = That isn't possible. Needed: { $wanted }.
editor-piece-amazon = { $side } amazon
editor-piece-arrow = Arrow
editor-piece-piece = { $side } piece
editor-piece-kernel = { $side } Kernel
editor-piece-tile-1 = { $game ->
        [penguins] Tile with 1 fish
        [paper_penguins] Cell with 1
       *[other] Square with 1 fish
    }
editor-piece-tile-2 = { $game ->
        [penguins] Tile with 2 fish
        [paper_penguins] Cell with 2
       *[other] Square with 2 fish
    }
editor-piece-tile-3 = { $game ->
        [penguins] Tile with 3 fish
        [paper_penguins] Cell with 3
       *[other] Square with 3 fish
    }
editor-piece-penguin = { $game ->
        [paper_penguins] { $side } shape
       *[other] { $side } penguin
    }
editor-piece-baby = { $side } Baby
editor-piece-papa = { $side } Papa
editor-piece-mama = { $side } Mama
editor-piece-ball = Ball

# The pages inside Discord, as an Activity.

frame-connecting = Connecting to Discord…
frame-no-discord = Discord doesn't answer. Close this and open the board again.
frame-signing-in = Signing you in…
frame-cancelled = To play here, let Rookery know who you are.
frame-refused = Discord didn't sign you in. Try again.
frame-opening = Opening the board…
frame-lost = No connection. Try again.
frame-no-cookies = Your app blocks the cookie that signs you in. Play in your browser instead.
frame-not-opened = The page didn't open. Try again.
frame-closed = Discord closed the game. Open it again to play on.
frame-closed-why = Discord closed the game: { $why }
frame-again = Try again
frame-browser = Open in browser
frame-leave = Leave
frame-signed-out = You're signed out. Open the board again to sign in.
frame-here = { $names } are here
frame-more = { $count } more
