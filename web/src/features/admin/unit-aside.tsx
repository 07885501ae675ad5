import {
  type AsideGroup,
  discardUnitAside,
  findUnitAside,
  placeUnitAside,
} from '@ridewatch/contract/admin-aside';
import { FALLBACK_ZONE, formatMoment, momentOf } from '@ridewatch/contract/day';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cacheAnswer, useEndpoint } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './drawer.module.css';
import { DrawerPart, Facts } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import { MomentField } from './moment-field.tsx';
import { momentText, secondText } from './moments.ts';
import { readableRaw } from './raw-text.ts';
import { useRowAction } from './row-calls.ts';
import { Sure } from './sure.tsx';
import { useAsideText } from './use-aside-text.ts';
import { ROWS_EVERY_MS, readAgain } from './use-rows.ts';

/** Form of the value of a field for a moment. */
const FIELD = 'YYYY-MM-DDTHH:mm:ss';

interface AsidePartProps {
  unitId: number;
  /** Grows when its feed brings messages, which may be such records. */
  news: number;
}

/** Records of a unit whose time is not known: what they are, and how they get one. Nothing while there are none. */
export function AsidePart({ unitId, news }: AsidePartProps) {
  const said = useAsideText();
  const params = { unitId: unitId };
  // The drawer tells of a unit that is gone.
  const answer = useEndpoint(findUnitAside, { params }, { isQuiet: isGone });
  const aside = answer.data;
  const part = useReadAgain(answer.refetch, isGone(answer.error), news);
  if (aside?.total === 0 || answer.isPending) return null;
  return (
    <div ref={part} className={styles.parts}>
      <DrawerPart title={said.title}>
        <FailedRead answer={answer} what={said.title} />
        {aside && <p>{said.text(aside.total)}</p>}
        {aside?.items.map((group) => (
          <Group key={group.id} unitId={unitId} group={group} />
        ))}
      </DrawerPart>
    </div>
  );
}

// Reads a part as often as the list, and when there are news, but not while a field or button in it has the focus:
// nothing moves under a hand.
function useReadAgain(refetch: () => unknown, isOver: boolean, news: number) {
  const part = useRef<HTMLDivElement>(null);
  const read = useCallback(() => {
    const used = document.activeElement;
    const isUsed = used?.matches('input, button') && part.current?.contains(used);
    if (!document.hidden && !isUsed) void refetch();
  }, [refetch]);
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(read, ROWS_EVERY_MS);
    return () => clearInterval(timer);
  }, [read, isOver]);
  useEffect(() => {
    if (news > 0 && !isOver) read();
  }, [news, read, isOver]);
  return part;
}

function Group({ unitId, group }: { unitId: number; group: AsideGroup }) {
  const said = useAsideText();
  const params = { unitId: unitId };
  const discard = useRowAction(discardUnitAside, {
    onSuccess: (left) => {
      cacheAnswer(findUnitAside, { params }, left);
      return readAgain();
    },
  });
  const sent = [group.sent_from, group.sent_to].map(secondText);
  // Records of one message share its text.
  const raws = [...new Set(group.raw)].map(readableRaw);
  return (
    <details>
      <summary>
        {momentText(group.received_at)} · {said.people(group.entered, group.exited)}
      </summary>
      <div className={styles.group}>
        <Facts
          facts={[
            [said.positions, group.positions],
            [said.others, group.others],
            [said.sent, [...new Set(sent)].join(' – ')],
            [said.before, momentText(group.before)],
            [said.after, momentText(group.after)],
          ]}
        />
        <PlaceForm unitId={unitId} group={group} />
        <details>
          <summary>{said.raw}</summary>
          <pre className={styles.json} data-wrap>
            {raws.join('\n')}
          </pre>
        </details>
        <Sure
          label={said.discard}
          text={said.discardText}
          isBusy={discard.isPending}
          onSure={() => discard.mutate({ params, body: { groupId: group.id } })}
        />
      </div>
    </details>
  );
}

function PlaceForm({ unitId, group }: { unitId: number; group: AsideGroup }) {
  const said = useAsideText();
  const [value, setValue] = useState('');
  const params = { unitId: unitId };
  const locked = useLock();
  const place = useSingle(
    useRowAction(placeUnitAside, {
      onSuccess: (left) => {
        cacheAnswer(findUnitAside, { params }, left);
        return readAgain();
      },
    }),
  );
  const lengthMs = Date.parse(group.sent_to) - Date.parse(group.sent_from);
  const offers: [string, number][] = [];
  if (group.before !== null) offers.push([said.rightAfter, Date.parse(group.before)]);
  if (group.after !== null) offers.push([said.rightBefore, Date.parse(group.after) - lengthMs]);
  const firstMs = momentOf(value, FALLBACK_ZONE);
  const submit = () =>
    place.mutate({
      params,
      body: { groupId: group.id, firstTime: new Date(firstMs).toISOString() },
    });
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MomentField
        label={said.firstTime}
        hint={said.hint}
        problem={place.error?.field === 'firstTime' ? said.wrongTime : undefined}
        value={value}
        onChange={setValue}
      />
      <div className={styles.choices}>
        {offers.map(([name, ms]) => (
          <Button key={name} onClick={() => setValue(formatMoment(ms, FALLBACK_ZONE, FIELD))}>
            {name}
          </Button>
        ))}
        <Button
          kind="primary"
          type="submit"
          locked={locked}
          isBusy={place.isPending}
          disabled={Number.isNaN(firstMs)}
        >
          {said.place}
        </Button>
      </div>
    </form>
  );
}
