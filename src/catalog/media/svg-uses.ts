import type { Bilingual } from '#core/values/bilingual.ts';

/** Maximum number of elements that all `<use>` of an SVG may expand to. */
const MAX_EXPANDED_ELEMENTS = 10_000;

const NESTED_USE: Bilingual = {
  en: 'is an SVG with a <use> of an element that has a <use> in it: save it as a plain SVG',
  pt: 'é um SVG com <use> de algo que contém <use>: salve como desenho simples',
};
const TOO_MANY_ELEMENTS: Bilingual = {
  en: `is an SVG whose <use> expand to more than ${MAX_EXPANDED_ELEMENTS} elements: save it as a plain SVG`,
  pt: `é um SVG cujos <use> somam mais de ${MAX_EXPANDED_ELEMENTS} elementos: salve como desenho simples`,
};
const MALFORMED_USE: Bilingual = {
  en: 'is an SVG with <use> that is not well-formed XML, or refers to ids in an unusual way: save it as a plain SVG',
  pt: 'é um SVG com <use> que não é XML bem formado, ou com ids incomuns: salve como desenho simples',
};

/** Refuses nested `<use>`: a few of them can expand to billions of elements, or endlessly. */
export function findUseViolation(text: string): Bilingual | undefined {
  if (!/<\s*(?:[^\s<>:/]+:)?use\b/i.test(text)) return undefined;
  const uses = parseUses(text);
  if (!uses) return MALFORMED_USE;
  let expandedCount = 0;
  for (const target of uses.targets) {
    const element = uses.elementsById.get(target);
    if (element?.hasUse) return NESTED_USE;
    expandedCount += element?.size ?? 0;
    if (expandedCount > MAX_EXPANDED_ELEMENTS) return TOO_MANY_ELEMENTS;
  }
  return undefined;
}

/** `size` is the number of elements in the subtree, the element itself included. */
type Element = { id: string | undefined; size: number; hasUse: boolean };

/** Returns the targets of `<use>` and every element with an id. Returns undefined if browsers may parse the XML differently. */
function parseUses(text: string): { targets: string[]; elementsById: Map<string, Element> } | undefined {
  const targets: string[] = [];
  const elementsById = new Map<string, Element>();
  const openElements: Array<Element & { startedAt: number }> = [];
  let elementCount = 0;
  const closeElement = () => {
    const element = openElements.pop();
    if (!element) return;
    element.size = elementCount - element.startedAt;
    const { id } = element;
    // If several elements have the same id, browsers may use any of them: assume the largest.
    const existingElement = id === undefined ? undefined : elementsById.get(id);
    if (id !== undefined)
      elementsById.set(id, {
        id,
        size: Math.max(element.size, existingElement?.size ?? 0),
        hasUse: element.hasUse || (existingElement?.hasUse ?? false),
      });
  };
  for (const tag of parseTags(text)) {
    if (!tag) return undefined;
    if (tag.isEnd) {
      closeElement();
      continue;
    }
    const id = readAttribute(tag.attributes, 'id');
    openElements.push({ id, size: 0, hasUse: false, startedAt: elementCount });
    elementCount += 1;
    if (/(?:^|:)use$/i.test(tag.name)) {
      const target = readAttribute(tag.attributes, '(?:[^\\s:]+:)?href');
      if (target !== undefined && /[&%]/.test(target)) return undefined;
      if (target !== undefined) targets.push(target.replace('#', ''));
      // Stops at the first marked element: its ancestors are already marked.
      for (let i = openElements.length - 1; i >= 0 && !openElements[i]!.hasUse; i--)
        openElements[i]!.hasUse = true;
    }
    if (tag.isEmpty) closeElement();
  }
  while (openElements.length > 0) closeElement();
  return { targets, elementsById };
}

function readAttribute(attributes: string, name: string): string | undefined {
  const [, quotedValue] = new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`, 'i').exec(attributes) ?? [];
  return quotedValue?.slice(1, -1).trim();
}

type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean };

const TAG_PATTERN = /<(\/?)([^\s<>/=!?"']+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
/** Sections that contain no elements. */
const SKIPPED_SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/** Yields the tags in document order. Yields undefined and ends at a malformed tag. */
function* parseTags(text: string): Generator<Tag | undefined> {
  for (let offset = text.indexOf('<'); offset >= 0; offset = text.indexOf('<', offset)) {
    const section = SKIPPED_SECTIONS.find(([start]) => text.startsWith(start, offset));
    if (section) {
      const [start, end] = section;
      const endOffset = text.indexOf(end, offset + start.length);
      if (endOffset < 0) return yield undefined;
      offset = endOffset + end.length;
      continue;
    }
    TAG_PATTERN.lastIndex = offset;
    const match = TAG_PATTERN.exec(text);
    if (!match) return yield undefined;
    const [tag, startSlash, name, attributes, endSlash] = match;
    offset += tag.length;
    yield { name: name!, attributes: attributes!, isEnd: startSlash !== '', isEmpty: endSlash !== '' };
  }
}
