import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SearchDocument, SearchIndex } from './search-index.ts';

const FIRST_PAGE = { offset: 0, limit: 20 };

function merchant(id: number, name: string, rest: Partial<SearchDocument> = {}): SearchDocument {
  const category = { slug: 'geral', name: 'Geral' };
  return { id, slug: `m-${id}`, name, category, city: null, state: null, description: null, ...rest };
}

function createIndex(...documents: SearchDocument[]): SearchIndex {
  const index = new SearchIndex();
  for (const document of documents) index.put(document);
  return index;
}

/** Searches an index of merchants with these names. Returns the names found, best match first. */
function searchNames(q: string, ...names: string[]): string[] {
  const index = createIndex(...names.map((name, id) => merchant(id, name)));
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
      merchant(7, 'Lua', {
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
    const index = createIndex(merchant(1, 'Lua', { description: 'Pães artesanais' }));
    assert.equal(index.search('artesnais', FIRST_PAGE).total, 0);
  });

  test('a single letter matches the start of title words, and only whole words of the description', () => {
    const index = createIndex(
      merchant(1, 'Lua', { description: 'Pães artesanais' }),
      merchant(2, 'Lua', { description: 'Tudo a granel' }),
      merchant(3, 'Lua', { city: 'Aracaju' }),
      merchant(4, 'Areia'),
    );
    assert.deepEqual(index.search('a', FIRST_PAGE).ids, [2, 4, 3]);
    assert.deepEqual(index.search('ar', FIRST_PAGE).ids, [4, 3, 1]);
  });

  test('a word longer than forty letters is found by the whole word and by its start', () => {
    const long = 'pneumoultramicroscopicossilicovulcanoconiotico';
    assert.deepEqual(searchNames(long, long, long.slice(0, 20)), [long]);
    assert.deepEqual(searchNames(long.slice(0, 12), long), [long]);
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

describe('ranking', () => {
  const inOrder = (q: string, ...names: string[]) => {
    assert.deepEqual(searchNames(q, ...names.toReversed()), names);
    assert.deepEqual(searchNames(q, ...names), names);
  };

  test('exact word, start of a word, word with a typo, start of a word with a typo', () => {
    inOrder('padari', 'Padari Zulu', 'Padaria Zulu', 'Pedari Alfa', 'Pedarias Alfa');
  });
  test('whole name, first word of the name, other word of the name', () => {
    inOrder('padaria', 'Padaria', 'Padaria Zulu', 'Alfa Padaria');
  });
  test('the whole name before the same words in another order', () => {
    inOrder('sao joao', 'São João', 'João São');
    inOrder('joao sao', 'João São', 'São João');
  });
  test('the whole name with a repeated word', () => inOrder('bom bom', 'Bom Bom', 'Bom', 'Bom Bom Bom'));
  test('names with fewer unmatched words', () => inOrder('padaria', 'Padaria Zulu', 'Padaria Alfa Beta'));
  test('ties by name, ignoring case and accents', () => {
    inOrder('padaria', 'Padaria Ábaco', 'padaria acácia', 'PADARIA AÇAÍ', 'Padaria Zulu');
  });

  test('merchants with the same name by slug', () => {
    const index = createIndex(
      merchant(1, 'Lua', { slug: 'lua-c' }),
      merchant(2, 'Lua', { slug: 'lua-a' }),
      merchant(3, 'Lúa', { slug: 'lua-b' }),
    );
    assert.deepEqual(index.search('lua', FIRST_PAGE).ids, [2, 3, 1]);
  });

  test('for the same quality: name, category, city, description', () => {
    const index = createIndex(
      merchant(1, 'A', { description: 'bonita' }),
      merchant(2, 'A', { city: 'Bonita' }),
      merchant(3, 'A', { category: { slug: 'bonita', name: 'Bonita' } }),
      merchant(4, 'A Bonita'),
    );
    assert.deepEqual(index.search('bonita', FIRST_PAGE).ids, [4, 3, 2, 1]);
    assert.deepEqual(index.search('bon', FIRST_PAGE).ids, [4, 3, 2, 1]);
    assert.deepEqual(index.search('bomita', FIRST_PAGE).ids, [4, 3, 2]);
  });
});

describe('pages', () => {
  const lojas = Array.from({ length: 300 }, (_, id) =>
    merchant(id, `Loja ${String((id * 7) % 300).padStart(3, '0')}`, {
      category: id % 3 === 0 ? { slug: 'tres', name: 'Três' } : { slug: 'outra', name: 'Outra' },
    }),
  );
  const index = createIndex(...lojas);

  test('the pages together are the whole result, without gaps or duplicates', () => {
    const whole = index.search('loja', { offset: 0, limit: 300 });
    assert.equal(whole.total, 300);
    assert.equal(new Set(whole.ids).size, 300);
    const pages = [];
    for (let offset = 0; offset < 300; offset += 7)
      pages.push(...index.search('loja', { offset, limit: 7 }).ids);
    assert.deepEqual(pages, whole.ids);
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
    const index = createIndex(merchant(1, 'Padaria Lua'), merchant(2, 'Padaria Sol'));
    index.put(merchant(1, 'Farmácia Lua', { category: { slug: 'saude', name: 'Saúde' } }));
    assert.equal(index.size, 2);
    assert.deepEqual(index.search('padaria', FIRST_PAGE).ids, [2]);
    assert.deepEqual(index.search('lua', FIRST_PAGE), { total: 1, ids: [1] });
    assert.deepEqual(index.search('lua', { categorySlug: 'saude', ...FIRST_PAGE }).ids, [1]);
    assert.deepEqual(index.search('lua', { categorySlug: 'geral', ...FIRST_PAGE }).ids, []);
  });

  test('a removed merchant is not found, and removing it again does nothing', () => {
    const index = createIndex(merchant(1, 'Padaria Lua'), merchant(2, 'Padaria Sol'));
    index.remove(1);
    index.remove(1);
    assert.equal(index.size, 1);
    assert.deepEqual(index.search('padaria', FIRST_PAGE), { total: 1, ids: [2] });
  });

  test('an emptied index has no words and can be filled again', () => {
    const documents = [merchant(1, 'Padaria Lua', { description: 'Pães' }), merchant(2, '!!!')];
    const index = createIndex(...documents);
    for (const { id } of documents) index.remove(id);
    assert.equal(index.size, 0);
    assert.equal(index.wordCount, 0);
    for (const document of documents) index.put(document);
    assert.deepEqual(index.search('lua', FIRST_PAGE).ids, [1]);
  });

  test('results stay the same over more searches than there are stamps', () => {
    const index = createIndex(
      merchant(1, 'Padaria Lua'),
      merchant(2, 'Farmácia Lua'),
      merchant(3, 'Padaria Sol'),
    );
    for (let i = 0; i < 70_000; i++) {
      // Compares strings, because 140,000 deepEquals would take longer than all other tests.
      const both = index.search('padria', FIRST_PAGE).ids.join();
      const one = index.search('lua far', FIRST_PAGE).ids.join();
      if (both !== '1,3' || one !== '2') assert.fail(`search ${i}: ${both} and ${one}`);
    }
  });
});
