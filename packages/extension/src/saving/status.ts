/** The displayed state of an action: `kept` is a capture that waits in the browser. */
export interface Status {
  tone: 'quiet' | 'busy' | 'good' | 'kept' | 'bad';
  text: string;
  /** The memory that was saved or found. */
  memoryId?: string;
}
