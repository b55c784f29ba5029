# What is kept of people, and how they have it deleted.

command-privacy = See what I store about you, download it, or delete it

somebody-gone = deleted player

privacy =
    { "" }**What I store about you**
    Your Discord ID, your settings and vacations, your ratings, your notes on games, and the links you share.
    Your games, with moves, votes and times. Also the games you watch and the people you block.
    I don't store your name or picture.
    From messages I store only moves and commands in your games.
    What I post stays in its channel. Server moderators can delete it.

    { "" }**Who can see it**
    Where you play, everyone can see your games, results and ratings.
    Outside Discord, a game can be seen only by a link that a player or the server shares. `/share` can turn it off.
    Only you can see your settings, and your notes unless you share them. I never sell your data or pass it on.

    { "" }**Your choice**
    Download or delete your data at any time with the buttons below.
button-privacy-send = Send my data
button-privacy-delete = Delete my data
privacy-sent = Here's what I store about you: settings, watched games, blocks, shared links, notes, games and ratings. For a game's moves, use `/export`.
privacy-sure =
    { "" }**Delete everything I store about you?** You can't undo this.
    Your settings, watched games, blocks, shared links, notes and ratings are deleted. So are games that only you and I played.
    In other games, your name is replaced by “deleted player”, because they're your opponents' games too.
    Blocks that others set on you and server bans stay.
privacy-running = { $games ->
    [one] Your unfinished game { $tables } is resigned or cancelled first.
   *[other] Your { $games } unfinished games are resigned or cancelled first: { $tables }.
    }
privacy-stand-in = In casual games of three or four, Rookery can play on for you.
button-privacy-resign = Delete
button-privacy-stand-in = Delete, hand over
button-privacy-keep = Cancel
privacy-kept = Cancelled. Nothing was deleted.
privacy-half = Something went wrong, and only part of your data is deleted. Some games may already be resigned. Press the button again in a moment to delete the rest.
privacy-remains = Done, except for { $games ->
    [one] one game whose record
   *[other] { $games } games whose records
    } I can't read right now: { $tables }. I'll finish this automatically.
privacy-postponed = I couldn't delete everything yet, because part of my storage is damaged. I've saved your request and will finish once it's repaired.
privacy-done = Done. Everything I stored about you is deleted. If you play again, I'll store your new games.
