/** A regular expression of a source file. */
export interface Regex {
  source: string;
  flags: string;
  /** Where it begins in the file. */
  start: number;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** Stands for a value that is known only at run time, such as a list of words. */
const UNKNOWN = 'abc';

/** The regular expressions in a syntax tree: literals, and those that are made of constant texts, at least in part. */
export function readRegexes(program: unknown): Regex[] {
  const nodes = [...nodesIn(program)];
  const constants = new Map(
    nodes
      .filter(({ type, id, init }) => type === 'VariableDeclarator' && isNode(id) && isNode(init))
      .map(({ id, init }) => [(id as Node).name, init as Node]),
  );
  return nodes.flatMap(({ type, start, regex, callee, arguments: given }) => {
    if (type === 'Literal' && typeof regex === 'object' && regex !== null) {
      const { pattern, flags } = regex as { pattern: string; flags: string };
      return [{ source: pattern, flags, start }];
    }
    if (type !== 'NewExpression' && type !== 'CallExpression') return [];
    if (!isNode(callee) || callee.name !== 'RegExp') return [];
    const [pattern, flags] = (given as Node[]).map((argument) => textOf(argument, constants));
    return pattern == null || !isRegex(pattern, flags ?? '') ? [] : [{ source: pattern, flags: flags ?? '', start }];
  });
}

/** Without the values that are known only at run time, some are none. */
function isRegex(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The constant text of an expression; null if nothing of it is constant. */
function textOf(node: unknown, constants: ReadonlyMap<unknown, Node>): string | null {
  if (!isNode(node)) return null;
  const { type, value, name, expression, left, right, tag, quasi, object, property, callee } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type === 'TSAsExpression') return textOf(expression, constants);
  if (type === 'Identifier') return constants.has(name) ? textOf(constants.get(name), constants) : null;
  if (type === 'TemplateLiteral') return joinTemplate(node, 'cooked', constants);
  if (type === 'TaggedTemplateExpression' && isNode(tag) && isNode(tag.object) && tag.object.name === 'String')
    return joinTemplate(quasi as Node, 'raw', constants);
  if (type === 'BinaryExpression') {
    const parts = [left, right].map((part) => textOf(part, constants));
    return parts.every((part) => part === null) ? null : parts.map((part) => part ?? UNKNOWN).join('');
  }
  if (type === 'MemberExpression' && isNode(property) && property.name === 'source' && isNode(object)) {
    const regex = constants.get(object.name)?.regex as { pattern: string } | undefined;
    return regex?.pattern ?? null;
  }
  if (type === 'CallExpression' && isNode(callee) && isNode(callee.object) && isNode(callee.property)) {
    const [separator] = (node.arguments as Node[]).map((argument) => textOf(argument, constants));
    const list = callee.object.type === 'Identifier' ? constants.get(callee.object.name) : callee.object;
    if (callee.property.name !== 'join' || list?.type !== 'ArrayExpression') return null;
    return (list.elements as Node[]).map((element) => textOf(element, constants) ?? UNKNOWN).join(separator ?? ',');
  }
  return null;
}

function joinTemplate(template: Node, form: 'cooked' | 'raw', constants: ReadonlyMap<unknown, Node>): string {
  const texts = (template.quasis as { value: Record<'cooked' | 'raw', string> }[]).map(({ value }) => value[form]);
  const values = (template.expressions as Node[]).map((part) => textOf(part, constants) ?? UNKNOWN);
  return texts.map((text, at) => text + (values[at] ?? '')).join('');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}
