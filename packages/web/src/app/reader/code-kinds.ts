/** What a part of a program is, as far as its colour tells it. */
export const codeKinds = ['comment', 'keyword', 'string', 'number', 'name', 'type', 'added', 'removed'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** A coloured part of a program: where it starts and ends, in UTF-16 code units. */
export interface CodeToken {
  start: number;
  end: number;
  kind: CodeKind;
}

/** What the worker is asked to read, and what it answers. */
export interface CodeRequest {
  block: number;
  language: string;
  code: string;
}
export interface CodeAnswer {
  block: number;
  tokens: readonly CodeToken[];
}
