import type { Bilingual } from '#core/values/bilingual.ts';

/** The properties of a picture according to its bytes. File names and headers are not trusted. */
type Image = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';
  readonly extension: 'png' | 'jpg' | 'webp' | 'svg';
  /** In pixels; null if an SVG does not declare it. */
  readonly width: number | null;
  readonly height: number | null;
};

/** Maximum width and height. */
export const MAX_SIDE_PIXELS = 4_096;

/** Returns the properties of the picture, or the reason why it is refused. */
export function inspectImage(bytes: Buffer): Image | Bilingual {
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readSvg(bytes);
  if (image === undefined)
    return { en: 'is not a PNG, JPEG, WebP or SVG picture', pt: 'não é PNG, JPEG, WebP nem SVG' };
  if ('en' in image) return image;
  const { width, height } = image;
  if (width === 0 || height === 0) return { en: 'has no pixels', pt: 'não tem pixels' };
  if (Math.max(width ?? 1, height ?? 1) > MAX_SIDE_PIXELS)
    return {
      en: `is ${width} by ${height} pixels; the maximum is ${MAX_SIDE_PIXELS} by ${MAX_SIDE_PIXELS}`,
      pt: `tem ${width} por ${height} pixels; o máximo é ${MAX_SIDE_PIXELS} por ${MAX_SIDE_PIXELS}`,
    };
  return image;
}

// The offsets below are those of the specifications of the formats.

const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): Image | undefined {
  if (
    bytes.length < 33 ||
    !bytes.subarray(0, 8).equals(PNG_MAGIC) ||
    bytes.toString('latin1', 12, 16) !== 'IHDR'
  )
    return undefined;
  return {
    type: 'image/png',
    extension: 'png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  };
}

/** Markers from 0xc0 to 0xcf begin a frame header, except these. */
const NOT_FRAME_HEADERS = [0xc4, 0xc8, 0xcc];

/** Skips from marker to marker until the frame header, which contains the size. */
function readJpeg(bytes: Buffer): Image | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let offset = 2; offset + 9 < bytes.length; ) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes[offset + 1]!;
    if (marker === 0xff) offset += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAME_HEADERS.includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7)];
      return { type: 'image/jpeg', extension: 'jpg', width, height };
    } else offset += 2 + bytes.readUInt16BE(offset + 2);
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
  const size = readWebpSize(bytes);
  return size && { type: 'image/webp', extension: 'webp', ...size };
}

function readWebpSize(bytes: Buffer): { width: number; height: number } | undefined {
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

const EXTERNAL_REFERENCE = { en: 'an external reference', pt: 'uma referência externa' };

/**
 * Parts of an SVG that could run code or load other resources in a browser. Comments are searched too, because what looks like a
 * comment may be text. No pattern backtracks more than a few times at one position, whatever the file contains.
 */
const HARMFUL_PATTERNS: ReadonlyArray<readonly [RegExp, Bilingual]> = [
  [/<\s*(?:[^\s<>:/]+:)?script\b/i, { en: 'a script', pt: 'um script' }],
  [
    /<\s*(?:[^\s<>:/]+:)?(foreignobject|iframe|embed|object|audio|video|handler)\b/i,
    { en: 'an element that embeds another document', pt: 'um elemento de outro tipo de documento' },
  ],
  [/[\s"'/]on[a-z]+\s*=/i, { en: 'an event handler', pt: 'um tratador de eventos' }],
  [/<!\s*(entity|attlist)\b/i, { en: 'an entity', pt: 'uma entidade' }],
  [/<\?xml-stylesheet/i, { en: 'an external style sheet', pt: 'uma folha de estilo externa' }],
  [
    /(href|src)\s*=\s*(?!\s|["']?\s*(#|data:image\/(png|jpeg|webp);))|attributename\s*=\s*["'][^"']*href/i,
    EXTERNAL_REFERENCE,
  ],
  [/@import|image(?:-set)?\(|(?<![\w-])src\(|url\(\s*(?!\s|["']?\s*#)/i, EXTERNAL_REFERENCE],
  [/javascript\s*:/i, { en: 'a script', pt: 'um script' }],
];

const USE_ELEMENT = /<\s*(?:[^\s<>:/]+:)?use\b/gi;
/** A few nested `<use>` can expand to billions of elements. Ten expand to less than fifty copies of an element. */
const MAX_USES = 10;

function readSvg(bytes: Buffer): Image | Bilingual | undefined {
  const text = bytes.toString('utf8');
  const [, attributes] =
    /^\uFEFF?(?:\s|<\?xml[^>]*\?>|<!--(?:-?[^-])*-->|<!doctype[^>]*>)*<svg\b([^>]*)>/i.exec(text) ?? [];
  if (attributes === undefined) return undefined;
  // A browser decodes '&#106;avascript:', but the patterns below do not.
  if (/&#|[^\P{Cc}\s]/u.test(text) || text.includes('\uFFFD'))
    return {
      en: 'is an SVG with numeric character references, or not in UTF-8',
      pt: 'é um SVG com caracteres escritos como números, ou não está em UTF-8',
    };
  const [, harmfulPart] = HARMFUL_PATTERNS.find(([pattern]) => pattern.test(text)) ?? [];
  if (harmfulPart)
    return {
      en: `is an SVG with ${harmfulPart.en} in it: save it as a plain SVG`,
      pt: `é um SVG com ${harmfulPart.pt}: salve como desenho simples`,
    };
  // In styles a browser reads '\\75rl(' as `url(`, but the patterns do not.
  if (text.includes('\\'))
    return {
      en: 'is an SVG with a backslash in it, which can hide a reference: save it as a plain SVG',
      pt: 'é um SVG com barra invertida, que pode esconder uma referência: salve como desenho simples',
    };
  const useCount = text.match(USE_ELEMENT)?.length ?? 0;
  if (useCount > MAX_USES)
    return {
      en: `is an SVG with more than ${MAX_USES} <use> elements: save it as a plain SVG`,
      pt: `é um SVG com mais de ${MAX_USES} elementos <use>: salve como desenho simples`,
    };
  const readLength = (name: string) => {
    const [, number] =
      new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d+(?:\\.\\d+)?)(?:px)?\\s*["']`).exec(attributes) ?? [];
    return number === undefined ? null : Math.round(Number(number));
  };
  return {
    type: 'image/svg+xml',
    extension: 'svg',
    width: readLength('width'),
    height: readLength('height'),
  };
}
