// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Made from server/openapi.json by "npm run types". Do not edit.

import type { Decimal, Integer } from './json.js';

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server answers and its database can be read
         * @description `/healthz` is 200 if the server answers and its database can be read. `/readyz` is 503 also while the disk takes no
         *     writes, with the reason `full` or `failed` (monitoring). A server that only reads is
         *     ready when it can read, a copy when it is no older than `--max-age`.
         */
        get: operations["get-healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures in the text format of Prometheus
         * @description For Prometheus:
         *
         *     | metric | is |
         *     |---|---|
         *     | `uproar_build_info{version,revision,goversion}` | 1 |
         *     | `uproar_http_requests_total{endpoint,status}` | requests answered; `endpoint`: the call, as `followers` or `catalog-search`, `other` if unknown, `malformed` for no request |
         *     | `uproar_http_request_duration_seconds{endpoint}` | histogram, from arrival to the end of the answer |
         *     | `uproar_http_errors_total{endpoint,code}` | errors, by code |
         *     | `uproar_http_requests_in_flight{endpoint}` | requests being answered, or waiting for their turn |
         *     | `uproar_http_request_bytes_total{endpoint}`, `uproar_http_response_bytes_total{endpoint}` | bytes of bodies received, and sent; without backups |
         *     | `uproar_http_requests_working`, `uproar_http_requests_waiting` | limited requests worked on, and waiting |
         *     | `uproar_writable` | 1, or 0 while the disk is full or after it failed a write |
         *     | `uproar_disk_free_bytes`, `uproar_disk_free_files` | room left on the disk, and files that it still takes, if bounded |
         *     | `uproar_disk_reserve_bytes` | writes that would leave less room are refused |
         *     | `uproar_disk_errors_total{reason}` | requests refused because of the disk: `full` or `failed` |
         *     | `uproar_answers_bytes` | memory of large answers under way |
         *     | `uproar_memory_bytes`, `uproar_memory_limit_bytes` | memory that the database takes, of what bound |
         *     | `uproar_http_connections`, `uproar_http_connections_refused_total` | connections open, and refused because of the limit |
         *     | `uproar_http_connections_gave_way_total` | waiting connections closed for others beyond the limit |
         *     | `uproar_cache_bytes`, `uproar_cache_hits_total`, `uproar_cache_misses_total` | the page cache |
         *     | `uproar_cache_huge_page_bytes` | cached pages that lie in huge pages |
         *     | `uproar_store_bytes` | room that the store takes |
         *     | `uproar_index_records{index}` | records |
         *     | `uproar_index_sequence{index}`, `uproar_index_flushed_sequence{index}`, `uproar_index_oldest_log_entry{index}` | numbers of the latest commit, of the latest in pages, and of the oldest in the log |
         *     | `uproar_index_commits_total{index}` | commits |
         *     | `uproar_index_delta_values{index}`, `uproar_index_delta_bytes{index}`, `uproar_index_flushes_total{index}` | values written since the last flush, their memory, flushes |
         *     | `uproar_field_rows`, `uproar_field_values`, `uproar_field_pages`, `uproar_field_bytes`, all `{index,field,type}` | what is in the pages of a field |
         *     | `uproar_copy_leads`, `_position`, `_epoch`, `_age_seconds`, `_objects_made`, `_bytes_made`, `_takeovers`, `_fenced`, `_writes_passed_on`, `_engine_failures` | of a copy: whether it takes the writes, how far it is, how old, what it has made, how often it took over and another from it |
         *     | `go_*`, `process_*` | the Go runtime and the process |
         */
        get: operations["get-metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server can also write
         * @description `/healthz` is 200 if the server answers and its database can be read. `/readyz` is 503 also while the disk takes no
         *     writes, with the reason `full` or `failed` (monitoring). A server that only reads is
         *     ready when it can read, a copy when it is no older than `--max-age`.
         */
        get: operations["get-readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Several answers about the records of one query, which is evaluated once
         * @description Several questions about the records of one query, in one state:
         *
         *     `q` may be JSON. Each of 1 to 64 questions has a unique `name`, an `answer`, and what that
         *     takes:
         *
         *     | `answer` | takes | the reply has |
         *     |---|---|---|
         *     | `count` | | `count` |
         *     | `top` | `field`; `by`: `count` (if not given), `lift`, `jaccard`, `cosine`, `ratio`; `limit`, `cursor`; `least`: fewest records of a value; `over`: a query, the background of a lift (all records, if not given) or of a ratio | `rows`, best first: `key`, `count` of the records, `total` of all or of the background, `score`; `cursor` |
         *     | `groups` | 1 to 3 `fields`, integers also in bands: `age by 10`; `limit`, `cursor` | `groups`, largest first: `keys`, `count`; `cursor` |
         *     | `distinct` | `field` | `count` of the values that the records have |
         *     | `numbers` | `field`, an integer field; `quantiles`, each from 0 to 1 | `count` of the records that have one, `sum`, `mean`, `min`, `max`, `quantiles`; days and times are strings, without sum and mean |
         *     | `histogram` | `field`, an integer field with a band, such as `age by 10`; or without one, and `bounds`: `[18,30,65]` | `bands`, ascending, up to 10 000, also those of no record: `from`, `below`, `count` |
         *     | `sample` | `limit`; `seed`: the same one draws the same records | `keys`, `ids` |
         *     | `bitmap` | `portable`: true for the 64-bit format of other Roaring libraries | `bitmap`: the record IDs (format), in base64 |
         *     | `overlap` | `with`: up to 63 queries | `matrix`: sizes of the intersections of each two, `q` first |
         *
         *     `limit` is 1 to 10 000, 100 if not given. A reply with a `cursor` has more: ask the same question with it. Entries may
         *     change places if data change meanwhile. A `lift` or `ratio` says how many times more frequent a value is than in the
         *     background. Answers are exact. Of equal scores the greater count comes first, then what was first written.
         */
        post: operations["post-answers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How another audience differs: sizes, overlap, and values that are more frequent in one of them
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/demographics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the values of several fields are spread over an audience, alone and in cross-tabs
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-demographics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a saved audience
         * @description `saved` lists what `save` stored, and `forget` deletes it. `save` stores the records that `q` matches, or, with
         *     `"follows":true`, the query, which is evaluated each time. It replaces what had the name. In every query `saved(name)`
         *     means both kinds, also sets of `POST /v1/save`. An audience that would need itself is refused. A set of
         *     no records is not listed. A query that needs an audience or field that is gone is listed with an `error` and 0 records.
         */
        post: operations["post-audience-forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/overlap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What each two of several audiences have in common
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-overlap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Several answers about one audience, which is evaluated once
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        post: operations["post-audience-report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save an audience: its records, or its query
         * @description `saved` lists what `save` stored, and `forget` deletes it. `save` stores the records that `q` matches, or, with
         *     `"follows":true`, the query, which is evaluated each time. It replaces what had the name. In every query `saved(name)`
         *     means both kinds, also sets of `POST /v1/save`. An audience that would need itself is refused. A set of
         *     no records is not listed. A query that needs an audience or field that is gone is listed with an `error` and 0 records.
         */
        post: operations["post-audience-save"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The saved audiences of an index
         * @description `saved` lists what `save` stored, and `forget` deletes it. `save` stores the records that `q` matches, or, with
         *     `"follows":true`, the query, which is evaluated each time. It replaces what had the name. In every query `saved(name)`
         *     means both kinds, also sets of `POST /v1/save`. An audience that would need itself is refused. A set of
         *     no records is not listed. A query that needs an audience or field that is gone is listed with an `error` and 0 records.
         */
        get: operations["get-audience-saved"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many records an audience has, and which share that is
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-size"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values of a field within an audience, page by page
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-values"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audience/words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The word cloud of an audience: most frequent and most typical values of a field
         * @description An audience is the records of an index that a query matches. The examples ask the index `people`,
         *     imported from this table with
         *     `--column 'likes:set:split=|:column=fast' --column city:single --column sex:single --column age:integer`:
         *
         *     ```
         *     id,likes,city,sex,age
         *     ann,tea|cake,Oslo,f,30
         *     bob,tea|coffee,Rome,m,40
         *     cid,coffee,Rome,m,50
         *     dee,tea|cake,Oslo,f,60
         *     eve,cake,,f,
         *     ```
         *
         *     - `size`: `records`, `of` how many in the index, their `share`.
         *     - `words`: `common`, the most frequent values of the field, and `typical`, those of the greatest lift above 1.
         *     - `values`: the `values` of a field, page by page.
         *     - `demographics`: how `fields` are spread: `with` how many records that have a value, its `values`, `more` if there are
         *       more; of an integer field `figures`: mean, least, greatest, quartiles. `crosses` have `cells`. It takes at least one
         *       field or cross-tab, and at most 32 of each, also in bands: `age by 10`. `limit` bounds the
         *       values of a field and the cells. `field` and `cross` may be repeated.
         *     - `compare`, with the query of another audience (`with`): `records`, `other`, `both`, `either`, `jaccard`; of each field
         *       the values `more` frequent than in the other, greatest `ratio` of the shares first, and those `less` frequent; of
         *       an integer field its figures `here` and `there`. A count of 0 counts as 1 in a ratio.
         *     - `overlap`: a `matrix` of how many records each two of 2 to 64 queries have in common.
         *     - `report`: all of these, in one state; `size` always. `words` and `values` are lists of objects with the parameters as
         *       members; `demographics` (with `fields` and `crosses`) and `compare` are objects; `overlap` is a list of up to 63 other
         *       queries.
         *
         *     A value has a `key`; the `count` of the audience's records that have it; their `share`; the `total` of all records that
         *     have it; and the `lift`, how many times more frequent it is than in the index. Answers are exact; equal ones stand in a
         *     fixed order.
         */
        get: operations["get-audience-words"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A full backup of the database
         * @description `GET` streams a full backup (format) of the state at its beginning. Reads and writes go on
         *     meanwhile. `POST` streams an increment over the backup whose preamble and head block are the body.
         *     `uproar backup --from` asks for both, and checks every block.
         *
         *     - A backup is whole when it has its end block. On an error the server breaks the connection off. `uproar restore`
         *       refuses a part, also as a base.
         *     - `--timeout` does not apply. A backup ends when the client takes less than 256 KiB in 30 seconds. A server that stops
         *       does not wait for it.
         *     - It has all data in the clear, and the secrets of the indexes. Without `--remote-backups` only programs on the server's
         *       own machine get it, without a proxy (who may call); others get 403, `forbidden`.
         *       A proxy on this machine that adds no field such as `X-Forwarded-For` must not pass this path on.
         *     - A second backup at the same time gets 503.
         */
        get: operations["get-backup"];
        put?: never;
        /**
         * An increment over the backup whose preamble and head block are the body
         * @description `GET` streams a full backup (format) of the state at its beginning. Reads and writes go on
         *     meanwhile. `POST` streams an increment over the backup whose preamble and head block are the body.
         *     `uproar backup --from` asks for both, and checks every block.
         *
         *     - A backup is whole when it has its end block. On an error the server breaks the connection off. `uproar restore`
         *       refuses a part, also as a base.
         *     - `--timeout` does not apply. A backup ends when the client takes less than 256 KiB in 30 seconds. A server that stops
         *       does not wait for it.
         *     - It has all data in the clear, and the secrets of the indexes. Without `--remote-backups` only programs on the server's
         *       own machine get it, without a proxy (who may call); others get 403, `forbidden`.
         *       A proxy on this machine that adds no field such as `X-Forwarded-For` must not pass this path on.
         *     - A second backup at the same time gets 503.
         */
        post: operations["post-backup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Many calls by GET in one
         * @description `calls` are at most 1 000 addresses of calls by `GET` under `/v1/`, but `changes`. `answers` has the reply or error of
         *     each, in order. Each sees the state of its own time. When the answers reach 16 MiB, or what
         *     fits into the memory if that is less, the calls that are left get an error.
         */
        post: operations["post-batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which records of a catalog fit the same searches, and which no search finds
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        get: operations["get-catalog-check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which values are still possible under some conditions, and how many records have each
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        post: operations["post-catalog-facets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the records of tables in the place of all that a catalog has, at once, or make it
         * @description Replaces all records of a catalog by those of tables (what files), or makes the catalog, as does
         *     `uproar import catalog --to`.
         *
         *     - The body is one table, with its `Content-Length`, of a type that an import takes, but NDJSON: the catalog
         *       exists, and keeps its schema. Or it is `multipart/mixed`, of any length: a first part
         *       `application/json` of at most 1 MiB is the schema, which may be a new one; every other part is a table.
         *     - Searches see the old records until the answer is sent, then the new ones; none sees some of both.
         *     - After an error, or when the body breaks off or the client goes, the catalog is as it was. Lost answers, repetition,
         *       and limits of time and size are as with an import. A second import of either kind at the same time gets
         *       503.
         *     - What is written meanwhile is replaced too. The next backup must be a full
         *       one.
         *     - A row has at most 16 MiB. Each key takes some 56 bytes of memory; without room it is 503 (`memory`): give a larger
         *       `--memory`.
         *     - A body without a table is refused.
         *
         *     The reply counts the records that the catalog has, or would have, and the bad lines
         *     (what they do), and says what is wrong with the first hundred:
         *     `{"records":4,"bad":1,"bad_lines":["line 3: record \"trade\": two records of the same key"]}`.
         */
        post: operations["post-catalog-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which attributes the records of a catalog have
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        get: operations["get-catalog-schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The records of a catalog that count under some conditions: nothing, one or several; one search or many
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        post: operations["post-catalog-search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/sorted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The records of a catalog that fit some conditions, sorted by an attribute, a part at a time
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        post: operations["post-catalog-sorted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put and delete records of a catalog, all or none
         * @description Catalogs tells how a search finds records. The examples ask its
         *     discounts.
         *
         *     **Conditions** are the members of an object, by attribute (at most 64). Numbers, dates and times are texts.
         *
         *     - Of a value: a text; or an object with `in`, a list, one of them; `not`, a list, another value; `from`, `to` or both,
         *       included.
         *     - Of a rule: a text, the value that has to fit; or `in`, a list, one of which has to fit.
         *
         *     Beside `catalog`, the bodies have:
         *
         *     - `search`: `searches`, 1 to 10 000 objects of conditions; `limit`, how many records are listed of several: 2 to 10 000,
         *       10 if not given; `brief`. The reply has `answers`, in their order.
         *     - `facets`: `where`, conditions; `attributes`, if not given all that the conditions do not name and that are not
         *       information; `limit` of the values of each, 100 if not given. The reply has a `count` of the records that fit, and
         *       `facets`, the values still possible.
         *     - `sorted`: `where`; `by`, an attribute that is a value, or not given: the order of first writing; `descending`; `from`,
         *       position of the first record; `limit`. The reply has a `count` of the records that fit, and `records`, those without
         *       the attribute last.
         *     - `write`: `put`, records with `key`, `has` (conditions: of a value, the value; of a rule, any), `priority` and
         *       `default` if the schema has them; `delete`, keys. All or nothing is done, deletions first. A record that is put
         *       replaces the one of its key.
         *     - `show`: attributes to tell of each record that has them, in `values`: of a rule, the condition
         *       as tables have it.
         *
         *     **`search`** finds `nothing`, `one` or `several` (`found`), all in the same state:
         *
         *     - `one` has the record. `several` has the first `records`, `more` if there are others, and `deciding`: attributes that
         *       the search does not name and in which the records differ. `"brief":true` leaves these out.
         *     - `nothing` may have `unknown`: an attribute of which no record ever had the wanted value.
         *     - A wrong search, such as `null` or a number for a text, has its own `error`; the others are answered. Other faults fail
         *       the whole request.
         *     - When the answers get too large, as in a batch, the searches that are left get an error: ask
         *       them again.
         *
         *     `GET /v1/catalog/schema?catalog=discounts` has the attributes, in the form that an import takes.
         *
         *     **A facet** has `values` with the `count` of each, most first, and `more` if there are others; of numbers, dates and
         *     times that are no rule instead `min` and `max`. Of a rule it has the `values` that records name, those `excluded`, how
         *     many fit `any` value, and how many have `ranges`, from the least `min` to the greatest `max`.
         */
        post: operations["post-catalog-write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The commits of an index after one; waits for the next one if asked to. With Accept: text/event-stream an event for each, as it comes
         * @description `GET /v1/changes?index=accounts&after=3&wait=5s` answers what was written after commit 3:
         *
         *     ```json
         *     {"commits":[{"sequence":4,"time":"2026-11-21T14:00:00.123Z","changes":[{"kind":"set","field":"blocks","record":"alice","record_id":0,"value":"dan"}]}],"last":4}
         *     ```
         *
         *     Send `last` as the next `after`: you miss no commit and see none twice, also across restarts.
         *
         *     - `kind` is `set`, `clear`, `unset` (a field of one value), `addRecord`, `deleteRecord` or `deleteRow`.
         *     - `loaded` marks a bulk load. Its data are not among the changes.
         *     - With `Accept: text/event-stream` each commit comes as an event, and the stream goes on. The ID is the sequence number:
         *       `Last-Event-ID` goes on behind it.
         *     - Names of what was deleted since may be missing.
         *     - A reply with very large commits may have fewer than `limit`.
         *     - `wait` is at most half a second less than `--timeout`. Without it the answer comes at once.
         *     - Commits are kept for some time. When some that you ask for are gone, the error is
         *       `sequence_trimmed`, and `oldest` the first that is kept. Begin with a copy of all, and go on from its number.
         *     - So it is behind a commit of an index that was dropped and made again, or that an alias stood for: an index made later
         *       has higher numbers. Who waits for a dropped one gets `unknown_index`, in a stream as `event: error`.
         *     - A write without effect is no commit.
         */
        get: operations["get-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The copies of the database, as their log knows them
         * @description Of several copies of a database (scale) one takes the writes. The others answer calls that write
         *     with 307 and its address; or ask it, and answer what it answers; or refuse them (`serve --forward`). Every reply carries
         *     `Uproar-Position`, which is how far this copy had come, and `Uproar-Age`, the milliseconds since it was known to have
         *     everything. A request may have the fields
         *
         *     | field | the copy answers |
         *     |---|---|
         *     | `Uproar-At-Least: N` | once it has come to position N, as of a reply to a write: read your writes anywhere |
         *     | `Uproar-Max-Age: MS` | if it is no older |
         *
         *     or else 503, `unavailable` with the reason `stale`. Other reasons: `no_writer` while no copy takes writes, and for a
         *     write that was not done because another copy has just taken over; `follows` of one that refuses writes; `stopped` of one
         *     whose server must be started again. `/healthz` says how the copy is doing, `/v1/cluster` which others there are: what
         *     each said in the last ten seconds, and the checkpoints. `/v1/handover` has the one that leads let another.
         */
        get: operations["get-cluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The fields of an index, as they are declared
         * @description `POST` drops fields and their values, then adds others, and answers with all fields of the index. Reads and writes go on
         *     meanwhile.
         *
         *     - `drop`: at most 256 names of fields. A relation goes with its inverse, and by its own name. Answers under way still
         *       see it. The room comes back by itself, or by `uproar compact`. After an unknown name nothing is changed.
         *     - `add`: at most 256 of: `name`; `type`: `set`, `single`, `integer`, `relation`, `date`, `time`, `decimal`; `inverse` of a relation;
         *       `column`: `fast` or `small` of a set, `fast` of a single field; `format` of an integer: `date` or `time`; `scale`:
         *       digits after the point. A field that exists exactly so stays; one that exists otherwise is refused, and
         *       nothing is changed.
         */
        get: operations["get-fields"];
        put?: never;
        /**
         * Drop fields of an index with all their values, then add others, all or none; what it consists of then
         * @description `POST` drops fields and their values, then adds others, and answers with all fields of the index. Reads and writes go on
         *     meanwhile.
         *
         *     - `drop`: at most 256 names of fields. A relation goes with its inverse, and by its own name. Answers under way still
         *       see it. The room comes back by itself, or by `uproar compact`. After an unknown name nothing is changed.
         *     - `add`: at most 256 of: `name`; `type`: `set`, `single`, `integer`, `relation`, `date`, `time`, `decimal`; `inverse` of a relation;
         *       `column`: `fast` or `small` of a set, `fast` of a single field; `format` of an integer: `date` or `time`; `scale`:
         *       digits after the point. A field that exists exactly so stays; one that exists otherwise is refused, and
         *       nothing is changed.
         */
        post: operations["post-fields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/blockers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who blocks an account
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-blockers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom an account blocks
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-blocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/edges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The keys of the records between an account and others
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        post: operations["post-graph-edges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make accounts follow others: one follow, or a list of them
         * @description The body is one follow (`account`, `target`) or a list of them (`follows`), which may be empty. `sequence` is the number
         *     of the commit. If nothing changes, it may be that of an earlier one.
         *
         *     - `follow` creates the accounts. A follow that exists is no error. An account may follow itself.
         *     - `unfollow` creates no account. If one does not exist, nothing of the batch is done. A follow that does not exist is no
         *       error.
         */
        post: operations["post-graph-follow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who follows an account
         * @description Mutuals follow the account, and it follows them.
         */
        get: operations["get-graph-followers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom an account follows
         * @description Mutuals follow the account, and it follows them.
         */
        get: operations["get-graph-following"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/follows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether an account follows another */
        get: operations["get-graph-follows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/follows-following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom an account follows who follow another
         * @description "Followed by carol and 3 others that you follow": whom `account` follows who follow `target`.
         */
        get: operations["get-graph-follows-following"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add edge lists of any length, all or none
         * @description Adds the follows of an edge list (what files) of any length, as does
         *     `uproar import graph --to`.
         *
         *     - The body is one list, with its `Content-Length`, of the type `text/csv`, `text/tab-separated-values`,
         *       `application/x-ndjson`, `application/gzip`, `application/zstd`, `application/x-bzip2` or `application/octet-stream`;
         *       the list itself tells its format. Or it is `multipart/mixed`, of any length; bad lines then begin with the file names
         *       of the parts.
         *     - All of it becomes visible at once, when the answer is sent. After an error, or when the body breaks off, nothing is
         *       imported. If only the answer got lost, the import is done. It may be repeated.
         *     - Reads and writes go on meanwhile. What the import brings goes over values that are written meanwhile. A record that is
         *       deleted meanwhile comes back, unless its line was read long before: delete it again. A second import at the same time
         *       waits for a second, then gets 503.
         *     - Limits of time and size do not apply. An import ends when nothing comes for 30 seconds, or less than 1 MiB in five
         *       minutes of waiting in all. A server that stops does not wait for it.
         *     - If the first line may be names or a follow, the import is refused: give `header`.
         *
         *     The reply counts follows, lines and bad lines (what they do). It says what is wrong with the
         *     first hundred, and has in `headers` the lines that named the columns:
         *     `{"follows":3,"lines":4,"bad":1,"bad_lines":["line 2: \"only\": want 2 columns separated by comma, got 1"]}`.
         */
        post: operations["post-graph-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/intersect-followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who follows each of several accounts
         * @description Repeat `account` for each account. If the address gets too long, send a query.
         */
        get: operations["get-graph-intersect-followers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/intersect-following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is followed by each of several accounts
         * @description Repeat `account` for each account. If the address gets too long, send a query.
         */
        get: operations["get-graph-intersect-following"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which lists an account is on
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-lists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which accounts exist, and their IDs
         * @description Name `accounts` or `ids`. The reply has both of each, in the same order; `null` is what does not exist.
         */
        post: operations["post-graph-lookup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is on a list
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/muters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who mutes an account
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-muters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/mutes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom an account mutes
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-mutes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/mutuals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who follows an account and is followed by it
         * @description Mutuals follow the account, and it follows them.
         */
        get: operations["get-graph-mutuals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/mutuals-following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which mutuals of an account follow another
         * @description - `mutuals-following`: which mutuals of `account` follow `target`.
         *     - `reach`: whom the account reaches over one or two follows; itself, if it comes back to itself.
         *     - `suggestions` ranks whom the account's friends follow by the number of common friends.
         *     - `similar` ranks accounts by what they and the account both follow.
         *
         *     The two rankings leave out the account, whom it blocks or mutes, and who blocks it; `suggestions` also whom it follows.
         *     `common` is the number of common friends, `score` what the ranking goes by. Rankings are exact, and have no further
         *     pages. Equal ones stand in order of first appearance. What they cost.
         */
        get: operations["get-graph-mutuals-following"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a stream of events has come
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        get: operations["get-graph-position"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/reach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom an account reaches over one or two follows
         * @description - `mutuals-following`: which mutuals of `account` follow `target`.
         *     - `reach`: whom the account reaches over one or two follows; itself, if it comes back to itself.
         *     - `suggestions` ranks whom the account's friends follow by the number of common friends.
         *     - `similar` ranks accounts by what they and the account both follow.
         *
         *     The two rankings leave out the account, whom it blocks or mutes, and who blocks it; `suggestions` also whom it follows.
         *     `common` is the number of common friends, `score` what the ranking goes by. Rankings are exact, and have no further
         *     pages. Equal ones stand in order of first appearance. What they cost.
         */
        get: operations["get-graph-reach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who follows most of the same
         * @description - `mutuals-following`: which mutuals of `account` follow `target`.
         *     - `reach`: whom the account reaches over one or two follows; itself, if it comes back to itself.
         *     - `suggestions` ranks whom the account's friends follow by the number of common friends.
         *     - `similar` ranks accounts by what they and the account both follow.
         *
         *     The two rankings leave out the account, whom it blocks or mutes, and who blocks it; `suggestions` also whom it follows.
         *     `common` is the number of common friends, `score` what the ranking goes by. Rankings are exact, and have no further
         *     pages. Equal ones stand in order of first appearance. What they cost.
         */
        get: operations["get-graph-similar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Friends of friends, most common friends first
         * @description - `mutuals-following`: which mutuals of `account` follow `target`.
         *     - `reach`: whom the account reaches over one or two follows; itself, if it comes back to itself.
         *     - `suggestions` ranks whom the account's friends follow by the number of common friends.
         *     - `similar` ranks accounts by what they and the account both follow.
         *
         *     The two rankings leave out the account, whom it blocks or mutes, and who blocks it; `suggestions` also whom it follows.
         *     `common` is the number of common friends, `score` what the ranking goes by. Rankings are exact, and have no further
         *     pages. Equal ones stand in order of first appearance. What they cost.
         */
        get: operations["get-graph-suggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/unfollow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo follows: one, or a list of them
         * @description The body is one follow (`account`, `target`) or a list of them (`follows`), which may be empty. `sequence` is the number
         *     of the commit. If nothing changes, it may be that of an earlier one.
         *
         *     - `follow` creates the accounts. A follow that exists is no error. An account may follow itself.
         *     - `unfollow` creates no account. If one does not exist, nothing of the batch is done. A follow that does not exist is no
         *       error.
         */
        post: operations["post-graph-unfollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes of any relation, deletions, and the position of their stream, all or none
         * @description `blocks`, `mutes` and `members` list the targets of an account; `blockers`, `muters` and `lists` the accounts that have
         *     it for a target. A list is named like an account. Queries use the same names as fields.
         *
         *     `write` makes `changes` in order, all or none. Each has an `op`:
         *
         *     - `set` takes `relation` (`follows`, `blocks`, `mutes`, `members`), `account` and `target`. It creates both accounts.
         *     - `clear` takes the same. It creates nobody. What is not there is no error.
         *     - `set` with `key` gives that record of `account` to the edge. `clear` with `account` and `key` takes the record away,
         *       and with the last one the edge. `replace` takes `account` and `edges`, with `target` and `key`: all that there are.
         *       `hide` and `show` take `account`: lists leave it out, counts do not. These need a graph whose first write had a key;
         *       its `mutes` take none.
         *     - `delete` takes `account`. It removes the account and its relations from every answer at once. Whoever gets the key
         *       later is another account.
         *
         *     Where a graph keeps keys, `order` and `keys=true` list `following`, `blocks` and `members` by the time of records; an
         *     edge stands at its first. Cursors stay good under writes. `count` and `viewer` have no order. `edges` takes `account`
         *     and up to 100 `targets` and `lists`. It answers the keys of the records between them, of one state.
         *
         *     `position`, an integer, says how far the `stream` of events has come. It is stored in the same commit. `GET position`
         *     answers it, or `null`: go on from there after a failure, and you miss nothing. The stream's name is a record of the
         *     index.
         */
        post: operations["post-graph-write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have another copy of the database take the writes
         * @description Of several copies of a database (scale) one takes the writes. The others answer calls that write
         *     with 307 and its address; or ask it, and answer what it answers; or refuse them (`serve --forward`). Every reply carries
         *     `Uproar-Position`, which is how far this copy had come, and `Uproar-Age`, the milliseconds since it was known to have
         *     everything. A request may have the fields
         *
         *     | field | the copy answers |
         *     |---|---|
         *     | `Uproar-At-Least: N` | once it has come to position N, as of a reply to a write: read your writes anywhere |
         *     | `Uproar-Max-Age: MS` | if it is no older |
         *
         *     or else 503, `unavailable` with the reason `stale`. Other reasons: `no_writer` while no copy takes writes, and for a
         *     write that was not done because another copy has just taken over; `follows` of one that refuses writes; `stopped` of one
         *     whose server must be started again. `/healthz` says how the copy is doing, `/v1/cluster` which others there are: what
         *     each said in the last ten seconds, and the checkpoints. `/v1/handover` has the one that leads let another.
         */
        post: operations["post-handover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the records of tables into an index, all of them or none, or make the index
         * @description Puts the records of a table into an index, as
         *     `uproar import audience --to` does. A new index gets
         *     types that are guessed; one that is there takes columns with the names of its
         *     fields.
         *
         *     The rest is as with an import; a schema stands in front, as for catalogs. A value that
         *     does not fit a guess is an error, whatever `bad` says. Parquet (`application/vnd.apache.parquet`) waits in a temporary
         *     file until all of it is there.
         */
        post: operations["post-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The indexes of the database, or one of them
         * @description `fields` are as in Fields. `alias` with an empty `index` removes the alias. What has an alias, or what a graph,
         *     catalog or saved audience needs, is not dropped.
         */
        get: operations["get-indexes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/alias": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Point an alias at an index, or remove it
         * @description `fields` are as in Fields. `alias` with an empty `index` removes the alias. What has an alias, or what a graph,
         *     catalog or saved audience needs, is not dropped.
         */
        post: operations["post-indexes-alias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an index with its fields
         * @description `fields` are as in Fields. `alias` with an empty `index` removes the alias. What has an alias, or what a graph,
         *     catalog or saved audience needs, is not dropped.
         */
        post: operations["post-indexes-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/indexes/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop an index with all its records
         * @description `fields` are as in Fields. `alias` with an empty `index` removes the alias. What has an alias, or what a graph,
         *     catalog or saved audience needs, is not dropped.
         */
        post: operations["post-indexes-drop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/likes/liked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account likes
         * @description A change without `subject` takes the record away. `known` are those of the 500 newest likes whom the viewer follows.
         *     Subjects are records of the index `accounts`, too.
         */
        get: operations["get-likes-liked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/likes/likers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who likes a subject, the newest first
         * @description A change without `subject` takes the record away. `known` are those of the 500 newest likes whom the viewer follows.
         *     Subjects are records of the index `accounts`, too.
         */
        get: operations["get-likes-likers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/likes/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Counts, keys and known likers of subjects
         * @description A change without `subject` takes the record away. `known` are those of the 500 newest likes whom the viewer follows.
         *     Subjects are records of the index `accounts`, too.
         */
        post: operations["post-likes-lookup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/likes/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Likes of subjects by their record keys, all or none
         * @description A change without `subject` takes the record away. `known` are those of the 500 newest likes whom the viewer follows.
         *     Subjects are records of the index `accounts`, too.
         */
        post: operations["post-likes-write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The calls as an OpenAPI document
         * @description OpenAPI 3.1, for generators of clients; also kept as server/openapi.json.
         */
        get: operations["get-openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records that a query matches
         * @description Asks any index in the query language. The graph is the index `accounts`, with the relations
         *     `follows` and `followers`.
         *
         *     `POST` is for long queries, such as 100 000 values of up to 40 bytes. There `q` may be an object
         *     (JSON). `answer` is `keys` (if not given), `ids` or `records` (both), a page of records; `count`; or
         *     `explain`, the plan. IDs have up to 64 bits: floating-point numbers lose digits above 2^53. In a key that is not UTF-8, U+FFFD
         *     replaces each wrong byte.
         *
         *     `Accept`, by its weights, sends this list, those of records and one answer (`top`, `groups`, `sample`) as a table
         *     or lines of JSON, of one state and any length: `text/csv`, `text/tab-separated-values`, `application/x-ndjson`,
         *     `application/vnd.apache.parquet`, `application/vnd.apache.arrow.stream`. Without a `limit`, which has no bound then, all
         *     of it comes. `Accept-Encoding` compresses it. `--timeout` is for finding the records. A list ends when the client takes
         *     less than 256 KiB in 30 seconds. Sorting takes temporary files (`TMPDIR`), and a quarter of the free
         *     space at most for values. Beyond `--max-streams` at a time others get 503, `overloaded`.
         *
         *     A query may name a record that does not exist: `follows(zoe)` is then empty. `unknown`, on the first page, has the first
         *     20 such parts, each cut after 200 bytes. Calls about one account answer 404.
         */
        get: operations["get-query"];
        put?: never;
        /**
         * The records that a query matches, for queries that are long
         * @description Asks any index in the query language. The graph is the index `accounts`, with the relations
         *     `follows` and `followers`.
         *
         *     `POST` is for long queries, such as 100 000 values of up to 40 bytes. There `q` may be an object
         *     (JSON). `answer` is `keys` (if not given), `ids` or `records` (both), a page of records; `count`; or
         *     `explain`, the plan. IDs have up to 64 bits: floating-point numbers lose digits above 2^53. In a key that is not UTF-8, U+FFFD
         *     replaces each wrong byte.
         *
         *     `Accept`, by its weights, sends this list, those of records and one answer (`top`, `groups`, `sample`) as a table
         *     or lines of JSON, of one state and any length: `text/csv`, `text/tab-separated-values`, `application/x-ndjson`,
         *     `application/vnd.apache.parquet`, `application/vnd.apache.arrow.stream`. Without a `limit`, which has no bound then, all
         *     of it comes. `Accept-Encoding` compresses it. `--timeout` is for finding the records. A list ends when the client takes
         *     less than 256 KiB in 30 seconds. Sorting takes temporary files (`TMPDIR`), and a quarter of the free
         *     space at most for values. Beyond `--max-streams` at a time others get 503, `overloaded`.
         *
         *     A query may name a record that does not exist: `follows(zoe)` is then empty. `unknown`, on the first page, has the first
         *     20 such parts, each cut after 200 bytes. Calls about one account answer 404.
         */
        post: operations["post-query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The records that a query matches, with values, in an order
         * @description `write` is one commit of at most 10 000 records, and of a body of 4 MiB (`--max-body`). No other write comes between what it reads and writes.
         *
         *     - `puts` replace whole records, inverses of relations only if named. `merges` replace named fields; `null` clears. Only
         *       these make records. `rows` take a value from all.
         *     - Order: `puts`, `merges`, `clears`, `deletes`, `rows`; a later put of a key counts.
         *     - `if`: all must hold: `exists`, or a `field` has a `value`; `null`: none.
         *     - `errors` names up to 20 items. No field is called `key`.
         *     - To know values, a set field without `column` is walked over whole.
         *
         *     `find` sorts by an integer, which costs its bits, by a single field or `key`, which looks at each record; without value:
         *     last. Tables of `get` leave out missing records. In CSV and TSV a set is a list.
         */
        post: operations["post-records-find"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records by their keys
         * @description `write` is one commit of at most 10 000 records, and of a body of 4 MiB (`--max-body`). No other write comes between what it reads and writes.
         *
         *     - `puts` replace whole records, inverses of relations only if named. `merges` replace named fields; `null` clears. Only
         *       these make records. `rows` take a value from all.
         *     - Order: `puts`, `merges`, `clears`, `deletes`, `rows`; a later put of a key counts.
         *     - `if`: all must hold: `exists`, or a `field` has a `value`; `null`: none.
         *     - `errors` names up to 20 items. No field is called `key`.
         *     - To know values, a set field without `column` is walked over whole.
         *
         *     `find` sorts by an integer, which costs its bits, by a single field or `key`, which looks at each record; without value:
         *     last. Tables of `get` leave out missing records. In CSV and TSV a set is a list.
         */
        post: operations["post-records-get"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write records, all or none, if conditions hold
         * @description `write` is one commit of at most 10 000 records, and of a body of 4 MiB (`--max-body`). No other write comes between what it reads and writes.
         *
         *     - `puts` replace whole records, inverses of relations only if named. `merges` replace named fields; `null` clears. Only
         *       these make records. `rows` take a value from all.
         *     - Order: `puts`, `merges`, `clears`, `deletes`, `rows`; a later put of a key counts.
         *     - `if`: all must hold: `exists`, or a `field` has a `value`; `null`: none.
         *     - `errors` names up to 20 items. No field is called `key`.
         *     - To know values, a set field without `column` is walked over whole.
         *
         *     `find` sorts by an integer, which costs its bits, by a single field or `key`, which looks at each record; without value:
         *     last. Tables of `get` leave out missing records. In CSV and TSV a set is a list.
         */
        post: operations["post-records-write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store the records of a query under a name
         * @description Stores the records of a query under a name, in place of what was there, and answers their number. `saved(name)` asks for
         *     them.
         */
        post: operations["post-save"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/slow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last requests that took long, with their questions
         * @description The last 64 requests that took 100 ms or more, or as much as `serve --log-slow` says, the newest first: when, what was
         *     asked, for how long. Imports, backups, exports and requests with `wait` are left out. A restart forgets them.
         */
        get: operations["get-slow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The standing queries of an index
         * @description The server keeps the result of a query, and tells which records enter and leave it, each once:
         *
         *     ```json
         *     {"events":[{"position":5,"as_of":9,"entered":["ann"],"left":["bob"]}],"last":5}
         *     ```
         *
         *     - Send `last` as the next `after`. Positions stay good after a restart or a kill. With `more` the time or the reply was
         *       full: there may be no event yet.
         *     - The list's `as_of` is 0 before a query is asked, anew where its alias has moved, and not less than a write that it has
         *       followed; on a copy, after a restart too, up to 1 000 commits less. At most 10 000 queries stand.
         *     - A query that cannot be asked any more has an `error`, in the list and as an event, which is whole also with `as_of` 0.
         *       Its records and `as_of` stay; once it can, an event has the difference.
         *     - `as_of` is the commit of the index whose result that is; each has its own event. More than 10 000 keys come in several,
         *       of which all but the last have `as_of` 0: they are one change. Several commits come as one after a restart,
         *       a bulk load, or a change of fields, query or saved audience; where a query goes through a relation
         *       (`likes(country = de)`) or has a time as of now; and when more than 131 072 changes have come since the last look.
         *     - `saved(NAME)` may be a saved audience of either kind. Fields that a standing query names cannot be dropped. When an
         *       index is gone, so is what its queries had found.
         *     - `wait` and `Accept: text/event-stream` are as for changes.
         */
        get: operations["get-standing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a standing query: its records leave it; replies with none
         * @description The server keeps the result of a query, and tells which records enter and leave it, each once:
         *
         *     ```json
         *     {"events":[{"position":5,"as_of":9,"entered":["ann"],"left":["bob"]}],"last":5}
         *     ```
         *
         *     - Send `last` as the next `after`. Positions stay good after a restart or a kill. With `more` the time or the reply was
         *       full: there may be no event yet.
         *     - The list's `as_of` is 0 before a query is asked, anew where its alias has moved, and not less than a write that it has
         *       followed; on a copy, after a restart too, up to 1 000 commits less. At most 10 000 queries stand.
         *     - A query that cannot be asked any more has an `error`, in the list and as an event, which is whole also with `as_of` 0.
         *       Its records and `as_of` stay; once it can, an event has the difference.
         *     - `as_of` is the commit of the index whose result that is; each has its own event. More than 10 000 keys come in several,
         *       of which all but the last have `as_of` 0: they are one change. Several commits come as one after a restart,
         *       a bulk load, or a change of fields, query or saved audience; where a query goes through a relation
         *       (`likes(country = de)`) or has a time as of now; and when more than 131 072 changes have come since the last look.
         *     - `saved(NAME)` may be a saved audience of either kind. Fields that a standing query names cannot be dropped. When an
         *       index is gone, so is what its queries had found.
         *     - `wait` and `Accept: text/event-stream` are as for changes.
         */
        post: operations["post-standing-drop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What entered and left a standing query behind a position; waits for more if asked to. With Accept: text/event-stream an event for each, as it comes
         * @description The server keeps the result of a query, and tells which records enter and leave it, each once:
         *
         *     ```json
         *     {"events":[{"position":5,"as_of":9,"entered":["ann"],"left":["bob"]}],"last":5}
         *     ```
         *
         *     - Send `last` as the next `after`. Positions stay good after a restart or a kill. With `more` the time or the reply was
         *       full: there may be no event yet.
         *     - The list's `as_of` is 0 before a query is asked, anew where its alias has moved, and not less than a write that it has
         *       followed; on a copy, after a restart too, up to 1 000 commits less. At most 10 000 queries stand.
         *     - A query that cannot be asked any more has an `error`, in the list and as an event, which is whole also with `as_of` 0.
         *       Its records and `as_of` stay; once it can, an event has the difference.
         *     - `as_of` is the commit of the index whose result that is; each has its own event. More than 10 000 keys come in several,
         *       of which all but the last have `as_of` 0: they are one change. Several commits come as one after a restart,
         *       a bulk load, or a change of fields, query or saved audience; where a query goes through a relation
         *       (`likes(country = de)`) or has a time as of now; and when more than 131 072 changes have come since the last look.
         *     - `saved(NAME)` may be a saved audience of either kind. Fields that a standing query names cannot be dropped. When an
         *       index is gone, so is what its queries had found.
         *     - `wait` and `Accept: text/event-stream` are as for changes.
         */
        get: operations["get-standing-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing/set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep the result of a query from now on, under a name; replies with that one
         * @description The server keeps the result of a query, and tells which records enter and leave it, each once:
         *
         *     ```json
         *     {"events":[{"position":5,"as_of":9,"entered":["ann"],"left":["bob"]}],"last":5}
         *     ```
         *
         *     - Send `last` as the next `after`. Positions stay good after a restart or a kill. With `more` the time or the reply was
         *       full: there may be no event yet.
         *     - The list's `as_of` is 0 before a query is asked, anew where its alias has moved, and not less than a write that it has
         *       followed; on a copy, after a restart too, up to 1 000 commits less. At most 10 000 queries stand.
         *     - A query that cannot be asked any more has an `error`, in the list and as an event, which is whole also with `as_of` 0.
         *       Its records and `as_of` stay; once it can, an event has the difference.
         *     - `as_of` is the commit of the index whose result that is; each has its own event. More than 10 000 keys come in several,
         *       of which all but the last have `as_of` 0: they are one change. Several commits come as one after a restart,
         *       a bulk load, or a change of fields, query or saved audience; where a query goes through a relation
         *       (`likes(country = de)`) or has a time as of now; and when more than 131 072 changes have come since the last look.
         *     - `saved(NAME)` may be a saved audience of either kind. Fields that a standing query names cannot be dropped. When an
         *       index is gone, so is what its queries had found.
         *     - `wait` and `Accept: text/event-stream` are as for changes.
         */
        post: operations["post-standing-set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the indexes consist of, and what the database takes
         * @description What `uproar inspect` and `uproar stats` print, of all indexes or of one `index`. `kinds=true` reads every page of
         *     lists.
         */
        get: operations["get-stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description AccountsReply is a page of a list of accounts. */
        AccountsReply: {
            /** @description in order of first appearance, or as asked for */
            accounts: string[];
            /** @description for the next page; absent on the last */
            cursor?: string;
            /** @description of their records, if asked for */
            keys?: string[];
        };
        /** @description AliasRequest gives an index another name. */
        AliasRequest: {
            alias: string;
            /** @description "": the alias is removed */
            index: string;
        };
        /** @description AnswersReply has the answers in the order of the questions. All are exact. */
        AnswersReply: {
            answers: components["schemas"]["Reply"][];
            /**
             * Format: int64
             * @description that the query matches
             */
            records: Integer;
            /** @description parts of the query that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description AnswersRequest asks for several answers about the records that a query matches, which is evaluated once. */
        AnswersRequest: {
            answers: components["schemas"]["Question"][];
            index: string;
            /** @description in the query language: a string with text, or an object */
            q: components["schemas"]["Query"];
        };
        /** @description Band is the records whose integers lie between two ends, which are JSON numbers or, of days and times, strings. */
        Band: {
            /** @description the least integer above it; absent: there is none */
            below?: (Integer | Decimal) | string;
            /** Format: int64 */
            count: Integer;
            /** @description the least integer of the band; absent: there is none */
            from?: (Integer | Decimal) | string;
        };
        /** @description BatchReply has what the calls of a batch were answered with, in their order: the reply of each, or an ErrorReply. */
        BatchReply: {
            answers: Record<string, unknown>[];
        };
        /** @description BatchRequest is the body of batch: calls by GET, each with its path and parameters. They are answered in their order, with "answers": the reply of each. */
        BatchRequest: {
            calls: string[];
        };
        /** @description CacheStats is how many page reads the cache served since the database was opened, and how many it did not. */
        CacheStats: {
            /** Format: int64 */
            hits: Integer;
            /** Format: int64 */
            misses: Integer;
        };
        /** @description CatalogAttribute is what records of a catalog have and searches name. */
        CatalogAttribute: {
            /** @description of the index that has the records */
            field: string;
            /** @description it is not meant to be searched */
            info?: boolean;
            name: string;
            /** @description records have a condition on it */
            rule?: boolean;
            /** Format: int64 */
            scale?: Integer;
            /** @description "text", "number", "date" or "time" */
            type: string;
        };
        /** @description CatalogFacet is what the records have of an attribute. */
        CatalogFacet: {
            /**
             * Format: int64
             * @description of rules: records that fit any value
             */
            any?: Integer;
            attribute: string;
            /** @description of rules: values that records exclude */
            excluded?: components["schemas"]["FacetValue"][];
            /** @description the greatest; of rules, the greatest end of a range */
            max?: string;
            /** @description of numbers, dates and times: the least value; of rules, the least beginning of a range */
            min?: string;
            /** @description there are more values */
            more?: boolean;
            /**
             * Format: int64
             * @description of rules: records with a range
             */
            ranges?: Integer;
            /** @description those of most records first; none of numbers, dates and times that are no rule */
            values?: components["schemas"]["FacetValue"][];
        };
        /** @description CatalogFault is what is wrong with two records. */
        CatalogFault: {
            key: string;
            kind: string;
            /** @description for people */
            message: string;
            other: string;
        };
        /** @description CatalogImportReply says what an import of a catalog has read. */
        CatalogImportReply: {
            /**
             * Format: int64
             * @description bad lines, which were left out
             */
            bad: Integer;
            /** @description what is wrong with the first of them */
            bad_lines: string[];
            /**
             * Format: int64
             * @description that the catalog has now
             */
            records: Integer;
        };
        /** @description CatalogRecord is a record, with what is told of it. */
        CatalogRecord: {
            key: string;
            /** @description the record's values of the requested attributes; of a rule, the condition as tables have it */
            values?: {
                [key: string]: string;
            };
        };
        /** @description CatalogSchema says what the records of a catalog have, in the form that an import of a catalog takes. */
        CatalogSchema: {
            attributes: components["schemas"]["CatalogAttribute"][];
            /** @description attributes that are kept together as well */
            combined?: string[][];
            /** @description column that says whether a record is the default */
            default?: string;
            /** @description column of a table with the keys */
            key?: string;
            /** @description column with the priority */
            priority?: string;
        };
        /** @description CatalogWriteRequest puts and deletes records, all or none, first what is deleted. */
        CatalogWriteRequest: {
            catalog: string;
            /** @description keys; one that no record has is nothing to be deleted */
            delete?: string[];
            /** @description each takes the place of the record with its key, if there is one */
            put?: components["schemas"]["RecordRequest"][];
        };
        /** @description Cell is a combination of values. */
        Cell: {
            /** Format: int64 */
            count: Integer;
            /** @description in the order of the fields */
            keys: string[];
            /** @description of the audience */
            share: Integer | Decimal;
        };
        /** @description ChangeRequest is one change: Op is "set", "clear", "replace", or without Relation and Target "delete", "hide" or "show". */
        ChangeRequest: {
            account: string;
            /** @description of replace: all that the account has */
            edges?: components["schemas"]["EdgeRequest"][];
            /** @description of the account's record of the edge, of set and clear */
            key?: string;
            op: string;
            relation?: string;
            target?: string;
        };
        /** @description Changed is one change of a commit. */
        Changed: {
            field?: string;
            kind: string;
            record?: string;
            /** Format: int64 */
            record_id: Integer;
            value?: string;
        };
        /** @description ChangesReply has commits in their order. */
        ChangesReply: {
            commits: components["schemas"]["Commit"][];
            /**
             * Format: int64
             * @description After of the next request
             */
            last: Integer;
        };
        /** @description CheckReply has the faults of a catalog, always in the same order. */
        CheckReply: {
            faults: components["schemas"]["CatalogFault"][];
            /** @description there are more of them */
            more?: boolean;
        };
        /** @description ClusterCheckpoint is a checkpoint in the log. */
        ClusterCheckpoint: {
            /** Format: int64 */
            bytes: Integer;
            /**
             * Format: int64
             * @description objects of the log that are in it
             */
            position: Integer;
            /** Format: date-time */
            time: string;
        };
        /** @description ClusterNode is what a copy last said of itself. */
        ClusterNode: {
            /**
             * Format: int64
             * @description how long ago it said so, by the clocks of the two machines
             */
            ageMillis: Integer;
            /**
             * Format: int64
             * @description how often the writer has changed
             */
            epoch: Integer;
            /** @description it takes the writes */
            leads: boolean;
            node: string;
            /**
             * Format: int64
             * @description objects of the log that it had
             */
            position: Integer;
            /** @description where it is reached */
            url?: string;
        };
        /** @description ClusterReply says which copies of a database there are, as their log knows them. */
        ClusterReply: {
            checkpoints: components["schemas"]["ClusterCheckpoint"][];
            /**
             * Format: int64
             * @description objects before it may be gone; 0: none are
             */
            horizon: Integer;
            /** @description its identity */
            log: string;
            /** @description in the order of their names */
            nodes: components["schemas"]["ClusterNode"][];
        };
        /** @description Commit is one write of an index. */
        Commit: {
            changes: components["schemas"]["Changed"][];
            /** @description a bulk load became visible: what it brought is not in Changes */
            loaded?: boolean;
            /** Format: int64 */
            sequence: Integer;
            /** Format: date-time */
            time: string;
        };
        /** @description CompareReply is how two audiences differ. */
        CompareReply: {
            /** Format: int64 */
            both: Integer;
            /** Format: int64 */
            either: Integer;
            fields?: components["schemas"]["Contrast"][];
            /** @description both / either */
            jaccard: Integer | Decimal;
            /**
             * Format: int64
             * @description of the other
             */
            other: Integer;
            /**
             * Format: int64
             * @description of the audience
             */
            records: Integer;
        };
        /** @description CompareRequest asks how another audience differs. */
        CompareRequest: {
            /** @description whose values are compared, at most MaxFields */
            fields?: string[];
            /**
             * Format: int64
             * @description records that a value has where it is more frequent; 0 means a thousandth of that audience, at least 2
             */
            least?: Integer;
            /**
             * Format: int64
             * @description values of either kind, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
            /** @description a query */
            with: components["schemas"]["Query"];
        };
        /** @description Condition is a value; one of some values (In); none of some (Not); or a range (From, To). A range includes its ends, and one end may be open. In JSON a value is a string, and every other condition an object with in, not, from and to. */
        Condition: string | {
            from?: string;
            in?: string[];
            not?: string[];
            to?: string;
        };
        /** @description ContainerStats is the containers of one kind in the lists of a field. */
        ContainerStats: {
            /** Format: int64 */
            bytes: Integer;
            /** Format: int64 */
            containers: Integer;
            /** @description array, bitset, run or packed */
            kind: string;
            /** Format: int64 */
            values: Integer;
        };
        /** @description Contrast is which values of a field tell two audiences apart. */
        Contrast: {
            field: string;
            /** @description of an integer field, instead of values: what its integers amount to in the audience, and in the other */
            here?: components["schemas"]["Distribution"];
            /** @description less frequent, least ratio first */
            less: components["schemas"]["Difference"][];
            /** @description more frequent in the audience than in the other, greatest ratio first */
            more: components["schemas"]["Difference"][];
            there?: components["schemas"]["Distribution"];
        };
        /** @description CopyReply says how one of several copies of a database is doing. */
        CopyReply: {
            /**
             * Format: int64
             * @description since it was known to have all
             */
            ageMillis: Integer;
            /**
             * Format: int64
             * @description how often the writer has changed
             */
            epoch: Integer;
            /** @description what it does with writes while another leads: redirect, proxy or refuse */
            forward: string;
            /** @description it takes the writes */
            leads: boolean;
            node: string;
            /**
             * Format: int64
             * @description objects of the log that the copy has
             */
            position: Integer;
            /** @description the node that does, as far as this one knows */
            writer: string;
            /** @description where it is reached */
            writerUrl?: string;
        };
        /** @description CountReply is the length of a list, or the number of records that match a query. */
        CountReply: {
            /** Format: int64 */
            count: Integer;
            /** @description of a query: its parts that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description CreateIndexReply is the index that was made. */
        CreateIndexReply: {
            fields: components["schemas"]["Field"][];
            index: string;
        };
        /** @description CreateIndexRequest makes an index. */
        CreateIndexRequest: {
            fields?: components["schemas"]["Field"][];
            index: string;
        };
        /** @description CrossTab is how many records have each combination of values. */
        CrossTab: {
            /** @description largest first */
            cells: components["schemas"]["Cell"][];
            fields: string[];
            /** @description there are more cells than were asked for */
            more?: boolean;
        };
        /** @description DeclaredField is a field as it was declared, with what its values are. */
        DeclaredField: {
            /** @description value column: none, fast, small, value (one for each record), or inverse */
            column: string;
            /** @description of an integer field: number, date or time */
            format?: string;
            /** @description of a relation */
            inverse?: string;
            name: string;
            /** Format: int64 */
            scale?: Integer;
            type: string;
            /** @description keys, records or integers */
            values: string;
        };
        /** @description DemographicsReply is what an audience consists of. */
        DemographicsReply: {
            crosses?: components["schemas"]["CrossTab"][];
            /** @description in the order of the request */
            fields?: components["schemas"]["Distribution"][];
            /** Format: int64 */
            records: Integer;
        };
        /** @description DemographicsRequest asks how the values of fields are spread, alone and in combinations. */
        DemographicsRequest: {
            /** @description at most MaxFields, each of 2 to MaxCrossed fields */
            crosses?: string[][];
            /** @description at most MaxFields */
            fields?: string[];
            /**
             * Format: int64
             * @description values of a field and cells of a cross-tab, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
        };
        /** @description Difference is a value, and how frequent it is in two audiences. */
        Difference: {
            /** Format: int64 */
            count: Integer;
            key: string;
            /** Format: int64 */
            other_count: Integer;
            other_share: Integer | Decimal;
            /** @description of the shares; a count of 0 counts as 1 */
            ratio: Integer | Decimal;
            share: Integer | Decimal;
        };
        /** @description Distribution is how the values of a field are spread. */
        Distribution: {
            field: string;
            /** @description of an integer field */
            figures?: components["schemas"]["Figures"];
            /** @description there are more values than were asked for */
            more?: boolean;
            /** @description most frequent first; absent of an integer field */
            values?: components["schemas"]["Value"][];
            /**
             * Format: int64
             * @description records of the audience that have a value
             */
            with: Integer;
        };
        /** @description DoneReply says that what was asked for is done. */
        DoneReply: {
            /** @description true */
            done: boolean;
        };
        /** @description DropIndexRequest deletes an index with all its records. */
        DropIndexRequest: {
            index: string;
        };
        /** @description EdgeRequest is an edge of an account to a target, and the key of its record, if it has one. */
        EdgeRequest: {
            key?: string;
            target: string;
        };
        /** @description EdgesOf has the keys of the records between the account and a target; "" where there is none. */
        EdgesOf: {
            blockedBy: string;
            blocking: string;
            followedBy: string;
            following: string;
            muting: boolean;
        };
        /** @description EdgesReply has what was asked for, in the order of the question, of one state. */
        EdgesReply: {
            edges: components["schemas"]["EdgesOf"][];
            /** @description the keys of the records by which the account is on the lists; "": it is not */
            lists: string[];
        };
        /** @description EdgesRequest is the body of edges: what Account has to do with each target, and which records put it on lists. */
        EdgesRequest: {
            account: string;
            lists?: string[];
            targets?: string[];
        };
        /** @description Error is what a call answers with when it fails. *Error implements error. */
        Error: {
            code: string;
            /** @description Errors says what is wrong with each item of a write, up to MaxItemErrors of them. */
            errors?: components["schemas"]["ItemError"][];
            /** @description for people: what, got, want */
            message: string;
            /**
             * Format: int64
             * @description Offset is where in the query or in the body the error is, in bytes from 0; nil if it is not about a place.
             */
            offset?: Integer;
            /**
             * Format: int64
             * @description Oldest is the number of the oldest commit that is kept, of CodeSequenceTrimmed.
             */
            oldest?: Integer;
            /** @description Reason says which of the errors of the embedded database this is, where the code stands for several; "" where it does not. */
            reason?: string;
            /** @description RequestID finds the details of an internal error in the server's log. */
            request_id?: string;
        };
        /** @description ErrorReply is the body of every reply with a status of 400 or more. */
        ErrorReply: {
            error: components["schemas"]["Error"];
        };
        /** @description FacetValue is a value with the number of records that have it. */
        FacetValue: {
            /** Format: int64 */
            count: Integer;
            value: string;
        };
        /** @description FacetsReply says what the records that fit the conditions have. */
        FacetsReply: {
            /**
             * Format: int64
             * @description records that fit
             */
            count: Integer;
            facets: components["schemas"]["CatalogFacet"][];
        };
        /** @description FacetsRequest asks which values are still possible under some conditions. */
        FacetsRequest: {
            /** @description not given: all that the conditions do not name, except information */
            attributes?: string[];
            catalog: string;
            /**
             * Format: int64
             * @description values of an attribute, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
            where?: {
                [key: string]: components["schemas"]["Condition"];
            };
        };
        /** @description Field is how a field of an index is declared. */
        Field: {
            /** @description of a set: fast or small, if the values of each record are kept together as well; of a single field: fast */
            column?: string;
            /** @description of an integer: date or time; "": numbers */
            format?: string;
            /** @description of a relation: the name of its other direction */
            inverse?: string;
            name: string;
            /**
             * Format: int64
             * @description of numbers: how many digits stand after the point
             */
            scale?: Integer;
            /** @description set, single, integer or relation; also date, time or decimal */
            type: string;
        };
        /** @description FieldStats is what the pages of a field amount to, as of the last flush. */
        FieldStats: {
            /** Format: int64 */
            bytes: Integer;
            kinds?: components["schemas"]["ContainerStats"][];
            name: string;
            /** Format: int64 */
            pages: Integer;
            /**
             * Format: int64
             * @description pages with a part of a list that is too large for one
             */
            pieces: Integer;
            /**
             * Format: int64
             * @description posting lists
             */
            rows: Integer;
            type: string;
            /**
             * Format: int64
             * @description the sum of their cardinalities
             */
            values: Integer;
        };
        /** @description FieldsReply is all fields of an index. */
        FieldsReply: {
            fields: components["schemas"]["Field"][];
        };
        /** @description FieldsRequest drops fields of an index, with their values, and then adds others. */
        FieldsRequest: {
            add?: components["schemas"]["Field"][];
            drop?: string[];
            index: string;
        };
        /** @description Figures are what integers amount to: numbers, or days and times as texts. */
        Figures: {
            /** @description a number, or a date or time as text */
            max: (Integer | Decimal) | string;
            /** @description of numbers */
            mean?: Integer | Decimal;
            /** @description a number, or a date or time as text */
            min: (Integer | Decimal) | string;
            /** @description three; the second is the median */
            quartiles: ((Integer | Decimal) | string)[];
        };
        /** @description Follow is one follow: Account follows Target. */
        Follow: {
            account: string;
            target: string;
        };
        /** @description FollowRequest is the body of follow and unfollow: either Follows, or one Account and Target. */
        FollowRequest: {
            account?: string;
            follows?: components["schemas"]["Follow"][];
            target?: string;
        };
        /** @description FollowsReply says whether an account follows another. */
        FollowsReply: {
            follows: boolean;
        };
        /** @description ForgetAudienceRequest deletes a saved audience. */
        ForgetAudienceRequest: {
            index: string;
            name: string;
        };
        /** @description ForgetReply names a saved audience that was deleted. */
        ForgetReply: {
            forgotten: string;
        };
        /** @description Group is the records that have one value in each of some fields. */
        Group: {
            /** Format: int64 */
            count: Integer;
            keys: string[];
        };
        /** @description HealthReply says that the server answers and its database is open. */
        HealthReply: {
            /** @description of a database that has several */
            copy?: components["schemas"]["CopyReply"];
            /** @description "ok" */
            status: string;
        };
        /** @description IDsReply is a page of record IDs. They are JSON numbers of up to 64 bits: a reader that takes numbers for floating point loses digits above 2^53. */
        IDsReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            /** @description ascending */
            ids: Integer[];
            /** @description on the first page: parts of the query that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description Identified is a record by its ID and its key. */
        Identified: {
            /** Format: int64 */
            id: Integer;
            key: string;
        };
        /** @description IdentifiedReply is a page of records by ID and key. */
        IdentifiedReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            /** @description in ascending order of ID */
            records: components["schemas"]["Identified"][];
            /** @description on the first page: parts of the query that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description ImportReply says what an import has read. */
        ImportReply: {
            /**
             * Format: int64
             * @description bad lines, which were left out
             */
            bad: Integer;
            /** @description what is wrong with the first of them */
            bad_lines: string[];
            /**
             * Format: int64
             * @description good lines; a follow that stands there twice counts twice
             */
            follows: Integer;
            /** @description lines that were taken for the names of columns, one of a list at most, and of as many lists as of bad lines */
            headers?: string[];
            /**
             * Format: int64
             * @description of every kind
             */
            lines: Integer;
        };
        /** @description Index is an index of the database. */
        Index: {
            /** @description other names of it, sorted */
            aliases: string[];
            /** @description graph, catalog, standing, redis; "": none */
            application?: string;
            /**
             * Format: int64
             * @description of pages, log and memory, about
             */
            bytes: Integer;
            /**
             * Format: int64
             * @description since the index was made
             */
            commits: Integer;
            fields: components["schemas"]["Field"][];
            index: string;
            /** Format: int64 */
            records: Integer;
            /**
             * Format: int64
             * @description of the last commit
             */
            sequence: Integer;
        };
        /** @description IndexStats says what an index consists of. */
        IndexStats: {
            /**
             * Format: int64
             * @description since the index was made
             */
            commits: Integer;
            /** @description as they were declared */
            declared: components["schemas"]["DeclaredField"][];
            /** Format: int64 */
            delta_bytes: Integer;
            /**
             * Format: int64
             * @description since the last flush
             */
            delta_edits: Integer;
            /** Format: int64 */
            delta_keys: Integer;
            /** Format: int64 */
            delta_values: Integer;
            /** @description as they are stored, those of the index itself among them */
            fields: components["schemas"]["FieldStats"][];
            /**
             * Format: int64
             * @description commits up to this one are in pages
             */
            flushed_sequence: Integer;
            /** Format: int64 */
            log_bytes: Integer;
            name: string;
            newest_log_time?: string;
            /** Format: int64 */
            oldest_log_entry: Integer;
            /** @description UTC; none of an empty log */
            oldest_log_time?: string;
            /** Format: int64 */
            records: Integer;
            /**
             * Format: int64
             * @description of the last commit
             */
            sequence: Integer;
            /**
             * Format: int64
             * @description of a load that has not ended: those stored
             */
            unfinished_follows?: Integer;
        };
        /** @description IndexesReply is all indexes of the database, by name, or the one that was asked for. */
        IndexesReply: {
            indexes: components["schemas"]["Index"][];
        };
        /** @description ItemError says what is wrong with one item of a write. */
        ItemError: {
            /** @description if it is about one */
            field?: string;
            /** @description such as puts[3] */
            item: string;
            message: string;
        };
        /** @description KeysReply is a page of record keys. A key that is not valid UTF-8, which JSON cannot carry, has U+FFFD for each wrong byte. */
        KeysReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            /** @description in ascending order of record ID */
            keys: string[];
            /** @description on the first page: parts of the query that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description KnownLikers are the accounts that a viewer follows among those of the newest likes of a subject. */
        KnownLikers: {
            accounts: string[];
            /** Format: int64 */
            count: Integer;
        };
        /** @description Like is a record by which an account likes a subject. */
        Like: {
            account: string;
            key: string;
        };
        /** @description LikeChange has the record Key of Account like Subject; without a Subject the record goes. */
        LikeChange: {
            account: string;
            key: string;
            subject?: string;
        };
        /** @description LikedReply is a page of the subjects that an account likes. */
        LikedReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            subjects: string[];
        };
        /** @description LikersReply is a page of the records that like a subject. */
        LikersReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            likes: components["schemas"]["Like"][];
        };
        /** @description LikesRequest is the body of likes/write: changes of likes, all or none. */
        LikesRequest: {
            changes?: components["schemas"]["LikeChange"][];
            /**
             * Format: int64
             * @description how far that stream has come
             */
            position?: Integer;
            /** @description whose Position is stored with the changes */
            stream?: string;
        };
        /** @description LookedUp is an account with its ID; one of them is null if there is no such account. */
        LookedUp: {
            account: string | null;
            /** Format: int64 */
            id: Integer | null;
        };
        /** @description LookupReply has what was found, in the order of the question. */
        LookupReply: {
            accounts: components["schemas"]["LookedUp"][];
        };
        /** @description LookupRequest is the body of lookup: accounts or IDs. */
        LookupRequest: {
            accounts?: string[];
            ids?: Integer[];
        };
        /** @description MemoryStats is what the memory of the database is taken for, in bytes. */
        MemoryStats: {
            /** Format: int64 */
            answers: Integer;
            /** Format: int64 */
            backups: Integer;
            /** Format: int64 */
            cache: Integer;
            /** Format: int64 */
            deltas: Integer;
            /**
             * Format: int64
             * @description which pages there are, writes that are in none yet, and flushes
             */
            indexes: Integer;
            /** Format: int64 */
            limit: Integer;
            /** Format: int64 */
            loads: Integer;
            /** Format: int64 */
            merges: Integer;
            /** Format: int64 */
            queries: Integer;
            /**
             * Format: int64
             * @description of all that follows
             */
            used: Integer;
        };
        /** @description OverlapReply is what audiences have in common. */
        OverlapReply: {
            /** @description of each two, in the order of the request; sizes where a row meets its own column */
            matrix: Integer[][];
        };
        /** @description PlanReply is the plan of a query: an object whose members may change from version to version. */
        PlanReply: {
            plan: Record<string, unknown>;
            /** @description parts of the query that are empty because the record does not exist; up to MaxUnknown */
            unknown?: string[];
        };
        /** @description PositionReply says how far a stream has come. */
        PositionReply: {
            /**
             * Format: int64
             * @description null: it was never written
             */
            position: Integer | null;
        };
        /** @description a query: a text in the query language, or an object (docs/query.md) */
        Query: string | Record<string, unknown>;
        /** @description QueryRequest asks an index for the records that a query matches. It is the body of the call in its POST form. */
        QueryRequest: {
            /** @description "" means AnswerKeys */
            answer?: string;
            /** @description of the page before; "" means the first */
            cursor?: string;
            index: string;
            /**
             * Format: int64
             * @description entries of the page, 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
             */
            limit?: Integer;
            /** @description in the query language: a string with text, or an object */
            q: components["schemas"]["Query"];
        };
        /** @description Question asks for one answer. Members that its kind does not name must not be given. */
        Question: {
            /** @description its kind */
            answer: string;
            /** @description of a histogram, ascending: numbers, or days and times as text; a band begins at each */
            bounds?: ((Integer | Decimal) | string)[];
            /** @description "count" (if not given), "lift", "jaccard", "cosine" or "ratio" */
            by?: string;
            /** @description of top and groups: that of the Reply before, to the same question */
            cursor?: string;
            /** @description of a histogram with its bands, "age by 10" or "joined by month", unless there are Bounds */
            field?: string;
            fields?: string[];
            /** Format: int64 */
            least?: Integer;
            /**
             * Format: int64
             * @description 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
             */
            limit?: Integer;
            /** @description which the answer will have; unique in the request */
            name: string;
            /** @description a query: the background of a lift, not given: all records; of a ratio, needed */
            over?: components["schemas"]["Query"];
            /** @description of a bitmap: in the portable format of other Roaring libraries, with 64 bits */
            portable?: boolean;
            quantiles?: (Integer | Decimal)[];
            /** Format: int64 */
            seed?: Integer;
            /** @description queries */
            with?: components["schemas"]["Query"][];
        };
        /** @description RankedAccount is an account of a ranking. */
        RankedAccount: {
            account: string;
            /**
             * Format: int64
             * @description accounts that it is ranked by
             */
            common: Integer;
            score: Integer | Decimal;
        };
        /** @description RankedReply has the first accounts of a ranking. */
        RankedReply: {
            accounts: components["schemas"]["RankedAccount"][];
            /**
             * Format: int64
             * @description how many there are in all
             */
            count: Integer;
        };
        /** @description Record is a record with its values. */
        Record: {
            key: string;
            /** @description of an answer: there is no such record */
            missing?: boolean;
            /** @description fields without a value are left out */
            values?: {
                [key: string]: unknown;
            };
        };
        /** @description RecordFields is some fields of a record, which are to have no value. */
        RecordFields: {
            fields: string[];
            key: string;
        };
        /** @description RecordRequest is a record that is put. */
        RecordRequest: {
            default?: boolean;
            /** @description of attributes that are values, the value; of rules, the condition */
            has?: {
                [key: string]: components["schemas"]["Condition"];
            };
            key: string;
            /** Format: int64 */
            priority?: Integer;
        };
        /** @description RecordsFindReply is a page of records. */
        RecordsFindReply: {
            /** @description of the next page; "": there is none */
            cursor?: string;
            records: components["schemas"]["Record"][];
        };
        /** @description RecordsFindRequest asks for the records that a query matches. */
        RecordsFindRequest: {
            /** @description of the page before */
            cursor?: string;
            /** @description none: all, but inverses of relations */
            fields?: string[];
            index: string;
            /**
             * Format: int64
             * @description 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
             */
            limit?: Integer;
            q: components["schemas"]["Query"];
            /** @description up to MaxSorts of: a single or integer field, or "key"; with "-" before it: descending. None: in the order in which the records were first written */
            sort?: string[];
        };
        /** @description RecordsGetReply has the records in the order of the keys. */
        RecordsGetReply: {
            records: components["schemas"]["Record"][];
            /**
             * Format: int64
             * @description of the last commit that they show
             */
            sequence: Integer;
        };
        /** @description RecordsGetRequest asks for records by their keys. */
        RecordsGetRequest: {
            /** @description none: all, but inverses of relations */
            fields?: string[];
            index: string;
            keys: string[];
        };
        /** @description RecordsWriteReply says which commit it was. */
        RecordsWriteReply: {
            /**
             * Format: int64
             * @description nothing changed: of an earlier one
             */
            sequence: Integer;
        };
        /** @description RecordsWriteRequest writes records of an index, all of it or nothing. First come puts, then merges, clears, deletes and rows. */
        RecordsWriteRequest: {
            /** @description fields that are to have no value */
            clears?: components["schemas"]["RecordFields"][];
            /** @description keys of records that are to be gone */
            deletes?: string[];
            /** @description a Requirement or a list of them: else nothing is written */
            if?: unknown;
            index: string;
            /** @description fields of records, in the place of what they had there */
            merges?: components["schemas"]["Record"][];
            /** @description whole records: what is not named is gone */
            puts?: components["schemas"]["Record"][];
            /** @description values that no record is to have */
            rows?: components["schemas"]["ValueRow"][];
        };
        /** @description Reply is the answer to one Question: its name, and what its kind says. */
        Reply: {
            /** @description of histogram, ascending */
            bands?: components["schemas"]["Band"][];
            /** @description of bitmap, in base64 */
            bitmap?: string;
            /**
             * Format: int64
             * @description of count, distinct; of numbers the records that have one
             */
            count?: Integer;
            /** @description of top and groups: for the next page; absent on the last */
            cursor?: string;
            /** @description of groups */
            groups?: components["schemas"]["Group"][];
            /** @description of sample: those of the keys */
            ids?: Integer[];
            /** @description of sample */
            keys?: string[];
            /** @description of overlap: the query first, then With in their order */
            matrix?: Integer[][];
            /** @description a number, or a date or time as text */
            max?: (Integer | Decimal) | string;
            /** @description in the unit of the sum; absent without records */
            mean?: Integer | Decimal;
            /** @description absent without records, as are the next two */
            min?: (Integer | Decimal) | string;
            name: string;
            quantiles?: ((Integer | Decimal) | string)[];
            /** @description of top */
            rows?: components["schemas"]["Row"][];
            /** @description of numbers, which are JSON numbers or, of dates and times, strings; a sum only of numbers */
            sum?: (Integer | Decimal) | string;
        };
        /** @description ReportReply has what a ReportRequest asked for, in its order. */
        ReportReply: {
            compare?: components["schemas"]["CompareReply"];
            demographics?: components["schemas"]["DemographicsReply"];
            /** @description the audience first */
            overlap?: Integer[][];
            size: components["schemas"]["SizeReply"];
            values?: components["schemas"]["ValuesReply"][];
            words?: components["schemas"]["WordsReply"][];
        };
        /** @description ReportRequest asks for several answers about one audience, which is evaluated once. Its parts are those of the single calls. */
        ReportRequest: {
            compare?: components["schemas"]["CompareRequest"];
            demographics?: components["schemas"]["DemographicsRequest"];
            index: string;
            /** @description queries, at most MaxSets - 1 */
            overlap?: components["schemas"]["Query"][];
            /** @description in the query language: a string with text, or an object */
            q: components["schemas"]["Query"];
            values?: components["schemas"]["ValuesRequest"][];
            words?: components["schemas"]["WordsRequest"][];
        };
        /** @description Requirement is what must hold of a record so that a write is done: that it exists or does not, or that it has a value in a field, or with null that it has none there. */
        Requirement: {
            exists?: boolean;
            field?: string;
            key: string;
            /** @description any value */
            value?: unknown;
        };
        /** @description Row is a value of a field, and how it stands to the records. */
        Row: {
            /**
             * Format: int64
             * @description records that have it
             */
            count: Integer;
            key: string;
            score: Integer | Decimal;
            /**
             * Format: int64
             * @description all that have it; of a lift or ratio, those of the background
             */
            total: Integer;
        };
        /** @description SaveAudienceRequest saves an audience: its records as they are now, or, with Follows, its query. */
        SaveAudienceRequest: {
            follows?: boolean;
            index: string;
            name: string;
            /** @description a string with text, or an object */
            q: components["schemas"]["Query"];
        };
        /** @description SaveRequest asks to store the records that a query matches as a saved set. */
        SaveRequest: {
            index: string;
            name: string;
            /** @description a string with text, or an object */
            q: components["schemas"]["Query"];
        };
        /** @description SavedAudience is a saved audience. */
        SavedAudience: {
            /** @description why the query of one that follows has no answer any more */
            error?: string;
            /** @description it is a query that is evaluated whenever it is asked for, and not a set of records */
            follows: boolean;
            name: string;
            /** @description of one that follows */
            q?: string;
            /** Format: int64 */
            records: Integer;
        };
        /** @description SavedReply lists saved audiences, by name. */
        SavedReply: {
            audiences: components["schemas"]["SavedAudience"][];
        };
        /** @description SearchAnswer is what a search has found, or why it cannot be. */
        SearchAnswer: {
            /** @description of several: attributes whose values differ among them and that the search does not name */
            deciding?: string[];
            error?: components["schemas"]["Error"];
            /** @description "nothing", "one" or "several"; absent with an error */
            found?: string;
            /** @description of several: there are more of them */
            more?: boolean;
            /** @description of one, that; of several, the first ones in the order in which they were first written */
            records?: components["schemas"]["CatalogRecord"][];
            /** @description of nothing: an attribute whose wanted value no record ever had, if one was found */
            unknown?: string;
        };
        /** @description SearchReply has the answers in the order of the searches. */
        SearchReply: {
            answers: components["schemas"]["SearchAnswer"][];
        };
        /** @description SearchRequest asks for the record that counts under some conditions, once or many times. */
        SearchRequest: {
            /** @description of several, do not say which attributes would decide, which costs a count over each */
            brief?: boolean;
            catalog: string;
            /**
             * Format: int64
             * @description records that are listed of several, 2 to MaxLimit; 0 means DefaultListed
             */
            limit?: Integer;
            /** @description 1 to MaxSearches; an attribute that is not named is no condition */
            searches: {
                [key: string]: components["schemas"]["Condition"];
            }[];
            /** @description attributes of the records that are to be told */
            show?: string[];
        };
        /** @description SizeReply is how large an audience is. */
        SizeReply: {
            /**
             * Format: int64
             * @description of the index
             */
            of: Integer;
            /**
             * Format: int64
             * @description of the audience
             */
            records: Integer;
            /** @description records / of */
            share: Integer | Decimal;
        };
        /** @description SlowReply lists the last requests that took long. */
        SlowReply: {
            /**
             * Format: int64
             * @description how long a request takes that is listed
             */
            leastMicros: Integer;
            /** @description the newest first */
            requests: components["schemas"]["SlowRequest"][];
        };
        /** @description SlowRequest is a request that took long. */
        SlowRequest: {
            /** @description the beginning of its JSON */
            body?: string;
            method: string;
            path: string;
            /** @description of its target, without the values of unknown parameters */
            query?: string;
            /** Format: int64 */
            status: Integer;
            /**
             * Format: date-time
             * @description of its answer
             */
            time: string;
            /** Format: int64 */
            tookMicros: Integer;
        };
        /** @description SortedReply is a part of a list of records. Those without the attribute come last. */
        SortedReply: {
            /**
             * Format: int64
             * @description records that fit
             */
            count: Integer;
            records: components["schemas"]["CatalogRecord"][];
        };
        /** @description SortedRequest asks for the records that fit some conditions, in an order, a part at a time. */
        SortedRequest: {
            /** @description an attribute that is no rule; not given: the order in which records were first written */
            by?: string;
            catalog: string;
            descending?: boolean;
            /**
             * Format: int64
             * @description position of the first record of the part
             */
            from?: Integer;
            /**
             * Format: int64
             * @description records of the part, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
            /** @description attributes of the records that are to be told */
            show?: string[];
            where?: {
                [key: string]: components["schemas"]["Condition"];
            };
        };
        /** @description StandingDropRequest ends the standing query of a name. */
        StandingDropRequest: {
            index: string;
            name: string;
        };
        /** @description StandingEvent is what one commit has changed in a standing query. */
        StandingEvent: {
            /**
             * Format: int64
             * @description the commit of the index whose records these are; 0: more comes of it, unless it has an error
             */
            as_of: Integer;
            entered: string[];
            /** @description why it cannot be asked any more: its records stay those as of AsOf (0: none) */
            error?: string;
            left: string[];
            /**
             * Format: int64
             * @description to go on behind this event
             */
            position: Integer;
        };
        /** @description StandingEventsReply is some events, and the position to go on behind. */
        StandingEventsReply: {
            events: components["schemas"]["StandingEvent"][];
            /** Format: int64 */
            last: Integer;
            /** @description the time or the reply was full before all was read */
            more?: boolean;
        };
        /** @description StandingQuery is a query whose result is kept. */
        StandingQuery: {
            /**
             * Format: int64
             * @description the commit of the index that the records are of; 0: it was not asked yet, or not of the index that an alias has moved to
             */
            as_of: Integer;
            /** @description why it cannot be asked any more: its records stay as they are */
            error?: string;
            name: string;
            q: string;
            /** Format: int64 */
            records: Integer;
        };
        /** @description StandingReply is the standing queries of an index, by name; after one was set, that one alone. */
        StandingReply: {
            queries: components["schemas"]["StandingQuery"][];
        };
        /** @description StandingRequest makes a query of an index stand under a name. */
        StandingRequest: {
            index: string;
            name: string;
            q: string;
        };
        /** @description StatsReply says what a database consists of, and what it takes. */
        StatsReply: {
            cache: components["schemas"]["CacheStats"];
            /** @description by name */
            indexes: components["schemas"]["IndexStats"][];
            memory: components["schemas"]["MemoryStats"];
            store: components["schemas"]["StoreStats"];
        };
        /** @description StoreStats is the room on disk; zero where the engine cannot tell. */
        StoreStats: {
            /** Format: int64 */
            total_bytes: Integer;
            /** Format: int64 */
            tree_bytes: Integer;
            /** Format: int64 */
            value_bytes: Integer;
        };
        /** @description SubjectLikes is what is known about the likes of a subject. */
        SubjectLikes: {
            /**
             * Format: int64
             * @description how many like it
             */
            accounts: Integer;
            /** @description of the account's first record; "": it does not like the subject */
            key?: string;
            /** @description if there is a viewer */
            known?: components["schemas"]["KnownLikers"];
            /**
             * Format: int64
             * @description if asked for
             */
            records?: Integer;
        };
        /** @description SubjectsReply has what is known about each subject, in the order of the question. */
        SubjectsReply: {
            subjects: components["schemas"]["SubjectLikes"][];
        };
        /** @description SubjectsRequest is the body of likes/lookup: what is asked about up to MaxSubjects subjects. */
        SubjectsRequest: {
            /** @description whose records are wanted */
            account?: string;
            /**
             * Format: int64
             * @description how many known likers of each are listed
             */
            limit?: Integer;
            /** @description whether records are counted */
            records?: boolean;
            subjects: string[];
            /** @description whose known likers are wanted */
            viewer?: string;
        };
        /** @description TableColumn is a column of a table, and the field that its values become. */
        TableColumn: {
            /** @description of a set: fast or small, if the values of each record are kept together as well; of a single field: fast */
            column?: string;
            /** @description "": the name, with underscores for what is no letter or digit */
            field?: string;
            /** @description as the table has it */
            name: string;
            /** @description of an integer or decimal: numbers with more digits are rounded */
            round?: boolean;
            /**
             * Format: int64
             * @description of a decimal: how many digits stand after the point
             */
            scale?: Integer;
            /** @description of a set: what stands between several values in a cell */
            split?: string;
            /** @description set, single, integer, decimal, date or time */
            type: string;
        };
        /** @description TableImportReply says what an import of tables has read, and how. */
        TableImportReply: {
            /**
             * Format: int64
             * @description values and lines that were left out
             */
            bad: Integer;
            /** @description what is wrong with the first of them */
            bad_lines: string[];
            /** @description of the index */
            fields: components["schemas"]["Field"][];
            /** @description what is to be said about a schema that was chosen */
            notes?: string[];
            /**
             * Format: int64
             * @description rows that became records, or parts of them
             */
            records: Integer;
            /**
             * Format: int64
             * @description rows whose key an earlier row of the import has
             */
            repeated?: Integer;
            /** @description that was given or chosen */
            schema: components["schemas"]["TableSchema"];
            /**
             * Format: int64
             * @description of them
             */
            values: Integer;
        };
        /** @description TableSchema says what the columns of a table are. */
        TableSchema: {
            /** @description the ones to import */
            columns: components["schemas"]["TableColumn"][];
            /** @description column of the keys of the records; "": they are numbered */
            key?: string;
            /** @description texts that stand for no value, beside the empty one */
            null?: string[];
        };
        /** @description Value is a value of a field, and how it stands to an audience. */
        Value: {
            /**
             * Format: int64
             * @description records of the audience that have it
             */
            count: Integer;
            key: string;
            /** @description how many times more frequent it is in the audience than in the index */
            lift: Integer | Decimal;
            /** @description of the audience */
            share: Integer | Decimal;
            /**
             * Format: int64
             * @description records of the index that have it
             */
            total: Integer;
        };
        /** @description ValueRow is a value of a field with all records that have it. */
        ValueRow: {
            field: string;
            value: string;
        };
        /** @description ValuesReply is a page of the values of a field. */
        ValuesReply: {
            /** @description for the next page; absent on the last */
            cursor?: string;
            field: string;
            values: components["schemas"]["Value"][];
        };
        /** @description ValuesRequest asks for a page of the values of a field. */
        ValuesRequest: {
            /** @description "count" (if not given) or "lift" */
            by?: string;
            /** @description of the page before; "" means the first */
            cursor?: string;
            field: string;
            /**
             * Format: int64
             * @description values of fewer records of the audience are left out
             */
            least?: Integer;
            /**
             * Format: int64
             * @description values of the page, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
        };
        /** @description WordsReply is a word cloud. */
        WordsReply: {
            /** @description the most frequent ones */
            common: components["schemas"]["Value"][];
            field: string;
            /** @description those of the greatest lift above 1 */
            typical: components["schemas"]["Value"][];
        };
        /** @description WordsRequest asks for the word cloud of a field. */
        WordsRequest: {
            field: string;
            /**
             * Format: int64
             * @description records that a typical word has; 0 means a thousandth of the audience, at least 2
             */
            least?: Integer;
            /**
             * Format: int64
             * @description words of either kind, 1 to MaxLimit; 0 means DefaultLimit
             */
            limit?: Integer;
        };
        /** @description WriteReply acknowledges a write: it is durable, and every later read sees it. */
        WriteReply: {
            /**
             * Format: int64
             * @description number of the commit in the index's log
             */
            sequence: Integer;
        };
        /** @description WriteRequest is the body of write: changes of any relation, all or none. */
        WriteRequest: {
            changes?: components["schemas"]["ChangeRequest"][];
            /**
             * Format: int64
             * @description how far that stream has come
             */
            position?: Integer;
            /** @description whose Position is stored with the changes */
            stream?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "get-healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReply"];
                };
            };
        };
    };
    "get-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    "get-readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReply"];
                };
            };
        };
    };
    "post-answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswersRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswersReply"];
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    "get-audience-compare": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query of the audience */
                q: string;
                /** @description query of the other audience */
                with: string;
                /** @description names of fields */
                field?: string[];
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description fewest records of a value */
                least?: Integer;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareReply"];
                };
            };
        };
    };
    "get-audience-demographics": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query of the audience */
                q: string;
                /** @description names of fields */
                field?: string[];
                /** @description two or three fields, with commas */
                cross?: string[];
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemographicsReply"];
                };
            };
        };
    };
    "post-audience-forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetAudienceRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetReply"];
                };
            };
        };
    };
    "get-audience-overlap": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the queries, at least two */
                q: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverlapReply"];
                };
            };
        };
    };
    "post-audience-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportReply"];
                };
            };
        };
    };
    "post-audience-save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveAudienceRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-audience-saved": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReply"];
                };
            };
        };
    };
    "get-audience-size": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query of the audience */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SizeReply"];
                };
            };
        };
    };
    "get-audience-values": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query of the audience */
                q: string;
                /** @description name of the field */
                field: string;
                /** @description measure of the ranking; count if not given */
                by?: "count" | "lift";
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description fewest records of a value */
                least?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValuesReply"];
                };
            };
        };
    };
    "get-audience-words": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query of the audience */
                q: string;
                /** @description name of the field */
                field: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description fewest records of a typical word; a thousandth of the audience, at least 2, if not given */
                least?: Integer;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WordsReply"];
                };
            };
        };
    };
    "get-backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    "post-backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    "post-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReply"];
                };
            };
        };
    };
    "get-catalog-check": {
        parameters: {
            query: {
                /** @description name of the catalog */
                catalog: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckReply"];
                };
            };
        };
    };
    "post-catalog-facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacetsRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetsReply"];
                };
            };
        };
    };
    "post-catalog-import": {
        parameters: {
            query: {
                /** @description name of the catalog */
                catalog: string;
                /** @description true: the first bad line fails the import */
                strict?: boolean;
                /** @description share of bad lines that is left out, such as 0.05; none if not given */
                bad?: string;
                /** @description true: tables without a record may replace the catalog */
                empty?: boolean;
                /** @description what stands between values; detect if not given */
                separator?: "detect" | "comma" | "semicolon" | "tab" | "pipe";
                /** @description true: all is checked, and nothing is replaced */
                check?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogImportReply"];
                };
            };
        };
    };
    "get-catalog-schema": {
        parameters: {
            query: {
                /** @description name of the catalog */
                catalog: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogSchema"];
                };
            };
        };
    };
    "post-catalog-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchReply"];
                };
            };
        };
    };
    "post-catalog-sorted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SortedRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SortedReply"];
                };
            };
        };
    };
    "post-catalog-write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CatalogWriteRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteReply"];
                };
            };
        };
    };
    "get-changes": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description last commit that the client knows; 0: none */
                after: Integer;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description how long to wait for a commit, such as 5s; at most 1m */
                wait?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesReply"];
                };
            };
        };
    };
    "get-cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterReply"];
                };
            };
        };
    };
    "get-fields": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldsReply"];
                };
            };
        };
    };
    "post-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FieldsRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldsReply"];
                };
            };
        };
    };
    "get-graph-blockers": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-blocks": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description by time of records with keys; by first appearance if not given */
                order?: "newest" | "oldest";
                /** @description true: with the keys of the records; with order only */
                keys?: boolean;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "post-graph-edges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EdgesRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EdgesReply"];
                };
            };
        };
    };
    "post-graph-follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteReply"];
                };
            };
        };
    };
    "get-graph-followers": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-following": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description by time of records with keys; by first appearance if not given */
                order?: "newest" | "oldest";
                /** @description true: with the keys of the records; with order only */
                keys?: boolean;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-follows": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description key of the other account */
                target: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowsReply"];
                };
            };
        };
    };
    "get-graph-follows-following": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description key of the other account */
                target: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "post-graph-import": {
        parameters: {
            query?: {
                /** @description what stands between columns; detect if not given */
                separator?: "detect" | "comma" | "semicolon" | "tab" | "pipe" | "spaces" | "json";
                /** @description whether the first line names the columns; detect if not given */
                header?: "detect" | "yes" | "no";
                /** @description true: the first bad line fails the import */
                strict?: boolean;
                /** @description share of bad lines that is left out, such as 0.05; 0.9 if not given */
                bad?: string;
                /** @description true: new accounts get IDs by community */
                cluster?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReply"];
                };
            };
        };
    };
    "get-graph-intersect-followers": {
        parameters: {
            query: {
                /** @description keys of the accounts */
                account: string[];
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-intersect-following": {
        parameters: {
            query: {
                /** @description keys of the accounts */
                account: string[];
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-lists": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "post-graph-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookupRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookupReply"];
                };
            };
        };
    };
    "get-graph-members": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description by time of records with keys; by first appearance if not given */
                order?: "newest" | "oldest";
                /** @description true: with the keys of the records; with order only */
                keys?: boolean;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-muters": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-mutes": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-mutuals": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-mutuals-following": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description key of the other account */
                target: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-position": {
        parameters: {
            query: {
                /** @description name of the stream */
                stream: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionReply"];
                };
            };
        };
    };
    "get-graph-reach": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description key of an account without whose blocks and mutes, and without those who block it, the list is wanted */
                viewer?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-similar": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the ranking; 20 if not given */
                limit?: Integer;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
                /** @description measure of similarity; jaccard if not given */
                by?: "jaccard" | "cosine" | "count";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-graph-suggestions": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the ranking; 20 if not given */
                limit?: Integer;
                /** @description true: only how many there are; not together with limit and cursor */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedReply"] | components["schemas"]["CountReply"];
                };
            };
        };
    };
    "post-graph-unfollow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FollowRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteReply"];
                };
            };
        };
    };
    "post-graph-write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WriteRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteReply"];
                };
            };
        };
    };
    "post-handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReply"];
                };
            };
        };
    };
    "post-import": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description column of the keys, if not a guess */
                key?: string;
                /** @description text that stands for no value */
                null?: string[];
                /** @description of the tables */
                format?: "detect" | "csv" | "tsv" | "ndjson" | "parquet";
                /** @description what stands between values */
                separator?: "detect" | "comma" | "semicolon" | "tab" | "pipe";
                /** @description true: the schema that is sent is a guess */
                guessed?: boolean;
                /** @description true: a key twice fails the import; implied where the key is found by distinct values */
                unique?: boolean;
                /** @description true: leave out columns that are no fields */
                ignore?: boolean;
                /** @description true: the first bad value or line fails the import */
                strict?: boolean;
                /** @description share of lines and values that may be bad; none if not given */
                bad?: string;
                /** @description true: nothing is imported */
                check?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableImportReply"];
                };
            };
        };
    };
    "get-indexes": {
        parameters: {
            query?: {
                /** @description name of the index */
                index?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexesReply"];
                };
            };
        };
    };
    "post-indexes-alias": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AliasRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneReply"];
                };
            };
        };
    };
    "post-indexes-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIndexRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateIndexReply"];
                };
            };
        };
    };
    "post-indexes-drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DropIndexRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoneReply"];
                };
            };
        };
    };
    "get-likes-liked": {
        parameters: {
            query: {
                /** @description key of the account */
                account: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikedReply"];
                };
            };
        };
    };
    "get-likes-likers": {
        parameters: {
            query: {
                /** @description the subject */
                subject: string;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
                /** @description true: with hidden accounts */
                hidden?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikersReply"];
                };
            };
        };
    };
    "post-likes-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubjectsRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectsReply"];
                };
            };
        };
    };
    "post-likes-write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LikesRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteReply"];
                };
            };
        };
    };
    "get-openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
        };
    };
    "get-query": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description the query, in the query language */
                q: string;
                /** @description what is wanted: keys, if not given */
                answer?: "keys" | "ids" | "records" | "count" | "explain";
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description cursor of the page before, unchanged; the first page if not given */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysReply"] | components["schemas"]["IDsReply"] | components["schemas"]["IdentifiedReply"] | components["schemas"]["CountReply"] | components["schemas"]["PlanReply"];
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    "post-query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysReply"] | components["schemas"]["IDsReply"] | components["schemas"]["IdentifiedReply"] | components["schemas"]["CountReply"] | components["schemas"]["PlanReply"];
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    "post-records-find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordsFindRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordsFindReply"];
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    "post-records-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordsGetRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordsGetReply"];
                    "application/vnd.apache.arrow.stream": string;
                    "application/vnd.apache.parquet": string;
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    "post-records-write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordsWriteRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordsWriteReply"];
                };
            };
        };
    };
    "post-save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountReply"];
                };
            };
        };
    };
    "get-slow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlowReply"];
                };
            };
        };
    };
    "get-standing": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingReply"];
                };
            };
        };
    };
    "post-standing-drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingDropRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingReply"];
                };
            };
        };
    };
    "get-standing-events": {
        parameters: {
            query: {
                /** @description name of the index */
                index: string;
                /** @description name of the query */
                name: string;
                /** @description position of the last event that the client knows; 0: none */
                after: Integer;
                /** @description entries of the page; 100 if not given */
                limit?: Integer;
                /** @description how long to wait for an event, such as 5s; at most 1m */
                wait?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingEventsReply"];
                };
            };
        };
    };
    "post-standing-set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingReply"];
                };
            };
        };
    };
    "get-stats": {
        parameters: {
            query?: {
                /** @description name of one index; all, if not given */
                index?: string;
                /** @description true: also the containers of each field by kind, which reads every page of lists */
                kinds?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsReply"];
                };
            };
        };
    };
}
