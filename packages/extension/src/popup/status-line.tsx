export interface Status {
  tone: 'quiet' | 'busy' | 'good' | 'kept' | 'bad';
  text: string;
}

/** The result of the last action. It takes up space even when empty, so that nothing moves. */
export function StatusLine({ status: { tone, text } }: { status: Status }) {
  return (
    <p class={`status ${tone}`} role="status">
      {text}
    </p>
  );
}
