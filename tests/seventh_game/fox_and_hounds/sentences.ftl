game-fox_and_hounds = Fox and Hounds
game-fox_and_hounds-short = Fox and Hounds
goal-fox_and_hounds = The fox slips past the hounds to win; the hounds hem it in.
legend-fox_and_hounds = F is the fox, H is a hound.
lead-fox_and_hounds = { $lead } steps
blocker-fox_and_hounds = a piece
side-fox = Fox
side-hounds = Hounds

rule-fox-one-step = A piece goes one square diagonally: { $b } isn't next to { $a } on a diagonal.
rule-fox-hounds-forward = Hounds only go down the board, so { $a } can't go up to { $b }.
rule-fox-stuck = The piece on { $a } has no free square to go to. Move another one.

need-fox-line = the fox, the hounds and the side to move, as in `e1 b8,d8,f8,h8 fox`
need-fox-square = a dark square for the fox
need-fox-hounds = four dark squares for the hounds, as in `b8,d8,f8,h8`
need-fox-turn = `fox` or `hounds`, the side to move
need-fox-end = the end of the line

lesson-fox_and_hounds-step = You are the fox. You go one square diagonally, in any direction. **Make a move.**
lesson-fox_and_hounds-step-done = One square is all it takes. Hounds move the same way, but only down the board.
lesson-fox_and_hounds-trap = You have the hounds now. A player with no move loses. **Trap the fox.**
lesson-fox_and_hounds-trap-short = the fox can still go to { $goal }.
lesson-fox_and_hounds-trap-done = The fox on e1 has no free square left: the hounds win.
lesson-fox_and_hounds-write = Moves can be typed: from and to. **Which of these is a whole move of the fox?**
lesson-fox_and_hounds-write-done = Capitals and separators don't matter.
