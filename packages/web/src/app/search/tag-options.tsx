import { useEffect } from 'preact/hooks';
import { tagList, tags } from '../state/tags.js';
import { completeTags } from './suggestions.js';

interface Props {
  id: string;
  /** The text of the field. */
  typed: string;
}

/** The suggestions of a field for one tag. */
export function TagOptions({ id, typed }: Props) {
  useEffect(() => {
    void tagList.load();
  }, []);
  return (
    <datalist id={id}>
      {completeTags(typed, tags.value ?? []).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
