// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.FSDirectory;

/** Counts the documents of queries: lines of a command, a tab and a query. */
public final class Count {
  public static void main(String[] args) throws Exception {
    try (var reader = DirectoryReader.open(FSDirectory.open(Path.of(args[0])));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      var searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      var parser = new QueryParser("text", new StandardAnalyzer(CharArraySet.EMPTY_SET));
      for (String line; (line = in.readLine()) != null; ) {
        String[] words = line.split("\t", 2);
        System.out.println(words[0].equals("COUNT") ? searcher.count(parser.parse(words[1])) : "UNSUPPORTED");
      }
    }
  }
}
