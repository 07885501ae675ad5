import { type ComponentType, useEffect, useState } from 'react';
import { markLost, useConnectionLost } from './connection.ts';

/** After this many failures while the server answers, the page is older than the server's files. */
const MOST_FAILURES = 3;

/**
 * Makes a component whose code loads on first use. If the connection is lost, the code loads when it is back, and the
 * rest of the page stays.
 *
 * @param load loads the component
 * @param Fallback is shown until then
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback?: ComponentType<{ isLost: boolean }>,
) {
  let found: ComponentType<Props> | undefined;
  const get = async () => {
    found = await load();
    return found;
  };
  function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | undefined>(() => found);
    const [failures, setFailures] = useState<readonly unknown[]>([]);
    const isLost = useConnectionLost();
    useEffect(() => {
      if (Loaded || (isLost && failures.length > 0)) return;
      let isGone = false;
      get().then(
        (component) => isGone || setLoaded(() => component),
        (error: unknown) => {
          if (isGone) return;
          setFailures([...failures, error]);
          markLost();
        },
      );
      return () => {
        isGone = true;
      };
    }, [Loaded, isLost, failures]);
    if (failures.length === MOST_FAILURES) throw failures.at(-1);
    if (Loaded) return <Loaded {...props} />;
    return Fallback ? <Fallback isLost={failures.length > 0} /> : null;
  }
  // The router preloads a screen before it shows it; rendering the screen reports a failure.
  const preload = () => get().then(nothing, nothing);
  return Object.assign(Lazy, { preload });
}

const nothing = () => undefined;
