import '../core/prefetch-first-screen.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../calls/api.ts';
import { currentSession, subscribeSession } from '../core/session.ts';
import { loadLanguage } from '../i18n/language.ts';
import { createAppRouter, followSession } from './router.tsx';
import '../ui/tokens.css';
import '../ui/base.css';
import { applyTheme } from '../ui/theme.ts';

let userId = currentSession()?.user.id;
subscribeSession(() => {
  const next = currentSession()?.user.id;
  // The next user must not see the answers of the last one.
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
  // Load code and data first, so that the first screen is rendered once and complete.
  await router.load();
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

// Do not await this: the chunk of the texts waits for the chunk that contains this module.
void start();
