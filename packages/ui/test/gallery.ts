import { Age, Button, Chip, Icon, iconNames, Logo, Marked, SourceIcon } from '@recollect/ui';
import { TagField } from '@recollect/ui/tag-field';
import { createRef, h, render } from 'preact';
import { useState } from 'preact/hooks';

/** The page's record of the actions of its controls. */
export const done: string[] = [];
const note = (text: string) => () => {
  done.push(text);
};
const button = createRef<HTMLButtonElement>();

const KNOWN = ['green tea', 'drinks/coffee', 'city walks'].map((tag) => ({ tag }));

function Tags() {
  const [value, onValue] = useState('lamps, ');
  return h('form', { onSubmit: (event: Event) => event.preventDefault(), 'data-value': value }, [
    h(TagField, { label: 'Tags', value, onValue, known: KNOWN, isFloating: true }),
  ]);
}

render(
  h('main', {}, [
    h('h1', {}, [h(Logo, {}), 'Gallery']),
    ...(['primary', 'plain', 'danger', 'quiet'] as const).flatMap((variant) => [
      h(Button, { variant, children: variant }),
      h(Button, { variant, icon: 'plus', disabled: true, children: `${variant} disabled` }),
      h(Button, { variant, icon: 'trash', 'aria-label': `Delete ${variant}` }),
    ]),
    h(Button, { ref: button, class: 'own', 'aria-pressed': true, onClick: note('pressed'), children: 'pressed' }),
    h(Chip, { label: 'tea' }),
    h(Chip, { label: 'tag:tea', onRemove: note('removed') }),
    h(Chip, { label: 'שלום', count: 1_234, href: '#tea' }),
    h(Chip, { label: 'coffee', onClick: note('chosen'), onRemove: note('removed'), removeLabel: 'Forget coffee' }),
    h('p', {}, h(Marked, { text: 'The lamps of <b>Harrow</b> Street', query: 'lamp' })),
    h(Age, { instant: '2026-06-12T12:00:00Z', now: Date.parse('2026-06-15T12:00:00Z'), locale: 'en' }),
    h('label', {}, ['Note ', h('input', { class: 'field', placeholder: 'why it matters' })]),
    h(Tags, {}),
    h('span', { class: 'hidden' }, 'For screen readers'),
    ...(['url', 'note', 'chatgpt', 'claude', 'openclaw'] as const).map((sourceType) => h(SourceIcon, { sourceType })),
    h(
      'div',
      { id: 'icons' },
      iconNames.map((name) => h(Icon, { name })),
    ),
  ]),
  document.body,
);
Object.assign(globalThis, { done, button });
