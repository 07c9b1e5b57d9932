import type { Call } from '../tools/tool.js';

/** A prompt of the server, which a user picks to start a conversation. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** Returns the text that the conversation starts with. */
  write(given: Readonly<Record<string, string>>, call: Call): Promise<string>;
}
