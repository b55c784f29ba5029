# The command /rookery, for the people who run the bot.

command-rookery = Run this bot
command-rookery-status = See how the bot is doing
command-rookery-drain = Stop opening new games, or allow them again
command-rookery-pause = Pause all games and their clocks, or resume them
command-rookery-announce = Send a message to every server with running games
command-rookery-announce-text = What to say
command-rookery-backup = Make a backup now

owner-not-yours = Only administrators of the server that runs this bot can use this command. Its ID is set in `discord.owner_server`.
owner-drain-on = Draining: nobody can open a new game, and running games go on. Use `/rookery drain` again to end this.
owner-drain-off = New games can be opened again.
owner-pause-on = All games are paused: no time runs, and nobody can move. Use `/rookery pause` again to resume them.
owner-pause-off = All games go on after { $time }. Everyone gets that time back.
announcement = **From the people who run Rookery:** { $text }
owner-announce-empty = Write what to announce.
owner-announce-nobody = No server has running games, so there's nobody to tell.
owner-announce-sure = { $count ->
        [one] Send this to one server? Here's how it will look.
       *[other] Send this to { $count } servers? Here's how it will look.
    }
button-owner-announce = { $count ->
        [one] Send to one server
       *[other] Send to { $count } servers
    }
button-owner-cancel = Cancel
owner-announce-cancelled = Cancelled. Nothing was sent.
owner-announce-begun = Sending it now. Each server gets it once, in its channel for games.
owner-announce-repeated = That's already on its way. To send another, use `/rookery announce`.
owner-announce-busy = The last announcement is still being sent. Try again in a few minutes.
owner-announce-outdated = A newer draft has replaced this one. Use `/rookery announce` again.
owner-backup-off = I have no folder for backups. Set `store.backup_folder` and restart me.
owner-backup-done = Backup made: `{ $file }` ({ $size } MB).
owner-backup-failed = The backup failed: { $why }. Fix that, then try again.

owner-status = **Rookery { $version }** with { $store }
owner-status-games = Unfinished games: { $count }
owner-status-messages = Messages to post: { $count }
owner-status-late = Messages to post: { $count }, the oldest for { $time }
owner-status-turns = Bot moves to make: { $count }
owner-status-shards = Shards: { $count }, all connected
owner-status-silent = Shards: { $count }, not connected: { $silent } ({ $numbers })
owner-status-alone = One process with all roles
owner-status-processes = Processes: { $count }
owner-status-more = - { $more } more processes
owner-status-draining = New games: stopped with `/rookery drain`
owner-status-paused = All games: paused with `/rookery pause` { $since }
