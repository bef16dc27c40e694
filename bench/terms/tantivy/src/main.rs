// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//! Counts the documents of terms with Tantivy: "terms build DIR" makes an index of the lines of a
//! corpus, of one segment; "terms serve DIR" answers lines of a command, a tab and a query.

use std::env;
use std::io::BufRead;

use tantivy::query::QueryParser;
use tantivy::schema::{Schema, STORED, TEXT};
use tantivy::{Index, IndexWriter, TantivyDocument};

fn main() -> tantivy::Result<()> {
    let args: Vec<String> = env::args().collect();
    match args[1].as_str() {
        "build" => build(&args[2]),
        _ => serve(&args[2]),
    }
}

fn build(dir: &str) -> tantivy::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut builder = Schema::builder();
    let id = builder.add_text_field("id", STORED);
    let text = builder.add_text_field("text", TEXT);
    let index = Index::create_in_dir(dir, builder.build())?;
    let mut writer: IndexWriter<TantivyDocument> = index.writer_with_num_threads(2, 500_000_000)?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let value: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
        let mut document = TantivyDocument::default();
        document.add_text(id, value["id"].as_str().unwrap_or(""));
        document.add_text(text, value["text"].as_str().unwrap_or(""));
        writer.add_document(document)?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()
}

fn serve(dir: &str) -> tantivy::Result<()> {
    let index = Index::open_in_dir(dir)?;
    let text = index.schema().get_field("text")?;
    let parser = QueryParser::for_index(&index, vec![text]);
    let searcher = index.reader()?.searcher();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.split_once('\t') {
            Some(("COUNT", query)) => {
                use tantivy::query::Query;
                println!("{}", parser.parse_query(query)?.count(&searcher)?)
            }
            _ => println!("UNSUPPORTED"),
        }
    }
    Ok(())
}
