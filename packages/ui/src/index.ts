export { Age, DateStyle } from './age.js';
export { Button, type ButtonProps, type ButtonVariant } from './button.js';
export { Chip, type ChipProps } from './chip.js';
export { Icon, type IconName, iconNames, Logo, SourceIcon, sourceName } from './icon.js';
export { Marked } from './marked.js';
