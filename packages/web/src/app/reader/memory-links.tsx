import type { MemoryDetail } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Age } from '@recollect/ui';

interface Props {
  id: string;
  title: string;
  memories: MemoryDetail['otherCaptures'];
}

/** A list of links to memories, under a heading; nothing if there are none. */
export function MemoryLinks({ id: headingId, title, memories }: Props) {
  if (memories.length === 0) return null;
  return (
    <section>
      <h2 id={headingId}>{title}</h2>
      <ul aria-labelledby={headingId}>
        {memories.map((memory) => (
          <li key={memory.id}>
            <a href={`/memory/${memory.id}`} dir="auto">
              {displayed(memory.title)}
            </a>{' '}
            <Age instant={memory.capturedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
