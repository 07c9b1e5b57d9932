import type { AddCommand } from '../command.js';
import { addConfigure } from './configure.js';
import { addDisable, addEnable } from './enable.js';
import { addInstall, addUninstall } from './install.js';
import { addList } from './list.js';
import { addNew } from './new.js';
import { addRun } from './run.js';
import { addRuns } from './runs.js';
import { addSchedule } from './schedule.js';

export const addPlugins: AddCommand = (program) => {
  const plugins = program.command('plugins').description('list, install, configure and run plugins');
  const commands = [
    addList,
    addInstall,
    addUninstall,
    addEnable,
    addDisable,
    addConfigure,
    addRun,
    addSchedule,
    addRuns,
    addNew,
  ];
  for (const add of commands) add(plugins);
};
