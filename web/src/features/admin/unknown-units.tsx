import {
  Adopter,
  adoptUnknownUnit,
  findUnknownUnit,
  ignoreUnknownUnit,
  listUnknownUnits,
  type UnknownUnit,
} from '@ridewatch/contract/admin-unknown-units';
import { protocolIdFault, protocolNames } from '@ridewatch/contract/unit-protocols';
import { Link, useNavigate } from '@tanstack/react-router';
import { useSingle } from '../../calls/use-single.ts';
import type { ApiError } from '../../core/api-error.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { findBy, listBy, optionsOf, type Section } from './section.ts';
import { en } from './unknown-texts-en.ts';
import { ru } from './unknown-texts-ru.ts';
import styles from './unknown-units.module.css';
import { protocolText, useProtocolText } from './use-protocol-text.ts';
import { readAgain } from './use-rows.ts';
import { useStillHere } from './use-still-here.ts';

// Sections are values, not components: their texts are read when a row is rendered.
const unknownText = () => (currentLanguage() === 'ru_RU' ? ru : en);

const stateOf = ({ ignored }: UnknownUnit): string =>
  unknownText().states[ignored ? 'ignored' : 'new'];

/** Digits of a coordinate, about a metre. */
const DEGREE_DIGITS = 5;

const pointOf = ({ latitude, longitude }: UnknownUnit): string | null =>
  latitude === null || longitude === null
    ? null
    : [latitude, longitude].map((degrees) => degrees.toFixed(DEGREE_DIGITS)).join(', ');

/** Its last position and the time of it. */
function placeOf(row: UnknownUnit): readonly string[] {
  const point = pointOf(row);
  if (point === null || row.sent_time === null) return [unknownText().noPlace];
  return [point, momentText(row.sent_time)];
}

/** The people whom it counted last, and at which door; empty: it counted none. */
function peopleOf({ counted_time, entered, exited, door }: UnknownUnit): readonly string[] {
  if (counted_time === null || entered === null || exited === null || door === null) return [];
  const { counted, atDoor } = unknownText();
  return [counted(formatNumber(entered), formatNumber(exited)), atDoor(door)];
}

// The time of a position, which a unit has by its own clock, says nothing of when it was heard.
function lastOf(row: UnknownUnit): string {
  const people = peopleOf(row).join(', ');
  return [people, pointOf(row)].filter(Boolean).join(' · ') || unknownText().noPlace;
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <span className={styles.lines} title={lines.join(' · ')}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
}

// Somebody else has given the number to a unit.
const isTaken = ({ error, field }: ApiError): boolean =>
  error === 'conflict' && field === 'protocol_id';

/** Ids that send in another protocol and that no unit has. */
export const unknownUnits: Section<UnknownUnit> = {
  name: 'unknown_units',
  hasSeveral: true,
  list: listBy(listUnknownUnits),
  find: findBy(findUnknownUnit, 'unknownId'),
  none: () => unknownText().none,
  NoneNext: () => (
    <Link to="/connect" search={{}} className={styles.next}>
      {unknownText().connect}
    </Link>
  ),
  gone: () => unknownText().gone,
  properties: ({ text }) => {
    const own = unknownText();
    return [
      {
        // The 15 digits of an IMEI fit in a line.
        ...{ key: 'id', label: own.id, sort: 'protocol_id', width: 'minmax(142px, 1fr)' },
        ...{ value: ({ protocol_id }) => protocol_id, inDrawer: 'none' },
      },
      {
        ...{ key: 'protocol', label: protocolText().fields.protocol, width: '84px' },
        value: ({ protocol }) => protocolNames[protocol],
      },
      {
        ...{ key: 'address', label: own.address, sort: 'address', width: 'minmax(110px, 1fr)' },
        value: ({ address }) => address,
      },
      {
        ...{ key: 'last', label: own.last, sort: 'last_at', width: '120px' },
        value: ({ last_at }) => <Ago moment={last_at} />,
      },
      {
        ...{ key: 'records', label: own.records, sort: 'records', width: '84px', isNumber: true },
        value: ({ records }) => formatNumber(records),
      },
      {
        ...{ key: 'place', label: own.place, width: 'minmax(158px, 1fr)' },
        value: (row) => <Lines lines={placeOf(row)} />,
      },
      {
        ...{ key: 'people', label: own.people, width: 'minmax(150px, 1.5fr)' },
        value: (row) => (row.counted_time === null ? '—' : <Lines lines={peopleOf(row)} />),
        inDrawer: (row) =>
          row.counted_time && (
            <Lines lines={[peopleOf(row).join(', '), momentText(row.counted_time)]} />
          ),
      },
      { key: 'state', label: text.state, width: '90px', value: stateOf },
      { key: 'first', label: own.first, value: ({ first_at }) => momentText(first_at) },
    ];
  },
  filters: ({ text }) => [
    {
      ...{ key: 'state', query: 'state', label: text.state, initial: 'new' },
      options: optionsOf(['new', 'ignored'], unknownText().states),
    },
  ],
  titleOf: ({ protocol, protocol_id }) => `${protocolNames[protocol]} ${protocol_id}`,
  noteOf: (row) => (
    <>
      {row.ignored && `${stateOf(row)} · `}
      <Ago moment={row.last_at} /> · {row.address} <br />
      {lastOf(row)}
    </>
  ),
  Parts: ({ row }) => <UnknownParts key={row.id} row={row} />,
};

function UnknownParts({ row }: { row: UnknownUnit }) {
  const text = unknownText();
  const { ids } = useProtocolText();
  const isUsable = protocolIdFault(row.protocol, row.protocol_id) === undefined;
  const navigate = useNavigate();
  const isHere = useStillHere();
  const params = { unknownId: row.id };
  const adopt = useSingle(
    useRowAction(adoptUnknownUnit, {
      onSuccess: async ({ id }) => {
        showToast({ kind: 'done', text: text.adopted });
        if (isHere()) {
          await navigate({
            to: '/admin/{-$section}/{-$id}',
            params: { section: 'units', id: `${id}` },
            search: { edit: `${id}` },
          });
        }
        await readAgain();
      },
      onError: (error) => {
        // The drawer tells of a number that is gone, and the sign-in page of a session that has ended.
        if (isGone(error) || error.status === 401) return;
        if (!isTaken(error)) {
          const why = error.status === 0 ? text.noLink : `${error.status}: ${error.message}`;
          showToast({ kind: 'error', text: text.notAdopted, more: why });
          return;
        }
        const { data } = Adopter.safeParse(error.current);
        showToast({ kind: 'error', text: text.taken(data?.device_id) });
        return readAgain();
      },
    }),
  );
  const ignore = useRowAction(ignoreUnknownUnit, { onSettled: () => readAgain() });
  return (
    <DrawerPart title={text.title}>
      <p>{text.text}</p>
      {!isUsable && (
        <p role="alert">
          {text.unusable} {ids[row.protocol].fault}.
        </p>
      )}
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <Button
          kind="primary"
          disabled={!isUsable}
          isBusy={adopt.isPending}
          onClick={() => adopt.mutate({ params, isQuiet: (error) => !isGone(error) })}
        >
          {text.adopt}
        </Button>
        <Button
          isBusy={ignore.isPending}
          onClick={() => ignore.mutate({ params, body: { ignored: !row.ignored } })}
        >
          {row.ignored ? text.unignore : text.ignore}
        </Button>
      </div>
    </DrawerPart>
  );
}
