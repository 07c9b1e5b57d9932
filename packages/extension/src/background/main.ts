import { saveCommand } from '../saving/commands.js';
import { saveTab } from './save-tab.js';
import { sendForWindow } from './send-for-window.js';

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === saveCommand) void saveTab(tab);
});
chrome.runtime.onConnect.addListener(sendForWindow);
