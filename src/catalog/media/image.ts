import type { Bilingual } from '#core/bilingual.ts';
import { faultOfUses } from './svg-uses.ts';

/** What a picture is by its bytes; file names and headers are not trusted. */
type Image = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';
  readonly ending: 'png' | 'jpg' | 'webp' | 'svg';
  /** In pixels; null where an SVG does not say. */
  readonly width: number | null;
  readonly height: number | null;
};

export const MOST_PIXELS = 4_096;

/** The picture, or why it is refused. */
export function inspectImage(bytes: Buffer): Image | Bilingual {
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readSvg(bytes);
  if (image === undefined)
    return { en: 'is no PNG, JPEG, WebP or SVG picture', pt: 'não é PNG, JPEG, WebP nem SVG' };
  if ('en' in image) return image;
  const { width, height } = image;
  if (width === 0 || height === 0) return { en: 'has no pixels', pt: 'não tem pixels' };
  if (Math.max(width ?? 1, height ?? 1) > MOST_PIXELS)
    return {
      en: `is ${width} by ${height} pixels; ${MOST_PIXELS} by ${MOST_PIXELS} is the most`,
      pt: `tem ${width} por ${height} pixels; o máximo é ${MOST_PIXELS} por ${MOST_PIXELS}`,
    };
  return image;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): Image | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  return { type: 'image/png', ending: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks from marker to marker to the frame header, which has the size. */
function readJpeg(bytes: Buffer): Image | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: 'image/jpeg', ending: 'jpg', width, height };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): Image | undefined {
  if (
    bytes.length < 30 ||
    bytes.toString('latin1', 0, 4) !== 'RIFF' ||
    bytes.toString('latin1', 8, 12) !== 'WEBP'
  )
    return undefined;
  const size = webpSize(bytes);
  return size && { type: 'image/webp', ending: 'webp', ...size };
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3f_ff, height: bytes.readUInt16LE(28) & 0x3f_ff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const OUTSIDE = { en: 'a reference to something outside of it', pt: 'uma referência externa' };

/**
 * Parts of an SVG that could run code or load something where it is shown. Comments are searched as well: what looks like a comment
 * may be text. No pattern backtracks more than a few times at a place, whatever the file contains.
 */
const HARMFUL: ReadonlyArray<readonly [RegExp, Bilingual]> = [
  [/<\s*(?:[^\s<>:/]+:)?script\b/i, { en: 'a script', pt: 'um script' }],
  [
    /<\s*(?:[^\s<>:/]+:)?(foreignobject|iframe|embed|object|audio|video|handler)\b/i,
    { en: 'an element of another kind of document', pt: 'um elemento de outro tipo de documento' },
  ],
  [/[\s"'/]on[a-z]+\s*=/i, { en: 'an event handler', pt: 'um tratador de eventos' }],
  [/<!\s*(entity|attlist)\b/i, { en: 'an entity', pt: 'uma entidade' }],
  [/<\?xml-stylesheet/i, { en: 'a style sheet from elsewhere', pt: 'uma folha de estilo externa' }],
  [
    /(href|src)\s*=\s*(?!\s|["']?\s*(#|data:image\/(png|jpeg|webp);))|attributename\s*=\s*["'][^"']*href/i,
    OUTSIDE,
  ],
  [/@import|image(?:-set)?\(|(?<![\w-])src\(|url\(\s*(?!\s|["']?\s*#)/i, OUTSIDE],
  [/javascript\s*:/i, { en: 'a script', pt: 'um script' }],
];

function readSvg(bytes: Buffer): Image | Bilingual | undefined {
  const text = bytes.toString('utf8');
  const [, attributes] =
    /^\uFEFF?(?:\s|<\?xml[^>]*\?>|<!--(?:-?[^-])*-->|<!doctype[^>]*>)*<svg\b([^>]*)>/i.exec(text) ?? [];
  if (attributes === undefined) return undefined;
  // A browser decodes '&#106;avascript:', the patterns do not.
  if (/&#|[^\P{Cc}\s]/u.test(text) || text.includes('\uFFFD'))
    return {
      en: 'is an SVG with characters written as numbers, or not in UTF-8',
      pt: 'é um SVG com caracteres escritos como números, ou não está em UTF-8',
    };
  const harm = HARMFUL.find(([pattern]) => pattern.test(text));
  if (harm)
    return {
      en: `is an SVG with ${harm[1].en} in it: save it as a plain drawing`,
      pt: `é um SVG com ${harm[1].pt}: salve como desenho simples`,
    };
  // In styles a browser reads '\\75rl(' as `url(`, the patterns do not.
  if (text.includes('\\'))
    return {
      en: 'is an SVG with a backslash in it, which can hide a reference: save it as a plain drawing',
      pt: 'é um SVG com barra invertida, que pode esconder uma referência: salve como desenho simples',
    };
  const multiplied = faultOfUses(text);
  if (multiplied) return multiplied;
  const length = (name: string) => {
    const [, number] =
      new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d+(?:\\.\\d+)?)(?:px)?\\s*["']`).exec(attributes) ?? [];
    return number === undefined ? null : Math.round(Number(number));
  };
  return { type: 'image/svg+xml', ending: 'svg', width: length('width'), height: length('height') };
}
