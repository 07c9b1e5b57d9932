/**
 * How many levels of elements and texts a part of a page has. Without recursion, which a hostile page could leave no
 * room for.
 */
export function depthOf(root: Node): number {
  let deepest = 0;
  let depth = 0;
  let node = root;
  for (;;) {
    if (node.firstChild !== null) {
      node = node.firstChild;
      deepest = Math.max(deepest, ++depth);
      continue;
    }
    while (node !== root && node.nextSibling === null) {
      node = node.parentNode ?? root;
      depth--;
    }
    if (node === root || node.nextSibling === null) return deepest;
    node = node.nextSibling;
  }
}
