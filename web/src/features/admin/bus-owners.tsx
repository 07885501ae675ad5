import { type AdminBus, findAdminBus } from '@ridewatch/contract/admin-buses';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Named } from '@ridewatch/contract/paging';
import { useEndpoint } from '../../calls/api.ts';
import { nowMs } from '../../core/clock.ts';
import { formatDay } from '../../i18n/format.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import styles from './bus-owners.module.css';
import drawer from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';

const ru = {
  title: 'Чей автобус по дням',
  until: (day: string) => `по ${day}`,
  between: (from: string, to: string) => `${from} – ${to}`,
  since: (day: string) => `с ${day}`,
  gains: (names: string, day: string) => `${names}: дни начиная с ${day}.`,
  loses: (names: string, day: string) =>
    `${names}: дни по ${day} включительно, вместе с видео и деньгами; у прежних клиентов автобус уходит из списков сразу.`,
  ends: (day: string) => `Маршруты прежних клиентов кончаются: с ${day} назначьте новый.`,
  fare: (day: string) => `С ${day} тариф и процент водителя равны нулю, пока их не введут.`,
};
const en: typeof ru = {
  title: 'Whose bus on which days',
  until: (day) => `until ${day}`,
  between: (from, to) => `${from} – ${to}`,
  since: (day) => `since ${day}`,
  gains: (names, day) => `${names}: the days from ${day} on.`,
  loses: (names, day) =>
    `${names}: the days up to and including ${day}, with video and money; the bus leaves the lists of former customers at once.`,
  ends: (day) => `Routes of the former customers end: set a new one from ${day} on.`,
  fare: (day) =>
    `From ${day} on the fare and the driver's percent are zero until somebody enters them.`,
};
const useOwnerText = textsOf({ ru_RU: ru, en_US: en });

/** Shows which days of a bus belong to whom, once it has passed to another customer. */
export function OwnersPart({ busId }: { busId: number }) {
  const text = useOwnerText();
  const { data } = useEndpoint(findAdminBus, { params: { busId } }, { isQuiet: isGone });
  const owners = data?.owners ?? [];
  if (owners.every(({ from_day, to_day }) => from_day === null && to_day === null)) return null;
  return (
    <DrawerPart title={text.title}>
      <dl className={drawer.facts}>
        {owners.map(({ client, from_day: from, to_day: to }) => (
          <div key={`${client.id} ${from}`}>
            <dt>{client.name}</dt>
            <dd>{daysText(text, from, to)}</dd>
          </div>
        ))}
      </dl>
    </DrawerPart>
  );
}

function daysText(text: typeof ru, from: string | null, to: string | null): string {
  if (from === null) return to === null ? '—' : text.until(formatDay(to));
  return to === null ? text.since(formatDay(from)) : text.between(formatDay(from), formatDay(to));
}

interface MoveNoteProps {
  bus: AdminBus;
  /** All that the user may choose from. */
  clients: readonly Named[];
  /** The customers in the form. */
  wanted: readonly number[];
}

/** Says, before the customers of a bus are saved, who will own its days. */
export function MoveNote({ bus, clients, wanted }: MoveNoteProps) {
  const text = useOwnerText();
  const gaining = clients.filter(
    ({ id }) => wanted.includes(id) && !bus.clients.some((own) => own.id === id),
  );
  const losing = bus.clients.filter(({ id }) => !wanted.includes(id));
  if (gaining.length + losing.length === 0) return null;
  const today = dayOf(nowMs(), bus.timezone);
  const [last, first] = [formatDay(today), formatDay(addDays(today, 1))];
  const namesOf = (some: readonly Named[]) => some.map(({ name }) => name).join(', ');
  const isLeftByAll = losing.length === bus.clients.length;
  return (
    <div role="status" className={styles.note}>
      {gaining.length > 0 && <p>{text.gains(namesOf(gaining), first)}</p>}
      {losing.length > 0 && <p>{text.loses(namesOf(losing), last)}</p>}
      {losing.length > 0 && <p>{text.ends(first)}</p>}
      {isLeftByAll && <p>{text.fare(first)}</p>}
    </div>
  );
}
