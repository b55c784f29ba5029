# Fair shares, blocks, reports and bans.

limit-tables = You already have { $most ->
        [one] an unfinished game, and that's the limit
       *[other] { $most } unfinished games, and that's the limit
    }. Finish one or close a challenge first. `/games` lists yours.
limit-server-tables = This server already has { $most ->
        [one] an unfinished game, and that's the limit
       *[other] { $most } unfinished games, and that's the limit
    }. Wait for one to end, or play against the bot with `where: dm`.
limit-tables-hourly = You've reached the limit of { $most ->
        [one] one new game
       *[other] { $most } new games
    } an hour. Try again { $when }, or join a game listed in `/games`.
limit-challenges = You've reached the limit of { $most ->
        [one] one challenge
       *[other] { $most } challenges
    } an hour. Try again { $when }, or leave out the opponent so anyone can join.
limit-repeated = You can challenge { $who } again { $when }. Until then, leave out the opponent so anyone can join.
limit-unavailable = { $who } isn't available for challenges.
limit-own-block = You've blocked { $who }. Unblock them with `/block remove`.
limit-banned = This server's moderators have banned you from using Rookery here. You can still finish the games you're playing.
limit-gifs = You've reached the limit of { $most ->
        [one] one GIF or picture set
       *[other] { $most } GIFs or picture sets
    } a minute. Try again { $when }, or use `/replay` without `as`.
limit-server-gifs = This server has reached the limit of { $most ->
        [one] one GIF or picture set
       *[other] { $most } GIFs or picture sets
    } a minute. Try again { $when }, or use `/replay` without `as`.
limit-analyses = You've reached the limit of { $most ->
        [one] one analysis
       *[other] { $most } analyses
    } an hour. Try again { $when }, or step through the game with `/replay`.
limit-exports = You've reached the limit of { $most ->
        [one] one export
       *[other] { $most } exports
    } an hour. Try again { $when }.
limit-imports = You've reached the limit of { $most ->
        [one] one import
       *[other] { $most } imports
    } an hour. Try again { $when }.
limit-hints = You've reached the limit of { $most ->
        [one] one hint
       *[other] { $most } hints
    } an hour. Try again { $when }.
limit-reports = You've reached the limit of { $most ->
        [one] one report
       *[other] { $most } reports
    } an hour. Try again { $when }. If it's urgent, use Report Message in the message's menu to tell Discord.

command-block = Block people so they can't challenge you or join your games
command-block-add = Block someone
command-block-remove = Unblock someone
command-block-list = See who you've blocked
command-block-person = Who
menu-block = Block in Rookery
block-done = You've blocked { $who }. They can't challenge you, join your games or ping you through Rookery, and they won't be told.
block-games = { $count ->
        [one] Your game { $tables } with them continues. You can end it with `/resign`.
       *[other] Your games { $tables } with them continue. You can end them with `/resign`.
    }
block-declined = { $count ->
        [one] Their open challenge to you was declined.
       *[other] Their { $count } open challenges to you were declined.
    }
block-already = You've already blocked { $who }.
block-full = You've blocked { $most } people, and that's the limit. Unblock someone with `/block remove` first.
block-self = You can't block yourself.
block-me = You can't block me. You can turn off my notifications in `/settings`.
block-removed = You've unblocked { $who }.
block-not-there = You haven't blocked { $who }.
block-list = You've blocked { $people }. Unblock someone with `/block remove`.
block-list-none = You haven't blocked anyone.
block-list-more = { $people } and { $more } more

command-report = Tell this server's moderators, or the people who run Rookery, what went wrong
command-report-text = What happened
command-report-person = Who it's about
report-empty = Write in a few words what happened.
report-head = **Report** from { $who }, sent from { $where }
report-where-dm = a direct message
report-about = About: { $who }
report-table = Game: { $game } · { $table }
report-board = Last message there: { $link }
report-to-server = Thanks. Your report went to this server's moderators.
report-to-table-server = Thanks. Your report went to the moderators of the server where the game is played.
report-to-operator = Thanks. Your report went to the people who run Rookery.
report-nowhere = Nobody was notified, because there's no channel for reports. Your report is only in Rookery's log. Please tell a moderator directly.

setting-reports = Reports channel
setting-safety = Reports and bans
config-safety = **This server** · Reports and bans
config-safety-reports = Reports that members send with `/report` are posted in this channel.
config-safety-unset = There's no reports channel, so reports go to the people who run Rookery, if they accept them.
config-safety-bans = Banned from Rookery here: { $people }
config-safety-how = Change that with `/config ban` and `/config unban`.
command-config-ban = Ban someone from using Rookery on this server
command-config-unban = Lift a ban
command-config-bans = See who is banned from Rookery here
ban-done = { $who } is banned from Rookery here. They can finish their games but can't start new ones. `/config unban` lifts the ban.
ban-closed = { $count ->
        [one] Their open challenge was closed.
       *[other] Their { $count } open challenges were closed.
    }
ban-already = { $who } is already banned here.
ban-full = This server has banned { $most } people, and that's the limit. Lift a ban first.
ban-self = You can't ban yourself.
ban-me = You can't ban me. You can remove me in the server's settings.
ban-removed = { $who } is no longer banned.
ban-not-there = { $who } isn't banned here.
