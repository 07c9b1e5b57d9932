import { type Block, blocksOf } from './blocks.js';
import { type Line, sizeOf } from './lines.js';

/** A heading is larger than the text, by this factor at least, and shorter than so many characters. */
const HEADING = { factor: 1.12, longest: 200 };
/** The title is larger still, and among the first blocks of the first page. */
const TITLE = { factor: 1.25, blocks: 6 };
/** Headings have at most so many levels below the title. */
const LEVELS = 3;

/** Writes the lines of a document as Markdown. The title is that on its first page; empty if there is none. */
export function toMarkdown(lines: readonly Line[]): { text: string; title: string } {
  const size = sizeOf(lines);
  const blocks = joinInitials(blocksOf(lines), size);
  const isHeading = (block: Block) =>
    block.kind === 'text' &&
    block.size >= size * HEADING.factor &&
    block.text.length < HEADING.longest &&
    /\p{L}.*\p{L}|[\p{Script=Han}\p{Script=Hangul}]/u.test(block.text);
  const title = titleOf(blocks.filter(isHeading), blocks, size);
  const sizes = [
    ...new Set(blocks.filter((block) => block !== title && isHeading(block)).map((block) => block.size)),
  ].sort((a, b) => b - a);
  const write = (block: Block): string => {
    if (block === title) return `# ${escapeSigns(block.text)}`;
    if (block.kind === 'code') return fenced(block.text);
    if (isHeading(block))
      return `${'#'.repeat(2 + Math.min(sizes.indexOf(block.size), LEVELS - 1))} ${escapeSigns(block.text)}`;
    const lines = block.text.split('\n').map((line) => escapeStart(escapeSigns(line)));
    return `${block.kind === 'item' ? '- ' : ''}${lines.join('  \n')}`;
  };
  const parts = blocks.map((block, at) => {
    const isNextItem = block.kind === 'item' && blocks[at + 1]?.kind === 'item';
    return write(block) + (isNextItem ? '\n' : '\n\n');
  });
  return { text: parts.join('').trim(), title: title?.text ?? '' };
}

/** The largest of the first headings, if it is on the first page. */
function titleOf(headings: readonly Block[], blocks: readonly Block[], size: number): Block | undefined {
  const first = headings.filter((block) => block.page === 1 && blocks.indexOf(block) < TITLE.blocks);
  const largest = first.reduce<Block | undefined>(
    (most, block) => (block.size > (most?.size ?? 0) ? block : most),
    undefined,
  );
  return largest !== undefined && largest.size >= size * TITLE.factor ? largest : undefined;
}

/** Joins a large first letter with the word that it begins. */
function joinInitials(blocks: readonly Block[], size: number): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const initial = joined.at(-1);
    const isInitial = initial !== undefined && /^\p{Lu}$/u.test(initial.text) && initial.size > size * INITIAL;
    if (isInitial && /^\p{Ll}/u.test(block.text))
      joined[joined.length - 1] = { ...block, text: initial.text + block.text };
    else joined.push(block);
  }
  return joined;
}

/** Minimum size of a drop cap, as a factor of the text size. */
const INITIAL = 1.8;

/** A text as Markdown, in which nothing is a sign of it. */
function escapeSigns(text: string): string {
  const SIGNS = /[\\`*~]|\](?=[([:])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[\w/!?])|&(?=#?\w+;)|(?<=\s)#(?=#*$)/gu;
  return text.replace(SIGNS, '\\$&');
}

/** The same for the beginning of a line, of which some signs make a heading, a list or a rule. */
function escapeStart(text: string): string {
  return text.replace(/^(?:#{1,6}(?=\s|$)|[-+>=])/, '\\$&').replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}
