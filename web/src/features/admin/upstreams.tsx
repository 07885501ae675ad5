import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  findUpstream,
  listUpstreams,
  type Upstream,
  UpstreamSignIn,
} from '@ridewatch/contract/admin-upstreams';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { GuideLink } from './guide-link.tsx';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { clientOptions, findBy, listBy, optionsOf, type Section } from './section.ts';
import { formsOf } from './section-form.ts';
import { Sure } from './sure.tsx';
import { UpstreamBuses } from './upstream-buses.tsx';
import { UpstreamRefusals } from './upstream-refusals.tsx';
import {
  UpstreamAddress,
  UpstreamNote,
  UpstreamRemarks,
  UpstreamState,
  UpstreamWaiting,
} from './upstream-state.tsx';
import { en } from './upstream-texts-en.ts';
import { ru } from './upstream-texts-ru.ts';
import { TryNow } from './upstream-try.tsx';
import { useOnward } from './use-still-here.ts';
import { useUpstreamText } from './use-upstream-text.ts';

// Sections are values, not components: their texts are read when a row is rendered.
const upstreamText = () => (currentLanguage() === 'ru_RU' ? ru : en);

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
        ...{ key: 'name', label: own.name, sort: 'name', width: 'minmax(140px, 1.5fr)' },
        ...{ value: ({ name }) => name, inDrawer: 'none' },
      },
      {
        ...{ key: 'address', label: own.address, width: 'minmax(150px, 1.5fr)' },
        value: (row) => <UpstreamAddress row={row} />,
      },
      {
        ...{ key: 'state', label: own.state, width: 'minmax(200px, 2fr)' },
        value: (row) => <UpstreamState row={row} />,
      },
      {
        ...{ key: 'waiting', label: own.waiting, sort: 'waiting_since' },
        ...{ width: 'minmax(180px, 1fr)', value: (row) => <UpstreamWaiting row={row} /> },
      },
      {
        ...{ key: 'remarks', label: own.remarks, width: 'minmax(200px, 2fr)' },
        value: (row) => <UpstreamRemarks row={row} />,
      },
      {
        ...{ key: 'last', label: own.lastConfirmed, width: '150px' },
        value: ({ last_confirmed_at }) => last_confirmed_at && <Ago moment={last_confirmed_at} />,
      },
      { key: 'clients', label: own.clients, value: clientsOf },
      { key: 'buses', label: own.buses, value: ({ buses }) => formatNumber(buses) },
      {
        ...{ key: 'unnumbered', label: own.unnumbered },
        value: ({ unnumbered }) => formatNumber(unnumbered),
      },
      { key: 'signIn', label: own.signIn, value: ({ sign_in }) => own.signIns[sign_in] },
      {
        ...{ key: 'signInId', label: own.signInId, value: () => null },
        inDrawer: ({ sign_in_id }) => sign_in_id ?? undefined,
      },
      { key: 'confirmed', label: own.confirmed, value: ({ confirmed }) => formatNumber(confirmed) },
      { key: 'fallen', label: own.fallen, value: fallenOf, inDrawer: fallenOf },
      { key: 'created', label: own.created, value: ({ created_at }) => momentText(created_at) },
    ];
  },
  filters: () => [],
  hasWholeTexts: true,
  titleOf: ({ name }) => name,
  noteOf: (row) => <UpstreamNote row={row} />,
  ...formsOf({
    explain: async ({ error, field }) => upstreamText().problems[`${error}.${field}`],
    create: { by: createUpstream, idOf: ({ id }) => id },
    change: { by: changeUpstream, params: ({ id }: Upstream) => ({ upstreamId: id }) },
    fields: (context, row) => {
      const own = upstreamText();
      return [
        { key: 'name', kind: 'text', label: own.name, isRequired: true },
        {
          ...{ key: 'host', kind: 'text', label: own.host, isRequired: true },
          hint: own.hostHint,
        },
        {
          ...{ key: 'port', kind: 'whole', label: own.port, isRequired: true },
          ...{ least: 1, most: 65_535 },
        },
        { key: 'enabled', kind: 'yes', label: own.enabled, initial: true },
        {
          ...{ key: 'sign_in', kind: 'choice', label: own.signIn, initial: 'none' },
          options: optionsOf(UpstreamSignIn.options, own.signIns),
          hint: own.signInHint,
        },
        {
          ...{ key: 'sign_in_id', kind: 'whole', label: own.signInId, isRequired: true },
          ...{
            hint: own.signInIdHint,
            least: 1,
            most: 4_294_967_295,
            isShown: ({ sign_in }) => sign_in !== 'none',
          },
        },
        {
          ...{ key: 'sign_in_text', kind: 'text', label: own.signInText },
          isShown: ({ sign_in }) => sign_in === 'dispatcher',
        },
        { key: 'all_clients', kind: 'yes', label: own.allClients },
        {
          ...{ key: 'client_ids', kind: 'many', label: own.clients },
          // One whose customers have gone can be changed, too.
          isRequired: row === undefined || row.all_clients || row.client_ids.length > 0,
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
  Top: () => <GuideLink page="other-systems">{upstreamText().guide}</GuideLink>,
  Actions: ({ row }) => (
    <>
      <DeleteUpstream row={row} />
      <TryNow row={row} />
    </>
  ),
  Parts: ({ row }) => (
    <>
      <UpstreamRefusals row={row} />
      <UpstreamBuses key={row.id} row={row} />
    </>
  ),
};

function DeleteUpstream({ row }: { row: Upstream }) {
  const text = useUpstreamText();
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
