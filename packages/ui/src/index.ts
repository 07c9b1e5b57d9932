export { Age } from './age.js';
export { Button, type ButtonProps, type ButtonVariant } from './button.js';
export { Chip, type ChipProps } from './chip.js';
export { Icon } from './icon.js';
export { type IconName, iconNames } from './icon-paths.js';
export { Logo } from './logo.js';
export { Marked } from './marked.js';
export { SourceIcon, sourceName } from './source-icon.js';
