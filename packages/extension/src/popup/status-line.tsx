import type { Status } from '../saving/status.js';

interface Props {
  status: Status;
  /** The address of the web app; undefined when it is not known. */
  baseUrl: string | undefined;
}

/** The result of the last action. It takes up space even when empty, so that nothing moves. */
export function StatusLine({ status: { tone, text, memoryId }, baseUrl }: Props) {
  return (
    <div class="outcome">
      <p class={`status ${tone}`} role="status">
        {text}
      </p>
      {memoryId !== undefined && baseUrl !== undefined && (
        <a href={new URL(`/memory/${memoryId}`, baseUrl).href} target="_blank" rel="noreferrer">
          Open in Recollect
        </a>
      )}
    </div>
  );
}
