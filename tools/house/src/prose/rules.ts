/** A wording that prose here avoids. */
export interface Wording {
  /** A space stands for white space of any kind, since prose wraps. */
  pattern: RegExp;
  bad: string;
  /** The same said well. */
  good: string;
}

/** The wordings, by the name of their rule. */
export const wordings = {
  'no-is-no': {
    pattern: /(?<!\bthere |\bthere'd )\b(?:is|are|was|were) no\b(?! longer\b| more\b| less\b| one\b)/gi,
    bad: 'It is no text.',
    good: 'Not a text file, so there is no text to read and it is no longer listed.',
  },
  'no-whoever': {
    pattern: /\b(?:who|what|which)ever\b/gi,
    bad: 'Whoever waited has its answer.',
    good: 'The pending read has already been settled.',
  },
  'no-headless-of': {
    pattern: /\b(?:those of|(?<!\b(?:so|know|knows|see|ensure) )that of|the ones? that)\b/gi,
    bad: 'The limits are those of the server.',
    good: "The server's limits apply.",
  },
  'no-own': {
    pattern: /\bof (?:its|their) own\b/gi,
    bad: 'It has a thread of its own.',
    good: 'It runs in a separate thread.',
  },
  'no-go-on': {
    pattern: /\b(?:go|goes|going|went|gone) on\b/gi,
    bad: 'The import goes on.',
    good: 'The import continues.',
  },
  'no-as-it-is': {
    pattern: /(?<!\bas (?:soon|long|far|much) )\bas (?:it is|they are)\b/gi,
    bad: 'The text is kept as it is.',
    good: 'Returns the text unchanged, as soon as it is there.',
  },
  'no-is-held': {
    pattern: /\b(?:is|are|was|were|be|been|being) held\b/gi,
    bad: 'While the lock is held, readers wait.',
    good: 'Readers wait while a writer holds the lock.',
  },
  'no-none-of': {
    pattern: /\bnone of\b/gi,
    bad: 'None of the words was found.',
    good: 'No word was found.',
  },
  'no-final-particle': {
    pattern: /(?:, too|\b(?:alone|by itself|meanwhile))(?=[.;!?)]|$)/gi,
    bad: 'The name is read, too.',
    good: 'The name is also read.',
  },
  'no-headless-what': {
    pattern:
      /(?:^|[.;:,(`*_|>\])] ?|\b(?:of|to|from|by|with|for|in|behind|beside|than) )what (?:is|was|are|were)\b(?![^.]*\?)/gi,
    bad: 'What is saved twice is counted once.',
    good: 'Duplicates are counted once. What is a duplicate?',
  },
} as const satisfies Record<string, Wording>;

/** The most words of a sentence in the docs. */
export const MAX_SENTENCE_WORDS = 30;
/** The most columns of a line of Markdown or of a comment. */
export const MAX_COLUMNS = 120;

export type RuleName = keyof typeof wordings | 'short-sentences' | 'short-lines';
