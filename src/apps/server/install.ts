import type { AppHost } from './app.ts';
import { assets, buildScript } from './assets.ts';
import { createStaticHandler, type Page } from './page.ts';

/** An app that phones can install. The paths of its manifest and icons (static/) and of its service worker start with `basePath`. */
type InstallableApp = { home: string; basePath: string; styles: string[] };

/** Adds the service worker and the page that it shows while the device is offline. */
export function addWorkerRoutes(
  { server, sendPage }: AppHost,
  { home, basePath, styles }: InstallableApp,
  renderOfflinePage: () => Page,
): void {
  const offlinePath = `${home}/sem-conexao`;
  const iconPath = `${basePath}/icon.svg`;
  const stylePaths = [assets.siteCss, ...styles, assets.darkCss, assets.font];
  // The worker contains the names of the files that it caches, so that new styles create a new worker.
  const worker = buildScript('worker.ts', {
    target: 'chrome100',
    define: {
      OFFLINE_PATH: JSON.stringify(offlinePath),
      ICON_PATH: JSON.stringify(iconPath),
      CACHED_PATHS: JSON.stringify([offlinePath, ...stylePaths, iconPath]),
    },
  });
  server.get(`${basePath}/worker.js`, async (request, reply) =>
    createStaticHandler(await worker, 'no-cache')(
      request,
      reply.header('service-worker-allowed', basePath || '/'),
    ),
  );
  server.get(offlinePath, (request, reply) => sendPage(request, reply, renderOfflinePage()));
}
