import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SearchDocument, SearchIndex } from './search-index.ts';

const FIRST_PAGE = { offset: 0, limit: 20 };

function buildMerchant(id: number, name: string, overrides: Partial<SearchDocument> = {}): SearchDocument {
  const category = { slug: 'geral', name: 'Geral' };
  return { id, slug: `m-${id}`, name, category, city: null, state: null, description: null, ...overrides };
}

function createIndex(...documents: SearchDocument[]): SearchIndex {
  const index = new SearchIndex();
  for (const document of documents) index.put(document);
  return index;
}

/** Searches an index of merchants with these names. Returns the names found, best match first. */
function searchNames(q: string, ...names: string[]): string[] {
  const index = createIndex(...names.map((name, id) => buildMerchant(id, name)));
  return index.search(q, FIRST_PAGE).ids.map((id) => names[id]!);
}

describe('matching', () => {
  const names = ['Farmácia Central', 'Padaria Lua', 'Mercado São João', 'Pão de Açúcar', 'Loja 1234'];
  const examples: [q: string, name: string][] = [
    ['farmacia', 'Farmácia Central'],
    ['FARMÁCIA', 'Farmácia Central'],
    ['farmai', 'Farmácia Central'],
    ['padria', 'Padaria Lua'],
    ['padaira', 'Padaria Lua'],
    ['apdaria', 'Padaria Lua'],
    ['adaria', 'Padaria Lua'],
    ['badaria', 'Padaria Lua'],
    ['ppadaria', 'Padaria Lua'],
    ['padariaa', 'Padaria Lua'],
    ['lua padaria', 'Padaria Lua'],
    ['sao jo', 'Mercado São João'],
    ['PAO DE ACUC', 'Pão de Açúcar'],
    ['1234', 'Loja 1234'],
    ['loja 12', 'Loja 1234'],
  ];
  for (const [q, name] of examples) {
    test(`${q} finds ${name}`, () => assert.deepEqual(searchNames(q, ...names), [name]));
  }

  test('every term must match', () => assert.deepEqual(searchNames('padaria sol', ...names), []));
  test('two typos in a term do not match', () => assert.deepEqual(searchNames('pdria', ...names), []));
  test('one typo in each of two terms is tolerated', () => {
    assert.deepEqual(searchNames('mercdo joaoo', ...names), ['Mercado São João']);
  });
  test('a term of three letters tolerates no typo', () => assert.deepEqual(searchNames('lux', ...names), []));
  test('a term with a digit tolerates no typo', () => assert.deepEqual(searchNames('1235', ...names), []));
  for (const q of ['', '   ', '!!!', '🍞']) {
    test(`${JSON.stringify(q)} has no terms and finds nothing`, () =>
      assert.deepEqual(searchNames(q, ...names), []));
  }

  test('category, city, state and description are searched as well as the name', () => {
    const index = createIndex(
      buildMerchant(7, 'Lua', {
        category: { slug: 'padarias', name: 'Padarias & Confeitarias' },
        city: 'São Luís',
        state: 'MA',
        description: 'Pães artesanais desde 1950',
      }),
    );
    for (const q of [
      'padarias',
      'confeitria',
      'sao luis',
      'ma',
      'artesanais',
      'artes',
      '1950',
      'lua luis paes',
    ]) {
      assert.deepEqual(index.search(q, FIRST_PAGE), { total: 1, ids: [7] }, q);
    }
  });

  test('a short term with a typo does not match the start of a word', () => {
    assert.deepEqual(searchNames('casa', 'Castelo', 'Caso', 'Casarão'), ['Casarão', 'Caso']);
  });
  test('words of the description tolerate no typo', () => {
    const index = createIndex(buildMerchant(1, 'Lua', { description: 'Pães artesanais' }));
    assert.equal(index.search('artesnais', FIRST_PAGE).total, 0);
  });

  test('a single letter matches the start of title words, and only whole words of the description', () => {
    const index = createIndex(
      buildMerchant(1, 'Lua', { description: 'Pães artesanais' }),
      buildMerchant(2, 'Lua', { description: 'Tudo a granel' }),
      buildMerchant(3, 'Lua', { city: 'Aracaju' }),
      buildMerchant(4, 'Areia'),
    );
    assert.deepEqual(index.search('a', FIRST_PAGE).ids, [2, 4, 3]);
    assert.deepEqual(index.search('ar', FIRST_PAGE).ids, [4, 3, 1]);
  });

  test('a word longer than forty letters is found by the whole word and by its start', () => {
    const longWord = 'pneumoultramicroscopicossilicovulcanoconiotico';
    assert.deepEqual(searchNames(longWord, longWord, longWord.slice(0, 20)), [longWord]);
    assert.deepEqual(searchNames(longWord.slice(0, 12), longWord), [longWord]);
  });

  test('terms after the eighth are ignored', () => {
    assert.deepEqual(searchNames('a b c d e f g h zzz', 'A B C D E F G H'), ['A B C D E F G H']);
    assert.deepEqual(searchNames('a b c d e f g zzz', 'A B C D E F G H'), []);
  });

  test('a query of a million letters is truncated, not refused', () => {
    assert.deepEqual(searchNames('x'.repeat(1_000_000), ...names), []);
    assert.deepEqual(searchNames(`padaria${' '.repeat(1_000_000)}zzz`, ...names), ['Padaria Lua']);
  });
});

describe('results are ordered by', () => {
  const assertOrder = (q: string, ...names: string[]) => {
    assert.deepEqual(searchNames(q, ...names.toReversed()), names);
    assert.deepEqual(searchNames(q, ...names), names);
  };

  test('exact word, start of a word, word with a typo, start of a word with a typo', () => {
    assertOrder('padari', 'Padari Zulu', 'Padaria Zulu', 'Pedari Alfa', 'Pedarias Alfa');
  });
  test('whole name, first word of the name, other word of the name', () => {
    assertOrder('padaria', 'Padaria', 'Padaria Zulu', 'Alfa Padaria');
  });
  test('the whole name before the same words in another order', () => {
    assertOrder('sao joao', 'São João', 'João São');
    assertOrder('joao sao', 'João São', 'São João');
  });
  test('the whole name with a repeated word', () => assertOrder('bom bom', 'Bom Bom', 'Bom', 'Bom Bom Bom'));
  test('names with fewer unmatched words', () => assertOrder('padaria', 'Padaria Zulu', 'Padaria Alfa Beta'));
  test('ties by name, ignoring case and accents', () => {
    assertOrder('padaria', 'Padaria Ábaco', 'padaria acácia', 'PADARIA AÇAÍ', 'Padaria Zulu');
  });

  test('merchants with the same name by slug', () => {
    const index = createIndex(
      buildMerchant(1, 'Lua', { slug: 'lua-c' }),
      buildMerchant(2, 'Lua', { slug: 'lua-a' }),
      buildMerchant(3, 'Lúa', { slug: 'lua-b' }),
    );
    assert.deepEqual(index.search('lua', FIRST_PAGE).ids, [2, 3, 1]);
  });

  test('for the same quality: name, category, city, description', () => {
    const index = createIndex(
      buildMerchant(1, 'A', { description: 'bonita' }),
      buildMerchant(2, 'A', { city: 'Bonita' }),
      buildMerchant(3, 'A', { category: { slug: 'bonita', name: 'Bonita' } }),
      buildMerchant(4, 'A Bonita'),
    );
    assert.deepEqual(index.search('bonita', FIRST_PAGE).ids, [4, 3, 2, 1]);
    assert.deepEqual(index.search('bon', FIRST_PAGE).ids, [4, 3, 2, 1]);
    assert.deepEqual(index.search('bomita', FIRST_PAGE).ids, [4, 3, 2]);
  });
});

describe('pages', () => {
  // 7 and 300 have no common divisor, so each name occurs once, and the names are not in the order of the ids.
  const shops = Array.from({ length: 300 }, (_, id) =>
    buildMerchant(id, `Loja ${String((id * 7) % 300).padStart(3, '0')}`, {
      category: id % 3 === 0 ? { slug: 'tres', name: 'Três' } : { slug: 'outra', name: 'Outra' },
    }),
  );
  const index = createIndex(...shops);

  test('the pages together are the whole result, without gaps or duplicates', () => {
    const allResults = index.search('loja', { offset: 0, limit: 300 });
    assert.equal(allResults.total, 300);
    assert.equal(new Set(allResults.ids).size, 300);
    const pagedIds = [];
    for (let offset = 0; offset < 300; offset += 7)
      pagedIds.push(...index.search('loja', { offset, limit: 7 }).ids);
    assert.deepEqual(pagedIds, allResults.ids);
  });

  test('a page past the end is empty and still has the total', () => {
    assert.deepEqual(index.search('loja', { offset: 300, limit: 20 }), { total: 300, ids: [] });
    assert.deepEqual(index.search('loja', { offset: 0, limit: 0 }), { total: 300, ids: [] });
    assert.equal(index.search('loja', { offset: 290, limit: 20 }).ids.length, 10);
  });

  test('a category restricts the result and the total', () => {
    const result = index.search('loja', { categorySlug: 'tres', offset: 0, limit: 300 });
    assert.equal(result.total, 100);
    assert.ok(result.ids.every((id) => id % 3 === 0));
  });

  test('an unknown category has no results', () => {
    const options = { categorySlug: 'nenhuma', ...FIRST_PAGE };
    assert.deepEqual(index.search('loja', options), { total: 0, ids: [] });
  });
});

describe('changes', () => {
  test('a replaced merchant is found once, by its new words', () => {
    const index = createIndex(buildMerchant(1, 'Padaria Lua'), buildMerchant(2, 'Padaria Sol'));
    index.put(buildMerchant(1, 'Farmácia Lua', { category: { slug: 'saude', name: 'Saúde' } }));
    assert.equal(index.size, 2);
    assert.deepEqual(index.search('padaria', FIRST_PAGE).ids, [2]);
    assert.deepEqual(index.search('lua', FIRST_PAGE), { total: 1, ids: [1] });
    assert.deepEqual(index.search('lua', { categorySlug: 'saude', ...FIRST_PAGE }).ids, [1]);
    assert.deepEqual(index.search('lua', { categorySlug: 'geral', ...FIRST_PAGE }).ids, []);
  });

  test('a removed merchant is not found, and removing it again does nothing', () => {
    const index = createIndex(buildMerchant(1, 'Padaria Lua'), buildMerchant(2, 'Padaria Sol'));
    index.remove(1);
    index.remove(1);
    assert.equal(index.size, 1);
    assert.deepEqual(index.search('padaria', FIRST_PAGE), { total: 1, ids: [2] });
  });

  test('an emptied index has no words and can be filled again', () => {
    const documents = [buildMerchant(1, 'Padaria Lua', { description: 'Pães' }), buildMerchant(2, '!!!')];
    const index = createIndex(...documents);
    for (const { id } of documents) index.remove(id);
    assert.equal(index.size, 0);
    assert.equal(index.wordCount, 0);
    for (const document of documents) index.put(document);
    assert.deepEqual(index.search('lua', FIRST_PAGE).ids, [1]);
  });

  test('results stay the same after the index has used all its numbers for searches', () => {
    const index = createIndex(
      buildMerchant(1, 'Padaria Lua'),
      buildMerchant(2, 'Farmácia Lua'),
      buildMerchant(3, 'Padaria Sol'),
    );
    // The index numbers its searches with 16 bits, and starts again after 2 ** 16 searches.
    for (let i = 0; i < 70_000; i++) {
      // Compares strings, because 140,000 deepEquals would take longer than all other tests.
      const typoIds = index.search('padria', FIRST_PAGE).ids.join();
      const prefixIds = index.search('lua far', FIRST_PAGE).ids.join();
      if (typoIds !== '1,3' || prefixIds !== '2') assert.fail(`search ${i}: ${typoIds} and ${prefixIds}`);
    }
  });
});
