// The worker of the installed application. It keeps the files of the shell, so that the application opens without a
// connection, and says so. It never touches answers of calls and video: they go past it to the network.
// web/offline-shell.ts puts in the build and its files.

/** Its name, which the page has in a meta element; every build has another one. */
const BUILD = '__BUILD__';
/** The page and the files that every screen needs. */
const SHELL = ['__SHELL__'];
const PREFIX = 'ridewatch-';
/** This build's files and those of the build before: pages that are open go on with theirs. */
const BUILDS = 2;
/** After this time without an answer the stored page is shown, ms. */
const PAGE_LIMIT_MS = 5000;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(findAsset(request));
  else if (request.mode === 'navigate' && !/^\/(api|unit|oauth)(\/|$)/.test(pathname)) {
    event.respondWith(findPage(request));
  }
});
// A page asks which build waits, and lets it take over.
self.addEventListener('message', ({ data, source }) => {
  if (data === 'which') source?.postMessage({ build: BUILD });
  if (data === 'take over') self.skipWaiting();
});

async function install() {
  const cache = await caches.open(PREFIX + BUILD);
  // Hashed files come from the browser's own cache; the page is asked for anew.
  await cache.addAll(
    SHELL.map(
      (address) => new Request(address, { cache: address === '/' ? 'no-cache' : 'default' }),
    ),
  );
  const pages = await self.clients.matchAll({ includeUncontrolled: true });
  for (const page of pages) page.postMessage({ build: BUILD });
}

async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  // In order of their making.
  const old = names.filter((name) => name !== PREFIX + BUILD).slice(0, -(BUILDS - 1));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function findAsset(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(PREFIX + BUILD);
    await cache.put(request, answer.clone());
  }
  return answer;
}

async function findPage(request) {
  const answer = fetch(request);
  // The older one of two builds would be found first.
  const stored = async () => (await (await caches.open(PREFIX + BUILD)).match('/')) ?? answer;
  const late = new Promise((resolve) => setTimeout(resolve, PAGE_LIMIT_MS)).then(stored);
  // While the server restarts, the proxy before it answers with an error page.
  const shown = answer.then((page) => (page.status < 500 ? page : stored()), stored);
  return Promise.race([shown, late]);
}
