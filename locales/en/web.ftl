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
web-missing-why = This link doesn't work, or no longer does. Ask a player of the game for a new one: in Discord, /share makes it.
web-front = Games to look at
web-front-what = Rookery is a Discord bot that hosts abstract board games. A shared game has a page here: live while it's played, to step through afterwards.
web-front-link = To see a game, you need its link. Players get one in Discord with /share.

# Links to those pages, made and withdrawn in Discord.

command-share = Share a link to watch a game in a browser, or stop sharing it
command-share-link = Show the link, replace it, or stop sharing
share-on = show the link
share-new = replace it with a new link
share-off = stop sharing
share-link =
    { $table } · Anyone with this link can watch the game in a browser: <{ $address }>
    It shows sides, not names. Press Stop sharing when you no longer want that.
share-link-public =
    { $table } · Anyone with this link can watch the game in a browser: <{ $address }>
    This server also shows its games to everyone with a link. Stop sharing ends both for this game.
share-stopped = { $table } · Sharing stopped. The link no longer works; `/share` makes a new one.
share-none = { $table } · This game isn't shared.
share-not-seated = Only this game's players can share it.
share-not-yours = Only this game's players and those who manage the server can stop sharing it.
share-no-web = Games can't be watched in a browser: whoever runs this bot hasn't set up web pages.
button-share = Share link
button-share-stop = Stop sharing
button-share-new = New link
