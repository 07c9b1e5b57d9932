const CONVENTIONAL = /^(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(?:\([\w./, -]+\))?!?: (\S+) \S/;

/** Words that begin a description, where a verb in the imperative should. */
const NO_VERB =
  /^(?:the|a|an|it|its|this|that|these|those|what|who|whoever|when|if|no|all|each|every|one|there|\w+(?:ed|ing))$/i;

/** Verbs in the imperative that look like participles. */
const VERB = /^(?:need|feed|seed|embed|speed|proceed|exceed|shed|bring|ping|string)$/i;

/**
 * Returns what is wrong with the subject of a commit: its length, its form, or its mood. A word list decides on the
 * mood, so some subjects without a verb pass.
 */
export function checkSubject(subject: string): string[] {
  const problems = subject.length > 72 ? ['more than 72 characters'] : [];
  const word = CONVENTIONAL.exec(`${subject} .`)?.[1];
  if (word === undefined) return [...problems, 'not a conventional subject'];
  return NO_VERB.test(word) && !VERB.test(word) ? [...problems, 'not in the imperative'] : problems;
}
