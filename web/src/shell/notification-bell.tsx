import { useEffect, useState } from 'react';
import { useText } from '../i18n/language.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { useMerges } from '../merges/use-merges.ts';
import { drawn } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import styles from './notification-bell.module.css';

const NotificationPanel = lazyComponent(
  async () => (await import('../notifications/notification-panel.tsx')).NotificationPanel,
  Loading,
);
const SlideUp = lazyComponent(async () => (await import('../notifications/slide-up.tsx')).SlideUp);

const BellIcon = drawn('M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4');

/** Delay of the bell's first request, so that the screen loads first, ms. */
const AFTER_MS = 5000;

/** The bell of the header; the code of its panel loads on first use. */
export function NotificationBell() {
  const bell = useBell();
  return (
    <Popover label={bell.label} buttonClass={styles.bell} button={bell.icon}>
      {(close) => <NotificationPanel onLeave={close} />}
    </Popover>
  );
}

/** The bell as a tab of a phone's tab bar; it opens a sheet. */
export function NotificationTab({ className }: { className: string | undefined }) {
  const text = useText().common;
  const bell = useBell();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${styles.tab} ${className ?? ''}`}
        aria-label={bell.label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {bell.icon}
        {text.notifications}
      </button>
      {isOpen && <SlideUp onClose={() => setOpen(false)} />}
    </>
  );
}

function Loading() {
  return <p className={styles.waiting}>{useText().common.loading}</p>;
}

function useBell() {
  const text = useText().common;
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const items = useMerges(isCalm).data?.items ?? [];
  const unread = items.filter(({ status }) => status === 'COMPLETE').length;
  return {
    label: unread > 0 ? `${text.notifications}: ${unread}` : text.notifications,
    icon: (
      <span className={styles.icon} data-unread={unread > 0 || undefined}>
        <BellIcon />
      </span>
    ),
  };
}
