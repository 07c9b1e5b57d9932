/**
 * Words of Arabic and Hebrew that are written together with the next one, such as the article and "and", alone and in
 * the orders in which they stand together.
 */
const ARABIC = [
  ...['ال', 'وال', 'فال', 'بال', 'وبال', 'فبال', 'كال', 'وكال', 'فكال', 'لل', 'ولل', 'فلل'],
  ...['و', 'ف', 'ب', 'ك', 'ل', 'وب', 'فب', 'وك', 'فك', 'ول', 'فل'],
];
const HEBREW = [
  ...[
    'ה',
    'ו',
    'ב',
    'כ',
    'ל',
    'מ',
    'ש',
    'וה',
    'וב',
    'וכ',
    'ול',
    'ומ',
    'וש',
    'שה',
    'ושה',
    'מה',
    'ומה',
    'כש',
    'וכש',
    'כשה',
  ],
  ...['לכש', 'שב', 'שכ', 'של', 'שמ', 'בה', 'לה', 'כה'],
];
/** Behind an article, a word may have two letters, which otherwise are too often the end of another word. */
const ARTICLES: ReadonlySet<string> = new Set(['ال', 'وال', 'فال', 'بال', 'كال', 'لل', 'ה', 'וה', 'שה']);
const MIN_LETTERS = { behindArticle: 2, otherwise: 3 };

const SCRIPTS = /^(?:\p{Script=Arabic}+|\p{Script=Hebrew}+)$/u;
const LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const ARABIC_LETTER = /\p{Script=Arabic}/u;
const WORD = /[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]+/gu;

/** Marks a word of the index that may have had proclitics. No word of a query contains this character. */
const MARK = '\u{e001}';

/**
 * The readings of a folded word without the proclitics that it may begin with: all of them, since only the sense tells
 * which is right. Empty for words of other scripts.
 *
 * @example
 * withoutProclitics('והספר'); // ['הספר', 'ספר']
 * withoutProclitics('المكتبة'); // ['مكتبة']
 */
export function withoutProclitics(word: string): string[] {
  if (!LETTER.test(word) || !SCRIPTS.test(word)) return [];
  return (ARABIC_LETTER.test(word) ? ARABIC : HEBREW).flatMap((proclitic) => {
    const least = ARTICLES.has(proclitic) ? MIN_LETTERS.behindArticle : MIN_LETTERS.otherwise;
    return word.startsWith(proclitic) && word.length >= proclitic.length + least ? [word.slice(proclitic.length)] : [];
  });
}

/**
 * The marked words under which the index has a folded word besides its own, and under which a query looks for it: the
 * word and what it is without proclitics. So `ספר` and `והספר` find "הספר", and a text with the very word has all of
 * them, and the word itself.
 */
export function procliticForms(word: string): string[] {
  if (!LETTER.test(word) || !SCRIPTS.test(word) || word.length < MIN_LETTERS.behindArticle) return [];
  return [word, ...withoutProclitics(word)].map((form) => MARK + form);
}

/** The marked words of a text in plain letters, each once. */
export function procliticFormsIn(text: string): string[] {
  if (!LETTER.test(text)) return [];
  return [...new Set((text.match(WORD) ?? []).flatMap(procliticForms))];
}

/** Whether a text has letters of a script whose words may begin with proclitics. */
export function hasProclitics(text: string): boolean {
  return LETTER.test(text);
}
