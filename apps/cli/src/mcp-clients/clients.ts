import { join } from 'node:path';
import type { SettingsFolders } from '../config.js';

/** How a client starts the server. */
export interface Launch {
  command: string;
  args: readonly string[];
  /** Our settings. Null for those that are not set and are removed from an existing entry. */
  env: Readonly<Record<string, string | null>>;
}

/** A program that speaks the Model Context Protocol, and the file that lists the servers it starts. */
export interface McpClient {
  title: string;
  /** The path of its file: JSON, with comments if the client accepts them. */
  file(places: SettingsFolders): string;
  /** The property of the file that lists the servers by name. */
  section: 'mcpServers' | 'servers';
  entry(launch: Launch): Record<string, unknown>;
  /** How to make the client read the file again. */
  nextStep: string;
}

/** The server's name in clients' files. */
export const SERVER_NAME = 'recollect';

/** The part of an entry that is the same for all clients. */
function baseEntry({ command, args, env }: Launch): Record<string, unknown> {
  const set = Object.entries(env).filter(([, value]) => value !== null);
  return { command, args: [...args], ...(set.length === 0 ? {} : { env: Object.fromEntries(set) }) };
}
const stdioEntry = (launch: Launch) => ({ type: 'stdio', ...baseEntry(launch) });

/** Where applications keep their settings on each system. */
function settingsFolder({ platform, home, appData, configHome }: SettingsFolders): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return platform === 'win32' ? appData : configHome;
}

/** The clients whose file can be edited, by their name on the command line. */
export const clients: Readonly<Record<string, McpClient>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (places) => join(settingsFolder(places), 'Claude', 'claude_desktop_config.json'),
    section: 'mcpServers',
    entry: baseEntry,
    nextStep: 'Quit Claude Desktop and open it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: ({ home, claudeCode }) => join(claudeCode ?? home, '.claude.json'),
    section: 'mcpServers',
    entry: stdioEntry,
    nextStep: 'Start a new session of Claude Code; /mcp shows the server.',
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    section: 'mcpServers',
    entry: baseEntry,
    nextStep: 'Approve it when Cursor asks, or open Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(settingsFolder(places), 'Code', 'User', 'mcp.json'),
    section: 'servers',
    entry: stdioEntry,
    nextStep: 'In VS Code, start it with MCP: List Servers.',
  },
};

export function findClient(name: string): McpClient | undefined {
  return Object.hasOwn(clients, name) ? clients[name] : undefined;
}

/** Set up on its own web pages, not in a file. */
export const CHATGPT = 'chatgpt';

/** A client's file that contains only our server. */
export function newFile({ section, entry }: McpClient, launch: Launch): Record<string, unknown> {
  return { [section]: { [SERVER_NAME]: entry(launch) } };
}
