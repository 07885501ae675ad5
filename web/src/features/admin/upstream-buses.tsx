import {
  listUpstreamBuses,
  numberUpstreamBuses,
  type Upstream,
  type UpstreamBus,
} from '@ridewatch/contract/admin-upstreams';
import { Named } from '@ridewatch/contract/paging';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
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

const isNumber = (typed: string): boolean =>
  /^[1-9]\d{0,9}$/.test(typed) && Number(typed) <= MOST_NUMBER;

/** The field of a number that another bus has, in a refusal. */
const TAKEN_FIELD = /^buses\.(\d+)\.object_id$/;

/** A refused number: the buses by id, and what to say of it. */
interface Refused {
  readonly busId: number;
  readonly problem: string;
}

function refusedOf(
  error: ApiError,
  sent: readonly { readonly id: number }[],
  text: UpstreamTexts,
): Refused | undefined {
  const at = TAKEN_FIELD.exec(error.field ?? '')?.[1];
  const other = Named.safeParse(error.current);
  const bus = at === undefined ? undefined : sent[Number(at)];
  if (bus === undefined || !other.success) return undefined;
  return { busId: bus.id, problem: text.taken(other.data.name) };
}

/** The numbers of buses at an upstream, those without one first. */
export function UpstreamBuses({ row }: { row: Upstream }) {
  const text = useUpstreamText();
  const { save: saveText, cancel } = useText().common;
  const [isMissing, setMissing] = useState(row.unnumbered > 0);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
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
    onSuccess: async () => {
      setTyped({});
      showToast({ kind: 'done', text: text.saved });
      await Promise.all([answer.refetch(), readAgain()]);
    },
    onError: (error, { body }) => setRefused(refusedOf(error, body.buses, text)),
  });
  const { data } = answer;
  const buses = Object.entries(typed).map(([id, value]) => ({
    id: Number(id),
    object_id: value === '' ? null : Number(value),
  }));
  const isSound = Object.values(typed).every((value) => value === '' || isNumber(value));
  const { dialog } = useUnsaved(buses.length > 0);
  const isRefusedShown = data?.items.some(({ id }) => id === refused?.busId) ?? false;
  const begin = (change: () => void) => () => {
    change();
    setPage(0);
  };
  return (
    <DrawerPart title={text.numbers}>
      <p>{text.numbersText}</p>
      <label className={styles.only}>
        <input
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
          if (!isSound || buses.length === 0) return;
          save.mutate({ params, body: { buses }, isQuiet: ({ status }) => status === 409 });
        }}
      >
        <div className={styles.rows}>
          {data?.items.map((bus) => (
            <BusNumber
              key={bus.id}
              {...{ bus, text }}
              typed={typed[bus.id]}
              refused={bus.id === refused?.busId ? refused.problem : undefined}
              onType={(value) => {
                setTyped({ ...typed, [bus.id]: value });
                setRefused(undefined);
              }}
            />
          ))}
        </div>
        {buses.length > 0 && (
          <div className={styles.actions}>
            {refused && !isRefusedShown && <p role="alert">{refused.problem}</p>}
            <Button kind="primary" type="submit" isBusy={save.isPending}>
              {saveText}
            </Button>
            <Button
              disabled={save.isPending}
              onClick={() => {
                setTyped({});
                setRefused(undefined);
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
        page={page}
        pages={Math.ceil((data?.total ?? 0) / PAGE_BUSES)}
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
  /** What was typed; undefined: nothing. */
  typed: string | undefined;
  /** Why the server refused it. */
  refused: string | undefined;
  onType: (value: string) => void;
}

function BusNumber({ bus, text, typed, refused, onType }: BusNumberProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refused !== undefined) input.current?.focus();
  }, [refused]);
  const { name, client, object_id, unit_object_id } = bus;
  const value = typed ?? `${object_id ?? ''}`;
  const problem = value === '' || isNumber(value) ? refused : text.badNumber;
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
      {problem && <p id={`${id}-problem`}>{problem}</p>}
    </div>
  );
}
