import { type AdminBus, type BusOwner, findAdminBus } from '@ridewatch/contract/admin-buses';
import { changeBuses } from '@ridewatch/contract/admin-several';
import type { Named } from '@ridewatch/contract/paging';
import { useEndpoint } from '../../calls/api.ts';
import { formatDay } from '../../i18n/format.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import styles from './bus-owners.module.css';
import drawer from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';

const ru = {
  title: 'Чей автобус по дням',
  until: (day: string) => `по ${day}`,
  between: (from: string, to: string) => `${from} – ${to}`,
  since: (day: string) => `с ${day}`,
  gains: (name: string, day: string) => `${name}: дни начиная с ${day}.`,
  gainsAll: (name: string) => `${name}: все дни автобуса.`,
  loses: (name: string, day: string) =>
    `${name}: дни по ${day} включительно, вместе с видео и деньгами; из списков этого клиента автобус уходит сразу.`,
  losesAll: (name: string) =>
    `${name}: ни одного дня; из списков этого клиента автобус уходит сразу.`,
  ends: (day: string) => `Маршруты прежних клиентов кончаются: с ${day} назначьте новый.`,
  endsAtOnce: 'Маршруты прежних клиентов кончаются: назначьте новый.',
  fare: (day: string) => `С ${day} тариф и процент водителя равны нулю, пока их не введут.`,
};
const en: typeof ru = {
  title: 'Whose bus on which days',
  until: (day) => `until ${day}`,
  between: (from, to) => `${from} – ${to}`,
  since: (day) => `since ${day}`,
  gains: (name, day) => `${name}: the days from ${day} on.`,
  gainsAll: (name) => `${name}: all days of the bus.`,
  loses: (name, day) =>
    `${name}: the days up to and including ${day}, with video and money; the bus leaves this customer's lists at once.`,
  losesAll: (name) => `${name}: no day; the bus leaves this customer's lists at once.`,
  ends: (day) => `Routes of the former customers end: set a new one from ${day} on.`,
  endsAtOnce: 'Routes of the former customers end: set a new one.',
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

/** Says, before the customers of a bus are saved, who will own its days: the server tries the change and tells. */
export function MoveNote({ bus, clients, wanted }: MoveNoteProps) {
  const text = useOwnerText();
  const gaining = clients.filter(
    ({ id }) => wanted.includes(id) && !bus.clients.some((own) => own.id === id),
  );
  const losing = bus.clients.filter(({ id }) => !wanted.includes(id));
  const isMoved = wanted.length > 0 && gaining.length + losing.length > 0;
  const change = { client_ids: [...wanted] };
  const answer = useEndpoint(
    changeBuses,
    { body: { ids: [bus.id], preview: true, change } },
    { enabled: isMoved, staleTime: 0 },
  );
  if (!isMoved) return null;
  const [after] = answer.data?.former_clients ?? [];
  if (after === undefined) return <FailedRead answer={answer} what={text.title} />;
  const { from, owners, route_ends, fare_ends } = after;
  return (
    <div role="status" className={styles.note}>
      {gaining.map(({ id, name }) => (
        <p key={id}>{gainText(text, name, owners, id)}</p>
      ))}
      {losing.map(({ id, name }) => (
        <p key={id}>{lossText(text, name, owners, id)}</p>
      ))}
      {route_ends && <p>{from === null ? text.endsAtOnce : text.ends(formatDay(from))}</p>}
      {fare_ends && from !== null && <p>{text.fare(formatDay(from))}</p>}
    </div>
  );
}

type OwnerTexts = typeof ru;

// All days are a customer's that has no first one.
function gainText(text: OwnerTexts, name: string, owners: readonly BusOwner[], id: number): string {
  const stay = owners.find(({ client, to_day }) => client.id === id && to_day === null);
  const first = stay?.from_day ?? null;
  return first === null ? text.gainsAll(name) : text.gains(name, formatDay(first));
}

// The latest owners come first. No day is a customer's that is not among them.
function lossText(text: OwnerTexts, name: string, owners: readonly BusOwner[], id: number): string {
  const last = owners.find(({ client }) => client.id === id)?.to_day ?? null;
  return last === null ? text.losesAll(name) : text.loses(name, formatDay(last));
}
