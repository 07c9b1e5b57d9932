import { displayed } from '@recollect/contract/text';
import type { Snapshot } from './compare-texts.js';

interface Props {
  before: Snapshot;
  after: Snapshot;
}

/** The title, tags and note, as far as they differ. */
export function ComparedFields({ before, after }: Props) {
  const fields = [
    { name: 'Title', old: before.title, fresh: after.title },
    { name: 'Tags', old: before.tags.join(', '), fresh: after.tags.join(', ') },
    { name: 'Note', old: before.note ?? '', fresh: after.note ?? '' },
  ].filter(({ old, fresh }) => old !== fresh);
  if (fields.length === 0) return null;
  return (
    <dl class="compared-fields">
      {fields.map(({ name, old, fresh }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value tag="del" text={old} />
            <span class="hidden"> became </span>
            <Value tag="ins" text={fresh} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ tag: Tag, text }: { tag: 'del' | 'ins'; text: string }) {
  return text === '' ? <span class="soft">none</span> : <Tag dir="auto">{displayed(text)}</Tag>;
}
