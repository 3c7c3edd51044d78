import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildNameKey, fold, splitWords } from './fold.ts';

test('fold: ignores case and accents', () => {
  assert.equal(fold('Pão de AÇÚCAR'), 'pao de acucar');
  assert.equal(fold('pa\u0303o'), 'pao');
  assert.equal(fold('ÀÉÎÕÜ Ñ'), 'aeiou n');
});

test('fold: replaces letters that Unicode does not decompose', () => {
  assert.equal(fold('Straße Æsop Œuvre Smørrebrød Łódź ıİ'), 'strasse aesop oeuvre smorrebrod lodz ii');
  assert.equal(fold('ΟΔΟΣ'), 'οδοσ');
});

test('fold: replaces ordinals, ligatures and full-width letters', () => {
  assert.equal(fold('Nº 1ª ﬁta ＳＡＯ'), 'no 1a fita sao');
});

test('fold: is idempotent for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

test('splitWords: returns the runs of letters and digits of any script', () => {
  assert.deepEqual(splitWords("  D'Ávila & Cia., nº 24-7 "), ['d', 'avila', 'cia', 'no', '24', '7']);
  assert.deepEqual(splitWords('寿司 Суши'), ['寿司', 'суши']);
  assert.deepEqual(splitWords('!!! ... 🍞'), []);
});

test('buildNameKey: a name sorts before longer names that begin with it; equal names sort by slug', () => {
  const keys = [
    buildNameKey('Bar do Zé', 'a'),
    buildNameKey('BAR', 'b'),
    buildNameKey('Bár', 'a'),
    buildNameKey('Açaí', 'z'),
    buildNameKey('Barão', 'a'),
  ];
  assert.deepEqual(keys.toSorted(), [
    'acai\u0000z',
    'bar\u0000a',
    'bar\u0000b',
    'bar do ze\u0000a',
    'barao\u0000a',
  ]);
});
