export type { CaptureEvent } from '@recollect/core';
export { Type } from 'typebox';
export type {
  Annotated,
  FoundMemory,
  ListedMemories,
  Logger,
  MemoryClient,
  MemoryFilter,
  PluginContext,
  PluginState,
  ReadMemory,
} from './context.js';
export { definePlugin, type JobDefinition, type JobReport, type PluginDefinition } from './define-plugin.js';
