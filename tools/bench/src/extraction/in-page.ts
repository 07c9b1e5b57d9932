/** The texts of one fixture page, read in the browser. */
export interface PageTexts {
  /** The text between the marks that the page's author set. */
  expected: string;
  /** The article according to the extension's content script. */
  recollect: string;
  readability: string;
}

/** The definitions of the loaded scripts in the page. */
declare function recollectReadPage(options: { openclawHosts: string[] }): { pageText: string | null };
declare const Readability: new (document: Document) => { parse(): { content?: string | null } | null };

/** Runs in the page after the content script and Readability have been loaded. Removes the marks before it reads. */
export function readTexts(): PageTexts {
  const block =
    /^(address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|option|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/i;
  const textOf = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    const { nodeName } = node;
    if (/^(script|style|noscript|template|button|svg)$/i.test(nodeName)) return '';
    if (nodeName === 'IMG') return ` ${(node as Element).getAttribute('alt') ?? ''} `;
    const inner = [...node.childNodes].map(textOf).join('');
    return block.test(nodeName) ? `\n${inner}\n` : inner;
  };

  const marks: Comment[] = [];
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode() !== null) marks.push(walker.currentNode as Comment);
  const parts = marks
    .filter(({ data }) => data.trim() === 'keep')
    .map((mark) => {
      let text = '';
      for (let node = mark.nextSibling; node !== null; node = node.nextSibling) {
        if (node.nodeType === Node.COMMENT_NODE && (node as Comment).data.trim() === '/keep') return text;
        text += `${textOf(node)}\n`;
      }
      throw new Error('A <!-- keep --> mark is not closed.');
    });
  for (const mark of marks) mark.remove();

  const article = new Readability(document.cloneNode(true) as Document).parse();
  const parsed = new DOMParser().parseFromString(article?.content ?? '', 'text/html');
  return {
    expected: parts.join('\n'),
    recollect: recollectReadPage({ openclawHosts: [] }).pageText ?? '',
    readability: textOf(parsed.body),
  };
}
