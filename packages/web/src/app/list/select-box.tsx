import { displayed } from '@recollect/contract/text';

interface Props {
  title: string;
  isSelected: boolean;
  /** With `extend`, all up to the row that was chosen last. */
  onSelect: (extend: boolean) => void;
}

/** The box that selects a memory of a list. */
export function SelectBox({ title, isSelected, onSelect }: Props) {
  return (
    <input
      type="checkbox"
      checked={isSelected}
      aria-label={`Select ${displayed(title)}`}
      onClick={(event) => onSelect(event.shiftKey)}
    />
  );
}
