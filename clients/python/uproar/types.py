# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
"""The bodies of requests and replies. Written by generate.py from server/openapi.json."""

from __future__ import annotations

from typing import Any, Dict, TypedDict, Union

from typing_extensions import NotRequired

Condition = Union[str, Dict[str, Any]]
Query = Union[str, Dict[str, Any]]

class AccountsReply(TypedDict):
    accounts: list[str]
    cursor: NotRequired[str]
    keys: NotRequired[list[str]]


class AliasRequest(TypedDict):
    alias: str
    index: str


class AnswersReply(TypedDict):
    answers: list[Reply]
    records: int
    unknown: NotRequired[list[str]]


class AnswersRequest(TypedDict):
    answers: list[Question]
    index: str
    q: Query

Band = TypedDict("Band", {"below": "NotRequired[Union[float, str]]", "count": "int", "from": "NotRequired[Union[float, str]]"})

class BatchReply(TypedDict):
    answers: list[dict[str, Any]]


class BatchRequest(TypedDict):
    calls: list[str]


class CacheStats(TypedDict):
    hits: int
    misses: int


class CatalogAttribute(TypedDict):
    field: str
    info: NotRequired[bool]
    name: str
    rule: NotRequired[bool]
    scale: NotRequired[int]
    type: str


class CatalogFacet(TypedDict):
    any: NotRequired[int]
    attribute: str
    excluded: NotRequired[list[FacetValue]]
    max: NotRequired[str]
    min: NotRequired[str]
    more: NotRequired[bool]
    ranges: NotRequired[int]
    values: NotRequired[list[FacetValue]]


class CatalogFault(TypedDict):
    key: str
    kind: str
    message: str
    other: str


class CatalogImportReply(TypedDict):
    bad: int
    bad_lines: list[str]
    records: int


class CatalogRecord(TypedDict):
    key: str
    values: NotRequired[dict[str, str]]


class CatalogSchema(TypedDict):
    attributes: list[CatalogAttribute]
    combined: NotRequired[list[list[str]]]
    default: NotRequired[str]
    key: NotRequired[str]
    priority: NotRequired[str]


class CatalogWriteRequest(TypedDict):
    catalog: str
    delete: NotRequired[list[str]]
    put: NotRequired[list[RecordRequest]]


class Cell(TypedDict):
    count: int
    keys: list[str]
    share: float


class ChangeRequest(TypedDict):
    account: str
    edges: NotRequired[list[EdgeRequest]]
    key: NotRequired[str]
    op: str
    relation: NotRequired[str]
    target: NotRequired[str]


class Changed(TypedDict):
    field: NotRequired[str]
    kind: str
    record: NotRequired[str]
    record_id: int
    value: NotRequired[str]


class ChangesReply(TypedDict):
    commits: list[Commit]
    last: int


class CheckReply(TypedDict):
    faults: list[CatalogFault]
    more: NotRequired[bool]


class ClusterCheckpoint(TypedDict):
    bytes: int
    position: int
    time: str


class ClusterNode(TypedDict):
    ageMillis: int
    epoch: int
    leads: bool
    node: str
    position: int
    url: NotRequired[str]


class ClusterReply(TypedDict):
    checkpoints: list[ClusterCheckpoint]
    horizon: int
    log: str
    nodes: list[ClusterNode]


class Commit(TypedDict):
    changes: list[Changed]
    loaded: NotRequired[bool]
    sequence: int
    time: str


class CompareReply(TypedDict):
    both: int
    either: int
    fields: NotRequired[list[Contrast]]
    jaccard: float
    other: int
    records: int

CompareRequest = TypedDict("CompareRequest", {"fields": "NotRequired[list[str]]", "least": "NotRequired[int]", "limit": "NotRequired[int]", "with": "Query"})

class ContainerStats(TypedDict):
    bytes: int
    containers: int
    kind: str
    values: int


class Contrast(TypedDict):
    field: str
    here: NotRequired[Distribution]
    less: list[Difference]
    more: list[Difference]
    there: NotRequired[Distribution]


class CopyReply(TypedDict):
    ageMillis: int
    epoch: int
    forward: str
    leads: bool
    node: str
    position: int
    writer: str
    writerUrl: NotRequired[str]


class CountReply(TypedDict):
    count: int
    unknown: NotRequired[list[str]]


class CreateIndexReply(TypedDict):
    fields: list[Field]
    index: str


class CreateIndexRequest(TypedDict):
    fields: NotRequired[list[Field]]
    index: str


class CrossTab(TypedDict):
    cells: list[Cell]
    fields: list[str]
    more: NotRequired[bool]


class DeclaredField(TypedDict):
    column: str
    format: NotRequired[str]
    inverse: NotRequired[str]
    name: str
    scale: NotRequired[int]
    type: str
    values: str


class DemographicsReply(TypedDict):
    crosses: NotRequired[list[CrossTab]]
    fields: NotRequired[list[Distribution]]
    records: int


class DemographicsRequest(TypedDict):
    crosses: NotRequired[list[list[str]]]
    fields: NotRequired[list[str]]
    limit: NotRequired[int]


class Difference(TypedDict):
    count: int
    key: str
    other_count: int
    other_share: float
    ratio: float
    share: float

Distribution = TypedDict("Distribution", {"field": "str", "figures": "NotRequired[Figures]", "more": "NotRequired[bool]", "values": "NotRequired[list[Value]]", "with": "int"})

class DoneReply(TypedDict):
    done: bool


class DropIndexRequest(TypedDict):
    index: str


class EdgeRequest(TypedDict):
    key: NotRequired[str]
    target: str


class EdgesOf(TypedDict):
    blockedBy: str
    blocking: str
    followedBy: str
    following: str
    muting: bool


class EdgesReply(TypedDict):
    edges: list[EdgesOf]
    lists: list[str]


class EdgesRequest(TypedDict):
    account: str
    lists: NotRequired[list[str]]
    targets: NotRequired[list[str]]


class Error(TypedDict):
    code: str
    errors: NotRequired[list[ItemError]]
    message: str
    offset: NotRequired[int]
    oldest: NotRequired[int]
    reason: NotRequired[str]
    request_id: NotRequired[str]


class ErrorReply(TypedDict):
    error: Error


class FacetValue(TypedDict):
    count: int
    value: str


class FacetsReply(TypedDict):
    count: int
    facets: list[CatalogFacet]


class FacetsRequest(TypedDict):
    attributes: NotRequired[list[str]]
    catalog: str
    limit: NotRequired[int]
    where: NotRequired[dict[str, Condition]]


class Field(TypedDict):
    column: NotRequired[str]
    format: NotRequired[str]
    inverse: NotRequired[str]
    name: str
    scale: NotRequired[int]
    type: str


class FieldStats(TypedDict):
    bytes: int
    kinds: NotRequired[list[ContainerStats]]
    name: str
    pages: int
    pieces: int
    rows: int
    type: str
    values: int


class FieldsReply(TypedDict):
    fields: list[Field]


class FieldsRequest(TypedDict):
    add: NotRequired[list[Field]]
    drop: NotRequired[list[str]]
    index: str


class Figures(TypedDict):
    max: Union[float, str]
    mean: NotRequired[float]
    min: Union[float, str]
    quartiles: list[Union[float, str]]


class Follow(TypedDict):
    account: str
    target: str


class FollowRequest(TypedDict):
    account: NotRequired[str]
    follows: NotRequired[list[Follow]]
    target: NotRequired[str]


class FollowsReply(TypedDict):
    follows: bool


class ForgetAudienceRequest(TypedDict):
    index: str
    name: str


class ForgetReply(TypedDict):
    forgotten: str


class Group(TypedDict):
    count: int
    keys: list[str]


class HealthReply(TypedDict):
    copy: NotRequired[CopyReply]
    status: str


class IDsReply(TypedDict):
    cursor: NotRequired[str]
    ids: list[int]
    unknown: NotRequired[list[str]]


class Identified(TypedDict):
    id: int
    key: str


class IdentifiedReply(TypedDict):
    cursor: NotRequired[str]
    records: list[Identified]
    unknown: NotRequired[list[str]]


class ImportReply(TypedDict):
    bad: int
    bad_lines: list[str]
    follows: int
    headers: NotRequired[list[str]]
    lines: int


class Index(TypedDict):
    aliases: list[str]
    application: NotRequired[str]
    bytes: int
    commits: int
    fields: list[Field]
    index: str
    records: int
    sequence: int


class IndexStats(TypedDict):
    commits: int
    declared: list[DeclaredField]
    delta_bytes: int
    delta_edits: int
    delta_keys: int
    delta_values: int
    fields: list[FieldStats]
    flushed_sequence: int
    log_bytes: int
    name: str
    newest_log_time: NotRequired[str]
    oldest_log_entry: int
    oldest_log_time: NotRequired[str]
    records: int
    sequence: int
    unfinished_follows: NotRequired[int]


class IndexesReply(TypedDict):
    indexes: list[Index]


class ItemError(TypedDict):
    field: NotRequired[str]
    item: str
    message: str


class KeysReply(TypedDict):
    cursor: NotRequired[str]
    keys: list[str]
    unknown: NotRequired[list[str]]


class KnownLikers(TypedDict):
    accounts: list[str]
    count: int


class Like(TypedDict):
    account: str
    key: str


class LikeChange(TypedDict):
    account: str
    key: str
    subject: NotRequired[str]


class LikedReply(TypedDict):
    cursor: NotRequired[str]
    subjects: list[str]


class LikersReply(TypedDict):
    cursor: NotRequired[str]
    likes: list[Like]


class LikesRequest(TypedDict):
    changes: NotRequired[list[LikeChange]]
    position: NotRequired[int]
    stream: NotRequired[str]


class LookedUp(TypedDict):
    account: Union[str, None]
    id: Union[int, None]


class LookupReply(TypedDict):
    accounts: list[LookedUp]


class LookupRequest(TypedDict):
    accounts: NotRequired[list[str]]
    ids: NotRequired[list[int]]


class MemoryStats(TypedDict):
    answers: int
    backups: int
    cache: int
    deltas: int
    indexes: int
    limit: int
    loads: int
    merges: int
    queries: int
    used: int


class OverlapReply(TypedDict):
    matrix: list[list[int]]


class PlanReply(TypedDict):
    plan: dict[str, Any]
    unknown: NotRequired[list[str]]


class PositionReply(TypedDict):
    position: Union[int, None]


class QueryRequest(TypedDict):
    answer: NotRequired[str]
    cursor: NotRequired[str]
    index: str
    limit: NotRequired[int]
    q: Query

Question = TypedDict("Question", {"answer": "str", "bounds": "NotRequired[list[Union[float, str]]]", "by": "NotRequired[str]", "cursor": "NotRequired[str]", "field": "NotRequired[str]", "fields": "NotRequired[list[str]]", "least": "NotRequired[int]", "limit": "NotRequired[int]", "name": "str", "over": "NotRequired[Query]", "portable": "NotRequired[bool]", "quantiles": "NotRequired[list[float]]", "seed": "NotRequired[int]", "with": "NotRequired[list[Query]]"})

class RankedAccount(TypedDict):
    account: str
    common: int
    score: float


class RankedReply(TypedDict):
    accounts: list[RankedAccount]
    count: int


class Record(TypedDict):
    key: str
    missing: NotRequired[bool]
    values: NotRequired[dict[str, Any]]


class RecordFields(TypedDict):
    fields: list[str]
    key: str


class RecordRequest(TypedDict):
    default: NotRequired[bool]
    has: NotRequired[dict[str, Condition]]
    key: str
    priority: NotRequired[int]


class RecordsFindReply(TypedDict):
    cursor: NotRequired[str]
    records: list[Record]


class RecordsFindRequest(TypedDict):
    cursor: NotRequired[str]
    fields: NotRequired[list[str]]
    index: str
    limit: NotRequired[int]
    q: Query
    sort: NotRequired[list[str]]


class RecordsGetReply(TypedDict):
    records: list[Record]
    sequence: int


class RecordsGetRequest(TypedDict):
    fields: NotRequired[list[str]]
    index: str
    keys: list[str]


class RecordsWriteReply(TypedDict):
    sequence: int

RecordsWriteRequest = TypedDict("RecordsWriteRequest", {"clears": "NotRequired[list[RecordFields]]", "deletes": "NotRequired[list[str]]", "if": "NotRequired[Any]", "index": "str", "merges": "NotRequired[list[Record]]", "puts": "NotRequired[list[Record]]", "rows": "NotRequired[list[ValueRow]]"})

class Reply(TypedDict):
    bands: NotRequired[list[Band]]
    bitmap: NotRequired[str]
    count: NotRequired[int]
    cursor: NotRequired[str]
    groups: NotRequired[list[Group]]
    ids: NotRequired[list[int]]
    keys: NotRequired[list[str]]
    matrix: NotRequired[list[list[int]]]
    max: NotRequired[Union[float, str]]
    mean: NotRequired[float]
    min: NotRequired[Union[float, str]]
    name: str
    quantiles: NotRequired[list[Union[float, str]]]
    rows: NotRequired[list[Row]]
    sum: NotRequired[Union[float, str]]


class ReportReply(TypedDict):
    compare: NotRequired[CompareReply]
    demographics: NotRequired[DemographicsReply]
    overlap: NotRequired[list[list[int]]]
    size: SizeReply
    values: NotRequired[list[ValuesReply]]
    words: NotRequired[list[WordsReply]]


class ReportRequest(TypedDict):
    compare: NotRequired[CompareRequest]
    demographics: NotRequired[DemographicsRequest]
    index: str
    overlap: NotRequired[list[Query]]
    q: Query
    values: NotRequired[list[ValuesRequest]]
    words: NotRequired[list[WordsRequest]]


class Requirement(TypedDict):
    exists: NotRequired[bool]
    field: NotRequired[str]
    key: str
    value: NotRequired[Any]


class Row(TypedDict):
    count: int
    key: str
    score: float
    total: int


class SaveAudienceRequest(TypedDict):
    follows: NotRequired[bool]
    index: str
    name: str
    q: Query


class SaveRequest(TypedDict):
    index: str
    name: str
    q: Query


class SavedAudience(TypedDict):
    error: NotRequired[str]
    follows: bool
    name: str
    q: NotRequired[str]
    records: int


class SavedReply(TypedDict):
    audiences: list[SavedAudience]


class SearchAnswer(TypedDict):
    deciding: NotRequired[list[str]]
    error: NotRequired[Error]
    found: NotRequired[str]
    more: NotRequired[bool]
    records: NotRequired[list[CatalogRecord]]
    unknown: NotRequired[str]


class SearchReply(TypedDict):
    answers: list[SearchAnswer]


class SearchRequest(TypedDict):
    brief: NotRequired[bool]
    catalog: str
    limit: NotRequired[int]
    searches: list[dict[str, Condition]]
    show: NotRequired[list[str]]


class SizeReply(TypedDict):
    of: int
    records: int
    share: float


class SlowReply(TypedDict):
    leastMicros: int
    requests: list[SlowRequest]


class SlowRequest(TypedDict):
    body: NotRequired[str]
    method: str
    path: str
    query: NotRequired[str]
    status: int
    time: str
    tookMicros: int


class SortedReply(TypedDict):
    count: int
    records: list[CatalogRecord]

SortedRequest = TypedDict("SortedRequest", {"by": "NotRequired[str]", "catalog": "str", "descending": "NotRequired[bool]", "from": "NotRequired[int]", "limit": "NotRequired[int]", "show": "NotRequired[list[str]]", "where": "NotRequired[dict[str, Condition]]"})

class StandingDropRequest(TypedDict):
    index: str
    name: str


class StandingEvent(TypedDict):
    as_of: int
    entered: list[str]
    error: NotRequired[str]
    left: list[str]
    position: int


class StandingEventsReply(TypedDict):
    events: list[StandingEvent]
    last: int
    more: NotRequired[bool]


class StandingQuery(TypedDict):
    as_of: int
    error: NotRequired[str]
    name: str
    q: str
    records: int


class StandingReply(TypedDict):
    queries: list[StandingQuery]


class StandingRequest(TypedDict):
    index: str
    name: str
    q: str


class StatsReply(TypedDict):
    cache: CacheStats
    indexes: list[IndexStats]
    memory: MemoryStats
    store: StoreStats


class StoreStats(TypedDict):
    total_bytes: int
    tree_bytes: int
    value_bytes: int


class SubjectLikes(TypedDict):
    accounts: int
    key: NotRequired[str]
    known: NotRequired[KnownLikers]
    records: NotRequired[int]


class SubjectsReply(TypedDict):
    subjects: list[SubjectLikes]


class SubjectsRequest(TypedDict):
    account: NotRequired[str]
    limit: NotRequired[int]
    records: NotRequired[bool]
    subjects: list[str]
    viewer: NotRequired[str]


class TableColumn(TypedDict):
    column: NotRequired[str]
    field: NotRequired[str]
    name: str
    round: NotRequired[bool]
    scale: NotRequired[int]
    split: NotRequired[str]
    type: str


class TableImportReply(TypedDict):
    bad: int
    bad_lines: list[str]
    fields: list[Field]
    notes: NotRequired[list[str]]
    records: int
    repeated: NotRequired[int]
    schema: TableSchema
    values: int


class TableSchema(TypedDict):
    columns: list[TableColumn]
    key: NotRequired[str]
    null: NotRequired[list[str]]


class Value(TypedDict):
    count: int
    key: str
    lift: float
    share: float
    total: int


class ValueRow(TypedDict):
    field: str
    value: str


class ValuesReply(TypedDict):
    cursor: NotRequired[str]
    field: str
    values: list[Value]


class ValuesRequest(TypedDict):
    by: NotRequired[str]
    cursor: NotRequired[str]
    field: str
    least: NotRequired[int]
    limit: NotRequired[int]


class WordsReply(TypedDict):
    common: list[Value]
    field: str
    typical: list[Value]


class WordsRequest(TypedDict):
    field: str
    least: NotRequired[int]
    limit: NotRequired[int]


class WriteReply(TypedDict):
    sequence: int


class WriteRequest(TypedDict):
    changes: NotRequired[list[ChangeRequest]]
    position: NotRequired[int]
    stream: NotRequired[str]
