// Caches the offline page and its files, and nothing else: no personal data is stored.
declare const KEPT: readonly string[];
declare const self: ServiceWorkerScope;

type Extended = Event & { waitUntil(work: Promise<unknown>): void };
type Fetched = Event & { request: Request; respondWith(answer: Promise<Response>): void };
type Pushed = Extended & { data: { json(): { title: string; body: string; url: string | null } } | null };
type Clicked = Extended & { notification: { data: string | null; close(): void } };
type ServiceWorkerScope = {
  skipWaiting(): Promise<void>;
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: { claim(): Promise<void>; openWindow(url: string): Promise<unknown> };
  addEventListener(type: 'install' | 'activate', listener: (event: Extended) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetched) => void): void;
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void;
};

const OFFLINE = KEPT[0]!;
/** Other faces have workers and caches of their own. */
const MINE = `semana ${OFFLINE} `;
const NAME = MINE + KEPT.slice(1).join(' ');

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([...KEPT])));
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(
        names.filter((name) => name.startsWith(MINE) && name !== NAME).map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(Promise.all([old, self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()));
  } else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});

self.addEventListener('push', (event) => {
  const told = event.data?.json();
  if (!told) return;
  const { title, body, url } = told;
  // The icon is the last of the files.
  event.waitUntil(self.registration.showNotification(title, { body, data: url, icon: KEPT.at(-1) }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data ?? '/carteira'));
});
