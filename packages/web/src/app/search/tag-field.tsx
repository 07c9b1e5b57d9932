import '../styles/tag-field.css';
import { TagField as SharedField, type TagFieldProps } from '@recollect/ui/tag-field';
import { TagMark } from './tag-mark.js';

/** A field for several tags, whose chips have the icons and colours that the user chose. */
export function TagField(props: Omit<TagFieldProps, 'mark'>) {
  return <SharedField {...props} mark={(tag) => <TagMark tag={tag} isOptional />} />;
}
