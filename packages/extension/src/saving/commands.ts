/** The name of the command that saves the page without a window. */
export const saveCommand = 'save';
