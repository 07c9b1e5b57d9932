import type { Image } from '@recollect/contract';
import { Button } from '@recollect/ui';

interface Props {
  picture: Image;
  onRemove: () => void;
}

/** The picture that a new note will have. */
export function NotePicture({ picture: { type, data }, onRemove }: Props) {
  return (
    <div class="note-picture">
      <img src={`data:${type};base64,${data}`} alt="Pasted" />
      <Button variant="quiet" icon="close" aria-label="Remove the picture" onClick={onRemove} />
    </div>
  );
}
