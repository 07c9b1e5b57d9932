import { signal } from '@preact/signals';
import { announceFailure } from '../state/status.js';

/** Characters of an utterance. Engines stop in the middle of longer ones. */
const MAX_UTTERANCE_CHARACTERS = 200;
/** Milliseconds to wait for voices, which some browsers load late. */
const VOICES_TIMEOUT_MS = 1_500;
const BLOCKS = 'p, li, h2, h3, h4, h5, h6, blockquote, td, th, dt, dd, figcaption, summary';
/** The name under which the style sheet colours the words that are spoken. */
const SPOKEN = 'spoken';

/** Whether a text is read aloud. */
export const speech = signal<'off' | 'reading' | 'paused'>('off');

/** A part of a text that is spoken in one go. */
interface Utterance {
  text: string;
  block: HTMLElement;
}

let parts: Iterator<Utterance> = [][Symbol.iterator]();
let present: Utterance | undefined;
let language = '';

/**
 * Reads a text aloud by the voice of the browser, from the first block in view on. Says so if there is no voice.
 *
 * @param from the text
 * @param lang the language of the text; empty if it is not known
 */
export async function readAloud(from: HTMLElement, lang: string): Promise<void> {
  if (!('speechSynthesis' in globalThis)) return announceFailure('This browser cannot read aloud.');
  if (!(await hasVoices()))
    return announceFailure('No voice was found. Install one in the settings of your system, and reload this page.');
  stopSpeech();
  parts = partsOf(from);
  language = lang;
  speakNext();
}

/** Stops, so that the reading can continue at the beginning of the present part. */
export function pauseSpeech(): void {
  speech.value = 'paused';
  speechSynthesis.cancel();
}

/** Continues where the reading was paused. */
export function continueSpeech(): void {
  if (present === undefined) stopSpeech();
  else speak(present);
}

/** Ends the reading. */
export function stopSpeech(): void {
  if (speech.peek() === 'off') return;
  speech.value = 'off';
  present = undefined;
  CSS.highlights.delete(SPOKEN);
  speechSynthesis.cancel();
}

function speakNext(): void {
  const next = parts.next();
  if (next.done === true) stopSpeech();
  else speak(next.value);
}

function speak(part: Utterance): void {
  present = part;
  speech.value = 'reading';
  show(part.block);
  const utterance = new SpeechSynthesisUtterance(part.text);
  if (language !== '') utterance.lang = language;
  utterance.onend = () => {
    // A cancelled one also ends.
    if (speech.peek() === 'reading' && present === part) speakNext();
  };
  utterance.onerror = ({ error }) => {
    if (error === 'canceled' || error === 'interrupted') return;
    stopSpeech();
    announceFailure(`Reading aloud failed (${error}).`);
  };
  speechSynthesis.speak(utterance);
}

/** Marks the block that is spoken, and scrolls to it if it is out of view. */
function show(block: HTMLElement): void {
  const range = new Range();
  range.selectNodeContents(block);
  CSS.highlights.set(SPOKEN, new Highlight(range));
  const { top, bottom } = block.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) block.scrollIntoView({ block: 'center' });
}

async function hasVoices(): Promise<boolean> {
  if (speechSynthesis.getVoices().length > 0) return true;
  await new Promise((resolve) => {
    speechSynthesis.addEventListener('voiceschanged', resolve, { once: true });
    setTimeout(resolve, VOICES_TIMEOUT_MS);
  });
  return speechSynthesis.getVoices().length > 0;
}

/** The parts of a text, from the first block in view on. A text of megabytes is split while it is read. */
function* partsOf(article: HTMLElement): Generator<Utterance> {
  const blocks = blocksOf(article);
  const first = blocks.findIndex(({ block }) => block.getBoundingClientRect().bottom > innerHeight / 4);
  for (const { block, text } of blocks.slice(Math.max(0, first))) {
    if (!block.isConnected || !block.checkVisibility()) continue;
    for (const part of splitSpeech(text)) yield { text: part, block };
  }
}

/** The blocks of a text in their order, with their own words. Programs are not read aloud. */
function blocksOf(article: HTMLElement): Utterance[] {
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const blocks: Utterance[] = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    const block = parentElement?.closest('pre') == null ? parentElement?.closest<HTMLElement>(BLOCKS) : null;
    if (block == null || !article.contains(block)) continue;
    const last = blocks.at(-1);
    if (last?.block === block) last.text += textContent;
    else blocks.push({ block, text: textContent ?? '' });
  }
  return blocks;
}

/**
 * Splits a text into sentences, and long sentences between words.
 *
 * @example
 * splitSpeech('Bees dance. Others follow.'); // ['Bees dance.', 'Others follow.']
 */
export function splitSpeech(text: string): string[] {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text.replace(/\s+/g, ' '));
  return Array.from(sentences, ({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .flatMap((sentence) => sentence.match(SHORT_PART) ?? []);
}

const SHORT_PART = new RegExp(
  `\\S.{0,${MAX_UTTERANCE_CHARACTERS - 2}}(?=\\s|$)|\\S{${MAX_UTTERANCE_CHARACTERS}}`,
  'gu',
);
