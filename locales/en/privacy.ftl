# What is kept of people, and how they have it deleted.

command-privacy = See what I keep about you, take it home, or have it deleted

somebody-gone = somebody who left

privacy =
    { "" }**What I keep about you**
    Your Discord number, with: what you chose in `/settings` and `/vacation`; the games in which you sit or sat, alone or in a team, with their moves, your votes, and when all that was; what you watch; whom you block; links that you share; your ratings. Your name and picture I do not keep: Discord shows them for the number.
    Of messages I keep nothing but moves and words meant for me, as part of a game. What I have posted stays in its channel, where those who manage the server can delete it.

    { "" }**Who sees it**
    Games, results and ratings are seen by everybody where they are played, like the boards. Outside Discord a game is seen only by a link that a player or the server shares; `/share` also ends that. Settings you see alone. Nothing is sold, and nothing is given to others.

    { "" }**Yours**
    You can take all of it home, and have it deleted at any time: the buttons do that.
button-privacy-send = Send me my data
button-privacy-delete = Delete my data
privacy-sent = Here is what I keep about you: what you chose, what you watch, whom you block, your games and your ratings. `/export` gives the moves of a game.
privacy-sure =
    { "" }**Delete all that I keep about you?** That cannot be undone.
    What you chose, what you watch, whom you block, links that you shared and your ratings go; blocks that others set against you and bans by servers stay with them. Games in which nobody but you and I had a part are deleted whole. In other games “somebody who left” stands in your place, since they are your opponents’ games as well.
privacy-running = You sit in { $games ->
    [one] 1 game that is
   *[other] { $games } games that are
    } not over: { $tables }. They are given up first, and challenges taken back.
privacy-stand-in = In casual games of three or four I can play on in your place.
button-privacy-resign = Delete
button-privacy-stand-in = Delete, play on for me
button-privacy-keep = Keep it
privacy-kept = Good: nothing was deleted.
privacy-half = I could not delete all of it: writing failed half-way. What is deleted stays deleted, and games may be given up already. Press the button again in a little while, and I do the rest.
privacy-remains = Done, except for { $games ->
    [one] one game that
   *[other] { $games } games that
    } I couldn't change because I can't read { $games ->
    [one] its record
   *[other] their records
    } right now: { $tables }. This will be finished automatically.
privacy-postponed = I couldn't delete all of it yet, because part of my storage is damaged. I've saved your request and will finish it automatically once that's repaired.
privacy-done = Done: I know nothing about you any more. If you play again, I keep what is new.
