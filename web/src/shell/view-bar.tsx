import type { Me } from '@ridewatch/contract/auth';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, useEffect, useRef } from 'react';
import { signOut } from '../calls/sign-out.ts';
import { timeText } from '../i18n/moment-text.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast-store.ts';
import { useAccountText } from './use-account-text.ts';
import styles from './view-bar.module.css';

/** Says while an administrator sees the product as another user that nothing can be changed and when that ends, and ends the view. */
export function ViewBar({ user }: { user: Me }) {
  const text = useAccountText();
  const navigate = useNavigate();
  const viewed = useRef<number>(undefined);
  const { id, login, viewed_by: viewedBy, viewed_until: until } = user;
  useEffect(() => {
    // It was ended here or by the server, and the administrator's own session goes on.
    if (!viewedBy && viewed.current !== undefined)
      showToast({ kind: 'done', text: text.viewEnded });
    viewed.current = viewedBy ? id : undefined;
  }, [id, viewedBy, text]);
  if (!viewedBy) return null;
  const end = () => {
    signOut();
    void navigate({ to: '/admin/{-$section}/{-$id}', params: { section: 'users', id: `${id}` } });
  };
  const said = [text.viewAs(login), text.viewNote];
  if (until) said.push(text.viewEnds(timeText(Date.parse(until)), viewedBy));
  return (
    <aside className={styles.bar} aria-label={text.viewLabel} data-view-bar>
      <p title={said.join(' ')}>
        {said.map((sentence) => (
          <Fragment key={sentence}>
            <span>{sentence}</span>{' '}
          </Fragment>
        ))}
      </p>
      <Button onClick={end}>{text.endView}</Button>
    </aside>
  );
}
