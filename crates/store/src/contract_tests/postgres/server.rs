//! Fresh databases for the tests.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, raw_sql};

use crate::Postgres;
pub(crate) use crate::testing::postgres_server::{PASSWORD, Server};

/// A fresh database of the shared server, with a journal in it.
pub(crate) struct Database {
    pub(super) server: &'static Server,
    pub(crate) name: String,
    pub(crate) journal: Postgres,
}

impl Database {
    /// Creates a database, or returns `None` after saying that the test is skipped.
    pub(crate) async fn create() -> Option<Database> {
        let server = Server::shared()?;
        let name = server.create_database("").await;
        let journal = Postgres::open(&server.url(&name)).await.unwrap();
        Some(Database { server, name, journal })
    }

    /// Opens the same journal as another process that does not ask who owns it.
    pub(crate) async fn open_again(&self) -> Postgres {
        Postgres::open_beside_owner(&self.url()).await.unwrap()
    }

    /// Returns the address of the database.
    pub(crate) fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// Connects to the database beside the journal.
    pub(crate) async fn connect(&self) -> PgConnection {
        self.server.connect(&self.name).await
    }

    /// Runs statements that a journal would not.
    pub(crate) async fn run(&self, sql: impl Into<String>) {
        raw_sql(AssertSqlSafe(sql.into())).execute(&mut self.connect().await).await.unwrap();
    }
}
