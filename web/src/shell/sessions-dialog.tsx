import {
  endAllSessions,
  endSession,
  listSessions,
  type Session,
} from '@ridewatch/contract/account';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { useAction, useEndpoint } from '../api.ts';
import { Modal } from '../forms/modal.tsx';
import { useText } from '../i18n/language.ts';
import { dropSession } from '../session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { LogoutIcon } from '../ui/icons.tsx';
import { deviceName } from './device-name.ts';
import styles from './dialogs.module.css';
import { useAccountText } from './use-account-text.ts';

/** The user's open sessions, each with a button that ends it, and one that ends all. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const text = useText();
  const own = useAccountText();
  const sessions = useEndpoint(listSessions, {});
  const end = useAction(endSession, { onSuccess: () => sessions.refetch() });
  const endAll = useAction(endAllSessions, { onSuccess: () => dropSession('user_command') });
  return (
    <Modal title={own.sessions} onClose={onClose}>
      {sessions.isPending && <p>{text.common.loading}</p>}
      {sessions.isError && (
        <p role="alert">
          {text.common.loadFailed}{' '}
          <Button onClick={() => void sessions.refetch()}>{text.common.retry}</Button>
        </p>
      )}
      <ul className={styles.sessions}>
        {sessions.data?.items.map((session) => (
          <li key={session.id} className={styles.session}>
            <div>
              <p className={styles.agent} title={session.user_agent}>
                {deviceName(session.user_agent) ?? session.user_agent}
                {session.current && ` · ${own.thisSession}`}
              </p>
              <p className={styles.note}>
                {session.address}
                {' · '}
                {own.lastUsed} {lastUsed(session)} {own.moscowTime}
              </p>
            </div>
            {!session.current && (
              <IconButton
                label={own.endSession}
                disabled={end.isPending}
                onClick={() => end.mutate({ params: { sessionId: session.id } })}
              >
                <LogoutIcon />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <Button kind="danger" isBusy={endAll.isPending} onClick={() => endAll.mutate({})}>
        {own.endAllSessions}
      </Button>
    </Modal>
  );
}

const lastUsed = (session: Session) =>
  formatMoment(Date.parse(session.last_used_at), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
