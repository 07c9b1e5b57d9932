import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import type { TextlintPluginCreator, TextlintRuleModule } from '@textlint/types';
import { splitAST } from 'sentence-splitter';
import { readProse } from './read-prose.js';
import { MAX_COLUMNS, MAX_SENTENCE_WORDS, type RuleName, type Wording, wordings } from './rules.js';

export interface Finding {
  rule: RuleName;
  line: number;
  text: string;
}

const kernel = new TextlintKernel();
// Its types describe the CommonJS module, of which an import yields the default export.
const plugins = [{ pluginId: 'markdown', plugin: markdownPlugin as unknown as TextlintPluginCreator }];

/** Checks the prose of a Markdown file, or of a module, against all rules. */
export async function checkProse(path: string, source: string): Promise<Finding[]> {
  const isMarkdown = path.endsWith('.md');
  const prose = isMarkdown ? { markdown: source, lines: null } : readProse(path, source);
  // Most modules break no rule, and parsing their comments as Markdown takes most of the time.
  if (!isMarkdown && !wordingRules.some(({ inLines }) => inLines.test(prose.markdown))) return longComments(source);
  const { messages } = await kernel.lintText(prose.markdown, {
    ext: '.md',
    plugins,
    rules: [...wordingRules, ...(isMarkdown ? markdownRules : [])],
  });
  const findings = messages.map(({ ruleId, line, message }) => ({
    rule: ruleId as RuleName,
    line: prose.lines?.[line - 1] ?? line,
    text: message,
  }));
  return isMarkdown ? findings : [...findings, ...longComments(source)];
}

const wordingRules = Object.entries(wordings as Record<string, Wording>).map(([ruleId, { pattern }]) => {
  const anySpace = pattern.source.replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+');
  const inText = new RegExp(anySpace, 'gi');
  const rule: TextlintRuleModule = ({ Syntax, getSource, report, RuleError }) => ({
    [Syntax.Str](node) {
      for (const { 0: text, index } of getSource(node).matchAll(inText))
        report(node, new RuleError(text.replaceAll('\n', ' '), { index }));
    },
  });
  return { ruleId, rule, inLines: new RegExp(anySpace, 'im') };
});

const WORD = /(?<!\S)[^\s\w]*\w\S*/g;

const sentenceRule: TextlintRuleModule = ({ Syntax, getSource, report, RuleError }) => ({
  [Syntax.Paragraph](node) {
    for (const sentence of splitAST(node as Parameters<typeof splitAST>[0]).children) {
      if (sentence.type !== 'Sentence') continue;
      // A sentence also ends in bold text, in brackets and with a number or unit, and each step between arrows counts.
      const steps = getSource(sentence as unknown as typeof node).split(/→|[.?](?:\*\*|\))|(?<=\d(?: ms| s| MB)?)\.\s/);
      const words = steps.map((step) => step.match(WORD) ?? []).reduce((a, b) => (a.length < b.length ? b : a));
      const [start] = sentence.range;
      if (words.length > MAX_SENTENCE_WORDS)
        report(
          node,
          new RuleError(`${words.length} words: ${words.slice(0, 5).join(' ')} …`, { index: start - node.range[0] }),
        );
    }
  },
});

const lineRule: TextlintRuleModule = ({ Syntax, getSource, report, RuleError }) => ({
  [Syntax.Paragraph](node) {
    const lines = getSource().split('\n');
    for (let number = node.loc.start.line; number <= node.loc.end.line; number++) {
      const line = lines[number - 1] ?? '';
      if (line.length > MAX_COLUMNS)
        report(node, new RuleError(`${line.length} columns`, { line: number - node.loc.start.line, column: 0 }));
    }
  },
});

const markdownRules = [
  { ruleId: 'short-sentences', rule: sentenceRule },
  { ruleId: 'short-lines', rule: lineRule },
];

/** The lines that are only a comment, and too long. */
function longComments(source: string): Finding[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      text.length > MAX_COLUMNS && /^\s*(?:\/\/|\/\*|\* )/.test(text)
        ? [{ rule: 'short-lines' as const, line: index + 1, text: `${text.length} columns` }]
        : [],
    );
}
