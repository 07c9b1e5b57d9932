import { join } from 'node:path';
import type { Places } from '../config.js';

/** How a client starts the server. */
export interface Launch {
  command: string;
  args: readonly string[];
  /** Settings of ours; null for those that are not set, and are taken out of what is there. */
  env: Readonly<Record<string, string | null>>;
}

/** A program that speaks the Model Context Protocol, and where it keeps which servers it starts. */
export interface McpClient {
  title: string;
  /** Its file, which is JSON, with comments where it takes them. */
  file(places: Places): string;
  /** The member of the file that holds the servers by name. */
  section: 'mcpServers' | 'servers';
  entry(launch: Launch): Record<string, unknown>;
  /** What makes it read the file again. */
  afterwards: string;
}

/** The name that the server has in the files of clients. */
export const SERVER_NAME = 'recollect';

/** What an entry is told of the launch, whichever client it is for. */
function plain({ command, args, env }: Launch): Record<string, unknown> {
  const set = Object.entries(env).filter(([, value]) => value !== null);
  return { command, args: [...args], ...(set.length === 0 ? {} : { env: Object.fromEntries(set) }) };
}
const typed = (launch: Launch) => ({ type: 'stdio', ...plain(launch) });

/** Where the programs of one maker keep their settings on each system. */
function settingsFolder({ platform, home, appData, configHome }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return platform === 'win32' ? appData : configHome;
}

/** The clients whose file can be edited, by the name that they have on the command line. */
export const clients: Readonly<Record<string, McpClient>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (places) => join(settingsFolder(places), 'Claude', 'claude_desktop_config.json'),
    section: 'mcpServers',
    entry: plain,
    afterwards: 'Quit Claude Desktop and open it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: ({ home, claudeCode }) => join(claudeCode ?? home, '.claude.json'),
    section: 'mcpServers',
    entry: typed,
    afterwards: 'It is there in the next session of Claude Code; /mcp shows it.',
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    section: 'mcpServers',
    entry: plain,
    afterwards: 'Cursor asks for it by itself, or open Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(settingsFolder(places), 'Code', 'User', 'mcp.json'),
    section: 'servers',
    entry: typed,
    afterwards: 'In VS Code, MCP: List Servers starts it.',
  },
};

/** The client of a name, if there is one. */
export function findClient(name: string): McpClient | undefined {
  return Object.hasOwn(clients, name) ? clients[name] : undefined;
}

/** The one that is set up in its own pages. */
export const CHATGPT = 'chatgpt';

/** The client's file as it is when nothing else is in it. */
export function wholeFile({ section, entry }: McpClient, launch: Launch): Record<string, unknown> {
  return { [section]: { [SERVER_NAME]: entry(launch) } };
}
