export interface Status {
  tone: 'quiet' | 'busy' | 'good' | 'kept' | 'bad';
  text: string;
}

/** What became of the last thing that was done. Its place is there before, so that nothing moves. */
export function StatusLine({ status: { tone, text } }: { status: Status }) {
  return (
    <p class={`status ${tone}`} role="status">
      {text}
    </p>
  );
}
