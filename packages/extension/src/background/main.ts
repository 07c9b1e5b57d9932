import { saveCommand } from '../saving/commands.js';
import { continueForWindow } from './continue-for-window.js';
import { saveTab } from './save-tab.js';

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === saveCommand) void saveTab(tab);
});
chrome.runtime.onConnect.addListener(continueForWindow);
