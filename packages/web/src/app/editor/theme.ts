import { EditorView } from '@codemirror/view';

/** The look of the editor. It lives in a shadow, where the style sheets of the page do not apply. */
export const theme = EditorView.theme({
  '&': { blockSize: '100%', color: 'var(--text)', fontSize: 'var(--size-reading)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--sans)', lineHeight: 'var(--leading-reading)', overflowX: 'hidden' },
  '.cm-content': { caretColor: 'var(--text)', overflowWrap: 'anywhere', padding: '0' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-cursor': { borderInlineStartColor: 'var(--text)' },
  '.note-link, .note-link > span': { color: 'var(--accent)' },
  'input[type="checkbox"]': { accentColor: 'var(--accent)', margin: '0 0.25em 0 0', verticalAlign: '-0.1em' },
  '.drawn-table': { cursor: 'text', overflowX: 'auto', padding: '0.25em 0' },
  '.drawn-table table': { borderCollapse: 'collapse', fontSize: '0.9375em' },
  '.drawn-table :is(td, th)': {
    border: '1px solid var(--line)',
    blockSize: '2.25em',
    minInlineSize: '4rem',
    padding: '0.3em 0.6em',
    textAlign: 'start',
  },
  '.drawn-table th': { background: 'var(--raised)' },
  '.cm-tooltip': {
    background: 'var(--overlay)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow-large)',
    color: 'var(--text)',
    fontSize: 'var(--size)',
    padding: 'var(--space-1)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--sans)', maxBlockSize: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    borderRadius: 'var(--radius-small)',
    lineHeight: '1.75rem',
    padding: '0 var(--space-2)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--selected)', color: 'var(--text)' },
});
