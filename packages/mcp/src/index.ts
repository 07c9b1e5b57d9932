export type { Caller, Client } from './caller.js';
export type { Catalog } from './catalog.js';
export { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
export type { Prompt } from './prompts.js';
export type { Resources } from './resources.js';
export { createHttpHandler, type HttpAnswer, type HttpHandler, type HttpMessage } from './serving/http-handler.js';
export { defineTool, type Tool } from './tools/tool.js';
