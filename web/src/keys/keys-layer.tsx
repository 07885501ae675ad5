import { useEffect } from 'react';
import { lazyComponent } from '../core/lazy-component.tsx';
import { showKeys, useKeysShown } from './keys-store.ts';

const KeysHelp = lazyComponent(async () => (await import('./keys-help.tsx')).KeysHelp);

/** Elements in which keys are typed as text. The inputs of counts take digits alone. */
const TYPED =
  'input:not([type=range], [type=checkbox], [type=radio], [data-count]), textarea, select';
const OPEN = 'dialog[open], [popover=auto]:popover-open, [role=dialog]';

/** The list of keys over any screen: `?` opens it, where the layout has it or at its physical place. @param path of the table of screens */
export function KeysLayer({ path }: { path: string }) {
  const isShown = useKeysShown();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isWanted = key === '?' || (event.code === 'Slash' && event.shiftKey);
      if (!isWanted || event.ctrlKey || event.metaKey || event.altKey) return;
      const isTaken =
        event.defaultPrevented ||
        (target instanceof Element && target.closest(TYPED) !== null) ||
        document.querySelector(OPEN) !== null;
      if (isTaken) return;
      event.preventDefault();
      showKeys(true);
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      showKeys(false);
    };
  }, []);
  return isShown && <KeysHelp path={path} onClose={() => showKeys(false)} />;
}
