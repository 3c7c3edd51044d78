import { type Packed, pack } from '../server/assets.ts';
import { draw } from '../server/og-image.ts';

const BARS = [12, 15, 11, 14, 20, 13, 10];
const SIZES = ['180', '192', '512', 'maskable'];

/** Systems crop a maskable icon to their own shape: it fills the square, with the mark in the middle. */
function iconSvg(size: number, isMaskable: boolean): string {
  const bars = BARS.map(
    (height, i) =>
      `<rect x="${5 + i * 3.3}" y="${16 - height / 2}" width="2.2" height="${height}" rx="1.1" fill="${i === 4 ? '#ffc94d' : '#fff'}"/>`,
  );
  const drawn = isMaskable
    ? `<g transform="translate(5.6 5.6) scale(.65)">${bars.join('')}</g>`
    : bars.join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${isMaskable ? 0 : 9}" fill="#0a7048"/>${drawn}</svg>`;
}

const drawn = new Map<string, Promise<Packed>>();

/** Each size is drawn once; undefined for an unknown size. */
export function drawIcon(size: string): Promise<Packed> | undefined {
  if (!SIZES.includes(size)) return undefined;
  const known = drawn.get(size);
  if (known) return known;
  const svg = iconSvg(size === 'maskable' ? 512 : Number(size), size === 'maskable' || size === '180');
  const made = draw(svg).then((raw) => pack('image/png', raw));
  drawn.set(size, made);
  made.catch(() => drawn.delete(size));
  return made;
}

const png = (name: string, size: number) => ({
  src: `/icon-${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
});

export const manifest = pack(
  'application/manifest+json',
  Buffer.from(
    JSON.stringify({
      id: '/carteira',
      name: 'Semana',
      short_name: 'Semana',
      lang: 'pt-BR',
      description: 'Compras, parcelas, PIX e cashback.',
      start_url: '/carteira',
      scope: '/',
      display: 'standalone',
      background_color: '#fbfaf6',
      theme_color: '#0a7048',
      icons: [
        { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        png('192', 192),
        png('512', 512),
        { ...png('maskable', 512), purpose: 'maskable' },
      ],
    }),
  ),
);
