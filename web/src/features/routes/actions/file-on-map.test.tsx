import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../../../test/open.tsx';
import { RouteMap } from '../route-map.tsx';
import { TurnHere } from './turn-here.tsx';

const made = vi.hoisted(() => {
  const calls = ['setLines', 'setTail', 'setMarks', 'setVehicle', 'setFleet', 'follow', 'flyTo'];
  const others = ['fit', 'zoomBy', 'remove'];
  return Object.fromEntries([...calls, ...others].map((name) => [name, vi.fn()]));
});
// The library needs a graphics card; this test checks what it gets.
vi.mock('../../../map/can-draw.ts', () => ({ canDrawMaps: () => true }));
vi.mock('../../../map/scene.ts', () => ({ createScene: async () => made }));
beforeEach(() => void freshServer());
const at = (longitude: number) => ({ latitude: 55.75, longitude });

it('a gap of a joined line is dashed on the map, and named', async () => {
  const track = [at(37.6), at(37.61), at(37.7), at(37.71)];
  const jumps = [{ from: at(37.61), to: at(37.7), metres: 5630 }];
  await showPart(<RouteMap viewKey="1" track={track} jumps={jumps} stops={[]} />);
  await expect
    .poll(() => made.setLines?.mock.calls.at(-1)?.[0])
    .toMatchObject([
      {
        role: 'main',
        stretches: [{ places: [at(37.6), at(37.61)] }, { places: [at(37.7), at(37.71)] }],
      },
      { role: 'pinned', stretches: [{ places: [at(37.61), at(37.7)] }] },
    ]);
  await expect
    .poll(() => made.setMarks?.mock.calls.at(-1)?.[0])
    .toMatchObject([{ name: 'a jump of 5.6 km', longitude: (37.61 + 37.7) / 2 }]);
});

it('a turn that the file tells can be changed to the farthest stop and back', async () => {
  const onTurn = vi.fn();
  const turn: NonNullable<RouteProposal['turn']> = {
    stops: ['Вокзал', 'Рынок', 'Рынок', 'Парк', 'Вокзал'],
    ...{ suggested: 3, chosen: 1, told: 1 },
  };
  const part = (chosen: number) => (
    <TurnHere turn={{ ...turn, chosen }} isBusy={false} onTurn={onTurn} />
  );
  const { hand, showAgain } = await showPart(part(1));
  const where = screen.getByRole('combobox', { name: 'Where buses turn back' });
  expect(where).toHaveDisplayValue('Рынок (twice in the file)');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Рынок (twice in the file)',
    'Парк (the farthest)',
  ]);
  await hand.click(screen.getByRole('button', { name: 'Turn here: Парк' }));
  showAgain(part(3));
  expect(screen.queryByRole('button')).toBeNull();
  await hand.selectOptions(where, 'Рынок (twice in the file)');
  expect(onTurn.mock.calls).toEqual([[3], [1]]);
});
