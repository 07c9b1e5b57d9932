import type { FieldError, TagLook, TagLookBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey, tagPath } from '@recollect/contract/text';
import { withoutNul } from './drafts/content.js';
import { RecollectError } from './error.js';
import type { CorePorts } from './ports/core-ports.js';

/** The use cases on icons and colours of tags. */
export interface TagLooks {
  /** Throws VALIDATION_FAILED for a blank tag or icon, and if too many tags have a look. */
  change(userId: string, body: TagLookBody): Promise<TagLook>;
  /** Adds the looks of an export to tags that have none here. */
  add(userId: string, looks: readonly TagLook[]): Promise<void>;
}

/** Makes the use cases that give tags icons and colours. */
export function createTagLooks({ tagLooks }: Pick<CorePorts, 'tagLooks'>): TagLooks {
  const { kept } = limits.tagLooks;
  return {
    async change(userId, { tag: given, icon, colour }) {
      const tag = tagPath(withoutNul(given));
      if (tag === '') throw invalid('/tag', 'must have at least one character that is not white space');
      const cleanIcon = icon == null ? icon : withoutNul(icon).trim();
      if (cleanIcon === '') throw invalid('/icon', 'must have at least one character that is not white space');
      const saved = await tagLooks.save(userId, { tag, icon: cleanIcon, colour }, kept);
      if (saved === 'full') throw invalid('/tag', `is one too many: at most ${kept} tags have an icon or a colour`);
      return saved;
    },

    async add(userId, looks) {
      const present = new Set((await tagLooks.list(userId)).map(({ tag }) => tagKey(tag)));
      for (const look of looks) if (!present.has(tagKey(look.tag))) await tagLooks.save(userId, look, kept);
    },
  };
}

function invalid(pointer: string, message: string): RecollectError {
  const errors: FieldError[] = [{ pointer, message }];
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors });
}
