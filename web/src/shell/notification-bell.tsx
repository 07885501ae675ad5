import { useEffect, useState } from 'react';
import { lazyComponent } from '../core/lazy-component.tsx';
import { rememberMenu } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { useMenuFacts, useNotifications } from '../notification-poll/use-notifications.ts';
import { drawn } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import styles from './notification-bell.module.css';

const NotificationPanel = lazyComponent(
  async () => (await import('../features/notifications/notification-panel.tsx')).NotificationPanel,
  Loading,
);
const NotificationSheet = lazyComponent(
  async () => (await import('../features/notifications/notification-sheet.tsx')).NotificationSheet,
);

const BellIcon = drawn('M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4');

/** Delay of the bell's first request, so that the screen loads first, ms. */
const AFTER_MS = 5000;

/** The bell of the header; the code of its panel loads on first use. */
export function NotificationBell() {
  const bell = useBell(useText().common.notifications);
  return (
    <Popover label={bell.label} buttonClass={styles.bell} button={bell.icon} isTall>
      {(close) => <NotificationPanel onLeave={close} />}
    </Popover>
  );
}

/** The bell as a tab of a phone's tab bar; it opens a sheet. */
export function NotificationTab({ className }: { className: string | undefined }) {
  const text = useText().shell;
  const bell = useBell(text.events);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={bell.label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {bell.icon}
        {text.events}
      </button>
      {isOpen && <NotificationSheet onClose={() => setOpen(false)} />}
    </>
  );
}

function Loading() {
  return <p className={styles.waiting}>{useText().common.loading}</p>;
}

function useBell(name: string) {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const answer = useNotifications(isCalm).data;
  useEffect(() => {
    if (answer) rememberMenu(answer);
  }, [answer]);
  const unread = useMenuFacts()?.unread ?? 0;
  return {
    label: unread > 0 ? `${name}: ${unread}` : name,
    icon: (
      <span className={styles.icon} data-unread={unread > 0 || undefined}>
        <BellIcon />
      </span>
    ),
  };
}
