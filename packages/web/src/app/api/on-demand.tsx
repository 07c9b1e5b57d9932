import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPage } from './client.js';

/**
 * A component whose code is loaded when it is first shown, or before, while the browser has nothing else to do.
 *
 * @example
 * const Greeting = onDemand(async () => ({ name }: { name: string }) => <p>{name}</p>);
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | null = null;
  const begin = () => {
    loading ??= loadPage(load).then((component) => {
      loaded = component;
      return component;
    });
    return loading;
  };
  addEventListener('load', () => setTimeout(begin, IDLE_MS));
  return (props) => {
    const [Shown, setShown] = useState(() => loaded);
    useEffect(() => {
      if (Shown === null) void begin().then((component) => setShown(() => component));
    }, []);
    return Shown === null ? null : <Shown {...props} />;
  };
}

/** Milliseconds after the page has loaded: its first list has been read. */
const IDLE_MS = 500;
