import { formatMoment } from '@ridewatch/contract/day';
import { cancelMerge, listMergeRequests, type MergeRequest } from '@ridewatch/contract/merges';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { headingOf } from '../buses/order.ts';
import { formatNumber } from '../i18n/format.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { CloseIcon, DownloadIcon } from '../ui/icons.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { showToast } from '../ui/toast-store.ts';
import { downloadMerge, save, useDownload } from './merge-download.ts';
import { durationText, factsFile, factsOf, fileNameOf, periodOf } from './merge-facts.ts';
import styles from './merge-item.module.css';
import type { MergeTexts } from './texts-ru.ts';
import { useMergeText } from './use-merge-text.ts';

/** Shows a merge request: what it merges, its progress, and its file. */
export function MergeItem({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const { status } = merge;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <strong>
          {merge.workplace.name} · {merge.camera.name}
        </strong>
        <StatusBadge status={status}>{text.statuses[status]}</StatusBadge>
      </div>
      <p className={styles.note}>
        {periodOf(merge)}
        {merge.client && ` · ${headingOf({ ...merge.client, ...UNNAMED })}`}
      </p>
      {status === 'PROCESS' && <Progress merge={merge} />}
      {status === 'FAILED' && (
        <p className={styles.failure}>{text.failures[merge.fail_reason ?? 'failed']}</p>
      )}
      {merge.download && <FileOf merge={merge} />}
    </li>
  );
}

/** Fields of a customer that a heading does not show. */
const UNNAMED = { patronymic: null, status: 1, enabled: true };

function Progress({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const queries = useQueryClient();
  const cancel = useAction(cancelMerge, {
    onSettled: () => queries.invalidateQueries({ queryKey: [listMergeRequests.path] }),
  });
  return (
    <ProgressBar label={text.statuses.PROCESS} percent={merge.progress}>
      <IconButton
        label={text.cancel}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate({ params: { requestId: merge.id } })}
      >
        <CloseIcon />
      </IconButton>
    </ProgressBar>
  );
}

function FileOf({ merge }: { merge: MergeRequest }) {
  const text = useMergeText();
  const download = useDownload(merge.id);
  const queries = useQueryClient();
  const begin = () =>
    void downloadMerge(merge).catch((error: unknown) => {
      // The file has expired since the list was read.
      const isGone = error instanceof ApiError && error.status === 404;
      if (isGone) void queries.invalidateQueries({ queryKey: [listMergeRequests.path] });
      showToast({ kind: 'error', text: isGone ? text.gone : text.downloadFailed });
    });
  const megabytes = Math.max(0.01, (merge.size_bytes ?? 0) / 1_000_000);
  return (
    <>
      {download ? (
        <ProgressBar
          label={text.downloading(Math.round(download.share * 100))}
          percent={download.share * 100}
        >
          <IconButton label={text.stop} onClick={download.stop}>
            <CloseIcon />
          </IconButton>
        </ProgressBar>
      ) : (
        <div className={styles.file}>
          <Button kind={merge.status === 'COMPLETE' ? 'primary' : 'plain'} onClick={begin}>
            <DownloadIcon />
            {text.download}
          </Button>
          <span className={styles.note}>
            {formatNumber(megabytes)} {text.megabytes} · {durationText(merge.duration_ms ?? 0)}
            {merge.expires_at && ` · ${text.kept(dayText(merge.expires_at, merge.timezone))}`}
          </span>
        </div>
      )}
      <Facts merge={merge} text={text} />
    </>
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

const dayText = (moment: string, zone: string) =>
  formatMoment(Date.parse(moment), zone, 'DD.MM.YYYY');
