import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { createCli } from './run-cli.js';

test.skipIf(process.platform === 'win32')(
  'MCP-1: an assistant whose server is frozen is answered from the store',
  async () => {
    const cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
    const server = await cli.serve();
    const client = new Client({ name: 'tester', version: '1.2' });
    const env = { RECOLLECT_DATA_DIR: `${cli.folder}/data`, HOME: cli.folder, RECOLLECT_EMBEDDINGS: 'off' };
    try {
      await cli.save('Green tea.');
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli.main, 'mcp'], env }));
      const recent = () => client.callTool({ name: 'recent', arguments: {} });
      expect(JSON.stringify(await recent())).toContain('Green tea.');
      process.kill(server.pid, 'SIGSTOP');
      expect(JSON.stringify(await recent())).toContain('Green tea.');
    } finally {
      await client.close();
      process.kill(server.pid, 'SIGCONT');
      await server.stop();
      await cli.remove();
    }
  },
);
