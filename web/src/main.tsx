import './prefetch-first-screen.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api.ts';
import { loadLanguage } from './i18n/language.ts';
import { createAppRouter, followSession } from './router.tsx';
import { currentSession, subscribeSession } from './session.ts';
import './ui/tokens.css';
import './ui/base.css';
import { applyTheme } from './ui/theme.ts';

let userId = currentSession()?.user.id;
subscribeSession(() => {
  const next = currentSession()?.user.id;
  // What one user saw is nothing for the next.
  if (next !== userId) queryClient.clear();
  userId = next;
});

async function start(): Promise<void> {
  applyTheme();
  await loadLanguage();
  const place = document.getElementById('root');
  if (!place) throw new Error('index.html has no #root');
  const router = createAppRouter();
  followSession(router);
  // Files and answers first: the first screen is drawn once, not from the outside in.
  await router.load();
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

// Not awaited here: the texts' file waits for the one that this is bundled into.
void start();
