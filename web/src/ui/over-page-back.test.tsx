import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { useBackCloses } from './over-page-back.ts';

afterEach(cleanup);

function Layer({ name, onClose }: { name: string; onClose: () => void }) {
  useBackCloses(onClose);
  return <p>{name}</p>;
}

function Page() {
  const [layers, setLayers] = useState(['sheet', 'question']);
  return layers.map((name) => (
    <Layer
      key={name}
      name={name}
      onClose={() => setLayers((now) => now.filter((one) => one !== name))}
    />
  ));
}

describe('Back over a page with two layers', () => {
  it('closes the upper one, then the lower one, and then leaves', async () => {
    const router = createRouter({ routeTree: createRootRoute({ component: Page }) });
    for (const address of ['/before', '/page']) {
      router.history.push(address);
      router.history.flush();
    }
    render(<RouterProvider router={router} />);
    await screen.findByText('question');
    window.history.back();
    await waitFor(() => expect(screen.queryByText('question')).toBeNull());
    expect(screen.getByText('sheet')).toBeInTheDocument();
    await waitFor(() => expect(window.location.pathname).toBe('/page'));
    window.history.back();
    await waitFor(() => expect(screen.queryByText('sheet')).toBeNull());
    await waitFor(() => expect(window.location.pathname).toBe('/page'));
    window.history.back();
    await waitFor(() => expect(window.location.pathname).toBe('/before'));
  });
});
