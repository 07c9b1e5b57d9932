type Allowed = readonly [statement: RegExp, reason: string, step?: RegExp];

// Quotes and line breaks are left out of the statements. Where a step is given, no other one may read so much.

/** Statements that stop at their limit: they read rows in the order of an index, and sort none. */
export const PAGES: readonly Allowed[] = [
  [
    /order by (?:memories\.\w+|coalesce\(memories\.opened_at, ''\)) (?:asc|desc), id (?:asc|desc) limit \?\) order by/,
    'a page of the list',
  ],
  [/from memories inner join highlights .* order by highlights\.created_at desc, .* limit \?$/, 'a page of highlights'],
  [/order by memories\.deleted_at desc, memories\.id desc limit \?$/, 'a page of the trash'],
  [
    /^select id from memories where user_id = \? and deleted_at is not null order by deleted_at limit \?$/,
    'a batch of the trash',
  ],
  [/and memories\.id > \? order by memories\.id limit \?$/, 'a page of an export of what has changed'],
  [/^select sequence from index_changes order by sequence(?: desc)? limit \?$/, 'the first or last row'],
  [/^select chunk_id from embeddings where user_id = \? and model_id = \? limit \?$/, 'any row'],
  [/^select embeddings\.chunk_id, .* order by embeddings\.chunk_id limit \?$/, 'a batch of vectors to remove'],
  [/^select id, word from words where id > \? order by id limit \?$/, 'a batch of words to look at'],
  [/^select 1 from comment_text_docsize limit 1$/, 'any row'],
  [/^select id from memories where user_id = \? limit \?$/, 'any row of a person'],
];

/** Statements that may read all rows of a table or of a user. */
export const WHOLE: readonly Allowed[] = [
  // They read rows added since the last time.
  [/^select max\(id\) as last, group_concat\(word, ' '\) as words from words where id > \?$/, 'the words of spelling'],
  [/^select sequence, memory_id, is_vectors from index_changes where user_id = \? and sequence > \?/, 'the changes'],
  // They read memories to embed. Memories that one of several models has embedded are included until the others are
  // removed.
  [
    / from memories m where m\.user_id = \? and m\.deleted_at is null and \+m\.chunk_count > 0 and/,
    'pending memories',
    /INDEX memories_by_model /,
  ],
  [/^with recursive tag_keys/, 'the tags that complete a text'],
  // They read half a year, and the answer is kept until a memory changes.
  [/^select substr\(captured_at, 1, 10\) as day, count\(\*\) as saved /, 'the days of the statistics'],
  // They concern all that they read.
  [/^delete from \w+ where user_id = \?$/, 'the deletion of a person'],
  [
    /^select count\(\*\) as count from memories where memories\.user_id = \? and \(memories\.updated_at >= \?/,
    'an export',
  ],
  [/^select id from memories where \(.*\) order by captured_at desc, id desc$/, 'a change of all that match'],
  [/vec_distance_l2\(/, 'a search without vectors in memory'],
  [/chunk_text where chunk_text match \?/, 'a search within a filter'],
  // Nothing keeps the counts by facts within a filter.
  [
    /^select (?:\w+|client, client_name as name|substr\(captured_at, 1, 7\) as value), count\(\*\) as count(?:,| from)/,
    'counts',
  ],
  [/^select count\(\*\) as count from memories where \(user_id = \? and deleted_at is null/, 'the total of counts'],
  [/^select cast\(\? as text\) as branch, count\(distinct memory_id\)/, 'the counts of branches'],
  // The outbox has only the events that wait.
  [/ from plugin_events where (?:user_id|is_parked) = \? group by/, 'the state of the outbox'],
];
