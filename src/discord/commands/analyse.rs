//! `/analyse`: a finished game as the program sees it.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::fair::Help;
use rookery_table::patron::Patron;
use rookery_table::quota::Use;
use rookery_table::{Refused, Status, Table, hints};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::layout::Layout;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Shows how a game went.
pub(super) struct Analyse;

#[async_trait]
impl Command for Analyse {
    fn name(&self) -> &'static str {
        "analyse"
    }

    fn want(&self) -> Want {
        Want::Review
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => analyse(desk, asked, &table).await,
            Err(post) => *post,
        }
    }
}

/// How a finished game went.
pub async fn analyse(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    if let Err(post) = may_have(desk, asked, table).await {
        return *post;
    }
    match desk.hall.review(Patron::asker(asked.who), table).await {
        Some(review) => {
            let table = table.clone();
            desk.lay_out_post(move |layout| Some(layout.review(&table, &review))).await
        }
        None => Post::text(desk.words.word("hint-busy")),
    }
}

/// One of the turns that a game's analysis tells of.
pub async fn turning(desk: &Desk, asked: &Asked, table: &Table, ply: usize) -> Post {
    if let Err(post) = may_have(desk, asked, table).await {
        return *post;
    }
    let Some(review) = desk.hall.review(Patron::asker(asked.who), table).await else {
        return Post::text(desk.words.word("hint-busy"));
    };
    let (table, words) = (table.clone(), desk.words);
    // Whose cells are is searched for on three boards.
    let shown = move |layout: &Layout<'_>| {
        let turn = review.turns.iter().find(|turn| turn.ply == ply);
        let shown = turn.and_then(|turn| layout.turning(&table, turn));
        Some(shown.unwrap_or_else(|| Post::text(words.word("old-button"))))
    };
    desk.lay_out_post(shown).await
}

/// Whether an analysis may be shown; one that is not remembered costs the asker a share.
async fn may_have(desk: &Desk, asked: &Asked, table: &Table) -> Result<(), Box<Post>> {
    may_analyse(desk, asked, table).await.map_err(|why| Box::new(Post::text(why)))?;
    if desk.hall.is_reviewed(table.id()) { Ok(()) } else { desk.spend(asked, Use::Analysis) }
}

/// Only what is over is analysed; while a game goes on nobody needs to know more than its players. What came
/// by where a rated game stands waits for the end of that.
async fn may_analyse(desk: &Desk, asked: &Asked, table: &Table) -> Result<(), String> {
    hints::may_help(table).map_err(|refused| desk.words.refused(&refused, Some(table)))?;
    let refused = match (table.status(), table.play()) {
        (Status::Running, _) => "analyse-running",
        (_, None) => "refused-not-begun",
        (_, Some(play)) if play.ply() == 0 => "analyse-nothing",
        (_, Some(play)) => {
            let helps = desk.hall.helps_rated(&[asked.who], asked.place.guild, play, Help::Tells).await;
            let refused = || desk.words.refused(&Refused::NoHelp, Some(table));
            return if helps { Err(refused()) } else { Ok(()) };
        }
    };
    Err(desk.words.word(refused))
}
