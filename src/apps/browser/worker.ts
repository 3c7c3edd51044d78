// The service worker of an app. It caches only the offline page and its assets, never personal data.

// Set by server/install.ts.
declare const OFFLINE_PATH: string;
declare const ICON_PATH: string;
/** The offline page, and the styles, font and icon that it needs. */
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

const ASSET_PATHS = CACHED_PATHS.filter((path) => path !== OFFLINE_PATH);
/** Each app has its own worker, and caches with its own prefix. */
const CACHE_PREFIX = `semana ${OFFLINE_PATH} `;
const CACHE_NAME = CACHE_PREFIX + ASSET_PATHS.join(' ');

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

/** If a form cannot be sent, redirects to its page, which restores the typed values once there is a connection. */
async function respondOffline({ method, referrer }: Request): Promise<Response> {
  if (method !== 'GET' && referrer) return Response.redirect(referrer, 303);
  return (await caches.match(OFFLINE_PATH)) ?? Response.error();
}

self.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (!message) return;
  const { title, body, url } = message;
  event.waitUntil(self.registration.showNotification(title, { body, data: url, icon: ICON_PATH }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data ?? '/carteira'));
});
