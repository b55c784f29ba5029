# Fair shares, blocks, reports and bans.

limit-tables = You already have { $most ->
        [one] an unfinished game, and one person can open only one
       *[other] { $most } unfinished games, as many as one person can open
    }. Finish one or close a challenge, then try again: `/games` lists yours.
limit-server-tables = This server already has { $most ->
        [one] an unfinished game, and it can have only one
       *[other] { $most } unfinished games, as many as it can have
    }. Try again when one has ended, or play me with `where: dm`.
limit-tables-hourly = You can open { $most ->
        [one] one game
       *[other] { $most } games
    } an hour. You can open the next one { $when }. `/games` lists the games you can join.
limit-challenges = You've sent { $most ->
        [one] a challenge
       *[other] { $most } challenges
    } in the last hour. You can send the next one { $when }. Until then, leave out the opponent so that anyone can join.
limit-repeated = You can challenge { $who } again { $when }. Until then, leave out the opponent so that anyone can join.
limit-unavailable = { $who } isn't available for challenges.
limit-own-block = You've blocked { $who }. `/block remove` lifts that.
limit-banned = This server's moderators have banned you from using Rookery here. You can still finish the games you're playing.
limit-gifs = You can make { $most ->
        [one] one GIF or picture series
       *[other] { $most } GIFs or picture series
    } a minute. The next one is free { $when }. `/replay` without `as` steps through the game right away.
limit-server-gifs = This server can make { $most ->
        [one] one GIF or picture series
       *[other] { $most } GIFs or picture series
    } a minute. The next one is free { $when }. `/replay` without `as` steps through the game right away.
limit-analyses = You can have { $most ->
        [one] one game
       *[other] { $most } games
    } an hour analysed. The next one is free { $when }. `/replay` steps through a game right away.
limit-exports = You can export { $most ->
        [one] one record
       *[other] { $most } records
    } an hour. The next one is free { $when }.
limit-imports = You can import { $most ->
        [one] one game or position
       *[other] { $most } games or positions
    } an hour. The next one is free { $when }.
limit-hints = You can have { $most ->
        [one] one hint
       *[other] { $most } hints
    } an hour. The next one is free { $when }.
limit-reports = You can send { $most ->
        [one] one report
       *[other] { $most } reports
    } an hour. The next one is free { $when }. What can't wait you can report to Discord itself: Report Message in the message's menu.

command-block = Block people: they can't challenge you or join your games
command-block-add = Block someone
command-block-remove = Lift a block
command-block-list = See who you've blocked
command-block-person = Who
menu-block = Block in Rookery
block-done = You've blocked { $who }. They can't challenge you, join your games or ping you through me, and they aren't told. `/block remove` lifts it.
block-games = { $count ->
        [one] Your game { $tables } with them goes on. You can end it with `/resign`.
       *[other] Your games { $tables } with them go on. You can end one with `/resign`.
    }
block-declined = { $count ->
        [one] Their open challenge to you is turned down.
       *[other] Their { $count } open challenges to you are turned down.
    }
block-already = You've already blocked { $who }.
block-full = You've blocked { $most } people, as many as I can keep. Lift one with `/block remove` first.
block-self = You can't block yourself.
block-me = You can't block me. To stop my pings, use `/settings`.
block-removed = You've unblocked { $who }.
block-not-there = You haven't blocked { $who }.
block-list = You've blocked { $people }. `/block remove` lifts a block.
block-list-none = You haven't blocked anyone.
block-list-more = { $people } and { $more } more

command-report = Tell this server's moderators, or the people who run Rookery, what went wrong
command-report-text = What happened
command-report-person = Who it's about
report-empty = Say in a few words what happened.
report-head = **Report** from { $who }, sent from { $where }
report-where-dm = a direct message
report-about = About: { $who }
report-table = Game: { $game } · { $table }
report-board = Last message there: { $link }
report-to-server = Thanks. Your report went to this server's moderators.
report-to-table-server = Thanks. Your report went to the moderators of the server where the game is played.
report-to-operator = Thanks. Your report went to the people who run Rookery.
report-nowhere = Nobody has chosen a channel for reports, so nobody is notified. Your report is only in the log of whoever runs Rookery. Tell a moderator of this server directly.

setting-reports = Reports channel
setting-safety = Reports and bans …
config-safety = **This server** · reports and bans.
config-safety-reports = Reports that members send with `/report` are posted in this channel.
config-safety-unset = No channel is chosen: reports go to the people who run Rookery, if they take them.
config-safety-bans = Banned from Rookery here: { $people }
config-safety-how = `/config ban` and `/config unban` change that.
command-config-ban = Ban someone from using Rookery on this server
command-config-unban = Lift a ban
command-config-bans = See who is banned from Rookery here
ban-done = { $who } is banned from Rookery here. They can finish the games they're playing, and start nothing new. `/config unban` lifts it.
ban-closed = { $count ->
        [one] One open challenge of theirs is closed.
       *[other] { $count } open challenges of theirs are closed.
    }
ban-already = { $who } is already banned here.
ban-full = This server has banned { $most } people, as many as I can keep. Lift a ban first.
ban-self = You can't ban yourself.
ban-me = You can't ban me. To remove me, use the server's settings.
ban-removed = { $who } is no longer banned.
ban-not-there = { $who } isn't banned here.
