import {
  listUpstreamBuses,
  numberUpstreamBuses,
  type Upstream,
} from '@ridewatch/contract/admin-upstreams';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
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

const PAGE_BUSES = 20;
const MOST_NUMBER = 4_294_967_295;

const isNumber = (typed: string): boolean =>
  /^[1-9]\d{0,9}$/.test(typed) && Number(typed) <= MOST_NUMBER;

interface UpstreamBusesProps {
  row: Upstream;
  text: UpstreamTexts;
}

/** The numbers of buses at an upstream, those without one first. */
export function UpstreamBuses({ row, text }: UpstreamBusesProps) {
  const { save: saveText } = useText().common;
  const [isMissing, setMissing] = useState(row.unnumbered > 0);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
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
  });
  const { data } = answer;
  const buses = Object.entries(typed).map(([id, value]) => ({
    id: Number(id),
    object_id: value === '' ? null : Number(value),
  }));
  const isSound = Object.values(typed).every((value) => value === '' || isNumber(value));
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
        className={styles.buses}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSound || buses.length === 0) return;
          save.mutate({ params, body: { buses }, isQuiet: ({ status }) => status === 409 });
        }}
      >
        {data?.items.map(({ id, name, client, object_id, unit_object_id }) => {
          const value = typed[id] ?? `${object_id ?? ''}`;
          const hint = unit_object_id === null ? {} : { hint: text.ownNumber(unit_object_id) };
          return (
            <TextField
              key={id}
              label={[name, client?.name].filter(Boolean).join(' · ')}
              inputMode="numeric"
              autoComplete="off"
              problem={value === '' || isNumber(value) ? undefined : text.badNumber}
              {...hint}
              value={value}
              onChange={({ target }) => setTyped({ ...typed, [id]: target.value.trim() })}
            />
          );
        })}
        {save.error?.status === 409 && <p role="alert">{text.taken}</p>}
        {buses.length > 0 && (
          <Button kind="primary" type="submit" isBusy={save.isPending}>
            {saveText}
          </Button>
        )}
      </form>
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
