import type { Me } from '@ridewatch/contract/auth';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../i18n/language.ts';
import { useMenuFacts } from '../notification-poll/use-notifications.ts';
import { DownIcon } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import { AlertMark } from './alert-mark.tsx';
import { fittingOf } from './fitting.ts';
import styles from './main-menu.module.css';
import { PanelLink } from './panel-link.tsx';
import { type Screen, screensOf } from './screens.tsx';
import { useAccountText } from './use-account-text.ts';

/** The main menu of a desktop. The last entries that do not fit beside the user's part of the header are under 'More'. */
export function MainMenu({ user }: { user: Me }) {
  const own = useAccountText();
  const known = useMenuFacts();
  const screens = screensOf('main', user, known);
  const text = useText().shell;
  const { nav, fitting } = useFitting();
  const folded = screens.slice(fitting);
  const hasAlert = known !== undefined && folded.some((screen) => screen.hasAlert?.(known));
  return (
    <nav ref={nav} className={styles.menu} aria-label={own.menu}>
      {screens.map((screen, at) => (
        <Entry key={screen.path} screen={screen} isFolded={at >= fitting} />
      ))}
      <span className={styles.more} data-more data-shown={folded.length > 0 || undefined}>
        <Popover
          label={hasAlert ? `${own.more}: ${own.unread}` : own.more}
          buttonClass={styles.entry}
          button={
            <>
              {own.more}
              <DownIcon />
            </>
          }
        >
          {(close) => (
            <div className={styles.panel}>
              {folded.map((screen) => (
                <PanelLink key={screen.path} to={screen.path} close={close}>
                  {text[screen.title]}
                  <AlertMark screen={screen} known={known} />
                </PanelLink>
              ))}
            </div>
          )}
        </Popover>
      </span>
    </nav>
  );
}

// A folded entry keeps its place in the document, so that it can be measured.
function Entry({ screen, isFolded }: { screen: Screen; isFolded: boolean }) {
  const text = useText().shell;
  const known = useMenuFacts();
  return (
    <Link
      to={screen.path}
      className={styles.entry}
      activeOptions={{ exact: screen.path === '/' }}
      inert={isFolded}
      data-entry
    >
      {text[screen.title]}
      <AlertMark screen={screen} known={known} />
    </Link>
  );
}

/** How many entries fit into the menu; measured again when it is drawn, and when a width changes. */
function useFitting() {
  const nav = useRef<HTMLElement>(null);
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const menu = nav.current;
    if (!menu) return;
    const entries = [...menu.querySelectorAll<HTMLElement>(':scope > [data-entry]')];
    const more = menu.querySelector<HTMLElement>(':scope > [data-more]');
    const measure = () => {
      const widths = entries.map(({ offsetWidth }) => offsetWidth);
      setFitting(fittingOf(widths, more?.offsetWidth ?? 0, menu.clientWidth));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [menu, ...entries]) observer.observe(one);
    return () => observer.disconnect();
  });
  return { nav, fitting };
}
