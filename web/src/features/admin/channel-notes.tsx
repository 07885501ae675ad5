// Notes on the streams of cameras where the unit of the bus speaks JT/T 808: few buses have such a unit, so this loads later.
import { findAdminBus } from '@ridewatch/contract/admin-buses';
import { type AdminCamera, listCameras } from '@ridewatch/contract/admin-cameras';
import { findUnit } from '@ridewatch/contract/admin-units';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { useEndpoint } from '../../calls/api.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import fieldStyles from './fields.module.css';
import { isGone } from './is-gone.ts';

const ru = {
  hint: 'В автобусе регистратор JT/T 808. Укажите в потоке канал регистратора: 1, ch1, cam2. Без него не будет ни эфира, ни записей.',
  counterOnly:
    'Автобус «только счётчик»: эфира и записей не будет. Выберите вид «с видео» в форме автобуса.',
  nameless: (cameras: string, isOne: boolean) =>
    `${cameras}: ${isOne ? 'поток' : 'потоки'} без номера канала. Укажите канал регистратора в форме камеры, иначе не будет ни эфира, ни записей.`,
};
const en: typeof ru = {
  hint: "The bus has a JT/T 808 registrar. Name the registrar's channel in the stream: 1, ch1, cam2. Without it there is neither live video nor recordings.",
  counterOnly:
    'The bus is “counter only”: it has neither live video nor recordings. Choose “with video” in the form of the bus.',
  nameless: (cameras, isOne) =>
    `${cameras}: the ${isOne ? 'stream names' : 'streams name'} no channel. Name the registrar's channel in the form of the camera, else there is neither live video nor recordings.`,
};
const useNotes = textsOf({ ru_RU: ru, en_US: en });

interface StreamNoteProps {
  busId: number;
  /** Of the unit of the bus; undefined: it is not known, and read. */
  protocol: AdminCamera['unit_protocol'] | undefined;
}

/** Says in the form of a camera what its stream and its bus must be; nothing unless the unit of the bus speaks JT/T 808. */
export function StreamNote({ busId, protocol }: StreamNoteProps) {
  const text = useNotes();
  const bus = useEndpoint(
    findAdminBus,
    { params: { busId } },
    { enabled: protocol === undefined || protocol === 'jt808', isQuiet: isGone },
  );
  const unitId = bus.data?.unit?.id;
  const unit = useEndpoint(
    findUnit,
    { params: { unitId: unitId ?? 0 } },
    { enabled: protocol === undefined && unitId !== undefined, isQuiet: isGone },
  );
  if ((protocol === undefined ? unit.data?.protocol : protocol) !== 'jt808') return null;
  return (
    <>
      <p role="status" className={fieldStyles.note}>
        {text.hint}
      </p>
      {bus.data?.type === 'COUNTER' && (
        <p role="status" className={fieldStyles.note}>
          {text.counterOnly}
        </p>
      )}
    </>
  );
}

/** Names the cameras of a bus whose streams name no channel, so that a terminal of JT/T 808 sends no video of them; nothing if there are none. */
export function NamelessNote({ busId }: { busId: number }) {
  const text = useNotes();
  const { data } = useEndpoint(
    listCameras,
    { query: { busId: `${busId}`, perPage: `${MAX_PAGE_SIZE}` } },
    { isQuiet: isGone },
  );
  const nameless = data?.items.filter(({ channel, enabled }) => enabled && channel === null) ?? [];
  if (nameless.length === 0) return null;
  const names = nameless.map(({ name, stream_id }) => `${name} (${stream_id})`).join(', ');
  return (
    <p role="status" className={fieldStyles.note}>
      {text.nameless(names, nameless.length === 1)}
    </p>
  );
}
