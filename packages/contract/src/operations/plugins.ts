import Type from 'typebox';
import {
  PluginActionBody,
  PluginAnswer,
  PluginList,
  pluginActionScope,
  pluginActionShape,
  RunDueAnswer,
  RunDueBody,
  RunJobAnswer,
  RunsAnswer,
  RunsParameters,
  RunsQuery,
  ScheduleAnswer,
  UninstallAnswer,
} from '../plugin.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

/** Plugins, their jobs and schedules. */
export const pluginOperations = {
  listPlugins: {
    ...routes.listPlugins,
    scope: 'jobs:run',
    summary: 'Returns the installed and the shipped plugins, with their jobs and schedules.',
    answers: { 200: PluginList },
    problems: [],
  },
  pluginAction: {
    ...routes.pluginAction,
    scope: 'jobs:run',
    scopeFor: pluginActionScope,
    summary: 'Runs or schedules a job, or installs, uninstalls, enables, disables or configures a plugin.',
    body: PluginActionBody,
    bodyShape: pluginActionShape,
    answers: { 200: Type.Union([RunJobAnswer, ScheduleAnswer, PluginAnswer, UninstallAnswer]), 201: PluginAnswer },
    problems: [
      'ACTION_UNKNOWN',
      'VALIDATION_FAILED',
      'PLUGIN_INVALID',
      'OWNER_ONLY',
      'NOT_FOUND',
      'PLUGIN_INSTALLED',
      'PLUGIN_NOT_INSTALLED',
      'PLUGIN_DISABLED',
      'PLUGIN_SUSPENDED',
      'PERMISSION_NEEDED',
      'JOB_RUNNING',
    ],
  },
  pluginRuns: {
    ...routes.pluginRuns,
    scope: 'jobs:run',
    summary: 'Returns the latest job runs of a plugin, newest first.',
    parameters: RunsParameters,
    query: RunsQuery,
    answers: { 200: RunsAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND', 'PLUGIN_NOT_INSTALLED'],
  },
  runDueJobs: {
    ...routes.runDueJobs,
    scope: 'jobs:run',
    summary: 'Runs the scheduled jobs that are due.',
    body: RunDueBody,
    answers: { 200: RunDueAnswer },
    problems: ['VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>;
