/** Wraps the text of a range in marks, one per text node. Returns the marks. */
export function markRange(range: Range, create: () => HTMLElement): HTMLElement[] {
  const nodes = textNodesIn(range);
  return nodes.flatMap((node) => {
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.data.length;
    if (end <= start || node.data.slice(start, end).trim() === '') return [];
    const part = node.splitText(start);
    part.splitText(end - start);
    const mark = create();
    part.replaceWith(mark);
    mark.append(part);
    return [mark];
  });
}

/** Removes marks and joins the text that they split. */
export function unmark(marks: readonly HTMLElement[]): void {
  for (const mark of marks) {
    const { parentNode } = mark;
    mark.replaceWith(...mark.childNodes);
    parentNode?.normalize();
  }
}

function textNodesIn(range: Range): Text[] {
  const root = range.commonAncestorContainer;
  if (root instanceof Text) return [root];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (range.intersectsNode(node)) nodes.push(node as Text);
  return nodes;
}
