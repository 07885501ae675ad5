import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  findUpstream,
  listUpstreams,
  MAX_COUNTED_WAITING,
  type Upstream,
  UpstreamSignIn,
} from '@ridewatch/contract/admin-upstreams';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { DrawerPart } from './drawer-part.tsx';
import styles from './happenings.module.css';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { clientOptions, findBy, listBy, optionsOf, type Section } from './section.ts';
import { formsOf } from './section-form.ts';
import { Sure } from './sure.tsx';
import { UpstreamBuses } from './upstream-buses.tsx';
import { en } from './upstream-texts-en.ts';
import { ru } from './upstream-texts-ru.ts';
import { useOnward } from './use-still-here.ts';

// Sections are values, not components: their texts are read when a row is rendered.
const upstreamText = () => (currentLanguage() === 'ru_RU' ? ru : en);

function stateOf({ enabled, connected_since, fault, fault_code, fault_since }: Upstream): string {
  const text = upstreamText();
  if (!enabled) return text.off;
  const connected = connected_since === null ? null : text.connected(momentText(connected_since));
  // A fault lasts until a record is confirmed, also over a connection that has just been made.
  const wrong =
    fault === null
      ? null
      : text.fault(text.faults[fault], fault_code, momentText(fault_since ?? ''));
  return [connected, wrong].filter((one) => one !== null).join(' · ') || text.connecting;
}

function waitingOf({ waiting, waiting_since }: Upstream) {
  const text = upstreamText();
  if (waiting_since === null) return text.noneWaits;
  const records = text.records(waiting, formatNumber(waiting));
  return (
    <>
      {waiting < MAX_COUNTED_WAITING ? records : text.andMore(records)} ·{' '}
      <Ago moment={waiting_since} />
    </>
  );
}

const clientsOf = ({ all_clients, clients }: Upstream): string | null =>
  all_clients ? upstreamText().all : clients.map(({ name }) => name).join(', ') || null;

const fallenOf = ({ fallen, fallen_at }: Upstream): string | undefined =>
  fallen_at === null ? undefined : `${formatNumber(fallen)} · ${momentText(fallen_at)}`;

/** Systems to which records are passed on. */
export const upstreams: Section<Upstream> = {
  name: 'upstreams',
  list: listBy(listUpstreams),
  find: findBy(findUpstream, 'upstreamId'),
  none: () => upstreamText().none,
  properties: () => {
    const own = upstreamText();
    return [
      {
        ...{ key: 'name', label: own.name, sort: 'name', width: 'minmax(140px, 1fr)' },
        ...{ value: ({ name }) => name, inDrawer: 'none' },
      },
      {
        ...{ key: 'address', label: own.address, width: 'minmax(150px, 1fr)' },
        value: ({ host, port }) => `${host}:${port}`,
      },
      { key: 'state', label: own.state, width: 'minmax(200px, 2fr)', value: stateOf },
      {
        ...{ key: 'waiting', label: own.waiting, sort: 'waiting_since' },
        ...{ width: 'minmax(180px, 1fr)', value: waitingOf },
      },
      {
        ...{ key: 'last', label: own.lastConfirmed, width: '150px' },
        value: ({ last_confirmed_at }) => last_confirmed_at && <Ago moment={last_confirmed_at} />,
      },
      {
        ...{ key: 'unnumbered', label: own.unnumbered, width: '110px', isNumber: true },
        value: ({ unnumbered }) => formatNumber(unnumbered),
      },
      { key: 'clients', label: own.clients, value: clientsOf },
      { key: 'buses', label: own.buses, value: ({ buses }) => formatNumber(buses) },
      { key: 'signIn', label: own.signIn, value: ({ sign_in }) => own.signIns[sign_in] },
      { key: 'confirmed', label: own.confirmed, value: ({ confirmed }) => formatNumber(confirmed) },
      { key: 'fallen', label: own.fallen, value: fallenOf, inDrawer: fallenOf },
      { key: 'created', label: own.created, value: ({ created_at }) => momentText(created_at) },
    ];
  },
  filters: () => [],
  titleOf: ({ name }) => name,
  noteOf: (row) => stateOf(row),
  ...formsOf({
    create: { by: createUpstream, idOf: ({ id }) => id },
    change: { by: changeUpstream, params: ({ id }: Upstream) => ({ upstreamId: id }) },
    fields: (context) => {
      const own = upstreamText();
      return [
        { key: 'name', kind: 'text', label: own.name, isRequired: true },
        { key: 'host', kind: 'text', label: own.host, isRequired: true },
        {
          ...{ key: 'port', kind: 'whole', label: own.port, isRequired: true },
          ...{ least: 1, most: 65_535 },
        },
        { key: 'enabled', kind: 'yes', label: own.enabled, initial: true },
        {
          ...{ key: 'sign_in', kind: 'choice', label: own.signIn, initial: 'none' },
          options: optionsOf(UpstreamSignIn.options, own.signIns),
        },
        {
          ...{ key: 'sign_in_id', kind: 'whole', label: own.signInId, least: 1 },
          ...{ most: 4_294_967_295, isShown: ({ sign_in }) => sign_in !== 'none' },
        },
        {
          ...{ key: 'sign_in_text', kind: 'text', label: own.signInText },
          isShown: ({ sign_in }) => sign_in === 'dispatcher',
        },
        { key: 'all_clients', kind: 'yes', label: own.allClients },
        {
          ...{ key: 'client_ids', kind: 'many', label: own.clients },
          ...{ options: clientOptions(context), stored: (row) => row.client_ids },
          isShown: ({ all_clients }) => all_clients !== true,
        },
        { key: 'with_people', kind: 'yes', label: own.withPeople, initial: true },
        {
          ...{ key: 'late_minutes', kind: 'whole', label: own.lateMinutes, isRequired: true },
          ...{ least: 1, most: 1440, initial: '10' },
        },
      ];
    },
  }),
  Actions: DeleteUpstream,
  Parts: ({ row }) => (
    <>
      <Refusals row={row} />
      <UpstreamBuses key={row.id} row={row} text={upstreamText()} />
    </>
  ),
};

function Refusals({ row: { refused } }: { row: Upstream }) {
  const text = upstreamText();
  if (refused.length === 0) return null;
  return (
    <DrawerPart title={text.refusals}>
      <p>{text.refusalsText}</p>
      <ol className={styles.list}>
        {refused.map(({ code, records, last_at, bus }) => (
          <li key={code}>
            <time dateTime={last_at}>{momentText(last_at)}</time>
            <span>
              {[
                `${text.codes[code] ?? text.code(code)}: ${formatNumber(records)}`,
                bus && text.lastBus(bus.name),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </DrawerPart>
  );
}

function DeleteUpstream({ row }: { row: Upstream }) {
  const text = upstreamText();
  const goOn = useOnward('upstreams');
  const remove = useRowAction(deleteUpstream, {
    onSuccess: () => {
      showToast({ kind: 'done', text: text.deleted });
      return goOn();
    },
  });
  return (
    <Sure
      label={text.delete}
      text={text.deleteText}
      isBusy={remove.isPending}
      onSure={() => remove.mutate({ params: { upstreamId: row.id } })}
    />
  );
}
