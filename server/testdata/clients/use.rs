// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//! Asks a server with the client that openapi-generator makes for Rust: use URL

use client::apis::{configuration::Configuration, database_api, graph_api, server_api, Error};
use client::models::{AnswersRequest, Follow, FollowRequest, GetGraphBlockers200Response as List, Query, Question};

async fn ask(url: String) -> Result<(), Box<dyn std::error::Error>> {
    let server = Configuration { base_path: url, ..Configuration::default() };
    assert_eq!(server_api::get_healthz(&server).await?.status, "ok");
    let follow = |account: &str| Follow { account: account.into(), target: "bob".into() };
    let body = FollowRequest { follows: Some(vec![follow("ann"), follow("cid")]), ..FollowRequest::default() };
    assert_eq!(graph_api::post_graph_follow(&server, body).await?.sequence, 1);
    match graph_api::get_graph_followers(&server, "bob", None, None, None, None).await? {
        List::AccountsReply(reply) => assert_eq!(reply.accounts, ["ann", "cid"]),
        List::CountReply(reply) => panic!("got {reply:?}, want accounts"),
    }
    match graph_api::get_graph_followers(&server, "bob", None, None, Some(true), None).await? {
        List::CountReply(reply) => assert_eq!(reply.count, 2),
        List::AccountsReply(reply) => panic!("got {reply:?}, want a count"),
    }
    let object = serde_json::json!({"field": "followers", "key": "bob"});
    for q in [Query::String("followers(bob)".into()), Query::Object(object)] {
        let question = Question::new("count".into(), "all".into());
        let reply = database_api::post_answers(&server, AnswersRequest::new(vec![question], "accounts".into(), q)).await?;
        assert_eq!(reply.records, 2);
    }
    match graph_api::get_graph_followers(&server, "nobody", None, None, None, None).await {
        Err(Error::ResponseError(e)) => assert!(e.content.contains("unknown_account"), "{}", e.content),
        other => panic!("got {other:?}, want an unknown account"),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("use: no URL")?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(ask(url))
}
