/** Wraps the text of a range, which begins and ends within text, in marks, one per text node. Returns the marks. */
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

/** Only the nodes of the range are looked at: in a text of megabytes, comparing all of them with it takes seconds. */
function textNodesIn({ commonAncestorContainer: root, startContainer, endContainer }: Range): Text[] {
  if (root instanceof Text) return [root];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  walker.currentNode = startContainer;
  const nodes: Text[] = [];
  for (let node: Node | null = startContainer; node !== null; node = walker.nextNode()) {
    nodes.push(node as Text);
    if (node === endContainer) break;
  }
  return nodes;
}
