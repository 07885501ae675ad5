import { useState } from 'react';
import { lazyComponent } from '../core/lazy-component.tsx';
import type { MenuFacts } from '../core/session.ts';
import { drawn } from '../ui/icons.tsx';
import { AlertMark } from './alert-mark.tsx';
import type { Screen } from './screens.tsx';
import { useAccountText } from './use-account-text.ts';

const MoreSheet = lazyComponent(async () => (await import('./more-sheet.tsx')).MoreSheet);

const MoreIcon = drawn('M5 11a1 1 0 1 0 .01 0M12 11a1 1 0 1 0 .01 0M19 11a1 1 0 1 0 .01 0');

interface MoreTabProps {
  screens: readonly Screen[];
  known: MenuFacts | undefined;
  /** Whether one of them is shown. */
  isCurrent: boolean;
  className: string | undefined;
}

/** The tab of a phone's bar for the screens that have no tab of their own; it opens a sheet. */
export function MoreTab({ screens, known, isCurrent, className }: MoreTabProps) {
  const own = useAccountText();
  const [isOpen, setOpen] = useState(false);
  const unread = known && screens.find((screen) => screen.hasAlert?.(known));
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => setOpen(true)}
      >
        <MoreIcon />
        <span>
          {own.more}
          {unread && <AlertMark screen={unread} known={known} />}
        </span>
      </button>
      {isOpen && <MoreSheet screens={screens} known={known} onClose={() => setOpen(false)} />}
    </>
  );
}
