import {
  listUpstreamBuses,
  NumberedBus,
  numberUpstreamBuses,
  type Upstream,
  type UpstreamBus,
} from '@ridewatch/contract/admin-upstreams';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { changeCached, useEndpoint } from '../../calls/api.ts';
import type { ApiError } from '../../core/api-error.ts';
import { TextField } from '../../forms/text-field.tsx';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import { useRowAction } from './row-calls.ts';
import styles from './upstream-buses.module.css';
import type { UpstreamTexts } from './upstream-texts-ru.ts';
import { readAgain } from './use-rows.ts';
import { useUnsaved } from './use-unsaved.tsx';
import { useUpstreamText } from './use-upstream-text.ts';

const PAGE_BUSES = 20;
const MOST_NUMBER = 4_294_967_295;

/** Whether a text can be saved: a number, or nothing. */
const isSound = (typed: string): boolean =>
  typed === '' || (/^[1-9]\d{0,9}$/.test(typed) && Number(typed) <= MOST_NUMBER);

const numberOf = (typed: string): number | null => (typed === '' ? null : Number(typed));

/** The field of a number that another bus has, or that somebody else has changed, in a refusal. */
const REFUSED_FIELD = /^buses\.(\d+)\.(seen\.)?object_id$/;

/** The text that was typed for a bus. */
interface Typed {
  readonly name: string;
  /** The stored number that the user knows; null: none. */
  readonly seen: number | null;
  readonly value: string;
}
type TypedById = Readonly<Record<number, Typed>>;

/** A refused number: the bus by id, and what to say of it. */
interface Refused {
  readonly busId: number;
  readonly problem: string;
  /** The number that somebody else has given the bus; absent: nobody has. */
  readonly stored?: number | null;
}

type Sent = BodyOf<typeof numberUpstreamBuses>['buses'];

function refusedOf(error: ApiError, sent: Sent, text: UpstreamTexts): Refused | undefined {
  const [, at, isUnseen] = REFUSED_FIELD.exec(error.field ?? '') ?? [];
  const found = NumberedBus.safeParse(error.current);
  const bus = at === undefined ? undefined : sent[Number(at)];
  if (bus === undefined || !found.success) return undefined;
  const { name, object_id: stored } = found.data;
  return isUnseen
    ? { busId: bus.id, problem: text.changed(stored), stored }
    : { busId: bus.id, problem: text.taken(name) };
}

/** The numbers that are left to save: they were typed after the others were sent. */
function leftOf(typed: TypedById, sent: Sent): TypedById {
  const left = Object.entries(typed).flatMap(([id, one]) => {
    const saved = sent.find((bus) => bus.id === Number(id));
    if (saved === undefined) return [[id, one] as const];
    const { object_id: seen } = saved;
    return numberOf(one.value) === seen ? [] : [[id, { ...one, seen }] as const];
  });
  return Object.fromEntries(left);
}

/** The numbers of buses at an upstream, those without one first. */
export function UpstreamBuses({ row }: { row: Upstream }) {
  const text = useUpstreamText();
  const { save: saveText, cancel } = useText().common;
  const [isMissing, setMissing] = useState(row.unnumbered > 0);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [typed, setTyped] = useState<TypedById>({});
  const [refused, setRefused] = useState<Refused>();
  const asked = useDeferredValue(search.trim());
  const params = { upstreamId: row.id };
  const query = {
    ...{ page, perPage: PAGE_BUSES },
    ...(asked !== '' && { search: asked }),
    ...(isMissing && { unnumbered: 'true' as const }),
  };
  const answer = useEndpoint(
    listUpstreamBuses,
    { params, query },
    // The drawer tells of an upstream that is gone.
    { placeholderData: keepPreviousData, isQuiet: isGone },
  );
  const save = useRowAction(numberUpstreamBuses, {
    onSuccess: async (_, { body }) => {
      // The rows say what is stored before they are read again.
      changeCached(listUpstreamBuses, { params, query }, (before) => ({
        ...before,
        items: before.items.map((bus) => ({
          ...bus,
          ...body.buses.find((one) => one.id === bus.id),
        })),
      }));
      setTyped((now) => leftOf(now, body.buses));
      setRefused(undefined);
      showToast({ kind: 'done', text: text.saved });
      await Promise.all([answer.refetch(), readAgain()]);
    },
    onError: (error, { body }) => {
      const found = refusedOf(error, body.buses, text);
      setRefused(found);
      // The bar of a lost connection may be gone at once.
      if (error.status === 0) showToast({ kind: 'error', text: text.notSent });
      if (found?.stored === undefined) return;
      const { busId, stored } = found;
      // The user knows it now: who saves again overwrites it.
      setTyped((now) => (now[busId] ? { ...now, [busId]: { ...now[busId], seen: stored } } : now));
    },
  });
  const { isPending } = save;
  const { data } = answer;
  const pages = Math.ceil((data?.total ?? 0) / PAGE_BUSES);
  // Buses that get their numbers leave the list, and the last page may go with them.
  if (data && page > 0 && page >= pages) setPage(Math.max(0, pages - 1));
  const buses = Object.entries(typed).map(([id, one]) => ({ ...one, id: Number(id) }));
  const { dialog } = useUnsaved(buses.length > 0);
  const problemOf = (id: number, value: string): string | undefined => {
    if (!isSound(value)) return text.badNumber;
    return id === refused?.busId ? refused.problem : undefined;
  };
  const elsewhere = buses.find(
    ({ id, value }) => problemOf(id, value) && !data?.items.some((bus) => bus.id === id),
  );
  const only = useRef<HTMLInputElement>(null);
  /** The control that had the focus when the numbers were sent. */
  const sentFrom = useRef<Element>(null);
  useEffect(() => {
    if (!isPending) return;
    return () => {
      // Buttons and rows that are saved go. A field would bring up the keyboard of a phone.
      if (document.activeElement !== document.body) return;
      const next = sentFrom.current?.isConnected ? sentFrom.current : only.current;
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    };
  }, [isPending]);
  const begin = (change: () => void) => () => {
    change();
    setPage(0);
  };
  return (
    <DrawerPart title={text.numbers}>
      <p>{text.numbersText}</p>
      <label className={styles.only}>
        <input
          ref={only}
          type="checkbox"
          checked={isMissing}
          onChange={({ target }) => begin(() => setMissing(target.checked))()}
        />
        {text.onlyUnnumbered}
      </label>
      <TextField
        label={text.search}
        value={search}
        onChange={({ target }) => begin(() => setSearch(target.value))()}
      />
      <FailedRead answer={answer} what={text.numbers} />
      {data?.total === 0 && <p>{isMissing && asked === '' ? text.allNumbered : text.noBuses}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending || buses.length === 0) return;
          if (!buses.every(({ value }) => isSound(value))) {
            event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus();
            return;
          }
          sentFrom.current = document.activeElement;
          setRefused(undefined);
          const sent = buses.map(({ id, value, seen }) => ({
            ...{ id, object_id: numberOf(value), seen: { object_id: seen } },
          }));
          save.mutate({ params, body: { buses: sent }, isQuiet: ({ status }) => status === 409 });
        }}
      >
        <div className={styles.rows}>
          {data?.items.map((bus) => (
            <BusNumber
              key={bus.id}
              {...{ bus, text }}
              value={typed[bus.id]?.value ?? `${bus.object_id ?? ''}`}
              problem={problemOf(bus.id, typed[bus.id]?.value ?? '')}
              isRefused={bus.id === refused?.busId}
              onType={(value) => {
                const { id, name, object_id: seen } = bus;
                setTyped((now) => ({ ...now, [id]: { name, seen, ...now[id], value } }));
                setRefused(undefined);
              }}
            />
          ))}
        </div>
        {buses.length > 0 && (
          <div className={styles.actions}>
            {elsewhere && (
              <p role="alert">{`${elsewhere.name}: ${problemOf(elsewhere.id, elsewhere.value)}`}</p>
            )}
            <Button kind="primary" type="submit" isBusy={isPending}>
              {saveText}
            </Button>
            <Button
              disabled={isPending}
              onClick={() => {
                setTyped({});
                setRefused(undefined);
                // The refusal may have told of another number.
                void answer.refetch();
                only.current?.focus({ preventScroll: true });
              }}
            >
              {cancel}
            </Button>
          </div>
        )}
      </form>
      {dialog}
      <Pager
        label={text.numbers}
        {...{ page, pages }}
        newer={text.newer}
        older={text.older}
        onPage={setPage}
      >
        {page + 1}
      </Pager>
    </DrawerPart>
  );
}

interface BusNumberProps {
  bus: UpstreamBus;
  text: UpstreamTexts;
  value: string;
  problem: string | undefined;
  /** Whether the server refused it. */
  isRefused: boolean;
  onType: (value: string) => void;
}

function BusNumber({ bus, text, value, problem, isRefused, onType }: BusNumberProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isRefused) input.current?.focus();
  }, [isRefused]);
  const { name, client, unit_object_id } = bus;
  return (
    <div className={styles.row}>
      <div>
        <label htmlFor={id}>{[name, client?.name].filter(Boolean).join(' · ')}</label>
        {unit_object_id !== null && (
          <small id={`${id}-unit`}>{text.ownNumber(unit_object_id)}</small>
        )}
      </div>
      <input
        ref={input}
        id={id}
        inputMode="numeric"
        maxLength={MAX_TEXT_LENGTH}
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-problem ${id}-unit`}
        value={value}
        onChange={({ target }) => onType(target.value.trim())}
      />
      {problem && (
        <p id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
