// The service worker of the page, and newer versions of the application.

/** Delay of the registration, so that the screen loads first, ms. */
const AFTER_MS = 6000;
/** A page that stays open asks so often whether there is a newer version, ms. */
const LOOK_MS = 30 * 60_000;

/**
 * Registers the service worker, and looks for newer versions while the page is open.
 * @param onNewer called with a worker of another build than the page's; it waits until the user lets it take over
 * @returns a function that stops looking
 */
export function followVersions(onNewer: (worker: ServiceWorker) => void): () => void {
  const { serviceWorker } = navigator;
  const hear = ({ data, source }: MessageEvent) => {
    if (!(source instanceof ServiceWorker) || typeof data?.build !== 'string') return;
    // The page came from the server already: it and the worker are of one build.
    if (data.build === ownBuild()) source.postMessage('take over');
    else onNewer(source);
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  const begin = async () => {
    const registration = await serviceWorker.register('/sw.js');
    registration.waiting?.postMessage('which');
    timer = setInterval(() => void registration.update().catch(nothing), LOOK_MS);
  };
  serviceWorker.addEventListener('message', hear);
  // Without it the application needs a connection, as before.
  const start = setTimeout(() => void begin().catch(nothing), AFTER_MS);
  return () => {
    serviceWorker.removeEventListener('message', hear);
    clearTimeout(start);
    clearInterval(timer);
  };
}

/** Lets a waiting worker take over, and loads the page anew as soon as it has. */
export function takeNewer(worker: ServiceWorker): void {
  const reload = () => location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  worker.postMessage('take over');
}

const ownBuild = () => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content;
const nothing = () => undefined;
