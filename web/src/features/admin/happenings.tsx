import { type Happening, listHappenings } from '@ridewatch/contract/admin-happenings';
import { useEndpoint } from '../../calls/api.ts';
import { formatNumber } from '../../i18n/format.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { DrawerPart } from './drawer-part.tsx';
import styles from './happenings.module.css';
import { isGone } from './is-gone.ts';
import { momentText } from './moments.ts';
import { ROWS_EVERY_MS } from './use-rows.ts';

const MIB = 1024 * 1024;

const ru = {
  title: 'Последнее',
  none: 'Ещё ничего не было.',
  camera: (name: string | null) => (name === null ? '' : ` «${name}»`),
  received: (camera: string, size: string) => `фрагмент${camera} принят, ${size} МБ`,
  live: (camera: string, minutes: string) => `поток${camera} закрыт, шёл ${minutes} мин`,
  silent: (minutes: string) => `снова на связи, молчал ${minutes} мин`,
  commands: {
    fetch_segment: 'фрагмент',
    fetch_range: 'запись',
    stop_fetch: 'отмена запроса',
    report_camera_states: 'состояние камер',
    start_live: 'начать поток',
    stop_live: 'закончить поток',
  } as Readonly<Record<string, string>>,
  states: {
    asked: 'запрошено',
    done: 'выполнено',
    failed: 'не удалось',
    cancelled: 'отменено',
  },
};
const en: typeof ru = {
  title: 'Latest',
  none: 'Nothing yet.',
  camera: (name) => (name === null ? '' : ` “${name}”`),
  received: (camera, size) => `fragment${camera} received, ${size} MB`,
  live: (camera, minutes) => `stream${camera} ended after ${minutes} min`,
  silent: (minutes) => `heard again after ${minutes} min of silence`,
  commands: {
    fetch_segment: 'fragment',
    fetch_range: 'recording',
    stop_fetch: 'request cancelled',
    report_camera_states: 'states of cameras',
    start_live: 'begin the stream',
    stop_live: 'end the stream',
  },
  states: { asked: 'asked', done: 'done', failed: 'failed', cancelled: 'cancelled' },
};
const useHappeningText = textsOf({ ru_RU: ru, en_US: en });

function said(one: Happening, text: typeof ru): string {
  const camera = text.camera(one.camera);
  const minutes = formatNumber(Math.max(1, Math.round((one.seconds ?? 0) / 60)));
  switch (one.kind) {
    case 'received':
      return text.received(camera, formatNumber(Math.round(((one.bytes ?? 0) / MIB) * 10) / 10));
    case 'live':
      return text.live(camera, minutes);
    case 'silent':
      return text.silent(minutes);
    default:
      return `${text.states[one.kind]}: ${text.commands[one.command ?? ''] ?? one.command}${camera}`;
  }
}

/** Shows what happened last to the unit of a bus. */
export function HappeningsPart({ busId }: { busId: number }) {
  const text = useHappeningText();
  const answer = useEndpoint(
    listHappenings,
    { params: { busId } },
    // The drawer tells of a bus that is gone.
    { refetchInterval: ROWS_EVERY_MS, isQuiet: isGone },
  );
  return (
    <DrawerPart title={text.title}>
      <FailedRead answer={answer} what={text.title} />
      {answer.data?.items.length === 0 && <p>{text.none}</p>}
      <ol className={styles.list}>
        {answer.data?.items.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <time dateTime={one.at}>{momentText(one.at)}</time> {said(one, text)}
          </li>
        ))}
      </ol>
    </DrawerPart>
  );
}
