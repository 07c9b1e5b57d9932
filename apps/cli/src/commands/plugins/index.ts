import type { AddCommand } from '../command.js';
import { addConfigure } from './configure.js';
import { addDisable, addEnable, addInstall, addNew, addUninstall } from './install.js';
import { addRun, addRuns, addSchedule } from './jobs.js';
import { addList } from './list.js';

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
