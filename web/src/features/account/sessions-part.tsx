import {
  endAllSessions,
  endSession,
  listSessions,
  type Session,
} from '@ridewatch/contract/account';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../calls/api.ts';
import type { ApiError } from '../../core/api-error.ts';
import { dropSession } from '../../core/session.ts';
import { Modal } from '../../forms/modal.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { LogoutIcon } from '../../ui/icons.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './account.module.css';
import { deviceName } from './device-name.ts';
import { Part } from './part.tsx';
import { useAccountText } from './use-account-text.ts';

/** It ended meanwhile: the list, which is read again, says so. */
const hasEnded = ({ error }: ApiError): boolean => error === 'not_found';

/** The user's open sessions; in a view as another user a line that says that they are not shown. */
export function SessionsPart() {
  const text = useAccountText();
  const isView = useLock() !== undefined;
  return (
    <Part title={text.sessions}>
      {isView ? <p className={styles.note}>{text.sessionsInView}</p> : <OwnSessions />}
    </Part>
  );
}

/** Each session has a button that ends it, and there is one that ends all. */
function OwnSessions() {
  const { loading } = useText().common;
  const text = useAccountText();
  const sessions = useEndpoint(listSessions, {});
  const end = useAction(endSession, { onSettled: () => sessions.refetch() });
  const [isAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    void sessions.refetch();
  };
  return (
    <>
      {sessions.isPending && <p>{loading}</p>}
      <FailedRead answer={sessions} what={text.sessions} />
      <ul className={styles.rows}>
        {sessions.data?.items.map((session) => (
          <li key={session.id} className={styles.row}>
            <div>
              <p className={styles.name} title={session.user_agent}>
                {deviceName(session.user_agent, text.yandexBrowser) ||
                  session.user_agent ||
                  text.unknownProgram}
                {session.current && ` · ${text.thisSession}`}
              </p>
              <p className={styles.note}>
                {session.address}
                {' · '}
                {text.lastUsed} {lastUsed(session)} {text.moscowTime}
              </p>
            </div>
            {!session.current && (
              <IconButton
                label={text.endSession}
                disabled={end.isPending}
                onClick={() => end.mutate({ params: { sessionId: session.id }, isQuiet: hasEnded })}
              >
                <LogoutIcon />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.data && sessions.data.total > sessions.data.items.length && (
        <p className={styles.note}>
          {text.latestSessions(
            formatNumber(sessions.data.items.length),
            formatNumber(sessions.data.total),
          )}
        </p>
      )}
      <div>
        <Button kind="danger" onClick={ask}>
          {text.endAllSessions}
        </Button>
      </div>
      {isAsked && <EndAll count={sessions.data?.total} onClose={() => setAsked(false)} />}
    </>
  );
}

interface EndAllProps {
  /** Of the sessions that end; undefined if it is not known. */
  count: number | undefined;
  onClose: () => void;
}

function EndAll({ count, onClose }: EndAllProps) {
  const { cancel } = useText().common;
  const { everywhere: text } = useAccountText();
  const endAll = useAction(endAllSessions, { onSuccess: () => dropSession('user_command') });
  return (
    <Modal title={text.title} onClose={onClose}>
      <p>{text.text(count)}</p>
      <div className={styles.actions}>
        <Button kind="danger" isBusy={endAll.isPending} onClick={() => endAll.mutate({})}>
          {text.submit}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </Modal>
  );
}

const lastUsed = (session: Session) =>
  formatMoment(Date.parse(session.last_used_at), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
