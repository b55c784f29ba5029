# The pages that show games in a browser.

web-turn = { $who } to move
web-text = The board as text
web-position = Position
web-record = Record
web-record-file = The record as a file
web-more = More games of this server
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
    [one] 1 turn
   *[other] { $ply } turns
}
web-missing = Nothing is here
web-missing-why = There is no such game, or it has not begun. Every board in Discord begins with the name of its table, such as K7Q2: that is what stands in the address.
web-front = Games to look at
web-front-what = Rookery is a Discord bot that hosts abstract board games. Here each of its games has a page: live while it is played, to step through afterwards.
web-front-table = In Discord the bot names that page where a game begins. Its address is /table/ and the name that every board of the game begins with, such as /table/K7Q2.
web-front-server = The games of a server that everybody on it can see are listed at /server/ and the server's number; a game's page leads there.
