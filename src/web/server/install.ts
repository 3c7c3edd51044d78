import { assets, buildScript, type Packed, pack } from './assets.ts';
import type { Host } from './face.ts';
import { draw } from './og-image.ts';
import { A_DAY, type Page, sendKept } from './page.ts';

/** A face that can be installed on a phone. Its files begin with `base`. */
export type App = {
  home: string;
  base: string;
  /** Stylesheets of its own. */
  styles: string[];
  name: string;
  shortName: string;
  description: string;
  /** Addresses that open in the application. */
  scope: string;
  /** Of the icon: its ground, its bars and the one of the payment day. */
  colors: { ground: string; bar: string; day: string };
};

const BARS = [12, 15, 11, 14, 20, 13, 10];
const SIZES = ['180', '192', '512', 'maskable'];

/** Systems crop a maskable icon to their own shape: it fills the square, with the mark in the middle. */
function iconSvg({ colors: { ground, bar, day } }: App, size: number, isMaskable: boolean): string {
  const bars = BARS.map(
    (height, i) =>
      `<rect x="${5 + i * 3.3}" y="${16 - height / 2}" width="2.2" height="${height}" rx="1.1" fill="${i === 4 ? day : bar}"/>`,
  );
  const drawn = isMaskable
    ? `<g transform="translate(5.6 5.6) scale(.65)">${bars.join('')}</g>`
    : bars.join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${isMaskable ? 0 : 9}" fill="${ground}"/>${drawn}</svg>`;
}

/** Draws each size once; undefined for an unknown size. */
function iconsOf(app: App): (size: string) => Promise<Packed> | undefined {
  const drawn = new Map<string, Promise<Packed>>();
  return (size) => {
    if (!SIZES.includes(size)) return undefined;
    const known = drawn.get(size);
    if (known) return known;
    const svg = iconSvg(app, size === 'maskable' ? 512 : Number(size), size === 'maskable' || size === '180');
    const made = draw(svg).then((raw) => pack('image/png', raw));
    drawn.set(size, made);
    made.catch(() => drawn.delete(size));
    return made;
  };
}

function manifestOf({ home, base, name, shortName, description, scope, colors }: App): Packed {
  const png = (file: string, size: number) => ({
    src: `${base}/icon-${file}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  const text = JSON.stringify({
    id: home,
    name,
    short_name: shortName,
    lang: 'pt-BR',
    description,
    start_url: home,
    scope,
    display: 'standalone',
    background_color: '#fbfaf6',
    theme_color: colors.ground,
    icons: [
      { src: `${base}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
      png('192', 192),
      png('512', 512),
      { ...png('maskable', 512), purpose: 'maskable' },
    ],
  });
  return pack('application/manifest+json', Buffer.from(text));
}

/** Adds the manifest, the icons, and the service worker with the page that it shows without a connection. */
export function addApp({ server, sendPage }: Host, app: App, offlinePage: () => Page): void {
  const { home, base } = app;
  const drawIcon = iconsOf(app);
  const offlinePath = `${home}/sem-conexao`;
  const kept = [offlinePath, assets.css, ...app.styles, assets.dark, assets.font, `${base}/icon.svg`];
  // It contains the names of the files it keeps, so new styles make a new worker.
  const worker = buildScript('worker.ts', {
    target: 'chrome100',
    define: { KEPT: JSON.stringify(kept) },
  });
  server.get(`${base}/manifest.webmanifest`, sendKept(manifestOf(app), A_DAY));
  if (base)
    server.get(
      `${base}/icon.svg`,
      sendKept(pack('image/svg+xml', Buffer.from(iconSvg(app, 32, false))), A_DAY),
    );
  server.get(`${base}/icon-:size.png`, async (request, reply) => {
    const drawn = await drawIcon((request.params as { size: string }).size);
    return drawn ? sendKept(drawn, A_DAY)(request, reply) : reply.callNotFound();
  });
  server.get(`${base}/worker.js`, async (request, reply) =>
    sendKept(await worker, 'no-cache')(request, reply.header('service-worker-allowed', home)),
  );
  server.get(offlinePath, (request, reply) => sendPage(request, reply, offlinePage()));
}
