import { signal } from '@preact/signals';

export const isPaletteOpen = signal(false);
/** Whether the filter of the list is open, where it is a sheet. */
export const isFilterOpen = signal(false);
export const isHelpOpen = signal(false);
