import { type ComponentType, useEffect, useState } from 'react';
import { unanswered, useConnectionLost } from './connection.ts';

/** So many failures with the server at hand are no lost connection: the page is older than what the server has. */
const MOST_FAILURES = 3;

/**
 * A part of the page whose code is loaded when it is first shown. Where it does not come because the connection is
 * lost, it comes when that is back; what is on the page stays.
 *
 * @param load gives the component
 * @param Fallback stands in its place meanwhile
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
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => found);
    const [failures, setFailures] = useState<readonly unknown[]>([]);
    const isLost = useConnectionLost();
    useEffect(() => {
      if (Part || (isLost && failures.length > 0)) return;
      let isGone = false;
      get().then(
        (part) => isGone || setPart(() => part),
        (error: unknown) => {
          if (isGone) return;
          setFailures([...failures, error]);
          unanswered();
        },
      );
      return () => {
        isGone = true;
      };
    }, [Part, isLost, failures]);
    if (failures.length === MOST_FAILURES) throw failures.at(-1);
    if (Part) return <Part {...props} />;
    return Fallback ? <Fallback isLost={failures.length > 0} /> : null;
  }
  // The router asks for it before it shows the screen; that it failed is seen when it is shown.
  const preload = () => get().then(nothing, nothing);
  return Object.assign(Lazy, { preload });
}

const nothing = () => undefined;
