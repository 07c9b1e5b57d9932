import type { Client } from '@recollect/contract/client';
import { readTagField, TagField } from '@recollect/ui/tag-field';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { useKnownTags } from '../saving/use-known-tags.js';

/** Shows the field for tags, and returns a function that reads its value. Nothing is requested before it is focused. */
export function showTags(root: HTMLElement, connect: () => Client): () => string {
  let value = '';
  const onValue = (next: string) => {
    value = next;
  };
  render(<Tags onValue={onValue} connect={connect} />, root);
  return () => value;
}

function Tags({ onValue, connect }: { onValue: (value: string) => void; connect: () => Client }) {
  const [tags, setTags] = useState('');
  const [client, setClient] = useState<Client | null>(null);
  return (
    <TagField
      label="Tags"
      inputId="tags"
      placeholder="Add tags"
      value={tags}
      onValue={(next) => {
        setTags(next);
        onValue(next);
      }}
      known={useKnownTags(client, readTagField(tags).typed)}
      isFloating
      // The key may have been typed since.
      onFocus={() => setClient(() => connect())}
    />
  );
}
