// The service worker of an app. It caches only the offline page and its assets, never personal data.

/** Set by server/install.ts: the offline page first, the icon last. */
declare const CACHED_PATHS: readonly string[];
declare const self: ServiceWorkerScope;

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = Event & { request: Request; respondWith(response: Promise<Response>): void };
type PushEvent = ExtendableEvent & {
  data: { json(): { title: string; body: string; url: string | null } } | null;
};
type NotificationClickEvent = ExtendableEvent & { notification: { data: string | null; close(): void } };
type ServiceWorkerScope = {
  skipWaiting(): Promise<void>;
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: { claim(): Promise<void>; openWindow(url: string): Promise<unknown> };
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationClickEvent) => void): void;
};

const OFFLINE_PATH = CACHED_PATHS[0]!;
/** Each app has its own worker, and caches with its own prefix. */
const CACHE_PREFIX = `semana ${OFFLINE_PATH} `;
const CACHE_NAME = CACHE_PREFIX + CACHED_PATHS.slice(1).join(' ');

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE_NAME).then((cache) => cache.addAll([...CACHED_PATHS])));
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const oldCachesDeleted = caches
    .keys()
    .then((names) =>
      Promise.all(
        names
          .filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME)
          .map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(Promise.all([oldCachesDeleted, self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => respondOffline(request)));
  } else if (request.method === 'GET' && CACHED_PATHS.includes(new URL(request.url).pathname)) {
    event.respondWith(caches.match(request).then((cachedResponse) => cachedResponse ?? fetch(request)));
  }
});

/** A form that cannot be sent leads back to its page: once there is a connection, that page restores what was typed. */
async function respondOffline({ method, referrer }: Request): Promise<Response> {
  if (method !== 'GET' && referrer) return Response.redirect(referrer, 303);
  return (await caches.match(OFFLINE_PATH)) ?? Response.error();
}

self.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (!message) return;
  const { title, body, url } = message;
  event.waitUntil(self.registration.showNotification(title, { body, data: url, icon: CACHED_PATHS.at(-1) }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data ?? '/carteira'));
});
