import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { createStepCounter, type StepCounter } from './count-steps.js';

/** A text that takes an expression more than linear time: a beginning, a part that is repeated, and an end. */
export interface Attack {
  prefix: string;
  pump: string;
  suffix: string;
}

/** How often a part is repeated: at first, and to be sure, when limits of some hundred characters no longer count. */
const [FEW, MANY] = [8, 400];
const FACTOR = 4;
/** Four times the text takes four times the steps in linear time, and sixteen times in quadratic time. */
const LINEAR = 7;
const MAX_STEPS = 3_000_000;
/** Parts that are repeated; and attacks that grow at first, of which some are tried at length. */
const [MAX_PUMPS, MAX_TRIED] = [200, 20];
/** A character that no expression looks for. */
const OTHER = '\u0001';

/** Searches for a text that takes an expression more than linear time. Null if none is found. */
export function attackRegex(source: string, flags: string): Attack | null {
  const parser = new RegExpParser();
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = parser.parsePattern(source, 0, source.length, mode);
  if (!LOOP.test(source)) return null;
  const counter = createStepCounter(pattern, parser.parseFlags(flags));
  let tried = 0;
  for (const attack of attacksOn(pattern, flags)) {
    if (!grows(counter, attack, FEW)) continue;
    if (grows(counter, attack, MANY)) return attack;
    tried += 1;
    if (tried === MAX_TRIED) break;
  }
  return null;
}

/** A quantifier without a small limit. */
const LOOP = /[*+]|\{\d+,\}|\{\d*,?\d{3,}\}/;

function grows(counter: StepCounter, { prefix, pump, suffix }: Attack, times: number): boolean {
  const stepsOf = (count: number) => counter.count(prefix + pump.repeat(count) + suffix, MAX_STEPS);
  const many = stepsOf(FACTOR * times);
  return many >= MAX_STEPS || many > LINEAR * stepsOf(times);
}

function* attacksOn(pattern: AST.Pattern, flags: string): Generator<Attack> {
  const suffixes = [OTHER, `\n${OTHER}`, 'a', ...new Set(lookedFor(pattern))].slice(0, 6);
  const pumps = new Set<string>();
  for (const { text, before } of piecesOf(pattern.alternatives, '')) {
    const isStart = before === '' && text.length > 1;
    for (const pump of [text, ...(isStart ? [`${text} `, `${text}a`, `${text}\n`] : [])]) {
      const lines = flags.includes('m') && isStart ? [`\r${pump}`] : [];
      for (const part of [pump, ...lines]) {
        const key = `${before}\0${part}`;
        if (part === '' || pumps.size === MAX_PUMPS || pumps.has(key)) continue;
        pumps.add(key);
        for (const prefix of new Set(['', OTHER, before]))
          for (const suffix of suffixes) yield { prefix, pump: part, suffix };
      }
    }
  }
}

/** A text that a part of a pattern matches, and one that the pattern matches before it. */
interface Piece {
  text: string;
  before: string;
}

/** The texts of each part, and of parts that follow each other. */
function* piecesOf(alternatives: readonly AST.Alternative[], before: string): Generator<Piece> {
  for (const { elements } of alternatives) {
    const samples = elements.map(samplesOf);
    const usual = samples.map(([text = '']) => text);
    for (const [first, element] of elements.entries()) {
      const lead = before + usual.slice(0, first).join('');
      for (let end = first + 1; end <= elements.length; end++) {
        const [start, last = []] = [usual.slice(first, end - 1).join(''), samples[end - 1]];
        for (const text of last.slice(0, MAX_VARIANTS)) yield { text: start + text, before: lead };
      }
      yield* piecesWithin(element, lead);
    }
  }
}

function* piecesWithin(element: AST.Element, before: string): Generator<Piece> {
  if (element.type === 'Quantifier') yield* piecesWithin(element.element, before);
  else if ('alternatives' in element) yield* piecesOf(element.alternatives, before);
}

const MAX_VARIANTS = 6;

/** Texts that assertions look for behind what an expression matches. */
function lookedFor(node: AST.Pattern | AST.Alternative | AST.Element): string[] {
  if (node.type === 'Quantifier') return lookedFor(node.element);
  if (node.type === 'Alternative') return node.elements.flatMap(lookedFor);
  if (!('alternatives' in node)) return [];
  const alternatives = node.alternatives as AST.Alternative[];
  const own = node.type === 'Assertion' ? alternatives.map(usualText) : [];
  return [...own, ...alternatives.flatMap(lookedFor)];
}

const usualText = ({ elements }: AST.Alternative) => elements.map((part) => samplesOf(part)[0] ?? '').join('');

/** Texts that an element matches, the usual one first. */
function samplesOf(element: AST.Element): string[] {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return charactersOf(element);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.map(usualText);
    case 'Quantifier':
      return samplesOf(element.element).map((text) => text.repeat(Math.max(1, Math.min(element.min, 40))));
    case 'Backreference':
      return samplesOf([element.resolved].flat()[0] as AST.Element);
    case 'Assertion':
      return [''];
  }
}

/** Characters of many kinds, of which those are taken that a class has. */
const CHARACTERS = [...'a1 \t\n-_.,:;/\\<>[](){}"\'`*#|=!?&$~^+@A0xé中あ한\u0301\u00a0\r😀\ue000©•²'];
const MAX_CHARACTERS = 10;

/** Some characters inside a class, from the class, from the pattern, and of other kinds. */
function charactersOf(element: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass): string[] {
  const flags = element.type === 'ExpressionCharacterClass' ? 'v' : /\\[pu]/i.test(element.raw) ? 'u' : '';
  const test = new RegExp(`^${element.raw}$`, flags);
  const own = element.type === 'CharacterClass' && !element.negate ? element.elements.map(firstOf) : [];
  const others = [...literalsOf(element), ...CHARACTERS].filter((character) => test.test(character));
  return [...new Set([...own, ...others])].filter((character) => character !== '').slice(0, MAX_CHARACTERS);
}

function firstOf(part: AST.CharacterClassElement): string {
  if (part.type === 'Character') return String.fromCodePoint(part.value);
  return part.type === 'CharacterClassRange' ? String.fromCodePoint(part.min.value) : '';
}

/** The characters that stand in a pattern as themselves. */
function literalsOf(node: AST.Node): string[] {
  if (node.parent !== null && node.type !== 'Pattern') return literalsOf(node.parent);
  return node.raw.match(/[^\w\\^$.|?*+]/gu) ?? [];
}
