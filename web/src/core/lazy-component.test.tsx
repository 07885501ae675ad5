import { listBuses } from '@ridewatch/contract/buses';
import { act, screen, waitFor } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '../calls/request.ts';
import { NotLoaded } from '../shell/crash.tsx';
import { busList } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { markConnected } from './connection.ts';
import { lazyComponent } from './lazy-component.tsx';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});
const Part = ({ name }: { name: string }) => <p>part {name}</p>;

/** Shows a text if its children throw. */
class Boundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <p>the page failed</p> : this.props.children;
  }
}

describe('a part of the page that is loaded when it is first shown', () => {
  it('is there when its code is, and at once the next time', async () => {
    const load = vi.fn(async () => Part);
    const Lazy = lazyComponent(load);
    const { unmount } = await showPart(<Lazy name="one" />);
    expect(await screen.findByText('part one')).toBeVisible();
    unmount();
    await showPart(<Lazy name="two" />);
    expect(screen.getByText('part two')).toBeVisible();
    expect(load).toHaveBeenCalledOnce();
  });

  it('has something in its place meanwhile', async () => {
    const Lazy = lazyComponent(
      () => new Promise<typeof Part>(() => undefined),
      () => <p>on its way</p>,
    );
    await showPart(<Lazy name="one" />);
    expect(screen.getByText('on its way')).toBeVisible();
  });

  it('that does not come without a connection comes when that is back', async () => {
    const load = vi.fn<() => Promise<typeof Part>>();
    load.mockRejectedValueOnce(new Error('no link')).mockResolvedValue(Part);
    const Lazy = lazyComponent(load, NotLoaded);
    await showPart(<Lazy name="one" />);
    expect(await screen.findByRole('heading', { name: 'Could not load' })).toBeVisible();
    act(() => markConnected());
    expect(await screen.findByText('part one')).toBeVisible();
  });

  it.each([502, 503, 504])('is not asked for again while a proxy answers %d', async (status) => {
    const load = vi.fn<() => Promise<typeof Part>>();
    load.mockRejectedValueOnce(new Error('no server')).mockResolvedValue(Part);
    const Lazy = lazyComponent(load, NotLoaded);
    await showPart(<Lazy name="one" />);
    expect(await screen.findByRole('heading', { name: 'Could not load' })).toBeVisible();
    server.answer(listBuses, () => new Response('<h1>page of a proxy</h1>', { status }));
    await act(() => expect(call(listBuses, {})).rejects.toMatchObject({ status }));
    expect(load).toHaveBeenCalledOnce();
    server.answer(listBuses, busList([]));
    await act(() => call(listBuses, {}));
    expect(await screen.findByText('part one')).toBeVisible();
  });

  it('that does not come though the server answers is told to the page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = vi.fn<() => Promise<typeof Part>>().mockRejectedValue(new Error('an older page'));
    const Lazy = lazyComponent(load, NotLoaded);
    await showPart(
      <Boundary>
        <Lazy name="one" />
      </Boundary>,
    );
    for (let times = 1; times < 3; times += 1) {
      await waitFor(() => expect(load).toHaveBeenCalledTimes(times));
      await act(async () => markConnected());
    }
    expect(await screen.findByText('the page failed')).toBeVisible();
  });

  it('is asked for before it is shown, and a failure of that is nobody’s', async () => {
    const Lazy = lazyComponent(async () => Part);
    await Lazy.preload();
    await showPart(<Lazy name="one" />);
    expect(screen.getByText('part one')).toBeVisible();
    const Broken = lazyComponent<{ name: string }>(() => Promise.reject(new Error('no link')));
    await expect(Broken.preload()).resolves.toBeUndefined();
  });
});
