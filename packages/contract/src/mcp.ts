import Type, { type Static } from 'typebox';
import type { Loose } from './schema.js';

/** A JSON-RPC 2.0 request, or a notification without an id. The MCP library validates the method and its parameters. */
export const McpMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  method: Type.String(),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const McpAnswer = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  error: Type.Optional(
    Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  ),
});

export type McpMessage = Loose<Static<typeof McpMessage>>;
export type McpAnswer = Static<typeof McpAnswer>;
