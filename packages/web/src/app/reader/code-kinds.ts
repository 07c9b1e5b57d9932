/** The kinds of tokens in a program that have different colours. */
export const codeKinds = ['comment', 'keyword', 'string', 'number', 'name', 'type', 'added', 'removed'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** A coloured part of a program: where it starts and ends, in UTF-16 code units. */
export interface CodeToken {
  start: number;
  end: number;
  kind: CodeKind;
}

/** The request to the worker and its response. */
export interface CodeRequest {
  block: number;
  language: string;
  code: string;
}
export interface CodeAnswer {
  block: number;
  tokens: readonly CodeToken[];
}
