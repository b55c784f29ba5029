//! What `Postgres::inspect` says about the rights of a user.

use super::server::{Database, PASSWORD, Server};
use crate::{Postgres, ServerReport};

/// Returns what the server says to another user than the owner.
async fn seen_by(server: &Server, database: &str, user: &str) -> ServerReport {
    let url = server.url(database).replacen("//rookery:", &format!("//{user}:"), 1);
    Postgres::inspect(&url).await.unwrap()
}

#[tokio::test]
async fn inspection_says_whether_the_user_may_use_the_queue() {
    let Some(database) = Database::create().await else { return };
    let (server, name) = (database.server, database.name.as_str());
    let owner = Postgres::inspect(&database.url()).await.unwrap();
    assert!(owner.has_journal && owner.may_create && owner.may_use_queue, "{owner:?}");

    let user = format!("guest_of_{name}");
    database.run(format!("CREATE ROLE {user} LOGIN PASSWORD '{PASSWORD}'")).await;
    assert!(!seen_by(server, name, &user).await.may_use_queue, "the schema belongs to the owner");
    database.run(format!("GRANT CREATE ON DATABASE {name} TO {user}")).await;
    assert!(!seen_by(server, name, &user).await.may_use_queue, "it exists, so it can't be created");
    database.run(format!("ALTER SCHEMA graphile_worker OWNER TO {user}")).await;
    database.run(format!("REVOKE CREATE ON DATABASE {name} FROM {user}")).await;
    assert!(seen_by(server, name, &user).await.may_use_queue, "it exists and is theirs");

    let empty = server.create_database("").await;
    assert!(!seen_by(server, &empty, &user).await.may_use_queue, "it can't be created");
    database.run(format!("GRANT CREATE ON DATABASE {empty} TO {user}")).await;
    let created = seen_by(server, &empty, &user).await;
    assert!(created.may_use_queue && !created.has_journal, "{created:?}");
}
