import { formatMoment } from '@ridewatch/contract/day';
import { cancelMerge, type MergeRequest, requestMerge } from '@ridewatch/contract/merges';
import type { ReactNode } from 'react';
import { headingOf } from '../../buses/order.ts';
import { useAction } from '../../calls/api.ts';
import { noteAnswer, reportFailure } from '../../calls/failures.ts';
import { ApiError } from '../../core/api-error.ts';
import { formatNumber } from '../../i18n/format.ts';
import { refreshNotifications } from '../../notification-poll/use-notifications.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CloseIcon, DownloadIcon, drawn } from '../../ui/icons.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import { save } from '../reports/save-file.ts';
import { downloadMerge, useDownload } from './merge-download.ts';
import { factsFile, factsOf, fileNameOf, shortPeriodOf } from './merge-facts.ts';
import styles from './merge-item.module.css';
import type { MergeTexts } from './texts-ru.ts';
import { useMergeText } from './use-merge-text.ts';

/** Shows a merge request: what it merges, how far it is, and its file or what went wrong. */
export function MergeItem({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const download = useDownload(merge.id);
  const { status } = merge;
  return (
    <li className={styles.item} data-status={status}>
      <FilmIcon />
      <div>
        <div className={styles.head}>
          <strong>
            {merge.workplace.name} · {merge.camera.name}
          </strong>
          <StatusBadge status={status}>{text.statuses[status]}</StatusBadge>
        </div>
        <p className={styles.note}>
          {shortPeriodOf(merge)}
          {noteOf(merge, text)}
          {merge.client && ` · ${headingOf({ ...merge.client, ...UNNAMED })}`}
        </p>
      </div>
      {status === 'PROCESS' && <Cancel merge={merge} />}
      {status === 'FAILED' && <Again merge={merge} />}
      {merge.download !== null && !download && <Download merge={merge} />}
      {merge.download !== null && download && (
        <IconButton label={text.stop} onClick={download.stop}>
          <CloseIcon />
        </IconButton>
      )}
      {status === 'PROCESS' && (
        <progress
          className={styles.progress}
          max={100}
          value={merge.progress}
          aria-label={text.statuses.PROCESS}
        />
      )}
      {download && (
        <progress
          className={styles.progress}
          max={1}
          value={download.share}
          aria-label={text.downloading(Math.round(download.share * 100))}
        />
      )}
      {merge.download !== null && <Facts merge={merge} text={text} />}
    </li>
  );
}

const FilmIcon = drawn('M4 5h16v14H4zM8 5v14M16 5v14M4 12h4M16 12h4');

/** Fields of a customer that a heading does not show. */
const UNNAMED = { patronymic: null, status: 1, enabled: true };

function noteOf(merge: MergeRequest, text: MergeTexts): ReactNode {
  if (merge.status === 'PROCESS') return ` · ${merge.progress} %`;
  if (merge.status === 'FAILED') {
    return (
      <>
        {' · '}
        <span className={styles.failure}>{text.failures[merge.fail_reason ?? 'failed']}</span>
      </>
    );
  }
  if (merge.download === null) return null;
  const megabytes = Math.max(0.01, (merge.size_bytes ?? 0) / 1_000_000);
  const { expires_at, timezone } = merge;
  const until = expires_at && formatMoment(Date.parse(expires_at), timezone, 'DD.MM');
  return ` · ${formatNumber(megabytes)} ${text.megabytes}${until ? ` · ${text.kept(until)}` : ''}`;
}

function Cancel({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const locked = useLock();
  const cancel = useAction(cancelMerge, { onSettled: refreshNotifications });
  return (
    <IconButton
      label={text.cancel}
      locked={locked}
      disabled={cancel.isPending}
      onClick={() => cancel.mutate({ params: { requestId: merge.id } })}
    >
      <CloseIcon />
    </IconButton>
  );
}

// The same period of the same camera once more.
function Again({ merge: { camera, from, to, processed } }: { merge: MergeRequest }) {
  const text = useMergeText();
  const locked = useLock();
  const request = useAction(requestMerge, { onSettled: refreshNotifications });
  return (
    <Button
      isBusy={request.isPending}
      locked={locked}
      onClick={() => request.mutate({ body: { deviceId: camera.id, from, to, processed } })}
    >
      {text.again}
    </Button>
  );
}

// Filled until somebody has taken the file away.
function Download({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const name = `GET ${merge.download}`;
  const begin = () =>
    void downloadMerge(merge).then(
      () => noteAnswer(name),
      (error: unknown) => {
        // The file has expired since the list was read.
        const isGone = error instanceof ApiError && error.status === 404;
        if (isGone) void refreshNotifications();
        if (error instanceof ApiError && !isGone) reportFailure(error, name, false);
        else showToast({ kind: 'error', text: isGone ? text.gone : text.downloadFailed });
      },
    );
  if (merge.status !== 'COMPLETE') {
    return (
      <IconButton label={text.download} onClick={begin}>
        <DownloadIcon />
      </IconButton>
    );
  }
  return (
    <Button kind="primary" onClick={begin}>
      <DownloadIcon />
      {text.download}
    </Button>
  );
}

function Facts({ merge, text }: { merge: MergeRequest; text: MergeTexts }) {
  const saveSheet = () => {
    const sheet = new Blob([factsFile(merge, text)], { type: 'text/plain;charset=utf-8' });
    const address = URL.createObjectURL(sheet);
    save(address, fileNameOf(merge).replace(/mp4$/, 'txt'));
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return (
    <details className={styles.details}>
      <summary>{text.details}</summary>
      <dl className={styles.facts}>
        {factsOf(merge, text).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {name === 'SHA-256' && <CopyButton value={value} />}
            </dd>
          </div>
        ))}
      </dl>
      <Button onClick={saveSheet}>{text.sheet}</Button>
    </details>
  );
}
