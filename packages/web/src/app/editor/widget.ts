import { type EditorView, WidgetType } from '@codemirror/view';

/**
 * An element in the text of an editor. Widgets with the same key are the same.
 *
 * @example
 * widgetOf('line', () => document.createElement('hr'));
 */
export function widgetOf(key: string, create: (view: EditorView) => HTMLElement): WidgetType {
  const widget: WidgetType & { key: string } = Object.assign(Object.create(WidgetType.prototype), {
    key,
    toDOM: create,
    eq: (other: WidgetType & { key?: string }) => other.key === key,
    ignoreEvent: () => true,
  });
  return widget;
}
