import {
  endAllSessions,
  endSession,
  listSessions,
  type Session,
} from '@ridewatch/contract/account';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { useAction, useEndpoint } from '../../calls/api.ts';
import { dropSession } from '../../core/session.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { LogoutIcon } from '../../ui/icons.tsx';
import styles from './account.module.css';
import { deviceName } from './device-name.ts';
import { Part } from './part.tsx';
import { useAccountText } from './use-account-text.ts';

/** The user's open sessions, each with a button that ends it, and one that ends all. */
export function SessionsPart() {
  const { loading } = useText().common;
  const text = useAccountText();
  const sessions = useEndpoint(listSessions, {});
  const end = useAction(endSession, { onSuccess: () => sessions.refetch() });
  const endAll = useAction(endAllSessions, { onSuccess: () => dropSession('user_command') });
  return (
    <Part title={text.sessions}>
      {sessions.isPending && <p>{loading}</p>}
      <FailedRead answer={sessions} what={text.sessions} />
      <ul className={styles.rows}>
        {sessions.data?.items.map((session) => (
          <li key={session.id} className={styles.row}>
            <div>
              <p className={styles.name} title={session.user_agent}>
                {deviceName(session.user_agent) ?? session.user_agent}
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
                onClick={() => end.mutate({ params: { sessionId: session.id } })}
              >
                <LogoutIcon />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button kind="danger" isBusy={endAll.isPending} onClick={() => endAll.mutate({})}>
          {text.endAllSessions}
        </Button>
      </div>
    </Part>
  );
}

const lastUsed = (session: Session) =>
  formatMoment(Date.parse(session.last_used_at), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
