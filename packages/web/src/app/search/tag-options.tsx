import { useEffect } from 'preact/hooks';
import { tagList, tags } from '../state/tags.js';
import { completeTags } from './suggestions.js';

interface Props {
  id: string;
  /** The text of the field: tags, separated by commas. */
  typed: string;
  /** Tags that are not offered. */
  present?: readonly string[];
}

/** The suggestions of a field for tags. */
export function TagOptions({ id, typed, present }: Props) {
  useEffect(() => {
    void tagList.load();
  }, []);
  return (
    <datalist id={id}>
      {completeTags(typed, tags.value ?? [], present).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
