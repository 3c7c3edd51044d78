import type { AppHost } from './app.ts';
import { assets, buildScript, compress, type EncodedBody } from './assets.ts';
import { renderPng } from './og-image.ts';
import { CACHE_ONE_DAY, createStaticHandler, type Page } from './page.ts';

export type InstallableApp = {
  home: string;
  /** The prefix of the paths of the app's manifest, icons and service worker. */
  basePath: string;
  styles: string[];
  name: string;
  shortName: string;
  description: string;
  /** The path prefix of URLs that open in the installed app. */
  scope: string;
  /** Colours of the icon: its background, its bars and the bar of the payment day. */
  colors: { background: string; bar: string; paymentDay: string };
};

/** One bar for each day of the week. */
const BAR_HEIGHTS = [12, 15, 11, 14, 20, 13, 10];
const PAYMENT_DAY_INDEX = 4;
/** In pixels; iOS uses 180. The maskable icon has 512. */
const ICON_SIZES = ['180', '192', '512', 'maskable'];

/** Systems crop a maskable icon to their own shape: it fills the square, with the mark in the middle. */
function buildIconSvg(
  { colors: { background, bar, paymentDay } }: InstallableApp,
  { size, isMaskable }: { size: number; isMaskable: boolean },
): string {
  const bars = BAR_HEIGHTS.map(
    (height, i) =>
      `<rect x="${5 + i * 3.3}" y="${16 - height / 2}" width="2.2" height="${height}" rx="1.1" fill="${i === PAYMENT_DAY_INDEX ? paymentDay : bar}"/>`,
  );
  const barGroup = isMaskable
    ? `<g transform="translate(5.6 5.6) scale(.65)">${bars.join('')}</g>`
    : bars.join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${isMaskable ? 0 : 9}" fill="${background}"/>${barGroup}</svg>`;
}

/** Renders each size once, or again after a failure. Returns undefined for an unknown size. */
function createIconRenderer(app: InstallableApp): (size: string) => Promise<EncodedBody> | undefined {
  const icons = new Map<string, Promise<EncodedBody>>();
  return (size) => {
    if (!ICON_SIZES.includes(size)) return undefined;
    const existingIcon = icons.get(size);
    if (existingIcon) return existingIcon;
    const svg = buildIconSvg(app, {
      size: size === 'maskable' ? 512 : Number(size),
      // iOS crops its icon, too.
      isMaskable: size === 'maskable' || size === '180',
    });
    const icon = renderPng(svg).then((raw) => compress('image/png', raw));
    icons.set(size, icon);
    icon.catch(() => icons.delete(size));
    return icon;
  };
}

function buildManifest(app: InstallableApp): EncodedBody {
  const { home, basePath, name, shortName, description, scope, colors } = app;
  const createPngIcon = (file: string, size: number) => ({
    src: `${basePath}/icon-${file}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  const manifest = {
    id: home,
    name,
    short_name: shortName,
    lang: 'pt-BR',
    description,
    start_url: home,
    scope,
    display: 'standalone',
    background_color: '#fbfaf6',
    theme_color: colors.background,
    icons: [
      { src: `${basePath}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
      createPngIcon('192', 192),
      createPngIcon('512', 512),
      { ...createPngIcon('maskable', 512), purpose: 'maskable' },
    ],
  };
  return compress('application/manifest+json', Buffer.from(JSON.stringify(manifest)));
}

/** Adds the manifest, the icons, and the service worker with the page that it shows while the device is offline. */
export function addInstallRoutes(
  { server, sendPage }: AppHost,
  app: InstallableApp,
  renderOfflinePage: () => Page,
): void {
  const { home, basePath } = app;
  const renderIcon = createIconRenderer(app);
  const offlinePath = `${home}/sem-conexao`;
  const iconPath = `${basePath}/icon.svg`;
  const stylePaths = [assets.siteCss, ...app.styles, assets.darkCss, assets.font];
  // The worker contains the names of the files that it caches, so that new styles create a new worker.
  // The route below awaits the build.
  const workerScript = buildScript('worker.ts', {
    target: 'chrome100',
    define: {
      OFFLINE_PATH: JSON.stringify(offlinePath),
      ICON_PATH: JSON.stringify(iconPath),
      CACHED_PATHS: JSON.stringify([offlinePath, ...stylePaths, iconPath]),
    },
  });
  server.get(`${basePath}/manifest.webmanifest`, createStaticHandler(buildManifest(app), CACHE_ONE_DAY));
  // Without a base path the app has the icon of the site.
  if (basePath)
    server.get(
      iconPath,
      createStaticHandler(
        compress('image/svg+xml', Buffer.from(buildIconSvg(app, { size: 32, isMaskable: false }))),
        CACHE_ONE_DAY,
      ),
    );
  server.get(`${basePath}/icon-:size.png`, async (request, reply) => {
    const png = await renderIcon((request.params as { size: string }).size);
    return png ? createStaticHandler(png, CACHE_ONE_DAY)(request, reply) : reply.callNotFound();
  });
  server.get(`${basePath}/worker.js`, async (request, reply) =>
    createStaticHandler(await workerScript, 'no-cache')(
      request,
      reply.header('service-worker-allowed', basePath || '/'),
    ),
  );
  server.get(offlinePath, (request, reply) => sendPage(request, reply, renderOfflinePage()));
}
