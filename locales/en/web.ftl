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
web-missing-why = There is no such game, or it has not begun. Games are named by the signs that stand before every board in Discord.
