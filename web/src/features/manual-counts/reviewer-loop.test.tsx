import type { Fragment } from '@ridewatch/contract/fragments';
import { markReviewed, setManualCounts } from '@ridewatch/contract/review';
import { screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlayerHandle } from '../../player/player-props.ts';
import { at, fragment } from '../../test/made.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { Toaster } from '../../ui/toaster.tsx';
import { PanelCounts } from './manual-inputs.tsx';
import { manualEdits } from './use-manual-edits.ts';
import { useReviewerLoop } from './use-reviewer-loop.ts';

// Each test has its own ids, because drafts outlive components.
let lastId = 1000;
let fragments: Fragment[];
let server: FakeServer;
const perform = vi.fn();
const onDay = vi.fn();
const onPastLast = vi.fn();
const player: PlayerHandle = { perform, seek: vi.fn(), play: vi.fn() };

beforeEach(() => {
  server = freshServer();
  lastId += 10;
  fragments = [fragment(lastId, '08:00'), fragment(lastId + 1, '08:10')];
  for (const spy of [perform, onDay, onPastLast]) spy.mockClear();
});

function Reviewing({
  mayEdit = true,
  hasPlayer = true,
}: {
  mayEdit?: boolean;
  hasPlayer?: boolean;
}) {
  const [id, setId] = useState(fragments[0]?.id);
  const ref = useRef<PlayerHandle>(hasPlayer ? player : null);
  const current = fragments.find((one) => one.id === id);
  const loop = useReviewerLoop({
    fragments,
    selectedId: id,
    fragmentOf: (wanted) => fragments.find((one) => one.id === wanted),
    mayEdit,
    player: ref,
    onOpen: setId,
    onPastLast,
    onDay,
  });
  return (
    <>
      <p>at {current?.start_time}</p>
      {current && mayEdit && (
        <PanelCounts fragment={current} onConfirm={() => loop.confirm(current)} />
      )}
      <Toaster />
    </>
  );
}
const isAt = (clock: string) =>
  waitFor(() => expect(screen.getByText(`at ${at(clock)}`)).toBeVisible());
const field = (name: string) => screen.getByRole('textbox', { name: `${name}, by hand` });

describe('the keys of a reviewer', () => {
  it('go from fragment to fragment, and past the last one to none', async () => {
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('{ArrowDown}');
    await isAt('08:10');
    await hand.keyboard('{ArrowUp}');
    await isAt('08:00');
    await hand.keyboard('{ArrowDown}{ArrowDown}');
    expect(onPastLast).toHaveBeenCalledOnce();
  });

  it('go from day to day', async () => {
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('[BracketLeft][BracketRight]');
    expect(onDay.mock.calls).toEqual([[-1], [1]]);
  });

  it('act on the player, also while a count has the focus', async () => {
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('[Space]');
    await hand.click(field('Adults entered'));
    await hand.keyboard('[ArrowRight]');
    expect(perform.mock.calls).toEqual([[{ kind: 'toggle' }], [{ kind: 'seek', bySeconds: 5 }]]);
  });

  it('do nothing to a video that is not there', async () => {
    const { hand } = await showPart(<Reviewing hasPlayer={false} />);
    await hand.keyboard('[Space][ArrowRight]');
    expect(perform).not.toHaveBeenCalled();
  });

  it('type digits into the first count without a press on it', async () => {
    server.answer(setManualCounts, ({ params }) => fragment(Number(params.segmentId), '08:00'));
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('7');
    expect(field('Adults entered')).toHaveFocus();
    expect(field('Adults entered')).toHaveValue('7');
  });

  it('leave the shortcuts of the browser alone', async () => {
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('{Control>}[BracketLeft]{/Control}');
    expect(onDay).not.toHaveBeenCalled();
  });
});

describe('counts by hand', () => {
  it('show the automatic count where nothing was typed', async () => {
    await showPart(<Reviewing />);
    expect(field('Adults entered')).toHaveAttribute('placeholder', '3');
    expect(field('Children entered')).toHaveAttribute('placeholder', '1');
    expect(field('Adults entered')).toHaveValue('');
  });

  it('are confirmed with a button, which leads to the next fragment', async () => {
    server.answer(markReviewed, ({ params }) =>
      fragment(Number(params.segmentId), '08:00', {
        reviewed_at: at('12:00'),
        reviewed_by: 'owner1',
      }),
    );
    const { hand } = await showPart(<Reviewing />);
    await hand.click(screen.getByRole('button', { name: 'Reviewed, next' }));
    await isAt('08:10');
    await waitFor(() => expect(server.asked(markReviewed)).toHaveLength(1));
  });

  it('that were typed are saved before the next fragment, and are reviewed with that', async () => {
    server.answer(setManualCounts, ({ params }) => fragment(Number(params.segmentId), '08:00'));
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('7');
    await hand.keyboard('{Enter}');
    await isAt('08:10');
    await waitFor(() => expect(server.asked(setManualCounts)).toHaveLength(1));
    expect(server.asked(markReviewed)).toHaveLength(0);
  });

  it('that were erased again mark nothing as reviewed, until that is confirmed', async () => {
    server.answer(markReviewed, ({ params }) =>
      fragment(Number(params.segmentId), '08:00', { reviewed_at: at('12:00') }),
    );
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('7');
    await hand.keyboard('{Backspace}');
    expect(field('Adults entered')).toHaveValue('');
    await waitFor(() => expect(manualEdits.drafts().has(lastId)).toBe(false));
    expect([...server.asked(setManualCounts), ...server.asked(markReviewed)]).toHaveLength(0);
    await hand.keyboard('8{Backspace}{Enter}');
    await isAt('08:10');
    await waitFor(() => expect(server.asked(markReviewed)).toHaveLength(1));
    expect(server.asked(setManualCounts)).toHaveLength(0);
  });

  it('that were stored and are emptied are reviewed with Enter alone', async () => {
    const counted = { entered_manual: { adult: 7, kids: null }, reviewed_at: at('12:00') };
    fragments = [fragment(lastId, '08:00', counted), fragment(lastId + 1, '08:10')];
    const answer = () => fragment(lastId, '08:00', { reviewed_at: at('12:01') });
    server.answer(setManualCounts, answer);
    server.answer(markReviewed, answer);
    const { hand } = await showPart(<Reviewing />);
    await hand.click(field('Adults entered'));
    await hand.keyboard('{Backspace}{Enter}');
    await isAt('08:10');
    await waitFor(() => expect(server.asked(setManualCounts)).toHaveLength(1));
    await waitFor(() => expect(server.asked(markReviewed)).toHaveLength(1));
  });

  it('that are no whole numbers are refused as they are typed, and are not confirmed', async () => {
    server.answer(setManualCounts, ({ params }) => fragment(Number(params.segmentId), '08:00'));
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('5');
    await hand.keyboard('.');
    expect(field('Adults entered')).toHaveValue('5.');
    expect(field('Adults entered')).toBeInvalid();
    expect(screen.getByText('whole number')).toBeVisible();
    await hand.keyboard('7{Enter}');
    await isAt('08:00');
    expect(field('Adults entered')).toHaveValue('5.7');
    expect(perform).not.toHaveBeenCalled();
    expect(server.asked(setManualCounts)).toHaveLength(0);
    await hand.keyboard('{Backspace}{Backspace}{Enter}');
    await isAt('08:10');
    await waitFor(() => expect(server.asked(setManualCounts)).toHaveLength(1));
    expect(server.asked(setManualCounts)[0]?.body).toMatchObject({
      entered_manual: { adult: 5, kids: null },
    });
  });

  it('that could not be saved say so, and are saved when that is pressed', async () => {
    server.refuse(setManualCounts, 'internal');
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('7');
    const again = await screen.findByRole('button', { name: /not saved/i });
    expect(field('Adults entered')).toHaveValue('7');
    server.answer(setManualCounts, ({ params }) =>
      fragment(Number(params.segmentId), '08:00', { entered_manual: { adult: 7, kids: null } }),
    );
    await hand.click(again);
    expect(await screen.findByText('saved')).toBeVisible();
  });

  it('that are refused are rolled back, with the reason in a toast', async () => {
    server.refuse(setManualCounts, 'no_right');
    const { hand } = await showPart(<Reviewing />);
    await hand.keyboard('7');
    expect(await screen.findByText('403: It was refused.')).toBeVisible();
    await waitFor(() => expect(field('Adults entered')).toHaveValue(''));
  });
});
