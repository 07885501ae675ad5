import { type ApiKey, listApiKeys, MAX_API_KEYS, revokeApiKey } from '@ridewatch/contract/api-keys';
import { useState } from 'react';
import { lastDayText } from '../../api-keys/last-day.ts';
import { useKeyText } from '../../api-keys/use-key-text.ts';
import { useAction, useEndpoint } from '../../calls/api.ts';
import { Modal } from '../../forms/modal.tsx';
import { SecretNote } from '../../forms/secret-note.tsx';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './account.module.css';
import { momentText } from './moment-text.ts';
import { NewKey } from './new-key.tsx';
import { Part } from './part.tsx';

/** The API keys of one's own customer. */
export function KeysPart({ clientId }: { clientId: number }) {
  const text = useKeyText();
  const { loading } = useText().common;
  const query = { clientId: `${clientId}`, perPage: `${MAX_API_KEYS}` };
  const keys = useEndpoint(listApiKeys, { query });
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const locked = useLock();
  const { data } = keys;
  return (
    <Part title={text.title} note={text.note}>
      <FailedRead answer={keys} what={text.title} />
      {keys.isPending && <p>{loading}</p>}
      {secret !== undefined && (
        <SecretNote title={text.madeTitle} text={text.madeText} secret={secret} />
      )}
      {data?.total === 0 && <p className={styles.note}>{text.none}</p>}
      <ul className={styles.rows}>
        {data?.items.map((key) => (
          <KeyLine key={key.id} row={key} onRevoked={() => void keys.refetch()} />
        ))}
      </ul>
      {isOpen ? (
        <NewKey
          clientId={clientId}
          onMade={(made) => {
            setSecret(made);
            setOpen(false);
            void keys.refetch();
          }}
          onCancel={() => setOpen(false)}
        />
      ) : (
        <div>
          <Button
            locked={locked}
            onClick={() => {
              setSecret(undefined);
              setOpen(true);
            }}
          >
            {text.add}
          </Button>
        </div>
      )}
    </Part>
  );
}

function KeyLine({ row, onRevoked }: { row: ApiKey; onRevoked: () => void }) {
  const text = useKeyText();
  const { cancel } = useText().common;
  const [isAsked, setAsked] = useState(false);
  const locked = useLock();
  const revoke = useAction(revokeApiKey, {
    onSuccess: () => {
      setAsked(false);
      showToast({ kind: 'done', text: text.revoked });
      onRevoked();
    },
  });
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>{row.name}</p>
        <p className={styles.note}>{row.scopes.map((scope) => text.scopes[scope]).join(', ')}</p>
        <p className={styles.note}>
          {text.created(row.created_by.name, momentText(row.created_at))}
          {' · '}
          {text.lastUsed}: {row.last_used_at ? momentText(row.last_used_at) : text.neverUsed}
          {row.expires_at !== null && ` · ${text.lastDay}: ${lastDayText(row, text)}`}
        </p>
      </div>
      <Button
        aria-label={`${text.revoke}: ${row.name}`}
        locked={locked}
        onClick={() => setAsked(true)}
      >
        {text.revoke}
      </Button>
      {isAsked && (
        <Modal title={`${text.revoke}: ${row.name}`} onClose={() => setAsked(false)}>
          <p>{text.revokeText}</p>
          <div className={styles.actions}>
            <Button
              kind="danger"
              isBusy={revoke.isPending}
              onClick={() => revoke.mutate({ params: { keyId: row.id } })}
            >
              {text.revoke}
            </Button>
            <Button onClick={() => setAsked(false)}>{cancel}</Button>
          </div>
        </Modal>
      )}
    </li>
  );
}
