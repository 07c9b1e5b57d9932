/**
 * Shows the app when its server cannot be reached. Every page comes from the server while that answers, and nothing that a user
 * saved is kept here. The build writes the two constants, so that each build is another worker.
 */
const VERSION = '%VERSION%';
/** The path of the deployment, which others on the same host have too. Empty at the root. */
const BASE = new URL('.', location.href).pathname.slice(0, -1);
/** The page and the files that it begins with. */
const FILES = ['%FILES%'].map((path) => BASE + path);

const cachePrefix = `recollect${BASE}-`;
const cacheName = cachePrefix + VERSION;
const PAGE = /^\/(?:$|everything$|memory\/|highlights(?:\/review)?$|tags$|trash$|shared(?:\/|$)|settings(?:\/|$))/;

addEventListener('install', (event) => event.waitUntil(keepFiles()));
addEventListener('activate', (event) => event.waitUntil(begin()));
addEventListener('fetch', (event) => {
  const { request, preloadResponse } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // The browser's own request: a request of the worker would look like the app's on any site (SEC-19).
  if (request.mode === 'navigate') {
    if (PAGE.test(pathname.slice(BASE.length))) event.respondWith(pageFrom(preloadResponse));
  } else if (FILES.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function keepFiles() {
  const cache = await caches.open(cacheName);
  await cache.addAll(FILES);
  await skipWaiting();
}

async function begin() {
  for (const name of await caches.keys()) {
    const isOwn = name.slice(0, -VERSION.length) === cachePrefix;
    if (isOwn && name !== cacheName) await caches.delete(name);
  }
  await registration.navigationPreload.enable();
}

async function pageFrom(response) {
  return (await response.catch(() => undefined)) ?? kept(`${BASE}/`);
}

async function kept(path) {
  return (await caches.match(path, { cacheName })) ?? Response.error();
}
