import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

/** Where the cursor stands after an insertion. */
const CURSOR = '¦';

/** What `/` at the beginning of a line offers, and the Markdown that it writes. */
const BLOCKS: readonly [label: string, markdown: string][] = [
  ['Heading 1', `# ${CURSOR}`],
  ['Heading 2', `## ${CURSOR}`],
  ['Heading 3', `### ${CURSOR}`],
  ['Task', `- [ ] ${CURSOR}`],
  ['Bulleted list', `- ${CURSOR}`],
  ['Numbered list', `1. ${CURSOR}`],
  ['Quote', `> ${CURSOR}`],
  ['Table', `| ${CURSOR} |  |\n| --- | --- |\n|  |  |\n\n`],
  ['Code', `\`\`\`\n${CURSOR}\n\`\`\`\n`],
  ['Line', `---\n${CURSOR}`],
  ['Link to a memory', `[[${CURSOR}`],
];

/** The menu of blocks, which opens with a slash at the beginning of a line. */
export const slashMenu: CompletionSource = ({ state, pos }) => {
  const line = state.doc.lineAt(pos);
  const typed = /^\s*(\/[\w ]{0,20})$/.exec(line.text.slice(0, pos - line.from))?.[1];
  if (typed === undefined) return null;
  return { from: pos - typed.length, options: BLOCKS.map(toCompletion), validFor: /^\/[\w ]*$/ };
};

function toCompletion([label, markdown]: (typeof BLOCKS)[number], at: number): Completion {
  // The order of the list decides, not the alphabet.
  return { label: `/${label}`, displayLabel: label, boost: -at, apply: insertBlock(markdown) };
}

function insertBlock(markdown: string) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const at = markdown.indexOf(CURSOR);
    view.dispatch({
      changes: { from, to, insert: markdown.replace(CURSOR, '') },
      selection: { anchor: from + at },
      scrollIntoView: true,
      userEvent: 'input.complete',
    });
  };
}
