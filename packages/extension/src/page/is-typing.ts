/** Whether a key belongs to a field, an input method, a shortcut or a script of the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const { isTrusted, isComposing, keyCode, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  // Browsers report 229 for a key that an input method handles.
  if (!isTrusted || isComposing || keyCode === 229 || repeat || ctrlKey || metaKey || altKey || shiftKey) return true;
  const [target] = event.composedPath();
  return document.designMode === 'on' || (target instanceof Element && isField(target)) || isField(focused());
}

/** Whether text is typed into an element. */
export function isField(element: Element | null): boolean {
  if (element === null) return false;
  const isWritable = element instanceof HTMLElement && element.isContentEditable;
  return isWritable || element.closest('input, textarea, select, [role="textbox"], [role="combobox"]') !== null;
}

/** The element with the focus, in open shadow roots as well. */
function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  return element;
}
