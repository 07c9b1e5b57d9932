import { useEffect, useRef, useState } from 'preact/hooks';
import { isOffline, onReconnect } from '../api/connection.js';
import { onChanges } from '../api/events.js';
import { createResource, type Read, type Resource } from './resource.js';

interface Follows<T> {
  /** The id of the memory whose changes it follows, or `any` for the changes of all. */
  changes?: string;
  /** Poll interval (ms) for values without notifications; null for never. */
  poll?: (value: T) => number | null;
}

interface Options<T> extends Follows<T> {
  /** The subject of the resource. When it changes, the resource is read from its beginning. */
  key?: string;
  /** Milliseconds without another key before it is read. */
  pause?: number;
}

/** A resource as a component sees it. */
export interface Used<T> {
  /** Null before the first answer. */
  value: T | null;
  /** Why it could not be read; empty if it could, and while the banner says that the server cannot be reached. */
  problem: string;
  /** Whether the server has no such thing. */
  isGone: boolean;
  reload: () => Promise<void>;
  resource: Resource<T>;
}

/**
 * Reads something while a component is shown, and again when it changes or the server answers after a pause.
 *
 * @example
 * const { value, problem } = useResource(() => client('memoryHistory', { parameters: { id } }), { changes: id });
 */
export function useResource<T>(read: Read<T>, { key = '', pause = 0, ...follows }: Options<T> = {}): Used<T> {
  const latest = useRef(read);
  latest.current = read;
  const [resource] = useState(() => createResource<T>((before) => latest.current(before)));
  const [readFirst] = useState(() => () => latest.current(null));
  const isFirst = resource.value.value === null;
  useEffect(() => {
    const timer = setTimeout(() => void resource.load(readFirst), isFirst ? 0 : pause);
    return () => clearTimeout(timer);
  }, [key]);
  return useFollowed(resource, follows);
}

/** Keeps a resource up to date while a component is shown. */
export function useFollowed<T>(resource: Resource<T>, { changes, poll = () => null }: Follows<T> = {}): Used<T> {
  const value = resource.value.value;
  const reload = () => resource.load();
  useEffect(() => {
    const stops = [
      onReconnect(() => void reload()),
      onChanges((ids) => {
        if (changes !== undefined && (ids === null || changes === 'any' || ids.includes(changes))) void reload();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [changes]);
  const every = value === null ? null : poll(value);
  useEffect(() => {
    if (every === null) return;
    const timer = setInterval(() => void reload(), every);
    return () => clearInterval(timer);
  }, [every]);
  return {
    value,
    problem: isOffline.value ? '' : resource.problem.value,
    isGone: resource.isGone.value,
    reload,
    resource,
  };
}
