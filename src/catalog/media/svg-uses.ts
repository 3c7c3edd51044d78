import type { Bilingual } from '#core/bilingual.ts';

/** How many elements all `<use>` of a drawing may come to where it is shown. */
const MOST_SHOWN = 10_000;

const NESTED: Bilingual = {
  en: 'is an SVG with a <use> of something that has a <use> in it: save it as a plain drawing',
  pt: 'é um SVG com <use> de algo que contém <use>: salve como desenho simples',
};
const TOO_MANY: Bilingual = {
  en: `is an SVG whose <use> come to more than ${MOST_SHOWN} elements: save it as a plain drawing`,
  pt: `é um SVG cujos <use> somam mais de ${MOST_SHOWN} elementos: salve como desenho simples`,
};
const MALFORMED: Bilingual = {
  en: 'is an SVG with <use> that is not well-formed XML, or names ids in an unusual way: save it as a plain drawing',
  pt: 'é um SVG com <use> que não é XML bem formado, ou com ids incomuns: salve como desenho simples',
};

/** A few `<use>` of each other come to billions of elements where they are drawn, or to no end. */
export function faultOfUses(text: string): Bilingual | undefined {
  if (!/<\s*(?:[^\s<>:/]+:)?use\b/i.test(text)) return undefined;
  const read = readUses(text);
  if (!read) return MALFORMED;
  let shown = 0;
  for (const target of read.targets) {
    const used = read.byId.get(target);
    if (used?.hasUse) return NESTED;
    shown += used?.size ?? 0;
    if (shown > MOST_SHOWN) return TOO_MANY;
  }
  return undefined;
}

/** `size`: elements in it, with itself. */
type Element = { id: string | undefined; size: number; hasUse: boolean };

/** What is used, and every element that has an id. Undefined where this is no XML that we read as a browser does. */
function readUses(text: string): { targets: string[]; byId: Map<string, Element> } | undefined {
  const targets: string[] = [];
  const byId = new Map<string, Element>();
  const open: Array<Element & { startedAt: number }> = [];
  let count = 0;
  const close = () => {
    const element = open.pop();
    if (!element) return;
    element.size = count - element.startedAt;
    const { id } = element;
    // Of several with the same id, whichever a browser takes.
    const other = id === undefined ? undefined : byId.get(id);
    if (id !== undefined)
      byId.set(id, {
        id,
        size: Math.max(element.size, other?.size ?? 0),
        hasUse: element.hasUse || (other?.hasUse ?? false),
      });
  };
  for (const tag of tagsOf(text)) {
    if (!tag) return undefined;
    if (tag.isEnd) {
      close();
      continue;
    }
    const id = attribute(tag.attributes, 'id');
    open.push({ id, size: 0, hasUse: false, startedAt: count });
    count += 1;
    if (/(?:^|:)use$/i.test(tag.name)) {
      const target = attribute(tag.attributes, '(?:[^\\s:]+:)?href');
      if (target !== undefined && /[&%]/.test(target)) return undefined;
      if (target !== undefined) targets.push(target.replace('#', ''));
      // Those above one that is marked are marked.
      for (let i = open.length - 1; i >= 0 && !open[i]!.hasUse; i--) open[i]!.hasUse = true;
    }
    if (tag.isEmpty) close();
  }
  while (open.length > 0) close();
  return { targets, byId };
}

function attribute(attributes: string, name: string): string | undefined {
  const [, quoted] = new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`, 'i').exec(attributes) ?? [];
  return quoted?.slice(1, -1).trim();
}

type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean };

const TAG = /<(\/?)([^\s<>/=!?"']+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
/** What holds no elements, whatever stands in it. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/** In order, as an XML parser meets them; undefined where one cannot be read. */
function* tagsOf(text: string): Generator<Tag | undefined> {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const skipped = SKIPPED.find(([start]) => text.startsWith(start, at));
    if (skipped) {
      const [start, end] = skipped;
      const endsAt = text.indexOf(end, at + start.length);
      if (endsAt < 0) return yield undefined;
      at = endsAt + end.length;
      continue;
    }
    TAG.lastIndex = at;
    const found = TAG.exec(text);
    if (!found) return yield undefined;
    const [whole, end, name, attributes, empty] = found;
    at += whole.length;
    yield { name: name!, attributes: attributes!, isEnd: end !== '', isEmpty: empty !== '' };
  }
}
