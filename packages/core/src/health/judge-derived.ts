import type { Derived, DerivedFacts } from '../ports/index.js';
import { type Finding, failure, ok, warning } from './finding.js';

/** A finding, and the part that repairs it. */
export interface Repairable {
  finding: Finding;
  part: Derived;
}

/** Compares derived data with the memories. */
export function judgeDerived({ text, vectors, marks, tags, counts, sequence }: DerivedFacts): Repairable[] {
  return [
    { part: 'text', finding: judgeText(text) },
    { part: 'vectors', finding: judgeVectors(vectors) },
    { part: 'marks', finding: judgeMarks(marks) },
    {
      part: 'tags',
      finding:
        tags === 0
          ? ok('tags', 'The rows of tags match the memories.')
          : failure('tags', `The rows of tags of ${tags} memories differ from their tags.`),
    },
    {
      part: 'counts',
      finding:
        counts === 0
          ? ok('counts', 'The counts that are kept match the memories.')
          : failure('counts', `The counts that are kept differ from the memories in ${counts} places.`),
    },
    {
      part: 'sequence',
      finding:
        sequence.newest <= sequence.last
          ? ok('changes', `The change sequence is at ${sequence.last}.`)
          : failure('changes', 'The change sequence would give out numbers that were used before.'),
    },
  ];
}

function judgeText({ missing, orphaned, problems }: DerivedFacts['text']): Finding {
  if (problems.length > 0) return failure('text index', `The full-text index is damaged: ${problems[0]}`);
  if (missing + orphaned === 0) return ok('text index', 'The full-text index matches the memories.');
  return failure(
    'text index',
    `The full-text index lacks ${missing} chunks, and has ${orphaned} rows without a memory.`,
  );
}

function judgeVectors({ orphaned, misshapen }: DerivedFacts['vectors']): Finding {
  if (misshapen > 0) {
    return failure('vectors', `${misshapen} vectors have another length than their model's.`);
  }
  if (orphaned > 0) return warning('vectors', `${orphaned} vectors belong to no memory.`);
  return ok('vectors', 'The vectors match the memories and their models.');
}

function judgeMarks({ wrong, missing }: DerivedFacts['marks']): Finding {
  if (wrong > 0) return failure('embeddings', `${wrong} memories count as embedded, but lack vectors.`);
  if (missing > 0) return warning('embeddings', `${missing} memories have all vectors, but do not count as embedded.`);
  return ok('embeddings', 'The memories that count as embedded have all their vectors.');
}
