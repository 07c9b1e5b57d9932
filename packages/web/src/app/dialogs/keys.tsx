import { Fragment } from 'preact';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** The names that the platform prints on its keys. `$mod` is the modifier of the palette's shortcut. */
const NAMES: Readonly<Record<string, string>> = isApple ? { $mod: '⌘', Enter: 'Return' } : { $mod: 'Ctrl' };

/**
 * Keys as caps, of a sequence or a combination, with alternatives.
 *
 * @example
 * <Keys keys="$mod k" />;
 * <Keys keys="j or ↓" />;
 */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="key-caps">
      {keys.split(' or ').map((sequence, at) => (
        <Fragment key={sequence}>
          {at > 0 && ' or '}
          {sequence.split(' ').map((key, place) => (
            <Fragment key={key}>
              {place > 0 && ' '}
              <kbd>{NAMES[key] ?? key}</kbd>
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
