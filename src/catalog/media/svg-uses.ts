import type { Bilingual } from '#core/bilingual.ts';

/** How many elements all `<use>` of a drawing may expand to. */
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

/** A few nested `<use>` can expand to billions of elements, or without end. */
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

/** `size`: the number of elements in it, itself included. */
type Element = { id: string | undefined; size: number; hasUse: boolean };

/** The targets of `<use>`, and every element with an id. Undefined when the XML cannot be read the way browsers do. */
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
    // Of several with the same id the largest counts: browsers may take any.
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
      // The parents of a marked element are marked already.
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
/** Sections that contain no elements. */
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
