import type { BodyOf, ResponseOf } from '@recollect/contract';

export type Plugin = ResponseOf<'listPlugins'>['plugins'][number];

/** Sends an action and shows its outcome, which `undo` reverses. Resolves to whether it succeeded. */
export type Act = (body: BodyOf<'pluginAction'>, undo?: BodyOf<'pluginAction'>) => Promise<boolean>;
