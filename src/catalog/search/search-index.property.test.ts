import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitWords } from './fold.ts';
import { type SearchDocument, SearchIndex, type SearchResult } from './search-index.ts';

// A slow reference implementation: compares every merchant, every word and every edit, and sorts everything.

function isOneEditAway(a: string, b: string): boolean {
  return Math.abs(a.length - b.length) <= 1 && computeEditDistance(a, b) === 1;
}

// The indices of `listFieldWords`.
const NAME_OTHER_WORD = 1;
const DESCRIPTION = 4;

function computeEditDistance(a: string, b: string): number {
  const distances = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j++) distances[0]!.push(j);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(
        distances[i - 1]![j]! + 1,
        distances[i]![j - 1]! + 1,
        distances[i - 1]![j - 1]! + cost,
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) distance = Math.min(distance, distances[i - 2]![j - 2]! + 1);
      distances[i]!.push(distance);
    }
  }
  return distances[a.length]![b.length]!;
}

const MIN_TYPO_LENGTH = 4;
const MIN_TYPO_IN_PREFIX_LENGTH = 6;

/** Returns 0 for the same word, 1 for a prefix, 2 for a typo, 3 for a typo in a prefix, and infinity for no match. */
function computeQuality(term: string, word: string, inDescription: boolean): number {
  if (word === term) return 0;
  if (word.startsWith(term) && !(inDescription && term.length === 1)) return 1;
  if (inDescription || term.length < MIN_TYPO_LENGTH || /\p{N}/u.test(term)) return Number.POSITIVE_INFINITY;
  if (isOneEditAway(term, word)) return 2;
  if (term.length < MIN_TYPO_IN_PREFIX_LENGTH) return Number.POSITIVE_INFINITY;
  for (let length = 0; length < word.length; length++) {
    if (isOneEditAway(term, word.slice(0, length))) return 3;
  }
  return Number.POSITIVE_INFINITY;
}

/** Lists the words of the fields, best field first: first word of the name, rest of the name, category, place, description. */
function listFieldWords(document: SearchDocument): string[][] {
  const name = splitWords(document.name);
  const place = `${document.city ?? ''} ${document.state ?? ''}`;
  const category = splitWords(document.category.name);
  return [
    name.slice(0, 1),
    name.slice(1),
    category,
    splitWords(place),
    splitWords(document.description ?? ''),
  ];
}

/** Computes the sort key of a match. Returns undefined if a term matches nothing. */
function computeSortKey(document: SearchDocument, q: string): number[] | undefined {
  const queryWords = splitWords(q);
  const terms = new Set(queryWords);
  const name = splitWords(document.name);
  let qualitySum = 0;
  let fieldSum = 0;
  let nameMatches = 0;
  for (const term of terms) {
    let bestMatch = { quality: Number.POSITIVE_INFINITY, field: 0 };
    for (const [field, fieldWords] of listFieldWords(document).entries()) {
      for (const word of fieldWords) {
        const quality = computeQuality(term, word, field === DESCRIPTION);
        if (quality < bestMatch.quality) bestMatch = { quality, field };
      }
    }
    if (bestMatch.quality === Number.POSITIVE_INFINITY) return undefined;
    qualitySum += bestMatch.quality;
    fieldSum += bestMatch.field;
    if (bestMatch.field <= NAME_OTHER_WORD) nameMatches++;
  }
  if (terms.size === 0) return undefined;
  const isWholeName = queryWords.join(' ') === name.join(' ');
  return [isWholeName ? 0 : 1, qualitySum, fieldSum, Math.max(0, name.length - nameMatches)];
}

function compareKeys(a: (number | string)[], b: (number | string)[]): number {
  for (const [i, part] of a.entries()) {
    if (part !== b[i]) return part < b[i]! ? -1 : 1;
  }
  return 0;
}

function searchSlowly(documents: Iterable<SearchDocument>, q: string, categorySlug?: string): SearchResult {
  const matches: { id: number; order: (number | string)[] }[] = [];
  for (const document of documents) {
    const sortKey = computeSortKey(document, q);
    if (sortKey === undefined) continue;
    if (categorySlug !== undefined && document.category.slug !== categorySlug) continue;
    const order = [...sortKey, splitWords(document.name).join(' '), document.slug];
    matches.push({ id: document.id, order });
  }
  matches.sort((a, b) => compareKeys(a.order, b.order));
  return { total: matches.length, ids: matches.map(({ id }) => id) };
}

// Few letters and few common words, so that matches, near misses and ties are frequent.
const anyWord = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'ã', 'c'), minLength: 1, maxLength: 7 }),
  fc.constantFrom('de', 'São', 'padaria', 'Padarias', 'casa', 'caso', 'lua', '24h', '1234'),
);
const anyText = (maxWords: number) =>
  fc.array(anyWord, { maxLength: maxWords }).map((words) => words.join(' '));
const anyCategorySlug = fc.constantFrom('padarias', 'casas', 'vazia');
const anyDocument = fc.record({
  id: fc.nat(60),
  name: anyText(4),
  category: anyCategorySlug.map((slug) => ({ slug, name: `${slug} de` })),
  city: fc.option(anyText(2)),
  state: fc.option(fc.constantFrom('SP', 'BA')),
  description: fc.option(anyText(6)),
});
const anyQuery = fc.record({
  terms: fc.array(
    fc.record({
      word: anyWord,
      length: fc.integer({ min: 1, max: 8 }),
      edit: fc.constantFrom('none', 'none', 'delete', 'insert', 'replace', 'swap'),
      position: fc.nat(7),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  categorySlug: fc.option(anyCategorySlug, { nil: undefined, freq: 3 }),
  offset: fc.nat(8),
  limit: fc.nat(8),
});
const anyStep = fc.oneof(
  { weight: 2, arbitrary: fc.record({ put: anyDocument }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(60) }) },
  { weight: 4, arbitrary: fc.record({ search: anyQuery }) },
);

type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

function mistype({ word, length, edit, position }: Query['terms'][number]): string {
  const text = word.slice(0, Math.max(length, 1));
  const textBefore = text.slice(0, position);
  const textAfter = text.slice(position);
  if (edit === 'delete') return textBefore + textAfter.slice(1);
  if (edit === 'insert') return `${textBefore}b${textAfter}`;
  if (edit === 'replace') return `${textBefore}c${textAfter.slice(1)}`;
  if (edit === 'swap' && textAfter.length > 1)
    return textBefore + textAfter[1] + textAfter[0] + textAfter.slice(2);
  return text;
}

test('after any history of changes, a search returns the same as the reference implementation', () => {
  fc.assert(
    fc.property(
      fc.array(anyDocument, { maxLength: 80, size: 'max' }),
      fc.array(anyStep, { maxLength: 30, size: 'max' }),
      (initialDocuments, steps) => {
        const index = new SearchIndex();
        const model = new Map<number, SearchDocument>();
        const put = (fields: Omit<SearchDocument, 'slug'>) => {
          const document = { ...fields, slug: `m-${fields.id % 7}-${fields.id}` };
          index.put(document);
          model.set(document.id, document);
        };
        initialDocuments.forEach(put);
        for (const step of steps) {
          if ('put' in step) put(step.put);
          else if ('remove' in step) {
            index.remove(step.remove);
            model.delete(step.remove);
          } else {
            const { terms, categorySlug, offset, limit } = step.search;
            const q = terms.map(mistype).join(' ');
            const expected = searchSlowly(model.values(), q, categorySlug);
            assert.deepEqual(index.search(q, { categorySlug, offset: 0, limit: 100 }), expected, q);
            const page = { total: expected.total, ids: expected.ids.slice(offset, offset + limit) };
            assert.deepEqual(index.search(q, { categorySlug, offset, limit }), page, q);
          }
          assert.equal(index.size, model.size);
        }
        for (const id of model.keys()) index.remove(id);
        assert.equal(index.wordCount, 0);
      },
    ),
    { numRuns: 150 },
  );
});
