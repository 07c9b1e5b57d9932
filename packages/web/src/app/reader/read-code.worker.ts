import { common, createLowlight } from 'lowlight';
import type { CodeAnswer, CodeKind, CodeRequest, CodeToken } from './code-kinds.js';

/** The scopes of highlight.js. Missing scopes have the colour of the text. */
const KINDS_BY_SCOPE: Readonly<Record<string, CodeKind>> = {
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  doctag: 'keyword',
  string: 'string',
  regexp: 'string',
  symbol: 'string',
  link: 'string',
  number: 'number',
  literal: 'number',
  title: 'name',
  section: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  variable: 'name',
  'template-variable': 'name',
  'selector-class': 'name',
  'selector-id': 'name',
  'selector-attr': 'name',
  type: 'type',
  built_in: 'type',
  addition: 'added',
  deletion: 'removed',
};

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>;

const lowlight = createLowlight(common);
postMessage('ready');

addEventListener('message', ({ data: { block, language, code } }: MessageEvent<CodeRequest>) => {
  const tokens = lowlight.registered(language) ? tokensOf(lowlight.highlight(language, code)) : [];
  postMessage({ block, tokens } satisfies CodeAnswer);
});

function tokensOf(tree: Tree): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  const visit = (node: Tree['children'][number], kind: CodeKind | undefined) => {
    if (node.type === 'text') {
      if (kind !== undefined) tokens.push({ start: at, end: at + node.value.length, kind });
      at += node.value.length;
    } else if (node.type === 'element') {
      const [scope = ''] = (node.properties.className as string[] | undefined) ?? [];
      const name = scope.replace(/^hljs-/, '');
      // A substitution in a string is code again.
      for (const child of node.children) visit(child, name === 'subst' ? undefined : (KINDS_BY_SCOPE[name] ?? kind));
    }
  };
  for (const child of tree.children) visit(child, undefined);
  return tokens;
}
