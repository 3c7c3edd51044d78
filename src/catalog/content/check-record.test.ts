import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateCode } from './fields.ts';
import { checkRecord, KINDS, type KindName, listRequiredFields } from './kinds.ts';

const getMaxRate = () => 100;
const validate = (kind: KindName, record: Record<string, unknown>) => {
  const result = checkRecord(KINDS[kind], record, getMaxRate);
  return 'violations' in result
    ? result.violations.map(({ field, message }) => `${field}: ${message.en}`)
    : result.value;
};
const merchant = { slug: 'padaria', name: 'Padaria', category: 'padarias' };
const post = { slug: 'p', title: 'T', summary: 'S', author: 'A', body: 'B' };

test('an omitted optional field takes its default', () => {
  assert.deepEqual(validate('merchants', merchant), {
    ...merchant,
    description: null,
    logo_url: null,
    city: null,
    state: null,
    website: null,
    cashback_percent: '0',
    weekly_rate_percent: '0',
    max_installments: 12,
    min_amount: 1000,
    max_amount: 500000,
    merchant_fee_percent: '0',
    payout_days: 2,
    listed: true,
  });
  assert.deepEqual(
    validate('merchants', { ...merchant, city: '', state: null }),
    validate('merchants', merchant),
  );
  assert.deepEqual(validate('posts', post), { ...post, cover_url: null, tags: [], published_at: null });
});

test('every violation of a record is reported with its field', () => {
  assert.deepEqual(
    validate('merchants', {
      slug: 'Padaria São João',
      name: ' ',
      description: 'x'.repeat(2_001),
      logo_url: 'javascript:alert(1)',
      city: 3,
      state: 'São Paulo',
      website: 'www.example.com',
      cashback_percent: '2,55555',
      listed: 'talvez',
      colour: 'azul',
    }),
    [
      "slug: 'Padaria São João' is not a slug: lower-case letters, digits and single hyphens",
      'name: is blank',
      'category: is missing',
      'description: has 2001 characters; at most 2000 fit',
      "logo_url: 'javascript:alert(1)' is neither a web address nor a path under /media/",
      'city: must be text',
      'state: has 9 characters; at most 2 fit',
      "website: 'www.example.com' is neither a web address nor a path under /media/",
      "cashback_percent: '2.55555' is not a percentage from 0 to 100 with at most four decimals",
      "listed: 'talvez' is neither true nor false",
      'colour: is not a known field',
    ],
  );
});

test('a percentage may be a number, or text with a decimal comma or point', () => {
  const parsePercent = (raw: unknown) => {
    const value = validate('merchants', { ...merchant, cashback_percent: raw });
    return Array.isArray(value) ? 'refused' : value.cashback_percent;
  };
  for (const [raw, expected] of [
    ['2,5', '2.5'],
    ['2.50', '2.50'],
    ['1,2345', '1.2345'],
    ['0.0001', '0.0001'],
    [' 10 ', '10'],
    [2.5, '2.5'],
    [0, '0'],
    ['100', '100'],
  ]) {
    assert.equal(parsePercent(raw), expected);
  }
  for (const raw of [
    '100,0001',
    101,
    -1,
    '-1',
    '1.23456',
    0.1 + 0.2,
    1e-7,
    '2,5%',
    '1.000,00',
    Number.NaN,
    true,
    {},
    ',5',
  ]) {
    assert.equal(parsePercent(raw), 'refused', String(raw));
  }
});

test('listed accepts yes and no, in Portuguese or English; an empty field means yes', () => {
  const parseListed = (raw: unknown) => {
    const value = validate('merchants', { ...merchant, listed: raw });
    return Array.isArray(value) ? 'refused' : value.listed;
  };
  for (const raw of [true, 'true', 'Sim', 'YES', '1', '', null])
    assert.equal(parseListed(raw), true, String(raw));
  for (const raw of [false, 'false', 'Não', 'nao', 'no', '0'])
    assert.equal(parseListed(raw), false, String(raw));
  for (const raw of ['__proto__', 'toString', 'x', 2, {}, []])
    assert.equal(parseListed(raw), 'refused', String(raw));
});

test('a timestamp must have an existing day and an offset', () => {
  const parseInstant = (raw: unknown) => {
    const value = validate('posts', { ...post, published_at: raw });
    return Array.isArray(value) ? 'refused' : (value.published_at as Date).toISOString();
  };
  assert.equal(parseInstant('2026-11-15T09:00:00-03:00'), '2026-11-15T12:00:00.000Z');
  assert.equal(parseInstant('2026-11-15T09:00Z'), '2026-11-15T09:00:00.000Z');
  assert.equal(parseInstant('2028-02-29T00:00:00.123Z'), '2028-02-29T00:00:00.123Z');
  for (const raw of [
    '2026-02-29T00:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+99:99',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '15/11/2026 09:00',
    'amanhã',
    1_800_000_000,
  ]) {
    assert.equal(parseInstant(raw), 'refused', String(raw));
  }
});

test('tags are a list, or words separated by semicolons or bars', () => {
  const parseTags = (raw: unknown) => {
    const value = validate('posts', { ...post, tags: raw });
    return Array.isArray(value) ? value[0] : value.tags;
  };
  assert.deepEqual(parseTags(['a', ' b ']), ['a', 'b']);
  assert.deepEqual(parseTags('juros; atraso|pix'), ['juros', 'atraso', 'pix']);
  assert.deepEqual(parseTags(''), []);
  assert.deepEqual(parseTags([]), []);
  assert.equal(parseTags(['a', 1]), 'tags: must be text');
  assert.equal(parseTags(['a', '']), 'tags: is blank');
});

test('text that PostgreSQL cannot store is refused', () => {
  assert.deepEqual(validate('categories', { slug: 'a', name: 'x\0y' }), ['name: contains a NUL character']);
});

test('a state is a code of one of the 27 Brazilian states, in upper or lower case', () => {
  assert.equal(stateCode('sp'), 'SP');
  assert.throws(() => stateCode('XX'));
});

test('a URL must be a web URL or a path of an uploaded file', () => {
  const isAccepted = (raw: string) => !Array.isArray(validate('merchants', { ...merchant, logo_url: raw }));
  for (const validUrl of ['/media/logos/a.svg', 'https://cdn.example/x.png?v=1', 'http://a.example'])
    assert.ok(isAccepted(validUrl), validUrl);
  for (const invalidUrl of [
    '/media/../secret',
    '/etc/passwd',
    '//evil.example/x',
    'data:image/png;base64,x',
    'media/x',
    '/media/',
  ]) {
    assert.ok(!isAccepted(invalidUrl), invalidUrl);
  }
});

test('listRequiredFields lists the fields without a default', () => {
  assert.deepEqual(listRequiredFields(KINDS.merchants), ['slug', 'name', 'category']);
  assert.deepEqual(listRequiredFields(KINDS.categories), ['slug', 'name']);
  assert.deepEqual(listRequiredFields(KINDS.faq), ['id', 'topic', 'question', 'answer']);
  assert.deepEqual(listRequiredFields(KINDS.posts), ['slug', 'title', 'summary', 'author', 'body']);
});
