import { isMap, isScalar, isSeq, type Node, parseDocument, Scalar, visit } from 'yaml';

/**
 * Indentation that the library would make an expression of, ` {30000}` for instance. V8 ends the process where such an
 * expression does not fit into the memory of its compiler.
 */
const TOO_DEEP = /^[ \t?:-]{200}/m;

/**
 * Reads YAML into plain values. What would be written otherwise keeps its spelling: `007`, `1.10` and a number of
 * twenty digits are texts. `#tea` as a tag, which YAML takes for a comment, is one. Throws for invalid YAML.
 */
export function readYaml(text: string): unknown {
  if (TOO_DEEP.test(text)) throw new RangeError('The YAML is indented too deeply.');
  // To quote the line of each error would take quadratic time.
  // To compare all keys with each other would take seconds for thousands. The last of a name counts.
  const document = parseDocument(text, { schema: 'core', logLevel: 'silent', uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'number' && node.source !== undefined && String(node.value) !== node.source)
        node.value = node.source;
    },
    Pair(_, { key, value }) {
      if (isScalar(key) && /^(?:tags?|keywords)$/i.test(String(key.value))) keepHashes(value as Node | null);
    },
  });
  return isMap(document.contents) || isSeq(document.contents) ? document.toJS() : null;
}

/** Gives empty values their comment, with its hash. */
function keepHashes(value: Node | null): void {
  const items = isSeq(value) ? value.items : [value];
  for (const item of items)
    if (item instanceof Scalar && item.value === null && item.comment) item.value = `#${item.comment.trim()}`;
}
