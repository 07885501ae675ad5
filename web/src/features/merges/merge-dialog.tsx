import type { BusInfo } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { canFetch } from '@ridewatch/contract/fragment-states';
import { type Fragment, listPeriods } from '@ridewatch/contract/fragments';
import { MAX_OPEN_MERGES, requestMerge } from '@ridewatch/contract/merges';
import { preloadRange, type UnaskedPart } from '@ridewatch/contract/preload';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { queryClient, useAction, useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import { Modal } from '../../forms/modal.tsx';
import { Select } from '../../forms/select.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useUnaskedText } from '../../fragment/use-unasked-text.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { formatDay } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { refreshNotifications } from '../../notification-poll/use-notifications.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './merge-dialog.module.css';
import {
  framesOf,
  type Limits,
  limitsOf,
  momentAt,
  preloadsOf,
  problemsOf,
  stepAt,
  stepsBetween,
  typedMoment,
} from './merge-period.ts';
import { PeriodSlider } from './period-slider.tsx';
import { useMergeText } from './use-merge-text.ts';

interface MergeDialogProps {
  info: BusInfo;
  /** Displayed name of the bus's time zone. */
  zoneName: string;
  onClose: () => void;
}

/** Requests a merged video of one camera for a period of the shown day. */
export function MergeDialog({ info, zoneName, onClose }: MergeDialogProps) {
  const text = useMergeText();
  const common = useText().common;
  const cameras = camerasInOrder(info);
  const search = useSearch({ strict: false });
  const isService = useLocation({ select: ({ pathname }) => pathname.endsWith('/service') });
  // The camera in the address, if it is a single one.
  const shown = cameras.find(({ id }) => String(id) === search.camera);
  const ofTab = cameras.find(({ live }) => live === isService);
  const first = shown ?? ofTab ?? cameras[0];
  const [cameraId, setCameraId] = useState(first?.id ?? 0);
  const answer = useEndpoint(
    listPeriods,
    { params: { cameraId }, query: { startdate: info.date, enddate: info.date } },
    { enabled: cameraId !== 0 },
  );
  const fragments = answer.data?.items;
  const limits = fragments && limitsOf(fragments, Date.parse(info.day_start));
  const waiting = answer.isError ? (
    <p role="alert">
      {common.loadFailed} <Button onClick={() => void answer.refetch()}>{common.retry}</Button>
    </p>
  ) : (
    <p className={styles.note}>{answer.isPending ? common.loading : text.noFragments}</p>
  );
  return (
    <Modal title={text.title} onClose={onClose}>
      <p className={styles.note}>
        {text.intro} {formatDay(info.date)}, {zoneName}.
      </p>
      <Select
        label={text.camera}
        value={String(cameraId)}
        options={cameras.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(id) => setCameraId(Number(id))}
      />
      {limits ? (
        <PeriodForm
          key={cameraId}
          info={info}
          cameraId={cameraId}
          fragments={fragments}
          limits={limits}
          onDone={onClose}
        />
      ) : (
        waiting
      )}
    </Modal>
  );
}

interface PeriodFormProps {
  info: BusInfo;
  cameraId: number;
  fragments: readonly Fragment[];
  limits: Limits;
  onDone: () => void;
}

function PeriodForm({ info, cameraId, fragments, limits, onDone }: PeriodFormProps) {
  const text = useMergeText();
  const locked = useLock();
  const period = usePeriod(info, fragments, limits);
  const { typed, fromMs, toMs, problems, withVideo, frames, truncated, missing } = period;
  const merge = useAction(requestMerge, {
    onSuccess: async () => {
      showToast({ kind: 'done', text: text.accepted });
      onDone();
      await refreshNotifications();
    },
  });
  const fetching = useFetchMissing(cameraId);
  const unaskedText = useUnaskedText(info.timezone);
  const isRight = !problems.from && !problems.to;
  const nothing = missing.length > 0 ? text.allMissing : text.problems.no_video;
  const some = `${text.fragments(withVideo, period.count)}${missing.length > 0 ? ` ${text.missing}` : ''}`;
  const state = withVideo === 0 ? nothing : some;
  const steps = stepsBetween(limits);
  const refusalOf = (error: ApiError) => {
    if (error.status === 0) return text.notSent;
    return error.error === 'too_many_attempts' ? text.tooMany(MAX_OPEN_MERGES) : errorText(error);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isRight || withVideo === 0) return;
    merge.mutate({
      body: {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        processed: true,
        deviceId: cameraId,
      },
    });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.note}>
        {text.limits(
          clockTime(limits.firstMs, info.timezone),
          clockTime(limits.lastMs, info.timezone),
        )}
      </p>
      <PeriodSlider
        steps={steps}
        from={Number.isNaN(fromMs) ? 0 : stepAt(limits, fromMs)}
        to={Number.isNaN(toMs) ? steps : stepAt(limits, toMs)}
        labels={text}
        textOf={(step) => clockTime(momentAt(limits, step), info.timezone)}
        onFrom={(step) => period.setMoment('from', momentAt(limits, step))}
        onTo={(step) => period.setMoment('to', momentAt(limits, step))}
      />
      <div className={styles.ends}>
        {(['from', 'to'] as const).map((side) => (
          <TextField
            key={side}
            label={text[side]}
            inputMode="numeric"
            placeholder="00:00:00"
            maxLength={8}
            value={typed[side]}
            onChange={(event) => period.setText(side, event.target.value)}
            problem={problems[side] && text.problems[problems[side]]}
          />
        ))}
      </div>
      <div className={styles.note} role="status">
        {isRight && <p>{state}</p>}
        {isRight && frames && <p>{text.frames(frames)}</p>}
        {isRight && truncated > 0 && (
          <p className={styles.attention}>{text.truncated(truncated)}</p>
        )}
        {fetching.data?.map((part) => (
          <p key={part.start_time} className={styles.attention}>
            {unaskedText(part)}
          </p>
        ))}
      </div>
      {isRight && missing.length > 0 && (
        <Button
          isBusy={fetching.isPending}
          locked={locked}
          onClick={() => fetching.mutate(missing)}
        >
          {withVideo === 0 ? text.fetchAll : text.fetchMissing}
        </Button>
      )}
      {merge.error && (
        <p role="alert" className={styles.failed}>
          {refusalOf(merge.error)}
        </p>
      )}
      <Button
        type="submit"
        kind="primary"
        isBusy={merge.isPending}
        locked={locked}
        disabled={!isRight || withVideo === 0}
      >
        {text.submit}
      </Button>
    </form>
  );
}

/** The period as it is typed, and the fragments in it. */
function usePeriod(info: BusInfo, fragments: readonly Fragment[], limits: Limits) {
  const [typed, setTyped] = useState({
    from: clockTime(limits.firstMs, info.timezone),
    to: clockTime(limits.lastMs, info.timezone),
  });
  const fromMs = typedMoment(typed.from, info.date, info.timezone, limits.firstMs);
  const toMs = typedMoment(typed.to, info.date, info.timezone, limits.lastMs);
  const inPeriod = fragments.filter(
    ({ start_time, end_time }) => Date.parse(start_time) < toMs && Date.parse(end_time) > fromMs,
  );
  const setText = (side: 'from' | 'to', value: string) =>
    setTyped((before) => ({ ...before, [side]: value }));
  return {
    typed,
    fromMs,
    toMs,
    problems: problemsOf(limits, fromMs, toMs),
    count: inPeriod.length,
    withVideo: inPeriod.filter(({ video }) => video !== null).length,
    frames: framesOf(inPeriod),
    /** Number of fragments whose video breaks off. */
    truncated: inPeriod.filter(({ video }) => video?.truncated).length,
    missing: inPeriod.filter(({ video, status }) => video === null && canFetch(status)),
    setText,
    setMoment: (side: 'from' | 'to', ms: number) => setText(side, clockTime(ms, info.timezone)),
  };
}

/**
 * Requests fragments from the registrar, at most an hour in each request, which is the registrar's limit; gives the parts
 * that were not requested.
 */
function useFetchMissing(cameraId: number) {
  const text = useMergeText();
  return useMutation({
    mutationFn: async (missing: readonly Fragment[]) => {
      const parts: UnaskedPart[] = [];
      for (const { startMs, endMs } of preloadsOf(missing)) {
        const { unasked } = await call(preloadRange, {
          body: {
            cameraId,
            startTime: new Date(startMs).toISOString(),
            endTime: new Date(endMs).toISOString(),
          },
        });
        parts.push(...unasked);
      }
      return parts;
    },
    onSuccess: (unasked, missing) => {
      const isUnasked = ({ start_time: start }: Fragment) =>
        unasked.some(
          (part) =>
            Date.parse(part.start_time) <= Date.parse(start) &&
            Date.parse(start) < Date.parse(part.end_time),
        );
      const count = missing.filter((one) => !isUnasked(one)).length;
      if (count > 0) showToast({ kind: 'done', text: text.fetching(count) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listPeriods.path] }),
  });
}

const clockTime = (ms: number, zone: string) => formatMoment(ms, zone, 'HH:mm:ss');
