import type { Call } from '../tools/tool.js';

/** One prompt of the server: what a user picks, to have an assistant begin with it. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** The text that the conversation begins with. */
  write(given: Readonly<Record<string, string>>, call: Call): Promise<string>;
}
