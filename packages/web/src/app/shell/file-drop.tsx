import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { hasMemories } from '../state/drag-memories.js';
import { saveFiles } from './choose-files.js';

/** Saves files that are dropped anywhere on the page. */
export function FileDrop() {
  const isOver = useSignal(false);
  useLayoutEffect(() => {
    // A dragged picture of a row is also a file.
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !hasMemories(event);
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      void saveFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = { dragover: onDragOver, dragleave: onDragLeave, drop: onDrop };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, []);
  return (
    <div class="file-drop" hidden={!isOver.value} aria-hidden="true">
      <p>Drop to save</p>
    </div>
  );
}
