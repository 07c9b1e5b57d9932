/** Code blocks, replaced by placeholders while the text around them is cleaned up. */
export interface CodeBlocks {
  /** Stores the code of a `pre` and returns its placeholder; an empty string when there is no code. */
  hold(element: HTMLElement): string;
  /**
   * Replaces the placeholders with fenced blocks, indented like the line that they are on, or with the code where
   * others stand before it.
   */
  restore(text: string): string;
  /** Replaces the placeholders with the code on one line, for table cells. */
  restoreInline(text: string): string;
}

/** A number between private-use characters (Unicode, U+E000 to U+F8FF), which no page uses for text. */
const PLACEHOLDER = /\ue000(\d+)\ue001/g;
/** One at the beginning of a line, after the marks of lists, tasks and quotations. */
const AT_START = /^([^\S\n\r\u2028\u2029]*(?:(?:[-*>]|\d+\.) +)*(?:\[[ x]\] )?)\ue000(\d+)\ue001/gm;
const BLOCK = /^(DIV|P|LI|TR|SECTION)$/;

export function createCodeBlocks(): CodeBlocks {
  const blocks: { code: string; language: string }[] = [];
  const inline = (text: string) =>
    text.replace(PLACEHOLDER, (_, number: string) =>
      (blocks[Number(number)]?.code ?? '').replace(/\s+/g, (spaces) => (spaces.includes('\n') ? ' ' : spaces)),
    );
  return {
    hold(element) {
      const code = codeOf(element);
      if (code === '') return '';
      blocks.push({ code, language: languageOf(element) });
      return `\n\n\ue000${blocks.length - 1}\ue001\n\n`;
    },
    restore(text) {
      const restored = text.replace(AT_START, (_, lead: string, number: string) => {
        const { code = '', language = '' } = blocks[Number(number)] ?? {};
        const indent = lead.replace(/\[[ x]\] $/, '').replace(/[-*\d.]/g, ' ');
        return `${lead}${fenced(code, language)}`.replace(/\n(?=[^\n])/g, `\n${indent}`);
      });
      // Within a line, such as in a link.
      return inline(restored);
    },
    restoreInline: inline,
  };
}

/** The text of a `pre` with its line breaks. Some pages use an element for each line. */
export function codeOf(element: HTMLElement): string {
  const copy = (onlyCodeElement(element) ?? element).cloneNode(true) as HTMLElement;
  for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\n');
  for (const line of copy.querySelectorAll('*')) {
    const text = line.textContent ?? '';
    if (BLOCK.test(line.nodeName) && line.nextSibling !== null && !text.endsWith('\n')) line.append('\n');
  }
  return (copy.textContent ?? '').replace(/^\n/, '').trimEnd();
}

/** The only `code` in a `pre`. Text outside of it is a toolbar, not code. */
function onlyCodeElement(element: Element): Element | null {
  const found = element.querySelectorAll('code');
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A code block of Markdown, whose fence is longer than any in the code. */
export function fenced(code: string, language = ''): string {
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The language of a code block, as its classes and attributes name it; empty if they do not. */
export function languageOf(element: Element): string {
  for (const place of [element.querySelector('code'), element]) {
    const given = place?.getAttribute('data-lang') ?? place?.getAttribute('data-language');
    if (given != null) return given.trim();
    const [, name] = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]+)/.exec(place?.className ?? '') ?? [];
    if (name !== undefined) return name;
  }
  return '';
}
