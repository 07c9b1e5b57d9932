/** Front matter at the beginning, and code. */
const NO_TEXT =
  /(?<![\s\S])---\r?\n[\s\S]*?\r?\n---[ \t]*$|^(?<fence>(?:`{3,12}|~{3,12})(?![`~]))[\s\S]*?^\k<fence>|(?<!`)`+[^`\n]+`+/gm;
/**
 * A tag as Obsidian and Bear have it: `#tea`, `#drinks/tea`, and in Bear `#green tea#`. A heading has a space behind its first character,
 * and the part of an address has no space before it.
 */
const TAG =
  /(?<=^|[\s(])#(?:(?<words>[\p{L}\p{N}_/-]+(?: [\p{L}\p{N}_/-]+)+)#(?![\p{L}\p{N}])|(?<word>[\p{L}\p{N}_/-]+))/gmu;

/**
 * The tags that stand in a note, in their order. A number is none: it is that of an issue or a place.
 *
 * @example
 * inlineTags('Steep it. #drinks/tea, see issue #12'); // ['drinks/tea']
 */
export function inlineTags(markdown: string): string[] {
  const text = markdown.replace(/^\uFEFF/, '').replace(NO_TEXT, ' ');
  const tags = [...text.matchAll(TAG)].map(({ groups }) => groups?.words ?? groups?.word ?? '');
  return [
    ...new Set(tags.map((tag) => tag.replace(/^[/-]+|(?<![/-])[/-]+$/g, '')).filter((tag) => /\p{L}/u.test(tag))),
  ];
}
