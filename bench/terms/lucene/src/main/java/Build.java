// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.misc.index.BPIndexReorderer;
import org.apache.lucene.misc.index.BPReorderingMergePolicy;
import org.apache.lucene.store.FSDirectory;

/** Makes an index of one segment in a folder. Its documents are in an order that recursive graph bisection found. */
public final class Build {
  public static void main(String[] args) throws Exception {
    var config = new IndexWriterConfig(new StandardAnalyzer(CharArraySet.EMPTY_SET)).setRAMBufferSizeMB(512);
    var reorderer = new BPIndexReorderer();
    reorderer.setRAMBudgetMB(256);
    var policy = new BPReorderingMergePolicy(config.getMergePolicy(), reorderer);
    policy.setMinNaturalMergeNumDocs(Integer.MAX_VALUE); // only the last merge takes the time
    config.setMergePolicy(policy);
    try (var dir = FSDirectory.open(Path.of(args[0]));
        var writer = new IndexWriter(dir, config);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 20)) {
      var document = new Document();
      var id = new StoredField("id", "");
      var text = new TextField("text", "", Field.Store.NO);
      document.add(id);
      document.add(text);
      for (String line; (line = in.readLine()) != null; ) {
        if (line.isBlank()) {
          continue;
        }
        id.setStringValue(member(line, "id"));
        text.setStringValue(member(line, "text"));
        writer.addDocument(document);
      }
      writer.forceMerge(1, true);
    }
  }

  /** Returns a member of a line, whose texts have no escapes. */
  private static String member(String line, String name) {
    String head = "\"" + name + "\":\"";
    int from = line.indexOf(head) + head.length();
    return line.substring(from, line.indexOf('"', from));
  }
}
